/* One SM of the timing depth (model/timing/sm/sm.h) without a network: every request that it sends
 * is answered after a fixed number of cycles. */
#pragma once

#include "model/timing/sm/sm.h"

struct lone_sm {
    uint64_t cycles; /* from the first cycle until the last block retired */
    struct sm_counts counts;
    struct cache_unit_counts l1d, l1i, l0; /* l0: of all L0s */
    struct stream_counts stream;
    uint32_t latencies[LATENCY_BUCKETS];
    uint32_t held; /* ops, copies of records, and L1D targets that are not free at the end */
};

/* Runs launch 0 of `source`. `latency` (at least 1) is how long a reply takes, `span` how many
 * cycles the SM is advanced at once, at most `latency`. An SM that has not ended after `limit`
 * cycles fails the test. */
struct lone_sm lone_sm_run(const struct machine *machine, const struct trace_source *source,
                           uint64_t latency, uint64_t span, uint64_t limit);
