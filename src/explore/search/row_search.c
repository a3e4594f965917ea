#include "explore/search/row_search.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "explore/search/additive.h"
#include "explore/search/population.h"
#include "explore/space/sampling.h"

#define ROW_SEARCH_NAME(constant, name) [constant] = name,
const char *const row_search_names[ROW_SEARCHES] = {ROW_SEARCH_LIST(ROW_SEARCH_NAME)};

/* Of the range of an objective: what is added to costs before their logarithm. */
#define WALK_FLOOR 0.1

enum { WALK_ROUND = 8, WALK_PAIRS = 12, WALK_NEAR = 2, NSGA2_POPULATION = 20 };

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

static void breed_row(struct row_walk *walk, const struct member *members, size_t parents,
                      uint32_t *digits)
{
    const size_t axes = walk->table->axis_count;
    size_t best[2];
    for (int i = 0; i < 2; i++) {
        const size_t a = walk_draw(walk, parents), b = walk_draw(walk, parents);
        best[i] = members[a < b ? a : b].point;
    }
    for (size_t a = 0; a < axes; a++) {
        digits[a] = row_digits(walk, best[walk_draw(walk, 2)])[a];
        if (!walk_draw(walk, axes))
            digits[a] = (uint32_t)walk_draw(walk, walk->table->counts[a]);
    }
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
            if (parents)
                breed_row(walk, members, parents, digits);
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

struct guesses {
    struct additive models[TRUTH_OBJECTIVES];
    double *values;   /* [row * objectives + objective], scaled to those chosen */
    uint32_t *digits; /* of the rows chosen */
    double *column;   /* of one objective of these */
    uint8_t *front;   /* by place among the chosen: nobody chosen dominates it */
    double least[TRUTH_OBJECTIVES], range[TRUTH_OBJECTIVES]; /* of the costs of those chosen */
    double *known; /* the front and the guesses of this round, scaled */
    size_t known_count;
};

static double scale_cost(const struct guesses *guesses, size_t objective, double cost)
{
    return 3 + log(WALK_FLOOR + (cost - guesses->least[objective]) / guesses->range[objective]);
}

/* Fits the models to the chosen rows and guesses the objectives of all others. */
static enum status guess_rows(struct row_walk *walk, struct guesses *guesses)
{
    const struct truth_table *table = walk->table;
    const size_t width = table->objective_count, axes = table->axis_count;
    for (size_t i = 0; i < walk->count; i++)
        memcpy(guesses->digits + i * axes, row_digits(walk, walk->chosen[i]),
               axes * sizeof *guesses->digits);
    for (size_t d = 0; d < width; d++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < walk->count; i++) {
            guesses->column[i] = table->costs[walk->chosen[i] * width + d];
            least = fmin(least, guesses->column[i]);
            most = fmax(most, guesses->column[i]);
        }
        guesses->least[d] = least;
        guesses->range[d] = most > least ? most - least : 1;
        for (size_t i = 0; i < walk->count; i++)
            guesses->column[i] = scale_cost(guesses, d, guesses->column[i]);
        const enum status status =
            additive_fit(&guesses->models[d], guesses->digits, guesses->column, walk->count);
        if (status)
            return status;
        for (size_t row = 0; row < table->row_count; row++)
            if (!walk->taken[row])
                guesses->values[row * width + d] =
                    additive_at(&guesses->models[d], row_digits(walk, row));
    }
    return STATUS_OK;
}

/* Marks those of the chosen rows that no other dominates. */
static void mark_front(const struct row_walk *walk, uint8_t *front)
{
    const size_t width = walk->table->objective_count;
    for (size_t i = 0; i < walk->count; i++) {
        const double *own = walk->table->costs + walk->chosen[i] * width;
        front[i] = 1;
        for (size_t k = 0; k < walk->count && front[i]; k++)
            front[i] = !costs_dominate(walk->table->costs + walk->chosen[k] * width, own, width);
    }
}

/* Whether a row differs from some front row in WALK_NEAR digits at most. */
static bool is_near(const struct row_walk *walk, const struct guesses *guesses, size_t row)
{
    const size_t axes = walk->table->axis_count;
    const uint32_t *own = row_digits(walk, row);
    for (size_t i = 0; i < walk->count; i++) {
        const uint32_t *other = row_digits(walk, walk->chosen[i]);
        size_t apart = 0;
        if (!guesses->front[i])
            continue;
        for (size_t a = 0; a < axes && apart <= WALK_NEAR; a++)
            apart += own[a] != other[a];
        if (apart <= WALK_NEAR)
            return true;
    }
    return false;
}

/* How far a guess is beyond the known front: by how much all its costs may grow until a point of
 * the front is as good; less than `enough` may be anything below. */
