/* Any number of ways of any policy in constant time: a hash table a set. */
#include "model/cache/cache_access.h"

static enum status run(struct cache *cache, const struct request *requests, size_t count,
                       struct flow *flow)
{
    return access_run_organization(cache, requests, count, flow, ORGANIZATION_HASH);
}

static enum outcome access_one(struct cache *cache, const struct request *request, uint64_t sector,
                               struct flow *flow)
{
    return access_sector(cache, request, sector, flow, ORGANIZATION_HASH,
                         cache->geometry.index.function);
}

const struct cache_functions cache_functions_hash = {run, access_one};
