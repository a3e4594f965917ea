#include "model/cache/sector_stack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/cache/geometry.h"
#include "model/cache/stack.h"
#include "model/cache/stack_list.h"

#define TEMPLATE static inline __attribute__((always_inline))

enum { PARTS = 32 };

/* Accesses by the least number of ways that hits, less one: of loads, of stores, of these such as
 * would fetch the sector; and of lines, once for all their sectors in a request. */
enum histogram { LOADS, STORES, FETCHING_STORES, LINES, HISTOGRAMS };

struct sector_stack {
    struct geometry geometry;
    int write, allocate;
    unsigned units, options;
    unsigned ways, places;
    stack_list_find *find;
    uint64_t *tags;  /* [units][sets][places], the most recent first: line number + 1, 0 = none */
    uint16_t *slots; /* [units][sets][ways], like tags: where that line's levels are */
    uint16_t *used;  /* [units][sets] slots */
    int16_t *levels; /* [units][sets][slots][present, and dirty][sectors]; `ways`: in no cache */
    unsigned level_rows;
    /* Lazy: [units][sets][slots][sectors], 1 + the number of part_levels; 0: all are as present. */
    uint32_t *parts;
    int16_t (*part_levels)[PARTS];
    size_t part_count, part_capacity;
    uint32_t free_parts; /* 1 + the first; each names the next as `parts` would; 0: none */
    uint64_t *histograms[HISTOGRAMS]; /* [ways + 1] */
    /* Lines and sectors written back by caches of a number of ways, less those of one way fewer:
     * [ways + 2]. */
    uint64_t *line_steps, *sector_steps;
    uint64_t passed_bytes; /* of stores, whatever the ways */
};

struct slot { /* one line's levels */
    int16_t *present, *dirty;
    uint32_t *parts;
};

bool sector_stack_applies(const struct cache_config *config)
{
    if (config->replacement != REPLACEMENT_LRU)
        return false;
    if (config->write == WRITE_READ_ONLY)
        return true;
    return (config->write == WRITE_BACK || config->write == WRITE_THROUGH) &&
           config->write_allocate != WRITE_ALLOCATE_NONE;
}

static bool is_lazy(const struct sector_stack *pass)
{
    return pass->allocate == WRITE_ALLOCATE_LAZY && pass->write != WRITE_READ_ONLY;
}

static enum status allocate(struct sector_stack *pass)
{
    size_t sets = pass->geometry.sets * pass->units, slots = sets * pass->ways;
    size_t steps = pass->ways + 2;
    pass->tags = calloc(sets * pass->places, sizeof *pass->tags);
    pass->slots = calloc(slots, sizeof *pass->slots);
    pass->used = calloc(sets, sizeof *pass->used);
    pass->levels = calloc(slots * pass->level_rows * pass->geometry.sectors, sizeof *pass->levels);
    if (is_lazy(pass))
        pass->parts = calloc(slots * pass->geometry.sectors, sizeof *pass->parts);
    pass->histograms[0] = calloc((HISTOGRAMS + 2) * steps, sizeof *pass->histograms[0]);
    if (!pass->tags || !pass->slots || !pass->used || !pass->levels ||
        (is_lazy(pass) && !pass->parts) || !pass->histograms[0])
        return STATUS_MEMORY;
    for (size_t i = 1; i < HISTOGRAMS; i++)
        pass->histograms[i] = pass->histograms[i - 1] + steps;
    pass->line_steps = pass->histograms[HISTOGRAMS - 1] + steps;
    pass->sector_steps = pass->line_steps + steps;
    return STATUS_OK;
}

