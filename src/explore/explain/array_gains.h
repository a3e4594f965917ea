/* What a metric gains where one array is accessed otherwise: its loads find their data in the L1D,
 * or skip it, or it begins some bytes further on, with all that lies after it, as after padding.
 * And what it gains where the loads of one instruction find their data.
 *
 * Invariant: each gain is that of a whole run of the changed source (trace_source_change), and is
 * remembered by the stage cache like any. At depths without time a load that finds its data leaves
 * no trace, so the run is one without it, which says nothing of metrics in percent. Cost:
 * ARRAY_CHANGES runs for each array, and one for each instruction. */
#pragma once

#include "explore/explain/question.h"
#include "explore/explain/trials.h"

/* X(constant, word, help) */
#define ARRAY_CHANGE_LIST(X)                                                                       \
    X(ARRAY_HITS, "hits", "its loads always hit the L1D")                                          \
    X(ARRAY_BYPASS, "bypass", "its loads skip the L1D")                                            \
    X(ARRAY_SECTOR, "sector", "it begins a sector of the L2 further on")                           \
    X(ARRAY_LINE, "line", "it begins a line of the L1D further on")                                \
    X(ARRAY_PAGE, "page", "it begins a page further on")
enum array_change {
#define ARRAY_CHANGE_ENUM(id, word, help) id,
    ARRAY_CHANGE_LIST(ARRAY_CHANGE_ENUM)
#undef ARRAY_CHANGE_ENUM
        ARRAY_CHANGES
};
extern const char *const array_change_words[ARRAY_CHANGES];

struct array_gains {
    double gains[ARRAY_CHANGES]; /* NaN: not run, or the source does not fit */
};

struct pc_gain {
    uint64_t key; /* blame_pc (model/pass/blame.h) */
    double gain;  /* where its loads always hit; NaN: not run */
};

/* Fills in gains[i] of arrays[i]. `how` says how to run; its source is the original one. On
 * STATUS_CANCELLED those that had run are there. */
enum status array_gains_find(const struct trials_options *how, const struct question *question,
                             const struct trace_array *arrays, size_t count,
                             struct array_gains *gains, struct diagnostics *diagnostics);
/* Fills in the gains of the keys. */
enum status pc_gains_find(const struct trials_options *how, const struct question *question,
                          struct pc_gain *gains, size_t count, struct diagnostics *diagnostics);
