/* Re-reference intervals (A. Jaleel, K. B. Theobald, S. C. Steely and J. Emer, "High performance
 * cache replacement using re-reference interval prediction (RRIP)", ISCA 2010). The value of a way
 * predicts how far away its next use is. The victim is the first way with the farthest prediction;
 * if there is none, all predictions of the set are increased first. A hit sets it to "at once".
 *
 * nru: one bit, as that paper describes "not recently used"; a new line counts as used.
 * srrip: two bits and hit priority; a new line is predicted far, so lines that are used once leave
 *   before lines that were hit, and a scan does not flush the set.
 * brrip: as srrip, but all new lines but one in 32 are predicted farthest.
 * drrip: srrip and brrip duel (duel.h).
 * ship: signature-based hits (C.-J. Wu, A. Jaleel, W. Hasenplaugh, M. Martonosi, S. C. Steely and
 * J. Emer, MICRO 2011), with the instruction as signature: a table of 16 K counters of 3 bits
 * learns of each instruction whether its lines are hit before they leave; lines of one whose
 * counter is 0 are predicted farthest. Every set trains it.
 *
 * A line that is hit right after its fill is predicted at once, so repeated touches matter to all
 * but nru. The predictions of 64 ways are two words, one of all low bits and one of all high bits,
 * so a step takes the same time for up to 64 ways. */
#include <stdio.h>

#include "model/cache/cache_access.h"
#include "model/cache/duel.h"

enum { WORD = 64 };

/* A run of 64 ways. */
struct plane {
    uint64_t low, high; /* nru uses `high` alone */
};

static inline uint32_t words_of(uint32_t ways)
{
    return (ways + WORD - 1) / WORD;
}

/* The ways of a run, as bits. */
static inline uint64_t run_mask(uint32_t ways, uint32_t word)
{
    const uint32_t left = ways - word * WORD;
    return left >= WORD ? ~UINT64_C(0) : (UINT64_C(1) << left) - 1;
}

static size_t rrip_state_bytes(uint32_t ways)
{
    return sizeof(struct plane) * words_of(ways);
}

static inline void predict(const struct set_access *at, uint32_t way, unsigned interval)
{
    struct plane *plane = (struct plane *)at->state + way / WORD;
    const uint64_t bit = UINT64_C(1) << way % WORD;
    plane->low = interval & 1 ? plane->low | bit : plane->low & ~bit;
    plane->high = interval & 2 ? plane->high | bit : plane->high & ~bit;
}

enum { AT_ONCE = 0, FAR = 2, FARTHEST = 3 };

static void rrip_hit(const struct set_access *at, uint32_t way)
{
    predict(at, way, AT_ONCE);
}

/* The first way of the farthest prediction that there is. All predictions of the set are increased
 * by as much as that one lacks to the farthest of all. */
static uint32_t rrip_victim(const struct set_access *at)
{
    struct plane *planes = at->state;
    uint64_t both = 0, high = 0, low = 0;
    for (uint32_t word = 0; word < words_of(at->ways); word++) {
        const uint64_t mask = run_mask(at->ways, word);
        both |= planes[word].high & planes[word].low & mask;
        high |= planes[word].high & mask;
        low |= planes[word].low & mask;
    }
    const unsigned most = both ? FARTHEST : high ? FAR : low ? 1 : AT_ONCE;
    const uint64_t one = most & 1 ? 0 : ~UINT64_C(0), two = most & 2 ? 0 : ~UINT64_C(0);
    uint32_t way = at->ways;
    for (uint32_t word = words_of(at->ways); word-- > 0;) {
        struct plane *plane = &planes[word];
        plane->high ^= two ^ (plane->low & one);
        plane->low ^= one;
        const uint64_t farthest = plane->low & plane->high & run_mask(at->ways, word);
        if (farthest)
            way = word * WORD + (uint32_t)__builtin_ctzll(farthest);
    }
    return way;
}

