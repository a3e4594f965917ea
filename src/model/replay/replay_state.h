/* Inside of model/replay/replay.h. */
#pragma once

#include "model/pass/stages_state.h"
#include "model/replay/replay.h"

/* Requests that are decoded and looked up at a time: few enough to stay in the first-level cache.
 */
enum { REPLAY_BATCH = 256 };

bool replay_cancelled(const struct replay *replay);

/* Calls one(argument, instance) for every instance, on the replay's threads; the first failure ends
 * it. Tells progress of this step, which begins at share `from` and ends at `to`. */
enum status replay_instances(const struct replay *replay, unsigned instances, double from,
                             double to, enum status (*one)(void *argument, unsigned instance),
                             void *argument);

/* The cache of one instance of several. */
enum status replay_create_cache(const struct cache_config *config, unsigned instance, uint64_t seed,
                                unsigned options, struct cache **cache);

/* Adds up the counts of all instances. */
struct cache_counts replay_sum(const struct cache_counts *counts, unsigned instances);

/* In order, through the stages that a pass has (model/pass/stages.h). */
enum status replay_in_order(const struct replay *replay, const struct machine *machine,
                            struct metrics *metrics);
