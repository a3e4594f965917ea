/* Where a request finds its line in a cache unit, or which line would make room for it. Shared by
 * cache_unit.c and cache_lookup.c, and nobody else.
 *
 * Nothing is changed by looking. Cost: a byte a way, eight at once, and the tags whose byte fits; a
 * set without an empty way is searched for the line used longest ago. */
#pragma once

#include "model/timing/cache_unit.h"

struct probe {
    enum unit_outcome outcome; /* UNIT_FAIL_LINE: nothing can be replaced */
    uint32_t line;             /* the line that has it, or that would be replaced */
    uint64_t number;           /* of the line looked for */
    uint64_t index;            /* the same as the set index sees it */
    uint32_t set;
    unsigned place; /* of the sector in its line */
    bool passed;    /* a load's miss takes no line */
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

/* `write`: a store, which also hits what was written and cannot be read yet. */
struct probe unit_probe(const struct cache_unit *unit, const struct packet *request, uint64_t index,
                        bool write);
