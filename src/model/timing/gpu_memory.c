#include <string.h>

#include "model/cache/partition.h"
#include "model/timing/gpu_parts.h"

/* The memory's part of a span: the channels, which threads share, stop where replies may fill the
 * network. */

/* The first step, from `from` on, that is not before a core cycle. */
static uint32_t first_step_at(const struct gpu *gpu, uint64_t cycle, uint32_t from)
{
    const struct span *span = gpu->span;
    if (cycle > span->cycle + span->cycles) /* a span may end between two core cycles */
        return span->steps;
    const uint32_t core = cycle > span->cycle ? span->core_step[cycle - span->cycle - 1] + 1 : 0;
    return core > from ? core : from;
}

/* The flits that wait in front of a slice's router. A packet that is larger than all places goes
 * alone, and where all are of one flit, as many as enter one after the other do not wait. */
static void look_at_router(const struct gpu *gpu, struct slice *slice)
{
    const struct fly *fly = &gpu->replies.fly;
    const uint32_t most =
        packet_flits(gpu->replies.config, PACKET_HEADER + gpu->shared->part_bytes);
    slice->held = fly_waiting(fly, slice->number);
    slice->sure = slice->held ? 0 : most;
    if (most > 1 || fly_sure(fly, slice->number) <= slice->sure)
        return;
    slice->sure = fly_sure(fly, slice->number);
    if (slice->held)
        (void)limit_admits(&slice->places, slice->held); /* at most so many wait before each */
}

static void look_for_reply_room(const struct gpu *gpu, struct channel *channel)
{
    for (uint32_t i = 0; i < channel->slice_count; i++) {
        struct slice *slice = &channel->slices[i];
        if (gpu->replies.routed)
            look_at_router(gpu, slice);
        else
            slice->held = gpu->replies.input[slice->number].queue.count;
    }
    channel->room_step = channel->step;
    channel->starved = false;
}

static void begin_span(const struct gpu *gpu, struct channel *channel)
{
    for (uint32_t i = 0; i < channel->slice_count; i++) {
        struct slice *slice = &channel->slices[i];
        memcpy(slice->blocked_before, slice->blocked_cycles, sizeof slice->blocked_before);
        memset(slice->blocked_cycles, 0, sizeof slice->blocked_cycles);
    }
    channel->span_cycle = channel->step = 0;
    dram_begin_span(&channel->dram, channel->ticks);
    look_for_reply_room(gpu, channel);
}

/* Advances a channel to the end of the span, or to where the network may have no room for a reply.
 */
static void advance_channel(const struct gpu *gpu, struct channel *channel)
{
    enum { LOOK = 4 }; /* steps: what has something to do mostly has in the next ones, too */
    const struct span *span = gpu->span;
    uint32_t i = channel->step, look = i;
    for (; i < span->steps; i++) {
        const uint64_t due = i >= look ? channel_due(channel) : 0;
        look = i >= look && !due ? i + LOOK : look;
        if (span->step_cycle[i] < due) {
            const uint32_t to = first_step_at(gpu, due, i);
            channel_skip(channel, span->ticks_before[to] - span->ticks_before[i],
                         span->l2_before[to] - span->l2_before[i]);
            i = to;
            if (i >= span->steps)
                break;
        }
        if (span->edges[i] & EDGE_NETWORK && i != channel->room_step && channel_full(channel)) {
            channel->starved = true;
            break;
        }
        channel_step(channel, span->edges[i], i, span->step_cycle[i]);
    }
    channel->step = i;
}

/* What one thread does of the memory's part: a channel, or the requests of the span before. */
static void advance_part(void *context, uint32_t item)
{
    struct gpu *gpu = context;
    const uint32_t part = gpu->advanced[item];
    if (part < gpu->channel_count)
        advance_channel(gpu, &gpu->channels[part]);
    else
        gpu_carry_requests(gpu, gpu->cycle);
}

/* Carries replies to the first step in front of which channels wait for room, and lets those go on.
 * False if none waits. */
static bool resume_channels(struct gpu *gpu, uint32_t *count)
{
    uint32_t first = UINT32_MAX;
    for (uint32_t i = 0; i < gpu->channel_count; i++)
        if (gpu->channels[i].starved && gpu->channels[i].step < first)
            first = gpu->channels[i].step;
    if (first == UINT32_MAX)
        return false;
    gpu_carry_replies(gpu, first);
    *count = 0;
    for (uint32_t i = 0; i < gpu->channel_count; i++)
        if (gpu->channels[i].starved && gpu->channels[i].step == first) {
            look_for_reply_room(gpu, &gpu->channels[i]);
            gpu->advanced[(*count)++] = i;
        }
    return true;
}

/* What the halves of the L2 sent each other in the span is due behind its end (choose_span). */
static void carry_across(struct gpu *gpu)
{
    for (uint32_t s = 0; s < gpu->slice_count; s++) {
        struct slice *slice = slice_at(gpu, s);
        const uint32_t other = partition_twin(&gpu->machine->l2, s);
        struct slice *twin = slice_at(gpu, other);
        struct packet_pool *ours = &channel_of(gpu, s)->packets;
        struct packet_pool *theirs = &channel_of(gpu, other)->packets;
        if (!packet_queue_insert_all(ours, &slice->asked, theirs, &twin->crossed) ||
            !packet_queue_insert_all(ours, &slice->answered, theirs, &twin->fetched))
            gpu->status = STATUS_MEMORY;
    }
}

/* Requests of the span before come first, or at the same time where the channels do not see them
 * before the next span. */
void gpu_advance_memory(struct gpu *gpu)
{
    uint32_t count = 0;
    gpu_begin_replies(gpu);
    for (uint32_t i = 0; i < gpu->channel_count; i++)
        begin_span(gpu, &gpu->channels[i]);
    if (gpu_requests_come_later(gpu)) {
        gpu->advanced[count++] = gpu->channel_count;
    } else {
        gpu_carry_requests(gpu, gpu->cycle);
        gpu_take_requests(gpu);
    }
    for (uint32_t i = 0; i < gpu->channel_count; i++)
        gpu->advanced[count++] = i;
    do {
        team_run(&gpu->team, count, advance_part, gpu);
        for (uint32_t i = 0; i < gpu->channel_count && !gpu->status; i++)
            gpu->status = channel_status(&gpu->channels[i]);
    } while (!gpu->status && resume_channels(gpu, &count));
    gpu_take_requests(gpu);
    if (cache_in_halves(&gpu->machine->l2))
        carry_across(gpu);
    gpu_carry_replies(gpu, gpu->span->steps);
}
