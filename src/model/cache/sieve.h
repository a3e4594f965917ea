/* An LRU cache whose lines are never dirty, as a sieve of its stream: what it counts is what
 * cache_run counts, and of each request it says what goes on, in a fraction of the instructions.
 *
 * A set is a recency list of 32-bit line codes: nothing has a state, so the order is all that there
 * is. Free ways are at its end. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/cache/cache.h"

enum {
    SIEVE_WAYS_MAX = 64,
    SIEVE_ID_BITS = 4, /* ids number granules of 16 bytes: no line is smaller */
    SIEVE_LINES = 8    /* the most lines that a request lies in: 128 bytes of 16 */
};

/* What a request does here. */
enum sieve_act {
    SIEVE_PASS, /* goes by without a look-up (cache_passes) */
    SIEVE_LOAD,
    SIEVE_STORE
};

struct sieve_request {
    uint64_t address;
    uint32_t id; /* of its first granule, as from line_ids.h; granules of a line follow another */
    uint16_t bytes; /* lies in at most SIEVE_LINES lines */
    uint16_t act;   /* enum sieve_act */
};

struct sieve;

/* True where a sieve counts what cache_run does for one unit of this configuration: LRU without
 * sectors, where stores do not stay. Under WRITE_LOCAL_BACK this is so unless there are stores to
 * local memory. */
bool sieve_applies(const struct cache_config *config);

/* One unit. `options`: CACHE_PORTABLE or 0. STATUS_UNSUPPORTED where sieve_applies is false. */
enum status sieve_create(const struct cache_config *config, unsigned options, struct sieve **sieve);
void sieve_free(struct sieve *sieve); /* NULL is allowed */

/* Looks requests up in order. sent[i]: of a load, bit n where line n of those that it lies in
 * misses and is fetched; of any other request 1: it goes on as it is. */
void sieve_run(struct sieve *sieve, const struct sieve_request *requests, size_t count,
               uint8_t *sent);

void sieve_flush(struct sieve *sieve);
void sieve_read_counts(const struct sieve *sieve, struct cache_counts *counts);
