/* How a set of stage settings gets its results: what is remembered is looked up, the rest is
 * simulated in one pass and remembered. Everything above (planner, sweep, engine) asks here and
 * knows neither how results are kept nor which machines share a simulation. */
#pragma once

#include "explore/plan/stage_cache.h"
#include "model/evaluate.h"

/* What is asked of a machine. */
struct stage_question {
    enum depth depth;      /* reuse: the stages are those of STAGE_REUSE's chain, and it is asked */
    unsigned stages;       /* that are simulated */
    unsigned asked;        /* of these, whose metrics are wanted */
    unsigned needs;        /* of enum evaluate_needs */
    enum pass_share share; /* as in struct evaluate_options */
};

/* Fills in the metrics of all asked stages, or returns false. Others are left alone. */
bool stages_recall(struct stage_cache *cache, const char *digest,
                   const struct stage_question *question, const struct machine *machine,
                   struct metrics *metrics);
/* Keeps the metrics of all simulated stages of `count` machines. */
void stages_remember(struct stage_cache *cache, const char *digest,
                     const struct stage_question *question, const struct machine *machines,
                     const struct metrics *metrics, size_t count);

struct simulation {
    struct stage_question question;
    const struct trace_source *source;
    const struct extent *extent; /* of the source, for `progress`; may be NULL */
    struct stage_cache *cache;   /* NULL: nothing is remembered */
    /* As in struct evaluate_options. */
    struct pass_pool *pool;
    size_t groups;
    void (*progress)(void *argument, double share);
    void *argument;
    double interval;
    const atomic_bool *cancel;
};

/* The metrics of the asked stages of `count` machines, made by stage_machine, that agree in their
 * stream. *recalled (may be NULL): how many were remembered. Area is left out. */
enum status simulate(const struct simulation *simulation, const struct machine *machines,
                     size_t count, struct metrics *metrics, size_t *recalled,
                     struct diagnostics *diagnostics);

/* What of a machine decides which others it shares its first level (L1D or TLB) with: machines that
 * look the same simulate it as one (FORM_LEVEL), or share work between their levels (FORM_FAMILY).
 * Those that look the same as FORM_LAST simulate all their levels as one. */
enum machine_form { FORM_MACHINE, FORM_LEVEL, FORM_FAMILY, FORM_LAST };

/* `seen`: the machine with everything reset that may differ. Returns whether its first level, as
 * FORM_LAST its last, is one that any number of machines can have at no cost
 * (model/lru/cache_batch.h). */
bool simulate_form(const struct stage_question *question, enum machine_form form,
                   const struct machine *machine, struct machine *seen);
