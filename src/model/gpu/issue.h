/* The order of issue: a source's launches become one sequence of memory instructions.
 *
 * Blocks are dealt to SMs round robin (block b to SM b mod SMs); an SM holds as many as its
 * occupancy allows and starts its next one when one ends. In every round each resident warp of an
 * SM issues one instruction, in slot order (loose round robin with unit latency; the instructions
 * between two memory instructions, `gap`, take a round each). SMs advance in step, so that a shared
 * L2 sees them interleaved. Launches follow one another. Records of a space that no part of the
 * machine claims (schema/spaces.h) take their round and are counted, but make no requests for the
 * sink. Memory: a small window a resident warp. */
#pragma once

#include <stdatomic.h>

#include "model/gpu/request.h"
#include "schema/machine.h"
#include "trace/stream.h"

struct issue_counts {
    uint64_t warp_instructions, memory_instructions, thread_accesses, transactions;
    uint64_t spaces[SPACE_COUNT]; /* memory instructions of each */
    uint64_t blocks;              /* finished */
    /* Rounds between a warp's start and its end, summed over warps, and from the start of a launch
     * to the end of its last warp, summed over launches. */
    uint64_t warp_rounds, rounds;
};

struct issue_range { /* of the blocks of all launches in a row */
    uint64_t first, end;
};

/* What consumes the sequence. Requests come in batches; `launch` is called before the first
 * request of a launch and after the last one of the launch before. */
struct issue_sink {
    enum status (*launch)(void *argument, const struct trace_launch *launch);
    enum status (*requests)(void *argument, const struct request *requests, size_t count);
    /* After every batch: blocks finished so far. A status other than OK stops the issue. */
    enum status (*progress)(void *argument, const struct issue_counts *counts);
    void *argument;
    /* The blocks that are counted; the requests of all others have REQUEST_ASIDE, and of *counts
     * only `blocks` and rounds know of them. NULL: all. */
    const struct issue_range *counted;
};

/* Issues the whole source. Requests of one warp instruction are never split over batches. */
enum status issue_source(const struct machine *machine, const struct trace_source *source,
                         const struct issue_sink *sink, struct issue_counts *counts,
                         struct diagnostics *diagnostics);
