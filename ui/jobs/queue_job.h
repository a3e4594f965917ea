/* Finds the first steps of a bank of a tile cache, or those from a step on, in the background
 * (Queue view). They end at QUEUE_STEPS_MAX steps or QUEUE_STEPS_BYTES of what is remembered. */
#pragma once

#include "report/runs/tile_steps.h"
#include "ui/jobs/kept_bytes.h"
#include "ui/jobs/worker.h"

enum { QUEUE_STEPS_MAX = 5000, QUEUE_STEPS_BYTES = 16 << 20 };

/* A step with what was said of it. Places are in what the result kept. */
struct queue_step {
    uint64_t number, cycle, serial;
    size_t line, words, about, waiting; /* texts; struct tile_waiting[waiting_count] */
    uint32_t waiting_count;
    uint32_t misses, joined; /* of the steps from the first one on, this one included */
    bool is_miss, is_return, is_wait;
    const char *name;
};

struct queue_result {
    struct answer answer;
    char workload[256];
    struct machine machine;
    uint32_t bank;
    uint64_t from; /* the first step */
    struct trace_source *source;
    struct queue_step *steps;
    size_t count, capacity;
    struct kept_bytes kept;
    bool whole; /* there are no further steps */
};

extern const struct job_kind queue_job;
/* NULL: no memory. */
struct queue_result *queue_result_new(const char *workload, const struct machine *machine,
                                      uint32_t bank, uint64_t from);
/* The requests that wait after a step. */
const struct tile_waiting *queue_result_waiting(const struct queue_result *result, size_t step);
