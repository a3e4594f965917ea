/* Watches the accesses to a few sets: who used each line last, and how many accesses ago. Policies
 * that learn from instructions share it (replacement_hawkeye.c, replacement_mockingjay.c).
 *
 * At most 64 sets of a cache are watched, evenly spaced; all where there are no more. Of each the
 * last 8 x ways accesses are known, as both papers have it. (In hardware a sampled cache of partial
 * tags stands for that; here no access is lost.) Zeroed memory is a sampler that saw nothing.
 *
 * The uses of a set are a ring, whose parts stand apart so that sixteen places are searched at
 * once. Whoever remembers the place of a line's last use need not search.
 *
 * Cost: linear in the ways for a search in a watched set, a division for an access to any other. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SAMPLER_SETS = 64, SAMPLER_HISTORY = 8, SAMPLER_NONE = UINT32_MAX };

struct sampler_set {
    uint64_t now; /* the place of the next use, which the oldest one has */
    /* By place: 1 + the line, 0 where a later access to it is known, or nothing. After them the
     * tags of these lines, the signatures of the instructions, and a number that is the owner's. */
    uint64_t lines[];
};

static inline uint32_t sampler_window(uint32_t ways)
{
    return SAMPLER_HISTORY * ways;
}

static inline uint16_t *sampler_tags(struct sampler_set *set, uint32_t ways)
{
    return (uint16_t *)(set->lines + sampler_window(ways));
}
static inline uint16_t *sampler_signatures(struct sampler_set *set, uint32_t ways)
{
    return sampler_tags(set, ways) + sampler_window(ways);
}
static inline uint8_t *sampler_numbers(struct sampler_set *set, uint32_t ways)
{
    return (uint8_t *)(sampler_signatures(set, ways) + sampler_window(ways));
}

static inline size_t sampler_bytes(uint32_t ways)
{
    return sizeof(struct sampler_set) +
           sampler_window(ways) * (sizeof(uint64_t) + 2 * sizeof(uint16_t) + sizeof(uint8_t));
}

static inline uint32_t sampler_sets(uint32_t sets)
{
    return sets < SAMPLER_SETS ? sets : SAMPLER_SETS;
}

/* The number of a set among those watched, or SAMPLER_NONE. */
static inline uint32_t sampler_number(uint32_t set, uint32_t sets)
{
    if (sets < 2 * SAMPLER_SETS)
        return set < SAMPLER_SETS ? set : SAMPLER_NONE;
    const uint32_t step = sets / SAMPLER_SETS;
    return set % step == 0 && set / step < SAMPLER_SETS ? set / step : SAMPLER_NONE;
}

static inline struct sampler_set *sampler_set(void *sets, uint32_t number, uint32_t ways)
{
    return (struct sampler_set *)((char *)sets + number * sampler_bytes(ways));
}

/* Whether this access makes a use too old that is the last of its line, and whose. */
static inline bool sampler_expires(struct sampler_set *set, uint32_t ways, uint16_t *signature)
{
    *signature = sampler_signatures(set, ways)[set->now];
    return set->lines[set->now];
}

static inline uint16_t sampler_tag(uint64_t line)
{
    return (uint16_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 48);
}

/* The place of the last use of a line among some places; SAMPLER_NONE: there is none. The use that
 * expires does not count. */
static inline uint32_t sampler_scan(const struct sampler_set *set, uint32_t first, uint32_t end,
                                    uint64_t line)
{
    for (uint32_t at = first; at < end; at++)
        if (set->lines[at] == line + 1)
            return at == set->now ? SAMPLER_NONE : at;
    return SAMPLER_NONE;
}

/* The place of the last use of a line; SAMPLER_NONE: it is longer ago than is known. The use that
 * expires does not count. */
static inline uint32_t sampler_last(struct sampler_set *set, uint32_t ways, uint64_t line)
{
    enum { WIDTH = 2 * SAMPLER_HISTORY };
    typedef uint16_t tag_vector __attribute__((vector_size(WIDTH * sizeof(uint16_t))));
    typedef uint64_t part_vector __attribute__((vector_size(sizeof(tag_vector))));
    const uint16_t *tags = sampler_tags(set, ways), tag = sampler_tag(line);
    const uint32_t window = sampler_window(ways);
    uint32_t first = 0;
    for (; first + WIDTH <= window; first += WIDTH) {
        tag_vector loaded;
        memcpy(&loaded, tags + first, sizeof loaded);
        const part_vector same = (part_vector)(loaded == tag);
        if (!(same[0] | same[1] | same[2] | same[3]))
            continue;
        const uint32_t found = sampler_scan(set, first, first + WIDTH, line);
        if (found != SAMPLER_NONE)
            return found;
    }
    return sampler_scan(set, first, window, line);
}

/* The same of a line that was used last at this place, however long ago. */
static inline uint32_t sampler_last_at(const struct sampler_set *set, uint32_t place, uint64_t line)
{
    return set->lines[place] == line + 1 && place != set->now ? place : SAMPLER_NONE;
}

/* How many accesses ago the use at a place was. */
static inline uint32_t sampler_distance(const struct sampler_set *set, uint32_t ways, uint32_t at)
{
    const uint32_t now = (uint32_t)set->now;
    return at < now ? now - at : now + sampler_window(ways) - at;
}

/* Notes the access; `last` is what sampler_last said. */
static inline void sampler_note(struct sampler_set *set, uint32_t ways, uint64_t line,
                                uint16_t signature, uint32_t last)
{
    if (last != SAMPLER_NONE)
        set->lines[last] = 0;
    set->lines[set->now] = line + 1;
    sampler_tags(set, ways)[set->now] = sampler_tag(line);
    sampler_signatures(set, ways)[set->now] = signature;
    sampler_numbers(set, ways)[set->now] = 0;
    set->now = set->now + 1 < sampler_window(ways) ? set->now + 1 : 0;
}
