/* Simulating a stage on a kept stream instead of a source (model/pass/request_log.h): exactly what
 * a pass over the source would count, without the levels that made the stream.
 *
 * Instances know nothing of each other: SMs have an L1D and a TLB each, an L2 has its slices. So
 * they are simulated one by one, each from the first request to the last, while the state of one is
 * small enough for the processor's own caches; and on several threads. The counts do not depend on
 * how many. What needs all instances at once (the optimum, page walks) is played in order, on one.
 */
#pragma once

#include "model/evaluate_options.h"
#include "model/pass/request_log.h"
#include "model/replay/miss_mask.h"
#include "model/replay/slice_streams.h"

struct replay {
    const struct machine *machine;
    const struct request_log *log;          /* of the stream that comes to the stage */
    const struct evaluate_options *options; /* needs, progress, cancel */
    int threads;
    struct diagnostics *diagnostics; /* may be NULL */
};

/* Like the others these fill in the counts of their stage; what follows from them is left to
 * metrics_derive. What the stage sends on goes to a log `sent`, which is made of the same blocks,
 * or to a miss mask of this log where miss_mask_applies; NULL: nobody wants it. */
enum status replay_l1d(const struct replay *replay, struct metrics *metrics,
                       struct request_log *sent, struct miss_mask *mask);
/* True where an L1D of which no log is wanted is simulated as an LRU filter
 * (model/lru/lru_filter.h). */
bool replay_l1d_filters(const struct replay *replay);
enum status replay_tlb(const struct replay *replay, struct metrics *metrics,
                       struct request_log *sent);
/* All stages but the stream's own, in order: what is recorded or counted by the way
 * (options->pcs) too. */
enum status replay_stream(const struct replay *replay, struct metrics *metrics);
/* Behind an L1D of which the replay's log was recorded, or on the stream itself where there is
 * none; or on what the L1D lets through of the stream, which is the log then. `streams`: of the
 * log, placed where there is a miss mask (NULL: there is none), whose marks are written; NULL where
 * replay_l2_sliced is false, and there is no miss mask then. */
enum status replay_l2(const struct replay *replay, const struct slice_streams *streams,
                      const struct miss_mask *mask, struct metrics *metrics);
bool replay_l2_sliced(const struct machine *machine, unsigned needs);
/* What stands behind a TLB that was recorded: shared TLB, walkers, page-walk cache. */
enum status replay_walks(const struct replay *replay, struct metrics *metrics);
