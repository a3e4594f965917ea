/* One walk over a source for many machines: what evaluate and sampling are made of. */
#pragma once

#include "model/evaluate_options.h"
#include "model/gpu/issue.h"

/* As evaluate_many. */
enum status pass_run(const struct machine *const *machines, size_t count,
                     const struct trace_source *source, const struct evaluate_options *options,
                     struct metrics *metrics, struct diagnostics *diagnostics);

/* A part of a source of which some blocks are counted; those before them warm the caches up, those
 * behind them keep the SMs busy. What the caches hold at first nobody knows: the metrics are those
 * of empty caches, and of caches that hold the best (cache_assume). */
struct pass_window {
    const struct trace_source *source; /* a view */
    struct issue_range counted;
    bool fresh;  /* it begins where the whole run does: the caches are empty */
    bool midway; /* it begins in the middle of a launch */
};
enum { WINDOW_COLD, WINDOW_WARM, WINDOW_BOUNDS };
enum status pass_run_window(const struct machine *machine, const struct pass_window *window,
                            const struct evaluate_options *options,
                            struct metrics metrics[WINDOW_BOUNDS], struct diagnostics *diagnostics);

/* The functional depth, as a row of model/depths.h. */
enum status functional_evaluate(const struct machine *const *machines, size_t count,
                                const struct trace_source *source,
                                const struct evaluate_options *options, struct metrics *metrics,
                                struct diagnostics *diagnostics);
size_t functional_notes(const struct machine *machine, const char *notes[]);
