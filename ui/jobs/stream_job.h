/* Counts the statistics of every launch of a workload in the background (Trace view). It reads the
 * whole stream, which can take seconds to minutes; a new job cancels it between two blocks. */
#pragma once

#include "model/gpu/stream_stats.h"
#include "ui/jobs/worker.h"

struct stream_result {
    struct answer answer;
    char workload[256];
    struct trace_source *source;
    struct stream_stats total, *launches; /* `launches` has source->launch_count entries */
};

extern const struct job_kind stream_job;
/* NULL: no memory. */
struct stream_result *stream_result_new(const char *workload);
