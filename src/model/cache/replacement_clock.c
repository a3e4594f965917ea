/* A hand that passes over lines that were used and forgets it.
 *
 * clock: second chance (F. J. Corbato, "A paging experiment with the Multics system", 1968): the
 * hand walks over the ways. A new line counts as not used until it is hit, as in gem5 and
 * libCacheSim. sieve: Y. Zhang, J. Yang, Y. Yue, Y. Vigfusson and K. V. Rashmi, "SIEVE is simpler
 * than LRU", NSDI 2024. The hand walks from older to younger lines and stays there, so new lines
 * are tried soon. Made for whole caches; here each set is one.
 *
 * A hit takes constant time; clock finds a victim in a step for each 64 ways, sieve in time linear
 * in the ways. */
#include <stdio.h>

#include "model/cache/cache_access.h"
#include "model/cache/way_list.h"

enum { WORD = 64 };

/* ---- clock ---- */

struct clock {
    uint64_t hand;
    uint64_t used[]; /* bits */
};

static size_t clock_bytes(uint32_t ways)
{
    return sizeof(struct clock) + sizeof(uint64_t) * ((ways + WORD - 1) / WORD);
}

static void clock_hit(const struct set_access *at, uint32_t way)
{
    struct clock *clock = at->state;
    clock->used[way / WORD] |= UINT64_C(1) << way % WORD;
}

static void clock_fill(const struct set_access *at, uint32_t way)
{
    struct clock *clock = at->state;
    clock->used[way / WORD] &= ~(UINT64_C(1) << way % WORD);
}

/* Up to 64 ways: the first unused one from the hand on, and those before it forgotten. */
static uint32_t short_victim(struct clock *clock, uint32_t ways)
{
    const uint64_t all = ways == WORD ? ~UINT64_C(0) : (UINT64_C(1) << ways) - 1;
    const uint64_t ahead = ~UINT64_C(0) << clock->hand;
    uint64_t unused = ~clock->used[0] & all & ahead;
    if (!unused) { /* the hand comes round */
        clock->used[0] &= ~ahead;
        unused = ~clock->used[0] & all;
        const uint32_t way = (uint32_t)__builtin_ctzll(unused);
        clock->used[0] &= ~((UINT64_C(1) << way) - 1);
        return way;
    }
    const uint32_t way = (uint32_t)__builtin_ctzll(unused);
    clock->used[0] &= ~(ahead & ((UINT64_C(1) << way) - 1));
    return way;
}

static uint32_t clock_victim(const struct set_access *at)
{
    struct clock *clock = at->state;
    uint32_t way = (uint32_t)clock->hand;
    if (at->ways <= WORD) {
        way = short_victim(clock, at->ways);
    } else {
        while (clock->used[way / WORD] >> way % WORD & 1) {
            clock->used[way / WORD] &= ~(UINT64_C(1) << way % WORD);
            way = way + 1 < at->ways ? way + 1 : 0;
        }
    }
    clock->hand = way + 1 < at->ways ? way + 1 : 0;
    return way;
}

static const char *clock_explain(const struct set_access *at, char *text, size_t size)
{
    const struct clock *clock = at->state;
    snprintf(text, size, "from way %u on, the hand finds its reference bit clear",
             (unsigned)clock->hand);
    return text;
}

static const char *clock_print(const struct set_access *at, char *text, size_t size)
{
    const struct clock *clock = at->state;
    size_t used = 0;
    for (uint32_t way = 0; way < at->ways && used + 1 < size; way++)
        text[used++] = clock->used[way / WORD] >> way % WORD & 1 ? '1' : '0';
    snprintf(text + used, size - used, " hand %u", (unsigned)clock->hand);
    return text;
}

VECTORS_INLINED static enum status clock_run(struct cache *cache, const struct request *requests,
                                             size_t count, const uint32_t *lost, struct flow *flow)
{
    return access_run_policy(cache, requests, count, lost, flow, &policy_REPLACEMENT_CLOCK,
                             TRAITS_REPLACEMENT_CLOCK);
}

const struct replacement_policy policy_REPLACEMENT_CLOCK = {
    .state_bytes = clock_bytes,
    .hit = clock_hit,
    .fill = clock_fill,
    .victim = clock_victim,
    .explain = clock_explain,
    .print = clock_print,
    .run = clock_run,
};

/* ---- sieve ---- */

struct sieve {
    uint32_t hand;               /* a place in `order`, which stands after */
    uint8_t used[WAY_LIST_MOST]; /* by way */
};

static size_t sieve_bytes(uint32_t ways)
{
    return sizeof(struct sieve) + ways_bytes(ways);
}

static struct ways_kept *sieve_order(const struct set_access *at)
{
    return (struct ways_kept *)((struct sieve *)at->state + 1);
}

static void sieve_hit(const struct set_access *at, uint32_t way)
{
    ((struct sieve *)at->state)->used[way] = 1;
}

/* The hand stays at its line; where that leaves, it goes on to the next younger one. */
static void sieve_drop(const struct set_access *at, uint32_t way)
{
    struct sieve *sieve = at->state;
    struct ways_kept *order = sieve_order(at);
    const uint32_t place = ways_find(order, way);
    if (place == WAY_LIST_NONE)
        return;
    ways_take_place(order, place);
    sieve->hand -= place < sieve->hand;
    if (sieve->hand >= order->count)
        sieve->hand = 0;
}

static void sieve_fill(const struct set_access *at, uint32_t way)
{
    sieve_drop(at, way);
    ((struct sieve *)at->state)->used[way] = 0;
    ways_push(sieve_order(at), way);
}

static uint32_t sieve_victim(const struct set_access *at)
{
    struct sieve *sieve = at->state;
    const struct ways_kept *order = sieve_order(at);
    while (sieve->used[order->ways[sieve->hand]]) {
        sieve->used[order->ways[sieve->hand]] = 0;
        sieve->hand = sieve->hand + 1 < order->count ? sieve->hand + 1 : 0;
    }
    return order->ways[sieve->hand];
}

static const char *sieve_explain(const struct set_access *at, char *text, size_t size)
{
    const struct sieve *sieve = at->state;
    snprintf(text, size, "from way %u on, older to younger, the hand finds its reference bit clear",
             sieve_order(at)->ways[sieve->hand]);
    return text;
}

/* Oldest first; a star follows a line that was used, a bracket holds the hand's. */
static const char *sieve_print(const struct set_access *at, char *text, size_t size)
{
    const struct sieve *sieve = at->state;
    const struct ways_kept *order = sieve_order(at);
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < order->count && used + 9 < size; i++)
        used +=
            (size_t)snprintf(text + used, size - used, i == sieve->hand ? "%s[%u%s]" : "%s%u%s",
                             i ? " " : "", order->ways[i], sieve->used[order->ways[i]] ? "*" : "");
    return text;
}

VECTORS_INLINED static enum status sieve_run(struct cache *cache, const struct request *requests,
                                             size_t count, const uint32_t *lost, struct flow *flow)
{
    return access_run_policy(cache, requests, count, lost, flow, &policy_REPLACEMENT_SIEVE,
                             TRAITS_REPLACEMENT_SIEVE);
}

const struct replacement_policy policy_REPLACEMENT_SIEVE = {
    .state_bytes = sieve_bytes,
    .hit = sieve_hit,
    .fill = sieve_fill,
    .drop = sieve_drop,
    .victim = sieve_victim,
    .explain = sieve_explain,
    .print = sieve_print,
    .run = sieve_run,
};
