#include "model/timing/gpu.h"

#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "model/gpu/extent.h"
#include "model/gpu/occupancy.h"
#include "model/timing/clocks.h"
#include "model/timing/code_counts.h"
#include "model/timing/mmu.h"
#include "model/timing/network.h"
#include "model/timing/sm_parts.h"

enum { SPAN_MAX = 256, STEPS_MAX = SPAN_CYCLES, LINE_BYTES_MAX = 512 };

/* Packets by the step from which the network may move them: lists of inputs. */
struct show {
    uint32_t input, next;
};
struct shows {
    struct show *items;
    size_t count, capacity;
    uint32_t heads[STEPS_MAX + 1];
};

struct gpu {
    const struct machine *machine;
    const struct trace_source *source;
    const struct gpu_options *options;
    struct diagnostics *diagnostics;
    struct sm_machine shared;
    struct sm *sms;
    struct channel *channels;
    uint32_t sm_count, channel_count, slice_count;
    struct address_map map;
    struct network requests, replies;
    uint32_t largest_packet; /* flits */
    struct mmu mmu;
    struct packet_queue *at_slices; /* delivered, not yet popped by the slice */
    struct shows shows;
    uint32_t *late; /* [SMs]: packets put, but not to be moved in this span */
    struct clocks clocks;
    uint64_t cycle; /* the first core cycle of the span */

    /* The steps of the span. */
    uint8_t edges[STEPS_MAX + 1];
    uint64_t step_cycle[STEPS_MAX + 1]; /* core cycles before the step */
    uint16_t ticks_before[STEPS_MAX + 1], l2_before[STEPS_MAX + 1]; /* edges before the step */
    uint32_t steps, span;
    uint32_t core_step[SPAN_MAX + 1]; /* the step of each core cycle */

    /* The launch. */
    uint32_t launch, block_slots;
    uint64_t blocks, next_block, live_from; /* live_from: cycle from which blocks start */
    uint32_t last_served;                   /* the SM that got a block last */
    uint64_t begun, ended, total_cycles, reply_bytes;
    uint64_t next_sample; /* the cycle from which the counts are wanted again */

    /* When anything happened last (watch_progress). */
    uint64_t work, work_cycle, work_ticks;
    uint64_t given, all_blocks; /* blocks of all launches */
    size_t marked;
    double reported; /* when progress was */
    bool measured;   /* the extent of the source is known */
    struct extent_walk walk;
    enum status status;
};

/* ---- set-up ---- */

static uint64_t most_ways(const struct machine *machine, const struct trace_source *source)
{
    uint64_t most = machine->l1d.ways;
    for (uint32_t i = 0; i < source->launch_count; i++) {
        const uint64_t ways = occupancy_l1d_ways(machine, &source->launches[i]);
        most = ways > most ? ways : most;
    }
    return most;
}

static enum status init(struct gpu *gpu)
{
    const struct machine *machine = gpu->machine;
    gpu->sm_count = (uint32_t)machine->gpu.sms;
    gpu->slice_count = (uint32_t)machine->l2.slices;
    gpu->channel_count = (uint32_t)(machine->l2.slices / machine->l2.slices_per_channel);
    gpu->last_served = gpu->sm_count - 1;
    gpu->largest_packet = packet_flits(&machine->network, PACKET_HEADER + LINE_BYTES_MAX);
    clocks_init(&gpu->clocks, machine);
    sm_machine_init(&gpu->shared, machine, gpu->source);
    gpu->sms = calloc(gpu->sm_count, sizeof *gpu->sms);
    gpu->channels = calloc(gpu->channel_count, sizeof *gpu->channels);
    gpu->at_slices = calloc(gpu->slice_count, sizeof *gpu->at_slices);
    gpu->late = calloc(gpu->sm_count, sizeof *gpu->late);
    if (!gpu->late || !gpu->sms || !gpu->channels || !gpu->at_slices)
        return STATUS_MEMORY;
    enum status status = address_map_init(&gpu->map, machine);
    const uint64_t ways = most_ways(machine, gpu->source);
    for (uint32_t i = 0; !status && i < gpu->sm_count; i++)
        status = sm_init(&gpu->sms[i], &gpu->shared, (uint16_t)i, ways, gpu->diagnostics);
    for (uint32_t i = 0; gpu->options->pcs && !status && i < gpu->sm_count; i++)
        status = code_counts_new(&gpu->sms[i]);
    for (uint32_t i = 0; !status && i < gpu->channel_count; i++)
        status = channel_init(&gpu->channels[i], machine, &gpu->map, i);
    if (!status && gpu->shared.page_bits)
        status = mmu_init(&gpu->mmu, machine);
    if (!status)
        status =
            network_init(&gpu->requests, &machine->network, gpu->sm_count, gpu->slice_count, false);
    if (!status)
        status =
            network_init(&gpu->replies, &machine->network, gpu->slice_count, gpu->sm_count, true);
    return status;
}

