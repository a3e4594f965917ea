#include "ui/jobs/set_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/runs/set_report.h"
#include "workload/workload.h"

static enum status set_keep_step(void *argument, const struct set_step *step)
{
    struct set_result *result = argument;
    char why[SET_STEP_TEXT];
    if (result->count == SET_STEPS_MAX || result->kept.used > SET_STEPS_BYTES)
        return STATUS_CANCELLED;
    if (array_reserve(&result->steps, &result->capacity, result->count + 1))
        return STATUS_MEMORY;
    const struct kept_step *last = result->count ? &result->steps[result->count - 1] : NULL;
    struct kept_step kept = {
        .line = step->line,
        .left = step->left,
        .pc = step->request ? step->request->pc : 0,
        .op = step->request ? step->request->op : OP_COUNT,
        .way = step->way,
        .ways = step->ways,
        .hit = step->hit,
        .found = step->found,
        .stays = step->stays,
        .replaces = step->replaced,
        .result = set_step_result(step),
        .misses = (last ? last->misses : 0) + (step->request && !step->hit),
        .replaced = (last ? last->replaced : 0) + step->replaced,
    };
    set_step_explain(step, why, sizeof why);
    enum status status =
        kept_bytes_add(&result->kept, step->tags, step->ways * sizeof *step->tags, &kept.tags);
    if (!status)
        status = kept_bytes_add_text(&result->kept, why, &kept.why);
    if (!status)
        status = kept_bytes_add_text(&result->kept, step->state, &kept.state);
    if (!status)
        result->steps[result->count++] = kept;
    return status;
}

static void set_run(void *answer, const atomic_bool *cancel)
{
    struct set_result *result = answer;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct trace_source *source = NULL;
    uint64_t instances;
    enum status status = set_stream_check(&result->machine, &result->place, &diagnostics);
    if (!status) {
        result->config = set_stream_cache(&result->machine, result->place.stage, &instances);
        status = workload_open(result->workload, &source, &diagnostics);
    }
    if (!status)
        status = set_stream(&result->machine, source, &result->place, set_keep_step, result, cancel,
                            &result->whole, &diagnostics);
    trace_source_free(source);
    answer_end(&result->answer, status, &diagnostics);
}

static void set_free(void *answer)
{
    struct set_result *result = answer;
    free(result->steps);
    kept_bytes_free(&result->kept);
    free(result);
}

const struct job_kind set_job = {set_run, set_free};

struct set_result *set_result_new(const char *workload, const struct machine *machine,
                                  const struct set_place *place)
{
    struct set_result *result = calloc(1, sizeof *result);
    if (!result)
        return NULL;
    snprintf(result->workload, sizeof result->workload, "%s", workload);
    result->machine = *machine;
    result->place = *place;
    return result;
}

const uint64_t *set_result_tags(const struct set_result *result, size_t step)
{
    return kept_bytes_at(&result->kept, result->steps[step].tags);
}
