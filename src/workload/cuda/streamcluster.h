/* What a test of STREAMCLUSTER needs besides the stream. */
#pragma once

#include "workload/cuda/clustering.h"
#include "workload/cuda/program.h"

const struct clustering *streamcluster_clustering(const struct trace_source *source);

/* Where the work memory of a launch lies: a row of centers + 1 floats a point. */
uint64_t streamcluster_work(const struct trace_source *source, uint32_t launch);
