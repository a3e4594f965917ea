#include "model/tile/subsystem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static enum status init_data(struct tile_subsystem *tiles, const struct tile_stream *stream)
{
    struct bank_shared *shared = &tiles->shared;
    shared->data = calloc(shared->tags.slots, sizeof *shared->data);
    return shared->data ? tile_memory_init(&shared->memory, stream) : STATUS_MEMORY;
}

enum status tile_subsystem_init(struct tile_subsystem *tiles, const struct machine *machine,
                                const struct tile_stream *stream,
                                const struct tile_run_options *options)
{
    const struct tile_config *config = &machine->tile;
    *tiles = (struct tile_subsystem){.shared.maps = options->maps,
                                     .shared.done = options->done,
                                     .shared.saw = options->saw,
                                     .shared.context = options->context,
                                     .parts = options->parts,
                                     .until = UINT64_MAX,
                                     .even = ideal_has(options->ideals, IDEAL_TILE_BANKS)};
    if (config->cache.slices > SCREEN_BANKS_MAX)
        return STATUS_INVALID;
    bank_limits(&tiles->shared, config);
    tiles->shared.free_ports = ideal_has(options->ideals, IDEAL_TILE_PORTS);
    tiles->shared.fifo *= tiles->even ? (uint32_t)config->cache.slices : 1;
    screen_init(&tiles->screen, config, stream->surfaces, stream->surface_count);
    tiles->shared.screen = &tiles->screen;
    tiles->shared.surfaces = stream->surfaces;
    enum status status = tags_init(&tiles->shared.tags, &config->cache, machine->seed);
    if (!status)
        status = bus_init(&tiles->shared.bus, machine, options->delays, options->delay_count);
    if (!status && options->carry)
        status = init_data(tiles, stream);
    tiles->occupancy = calloc((size_t)tiles->shared.entries + 1, sizeof *tiles->occupancy);
    if (!tiles->occupancy)
        status = status ? status : STATUS_MEMORY;
    for (; !status && tiles->bank_count < config->cache.slices; tiles->bank_count++)
        status = bank_init(&tiles->banks[tiles->bank_count], &tiles->shared, tiles->bank_count);
    if (status)
        tile_subsystem_free(tiles);
    return status;
}

enum status tile_subsystem_copy(struct tile_subsystem *tiles, const struct tile_subsystem *from,
                                const struct tile_run_options *options)
{
    const size_t occupancy = (size_t)from->shared.entries + 1;
    assert(!from->shared.data && !from->shared.maps && !from->parts);
    *tiles = *from;
    tiles->bank_count = 0;
    tiles->shared.screen = &tiles->screen;
    tiles->shared.done = options->done;
    tiles->shared.saw = options->saw;
    tiles->shared.context = options->context;
    enum status status = tags_copy(&tiles->shared.tags, &from->shared.tags);
    const enum status bus = bus_copy(&tiles->shared.bus, &from->shared.bus);
    status = status ? status : bus;
    tiles->occupancy = calloc(occupancy, sizeof *tiles->occupancy);
    if (tiles->occupancy)
        memcpy(tiles->occupancy, from->occupancy, occupancy * sizeof *tiles->occupancy);
    else
        status = STATUS_MEMORY;
    for (; !status && tiles->bank_count < from->bank_count; tiles->bank_count++)
        status = bank_copy(&tiles->banks[tiles->bank_count], &tiles->shared,
                           &from->banks[tiles->bank_count]);
    if (status)
        tile_subsystem_free(tiles);
    return status;
}

void tile_subsystem_free(struct tile_subsystem *tiles)
{
    for (uint32_t i = 0; i < tiles->bank_count; i++)
        bank_free(&tiles->banks[i]);
    tags_free(&tiles->shared.tags);
    bus_free(&tiles->shared.bus);
    tile_memory_free(&tiles->shared.memory);
    free(tiles->shared.data);
    free(tiles->occupancy);
    *tiles = (struct tile_subsystem){0};
}

/* ---- a cycle ----------------------------------------------------------------------------------
 */

enum dealt { DEALT_NOTHING, DEALT_SOME, DEALT_STALLED_INPUT, DEALT_STALLED_BANK };

