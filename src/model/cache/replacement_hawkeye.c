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

#include "model/cache/replacement.h"
#include "model/cache/set_sampler.h"

enum { SIGNATURE_BITS = 13, START = 4, MOST = 7, AVERSE = 7, OLDEST = 6 };

struct hawkeye {
    int8_t counters[1 << SIGNATURE_BITS]; /* less START; the watched sets stand after */
};

struct line {
    uint16_t signature;
    uint8_t age; /* 0 to OLDEST, or AVERSE */
    bool held;
};

static size_t hawkeye_state_bytes(uint32_t ways)
{
    return sizeof(struct line) * ways;
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

static bool any_full(const uint8_t *kept, uint32_t count, uint32_t ways)
{
    uint8_t most = 0;
    for (uint32_t i = 0; i < count; i++)
        most = kept[i] > most ? kept[i] : most;
    return most >= ways;
}

static void keep_one_more(uint8_t *kept, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        kept[i]++;
}

/* Whether the optimum would have kept the line since its last use; if so it does. */
static bool optimum_hits(struct sampler_set *set, uint32_t ways, uint32_t last)
{
    uint8_t *kept = sampler_numbers(set, ways);
    const uint32_t now = (uint32_t)set->now, window = sampler_window(ways);
    const uint32_t straight = (last < now ? now : window) - last, wrapped = last < now ? 0 : now;
    if (any_full(kept + last, straight, ways) || any_full(kept, wrapped, ways))
        return false;
    keep_one_more(kept + last, straight);
    keep_one_more(kept, wrapped);
    return true;
}

static void hawkeye_watch(const struct set_access *at, uint16_t signature)
{
    const uint32_t number = sampler_number(at->set, at->sets);
    if (number == SAMPLER_NONE)
        return;
    struct sampler_set *set = sampler_set((struct hawkeye *)at->shared + 1, number, at->ways);
    uint16_t old;
    if (sampler_expires(set, at->ways, &old))
        hawkeye_learn(at, old, false);
    const uint32_t last = sampler_last(set, at->ways, at->line);
    if (last != SAMPLER_NONE)
        hawkeye_learn(at, sampler_signatures(set, at->ways)[last],
                      optimum_hits(set, at->ways, last));
    sampler_note(set, at->ways, at->line, signature, last);
}

static void hawkeye_hit(const struct set_access *at, uint32_t way)
{
    struct line *line = (struct line *)at->state + way;
    const uint16_t signature = pc_signature(at->pc, SIGNATURE_BITS);
    hawkeye_watch(at, signature);
    line->signature = signature;
    line->age = keeps(at, signature) ? 0 : AVERSE;
}

static void hawkeye_fill(const struct set_access *at, uint32_t way)
{
    struct line *lines = at->state;
    const uint16_t signature = pc_signature(at->pc, SIGNATURE_BITS);
    if (lines[way].held && lines[way].age != AVERSE)
        hawkeye_learn(at, lines[way].signature, false);
    hawkeye_watch(at, signature);
    const bool kept = keeps(at, signature);
    for (uint32_t other = 0; kept && other < at->ways; other++)
        lines[other].age += lines[other].age < OLDEST;
    lines[way] = (struct line){signature, kept ? 0 : AVERSE, true};
}

static void hawkeye_drop(const struct set_access *at, uint32_t way)
{
    ((struct line *)at->state)[way].held = false;
}

static uint32_t hawkeye_victim(const struct set_access *at)
{
    const struct line *lines = at->state;
    uint32_t oldest = 0;
    for (uint32_t way = 1; way < at->ways; way++)
        if (lines[way].age > lines[oldest].age)
            oldest = way;
    return oldest;
}

static const char *hawkeye_explain(const struct set_access *at, char *text, size_t size)
{
    const struct line *line = (const struct line *)at->state + hawkeye_victim(at);
    if (line->age == AVERSE)
        snprintf(text, size, "cache-averse: the optimum would not keep lines of its PC");
    else
        snprintf(text, size, "all are cache-friendly: the oldest, of age %u", line->age);
    return text;
}

static const char *hawkeye_print(const struct set_access *at, char *text, size_t size)
{
    const struct line *lines = at->state;
    size_t used = 0;
    for (uint32_t way = 0; way < at->ways && used + 1 < size; way++)
        text[used++] = (char)('0' + lines[way].age);
    text[used] = '\0';
    return text;
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
};
