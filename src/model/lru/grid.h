/* Simulates many LRU (and FIFO) caches in one pass over their common stream; the misses of each are
 * exactly those of cache_run.
 *
 * For each (line size, number of sets, index function), one recency list per set gives the misses
 * of all numbers of ways up to GRID_WAYS_MAX (model/lru/stack.h). A grid is faster than separate
 * stack passes because:
 * - Addresses are renamed once to 32-bit ids (line_ids.h), and tags shrink to 16-bit codes while
 *   they fit.
 * - Runs of accesses to one line are dropped once per line size.
 * - Without a hash, an access to the last-used line of its set with S sets also finds the last-used
 *   line of its set with 2 S sets, and goes no further (T. R. Puzak, "Analysis of cache replacement
 *   algorithms", 1985). So each number of sets looks only at what the previous one passes on.
 * - A FIFO set has no inclusion property, but its queues of 1 to GRID_FIFO_WAYS_MAX ways are
 *   searched together, after the same filter.
 * - Several lists are processed in lockstep, in vectors if the processor has them.
 *
 * Memory per instance and set: an LRU list takes 16, 32 or 64 bytes (for up to 8, 16 or 32 ways), a
 * FIFO set 512; twice that once tags need 32 bits. Sets that are never used take none.
 *
 * The stream is what the caches see: the requests of one level in order. Caches that see different
 * streams (L2s after different L1Ds) need different grids. Each instance (SM) has its own lists;
 * only the order of requests within an instance matters. */
#pragma once

#include "model/cache/cache.h"
#include "model/cache/line_ids.h"

enum { GRID_WAYS_MAX = 32, GRID_FIFO_WAYS_MAX = 16 };

/* The instruction set; GRID_BEST takes the fastest that the processor has. All give the same
 * counts. */
enum grid_path { GRID_BEST, GRID_PLAIN, GRID_AVX2, GRID_AVX512 };

/* Restricts a grid to one of 2^bits shares of the lines, so that several grids of the same caches
 * divide the work and their counts add up. The share of a line follows from the bits that choose
 * its set in all of the caches. So lines of different shares never meet in a set, and which lines a
 * share has depends on the caches. */
struct grid_share {
    unsigned bits;   /* 0: all lines */
    uint32_t number; /* below 2^bits */
};

struct grid_options {
    unsigned instances; /* 1 to 65536 */
    unsigned cache;     /* enum cache_options: only CACHE_L1; there is no CACHE_CLASSIFY */
    enum grid_path path;
    bool split_writes; /* count misses of loads and stores separately, which costs some time */
    struct grid_share share; /* other lines are ignored and not counted; only with grid_run_items */
};

struct grid;

/* True if a grid counts what cache_run does for this configuration: stack_applies holds (or would,
 * except for FIFO), there are at most GRID_WAYS_MAX (FIFO: GRID_FIFO_WAYS_MAX) ways, one slice and
 * at most 16 MiB per way. */
bool grid_applies(const struct cache_config *config);

/* Creates a grid of `count` caches; duplicates are fine. STATUS_UNSUPPORTED: grid_applies is false
 * for one of them; WRITE_READ_ONLY caches are mixed with others; the processor lacks the path; or a
 * share is wanted of caches that differ in their lines, have a hash, a modulo or fewer sets than
 * there are shares. STATUS_INVALID: what cache_create refuses. */
enum status grid_create(const struct cache_config *configs, size_t count,
                        const struct grid_options *options, struct grid **grid);
void grid_free(struct grid *grid);

/* Runs the next requests of the stream. They may be buffered until grid_drain or grid_flush.
 * STATUS_UNSUPPORTED: the stream touches more regions than the ids can number, that is, 2^31 of the
 * smallest lines in regions as large as the largest way (with 64 B lines and ways of 1 MiB: 128
 * GiB). Then the counts are lost; fall back on cache_run. */
enum status grid_run(struct grid *grid, const struct request *requests, size_t count);

/* A stream that is read more than once, by one grid or by several that divide the caches, can be
 * renamed once. grid_measure says with which granules and regions, for `configs` ... */
enum status grid_measure(const struct cache_config *configs, size_t count, unsigned *granule_bits,
                         unsigned *region_bits);
/* ... and grid_use_ids, called before the first access, tells a grid whose ids its items use. `ids`
 * is only read and must outlive the grid. It must have the sizes of grid_measure, or smaller
 * granules or larger regions. */
enum status grid_use_ids(struct grid *grid, const struct line_ids *ids);
/* Runs `items`, each id << 1 | store, for accesses that lie within one of the smallest lines. They
 * may be buffered like requests. */
enum status grid_run_items(struct grid *grid, unsigned instance, const uint32_t *items,
                           size_t count);

/* Runs everything that is buffered. */
enum status grid_drain(struct grid *grid);
/* Call after grid_drain. True if all lists are full: then they no longer depend on what came before
 * this stream. Never true with FIFO. */
bool grid_is_settled(const struct grid *grid);
/* Empties every list (end of a launch). Counts stay. */
enum status grid_flush(struct grid *grid);
enum status grid_reset_counts(struct grid *grid); /* contents stay: end of a warm-up */

/* Reads accesses, misses, reads and writes of cache `index`. Call after grid_drain. With
 * split_writes, or if stores pass, read_misses and write_misses are filled too. */
void grid_read_counts(const struct grid *grid, size_t index, struct cache_counts *counts);

/* The name of the instruction set in use: "AVX-512", "AVX2" or "plain". */
const char *grid_path_name(const struct grid *grid);
