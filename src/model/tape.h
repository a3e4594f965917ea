/* A stream of requests kept in memory, with the launches between them: what a level has sent to the
 * next one once can be simulated again without the levels before it. */
#pragma once

#include <stdbool.h>

#include "model/gpu/issue.h"

struct tape;

/* Keeps at most `limit` bytes; NULL: no memory. */
struct tape *tape_create(uint64_t limit);
void tape_free(struct tape *tape); /* NULL is allowed */

/* The launch must outlive the tape. Where there is no room the tape gives up and empties itself:
 * recording never fails, it is in vain. */
void tape_launch(struct tape *tape, const struct trace_launch *launch);
void tape_append(struct tape *tape, const struct request *requests, size_t count);

/* How many instructions were issued while it was recorded, with those that left nothing on it,
 * modulo 2^32; 0 where nobody has said. */
void tape_issued(struct tape *tape, uint32_t instructions);
uint32_t tape_instructions(const struct tape *tape);

/* False once it has given up. */
bool tape_whole(const struct tape *tape);
uint64_t tape_requests(const struct tape *tape);
uint64_t tape_bytes(const struct tape *tape);

/* Gives everything to the sink, in the batches that it came in; progress is called after each, with
 * no counts but `transactions`, those played so far. */
enum status tape_play(const struct tape *tape, const struct issue_sink *sink);

/* Where a pass keeps the streams of its first machine; NULL: not wanted. */
struct tapes {
    struct tape *stream; /* all requests */
    struct tape *misses; /* what the L1D sends to the L2 */
    struct tape *walks;  /* the TLB's misses, as look-ups of pages (model/lookups.h) */
};
