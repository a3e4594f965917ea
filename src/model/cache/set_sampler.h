/* Watches the accesses to a few sets: who used each line last, and how many accesses ago. Policies
 * that learn from instructions share it (replacement_hawkeye.c, replacement_mockingjay.c).
 *
 * At most 64 sets of a cache are watched, evenly spaced; all where there are no more. Of each the
 * last 8 x ways accesses are known, as both papers have it. (In hardware a sampled cache of partial
 * tags stands for that; here no access is lost.) Zeroed memory is a sampler that saw nothing.
 *
 * Cost: linear in 8 x ways for an access to a watched set, a division for any other. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SAMPLER_SETS = 64, SAMPLER_HISTORY = 8, SAMPLER_NONE = UINT32_MAX };

struct sampler_use {
    uint64_t line;
    uint16_t signature; /* of the instruction */
    bool last;          /* no later access to this line is known */
    uint8_t taken;      /* the owner's */
};

struct sampler_set {
    uint64_t time; /* accesses so far */
    struct sampler_use uses[];
};

static inline uint32_t sampler_window(uint32_t ways)
{
    return SAMPLER_HISTORY * ways;
}

static inline size_t sampler_bytes(uint32_t ways)
{
    return sizeof(struct sampler_set) + sizeof(struct sampler_use) * sampler_window(ways);
}

static inline uint32_t sampler_sets(uint32_t sets)
{
    return sets < SAMPLER_SETS ? sets : SAMPLER_SETS;
}

/* The number of a set among those watched, or SAMPLER_NONE. */
static inline uint32_t sampler_number(uint32_t set, uint32_t sets)
{
    const uint32_t step = sets / sampler_sets(sets);
    return set % step == 0 && set / step < SAMPLER_SETS ? set / step : SAMPLER_NONE;
}

static inline struct sampler_set *sampler_set(void *sets, uint32_t number, uint32_t ways)
{
    return (struct sampler_set *)((char *)sets + number * sampler_bytes(ways));
}

/* The use that this access makes too old, which the caller may learn from; NULL: none, or its line
 * was used again since. */
static inline const struct sampler_use *sampler_expires(const struct sampler_set *set,
                                                        uint32_t ways)
{
    const struct sampler_use *use = &set->uses[set->time % sampler_window(ways)];
    return use->last ? use : NULL;
}

/* How many accesses ago the line was used last, or 0: longer than is known. Call it after
 * sampler_expires; the use that expires does not count. */
static inline uint32_t sampler_distance(const struct sampler_set *set, uint32_t ways, uint64_t line)
{
    const uint32_t window = sampler_window(ways), now = (uint32_t)(set->time % window);
    for (uint32_t distance = 1; distance < window; distance++) {
        const struct sampler_use *use = &set->uses[(now + window - distance) % window];
        if (use->last && use->line == line)
            return distance;
    }
    return 0;
}

static inline struct sampler_use *sampler_use_at(struct sampler_set *set, uint32_t ways,
                                                 uint32_t distance)
{
    const uint32_t window = sampler_window(ways), now = (uint32_t)(set->time % window);
    return &set->uses[(now + window - distance) % window];
}

/* Notes the access; `distance` is what sampler_distance said. */
static inline void sampler_note(struct sampler_set *set, uint32_t ways, uint64_t line,
                                uint16_t signature, uint32_t distance)
{
    if (distance)
        sampler_use_at(set, ways, distance)->last = false;
    *sampler_use_at(set, ways, 0) =
        (struct sampler_use){.line = line, .signature = signature, .last = true};
    set->time++;
}