static double guess_gain(const struct row_walk *walk, const struct guesses *guesses, size_t row,
                         double enough)
{
    const size_t width = walk->table->objective_count;
    const double *guess = guesses->values + row * width;
    double gain = INFINITY;
    for (size_t i = 0; i < guesses->known_count && gain > enough; i++) {
        const double *known = guesses->known + i * width;
        double beyond = -INFINITY;
        for (size_t d = 0; d < width; d++)
            beyond = fmax(beyond, known[d] - guess[d]);
        gain = fmin(gain, beyond);
    }
    return gain;
}

/* The row whose guess is furthest beyond the front, which it joins as if it were so; SIZE_MAX: none
 * is near. */
static size_t best_guess(struct row_walk *walk, struct guesses *guesses, bool near)
{
    const size_t width = walk->table->objective_count, rows = walk->table->row_count;
    const size_t first = walk_draw(walk, rows);
    size_t best = SIZE_MAX;
    double most = -INFINITY;
    for (size_t i = 0; i < rows; i++) {
        const size_t row = (first + i) % rows;
        if (walk->taken[row])
            continue;
        const double gain = guess_gain(walk, guesses, row, most);
        if (gain > most && (!near || is_near(walk, guesses, row))) {
            most = gain;
            best = row;
        }
    }
    if (best != SIZE_MAX)
        memcpy(guesses->known + guesses->known_count++ * width, guesses->values + best * width,
               width * sizeof(double));
    return best;
}

/* Scales the costs of the front as the guesses are. */
static void list_known(const struct row_walk *walk, struct guesses *guesses)
{
    const size_t width = walk->table->objective_count;
    guesses->known_count = 0;
    for (size_t i = 0; i < walk->count; i++) {
        const double *costs = walk->table->costs + walk->chosen[i] * width;
        double *known = guesses->known + guesses->known_count * width;
        if (!guesses->front[i])
            continue;
        for (size_t d = 0; d < width; d++)
            known[d] = scale_cost(guesses, d, costs[d]);
        guesses->known_count++;
    }
}

static enum status open_guesses(const struct row_walk *walk, struct guesses *guesses)
{
    const struct truth_table *table = walk->table;
    *guesses = (struct guesses){0};
    guesses->values = calloc(table->row_count * table->objective_count, sizeof(double));
    guesses->digits = calloc(walk->most * table->axis_count, sizeof(uint32_t));
    guesses->column = calloc(walk->most, sizeof(double));
    guesses->front = calloc(walk->most, 1);
    guesses->known = calloc(walk->most * table->objective_count, sizeof(double));
    enum status status =
        guesses->values && guesses->digits && guesses->column && guesses->front && guesses->known
            ? STATUS_OK
            : STATUS_MEMORY;
    for (size_t d = 0; d < table->objective_count && !status; d++) {
        status = additive_create(table->counts, table->axis_count, &guesses->models[d]);
        guesses->models[d].pair_most = WALK_PAIRS;
    }
    return status;
}

static void free_guesses(struct guesses *guesses)
{
    for (size_t d = 0; d < TRUTH_OBJECTIVES; d++)
        additive_free(&guesses->models[d]);
    free(guesses->values);
    free(guesses->digits);
    free(guesses->column);
    free(guesses->front);
    free(guesses->known);
}

/* A child of two rows of the front; `digits` is scratch. */
static size_t bred_row(struct row_walk *walk, const struct guesses *guesses, size_t known)
{
    struct member members[2];
    for (int i = 0; i < 2; i++) {
        size_t place = walk_draw(walk, known);
        while (!guesses->front[place])
            place = (place + 1) % known;
        add_member(walk, &members[i], walk->chosen[place]);
    }
    uint32_t *digits = guesses->digits + (walk->most - 1) * walk->table->axis_count;
    breed_row(walk, members, 2, digits);
    return nearest_row(walk, digits);
}

/* The next row of a round, whose first `known` rows had costs when it began. */
static size_t walk_next(struct row_walk *walk, struct guesses *guesses, int place, size_t known)
{
    size_t row = SIZE_MAX;
    if (place == WALK_ROUND - 1)
        return free_row(walk);
    if (place % 2)
        return bred_row(walk, guesses, known);
    row = best_guess(walk, guesses, place % 4 == 2);
    return row == SIZE_MAX ? free_row(walk) : row;
}

/* A tenth by chance, then round by round. */
static enum status choose_walk(struct row_walk *walk)
{
    struct guesses guesses;
    enum status status = open_guesses(walk, &guesses);
    while (!status && walk->count < (walk->most + 9) / 10)
        take_row(walk, free_row(walk));
    while (!status && walk->count < walk->most) {
        status = guess_rows(walk, &guesses);
        mark_front(walk, guesses.front);
        list_known(walk, &guesses);
        const size_t known = walk->count;
        for (int i = 0; i < WALK_ROUND && walk->count < walk->most && !status; i++)
            take_row(walk, walk_next(walk, &guesses, i, known));
    }
    free_guesses(&guesses);
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
