#include <string.h>

#include "model/gpu/occupancy.h"
#include "model/timing/memory/footprint.h"
#include "model/timing/memory/mmu.h"
#include "model/timing/sm/code_counts.h"
#include "model/timing/sm/sm.h"
#include "model/timing/sm/warp_counts.h"

/* The life of an SM: its parts, launches and blocks. */

enum { WINDOW_INSTRUCTIONS = 32, WINDOW_ACCESSES = 4 };

bool sm_has_room(const struct sm *sm)
{
    return sm->live_blocks < sm->block_slots;
}

void sm_empty_l1d(struct sm *sm)
{
    if (!sm->shared->machine->l1d.enabled || !sm->shared->machine->l1d.flush)
        return;
    if (sm->footprint)
        footprint_add(sm->footprint, &sm->load_store.l1d, NULL);
    cache_unit_flush(&sm->load_store.l1d);
}

static void start_warp(struct sm *sm, uint32_t slot, uint32_t number, uint32_t threads,
                       uint64_t block)
{
    const uint32_t index = slot * sm->warps_per_block + number;
    struct sm_warp *warp = &sm->warps[index];
    const uint32_t first = number * WARP_SIZE, left = threads - first;
    const struct sm_machine *shared = sm->shared;
    const uint32_t scheduler = index % shared->schedulers;
    const struct instruction_window instructions = warp->instructions;
    const struct access_window records = warp->records;
    *warp = (struct sm_warp){.instructions = instructions,
                             .records = records,
                             .age = sm->ages++,
                             .lanes = left < WARP_SIZE ? (1u << left) - 1 : UINT32_MAX,
                             .block = (uint16_t)slot,
                             .scheduler = (uint8_t)scheduler,
                             .slot = (uint8_t)(index / shared->schedulers),
                             .turn = (uint8_t)(index % shared->banks),
                             .present = true};
    if (shared->subcores)
        warp->first_bank = (uint8_t)(scheduler * shared->banks);
    warp->instructions.count = warp->records.count = 0;
    warp->instructions.end = warp->records.end = false;
    sm->resident++;
    set_bit(sm->fetch.fetchable, index, true);
    scheduler_add(&sm->schedulers[scheduler], warp->slot, warp->age, block);
    if (sm->by_warp)
        warp_counts_started(sm, index, number);
    if (sm->load_store.l1d.bypass)
        bypass_warp_came(sm->load_store.l1d.bypass, index, slot, warp->age);
    if (sm->load_store.l1d.throttle)
        throttle_warp_came(sm->load_store.l1d.throttle, index, warp->age);
    sm_update(sm, index);
}

enum status sm_start_block(struct sm *sm, uint64_t block)
{
    const struct trace_source *source = sm->shared->source;
    const struct trace_launch *launch = &source->launches[sm->launch];
    uint32_t slot = 0;
    while (sm->blocks[slot].reader)
        slot++;
    enum status status = source->ops->open_block(source, sm->launch, block,
                                                 &sm->blocks[slot].reader, sm->diagnostics);
    if (status)
        return status;
    sm->blocks[slot].warps = sm->blocks[slot].running = sm->warps_per_block;
    sm->blocks[slot].waiting = 0;
    sm->blocks[slot].arrived = 0;
    sm->blocks[slot].order = sm->block_orders;
    sm->blocks[slot].number = block;
    if (sm->events)
        sm_tell(sm, EVENT_block_start, sm->now - 1, NO_SLOT, slot);
    sm->live_blocks++;
    for (uint32_t i = 0; i < sm->warps_per_block; i++)
        start_warp(sm, slot, i, launch_threads(launch), sm->block_orders);
    sm->block_orders++;
    return STATUS_OK;
}

static void free_warps(struct sm *sm)
{
    for (uint32_t i = 0; sm->warps && i < sm->warp_slots; i++) {
        instruction_window_free(&sm->warps[i].instructions);
        window_free(&sm->warps[i].records);
    }
    for (uint32_t i = 0; sm->blocks && i < sm->block_slots; i++)
        sm->shared->source->ops->close_block(sm->blocks[i].reader);
    free(sm->warps);
    free(sm->blocks);
    sm->warps = NULL;
    sm->blocks = NULL;
}

