/* Many LRU (and FIFO) caches in one pass over their common stream: the misses of each, exactly
 * those of cache_run.
 *
 * Of every (line size, number of sets, index function) one recency list a set gives all ways up to
 * GRID_WAYS_MAX (model/lru/stack.h). What a grid adds over separate stack passes:
 * - addresses are renamed once to 32-bit ids (line_ids.h), tags to 16-bit codes while they fit;
 * - runs of one line are dropped once a line size;
 * - without a hash, an access that is the last line of its set with S sets is that with 2 S as well
 *   and goes no further (T. R. Puzak, "Analysis of cache replacement algorithms", 1985; the stream
 *   of one number of sets is what the next one has to look at);
 * - the queues of 1 to GRID_FIFO_WAYS_MAX ways of a FIFO set, which have no inclusion but know the
 *   same filter, are looked at together;
 * - several lists are worked on in lockstep, in vectors where the processor has them.
 *
 * The stream is what the caches see: the requests of one level of the machine in order. Caches that
 * see different streams (L2s behind different L1Ds) belong in different grids. Each instance (SM)
 * has its own lists; requests of different instances may be interleaved in any way, only their
 * order within an instance counts. */
#pragma once

#include "model/cache/cache.h"
#include "model/cache/line_ids.h"

enum { GRID_WAYS_MAX = 32, GRID_FIFO_WAYS_MAX = 16 };

/* Which instructions; GRID_BEST takes the fastest that the processor has. All count the same. */
enum grid_path { GRID_BEST, GRID_PLAIN, GRID_AVX2, GRID_AVX512 };

/* One of 2^bits shares of the lines, so that several grids of the same caches can do the work of
 * one: their counts add up. Lines of different shares never meet, because a line's share follows
 * from the bits that choose its set in all of the caches: which of the lines are in a share depends
 * on the caches. */
struct grid_share {
    unsigned bits;   /* 0: all lines */
    uint32_t number; /* below 2^bits */
};

struct grid_options {
    unsigned instances; /* 1 to 65536 */
    unsigned cache;     /* of enum cache_options: CACHE_L1; CACHE_CLASSIFY is not available */
    enum grid_path path;
    bool split_writes; /* count misses of loads and of stores as well, which takes some time */
    struct grid_share share; /* other lines are not looked at and in no count; only for items */
};

struct grid;

/* True where a grid counts what cache_run does for this configuration: where stack_applies holds,
 * or would but for FIFO, with at most GRID_WAYS_MAX (GRID_FIFO_WAYS_MAX) ways, one slice and at
 * most 16 MiB a way. */
bool grid_applies(const struct cache_config *config);

/* A grid of `count` caches; duplicates are fine. All must pass the same requests by: only
 * WRITE_READ_ONLY ones or none. STATUS_UNSUPPORTED where grid_applies is false for one of them,
 * they differ in that, or the processor lacks the path, or a share is wanted of caches that differ
 * in their lines, have a hash, a modulo or fewer sets than there are shares; STATUS_INVALID for
 * what cache_create refuses. */
enum status grid_create(const struct cache_config *configs, size_t count,
                        const struct grid_options *options, struct grid **grid);
void grid_free(struct grid *grid);

/* The next requests of the stream. They may be kept back until grid_drain or grid_flush.
 * STATUS_UNSUPPORTED: more regions of memory than fit in the ids, 2^31 of the smallest lines in
 * regions as large as the largest way (with 64 B lines and ways of 1 MiB: 128 GiB). The counts are
 * lost then; fall back on cache_run. */
enum status grid_run(struct grid *grid, const struct request *requests, size_t count);

/* For a stream that is read more than once, by one grid or by several that share the caches: how
 * `configs` want addresses to be renamed ... */
enum status grid_measure(const struct cache_config *configs, size_t count, unsigned *granule_bits,
                         unsigned *region_bits);
/* ... and the grid told, before its first access, whose renaming the items follow. `ids` is only
 * read, must outlive the grid and have been made with what grid_measure says, or with smaller
 * granules or larger regions. */
enum status grid_use_ids(struct grid *grid, const struct line_ids *ids);
/* `items`: id << 1 | store, for accesses that lie in one of the smallest lines each. They may be
 * kept back like requests. */
enum status grid_run_items(struct grid *grid, unsigned instance, const uint32_t *items,
                           size_t count);

/* Looks at all that was kept back. */
enum status grid_drain(struct grid *grid);
/* After grid_drain: true where all lists are full, so that nothing which was not seen before them
 * can be in one: they are what they would be after any stream with the same end. Never with FIFO.
 */
bool grid_is_settled(const struct grid *grid);
/* Empties every list (end of a launch). Counts stay. */
enum status grid_flush(struct grid *grid);
enum status grid_reset_counts(struct grid *grid); /* contents stay: end of a warm-up */

/* Accesses, misses, reads and writes of cache `index` after grid_drain; with split_writes, or where
 * stores pass by, read_misses and write_misses too. */
void grid_read_counts(const struct grid *grid, size_t index, struct cache_counts *counts);

/* The name of the instructions in use: "AVX-512", "AVX2", "plain". */
const char *grid_path_name(const struct grid *grid);
