#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/timing/gpu_parts.h"

/* What happens in a run, for whoever watches it (base/timing_events.h). */

/* The run's, one of each SM and channel, and the walkers'. */
static size_t log_count(const struct gpu *gpu)
{
    return 2 + (size_t)gpu->sm_count + gpu->channel_count;
}

/* A copy has the pointers of its original until this. */
enum status gpu_watch(struct gpu *gpu)
{
    const size_t parts = log_count(gpu);
    gpu->happened_capacity = 0;
    if (gpu->options->events && !(gpu->logs = calloc(parts, sizeof *gpu->logs)))
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < gpu->sm_count; i++) {
        struct sm *sm = &gpu->sms[i];
        sm->events = gpu->logs ? &gpu->logs[1 + i] : NULL;
        cache_unit_watch(&sm->load_store.l1d, i, EVENT_l1d_hit, &sm->now, sm->events);
    }
    for (uint32_t i = 0; i < gpu->channel_count; i++)
        channel_watch(&gpu->channels[i], i, gpu->logs ? &gpu->logs[1 + gpu->sm_count + i] : NULL);
    gpu->mmu.events = gpu->logs ? &gpu->logs[parts - 1] : NULL;
    return STATUS_OK;
}

void gpu_free_events(struct gpu *gpu)
{
    const size_t parts = log_count(gpu);
    for (size_t i = 0; gpu->logs && i < parts; i++)
        free(gpu->logs[i].items);
    free(gpu->logs);
    free(gpu->happened);
}

void gpu_tell_launch(const struct gpu *gpu, enum event_kind kind, uint64_t cycle)
{
    const struct timing_event event = {.cycle = cycle,
                                       .address = gpu->launch,
                                       .slot = NO_SLOT,
                                       .kind = (uint8_t)kind,
                                       .detail = EVENT_NO_DETAIL};
    event_log_put(&gpu->logs[0], &event);
}

/* The cycle of an event within a span; what begins with the cycle after it comes last. */
static size_t cycle_within(const struct span *span, const struct timing_event *event)
{
    const uint64_t at = event->cycle > span->cycle ? event->cycle - span->cycle : 0;
    return at < span->cycles ? at : span->cycles;
}

/* Sorts by cycle and keeps the order of those of one cycle: how many come before each cycle of the
 * span, and then each to its place. */
void gpu_hand_events(struct gpu *gpu)
{
    const struct span *span = gpu->span;
    const size_t parts = log_count(gpu);
    size_t starts[SPAN_MAX + 2] = {0}, count = 0;
    for (size_t i = 0; i < parts; i++) {
        const struct event_log *log = &gpu->logs[i];
        for (size_t k = 0; k < log->count; k++)
            starts[cycle_within(span, &log->items[k]) + 1]++;
        count += log->count;
        if (log->failed)
            gpu->status = STATUS_MEMORY;
    }
    if (!count || gpu->status)
        return;
    if (array_reserve(&gpu->happened, &gpu->happened_capacity, count)) {
        gpu->status = STATUS_MEMORY;
        return;
    }
    for (size_t i = 1; i <= span->cycles; i++)
        starts[i] += starts[i - 1];
    for (size_t i = 0; i < parts; i++) {
        struct event_log *log = &gpu->logs[i];
        for (size_t k = 0; k < log->count; k++)
            gpu->happened[starts[cycle_within(span, &log->items[k])]++] = log->items[k];
        log->count = 0;
    }
    gpu->options->events->put(gpu->options->events->context, gpu->happened, count);
}
