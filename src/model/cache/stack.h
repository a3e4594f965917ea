/* One pass for all LRU caches of one line size, one number of sets and one index function: the
 * misses of 1 to STACK_WAYS ways at once, exact (R. L. Mattson et al., "Evaluation techniques for
 * storage hierarchies", IBM Systems Journal 9(2), 1970). Under LRU a set of w ways holds the first
 * w lines of the same recency list, so an access that finds its line at place d of the list hits
 * with more than d ways and misses with the others. */
#pragma once

#include "model/cache/cache.h"

enum { STACK_WAYS = 32 };

struct stack_counts { /* sums over all units */
    uint64_t reads, writes;
    /* Accesses that found their line at each place, 0 = the most recent; the last: not at all. */
    uint64_t read_places[STACK_WAYS + 1], write_places[STACK_WAYS + 1];
};

/* Use plain C whatever vectors the processor has: for the test that holds both equal. */
enum stack_options { STACK_PORTABLE = 1 << 8 };

struct stack_pass;

/* True where the pass counts what cache_run does for this configuration, but for its ways: LRU, no
 * sectors, and stores that do to the list what loads do (or do not come here). */
bool stack_applies(const struct cache_config *config);

/* The ways and size of `config` only give the sets. `options`: of enum cache_options
 * (CACHE_CLASSIFY does nothing) and stack_options. STATUS_UNSUPPORTED where stack_applies is false.
 */
enum status stack_create(const struct cache_config *config, unsigned units, unsigned options,
                         struct stack_pass **pass);
void stack_free(struct stack_pass *pass);

enum status stack_run(struct stack_pass *pass, const struct request *requests, size_t count);

/* Empties every set (end of a launch). Counts stay. */
void stack_flush(struct stack_pass *pass);
void stack_read_counts(const struct stack_pass *pass, struct stack_counts *counts);
void stack_reset_counts(struct stack_pass *pass);

/* Accesses, misses, reads, read_misses, writes and write_misses of 1 to STACK_WAYS ways. */
void stack_cache_counts(const struct stack_counts *stack, unsigned ways,
                        struct cache_counts *counts);
