/* Walks over all records of a source, for tests. */
#pragma once

#include "trace/stream.h"

struct trace_totals {
    uint64_t records, lanes, instructions; /* instructions: records, gaps and tails */
    uint64_t hash;                         /* of everything that a consumer can see, in order */
};

/* Reads every warp of every block through windows of `capacity` records. */
enum status trace_walk(const struct trace_source *source, uint32_t capacity,
                       struct trace_totals *totals, struct diagnostics *diagnostics);
