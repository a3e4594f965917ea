#include "model/lru/lru_geometry.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/lru/stack.h"

enum { PREFETCH_AHEAD = 8 }; /* in items; sets are scattered over memory */

#define TEMPLATE static inline __attribute__((always_inline))

struct slot { /* the distances of one line; `dirty` and `parts` only if the geometry has them */
    int16_t *present, *dirty;
    uint32_t *parts;
};

static enum status lru_geometry_allocate(struct lru_geometry *lru)
{
    const size_t sets = lru->all_sets, slots = sets * lru->ways, steps = lru->ways + 2;
    lru->tags = calloc(sets * lru->places, sizeof *lru->tags);
    lru->slots = calloc(slots, sizeof *lru->slots);
    lru->used = calloc(2 * sets, sizeof *lru->used);
    lru->distances = calloc(slots, lru->slot_bytes);
    lru->histograms[0] = calloc((SECTOR_HISTOGRAMS + 2) * steps, sizeof *lru->histograms[0]);
    if (!lru->tags || !lru->slots || !lru->used || !lru->distances || !lru->histograms[0])
        return STATUS_MEMORY;
    if (lru->drops)
        lru->holes = lru->used + sets;
    for (size_t i = 1; i < SECTOR_HISTOGRAMS; i++)
        lru->histograms[i] = lru->histograms[i - 1] + steps;
    lru->line_steps = lru->histograms[SECTOR_HISTOGRAMS - 1] + steps;
    lru->sector_steps = lru->line_steps + steps;
    return STATUS_OK;
}

enum status lru_geometry_open(struct lru_geometry *lru, const struct cache_config *config,
                              unsigned instances, bool portable)
{
    *lru = (struct lru_geometry){.ways = (unsigned)config->ways};
    enum status status = geometry_init(&lru->geometry, config);
    if (status)
        return status;
    lru->drops = stack_evicts(config);
    lru->dirties = write_traits[config->write] & WRITE_DIRTIES && !lru->drops;
    lru->lazy = config->write != WRITE_READ_ONLY && config->write_allocate == WRITE_ALLOCATE_LAZY;
    lru->slot_bytes = lru->geometry.sectors * (lru->dirties ? 2 : 1) * sizeof(int16_t);
    if (lru->lazy) /* keeps slots aligned to uint32_t */
        lru->slot_bytes = lru->geometry.sectors * sizeof(uint32_t) + (lru->slot_bytes + 3) / 4 * 4;
    lru->places = (lru->ways + STACK_LIST_STEP - 1) / STACK_LIST_STEP * STACK_LIST_STEP;
    lru->find = portable ? stack_list_find_plain : stack_list_find_best();
    lru->all_sets = lru->geometry.sets * instances;
    return lru_geometry_allocate(lru);
}

void lru_geometry_close(struct lru_geometry *lru)
{
    free(lru->tags);
    free(lru->slots);
    free(lru->used);
    free(lru->distances);
    free(lru->part_distances);
    free(lru->free_parts);
    free(lru->histograms[0]);
}

/* ---- The distances of parts */

static enum status parts_take(struct lru_geometry *lru, int16_t present, uint32_t *parts)
{
    if (lru->free_count) {
        *parts = lru->free_parts[--lru->free_count] + 1;
    } else {
        /* Reserving both means that freeing never fails. */
        if (array_reserve(&lru->part_distances, &lru->part_capacity, lru->part_count + 1) ||
            array_reserve(&lru->free_parts, &lru->free_capacity, lru->part_count + 1))
            return STATUS_MEMORY;
        *parts = (uint32_t)++lru->part_count;
    }
    for (unsigned i = 0; i < SECTOR_PARTS; i++)
        lru->part_distances[*parts - 1][i] = present;
    return STATUS_OK;
}

static void parts_drop(struct lru_geometry *lru, uint32_t *parts)
{
    lru->free_parts[lru->free_count++] = *parts - 1;
    *parts = 0;
}

static int parts_most(const struct lru_geometry *lru, uint32_t parts)
{
    int16_t most = 0;
    for (unsigned i = 0; i < SECTOR_PARTS; i++) {
        int16_t one = lru->part_distances[parts - 1][i];
        most = one > most ? one : most;
    }
    return most;
}

/* Updates the parts' distances of a line found at `place`: they are at least `place` from now on.
 */
static void parts_age(struct lru_geometry *lru, uint32_t *parts, int place)
{
    const int16_t least = (int16_t)place;
    int16_t *distances = lru->part_distances[*parts - 1], most = 0;
    for (unsigned i = 0; i < SECTOR_PARTS && place < (int)lru->ways; i++) {
        distances[i] = distances[i] > least ? distances[i] : least;
        most = distances[i] > most ? distances[i] : most;
    }
    if (most <= least)
        parts_drop(lru, parts);
}

