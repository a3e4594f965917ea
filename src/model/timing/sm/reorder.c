#include "model/timing/sm/reorder.h"

enum status reorder_init(struct reorder *reorder, const struct bypass *bypass)
{
    if (!bypass->kind->queue)
        return STATUS_OK;
    const uint32_t count = (uint32_t)bypass->config->queues;
    arrays_add(&reorder->arrays, &reorder->queues, count, sizeof *reorder->queues);
    arrays_add(&reorder->arrays, &reorder->counts, count, sizeof *reorder->counts);
    reorder->entries = (uint32_t)bypass->config->queue_entries;
    if (reorder->arrays.failed)
        return STATUS_MEMORY;
    reorder->count = count;
    return STATUS_OK;
}

void reorder_free(struct reorder *reorder)
{
    packet_pool_free(&reorder->packets);
    arrays_free(&reorder->arrays);
    *reorder = (struct reorder){0};
}

bool reorder_copy(struct reorder *reorder)
{
    const bool packets = packet_pool_copy(&reorder->packets);
    return arrays_copy(&reorder->arrays) && packets;
}

bool reorder_push(struct reorder *reorder, struct bypass *bypass, const struct packet *request)
{
    const uint32_t queue = bypass->kind->queue(bypass, request->warp, request->pc);
    if (reorder->counts[queue] >= reorder->entries)
        return false;
    if (!packet_queue_push(&reorder->packets, &reorder->queues[queue], request)) {
        bypass->status = STATUS_MEMORY;
        return false;
    }
    reorder->counts[queue]++;
    reorder->total++;
    return true;
}

void reorder_pop(struct reorder *reorder, struct bypass *bypass, uint32_t queue)
{
    packet_queue_pop(&reorder->packets, &reorder->queues[queue]);
    reorder->counts[queue]--;
    reorder->total--;
    bypass->kind->drained(bypass, queue);
}
