#include "model/timing/memory/channel.h"

#include "model/cache/partition.h"
#include "model/timing/base/clocks.h"
#include "model/timing/cache/cache_classes.h"
#include "model/timing/memory/channel_parts.h"
#include "model/timing/network/network.h"

/* A channel with ideals has a loop of its own, whose parts are those of all others. */
#define TEMPLATE static inline __attribute__((always_inline))

enum { SPLIT_PARTS = 4 };

/* ---- step 2: replies to the network ---- */

/* What the next reply of a slice takes of the places in front of the network. */
static uint32_t reply_size(const struct channel *channel, const struct slice *slice)
{
    const struct network_config *network = &channel->machine->network;
    return network_traits[network->kind] & NETWORK_ROUTER
               ? packet_flits(network, packet_reply_bytes(
                                           packet_queue_head(&channel->packets, &slice->outgoing)))
               : 1;
}

TEMPLATE void send_replies(struct channel *channel, uint64_t step, uint64_t cycle)
{
    for (uint32_t i = 0; i < channel->slice_count; i++) {
        struct slice *slice = &channel->slices[i];
        if (!slice->outgoing.count)
            continue;
        const uint32_t size = reply_size(channel, slice);
        if (slice->held + size > slice->sure &&
            !limit_admits(&slice->places, slice->held + size - 1)) {
            channel->counts.reply_stalls++;
            continue;
        }
        struct packet *reply = packet_queue_head(&channel->packets, &slice->outgoing);
        reply->ready = step;
        reply->l2 = (uint32_t)cycle - reply->l2 - reply->dram;
        reply->slice = (uint16_t)slice->number;
        slice->held += size;
        packet_queue_move(&channel->packets, &slice->outgoing, &slice->replies);
        slice_left(channel, slice, SLICE_OUT);
    }
}

/* ---- step 3: DRAM ---- */

/* Only where has_credit. */
static void take_credit(struct channel *channel, struct slice *slice)
{
    if (slice->private_credits)
        channel->shared_credits++;
    else
        slice->private_credits = 1;
}

static void return_credit(struct channel *channel, struct slice *slice)
{
    if (slice->private_credits)
        slice->private_credits = 0;
    else
        channel->shared_credits--;
}

static bool has_credit(struct channel *channel, const struct slice *slice)
{
    const uint32_t others = channel->slice_count - 1;
    return !slice->private_credits ||
           limit_admits(&channel->credits, channel->shared_credits + others);
}

static struct slice *slice_of(struct channel *channel, const struct packet *packet)
{
    return &channel->slices[packet->slice % channel->slice_count];
}

/* A request that the DRAM served goes to its slice. False if that has no room. */
static bool return_data(struct channel *channel, const struct packet *packet)
{
    struct slice *slice = slice_of(channel, packet);
    if (!limit_admits(&channel->queue, slice->from_dram.count))
        return false;
    channel_push(channel, &slice->from_dram, packet);
    slice_came(channel, slice, SLICE_FROM_DRAM, &slice->from_dram);
    return_credit(channel, slice);
    return true;
}

/* One slice hands a request on in a tick, by turns (GPGPU-Sim's memory_partition_unit::dram_cycle).
 * Credits keep a slice with many misses from taking all places of the DRAM's queue. */
static void accept_requests(struct channel *channel, uint64_t cycle)
{
    uint32_t at = channel->last_served;
    for (uint32_t i = 0; i < channel->slice_count; i++) {
        at = at + 1 < channel->slice_count ? at + 1 : 0;
        struct slice *slice = &channel->slices[at];
        if (!slice->to_dram.count || !has_credit(channel, slice) ||
            !limit_admits(&channel->queue, slice->from_dram.count))
            continue;
        struct packet *packet = packet_queue_head(&channel->packets, &slice->to_dram);
        if (!dram_has_room(&channel->dram, packet_writes(packet)))
            return;
        packet->ready = cycle + channel->latency;
        packet_queue_move(&channel->packets, &slice->to_dram, &channel->line);
        slice_left(channel, slice, SLICE_TO_DRAM);
        take_credit(channel, slice);
        channel->last_served = at;
        return;
    }
}

