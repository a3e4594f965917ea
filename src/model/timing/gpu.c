#include "model/timing/gpu.h"

#include <inttypes.h>

#include "base/clock.h"
#include "model/gpu/block_placement.h"
#include "model/gpu/occupancy.h"
#include "model/timing/gpu_parts.h"
#include "model/timing/run_proof.h"
#include "model/timing/sm/sm.h"
#include "model/timing/sm/warp_counts.h"

/* Finds the first block of each SM where a placement is held. */
static void hold_blocks(struct gpu *gpu)
{
    const struct block_placement *placement = gpu->options->evaluate->placement;
    const uint64_t end = gpu->first_block + gpu->blocks;
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        gpu->held[i] =
            (struct held_blocks){block_placement_next(placement, i, gpu->first_block, end), end};
}

static void start_launch(struct gpu *gpu)
{
    const struct machine *machine = gpu->machine;
    const struct trace_launch *launch = &gpu->source->launches[gpu->launch];
    const bool roomy = ideal_has(gpu->shared->ideals, IDEAL_OCCUPANCY);
    const struct occupancy occupancy =
        roomy ? occupancy_of_threads(machine, launch) : occupancy_of(machine, launch);
    if (!occupancy.blocks) {
        gpu->status = diagnostics_error(gpu->diagnostics, STATUS_INVALID,
                                        "launch %u (%s) does not fit an SM: its %s do not",
                                        gpu->launch, launch->name ? launch->name : "unnamed",
                                        occupancy_limit_name(occupancy.limit));
        return;
    }
    if (gpu->measured)
        extent_walk_launch(&gpu->walk, gpu_work_done(gpu));
    gpu->blocks = launch_blocks(launch);
    gpu->next_block = 0;
    gpu->first_block = gpu->given;
    if (gpu->held)
        hold_blocks(gpu);
    const uint64_t share = (gpu->blocks + gpu->sm_count - 1) / gpu->sm_count;
    gpu->block_slots = share < occupancy.blocks ? (uint32_t)share : occupancy.blocks;
    const uint64_t ways = occupancy_l1d_ways(machine, launch);
    for (uint32_t i = 0; !gpu->status && i < gpu->sm_count; i++)
        gpu->status = sm_prepare(&gpu->sms[i], gpu->launch, gpu->block_slots, ways);
    if (gpu->logs)
        gpu_tell_launch(gpu, EVENT_launch_start, gpu->begun);
    gpu->live_from =
        gpu->begun + machine->gpu.launch_latency + gpu->blocks * machine->gpu.block_latency;
}

static void advance_one(const struct gpu *gpu, struct sm *sm)
{
    const bool hungry = gpu_is_hungry(gpu, sm);
    uint64_t to = gpu->advance_end;
    if (hungry && sm_has_room(sm)) {
        const uint64_t first = sm->now < gpu->live_from ? gpu->live_from + 1 : sm->now + 1;
        to = first < to ? first : to;
    }
    sm_advance(sm, to, hungry);
    sm->stopped = !sm->starved && hungry && sm_has_room(sm) && sm->now > gpu->live_from;
}

static void advance_sm(void *context, uint32_t item)
{
    const struct gpu *gpu = context;
    advance_one(gpu, &gpu->sms[gpu->advanced[item]]);
}

static bool may_advance(const struct gpu *gpu, const struct sm *sm)
{
    return sm->now < gpu->advance_end && !sm->stopped && !sm->starved;
}

/* The SMs of a cluster one after the other, each with the room that those before it left. */
static void advance_cluster(void *context, uint32_t cluster)
{
    const struct gpu *gpu = context;
    for (uint32_t turn = 0; turn < gpu->cluster_size; turn++) {
        const uint32_t i = gpu_cluster_sm(gpu, cluster, turn);
        if (!may_advance(gpu, &gpu->sms[i]))
            continue;
        gpu_look_for_room(gpu, i, gpu->sms[i].now);
        advance_one(gpu, &gpu->sms[i]);
    }
}

/* Advances the SMs that may go on, each to the end of the span or to where it can take a block. */
static void advance_sms(struct gpu *gpu, uint64_t end)
{
    uint32_t count = 0;
    gpu->advance_end = end;
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        if (may_advance(gpu, &gpu->sms[i]))
            gpu->advanced[count++] = i;
    if (gpu->clusters)
        team_run(&gpu->team, gpu->port_count, advance_cluster, gpu);
    else
        team_run(&gpu->team, count, advance_sm, gpu);
    for (uint32_t i = 0; i < count && !gpu->status; i++)
        gpu->status = sm_status(&gpu->sms[gpu->advanced[i]]);
}

