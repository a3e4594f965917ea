#include "model/timing/base/packet.h"

#include "base/arrays.h"

uint32_t packet_pool_put_more(struct packet_pool *pool, const struct packet *packet)
{
    const struct packet kept = *packet; /* it may be one of those that move */
    const uint32_t before = pool->count, count = before ? before * 2 : 16;
    struct packet *items = realloc(pool->items, count * sizeof *items);
    if (!items)
        return 0;
    for (uint32_t i = before; i < count; i++)
        items[i] = (struct packet){.next = i + 1 < count ? i + 1 : 0};
    pool->items = items;
    pool->count = count;
    pool->free = before ? before : 1;
    return packet_pool_put(pool, &kept);
}

bool packet_queue_insert(struct packet_pool *pool, struct packet_queue *queue,
                         const struct packet *packet)
{
    const uint64_t ready = packet->ready;
    if (!queue->count || packet_queue_tail(pool, queue)->ready <= ready)
        return packet_queue_push(pool, queue, packet);
    const uint32_t at = packet_pool_put(pool, packet);
    if (!at)
        return false;
    uint32_t *link = &queue->first;
    while (pool->items[*link].ready <= ready)
        link = &pool->items[*link].next;
    pool->items[at].next = *link;
    *link = at;
    queue->count++;
    return true;
}

bool packet_queue_insert_all(struct packet_pool *pool, struct packet_queue *from,
                             struct packet_pool *others, struct packet_queue *to)
{
    for (; from->count; packet_queue_pop(pool, from))
        if (!packet_queue_insert(others, to, packet_queue_head(pool, from)))
            return false;
    return true;
}

bool packet_pool_copy(struct packet_pool *pool)
{
    return array_copy(&pool->items, pool->count * sizeof *pool->items);
}
