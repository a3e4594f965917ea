/* Counts the statistics of every launch of a workload, and what a machine's caches count for it, in
 * the background (Trace view). It reads the whole stream, which can take seconds to minutes; a new
 * job cancels it between two blocks. */
#pragma once

#include "model/gpu/stream_stats.h"
#include "model/timing/base/timing_log.h"
#include "ui/jobs/worker.h"

struct stream_result {
    struct answer answer;
    char workload[256];
    struct machine machine;
    enum depth depth;
    struct trace_source *source;
    struct stream_stats total, *launches; /* `launches` has source->launch_count entries */
    /* Of the machine; no launches where the depth does not count them alone, or refuses them. */
    struct metrics whole;
    struct timing_log log;
};

extern const struct job_kind stream_job;
/* NULL: no memory. */
struct stream_result *stream_result_new(const char *workload, const struct machine *machine,
                                        enum depth depth);
