/* The best machine that satisfies a wish, of those that axes span, by exact runs.
 *
 * The runs begin around the machine itself, one axis changed at a time. From then on half of them
 * are what a guess (explore/search/additive.h) holds for the best machines that satisfy the wish,
 * and half are the proof: where the goal needs no run (an area), the machines in its order, so that
 * everything better than the answer has been tried and refused in the end; else all that are left.
 *
 * Over several workloads a condition must hold on each, and a value is the geometric mean (one that
 * is not above 0 has none), so that the best machine is the one with the best mean ratio to any
 * other.
 *
 * Invariant: which machines are tried depends on the wish, the axes and the values alone; every
 * value that is told is that of a whole run. Cost: WISH_BATCH runs a round (WISH_BATCH_SHARED where
 * machines share passes); what the stage cache knows or a proof answers is not run. */
#pragma once

#include <stdatomic.h>

#include "explore/plan/stage_cache.h"
#include "explore/wishes/wish_result.h"
#include "trace/stream.h"

enum { WISH_BATCH = 16, WISH_BATCH_SHARED = 128, WISH_POINTS = 1000 /* the usual limit */ };
#define WISH_MACHINES ((uint64_t)1 << 24) /* more are refused */

struct wish_options {
    struct stage_cache *cache; /* may be NULL */
    int threads;               /* 0: all; results do not depend on it */
    uint64_t points;           /* machines to try at most; 0: all */
    double time_limit;         /* seconds; 0: none */
    const atomic_bool *cancel; /* may be NULL */
    /* Called by one thread at a time, the first about ten times a second, the second after each
     * round. May be NULL. */
    void (*progress)(void *argument, double share);
    void (*grown)(void *argument, const struct wish_result *so_far);
    void *argument;
};

/* Looks for a wish. The study, whose machine, workloads, axes (none: the levers that matter to
 * them, in their order, explore/wishes/wish_axes.h), depth and assumed dependences are set, goes to
 * the result even after a failure. `sources` are its workloads, opened. STATUS_CANCELLED: stopped
 * by the user or the limit of time, and the result is what was found until then. The caller frees
 * it in any case. */
enum status wish_search(const struct wish *wish, struct study *study,
                        struct trace_source *const *sources, const struct wish_options *options,
                        struct wish_result *result, struct diagnostics *diagnostics);
