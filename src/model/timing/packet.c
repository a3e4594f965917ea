#include "model/timing/packet.h"

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
