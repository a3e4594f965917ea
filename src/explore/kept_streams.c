#include "explore/kept_streams.h"

#include <string.h>

static bool is_free(const struct kept_stream *item)
{
    return !item->tape && !item->passage && !item->deal;
}

static uint64_t item_bytes(const struct kept_stream *item)
{
    return (item->tape ? tape_bytes(item->tape) : 0) +
           (item->passage ? passage_bytes(item->passage) : 0) +
           (item->deal ? deal_bytes(item->deal) : 0);
}

static void free_item(struct kept_stream *item)
{
    tape_free(item->tape);
    passage_free(item->passage);
    deal_free(item->deal);
    *item = (struct kept_stream){0};
}

uint64_t kept_streams_bytes(const struct kept_streams *kept)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < KEPT_STREAMS; i++)
        sum += item_bytes(&kept->items[i]);
    return sum;
}

/* Frees an item, after those that point to its tape. */
static void free_with_others(struct kept_streams *kept, struct kept_stream *gone)
{
    for (size_t i = 0; i < KEPT_STREAMS && gone->tape; i++) {
        struct kept_stream *item = &kept->items[i];
        if ((item->passage && item->passage->stream == gone->tape) ||
            (item->deal && item->deal->tape == gone->tape))
            free_item(item);
    }
    free_item(gone);
}

void kept_streams_forget(struct kept_streams *kept)
{
    for (size_t i = 0; i < KEPT_STREAMS; i++)
        free_item(&kept->items[i]);
}

void kept_streams_hold(struct kept_streams *kept)
{
    kept->since = kept->clock;
}

/* ---- finding ----------------------------------------------------------------------------------
 */

/* The tape, or the passage, with this key; NULL: there is none. */
static const struct kept_stream *find(struct kept_streams *kept, const struct stage_key *key,
                                      bool passage)
{
    for (size_t i = 0; i < KEPT_STREAMS; i++) {
        struct kept_stream *item = &kept->items[i];
        bool fits = passage ? item->passage != NULL : item->tape != NULL;
        if (fits && !memcmp(&item->key, key, sizeof *key)) {
            item->used = ++kept->clock;
            return item;
        }
    }
    return NULL;
}

const struct tape *kept_tape(struct kept_streams *kept, const struct stage_key *key)
{
    const struct kept_stream *found = find(kept, key, false);
    return found ? found->tape : NULL;
}

const struct passage *kept_passage(struct kept_streams *kept, const struct stage_key *key)
{
    const struct kept_stream *found = find(kept, key, true);
    return found ? found->passage : NULL;
}

const struct deal *kept_deal(struct kept_streams *kept, const struct tape *tape,
                             const struct cache_config *l2, bool placed)
{
    for (size_t i = 0; i < KEPT_STREAMS; i++) {
        struct kept_stream *item = &kept->items[i];
        if (item->deal && item->deal->tape == tape && deal_serves(item->deal, l2) &&
            (item->deal->places || !placed)) {
            item->used = ++kept->clock;
            return item->deal;
        }
    }
    return NULL;
}

/* ---- keeping ----------------------------------------------------------------------------------
 */

/* What was used longest ago, unless it is held; NULL: nothing. */
static struct kept_stream *oldest(struct kept_streams *kept)
{
    struct kept_stream *found = NULL;
    for (size_t i = 0; i < KEPT_STREAMS; i++) {
        struct kept_stream *item = &kept->items[i];
        if (!is_free(item) && item->used <= kept->since && (!found || item->used < found->used))
            found = item;
    }
    return found;
}

/* A free place, with room for so many bytes; NULL: there is none. */
static struct kept_stream *free_place(struct kept_streams *kept, uint64_t bytes)
{
    for (;;) {
        struct kept_stream *place = NULL, *gone;
        for (size_t i = 0; i < KEPT_STREAMS; i++)
            if (is_free(&kept->items[i]))
                place = &kept->items[i];
        if (place && kept_streams_bytes(kept) + bytes <= kept->limit)
            return place;
        gone = oldest(kept);
        if (!gone)
            return NULL;
        free_with_others(kept, gone);
    }
}

static bool keep(struct kept_streams *kept, struct kept_stream item)
{
    struct kept_stream *place = is_free(&item) ? NULL : free_place(kept, item_bytes(&item));
    if (!place) {
        free_item(&item);
        return false;
    }
    item.used = ++kept->clock;
    *place = item;
    return true;
}

bool keep_tape(struct kept_streams *kept, const struct stage_key *key, struct tape *tape)
{
    return keep(kept, (struct kept_stream){.key = *key, .tape = tape});
}

bool keep_passage(struct kept_streams *kept, const struct stage_key *key, struct passage *passage)
{
    return keep(kept, (struct kept_stream){.key = *key, .passage = passage});
}

bool keep_deal(struct kept_streams *kept, struct deal *deal)
{
    return keep(kept, (struct kept_stream){.deal = deal});
}