static enum status make_windows(struct sm *sm)
{
    for (uint32_t i = 0; i < sm->warp_slots; i++)
        if (instruction_window_init(&sm->warps[i].instructions, WINDOW_INSTRUCTIONS) ||
            window_init(&sm->warps[i].records, WINDOW_ACCESSES))
            return STATUS_MEMORY;
    return STATUS_OK;
}

static enum status make_warps(struct sm *sm)
{
    sm->warps = calloc(sm->warp_slots, sizeof *sm->warps);
    sm->blocks = calloc(sm->block_slots, sizeof *sm->blocks);
    return sm->warps && sm->blocks ? make_windows(sm) : STATUS_MEMORY;
}

/* Reads a block that another SM has open as far as that has. */
static enum status read_again(struct sm *sm, uint32_t slot)
{
    const struct trace_source_ops *ops = sm->shared->source->ops;
    struct sm_block *block = &sm->blocks[slot];
    enum status status = ops->open_block(sm->shared->source, sm->launch, block->number,
                                         &block->reader, sm->diagnostics);
    for (uint32_t i = 0; !status && i < sm->warps_per_block; i++) {
        struct sm_warp *warp = &sm->warps[slot * sm->warps_per_block + i];
        for (uint32_t n = 0; !status && n < warp->instruction_fills; n++)
            status = ops->read_instructions(block->reader, i, &warp->instructions, sm->diagnostics);
        for (uint32_t n = 0; !status && n < warp->record_fills; n++)
            status = ops->read(block->reader, i, &warp->records, sm->diagnostics);
    }
    return status;
}

static enum status copy_warps(struct sm *sm)
{
    const bool warps = array_copy(&sm->warps, sm->warp_slots * sizeof *sm->warps);
    const bool blocks = array_copy(&sm->blocks, sm->block_slots * sizeof *sm->blocks);
    uint64_t open[WARPS_MAX / 64] = {0}; /* slots of blocks */
    for (uint32_t i = 0; sm->warps && i < sm->warp_slots; i++) {
        sm->warps[i].instructions = (struct instruction_window){0};
        sm->warps[i].records = (struct access_window){0};
    }
    for (uint32_t i = 0; sm->blocks && i < sm->block_slots; i++) {
        set_bit(open, i, sm->blocks[i].reader);
        sm->blocks[i].reader = NULL;
    }
    if (!warps || !blocks)
        return STATUS_MEMORY;
    if (!sm->warps)
        return STATUS_OK; /* before the first launch */
    enum status status = make_windows(sm);
    for (uint32_t i = 0; !status && (i = set_from(open, WARPS_MAX / 64, i)) != UINT32_MAX; i++)
        status = read_again(sm, i);
    return status;
}

/* Caches keep what they hold, and warps their memory where the launch has the shape of the one
 * before; all blocks of that have ended, so nothing of them is left in it. */
enum status sm_prepare(struct sm *sm, uint32_t launch, uint32_t block_slots, uint64_t l1d_ways)
{
    struct load_store *unit = &sm->load_store;
    struct fetch_stage *front = &sm->fetch;
    const struct trace_source *source = sm->shared->source;
    const uint32_t warps = launch_warps(&source->launches[launch]);
    sm->launch = launch;
    sm->code = &sm->shared->codes[source->launches[launch].code - 1];
    if (sm->shared->machine->l1d.enabled) {
        cache_unit_set_ways(&unit->l1d, l1d_ways);
        cache_unit_set_on_fill(
            &unit->l1d, occupancy_l1d_on_fill(sm->shared->machine, &source->launches[launch]));
    }
    sm->first_order = sm->block_orders;
    memset(sm->issued, 0, sizeof sm->issued);
    for (uint32_t i = 0; i < sm->shared->schedulers; i++)
        scheduler_launch(&sm->schedulers[i], sm->first_order);
    if (unit->l1d.throttle)
        throttle_launch(unit->l1d.throttle);
    if (unit->l1d.bypass &&
        bypass_launch(unit->l1d.bypass, (uint32_t)l1d_ways, source->launches[launch].name,
                      trace_launch_code(source, launch)))
        return STATUS_MEMORY;
    if (sm->by_code && code_counts_begin(sm))
        return STATUS_MEMORY;
    if (sm->warps && block_slots == sm->block_slots && warps == sm->warps_per_block)
        return STATUS_OK;
    free_warps(sm);
    sm->block_slots = block_slots;
    sm->warps_per_block = warps;
    sm->warp_slots = block_slots * warps;
    memset(front->fetchable, 0, sizeof front->fetchable);
    memset(front->endable, 0, sizeof front->endable);
    return make_warps(sm);
}

