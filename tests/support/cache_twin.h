/* cache.h against its slow twin (support/slow_cache.h) on random requests over a random
 * configuration: the same counts, the same requests down. */
#pragma once

#include "model/cache/cache.h"

/* Fails the test if they differ. `how`: CACHE_PORTABLE (model/cache/cache.h), or 0. */
void cache_twin_check(uint64_t seed, unsigned how);

/* Fail the test if two counts, or the requests that two caches sent, differ. */
void assert_same_counts(const struct cache_counts *a, const struct cache_counts *b);
void assert_same_stream(const struct request_buffer *a, const struct request_buffer *b);
