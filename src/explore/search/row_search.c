#include "explore/search/row_search.h"

#include <stdlib.h>

#include "base/rng.h"
#include "explore/search/guesses.h"
#include "explore/search/population.h"
#include "explore/space/sampling.h"

#define ROW_SEARCH_NAME(constant, name) [constant] = name,
const char *const row_search_names[ROW_SEARCHES] = {ROW_SEARCH_LIST(ROW_SEARCH_NAME)};

enum { NSGA2_POPULATION = 20 };

struct row_walk {
    const struct truth_table *table;
    uint64_t seed, draws;
    size_t *chosen, count, most;
    uint8_t *taken; /* by row */
};

static uint64_t walk_draw(struct row_walk *walk, uint64_t bound)
{
    return random_below(random_at(walk->seed, walk->draws++), bound);
}

static const uint32_t *row_digits(const struct row_walk *walk, size_t row)
{
    return walk->table->digits + row * walk->table->axis_count;
}

static void take_row(struct row_walk *walk, size_t row)
{
    walk->taken[row] = 1;
    walk->chosen[walk->count++] = row;
}

static size_t free_row(struct row_walk *walk)
{
    size_t row;
    do
        row = walk_draw(walk, walk->table->row_count);
    while (walk->taken[row]);
    return row;
}

/* The row that is not taken and differs in the fewest digits; of several one by chance. */
static size_t nearest_row(struct row_walk *walk, const uint32_t *digits)
{
    const size_t axes = walk->table->axis_count, rows = walk->table->row_count;
    const size_t first = walk_draw(walk, rows);
    size_t best = SIZE_MAX, least = SIZE_MAX;
    for (size_t i = 0; i < rows && least; i++) {
        const size_t row = (first + i) % rows;
        const uint32_t *own = row_digits(walk, row);
        size_t apart = 0;
        if (walk->taken[row])
            continue;
        for (size_t a = 0; a < axes && apart < least; a++)
            apart += own[a] != digits[a];
        if (apart < least) {
            least = apart;
            best = row;
        }
    }
    return best;
}

/* ---- random and Latin hypercube ---- */

static enum status choose_random(struct row_walk *walk)
{
    const struct shuffle shuffle = shuffle_create(walk->seed, walk->table->row_count);
    for (uint64_t i = 0; walk->count < walk->most; i++)
        take_row(walk, shuffle_at(&shuffle, i));
    return STATUS_OK;
}

/* One row for each stratum of every axis, as near as there is one. */
static enum status choose_latin(struct row_walk *walk)
{
    const size_t axes = walk->table->axis_count;
    uint32_t *digits = calloc(axes, sizeof *digits);
    if (!digits)
        return STATUS_MEMORY;
    for (size_t i = 0; i < walk->most; i++) {
        for (size_t a = 0; a < axes; a++) {
            const struct shuffle strata = shuffle_create(random_at(walk->seed, a), walk->most);
            digits[a] = (uint32_t)(shuffle_at(&strata, i) * walk->table->counts[a] / walk->most);
        }
        take_row(walk, nearest_row(walk, digits));
    }
    free(digits);
    return STATUS_OK;
}

/* ---- NSGA-II ---- */

/* The better one of two members by chance, which are sorted best first. */
static const uint32_t *row_parent(struct row_walk *walk, const struct member *members,
                                  size_t parents)
{
    const size_t a = walk_draw(walk, parents), b = walk_draw(walk, parents);
    return row_digits(walk, members[a < b ? a : b].point);
}

static void add_member(const struct row_walk *walk, struct member *member, size_t row)
{
    *member = (struct member){.point = row,
                              .costs = walk->table->costs + row * walk->table->objective_count,
                              .eligible = true};
}

static enum status choose_nsga2(struct row_walk *walk)
{
    struct member members[2 * NSGA2_POPULATION];
    uint32_t *digits = calloc(walk->table->axis_count, sizeof *digits);
    size_t parents = 0;
    if (!digits)
        return STATUS_MEMORY;
    while (walk->count < walk->most) {
        size_t total = parents;
        while (total < parents + NSGA2_POPULATION && walk->count < walk->most) {
            size_t row = SIZE_MAX;
            if (parents) {
                const uint32_t *best[2];
                for (int i = 0; i < 2; i++)
                    best[i] = row_parent(walk, members, parents);
                guess_breed(best, walk->table->counts, walk->table->axis_count, walk->seed,
                            &walk->draws, digits);
            }
            row = parents ? nearest_row(walk, digits) : free_row(walk);
            take_row(walk, row);
            add_member(walk, &members[total++], row);
        }
        population_sort(members, total, walk->table->objective_count);
        parents = total < NSGA2_POPULATION ? total : NSGA2_POPULATION;
    }
    free(digits);
    return STATUS_OK;
}

/* ---- walk ---- */

/* The next row of a round. */
static size_t walk_next(struct row_walk *walk, struct guesses *guesses,
                        const struct guess_points *points, size_t place)
{
    const size_t row =
        guesses_choose(guesses, points, guess_near(place), walk_draw(walk, points->count));
    return row == SIZE_MAX ? free_row(walk) : row;
}

static enum status learn_rows(const struct row_walk *walk, struct guesses *guesses, size_t from)
{
    const struct truth_table *table = walk->table;
    enum status status = STATUS_OK;
    for (size_t i = from; i < walk->count && !status; i++)
        status = guesses_learn(guesses, row_digits(walk, walk->chosen[i]),
                               table->costs + walk->chosen[i] * table->objective_count, true);
    return status;
}

/* Some by chance, then round by round. */
static enum status choose_walk(struct row_walk *walk)
{
    const struct truth_table *table = walk->table;
    const struct guess_points points = {.count = table->row_count,
                                        .digits = table->digits,
                                        .costs = table->costs,
                                        .taken = walk->taken};
    struct guesses *guesses;
    size_t learnt = 0;
    enum status status = guesses_create(table->counts, table->axis_count, table->exact,
                                        table->objective_count, &guesses);
    while (!status && walk->count < (walk->most + GUESSES_FIRST - 1) / GUESSES_FIRST)
        take_row(walk, free_row(walk));
    while (!status && walk->count < walk->most) {
        status = learn_rows(walk, guesses, learnt);
        learnt = walk->count;
        if (!status)
            status = guesses_fit(guesses, &points);
        for (size_t i = 0; i < GUESSES_ROUND && walk->count < walk->most && !status; i++)
            take_row(walk, walk_next(walk, guesses, &points, i));
    }
    guesses_free(guesses);
    return status;
}

/* ---- all ---- */

enum status row_search_run(const struct truth_table *table, enum row_search method, uint64_t seed,
                           size_t count, size_t *chosen)
{
    static enum status (*const choosing[ROW_SEARCHES])(struct row_walk *) = {
        [ROW_RANDOM] = choose_random,
        [ROW_LATIN] = choose_latin,
        [ROW_NSGA2] = choose_nsga2,
        [ROW_WALK] = choose_walk};
    struct row_walk walk = {.table = table,
                            .seed = random_at(seed, method),
                            .chosen = chosen,
                            .most = count < table->row_count ? count : table->row_count,
                            .taken = calloc(table->row_count, 1)};
    const enum status status = walk.taken ? choosing[method](&walk) : STATUS_MEMORY;
    free(walk.taken);
    return status;
}
