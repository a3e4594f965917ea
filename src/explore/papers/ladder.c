#include "explore/papers/ladder.h"

#include <math.h>
#include <stdio.h>

#include "explore/papers/probe_state.h"

/* A time within this of another is the same; one that is longer by JUMP is of another level. */
#define SAME 0.05
#define JUMP 0.15
enum { SLACK = 1 /* cycles */, STRIDE_MOST = 512, PAGES_MOST = 4096, PAGE_MOST = 1 << 22 };

struct climb {
    const struct ladder_lab *lab;
    struct ladder *ladder;
    enum status status; /* of the first chase that failed; then all times are NaN */
};

static double chase(struct climb *climb, uint64_t bytes, uint64_t stride)
{
    double cycles = NAN;
    if (!climb->status)
        climb->status = climb->lab->chase(climb->lab->context, bytes, stride, &cycles);
    climb->ladder->chases++;
    return climb->status ? NAN : cycles;
}

static bool same(double cycles, double plateau)
{
    return cycles <= plateau * (1 + SAME) + SLACK;
}

/* The largest ring between two that still takes the time of the plateau. One line too many makes
 * only a set of them miss, so the answer is as exact as the times are. */
static uint64_t find_capacity(struct climb *climb, uint64_t fits, uint64_t fails, double plateau)
{
    while (fails - fits > LADDER_STRIDE && !climb->status) {
        const uint64_t middle = fits + (fails - fits) / 2 / LADDER_STRIDE * LADDER_STRIDE;
        if (chase(climb, middle, LADDER_STRIDE) <= plateau * (1 + climb->lab->noise))
            fits = middle;
        else
            fails = middle;
    }
    return fits;
}

static void add_level(struct ladder *ladder, double latency)
{
    struct ladder_level *level = &ladder->levels[ladder->level_count++];
    *level = (struct ladder_level){.latency = latency};
    finding_set(&level->capacity, FOUND_NO_LIMIT, 0);
}

/* Doubles the ring. A level ends where its time is left; the next begins where the curve is flat
 * again, or at its end. */
static void find_levels(struct climb *climb)
{
    struct ladder *ladder = climb->ladder;
    bool flat = false;
    for (uint64_t bytes = climb->lab->least;
         bytes <= climb->lab->most && ladder->point_count < LADDER_POINTS && !climb->status;
         bytes *= 2) {
        const double cycles = chase(climb, bytes, LADDER_STRIDE);
        const size_t n = ladder->point_count;
        const double before = n ? ladder->curve[n - 1].cycles : cycles;
        ladder->curve[n].bytes = bytes;
        ladder->curve[n].cycles = cycles;
        ladder->point_count++;
        if (flat && cycles > before * (1 + JUMP) + SLACK) {
            struct ladder_level *level = &ladder->levels[ladder->level_count - 1];
            finding_set(&level->capacity, FOUND,
                        find_capacity(climb, bytes / 2, bytes, level->latency));
            flat = false;
        } else if (!flat && n && same(cycles, before) && ladder->level_count < LADDER_LEVELS) {
            add_level(ladder, before);
            flat = true;
        }
    }
    if (!flat && ladder->point_count && ladder->level_count < LADDER_LEVELS)
        add_level(ladder, ladder->curve[ladder->point_count - 1].cycles);
}

/* In a ring that the first level does not keep, the shortest stride of which every load misses. */
static void find_sector(struct climb *climb)
{
    struct ladder *ladder = climb->ladder;
    const struct ladder_level *first = &ladder->levels[0];
    finding_fail(&ladder->sector, "there is no second level");
    if (ladder->level_count < 2 || first->capacity.kind != FOUND)
        return;
    const uint64_t bytes = 4 * first->capacity.value;
    const double whole = chase(climb, bytes, STRIDE_MOST / 2);
    for (uint64_t stride = 4; stride < STRIDE_MOST && !climb->status; stride *= 2)
        if (chase(climb, bytes, stride) >= whole * (1 - SAME)) {
            finding_set(&ladder->sector, FOUND, stride);
            return;
        }
    finding_fail(&ladder->sector, "words %d bytes apart still share a fetch", STRIDE_MOST / 2);
}

/* Whether `count` words, each `stride` bytes and a line after the last, take longer than as many
 * lines that follow one another: then their translations are not kept. *more is by how much. */
static bool misses_pages(struct climb *climb, uint64_t count, uint64_t stride, double *more)
{
    const uint64_t apart = stride + LADDER_STRIDE;
    const double near = chase(climb, count * LADDER_STRIDE, LADDER_STRIDE);
    const double far = chase(climb, count * apart, apart);
    *more = far - near;
    return !same(far, near) && *more > SLACK;
}

/* The most places at this distance whose translations are kept; 0: even PAGES_MOST are, or as many
 * as there is memory for. */
static uint64_t count_pages(struct climb *climb, uint64_t stride, double *more)
{
    const uint64_t memory = climb->lab->memory ? climb->lab->memory : UINT64_MAX;
    const uint64_t apart = stride + LADDER_STRIDE;
    const uint64_t most = memory / apart < PAGES_MOST ? memory / apart : PAGES_MOST;
    uint64_t fits = 1, fails = 2;
    while (fails <= most && !climb->status && !misses_pages(climb, fails, stride, more)) {
        fits = fails;
        fails *= 2;
    }
    if (fails > most || climb->status)
        return 0;
    while (fails - fits > 1 && !climb->status) {
        double ignored;
        const uint64_t middle = fits + (fails - fits) / 2;
        if (misses_pages(climb, middle, stride, &ignored))
            fails = middle;
        else
            fits = middle;
    }
    return fits;
}

/* Places further apart than a page need an entry each, so that their number no longer falls with
 * the distance. */
static void find_tlb(struct climb *climb)
{
    struct ladder *ladder = climb->ladder;
    uint64_t before = 0;
    ladder->translation = NAN;
    finding_fail(&ladder->tlb_entries, "no distance makes translations miss");
    finding_fail(&ladder->page, "no distance makes translations miss");
    for (uint64_t stride = 4096; stride <= PAGE_MOST && !climb->status; stride *= 2) {
        double more;
        const uint64_t count = count_pages(climb, stride, &more);
        if (before && count && count + count / 8 + 1 >= before) {
            finding_set(&ladder->tlb_entries, FOUND, before);
            finding_set(&ladder->page, FOUND, stride / 2);
            ladder->translation = more;
            return;
        }
        before = count;
    }
}

enum status ladder_run(const struct ladder_lab *lab, struct ladder *ladder)
{
    *ladder = (struct ladder){.translation = NAN};
    struct climb climb = {lab, ladder, STATUS_OK};
    find_levels(&climb);
    find_sector(&climb);
    find_tlb(&climb);
    return climb.status;
}
