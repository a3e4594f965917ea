/* Where a cache looks for an address: sectors, lines, sets. Shared by everything that models one.
 */
#pragma once

#include <stdbool.h>

#include "base/bits.h"
#include "model/cache/set_index.h"
#include "model/gpu/request.h"
#include "schema/machine.h"

struct geometry {
    unsigned line_bits, sector_bits;
    unsigned sectors; /* of a line, 1 to 32 */
    uint32_t ways;
    uint64_t sets; /* of one instance */
    /* L2: lines that stay in a slice before the next slice, and lines of one round over all slices.
     * The set index leaves out what chose the slice, or whole sets would stay empty (GPGPU-Sim:
     * "channel bits removed"). 0: not sliced. */
    uint64_t slice_lines;
    struct divisor slice_round;
    struct set_index index;
};

/* STATUS_INVALID for what machine_check refuses. */
enum status geometry_check(const struct cache_config *config);
/* The same; fills `geometry`, with an ipoly index in some 100,000 steps. */
enum status geometry_init(struct geometry *geometry, const struct cache_config *config);

static inline uint64_t geometry_line(const struct geometry *geometry, uint64_t sector)
{
    return sector >> (geometry->line_bits - geometry->sector_bits);
}

/* The place of a sector in its line. */
static inline unsigned geometry_place(const struct geometry *geometry, uint64_t sector)
{
    return sector & (geometry->sectors - 1);
}

static inline uint64_t geometry_sector(const struct geometry *geometry, uint64_t line,
                                       unsigned place)
{
    return (line << (geometry->line_bits - geometry->sector_bits)) + place;
}

/* The sectors from `first` to `last`, the rest of the line at most, as a bit set. */
static inline uint32_t geometry_cut(const struct geometry *geometry, uint64_t first, uint64_t last)
{
    unsigned place = geometry_place(geometry, first);
    unsigned more = geometry->sectors - 1 - place;
    if (last - first < more)
        more = (unsigned)(last - first);
    return UINT32_MAX >> (31 - more) << place;
}

/* `function` as for set_index_map. */
static inline uint64_t geometry_set(const struct geometry *geometry, int function, uint64_t line)
{
    if (geometry->slice_lines) /* a power of two */
        line = divisor_divide(line, &geometry->slice_round) * geometry->slice_lines +
               (line & (geometry->slice_lines - 1));
    return set_index_map(&geometry->index, function, line);
}

/* The numbers of the sectors that a request lies in, both ends included; false for a request that a
 * coalescer cannot make (no bytes, or past the end of the address space). */
static inline bool geometry_sectors(const struct geometry *geometry, const struct request *request,
                                    uint64_t *first, uint64_t *last)
{
    *first = request->address >> geometry->sector_bits;
    *last = (request->address + request->bytes - 1) >> geometry->sector_bits;
    return request->bytes && *first <= *last;
}

/* Which 1/32 parts of [base, base + size) a request uses as a whole. */
uint32_t request_covers_some(const struct request *request, uint64_t base, uint64_t size);

/* The same of a sector. */
static inline uint32_t request_covers(const struct geometry *geometry,
                                      const struct request *request, uint64_t sector)
{
    uint64_t size = UINT64_C(1) << geometry->sector_bits, base = sector << geometry->sector_bits;
    if (request->address == base && request->bytes == size)
        return request->touched;
    bool inside = request->address <= base && request->address + request->bytes >= base + size;
    if (inside && request->touched == UINT32_MAX)
        return UINT32_MAX; /* most stores: a whole warp's consecutive words */
    return request_covers_some(request, base, size);
}

static inline bool request_within(const struct geometry *geometry, const struct request *request,
                                  uint64_t sector)
{
    uint64_t base = sector << geometry->sector_bits, size = UINT64_C(1) << geometry->sector_bits;
    return request->address >= base && request->address - base + request->bytes <= size;
}

/* The part of a request that lies in a sector, as a request. */
struct request request_part(const struct geometry *geometry, const struct request *request,
                            uint64_t sector);
