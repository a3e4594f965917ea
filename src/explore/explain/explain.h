/* Explains a number: why it is what it is, and what would change it, all by exact runs.
 *
 * Invariant: nothing is estimated; what was not run is said to be missing (struct explanation,
 * `count` and the flags of its parts). Cost: some hundred evaluations, side by side. */
#pragma once

#include "explore/explain/ladder.h"
#include "explore/explain/levers.h"
#include "explore/explain/sentences.h"

struct explanation;

/* What to find out; together or alone. */
enum explain_part { EXPLAIN_LADDER = 1 << 0, EXPLAIN_LEVERS = 1 << 1 };

struct explain_options {
    enum depth depth;
    unsigned parts;              /* of enum explain_part */
    const struct metric *metric; /* NULL: time, or else misses (explain_metric) */
    struct stage_cache *cache;   /* as in struct trials_options, as the others */
    int threads;
    double time_limit;
    const atomic_bool *cancel;
    void (*progress)(void *argument, double share);
    /* Called about ten times a second while the explanation grows, by one thread at a time; what
     * it has is exact. May be NULL. */
    void (*grown)(void *argument, const struct explanation *so_far);
    void *argument;
};

struct explanation {
    const struct metric *metric;
    struct metrics base; /* of the machine */
    unsigned parts;      /* that were asked for */
    struct noise noise;
    struct ladder ladder;
    struct levers levers;
    struct sentences sentences;
    struct trials_count count;
    bool complete; /* false: the limit of time, or the user, came first */
};

/* The metric that is explained where none is named, of those with METRIC_EXPLAINED that a run
 * answers; NULL: none. */
const struct metric *explain_metric(const struct metrics *metrics);

/* Explains a machine without violations. STATUS_INVALID: the metric has no direction, or no value
 * here; or the workload does not fit the machine. STATUS_CANCELLED: cut short, and `explanation`
 * holds what was found until then, if anything (`metric` not NULL). The caller frees it in any
 * case. */
enum status explain(const struct machine *machine, const struct trace_source *source,
                    const struct explain_options *options, struct explanation *explanation,
                    struct diagnostics *diagnostics);
/* Copies what there is of one that still grows, its levers in order. The copy is freed like any. */
enum status explanation_copy(const struct explanation *from, struct explanation *to);
void explanation_free(struct explanation *explanation);
