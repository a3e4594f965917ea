/* Random replacement: draws a way for each victim. Hits and fills of invalid ways draw nothing, so
 * the n-th victim of a set depends only on the seed and n. */
#include <stdio.h>

#include "base/rng.h"
#include "model/cache/cache_access.h"

struct random {
    uint64_t draws; /* so far */
    uint64_t seed;  /* of the set, from the first draw on: half of a draw is spent on finding it */
    uint64_t next;  /* drawn ahead, so that a miss does not wait for it */
};

static size_t random_state_bytes(uint32_t ways)
{
    (void)ways;
    return sizeof(struct random);
}

static inline uint64_t random_draw(const struct random *random, uint32_t ways)
{
    return random_below(random_at(random->seed, random->draws), ways);
}

static uint32_t random_victim(const struct set_access *at)
{
    struct random *random = at->state;
    if (!random->draws) {
        random->seed = set_seed(at);
        random->next = random_draw(random, at->ways);
    }
    const uint32_t way = (uint32_t)random->next;
    random->draws++;
    random->next = random_draw(random, at->ways);
    return way;
}

static const char *random_explain(const struct set_access *at, char *text, size_t size)
{
    snprintf(text, size, "draw %llu of the set",
             (unsigned long long)((const struct random *)at->state)->draws + 1);
    return text;
}

VECTORS_INLINED static enum status run(struct cache *cache, const struct request *requests,
                                       size_t count, const uint32_t *lost, struct flow *flow)
{
    return access_run_policy(cache, requests, count, lost, flow, &policy_REPLACEMENT_RANDOM,
                             TRAITS_REPLACEMENT_RANDOM);
}

const struct replacement_policy policy_REPLACEMENT_RANDOM = {
    .state_bytes = random_state_bytes,
    .victim = random_victim,
    .explain = random_explain,
    .run = run,
};
