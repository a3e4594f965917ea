#include "model/cache/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "model/cache/cache_state.h"

/* Some neighbouring lines, with at most 64 sectors: as bit sets of these, place by place. */
struct region {
    uint64_t number; /* shadow_place */
    uint64_t ever;   /* accessed */
    /* Since flush number `flushes`: accessed; and as in struct line_state. */
    uint64_t recent, valid, partial;
    uint32_t flushes;
    uint32_t written; /* lazy: where its sectors' parts are kept; 0: nowhere yet */
};

/* Least recently used: a circular list of the valid lines, as in replacement_lru.c. links[0] is its
 * anchor, and line `place` of region r is links[(r << region_bits) + place + 1]. */
struct link {
    uint32_t previous, next;
};

struct unit {
    struct region *regions;
    struct link *links;
    size_t region_count, region_capacity, link_capacity;
    uint32_t *slots;     /* regions + 1 by their number; open addressing, at most a quarter full */
    unsigned slot_shift; /* 64 - log2 of their number */
    uint64_t lines;
    uint32_t (*written)[64]; /* 1/32 parts of sectors written so far; [0] is unused */
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
    struct unit *units;
    uint32_t *lost;
    size_t lost_capacity;
};

enum { REGION_BITS = 4, SLOT_BITS = 6, REGION_NONE = UINT32_MAX };

enum status shadow_create(const struct cache_config *config, unsigned units, unsigned options,
                          struct shadow **result)
{
    struct shadow *shadow = calloc(1, sizeof *shadow);
    *result = shadow;
    if (!shadow)
        return STATUS_MEMORY;
    enum status status = geometry_init(&shadow->geometry, config);
    shadow->config = *config;
    shadow->options = options;
    shadow->sector_bits = log2_floor(shadow->geometry.sectors);
    shadow->region_bits =
        shadow->sector_bits + REGION_BITS > 6 ? 6 - shadow->sector_bits : REGION_BITS;
    if (shadow->geometry.slice_lines) {
        shadow->slice_bits = log2_floor(shadow->geometry.slice_lines);
        shadow->slices = (unsigned)config->slices;
    }
    shadow->all_sectors = (UINT64_C(2) << (shadow->geometry.sectors - 1)) - 1;
    shadow->lines = shadow->geometry.sets * shadow->geometry.ways;
    shadow->unit_count = units;
    shadow->units = calloc(units, sizeof *shadow->units);
    return status ? status : shadow->units ? STATUS_OK : STATUS_MEMORY;
}

void shadow_free(struct shadow *shadow)
{
    if (!shadow)
        return;
    for (unsigned u = 0; shadow->units && u < shadow->unit_count; u++) {
        free(shadow->units[u].regions);
        free(shadow->units[u].links);
        free(shadow->units[u].slots);
        free(shadow->units[u].written);
    }
    free(shadow->units);
    free(shadow->lost);
    free(shadow);
}

void shadow_flush(struct shadow *shadow, uint64_t lines)
{
    shadow->lines = lines;
    shadow->flushes++;
    for (unsigned u = 0; u < shadow->unit_count; u++) {
        shadow->units[u].lines = 0;
        if (shadow->units[u].links)
            shadow->units[u].links[0] = (struct link){0};
    }
}

/* ---- Regions */

/* A line's region and its place there. An L2's slice has every so many'th chunk of the interleaving
 * only: what are neighbours in it are neighbours here too. */
static uint64_t shadow_place(const struct shadow *shadow, uint64_t line, unsigned *place)
{
    const struct geometry *geometry = &shadow->geometry;
    uint64_t chunk = 0;
    if (geometry->slice_lines) {
        uint64_t round = divisor_divide(line, &geometry->slice_round);
        uint64_t rest = line - round * geometry->slice_round.by;
        chunk = rest >> shadow->slice_bits;
        line = (round << shadow->slice_bits) + (rest & (geometry->slice_lines - 1));
    }
    *place = line & ((1U << shadow->region_bits) - 1);
    uint64_t number = line >> shadow->region_bits;
    return geometry->slice_lines ? number * shadow->slices + chunk : number;
}

static uint32_t *unit_slot(const struct unit *unit, uint64_t number)
{
    size_t mask = ~UINT64_C(0) >> unit->slot_shift;
    size_t at = number * UINT64_C(0x9e3779b97f4a7c15) >> unit->slot_shift;
    while (unit->slots[at] && unit->regions[unit->slots[at] - 1].number != number)
        at = (at + 1) & mask;
    return &unit->slots[at];
}

