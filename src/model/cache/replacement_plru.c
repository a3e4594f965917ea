/* Policies on a binary tree over the ways, one bit per inner node, that leads to the victim. Node n
 * has the children 2n and 2n + 1, and the root is node 1. Bit n of the state belongs to node n; 1
 * means that the victim is in the upper half. Both take log2(ways) steps.
 *
 * plru: tree pseudo-LRU. An access makes every node on its path point to the other half.
 *
 * mdpp: minimal disturbance placement and promotion (E. Teran, Y. Tian, Z. Wang and D. Jimenez,
 * HPCA 2016), without its predictor. A new line turns all nodes on its path but the root, so it is
 * not next but does not go far, and the other half keeps its order. A line that is hit turns one
 * node, the highest one on its path that points to it. The paper's own tables of positions are not
 * public; this is its principle, and these two choices are ours. */
#include <stdio.h>

#include "model/cache/cache_access.h"

static size_t state_bytes(uint32_t ways)
{
    (void)ways;
    return sizeof(uint64_t);
}

/* Turns the nodes above `way`, up to but not including node `top`, away from it. */
static inline void turn_away(uint64_t *nodes, uint32_t ways, uint32_t way, uint32_t top)
{
    for (uint32_t node = way + ways; node / 2 > top; node /= 2) {
        uint64_t parent = UINT64_C(1) << (node / 2);
        *nodes = node & 1 ? *nodes & ~parent : *nodes | parent;
    }
}

static void touch(const struct set_access *at, uint32_t way)
{
    turn_away(at->state, at->ways, way, 0);
}

static uint32_t victim(const struct set_access *at)
{
    const uint64_t *nodes = at->state;
    uint32_t node = 1;
    while (node < at->ways)
        node = 2 * node + (*nodes >> node & 1);
    return node - at->ways;
}

static void place(const struct set_access *at, uint32_t way)
{
    turn_away(at->state, at->ways, way, 1);
}

static void promote(const struct set_access *at, uint32_t way)
{
    uint64_t *nodes = at->state, highest = 0;
    for (uint32_t node = way + at->ways; node > 1; node /= 2)
        if ((*nodes >> (node / 2) & 1) == (node & 1))
            highest = UINT64_C(1) << (node / 2);
    *nodes ^= highest;
}

static void reset(void *state, uint32_t ways, int value)
{
    const uint64_t nodes = ways > 32 ? ~UINT64_C(0) : (UINT64_C(1) << ways) - 1;
    *(uint64_t *)state = value == RESET_ONES ? nodes & ~UINT64_C(1) : 0;
}

static const char *explain(const struct set_access *at, char *text, size_t size)
{
    const uint64_t *nodes = at->state;
    size_t used = (size_t)snprintf(text, size, "from the root the tree points");
    for (uint32_t node = 1; node < at->ways && used < size; node = 2 * node + (*nodes >> node & 1))
        used +=
            (size_t)snprintf(text + used, size - used, " %s", *nodes >> node & 1 ? "up" : "down");
    return text;
}

static const char *print(const struct set_access *at, char *text, size_t size)
{
    size_t used = 0;
    for (uint32_t node = at->ways; node-- > 1 && used + 1 < size;)
        text[used++] = *(const uint64_t *)at->state >> node & 1 ? '1' : '0';
    text[used] = '\0';
    return text;
}

VECTORS static enum status plru_run(struct cache *cache, const struct request *requests,
                                    size_t count, const uint32_t *lost, struct flow *flow)
{
    return access_run_policy(cache, requests, count, lost, flow, &policy_REPLACEMENT_PLRU,
                             TRAITS_REPLACEMENT_PLRU);
}

const struct replacement_policy policy_REPLACEMENT_PLRU = {
    .state_bytes = state_bytes,
    .hit = touch,
    .fill = touch,
    .victim = victim,
    .reset = reset,
    .explain = explain,
    .print = print,
    .run = plru_run,
};

VECTORS static enum status mdpp_run(struct cache *cache, const struct request *requests,
                                    size_t count, const uint32_t *lost, struct flow *flow)
{
    return access_run_policy(cache, requests, count, lost, flow, &policy_REPLACEMENT_MDPP,
                             TRAITS_REPLACEMENT_MDPP);
}

const struct replacement_policy policy_REPLACEMENT_MDPP = {
    .state_bytes = state_bytes,
    .hit = promote,
    .fill = place,
    .victim = victim,
    .reset = reset,
    .explain = explain,
    .print = print,
    .run = mdpp_run,
};
