#include "model/cache/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/bits.h"
#include "base/key_table.h"
#include "base/links.h"
#include "model/cache/cache_state.h"

/* `sectored`: lines may have more than one sector, and regions may have fewer lines than
 * 2^REGION_BITS. Callers pass it as a constant, so that the common case is compiled on its own. */
#define TEMPLATE static inline __attribute__((always_inline))

/* The state of sectors since the last flush, as in struct line_state. */
struct content {
    uint64_t valid, partial;
    uint32_t written; /* lazy allocation: index of the region's parts in `written`; 0: none yet */
};

/* A group of neighbouring lines with at most 64 sectors in total, one bit per sector. Grouping
 * saves table entries: the lines of a region share one key. */
struct region {
    uint64_t ever;   /* accessed */
    uint64_t recent; /* accessed since flush number `flushes` */
    uint32_t flushes;
    struct content own;      /* what the fully associative cache holds */
    struct content possible; /* what some cache may hold, whatever its size and policy */
};

struct instance {
    struct region *regions;
    struct link *links; /* valid lines, most recent first. The head is node 0; line `place` of
                           region r is node (r << region_bits) + place + 1 */
    size_t region_capacity, link_capacity;
    struct key_table numbers; /* of regions, by number_line */
    uint64_t lines;
    uint32_t *written; /* 32nds of sectors written so far, by region; entry 0 is unused */
    size_t written_count, written_capacity;
};

struct shadow {
    struct cache_config config;
    struct geometry geometry;
    unsigned options, unit_count;
    bool stores_lose; /* because of a store, an accessed sector may be in no cache */
    unsigned region_bits, sector_bits; /* log2 of the lines of a region and the sectors of a line */
    unsigned slice_bits, slices;       /* of geometry.slice_lines */
    uint64_t all_sectors;              /* bit set, of a line */
    uint64_t lines;                    /* that fit */
    uint32_t flushes;
    struct instance *instances;
    uint32_t *lost;
    size_t lost_capacity;
};

enum { REGION_BITS = 4, REGION_NONE = UINT32_MAX };

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
    unsigned bits = REGION_BITS;
    if (shadow->slices && is_hashed(shadow->config.partition) && bits > shadow->slice_bits)
        bits = shadow->slice_bits;
    return bits + shadow->sector_bits > 6 ? 6 - shadow->sector_bits : bits;
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
    if (geometry->slice_lines) {
        shadow->slice_bits = log2_floor(geometry->slice_lines);
        shadow->slices = (unsigned)config->slices;
    }
    shadow->sector_bits = log2_floor(geometry->sectors);
    shadow->all_sectors = (UINT64_C(2) << (geometry->sectors - 1)) - 1;
    shadow->region_bits = choose_region_bits(shadow);
    shadow->lines = geometry->sets * geometry->ways;
    *result = shadow;
    return STATUS_OK;
}

void shadow_free(struct shadow *shadow)
{
    if (!shadow)
        return;
    for (unsigned u = 0; shadow->instances && u < shadow->unit_count; u++) {
        free(shadow->instances[u].regions);
        free(shadow->instances[u].links);
        key_table_free(&shadow->instances[u].numbers);
        free(shadow->instances[u].written);
    }
    free(shadow->instances);
    free(shadow->lost);
    free(shadow);
}

static bool instance_copy(struct instance *instance)
{
    bool all =
        array_copy(&instance->regions, instance->region_capacity * sizeof *instance->regions);
    all &= array_copy(&instance->links, instance->link_capacity * sizeof *instance->links);
    all &= key_table_copy(&instance->numbers);
    return array_copy(&instance->written, instance->written_capacity * sizeof *instance->written) &&
           all;
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
    shadow->lines = lines;
    shadow->flushes++;
    for (unsigned u = 0; u < shadow->unit_count; u++) {
        shadow->instances[u].lines = 0;
        if (shadow->instances[u].links)
            shadow->instances[u].links[0] = (struct link){0};
    }
}

/* ---- Regions */

TEMPLATE unsigned region_bits(const struct shadow *shadow, bool sectored)
{
    return sectored ? shadow->region_bits : REGION_BITS;
}

/* Numbers a line within its instance and finds its region. A slice of an L2 sees only one chunk out
 * of each round of the interleave; this closes the gaps, so that lines which are neighbours in the
 * slice are neighbours in a region. */