static enum status grow_slots(struct unit *unit)
{
    unsigned bits = unit->slots ? 64 - unit->slot_shift + 1 : SLOT_BITS;
    uint32_t *slots = calloc((size_t)1 << bits, sizeof *slots);
    if (!slots)
        return STATUS_MEMORY;
    free(unit->slots);
    unit->slots = slots;
    unit->slot_shift = 64 - bits;
    for (size_t r = 0; r < unit->region_count; r++)
        *unit_slot(unit, unit->regions[r].number) = (uint32_t)r + 1;
    return STATUS_OK;
}

/* A region that no slot has; REGION_NONE: no memory. */
static __attribute__((noinline)) uint32_t add_region(const struct shadow *shadow, struct unit *unit,
                                                     uint64_t number)
{
    size_t count = unit->region_count + 1;
    size_t links = (count << shadow->region_bits) + 1;
    bool first = !unit->links;
    if (links > UINT32_MAX || array_reserve(&unit->regions, &unit->region_capacity, count) ||
        array_reserve(&unit->links, &unit->link_capacity, links))
        return REGION_NONE;
    if (first)
        unit->links[0] = (struct link){0};
    if ((!unit->slots || 4 * count > ~UINT64_C(0) >> unit->slot_shift) && grow_slots(unit))
        return REGION_NONE;
    unit->regions[count - 1] = (struct region){.number = number, .flushes = shadow->flushes};
    *unit_slot(unit, number) = (uint32_t)count;
    unit->region_count = count;
    return (uint32_t)count - 1;
}

static inline uint32_t find_region(const struct shadow *shadow, struct unit *unit, uint64_t number)
{
    uint32_t slot = unit->slots ? *unit_slot(unit, number) : 0;
    uint32_t found = slot ? slot - 1 : add_region(shadow, unit, number);
    if (found == REGION_NONE)
        return found;
    struct region *region = &unit->regions[found];
    if (region->flushes != shadow->flushes) {
        region->recent = region->valid = region->partial = 0;
        region->flushes = shadow->flushes;
    }
    return found;
}

/* ---- Lines. `sectored`: of more than one sector; constant where these are instantiated. */

#define TEMPLATE static inline __attribute__((always_inline))

struct spot { /* a line */
    struct unit *unit;
    struct region *region;
    uint64_t line;   /* bit set: all its sectors */
    uint64_t sector; /* the number of the one at bit 0 of the region, modulo 2^64 */
    unsigned shift;  /* of its first sector */
    uint32_t link;
};

TEMPLATE enum status find_spot(struct shadow *shadow, unsigned number, uint64_t line,
                               struct spot *spot, bool sectored)
{
    unsigned bits = sectored ? shadow->sector_bits : 0;
    uint64_t all = sectored ? shadow->all_sectors : 1;
    unsigned place;
    struct unit *unit = &shadow->units[number];
    uint32_t region = find_region(shadow, unit, shadow_place(shadow, line, &place));
    if (region == REGION_NONE)
        return STATUS_MEMORY;
    spot->unit = unit;
    spot->region = &unit->regions[region];
    spot->shift = place << bits;
    spot->line = all << spot->shift;
    spot->sector = (line << bits) - spot->shift;
    spot->link = (region << shadow->region_bits) + place + 1;
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
    struct link *links = spot->unit->links;
    if (links[0].next == spot->link)
        return;
    unlink_line(links, spot->link);
    push_line(links, spot->link);
}

TEMPLATE void add_line(const struct shadow *shadow, const struct spot *spot, bool sectored)
{
    struct unit *unit = spot->unit;
    struct link *links = unit->links;
    if (unit->lines == shadow->lines) {
        uint32_t oldest = links[0].previous;
        unsigned place = (oldest - 1) & ((1U << shadow->region_bits) - 1);
        struct region *region = &unit->regions[(oldest - 1) >> shadow->region_bits];
        region->valid &= sectored ? ~(shadow->all_sectors << (place << shadow->sector_bits))
                                  : ~(UINT64_C(1) << place);
        region->partial &= region->valid;
        unlink_line(links, oldest);
    } else {
        unit->lines++;
    }
    push_line(links, spot->link);
}

TEMPLATE void remove_line(const struct spot *spot)
{
    unlink_line(spot->unit->links, spot->link);
    spot->unit->lines--;
}

TEMPLATE void use_line(const struct shadow *shadow, const struct spot *spot, bool sectored)
{
    if (spot->region->valid & spot->line)
        touch_line(spot);
    else
        add_line(shadow, spot, sectored);
}

/* ---- Accesses: what cache_access.h does, of which nothing goes on. These return the bit set of
 * sectors that missed. */

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
static enum status keep_written(struct unit *unit, struct region *region, unsigned sector,
                                uint32_t parts)
{
    if (!region->written) {
        size_t count = unit->written_count ? unit->written_count : 1;
        if (count == UINT32_MAX ||
            array_reserve(&unit->written, &unit->written_capacity, count + 1))
            return STATUS_MEMORY;
        region->written = (uint32_t)count;
        unit->written_count = count + 1;
    }
    unit->written[region->written][sector] = parts;
    return STATUS_OK;
}

