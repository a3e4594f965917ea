#include "model/cache/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "model/cache/cache_state.h"

/* `sectored`: lines may have more than one sector, and regions fewer lines than REGION_BITS says;
 * constant where these are instantiated. */
#define TEMPLATE static inline __attribute__((always_inline))

/* Some neighbouring lines, with at most 64 sectors: as bit sets of these, place by place. */
struct region {
    uint64_t number; /* number_line */
    uint64_t ever;   /* accessed */
    /* Since flush number `flushes`: accessed; and as in struct line_state. */
    uint64_t recent, valid, partial;
    uint32_t flushes;
    uint32_t written; /* lazy: where the parts of its first sector are kept; 0: nowhere yet */
};

/* Least recently used: a circular list of the valid lines, as in replacement_lru.c. links[0] is its
 * anchor, and line `place` of region r is links[(r << region_bits) + place + 1]. */
struct link {
    uint32_t previous, next;
};

struct instance {
    struct region *regions;
    struct link *links;
    size_t region_count, region_capacity, link_capacity;
    uint32_t *slots;     /* regions + 1 by their number; open addressing, at most a quarter full */
    unsigned slot_shift; /* 64 - log2 of their number */
    size_t slot_mask;
    uint64_t lines;
    uint32_t *written; /* 1/32 parts of sectors written so far, region by region; 0 is unused */
    size_t written_count, written_capacity;
};

struct shadow {
    struct cache_config config;
    struct geometry geometry;
    unsigned options, unit_count;
    unsigned region_bits, sector_bits; /* of the lines of a region, the sectors of a line */
    unsigned slice_bits, slices;       /* of geometry.slice_lines */
    uint64_t all_sectors;              /* bit set, of a line */
    uint64_t lines;                    /* that fit */
    uint32_t flushes;
    struct instance *instances;
    uint32_t *lost;
    size_t lost_capacity;
};

enum { REGION_BITS = 4, SLOT_BITS = 6, REGION_NONE = UINT32_MAX };

/* How many lines make a region. Where the slices are chosen by a hash, a slice has about one chunk
 * of the interleaving among its neighbours: a region is not larger than that. */
static unsigned choose_region_bits(const struct shadow *shadow)
{
    unsigned bits = REGION_BITS;
    if (shadow->slices && shadow->config.partition != PARTITION_LINEAR && bits > shadow->slice_bits)
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
        free(shadow->instances[u].slots);
        free(shadow->instances[u].written);
    }
    free(shadow->instances);
    free(shadow->lost);
    free(shadow);
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

/* The number of a line among those of its instance, and of its region. An L2's slice has every so
 * many'th chunk of the interleaving only: what are neighbours in it are neighbours here too. */
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

static uint32_t *instance_slot(const struct instance *instance, uint64_t number)
{
    size_t at = number * UINT64_C(0x9e3779b97f4a7c15) >> instance->slot_shift;
    while (instance->slots[at] && instance->regions[instance->slots[at] - 1].number != number)
        at = (at + 1) & instance->slot_mask;
    return &instance->slots[at];
}

static enum status grow_slots(struct instance *instance)
{
    unsigned bits = instance->slots ? 64 - instance->slot_shift + 1 : SLOT_BITS;
    uint32_t *slots = calloc((size_t)1 << bits, sizeof *slots);
    if (!slots)
        return STATUS_MEMORY;
    free(instance->slots);
    instance->slots = slots;
    instance->slot_shift = 64 - bits;
    instance->slot_mask = ((size_t)1 << bits) - 1;
    for (size_t r = 0; r < instance->region_count; r++)
        *instance_slot(instance, instance->regions[r].number) = (uint32_t)r + 1;
    return STATUS_OK;
}

/* A region that no slot has; REGION_NONE: no memory. */
static __attribute__((noinline)) uint32_t add_region(const struct shadow *shadow,
                                                     struct instance *instance, uint64_t number)
{
    size_t count = instance->region_count + 1;
    size_t links = (count << shadow->region_bits) + 1;
    bool first = !instance->links;
    if (links > UINT32_MAX ||
        array_reserve(&instance->regions, &instance->region_capacity, count) ||
        array_reserve(&instance->links, &instance->link_capacity, links))
        return REGION_NONE;
    if (first)
        instance->links[0] = (struct link){0};
    if ((!instance->slots || 4 * count > instance->slot_mask) && grow_slots(instance))
        return REGION_NONE;
    instance->regions[count - 1] = (struct region){.number = number, .flushes = shadow->flushes};
    *instance_slot(instance, number) = (uint32_t)count;
    instance->region_count = count;
    return (uint32_t)count - 1;
}

