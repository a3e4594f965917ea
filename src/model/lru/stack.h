/* One pass for all LRU caches of one line size, one number of sets and one index function: the
 * misses of any number of ways at once, exact (R. L. Mattson et al., "Evaluation techniques for
 * storage hierarchies", IBM Systems Journal 9(2), 1970). Under LRU a set of w ways holds the first
 * w lines of the same recency list, so an access that finds its line at place d of the list hits
 * with more than d ways and misses with the others.
 *
 * Lists of up to 32 places are searched (stack_list.h). In longer ones the place is counted (B. T.
 * Bennett and V. J. Kruskal, "LRU stack processing", IBM Journal of Research and Development 19(4),
 * 1975): every set has a clock, a bit for each time at which a line was used last, and sums of
 * these bits. So a TLB of thousands of entries costs about as much as a small one. For up to 32
 * ways model/lru/grid.h is faster, and has limits.
 *
 * A store that drops its line leaves a hole in the list, which the caches with more ways have as a
 * free way: the next line that one of them takes in fills it (deletions of J. G. Thompson and A. J.
 * Smith, "Efficient (stack) algorithms for analysis of write-back and sector memories", ACM TOCS
 * 7(1), 1989). So a line goes to the front up to the first hole before its place, which moves
 * there. */
#pragma once

#include "model/cache/cache.h"

enum { STACK_WAYS_MAX = 1 << 24 };

/* Use plain C whatever vectors the processor has: for the test that holds both equal. */
enum stack_options { STACK_PORTABLE = 1 << 8 };

struct stack_pass;

/* True where the pass counts what cache_run does for this configuration, but for its ways: LRU, no
 * sectors, and stores that do to the list what loads do, do not come here, or ... */
bool stack_applies(const struct cache_config *config);
/* ... drop their line and never bring one. Under WRITE_LOCAL_BACK this is so unless there are
 * stores to local memory. */
bool stack_evicts(const struct cache_config *config);

/* The ways and size of `config` only give the sets; `ways` is the most that will be asked for.
 * `options`: of enum cache_options (CACHE_CLASSIFY does nothing) and stack_options.
 * STATUS_UNSUPPORTED where stack_applies is false or `ways` is above STACK_WAYS_MAX. */
enum status stack_create(const struct cache_config *config, uint64_t ways, unsigned instances,
                         unsigned options, struct stack_pass **pass);
void stack_free(struct stack_pass *pass); /* NULL is allowed */

/* STATUS_UNSUPPORTED: a store to local memory, or an atomic, where stores drop their line. After
 * this, or STATUS_MEMORY, the pass is of no use. */
enum status stack_run(struct stack_pass *pass, const struct request *requests, size_t count);

/* Empties every set (end of a launch). Counts stay. */
void stack_flush(struct stack_pass *pass);

/* Accesses, misses, reads, read_misses, writes and write_misses of 1 to `ways` ways, summed over
 * all instances. Linear in the ways. */
void stack_read_counts(const struct stack_pass *pass, uint64_t ways, struct cache_counts *counts);
