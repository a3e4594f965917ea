/* An LRU cache whose lines are never dirty, as a filter of its stream: what it counts is what
 * cache_run counts, and of each request it says what goes on, in a fraction of the instructions.
 *
 * A set is a recency list of 32-bit line codes: nothing has a state, so the order is all that there
 * is. Free ways are at its end. Its misses are classified by a shadow (shadow.h), as a cache's. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/cache/cache.h"

enum {
    LRU_FILTER_WAYS_MAX = 64,
    LRU_FILTER_ID_BITS = 4, /* ids number granules of 16 bytes: no line is smaller */
    LRU_FILTER_LINES = 8    /* the most lines that a request lies in: 128 bytes of 16 */
};

/* What a request does here. */
enum lru_filter_act {
    LRU_FILTER_PASS, /* goes by without a look-up (cache_passes) */
    LRU_FILTER_LOAD,
    LRU_FILTER_STORE
};

struct lru_filter_request {
    uint64_t address;
    uint32_t id; /* of its first granule, as from line_ids.h; granules of a line follow another */
    uint16_t bytes; /* lies in at most LRU_FILTER_LINES lines */
    uint16_t act;   /* enum lru_filter_act */
};

struct lru_filter;

/* True where an LRU filter counts what cache_run does for one instance of this configuration: LRU
 * without sectors, where stores do not stay. Under WRITE_LOCAL_BACK this is so unless there are
 * stores to local memory. */
bool lru_filter_applies(const struct cache_config *config);

/* One instance. `options`: CACHE_PORTABLE, CACHE_CLASSIFY. STATUS_UNSUPPORTED where
 * lru_filter_applies is false. */
enum status lru_filter_create(const struct cache_config *config, unsigned options,
                              struct lru_filter **filter);
void lru_filter_free(struct lru_filter *filter); /* NULL is allowed */

/* Looks requests up in order. sent[i]: of a load, bit n where line n of those that it lies in
 * misses and is fetched; of any other request 1: it goes on as it is. Only with
 * CACHE_CLASSIFY it can fail: no memory. */
enum status lru_filter_run(struct lru_filter *filter, const struct lru_filter_request *requests,
                           size_t count, uint8_t *sent);

void lru_filter_flush(struct lru_filter *filter);
void lru_filter_read_counts(const struct lru_filter *filter, struct cache_counts *counts);
