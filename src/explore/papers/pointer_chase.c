#include "explore/papers/pointer_chase.h"

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

struct search {
    const struct pointer_chase_lab *lab;
    struct pointer_chase *chase;
    enum status status; /* of the first chase that failed; then all times are NaN */
};

static double time_ring(struct search *search, uint64_t bytes, uint64_t stride)
{
    double cycles = NAN;
    if (!search->status)
        search->status = search->lab->time_ring(search->lab->context, bytes, stride, &cycles);
    search->chase->chases++;
    return search->status ? NAN : cycles;
}

static bool same(double cycles, double plateau)
{
    return cycles <= plateau * (1 + SAME) + SLACK;
}

/* The largest ring between two that still takes the time of the plateau. One line too many makes
 * only a set of them miss, so the answer is as exact as the times are. */
static uint64_t find_capacity(struct search *search, uint64_t stride, uint64_t fits, uint64_t fails,
                              double plateau)
{
    while (fails - fits > CHASE_STRIDE && !search->status) {
        const uint64_t middle = fits + (fails - fits) / 2 / CHASE_STRIDE * CHASE_STRIDE;
        if (time_ring(search, middle, stride) <= plateau * (1 + search->lab->noise))
            fits = middle;
        else
            fails = middle;
    }
    return fits;
}

static void add_level(struct pointer_chase *chase, double latency)
{
    struct pointer_chase_level *level = &chase->levels[chase->level_count++];
    *level = (struct pointer_chase_level){.latency = latency};
    finding_set(&level->capacity, FOUND_NO_LIMIT, 0);
}

/* Doubles the ring. A level ends where its time is left; the next begins where the curve is flat
 * again, or at its end. */
static void find_levels(struct search *search)
{
    struct pointer_chase *chase = search->chase;
    const uint64_t memory = search->lab->memory ? search->lab->memory : UINT64_MAX;
    const uint64_t most = search->lab->most < memory ? search->lab->most : memory;
    bool flat = false;
    for (uint64_t bytes = search->lab->least;
         bytes <= most && chase->point_count < CHASE_POINTS && !search->status; bytes *= 2) {
        const double cycles = time_ring(search, bytes, CHASE_STRIDE);
        const size_t n = chase->point_count;
        const double before = n ? chase->curve[n - 1].cycles : cycles;
        chase->curve[n].bytes = bytes;
        chase->curve[n].cycles = cycles;
        chase->point_count++;
        if (flat && cycles > before * (1 + JUMP) + SLACK) {
            struct pointer_chase_level *level = &chase->levels[chase->level_count - 1];
            finding_set(&level->capacity, FOUND,
                        find_capacity(search, CHASE_STRIDE, bytes / 2, bytes, level->latency));
            flat = false;
        } else if (!flat && n && same(cycles, before) && chase->level_count < CHASE_LEVELS) {
            add_level(chase, before);
            flat = true;
        }
    }
    if (!flat && chase->point_count && chase->level_count < CHASE_LEVELS)
        add_level(chase, chase->curve[chase->point_count - 1].cycles);
}

/* Measures the first level again with a word in each 32 B: where lines are shorter than the stride
 * of the curve, hashed sets keep more of a ring than the level has bytes. */
static void refine_first(struct search *search)
{
    struct pointer_chase_level *first = &search->chase->levels[0];
    if (!search->chase->level_count || first->capacity.kind != FOUND)
        return;
    uint64_t fails = search->lab->least;
    while (fails <= first->capacity.value &&
           time_ring(search, fails, WORD_STRIDE) <= first->latency * (1 + search->lab->noise))
        fails *= 2;
    if (fails > search->lab->least)
        first->capacity.value =
            find_capacity(search, WORD_STRIDE, fails / 2, fails, first->latency);
}

/* Whether the first level keeps a ring of 2.5 times its capacity if the words are `stride` apart.
 * Words of one fetch hit in any case, so a ring twice as large says what it costs if nothing is
 * kept; hashed sets are never quite even, so half of that decides. */
static bool keeps_more(struct search *search, uint64_t stride)
{
    const struct pointer_chase_level *first = &search->chase->levels[0];
    const uint64_t bytes = 5 * first->capacity.value / 2;
    const double lost = time_ring(search, 2 * bytes, stride) - first->latency;
    return time_ring(search, bytes, stride) - first->latency < lost / 2;
}

