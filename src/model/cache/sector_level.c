#include "model/cache/sector_level.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/cache/stack.h"

enum { PREFETCH_AHEAD = 8 }; /* sets are scattered over memory */

#define TEMPLATE static inline __attribute__((always_inline))

struct slot { /* one line's levels; `dirty` and `parts` only where the level has them */
    int16_t *present, *dirty;
    uint32_t *parts;
};

static enum status allocate(struct sector_level *level)
{
    const size_t sets = level->all_sets, slots = sets * level->ways, steps = level->ways + 2;
    level->tags = calloc(sets * level->places, sizeof *level->tags);
    level->slots = calloc(slots, sizeof *level->slots);
    level->used = calloc(2 * sets, sizeof *level->used);
    level->levels = calloc(slots, level->slot_bytes);
    level->histograms[0] = calloc((SECTOR_HISTOGRAMS + 2) * steps, sizeof *level->histograms[0]);
    if (!level->tags || !level->slots || !level->used || !level->levels || !level->histograms[0])
        return STATUS_MEMORY;
    if (level->drops)
        level->holes = level->used + sets;
    for (size_t i = 1; i < SECTOR_HISTOGRAMS; i++)
        level->histograms[i] = level->histograms[i - 1] + steps;
    level->line_steps = level->histograms[SECTOR_HISTOGRAMS - 1] + steps;
    level->sector_steps = level->line_steps + steps;
    return STATUS_OK;
}

enum status sector_level_open(struct sector_level *level, const struct cache_config *config,
                              unsigned units, bool portable)
{
    *level = (struct sector_level){.ways = (unsigned)config->ways};
    enum status status = geometry_init(&level->geometry, config);
    if (status)
        return status;
    level->drops = stack_evicts(config);
    level->dirties = write_traits[config->write] & WRITE_DIRTIES && !level->drops;
    level->lazy = config->write != WRITE_READ_ONLY && config->write_allocate == WRITE_ALLOCATE_LAZY;
    level->slot_bytes = level->geometry.sectors * (level->dirties ? 2 : 1) * sizeof(int16_t);
    if (level->lazy) /* a multiple of a uint32_t, also of one sector */
        level->slot_bytes =
            level->geometry.sectors * sizeof(uint32_t) + (level->slot_bytes + 3) / 4 * 4;
    level->places = (level->ways + STACK_LIST_STEP - 1) / STACK_LIST_STEP * STACK_LIST_STEP;
    level->find = portable ? stack_list_find_plain : stack_list_find_best();
    level->all_sets = level->geometry.sets * units;
    return allocate(level);
}

void sector_level_close(struct sector_level *level)
{
    free(level->tags);
    free(level->slots);
    free(level->used);
    free(level->levels);
    free(level->part_levels);
    free(level->free_parts);
    free(level->histograms[0]);
}

/* ---- The levels of parts */

static enum status parts_take(struct sector_level *level, int16_t present, uint32_t *parts)
{
    if (level->free_count) {
        *parts = level->free_parts[--level->free_count] + 1;
    } else {
        /* Room to free all of them. */
        if (array_reserve(&level->part_levels, &level->part_capacity, level->part_count + 1) ||
            array_reserve(&level->free_parts, &level->free_capacity, level->part_count + 1))
            return STATUS_MEMORY;
        *parts = (uint32_t)++level->part_count;
    }
    for (unsigned i = 0; i < SECTOR_PARTS; i++)
        level->part_levels[*parts - 1][i] = present;
    return STATUS_OK;
}

static void parts_drop(struct sector_level *level, uint32_t *parts)
{
    level->free_parts[level->free_count++] = *parts - 1;
    *parts = 0;
}

static int parts_most(const struct sector_level *level, uint32_t parts)
{
    int16_t most = 0;
    for (unsigned i = 0; i < SECTOR_PARTS; i++) {
        int16_t one = level->part_levels[parts - 1][i];
        most = one > most ? one : most;
    }
    return most;
}

/* The line was found at `place`. */
static void parts_age(struct sector_level *level, uint32_t *parts, int place)
{
    const int16_t least = (int16_t)place;
    int16_t *levels = level->part_levels[*parts - 1], most = 0;
    for (unsigned i = 0; i < SECTOR_PARTS && place < (int)level->ways; i++) {
        levels[i] = levels[i] > least ? levels[i] : least;
        most = levels[i] > most ? levels[i] : most;
    }
    if (most <= least)
        parts_drop(level, parts);
}

/* A store covers some parts of a sector, and a lazily allocated one fetches nothing. */
static enum status parts_store(struct sector_level *level, uint32_t *parts, int16_t present,
                               uint32_t covers)
{
    if (!*parts && !present)
        return STATUS_OK;
    if (!*parts && parts_take(level, present, parts))
        return STATUS_MEMORY;
    for (uint32_t left = covers; left; left &= left - 1)
        level->part_levels[*parts - 1][__builtin_ctz(left)] = 0;
    if (!parts_most(level, *parts))
        parts_drop(level, parts);
    return STATUS_OK;
}

