/* The requests of a stream of tiles as runs in time take them: read batch by batch, each as soon as
 * somebody needs it, and forgotten, or kept for runs that are not as far.
 *
 * Invariant: where the reader cuts its batches shows nowhere. Cost: that of the reader; 24 B a
 * request that is kept. */
#pragma once

#include "trace/tile_stream.h"

struct tile_feed { /* zero-initialized: closed */
    const struct tile_stream *stream;
    struct tile_reader *reader;
    bool keeps, begun, ended;
    struct tile_request *requests;
    uint32_t (*values)[TILE_VALUES]; /* NULL: not wanted */
    size_t count, capacity, values_capacity;
    uint64_t first; /* of these, its number in the stream */
    uint64_t *ends; /* [known] of each pass: the number of the first request after it */
    uint32_t known;
};

/* Only what is never forgotten (`keeps`) is there for several runs. What fails is what the stream
 * says, or STATUS_MEMORY; it leaves nothing to close. */
enum status tile_feed_open(struct tile_feed *feed, const struct tile_stream *stream, bool values,
                           bool keeps, struct diagnostics *diagnostics);
void tile_feed_close(struct tile_feed *feed);

/* Reads a further batch of a stream that has not ended. Nobody needs requests before `from`. */
enum status tile_feed_read(struct tile_feed *feed, uint64_t from, struct diagnostics *diagnostics);

/* Whether the end of a pass is known, which then is *end; else *end is that of what was read. */
static inline bool tile_feed_end(const struct tile_feed *feed, uint32_t pass, uint64_t *end)
{
    const bool known = pass < feed->known;
    *end = known ? feed->ends[pass] : feed->first + feed->count;
    return known;
}
