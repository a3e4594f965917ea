/* Everything that a run or its plan needs before the first simulation: the space, its census, the
 * open workloads with their digests and lengths, the result columns and the stage cache. Used by
 * sweeps (explore/sweep/sweep.h) and searches (explore/search/search.h).
 *
 * Cost: opening takes a census of the space where one is possible (O(machines)) and issues a few
 * warps of every kernel to learn each workload's length (model/gpu/extent.h). */
#pragma once

#include "explore/plan/planner.h"
#include "explore/plan/sweep_options.h"
#include "model/evaluate.h"
#include "model/gpu/extent.h"
#include "trace/stream.h"

struct sweep_setup {
    struct space space;
    struct census census;          /* no bitmap if a search runs on a space too large for one */
    struct trace_source **sources; /* one per workload */
    const char **digests;          /* the identities of the sources */
    char (*identities)[SOURCE_IDENTITY];
    struct extent *extents; /* of the sources */
    double *sizes;          /* extents[w].total */
    const struct metric **columns;
    size_t column_count;
    int threads;
    struct stage_cache *cache; /* in memory where none was asked for and runs prove something; or
                                * NULL */
    bool borrowed;             /* all but the cache is another setup's */
};

/* Plans the points that are not in `done`, a bitmap of points. */
enum status sweep_setup_plan(const struct sweep_setup *setup, const uint8_t *done,
                             struct plan **plan);

/* The simulation of a task's settings. The caller adds pool, groups, progress and cancel. */
struct simulation sweep_setup_simulation(const struct sweep_setup *setup, const struct plan *plan,
                                         const struct task *task);
/* The machines of a task's settings. The caller frees them. NULL if out of memory. */
struct machine *task_machines(const struct plan *plan, const struct task *task);

/* Opens everything and reports all errors that it finds. On failure it closes the setup again. */
enum status sweep_setup_open(const struct study *study, const struct sweep_options *options,
                             struct sweep_setup *setup, struct diagnostics *diagnostics);
/* Reports in `diagnostics` (may be NULL) if the stage cache failed. */
void sweep_setup_close(struct sweep_setup *setup, struct diagnostics *diagnostics);

/* Whether an exhaustive run writes a summary. */
bool sweep_setup_summary(const struct sweep_setup *setup, const struct sweep_options *options);

/* Marks the points outside the share of the options in `done`, and sets *points to the number of
 * legal points in the share. */
enum status sweep_setup_share(const struct sweep_setup *setup, const struct sweep_options *options,
                              uint8_t *done, uint64_t *points);
