#include "ui/census_job.h"

#include <stdlib.h>

static void run(void *argument, const atomic_bool *cancel)
{
    struct census_result *result = argument;
    struct space space;
    result->status = space_open(&result->study, &space, NULL);
    if (result->status)
        return;
    space.cancel = cancel;
    result->points = space.points;
    result->status = space_census(&space, &result->census, NULL);
}

void census_result_free(struct census_result *result)
{
    if (!result)
        return;
    census_free(&result->census);
    study_free(&result->study);
    free(result);
}

static void free_job(void *argument)
{
    census_result_free(argument);
}

enum status census_job_start(struct worker *worker, struct study *study, uint64_t asked)
{
    struct census_result *result = calloc(1, sizeof *result);
    if (!result) {
        study_free(study);
        return STATUS_MEMORY;
    }
    result->study = *study;
    result->asked = asked;
    worker_start(worker, (struct job){run, free_job, result});
    return STATUS_OK;
}