static void release(struct gpu *gpu)
{
    for (uint32_t i = 0; gpu->sms && i < gpu->sm_count; i++)
        sm_free(&gpu->sms[i]);
    for (uint32_t i = 0; gpu->channels && i < gpu->channel_count; i++)
        channel_free(&gpu->channels[i]);
    for (uint32_t i = 0; gpu->at_slices && i < gpu->slice_count; i++)
        packet_queue_free(&gpu->at_slices[i]);
    free(gpu->sms);
    free(gpu->channels);
    free(gpu->at_slices);
    free(gpu->late);
    free(gpu->shows.items);
    mmu_free(&gpu->mmu);
    network_free(&gpu->requests);
    network_free(&gpu->replies);
}

/* ---- the steps of a span ---- */

static struct slice *slice_at(const struct gpu *gpu, uint32_t slice)
{
    const uint32_t each = (uint32_t)gpu->machine->l2.slices_per_channel;
    return &gpu->channels[slice / each].slices[slice % each];
}

/* How many cycles can be simulated part by part: no more than a request needs to the tags of the
 * L2, and no more than queues have room for, whatever comes. */
static uint32_t choose_span(const struct gpu *gpu)
{
    const uint64_t queue = gpu->machine->network.queue;
    const bool flits = gpu->requests.flits;
    uint64_t span = gpu->machine->l2.latency;
    span = span < SPAN_MAX ? span : SPAN_MAX;
    for (uint32_t i = 0; i < gpu->sm_count && span > 1; i++) {
        const uint64_t waits = gpu->sms[i].arriving.count;
        const uint64_t sent = network_held(&gpu->requests, i);
        span = waits + span > queue ? (waits < queue ? queue - waits : 1) : span;
        const uint64_t most = flits ? span : 3 * span; /* that an SM sends */
        if (sent + most > queue)
            span = sent + 3 < queue ? (queue - sent) / (flits ? 1 : 3) : 1;
    }
    for (uint32_t i = 0; i < gpu->slice_count && span > 1; i++) {
        const uint64_t waits = gpu->replies.input[i].queue.count;
        const uint64_t arrived = gpu->at_slices[i].count;
        span = waits + span > queue ? (waits < queue ? queue - waits : 1) : span;
        span = arrived + span > queue ? (arrived < queue ? queue - arrived : 1) : span;
    }
    return span ? (uint32_t)span : 1;
}

static void make_steps(struct gpu *gpu)
{
    gpu->steps = gpu->span = 0;
    const uint32_t span = choose_span(gpu);
    while (gpu->span < span && gpu->steps < STEPS_MAX) {
        const unsigned edges = clocks_step(&gpu->clocks);
        gpu->edges[gpu->steps] = (uint8_t)edges;
        gpu->step_cycle[gpu->steps] = gpu->cycle + gpu->span;
        if (edges & EDGE_CORE)
            gpu->core_step[gpu->span++] = gpu->steps;
        const uint32_t next = gpu->steps + 1;
        gpu->ticks_before[next] =
            (uint16_t)(gpu->ticks_before[gpu->steps] + (edges & EDGE_DRAM ? 1 : 0));
        gpu->l2_before[next] =
            (uint16_t)(gpu->l2_before[gpu->steps] + (edges & EDGE_NETWORK ? 1 : 0));
        gpu->steps = next;
    }
}

