/* Finds how many misses may be in flight, with MB2. If more loads miss than there are MSHRs, the
 * first one too many waits for a miss to end before its own can start, so it takes twice as long.
 * Bisects on the number of loads. */
#include <inttypes.h>
#include <stdio.h>

#include "base/bits.h"
#include "explore/papers/probe_state.h"

enum { WARP_LINES = 32 };

/* How many warps a run may have. Each starts one slot after the one before, and a load that must
 * wait may get the place of the first miss, so the later it starts the shorter it waits. With at
 * most this many warps, two misses in a row still take longer than any single miss by the amount by
 * which misses differ. */
static uint64_t warps_most(const struct probe *probe)
{
    uint64_t two = 2 * probe->miss_time.value,
             spread = probe->miss_time_most - probe->miss_time.value;
    return two > probe->miss_time_most + spread ? two - probe->miss_time_most - spread : 0;
}

/* Whether some load took two misses in a row, when `lines` lines are loaded, `per_warp` per warp.
 */
static enum status find_stall(struct probing *probing, uint64_t lines, uint64_t per_warp,
                              bool *stalls)
{
    const struct probe *probe = probing->probe;
    const struct micro_run run = {
        .lines = lines, .stride = probe->line.value, .per_warp = per_warp};
    uint64_t warps = micro_run_loads(&run), least = 2 * probe->miss_time.value - warps;
    enum status status = probing_measure(probing, &run);
    *stalls = false;
    for (uint64_t i = 0; i < warps && !status; i++)
        *stalls = *stalls || 2 * probing_time(probing, i) > probe->miss_time_most + least;
    return status;
}

/* The most lines, up to `most`, that do not stall. Returns `most` if none stalls. */
static enum status find_limit(struct probing *probing, uint64_t per_warp, uint64_t most,
                              uint64_t *limit)
{
    uint64_t fits = 0, fails = most + 1;
    while (fails - fits > 1) {
        uint64_t middle = fits + (fails - fits) / 2;
        bool stalls;
        enum status status = find_stall(probing, middle, per_warp, &stalls);
        if (status)
            return status;
        if (stalls)
            fails = middle;
        else
            fits = middle;
    }
    *limit = fits;
    return STATUS_OK;
}

static void fail_spread(struct finding *finding, const struct probe *probe)
{
    finding_fail(finding,
                 "a miss takes %" PRIu64 " to %" PRIu64
                 " slots: two in a row cannot be told from one",
                 probe->miss_time.value, probe->miss_time_most);
}

/* Decides the limit of a warp, given that all warps together may have `all` of the `most` tried. */
static void set_per_warp(struct finding *finding, uint64_t warp, uint64_t warp_most, uint64_t all,
                         uint64_t most)
{
    if (all == warp && all < most) {
        finding_set(finding, FOUND_NO_LIMIT, 0);
        snprintf(finding->why, FINDING_TEXT, "the SM's come first");
    } else if (warp == warp_most) {
        finding_set(finding, FOUND_AT_LEAST, warp);
        snprintf(finding->why, FINDING_TEXT, "a warp's load has no more lines");
    } else {
        finding_set(finding, FOUND, warp);
    }
}

/* First how many lines one warp's load may miss, then how many all warps of a block may, each
 * asking for as many as one warp could, cut to a power of two so that warps share the block evenly.
 * Where the second limit is what a block can ask for at most, the real one was not seen. */
enum status probing_find_mshrs(struct probing *probing)
{
    struct probe *probe = probing->probe;
    uint64_t threads = probing->lab->block_threads, warps = warps_most(probe);
    uint64_t warp_most = threads < WARP_LINES ? threads : WARP_LINES, warp, all;
    if (!warps) {
        fail_spread(&probe->mshr_per_warp, probe);
        fail_spread(&probe->mshr_per_sm, probe);
        return STATUS_OK;
    }
    enum status status = find_limit(probing, WARP_LINES, warp_most, &warp);
    if (status)
        return status;
    if (!warp) {
        finding_fail(&probe->mshr_per_warp, "even a single miss takes as long as two");
        finding_fail(&probe->mshr_per_sm, "even a single miss takes as long as two");
        return STATUS_OK;
    }
    uint64_t per_warp = UINT64_C(1) << log2_floor(warp), most = threads / (WARP_LINES / per_warp);
    if (most > warps * per_warp)
        most = warps * per_warp;
    status = find_limit(probing, per_warp, most, &all);
    if (status)
        return status;
    finding_set(&probe->mshr_per_sm, all == most ? FOUND_AT_LEAST : FOUND, all);
    if (all == most)
        snprintf(probe->mshr_per_sm.why, FINDING_TEXT,
                 "no more can be asked for before the first are back");
    set_per_warp(&probe->mshr_per_warp, warp, warp_most, all, most);
    return STATUS_OK;
}
