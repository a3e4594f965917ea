/* Orders by last use that put new lines elsewhere than LRU does.
 *
 * mru: the most recently used way is replaced, the best that can be done for a loop that does not
 *   fit (H.-T. Chou and D. J. DeWitt, "An evaluation of buffer management strategies for relational
 *   database systems", VLDB 1985). All it has to know is the way of the last access.
 * lip, bip, dip: M. K. Qureshi, A. Jaleel, Y. N. Patt, S. C. Steely and J. Emer, "Adaptive
 * insertion policies for high performance caching", ISCA 2007. lip makes a new line the next
 * victim, unless it is used before; bip does so with 31 of 32 new lines, counted over the cache,
 * and makes the others the most recent; in dip lru and bip duel (duel.h).
 *
 * Cost: constant up to 16 ways, whose order is a word; beyond, linear in the ways. mru is constant.
 */
#include <stdio.h>

#include "model/cache/cache_access.h"
#include "model/cache/duel.h"
#include "model/cache/way_list.h"

/* ---- mru ---- */

static size_t mru_bytes(uint32_t ways)
{
    (void)ways;
    return sizeof(uint32_t);
}

static void mru_touch(const struct set_access *at, uint32_t way)
{
    *(uint32_t *)at->state = way;
}

static uint32_t mru_victim(const struct set_access *at)
{
    return *(const uint32_t *)at->state;
}

static const char *mru_explain(const struct set_access *at, char *text, size_t size)
{
    (void)at;
    snprintf(text, size, "most recently used");
    return text;
}

VECTORS_INLINED static enum status mru_run(struct cache *cache, const struct request *requests,
                                           size_t count, const uint32_t *lost, struct flow *flow)
{
    return access_run_policy(cache, requests, count, lost, flow, &policy_REPLACEMENT_MRU,
                             TRAITS_REPLACEMENT_MRU);
}

const struct replacement_policy policy_REPLACEMENT_MRU = {
    .state_bytes = mru_bytes,
    .hit = mru_touch,
    .fill = mru_touch,
    .victim = mru_victim,
    .explain = mru_explain,
    .run = mru_run,
};

/* ---- orders ---- */

struct short_order {
    uint64_t word; /* order_word.h, XORed with ORDER_START; ways without a line are anywhere */
    uint32_t held; /* ways with a line, as bits */
};

static size_t order_bytes(uint32_t ways)
{
    return ways <= ORDER_WAYS ? sizeof(struct short_order) : ways_bytes(ways);
}

/* A hit, and a new line that is the most recent. */
static inline void insertion_use(const struct set_access *at, uint32_t way)
{
    if (at->ways <= ORDER_WAYS) {
        struct short_order *order = at->state;
        const uint64_t word = order->word ^ ORDER_START;
        order->word = order_move(word, order_find(word, way), way) ^ ORDER_START;
        order->held |= UINT32_C(1) << way;
    } else {
        ways_take(at->state, way);
        ways_push(at->state, way);
    }
}

static void insertion_drop(const struct set_access *at, uint32_t way)
{
    if (at->ways <= ORDER_WAYS)
        ((struct short_order *)at->state)->held &= ~(UINT32_C(1) << way);
    else
        ways_take(at->state, way);
}

/* All ways have lines. */
static inline uint32_t insertion_victim(const struct set_access *at)
{
    if (at->ways <= ORDER_WAYS)
        return order_last(((const struct short_order *)at->state)->word ^ ORDER_START, at->ways);
    return ((const struct ways_kept *)at->state)->ways[0];
}

static inline void lip_fill(const struct set_access *at, uint32_t way)
{
    if (at->ways <= ORDER_WAYS) {
        struct short_order *order = at->state;
        const uint64_t word = order->word ^ ORDER_START;
        order->word = order_retire(word, order_find(word, way), way, at->ways) ^ ORDER_START;
        order->held |= UINT32_C(1) << way;
    } else {
        ways_take(at->state, way);
        ways_push_oldest(at->state, way);
    }
}

static void bip_fill(const struct set_access *at, uint32_t way)
{
    if (bimodal_fill(at->shared))
        insertion_use(at, way);
    else
        lip_fill(at, way);
}

static void dip_fill(const struct set_access *at, uint32_t way)
{
    struct bimodal *bimodal = at->shared;
    if (duel_miss(&bimodal->duel, at->set, at->sets))
        bip_fill(at, way);
    else
        insertion_use(at, way);
}

static const char *insertion_explain(const struct set_access *at, char *text, size_t size)
{
    (void)at;
    snprintf(text, size, "it is at the LRU end");
    return text;
}

/* The order, the most recent first. */
static const char *insertion_print(const struct set_access *at, char *text, size_t size)
{
    const bool is_short = at->ways <= ORDER_WAYS;
    const struct ways_kept *list = at->state;
    const struct short_order *order = at->state;
    const uint32_t count = is_short ? at->ways : list->count;
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < count && used + 5 < size; i++) {
        const uint32_t way =
            is_short ? (order->word ^ ORDER_START) >> 4 * i & 15 : list->ways[count - 1 - i];
        if (!is_short || order->held >> way & 1)
            used += (size_t)snprintf(text + used, size - used, used ? " %u" : "%u", way);
    }
    return text;
}

VECTORS_INLINED static enum status lip_run(struct cache *cache, const struct request *requests,
                                           size_t count, const uint32_t *lost, struct flow *flow)
{
    return access_run_policy(cache, requests, count, lost, flow, &policy_REPLACEMENT_LIP,
                             TRAITS_REPLACEMENT_LIP);
}

const struct replacement_policy policy_REPLACEMENT_LIP = {
    .state_bytes = order_bytes,
    .hit = insertion_use,
    .fill = lip_fill,
    .drop = insertion_drop,
    .victim = insertion_victim,
    .explain = insertion_explain,
    .print = insertion_print,
    .run = lip_run,
};

VECTORS_INLINED static enum status bip_run(struct cache *cache, const struct request *requests,
                                           size_t count, const uint32_t *lost, struct flow *flow)
{
    return access_run_policy(cache, requests, count, lost, flow, &policy_REPLACEMENT_BIP,
                             TRAITS_REPLACEMENT_BIP);
}

const struct replacement_policy policy_REPLACEMENT_BIP = {
    .state_bytes = order_bytes,
    .shared_bytes = bimodal_bytes,
    .hit = insertion_use,
    .fill = bip_fill,
    .drop = insertion_drop,
    .victim = insertion_victim,
    .explain = insertion_explain,
    .print = insertion_print,
    .run = bip_run,
};

VECTORS_INLINED static enum status dip_run(struct cache *cache, const struct request *requests,
                                           size_t count, const uint32_t *lost, struct flow *flow)
{
    return access_run_policy(cache, requests, count, lost, flow, &policy_REPLACEMENT_DIP,
                             TRAITS_REPLACEMENT_DIP);
}

const struct replacement_policy policy_REPLACEMENT_DIP = {
    .state_bytes = order_bytes,
    .shared_bytes = bimodal_bytes,
    .hit = insertion_use,
    .fill = dip_fill,
    .drop = insertion_drop,
    .victim = insertion_victim,
    .explain = insertion_explain,
    .print = insertion_print,
    .run = dip_run,
};
