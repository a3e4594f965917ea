/* Inside of model/replay.h. */
#pragma once

#include "model/replay.h"
#include "model/stages_state.h"

/* Requests that are decoded and looked up at a time: few enough to stay in the first-level cache.
 */
enum { REPLAY_BATCH = 256 };

bool replay_cancelled(const struct replay *replay);

/* Calls one(argument, unit) for every unit, on the replay's threads; the first failure ends it.
 * Tells progress of this step, which begins at share `from` and ends at `to`. */
enum status replay_units(const struct replay *replay, unsigned units, double from, double to,
                         enum status (*one)(void *argument, unsigned unit), void *argument);

/* The cache of one unit of several. */
enum status replay_create_cache(const struct cache_config *config, unsigned unit, uint64_t seed,
                                unsigned options, struct cache **cache);

/* Adds up the counts of all units. */
struct cache_counts replay_sum(const struct cache_counts *counts, unsigned units);

/* In order, through the stages that a pass has (model/stages.h). */
enum status replay_in_order(const struct replay *replay, const struct machine *machine,
                            struct metrics *metrics);
