/* LRU of up to 16 ways, the common case: its order is kept in one register a set. */
#include "model/cache/cache_access.h"

static enum status run(struct cache *cache, const struct request *requests, size_t count,
                       struct flow *flow)
{
    return access_run_organization(cache, requests, count, flow, ORGANIZATION_REGISTER);
}

static uint32_t access_some(struct cache *cache, const struct request *request, uint64_t line,
                            uint32_t sectors, struct flow *flow)
{
    return access_line(cache, request, line, sectors, flow, ORGANIZATION_REGISTER,
                       cache->geometry.index.function, true);
}

const struct cache_functions cache_functions_register = {run, access_some};
