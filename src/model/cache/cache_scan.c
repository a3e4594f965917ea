/* Caches of up to 32 ways, except LRU of up to 16: compares the tags one by one. */
#include "model/cache/cache_access.h"

enum status cache_run_scan(struct cache *cache, const struct request *requests, size_t count,
                           const uint32_t *lost, struct flow *flow)
{
    return access_run_organization(cache, requests, count, lost, flow, ORGANIZATION_SCAN);
}
