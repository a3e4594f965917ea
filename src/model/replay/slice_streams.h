/* The requests of a log as the slices of an L2 get them: those of each slice in the common order.
 * They depend on the log and on how addresses are spread over slices alone. So the same streams
 * serve L2s of any geometry, and every L1D whose miss mask says which of the requests arrive. */
#pragma once

#include "model/cache/partition.h"
#include "model/pass/request_log.h"

/* Instead of a kind: a launch begins. */
enum { SLICE_LAUNCH = LOG_ODD - 1 };

struct slice_streams {
    const struct request_log *log; /* must outlive it */
    struct partition partition;
    uint64_t slices, interleave;
    int function;           /* enum partition_hash */
    size_t *starts;         /* of each slice among the items, and their end */
    struct log_item *items; /* the place of each is the instance whose section can decode it */
    /* Where each item of each instance went, as request_log_starts says; and room for a byte for
     * each of `items`. NULL where the streams were not placed. */
    size_t *instance_starts;
    uint32_t *places;
    uint8_t *marks;
};

/* True where the L2's addresses are spread as those of these streams were. */
bool slice_streams_serves(const struct slice_streams *streams, const struct cache_config *l2);
void slice_streams_free(struct slice_streams *streams); /* NULL is allowed */
uint64_t slice_streams_bytes(const struct slice_streams *streams);

struct replay;

/* Splits the replay's log among the slices of its machine's L2. `placed`: what a miss mask needs is
 * there too. STATUS_UNSUPPORTED: there are 2^32 requests or more. */
enum status slice_streams_create(const struct replay *replay, bool placed,
                                 struct slice_streams **streams);
