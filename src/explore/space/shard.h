/* Shares of a design space for machines that do not talk to each other.
 *
 * The legal points, workload by workload, are put in an order in which machines that share
 * expensive stages stand together (axes of the stream first, then of the larger of the cache and
 * the translation part, then the other), and cut into equal ranges. So a shard simulates little
 * that others simulate too. The order depends on the study alone. */
#pragma once

#include "explore/space/space.h"

/* Sets the bit of every legal point that is not in share `shard` (from 1 on) of `shards`, and
 * counts those that are. `legal` has one bit a machine, `excluded` one a point. */
enum status shard_exclude(const struct space *space, const struct census *census, unsigned shard,
                          unsigned shards, uint8_t *excluded, uint64_t *points);

/* How many legal points of each share have no bit in `done`; missing[0..shards). */
enum status shard_missing(const struct space *space, const struct census *census, unsigned shards,
                          const uint8_t *done, uint64_t *missing);