static enum status init_l1i(struct sm *sm)
{
    struct fetch_stage *front = &sm->fetch;
    const struct instruction_cache_config *l1i = &sm->shared->machine->l1i;
    const struct cache_config config = instruction_cache_of(l1i);
    enum status status = cache_unit_init(&front->l1i, &config, config.ways, 0);
    front->l1i.instructions = true;
    front->l1i.part_bytes = sm->shared->part_bytes;
    const uint32_t parts = (uint32_t)((l1i->line - 1) / sm->shared->part_bytes + 1);
    if (!status)
        status = stream_buffer_init(&front->stream, l1i->buffer, l1i->entries, parts,
                                    sm->shared->address_mask / l1i->line);
    return status || !l1i->l0.size ? status : sm_l0_init(sm);
}

static enum status init_caches(struct sm *sm, uint64_t ways_max)
{
    struct load_store *unit = &sm->load_store;
    const struct machine *machine = sm->shared->machine;
    enum status status = STATUS_OK;
    sm->fetch.l1i.ready_first = unit->l1d.ready_first =
        UINT32_MAX; /* without caches none is ready */
    if (machine->l1i.enabled)
        status = init_l1i(sm);
    sm->translate.tlb.ready_first = UINT32_MAX;
    if (!status && sm->shared->page_bits) {
        struct cache_config config = mmu_tlb_config(&machine->tlb);
        config.miss_queue = machine->walker.queue;
        status =
            cache_unit_init(&sm->translate.tlb, &config, config.ways, machine->seed + sm->number);
        sm->translate.tlb.instructions = true;
    }
    if (!status && machine->l1d.enabled)
        status = cache_unit_init(&unit->l1d, &machine->l1d, ways_max, machine->seed + sm->number);
    if (!status && ideal_has(sm->shared->ideals, IDEAL_L1D_HITS))
        cache_unit_set_hits(&unit->l1d);
    else if (!status && sm->shared->source->some_hit)
        cache_unit_set_some_hits(&unit->l1d);
    unit->l1d.above = true;
    if (!machine->l1d.enabled || status)
        return status;
    unit->l1d.part_bytes = sm->shared->part_bytes;
    unit->l1d.strays = machine->gpu.simulator_faults;
    status = bypass_create(machine, sm->number, (uint32_t)unit->l1d.geometry.sets,
                           unit->l1d.ways_max, &unit->l1d.bypass);
    if (!status && unit->l1d.bypass)
        status = reorder_init(&unit->reorder, unit->l1d.bypass);
    const uint32_t lines = (uint32_t)unit->l1d.geometry.sets * unit->l1d.ways_max;
    return status ? status : throttle_create(machine, lines, &unit->l1d.throttle);
}