static unsigned interval_of(const struct set_access *at, uint32_t way)
{
    const struct plane *plane = (const struct plane *)at->state + way / WORD;
    return (unsigned)((plane->high >> way % WORD & 1) << 1 | (plane->low >> way % WORD & 1));
}

static const char *rrip_print(const struct set_access *at, char *text, size_t size)
{
    size_t used = 0;
    for (uint32_t way = 0; way < at->ways && used + 1 < size; way++)
        text[used++] = (char)('0' + interval_of(at, way));
    text[used] = '\0';
    return text;
}

static const char *rrip_explain(const struct set_access *at, char *text, size_t size)
{
    unsigned most = 0;
    for (uint32_t way = 0; way < at->ways; way++)
        most = interval_of(at, way) > most ? interval_of(at, way) : most;
    snprintf(text, size, "the first way of RRPV %u, the largest of the set%s", most,
             most < FARTHEST ? ", after aging" : "");
    return text;
}

/* ---- srrip ---- */

static void srrip_fill(const struct set_access *at, uint32_t way)
{
    predict(at, way, FAR);
}

VECTORS_INLINED static enum status srrip_run(struct cache *cache, const struct request *requests,
                                             size_t count, const uint32_t *lost, struct flow *flow)
{
    return access_run_policy(cache, requests, count, lost, flow, &policy_REPLACEMENT_SRRIP,
                             TRAITS_REPLACEMENT_SRRIP);
}

const struct replacement_policy policy_REPLACEMENT_SRRIP = {
    .state_bytes = rrip_state_bytes,
    .hit = rrip_hit,
    .fill = srrip_fill,
    .victim = rrip_victim,
    .explain = rrip_explain,
    .print = rrip_print,
    .run = srrip_run,
};

/* ---- brrip and drrip ---- */

static void brrip_fill(const struct set_access *at, uint32_t way)
{
    predict(at, way, bimodal_fill(at->shared) ? FAR : FARTHEST);
}

static void drrip_fill(const struct set_access *at, uint32_t way)
{
    struct bimodal *bimodal = at->shared;
    if (duel_miss(&bimodal->duel, at->set, at->sets))
        brrip_fill(at, way);
    else
        srrip_fill(at, way);
}

VECTORS_INLINED static enum status brrip_run(struct cache *cache, const struct request *requests,
                                             size_t count, const uint32_t *lost, struct flow *flow)
{
    return access_run_policy(cache, requests, count, lost, flow, &policy_REPLACEMENT_BRRIP,
                             TRAITS_REPLACEMENT_BRRIP);
}

const struct replacement_policy policy_REPLACEMENT_BRRIP = {
    .state_bytes = rrip_state_bytes,
    .shared_bytes = bimodal_bytes,
    .hit = rrip_hit,
    .fill = brrip_fill,
    .victim = rrip_victim,
    .explain = rrip_explain,
    .print = rrip_print,
    .run = brrip_run,
};

VECTORS_INLINED static enum status drrip_run(struct cache *cache, const struct request *requests,
                                             size_t count, const uint32_t *lost, struct flow *flow)
{
    return access_run_policy(cache, requests, count, lost, flow, &policy_REPLACEMENT_DRRIP,
                             TRAITS_REPLACEMENT_DRRIP);
}

const struct replacement_policy policy_REPLACEMENT_DRRIP = {
    .state_bytes = rrip_state_bytes,
    .shared_bytes = bimodal_bytes,
    .hit = rrip_hit,
    .fill = drrip_fill,
    .victim = rrip_victim,
    .explain = rrip_explain,
    .print = rrip_print,
    .run = drrip_run,
};

/* ---- nru ---- */

static void nru_touch(const struct set_access *at, uint32_t way)
{
    struct plane *plane = (struct plane *)at->state + way / WORD;
    plane->high &= ~(UINT64_C(1) << way % WORD);
}

