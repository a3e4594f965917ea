#include <string.h>

#include "base/memory.h"
#include "model/cache/partition.h"
#include "model/timing/gpu_parts.h"

/* The ways between SMs and memory in a span: requests, replies and translations. */

static void shows_clear(struct shows *shows, const struct span *span)
{
    shows->count = 0;
    memset(shows->heads, 0xff, (span->steps + 1) * sizeof *shows->heads);
}

/* Notes that an input has one more packet to move from a step on. */
static void show_at(struct gpu *gpu, struct shows *shows, uint32_t step, uint32_t input)
{
    if (array_reserve(&shows->items, &shows->capacity, shows->count + 1)) {
        gpu->status = STATUS_MEMORY;
        return;
    }
    shows->items[shows->count] = (struct show){input, shows->heads[step]};
    shows->heads[step] = (uint32_t)shows->count++;
}

static void show_step(const struct shows *shows, struct network *network, uint32_t step)
{
    for (uint32_t at = shows->heads[step]; at != UINT32_MAX; at = shows->items[at].next)
        network_show(network, shows->items[at].input);
}

/* The last core cycle at or before a step; `cycle - 1` may be before the first. */
static uint64_t cycle_of(const struct span *span, uint32_t step)
{
    const uint64_t cycle = span->step_cycle[step];
    return span->edges[step] & EDGE_CORE || !cycle ? cycle : cycle - 1;
}

/* An SM without blocks takes no replies. Those that nobody waits for must not keep others from
 * going past, so there is always room for them. */
static bool sm_room(void *context, uint32_t output)
{
    const struct gpu *gpu = context;
    struct sm *sm = &gpu->sms[output * gpu->cluster_size];
    return (!gpu->clusters && !sm->live_blocks) ||
           limit_admits(&sm->port.places, sm->port.arriving.count);
}

/* Appends a packet that the network delivers. */
static void put_arrived(struct gpu *gpu, struct packet_pool *pool, struct packet_queue *queue,
                        const struct packet *packet, uint64_t arrived)
{
    if (packet_queue_push(pool, queue, packet))
        packet_queue_tail(pool, queue)->ready = arrived + gpu->network_delay;
    else
        gpu->status = STATUS_MEMORY;
}

static void deliver_reply(void *context, uint32_t output, const struct packet *packet,
                          uint64_t arrived)
{
    struct gpu *gpu = context;
    gpu->reply_bytes += packet_reply_bytes(packet);
    struct sm *sm = &gpu->sms[output * gpu->cluster_size];
    put_arrived(gpu, &sm->packets, &sm->port.arriving, packet, arrived);
}

/* Takes a slice's reply of a step: a walker's goes there at once, all others to the network.
 * Returns whether the network has it. A step between two core cycles belongs to the second one, so
 * that everything of a cycle comes to the walkers at once, wherever spans end. */
static bool put_reply(struct gpu *gpu, uint32_t slice, const struct packet *reply)
{
    const bool walk = reply->flags & PACKET_WALK;
    const bool taken =
        walk ? mmu_reply(&gpu->mmu, reply->id, gpu->span->step_cycle[reply->ready]) == STATUS_OK
             : network_put(&gpu->replies, slice, reply);
    if (!taken)
        gpu->status = STATUS_MEMORY;
    return taken && !walk;
}

void gpu_begin_replies(struct gpu *gpu)
{
    shows_clear(&gpu->reply_shows, gpu->span);
    gpu->replies_step = 0;
}

/* A reply that a slice hands over in a step may move in the same one. */
void gpu_carry_replies(struct gpu *gpu, uint32_t step)
{
    const struct network_sink sink = {sm_room, deliver_reply, gpu};
    for (uint32_t s = 0; s < gpu->slice_count; s++) {
        struct packet_pool *pool = &channel_of(gpu, s)->packets;
        struct packet_queue *replies = &slice_at(gpu, s)->replies;
        for (; replies->count && packet_queue_head(pool, replies)->ready < step;
             packet_queue_pop(pool, replies)) {
            const struct packet *reply = packet_queue_head(pool, replies);
            if (put_reply(gpu, s, reply))
                show_at(gpu, &gpu->reply_shows, (uint32_t)reply->ready, s);
        }
    }
    for (; gpu->replies_step < step && !gpu->status; gpu->replies_step++) {
        if (!(gpu->span->edges[gpu->replies_step] & EDGE_NETWORK))
            continue;
        show_step(&gpu->reply_shows, &gpu->replies, gpu->replies_step);
        if (!network_move(&gpu->replies, cycle_of(gpu->span, gpu->replies_step), &sink))
            gpu->status = STATUS_MEMORY;
    }
}

static bool slice_room(void *context, uint32_t output)
{
    struct gpu *gpu = context;
    return limit_admits(&gpu->places, gpu->at_slices[output].count);
}

static void deliver_request(void *context, uint32_t output, const struct packet *packet,
                            uint64_t arrived)
{
    struct gpu *gpu = context;
    gpu->delivered++;
    put_arrived(gpu, &gpu->carried, &gpu->at_slices[output], packet, arrived);
}

