/* An LRU cache whose lines are never dirty, used as a filter of its stream: for each request it
 * says what goes on to the next level. It counts exactly what cache_run counts, in a fraction of
 * the instructions.
 *
 * A set is a recency list of 32-bit line codes with its free ways at the end; lines have no other
 * state, so the order is everything. A look-up compares a whole list, 16 codes per vector with
 * AVX-512. Memory: 4 bytes per way, rounded up to 64 bytes per set, at most 16 MiB. Misses are
 * classified by a shadow (shadow.h), as in a cache. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/cache/cache.h"

enum {
    LRU_FILTER_WAYS_MAX = 64,
    LRU_FILTER_ID_BITS = 4, /* ids number granules of 16 bytes; no line is smaller */
    LRU_FILTER_LINES = 8    /* most lines that a request touches: 128 bytes in lines of 16 */
};

/* What the filter does with a request. */
enum lru_filter_act {
    LRU_FILTER_PASS, /* passes without a look-up (cache_passes) */
    LRU_FILTER_LOAD,
    LRU_FILTER_STORE
};

struct lru_filter_request {
    uint64_t address;
    /* Id of its first granule, as from line_ids.h; ids of the granules of a line are consecutive.
     */
    uint32_t id;
    uint16_t bytes; /* lies in at most LRU_FILTER_LINES lines */
    uint16_t act;   /* enum lru_filter_act */
};

struct lru_filter;

/* True if an LRU filter counts what cache_run does for one instance of this configuration: LRU, no
 * sectors, and stores that leave no data behind. With WRITE_LOCAL_BACK this holds only if no store
 * goes to local memory. */
bool lru_filter_applies(const struct cache_config *config);

/* Creates one instance. `options`: CACHE_PORTABLE, CACHE_CLASSIFY. STATUS_UNSUPPORTED if
 * lru_filter_applies is false. */
enum status lru_filter_create(const struct cache_config *config, unsigned options,
                              struct lru_filter **filter);
void lru_filter_free(struct lru_filter *filter); /* NULL is allowed */

/* Looks up requests in order. For a load, bit n of sent[i] is set if line n of the request misses
 * and is fetched. For any other request sent[i] is 1: it goes on unchanged. Fails only with
 * CACHE_CLASSIFY, for want of memory. */
enum status lru_filter_run(struct lru_filter *filter, const struct lru_filter_request *requests,
                           size_t count, uint8_t *sent);

void lru_filter_flush(struct lru_filter *filter);
void lru_filter_read_counts(const struct lru_filter *filter, struct cache_counts *counts);
