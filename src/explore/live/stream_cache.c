#include "explore/live/stream_cache.h"

#include <string.h>

static bool is_free(const struct cached_stream *item)
{
    return !item->log && !item->mask && !item->streams;
}

static uint64_t item_bytes(const struct cached_stream *item)
{
    return (item->log ? request_log_bytes(item->log) : 0) +
           (item->mask ? miss_mask_bytes(item->mask) : 0) +
           (item->streams ? slice_streams_bytes(item->streams) : 0);
}

static void free_item(struct cached_stream *item)
{
    request_log_free(item->log);
    miss_mask_free(item->mask);
    slice_streams_free(item->streams);
    *item = (struct cached_stream){0};
}

uint64_t stream_cache_bytes(const struct stream_cache *kept)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < STREAM_CACHE_PLACES; i++)
        sum += item_bytes(&kept->items[i]);
    return sum;
}

/* Frees an item. If it is a log, first frees the masks and slice streams that refer to it. */
static void free_with_others(struct stream_cache *kept, struct cached_stream *gone)
{
    for (size_t i = 0; i < STREAM_CACHE_PLACES && gone->log; i++) {
        struct cached_stream *item = &kept->items[i];
        if ((item->mask && item->mask->stream == gone->log) ||
            (item->streams && item->streams->log == gone->log))
            free_item(item);
    }
    free_item(gone);
}

void stream_cache_forget(struct stream_cache *kept)
{
    for (size_t i = 0; i < STREAM_CACHE_PLACES; i++)
        free_item(&kept->items[i]);
}

void stream_cache_hold(struct stream_cache *kept)
{
    kept->since = kept->clock;
}

/* ---- finding ----------------------------------------------------------------------------------
 */

/* The log or the miss mask with this key, or NULL. */
static const struct cached_stream *stream_cache_find(struct stream_cache *kept,
                                                     const struct stage_key *key, bool mask)
{
    for (size_t i = 0; i < STREAM_CACHE_PLACES; i++) {
        struct cached_stream *item = &kept->items[i];
        bool fits = mask ? item->mask != NULL : item->log != NULL;
        if (fits && !memcmp(&item->key, key, sizeof *key)) {
            item->used = ++kept->clock;
            return item;
        }
    }
    return NULL;
}

const struct request_log *kept_log(struct stream_cache *kept, const struct stage_key *key)
{
    const struct cached_stream *found = stream_cache_find(kept, key, false);
    return found ? found->log : NULL;
}

const struct miss_mask *kept_mask(struct stream_cache *kept, const struct stage_key *key)
{
    const struct cached_stream *found = stream_cache_find(kept, key, true);
    return found ? found->mask : NULL;
}

const struct slice_streams *kept_slices(struct stream_cache *kept, const struct request_log *log,
                                        const struct cache_config *l2, bool placed)
{
    for (size_t i = 0; i < STREAM_CACHE_PLACES; i++) {
        struct cached_stream *item = &kept->items[i];
        if (item->streams && item->streams->log == log && slice_streams_serves(item->streams, l2) &&
            (item->streams->places || !placed)) {
            item->used = ++kept->clock;
            return item->streams;
        }
    }
    return NULL;
}

/* ---- keeping ----------------------------------------------------------------------------------
 */

/* The stream used least recently that is not held, or NULL. */
static struct cached_stream *oldest(struct stream_cache *kept)
{
    struct cached_stream *found = NULL;
    for (size_t i = 0; i < STREAM_CACHE_PLACES; i++) {
        struct cached_stream *item = &kept->items[i];
        if (!is_free(item) && item->used <= kept->since && (!found || item->used < found->used))
            found = item;
    }
    return found;
}

/* A free place with room for this many bytes. Frees old streams to make room; NULL if all that is
 * left is held. */
static struct cached_stream *free_place(struct stream_cache *kept, uint64_t bytes)
{
    for (;;) {
        struct cached_stream *place = NULL, *gone;
        for (size_t i = 0; i < STREAM_CACHE_PLACES; i++)
            if (is_free(&kept->items[i]))
                place = &kept->items[i];
        if (place && stream_cache_bytes(kept) + bytes <= kept->limit)
            return place;
        gone = oldest(kept);
        if (!gone)
            return NULL;
        free_with_others(kept, gone);
    }
}

/* Takes ownership of the item. Frees it and returns false if there is no room. */
static bool stream_cache_keep(struct stream_cache *kept, struct cached_stream item)
{
    struct cached_stream *place = is_free(&item) ? NULL : free_place(kept, item_bytes(&item));
    if (!place) {
        free_item(&item);
        return false;
    }
    item.used = ++kept->clock;
    *place = item;
    return true;
}

bool keep_log(struct stream_cache *kept, const struct stage_key *key, struct request_log *log)
{
    return stream_cache_keep(kept, (struct cached_stream){.key = *key, .log = log});
}

bool keep_mask(struct stream_cache *kept, const struct stage_key *key, struct miss_mask *mask)
{
    return stream_cache_keep(kept, (struct cached_stream){.key = *key, .mask = mask});
}

bool keep_slices(struct stream_cache *kept, struct slice_streams *streams)
{
    return stream_cache_keep(kept, (struct cached_stream){.streams = streams});
}
