/* Up to 32 ways of any policy: tags are compared one by one. */
#include "model/cache/cache_access.h"

enum status cache_run_scan(struct cache *cache, const struct request *requests, size_t count,
                           const uint32_t *lost, struct flow *flow)
{
    return access_run_organization(cache, requests, count, lost, flow, ORGANIZATION_SCAN);
}
