/* One pass for all LRU caches with one line size, one number of sets and one index function: the
 * exact misses for any number of ways at once (R. L. Mattson et al., "Evaluation techniques for
 * storage hierarchies", IBM Systems Journal 9(2), 1970). A set of w ways holds the first w lines of
 * one recency list under LRU. So an access that finds its line at place d hits with more than d
 * ways and misses with the others.
 *
 * Lists of up to 32 places are searched (stack_list.h). In longer ones the place is counted (B. T.
 * Bennett and V. J. Kruskal, "LRU stack processing", IBM Journal of Research and Development 19(4),
 * 1975): every set has a clock, one bit per time that tells whether it is the last use of a line,
 * and sums of these bits per 64 and per 4,096 times. So a TLB with thousands of entries costs about
 * as much as a small one. For up to 32 ways model/lru/grid.h is faster, but has limits.
 *
 * A store that drops its line leaves a hole in the list, which is a free way in the caches with
 * more ways than its place: the next line that such a cache takes in fills it (deletions of J. G.
 * Thompson and A. J. Smith, "Efficient (stack) algorithms for analysis of write-back and sector
 * memories", ACM TOCS 7(1), 1989). So a line that moves to the front pushes the others back only up
 * to the first hole before its old place, and the hole moves to that place. */
#pragma once

#include "model/cache/cache.h"

enum { STACK_WAYS_MAX = 1 << 24 };

/* Use plain C even if the processor has vectors, for the test that compares the two. */
enum stack_options { STACK_PORTABLE = 1 << 8 };

struct stack_pass;

/* True if the pass counts what cache_run does for this configuration with any number of ways: LRU
 * without sectors, and stores that affect the list as loads do, do not come here, or ... */
bool stack_applies(const struct cache_config *config);
/* ... drop their line and never allocate one. With WRITE_LOCAL_BACK this holds only if no store
 * goes to local memory. */
bool stack_evicts(const struct cache_config *config);

/* Creates a pass for the sets that the size and ways of `config` give; `ways` is the most that will
 * be asked for. `options`: enum cache_options (CACHE_CLASSIFY has no effect) and stack_options.
 * STATUS_UNSUPPORTED if stack_applies is false or `ways` exceeds STACK_WAYS_MAX. */
enum status stack_create(const struct cache_config *config, uint64_t ways, unsigned instances,
                         unsigned options, struct stack_pass **pass);
void stack_free(struct stack_pass *pass); /* NULL is allowed */

/* Runs requests in order. STATUS_UNSUPPORTED: a store to local memory, or an atomic, where stores
 * drop their line. After this or STATUS_MEMORY the pass must not be used. */
enum status stack_run(struct stack_pass *pass, const struct request *requests, size_t count);

/* Empties every set (end of a launch). Counts stay. */
void stack_flush(struct stack_pass *pass);

/* Reads accesses, misses, reads, read_misses, writes and write_misses with `ways` ways, 1 to the
 * most, summed over all instances. Linear in the ways. */
void stack_read_counts(const struct stack_pass *pass, uint64_t ways, struct cache_counts *counts);
