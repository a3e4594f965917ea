/* The functions of each depth (schema/depths.h), one row per depth. Code above the models calls
 * them through this table, so only depths.c knows which model answers at which depth. Every row has
 * `evaluate` and `notes`; the other functions may be NULL. */
#pragma once

#include "model/evaluate.h"

struct run_proof;

struct depth_model {
    /* As evaluate_many, for machines that machine_apply_kind has been applied to. */
    enum status (*evaluate)(const struct machine *const *machines, size_t count,
                            const struct trace_source *source,
                            const struct evaluate_options *options, struct metrics *metrics,
                            struct diagnostics *diagnostics);
    /* Refuses, with a sentence, a machine for more than its rules. NULL: none is. */
    enum status (*check)(const struct machine *machine, struct diagnostics *diagnostics);
    /* Sets parameters that cannot change this depth's answer to fixed values, so that equivalent
     * machines compare equal. NULL: every parameter matters. */
    void (*reduce)(struct machine *machine);
    /* Resets everything except what decides which work, besides the stream, the machine shares with
     * others in a pass. NULL: only the stream is shared, or the depth is DEPTH_GROUPED and
     * model/lru/cache_batch.h decides. */
    void (*shared)(struct machine *machine);
    /* Sets the parameters that its proofs are about to fixed values; whether a proof holds for a
     * machine that differs in those alone (model/timing/run_proof.h). NULL: it proves nothing. */
    void (*widen)(struct machine *machine);
    bool (*covers)(const struct run_proof *proof, const struct machine *machine);
    /* DEPTH_SAMPLED. Whether sampling is worthwhile, judged before anything is measured; and, as
     * evaluate_sampled, an estimate. If measurements show that it saves nothing, *exact becomes
     * true, without an answer. */
    bool (*samples)(const struct machine *machine, const struct trace_source *source, double share);
    enum status (*sample)(const struct machine *machine, const struct trace_source *source,
                          double share, const struct evaluate_options *options,
                          struct metrics *metrics, struct metrics *error, bool *exact,
                          struct diagnostics *diagnostics);
    /* As evaluate_notes, into room for NOTES_MAX notes. */
    size_t (*notes)(const struct machine *machine, const char *notes[]);
};

enum { NOTES_MAX = 12 };

extern const struct depth_model depth_models[DEPTH_COUNT];
