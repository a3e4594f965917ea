#include "ui/jobs/stream_job.h"

#include <stdlib.h>
#include <string.h>

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
    }
    answer_end(&result->answer, status, &diagnostics);
}

static void stream_free(void *answer)
{
    struct stream_result *result = answer;
    trace_source_free(result->source);
    free(result->launches);
    free(result);
}

const struct job_kind stream_job = {stream_run, stream_free};

struct stream_result *stream_result_new(const char *workload)
{
    struct stream_result *result = calloc(1, sizeof *result);
    if (!result)
        return NULL;
    snprintf(result->workload, sizeof result->workload, "%s", workload);
    return result;
}