TEMPLATE void dram_step(struct channel *channel, uint64_t cycle)
{
    struct dram *dram = &channel->dram;
    if (dram->return_count && return_data(channel, dram_returned(dram)))
        dram_take(dram, channel->ticks);
    const int written = dram_tick(dram, channel->ticks);
    if (written >= 0)
        return_credit(channel, &channel->slices[(uint32_t)written % channel->slice_count]);
    accept_requests(channel, cycle);
    if (packet_queue_due(&channel->packets, &channel->line, cycle) &&
        dram_has_room(dram, packet_writes(packet_queue_head(&channel->packets, &channel->line)))) {
        const struct packet *packet = packet_queue_head(&channel->packets, &channel->line);
        struct dram_place place = address_map_dram(channel->map, packet->address);
        place.row = channel->open_rows ? 0 : place.row;
        if (!dram_put(dram, packet, place, channel->ticks))
            channel->status = STATUS_MEMORY;
        if (dram->events)
            dram_tell(dram, EVENT_dram_request, packet, place.bank, packet->bytes);
        packet_queue_pop(&channel->packets, &channel->line);
    }
}

/* The oldest request of a DRAM of fixed latency leaves, told as a burst of it. Its packet is looked
 * up here, since answering it may have moved all packets. */
static void fixed_dram_pop(struct channel *channel)
{
    if (channel->dram.events) {
        const struct packet *packet = packet_queue_head(&channel->packets, &channel->line);
        dram_tell(&channel->dram,
                  packet->kind == PACKET_WRITEBACK ? EVENT_dram_write : EVENT_dram_read, packet, 0,
                  packet->bytes);
    }
    packet_queue_pop(&channel->packets, &channel->line);
}

/* dram.fixed: what is due is done. */
TEMPLATE void fixed_dram_step(struct channel *channel, uint64_t cycle)
{
    if (packet_queue_due(&channel->packets, &channel->line, cycle)) {
        const struct packet *packet = packet_queue_head(&channel->packets, &channel->line);
        if (packet->kind == PACKET_WRITEBACK) {
            return_credit(channel, slice_of(channel, packet));
            fixed_dram_pop(channel);
        } else if (return_data(channel, packet)) {
            fixed_dram_pop(channel);
        }
    }
    accept_requests(channel, cycle);
}

/* IDEAL_DRAM_BANDWIDTH: any number at once, each as long as a read of a closed row on an idle
 * channel. */
static void endless_dram_step(struct channel *channel, uint64_t cycle)
{
    while (packet_queue_due(&channel->packets, &channel->line, cycle)) {
        const struct packet *packet = packet_queue_head(&channel->packets, &channel->line);
        struct slice *slice = slice_of(channel, packet);
        if (packet->kind != PACKET_WRITEBACK &&
            !limit_admits(&channel->queue, slice->from_dram.count))
            break;
        const bool write = packet_writes(packet);
        const uint64_t bursts = (packet->bytes - 1u) / channel->dram.burst + 1;
        *(write ? &channel->dram.counts.writes : &channel->dram.counts.reads) += bursts;
        if (packet->kind == PACKET_WRITEBACK) {
            packet_queue_pop(&channel->packets, &channel->line);
            continue;
        }
        packet_queue_move(&channel->packets, &channel->line, &slice->from_dram);
        slice_came(channel, slice, SLICE_FROM_DRAM, &slice->from_dram);
    }
    for (uint32_t i = 0; i < channel->slice_count; i++)
        for (struct slice *slice = &channel->slices[i]; slice->to_dram.count;) {
            packet_queue_head(&channel->packets, &slice->to_dram)->ready =
                cycle + channel->closed_row;
            packet_queue_move(&channel->packets, &slice->to_dram, &channel->line);
            slice_left(channel, slice, SLICE_TO_DRAM);
        }
}

/* ---- step 4: the L2 ---- */

/* Whether a line's home is in the other half. (It need not be the twin: what is wider than the
 * interleave goes as a whole to the slice of its first byte.) */
static bool is_far(const struct channel *channel, const struct slice *slice, uint64_t address)
{
    const struct address_map *map = channel->map;
    const uint32_t half = map->slices / 2;
    return map->halves && address_map_slice(map, address) / half != slice->number / half;
}

