/* The runs of an experiment (config/experiment_file.h): every subject on every variant of which
 * something is asked, by the evaluator of searches (explore/search/search_evaluator.h). So variants
 * that read one stream share a pass, equal machines are simulated once, and what the stage cache
 * remembers costs nothing: a run that was stopped goes on where it was.
 *
 * Invariant: the numbers depend neither on the threads nor on what else is asked. A model that
 * refuses a machine or a workload is a result with a reason, no failure. */
#pragma once

#include <stdatomic.h>

#include "base/diag.h"
#include "explore/papers/experiment_loads.h"

struct experiment_options {
    bool full;         /* subjects run their `full` instead of their `workload` */
    const char *only;  /* this subject; NULL: all */
    int threads;       /* 0: all */
    const char *cache; /* path of the stage cache; NULL: none */
    double time_limit; /* in seconds: then STATUS_CANCELLED, with an error; 0: none */
    const atomic_bool *cancel;
    void (*progress)(void *argument, double share); /* may be NULL */
    void *argument;
};

struct experiment_run {
    char *workload; /* NULL: the subject has no such variant */
    char *why;      /* the model refused: the reason; else NULL */
    size_t variant; /* whose machine ran: that of the best one of a family */
    struct metrics metrics;
    const struct experiment_loads *loads; /* NULL: not asked for, or refused */
};

/* What is asked of the variants. */
struct experiment_demand {
    bool *metrics; /* [variant][METRIC_COUNT] */
    bool *loads;   /* [variant]: counts of loads */
};

struct experiment_runs {
    const struct experiment *experiment;
    bool full;
    size_t *subjects, subject_count; /* those that were chosen, by index */
    size_t *programs, program_count; /* which of the chosen ones are programs */
    size_t *program_of;          /* [subject_count]: which program, by its place in `programs` */
    struct machine *machines;    /* of each variant, with its budget spent */
    char **refused;              /* of each variant: the rule that its machine breaks, or NULL */
    struct experiment_run *runs; /* [program_count][variant_count] */
    struct experiment_loads **loads; /* of all runs */
    size_t load_count, load_capacity;
};

/* Of a chosen subject, by its place among them: the run of its program. */
static inline struct experiment_run *experiment_run_at(const struct experiment_runs *runs,
                                                       size_t subject, size_t variant)
{
    return &runs->runs[runs->program_of[subject] * runs->experiment->variant_count + variant];
}

/* Whether the chosen subject is a load. */
static inline bool experiment_is_load(const struct experiment_runs *runs, size_t subject)
{
    return runs->experiment->subjects[runs->subjects[subject]].load;
}

/* Whether only some of the experiment's subjects were chosen. */
static inline bool experiment_is_part(const struct experiment_runs *runs)
{
    return runs->subject_count < runs->experiment->subject_count;
}

/* A count of the load that a subject is, on a variant; NaN: it is none, or it was not counted. */
double experiment_load_count(const struct experiment_runs *runs, size_t subject, size_t variant,
                             enum load_count count);

/* Chooses the subjects, makes the machines and names the workloads; nothing runs. Reports all that
 * is wrong. */
enum status experiment_runs_open(const struct experiment *experiment,
                                 const struct experiment_options *options,
                                 struct experiment_runs *runs, struct diagnostics *diagnostics);
/* Runs what is asked; adds to `demand` what the best ones of families need. */
enum status experiment_runs_make(struct experiment_runs *runs, struct experiment_demand *demand,
                                 const struct experiment_options *options,
                                 struct diagnostics *diagnostics);
void experiment_runs_free(struct experiment_runs *runs);

/* The text of a field of a subject; NULL: it has no such field, or an empty one. Where full sizes
 * are asked for, `full` stands for `workload`, and full_NAME for NAME. */
const char *experiment_field(const struct experiment_runs *runs,
                             const struct experiment_subject *subject, const char *name);
/* Whether some subject has the field; `subject` is one of all, `load` one of loads. */
bool experiment_has_field(const struct experiment *experiment, const char *name);
