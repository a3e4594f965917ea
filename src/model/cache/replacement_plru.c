/* Policies on a binary tree over the ways, one bit per inner node, that leads to the victim. Node n
 * has the children 2n and 2n + 1, and the root is node 1. Bit n of the state belongs to node n; 1
 * means that the victim is in the upper half. A victim takes log2(ways) steps, up to 16 ways all
 * else is a look-up in a table.
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

static size_t plru_state_bytes(uint32_t ways)
{
    (void)ways;
    return sizeof(uint64_t);
}

/* The nodes above a leaf of a tree of up to 16 ways, which has as many nodes as ways before it, and
 * those of them that are 1 when all point away from it. */
enum { SHORT_LEAVES = 32, ROOT = 1 << 1 };
#define NODE(leaf, up)  ((leaf) >> (up) ? UINT32_C(1) << ((leaf) >> (up)) : 0)
#define ABOVE(leaf)     (NODE(leaf, 1) | NODE(leaf, 2) | NODE(leaf, 3) | NODE(leaf, 4))
#define LOWER(leaf, up) ((leaf) >> (up) && !((leaf) >> ((up)-1) & 1) ? NODE(leaf, up) : 0)
#define AWAY(leaf)      (LOWER(leaf, 1) | LOWER(leaf, 2) | LOWER(leaf, 3) | LOWER(leaf, 4))
#define FOUR(row, leaf) row(leaf), row((leaf) + 1), row((leaf) + 2), row((leaf) + 3)
#define LEAVES(row)                                                                                \
    FOUR(row, 0), FOUR(row, 4), FOUR(row, 8), FOUR(row, 12), FOUR(row, 16), FOUR(row, 20),         \
        FOUR(row, 24), FOUR(row, 28)
static const uint32_t short_above[SHORT_LEAVES] = {LEAVES(ABOVE)};
static const uint32_t short_away[SHORT_LEAVES] = {LEAVES(AWAY)};

struct path {
    uint64_t above, away;
};

static inline struct path path_to(uint32_t ways, uint32_t way)
{
    const uint32_t leaf = ways + way;
    if (leaf < SHORT_LEAVES)
        return (struct path){short_above[leaf], short_away[leaf]};
    struct path path = {0};
    for (uint32_t node = leaf; node > 1; node /= 2) {
        const uint64_t parent = UINT64_C(1) << node / 2;
        path.above |= parent;
        path.away |= node & 1 ? 0 : parent;
    }
    return path;
}

static void touch(const struct set_access *at, uint32_t way)
{
    uint64_t *nodes = at->state;
    const struct path path = path_to(at->ways, way);
    *nodes = (*nodes & ~path.above) | path.away;
}

static uint32_t replacement_plru_victim(const struct set_access *at)
{
    const uint64_t *nodes = at->state;
    uint32_t node = 1;
    while (node < at->ways)
        node = 2 * node + (*nodes >> node & 1);
    return node - at->ways;
}

static void plru_place(const struct set_access *at, uint32_t way)
{
    uint64_t *nodes = at->state;
    const struct path path = path_to(at->ways, way);
    *nodes = (*nodes & (~path.above | ROOT)) | (path.away & ~(uint64_t)ROOT);
}

/* Nodes are numbered from the root on, so the highest one is the lowest bit. */
static void promote(const struct set_access *at, uint32_t way)
{
    uint64_t *nodes = at->state;
    const struct path path = path_to(at->ways, way);
    const uint64_t pointing = (*nodes ^ path.away) & path.above;
    *nodes ^= pointing & -pointing;
}

static void reset(void *state, uint32_t ways, int value)
{
    const uint64_t nodes = ways > 32 ? ~UINT64_C(0) : (UINT64_C(1) << ways) - 1;
    *(uint64_t *)state = value == RESET_ONES ? nodes & ~UINT64_C(1) : 0;
}

static const char *replacement_plru_explain(const struct set_access *at, char *text, size_t size)
{
    const uint64_t *nodes = at->state;
    size_t used = (size_t)snprintf(text, size, "from the root the tree points");
    for (uint32_t node = 1; node < at->ways && used < size; node = 2 * node + (*nodes >> node & 1))
        used +=
            (size_t)snprintf(text + used, size - used, " %s", *nodes >> node & 1 ? "up" : "down");
    return text;
}

static const char *replacement_plru_print(const struct set_access *at, char *text, size_t size)
{
    size_t used = 0;
    for (uint32_t node = at->ways; node-- > 1 && used + 1 < size;)
        text[used++] = *(const uint64_t *)at->state >> node & 1 ? '1' : '0';
    text[used] = '\0';
    return text;
}

VECTORS_INLINED static enum status plru_run(struct cache *cache, const struct request *requests,
                                            size_t count, const uint32_t *lost, struct flow *flow)
{
    return access_run_policy(cache, requests, count, lost, flow, &policy_REPLACEMENT_PLRU,
                             TRAITS_REPLACEMENT_PLRU);
}

const struct replacement_policy policy_REPLACEMENT_PLRU = {
    .state_bytes = plru_state_bytes,
    .hit = touch,
    .fill = touch,
    .victim = replacement_plru_victim,
    .reset = reset,
    .explain = replacement_plru_explain,
    .print = replacement_plru_print,
    .run = plru_run,
};

VECTORS_INLINED static enum status mdpp_run(struct cache *cache, const struct request *requests,
                                            size_t count, const uint32_t *lost, struct flow *flow)
{
    return access_run_policy(cache, requests, count, lost, flow, &policy_REPLACEMENT_MDPP,
                             TRAITS_REPLACEMENT_MDPP);
}

const struct replacement_policy policy_REPLACEMENT_MDPP = {
    .state_bytes = plru_state_bytes,
    .hit = promote,
    .fill = plru_place,
    .victim = replacement_plru_victim,
    .reset = reset,
    .explain = replacement_plru_explain,
    .print = replacement_plru_print,
    .run = mdpp_run,
};
