/* Inside of sector_stack.h: all ways of one number of sets. */
#pragma once

#include "model/cache/cache.h"
#include "model/cache/geometry.h"
#include "model/lru/stack_list.h"

/* What is done to a sector. */
enum sector_access {
    SECTOR_LOAD,
    SECTOR_STORE,      /* all of it: nothing has to be fetched */
    SECTOR_READ_STORE, /* reads, and fetches where it misses */
    SECTOR_PART_STORE, /* some of it, and nothing is fetched */
    SECTOR_DROP        /* a store after which no cache has the line, its only sector */
};

struct sector_item {     /* one access to some sectors of a line */
    uint64_t line : 61;  /* its number */
    uint64_t access : 3; /* enum sector_access */
    uint32_t sectors;    /* bit set; of a SECTOR_PART_STORE one */
    uint32_t covers;     /* which 32nds of the sector a SECTOR_PART_STORE is to */
};

enum { SECTOR_PARTS = 32, SECTOR_ITEMS = 512 /* most of one call */ };

/* Accesses by the least number of ways that hits, less one: loads, stores, of these such as would
 * fetch the sector; and lines, once for all their sectors in an item. Those that always hit are not
 * among them. */
enum sector_histogram {
    SECTOR_LOADS,
    SECTOR_STORES,
    SECTOR_FETCHING_STORES,
    SECTOR_LINES,
    SECTOR_HISTOGRAMS
};

struct lru_geometry {
    struct geometry geometry;
    bool drops, dirties, lazy;
    unsigned ways, places;
    size_t all_sets; /* of all instances */
    stack_list_find *find;
    /* [instances][sets][places], the most recent first: line number + 1, 0 = none */
    uint64_t *tags;
    uint16_t *slots; /* [instances][sets][ways], like tags: where that line's distances are */
    uint16_t *used;  /* [instances][sets] slots */
    uint16_t *holes; /* [instances][sets] of these that dropped lines left */
    /* [instances][sets][slots] of slot_bytes, each for every sector: if lazy, a uint32_t, 1 + the
     * number of its part_distances, or 0, when all parts are as present; then an int16_t, since
     * when it is present; if dirties, another, since when dirty. `ways`: in no cache. */
    unsigned char *distances;
    size_t slot_bytes;
    int16_t (*part_distances)[SECTOR_PARTS];
    uint32_t *free_parts; /* numbers of part_distances that are free */
    size_t part_count, part_capacity, free_count, free_capacity;
    uint64_t *histograms[SECTOR_HISTOGRAMS]; /* [ways + 1] */
    /* Lines and sectors written back by caches of a number of ways, less those of one way fewer:
     * [ways + 2]. */
    uint64_t *line_steps, *sector_steps;
};

/* `config` as for sector_stack_create. What fails leaves something to close all the same. */
enum status lru_geometry_open(struct lru_geometry *lru, const struct cache_config *config,
                              unsigned instances, bool portable);
void lru_geometry_close(struct lru_geometry *lru);

/* True where an access that changes nothing in the geometry changes nothing in one of more sets:
 * there is no hash, and each of its sets is a part of one here. */
bool lru_geometry_feeds(const struct lru_geometry *lru, const struct lru_geometry *larger);

/* Up to SECTOR_ITEMS accesses of one instance. Those that may change something in a geometry that
 * this one feeds go to `kept`, which has room for `count`; NULL: not wanted. STATUS_MEMORY. */
enum status lru_geometry_run(struct lru_geometry *lru, unsigned instance,
                             const struct sector_item *items, size_t count,
                             struct sector_item *kept, size_t *kept_count);

/* Counts what was written back so far. */
void lru_geometry_settle(struct lru_geometry *lru);
void lru_geometry_flush(struct lru_geometry *lru);
void lru_geometry_reset_counts(struct lru_geometry *lru);
