/* Least recently used: a circular list of the valid ways, most recent first. links[0] is its
 * anchor and way w is links[w + 1], which makes all zeros the empty list. Constant time for any
 * number of ways; caches of up to 16 ways keep the same order in one register (cache_access.h). */
#include "model/cache/replacement.h"

struct link {
    uint32_t previous, next;
};

static size_t state_bytes(uint32_t ways)
{
    return sizeof(struct link) * ((size_t)ways + 1);
}

static void drop(void *state, uint32_t ways, uint32_t way)
{
    (void)ways;
    struct link *links = state;
    struct link *gone = &links[way + 1];
    links[gone->previous].next = gone->next;
    links[gone->next].previous = gone->previous;
}

static void fill(void *state, uint32_t ways, uint32_t way)
{
    (void)ways;
    struct link *links = state;
    uint32_t first = links[0].next;
    links[way + 1] = (struct link){.previous = 0, .next = first};
    links[first].previous = way + 1;
    links[0].next = way + 1;
}

static void hit(void *state, uint32_t ways, uint32_t way)
{
    const struct link *links = state;
    if (links[0].next == way + 1)
        return;
    drop(state, ways, way);
    fill(state, ways, way);
}

static uint32_t victim(void *state, uint32_t ways, uint64_t seed)
{
    (void)seed;
    const struct link *links = state;
    uint32_t way = links[0].previous - 1;
    drop(state, ways, way);
    return way;
}

const struct replacement_policy policy_REPLACEMENT_LRU = {
    .state_bytes = state_bytes,
    .hit = hit,
    .fill = fill,
    .drop = drop,
    .victim = victim,
};
