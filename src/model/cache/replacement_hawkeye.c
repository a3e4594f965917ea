/* Hawkeye (A. Jain and C. Lin, "Back to the future: leveraging Belady's algorithm for improved
 * cache replacement", ISCA 2016). In a few sets (set_sampler.h) it works out which past accesses
 * Belady's optimum would have hit, and from that a table of 8 K counters of 3 bits learns which
 * instructions fetch lines worth keeping. Lines of the others are the first to go; among the rest
 * the one that was fetched or hit longest ago, which is held against the instruction that used it
 * last.
 *
 * The optimum would have hit a line if at no time since its last use `ways` lines were kept for a
 * later use: the uses of a set hold that count for the time after each. Counters start in the
 * middle, on the side of keeping. Cost: linear in the ways. */
#include <stdio.h>

#include "model/cache/cache_access.h"
#include "model/cache/set_sampler.h"

enum { SIGNATURE_BITS = 13, START = 4, MOST = 7, AVERSE = 7, OLDEST = 6 };

struct hawkeye {
    int8_t counters[1 << SIGNATURE_BITS]; /* less START; the watched sets stand after */
};

/* Of each way; before them stand their ages, a byte each in whole words: 0 to OLDEST, or AVERSE. */
struct line {
    uint16_t signature, place; /* place: of the last use in a watched set */
    bool held;
};

static uint32_t age_words(uint32_t ways)
{
    return (ways + 7) / 8;
}

static uint8_t *ages_of(const struct set_access *at)
{
    return at->state;
}

static struct line *lines_of(const struct set_access *at)
{
    return (struct line *)((uint64_t *)at->state + age_words(at->ways));
}

static size_t hawkeye_state_bytes(uint32_t ways)
{
    return sizeof(uint64_t) * age_words(ways) + sizeof(struct line) * ways;
}

static size_t hawkeye_shared_bytes(uint32_t sets, uint32_t ways)
{
    return sizeof(struct hawkeye) + sampler_sets(sets) * sampler_bytes(ways);
}

static void hawkeye_learn(const struct set_access *at, uint16_t signature, bool keep)
{
    int8_t *counter = &((struct hawkeye *)at->shared)->counters[signature];
    if (keep && *counter < MOST - START)
        ++*counter;
    if (!keep && *counter > -START)
        --*counter;
}

static bool keeps(const struct set_access *at, uint16_t signature)
{
    return ((const struct hawkeye *)at->shared)->counters[signature] >= 0;
}

/* Of eight bytes, the high bits of those that are at least a number. */
static uint64_t bytes_reach(uint64_t bytes, uint8_t least)
{
    const uint64_t high = BYTE_ONES << 7, wanted = BYTE_ONES * least;
    const uint64_t low = (bytes | high) - (wanted & ~high);
    return ((bytes & ~wanted) | (~(bytes ^ wanted) & low)) & high;
}

/* Of eight places, the high bits of those where the optimum keeps `ways` lines; it never keeps
 * more, so where they are few nothing is carried from one to the next. */
static uint64_t full_places(uint64_t bytes, uint32_t ways)
{
    const uint32_t high = INT8_MAX + 1;
    return ways < high         ? (bytes + BYTE_ONES * (high - ways)) & BYTE_ONES << 7
           : ways <= UINT8_MAX ? bytes_reach(bytes, (uint8_t)ways)
                               : 0;
}

/* Places from one to before another as words of eight, the first and the last of them masked. */
struct places {
    uint32_t first, last; /* where these words begin */
    uint64_t from, to;    /* their bytes that belong to the places */
};

static struct places places_of(uint32_t begin, uint32_t end)
{
    const struct places places = {.first = begin & ~7u,
                                  .last = (end - 1) & ~7u,
                                  .from = UINT64_MAX << 8 * (begin & 7),
                                  .to = UINT64_MAX >> 8 * (7 - ((end - 1) & 7))};
    return places;
}

static uint64_t kept_at(const uint8_t *kept, uint32_t place)
{
    uint64_t bytes;
    memcpy(&bytes, kept + place, sizeof bytes);
    return bytes;
}

static void keep_one_more_at(uint8_t *kept, uint32_t place, uint64_t inside)
{
    const uint64_t bytes = kept_at(kept, place) + (BYTE_ONES & inside);
    memcpy(kept + place, &bytes, sizeof bytes);
}

/* Whether at some place from `begin` to `end` the optimum keeps `ways` lines. */
static bool any_full(const uint8_t *kept, uint32_t begin, uint32_t end, uint32_t ways)
{
    if (begin == end)
        return false;
    const struct places at = places_of(begin, end);
    if (at.first == at.last)
        return full_places(kept_at(kept, at.first) & at.from & at.to, ways);
    uint64_t full = full_places(kept_at(kept, at.first) & at.from, ways) |
                    full_places(kept_at(kept, at.last) & at.to, ways);
    for (uint32_t place = at.first + 8; place < at.last; place += 8)
        full |= full_places(kept_at(kept, place), ways);
    return full;
}

