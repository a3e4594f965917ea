/* The work of a grid (grid.h) in parts that threads do side by side, each with a grid of its own:
 * some of the caches, and of the stream a span or, of caches without a hash, a share of the lines.
 * What all parts count adds up to the counts of one grid for everything, whatever the cut. */
#pragma once

#include "model/lru/grid.h"

struct grid_part {
    const size_t *caches; /* numbers of the configurations */
    size_t count;
    struct grid_share share;
    unsigned span, spans; /* of equal spans of the stream, which one */
    size_t lines;         /* that fill all lists */
    double work;          /* roughly, in looks at an LRU list for each access of the stream */
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

/* A stream of items of instance 0 (grid_run_items, grid_use_ids) through all parts, from empty
 * lists; `counts` are those of each cache, as grid_read_counts gives them. Errors are those of the
 * functions of grid.h. */
enum status grid_parts_run(const struct grid_parts *parts, const struct cache_config *configs,
                           const struct grid_options *options, const struct line_ids *ids,
                           const uint32_t *items, size_t count, struct cache_counts *counts);
