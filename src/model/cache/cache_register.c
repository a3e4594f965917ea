/* LRU of up to 16 ways, the common case: its order is kept in one register a set. */
#include "model/cache/cache_access.h"

static enum status run(struct cache *cache, const struct request *requests, size_t count,
                       struct flow *flow)
{
    return access_run_organization(cache, requests, count, flow, ORGANIZATION_REGISTER);
}

static enum outcome access_one(struct cache *cache, const struct request *request, uint64_t sector,
                               struct flow *flow)
{
    return access_sector(cache, request, sector, flow, ORGANIZATION_REGISTER,
                         cache->geometry.index.function);
}

const struct cache_functions cache_functions_register = {run, access_one};
