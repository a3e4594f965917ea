/* Inside of explore/sweep/sweep.h: what a run and its plan need before the first simulation. */
#pragma once

#include "explore/plan/planner.h"
#include "explore/plan/sweep_options.h"
#include "model/gpu/extent.h"
#include "trace/stream.h"

struct sweep_setup {
    struct space space;
    struct census census;          /* no bitmap where the space is too large and searched */
    struct trace_source **sources; /* one a workload */
    const char **digests;          /* of the sources */
    struct extent *extents;        /* of the sources */
    double *sizes;                 /* their totals */
    const struct metric **columns;
    size_t column_count;
    int threads;
    struct stage_cache *cache; /* or NULL */
};

/* The plan for the points that are not done. */
enum status sweep_setup_plan(const struct sweep_setup *setup, const uint8_t *done,
                             struct plan **plan);

/* What simulates the settings of a task; the caller adds progress and cancel. */
struct simulation sweep_setup_simulation(const struct sweep_setup *setup, const struct plan *plan,
                                         const struct task *task);
/* The machines of a task's settings, malloc'ed; NULL: no memory. */
struct machine *task_machines(const struct plan *plan, const struct task *task);

/* Opens workloads, takes the census; everything wrong is reported. */
enum status sweep_setup_open(const struct study *study, const struct sweep_options *options,
                             struct sweep_setup *setup, struct diagnostics *diagnostics);
/* Says in `diagnostics`, where not NULL, what went wrong with the cache. */
void sweep_setup_close(struct sweep_setup *setup, struct diagnostics *diagnostics);

/* Whether an exhaustive run writes a summary. */
bool sweep_setup_summary(const struct sweep_setup *setup, const struct sweep_options *options);

/* Marks the points of other shares in `done`; *points is how many the share of the options has. */
enum status sweep_setup_share(const struct sweep_setup *setup, const struct sweep_options *options,
                              uint8_t *done, uint64_t *points);