/* A store that covers parts of a lazily allocated sector and fetches nothing. */
static enum status parts_store(struct lru_geometry *lru, uint32_t *parts, int16_t present,
                               uint32_t covers)
{
    if (!*parts && !present)
        return STATUS_OK;
    if (!*parts && parts_take(lru, present, parts))
        return STATUS_MEMORY;
    for (uint32_t left = covers; left; left &= left - 1)
        lru->part_distances[*parts - 1][__builtin_ctz(left)] = 0;
    if (!parts_most(lru, *parts))
        parts_drop(lru, parts);
    return STATUS_OK;
}

/* ---- Lines */

TEMPLATE struct slot slot_at(const struct lru_geometry *lru, size_t set, unsigned number,
                             unsigned sectors)
{
    void *distances = lru->distances + (set * lru->ways + number) * lru->slot_bytes;
    struct slot slot = {.parts = distances, .present = distances};
    if (lru->lazy)
        slot.present = (int16_t *)(void *)(slot.parts + sectors);
    slot.dirty = slot.present + sectors;
    return slot;
}

static void lru_add_step(uint64_t *steps, int from, int place)
{
    steps[from + 1]++;
    steps[place + 1]--; /* may wrap; so do the sums */
}

/* Updates the distances of a line found at `place`: caches of at most `place` ways have evicted it
 * since, and written back its dirty sectors. */
TEMPLATE void slot_age(struct lru_geometry *lru, const struct slot *slot, int place,
                       unsigned sectors)
{
    const int16_t least = (int16_t)place;
    int cleanest = place;
    for (unsigned i = 0; lru->dirties && i < sectors; i++) {
        int from = slot->dirty[i];
        if (from >= place)
            continue;
        lru_add_step(lru->sector_steps, from, place);
        cleanest = from < cleanest ? from : cleanest;
        slot->dirty[i] = least;
    }
    if (cleanest < place)
        lru_add_step(lru->line_steps, cleanest, place);
    for (unsigned i = 0; i < sectors; i++)
        slot->present[i] = slot->present[i] > least ? slot->present[i] : least;
    for (unsigned i = 0; lru->lazy && i < sectors; i++)
        if (slot->parts[i])
            parts_age(lru, &slot->parts[i], place);
}

/* Makes room at the front for a line that was at `place` (lru->places: nowhere): the lines before
 * it, but at most up to the first hole, move back by one. Returns the line's slot; *fresh: the slot
 * held no line before. */
TEMPLATE uint16_t line_push(struct lru_geometry *lru, size_t set, uint64_t tag, unsigned place,
                            bool *fresh)
{
    uint64_t *tags = lru->tags + set * lru->places;
    uint16_t *slots = lru->slots + set * lru->ways;
    unsigned end = place, hole = lru->places;
    uint16_t number;
    if (lru->drops && lru->holes[set])
        hole = lru->find(tags, lru->places, 0);
    *fresh = place == lru->places && (hole < place || lru->used[set] < lru->ways);
    if (hole < place) { /* the hole moves to the line's old place, if it has one */
        end = hole;
        number = slots[*fresh ? hole : place];
        if (!*fresh) {
            tags[place] = 0;
            slots[place] = slots[hole];
        } else {
            lru->holes[set]--;
        }
    } else if (*fresh) {
        end = number = lru->used[set]++;
    } else {
        end = place < lru->places ? place : lru->ways - 1;
        number = slots[end];
    }
    memmove(tags + 1, tags, end * sizeof *tags);
    memmove(slots + 1, slots, end * sizeof *slots);
    tags[0] = tag;
    slots[0] = number;
    return number;
}

/* Makes a line that is not at the front the most recent one of its set. */
TEMPLATE struct slot line_move(struct lru_geometry *lru, size_t set, uint64_t tag, unsigned sectors)
{
    unsigned place = lru->find(lru->tags + set * lru->places, lru->places, tag);
    bool fresh;
    uint16_t number = line_push(lru, set, tag, place, &fresh);
    struct slot slot = slot_at(lru, set, number, sectors);
    for (unsigned i = 0; fresh && i < (lru->dirties ? 2 : 1) * sectors; i++)
        slot.present[i] = (int16_t)lru->ways;
    if (place == lru->places)
        place = lru->ways;
    slot_age(lru, &slot, (int)place, sectors);
    lru->histograms[SECTOR_LINES][place]++;
    return slot;
}

static void line_drop(struct lru_geometry *lru, size_t set, uint64_t tag)
{
    uint64_t *tags = lru->tags + set * lru->places;
    unsigned place = lru->find(tags, lru->places, tag);
    if (place < lru->places) {
        tags[place] = 0;
        lru->holes[set]++;
    } else {
        place = lru->ways;
    }
    lru->histograms[SECTOR_STORES][place]++;
    lru->histograms[SECTOR_LINES][place]++;
}

/* ---- Accesses */

/* The distance of a readable sector: caches of more ways can read it. */
TEMPLATE int readable_distance(const struct lru_geometry *lru, const struct slot *slot, unsigned at)
{
    return lru->lazy && slot->parts[at] ? parts_most(lru, slot->parts[at]) : slot->present[at];
}

