/* Tree pseudo-LRU: a binary tree over the ways, one bit per inner node, that leads to the victim.
 * Node n has the children 2n and 2n + 1, and the root is node 1. Bit n of the state belongs to node
 * n; 1 means that the victim is in the upper half. An access makes every node on its path point to
 * the other half. Takes log2(ways) steps. */
#include "model/cache/replacement.h"

static size_t state_bytes(uint32_t ways)
{
    (void)ways;
    return sizeof(uint64_t);
}

static void touch(void *state, uint32_t ways, uint32_t way)
{
    uint64_t *nodes = state;
    for (uint32_t node = way + ways; node > 1; node /= 2) {
        uint64_t parent = UINT64_C(1) << (node / 2);
        *nodes = node & 1 ? *nodes & ~parent : *nodes | parent;
    }
}

static uint32_t victim(void *state, uint32_t ways, uint64_t seed)
{
    (void)seed;
    const uint64_t *nodes = state;
    uint32_t node = 1;
    while (node < ways)
        node = 2 * node + (*nodes >> node & 1);
    return node - ways;
}

const struct replacement_policy policy_REPLACEMENT_PLRU = {
    .state_bytes = state_bytes,
    .hit = touch,
    .fill = touch,
    .victim = victim,
};
