/* A scene on the tile cache of a machine in time, as far as somebody wants to see it: a run that
 * stands in front of any cycle, and of which copies go on by themselves.
 *
 * A pass is dealt, runs dry, and has its changed lines written; then comes the next one. Invariant:
 * where a run was halted or copied on its way shows nowhere. Cost: that of the cycles
 * (model/tile/subsystem.h); a copy takes as much memory as tags, queues and FIFOs. */
#pragma once

#include "model/tile/subsystem.h"
#include "model/tile/tile_feed.h"

enum tile_stage {
    TILE_BEGINS,
    TILE_DEALS,
    TILE_RUNS_DRY,
    TILE_WRITES,
    TILE_ENDED
}; /* of a pass,
    * or the run */

struct tile_run {
    struct tile_subsystem tiles;
    struct tile_feed own, *feed; /* feed: its own one, or that of somebody else */
    const struct tile_stream *stream;
    const atomic_bool *cancel;
    uint64_t at; /* number of the request that is dealt next */
    uint32_t pass;
    enum tile_stage stage;
    uint64_t written; /* the cycle in which all that was changed is in memory (TILE_WRITES) */
};

/* Stands in front of cycle 0. `feed`: requests that are kept for several runs; NULL: it reads for
 * itself. Whatever is named must outlive the run, which must stay where it is in memory. What fails
 * is what tile_subsystem_init or the stream says, and leaves nothing to close. */
enum status tile_run_open(struct tile_run *run, const struct machine *machine,
                          const struct tile_stream *stream, const struct tile_run_options *options,
                          struct tile_feed *feed, struct diagnostics *diagnostics);
void tile_run_close(struct tile_run *run);

/* Goes on to `cycle`, to the end, or to where whoever looks on has seen enough (`stop` of what the
 * banks share); the counts are those up to there. STATUS_CANCELLED. */
enum status tile_run_advance(struct tile_run *run, uint64_t cycle, struct diagnostics *diagnostics);

/* Makes a run that stands where another one does, and goes on by itself, with `cancel`, `saw`
 * and `context` of `options`; the feed of both must keep requests. They carry no data,
 * maps or parts. STATUS_MEMORY. */
enum status tile_run_copy(struct tile_run *run, const struct tile_run *from,
                          const struct tile_run_options *options);
/* About how much memory a copy takes. */
size_t tile_run_bytes(const struct tile_run *run);
/* A hash of where a run stands: equal runs have equal ones. It leaves out what the policy of
 * replacement has learned. */
uint64_t tile_run_hash(const struct tile_run *run);