/* ---- parts of a span ---- */

/* The first step, from `from` on, that is not before a core cycle. */
static uint32_t first_step_at(const struct gpu *gpu, uint64_t cycle, uint32_t from)
{
    if (cycle >= gpu->cycle + gpu->span)
        return gpu->steps;
    const uint32_t core = cycle > gpu->cycle ? gpu->core_step[cycle - gpu->cycle - 1] + 1 : 0;
    return core > from ? core : from;
}

static void advance_channel(struct gpu *gpu, struct channel *channel)
{
    const uint64_t queue = gpu->machine->network.queue;
    for (uint32_t i = 0; i < channel->slice_count; i++) {
        struct slice *slice = &channel->slices[i];
        const uint64_t held = gpu->replies.input[slice->number].queue.count;
        slice->room = (uint32_t)(held < queue ? queue - held : 0);
        memset(slice->blocked_cycles, 0, sizeof slice->blocked_cycles);
    }
    channel->span_cycle = 0;
    for (uint32_t i = 0; i < gpu->steps; i++) {
        const uint64_t due = channel_due(channel);
        if (gpu->step_cycle[i] < due) {
            const uint32_t to = first_step_at(gpu, due, i);
            channel_skip(channel, gpu->ticks_before[to] - gpu->ticks_before[i],
                         gpu->l2_before[to] - gpu->l2_before[i]);
            i = to;
        }
        if (i < gpu->steps)
            channel_step(channel, gpu->edges[i], i, gpu->step_cycle[i]);
    }
}

static void shows_clear(struct gpu *gpu)
{
    gpu->shows.count = 0;
    memset(gpu->shows.heads, 0xff, (gpu->steps + 1) * sizeof *gpu->shows.heads);
}

/* Notes that an input has one more packet to move from a step on. */
static void show_at(struct gpu *gpu, uint32_t step, uint32_t input)
{
    struct shows *shows = &gpu->shows;
    if (array_reserve(&shows->items, &shows->capacity, shows->count + 1)) {
        gpu->status = STATUS_MEMORY;
        return;
    }
    shows->items[shows->count] = (struct show){input, shows->heads[step]};
    shows->heads[step] = (uint32_t)shows->count++;
}

static void show_step(struct gpu *gpu, struct network *network, uint32_t step)
{
    for (uint32_t at = gpu->shows.heads[step]; at != UINT32_MAX; at = gpu->shows.items[at].next)
        network_show(network, gpu->shows.items[at].input);
}

/* The last core cycle at or before a step; `cycle - 1` may be before the first. */
static uint64_t cycle_of(const struct gpu *gpu, uint32_t step)
{
    const uint64_t cycle = gpu->step_cycle[step];
    return gpu->edges[step] & EDGE_CORE || !cycle ? cycle : cycle - 1;
}

/* An SM without blocks takes no replies. Those that nobody waits for must not keep others from
 * going past, so there is always room for them. */
static bool sm_room(void *context, uint32_t output)
{
    const struct gpu *gpu = context;
    const struct sm *sm = &gpu->sms[output];
    return sm->arriving.count < gpu->machine->network.queue || !sm->live_blocks;
}

static void deliver_reply(void *context, uint32_t output, const struct packet *packet,
                          uint64_t arrived)
{
    struct gpu *gpu = context;
    struct packet reply = *packet;
    reply.ready = arrived;
    gpu->reply_bytes += packet_reply_bytes(packet);
    if (!packet_queue_push(&gpu->sms[output].arriving, &reply))
        gpu->status = STATUS_MEMORY;
}

