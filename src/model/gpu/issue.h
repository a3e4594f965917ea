/* The order of issue: turns the launches of a source into one sequence of memory instructions and
 * their requests.
 *
 * Blocks are assigned to SMs round robin (block b to SM b mod SMs). An SM holds as many blocks as
 * its occupancy allows and starts the next one when one ends. In every round each resident warp of
 * an SM issues one instruction, in slot order (loose round robin with unit latency); the `gap`
 * instructions between two memory instructions take a round each, and so does the tail after the
 * last one, before the next block starts. SMs advance in lockstep, so that a shared L2 sees their
 * requests interleaved. Launches follow one another. Records of a space that no part of the machine
 * serves (schema/spaces.h) take their round and are counted, but send no requests to the sink.
 *
 * Where the sink takes fetches and the source knows its instructions, each instruction is a fetch
 * of its round, in the order of issue; the requests are the same, in the same order. Records that
 * are fetches themselves go to that sink, too.
 *
 * Memory: a window of 32 records per resident warp and one batch of requests. Time: each round in
 * which an SM issues scans the SM's resident warps. */
#pragma once

#include <stdatomic.h>

#include "model/gpu/record_counts.h"
#include "model/gpu/request.h"
#include "schema/machine.h"
#include "trace/stream.h"

struct issue_counts {
    struct record_counts records;
    uint64_t transactions;
    uint64_t past_l1; /* of the transactions, those of loads that go past the L1D by themselves */
    uint64_t blocks;  /* finished blocks */
    /* warp_rounds: rounds from the start to the end of a warp, summed over warps. rounds: from the
     * start of a launch to the end of its last warp, summed over launches. */
    uint64_t warp_rounds, rounds;
};

struct issue_range { /* block numbers, counted over all launches in order */
    uint64_t first, end;
};

/* The consumer of the sequence. Requests come in batches. `launch` is called before the first
 * request of a launch and after the last one of the previous launch. */
struct issue_sink {
    enum status (*launch)(void *argument, const struct trace_launch *launch);
    enum status (*requests)(void *argument, const struct request *requests, size_t count);
    /* Called after every batch with the counts so far. A status other than OK stops the issue. */
    enum status (*progress)(void *argument, const struct issue_counts *counts);
    void *argument;
    /* The blocks to count; NULL: all. Requests of other blocks have REQUEST_ASIDE and enter only
     * `blocks` and the rounds of *counts. */
    const struct issue_range *counted;
    /* The fetches of instructions since the last call, in order; NULL: nobody wants them. They have
     * no REQUEST_FIRST and address the pc of their instruction. */
    enum status (*fetches)(void *argument, const struct request *requests, size_t count);
    /* Where only lines matter, and repeats of a line only by their number: bytes of a line. Fetches
     * of an SM from one line, one after another, then are a single request (request_fetches). 0:
     * each is a request of its own. */
    uint64_t fetch_line;
};

/* Issues the whole source. The requests of one warp instruction are never split over two batches.
 * STATUS_INVALID: a launch does not fit an SM, or the source is broken; the diagnostics say which.
 */
enum status issue_source(const struct machine *machine, const struct trace_source *source,
                         const struct issue_sink *sink, struct issue_counts *counts,
                         struct diagnostics *diagnostics);
