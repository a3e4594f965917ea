/* What the reproductions of papers have in common: their programs, and many independent runs on
 * threads. */
#pragma once

#include "model/evaluate.h"

struct paper_subject {
    const char *name; /* as the paper calls it */
    const char *suite;
    const char *quick, *full; /* workloads: seconds for all, or the suite's own size */
    unsigned group;           /* the paper's class of it, from 1; 0: it has none */
};

/* Tables of subjects are ended by a row without a name. */
size_t paper_subject_count(const struct paper_subject *subjects);

/* All subjects, or the one called `only`: pointers into the table, freed by the caller.
 * STATUS_NOT_FOUND and the nearest name where there is none. */
enum status paper_subjects_choose(const struct paper_subject *subjects, const char *only,
                                  const struct paper_subject ***chosen, size_t *count,
                                  struct diagnostics *diagnostics);

/* Calls job(argument, i) once for each i < count on `threads` threads (0: all), until one fails:
 * its status is returned. `options`: progress and cancel, or NULL. */
enum status paper_jobs_run(size_t count, int threads, const struct evaluate_options *options,
                           enum status (*job)(void *argument, size_t i), void *argument);

/* Where a model refuses a workload, that is a result; only these end a study. */
static inline bool paper_status_ends(enum status status)
{
    return status == STATUS_MEMORY || status == STATUS_CANCELLED;
}

/* The first message, or what the status says; NULL: no memory. */
char *paper_message(const struct diagnostics *diagnostics, enum status status);

/* The machine of that name with "PATH=VALUE PATH=VALUE" on top. It is not checked yet. */
enum status paper_machine(const char *name, const char *sets, struct machine *machine,
                          struct diagnostics *diagnostics);

/* STATUS_INVALID where the machine breaks a rule: a fault of the paper's table of settings. */
enum status paper_machine_check(const char *name, const char *sets, const struct machine *machine,
                                struct diagnostics *diagnostics);
