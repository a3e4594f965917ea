/* Random replacement: draws a way for each victim. Hits and fills of invalid ways draw nothing, so
 * the n-th victim of a set depends only on the seed and n. */
#include <stdio.h>

#include "base/rng.h"
#include "model/cache/cache_access.h"

static size_t state_bytes(uint32_t ways)
{
    (void)ways;
    return sizeof(uint64_t);
}

static uint32_t victim(const struct set_access *at)
{
    uint64_t *draws = at->state;
    return (uint32_t)random_below(random_at(set_seed(at), (*draws)++), at->ways);
}

static const char *explain(const struct set_access *at, char *text, size_t size)
{
    snprintf(text, size, "draw %llu of the set",
             (unsigned long long)*(const uint64_t *)at->state + 1);
    return text;
}

VECTORS static enum status run(struct cache *cache, const struct request *requests, size_t count,
                               const uint32_t *lost, struct flow *flow)
{
    return access_run_policy(cache, requests, count, lost, flow, &policy_REPLACEMENT_RANDOM,
                             TRAITS_REPLACEMENT_RANDOM);
}

const struct replacement_policy policy_REPLACEMENT_RANDOM = {
    .state_bytes = state_bytes,
    .victim = victim,
    .explain = explain,
    .run = run,
};