static inline uint32_t find_region(const struct shadow *shadow, struct instance *instance,
                                   uint64_t number)
{
    uint32_t slot = instance->slots ? *instance_slot(instance, number) : 0;
    uint32_t found = slot ? slot - 1 : add_region(shadow, instance, number);
    if (found == REGION_NONE)
        return found;
    struct region *region = &instance->regions[found];
    if (region->flushes != shadow->flushes) {
        region->recent = region->valid = region->partial = 0;
        region->flushes = shadow->flushes;
    }
    return found;
}

/* ---- Lines */

struct spot { /* a line */
    struct instance *instance;
    struct region *region;
    uint64_t line;   /* bit set: all its sectors */
    uint64_t sector; /* bit i is sector number `sector` + i, modulo 2^64 */
    unsigned shift;  /* of its first sector */
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

TEMPLATE void unlink_line(struct link *links, uint32_t at)
{
    struct link gone = links[at];
    links[gone.previous].next = gone.next;
    links[gone.next].previous = gone.previous;
}

TEMPLATE void push_line(struct link *links, uint32_t at)
{
    uint32_t first = links[0].next;
    links[at] = (struct link){.previous = 0, .next = first};
    links[first].previous = at;
    links[0].next = at;
}

TEMPLATE void touch_line(const struct spot *spot)
{
    struct link *links = spot->instance->links;
    if (links[0].next == spot->link)
        return;
    unlink_line(links, spot->link);
    push_line(links, spot->link);
}

TEMPLATE void add_line(const struct shadow *shadow, const struct spot *spot, bool sectored)
{
    struct instance *instance = spot->instance;
    struct link *links = instance->links;
    if (instance->lines == shadow->lines) {
        uint32_t oldest = links[0].previous;
        unsigned bits = region_bits(shadow, sectored);
        unsigned place = (oldest - 1) & ((1U << bits) - 1);
        struct region *region = &instance->regions[(oldest - 1) >> bits];
        region->valid &= sectored ? ~(shadow->all_sectors << (place << shadow->sector_bits))
                                  : ~(UINT64_C(1) << place);
        region->partial &= region->valid;
        unlink_line(links, oldest);
    } else {
        instance->lines++;
    }
    push_line(links, spot->link);
}

TEMPLATE void remove_line(const struct spot *spot)
{
    unlink_line(spot->instance->links, spot->link);
    spot->instance->lines--;
}

TEMPLATE void use_line(const struct shadow *shadow, const struct spot *spot, bool sectored)
{
    if (spot->region->valid & spot->line)
        touch_line(spot);
    else
        add_line(shadow, spot, sectored);
}

/* ---- Accesses: what cache_access.h does, of which nothing goes on. */

/* Returns the sectors that missed. */

TEMPLATE uint64_t load_sectors(const struct shadow *shadow, const struct spot *spot,
                               uint64_t sectors, bool sectored)
{
    struct region *region = spot->region;
    uint64_t missed = sectors & ~(region->valid & ~region->partial);
    use_line(shadow, spot, sectored);
    if (missed) {
        region->valid |= missed;
        region->partial &= ~missed;
    }
    return missed;
}

/* Notes the parts of a partial sector that were written. */
static enum status keep_written(const struct shadow *shadow, const struct spot *spot,
                                unsigned sector, uint32_t parts)
{
    struct instance *instance = spot->instance;
    if (!spot->region->written) {
        size_t first = instance->written_count ? instance->written_count : 1;
        size_t count = first + ((size_t)1 << (shadow->region_bits + shadow->sector_bits));
        if (count > UINT32_MAX ||
            array_reserve(&instance->written, &instance->written_capacity, count))
            return STATUS_MEMORY;
        spot->region->written = (uint32_t)first;
        instance->written_count = count;
    }
    instance->written[spot->region->written + sector] = parts;
    return STATUS_OK;
}

/* Stores to partial sectors: those that are written in full by now are partial no longer. */
static void fill_sectors(const struct shadow *shadow, const struct spot *spot,
                         const struct request *request, uint64_t sectors)
{
    struct region *region = spot->region;
    for (uint64_t left = sectors; left; left &= left - 1) {
        unsigned sector = (unsigned)__builtin_ctzll(left);
        uint32_t *written = &spot->instance->written[region->written + sector];
        *written |= request_covers(&shadow->geometry, request, spot->sector + sector);
        if (*written == UINT32_MAX)
            region->partial &= ~(UINT64_C(1) << sector);
    }
}

/* Sectors that were allocated lazily by a store: partial unless it covers them. */
static enum status begin_sectors(const struct shadow *shadow, const struct spot *spot,
                                 const struct request *request, uint64_t sectors)
{
    struct region *region = spot->region;
    enum status status = STATUS_OK;
    for (uint64_t left = sectors; left && !status; left &= left - 1) {
        unsigned sector = (unsigned)__builtin_ctzll(left);
        uint32_t parts = request_covers(&shadow->geometry, request, spot->sector + sector);
        if (parts == UINT32_MAX)
            continue;
        region->partial |= UINT64_C(1) << sector;
        status = keep_written(shadow, spot, sector, parts);
    }
    return status;
}

/* The sectors are dealt with at once, not in order: none is stored to twice, and between those that
 * go and those that come the line has the same place. */
TEMPLATE enum status store_sectors(const struct shadow *shadow, const struct spot *spot,
                                   const struct request *request, uint64_t sectors,
                                   uint64_t *missed, bool sectored)
{
    struct region *region = spot->region;
    const int allocate = shadow->config.write_allocate;
    bool atomic = request->op == OP_ATOMIC; /* it also reads */
    uint64_t usable = atomic ? region->valid & ~region->partial : region->valid;
    uint64_t hits = sectors & usable;
    uint64_t taken = allocate == WRITE_ALLOCATE_NONE ? 0 : sectors & ~usable;
    *missed = sectors & ~usable;
    if (!(hits | taken))
        return STATUS_OK;
    use_line(shadow, spot, sectored);
    if (write_policy(shadow->config.write, request) == WRITE_EVICT) {
        region->valid &= ~hits;
        region->partial &= ~hits;
    } else if (hits & region->partial) {
        fill_sectors(shadow, spot, request, hits & region->partial);
    }
    region->valid |= taken;
    region->partial &= ~taken;
    if (!(region->valid & spot->line))
        remove_line(spot);
    if (taken && allocate == WRITE_ALLOCATE_LAZY && !atomic)
        return begin_sectors(shadow, spot, request, taken);
    return STATUS_OK;
}

/* Of sectors of a line that missed, those that were accessed since the cache was emptied; the
 * others are counted. */
TEMPLATE uint32_t mark_sectors(const struct spot *spot, uint64_t missed,
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
    return (uint32_t)(again >> spot->shift);
}

/* A request on a bit set of sectors of one line; *lost as for shadow_run. */
TEMPLATE enum status access_line(struct shadow *shadow, const struct request *request,
                                 uint64_t line, uint32_t sectors, struct cache_counts *counts,
                                 uint32_t *lost, bool sectored)
{
    struct spot spot;
    enum status status = find_spot(shadow, request->instance, line, &spot, sectored);
    if (status)
        return status;
    uint64_t missed, wanted = (uint64_t)sectors << spot.shift;
    if (request_writes(request)) {
        const struct spot at = spot; /* the other one stays in registers */
        status = store_sectors(shadow, &at, request, wanted, &missed, sectored);
    } else {
        missed = load_sectors(shadow, &spot, wanted, sectored);
    }
    *lost = missed ? mark_sectors(&spot, missed, counts, sectored) : 0;
    return status;
}

/* A request that lies in several lines. `more`: requests that follow; *done: lines so far. */
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

TEMPLATE enum status run(struct shadow *shadow, const struct request *requests, size_t count,
                         struct cache_counts *counts, bool sectored)
{
    const struct geometry *geometry = &shadow->geometry;
    size_t done = 0; /* lines; there is room for one of each request that is left */
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