/* Whether an SM's request comes to a slice of the other half: what is no read goes to the home of
 * its line. */
static bool comes_across(const struct gpu *gpu, uint32_t slice, const struct packet *request)
{
    const struct cache_config *l2 = &gpu->machine->l2;
    return cache_in_halves(l2) && !(request->flags & PACKET_WALK) &&
           partition_near(l2, slice, request->sm) != slice;
}

/* A slice takes a request from the network or of a walker; those of walkers go first. What is wider
 * than a sector of the L2 becomes one request a sector. What the network moved in an earlier step
 * is there, also where no core cycle came between; `arrived` is the last one, `cycle` the next. */
static void enter_slice(struct gpu *gpu, uint32_t index, uint64_t arrived, uint64_t cycle)
{
    enum { LINE = 128 };
    struct slice *slice = slice_at(gpu, index);
    struct packet_queue *queue = &gpu->walks[index];
    if (!queue->count || packet_queue_head(&gpu->carried, queue)->ready >= arrived) {
        queue = &gpu->at_slices[index];
        const bool timed = gpu->requests.flits && !gpu->requests.routed;
        if (!queue->count || packet_queue_head(&gpu->carried, queue)->ready + timed > arrived)
            return;
    }
    const struct packet request = *packet_queue_head(&gpu->carried, queue);
    packet_queue_pop(&gpu->carried, queue);
    gpu->delivered--;
    if (queue == &gpu->at_slices[index])
        network_taken(&gpu->requests, index, &request);
    const unsigned most = gpu->shared->part_bytes, parts = (request.bytes - 1u) / most + 1;
    const bool across = comes_across(gpu, index, &request);
    const bool faults =
        gpu->machine->gpu.simulator_faults && request.bytes < LINE && !gpu->map.halves;
    for (unsigned i = 0; i < parts; i++) {
        struct packet part = request;
        if (parts > 1) {
            /* GPGPU-Sim takes a sector's place in its line twice where that begins in the middle.
             */
            const uint64_t astray = faults && request.address & (LINE - 1) ? LINE : 0;
            const unsigned width = 32 / parts; /* 32nds of the whole in one part */
            uint32_t touched = request.touched >> i * width & (uint32_t)((1ull << width) - 1);
            for (unsigned w = width; touched && w < 32; w *= 2)
                touched = bits_double(touched);
            part.touched = touched;
            part.address += i * most + astray;
            part.bytes = (uint16_t)most;
        }
        part.ready =
            cycle + gpu->machine->l2.latency + (across ? 2 * gpu->machine->l2.crossing : 0);
        part.l2 = (uint32_t)cycle;
        part.dram = 0;
        part.line = address_map_local(&gpu->map, part.address) >> log2_floor(gpu->machine->l2.line);
        if (!packet_queue_push(&gpu->carried, &slice->entering, &part))
            gpu->status = STATUS_MEMORY;
    }
}

/* The first network step after the one of a core cycle of a span. */
static uint32_t step_after(const struct span *span, uint64_t cycle)
{
    uint32_t step = span->core_step[cycle - span->cycle] + 1;
    while (step < span->steps && !(span->edges[step] & EDGE_NETWORK))
        step++;
    return step;
}

/* The slice that an SM sends a request to. */
static uint16_t entered_slice(const struct gpu *gpu, const struct packet *request)
{
    const uint32_t home = address_map_slice(&gpu->map, request->address);
    const bool reads = request->kind == PACKET_READ || request->kind == PACKET_FETCH;
    const struct cache_config *l2 = &gpu->machine->l2;
    return (uint16_t)(reads && cache_in_halves(l2) ? partition_near(l2, home, request->sm) : home);
}

/* Puts what SMs sent before a cycle into the network. */
static void put_requests(struct gpu *gpu, uint64_t cycle)
{
    for (uint32_t k = 0; k < gpu->sm_count; k++) {
        const uint32_t port = k / gpu->cluster_size;
        const uint32_t i = gpu->clusters ? gpu_cluster_sm(gpu, port, k % gpu->cluster_size) : k;
        struct packet_pool *pool = &gpu->sms[i].packets;
        struct packet_queue *sent = &gpu->sms[i].port.sent;
        for (; sent->count && packet_queue_head(pool, sent)->ready < cycle;
             packet_queue_pop(pool, sent)) {
            struct packet request = *packet_queue_head(pool, sent);
            gpu->sms[i].port.sent_flits -= network_size(&gpu->requests, &request);
            const uint32_t step = step_after(gpu->requests_span, request.ready);
            request.slice = entered_slice(gpu, &request);
            if (!network_put(&gpu->requests, port, &request)) {
                gpu->status = STATUS_MEMORY; /* and there is nothing to show */
                continue;
            }
            if (step < gpu->requests_span->steps)
                show_at(gpu, &gpu->request_shows, step, port);
            else
                gpu->late[port]++;
        }
    }
}

/* The walkers stand beside the slices, behind the network that their translations crossed. So a
 * read goes straight to its slice, where it waits its turn among the requests of the SMs; from
 * there on it takes the time of any request (l2.latency to the tags). */
