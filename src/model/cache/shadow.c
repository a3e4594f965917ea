#include "model/cache/shadow.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/bits.h"
#include "base/key_table.h"
#include "base/links.h"
#include "model/cache/cache_state.h"

/* `sectored`: lines may have more than one sector. Callers pass it as a constant, so that the
 * common case is compiled on its own. */
#define TEMPLATE static inline __attribute__((always_inline))

/* The state of the sectors of a line since the last flush, as in struct line_state. */
struct content {
    uint32_t valid, partial;
};

/* A group of neighbouring lines with at most 64 sectors in total, one bit per sector. Grouping
 * saves table entries: the lines of a region share one key. */
struct region {
    uint64_t ever;   /* accessed */
    uint64_t recent; /* accessed since flush number `flushes` */
    /* stores_lose: what some cache may hold, whatever its size and policy */
    uint64_t valid, partial;
    uint32_t flushes;
    uint32_t parts; /* lazy allocation: its first in instance.parts; 0: none yet */
};

/* The fully associative cache has lines 1 to shadow.lines in no order; `links` has those that are
 * in use, most recent first, with node 0 as the head. */
struct instance {
    uint32_t *slots; /* of base/key_table.h, from line numbers to lines; NULL: no access yet */
    uint64_t *keys;  /* of lines, from line 1 on */
    struct link *links;
    struct content *contents;
    uint32_t *written;    /* lazy allocation: 32nds of each sector of each line written so far */
    struct arrays arrays; /* those above */
    uint32_t begun;       /* lines that were ever in use since the last flush */
    uint32_t unused;      /* the last line that a store dropped; links[].next has the one before */
    struct region *regions;
    size_t region_capacity;
    struct key_table numbers; /* of regions, by number_line */
    uint32_t *parts; /* as `written`, of all sectors of a region at a time; entry 0 is unused */
    size_t part_count, part_capacity;
};

struct shadow {
    struct cache_config config;
    struct geometry geometry;
    unsigned options, unit_count;
    bool stores_lose; /* because of a store, an accessed sector may be in no cache */
    bool lazy;
    unsigned region_bits, sector_bits; /* log2 of the lines of a region and the sectors of a line */
    unsigned slice_bits, slices;       /* of geometry.slice_lines */
    unsigned slot_bits;
    uint64_t lines; /* that fit */
    uint32_t flushes;
    struct instance *instances;
    uint32_t *lost;
    size_t lost_capacity;
};

enum { REGION_BITS = 6, REGION_NONE = UINT32_MAX };

/* Whether the partition spreads chunks over slices in another order than round robin. */
static bool is_hashed(int partition)
{
    return !(index_facts[partition_index[partition]].traits & INDEX_NESTS);
}

/* Whether a store can leave data that no cache holds: one that does not allocate, or that leaves a
 * part of the line to be fetched. */
static bool choose_stores_lose(const struct cache_config *config)
{
    if (config->write == WRITE_READ_ONLY)
        return false;
    return config->write_allocate == WRITE_ALLOCATE_NONE ||
           config->write_allocate == WRITE_ALLOCATE_LAZY;
}

/* How many lines make a region. If a hash chooses the slices, a slice owns only single interleave
 * chunks of any neighbourhood, so a larger region would be mostly empty. */
static unsigned choose_region_bits(const struct shadow *shadow)
{
    const unsigned bits = REGION_BITS - shadow->sector_bits;
    const bool chunks = shadow->slices && is_hashed(shadow->config.partition);
    return chunks && bits > shadow->slice_bits ? shadow->slice_bits : bits;
}

