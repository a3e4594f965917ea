/* Any number of ways of any policy in constant time: a hash table a set. */
#include "model/cache/cache_access.h"

static enum status run(struct cache *cache, const struct request *requests, size_t count,
                       struct flow *flow)
{
    return access_run_organization(cache, requests, count, flow, ORGANIZATION_HASH);
}

static uint32_t access_some(struct cache *cache, const struct request *request, uint64_t line,
                            uint32_t sectors, struct flow *flow)
{
    return access_line(cache, request, line, sectors, flow, ORGANIZATION_HASH,
                       cache->geometry.index.function, true);
}

const struct cache_functions cache_functions_hash = {run, access_some};
