/* First in, first out: a ring of the valid ways in the order of their fills. Constant time, except
 * for a drop. */
#include <stdio.h>

#include "model/cache/cache_access.h"

struct ring {
    uint32_t head, count;
    uint32_t order[];
};

static size_t fifo_state_bytes(uint32_t ways)
{
    return sizeof(struct ring) + sizeof(uint32_t) * ways;
}

static uint32_t ring_place(const struct ring *ring, uint32_t ways, uint32_t distance)
{
    uint32_t place = ring->head + distance;
    return place < ways ? place : place - ways;
}

static void fifo_fill(const struct set_access *at, uint32_t way)
{
    struct ring *ring = at->state;
    ring->order[ring_place(ring, at->ways, ring->count)] = way;
    ring->count++;
}

/* Linear in the ways, which is fine: only a write-evict store drops a line. */
static void fifo_drop(const struct set_access *at, uint32_t way)
{
    struct ring *ring = at->state;
    const uint32_t ways = at->ways;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < ring->count; i++) {
        uint32_t other = ring->order[ring_place(ring, ways, i)];
        if (other != way)
            ring->order[ring_place(ring, ways, kept++)] = other;
    }
    ring->count = kept;
}

static uint32_t fifo_victim(const struct set_access *at)
{
    struct ring *ring = at->state;
    uint32_t way = ring->order[ring->head];
    ring->head = ring_place(ring, at->ways, 1);
    ring->count--;
    return way;
}

static const char *fifo_explain(const struct set_access *at, char *text, size_t size)
{
    (void)at;
    snprintf(text, size, "first in");
    return text;
}

/* The ring, the oldest first. */
static const char *fifo_print(const struct set_access *at, char *text, size_t size)
{
    const struct ring *ring = at->state;
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < ring->count && used + 8 < size; i++)
        used += (size_t)snprintf(text + used, size - used, i ? " %u" : "%u",
                                 ring->order[ring_place(ring, at->ways, i)]);
    return text;
}

VECTORS_INLINED static enum status run(struct cache *cache, const struct request *requests,
                                       size_t count, const uint32_t *lost, struct flow *flow)
{
    return access_run_policy(cache, requests, count, lost, flow, &policy_REPLACEMENT_FIFO,
                             TRAITS_REPLACEMENT_FIFO);
}

const struct replacement_policy policy_REPLACEMENT_FIFO = {
    .state_bytes = fifo_state_bytes,
    .fill = fifo_fill,
    .drop = fifo_drop,
    .victim = fifo_victim,
    .explain = fifo_explain,
    .print = fifo_print,
    .run = run,
};
