/* Counts the statistics of every launch of a workload in the background (Trace view). It reads the
 * whole stream, which can take seconds to minutes; a new job cancels it between two blocks. */
#pragma once

#include "model/gpu/stream_stats.h"
#include "ui/jobs/worker.h"

struct stream_result {
    char workload[256];
    enum status status;
    char message[240];
    struct trace_source *source;
    struct stream_stats total, *launches; /* `launches` has source->launch_count entries */
};

/* Starts the job. STATUS_MEMORY. */
enum status stream_job_start(struct worker *worker, const char *workload);
void stream_result_free(struct stream_result *result); /* NULL is allowed */
