/* LRU of up to 16 ways, the common case: the order of a set fits one 64-bit register. */
#include "model/cache/cache_access.h"

enum status cache_run_register(struct cache *cache, const struct request *requests, size_t count,
                               const uint32_t *lost, struct flow *flow)
{
    return access_run_organization(cache, requests, count, lost, flow, ORGANIZATION_REGISTER);
}