static uint32_t nru_victim(const struct set_access *at)
{
    struct plane *planes = at->state;
    for (uint32_t word = 0; word < words_of(at->ways); word++) {
        const uint64_t unused = planes[word].high & run_mask(at->ways, word);
        if (unused)
            return word * WORD + (uint32_t)__builtin_ctzll(unused);
    }
    for (uint32_t word = 0; word < words_of(at->ways); word++)
        planes[word].high = ~UINT64_C(0);
    return 0;
}

static const char *nru_print(const struct set_access *at, char *text, size_t size)
{
    size_t used = 0;
    for (uint32_t way = 0; way < at->ways && used + 1 < size; way++)
        text[used++] = (char)('0' + (interval_of(at, way) >> 1));
    text[used] = '\0';
    return text;
}

static const char *nru_explain(const struct set_access *at, char *text, size_t size)
{
    bool any = false;
    for (uint32_t way = 0; way < at->ways; way++)
        any = any || interval_of(at, way) >> 1;
    snprintf(text, size, "%s",
             any ? "the first way whose reference bit is clear"
                 : "all reference bits are set: they are cleared, and the first way goes");
    return text;
}

VECTORS_INLINED static enum status nru_run(struct cache *cache, const struct request *requests,
                                           size_t count, const uint32_t *lost, struct flow *flow)
{
    return access_run_policy(cache, requests, count, lost, flow, &policy_REPLACEMENT_NRU,
                             TRAITS_REPLACEMENT_NRU);
}

const struct replacement_policy policy_REPLACEMENT_NRU = {
    .state_bytes = rrip_state_bytes,
    .hit = nru_touch,
    .fill = nru_touch,
    .victim = nru_victim,
    .explain = nru_explain,
    .print = nru_print,
    .run = nru_run,
};

/* ---- ship ---- */

enum { SHIP_BITS = 14, SHIP_MOST = 7, SHIP_START = 1 };

/* Behind the planes of a set. */
struct ship_way {
    uint16_t signature; /* of the instruction that fetched the line */
    bool held, used;    /* it has a line; which was hit */
};

/* Counters start at 1, so a byte is the difference to that. */
struct ship_table {
    int8_t counters[1 << SHIP_BITS];
};

static size_t ship_bytes(uint32_t ways)
{
    return rrip_state_bytes(ways) + sizeof(struct ship_way) * ways;
}

static size_t ship_shared(uint32_t sets, uint32_t ways)
{
    (void)sets, (void)ways;
    return sizeof(struct ship_table);
}

static inline struct ship_way *ship_way(const struct set_access *at, uint32_t way)
{
    return (struct ship_way *)((struct plane *)at->state + words_of(at->ways)) + way;
}

static void ship_learn(const struct set_access *at, uint16_t signature, bool used)
{
    struct ship_table *table = at->shared;
    int8_t *counter = &table->counters[signature];
    if (used && *counter < SHIP_MOST - SHIP_START)
        ++*counter;
    if (!used && *counter > -SHIP_START)
        --*counter;
}

static void ship_hit(const struct set_access *at, uint32_t way)
{
    struct ship_way *line = ship_way(at, way);
    line->used = true;
    ship_learn(at, line->signature, true);
    rrip_hit(at, way);
}

static void ship_fill(const struct set_access *at, uint32_t way)
{
    const struct ship_table *table = at->shared;
    struct ship_way *line = ship_way(at, way);
    if (line->held && !line->used)
        ship_learn(at, line->signature, false);
    *line = (struct ship_way){.signature = pc_signature(at->pc, SHIP_BITS), .held = true};
    predict(at, way, table->counters[line->signature] == -SHIP_START ? FARTHEST : FAR);
}

static void ship_drop(const struct set_access *at, uint32_t way)
{
    ship_way(at, way)->held = false;
}

const struct replacement_policy policy_REPLACEMENT_SHIP = {
    .state_bytes = ship_bytes,
    .shared_bytes = ship_shared,
    .hit = ship_hit,
    .fill = ship_fill,
    .drop = ship_drop,
    .victim = rrip_victim,
    .explain = rrip_explain,
    .print = rrip_print,
};
