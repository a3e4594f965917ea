/* Maps an address to its sector, line and set. Caches, their shadow, the optimum and the LRU passes
 * all share this module, so they agree on the set of a line.
 *
 * A geometry is immutable after geometry_init. Addresses are cut by shifts; only a sliced L2 and an
 * index that is a remainder need a division, done by multiplication (base/bits.h). Its set_index
 * makes a struct geometry about 8 KiB large. */
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
    /* L2 only. slice_lines: consecutive lines that go to one slice; slice_round: lines in one round
     * over all slices. The set index leaves out the bits that chose the slice, or whole sets would
     * stay empty (GPGPU-Sim: "channel bits removed"). 0: not sliced. */
    uint64_t slice_lines;
    struct divisor slice_round;
    struct set_index index;
};

/* The instruction cache of an SM as any other cache: it reads only and has no sectors. */
struct cache_config instruction_cache_of(const struct instruction_cache_config *l1i);

/* STATUS_INVALID if `config` breaks a rule of machine_check that concerns geometry. */
enum status geometry_check(const struct cache_config *config);
/* Checks `config` likewise and fills `geometry`. An ipoly index takes about 100,000 steps. */
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

/* The sectors from `first` to `last`, or to the end of their line, as a bit set of that line. */
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

/* Finds the first and the last sector of a request. False for a request that no coalescer makes: no
 * bytes, or past the end of the address space. */
static inline bool geometry_sectors(const struct geometry *geometry, const struct request *request,
                                    uint64_t *first, uint64_t *last)
{
    *first = request->address >> geometry->sector_bits;
    *last = (request->address + request->bytes - 1) >> geometry->sector_bits;
    return request->bytes && *first <= *last;
}

/* Which 32nds of [base, base + size) a request covers completely. */
uint32_t request_covers_some(const struct request *request, uint64_t base, uint64_t size);

/* Which 32nds of a sector a request covers completely. */
static inline uint32_t request_covers(const struct geometry *geometry,
                                      const struct request *request, uint64_t sector)
{
    uint64_t size = UINT64_C(1) << geometry->sector_bits, base = sector << geometry->sector_bits;
    if (request->address == base && request->bytes == size)
        return request->touched;
    bool inside = request->address <= base && request->address + request->bytes >= base + size;
    if (inside && request->touched == UINT32_MAX)
        return UINT32_MAX; /* the common case: consecutive words of a whole warp */
    return request_covers_some(request, base, size);
}

/* Whether a request touches every byte of the sectors from `first` to `last`. */
static inline bool request_fills(const struct geometry *geometry, const struct request *request,
                                 uint64_t first, uint64_t last)
{
    return request->touched == UINT32_MAX && request->address <= first << geometry->sector_bits &&
           request->address + request->bytes >= (last + 1) << geometry->sector_bits;
}

static inline bool request_within(const struct geometry *geometry, const struct request *request,
                                  uint64_t sector)
{
    uint64_t base = sector << geometry->sector_bits, size = UINT64_C(1) << geometry->sector_bits;
    return request->address >= base && request->address - base + request->bytes <= size;
}

/* Cuts a request to one sector. Its `touched` marks every part that any touched part overlaps. */
struct request request_part(const struct geometry *geometry, const struct request *request,
                            uint64_t sector);
