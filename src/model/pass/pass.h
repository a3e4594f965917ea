/* One walk over a source for many machines: the pass that evaluates and samples.
 *
 * issue.h turns the source into batches of requests, and each group of machines (pass_groups.h)
 * sends every batch through its own tree of stages (stage_tree.h), on whichever thread of the pool
 * is free (pass_pool.h). Counts do not depend on the groups or the threads. The source is read
 * once, or twice if a grid of model/lru/grid.h cannot follow its stream. Memory is that of the
 * stages; no part of the stream is kept unless it is recorded. */
#pragma once

#include "model/evaluate_options.h"
#include "model/gpu/issue.h"

/* As evaluate_many, for machines that the functional depth can simulate. */
enum status pass_run(const struct machine *const *machines, size_t count,
                     const struct trace_source *source, const struct evaluate_options *options,
                     struct metrics *metrics, struct diagnostics *diagnostics);

/* A part of a source in which some blocks are counted. The blocks before them warm up the caches,
 * and those after them keep the SMs busy. The initial contents of the caches are unknown, so two
 * results are computed: for empty caches, and for caches that hold the best (cache_assume). */
struct pass_window {
    const struct trace_source *source; /* a slice of a source */
    struct issue_range counted;
    bool fresh;  /* it starts where the whole run starts: caches are empty */
    bool midway; /* it starts in the middle of a launch */
};
enum { WINDOW_COLD, WINDOW_WARM, WINDOW_BOUNDS };
enum status pass_run_window(const struct machine *machine, const struct pass_window *window,
                            const struct evaluate_options *options,
                            struct metrics metrics[WINDOW_BOUNDS], struct diagnostics *diagnostics);

/* The functional depth: a row of model/depth_models.h. */
enum status functional_evaluate(const struct machine *const *machines, size_t count,
                                const struct trace_source *source,
                                const struct evaluate_options *options, struct metrics *metrics,
                                struct diagnostics *diagnostics);
size_t functional_notes(const struct machine *machine, const char *notes[]);