/* A reply that a slice hands over in a step may move in the same one. */
static void carry_replies(struct gpu *gpu)
{
    const struct network_sink sink = {sm_room, deliver_reply, gpu};
    shows_clear(gpu);
    for (uint32_t s = 0; s < gpu->slice_count; s++) {
        struct packet_queue *replies = &slice_at(gpu, s)->replies;
        for (; replies->count; packet_queue_pop(replies)) {
            show_at(gpu, (uint32_t)packet_queue_head(replies)->ready, s);
            if (!network_put(&gpu->replies, s, packet_queue_head(replies)))
                gpu->status = STATUS_MEMORY;
        }
    }
    for (uint32_t i = 0; i < gpu->steps && !gpu->status; i++) {
        if (!(gpu->edges[i] & EDGE_NETWORK))
            continue;
        show_step(gpu, &gpu->replies, i);
        network_move(&gpu->replies, cycle_of(gpu, i), &sink);
    }
}

static bool slice_room(void *context, uint32_t output)
{
    const struct gpu *gpu = context;
    return gpu->at_slices[output].count < gpu->machine->network.queue;
}

static void deliver_request(void *context, uint32_t output, const struct packet *packet,
                            uint64_t arrived)
{
    struct gpu *gpu = context;
    struct packet request = *packet;
    request.ready = arrived;
    if (!packet_queue_push(&gpu->at_slices[output], &request))
        gpu->status = STATUS_MEMORY;
}

/* A slice takes a request from the network. What is wider than a sector of the L2 becomes one
 * request a sector. */
static void enter_slice(struct gpu *gpu, uint32_t index, uint64_t cycle)
{
    struct slice *slice = slice_at(gpu, index);
    const struct packet request = *packet_queue_head(&gpu->at_slices[index]);
    packet_queue_pop(&gpu->at_slices[index]);
    const unsigned most = gpu->shared.part_bytes, parts = (request.bytes - 1u) / most + 1;
    for (unsigned i = 0; i < parts; i++) {
        struct packet part = request;
        if (parts > 1) {
            const unsigned width = 32 / parts; /* 32nds of the whole in one part */
            uint32_t touched = request.touched >> i * width & (uint32_t)((1ull << width) - 1);
            for (unsigned w = width; w < 32; w *= 2)
                touched = bits_double(touched);
            part.touched = touched;
            part.address += i * most;
            part.bytes = (uint16_t)most;
        }
        part.ready = cycle + gpu->machine->l2.latency;
        part.l2 = (uint32_t)cycle;
        part.dram = 0;
        part.line = address_map_local(&gpu->map, part.address) >> log2_floor(gpu->machine->l2.line);
        if (!packet_queue_push(&slice->arrived, &part))
            gpu->status = STATUS_MEMORY;
    }
}

/* The first network step after the one of a core cycle of this span. */
static uint32_t step_after(const struct gpu *gpu, uint64_t cycle)
{
    uint32_t step = gpu->core_step[cycle - gpu->cycle] + 1;
    while (step < gpu->steps && !(gpu->edges[step] & EDGE_NETWORK))
        step++;
    return step;
}

static void put_requests(struct gpu *gpu)
{
    shows_clear(gpu);
    for (uint32_t i = 0; i < gpu->sm_count; i++) {
        struct packet_queue *sent = &gpu->sms[i].sent;
        for (; gpu->late[i]; gpu->late[i]--)
            network_show(&gpu->requests, i);
        for (; sent->count && packet_queue_head(sent)->ready < gpu->cycle + gpu->span;
             packet_queue_pop(sent)) {
            struct packet request = *packet_queue_head(sent);
            gpu->sms[i].sent_flits -= network_size(&gpu->requests, &request);
            const uint32_t step = step_after(gpu, request.ready);
            request.slice = (uint16_t)address_map_slice(&gpu->map, request.address);
            if (!network_put(&gpu->requests, i, &request))
                gpu->status = STATUS_MEMORY;
            if (step < gpu->steps)
                show_at(gpu, step, i);
            else
                gpu->late[i]++;
        }
    }
}

