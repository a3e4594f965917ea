/* The tags of a tile cache in which time passes: looking for a line and putting one in are apart,
 * because a bank writes a line back long after it looked for it.
 *
 * Geometry, set index and replacement are those of model/cache; a bank that puts each line in
 * before it looks for the next one hits and misses as cache_run does (test_tile_timing). A line is
 * named by its slot, a number below tags->slots. Cost: the tags of a set one by one. */
#pragma once

#include <stdbool.h>

#include "model/cache/geometry.h"
#include "model/cache/replacement.h"

enum { TAGS_NONE = UINT32_MAX };

struct tags {
    struct geometry geometry; /* of one bank */
    const struct replacement_policy *policy;
    bool any_way;                   /* the policy chooses among invalid ways, too */
    uint32_t slots;                 /* [banks][sets][ways] */
    uint64_t *lines;                /* [slots]: number in its bank, plus 1; 0: invalid */
    uint64_t *addresses;            /* [slots] */
    bool *dirty;                    /* [slots] */
    unsigned char *states, *shared; /* of the policy, by set and by bank */
    size_t state_bytes, shared_bytes;
    uint64_t banks;
    uint64_t seed;
};

/* `config` is that of all banks together. STATUS_MEMORY or STATUS_INVALID leaves nothing to free.
 */
enum status tags_init(struct tags *tags, const struct cache_config *config, uint64_t seed);
void tags_free(struct tags *tags);
/* The same tags in memory of their own. STATUS_MEMORY leaves nothing to free. */
enum status tags_copy(struct tags *tags, const struct tags *from);
/* How many bytes they take. */
size_t tags_bytes(const struct tags *tags);

/* Mixes in which lines are where, and which changed, but not what the policy has learned. */
void tags_mix(const struct tags *tags, uint64_t *hash);

/* The slot of a line, or TAGS_NONE. Changes nothing. */
static inline uint32_t tags_find(const struct tags *tags, uint32_t bank, uint64_t line)
{
    const struct geometry *geometry = &tags->geometry;
    const uint64_t set = set_index_map(&geometry->index, geometry->index.function, line);
    const uint32_t first = (uint32_t)((bank * geometry->sets + set) * geometry->ways);
    for (uint32_t way = 0; way < geometry->ways; way++)
        if (tags->lines[first + way] == line + 1)
            return first + way;
    return TAGS_NONE;
}

/* Tells the policy of an access to a line that is there. */
void tags_hit(const struct tags *tags, uint32_t slot);

/* What left a slot. */
struct tags_victim {
    bool left;  /* there was a line */
    bool dirty; /* it must be written to memory */
    uint64_t address;
};

/* Puts a line in that is not there; returns its slot, clean. */
uint32_t tags_fill(struct tags *tags, uint32_t bank, uint64_t line, uint64_t address,
                   struct tags_victim *victim);

/* Empties a slot; returns whether it was dirty. */
bool tags_drop(struct tags *tags, uint32_t slot);
