/* Up to 32 ways of any policy: tags are compared one by one. */
#include "model/cache/cache_access.h"

static enum status run(struct cache *cache, const struct request *requests, size_t count,
                       struct flow *flow)
{
    return access_run_organization(cache, requests, count, flow, ORGANIZATION_SCAN);
}

static uint32_t access_some(struct cache *cache, const struct request *request, uint64_t line,
                            uint32_t sectors, struct flow *flow)
{
    return access_line(cache, request, line, sectors, flow, ORGANIZATION_SCAN,
                       cache->geometry.index.function, true);
}

const struct cache_functions cache_functions_scan = {run, access_some};
