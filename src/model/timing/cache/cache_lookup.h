/* Where a request finds its line in a cache unit, or which line would make room for it. Shared by
 * cache_unit.c and cache_lookup.c, and nobody else.
 *
 * Nothing is changed by looking. Cost: a byte a way, eight at once, and the tags whose byte fits; a
 * set without an empty way is searched for the line used longest ago. */
#pragma once

#include "model/cache/replacement.h"
#include "model/timing/cache/cache_unit.h"

struct probe {
    enum unit_outcome outcome; /* UNIT_FAIL_LINE: nothing can be replaced */
    uint32_t line;             /* the line that has it, or that would be replaced */
    uint64_t number;           /* of the line looked for */
    uint64_t index;            /* the same as the set index sees it */
    uint32_t set;
    unsigned place; /* of the sector in its line */
    bool open;      /* the replacement policy has yet to say which line would be replaced */
    bool passed;    /* a miss of a load that does not allocate */
    bool past;      /* ... and no MSHR */
};

/* The properties that keep a line from being replaced. */
static inline uint8_t unit_kept(const struct cache_unit *unit)
{
    return unit->dirty_lines >= unit->dirty_limit ? HOLD_RESERVED : HOLD_RESERVED | HOLD_DIRTY;
}

/* A byte of a tag's hash, which `marks` holds for each line. */
static inline uint8_t unit_mark(uint64_t tag)
{
    return (uint8_t)(tag * UINT64_C(0x9e3779b97f4a7c15) >> 56);
}

/* What the replacement policy is told of an access to the set of a line. */
static inline struct set_access unit_set_access(const struct cache_unit *unit, uint32_t set,
                                                uint64_t number, uint32_t pc)
{
    return (struct set_access){.state = unit->states + set * unit->state_bytes,
                               .shared = unit->shared,
                               .line = number,
                               .pc = pc,
                               .ways = unit->ways,
                               .set = set,
                               .sets = (uint32_t)unit->geometry.sets,
                               .seed = unit->seed,
                               .number = set};
}

/* Tells the policy, which must want to know, that a line leaves without a successor. */
static inline void unit_drop(const struct cache_unit *unit, uint32_t line)
{
    const struct set_access access =
        unit_set_access(unit, line / unit->ways_max, unit->tags[line], 0);
    unit->policy->drop(&access, line % unit->ways_max);
}

/* A store also hits what was written and cannot be read yet. */
struct probe unit_probe(const struct cache_unit *unit, const struct packet *request, uint64_t index,
                        bool store);
/* Asks the policy of an open probe for the way. A victim may change the state of a set, so this is
 * for accesses that nothing refuses any more. */
void unit_choose(const struct cache_unit *unit, struct probe *probe, uint32_t pc);