/* The earliest cycle in front of which an SM waits for a block (*starved: for the network). False
 * if none waits. */
static bool earliest_stop(const struct gpu *gpu, uint64_t *when, bool *starved)
{
    *when = UINT64_MAX;
    for (uint32_t i = 0; i < gpu->sm_count; i++) {
        const struct sm *sm = &gpu->sms[i];
        if (!sm->stopped && !sm->starved)
            continue;
        if (sm->now < *when || (sm->now == *when && sm->stopped))
            *starved = sm->starved;
        *when = sm->now < *when ? sm->now : *when;
    }
    return *when != UINT64_MAX;
}

/* How many flits of an SM wait in front of the router, and how many more do not wait for anything
 * but each other. Between two cycles of an SM the router takes one of them, unless their clocks
 * differ: then only the look at each cycle is sure. */
static void look_at_router(const struct gpu *gpu, uint32_t index, uint64_t cycle)
{
    struct sm *sm = &gpu->sms[index];
    const struct fly *fly = &gpu->requests.fly;
    const bool beside = gpu->machine->network.clock == gpu->machine->gpu.clock;
    const uint32_t port = index / gpu->cluster_size, sure = fly_sure(fly, port);
    uint32_t waiting = fly_waiting(fly, port);
    if (gpu->clusters)
        waiting += (uint32_t)gpu_waiting_flits(gpu, port);
    sm->port.inject_free = cycle + 1 + waiting - (beside && fly_enters(fly, port));
    sm->port.room = beside && sure > waiting ? sure - waiting : 0;
    sm->port.room_cycle = cycle;
    sm->starved = false;
}

void gpu_look_for_room(const struct gpu *gpu, uint32_t index, uint64_t cycle)
{
    struct sm *sm = &gpu->sms[index];
    if (gpu->requests.routed) {
        look_at_router(gpu, index, cycle);
        return;
    }
    const uint32_t port = index / gpu->cluster_size;
    const uint64_t sent = gpu->clusters ? gpu_waiting_flits(gpu, port) : sm->port.sent_flits;
    const uint64_t held = network_held(&gpu->requests, port) + sent;
    sm->port.held = (uint32_t)held;
    sm->port.room = limit_left(&sm->port.places, held);
    sm->port.empty = !held;
    sm->port.room_cycle = cycle;
    sm->starved = false;
}

/* All SMs have come to a cycle in front of which some wait for the network. */
static void resume_starved(struct gpu *gpu, uint64_t when)
{
    gpu_carry_requests(gpu, when);
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        if (gpu->sms[i].starved && gpu->sms[i].now == when)
            gpu_look_for_room(gpu, i, when);
}

static void take_mark(struct gpu *gpu, uint64_t when)
{
    const struct gpu_marks *marks = gpu->options->marks;
    if (!marks || gpu->marked == marks->count || marks->blocks[gpu->marked] != gpu->given)
        return;
    gpu_add_counts(gpu, false, &marks->counts[gpu->marked], NULL);
    marks->counts[gpu->marked++].cycles += when - gpu->begun;
}

