/* Shares of a design space, for computers that work on one study without talking to each other.
 *
 * The legal points, workload by workload, are put in an order in which machines that share
 * expensive stages are adjacent: sorted by the axes of the stream, then by those of the larger of
 * the cache part and the translation part, then by those of the other. Equal ranges of that order
 * are the shards, so a shard simulates little that another one simulates too.
 *
 * Invariant: the order depends only on the study. */
#pragma once

#include "explore/space/space.h"

/* Sets the bit of every legal point that is not in share `shard` (1 to `shards`), and counts those
 * that are. `excluded` is a bitmap of points. */
enum status shard_exclude(const struct space *space, const struct census *census, unsigned shard,
                          unsigned shards, uint8_t *excluded, uint64_t *points);

/* Counts the legal points of each share whose bit in `done` is not set, into missing[0..shards). */
enum status shard_missing(const struct space *space, const struct census *census, unsigned shards,
                          const uint8_t *done, uint64_t *missing);
