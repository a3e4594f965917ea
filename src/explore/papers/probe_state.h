/* Internal to explore/papers/probe.h: the state that the steps of a probe share. */
#pragma once

#include "base/memory.h"
#include "explore/papers/probe.h"

struct probing {
    const struct probe_lab *lab;
    struct probe *probe;
    struct load_span *spans; /* of the last run */
    size_t capacity;
};

/* Runs a benchmark and fills spans[] with its loads. */
enum status probing_measure(struct probing *probing, const struct micro_run *run);
uint64_t probing_time(const struct probing *probing, uint64_t load);
bool probing_missed(const struct probing *probing, uint64_t load);

void finding_set(struct finding *finding, enum finding_kind kind, uint64_t value);
__attribute__((format(printf, 2, 3))) void finding_fail(struct finding *finding, const char *format,
                                                        ...);

/* Given the line size and the capacity, finds ways, sets, replacement and index. */
enum status probing_find_sets(struct probing *probing);

/* Given the line size, finds how many lines may be in flight. */
enum status probing_find_mshrs(struct probing *probing);
