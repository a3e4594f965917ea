/* What the reproductions of papers have in common: machines by settings, and a loop that runs many
 * independent jobs on threads. Jobs share nothing, so results do not depend on the number of
 * threads. */
#pragma once

#include "model/evaluate.h"

/* Calls job(argument, i) once for each i < count on `threads` threads (0: all). The first failure
 * stops the run and is returned. Of `options` (may be NULL) uses progress and cancel. */
enum status paper_jobs_run(size_t count, int threads, const struct evaluate_options *options,
                           enum status (*job)(void *argument, size_t i), void *argument);

/* A model that refuses a workload is a result of the study; only these statuses end it. */
static inline bool paper_status_ends(enum status status)
{
    return status == STATUS_MEMORY || status == STATUS_CANCELLED;
}

/* The end of a job that had this status and found this, which is freed. Of a model that refused,
 * *why becomes the first error, or what the status means; the caller frees it. Returns what the job
 * returns. */
enum status paper_job_end(enum status status, struct diagnostics *found, char **why);

/* What a workload ("NAME:PARAMETER=VALUE,...", in the manner of printf) does on a machine at depth
 * timing. Of `options` (may be NULL) uses threads, cancel, and progress with the name of the
 * workload as its argument. Fails as workload_open and evaluate do. */
__attribute__((format(printf, 5, 6))) enum status
paper_time(const struct machine *machine, const struct evaluate_options *options,
           struct metrics *metrics, struct diagnostics *diagnostics, const char *format, ...);

/* The named machine with the settings "PATH=VALUE PATH=VALUE" applied. Does not check its rules. */
enum status paper_machine(const char *name, const char *sets, struct machine *machine,
                          struct diagnostics *diagnostics);

/* STATUS_INVALID if the machine breaks a rule, which means that a table of settings is wrong. */
enum status paper_machine_check(const char *name, const char *sets, const struct machine *machine,
                                struct diagnostics *diagnostics);
