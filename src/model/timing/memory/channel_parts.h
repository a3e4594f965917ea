/* What the sources of a channel share, and nobody else. */
#pragma once

#include "model/timing/memory/channel.h"

static inline bool channel_push(struct channel *channel, struct packet_queue *queue,
                                const struct packet *packet)
{
    const bool pushed = packet_queue_push(&channel->packets, queue, packet);
    if (!pushed)
        channel->status = STATUS_MEMORY;
    return pushed;
}

/* A packet has come to a queue of a slice, or left it. */
static inline void slice_came(const struct channel *channel, struct slice *slice,
                              enum slice_queue which, const struct packet_queue *queue)
{
    gauge_enter(&slice->gauges[which], channel->l2_cycles, queue->count);
}

static inline void slice_left(const struct channel *channel, struct slice *slice,
                              enum slice_queue which)
{
    gauge_leave(&slice->gauges[which], channel->l2_cycles);
}

/* What the slice sends to its DRAM, and to the network. */
static inline void slice_send_down(struct channel *channel, struct slice *slice,
                                   const struct packet *packet)
{
    channel_push(channel, &slice->to_dram, packet);
    slice_came(channel, slice, SLICE_TO_DRAM, &slice->to_dram);
}

static inline void slice_reply(struct channel *channel, struct slice *slice,
                               const struct packet *reply)
{
    channel_push(channel, &slice->outgoing, reply);
    slice_came(channel, slice, SLICE_OUT, &slice->outgoing);
}

/* A request was looked up: from when on the data port of its slice is free (channel_port.c). */
void slice_occupy_port(struct channel *channel, struct slice *slice, enum unit_outcome outcome,
                       const struct packet *request, const struct unit_effect *effect);
