/* The policies of a SIMT processor's caches (X. Xu, T. Li, Z. Sun and L. Xing, Computer
 * Applications and Software 36(7), 2019) beside round robin. All take their way whether or not
 * another is invalid: the paper's caches have no such test.
 *
 * lru_stack and lfu_stack keep a counter a way, a permutation of 0 to ways - 1. The paper calls the
 * second one "least frequently used", but it is the first one in a mirror: counters of one are ways
 * - 1 less those of the other, and after the first fills both hit and miss alike (test_replacement
 * holds them to that). They start with the counter ways - 1 in way 0 down to 0 in the last way, so
 * the one fills ways upwards and the other downwards. A byte of state is the difference to that
 * start; an access takes time linear in the ways, in vectors.
 *
 * plru_simt orders groups of four ways completely, a bit a pair of groups, and the two pairs of a
 * group and the two ways of a pair by a bit each: 18 bits for 16 ways, 3 for 4. A bit is 0 where
 * the first-named is the less recent: of groups the lower, of pairs the rear one, of ways the even
 * one. Not the tree of `plru`: from zeros four ways are filled in the order 2, 0, 3, 1. The paper
 * has 4 and 16 ways; other powers of two up to 32 (the bits then still fit a word) follow the same
 * plan, and two ways are a single pair. An access takes a step a group. */
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "model/cache/cache_access.h"

/* ---- stacks of counters ---- */

static size_t stack_bytes(uint32_t ways)
{
    return ways;
}

static inline uint8_t start_of(uint32_t way, uint32_t ways)
{
    return (uint8_t)(ways - 1 - way);
}

static inline uint8_t counter_of(const struct set_access *at, uint32_t way)
{
    return ((const uint8_t *)at->state)[way] ^ start_of(way, at->ways);
}

static inline void set_counter(const struct set_access *at, uint32_t way, uint32_t counter)
{
    ((uint8_t *)at->state)[way] = (uint8_t)counter ^ start_of(way, at->ways);
}

static void lru_touch(const struct set_access *at, uint32_t way)
{
    const uint8_t was = counter_of(at, way);
    for (uint32_t other = 0; other < at->ways; other++) {
        const uint8_t counter = counter_of(at, other);
        set_counter(at, other, counter + (counter < was));
    }
    set_counter(at, way, 0);
}

static void lfu_touch(const struct set_access *at, uint32_t way)
{
    const uint8_t was = counter_of(at, way);
    for (uint32_t other = 0; other < at->ways; other++) {
        const uint8_t counter = counter_of(at, other);
        set_counter(at, other, counter - (counter > was));
    }
    set_counter(at, way, at->ways - 1);
}

static uint32_t find_counter(const struct set_access *at, uint32_t counter)
{
    uint32_t way = 0;
    while (way + 1 < at->ways && counter_of(at, way) != counter)
        way++;
    return way;
}

static uint32_t lru_victim(const struct set_access *at)
{
    return find_counter(at, at->ways - 1);
}

static uint32_t lfu_victim(const struct set_access *at)
{
    return find_counter(at, 0);
}

/* The counters as one number, way 0 last, as the paper's register reads: hexadecimal where a
 * counter takes four bits, binary where it takes fewer. */
static const char *stack_print(const struct set_access *at, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t way = at->ways; way-- > 0 && used + 6 < size;) {
        const unsigned counter = counter_of(at, way);
        if (at->ways > 16)
            used += (size_t)snprintf(text + used, size - used, "%u ", counter);
        else if (at->ways > 4)
            used += (size_t)snprintf(text + used, size - used, "%x", counter);
        else
            used += (size_t)snprintf(text + used, size - used, "%u%u", counter >> 1, counter & 1);
    }
    return text;
}

static const char *lru_explain(const struct set_access *at, char *text, size_t size)
{
    snprintf(text, size, "its counter is %u, the highest: least recently used", at->ways - 1);
    return text;
}

static const char *lfu_explain(const struct set_access *at, char *text, size_t size)
{
    (void)at;
    snprintf(text, size, "its counter is 0, the lowest: least recently used");
    return text;
}

const struct replacement_policy policy_REPLACEMENT_LRU_STACK = {
    .state_bytes = stack_bytes,
    .hit = lru_touch,
    .fill = lru_touch,
    .victim = lru_victim,
    .explain = lru_explain,
    .print = stack_print,
};

const struct replacement_policy policy_REPLACEMENT_LFU_STACK = {
    .state_bytes = stack_bytes,
    .hit = lfu_touch,
    .fill = lfu_touch,
    .victim = lfu_victim,
    .explain = lfu_explain,
    .print = stack_print,
};

/* ---- groups, pairs and ways ---- */

/* Bits from 0: even or odd way of each pair; rear or front pair of each group; the pairs of groups,
 * (0, 1), (0, 2) ... (1, 2) ... */
struct plan {
    uint32_t groups, halves, orders; /* `halves` and `orders`: the first bit of each kind */
};

static inline struct plan plan_of(uint32_t ways)
{
    return (struct plan){.groups = ways / 4, .halves = ways / 2, .orders = ways / 2 + ways / 4};
}

/* Of the bits of the pairs of groups, those of the pairs whose higher and whose lower group this
 * is, for 1, 2, 4 and 8 groups. */