/* A translation comes to its SM; those that come earlier stand before it. */
static void put_answer(struct gpu *gpu, const struct mmu_answer *answer)
{
    struct packet_queue *queue = &gpu->sms[answer->sm].answers;
    const struct packet packet = {.id = answer->id, .ready = answer->ready};
    if (!packet_queue_push(queue, &packet)) {
        gpu->status = STATUS_MEMORY;
        return;
    }
    for (uint32_t i = queue->count - 1; i && packet_queue_at(queue, i - 1)->ready > packet.ready;
         i--) {
        *packet_queue_at(queue, i) = *packet_queue_at(queue, i - 1);
        *packet_queue_at(queue, i - 1) = packet;
    }
}

/* What the SMs asked for in this span is answered in later ones. */
static void run_mmu(struct gpu *gpu)
{
    if (!gpu->shared.page_bits || gpu->status)
        return;
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        for (struct packet_queue *asked = &gpu->sms[i].untranslated; asked->count;
             packet_queue_pop(asked)) {
            const struct packet *request = packet_queue_head(asked);
            if (mmu_put(&gpu->mmu, request->address / MMU_LINE, request->ready, (uint16_t)i,
                        request->id, request->pc))
                gpu->status = STATUS_MEMORY;
        }
    if (mmu_run(&gpu->mmu, gpu->cycle + gpu->span + gpu->machine->l2.latency))
        gpu->status = STATUS_MEMORY;
    for (size_t i = 0; i < gpu->mmu.answer_count && !gpu->status; i++)
        put_answer(gpu, &gpu->mmu.answers[i]);
}

/* Slices take what arrived in earlier steps, then the network moves. */
static void carry_requests(struct gpu *gpu)
{
    const struct network_sink sink = {slice_room, deliver_request, gpu};
    put_requests(gpu);
    for (uint32_t i = 0, l2_cycle = 0; i < gpu->steps && !gpu->status; i++) {
        if (!(gpu->edges[i] & EDGE_NETWORK))
            continue;
        const uint64_t now = cycle_of(gpu, i);
        for (uint32_t s = 0; s < gpu->slice_count; s++)
            if (gpu->at_slices[s].count && packet_queue_head(&gpu->at_slices[s])->ready < now &&
                !(slice_at(gpu, s)->blocked_cycles[l2_cycle / 64] >> l2_cycle % 64 & 1))
                enter_slice(gpu, s, now);
        show_step(gpu, &gpu->requests, i);
        network_move(&gpu->requests, now, &sink);
        l2_cycle++;
    }
}

/* ---- launches and blocks ---- */

static double work_done(const struct gpu *gpu)
{
    double work = 0;
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        work += (double)(gpu->sms[i].counts.transactions + gpu->sms[i].counts.memory_instructions);
    return work;
}

static void start_launch(struct gpu *gpu)
{
    const struct machine *machine = gpu->machine;
    const struct trace_launch *launch = &gpu->source->launches[gpu->launch];
    const struct occupancy occupancy = occupancy_of(&machine->gpu, launch);
    if (!occupancy.blocks) {
        gpu->status = diagnostics_error(gpu->diagnostics, STATUS_INVALID,
                                        "launch %u (%s) does not fit an SM: its %s do not",
                                        gpu->launch, launch->name ? launch->name : "unnamed",
                                        occupancy_limit_name(occupancy.limit));
        return;
    }
    if (gpu->measured)
        extent_walk_launch(&gpu->walk, work_done(gpu));
    gpu->blocks = launch_blocks(launch);
    gpu->next_block = 0;
    const uint64_t share = (gpu->blocks + gpu->sm_count - 1) / gpu->sm_count;
    gpu->block_slots = share < occupancy.blocks ? (uint32_t)share : occupancy.blocks;
    const uint64_t ways = occupancy_l1d_ways(machine, launch);
    for (uint32_t i = 0; !gpu->status && i < gpu->sm_count; i++)
        gpu->status = sm_prepare(&gpu->sms[i], gpu->launch, gpu->block_slots, ways);
    gpu->live_from =
        gpu->begun + machine->gpu.launch_latency + gpu->blocks * machine->gpu.block_latency;
}

