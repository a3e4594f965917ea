/* Evaluates points that a search asks for, batch after batch, and remembers every setting of a part
 * (explore/plan/planner.h) that was ever simulated: a later batch simulates only what is new to it.
 */
#pragma once

#include <stdatomic.h>

#include "explore/space/space.h"
#include "trace/stream.h"

/* Of the batch that runs. */
struct evaluator_progress {
    double share; /* of its simulations, with what running passes have done; 0 to 1 */
    size_t passes, passes_done;
    unsigned passes_running;
};

/* The functions are called by one thread at a time. */
struct evaluator_options {
    const struct space *space;
    const struct metric *const *columns;
    size_t column_count;
    struct trace_source *const *sources; /* one a workload */
    const struct extent *extents;        /* theirs, where known; or NULL */
    struct stage_cache *cache;           /* results that other runs share; NULL: none */
    int threads;
    const atomic_bool *cancel; /* may be NULL */
    /* A point is complete. values[c] belongs to column c. In no particular order. */
    enum status (*point)(void *argument, uint64_t point, const struct metrics *metrics,
                         struct diagnostics *diagnostics);
    /* A pass has ended and its points were told; may be NULL. */
    enum status (*pass)(void *argument, struct diagnostics *diagnostics);
    /* About ten times a second for each thread; may be NULL. */
    void (*tick)(void *argument, const struct evaluator_progress *progress);
    void *argument;
};

struct evaluator;

/* All that the options point to must outlive the evaluator. */
enum status evaluator_create(const struct evaluator_options *options, struct evaluator **evaluator);
void evaluator_free(struct evaluator *evaluator); /* NULL is allowed */

/* Evaluates legal points, no point twice. After a failure or STATUS_CANCELLED what was told stays
 * true, and the evaluator can be asked again. */
enum status evaluator_run(struct evaluator *evaluator, const uint64_t *points, size_t count,
                          struct diagnostics *diagnostics);
