#include "model/cache/geometry.h"

#include "base/bits.h"
#include "schema/parameters.h"

enum { LINE_MAX_BYTES = 32768 }; /* what request.bytes can say */

static bool is_legal(const struct cache_config *config)
{
    if (!is_power_of_two(config->line) || !is_power_of_two(config->sector) ||
        config->line > LINE_MAX_BYTES || config->sector < 16 || config->sector > config->line ||
        config->line / config->sector > 32)
        return false;
    if (!config->slices || !config->ways || config->ways > UINT32_MAX / 4)
        return false;
    uint64_t sets = cache_sets(config);
    return sets && sets <= UINT32_MAX && sets * config->ways <= UINT32_MAX;
}

enum status geometry_init(struct geometry *geometry, const struct cache_config *config)
{
    *geometry = (struct geometry){0};
    if (!is_legal(config))
        return STATUS_INVALID;
    geometry->line_bits = log2_floor(config->line);
    geometry->sector_bits = log2_floor(config->sector);
    geometry->sectors = (unsigned)(config->line / config->sector);
    geometry->ways = (uint32_t)config->ways;
    geometry->sets = cache_sets(config);
    if (config->slices > 1) {
        if (config->interleave < config->line || !is_power_of_two(config->interleave))
            return STATUS_INVALID;
        geometry->slice_lines = config->interleave / config->line;
        geometry->slice_round = divisor_of(geometry->slice_lines * config->slices);
    }
    return set_index_init(&geometry->index, config->index, geometry->sets);
}

/* A stretch of bytes cut into 32 equal parts. All positions are in 1/32 bytes from the base of the
 * sector, so that parts smaller than a byte stay whole numbers. */
struct parts {
    int64_t start, size; /* of part 0, of each part */
};

static struct parts parts_of(uint64_t address, uint64_t bytes, uint64_t base)
{
    return (struct parts){.start = (int64_t)(address - base) * 32, .size = (int64_t)bytes};
}

/* Bit i of the result is set where part i of `to` meets a part of `mask` in `from` (whole false) or
 * consists of such parts (whole true). */
static uint32_t parts_convert(struct parts from, uint32_t mask, struct parts to, bool whole)
{
    uint32_t result = 0;
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

/* Each of the lowest 32 / `times` bits `times` times. */
static uint32_t parts_widen(uint32_t mask, unsigned times)
{
    uint32_t result = 0, one = UINT32_MAX >> (32 - times);
    for (mask &= UINT32_MAX >> (32 - 32 / times); mask; mask &= mask - 1)
        result |= one << (unsigned)__builtin_ctz(mask) * times;
    return result;
}

uint32_t request_covers(const struct geometry *geometry, const struct request *request,
                        uint64_t sector)
{
    uint64_t base = sector << geometry->sector_bits, size = UINT64_C(1) << geometry->sector_bits;
    if (request->address == base && request->bytes == size)
        return request->touched;
    bool inside = request->address <= base && request->address + request->bytes >= base + size;
    if (inside && request->touched == UINT32_MAX)
        return UINT32_MAX; /* most stores: a whole warp's consecutive words */
    const unsigned times = request->bytes >> geometry->sector_bits; /* as wide are its parts */
    if (inside && is_power_of_two(times) && request->bytes % size == 0 && times <= 32 &&
        (base - request->address) % size == 0)
        return parts_widen(request->touched >> (base - request->address) * 32 / request->bytes,
                           times);
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
    part.touched = parts_convert(parts_of(request->address, request->bytes, base), request->touched,
                                 parts_of(part.address, part.bytes, base), false);
    return part;
}
