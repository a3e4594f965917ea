/* The stream buffer beyond an instruction cache at depth timing: a queue of the lines that follow
 * its last miss. It asks the next level for them one by one, and each is there when its reply has
 * come.
 *
 * Only the head of the queue is compared (N. Jouppi, ISCA 1990, section 4). A miss that finds its
 * line there takes it, and the queue asks for one line more: data that are there come in the next
 * cycle, for those on their way the miss waits. Any other miss makes the queue begin anew; replies
 * to what it had asked for find no place. R. Huerta et al. ("Dissecting and modeling the
 * architecture of modern GPU cores", MICRO 2025, sections 5.2 and 7.3) suspect such a buffer in the
 * GPUs that they measured: with 8 lines their model of an RTX A6000 errs least.
 *
 * Invariant: lines are asked for in the order in which they stand in `lines`, and those that misses
 * have taken come before the others. Cost: a search through `lines` for each reply. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arrays.h"
#include "base/status.h"

struct stream_line {
    uint64_t line;          /* its number */
    uint32_t number;        /* of the request for it */
    uint32_t entry;         /* the cache's MSHR that takes it */
    uint32_t missing, here; /* parts of it: not come; come, and not given to the cache */
};

struct stream_counts {
    uint64_t hits;       /* misses whose line was at the head */
    uint64_t prefetches; /* lines asked for */
};

struct stream_buffer {
    uint32_t depth; /* lines; 0: there is no buffer */
    uint32_t parts; /* replies to a request */
    uint64_t mask;  /* of the numbers of lines */
    struct stream_line *lines;
    uint32_t count, taken,
        asked;        /* lines; the first of them that misses took, that were asked for */
    uint32_t numbers; /* requests so far, modulo 2^31 */
    struct stream_counts counts;
    struct arrays arrays;
};

/* `entries`: MSHRs of the cache. `depth` may be 0. STATUS_MEMORY. */
enum status stream_buffer_init(struct stream_buffer *buffer, uint64_t depth, uint64_t entries,
                               uint32_t parts, uint64_t mask);
/* The buffer is a copy of the bytes of another one, and gets memory of its own (base/arrays.h). */
MUST_CHECK bool stream_buffer_copy(struct stream_buffer *buffer);
void stream_buffer_free(struct stream_buffer *buffer);

/* The cache missed a line, for which `entry` waits. False: the cache must ask for it itself. */
bool stream_buffer_miss(struct stream_buffer *buffer, uint64_t line, uint32_t entry);

/* The next line to ask for; NULL: there is none. */
static inline const struct stream_line *stream_buffer_next(const struct stream_buffer *buffer)
{
    return buffer->asked < buffer->count ? &buffer->lines[buffer->asked] : NULL;
}
/* It was asked for. */
void stream_buffer_asked(struct stream_buffer *buffer);

/* A part of the reply to a request came. */
void stream_buffer_arrived(struct stream_buffer *buffer, uint32_t number);

/* Gives the cache one part of a line that a miss took: *entry is whose. False: none is here. */
bool stream_buffer_give(struct stream_buffer *buffer, uint32_t *entry);
