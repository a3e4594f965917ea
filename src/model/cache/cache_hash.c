/* Any number of ways of any policy in constant time: a hash table a set. */
#include "model/cache/cache_access.h"

enum status cache_run_hash(struct cache *cache, const struct request *requests, size_t count,
                           const uint32_t *lost, struct flow *flow)
{
    return access_run_organization(cache, requests, count, lost, flow, ORGANIZATION_HASH);
}
