#include "explore/papers/ladder.h"

#include <math.h>
#include <stdio.h>

#include "explore/papers/probe_state.h"

/* A time within this of another is the same; one that is longer by JUMP is of another level. */
#define SAME 0.05
#define JUMP 0.15
enum {
    SLACK = 1,        /* cycles */
    WORD_STRIDE = 32, /* bytes, so that no line and no sector of the first level is left out */
    LINE_LEAST = 16,
    LINE_MOST = 512,
    PAGES_MOST = 4096,
    PAGE_MOST = 1 << 22
};

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
static uint64_t find_capacity(struct climb *climb, uint64_t stride, uint64_t fits, uint64_t fails,
                              double plateau)
{
    while (fails - fits > LADDER_STRIDE && !climb->status) {
        const uint64_t middle = fits + (fails - fits) / 2 / LADDER_STRIDE * LADDER_STRIDE;
        if (chase(climb, middle, stride) <= plateau * (1 + climb->lab->noise))
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
    const uint64_t memory = climb->lab->memory ? climb->lab->memory : UINT64_MAX;
    const uint64_t most = climb->lab->most < memory ? climb->lab->most : memory;
    bool flat = false;
    for (uint64_t bytes = climb->lab->least;
         bytes <= most && ladder->point_count < LADDER_POINTS && !climb->status; bytes *= 2) {
        const double cycles = chase(climb, bytes, LADDER_STRIDE);
        const size_t n = ladder->point_count;
        const double before = n ? ladder->curve[n - 1].cycles : cycles;
        ladder->curve[n].bytes = bytes;
        ladder->curve[n].cycles = cycles;
        ladder->point_count++;
        if (flat && cycles > before * (1 + JUMP) + SLACK) {
            struct ladder_level *level = &ladder->levels[ladder->level_count - 1];
            finding_set(&level->capacity, FOUND,
                        find_capacity(climb, LADDER_STRIDE, bytes / 2, bytes, level->latency));
            flat = false;
        } else if (!flat && n && same(cycles, before) && ladder->level_count < LADDER_LEVELS) {
            add_level(ladder, before);
            flat = true;
        }
    }
    if (!flat && ladder->point_count && ladder->level_count < LADDER_LEVELS)
        add_level(ladder, ladder->curve[ladder->point_count - 1].cycles);
}

/* Measures the first level again with a word in each 32 B: where lines are shorter than the stride
 * of the curve, hashed sets keep more of a ring than the level has bytes. */
static void refine_first(struct climb *climb)
{
    struct ladder_level *first = &climb->ladder->levels[0];
    if (!climb->ladder->level_count || first->capacity.kind != FOUND)
        return;
    uint64_t fails = climb->lab->least;
    while (fails <= first->capacity.value &&
           chase(climb, fails, WORD_STRIDE) <= first->latency * (1 + climb->lab->noise))
        fails *= 2;
    if (fails > climb->lab->least)
        first->capacity.value = find_capacity(climb, WORD_STRIDE, fails / 2, fails, first->latency);
}

/* Whether the first level keeps a ring of 2.5 times its capacity if the words are `stride` apart.
 * Words of one fetch hit in any case, so a ring twice as large says what it costs if nothing is
 * kept; hashed sets are never quite even, so half of that decides. */
static bool keeps_more(struct climb *climb, uint64_t stride)
{
    const struct ladder_level *first = &climb->ladder->levels[0];
    const uint64_t bytes = 5 * first->capacity.value / 2;
    const double lost = chase(climb, 2 * bytes, stride) - first->latency;
    return chase(climb, bytes, stride) - first->latency < lost / 2;
}

/* What one tag stands for: a ring of 2.5 times the capacity is kept again once its words are 2.5
 * lines apart. Distances of 3 and 3.5 lines are far enough, and half as many are too near by two
 * fifths at least, which also tells where a level of hashed sets loses its first line well before
 * it is full. They reach all sets that lines index in turn, and if one of them meets a hash badly,
 * the other does not. */
static void find_line(struct climb *climb)
{
    struct ladder *ladder = climb->ladder;
    finding_fail(&ladder->line, "there is no second level");
    if (ladder->level_count < 2 || ladder->levels[0].capacity.kind != FOUND)
        return;
    for (uint64_t line = LINE_LEAST; line <= LINE_MOST && !climb->status; line *= 2)
        if (keeps_more(climb, 3 * line) || keeps_more(climb, 7 * line / 2)) {
            finding_set(&ladder->line, FOUND, line);
            return;
        }
    finding_fail(&ladder->line, "words %d bytes apart still share a line", 3 * LINE_MOST);
}

/* In a ring that the first level does not keep, the shortest stride of which every load misses; a
 * line at most. Loads further apart cross pages more often; by how much, two strides tell of which
 * every load misses for sure. */
static void find_sector(struct climb *climb)
{
    struct ladder *ladder = climb->ladder;
    finding_fail(&ladder->sector, "no line was found");
    if (ladder->line.kind != FOUND)
        return;
    const uint64_t line = ladder->line.value, bytes = 4 * ladder->levels[0].capacity.value;
    const double whole = chase(climb, bytes, line);
    const double pages = fmax(chase(climb, bytes, 2 * line) - whole, 0);
    for (uint64_t stride = 4; stride <= line && !climb->status; stride *= 2) {
        const double nearer = 1 - (double)stride / (double)line;
        if (stride == line ||
            chase(climb, bytes, stride) >= (whole - pages * nearer) * (1 - SAME)) {
            finding_set(&ladder->sector, FOUND, stride);
            return;
        }
    }
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
    refine_first(&climb);
    find_line(&climb);
    find_sector(&climb);
    find_tlb(&climb);
    return climb.status;
}
