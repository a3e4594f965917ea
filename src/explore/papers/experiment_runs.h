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
#include "config/experiment_file.h"
#include "schema/metrics.h"

struct experiment_options {
    bool full;         /* subjects run their `full` instead of their `workload` */
    const char *only;  /* this subject; NULL: all */
    int threads;       /* 0: all */
    const char *cache; /* path of the stage cache; NULL: none */
    const atomic_bool *cancel;
    void (*progress)(void *argument, double share); /* may be NULL */
    void *argument;
};

struct experiment_run {
    char *workload; /* what was run; NULL: nothing was asked that needs one */
    char *why;      /* the model refused: the reason; else NULL */
    struct metrics metrics;
};

struct experiment_runs {
    const struct experiment *experiment;
    bool full;
    size_t *subjects, subject_count; /* those that were chosen, by index */
    struct machine *machines;        /* of each variant, with its budget spent */
    struct experiment_run *runs;     /* [subject_count][variant_count] */
};

/* Of a chosen subject, by its place among them. */
static inline const struct experiment_run *experiment_run_at(const struct experiment_runs *runs,
                                                             size_t subject, size_t variant)
{
    return &runs->runs[subject * runs->experiment->variant_count + variant];
}

/* Chooses the subjects and makes the machines; nothing runs. Reports all that is wrong. */
enum status experiment_runs_open(const struct experiment *experiment,
                                 const struct experiment_options *options,
                                 struct experiment_runs *runs, struct diagnostics *diagnostics);
/* Runs what is asked: asked[variant * METRIC_COUNT + metric]. */
enum status experiment_runs_make(struct experiment_runs *runs, const bool *asked,
                                 const struct experiment_options *options,
                                 struct diagnostics *diagnostics);
void experiment_runs_free(struct experiment_runs *runs);

/* The text of a field of a subject; NULL: it has no such field. Where full sizes are asked for,
 * `full` stands for `workload`, and full_NAME for NAME. */
const char *experiment_field(const struct experiment_runs *runs,
                             const struct experiment_subject *subject, const char *name);