/* Sends a reply to the SM, or to the twin if that asked. */
static void answer(struct channel *channel, struct slice *slice, const struct packet *reply,
                   uint64_t cycle)
{
    if (!(reply->flags & PACKET_CROSSED)) {
        slice_reply(channel, slice, reply);
        return;
    }
    struct packet over = *reply;
    over.ready = cycle + channel->machine->l2.crossing;
    channel_push(channel, &slice->answered, &over);
}

/* An MSHR's request that has its data becomes a reply. False: there is none, or no room. */
TEMPLATE bool reply_ready(struct channel *channel, struct slice *slice, uint64_t cycle)
{
    if (!cache_unit_has_ready(&slice->cache) ||
        !limit_admits(&channel->queue, slice->outgoing.count))
        return false;
    const struct mshr_target target = cache_unit_take(&slice->cache, channel->l2_cycles);
    if (target.flags & PACKET_ALLOCATE || target.kind == PACKET_WRITEBACK)
        return true;
    const struct packet reply = {.address = target.address,
                                 .issued = target.issued,
                                 .id = target.id,
                                 .pc = target.pc,
                                 .bytes = target.bytes,
                                 .sm = target.sm,
                                 .kind = target.kind,
                                 .flags = target.flags,
                                 .l2 = target.l2,
                                 .dram = is_far(channel, slice, target.address) ? target.dram
                                                                                : target.waited};
    answer(channel, slice, &reply, cycle);
    return true;
}

/* What brings data next, or NULL. */
TEMPLATE struct packet_queue *data_source(const struct channel *channel, struct slice *slice,
                                          uint64_t cycle)
{
    if (slice->from_dram.count)
        return &slice->from_dram;
    return packet_queue_due(&channel->packets, &slice->fetched, cycle) ? &slice->fetched : NULL;
}

/* Data that came go where they belong: to the cache, or, of what it keeps nothing, straight to the
 * network. Without room they wait, and all after them. False: nothing came, or it waits. */
TEMPLATE bool fill(struct channel *channel, struct slice *slice, uint64_t cycle)
{
    struct packet_queue *source = data_source(channel, slice, cycle);
    if (!source)
        return false;
    const struct packet *data = packet_queue_head(&channel->packets, source);
    /* Stores and atomics that came this far are those that the L2 passed on. */
    const bool filled = data->kind != PACKET_WRITE && data->kind != PACKET_ATOMIC;
    if (source == &slice->from_dram && data->flags & PACKET_UNKEPT) {
        answer(channel, slice, data, cycle);
    } else if (channel->machine->l2.enabled && filled) {
        const uint64_t port = channel->machine->l2.port;
        if (slice->fill_free > channel->l2_cycles)
            return false;
        cache_unit_fill(&slice->cache, data, channel->l2_cycles);
        if (port)
            slice->fill_free = channel->l2_cycles + slice->cache.block_bytes / port;
    } else {
        if (!limit_admits(&channel->queue, slice->outgoing.count))
            return false;
        slice_reply(channel, slice, data);
    }
    if (source == &slice->from_dram)
        slice_left(channel, slice, SLICE_FROM_DRAM);
    packet_queue_pop(&channel->packets, source);
    return true;
}

/* False: there is no miss to send, or no room for it. */
TEMPLATE bool send_miss(struct channel *channel, struct slice *slice, uint64_t cycle)
{
    if (!slice->cache.misses.count || !limit_admits(&channel->queue, slice->to_dram.count))
        return false;
    struct packet packet = *packet_queue_head(&slice->cache.packets, &slice->cache.misses);
    packet.slice = (uint16_t)slice->number;
    if (is_far(channel, slice, packet.address)) {
        packet.flags |= PACKET_CROSSED;
        packet.ready = cycle + channel->machine->l2.crossing;
        channel_push(channel, &slice->asked, &packet);
    } else {
        slice_send_down(channel, slice, &packet);
    }
    cache_unit_sent(&slice->cache, channel->l2_cycles);
    return true;
}