/* Advances the SMs that may go on, each to the end of the span or to where it can take a block. */
static void advance_sms(struct gpu *gpu, uint64_t end)
{
    const bool hungry = gpu->next_block < gpu->blocks;
#pragma omp parallel for schedule(dynamic, 1)                                                      \
    num_threads(gpu->options->threads) if (gpu->options->threads > 1)
    for (uint32_t i = 0; i < gpu->sm_count; i++) {
        struct sm *sm = &gpu->sms[i];
        if (sm->now >= end || sm->stopped)
            continue;
        uint64_t to = end;
        if (hungry && sm_has_room(sm)) {
            to = sm->now < gpu->live_from ? gpu->live_from + 1 : sm->now + 1;
            to = to < end ? to : end;
        }
        sm_advance(sm, to, hungry);
        sm->stopped = hungry && sm_has_room(sm) && sm->now > gpu->live_from;
    }
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        if (gpu->sms[i].status && !gpu->status)
            gpu->status = gpu->sms[i].status;
}

/* Whether an SM is at the end of a cycle in which it can take a block; *when: the earliest. */
static bool earliest_stop(const struct gpu *gpu, uint64_t *when)
{
    *when = UINT64_MAX;
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        if (gpu->sms[i].stopped && gpu->sms[i].now < *when)
            *when = gpu->sms[i].now;
    return *when != UINT64_MAX;
}

static void add_counts(struct gpu *gpu, struct gpu_counts *counts)
{
    *counts = (struct gpu_counts){.cycles = gpu->total_cycles, .reply_bytes = gpu->reply_bytes};
    uint64_t *sum, *part;
#define ADD(to, from)                                                                              \
    for (sum = (uint64_t *)(to), part = (uint64_t *)(from);                                        \
         (size_t)(sum - (uint64_t *)(to)) < sizeof *(to) / sizeof(uint64_t);)                      \
    *sum++ += *part++
    for (uint32_t i = 0; i < gpu->sm_count; i++) {
        ADD(&counts->sm, &gpu->sms[i].counts);
        ADD(&counts->l1d, &gpu->sms[i].l1d.counts);
        ADD(&counts->tlb, &gpu->sms[i].tlb.counts);
    }
    for (uint32_t i = 0; i < gpu->channel_count; i++) {
        ADD(&counts->dram, &gpu->channels[i].dram.counts);
        ADD(&counts->channels, &gpu->channels[i].counts);
        for (uint32_t s = 0; s < gpu->channels[i].slice_count; s++)
            ADD(&counts->l2, &gpu->channels[i].slices[s].cache.counts);
    }
    counts->mmu = gpu->mmu.counts;
    if (gpu->mmu.pwc)
        pwc_read_counts(gpu->mmu.pwc, &counts->walks);
#undef ADD
}

static void take_mark(struct gpu *gpu, uint64_t when)
{
    const struct gpu_marks *marks = gpu->options->marks;
    if (!marks || gpu->marked == marks->count || marks->blocks[gpu->marked] != gpu->given)
        return;
    add_counts(gpu, &marks->counts[gpu->marked]);
    marks->counts[gpu->marked++].cycles += when - gpu->begun;
}

static void empty_l1d(struct gpu *gpu, struct sm *sm)
{
    if (!sm->live_blocks && gpu->machine->l1d.enabled && gpu->machine->l1d.flush)
        cache_unit_flush(&sm->l1d);
}

/* At the end of a cycle each SM with room gets one block, beginning after the SM served last. */
static void give_blocks(struct gpu *gpu, uint64_t when)
{
    const uint32_t from = gpu->last_served + 1;
    for (uint32_t n = 0; n < gpu->sm_count; n++) {
        const uint32_t i = (from + n) % gpu->sm_count;
        struct sm *sm = &gpu->sms[i];
        if (!sm->stopped || sm->now != when)
            continue;
        sm->stopped = false;
        if (gpu->next_block < gpu->blocks && !gpu->status) {
            gpu->status = sm_start_block(sm, gpu->next_block++);
            gpu->last_served = i;
            gpu->given++;
            take_mark(gpu, when);
        }
        empty_l1d(gpu, sm);
    }
}

