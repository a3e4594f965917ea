/* Evaluates the points that a search asks for, batch by batch. It remembers the result of every
 * setting of a part (explore/plan/planner.h) that it simulated, so a later batch pays only for
 * settings that are new. Memory grows with the settings and with the points of one batch. */
#pragma once

#include <stdatomic.h>

#include "explore/plan/runner.h"
#include "explore/plan/simulate.h"
#include "explore/space/space.h"
#include "trace/stream.h"

/* The evaluator calls these functions from one thread at a time. */
struct evaluator_options {
    const struct space *space;
    const struct metric *const *columns;
    size_t column_count;
    struct trace_source *const *sources; /* one per workload */
    const struct extent *extents;        /* one per source, if known; or NULL */
    struct stage_cache *cache;           /* results shared with other runs; or NULL */
    int threads;
    const atomic_bool *cancel; /* may be NULL */
    struct simulated *counts;  /* how settings were answered is added to these; may be NULL */
    /* A point is complete. Points come in no particular order. A failure ends the batch. */
    enum status (*point)(void *argument, uint64_t point, const struct metrics *metrics,
                         struct diagnostics *diagnostics);
    /* A pass has ended and `point` was called for its points. May be NULL. */
    enum status (*pass)(void *argument, struct diagnostics *diagnostics);
    /* Progress of the running batch, about ten times a second per thread. May be NULL. */
    void (*tick)(void *argument, const struct runner_progress *progress);
    void *argument;
};

struct evaluator;

/* Everything that the options point to must outlive the evaluator. */
enum status evaluator_create(const struct evaluator_options *options, struct evaluator **evaluator);
void evaluator_free(struct evaluator *evaluator); /* NULL is allowed */

/* Evaluates legal points; none may occur twice in `points`. After a failure or STATUS_CANCELLED the
 * points reported so far stay valid and the evaluator can be used again. */
enum status evaluator_run(struct evaluator *evaluator, const uint64_t *points, size_t count,
                          struct diagnostics *diagnostics);
