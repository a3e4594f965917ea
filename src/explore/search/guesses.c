#include "explore/search/guesses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/rng.h"
#include "explore/search/kriging.h"
#include "explore/search/population.h"

/* Of the range of a cost: what is added before its logarithm. */
#define GUESSES_FLOOR 0.02

enum { GUESSES_NEAR = 2 };

/* A point whose eligibility is guessed below this is no candidate. */
#define GUESSES_ELIGIBLE 0.5

struct guesses {
    size_t axis_count, objective_count;
    bool *exact;
    struct kriging *models; /* of the costs, then of whether a point is eligible */
    uint32_t *digits;       /* of the known points */
    double *costs;
    uint8_t *eligible, *front; /* by known point: no eligible one dominates it */
    size_t count, digit_capacity, cost_capacity, eligible_capacity, front_capacity;
    size_t refused;        /* known points that are not eligible */
    double *least, *range; /* of each cost */
    double *column;        /* of the known points: one scaled cost */
    double *values;        /* of the points offered: scaled costs */
    uint8_t *hopeless;     /* of the points offered: guessed not to be eligible */
    double *known;         /* the front, and what was chosen since, scaled */
    size_t known_count, column_capacity, value_capacity, hopeless_capacity, known_capacity;
};

enum status guesses_create(const size_t *counts, size_t axis_count, const bool *exact,
                           size_t objective_count, struct guesses **result)
{
    struct guesses *guesses = calloc(1, sizeof *guesses);
    *result = guesses;
    if (!guesses)
        return STATUS_MEMORY;
    guesses->axis_count = axis_count;
    guesses->objective_count = objective_count;
    guesses->models = calloc(objective_count + 1, sizeof *guesses->models);
    guesses->exact = calloc(objective_count + 1, sizeof *guesses->exact);
    guesses->least = calloc(objective_count + 1, sizeof *guesses->least);
    guesses->range = calloc(objective_count + 1, sizeof *guesses->range);
    enum status status = guesses->models && guesses->exact && guesses->least && guesses->range
                             ? STATUS_OK
                             : STATUS_MEMORY;
    for (size_t d = 0; d <= objective_count && !status; d++) {
        guesses->exact[d] = exact && d < objective_count && exact[d];
        status = kriging_create(counts, axis_count, &guesses->models[d]);
    }
    return status;
}

void guesses_free(struct guesses *guesses)
{
    if (!guesses)
        return;
    for (size_t d = 0; guesses->models && d <= guesses->objective_count; d++)
        kriging_free(&guesses->models[d]);
    void *const owned[] = {guesses->models, guesses->exact,    guesses->digits, guesses->costs,
                           guesses->front,  guesses->eligible, guesses->least,  guesses->range,
                           guesses->column, guesses->hopeless, guesses->values, guesses->known};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    free(guesses);
}

/* Makes a known point one of the front, unless one of that dominates it. */
static void enter_front(struct guesses *guesses, size_t number)
{
    const size_t width = guesses->objective_count;
    const double *own = guesses->costs + number * width;
    for (size_t i = 0; i < number; i++)
        if (guesses->front[i] && costs_dominate(guesses->costs + i * width, own, width))
            return;
    for (size_t i = 0; i < number; i++)
        if (guesses->front[i] && costs_dominate(own, guesses->costs + i * width, width))
            guesses->front[i] = 0;
    guesses->front[number] = 1;
}

enum status guesses_learn(struct guesses *guesses, const uint32_t *digits, const double *costs,
                          bool eligible)
{
    const size_t axes = guesses->axis_count, width = guesses->objective_count;
    const size_t number = guesses->count;
    if (array_reserve(&guesses->digits, &guesses->digit_capacity, (number + 1) * axes) ||
        array_reserve(&guesses->costs, &guesses->cost_capacity, (number + 1) * width) ||
        array_reserve(&guesses->eligible, &guesses->eligible_capacity, number + 1) ||
        array_reserve(&guesses->front, &guesses->front_capacity, number + 1))
        return STATUS_MEMORY;
    memcpy(guesses->digits + number * axes, digits, axes * sizeof *digits);
    memcpy(guesses->costs + number * width, costs, width * sizeof *costs);
    guesses->eligible[number] = eligible;
    guesses->front[number] = 0;
    guesses->refused += !eligible;
    guesses->count++;
    if (eligible)
        enter_front(guesses, number);
    return STATUS_OK;
}

/* ---- guesses ---- */

static void widen(double cost, double *least, double *most)
{
    if (!isfinite(cost))
        return;
    *least = fmin(*least, cost);
    *most = fmax(*most, cost);
}

/* Finds the range of a cost over all points whose cost is known. */
static void measure_range(struct guesses *guesses, size_t objective,
                          const struct guess_points *points)
{
    const size_t width = guesses->objective_count;
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < guesses->count; i++)
        widen(guesses->costs[i * width + objective], &least, &most);
    for (size_t i = 0; i < points->count && guesses->exact[objective]; i++)
        widen(points->costs[i * width + objective], &least, &most);
    guesses->least[objective] = isfinite(least) ? least : 0;
    guesses->range[objective] = most > least ? most - least : 1;
}

static double scale_cost(const struct guesses *guesses, size_t objective, double cost)
{
    return 3 + log(GUESSES_FLOOR + (cost - guesses->least[objective]) / guesses->range[objective]);
}

