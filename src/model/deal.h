/* The requests of a tape as the slices of an L2 get them: those of each slice in the common order.
 * How they are dealt depends on the tape and on how addresses are spread over slices alone, so one
 * deal serves L2s of any geometry, and L1Ds whose passage says what of the requests comes. */
#pragma once

#include "model/cache/partition.h"
#include "model/tape.h"

/* Instead of a kind: a launch begins. */
enum { DEAL_LAUNCH = TAPE_ODD - 1 };

struct deal {
    const struct tape *tape; /* must outlive it */
    struct partition partition;
    uint64_t slices, interleave;
    int function;            /* enum partition_hash */
    size_t *starts;          /* of each slice among the items, and their end */
    struct tape_item *items; /* the place of each is the unit whose track can decode it */
    /* Where each item of each unit went, as tape_starts says; and room for a byte for each of
     * `items`. NULL where the deal was not placed. */
    size_t *unit_starts;
    uint32_t *places;
    uint8_t *marks;
};

/* True where the L2's addresses are spread as this deal's were. */
bool deal_serves(const struct deal *deal, const struct cache_config *l2);
void deal_free(struct deal *deal); /* NULL is allowed */
uint64_t deal_bytes(const struct deal *deal);

struct replay;

/* Deals the replay's tape to the slices of its machine's L2. `placed`: what a passage needs is
 * there too. STATUS_UNSUPPORTED: there are 2^32 requests or more. */
enum status deal_create(const struct replay *replay, bool placed, struct deal **deal);
