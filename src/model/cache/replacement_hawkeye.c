/* Hawkeye (A. Jain and C. Lin, "Back to the future: leveraging Belady's algorithm for improved
 * cache replacement", ISCA 2016). In a few sets (set_sampler.h) it works out which past accesses
 * Belady's optimum would have hit, and from that a table of 8 K counters of 3 bits learns which
 * instructions fetch lines worth keeping. Lines of the others are the first to go; among the rest
 * the one that was fetched or hit longest ago, which is held against the instruction that used it
 * last.
 *
 * The optimum would have hit a line if at no time since its last use `ways` lines were kept for a
 * later use: the uses of a set hold that count for the time after each. Counters start in the
 * middle, on the side of keeping. Cost: linear in the ways; in a watched set in 8 x ways. */
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

/* Whether the optimum would have kept the line for `distance` accesses; if so it does. */
static bool optimum_hits(struct sampler_set *set, uint32_t ways, uint32_t distance)
{
    for (uint32_t ago = distance; ago > 0; ago--)
        if (sampler_use_at(set, ways, ago)->taken >= ways)
            return false;
    for (uint32_t ago = distance; ago > 0; ago--)
        sampler_use_at(set, ways, ago)->taken++;
    return true;
}

static void hawkeye_watch(const struct set_access *at, uint16_t signature)
{
    const uint32_t number = sampler_number(at->set, at->sets);
    if (number == SAMPLER_NONE)
        return;
    struct sampler_set *set = sampler_set((struct hawkeye *)at->shared + 1, number, at->ways);
    const struct sampler_use *old = sampler_expires(set, at->ways);
    if (old)
        hawkeye_learn(at, old->signature, false);
    const uint32_t distance = sampler_distance(set, at->ways, at->line);
    if (distance)
        hawkeye_learn(at, sampler_use_at(set, at->ways, distance)->signature,
                      optimum_hits(set, at->ways, distance));
    sampler_note(set, at->ways, at->line, signature, distance);
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