TEMPLATE uint64_t number_line(const struct shadow *shadow, uint64_t line, uint64_t *region,
                              bool sectored)
{
    const struct geometry *geometry = &shadow->geometry;
    *region = line >> region_bits(shadow, sectored);
    if (!geometry->slice_lines)
        return line;
    uint64_t round = divisor_divide(line, &geometry->slice_round);
    uint64_t rest = line - round * geometry->slice_round.by;
    line = (round << shadow->slice_bits) + (rest & (geometry->slice_lines - 1));
    *region =
        (line >> region_bits(shadow, sectored)) * shadow->slices + (rest >> shadow->slice_bits);
    return line;
}

/* Adds a region; REGION_NONE: no memory. */
static __attribute__((noinline)) uint32_t add_region(const struct shadow *shadow,
                                                     struct instance *instance, uint64_t number)
{
    size_t count = (size_t)instance->numbers.count + 1;
    size_t links = (count << shadow->region_bits) + 1;
    bool first = !instance->links;
    if (links > UINT32_MAX ||
        array_reserve(&instance->regions, &instance->region_capacity, count) ||
        array_reserve(&instance->links, &instance->link_capacity, links))
        return REGION_NONE;
    if (first)
        instance->links[0] = (struct link){0};
    uint32_t region;
    if (key_table_add(&instance->numbers, number, &region))
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
        region->recent = 0;
        region->own.valid = region->own.partial = 0;
        region->possible.valid = region->possible.partial = 0;
        region->flushes = shadow->flushes;
    }
    return found;
}

/* ---- Lines */

struct spot { /* a line */
    struct instance *instance;
    struct region *region;
    uint64_t line;   /* bit set: all its sectors */
    uint64_t sector; /* bit i stands for sector number `sector` + i, modulo 2^64 */
    unsigned shift;  /* bit of its first sector */
    uint32_t link;
};

TEMPLATE enum status find_spot(struct shadow *shadow, unsigned number, uint64_t line,
                               struct spot *spot, bool sectored)
{
    unsigned bits = sectored ? shadow->sector_bits : 0;
    uint64_t all = sectored ? shadow->all_sectors : 1;
    uint64_t wanted, own = number_line(shadow, line, &wanted, sectored);
    unsigned place = own & ((1U << region_bits(shadow, sectored)) - 1);
    struct instance *instance = &shadow->instances[number];
    uint32_t region = find_region(shadow, instance, wanted);
    if (region == REGION_NONE)
        return STATUS_MEMORY;
    spot->instance = instance;
    spot->region = &instance->regions[region];
    spot->shift = place << bits;
    spot->line = all << spot->shift;
    spot->sector = (line << bits) - spot->shift;
    spot->link = (region << region_bits(shadow, sectored)) + place + 1;
    return STATUS_OK;
}

TEMPLATE void touch_line(const struct spot *spot)
{
    struct link *links = spot->instance->links;
    if (links[0].next == spot->link)
        return;
    links_move_first(links, spot->link, 0);
}

TEMPLATE void add_line(const struct shadow *shadow, const struct spot *spot, bool sectored)
{
    struct instance *instance = spot->instance;
    struct link *links = instance->links;
    if (instance->lines == shadow->lines) {
        uint32_t oldest = links[0].previous;
        unsigned bits = region_bits(shadow, sectored);
        unsigned place = (oldest - 1) & ((1U << bits) - 1);
        struct content *own = &instance->regions[(oldest - 1) >> bits].own;
        own->valid &= sectored ? ~(shadow->all_sectors << (place << shadow->sector_bits))
                               : ~(UINT64_C(1) << place);
        own->partial &= own->valid;
        links_remove(links, oldest);
    } else {
        instance->lines++;
    }
    links_insert_first(links, spot->link, 0);
}

TEMPLATE void remove_line(const struct spot *spot)
{
    links_remove(spot->instance->links, spot->link);
    spot->instance->lines--;
}

TEMPLATE void use_line(const struct shadow *shadow, const struct spot *spot, bool sectored)
{
    if (spot->region->own.valid & spot->line)
        touch_line(spot);
    else
        add_line(shadow, spot, sectored);
}

/* ---- Accesses: the same rules as in cache_access.h, but nothing is sent to a next level. */