static enum status guess_cost(struct guesses *guesses, size_t objective,
                              const struct guess_points *points)
{
    const size_t width = guesses->objective_count, axes = guesses->axis_count;
    struct kriging *model = &guesses->models[objective];
    measure_range(guesses, objective, points);
    if (!guesses->exact[objective]) {
        for (size_t i = 0; i < guesses->count; i++)
            guesses->column[i] =
                scale_cost(guesses, objective, guesses->costs[i * width + objective]);
        const enum status status =
            kriging_fit(model, guesses->digits, guesses->column, guesses->front, guesses->count);
        if (status)
            return status;
    }
    for (size_t i = 0; i < points->count; i++)
        if (!points->taken[i])
            guesses->values[i * width + objective] =
                guesses->exact[objective]
                    ? scale_cost(guesses, objective, points->costs[i * width + objective])
                    : kriging_at(model, points->digits + i * axes);
    return STATUS_OK;
}

/* Guesses which points are not eligible; all are where every known one is. */
static enum status guess_eligible(struct guesses *guesses, const struct guess_points *points)
{
    struct kriging *model = &guesses->models[guesses->objective_count];
    memset(guesses->hopeless, 0, points->count);
    if (!guesses->refused)
        return STATUS_OK;
    for (size_t i = 0; i < guesses->count; i++)
        guesses->column[i] = guesses->eligible[i];
    const enum status status =
        kriging_fit(model, guesses->digits, guesses->column, guesses->front, guesses->count);
    for (size_t i = 0; i < points->count && !status; i++)
        guesses->hopeless[i] =
            kriging_at(model, points->digits + i * guesses->axis_count) < GUESSES_ELIGIBLE;
    return status;
}

/* ---- the front ---- */

/* Scales the costs of the front as guesses are. */
static void scale_front(struct guesses *guesses)
{
    const size_t width = guesses->objective_count;
    guesses->known_count = 0;
    for (size_t i = 0; i < guesses->count; i++) {
        if (!guesses->front[i])
            continue;
        double *known = guesses->known + guesses->known_count++ * width;
        for (size_t d = 0; d < width; d++)
            known[d] = scale_cost(guesses, d, guesses->costs[i * width + d]);
    }
}

enum status guesses_fit(struct guesses *guesses, const struct guess_points *points)
{
    const size_t width = guesses->objective_count;
    if (array_reserve(&guesses->column, &guesses->column_capacity, guesses->count) ||
        array_reserve(&guesses->values, &guesses->value_capacity, points->count * width + 1) ||
        array_reserve(&guesses->hopeless, &guesses->hopeless_capacity, points->count + 1) ||
        array_reserve(&guesses->known, &guesses->known_capacity,
                      (guesses->count + GUESSES_ROUND) * width))
        return STATUS_MEMORY;
    enum status status = guess_eligible(guesses, points);
    for (size_t d = 0; d < width && !status; d++)
        status = guess_cost(guesses, d, points);
    scale_front(guesses);
    return status;
}

size_t guesses_front_count(const struct guesses *guesses)
{
    size_t count = 0;
    for (size_t i = 0; i < guesses->count; i++)
        count += guesses->front[i];
    return count;
}

const uint32_t *guesses_front(const struct guesses *guesses, size_t index)
{
    for (size_t i = 0; i < guesses->count; i++)
        if (guesses->front[i] && !index--)
            return guesses->digits + i * guesses->axis_count;
    return NULL;
}

void guesses_front_costs(const struct guesses *guesses, double *costs)
{
    const size_t width = guesses->objective_count;
    for (size_t i = 0; i < guesses->count; i++)
        if (guesses->front[i]) {
            memcpy(costs, guesses->costs + i * width, width * sizeof *costs);
            costs += width;
        }
}

/* ---- choosing ---- */

static bool is_near(const struct guesses *guesses, const uint32_t *digits)
{
    const size_t axes = guesses->axis_count;
    for (size_t i = 0; i < guesses->count; i++) {
        const uint32_t *other = guesses->digits + i * axes;
        size_t apart = 0;
        if (!guesses->front[i])
            continue;
        for (size_t a = 0; a < axes && apart <= GUESSES_NEAR; a++)
            apart += digits[a] != other[a];
        if (apart <= GUESSES_NEAR)
            return true;
    }
    return false;
}

/* How far a guess is beyond the known front: by how much all its costs may grow until a point of
 * the front is as good; less than `enough` may be anything below. */
static double guess_gain(const struct guesses *guesses, const double *guess, double enough)
{
    const size_t width = guesses->objective_count;
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

size_t guesses_choose(struct guesses *guesses, const struct guess_points *points, bool near,
                      size_t first)
{
    const size_t width = guesses->objective_count;
    size_t best = SIZE_MAX;
    double most = -INFINITY;
    for (size_t i = 0; i < points->count; i++) {
        const size_t point = (first + i) % points->count;
        if (points->taken[point] || guesses->hopeless[point])
            continue;
        const double gain = guess_gain(guesses, guesses->values + point * width, most);
        if (gain > most &&
            (!near || is_near(guesses, points->digits + point * guesses->axis_count))) {
            most = gain;
            best = point;
        }
    }
    if (best != SIZE_MAX)
        memcpy(guesses->known + guesses->known_count++ * width, guesses->values + best * width,
               width * sizeof(double));
    return best;
}

void guess_breed(const uint32_t *const parents[2], const size_t *counts, size_t axis_count,
                 uint64_t seed, uint64_t *draws, uint32_t *digits)
{
    for (size_t a = 0; a < axis_count; a++) {
        digits[a] = parents[random_below(random_at(seed, (*draws)++), 2)][a];
        if (!random_below(random_at(seed, (*draws)++), axis_count))
            digits[a] = (uint32_t)random_below(random_at(seed, (*draws)++), counts[a]);
    }
}