static void keep_one_more(uint8_t *kept, uint32_t begin, uint32_t end)
{
    if (begin == end)
        return;
    const struct places at = places_of(begin, end);
    const bool one = at.first == at.last;
    keep_one_more_at(kept, at.first, one ? at.from & at.to : at.from);
    for (uint32_t place = at.first + 8; place < at.last; place += 8)
        keep_one_more_at(kept, place, UINT64_MAX);
    if (!one)
        keep_one_more_at(kept, at.last, at.to);
}

/* Whether the optimum would have kept the line since its last use; if so it does. */
static bool optimum_hits(struct sampler_set *set, uint32_t ways, uint32_t last)
{
    uint8_t *kept = sampler_numbers(set, ways);
    const uint32_t now = (uint32_t)set->now, window = sampler_window(ways);
    const uint32_t end = last < now ? now : window, wrapped = last < now ? 0 : now;
    if (any_full(kept, last, end, ways) || any_full(kept, 0, wrapped, ways))
        return false;
    keep_one_more(kept, last, end);
    keep_one_more(kept, 0, wrapped);
    return true;
}

/* A use of the line in a way, which it has had since its last use where that `is_hit`. */
static void hawkeye_watch(const struct set_access *at, struct line *line, uint16_t signature,
                          bool is_hit)
{
    const uint32_t number = sampler_number(at->set, at->sets);
    if (number == SAMPLER_NONE)
        return;
    struct sampler_set *set = sampler_set((struct hawkeye *)at->shared + 1, number, at->ways);
    uint16_t old;
    if (sampler_expires(set, at->ways, &old))
        hawkeye_learn(at, old, false);
    const uint32_t last = is_hit ? sampler_last_at(set, line->place, at->line)
                                 : sampler_last(set, at->ways, at->line);
    if (last != SAMPLER_NONE)
        hawkeye_learn(at, sampler_signatures(set, at->ways)[last],
                      optimum_hits(set, at->ways, last));
    line->place = (uint16_t)set->now;
    sampler_note(set, at->ways, at->line, signature, last);
}

static void hawkeye_hit(const struct set_access *at, uint32_t way)
{
    struct line *line = lines_of(at) + way;
    const uint16_t signature = pc_signature(at->pc, SIGNATURE_BITS);
    hawkeye_watch(at, line, signature, true);
    line->signature = signature;
    ages_of(at)[way] = keeps(at, signature) ? 0 : AVERSE;
}

static void hawkeye_fill(const struct set_access *at, uint32_t way)
{
    struct line *line = lines_of(at) + way;
    const uint16_t signature = pc_signature(at->pc, SIGNATURE_BITS);
    if (line->held && ages_of(at)[way] != AVERSE)
        hawkeye_learn(at, line->signature, false);
    hawkeye_watch(at, line, signature, false);
    const bool kept = keeps(at, signature);
    uint64_t *ages = at->state;
    for (uint32_t i = 0; kept && i < age_words(at->ways); i++)
        ages[i] += ~bytes_reach(ages[i], OLDEST) >> 7 & BYTE_ONES;
    ages_of(at)[way] = kept ? 0 : AVERSE;
    line->signature = signature;
    line->held = true;
}

static void hawkeye_drop(const struct set_access *at, uint32_t way)
{
    lines_of(at)[way].held = false;
}

/* The first of the greatest age. What stands after the ways in the last word is none. */
static uint32_t hawkeye_victim(const struct set_access *at)
{
    const uint64_t *ages = at->state;
    for (uint8_t age = AVERSE;; age--)
        for (uint32_t i = 0; i < age_words(at->ways); i++) {
            const uint64_t found = bytes_reach(ages[i], age);
            const uint32_t way = 8 * i + (found ? (uint32_t)__builtin_ctzll(found) / 8 : 0);
            if (found && way < at->ways)
                return way;
        }
}

static const char *hawkeye_explain(const struct set_access *at, char *text, size_t size)
{
    const uint8_t age = ages_of(at)[hawkeye_victim(at)];
    if (age == AVERSE)
        snprintf(text, size, "cache-averse: the optimum would not keep lines of its PC");
    else
        snprintf(text, size, "all are cache-friendly: the oldest, of age %u", age);
    return text;
}

static const char *hawkeye_print(const struct set_access *at, char *text, size_t size)
{
    size_t used = 0;
    for (uint32_t way = 0; way < at->ways && used + 1 < size; way++)
        text[used++] = (char)('0' + ages_of(at)[way]);
    text[used] = '\0';
    return text;
}

VECTORS_INLINED static enum status hawkeye_run(struct cache *cache, const struct request *requests,
                                               size_t count, const uint32_t *lost,
                                               struct flow *flow)
{
    return access_run_policy(cache, requests, count, lost, flow, &policy_REPLACEMENT_HAWKEYE,
                             TRAITS_REPLACEMENT_HAWKEYE);
}

const struct replacement_policy policy_REPLACEMENT_HAWKEYE = {
    .state_bytes = hawkeye_state_bytes,
    .shared_bytes = hawkeye_shared_bytes,
    .hit = hawkeye_hit,
    .fill = hawkeye_fill,
    .drop = hawkeye_drop,
    .victim = hawkeye_victim,
    .explain = hawkeye_explain,
    .print = hawkeye_print,
    .run = hawkeye_run,
};
