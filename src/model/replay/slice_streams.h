/* The requests of a log as the slices of an L2 receive them: for each slice, its requests in the
 * common order. They depend only on the log and on how addresses are spread over slices. So the
 * same streams serve L2s of any geometry, and every L1D whose miss mask says which requests arrive.
 * 8 bytes per request, 5 more if placed. */
#pragma once

#include "model/cache/partition.h"
#include "model/pass/request_log.h"

/* Marks the start of a launch, instead of a kind. */
enum { SLICE_LAUNCH = LOG_ODD - 1 };

struct slice_streams {
    const struct request_log *log; /* must outlive it */
    struct partition partition;
    uint64_t slices, interleave;
    int function;           /* enum partition_hash */
    size_t *starts;         /* [slices + 1]: first item of each slice, and the total */
    struct log_item *items; /* `place` holds the instance whose section can decode the item */
    /* If placed: the position among `items` of each item of each instance, indexed as
     * request_log_starts says, and a byte for each of `items`. Else NULL. */
    size_t *instance_starts;
    uint32_t *places;
    uint8_t *marks;
};

/* True if the L2 spreads addresses as these streams do. */
bool slice_streams_serves(const struct slice_streams *streams, const struct cache_config *l2);
void slice_streams_free(struct slice_streams *streams); /* NULL is allowed */
uint64_t slice_streams_bytes(const struct slice_streams *streams);

struct replay;

/* Splits the replay's log among the slices of its machine's L2. `placed`: also fills what a miss
 * mask needs. STATUS_UNSUPPORTED: 2^32 requests or more. STATUS_MEMORY, STATUS_CANCELLED. */
enum status slice_streams_create(const struct replay *replay, bool placed,
                                 struct slice_streams **streams);