static bool launch_ended(struct gpu *gpu)
{
    if (gpu->next_block < gpu->blocks)
        return false;
    gpu->ended = gpu->begun;
    for (uint32_t i = 0; i < gpu->sm_count; i++) {
        if (gpu->sms[i].live_blocks)
            return false;
        if (gpu->sms[i].emptied > gpu->ended)
            gpu->ended = gpu->sms[i].emptied;
    }
    return true;
}

/* Ends the launch that ran and starts the next one in the cycle after it. */
static void next_launch(struct gpu *gpu)
{
    struct gpu_counts counts;
    gpu->total_cycles += gpu->ended - gpu->begun;
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        empty_l1d(gpu, &gpu->sms[i]);
    for (uint32_t i = 0; gpu->options->pcs && !gpu->status && i < gpu->sm_count; i++)
        gpu->status = code_counts_report(&gpu->sms[i], gpu->options->pcs);
    if (gpu->options->launched) {
        add_counts(gpu, &counts);
        gpu->options->launched(gpu->options->context, gpu->launch, &counts);
    }
    gpu->launch++;
    gpu->begun = gpu->ended;
    for (uint32_t i = 0; i < gpu->sm_count; i++) {
        gpu->sms[i].now = gpu->begun;
        gpu->sms[i].stopped = false;
    }
    if (gpu->launch < gpu->source->launch_count)
        start_launch(gpu);
}

/* The SMs' part of a span, in which blocks are given and launches end. */
static void run_sms(struct gpu *gpu)
{
    const uint64_t end = gpu->cycle + gpu->span;
    for (uint32_t i = 0; i < gpu->sm_count; i++) {
        const uint64_t held = network_held(&gpu->requests, i) + gpu->sms[i].sent_flits;
        const uint64_t queue = gpu->machine->network.queue;
        /* A packet that is larger than the whole queue goes alone. */
        const uint64_t room = held < queue ? queue - held : 0, most = gpu->largest_packet;
        gpu->sms[i].network_room = (uint32_t)(!held && room < most ? most : room);
    }
    for (uint64_t when; gpu->launch < gpu->source->launch_count && !gpu->status;) {
        advance_sms(gpu, end);
        if (earliest_stop(gpu, &when)) {
            give_blocks(gpu, when);
            continue;
        }
        if (!launch_ended(gpu))
            return;
        next_launch(gpu);
    }
}

/* A machine whose queues can be too small for each other to empty must not run for ever. Whatever
 * takes time takes less than these many cycles, or moves a DRAM in fewer ticks. */
enum { IDLE_CYCLES = 1000000, IDLE_TICKS = 100000 };

/* What a request waits for where a machine is stuck. */
static const char *stuck_on(const struct gpu *gpu)
{
    static const char *const reasons[UNIT_RESULTS - UNIT_FAIL] = {
        "an L1D can replace no line (l1d.dirty)", "l1d.miss_queue is too short",
        "l1d.mshr.entries are too few", "l1d.mshr.merge is too short",
        "stores wait for each other"};
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        for (uint32_t bank = 0; bank < gpu->shared.l1_banks; bank++)
            if (gpu->sms[i].bank_blocked[bank])
                return reasons[gpu->sms[i].bank_blocked[bank] - UNIT_FAIL];
    return "some queue of this machine is too short";
}

