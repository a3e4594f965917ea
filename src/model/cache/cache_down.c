/* What a cache sends to the next level: stores that pass and write-backs. Each request is counted
 * even if nobody takes it (flow.down is NULL). */
#include "model/cache/cache_state.h"

bool flow_grow(struct flow *flow)
{
    struct request_buffer *down = flow->down;
    enum status status = array_reserve(&down->items, &down->capacity, down->count + 1);
    if (status)
        flow->status = status;
    return !status;
}

void flow_pass(struct cache *cache, const struct request *request, uint64_t sector, bool done,
               struct flow *flow)
{
    struct request part;
    if (!request_within(&cache->geometry, request, sector)) {
        part = request_part(&cache->geometry, request, sector);
        request = &part;
    }
    flow->counts.write_bytes += request->bytes;
    struct request *next = flow_next(flow);
    if (!next)
        return;
    *next = *request;
    if (done && next->op == OP_ATOMIC) /* this level performed it; only the result goes on */
        next->op = OP_STORE;
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
                                     .instance = by->instance,
                                     .bytes = (uint16_t)cache->config.sector,
                                     .op = OP_STORE,
                                     .space = local ? SPACE_LOCAL : SPACE_GLOBAL,
                                     .flags = REQUEST_WRITEBACK};
    }
}
