/* The tile cache in time, cycle by cycle and in the most obvious way: a list of what waits,
 * searched from end to end. It shares the tags, the bus and the partition with model/tile, and
 * nothing of its banks, queues and skipped cycles. */
#pragma once

#include "model/tile/bank.h"
#include "schema/ideals.h"
#include "support/tile_trial.h"

struct slow_tiles {
    uint64_t cycles, reads, loaded, stored, cleared, accesses, misses, chained, unread, longest,
        prefetches;
    uint64_t cache_writes, refills, tag_updates, writebacks;
    uint64_t stalls[BANK_STALLS], input_stalls, bank_stalls;
    uint64_t queue_sum, queue_p99;
};

struct slow_tiles slow_tiles_run(const struct machine *machine, struct ideal_set ideals,
                                 const struct tile_trial *trial);