/* A read that goes on to the other half counts there, as an access and with what it misses. */
TEMPLATE void uncount(struct channel *channel, struct slice *slice, enum unit_outcome outcome,
                      const struct packet *request)
{
    struct cache_unit_counts *counts = &slice->cache.counts;
    if (!unit_missed(outcome) || !is_far(channel, slice, request->address))
        return;
    counts->reads[outcome]--;
    counts->bytes -= request->bytes;
    counts->read_bytes -= slice->cache.block_bytes;
    counts->classes[slice->cache.last_class] -= slice->cache.shadow ? 1 : 0;
    channel->counts.crossings++;
}

/* A request goes to the DRAM as it is. */
TEMPLATE void pass_l2(struct channel *channel, struct slice *slice)
{
    packet_queue_move(&channel->packets, &slice->incoming, &slice->to_dram);
    slice_left(channel, slice, SLICE_IN);
    slice_came(channel, slice, SLICE_TO_DRAM, &slice->to_dram);
}

TEMPLATE void let_in(struct channel *channel, struct slice *slice)
{
    packet_queue_move(&channel->packets, &slice->arrived, &slice->incoming);
    slice_came(channel, slice, SLICE_IN, &slice->incoming);
}

/* The head of a slice at the tags. The port and the room for what follows were tested before
 * (l2_step), so only the cache itself can refuse. What it refused is refused for the same reason as
 * long as it has not changed, so it need not be looked up to be counted. */
TEMPLATE void look_up(struct channel *channel, struct slice *slice, uint64_t cycle)
{
    const struct packet request = *packet_queue_head(&channel->packets, &slice->incoming);
    struct unit_effect effect;
    if (channel->machine->l2.write == WRITE_READ_ONLY && request.kind != PACKET_READ &&
        request.kind != PACKET_FETCH) {
        pass_l2(channel, slice);
        return;
    }
    if (slice->refused && cache_unit_refuses(&slice->cache, slice->tried)) {
        cache_unit_refuse(&slice->cache, slice->refused);
        return;
    }
    const uint64_t index = request.line;
    const enum unit_outcome outcome =
        cache_unit_access(&slice->cache, &request, index, channel->l2_cycles, &effect);
    if (slice->cache.events && (outcome < UNIT_FAIL || outcome != slice->refused))
        cache_unit_tell(&slice->cache, &request, request.sm, cycle, outcome);
    slice->refused = outcome >= UNIT_FAIL ? outcome : UNIT_HIT;
    slice->tried = slice->cache.changes;
    if (slice->refused)
        return;
    slice_occupy_port(channel, slice, outcome, &request, &effect);
    uncount(channel, slice, outcome, &request);
    packet_queue_pop(&channel->packets, &slice->incoming);
    slice_left(channel, slice, SLICE_IN);
    if (request.flags & PACKET_WALK) {
        channel->counts.walk_accesses++;
        channel->counts.walk_misses += unit_missed(outcome);
    }
    const bool store = request.kind == PACKET_WRITE;
    const bool answered = outcome == UNIT_HIT || store;
    if (answered && !effect.sent_write && !effect.sent_fetch && request.kind != PACKET_WRITEBACK)
        answer(channel, slice, &request, cycle);
}

/* Looks up a read of the twin. These go first, and one that would have to wait for a line or an
 * MSHR is served from DRAM: what it would wait for may be held by reads that wait for the twin. */
static void look_up_crossed(struct channel *channel, struct slice *slice, uint64_t cycle)
{
    struct packet request = *packet_queue_head(&channel->packets, &slice->crossed);
    struct cache_unit *unit = &slice->cache;
    struct unit_effect effect;
    const enum unit_outcome outcome =
        cache_unit_access(unit, &request, request.line, channel->l2_cycles, &effect);
    if (unit->events && outcome < UNIT_FAIL)
        cache_unit_tell(unit, &request, request.sm, cycle, outcome);
    if (outcome == UNIT_FAIL_LINE || outcome == UNIT_FAIL_MSHR) {
        channel->counts.crossing_misses++;
        unit->counts.reads[UNIT_MISS]++;
        if (unit->shadow)
            unit_class_count(unit, &request, UNIT_MISS);
        unit->counts.read_bytes += request.bytes;
        unit->counts.bytes += request.bytes;
        request.flags |= PACKET_UNKEPT;
        request.slice = (uint16_t)slice->number;
        slice_send_down(channel, slice, &request);
    } else if (outcome >= UNIT_FAIL) {
        return;
    } else {
        channel->counts.crossing_misses += unit_missed(outcome);
        slice_occupy_port(channel, slice, outcome, &request, &effect);
        if (outcome == UNIT_HIT)
            answer(channel, slice, &request, cycle);
    }
    packet_queue_pop(&channel->packets, &slice->crossed);
}