/* Records which parts of a partial sector were written. */
static enum status keep_written(const struct shadow *shadow, const struct spot *spot,
                                struct content *content, unsigned sector, uint32_t parts)
{
    struct instance *instance = spot->instance;
    if (!content->written) {
        size_t first = instance->written_count ? instance->written_count : 1;
        size_t count = first + ((size_t)1 << (shadow->region_bits + shadow->sector_bits));
        if (count > UINT32_MAX ||
            array_reserve(&instance->written, &instance->written_capacity, count))
            return STATUS_MEMORY;
        content->written = (uint32_t)first;
        instance->written_count = count;
    }
    instance->written[content->written + sector] = parts;
    return STATUS_OK;
}

/* Adds a store to partial sectors; those that are completely written now stop being partial. */
static void fill_sectors(const struct shadow *shadow, const struct spot *spot,
                         struct content *content, const struct request *request, uint64_t sectors)
{
    for (uint64_t left = sectors; left; left &= left - 1) {
        unsigned sector = (unsigned)__builtin_ctzll(left);
        uint32_t *written = &spot->instance->written[content->written + sector];
        *written |= request_covers(&shadow->geometry, request, spot->sector + sector);
        if (*written == UINT32_MAX)
            content->partial &= ~(UINT64_C(1) << sector);
    }
}

/* Sectors that a store has just allocated lazily: partial unless the store covers them. */
static enum status begin_sectors(const struct shadow *shadow, const struct spot *spot,
                                 struct content *content, const struct request *request,
                                 uint64_t sectors)
{
    enum status status = STATUS_OK;
    for (uint64_t left = sectors; left && !status; left &= left - 1) {
        unsigned sector = (unsigned)__builtin_ctzll(left);
        uint32_t parts = request_covers(&shadow->geometry, request, spot->sector + sector);
        if (parts == UINT32_MAX)
            continue;
        status = keep_written(shadow, spot, content, sector, parts);
        if (!status) /* a cache in time goes on after a failure, to the end of its cycle */
            content->partial |= UINT64_C(1) << sector;
    }
    return status;
}

/* The sectors that a load misses. */
TEMPLATE uint64_t load_misses(const struct content *content, uint64_t sectors)
{
    return sectors & ~(content->valid & ~content->partial);
}

/* The sectors that a store misses; an atomic also reads. */
TEMPLATE uint64_t store_misses(const struct content *content, const struct request *request,
                               uint64_t sectors)
{
    return request->op == OP_ATOMIC ? load_misses(content, sectors) : sectors & ~content->valid;
}

TEMPLATE void load_content(struct content *content, uint64_t missed)
{
    content->valid |= missed;
    content->partial &= ~missed;
}

/* Updates all sectors at once instead of in order. That is the same, because a request stores to no
 * sector twice, and dropping or allocating sectors does not move the line. */
TEMPLATE enum status store_content(const struct shadow *shadow, const struct spot *spot,
                                   struct content *content, const struct request *request,
                                   uint64_t hits, uint64_t taken)
{
    if (write_policy(shadow->config.write, request) == WRITE_EVICT) {
        content->valid &= ~hits;
        content->partial &= ~hits;
    } else if (hits & content->partial) {
        fill_sectors(shadow, spot, content, request, hits & content->partial);
    }
    content->valid |= taken;
    content->partial &= ~taken;
    if (taken && shadow->config.write_allocate == WRITE_ALLOCATE_LAZY && request->op != OP_ATOMIC)
        return begin_sectors(shadow, spot, content, request, taken);
    return STATUS_OK;
}

/* load_sectors and store_sectors report the sectors that missed in the fully associative cache. */

TEMPLATE uint64_t load_sectors(const struct shadow *shadow, const struct spot *spot,
                               uint64_t sectors, bool sectored)
{
    uint64_t missed = load_misses(&spot->region->own, sectors);
    use_line(shadow, spot, sectored);
    if (missed)
        load_content(&spot->region->own, missed);
    return missed;
}

TEMPLATE enum status store_sectors(const struct shadow *shadow, const struct spot *spot,
                                   const struct request *request, uint64_t sectors,
                                   uint64_t *missed, bool sectored)
{
    struct content *own = &spot->region->own;
    *missed = store_misses(own, request, sectors);
    uint64_t hits = sectors & ~*missed;
    uint64_t taken = shadow->config.write_allocate == WRITE_ALLOCATE_NONE ? 0 : *missed;
    if (!(hits | taken))
        return STATUS_OK;
    use_line(shadow, spot, sectored);
    enum status status = store_content(shadow, spot, own, request, hits, taken);
    if (!(own->valid & spot->line))
        remove_line(spot);
    return status;
}

