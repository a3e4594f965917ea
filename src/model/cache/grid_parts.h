/* The work of a grid (grid.h) in parts that threads do side by side, each with a grid of its own:
 * some of the caches and, without a hash, some of the lines as well. What all parts count adds up
 * to the counts of one grid for everything, whatever the cut.
 *
 * Lines in different sets never meet. Without a hash the low k bits of a line's number are those of
 * its set in every cache of at least 2^k sets, so that a part may leave out lines by these bits and
 * go on from number of sets to number of sets as a whole grid does. Caches of fewer sets, and those
 * with a hash or a modulo, which have no bits in common, are cut between numbers of sets only. */
#pragma once

#include "model/cache/grid.h"

struct grid_part {
    const size_t *caches; /* numbers of the configurations */
    size_t count;
    struct grid_classes classes; /* no bits: all lines */
    double work; /* roughly, in looks at an LRU list for each access of the stream */
};

struct grid_parts {
    struct grid_part *parts; /* the longest first */
    size_t count;
    size_t *caches; /* of all parts */
    size_t cache_count;
    unsigned threads; /* that are worth using */
};

/* Cuts `count` caches, for each of which grid_applies, for a stream of so many accesses and at most
 * so many threads. STATUS_INVALID: there are none. */
enum status grid_parts_cut(const struct cache_config *configs, size_t count, uint64_t accesses,
                           unsigned threads, struct grid_parts *parts);
void grid_parts_free(struct grid_parts *parts);

/* A stream of items of unit 0 (grid_run_items, grid_use_ids) through all parts, from empty lists;
 * `counts` are those of each cache, as grid_read_counts gives them. Errors are those of the
 * functions of grid.h. */
enum status grid_parts_run(const struct grid_parts *parts, const struct cache_config *configs,
                           const struct grid_options *options, const struct line_ids *ids,
                           const uint32_t *items, size_t count, struct cache_counts *counts);
