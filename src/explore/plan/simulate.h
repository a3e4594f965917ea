/* Answers a set of stage settings: looks up what the stage cache has, simulates the rest in one
 * pass, and remembers the results. The planner, sweeps, searches and the engine all ask here; none
 * of them knows how results are kept or which machines share a simulation.
 *
 * Invariant: a recalled result equals a simulated one bit for bit. Only counts are stored; derived
 * metrics are computed again. */
#pragma once

#include "explore/plan/stage_cache.h"
#include "model/evaluate.h"

/* What to find out about a machine. */
struct stage_question {
    enum depth depth;
    unsigned stages;       /* stages to simulate; depth_reads if the depth is not factored */
    unsigned asked;        /* of depth_results: the results that are wanted */
    unsigned needs;        /* NEED_... flags */
    enum pass_share share; /* this and the rest as in struct evaluate_options */
    struct ideal_set ideals;
    uint32_t start_delay;
    const struct block_placement *placement;
};

/* Fills in the metrics of all asked stages and says how they are known: this machine was simulated,
 * or another one whose run is proved to be the same (model/timing/run_proof.h). RECALL_NOTHING
 * changes nothing. `identity` is that of the source at the question's depth (evaluate_identity). */
enum recall { RECALL_NOTHING, RECALL_KEPT, RECALL_PROVED };
enum recall stages_recall(struct stage_cache *cache, const char *identity,
                          const struct stage_question *question, const struct machine *machine,
                          struct metrics *metrics);
/* Stores the results of all simulated stages of `count` machines, and of a depth whose runs prove
 * anything what they prove (evaluate_options.proofs; may be NULL). */
void stages_remember(struct stage_cache *cache, const char *identity,
                     const struct stage_question *question, const struct machine *machines,
                     const struct metrics *metrics, const struct run_proof *proofs, size_t count);

struct simulation {
    struct stage_question question;
    const struct trace_source *source;
    const struct extent *extent;              /* of the source, for `progress`; may be NULL */
    struct block_placement *record_placement; /* of a run that is not remembered; may be NULL */
    struct stage_cache *cache;                /* NULL to look up and store nothing */
    bool skips_stuck; /* a machine that gets stuck has no values, and is no failure of others */
    /* The rest as in struct evaluate_options. */
    struct pass_pool *pool;
    size_t groups;
    int threads;
    void (*progress)(void *argument, double share);
    void *argument;
    double interval;
    const atomic_bool *cancel;
};

/* How machines were answered: looked up, proved equal to another one, or neither; `stuck` are those
 * of the last that have no values (skips_stuck). */
struct simulated {
    uint64_t kept, proved, ran, stuck;
};

/* Computes the metrics of the asked stages for `count` machines. stage_machine must have made them,
 * and they must all have the same stream. `counts` may be NULL. Leaves area out. */
enum status simulate(const struct simulation *simulation, const struct machine *machines,
                     size_t count, struct metrics *metrics, struct simulated *counts,
                     struct diagnostics *diagnostics);

/* The views that tell which machines share work. Machines that look the same as FORM_LEVEL simulate
 * their first level (L1D or TLB) as one. Those that look the same as FORM_FAMILY share work between
 * their first levels. Those that look the same as FORM_LAST simulate all their levels as one. */
enum machine_form { FORM_MACHINE, FORM_LEVEL, FORM_FAMILY, FORM_LAST };

/* Sets *seen to the machine with everything reset that does not matter to this form. Returns
 * whether any number of machines can have its first level (FORM_LAST: its last level) at no extra
 * cost; see model/lru/cache_batch.h. */
bool simulate_form(const struct stage_question *question, enum machine_form form,
                   const struct machine *machine, struct machine *seen);