/* ---- What no cache can hit, whatever its size and policy: sectors that are nowhere, because
 * earlier stores bypassed them, dropped them or wrote only a part of them. If a store that hits
 * drops its line and one that misses allocates it, the line may be present in either case. */

static enum status store_possible(const struct shadow *shadow, const struct spot *spot,
                                  const struct request *request, uint64_t sectors, uint64_t *missed)
{
    struct content *possible = &spot->region->possible;
    *missed = store_misses(possible, request, sectors);
    uint64_t hits = sectors & ~*missed, taken = *missed;
    if (shadow->config.write_allocate == WRITE_ALLOCATE_NONE)
        taken = 0;
    else if (write_policy(shadow->config.write, request) == WRITE_EVICT)
        taken = sectors;
    return store_content(shadow, spot, possible, request, hits, taken);
}

/* Of the sectors in *again, counts those that no cache can hit as store misses and removes them
 * from *again. Needed only for a line that misses in the fully associative cache or is stored to.
 */
static enum status count_impossible(const struct shadow *shadow, const struct spot *spot,
                                    const struct request *request, uint64_t sectors,
                                    uint64_t *again, struct cache_counts *counts)
{
    struct content *possible = &spot->region->possible;
    uint64_t missed;
    enum status status = STATUS_OK;
    if (request_writes(request)) {
        status = store_possible(shadow, spot, request, sectors, &missed);
    } else {
        missed = load_misses(possible, sectors);
        load_content(possible, missed);
    }
    counts->store += bits_count((uint32_t)((*again & missed) >> spot->shift));
    *again &= ~missed;
    return status;
}

/* Counts the compulsory and flush misses among sectors that missed, and returns the others: those
 * accessed since the last flush. */
TEMPLATE uint64_t mark_sectors(const struct spot *spot, uint64_t missed,
                               struct cache_counts *counts, bool sectored)
{
    struct region *region = spot->region;
    uint64_t again = missed & region->recent, new = missed & ~region->recent;
    if (new) {
        uint32_t first = (uint32_t)((new & ~region->ever) >> spot->shift);
        uint32_t second = (uint32_t)((new & region->ever) >> spot->shift);
        counts->compulsory += sectored ? bits_count(first) : first;
        counts->flush += sectored ? bits_count(second) : second;
        region->recent |= new;
        region->ever |= new;
    }
    return again;
}

/* One request on a bit set of sectors of one line; *lost as for shadow_run. */
TEMPLATE enum status access_line(struct shadow *shadow, const struct request *request,
                                 uint64_t line, uint32_t sectors, struct cache_counts *counts,
                                 uint32_t *lost, bool sectored)
{
    struct spot spot;
    enum status status = find_spot(shadow, request->instance, line, &spot, sectored);
    if (status)
        return status;
    uint64_t missed, wanted = (uint64_t)sectors << spot.shift;
    bool writes = request_writes(request);
    if (writes) {
        const struct spot at = spot; /* passing a copy's address keeps `spot` in registers */
        status = store_sectors(shadow, &at, request, wanted, &missed, sectored);
    } else {
        missed = load_sectors(shadow, &spot, wanted, sectored);
    }
    uint64_t again = missed ? mark_sectors(&spot, missed, counts, sectored) : 0;
    /* A load that hits the shadow is in some cache, so `possible` need not change. */
    if (!status && shadow->stores_lose && (writes || missed)) {
        const struct spot at = spot;
        status = count_impossible(shadow, &at, request, writes ? wanted : missed, &again, counts);
    }
    *lost = (uint32_t)(again >> spot.shift);
    return status;
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
                             &shadow->lost[(*done)++], true);
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
                                 &shadow->lost[done++], sectored);
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
    bool sectored = shadow->sector_bits || shadow->region_bits != REGION_BITS;
    enum status status = sectored ? run(shadow, requests, count, counts, true)
                                  : run(shadow, requests, count, counts, false);
    *lost = shadow->lost;
    return status;
}
