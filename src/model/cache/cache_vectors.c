/* LRU of up to 16 ways where the processor has AVX-512. */
#include "model/cache/cache_access.h"

VECTORS static enum status run(struct cache *cache, const struct request *requests, size_t count,
                               struct flow *flow)
{
    return access_run_organization(cache, requests, count, flow, ORGANIZATION_VECTORS);
}

VECTORS static uint32_t access_some(struct cache *cache, const struct request *request,
                                    uint64_t line, uint32_t sectors, struct flow *flow)
{
    return access_line(cache, request, line, sectors, flow, ORGANIZATION_VECTORS,
                       cache->geometry.index.function, true);
}

const struct cache_functions cache_functions_vectors = {run, access_some};

bool cache_has_vectors(void)
{
#if defined __x86_64__
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("popcnt");
#else
    return false;
#endif
}
