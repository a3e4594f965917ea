#include "model/timing/memory/channel_parts.h"

/* What a request takes of the data port of a slice. */

/* A sector has one error-correcting code: to write a part of it, as atomics do, is to read it first
 * and to merge. */
static bool writes_part(const struct packet *request)
{
    return request->kind == PACKET_ATOMIC ||
           (request->kind == PACKET_WRITE && request->touched != UINT32_MAX);
}

/* Cycles of the unit that performs atomics. It keeps the sector that it works on, so the next
 * atomic on the same word waits for its adder alone. It is as wide as the widest atomics of 64 bit,
 * and pipelined: what else of a request it has to change follows by one cycle each. */
static uint64_t atomic_cycles(const struct cache_config *l2, const struct packet *request)
{
    enum { WIDTH = 8, PARTS = 32 };
    const bool floating = request->flags & PACKET_FLOAT && l2->atomic_float;
    const uint64_t bytes = (uint64_t)__builtin_popcount(request->touched) * request->bytes / PARTS;
    return (floating ? l2->atomic_float : l2->atomic) + (bytes > WIDTH ? (bytes - 1) / WIDTH : 0);
}

void slice_occupy_port(struct channel *channel, struct slice *slice, enum unit_outcome outcome,
                       const struct packet *request, const struct unit_effect *effect)
{
    const struct cache_config *l2 = &channel->machine->l2;
    const uint64_t port = l2->port;
    if (!port)
        return;
    const bool atomic = request->kind == PACKET_ATOMIC && l2->atomic;
    /* In GPGPU-Sim what a store evicts is read out, and what a read evicts costs the port nothing.
     */
    const bool store = request->kind == PACKET_WRITE || request->kind == PACKET_WRITEBACK;
    const bool reads_out = store || l2->evict_port;
    uint64_t cycles = outcome != UNIT_HIT ? (reads_out ? effect->evicted / port : 0)
                      : atomic            ? 0
                                          : (request->bytes + port - 1) / port;
    if (atomic)
        cycles += atomic_cycles(l2, request);
    else if (writes_part(request))
        cycles += l2->partial;
    /* The L2's own cycle, which comes before this, gives one cycle of the port back. */
    slice->port_free = channel->l2_cycles + cycles;
    channel->counts.port_cycles += cycles;
}
