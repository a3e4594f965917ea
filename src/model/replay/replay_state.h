/* Helpers shared by the sources of model/replay/replay.h: running all instances on threads, caches
 * that behave as one instance of several, and replay in order through the stages of a pass. */
#pragma once

#include "model/pass/stages_state.h"
#include "model/replay/replay.h"

/* Requests that are decoded and looked up at a time: few enough to stay in the first-level cache.
 */
enum { REPLAY_BATCH = 256 };

bool replay_cancelled(const struct replay *replay);

/* Calls one(argument, instance) for every instance on the replay's threads, and stops at the first
 * failure. Progress goes from `from` to `to`. */
enum status replay_instances(const struct replay *replay, unsigned instances, double from,
                             double to, enum status (*one)(void *argument, unsigned instance),
                             void *argument);

/* Creates the cache of one instance among several. */
enum status replay_create_cache(const struct cache_config *config, unsigned instance, uint64_t seed,
                                unsigned options, struct cache **cache);

/* Sums the counts of all instances. */
struct cache_counts replay_sum(const struct cache_counts *counts, unsigned instances);

/* Replays the log in order through the stages of a pass (model/pass/stage_tree.h). */
enum status replay_in_order(const struct replay *replay, const struct machine *machine,
                            struct metrics *metrics);