static void watch_progress(struct gpu *gpu)
{
    uint64_t work = gpu->launch + gpu->next_block + gpu->reply_bytes;
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        work += gpu->sms[i].counts.instructions + gpu->sms[i].counts.sent_bytes;
    for (uint32_t i = 0; i < gpu->channel_count; i++) {
        const struct dram_counts *dram = &gpu->channels[i].dram.counts;
        work += dram->reads + dram->writes + dram->activates + dram->precharges;
    }
    const uint64_t ticks = gpu->channels[0].ticks;
    if (work != gpu->work || gpu->cycle < gpu->live_from) {
        gpu->work = work;
        gpu->work_cycle = gpu->cycle;
        gpu->work_ticks = ticks;
    } else if (gpu->cycle - gpu->work_cycle > IDLE_CYCLES && ticks - gpu->work_ticks > IDLE_TICKS) {
        gpu->status = diagnostics_error(gpu->diagnostics, STATUS_INVALID,
                                        "launch %u: no progress since cycle %" PRIu64
                                        ": no warp can issue and no request can move; %s",
                                        gpu->launch, gpu->work_cycle, stuck_on(gpu));
    }
}

/* A sample counts the cycles up to its span's end, not only those of launches that ended. */
static void sample(struct gpu *gpu)
{
    struct gpu_counts counts;
    add_counts(gpu, &counts);
    counts.cycles = gpu->cycle;
    gpu->next_sample = gpu->options->sampled(gpu->options->context, &counts);
}

static void report_progress(struct gpu *gpu)
{
    const struct evaluate_options *evaluate = gpu->options->evaluate;
    if (evaluate && evaluate_due(evaluate, &gpu->reported))
        evaluate->progress(evaluate->argument, gpu->measured
                                                   ? extent_walk_share(&gpu->walk, work_done(gpu))
                                                   : (double)gpu->given / (double)gpu->all_blocks);
}

static void run_spans(struct gpu *gpu)
{
    const struct evaluate_options *evaluate = gpu->options->evaluate;
    gpu->next_sample = gpu->options->sampled ? 0 : UINT64_MAX;
    start_launch(gpu);
    while (gpu->launch < gpu->source->launch_count && !gpu->status) {
        make_steps(gpu);
#pragma omp parallel for schedule(dynamic, 1)                                                      \
    num_threads(gpu->options->threads) if (gpu->options->threads > 1)
        for (uint32_t i = 0; i < gpu->channel_count; i++)
            advance_channel(gpu, &gpu->channels[i]);
        for (uint32_t i = 0; i < gpu->channel_count && !gpu->status; i++)
            gpu->status = gpu->channels[i].status;
        carry_replies(gpu);
        run_sms(gpu);
        run_mmu(gpu);
        carry_requests(gpu);
        gpu->cycle += gpu->span;
        if (!gpu->status)
            watch_progress(gpu);
        if (gpu->cycle >= gpu->next_sample)
            sample(gpu);
        if (evaluate && evaluate_cancelled(evaluate))
            gpu->status = STATUS_CANCELLED;
        report_progress(gpu);
    }
}

enum status gpu_run(const struct machine *machine, const struct trace_source *source,
                    const struct gpu_options *options, struct gpu_counts *counts,
                    uint64_t *latencies, struct diagnostics *diagnostics)
{
    struct gpu *gpu = calloc(1, sizeof *gpu);
    if (!gpu)
        return STATUS_MEMORY;
    gpu->machine = machine;
    gpu->source = source;
    gpu->options = options;
    gpu->diagnostics = diagnostics;
    gpu->all_blocks = trace_source_blocks(source);
    gpu->reported = clock_seconds();
    const struct extent *extent = options->evaluate ? options->evaluate->extent : NULL;
    gpu->measured = extent && extent->source == source;
    if (gpu->measured)
        extent_walk_begin(extent, &gpu->walk);
    gpu->status = init(gpu);
    if (!gpu->status)
        run_spans(gpu);
    add_counts(gpu, counts);
    for (uint32_t i = 0; !gpu->status && i < gpu->sm_count; i++)
        for (uint32_t b = 0; b < LATENCY_BUCKETS; b++)
            latencies[b] += gpu->sms[i].latencies[b];
    const enum status status = gpu->status;
    release(gpu);
    free(gpu);
    return status;
}