enum status sector_stack_create(const struct cache_config *config, uint64_t ways, unsigned units,
                                unsigned options, struct sector_stack **result)
{
    *result = NULL;
    if (!sector_stack_applies(config) || ways > SECTOR_STACK_WAYS_MAX)
        return STATUS_UNSUPPORTED;
    if (!units || units > UINT16_MAX + 1 || !ways)
        return STATUS_INVALID;
    struct sector_stack *pass = calloc(1, sizeof *pass);
    if (!pass)
        return STATUS_MEMORY;
    pass->write = config->write;
    pass->allocate = config->write_allocate;
    pass->units = units;
    pass->options = options;
    pass->ways = (unsigned)ways;
    pass->places = (pass->ways + STACK_LIST_STEP - 1) / STACK_LIST_STEP * STACK_LIST_STEP;
    pass->find = options & STACK_PORTABLE ? stack_list_find_plain : stack_list_find_best();
    pass->level_rows = config->write == WRITE_BACK ? 2 : 1;
    enum status status = geometry_init(&pass->geometry, config);
    if (!status)
        status = allocate(pass);
    if (status) {
        sector_stack_free(pass);
        return status;
    }
    *result = pass;
    return STATUS_OK;
}

void sector_stack_free(struct sector_stack *pass)
{
    if (!pass)
        return;
    free(pass->tags);
    free(pass->slots);
    free(pass->used);
    free(pass->levels);
    free(pass->parts);
    free(pass->part_levels);
    free(pass->histograms[0]);
    free(pass);
}

/* ---- The levels of parts */

static enum status parts_take(struct sector_stack *pass, int16_t level, uint32_t *parts)
{
    uint32_t number = pass->free_parts;
    if (number) {
        memcpy(&pass->free_parts, pass->part_levels[number - 1], sizeof pass->free_parts);
    } else {
        if (array_reserve(&pass->part_levels, &pass->part_capacity, pass->part_count + 1))
            return STATUS_MEMORY;
        number = (uint32_t)++pass->part_count;
    }
    for (unsigned i = 0; i < PARTS; i++)
        pass->part_levels[number - 1][i] = level;
    *parts = number;
    return STATUS_OK;
}

static void parts_drop(struct sector_stack *pass, uint32_t *parts)
{
    memcpy(pass->part_levels[*parts - 1], &pass->free_parts, sizeof pass->free_parts);
    pass->free_parts = *parts;
    *parts = 0;
}

static int parts_most(const struct sector_stack *pass, uint32_t parts)
{
    int16_t most = 0;
    for (unsigned i = 0; i < PARTS; i++) {
        int16_t level = pass->part_levels[parts - 1][i];
        most = level > most ? level : most;
    }
    return most;
}

/* The line was found at `place`. */
static void parts_age(struct sector_stack *pass, uint32_t *parts, int place)
{
    int16_t *levels = pass->part_levels[*parts - 1];
    for (unsigned i = 0; i < PARTS; i++)
        levels[i] = levels[i] > (int16_t)place ? levels[i] : (int16_t)place;
    if (parts_most(pass, *parts) <= place)
        parts_drop(pass, parts);
}

/* A store covers these parts of a sector, and a lazily allocated one fetches nothing. */
static enum status parts_store(struct sector_stack *pass, uint32_t *parts, int16_t present,
                               uint32_t covers)
{
    if (!*parts && (!present || covers == UINT32_MAX))
        return STATUS_OK;
    if (!*parts && parts_take(pass, present, parts))
        return STATUS_MEMORY;
    int16_t *levels = pass->part_levels[*parts - 1];
    for (unsigned i = 0; i < PARTS; i++)
        levels[i] = covers >> i & 1 ? 0 : levels[i];
    if (!parts_most(pass, *parts))
        parts_drop(pass, parts);
    return STATUS_OK;
}

/* ---- Lines */

TEMPLATE struct slot slot_at(const struct sector_stack *pass, size_t set, unsigned number,
                             unsigned sectors)
{
    size_t index = set * pass->ways + number;
    struct slot slot = {.present = pass->levels + index * pass->level_rows * sectors};
    if (pass->level_rows > 1)
        slot.dirty = slot.present + sectors;
    if (pass->parts)
        slot.parts = pass->parts + index * sectors;
    return slot;
}

static void add_step(uint64_t *steps, int level, int place)
{
    steps[level + 1]++;
    steps[place + 1]--; /* modulo 2^64, as the sums are */
}