enum status shadow_create(const struct cache_config *config, unsigned instances, unsigned options,
                          struct shadow **result)
{
    *result = NULL;
    struct shadow *shadow = calloc(1, sizeof *shadow);
    if (!shadow)
        return STATUS_MEMORY;
    enum status status = geometry_init(&shadow->geometry, config);
    shadow->instances = status ? NULL : calloc(instances, sizeof *shadow->instances);
    if (!shadow->instances) {
        shadow_free(shadow);
        return status ? status : STATUS_MEMORY;
    }
    const struct geometry *geometry = &shadow->geometry;
    shadow->unit_count = instances;
    shadow->config = *config;
    shadow->options = options;
    shadow->stores_lose = choose_stores_lose(config);
    shadow->lazy = config->write_allocate == WRITE_ALLOCATE_LAZY;
    if (geometry->slice_lines) {
        shadow->slice_bits = log2_floor(geometry->slice_lines);
        shadow->slices = (unsigned)config->slices;
    }
    shadow->sector_bits = log2_floor(geometry->sectors);
    shadow->region_bits = choose_region_bits(shadow);
    shadow->lines = geometry->sets * geometry->ways;
    *result = shadow;
    return STATUS_OK;
}

/* ---- The fully associative cache */

/* Zeros, which the system backs with memory where lines come into use. */
static __attribute__((noinline)) enum status make_lines(struct shadow *shadow,
                                                        struct instance *instance)
{
    const size_t lines = shadow->lines + 1, sectors = shadow->geometry.sectors;
    assert(shadow->lines);
    if (lines >= KEYS_MOST)
        return STATUS_MEMORY;
    shadow->slot_bits = log2_ceil(shadow->lines) + 2;
    struct arrays *arrays = &instance->arrays;
    arrays_add(arrays, &instance->slots, (size_t)1 << shadow->slot_bits, sizeof *instance->slots);
    arrays_add(arrays, &instance->keys, lines, sizeof *instance->keys);
    arrays_add(arrays, &instance->links, lines, sizeof *instance->links);
    arrays_add(arrays, &instance->contents, lines, sizeof *instance->contents);
    if (shadow->lazy)
        arrays_add(arrays, &instance->written, lines, sectors * sizeof *instance->written);
    if (!arrays->failed)
        return STATUS_OK;
    arrays_free(arrays);
    return STATUS_MEMORY;
}

static void flush_lines(const struct shadow *shadow, struct instance *instance)
{
    if (instance->begun)
        memset(instance->slots, 0, sizeof *instance->slots << shadow->slot_bits);
    if (instance->links)
        instance->links[0] = (struct link){0};
    instance->begun = instance->unused = 0;
}

/* The line with this number, 0: it is not there. */
static inline uint32_t find_line(const struct shadow *shadow, const struct instance *instance,
                                 uint64_t number)
{
    const uint32_t first = instance->links[0].next;
    if (first && instance->keys[first - 1] == number)
        return first;
    return *key_slot(instance->slots, shadow->slot_bits, instance->keys, number);
}

static inline void touch_line(const struct instance *instance, uint32_t line)
{
    if (instance->links[0].next != line)
        links_move_first(instance->links, line, 0);
}

/* Puts a line that is not there in the place of one that is free or the oldest. */
static inline uint32_t add_line(const struct shadow *shadow, struct instance *instance,
                                uint64_t number)
{
    uint32_t line = instance->unused;
    if (line) {
        instance->unused = instance->links[line].next;
    } else if (instance->begun < shadow->lines) {
        line = ++instance->begun;
    } else {
        line = instance->links[0].previous;
        key_slot_free(instance->slots, shadow->slot_bits, instance->keys, line - 1);
        links_remove(instance->links, line);
    }
    *key_slot(instance->slots, shadow->slot_bits, instance->keys, number) = line;
    instance->keys[line - 1] = number;
    instance->contents[line] = (struct content){0};
    links_insert_first(instance->links, line, 0);
    return line;
}

static void remove_line(const struct shadow *shadow, struct instance *instance, uint32_t line)
{
    key_slot_free(instance->slots, shadow->slot_bits, instance->keys, line - 1);
    links_remove(instance->links, line);
    instance->links[line].next = instance->unused;
    instance->unused = line;
}

/* ---- All of a shadow */

void shadow_free(struct shadow *shadow)
{
    if (!shadow)
        return;
    for (unsigned u = 0; shadow->instances && u < shadow->unit_count; u++) {
        arrays_free(&shadow->instances[u].arrays);
        free(shadow->instances[u].regions);
        key_table_free(&shadow->instances[u].numbers);
        free(shadow->instances[u].parts);
    }
    free(shadow->instances);
    free(shadow->lost);
    free(shadow);
}