/* Whether a slice's step changes nothing. */
TEMPLATE bool slice_idle(const struct channel *channel, const struct slice *slice, uint64_t cycle)
{
    return !slice->incoming.count && !slice->from_dram.count && !slice->blocked &&
           !slice->cache.misses.count && !cache_unit_has_ready(&slice->cache) &&
           !packet_queue_due(&channel->packets, &slice->crossed, cycle) &&
           !packet_queue_due(&channel->packets, &slice->fetched, cycle) &&
           !packet_queue_due(&channel->packets, &slice->arrived, cycle);
}

/* A slice's step, in GPGPU-Sim's order (memory_sub_partition::cache_cycle): replies, fills, misses,
 * one look-up, and a request comes in from the network. Where the queue has no room for the parts
 * into which a request may be cut, the network sees the slice as blocked. */
TEMPLATE void l2_step(struct channel *channel, struct slice *slice, uint64_t cycle)
{
    const struct cache_config *l2 = &channel->machine->l2;
    if (slice->blocked) {
        slice->blocked_cycles[channel->span_cycle / 64] |= UINT64_C(1) << channel->span_cycle % 64;
        channel->counts.full_cycles++;
    }
    if (l2->enabled)
        reply_ready(channel, slice, cycle);
    fill(channel, slice, cycle);
    if (l2->enabled)
        send_miss(channel, slice, cycle);
    if (packet_queue_due(&channel->packets, &slice->crossed, cycle)) {
        if (limit_admits(&channel->queue, slice->to_dram.count) &&
            slice->port_free <= channel->l2_cycles)
            look_up_crossed(channel, slice, cycle);
    } else if (slice->incoming.count && limit_admits(&channel->queue, slice->to_dram.count)) {
        if (!l2->enabled) {
            pass_l2(channel, slice);
        } else if (limit_admits(&channel->queue, slice->outgoing.count) &&
                   slice->port_free <= channel->l2_cycles) {
            look_up(channel, slice, cycle);
        }
    }
    if (packet_queue_due(&channel->packets, &slice->arrived, cycle) &&
        limit_admits(&channel->queue, slice->incoming.count))
        let_in(channel, slice);
    slice->blocked = !limit_admits(&channel->queue, slice->incoming.count + SPLIT_PARTS - 1);
}

/* IDEAL_L2_PORTS: each part of the step does all that it can, in the same order, so that a request
 * alone takes as long as before. */
static void wide_l2_step(struct channel *channel, struct slice *slice, uint64_t cycle)
{
    const struct cache_config *l2 = &channel->machine->l2;
    while (l2->enabled && reply_ready(channel, slice, cycle))
        ;
    while (fill(channel, slice, cycle))
        ;
    while (l2->enabled && send_miss(channel, slice, cycle))
        ;
    for (uint32_t before = UINT32_MAX;
         packet_queue_due(&channel->packets, &slice->crossed, cycle) &&
         slice->crossed.count < before;) {
        before = slice->crossed.count;
        look_up_crossed(channel, slice, cycle);
    }
    for (uint32_t before = UINT32_MAX; slice->incoming.count && slice->incoming.count < before;) {
        before = slice->incoming.count;
        if (l2->enabled)
            look_up(channel, slice, cycle);
        else
            pass_l2(channel, slice);
    }
    while (packet_queue_due(&channel->packets, &slice->arrived, cycle))
        let_in(channel, slice);
}

static uint64_t outgoing_replies(const struct channel *channel)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < channel->slice_count; i++)
        count += channel->slices[i].outgoing.count;
    return count;
}

/* ... and gives the network all the replies that it takes. */
static void send_all_replies(struct channel *channel, uint64_t step, uint64_t cycle)
{
    for (uint64_t left = outgoing_replies(channel), before = UINT64_MAX; left < before;) {
        before = left;
        send_replies(channel, step, cycle);
        left = outgoing_replies(channel);
    }
}

