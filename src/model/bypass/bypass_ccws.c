/* Lost locality holds warps back: Rogers, O'Connor and Aamodt, "Cache-conscious wavefront
 * scheduling", MICRO 2012. Nothing is bypassed.
 *
 * Each warp has a list of lines that it took and lost (a victim tag array). A miss on one of these
 * is lost locality, and raises the warp's score to VTA hits / instructions x 8 x the cutoff; a
 * score falls by one a cycle down to its base of 100. The cutoff is the base times the warps: they
 * are ranked by their scores, and those beyond the point where the sum exceeds the cutoff may not
 * issue accesses to memory. What was chosen: 16 lines a warp, searched as a whole and replaced in
 * turn (the paper: eight ways); ranks are worked out every 32 cycles; stores are held back like
 * loads. */
#include <stdlib.h>

#include "model/bypass/bypass_member.h"

enum { WARPS = 128, LOST = 16, BASE = 100, THROTTLE = 8, PERIOD = 32 };

struct ccws {
    struct bypass base;
    uint64_t lost[WARPS][LOST]; /* 1 + line; 0: none */
    uint8_t next[WARPS];
    double score[WARPS]; /* 0: no warp */
    uint64_t ticked, instructions, hits, warps;
};

static enum bypass_verdict ask(struct bypass *bypass, const struct bypass_access *access,
                               struct bypass_choice *choice)
{
    (void)bypass, (void)access, (void)choice;
    return BYPASS_ALLOCATE;
}

static void accepted(struct bypass *bypass, const struct bypass_access *access, uint32_t line)
{
    struct ccws *ccws = (struct ccws *)bypass;
    (void)line;
    for (unsigned i = 0; i < LOST; i++)
        if (ccws->lost[access->warp][i] == 1 + access->line && ccws->score[access->warp] > 0) {
            const double cutoff = (double)(BASE * ccws->warps);
            const double rate =
                (double)++ccws->hits / (double)(ccws->instructions ? ccws->instructions : 1);
            const double score = rate * THROTTLE * cutoff;
            ccws->lost[access->warp][i] = 0;
            ccws->score[access->warp] = score > BASE ? score : BASE;
            return;
        }
}

static void evicted(struct bypass *bypass, const struct bypass_line *line,
                    const struct bypass_access *access)
{
    struct ccws *ccws = (struct ccws *)bypass;
    (void)access;
    ccws->lost[line->warp][ccws->next[line->warp]] = 1 + line->line;
    ccws->next[line->warp] = (uint8_t)((ccws->next[line->warp] + 1) % LOST);
}

/* Lets the warps of the highest scores issue whose sum does not exceed the cutoff. */
static void rank(struct ccws *ccws)
{
    bool done[WARPS] = {false};
    double sum = 0;
    for (uint64_t n = 0; n < ccws->warps; n++) {
        uint32_t best = WARPS;
        for (uint32_t i = 0; i < WARPS; i++)
            if (ccws->score[i] > 0 && !done[i] &&
                (best == WARPS || ccws->score[i] > ccws->score[best]))
                best = i;
        done[best] = true;
        sum += ccws->score[best];
        bypass_stop(&ccws->base, best, n && sum > (double)(BASE * ccws->warps));
    }
}

static void tick(struct bypass *bypass, uint64_t now, uint64_t instructions)
{
    struct ccws *ccws = (struct ccws *)bypass;
    const double passed = (double)(now - ccws->ticked);
    for (unsigned i = 0; i < WARPS; i++)
        if (ccws->score[i] > 0)
            ccws->score[i] = ccws->score[i] - passed > BASE ? ccws->score[i] - passed : BASE;
    ccws->ticked = now;
    ccws->instructions = instructions;
    rank(ccws);
    bypass->wake = now + PERIOD;
}

static void warp_came(struct bypass *bypass, uint32_t warp, uint64_t age)
{
    struct ccws *ccws = (struct ccws *)bypass;
    (void)age;
    ccws->warps++;
    ccws->score[warp] = BASE;
    for (unsigned i = 0; i < LOST; i++)
        ccws->lost[warp][i] = 0;
}

static void warp_left(struct bypass *bypass, uint32_t warp)
{
    struct ccws *ccws = (struct ccws *)bypass;
    ccws->warps--;
    ccws->score[warp] = 0;
}

static enum status init(struct bypass *bypass)
{
    bypass->wake = 0;
    return STATUS_OK;
}

/* Tags of lost lines, a score a warp, and in each line its warp. */
static size_t arrays(const struct machine *machine, uint64_t lines, struct bypass_array *arrays)
{
    enum { TAG = 41, SCORE = 16 };
    const uint64_t warps = machine->gpu.max_threads / WARP_SIZE;
    arrays[0] = (struct bypass_array){warps * LOST, 0, TAG};
    arrays[1] = (struct bypass_array){warps, 0, SCORE};
    arrays[2] = (struct bypass_array){lines, 0, log2_ceil(warps)};
    return 3;
}

const struct bypass_kind bypass_ccws = {.name = "ccws",
                                        .size = sizeof(struct ccws),
                                        .init = init,
                                        .arrays = arrays,
                                        .ask = ask,
                                        .accepted = accepted,
                                        .evicted = evicted,
                                        .warp_came = warp_came,
                                        .warp_left = warp_left,
                                        .tick = tick};