static void put_walks(struct gpu *gpu)
{
    struct packet_pool *pool = &gpu->mmu.packets;
    struct packet_queue *reads = &gpu->mmu.reads;
    const uint64_t end = gpu->span->cycle + gpu->span->cycles;
    for (; reads->count && packet_queue_head(pool, reads)->ready < end;
         packet_queue_pop(pool, reads)) {
        struct packet read = *packet_queue_head(pool, reads);
        read.slice = (uint16_t)address_map_slice(&gpu->map, read.address);
        if (!packet_queue_push(&gpu->carried, &gpu->walks[read.slice], &read))
            gpu->status = STATUS_MEMORY;
        gpu->delivered++;
    }
}

void gpu_begin_requests(struct gpu *gpu)
{
    gpu->requests_span = gpu->span;
    shows_clear(&gpu->request_shows, gpu->span);
    gpu->requests_step = gpu->requests_l2 = 0;
    for (uint32_t i = 0; i < gpu->port_count; i++)
        for (; gpu->late[i]; gpu->late[i]--)
            network_show(&gpu->requests, i);
    put_walks(gpu);
}

void gpu_run_mmu(struct gpu *gpu)
{
    if (!gpu->shared->page_bits || gpu->status)
        return;
    if (mmu_run(&gpu->mmu, gpu->span->cycle + gpu->span->cycles))
        gpu->status = STATUS_MEMORY;
    for (size_t i = 0; i < gpu->mmu.answer_count && !gpu->status; i++) {
        const struct mmu_answer *answer = &gpu->mmu.answers[i];
        const struct packet packet = {.id = answer->taken ? NO_OP : answer->id,
                                      .ready = answer->ready};
        struct sm *sm = &gpu->sms[answer->sm];
        if (!packet_queue_insert(&sm->packets, &sm->translate.answers, &packet))
            gpu->status = STATUS_MEMORY;
    }
}

void gpu_ask_mmu(struct gpu *gpu)
{
    for (uint32_t i = 0; gpu->shared->page_bits && i < gpu->sm_count; i++) {
        struct sm *sm = &gpu->sms[i];
        for (; sm->translate.untranslated.count;
             packet_queue_pop(&sm->packets, &sm->translate.untranslated)) {
            const struct packet *request =
                packet_queue_head(&sm->packets, &sm->translate.untranslated);
            if (mmu_put(&gpu->mmu, request->address / MMU_LINE, request->ready, (uint16_t)i,
                        request->id, request->pc))
                gpu->status = STATUS_MEMORY;
        }
    }
}

/* Whether a slice lets nothing in, in an L2 cycle of the span whose requests are carried. */
static bool slice_blocked(const struct gpu *gpu, const struct slice *slice, uint32_t l2_cycle)
{
    const bool before = gpu->requests_span != gpu->span;
    const uint64_t *cycles = before ? slice->blocked_before : slice->blocked_cycles;
    return cycles[l2_cycle / 64] >> l2_cycle % 64 & 1;
}

/* An L2 cycle in which slices take requests. */
static void enter_slices(struct gpu *gpu, uint64_t arrived, uint64_t cycle)
{
    for (uint32_t s = 0; gpu->delivered && s < gpu->slice_count; s++)
        if ((gpu->at_slices[s].count || gpu->walks[s].count) &&
            !slice_blocked(gpu, slice_at(gpu, s), gpu->requests_l2)) {
            uint32_t left = gpu->slice_entries, before;
            do {
                before = gpu->delivered;
                enter_slice(gpu, s, arrived, cycle);
            } while (--left && gpu->delivered < before);
        }
    gpu->requests_l2++;
}

/* Slices take what arrived in earlier steps, then the network moves. */
void gpu_carry_requests(struct gpu *gpu, uint64_t cycle)
{
    const struct network_sink sink = {slice_room, deliver_request, gpu};
    const struct span *span = gpu->requests_span;
    const bool all = cycle >= span->cycle + span->cycles;
    const uint32_t end = all                   ? span->steps
                         : cycle > span->cycle ? span->core_step[cycle - span->cycle - 1] + 1
                                               : 0;
    put_requests(gpu, cycle);
    for (; gpu->requests_step < end && !gpu->status; gpu->requests_step++) {
        const uint32_t i = gpu->requests_step;
        const uint64_t now = cycle_of(span, i);
        if (span->edges[i] & EDGE_L2)
            enter_slices(gpu, now, span->step_cycle[i]);
        if (!(span->edges[i] & EDGE_NETWORK))
            continue;
        show_step(&gpu->request_shows, &gpu->requests, i);
        if (!network_move(&gpu->requests, now, &sink))
            gpu->status = STATUS_MEMORY;
    }
}

void gpu_take_requests(struct gpu *gpu)
{
    for (uint32_t s = 0; s < gpu->slice_count; s++) {
        struct slice *slice = slice_at(gpu, s);
        if (!packet_queue_insert_all(&gpu->carried, &slice->entering, &channel_of(gpu, s)->packets,
                                     &slice->arrived))
            gpu->status = STATUS_MEMORY;
    }
}
