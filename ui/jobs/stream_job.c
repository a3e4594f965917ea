#include "ui/jobs/stream_job.h"

#include <stdlib.h>
#include <string.h>

#include "model/evaluate.h"
#include "workload/workload.h"

/* A wrapper around a source that fails to open blocks once the job is cancelled, because
 * stream_stats itself cannot be cancelled. */
struct stoppable {
    struct trace_source source;
    const struct trace_source *original;
    const atomic_bool *cancel;
};

static enum status stream_open_block(const struct trace_source *source, uint32_t launch,
                                     uint64_t block, struct block_reader **reader,
                                     struct diagnostics *diagnostics)
{
    const struct stoppable *stoppable = (const struct stoppable *)source;
    if (atomic_load_explicit(stoppable->cancel, memory_order_relaxed))
        return STATUS_CANCELLED;
    return stoppable->original->ops->open_block(stoppable->original, launch, block, reader,
                                                diagnostics);
}

/* Evaluates the machine launch by launch. What the model refuses is shown by the Live pane. */
static enum status count_launches(struct stream_result *result, const atomic_bool *cancel)
{
    const struct evaluate_options options = {
        .depth = result->depth, .log = &result->log, .cancel = cancel};
    if (!depth_can(result->depth, DEPTH_LAUNCHES) || result->source->tiles)
        return STATUS_OK;
    result->log.by_launch = true;
    const enum status status =
        evaluate(&result->machine, result->source, &options, &result->whole, NULL);
    if (status)
        timing_log_free(&result->log);
    return status == STATUS_CANCELLED || status == STATUS_MEMORY ? status : STATUS_OK;
}

static void stream_run(void *answer, const atomic_bool *cancel)
{
    struct stream_result *result = answer;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = workload_open(result->workload, &result->source, &diagnostics);
    if (!status) {
        struct trace_source_ops ops = *result->source->ops;
        struct stoppable stoppable = {*result->source, result->source, cancel};
        ops.open_block = stream_open_block;
        stoppable.source.ops = &ops;
        result->launches = calloc(result->source->launch_count, sizeof *result->launches);
        status = result->launches ? stream_stats(&stoppable.source, &result->total,
                                                 result->launches, &diagnostics)
                                  : STATUS_MEMORY;
        if (!status)
            status = count_launches(result, cancel);
    }
    answer_end(&result->answer, status, &diagnostics);
}

static void stream_free(void *answer)
{
    struct stream_result *result = answer;
    trace_source_free(result->source);
    free(result->launches);
    timing_log_free(&result->log);
    free(result);
}

const struct job_kind stream_job = {stream_run, stream_free};

struct stream_result *stream_result_new(const char *workload, const struct machine *machine,
                                        enum depth depth)
{
    struct stream_result *result = calloc(1, sizeof *result);
    if (!result)
        return NULL;
    snprintf(result->workload, sizeof result->workload, "%s", workload);
    result->machine = *machine;
    result->depth = depth;
    return result;
}
