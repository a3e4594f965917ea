/* What a cache sends to the next level. */
#include "model/cache/cache_state.h"

bool flow_grow(struct flow *flow)
{
    struct request_buffer *down = flow->down;
    enum status status = array_reserve(&down->items, &down->capacity, down->count + 1);
    if (status)
        flow->status = status;
    return !status;
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

/* Every one of the low 16 bits twice. */
static uint32_t bits_double(uint32_t bits)
{
    bits = ((bits & 0xffff) | bits << 8) & 0x00ff00ff;
    bits = (bits | bits << 4) & 0x0f0f0f0f;
    bits = (bits | bits << 2) & 0x33333333;
    bits = (bits | bits << 1) & 0x55555555;
    return bits | bits << 1;
}

/* What parts_convert gives, `whole` or not, where `to` lies in `from` and 1, 2, 4, ... 32 of its
 * parts are exactly one of `from`: a sector of an aligned request. */
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

/* Bit i of the result is set where part i of `to` meets a part of `mask` in `from` (whole false) or
 * consists of such parts (whole true). */
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

void flow_pass(struct cache *cache, const struct request *request, uint64_t sector, bool done,
               struct flow *flow)
{
    struct request passed = *request;
    uint64_t base = sector << cache->geometry.sector_bits, size = cache->config.sector;
    uint64_t before = request->address < base ? base - request->address : 0;
    uint64_t start = request->address + before - base;
    uint64_t rest = request->bytes - before;
    if (before || rest > size - start) {
        passed.address = base + start;
        passed.bytes = (uint16_t)(rest < size - start ? rest : size - start);
        if (request->touched != UINT32_MAX && flow->down) /* all of what is touched is touched */
            passed.touched =
                parts_convert(parts_of(request->address, request->bytes, base), request->touched,
                              parts_of(passed.address, passed.bytes, base), false);
    }
    if (done && passed.op == OP_ATOMIC) /* done here: what goes on is its result */
        passed.op = OP_STORE;
    flow->counts.write_bytes += passed.bytes;
    flow_push(flow, &passed);
}

void flow_write_back(struct cache *cache, const struct evicted *evicted, const struct request *by,
                     struct flow *flow)
{
    bool local = cache->config.write == WRITE_LOCAL_BACK;
    flow->counts.writebacks++;
    for (uint32_t left = evicted->state.dirty; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        bool partial = evicted->state.partial >> i & 1;
        flow->counts.write_bytes += cache->config.sector;
        struct request *next = flow_next(flow);
        if (next)
            *next = (struct request){.address = (evicted->line << cache->geometry.line_bits) +
                                                ((uint64_t)i << cache->geometry.sector_bits),
                                     .pc = by->pc,
                                     .touched = partial ? evicted->written[i] : UINT32_MAX,
                                     .unit = by->unit,
                                     .bytes = (uint16_t)cache->config.sector,
                                     .op = OP_STORE,
                                     .space = local ? SPACE_LOCAL : SPACE_GLOBAL,
                                     .flags = REQUEST_WRITEBACK};
    }
}
