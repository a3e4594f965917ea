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

static void run(void *argument, const atomic_bool *cancel)
{
    struct walk_result *result = argument;
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
    result->status = status;
    if (status)
        snprintf(result->message, sizeof result->message, "%s",
                 diagnostics_first(&diagnostics, status));
    trace_source_free(source);
    diagnostics_free(&diagnostics);
}

enum status walk_job_start(struct worker *worker, const char *workload,
                           const struct machine *machine)
{
    struct walk_result *result = calloc(1, sizeof *result);
    if (!result)
        return STATUS_MEMORY;
    snprintf(result->workload, sizeof result->workload, "%s", workload);
    result->machine = *machine;
    worker_start(worker, (struct job){run, free, result});
    return STATUS_OK;
}
