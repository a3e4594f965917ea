#include "explore/papers/paper_study.h"

#include <omp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "config/machine_file.h"
#include "schema/parameters.h"
#include "workload/workload.h"

struct jobs {
    const struct evaluate_options *options;
    pthread_mutex_t lock;
    size_t count, done;
    enum status status; /* the first failure */
};

static void finish_job(struct jobs *jobs, enum status status)
{
    pthread_mutex_lock(&jobs->lock);
    jobs->done++;
    if (!jobs->status)
        jobs->status = status;
    if (jobs->options && jobs->options->progress)
        jobs->options->progress(jobs->options->argument, (double)jobs->done / (double)jobs->count);
    pthread_mutex_unlock(&jobs->lock);
}

/* OpenMP loops cannot be left early, so the remaining jobs are skipped after a failure. */
static bool is_stopped(struct jobs *jobs)
{
    pthread_mutex_lock(&jobs->lock);
    bool stop = jobs->status != STATUS_OK;
    pthread_mutex_unlock(&jobs->lock);
    return stop;
}

enum status paper_jobs_run(size_t count, int threads, const struct evaluate_options *options,
                           enum status (*job)(void *argument, size_t i), void *argument)
{
    struct jobs jobs = {.options = options, .lock = PTHREAD_MUTEX_INITIALIZER, .count = count};
#pragma omp parallel for schedule(dynamic)                                                         \
    num_threads(threads > 0 ? threads : omp_get_max_threads())
    for (size_t i = 0; i < count; i++)
        if (!is_stopped(&jobs))
            finish_job(&jobs, job(argument, i));
    return jobs.status;
}

static const char *first_error(const struct diagnostics *found, enum status status)
{
    for (size_t i = 0; i < found->count; i++)
        if (found->items[i].severity == SEVERITY_ERROR && found->items[i].message)
            return found->items[i].message;
    return status_text(status);
}

enum status paper_job_end(enum status status, struct diagnostics *found, char **why)
{
    if (status && !paper_status_ends(status)) {
        *why = strdup(first_error(found, status));
        status = *why ? STATUS_OK : STATUS_MEMORY;
    }
    diagnostics_free(found);
    return status;
}

enum status paper_machine(const char *name, const char *sets, struct machine *machine,
                          struct diagnostics *diagnostics)
{
    enum status status = machine_load(name, NULL, machine, NULL, diagnostics);
    char *copy = strdup(sets), *rest = copy, *one;
    if (!copy)
        return STATUS_MEMORY;
    while (!status && (one = strsep(&rest, " ")))
        status = *one ? machine_set_text(machine, one, diagnostics) : STATUS_OK;
    free(copy);
    return status;
}

enum status paper_machine_check(const char *name, const char *sets, const struct machine *machine,
                                struct diagnostics *diagnostics)
{
    struct violation found[VIOLATION_MAX];
    if (!machine_check(machine, found))
        return STATUS_OK;
    return diagnostics_error(diagnostics, STATUS_INVALID, "%s %s: %s", name, sets,
                             found[0].message);
}

enum status paper_time(const struct machine *machine, const struct evaluate_options *options,
                       struct metrics *metrics, struct diagnostics *diagnostics, const char *format,
                       ...)
{
    enum { WORKLOAD_TEXT = 160 };
    char text[WORKLOAD_TEXT];
    struct trace_source *source;
    struct evaluate_options how = {.depth = DEPTH_TIMING,
                                   .threads = options ? options->threads : 0,
                                   .cancel = options ? options->cancel : NULL,
                                   .progress = options ? options->progress : NULL};
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    enum status status = workload_open(text, &source, diagnostics);
    if (status)
        return status;
    how.argument = source->name;
    status = evaluate(machine, source, &how, metrics, diagnostics);
    trace_source_free(source);
    return status;
}
