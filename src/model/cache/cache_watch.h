/* Watches one set of a cache, or all of them: what each access to it found, which way it ended in,
 * what it replaced and why, what the ways and the replacement state are then, and what it counted.
 *
 * The cache is the one of cache.h, asked one line at a time; so what is told is what the cache
 * does, with its write policy, its sectors, what its sets share, and its flushes. Invariant: a
 * watched cache counts and sends what an unwatched one does. Cost: an access to the set is linear
 * in the ways, all others pay for finding out that they go elsewhere. */
#pragma once

#include "model/cache/cache.h"

enum { SET_STEP_TEXT = 1200 };

/* An access to the set. The pointers hold until the next one. */
struct set_step {
    const struct request
        *request; /* its part in the line; NULL: the set was emptied, or all were */
    const struct cache_counts *counts; /* what the request added; all 0 before its last line. Only
                                        * with `every` */
    unsigned instance;                 /* this and the set: 0 where all sets were emptied */
    uint64_t set;
    uint64_t line;
    bool hit;      /* nothing of it was missing */
    bool found;    /* its line was there */
    bool stays;    /* its line is there now */
    bool replaced; /* another line had to leave */
    uint32_t way;  /* of its line, where that is or was; else undefined */
    uint64_t left; /* the line that had to leave */
    uint32_t ways;
    const uint64_t *tags; /* [ways]: line + 1 now, 0: invalid */
    const char *why;      /* the way was chosen; "" where it was not, or nobody tells */
    const char *state; /* of replacement, now; "" where the policy prints none, as with `every` */
};

struct set_watching {
    bool every; /* all sets of all instances; else this one */
    unsigned instance;
    uint64_t set;
    /* A status other than OK ends the run of the cache with it. */
    enum status (*step)(void *argument, const struct set_step *step);
    void *argument;
};

/* Call before the first access. STATUS_INVALID: there is no such set. */
enum status cache_watch(struct cache *cache, const struct set_watching *watching);