/* The line was found at `place`: caches of as many ways have thrown it out. */
TEMPLATE void slot_age(struct sector_stack *pass, const struct slot *slot, int place,
                       unsigned sectors)
{
    int cleanest = place;
    for (unsigned i = 0; slot->dirty && i < sectors; i++) {
        int level = slot->dirty[i];
        if (level >= place)
            continue;
        add_step(pass->sector_steps, level, place);
        cleanest = level < cleanest ? level : cleanest;
        slot->dirty[i] = (int16_t)place;
    }
    if (cleanest < place)
        add_step(pass->line_steps, cleanest, place);
    for (unsigned i = 0; i < sectors; i++)
        slot->present[i] = slot->present[i] > place ? slot->present[i] : (int16_t)place;
    for (unsigned i = 0; slot->parts && i < sectors; i++)
        if (slot->parts[i])
            parts_age(pass, &slot->parts[i], place);
}

/* Makes a line the most recent one of its set, with the levels that this leaves it. */
TEMPLATE struct slot line_use(struct sector_stack *pass, size_t set, uint64_t line,
                              unsigned sectors)
{
    uint64_t *tags = pass->tags + set * pass->places;
    uint16_t *slots = pass->slots + set * pass->ways;
    if (tags[0] == line + 1) {
        pass->histograms[LINES][0]++;
        return slot_at(pass, set, slots[0], sectors);
    }
    unsigned place = pass->find(tags, pass->places, line + 1), moved = place;
    bool unused = false;
    if (place == pass->places) {
        place = pass->ways;
        unused = pass->used[set] < pass->ways;
        moved = unused ? pass->used[set]++ : place - 1;
    }
    uint16_t number = unused ? (uint16_t)moved : slots[moved];
    struct slot slot = slot_at(pass, set, number, sectors);
    for (unsigned i = 0; unused && i < pass->level_rows * sectors; i++)
        slot.present[i] = (int16_t)pass->ways;
    memmove(tags + 1, tags, moved * sizeof *tags);
    memmove(slots + 1, slots, moved * sizeof *slots);
    tags[0] = line + 1;
    slots[0] = number;
    slot_age(pass, &slot, (int)place, sectors);
    pass->histograms[LINES][place]++;
    return slot;
}

/* ---- Accesses */

/* Caches of more ways than the level can read the sector. */
TEMPLATE int readable_level(const struct sector_stack *pass, const struct slot *slot, unsigned at)
{
    return slot->parts && slot->parts[at] ? parts_most(pass, slot->parts[at]) : slot->present[at];
}

TEMPLATE void make_readable(struct sector_stack *pass, const struct slot *slot, unsigned at)
{
    slot->present[at] = 0;
    if (slot->parts && slot->parts[at])
        parts_drop(pass, &slot->parts[at]);
}

TEMPLATE void access_load(struct sector_stack *pass, const struct slot *slot, unsigned at)
{
    pass->histograms[LOADS][readable_level(pass, slot, at)]++;
    make_readable(pass, slot, at);
}

TEMPLATE enum status access_store(struct sector_stack *pass, const struct slot *slot, unsigned at,
                                  const struct request *request, uint64_t sector)
{
    const bool reads = request->op == OP_ATOMIC;
    const int level = reads ? readable_level(pass, slot, at) : slot->present[at];
    uint32_t covers = 0;
    enum status status = STATUS_OK;
    pass->histograms[STORES][level]++;
    if (!reads && pass->allocate != WRITE_ALLOCATE_FETCH)
        covers = request_covers(&pass->geometry, request, sector);
    if (reads || pass->allocate == WRITE_ALLOCATE_FETCH ||
        (pass->allocate == WRITE_ALLOCATE_ON_WRITE && covers != UINT32_MAX))
        pass->histograms[FETCHING_STORES][level]++;
    if (slot->dirty)
        slot->dirty[at] = 0;
    if (slot->parts && !reads && covers != UINT32_MAX)
        status = parts_store(pass, &slot->parts[at], slot->present[at], covers);
    else
        make_readable(pass, slot, at);
    slot->present[at] = 0;
    return status;
}