/* A store to a sector that hits. */
TEMPLATE void store_hits(const struct shadow *shadow, const struct spot *spot,
                         const struct request *request, unsigned sector)
{
    struct region *region = spot->region;
    uint64_t bit = UINT64_C(1) << sector;
    touch_line(spot);
    if (write_policy(shadow->config.write, request) == WRITE_EVICT) {
        region->valid &= ~bit;
        region->partial &= ~bit;
        if (!(region->valid & spot->line))
            remove_line(spot);
    } else if (region->partial & bit) {
        uint32_t *written = &spot->unit->written[region->written][sector];
        *written |= request_covers(&shadow->geometry, request, spot->sector + sector);
        if (*written == UINT32_MAX)
            region->partial &= ~bit;
    }
}

/* A store that misses and takes a line (or a sector of one). */
TEMPLATE enum status store_allocates(const struct shadow *shadow, const struct spot *spot,
                                     const struct request *request, unsigned sector, bool sectored)
{
    struct region *region = spot->region;
    uint64_t bit = UINT64_C(1) << sector;
    use_line(shadow, spot, sectored);
    region->valid |= bit;
    region->partial &= ~bit;
    if (shadow->config.write_allocate != WRITE_ALLOCATE_LAZY || request->op == OP_ATOMIC)
        return STATUS_OK;
    uint32_t parts = request_covers(&shadow->geometry, request, spot->sector + sector);
    if (parts == UINT32_MAX)
        return STATUS_OK;
    region->partial |= bit;
    return keep_written(spot->unit, region, sector, parts);
}

TEMPLATE enum status store_sectors(const struct shadow *shadow, const struct spot *spot,
                                   const struct request *request, uint64_t sectors,
                                   uint64_t *missed, bool sectored)
{
    const struct region *region = spot->region;
    enum status status = STATUS_OK;
    *missed = 0;
    for (uint64_t left = sectors; left && !status; left = sectored ? left & (left - 1) : 0) {
        unsigned sector = (unsigned)__builtin_ctzll(left);
        uint64_t usable = region->valid;
        if (request->op == OP_ATOMIC) /* it also reads */
            usable &= ~region->partial;
        if (usable >> sector & 1) {
            store_hits(shadow, spot, request, sector);
            continue;
        }
        *missed |= UINT64_C(1) << sector;
        if (shadow->config.write_allocate != WRITE_ALLOCATE_NONE)
            status = store_allocates(shadow, spot, request, sector, sectored);
    }
    return status;
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
    enum status status = find_spot(shadow, request->unit, line, &spot, sectored);
    if (status)
        return status;
    uint64_t missed, wanted = (uint64_t)sectors << spot.shift;
    if (request_writes(request))
        status = store_sectors(shadow, &spot, request, wanted, &missed, sectored);
    else
        missed = load_sectors(shadow, &spot, wanted, sectored);
    *lost = missed ? mark_sectors(&spot, missed, counts, sectored) : 0;
    return status;
}

TEMPLATE enum status run(struct shadow *shadow, const struct request *requests, size_t count,
                         struct cache_counts *counts, bool sectored)
{
    const struct geometry *geometry = &shadow->geometry;
    uint32_t *lost = shadow->lost;
    size_t capacity = shadow->lost_capacity, lines = 0;
    for (size_t i = 0; i < count; i++) {
        const struct request *request = &requests[i];
        uint64_t sector, last;
        if (!geometry_sectors(geometry, request, &sector, &last) ||
            request->unit >= shadow->unit_count)
            return STATUS_INVALID;
        if (cache_passes(shadow->config.write, shadow->options, request))
            continue;
        while (sector <= last) {
            uint32_t sectors = sectored ? geometry_cut(geometry, sector, last) : 1;
            uint64_t line = sectored ? geometry_line(geometry, sector) : sector;
            if (lines == capacity) {
                if (array_reserve(&shadow->lost, &shadow->lost_capacity, lines + 1))
                    return STATUS_MEMORY;
                lost = shadow->lost;
                capacity = shadow->lost_capacity;
            }
            enum status status =
                access_line(shadow, request, line, sectors, counts, &lost[lines++], sectored);
            if (status)
                return status;
            sector = sectored ? geometry_sector(geometry, line + 1, 0) : sector + 1;
        }
    }
    return STATUS_OK;
}

enum status shadow_run(struct shadow *shadow, const struct request *requests, size_t count,
                       struct cache_counts *counts, const uint32_t **lost)
{
    enum status status = shadow->geometry.sectors > 1 ? run(shadow, requests, count, counts, true)
                                                      : run(shadow, requests, count, counts, false);
    *lost = shadow->lost;
    return status;
}