static const struct {
    uint32_t higher, lower;
} pairs_of[4][8] = {
    {{0x0, 0x0}},
    {{0x0, 0x1}, {0x1, 0x0}},
    {{0x0, 0x7}, {0x1, 0x18}, {0xa, 0x20}, {0x34, 0x0}},
    {{0x0, 0x7f},
     {0x1, 0x1f80},
     {0x82, 0x3e000},
     {0x2104, 0x3c0000},
     {0x44208, 0x1c00000},
     {0x488410, 0x6000000},
     {0x2910820, 0x8000000},
     {0xd221040, 0x0}},
};

static inline uint64_t simt_with_bit(uint64_t bits, uint32_t place, bool value)
{
    return (bits & ~(UINT64_C(1) << place)) | (uint64_t)value << place;
}

static size_t plru_bytes(uint32_t ways)
{
    (void)ways;
    return sizeof(uint64_t);
}

static void plru_touch(const struct set_access *at, uint32_t way)
{
    const struct plan plan = plan_of(at->ways);
    uint64_t bits = *(const uint64_t *)at->state;
    if (at->ways == 4) { /* a single group has no order; the same as below, in fewer steps */
        const uint32_t pair = way / 2;
        bits &= ~(uint64_t)(4 | 1u << pair);
        *(uint64_t *)at->state = bits | pair << 2 | (~way & 1) << pair;
        return;
    }
    if (at->ways > 1)
        bits = simt_with_bit(bits, way / 2, way % 2 == 0);
    if (plan.groups) {
        const uint32_t group = way / 4, count = log2_floor(plan.groups);
        bits = simt_with_bit(bits, plan.halves + group, way % 4 >= 2);
        bits &= ~((uint64_t)pairs_of[count][group].higher << plan.orders);
        bits |= (uint64_t)pairs_of[count][group].lower << plan.orders;
    }
    *(uint64_t *)at->state = bits;
}

/* The first group that is less recent than all others. Bits that no accesses leave may have none:
 * then the last. */
static uint32_t least_group(const struct plan *plan, uint64_t bits)
{
    const uint32_t orders = (uint32_t)(bits >> plan->orders), count = log2_floor(plan->groups);
    uint32_t group = 0;
    while (group + 1 < plan->groups &&
           (orders & (pairs_of[count][group].higher | pairs_of[count][group].lower)) !=
               pairs_of[count][group].higher)
        group++;
    return group;
}

static uint32_t plru_victim(const struct set_access *at)
{
    const struct plan plan = plan_of(at->ways);
    const uint64_t bits = *(const uint64_t *)at->state;
    uint32_t pair = 0;
    if (plan.groups) {
        const uint32_t group = least_group(&plan, bits);
        pair = 2 * group + !(bits >> (plan.halves + group) & 1);
    }
    return at->ways > 1 ? 2 * pair + (bits >> pair & 1) : 0;
}

static void plru_reset(void *state, uint32_t ways, int value)
{
    const uint32_t groups = ways / 4;
    const uint32_t bits = ways / 2 + groups + groups * (groups - (groups > 0)) / 2;
    *(uint64_t *)state = value == RESET_ONES ? (UINT64_C(1) << bits) - 1 : 0;
}

static const char *plru_print(const struct set_access *at, char *text, size_t size)
{
    const uint32_t groups = at->ways / 4;
    uint32_t bit = at->ways / 2 + groups + groups * (groups - (groups > 0)) / 2;
    size_t used = 0;
    while (bit-- > 0 && used + 1 < size)
        text[used++] = *(const uint64_t *)at->state >> bit & 1 ? '1' : '0';
    text[used] = '\0';
    return text;
}

/* "group 2 is least recent against 0, 1 and 3; rear pair; even way" */
static const char *plru_explain(const struct set_access *at, char *text, size_t size)
{
    const struct plan plan = plan_of(at->ways);
    const uint64_t bits = *(const uint64_t *)at->state;
    const uint32_t way = plru_victim(at), group = way / 4;
    size_t used = 0;
    text[0] = '\0';
    if (plan.groups > 1) {
        used += (size_t)snprintf(text, size, "group %u is least recent against", group);
        for (uint32_t other = 0, left = plan.groups - 1; other < plan.groups && used < size;
             other++) {
            if (other == group)
                continue;
            left--;
            used += (size_t)snprintf(text + used, size - used, " %u%s", other,
                                     left > 1 ? ","
                                     : left   ? " and"
                                              : "; ");
        }
    }
    if (plan.groups && used < size)
        used += (size_t)snprintf(text + used, size - used, "%s pair; ",
                                 bits >> (plan.halves + group) & 1 ? "front" : "rear");
    if (used < size)
        snprintf(text + used, size - used, "%s way", way % 2 ? "odd" : "even");
    return text;
}

VECTORS_INLINED static enum status plru_run(struct cache *cache, const struct request *requests,
                                            size_t count, const uint32_t *lost, struct flow *flow)
{
    return access_run_policy(cache, requests, count, lost, flow, &policy_REPLACEMENT_PLRU_SIMT,
                             TRAITS_REPLACEMENT_PLRU_SIMT);
}

const struct replacement_policy policy_REPLACEMENT_PLRU_SIMT = {
    .state_bytes = plru_bytes,
    .hit = plru_touch,
    .fill = plru_touch,
    .victim = plru_victim,
    .reset = plru_reset,
    .explain = plru_explain,
    .print = plru_print,
    .run = plru_run,
};