TEMPLATE enum status run(struct sector_stack *pass, const struct request *requests, size_t count,
                         unsigned sectors, int function)
{
    const struct geometry *geometry = &pass->geometry;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) {
        const struct request *request = &requests[i];
        uint64_t sector, last;
        if (!geometry_sectors(geometry, request, &sector, &last) || request->unit >= pass->units)
            return STATUS_INVALID;
        if (cache_passes(pass->write, pass->options, request))
            continue;
        const bool store = request_writes(request);
        if (store && pass->write == WRITE_THROUGH)
            pass->passed_bytes += request->bytes;
        while (sector <= last) {
            uint64_t line = geometry_line(geometry, sector);
            size_t set = request->unit * geometry->sets + geometry_set(geometry, function, line);
            struct slot slot = line_use(pass, set, line, sectors);
            do {
                unsigned at = sectors > 1 ? geometry_place(geometry, sector) : 0;
                if (!store)
                    access_load(pass, &slot, at);
                else if (access_store(pass, &slot, at, request, sector))
                    status = STATUS_MEMORY;
                sector++;
            } while (sector <= last && sectors > 1 && geometry_place(geometry, sector));
        }
    }
    return status;
}

/* `run` for the numbers of sectors that there are, and any. */
TEMPLATE enum status run_sectors(struct sector_stack *pass, const struct request *requests,
                                 size_t count, int function)
{
    switch (pass->geometry.sectors) {
    case 1:
        return run(pass, requests, count, 1, function);
    case 4:
        return run(pass, requests, count, 4, function);
    default:
        return run(pass, requests, count, pass->geometry.sectors, function);
    }
}

enum status sector_stack_run(struct sector_stack *pass, const struct request *requests,
                             size_t count)
{
    int function = pass->geometry.index.function;
    if (function == INDEX_LINEAR)
        return run_sectors(pass, requests, count, INDEX_LINEAR);
    return run_sectors(pass, requests, count, function);
}

/* ---- Counts */

/* Ages every line: to the place that it is at, or out of all caches. */
static void age_all(struct sector_stack *pass, bool out)
{
    size_t sets = pass->geometry.sets * pass->units;
    for (size_t set = 0; set < sets; set++)
        for (unsigned i = 0; i < pass->used[set]; i++) {
            struct slot slot =
                slot_at(pass, set, pass->slots[set * pass->ways + i], pass->geometry.sectors);
            slot_age(pass, &slot, (int)(out ? pass->ways : i), pass->geometry.sectors);
        }
}

void sector_stack_flush(struct sector_stack *pass)
{
    size_t sets = pass->geometry.sets * pass->units;
    age_all(pass, true);
    for (size_t set = 0; set < sets; set++) {
        memset(pass->tags + set * pass->places, 0, pass->used[set] * sizeof *pass->tags);
        pass->used[set] = 0;
    }
}

void sector_stack_settle(struct sector_stack *pass)
{
    age_all(pass, false);
}

void sector_stack_reset_counts(struct sector_stack *pass)
{
    age_all(pass, false);
    memset(pass->histograms[0], 0,
           (HISTOGRAMS + 2) * ((size_t)pass->ways + 2) * sizeof *pass->histograms[0]);
    pass->passed_bytes = 0;
}

static uint64_t sum(const uint64_t *numbers, size_t first, size_t end)
{
    uint64_t all = 0;
    for (size_t i = first; i < end; i++)
        all += numbers[i];
    return all;
}

void sector_stack_read_counts(const struct sector_stack *pass, uint64_t ways,
                              struct cache_counts *counts)
{
    assert(ways >= 1 && ways <= pass->ways);
    const size_t end = (size_t)pass->ways + 1;
    const uint64_t sector = UINT64_C(1) << pass->geometry.sector_bits;
    *counts = (struct cache_counts){
        .reads = sum(pass->histograms[LOADS], 0, end),
        .writes = sum(pass->histograms[STORES], 0, end),
        .read_misses = sum(pass->histograms[LOADS], ways, end),
        .write_misses = sum(pass->histograms[STORES], ways, end),
        .writebacks = sum(pass->line_steps, 0, ways + 1),
    };
    counts->accesses = counts->reads + counts->writes;
    counts->misses = counts->read_misses + counts->write_misses;
    counts->sector_misses = counts->misses - sum(pass->histograms[LINES], ways, end);
    counts->read_bytes =
        sector * (counts->read_misses + sum(pass->histograms[FETCHING_STORES], ways, end));
    counts->write_bytes = pass->passed_bytes + sector * sum(pass->sector_steps, 0, ways + 1);
}
