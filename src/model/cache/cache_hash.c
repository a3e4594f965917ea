/* Caches of more than 32 ways, with any policy: a hash table per set finds a line in constant time.
 */
#include "model/cache/cache_access.h"

enum status cache_run_hash(struct cache *cache, const struct request *requests, size_t count,
                           const uint32_t *lost, struct flow *flow)
{
    return access_run_organization(cache, requests, count, lost, flow, ORGANIZATION_HASH);
}
