/* Walks through all records of a source and sums them up, to compare two sources of the same
 * stream. */
#pragma once

#include "trace/stream.h"

struct trace_totals {
    uint64_t records, lanes, instructions; /* `instructions` are records, gaps and tails */
    uint64_t hash;                         /* of everything that a consumer can see, in order */
};

/* Reads every warp of every block through windows of `capacity` records. STATUS_INVALID if the
 * source breaks its contract. */
enum status trace_walk(const struct trace_source *source, uint32_t capacity,
                       struct trace_totals *totals, struct diagnostics *diagnostics);
