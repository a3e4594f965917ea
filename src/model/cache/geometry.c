#include "model/cache/geometry.h"

#include "base/bits.h"
#include "schema/parameters.h"

enum { LINE_MAX_BYTES = 32768 }; /* limited by the 16 bits of request.bytes */

static bool is_legal(const struct cache_config *config)
{
    if (!is_power_of_two(config->line) || !is_power_of_two(config->sector) ||
        config->line > LINE_MAX_BYTES || config->sector < 16 || config->sector > config->line ||
        config->line / config->sector > 32)
        return false;
    if (!config->slices || !config->ways || config->ways > UINT32_MAX / 4)
        return false;
    if (config->slices > 1 &&
        (config->interleave < config->line || !is_power_of_two(config->interleave)))
        return false;
    uint64_t sets = cache_sets(config);
    return sets && sets <= UINT32_MAX && sets * config->ways <= UINT32_MAX;
}

enum status geometry_check(const struct cache_config *config)
{
    return is_legal(config) && index_holds(config->index, cache_sets(config)) ? STATUS_OK
                                                                              : STATUS_INVALID;
}

enum status geometry_init(struct geometry *geometry, const struct cache_config *config)
{
    *geometry = (struct geometry){0};
    enum status status = geometry_check(config);
    if (status)
        return status;
    geometry->line_bits = log2_floor(config->line);
    geometry->sector_bits = log2_floor(config->sector);
    geometry->sectors = (unsigned)(config->line / config->sector);
    geometry->ways = (uint32_t)config->ways;
    geometry->sets = cache_sets(config);
    if (config->slices > 1) {
        geometry->slice_lines = config->interleave / config->line;
        geometry->slice_round = divisor_of(geometry->slice_lines * config->slices);
    }
    return set_index_init(&geometry->index, config->index, geometry->sets);
}

/* A range of bytes cut into 32 equal parts. All positions count 32nds of a byte from the base of
 * the sector, so that parts smaller than a byte are still whole numbers. */
struct parts {
    int64_t start, size; /* start: of part 0; size: of each part */
};

static struct parts parts_of(uint64_t address, uint64_t bytes, uint64_t base)
{
    return (struct parts){.start = (int64_t)(address - base) * 32, .size = (int64_t)bytes};
}

/* Fast path of parts_convert for a sector of an aligned request: `to` lies in `from`, and one part
 * of `from` is exactly 1, 2, 4, ... 32 parts of `to`. Then the result does not depend on `whole`.
 * Returns false for any other shapes. */
static bool parts_split(struct parts from, uint32_t mask, struct parts to, uint32_t *result)
{
    uint64_t offset = (uint64_t)(to.start - from.start);
    uint64_t size = (uint64_t)from.size, part = (uint64_t)to.size;
    if (!is_power_of_two(size) || !is_power_of_two(part) || size > 32 * part ||
        offset & (size - 1) || to.start < from.start || offset + 32 * part > 32 * size)
        return false;
    *result = mask >> (offset >> log2_floor(size));
    for (; part < size; part *= 2)
        *result = bits_double(*result);
    return true;
}

/* Converts a mask of touched parts from one range to another. Bit i of the result is set if part i
 * of `to` overlaps a part of `mask` in `from` (whole false), or consists of such parts (whole
 * true). */
static uint32_t parts_convert(struct parts from, uint32_t mask, struct parts to, bool whole)
{
    uint32_t result = 0;
    if (parts_split(from, mask, to, &result))
        return result;
    for (int i = 0; i < 32; i++) {
        int64_t begin = to.start + i * to.size - from.start;
        int64_t end = begin + to.size - 1;
        if (whole ? begin < 0 || end >= 32 * from.size : end < 0 || begin >= 32 * from.size)
            continue;
        int64_t first = begin < 0 ? 0 : begin / from.size;
        int64_t last = end / from.size > 31 ? 31 : end / from.size;
        uint32_t span = (UINT32_MAX >> (31 - (last - first))) << first;
        if (whole ? (mask & span) == span : (mask & span) != 0)
            result |= UINT32_C(1) << i;
    }
    return result;
}

uint32_t request_covers_some(const struct request *request, uint64_t base, uint64_t size)
{
    return parts_convert(parts_of(request->address, request->bytes, base), request->touched,
                         parts_of(base, size, base), true);
}

struct request request_part(const struct geometry *geometry, const struct request *request,
                            uint64_t sector)
{
    struct request part = *request;
    uint64_t base = sector << geometry->sector_bits, size = UINT64_C(1) << geometry->sector_bits;
    uint64_t before = request->address < base ? base - request->address : 0;
    uint64_t start = request->address + before - base;
    uint64_t rest = request->bytes - before;
    part.address = base + start;
    part.bytes = (uint16_t)(rest < size - start ? rest : size - start);
    if (request->touched != UINT32_MAX) /* a full mask stays full */
        part.touched =
            parts_convert(parts_of(request->address, request->bytes, base), request->touched,
                          parts_of(part.address, part.bytes, base), false);
    return part;
}

struct cache_config instruction_cache_of(const struct instruction_cache_config *l1i)
{
    return (struct cache_config){
        .enabled = 1,
        .size = l1i->size,
        .ways = l1i->ways,
        .line = l1i->line,
        .sector = l1i->line,
        .index = l1i->index,
        .replacement = l1i->replacement,
        .reset = l1i->reset,
        .same_line = l1i->same_line,
        .blocking = l1i->blocking,
        .write = WRITE_READ_ONLY,
        .allocate = ALLOCATE_ON_FILL,
        .mshr = {.kind = MSHR_SECTOR, .entries = l1i->entries, .merge = l1i->merge},
        .miss_queue = l1i->miss_queue,
        .slices = 1,
    };
}