/* One access to sector `at` of the most recent line of a set. *idle: it changed nothing. */
TEMPLATE enum status access_sector(struct lru_geometry *lru, const struct slot *slot, unsigned at,
                                   const struct sector_item *item, bool *idle)
{
    const enum sector_access access = item->access;
    const bool store = access != SECTOR_LOAD;
    const bool reads = access == SECTOR_LOAD || access == SECTOR_READ_STORE;
    const int least = reads ? readable_distance(lru, slot, at) : slot->present[at];
    enum status status = STATUS_OK;
    *idle =
        !least && !(lru->lazy && slot->parts[at]) && !(store && lru->dirties && slot->dirty[at]);
    if (*idle)
        return status;
    lru->histograms[store ? SECTOR_STORES : SECTOR_LOADS][least]++;
    if (access == SECTOR_READ_STORE)
        lru->histograms[SECTOR_FETCHING_STORES][least]++;
    if (store && lru->dirties)
        slot->dirty[at] = 0;
    if (access == SECTOR_PART_STORE)
        status = parts_store(lru, &slot->parts[at], slot->present[at], item->covers);
    else if (lru->lazy && slot->parts[at])
        parts_drop(lru, &slot->parts[at]);
    slot->present[at] = 0;
    return status;
}

/* `sectors` is a constant for the common cases, so that loops over sectors are unrolled. The sets
 * of all items are computed first, which lets lists be prefetched. */
TEMPLATE enum status run(struct lru_geometry *lru, unsigned instance,
                         const struct sector_item *items, size_t count, struct sector_item *kept,
                         size_t *kept_count, unsigned sectors)
{
    const struct geometry *geometry = &lru->geometry;
    size_t sets[SECTOR_ITEMS + PREFETCH_AHEAD];
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count; i++)
        sets[i] = instance * geometry->sets +
                  geometry_set(geometry, geometry->index.function, items[i].line);
    for (size_t i = 0; i < PREFETCH_AHEAD; i++)
        sets[count + i] = sets[0];
    for (size_t i = 0; i < count; i++) {
        struct sector_item item = items[i];
        const size_t set = sets[i], later = sets[i + PREFETCH_AHEAD];
        __builtin_prefetch(lru->tags + later * lru->places);
        __builtin_prefetch(lru->slots + later * lru->ways);
        if (lru->drops && item.access == SECTOR_DROP) {
            line_drop(lru, set, item.line + 1);
            if (kept)
                kept[(*kept_count)++] = item;
            continue;
        }
        bool front = lru->tags[set * lru->places] == item.line + 1;
        struct slot slot = front ? slot_at(lru, set, lru->slots[set * lru->ways], sectors)
                                 : line_move(lru, set, item.line + 1, sectors);
        for (uint32_t left = item.sectors; left; left &= left - 1) {
            unsigned at = sectors > 1 ? (unsigned)__builtin_ctz(left) : 0;
            bool idle;
            if (access_sector(lru, &slot, at, &item, &idle))
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

bool lru_geometry_feeds(const struct lru_geometry *lru, const struct lru_geometry *larger)
{
    const int function = lru->geometry.index.function;
    return function == larger->geometry.index.function &&
           index_facts[function].traits & INDEX_NESTS &&
           larger->geometry.sets % lru->geometry.sets == 0;
}

enum status lru_geometry_run(struct lru_geometry *lru, unsigned instance,
                             const struct sector_item *items, size_t count,
                             struct sector_item *kept, size_t *kept_count)
{
    *kept_count = 0;
    if (!count)
        return STATUS_OK;
    switch (lru->geometry.sectors) {
    case 1:
        return run(lru, instance, items, count, kept, kept_count, 1);
    case 4:
        return run(lru, instance, items, count, kept, kept_count, 4);
    default:
        return run(lru, instance, items, count, kept, kept_count, lru->geometry.sectors);
    }
}

/* Ages every line: to its current place, or out of all caches. */
static void age_all(struct lru_geometry *lru, bool out)
{
    for (size_t set = 0; set < lru->all_sets; set++)
        for (unsigned i = 0; i < lru->used[set]; i++) {
            struct slot slot =
                slot_at(lru, set, lru->slots[set * lru->ways + i], lru->geometry.sectors);
            slot_age(lru, &slot, (int)(out ? lru->ways : i), lru->geometry.sectors);
        }
}

void lru_geometry_settle(struct lru_geometry *lru)
{
    if (lru->dirties)
        age_all(lru, false);
}

void lru_geometry_flush(struct lru_geometry *lru)
{
    if (lru->dirties)
        age_all(lru, true);
    for (size_t set = 0; set < lru->all_sets; set++) {
        if (lru->used[set])
            memset(lru->tags + set * lru->places, 0, lru->used[set] * sizeof *lru->tags);
        lru->used[set] = 0;
        if (lru->drops)
            lru->holes[set] = 0;
    }
}

void lru_geometry_reset_counts(struct lru_geometry *lru)
{
    lru_geometry_settle(lru);
    memset(lru->histograms[0], 0,
           (SECTOR_HISTOGRAMS + 2) * ((size_t)lru->ways + 2) * sizeof *lru->histograms[0]);
}
