/* Lost locality holds warps back: Rogers, O'Connor and Aamodt, "Cache-conscious wavefront
 * scheduling", MICRO 2012.
 *
 * Each warp has a list of lines that it took and lost (a victim tag array of two sets of eight, in
 * order of loss). A miss on one of these is lost locality and sets the warp's score to VTA hits /
 * instructions x 8 x the cutoff, both sums over the warps that are there; a score falls by one a
 * cycle down to its base of 100. The cutoff is the base times the warps: they are ranked by their
 * scores, and those after the one with which the sum reaches the cutoff may issue no loads of
 * global or local memory. A store drops its line from all lists.
 *
 * Rules and constants are those of the simulator that the authors published (tgrogers/ccws-2012:
 * scheduling-point-system.cc and its configuration). What was chosen: ranks are worked out at each
 * loss and else every 32 cycles, not in each; no score falls below its base, which a small first
 * one does there. Their scheduler is greedy then oldest: set scheduler.policy to gto. */
#include <string.h>

#include "base/bits.h"
#include "model/throttle/throttle.h"
#include "trace/stream.h"

enum { SETS = 2, WAYS = 8, BASE = 100, THROTTLE = 8, PERIOD = 32 };

struct lost_lines {
    uint64_t lines[SETS][WAYS]; /* in the order in which they were lost */
    uint8_t count[SETS];
};

struct ccws {
    struct throttle base;
    struct lost_lines lost[SM_WARPS];
    uint64_t score[SM_WARPS]; /* as of the cycle `ticked`; 0: no warp */
    uint64_t hits[SM_WARPS];  /* of its list */
    uint64_t ticked;
};

static void forget_at(struct lost_lines *lost, unsigned set, unsigned i)
{
    uint64_t *lines = lost->lines[set];
    lost->count[set]--;
    memmove(lines + i, lines + i + 1, (lost->count[set] - i) * sizeof *lines);
}

/* Whether a warp has lost a line; then it is forgotten. */
static bool forget(struct lost_lines *lost, uint64_t line)
{
    const unsigned set = line % SETS;
    for (unsigned i = 0; i < lost->count[set]; i++)
        if (lost->lines[set][i] == line) {
            forget_at(lost, set, i);
            return true;
        }
    return false;
}

/* Lets the scores fall up to `now`; returns whether any is above its base. */
static bool settle(struct ccws *ccws, uint64_t now)
{
    const uint64_t passed = now - ccws->ticked;
    bool any = false;
    for (unsigned i = 0; i < SM_WARPS; i++) {
        if (ccws->score[i] > BASE)
            ccws->score[i] = ccws->score[i] > BASE + passed ? ccws->score[i] - passed : BASE;
        any |= ccws->score[i] > BASE;
    }
    ccws->ticked = now;
    return any;
}

static void ccws_missed(struct throttle *throttle, uint32_t warp, uint64_t line, uint64_t now)
{
    struct ccws *ccws = (struct ccws *)throttle;
    uint64_t hits = 0, instructions = 0;
    if (!ccws->score[warp] || !forget(&ccws->lost[warp], line))
        return;
    settle(ccws, now);
    ccws->hits[warp]++;
    for (unsigned i = 0; i < SM_WARPS; i++)
        if (ccws->score[i]) {
            hits += ccws->hits[i];
            instructions += throttle->issued[i];
        }
    const uint64_t score =
        hits * THROTTLE * BASE * throttle->ages.count / (instructions ? instructions : 1);
    ccws->score[warp] = score > BASE ? score : BASE;
    throttle->wake = now + 1;
}

static void ccws_evicted(struct throttle *throttle, const struct throttle_line *line)
{
    struct lost_lines *lost = &((struct ccws *)throttle)->lost[line->warp];
    const unsigned set = line->line % SETS;
    if (lost->count[set] == WAYS)
        forget_at(lost, set, 0);
    lost->lines[set][lost->count[set]++] = line->line;
}

static void ccws_stored(struct throttle *throttle, uint64_t line)
{
    for (unsigned i = 0; i < SM_WARPS; i++)
        while (forget(&((struct ccws *)throttle)->lost[i], line))
            continue;
}

/* Lets the warps of the highest scores issue, up to the one whose score reaches the cutoff. */
static void rank(struct ccws *ccws)
{
    bool done[SM_WARPS] = {false};
    uint64_t sum = 0;
    for (uint64_t n = 0; n < ccws->base.ages.count; n++) {
        uint32_t best = SM_WARPS;
        for (uint32_t i = 0; i < SM_WARPS; i++)
            if (ccws->score[i] && !done[i] &&
                (best == SM_WARPS || ccws->score[i] > ccws->score[best]))
                best = i;
        done[best] = true;
        throttle_stop(&ccws->base, best, sum >= (uint64_t)BASE * ccws->base.ages.count);
        sum += ccws->score[best];
    }
}

static void ccws_tick(struct throttle *throttle, uint64_t now)
{
    struct ccws *ccws = (struct ccws *)throttle;
    if (settle(ccws, now)) /* else all are equal, and no one waits */
        throttle->wake = now + PERIOD;
    rank(ccws);
}

static void ccws_warp_came(struct throttle *throttle, uint32_t warp)
{
    struct ccws *ccws = (struct ccws *)throttle;
    ccws->score[warp] = BASE;
    ccws->hits[warp] = 0;
    memset(&ccws->lost[warp], 0, sizeof ccws->lost[warp]);
}

static void ccws_warp_left(struct throttle *throttle, uint32_t warp)
{
    ((struct ccws *)throttle)->score[warp] = 0;
}

/* Tags of lost lines, a score and two counters a warp, and in each line its warp. */
static size_t ccws_arrays(const struct machine *machine, uint64_t lines,
                          struct memory_array *arrays)
{
    enum { TAG = 41, SCORE = 16, COUNTERS = 32 + 32 };
    const uint64_t warps = machine->gpu.max_threads / WARP_SIZE;
    arrays[0] = memory_array_ram("sets of lost lines", warps * SETS, WAYS * TAG);
    arrays[1] = memory_array_ram("scores of warps", warps, SCORE + COUNTERS);
    arrays[2] = memory_array_ram("lines' warps", lines, log2_ceil(warps));
    return 3;
}

const struct throttle_kind throttle_kind_THROTTLE_CCWS = {.size = sizeof(struct ccws),
                                                          .arrays = ccws_arrays,
                                                          .warp_came = ccws_warp_came,
                                                          .warp_left = ccws_warp_left,
                                                          .missed = ccws_missed,
                                                          .evicted = ccws_evicted,
                                                          .stored = ccws_stored,
                                                          .tick = ccws_tick};
