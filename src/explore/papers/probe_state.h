/* What the parts of a probe share. */
#pragma once

#include "base/memory.h"
#include "explore/papers/probe.h"

struct probing {
    const struct probe_lab *lab;
    struct probe *probe;
    struct load_span *spans; /* of the last run */
    size_t capacity;
};

/* Runs; spans[] is of this run then. */
enum status probing_measure(struct probing *probing, const struct micro_run *run);
uint64_t probing_time(const struct probing *probing, uint64_t load);
bool probing_missed(const struct probing *probing, uint64_t load);

void finding_set(struct finding *finding, enum finding_kind kind, uint64_t value);
__attribute__((format(printf, 2, 3))) void finding_fail(struct finding *finding, const char *format,
                                                        ...);

/* With the line and the capacity known: ways, sets, replacement, index. */
enum status probing_find_sets(struct probing *probing);

/* With the line known: how many lines may be on their way. */
enum status probing_find_mshrs(struct probing *probing);
