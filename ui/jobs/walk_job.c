#include "ui/jobs/walk_job.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/pass/walk_steps.h"
#include "schema/parameters.h"
#include "workload/workload.h"

static enum status keep_walk(void *argument, const struct walk_step *step)
{
    struct walk_result *result = argument;
    result->pages[result->count] = step->page;
    result->sms[result->count++] = (uint16_t)step->sm;
    return STATUS_OK;
}

static void walk_run(void *answer, const atomic_bool *cancel)
{
    struct walk_result *result = answer;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct trace_source *source = NULL;
    enum status status = STATUS_OK;
    char why[VALUE_TEXT];
    if (!machine_has(&result->machine, STAGE_PWC))
        status = diagnostics_error(
            &diagnostics, STATUS_UNSUPPORTED, "this machine translates no addresses%s",
            parameter_idle(parameter_find("walker.count"), &result->machine, why) ? why : "");
    if (!status)
        status = workload_open(result->workload, &source, &diagnostics);
    if (!status)
        status = walk_steps(&result->machine, source, WALKS_MAX, keep_walk, result, cancel,
                            &result->whole, &diagnostics);
    trace_source_free(source);
    answer_end(&result->answer, status, &diagnostics);
}

const struct job_kind walk_job = {walk_run, free};

struct walk_result *walk_result_new(const char *workload, const struct machine *machine)
{
    struct walk_result *result = calloc(1, sizeof *result);
    if (!result)
        return NULL;
    snprintf(result->workload, sizeof result->workload, "%s", workload);
    result->machine = *machine;
    return result;
}
