/* The counts of a run at points in time, about equally far apart, in bounded memory although nobody
 * knows how long the run will be: when there is no room left, every other snapshot is dropped and
 * the distance doubles. Counts grow from snapshot to snapshot, so to drop one is to merge the two
 * intervals that it divides.
 *
 * Cost: `limit` snapshots in memory; a run takes limit / 2 more each time that its length doubles.
 */
#pragma once

#include "model/timing/gpu.h"

struct snapshots {
    struct gpu_counts *items; /* by time */
    size_t count, limit;
    uint64_t distance; /* cycles; 0 until there is no room for the first time */
};

/* `limit` is even and at least 2. STATUS_MEMORY. */
enum status snapshots_init(struct snapshots *snapshots, size_t limit);
void snapshots_free(struct snapshots *snapshots);

/* Keeps the counts. Returns the cycle from which the next ones are wanted. */
uint64_t snapshots_add(struct snapshots *snapshots, const struct gpu_counts *counts);

/* What was counted between two snapshots. */
struct gpu_counts gpu_counts_between(const struct gpu_counts *before,
                                     const struct gpu_counts *after);
