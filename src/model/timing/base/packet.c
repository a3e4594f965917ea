#include "model/timing/base/packet.h"

bool packet_queue_grow(struct packet_queue *queue)
{
    uint32_t capacity = queue->capacity ? queue->capacity * 2 : 16;
    struct packet *items = malloc(capacity * sizeof *items);
    if (!items)
        return false;
    for (uint32_t i = 0; i < queue->count; i++)
        items[i] = *packet_queue_at(queue, i);
    free(queue->items);
    queue->items = items;
    queue->first = 0;
    queue->capacity = capacity;
    return true;
}

bool packet_queue_insert(struct packet_queue *queue, const struct packet *packet)
{
    if (!packet_queue_push(queue, packet))
        return false;
    uint32_t at = queue->count - 1;
    for (; at && packet_queue_at(queue, at - 1)->ready > packet->ready; at--)
        *packet_queue_at(queue, at) = *packet_queue_at(queue, at - 1);
    *packet_queue_at(queue, at) = *packet;
    return true;
}

bool packet_queue_insert_all(struct packet_queue *from, struct packet_queue *to)
{
    for (; from->count; packet_queue_pop(from))
        if (!packet_queue_insert(to, packet_queue_head(from)))
            return false;
    return true;
}
