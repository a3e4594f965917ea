/* Walks through all instructions of a source beside its records, and checks that they agree:
 * trace/instructions.h. */
#pragma once

#include "trace/stream.h"

struct issue_totals {
    uint64_t instructions, records, banks;
    uint64_t classes[CLASS_COUNT];
    uint64_t hash; /* of what the instructions are, in order; not of their numbers in the code */
};

/* Reads every warp through windows of `capacity` instructions. A warp issues `beyond` instructions
 * more than its gaps and its tail say, unless it issues none. STATUS_INVALID if the source breaks
 * its contract. */
enum status issue_walk(const struct trace_source *source, uint32_t capacity, unsigned beyond,
                       struct issue_totals *totals, struct diagnostics *diagnostics);