static bool instance_copy(struct instance *instance)
{
    bool all = arrays_copy(&instance->arrays);
    all &= array_copy(&instance->regions, instance->region_capacity * sizeof *instance->regions);
    all &= key_table_copy(&instance->numbers);
    return array_copy(&instance->parts, instance->part_capacity * sizeof *instance->parts) && all;
}

struct shadow *shadow_copy(const struct shadow *shadow)
{
    struct shadow *copy = malloc(sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *shadow;
    bool all = array_copy(&copy->instances, copy->unit_count * sizeof *copy->instances);
    for (unsigned u = 0; copy->instances && u < copy->unit_count; u++)
        all &= instance_copy(&copy->instances[u]);
    all &= array_copy(&copy->lost, copy->lost_capacity * sizeof *copy->lost);
    if (all)
        return copy;
    shadow_free(copy);
    return NULL;
}

void shadow_flush(struct shadow *shadow, uint64_t lines)
{
    shadow->flushes++;
    for (unsigned u = 0; u < shadow->unit_count; u++) {
        flush_lines(shadow, &shadow->instances[u]);
        if (lines != shadow->lines)
            arrays_free(&shadow->instances[u].arrays);
    }
    shadow->lines = lines;
}

/* ---- Regions */

/* Numbers a line within its instance and finds its region. A slice of an L2 sees only one chunk out
 * of each round of the interleave; this closes the gaps, so that lines which are neighbours in the
 * slice are neighbours in a region. */
static uint64_t number_line(const struct shadow *shadow, uint64_t line, uint64_t *region)
{
    const struct geometry *geometry = &shadow->geometry;
    *region = line >> shadow->region_bits;
    if (!geometry->slice_lines)
        return line;
    uint64_t round = divisor_divide(line, &geometry->slice_round);
    uint64_t rest = line - round * geometry->slice_round.by;
    line = (round << shadow->slice_bits) + (rest & (geometry->slice_lines - 1));
    *region = (line >> shadow->region_bits) * shadow->slices + (rest >> shadow->slice_bits);
    return line;
}

/* Adds a region; REGION_NONE: no memory. */
static __attribute__((noinline)) uint32_t add_region(const struct shadow *shadow,
                                                     struct instance *instance, uint64_t number)
{
    uint32_t region;
    if (array_reserve(&instance->regions, &instance->region_capacity,
                      (size_t)instance->numbers.count + 1) ||
        key_table_add(&instance->numbers, number, &region))
        return REGION_NONE;
    instance->regions[region] = (struct region){.flushes = shadow->flushes};
    return region;
}

static inline uint32_t find_region(const struct shadow *shadow, struct instance *instance,
                                   uint64_t number)
{
    uint32_t found = key_table_find(&instance->numbers, number);
    if (found == KEY_NONE && (found = add_region(shadow, instance, number)) == REGION_NONE)
        return found;
    struct region *region = &instance->regions[found];
    if (region->flushes != shadow->flushes) {
        region->recent = region->valid = region->partial = 0;
        region->flushes = shadow->flushes;
    }
    return found;
}

/* ---- Accesses: the same rules as in cache_access.h, but nothing is sent to a next level. */

/* A line as the fully associative cache has it (`own`), or in its region. */
struct spot {
    struct instance *instance;
    uint64_t line;
    uint32_t own; /* or 0 */
    uint32_t region;
    unsigned shift; /* bit of its first sector there */
};

/* Where the written parts of the sectors of a line are kept; NULL: there is no memory. */
static uint32_t *spot_parts(const struct shadow *shadow, const struct spot *spot)
{
    struct instance *instance = spot->instance;
    if (spot->own)
        return instance->written + (size_t)spot->own * shadow->geometry.sectors;
    struct region *region = &instance->regions[spot->region];
    if (!region->parts) {
        size_t first = instance->part_count ? instance->part_count : 1;
        size_t count = first + ((size_t)1 << (shadow->region_bits + shadow->sector_bits));
        if (count > UINT32_MAX || array_reserve(&instance->parts, &instance->part_capacity, count))
            return NULL;
        region->parts = (uint32_t)first;
        instance->part_count = count;
    }
    return instance->parts + region->parts + spot->shift;
}

/* Which parts of sector `place` of the line a request covers. */
static uint32_t spot_covers(const struct shadow *shadow, const struct spot *spot, unsigned place,
                            const struct request *request)
{
    return request_covers(&shadow->geometry, request,
                          geometry_sector(&shadow->geometry, spot->line, place));
}

/* Adds a store to partial sectors; those that are completely written now stop being partial. */
static void fill_sectors(const struct shadow *shadow, const struct spot *spot,
                         struct content *content, const struct request *request, uint32_t sectors)
{
    uint32_t *parts = spot_parts(shadow, spot); /* there since they became partial */
    for (uint32_t left = sectors; left; left &= left - 1) {
        unsigned place = (unsigned)__builtin_ctz(left);
        parts[place] |= spot_covers(shadow, spot, place, request);
        if (parts[place] == UINT32_MAX)
            content->partial &= ~(UINT32_C(1) << place);
    }
}

/* Sectors that a store has just allocated lazily: partial unless the store covers them. */
static enum status begin_sectors(const struct shadow *shadow, const struct spot *spot,
                                 struct content *content, const struct request *request,
                                 uint32_t sectors)
{
    const struct geometry *geometry = &shadow->geometry;
    const uint64_t first = geometry_sector(geometry, spot->line, (unsigned)__builtin_ctz(sectors));
    const uint64_t last = geometry_sector(geometry, spot->line, log2_floor(sectors));
    if (request_fills(geometry, request, first, last))
        return STATUS_OK;
    for (uint32_t left = sectors; left; left &= left - 1) {
        unsigned place = (unsigned)__builtin_ctz(left);
        uint32_t covers = spot_covers(shadow, spot, place, request), *parts;
        if (covers == UINT32_MAX)
            continue;
        if (!(parts = spot_parts(shadow, spot)))
            return STATUS_MEMORY; /* a cache in time goes on after it, to the end of its cycle */
        parts[place] = covers;
        content->partial |= UINT32_C(1) << place;
    }
    return STATUS_OK;
}

/* The sectors that a load misses. */
TEMPLATE uint32_t load_misses(const struct content *content, uint32_t sectors)
{
    return sectors & ~(content->valid & ~content->partial);
}

/* The sectors that a store misses; an atomic also reads. */
TEMPLATE uint32_t store_misses(const struct content *content, const struct request *request,
                               uint32_t sectors)
{
    return request->op == OP_ATOMIC ? load_misses(content, sectors) : sectors & ~content->valid;
}

TEMPLATE void load_content(struct content *content, uint32_t missed)
{
    content->valid |= missed;
    content->partial &= ~missed;
}

/* Updates all sectors at once instead of in order. That is the same, because a request stores to no
 * sector twice, and dropping or allocating sectors does not move the line. */
static inline enum status store_content(const struct shadow *shadow, const struct spot *spot,
                                        struct content *content, const struct request *request,
                                        uint32_t hits, uint32_t taken)
{
    if (write_policy(shadow->config.write, request) == WRITE_EVICT) {
        content->valid &= ~hits;
        content->partial &= ~hits;
    } else if (hits & content->partial) {
        fill_sectors(shadow, spot, content, request, hits & content->partial);
    }
    content->valid |= taken;
    content->partial &= ~taken;
    if (taken && shadow->lazy && request->op != OP_ATOMIC)
        return begin_sectors(shadow, spot, content, request, taken);
    return STATUS_OK;
}

/* load_line and store_line report the sectors that missed in the fully associative cache. */

TEMPLATE uint32_t load_line(const struct shadow *shadow, struct instance *instance, uint64_t number,
                            uint32_t sectors)
{
    uint32_t line = find_line(shadow, instance, number);
    if (line)
        touch_line(instance, line);
    else
        line = add_line(shadow, instance, number);
    const uint32_t missed = load_misses(&instance->contents[line], sectors);
    load_content(&instance->contents[line], missed);
    return missed;
}

static enum status store_line(const struct shadow *shadow, struct instance *instance,
                              uint64_t number, const struct request *request, uint32_t sectors,
                              uint32_t *missed)
{
    uint32_t line = find_line(shadow, instance, number);
    const struct content none = {0};
    *missed = store_misses(line ? &instance->contents[line] : &none, request, sectors);
    const uint32_t hits = sectors & ~*missed;
    const uint32_t taken = shadow->config.write_allocate == WRITE_ALLOCATE_NONE ? 0 : *missed;
    if (!(hits | taken))
        return STATUS_OK;
    if (line)
        touch_line(instance, line);
    else
        line = add_line(shadow, instance, number);
    struct content *content = &instance->contents[line];
    const struct spot spot = {.instance = instance, .line = number, .own = line};
    enum status status = store_content(shadow, &spot, content, request, hits, taken);
    if (!content->valid)
        remove_line(shadow, instance, line);
    return status;
}

/* ---- What no cache can hit, whatever its size and policy: sectors that are nowhere, because
 * earlier stores bypassed them, dropped them or wrote only a part of them. If a store that hits
 * drops its line and one that misses allocates it, the line may be present in either case. */

static enum status store_possible(const struct shadow *shadow, const struct spot *spot,
                                  struct content *possible, const struct request *request,
                                  uint32_t sectors, uint32_t *missed)
{
    *missed = store_misses(possible, request, sectors);
    uint32_t hits = sectors & ~*missed, taken = *missed;
    if (shadow->config.write_allocate == WRITE_ALLOCATE_NONE)
        taken = 0;
    else if (write_policy(shadow->config.write, request) == WRITE_EVICT)
        taken = sectors;
    return store_content(shadow, spot, possible, request, hits, taken);
}

/* Looks up sectors that missed, or those of a store, in what some cache may hold, and reports those
 * that no cache can hit. */
static enum status access_possible(const struct shadow *shadow, const struct spot *spot,
                                   const struct request *request, uint32_t sectors,
                                   uint32_t *missed)
{
    struct region *region = &spot->instance->regions[spot->region];
    const uint64_t line = (uint64_t)(UINT32_MAX >> (32 - shadow->geometry.sectors)) << spot->shift;
    struct content possible = {(uint32_t)((region->valid & line) >> spot->shift),
                               (uint32_t)((region->partial & line) >> spot->shift)};
    enum status status = STATUS_OK;
    if (request_writes(request)) {
        status = store_possible(shadow, spot, &possible, request, sectors, missed);
    } else {
        *missed = load_misses(&possible, sectors);
        load_content(&possible, *missed);
    }
    region->valid = (region->valid & ~line) | (uint64_t)possible.valid << spot->shift;
    region->partial = (region->partial & ~line) | (uint64_t)possible.partial << spot->shift;
    return status;
}

/* Counts the compulsory and flush misses among sectors that missed, and returns the others: those
 * accessed since the last flush. */
static inline uint32_t mark_sectors(struct region *region, unsigned shift, uint32_t missed,
                                    struct cache_counts *counts)
{
    const uint64_t wanted = (uint64_t)missed << shift, new = wanted & ~region->recent;
    if (!new)
        return missed;
    const uint64_t before = new & region->ever;
    counts->compulsory += bits_count((uint32_t)((new ^ before) >> shift));
    if (before)
        counts->flush += bits_count((uint32_t)(before >> shift));
    region->recent |= new;
    region->ever |= new;
    return (uint32_t)((wanted & ~new) >> shift);
}

/* Tells what missed in the fully associative cache apart; *lost as for shadow_run. */
static enum status tell_misses(const struct shadow *shadow, const struct request *request,
                               uint64_t line, uint32_t sectors, uint32_t missed,
                               struct cache_counts *counts, uint32_t *lost)
{
    struct instance *instance = &shadow->instances[request->instance];
    uint64_t wanted, own = number_line(shadow, line, &wanted);
    const unsigned place = own & ((1U << shadow->region_bits) - 1);
    struct spot spot = {.instance = instance, .line = line, .shift = place << shadow->sector_bits};
    spot.region = find_region(shadow, instance, wanted);
    if (spot.region == REGION_NONE)
        return STATUS_MEMORY;
    *lost = mark_sectors(&instance->regions[spot.region], spot.shift, missed, counts);
    if (!shadow->stores_lose)
        return STATUS_OK;
    uint32_t nowhere;
    enum status status = access_possible(shadow, &spot, request,
                                         request_writes(request) ? sectors : missed, &nowhere);
    if (*lost & nowhere)
        counts->store += bits_count(*lost & nowhere);
    *lost &= ~nowhere;
    return status;
}

/* One request on a bit set of sectors of one line; *lost as for shadow_run. A load that hits has
 * been told apart before and is in some cache, so that nothing else changes. */
TEMPLATE enum status access_line(struct shadow *shadow, const struct request *request,
                                 uint64_t line, uint32_t sectors, struct cache_counts *counts,
                                 uint32_t *lost)
{
    struct instance *instance = &shadow->instances[request->instance];
    const bool writes = request_writes(request);
    enum status status = STATUS_OK;
    uint32_t missed;
    *lost = 0;
    if (!instance->slots && make_lines(shadow, instance))
        return STATUS_MEMORY;
    if (writes)
        status = store_line(shadow, instance, line, request, sectors, &missed);
    else
        missed = load_line(shadow, instance, line, sectors);
    if (status || !(missed || (writes && shadow->stores_lose)))
        return status;
    return tell_misses(shadow, request, line, sectors, missed, counts, lost);
}

/* A request that spans several lines. `more`: requests that follow; *done: lines so far. */
static __attribute__((noinline)) enum status access_lines(struct shadow *shadow,
                                                          const struct request *request,
                                                          size_t more, struct cache_counts *counts,
                                                          size_t *done)
{
    const struct geometry *geometry = &shadow->geometry;
    uint64_t sector, last;
    geometry_sectors(geometry, request, &sector, &last);
    size_t lines = (last >> shadow->sector_bits) - (sector >> shadow->sector_bits) + 1;
    enum status status = array_reserve(&shadow->lost, &shadow->lost_capacity, *done + lines + more);
    while (sector <= last && !status) {
        uint64_t line = geometry_line(geometry, sector);
        status = access_line(shadow, request, line, geometry_cut(geometry, sector, last), counts,
                             &shadow->lost[(*done)++]);
        sector = geometry_sector(geometry, line + 1, 0);
    }
    return status;
}

/* Looks a batch up. Invariant: `lost` gets one word per line of each request that is not passed, in
 * order, which tells the misses of the cache apart (Hill and Smith 1989). A template over
 * `sectored`, so that a cache without sectors makes no masks. */
TEMPLATE enum status run(struct shadow *shadow, const struct request *requests, size_t count,
                         struct cache_counts *counts, bool sectored)
{
    const struct geometry *geometry = &shadow->geometry;
    size_t done =
        0; /* lines so far; `lost` always has room for one line of each remaining request */
    enum status status = array_reserve(&shadow->lost, &shadow->lost_capacity, count);
    if (status)
        return status;
    for (size_t i = 0; i < count; i++) {
        const struct request *request = &requests[i];
        uint64_t sector, last;
        if (!geometry_sectors(geometry, request, &sector, &last) ||
            request->instance >= shadow->unit_count)
            return STATUS_INVALID;
        if (cache_passes(shadow->config.write, shadow->options, request))
            continue;
        uint64_t line = sectored ? sector >> shadow->sector_bits : sector;
        if (line == (sectored ? last >> shadow->sector_bits : last)) {
            unsigned place = geometry_place(geometry, sector), more = (unsigned)(last - sector);
            status = access_line(shadow, request, line,
                                 sectored ? UINT32_MAX >> (31 - more) << place : 1, counts,
                                 &shadow->lost[done++]);
        } else {
            status = access_lines(shadow, request, count - 1 - i, counts, &done);
        }
        if (status)
            return status;
    }
    return STATUS_OK;
}

enum status shadow_run(struct shadow *shadow, const struct request *requests, size_t count,
                       struct cache_counts *counts, const uint32_t **lost)
{
    enum status status = shadow->sector_bits ? run(shadow, requests, count, counts, true)
                                             : run(shadow, requests, count, counts, false);
    *lost = shadow->lost;
    return status;
}