bool channel_full(const struct channel *channel)
{
    for (uint32_t i = 0; i < channel->slice_count; i++) {
        const struct slice *slice = &channel->slices[i];
        if (!slice->outgoing.count)
            continue;
        const uint32_t size = reply_size(channel, slice);
        if (slice->held + size > slice->sure && limit_left(&slice->places, slice->held) < size)
            return true;
    }
    return false;
}

static uint64_t earlier(const struct channel *channel, uint64_t due,
                        const struct packet_queue *queue)
{
    return packet_queue_due(&channel->packets, queue, due)
               ? packet_queue_head(&channel->packets, queue)->ready
               : due;
}

/* 0 where any step may change something: what waits in a queue waits for room or a turn, which has
 * no time of its own. Otherwise nothing changes before what is on its way arrives. */
uint64_t channel_due(const struct channel *channel)
{
    uint64_t due = UINT64_MAX;
    if (dram_busy(&channel->dram))
        return 0;
    due = earlier(channel, due, &channel->line);
    for (uint32_t i = 0; i < channel->slice_count; i++) {
        const struct slice *slice = &channel->slices[i];
        if (slice->incoming.count || slice->to_dram.count || slice->from_dram.count ||
            slice->outgoing.count || slice->cache.misses.count ||
            cache_unit_has_ready(&slice->cache))
            return 0;
        due = earlier(channel, due, &slice->arrived);
        due = earlier(channel, due, &slice->crossed);
        due = earlier(channel, due, &slice->fetched);
    }
    return due;
}

void channel_skip(struct channel *channel, uint32_t ticks, uint32_t l2_cycles)
{
    channel->ticks += ticks;
    channel->l2_cycles += l2_cycles;
    channel->span_cycle += l2_cycles;
}

/* A step; `wide` and `endless` are constants where nothing is ideal. */
TEMPLATE void step_once(struct channel *channel, unsigned edges, uint64_t step, uint64_t cycle,
                        bool wide, bool endless)
{
    if (edges & EDGE_NETWORK && wide)
        send_all_replies(channel, step, cycle);
    else if (edges & EDGE_NETWORK)
        send_replies(channel, step, cycle);
    if (edges & EDGE_DRAM) {
        if (endless)
            endless_dram_step(channel, cycle);
        else if (channel->machine->dram.fixed)
            fixed_dram_step(channel, cycle);
        else
            dram_step(channel, cycle);
        channel->ticks++;
    }
    if (edges & EDGE_L2) {
        for (uint32_t i = 0; i < channel->slice_count; i++) {
            struct slice *slice = &channel->slices[i];
            if (slice_idle(channel, slice, cycle))
                continue;
            if (wide)
                wide_l2_step(channel, slice, cycle);
            else
                l2_step(channel, slice, cycle);
        }
        channel->l2_cycles++;
        channel->span_cycle++;
    }
}

void channel_step_usual(struct channel *channel, unsigned edges, uint64_t step, uint64_t cycle)
{
    step_once(channel, edges, step, cycle, false, false);
}

void channel_step_ideal(struct channel *channel, unsigned edges, uint64_t step, uint64_t cycle)
{
    step_once(channel, edges, step, cycle, channel->wide, channel->endless);
}

static bool is_ideal(const struct channel *channel)
{
    return channel->wide || channel->endless;
}

/* Only who is watched keeps the cycle. */
static void step_watched(struct channel *channel, unsigned edges, uint64_t step, uint64_t cycle)
{
    channel->event_cycle = cycle;
    step_once(channel, edges, step, cycle, channel->wide, channel->endless);
}

void channel_watch(struct channel *channel, uint32_t number, struct event_log *log)
{
    channel->step_once = log                 ? step_watched
                         : is_ideal(channel) ? channel_step_ideal
                                             : channel_step_usual;
    channel->dram.events = log;
    channel->dram.event_cycle = &channel->event_cycle;
    channel->dram.number = (uint16_t)number;
    for (uint32_t i = 0; i < channel->slice_count; i++)
        cache_unit_watch(&channel->slices[i].cache, channel->slices[i].number, EVENT_l2_hit,
                         &channel->event_cycle, log);
}
