/* Finds the first accesses of a workload to one set of a cache, in the background (Sets view). They
 * end at SET_STEPS_MAX steps or SET_STEPS_BYTES of what is remembered of them, but a set that is
 * seldom used takes the whole workload. */
#pragma once

#include "model/pass/set_stream.h"
#include "schema/machine.h"
#include "ui/jobs/kept_bytes.h"
#include "ui/jobs/worker.h"

enum { SET_STEPS_MAX = 5000, SET_STEPS_BYTES = 16 << 20 };

/* A step with what it was said of it. Places are in what the result kept. */
struct kept_step {
    uint64_t line, left;
    uint32_t pc, way, ways;
    size_t tags, why, state;   /* uint64_t[ways]; text; text */
    unsigned misses, replaced; /* up to here, this one included */
    uint8_t op;                /* OP_COUNT: the set was emptied */
    bool hit, found, stays, replaces;
    const char *result; /* set_step_result */
};

struct set_result {
    struct answer answer;
    char workload[256];
    struct machine machine;
    struct set_place place;
    struct cache_config config; /* of the cache, as the machine starts */
    struct kept_step *steps;
    size_t count, capacity;
    struct kept_bytes kept;
    bool whole; /* there are no further steps */
};

extern const struct job_kind set_job;
/* NULL: no memory. */
struct set_result *set_result_new(const char *workload, const struct machine *machine,
                                  const struct set_place *place);
/* The contents after a step. */
const uint64_t *set_result_tags(const struct set_result *result, size_t step);