/* What one tag stands for: a ring of 2.5 times the capacity is kept again once its words are 2.5
 * lines apart. Distances of 3 and 3.5 lines are far enough, and half as many are too near by two
 * fifths at least, which also tells where a level of hashed sets loses its first line well before
 * it is full. They reach all sets that lines index in turn, and if one of them meets a hash badly,
 * the other does not. */
static void find_line(struct search *search)
{
    struct pointer_chase *chase = search->chase;
    finding_fail(&chase->line, "there is no second level");
    if (chase->level_count < 2 || chase->levels[0].capacity.kind != FOUND)
        return;
    for (uint64_t line = LINE_LEAST; line <= LINE_MOST && !search->status; line *= 2)
        if (keeps_more(search, 3 * line) || keeps_more(search, 7 * line / 2)) {
            finding_set(&chase->line, FOUND, line);
            return;
        }
    finding_fail(&chase->line, "words %d bytes apart still share a line", 3 * LINE_MOST);
}

/* In a ring that the first level does not keep, the shortest stride of which every load misses; a
 * line at most. Loads further apart cross pages more often; by how much, two strides tell of which
 * every load misses for sure. */
static void find_sector(struct search *search)
{
    struct pointer_chase *chase = search->chase;
    finding_fail(&chase->sector, "no line was found");
    if (chase->line.kind != FOUND)
        return;
    const uint64_t line = chase->line.value, bytes = 4 * chase->levels[0].capacity.value;
    const double whole = time_ring(search, bytes, line);
    const double pages = fmax(time_ring(search, bytes, 2 * line) - whole, 0);
    for (uint64_t stride = 4; stride <= line && !search->status; stride *= 2) {
        const double nearer = 1 - (double)stride / (double)line;
        if (stride == line ||
            time_ring(search, bytes, stride) >= (whole - pages * nearer) * (1 - SAME)) {
            finding_set(&chase->sector, FOUND, stride);
            return;
        }
    }
}

/* Whether `count` words, each `stride` bytes and a line after the last, take longer than as many
 * lines that follow one another: then their translations are not kept. *more is by how much. */
static bool misses_pages(struct search *search, uint64_t count, uint64_t stride, double *more)
{
    const uint64_t apart = stride + CHASE_STRIDE;
    const double near = time_ring(search, count * CHASE_STRIDE, CHASE_STRIDE);
    const double far = time_ring(search, count * apart, apart);
    *more = far - near;
    return !same(far, near) && *more > SLACK;
}

/* The most places at this distance whose translations are kept; 0: even PAGES_MOST are, or as many
 * as there is memory for. */
static uint64_t count_pages(struct search *search, uint64_t stride, double *more)
{
    const uint64_t memory = search->lab->memory ? search->lab->memory : UINT64_MAX;
    const uint64_t apart = stride + CHASE_STRIDE;
    const uint64_t most = memory / apart < PAGES_MOST ? memory / apart : PAGES_MOST;
    uint64_t fits = 1, fails = 2;
    while (fails <= most && !search->status && !misses_pages(search, fails, stride, more)) {
        fits = fails;
        fails *= 2;
    }
    if (fails > most || search->status)
        return 0;
    while (fails - fits > 1 && !search->status) {
        double ignored;
        const uint64_t middle = fits + (fails - fits) / 2;
        if (misses_pages(search, middle, stride, &ignored))
            fails = middle;
        else
            fits = middle;
    }
    return fits;
}

/* Places further apart than a page need an entry each, so that their number no longer falls with
 * the distance. */
static void find_tlb(struct search *search)
{
    struct pointer_chase *chase = search->chase;
    uint64_t before = 0;
    chase->translation = NAN;
    finding_fail(&chase->tlb_entries, "no distance makes translations miss");
    finding_fail(&chase->page, "no distance makes translations miss");
    for (uint64_t stride = 4096; stride <= PAGE_MOST && !search->status; stride *= 2) {
        double more;
        const uint64_t count = count_pages(search, stride, &more);
        if (before && count && count + count / 8 + 1 >= before) {
            finding_set(&chase->tlb_entries, FOUND, before);
            finding_set(&chase->page, FOUND, stride / 2);
            chase->translation = more;
            return;
        }
        before = count;
    }
}

enum status pointer_chase_run(const struct pointer_chase_lab *lab, struct pointer_chase *chase)
{
    *chase = (struct pointer_chase){.translation = NAN};
    struct search search = {lab, chase, STATUS_OK};
    find_levels(&search);
    refine_first(&search);
    find_line(&search);
    find_sector(&search);
    find_tlb(&search);
    return search.status;
}
