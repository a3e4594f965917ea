/* All LRU caches with one number of sets and one index function, for any number of ways. Part of
 * sector_stack.h, which explains the distances. A set's list is searched linearly; memory per line
 * is 10 bytes plus 2 to 8 bytes per sector, and 64 bytes for each partly written sector. */
#pragma once

#include "model/cache/cache.h"
#include "model/cache/geometry.h"
#include "model/lru/stack_list.h"

/* What an access does to a sector. */
enum sector_access {
    SECTOR_LOAD,
    SECTOR_STORE,      /* covers it completely: nothing is fetched */
    SECTOR_READ_STORE, /* reads it too, and fetches it on a miss */
    SECTOR_PART_STORE, /* covers a part of it and fetches nothing */
    SECTOR_DROP        /* a store after which no cache holds the line, which has only this sector */
};

struct sector_item {     /* one access to sectors of a line */
    uint64_t line : 61;  /* line number */
    uint64_t access : 3; /* enum sector_access */
    uint32_t sectors;    /* bit set; a SECTOR_PART_STORE has one */
    uint32_t covers;     /* the 32nds of the sector that a SECTOR_PART_STORE covers */
};

enum { SECTOR_PARTS = 32, SECTOR_ITEMS = 512 /* most items of one call */ };

/* Histograms over the least number of ways that hits, minus one: of loads, of stores, of stores
 * that would fetch the sector, and of lines (once per item for all its sectors). Accesses that hit
 * with any number of ways are not included. */
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
    size_t all_sets; /* sets of all instances */
    stack_list_find *find;
    /* [instances][sets][places], most recent first: line number + 1; 0 = none */
    uint64_t *tags;
    /* [instances][sets][ways], in the order of tags: slot of the line's distances */
    uint16_t *slots;
    uint16_t *used;  /* [instances][sets]: slots in use */
    uint16_t *holes; /* [instances][sets]: those left by dropped lines */
    /* [instances][sets][slots] of slot_bytes; each array below has one element per sector. If lazy:
     * a uint32_t, 1 + its index in part_distances, or 0 if all parts are as `present` says. Then an
     * int16_t, the distance since it is present. If dirties: an int16_t, the distance since it is
     * dirty. A distance of `ways` means: in no cache. */
    unsigned char *distances;
    size_t slot_bytes;
    int16_t (*part_distances)[SECTOR_PARTS];
    uint32_t *free_parts; /* free indices of part_distances */
    size_t part_count, part_capacity, free_count, free_capacity;
    uint64_t *histograms[SECTOR_HISTOGRAMS]; /* [ways + 1] */
    /* Lines and sectors written back by caches of a number of ways, as differences from one way
     * fewer: [ways + 2]. */
    uint64_t *line_steps, *sector_steps;
};

/* `config` as for sector_stack_create. Call lru_geometry_close after a failure too. */
enum status lru_geometry_open(struct lru_geometry *lru, const struct cache_config *config,
                              unsigned instances, bool portable);
void lru_geometry_close(struct lru_geometry *lru);

/* True if an access that changes nothing in `lru` changes nothing in `larger` either: there is no
 * hash, and each set of `larger` is a part of one set here. */
bool lru_geometry_feeds(const struct lru_geometry *lru, const struct lru_geometry *larger);

/* Runs up to SECTOR_ITEMS accesses of one instance. Those that may change a geometry fed by this
 * one are copied to `kept`, which has room for `count`; NULL: not wanted. STATUS_MEMORY. */
enum status lru_geometry_run(struct lru_geometry *lru, unsigned instance,
                             const struct sector_item *items, size_t count,
                             struct sector_item *kept, size_t *kept_count);

/* Counts what has been written back so far. */
void lru_geometry_settle(struct lru_geometry *lru);
void lru_geometry_flush(struct lru_geometry *lru);
void lru_geometry_reset_counts(struct lru_geometry *lru);
