#include "ui/jobs/lane_job.h"

#include <stdio.h>
#include <stdlib.h>

#include "workload/simt/source.h"

static enum status list_rows(struct lane_result *result)
{
    const uint32_t count = simt_places(&result->program->image);
    result->rows = calloc(count + 1, sizeof *result->rows);
    for (uint32_t i = 0; result->rows && i < count; i++)
        if (result->profile.pcs[i].issued)
            result->rows[result->count++] = i;
    return result->rows ? STATUS_OK : STATUS_MEMORY;
}

static void run(void *argument, const atomic_bool *cancel)
{
    struct lane_result *result = argument;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = workload_open(result->workload, &result->source, &diagnostics);
    if (!status)
        result->program = simt_source_program(result->source);
    if (!status && !result->program)
        status = diagnostics_error(&diagnostics, STATUS_UNSUPPORTED,
                                   "%s is no program of the SIMT processor, whose lanes could be "
                                   "counted; :workload simt-sort is one",
                                   result->workload);
    if (!status)
        status = simt_profile_run(result->program, NULL, cancel, &result->profile, &diagnostics);
    if (!status)
        status = list_rows(result);
    result->status = status;
    if (status)
        snprintf(result->message, sizeof result->message, "%s",
                 diagnostics_first(&diagnostics, status));
    diagnostics_free(&diagnostics);
}

void lane_result_free(struct lane_result *result)
{
    if (!result)
        return;
    simt_profile_free(&result->profile);
    trace_source_free(result->source);
    free(result->rows);
    free(result);
}

static void free_job(void *argument)
{
    lane_result_free(argument);
}

enum status lane_job_start(struct worker *worker, const char *workload)
{
    struct lane_result *result = calloc(1, sizeof *result);
    if (!result)
        return STATUS_MEMORY;
    snprintf(result->workload, sizeof result->workload, "%s", workload);
    worker_start(worker, (struct job){run, free_job, result});
    return STATUS_OK;
}
