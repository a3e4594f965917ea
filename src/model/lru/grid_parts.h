/* Splits the work of a grid (grid.h) into parts that threads run side by side, each with its own
 * grid. A part has some of the caches, and either one span of the stream or, for caches without a
 * hash, one share of the lines: those that differ in the set bits of every cache and so never meet.
 * Invariant: the counts of all parts add up to those of one grid for
 * everything, however the work is cut. */
#pragma once

#include "model/lru/grid.h"

struct grid_part {
    const size_t *caches; /* indices of the configurations */
    size_t count;
    struct grid_share share;
    unsigned span, spans; /* it is span number `span` of `spans` equal spans of the stream */
    size_t lines;         /* number of lines that fill all lists */
    double work;          /* rough cost, in look-ups of an LRU list per access of the stream */
};

struct grid_parts {
    struct grid_part *parts; /* the most work first */
    size_t count;
    size_t *caches; /* indices used by all parts */
    size_t cache_count;
    unsigned threads; /* number of threads worth using */
};

/* Cuts `count` caches, each of which must satisfy grid_applies, for a stream of `accesses` accesses
 * and at most `threads` threads. STATUS_INVALID: no caches or no threads. */
enum status grid_parts_cut(const struct cache_config *configs, size_t count, uint64_t accesses,
                           unsigned threads, struct grid_parts *parts);
void grid_parts_free(struct grid_parts *parts);

/* Runs a stream of items of instance 0 (grid_run_items, grid_use_ids) through all parts, starting
 * with empty lists. `counts` gets those of each cache, as grid_read_counts gives them. Errors are
 * those of the functions of grid.h. */
enum status grid_parts_run(const struct grid_parts *parts, const struct cache_config *configs,
                           const struct grid_options *options, const struct line_ids *ids,
                           const uint32_t *items, size_t count, struct cache_counts *counts);
