#include "ui/jobs/lane_job.h"

#include <stdio.h>
#include <stdlib.h>

#include "workload/simt/simt_source.h"

static enum status list_rows(struct lane_result *result)
{
    const uint32_t count = simt_places(&result->program->image);
    result->rows = calloc(count + 1, sizeof *result->rows);
    for (uint32_t i = 0; result->rows && i < count; i++)
        if (result->profile.pcs[i].issued)
            result->rows[result->count++] = i;
    return result->rows ? STATUS_OK : STATUS_MEMORY;
}

static void lane_run(void *answer, const atomic_bool *cancel)
{
    struct lane_result *result = answer;
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
    answer_end(&result->answer, status, &diagnostics);
}

static void lane_free(void *answer)
{
    struct lane_result *result = answer;
    simt_profile_free(&result->profile);
    trace_source_free(result->source);
    free(result->rows);
    free(result);
}

const struct job_kind lane_job = {lane_run, lane_free};

struct lane_result *lane_result_new(const char *workload)
{
    struct lane_result *result = calloc(1, sizeof *result);
    if (!result)
        return NULL;
    snprintf(result->workload, sizeof result->workload, "%s", workload);
    return result;
}
