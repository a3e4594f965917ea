/* The launches of a workload and their statistics, counted in the background (trace screen). */
#pragma once

#include "model/gpu/stream_stats.h"
#include "ui/worker.h"

struct stream_result {
    char workload[256];
    enum status status;
    char message[240];
    struct trace_source *source;
    struct stream_stats total, *launches; /* source->launch_count */
};

enum status stream_job_start(struct worker *worker, const char *workload);
void stream_result_free(struct stream_result *result); /* NULL is allowed */
