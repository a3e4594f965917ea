#include "explore/papers/stride_study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "explore/papers/paper_study.h"
#include "explore/papers/row_words.h"

enum { WARPS = 32, LOADS = 64 };

const char *stride_type(const struct stride_row *row)
{
    return row->bytes == sizeof(double) ? "double" : "float";
}

enum status stride_study_init(struct stride_study *study, const char *only,
                              struct diagnostics *diagnostics)
{
    size_t all = 0;
    for (const struct stride_row *row = stride_rows; row->gpu; row++)
        all += row->count;
    *study = (struct stride_study){.results = calloc(all, sizeof *study->results)};
    if (!study->results)
        return STATUS_MEMORY;
    for (const struct stride_row *row = stride_rows; row->gpu; row++) {
        const char *const places[] = {row->gpu, row->machine, stride_type(row), row->source};
        if (!row_has_words(only, places, sizeof places / sizeof *places))
            continue;
        for (unsigned stride = 0; stride < row->count; stride++)
            study->results[study->count++] = (struct stride_result){row, stride, NAN};
    }
    if (study->count)
        return STATUS_OK;
    stride_study_free(study);
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                             "no row of strides has all the words of '%s'", only);
}

void stride_study_free(struct stride_study *study)
{
    free(study->results);
    *study = (struct stride_study){0};
}

static enum status run_loads(const struct machine *machine, const struct stride_result *result,
                             unsigned loads, const struct evaluate_options *options, double *cycles)
{
    struct metrics metrics;
    const enum status status =
        paper_time(machine, options, &metrics, NULL, "STRIDES:stride=%u,bytes=%u,loads=%u",
                   result->stride, result->row->bytes, loads);
    *cycles = status ? NAN : metrics.core_cycles;
    return status;
}

struct job {
    struct stride_study *study;
    const struct evaluate_options *options;
};

/* The first loads bring the lines; those of a longer run cost what an L1 that holds them needs. */
static enum status run_one(void *argument, size_t i)
{
    const struct job *job = argument;
    struct stride_result *result = &job->study->results[i];
    struct machine machine;
    double once = NAN, more = NAN;
    enum status status = paper_machine(result->row->machine, "gpu.sms=1", &machine, NULL);
    if (status)
        return status;
    machine.tlb.enabled = false; /* as in silicon_study.c */
    status = run_loads(&machine, result, LOADS, job->options, &once);
    if (!status)
        status = run_loads(&machine, result, 3 * LOADS, job->options, &more);
    if (!status)
        result->ours = (more - once) / (2 * LOADS * WARPS);
    return paper_status_ends(status) ? status : STATUS_OK;
}

enum status stride_study_run(struct stride_study *study, int threads,
                             const struct evaluate_options *options)
{
    struct job job = {study, options};
    return paper_jobs_run(study->count, threads, options, run_one, &job);
}