/* ---- Lines */

TEMPLATE struct slot slot_at(const struct sector_level *level, size_t set, unsigned number,
                             unsigned sectors)
{
    void *levels = level->levels + (set * level->ways + number) * level->slot_bytes;
    struct slot slot = {.parts = levels, .present = levels};
    if (level->lazy)
        slot.present = (int16_t *)(void *)(slot.parts + sectors);
    slot.dirty = slot.present + sectors;
    return slot;
}

static void add_step(uint64_t *steps, int from, int place)
{
    steps[from + 1]++;
    steps[place + 1]--; /* modulo 2^64, as the sums are */
}

/* The line was found at `place`: caches of as many ways have thrown it out. */
TEMPLATE void slot_age(struct sector_level *level, const struct slot *slot, int place,
                       unsigned sectors)
{
    const int16_t least = (int16_t)place;
    int cleanest = place;
    for (unsigned i = 0; level->dirties && i < sectors; i++) {
        int from = slot->dirty[i];
        if (from >= place)
            continue;
        add_step(level->sector_steps, from, place);
        cleanest = from < cleanest ? from : cleanest;
        slot->dirty[i] = least;
    }
    if (cleanest < place)
        add_step(level->line_steps, cleanest, place);
    for (unsigned i = 0; i < sectors; i++)
        slot->present[i] = slot->present[i] > least ? slot->present[i] : least;
    for (unsigned i = 0; level->lazy && i < sectors; i++)
        if (slot->parts[i])
            parts_age(level, &slot->parts[i], place);
}

/* Takes the places before the first hole, or before the line's own, one back for a line that was at
 * `place`, level->places: nowhere. Returns the line's slot; *fresh: what that holds is of no line.
 */
TEMPLATE uint16_t line_push(struct sector_level *level, size_t set, uint64_t tag, unsigned place,
                            bool *fresh)
{
    uint64_t *tags = level->tags + set * level->places;
    uint16_t *slots = level->slots + set * level->ways;
    unsigned end = place, hole = level->places;
    uint16_t number;
    if (level->drops && level->holes[set])
        hole = level->find(tags, level->places, 0);
    *fresh = place == level->places && (hole < place || level->used[set] < level->ways);
    if (hole < place) { /* goes to the line's old place, if it has one */
        end = hole;
        number = slots[*fresh ? hole : place];
        if (!*fresh) {
            tags[place] = 0;
            slots[place] = slots[hole];
        } else {
            level->holes[set]--;
        }
    } else if (*fresh) {
        end = number = level->used[set]++;
    } else {
        end = place < level->places ? place : level->ways - 1;
        number = slots[end];
    }
    memmove(tags + 1, tags, end * sizeof *tags);
    memmove(slots + 1, slots, end * sizeof *slots);
    tags[0] = tag;
    slots[0] = number;
    return number;
}

/* Makes a line, which is not, the most recent one of its set. */
TEMPLATE struct slot line_move(struct sector_level *level, size_t set, uint64_t tag,
                               unsigned sectors)
{
    unsigned place = level->find(level->tags + set * level->places, level->places, tag);
    bool fresh;
    uint16_t number = line_push(level, set, tag, place, &fresh);
    struct slot slot = slot_at(level, set, number, sectors);
    for (unsigned i = 0; fresh && i < (level->dirties ? 2 : 1) * sectors; i++)
        slot.present[i] = (int16_t)level->ways;
    if (place == level->places)
        place = level->ways;
    slot_age(level, &slot, (int)place, sectors);
    level->histograms[SECTOR_LINES][place]++;
    return slot;
}

static void line_drop(struct sector_level *level, size_t set, uint64_t tag)
{
    uint64_t *tags = level->tags + set * level->places;
    unsigned place = level->find(tags, level->places, tag);
    if (place < level->places) {
        tags[place] = 0;
        level->holes[set]++;
    } else {
        place = level->ways;
    }
    level->histograms[SECTOR_STORES][place]++;
    level->histograms[SECTOR_LINES][place]++;
}

/* ---- Accesses */

/* Caches of more ways can read the sector. */
TEMPLATE int readable_level(const struct sector_level *level, const struct slot *slot, unsigned at)
{
    return level->lazy && slot->parts[at] ? parts_most(level, slot->parts[at]) : slot->present[at];
}

