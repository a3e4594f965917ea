#include "model/tile/tile_feed.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum status tile_feed_open(struct tile_feed *feed, const struct tile_stream *stream, bool values,
                           bool keeps, struct diagnostics *diagnostics)
{
    *feed = (struct tile_feed){.stream = stream, .keeps = keeps};
    feed->ends = calloc((size_t)stream->pass_count + 1, sizeof *feed->ends);
    enum status status = feed->ends ? STATUS_OK : STATUS_MEMORY;
    if (!status && values)
        status = array_reserve(&feed->values, &feed->values_capacity, TILE_BATCH);
    if (!status)
        status = stream->ops->open(stream, values, &feed->reader, diagnostics);
    if (status)
        tile_feed_close(feed);
    return status;
}

void tile_feed_close(struct tile_feed *feed)
{
    if (feed->reader)
        feed->stream->ops->close(feed->reader);
    free(feed->requests);
    free(feed->values);
    free(feed->ends);
    *feed = (struct tile_feed){0};
}

/* Moves what is needed to the front. */
static void feed_forget(struct tile_feed *feed, uint64_t from)
{
    const size_t gone = (size_t)(from - feed->first);
    feed->count -= gone;
    feed->first = from;
    if (!feed->count)
        return;
    memmove(feed->requests, feed->requests + gone, feed->count * sizeof *feed->requests);
    if (feed->values)
        memmove(feed->values, feed->values + gone, feed->count * sizeof *feed->values);
}

enum status tile_feed_read(struct tile_feed *feed, uint64_t from, struct diagnostics *diagnostics)
{
    if (!feed->keeps)
        feed_forget(feed, from);
    enum status status = array_reserve(&feed->requests, &feed->capacity, feed->count + TILE_BATCH);
    if (!status && feed->values)
        status = array_reserve(&feed->values, &feed->values_capacity, feed->count + TILE_BATCH);
    if (status)
        return status;
    struct tile_batch fresh = {.requests = feed->requests + feed->count,
                               .values = feed->values ? feed->values + feed->count : NULL,
                               .capacity = TILE_BATCH};
    status = feed->stream->ops->next(feed->reader, &fresh, diagnostics);
    if (status)
        return status;
    if (fresh.begins && feed->begun)
        feed->ends[feed->known++] = feed->first + feed->count;
    feed->begun = true;
    feed->count += fresh.count;
    feed->ended = fresh.end;
    if (fresh.end)
        feed->ends[feed->known++] = feed->first + feed->count;
    return STATUS_OK;
}