enum status sm_init(struct sm *sm, const struct sm_machine *shared, uint16_t number,
                    uint64_t ways_max, struct diagnostics *diagnostics)
{
    const struct machine *machine = shared->machine;
    const uint32_t schedulers = (uint32_t)machine->scheduler.count;
    *sm = (struct sm){.shared = shared,
                      .number = number,
                      .diagnostics = diagnostics,
                      .fetch = {.buffer = NO_WARP},
                      .ops = {.free = NO_OP},
                      .records = {.free = NO_RECORD},
                      .load_store = {.latch = NO_OP, .written_back = NO_OP, .passed_reply = NO_OP},
                      .port = {.places = limit_of(machine->network.queue),
                               .inject = limit_of(machine->network.inject),
                               .ejected = limit_of(machine->network.ejected),
                               .answers = limit_of(machine->core.responses)},
                      .barriers = {.next = UINT64_MAX}};
    const uint32_t warps = (uint32_t)machine->gpu.max_threads / WARP_SIZE;
    for (uint32_t i = 0; i < schedulers; i++) {
        scheduler_init(&sm->schedulers[i], &machine->scheduler,
                       (warps + schedulers - 1) / schedulers);
        sm->schedulers[i].waits = UINT64_MAX; /* as if all warps had ended */
    }
    struct load_store *unit = &sm->load_store;
    arrays_add(&sm->arrays, &unit->banks, shared->l1_banks, sizeof *unit->banks);
    arrays_add(&sm->arrays, &unit->occupied, shared->bank_words, sizeof *unit->occupied);
    arrays_add(&sm->arrays, &unit->refused, shared->bank_words, sizeof *unit->refused);
    arrays_add(&sm->arrays, &sm->latencies, LATENCY_BUCKETS, sizeof *sm->latencies);
    execute_init(sm);
    collect_init(sm);
    return sm->arrays.failed ? STATUS_MEMORY : init_caches(sm, ways_max);
}

void sm_free(struct sm *sm)
{
    struct load_store *unit = &sm->load_store;
    if (!sm->shared)
        return;
    free_warps(sm);
    code_counts_free(sm);
    warp_counts_free(sm);
    free(sm->ops.items);
    free(sm->records.items);
    cache_unit_free(&sm->fetch.l1i);
    stream_buffer_free(&sm->fetch.stream);
    for (uint32_t i = 0; sm->fetch.l0s && i < sm->fetch.l0_count; i++)
        cache_unit_free(&sm->fetch.l0s[i]);
    reorder_free(&unit->reorder);
    bypass_free(unit->l1d.bypass);
    throttle_free(unit->l1d.throttle);
    cache_unit_free(&unit->l1d);
    cache_unit_free(&sm->translate.tlb);
    free(sm->translate.retries);
    packet_pool_free(&sm->packets);
    arrays_free(&sm->arrays);
}

static bool copy_policies(struct cache_unit *l1d)
{
    const bool bypasses = l1d->bypass, throttles = l1d->throttle;
    l1d->bypass = bypasses ? bypass_copy(l1d->bypass) : NULL;
    l1d->throttle = throttles ? throttle_copy(l1d->throttle) : NULL;
    return !l1d->bypass == !bypasses && !l1d->throttle == !throttles;
}

enum status sm_copy(struct sm *sm)
{
    struct fetch_stage *front = &sm->fetch;
    bool all = arrays_copy(&sm->arrays);
    for (uint32_t i = 0; front->l0s && i < front->l0_count; i++)
        all &= cache_unit_copy(&front->l0s[i]);
    all &= cache_unit_copy(&front->l1i);
    all &= stream_buffer_copy(&front->stream);
    all &= cache_unit_copy(&sm->load_store.l1d);
    all &= copy_policies(&sm->load_store.l1d);
    all &= reorder_copy(&sm->load_store.reorder);
    all &= cache_unit_copy(&sm->translate.tlb);
    all &= array_copy(&sm->translate.retries,
                      sm->translate.retry_capacity * sizeof *sm->translate.retries);
    all &= packet_pool_copy(&sm->packets);
    all &= array_copy(&sm->ops.items, sm->ops.count * sizeof *sm->ops.items);
    all &= array_copy(&sm->records.items, sm->records.count * sizeof *sm->records.items);
    all &= code_counts_copy(sm);
    all &= warp_counts_copy(sm);
    const enum status status = copy_warps(sm);
    return all ? status : STATUS_MEMORY;
}
