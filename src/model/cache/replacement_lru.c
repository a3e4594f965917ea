/* Least recently used: a circular list of the valid ways, most recent first. links[0] is its anchor
 * and way w is links[w + 1], so all zeros are the empty list. Constant time for any number of ways.
 * Caches of up to 16 ways do not use it; they keep the order in one register (cache_access.h). */
#include "base/links.h"
#include "model/cache/replacement.h"

static size_t state_bytes(uint32_t ways)
{
    return sizeof(struct link) * ((size_t)ways + 1);
}

static void drop(void *state, uint32_t ways, uint32_t way)
{
    (void)ways;
    links_remove(state, way + 1);
}

static void fill(void *state, uint32_t ways, uint32_t way)
{
    (void)ways;
    links_insert_first(state, way + 1, 0);
}

static void hit(void *state, uint32_t ways, uint32_t way)
{
    const struct link *links = state;
    (void)ways;
    if (links[0].next != way + 1)
        links_move_first(state, way + 1, 0);
}

static uint32_t victim(void *state, uint32_t ways, uint64_t seed)
{
    const struct link *links = state;
    (void)ways, (void)seed;
    uint32_t last = links[0].previous;
    links_remove(state, last);
    return last - 1;
}

const struct replacement_policy policy_REPLACEMENT_LRU = {
    .state_bytes = state_bytes,
    .hit = hit,
    .fill = fill,
    .drop = drop,
    .victim = victim,
};