bool gpu_give_block(struct gpu *gpu, struct sm *sm, uint64_t when)
{
    const struct evaluate_options *evaluate = gpu->options->evaluate;
    uint64_t block = gpu->first_block + gpu->next_block;
    if (!gpu_is_hungry(gpu, sm) || gpu->status)
        return false;
    if (gpu->held) {
        struct held_blocks *held = &gpu->held[sm->number];
        block = held->next;
        held->next = block_placement_next(evaluate->placement, sm->number, block + 1, held->end);
    }
    if (evaluate && evaluate->record_placement)
        evaluate->record_placement->sms[block] = sm->number;
    gpu->status = sm_start_block(sm, block - gpu->first_block);
    gpu->next_block++;
    gpu->given++;
    take_mark(gpu, when);
    return true;
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
        if (gpu_give_block(gpu, sm, when))
            gpu->last_served = i;
        if (!sm->live_blocks)
            sm_empty_l1d(sm);
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

/* Empties the slices. What is under way arrives there without finding its place. */
static void flush_l2(struct gpu *gpu)
{
    if (gpu->options->proof)
        run_proof_note_l2(gpu->options->proof, gpu);
    for (uint32_t i = 0; i < gpu->channel_count; i++)
        for (uint32_t k = 0; k < gpu->channels[i].slice_count; k++)
            cache_unit_flush(&gpu->channels[i].slices[k].cache);
}

/* Adds what the launch takes if nothing but issue limits it. */
static void add_bound(struct gpu *gpu)
{
    const uint64_t width = gpu->machine->scheduler.issue;
    uint64_t most = 0;
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        for (uint32_t k = 0; k < gpu->shared->schedulers; k++)
            most = gpu->sms[i].issued[k] > most ? gpu->sms[i].issued[k] : most;
    gpu->bound += (most + width - 1) / width;
}

/* Ends the launch that ran and starts the next one in the cycle after it. */
static void next_launch(struct gpu *gpu)
{
    struct gpu_counts counts;
    gpu->total_cycles += gpu->ended - gpu->begun;
    add_bound(gpu);
    if (gpu->logs)
        gpu_tell_launch(gpu, EVENT_launch_end, gpu->ended);
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        sm_empty_l1d(&gpu->sms[i]);
    if (gpu->machine->l2.enabled && gpu->machine->l2.flush)
        flush_l2(gpu);
    if (gpu->options->pcs && !gpu->status)
        gpu->status = gpu_report_pcs(gpu, gpu->options->pcs);
    for (uint32_t i = 0; gpu->options->warps && !gpu->status && i < gpu->sm_count; i++)
        gpu->status = warp_counts_report(&gpu->sms[i], gpu->options->warps);
    if (gpu->options->launched) {
        gpu_add_counts(gpu, true, &counts, NULL);
        gpu->options->launched(gpu->options->context, gpu->launch, &counts);
    }
    gpu->launch++;
    gpu->begun = gpu->ended;
    for (uint32_t i = 0; i < gpu->sm_count; i++) {
        gpu->sms[i].now = gpu->begun;
        gpu->sms[i].port.room_cycle = UINT64_MAX;
        gpu->sms[i].stopped = false;
    }
    if (gpu->launch < gpu->source->launch_count)
        start_launch(gpu);
}

/* The SMs' part of a span, in which blocks are given and launches end. */
static void run_sms(struct gpu *gpu)
{
    const uint64_t end = gpu->cycle + gpu->span->cycles;
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        gpu_look_for_room(gpu, i, gpu->cycle);
    gpu_begin_requests(gpu);
    if (gpu->clusters)
        gpu_begin_clusters(gpu);
    for (uint64_t when; gpu->launch < gpu->source->launch_count && !gpu->status;) {
        bool starved = false;
        advance_sms(gpu, end);
        if (earliest_stop(gpu, &when, &starved)) {
            if (starved)
                resume_starved(gpu, when);
            else if (gpu->clusters)
                gpu_give_to_clusters(gpu, when);
            else
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
        "an L1D has a set of dirty lines that l1d.dirty keeps (not at 1 / sets or less)",
        "l1d.miss_queue is too short", "l1d.mshr.entries are too few",
        "l1d.mshr.merge is too short", "stores wait for each other"};
    for (uint32_t i = 0; i < gpu->sm_count; i++) {
        const struct load_store *unit = &gpu->sms[i].load_store;
        const uint32_t bank = set_from(unit->refused, gpu->shared->bank_words, 0);
        if (bank != UINT32_MAX)
            return reasons[unit->banks[bank].blocked - UNIT_FAIL];
    }
    return "some queue of this machine is too short";
}

static void watch_progress(struct gpu *gpu)
{
    const struct mmu_counts *mmu = &gpu->mmu.counts;
    uint64_t work = gpu->launch + gpu->next_block + gpu->reply_bytes;
    work += mmu->requests + mmu->walks + mmu->reads;
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
        gpu->status = diagnostics_error(gpu->diagnostics, STATUS_STUCK,
                                        "launch %u: no progress since cycle %" PRIu64
                                        ": no warp can issue and no request can move; %s",
                                        gpu->launch, gpu->work_cycle, stuck_on(gpu));
    }
}

/* Memory goes first: what SMs send in a span reaches the L2 after it (gpu.h), so channels and
 * walkers know all that concerns them, and SMs then take what both answer. Bypass policies exchange
 * where all SMs have come as far, at multiples of BYPASS_EXCHANGE, which no span steps over. */
static void run_spans(struct gpu *gpu, uint64_t end)
{
    const struct evaluate_options *evaluate = gpu->options->evaluate;
    while (!gpu_ended(gpu) && gpu->cycle < end && !gpu->status) {
        gpu_make_steps(gpu);
        gpu_advance_memory(gpu);
        gpu_run_mmu(gpu);
        run_sms(gpu);
        gpu_ask_mmu(gpu);
        if (gpu->logs)
            gpu_hand_events(gpu);
        gpu->cycle += gpu->span->cycles;
        if (gpu->bypasses && gpu->cycle % BYPASS_EXCHANGE == 0)
            bypass_exchange(gpu->bypasses, gpu->sm_count);
        if (!gpu->status)
            watch_progress(gpu);
        if (gpu->cycle >= gpu->next_sample)
            gpu_sample(gpu);
        if (evaluate && evaluate_cancelled(evaluate))
            gpu->status = STATUS_CANCELLED;
        gpu_report_progress(gpu);
    }
}

/* Runs the spans on several threads. A run that was cancelled between two of them may go on. */
enum status gpu_advance(struct gpu *gpu, uint64_t cycle)
{
    gpu->status = gpu->status == STATUS_CANCELLED ? STATUS_OK : gpu->status;
    const uint32_t threads = gpu->options->threads;
    team_init(&gpu->team, threads ? threads : 1);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
#pragma omp master
        {
            run_spans(gpu, cycle);
            team_end(&gpu->team);
        }
        team_help(&gpu->team);
    }
    team_free(&gpu->team);
    return gpu->status;
}

