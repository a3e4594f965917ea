/* The slow, obvious twin of model/cache/cache.h, written from docs/MODELS.md and not from its code:
 * every line is a struct, every look-up scans all ways, every order is a time stamp. Property tests
 * compare the counts and the requests of the two. */
#pragma once

#include "model/cache/cache.h"

struct slow_cache;

struct slow_cache *slow_cache_create(const struct cache_config *config, unsigned instances,
                                     uint64_t seed, unsigned options);
void slow_cache_free(struct slow_cache *cache);
void slow_cache_run(struct slow_cache *cache, const struct request *requests, size_t count,
                    struct request_buffer *down);
void slow_cache_flush(struct slow_cache *cache, struct request_buffer *down);
void slow_cache_counts(const struct slow_cache *cache, struct cache_counts *counts);

/* The set index of an address. */
uint64_t slow_set(const struct cache_config *config, uint64_t address);