/* One access to the sector at `at` of the most recent line of a set. *idle: it changed nothing. */
TEMPLATE enum status access_sector(struct sector_level *level, const struct slot *slot, unsigned at,
                                   const struct sector_item *item, bool *idle)
{
    const enum sector_access access = item->access;
    const bool store = access != SECTOR_LOAD;
    const bool reads = access == SECTOR_LOAD || access == SECTOR_READ_STORE;
    const int least = reads ? readable_level(level, slot, at) : slot->present[at];
    enum status status = STATUS_OK;
    *idle = !least && !(level->lazy && slot->parts[at]) &&
            !(store && level->dirties && slot->dirty[at]);
    if (*idle)
        return status;
    level->histograms[store ? SECTOR_STORES : SECTOR_LOADS][least]++;
    if (access == SECTOR_READ_STORE)
        level->histograms[SECTOR_FETCHING_STORES][least]++;
    if (store && level->dirties)
        slot->dirty[at] = 0;
    if (access == SECTOR_PART_STORE)
        status = parts_store(level, &slot->parts[at], slot->present[at], item->covers);
    else if (level->lazy && slot->parts[at])
        parts_drop(level, &slot->parts[at]);
    slot->present[at] = 0;
    return status;
}

TEMPLATE enum status run(struct sector_level *level, unsigned unit, const struct sector_item *items,
                         size_t count, struct sector_item *kept, size_t *kept_count,
                         unsigned sectors)
{
    const struct geometry *geometry = &level->geometry;
    size_t sets[SECTOR_ITEMS + PREFETCH_AHEAD];
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count; i++)
        sets[i] =
            unit * geometry->sets + geometry_set(geometry, geometry->index.function, items[i].line);
    for (size_t i = 0; i < PREFETCH_AHEAD; i++)
        sets[count + i] = sets[0];
    for (size_t i = 0; i < count; i++) {
        struct sector_item item = items[i];
        const size_t set = sets[i], later = sets[i + PREFETCH_AHEAD];
        __builtin_prefetch(level->tags + later * level->places);
        __builtin_prefetch(level->slots + later * level->ways);
        if (level->drops && item.access == SECTOR_DROP) {
            line_drop(level, set, item.line + 1);
            if (kept)
                kept[(*kept_count)++] = item;
            continue;
        }
        bool front = level->tags[set * level->places] == item.line + 1;
        struct slot slot = front ? slot_at(level, set, level->slots[set * level->ways], sectors)
                                 : line_move(level, set, item.line + 1, sectors);
        for (uint32_t left = item.sectors; left; left &= left - 1) {
            unsigned at = sectors > 1 ? (unsigned)__builtin_ctz(left) : 0;
            bool idle;
            if (access_sector(level, &slot, at, &item, &idle))
                status = STATUS_MEMORY;
            item.sectors ^= (uint32_t)idle << at;
        }
        if (kept) {
            kept[*kept_count] = item;
            *kept_count += item.sectors != 0;
        }
    }
    return status;
}

bool sector_level_feeds(const struct sector_level *level, const struct sector_level *larger)
{
    const int function = level->geometry.index.function;
    return function == larger->geometry.index.function &&
           index_facts[function].traits & INDEX_NESTS &&
           larger->geometry.sets % level->geometry.sets == 0;
}

enum status sector_level_run(struct sector_level *level, unsigned unit,
                             const struct sector_item *items, size_t count,
                             struct sector_item *kept, size_t *kept_count)
{
    *kept_count = 0;
    if (!count)
        return STATUS_OK;
    switch (level->geometry.sectors) {
    case 1:
        return run(level, unit, items, count, kept, kept_count, 1);
    case 4:
        return run(level, unit, items, count, kept, kept_count, 4);
    default:
        return run(level, unit, items, count, kept, kept_count, level->geometry.sectors);
    }
}

/* Ages every line: to the place that it is at, or out of all caches. */
static void age_all(struct sector_level *level, bool out)
{
    for (size_t set = 0; set < level->all_sets; set++)
        for (unsigned i = 0; i < level->used[set]; i++) {
            struct slot slot =
                slot_at(level, set, level->slots[set * level->ways + i], level->geometry.sectors);
            slot_age(level, &slot, (int)(out ? level->ways : i), level->geometry.sectors);
        }
}

void sector_level_settle(struct sector_level *level)
{
    if (level->dirties)
        age_all(level, false);
}

void sector_level_flush(struct sector_level *level)
{
    if (level->dirties)
        age_all(level, true);
    for (size_t set = 0; set < level->all_sets; set++) {
        if (level->used[set])
            memset(level->tags + set * level->places, 0, level->used[set] * sizeof *level->tags);
        level->used[set] = 0;
        if (level->drops)
            level->holes[set] = 0;
    }
}

void sector_level_reset_counts(struct sector_level *level)
{
    sector_level_settle(level);
    memset(level->histograms[0], 0,
           (SECTOR_HISTOGRAMS + 2) * ((size_t)level->ways + 2) * sizeof *level->histograms[0]);
}
