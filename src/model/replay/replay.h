/* Simulates one stage on a recorded stream (model/pass/request_log.h) instead of a source. The
 * counts are exactly those of a pass over the source, without the cost of issue, coalescing and
 * earlier levels.
 *
 * Instances are independent: each SM has its own L1D and TLB, and an L2 consists of slices. So
 * instances are simulated one by one, each from its first request to its last, while its state is
 * small enough for the processor's own caches; several threads take different instances. The counts
 * do not depend on the number of threads. What needs all instances at once (the optimum, page
 * walks) is replayed in order on one thread. */
#pragma once

#include "model/evaluate_options.h"
#include "model/pass/request_log.h"
#include "model/replay/miss_mask.h"
#include "model/replay/slice_streams.h"

struct replay {
    const struct machine *machine;
    const struct request_log *log;          /* the stream that enters the stage */
    const struct evaluate_options *options; /* uses needs, progress, cancel and pcs */
    int threads;
    struct diagnostics *diagnostics; /* may be NULL */
};

/* These functions fill in the counts of their stage; metrics_derive computes the rest. The output
 * of the stage goes to the log `sent`, which gets the same blocks, or to a miss mask of this log if
 * miss_mask_applies; NULL: not wanted. */
enum status replay_l1d(const struct replay *replay, struct metrics *metrics,
                       struct request_log *sent, struct miss_mask *mask);
/* True if an L1D whose output is not logged is simulated as an LRU filter (model/lru/lru_filter.h).
 */
bool replay_l1d_filters(const struct replay *replay);
enum status replay_tlb(const struct replay *replay, struct metrics *metrics,
                       struct request_log *sent);
/* Replays all stages except the stream itself, in order, with options->pcs. */
enum status replay_stream(const struct replay *replay, struct metrics *metrics);
/* Replays an L2. The replay's log is the recorded output of the L1D, or the stream if there is no
 * L1D; with a miss mask it is the stream, of which the L1D lets the marked part pass. `streams` are
 * those of the log, placed if there is a mask (its marks are overwritten). `streams` may be NULL if
 * replay_l2_sliced is false; then there is no mask. */
enum status replay_l2(const struct replay *replay, const struct slice_streams *streams,
                      const struct miss_mask *mask, struct metrics *metrics);
bool replay_l2_sliced(const struct machine *machine, unsigned needs);
/* Replays what follows a recorded TLB: shared TLB, walkers, page-walk cache. */
enum status replay_walks(const struct replay *replay, struct metrics *metrics);