static void hand_over(struct tile_subsystem *tiles, const struct tile_batch *batch, uint32_t number,
                      uint32_t to)
{
    const struct tile_request *request = &batch->requests[number];
    const struct bank_item item = {*request, screen_line(&tiles->screen, request),
                                   tiles->counts.requests++};
    bank_put(&tiles->banks[to], &tiles->shared, &item,
             batch->values ? batch->values[number] : NULL);
    screen_load_add(&tiles->counts.load, tiles->bank_count, to);
    if (tiles->shared.maps)
        tile_maps_request(tiles->shared.maps, request);
    if (tiles->parts)
        tile_parts_at(tiles->parts, tiles->now - 1)->requests[to]++;
}

bool tile_subsystem_has_room(const struct tile_subsystem *tiles, uint32_t to)
{
    uint32_t waiting = 0;
    for (uint32_t i = 0; tiles->even && i < tiles->bank_count; i++)
        waiting += tiles->banks[i].fifo_count;
    return tiles->even ? waiting < tiles->shared.fifo
                       : bank_has_room(&tiles->banks[to], &tiles->shared);
}

/* Hands requests over until one must wait; says whether it did and why. */
static enum dealt deal(struct tile_subsystem *tiles, const struct tile_batch *batch, uint32_t *next)
{
    uint32_t taken = 0; /* banks that took one */
    const uint64_t pipelines = tiles->shared.config->pipelines;
    for (uint64_t i = 0; i < pipelines && *next < batch->count; i++, ++*next) {
        const uint32_t to = screen_bank(&tiles->screen, &batch->requests[*next]);
        if (taken >> to & 1 && !tiles->even)
            return DEALT_STALLED_BANK;
        if (!tile_subsystem_has_room(tiles, to))
            return DEALT_STALLED_INPUT;
        hand_over(tiles, batch, *next, to);
        taken |= UINT32_C(1) << to;
    }
    return taken ? DEALT_SOME : DEALT_NOTHING;
}

/* Counts `more` cycles from `now` on, all as the last one, in the parts of time that they are in.
 */
static void add_to_parts(struct tile_subsystem *tiles, enum dealt dealt, uint64_t now,
                         uint64_t more)
{
    while (more) {
        struct tile_part *part = tile_parts_at(tiles->parts, now);
        const uint64_t left = tiles->parts->cycles - now % tiles->parts->cycles;
        const uint64_t cycles = more < left ? more : left;
        for (uint32_t i = 0; i < tiles->bank_count; i++) {
            part->stalls[tiles->banks[i].stall] += cycles;
            part->queued += tiles->banks[i].used * cycles;
        }
        part->input_stalls += dealt == DEALT_STALLED_INPUT ? cycles : 0;
        part->bank_stalls += dealt == DEALT_STALLED_BANK ? cycles : 0;
        now += cycles;
        more -= cycles;
    }
}

/* Counts `more` cycles that are as the last one. */
static void repeat(struct tile_subsystem *tiles, enum dealt dealt, uint64_t more)
{
    struct tile_counts *counts = &tiles->counts;
    if (tiles->parts)
        add_to_parts(tiles, dealt, tiles->now, more);
    for (uint32_t i = 0; i < tiles->bank_count; i++) {
        struct bank *bank = &tiles->banks[i];
        bank_stalled(bank, &tiles->shared, more);
        tiles->occupancy[bank->used] += more;
        counts->queue_sum += bank->used * more;
    }
    counts->input_stalls += dealt == DEALT_STALLED_INPUT ? more : 0;
    counts->bank_cycles += tiles->bank_count * more;
    tiles->now += more;
}

/* Cycles up to the next one in which data return, if nothing can happen until then. */
static uint64_t quiet_cycles(const struct tile_subsystem *tiles)
{
    uint64_t due = UINT64_MAX;
    for (uint32_t i = 0; i < tiles->bank_count; i++) {
        const struct bank *bank = &tiles->banks[i];
        if (bank->moved || bank->running != BANK_NONE ||
            (bank->fifo_count && bank->stall == BANK_RUNS))
            return 0;
        due = bank->next_due < due ? bank->next_due : due;
    }
    if (due == UINT64_MAX || due <= tiles->now)
        return 0;
    return (due < tiles->until ? due : tiles->until) - tiles->now;
}

/* Even banks: each that did nothing in this cycle works for the one that has something to do and
 * where most requests wait, the first of several. */
