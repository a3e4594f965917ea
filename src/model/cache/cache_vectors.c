/* Caches of up to 16 ways on processors with AVX2: vector comparisons check the tags of a set, four
 * each, with the order of LRU in a register or with the state of any other policy. */
#include "model/cache/cache_access.h"

VECTORS enum status cache_run_vectors(struct cache *cache, const struct request *requests,
                                      size_t count, const uint32_t *lost, struct flow *flow)
{
    return access_run_organization(cache, requests, count, lost, flow, ORGANIZATION_VECTORS);
}

VECTORS enum status cache_run_scan_all(struct cache *cache, const struct request *requests,
                                       size_t count, const uint32_t *lost, struct flow *flow)
{
    return access_run_organization(cache, requests, count, lost, flow, ORGANIZATION_SCAN_ALL);
}

bool cache_has_vectors(void)
{
#if defined __x86_64__
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("popcnt");
#else
    return false;
#endif
}