uint64_t gpu_cycle(const struct gpu *gpu)
{
    return gpu->cycle;
}

bool gpu_ended(const struct gpu *gpu)
{
    return gpu->launch == gpu->source->launch_count;
}

enum status gpu_read(struct gpu *gpu, struct gpu_counts *counts, struct gpu_totals *totals)
{
    *totals = (struct gpu_totals){.bound = gpu->bound};
    gpu_add_counts(gpu, !gpu->status && gpu_ended(gpu), counts, totals->most);
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        for (uint32_t b = 0; b < LATENCY_BUCKETS; b++)
            totals->latencies[b] += gpu->sms[i].latencies[b];
    return gpu->status;
}

/* Records where blocks come to lie, or holds them where they lay, if that is asked for. */
static enum status open_placement(struct gpu *gpu)
{
    const struct evaluate_options *evaluate = gpu->options->evaluate;
    enum status status = STATUS_OK;
    if (evaluate && evaluate->record_placement)
        status = block_placement_begin(evaluate->record_placement, gpu->all_blocks);
    if (status || !evaluate || !evaluate->placement)
        return status;
    status = block_placement_check(evaluate->placement, gpu->all_blocks, gpu->sm_count,
                                   gpu->diagnostics);
    arrays_add(&gpu->arrays, &gpu->held, gpu->sm_count, sizeof *gpu->held);
    return status || gpu->held ? status : STATUS_MEMORY;
}

void gpu_close(struct gpu *gpu)
{
    if (gpu)
        gpu_release(gpu);
    free(gpu);
}

enum status gpu_open(const struct machine *machine, const struct trace_source *source,
                     const struct gpu_options *options, struct diagnostics *diagnostics,
                     struct gpu **opened)
{
    struct gpu *gpu = *opened = calloc(1, sizeof *gpu);
    if (!gpu)
        return STATUS_MEMORY;
    gpu->machine = machine;
    gpu->source = source;
    gpu->options = options;
    gpu->diagnostics = diagnostics;
    gpu->all_blocks = trace_source_blocks(source);
    gpu->begun = gpu->delay = options->evaluate ? options->evaluate->start_delay : 0;
    gpu->reported = clock_seconds();
    const struct extent *extent = options->evaluate ? options->evaluate->extent : NULL;
    gpu->measured = extent && extent->source == source;
    if (gpu->measured)
        extent_walk_begin(extent, &gpu->walk);
    gpu->next_sample = options->sampled ? 0 : UINT64_MAX;
    gpu->span = gpu->requests_span = gpu->spans; /* an empty one */
    gpu->status = gpu_init(gpu);
    if (!gpu->status)
        gpu->status = open_placement(gpu);
    if (!gpu->status)
        start_launch(gpu);
    const enum status status = gpu->status;
    if (status) {
        gpu_close(gpu);
        *opened = NULL;
    }
    return status;
}

enum status gpu_run(const struct machine *machine, const struct trace_source *source,
                    const struct gpu_options *options, struct gpu_counts *counts,
                    struct gpu_totals *totals, struct diagnostics *diagnostics)
{
    struct gpu *gpu;
    *counts = (struct gpu_counts){0};
    if (options->proof)
        run_proof_begin(options->proof, machine);
    enum status status = gpu_open(machine, source, options, diagnostics, &gpu);
    if (status)
        return status;
    status = gpu_advance(gpu, UINT64_MAX);
    const enum status counted = gpu_read(gpu, counts, totals);
    if (options->proof && !status && !counted)
        run_proof_end(options->proof, gpu);
    gpu_close(gpu);
    return status ? status : counted;
}