static void lend_cycles(struct tile_subsystem *tiles)
{
    uint32_t idle = 0;
    for (uint32_t i = 0; i < tiles->bank_count; i++)
        idle += !tiles->banks[i].moved;
    for (; idle; idle--) {
        struct bank *busiest = NULL;
        for (uint32_t i = 0; i < tiles->bank_count; i++) {
            struct bank *bank = &tiles->banks[i];
            if (bank->moved && !bank_idle(bank) &&
                (!busiest || bank->fifo_count + bank->used > busiest->fifo_count + busiest->used))
                busiest = bank;
        }
        if (!busiest)
            return;
        bank_step(busiest, &tiles->shared, tiles->now);
    }
}

void tile_subsystem_step(struct tile_subsystem *tiles, const struct tile_batch *batch,
                         uint32_t *next)
{
    struct tile_counts *counts = &tiles->counts;
    const uint32_t first = *next;
    for (uint32_t i = 0; i < tiles->bank_count; i++)
        bank_step(&tiles->banks[i], &tiles->shared, tiles->now);
    if (tiles->even)
        lend_cycles(tiles);
    for (uint32_t i = 0; i < tiles->bank_count; i++) {
        tiles->occupancy[tiles->banks[i].used]++;
        counts->queue_sum += tiles->banks[i].used;
    }
    counts->bank_cycles += tiles->bank_count;
    tiles->now++;
    const enum dealt dealt = deal(tiles, batch, next);
    counts->input_stalls += dealt == DEALT_STALLED_INPUT;
    counts->bank_stalls += dealt == DEALT_STALLED_BANK;
    if (tiles->parts)
        add_to_parts(tiles, dealt, tiles->now - 1, 1);
    if (*next != first)
        return;
    const uint64_t quiet = quiet_cycles(tiles);
    if (quiet)
        repeat(tiles, dealt, quiet);
}

/* ---- the end of a pass ------------------------------------------------------------------------
 */

bool tile_subsystem_idle(const struct tile_subsystem *tiles)
{
    for (uint32_t i = 0; i < tiles->bank_count; i++)
        if (!bank_idle(&tiles->banks[i]))
            return false;
    return true;
}

uint64_t tile_subsystem_empty(struct tile_subsystem *tiles)
{
    struct bank_shared *shared = &tiles->shared;
    struct tags *tags = &shared->tags;
    for (uint32_t i = 0; i < tiles->bank_count; i++)
        tiles->banks[i].ahead_left = 0;
    for (uint32_t slot = 0; slot < tags->slots; slot++) {
        if (!tags_drop(tags, slot))
            continue;
        bus_write(&shared->bus, tags->addresses[slot], tiles->now);
        tiles->counts.banks.writebacks++;
        if (shared->data)
            memcpy(tile_memory_line(&shared->memory, tags->addresses[slot]), shared->data[slot],
                   sizeof *shared->data);
    }
    return bus_idle(&shared->bus, tiles->now);
}

static void add_banks(struct tile_subsystem *tiles)
{
    struct bank_counts *sum = &tiles->counts.banks;
    for (uint32_t i = 0; i < tiles->bank_count; i++) {
        const struct bank_counts *one = &tiles->banks[i].counts;
        sum->cleared += one->cleared;
        sum->accesses += one->accesses;
        sum->misses += one->misses;
        sum->chains += one->chains;
        sum->chained += one->chained;
        sum->unread += one->unread;
        sum->prefetches += one->prefetches;
        sum->longest = one->longest > sum->longest ? one->longest : sum->longest;
        sum->cache_writes += one->cache_writes;
        sum->refills += one->refills;
        sum->tag_updates += one->tag_updates;
        sum->writebacks += one->writebacks;
        for (int k = 0; k < BANK_STALLS; k++)
            sum->stalls[k] += one->stalls[k];
    }
}

void tile_subsystem_finish(struct tile_subsystem *tiles)
{
    struct tile_counts *counts = &tiles->counts;
    add_banks(tiles);
    counts->reads = tiles->shared.bus.reads;
    counts->loaded = tiles->shared.bus.loaded;
    counts->stored = tiles->shared.bus.stored;
    counts->cycles = tiles->now;
    uint64_t sum = 0;
    for (uint32_t i = 0; i <= tiles->shared.entries; i++) {
        sum += tiles->occupancy[i];
        if (sum * 100 >= counts->bank_cycles * 99) {
            counts->queue_p99 = i;
            break;
        }
    }
}
