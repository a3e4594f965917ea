#include "explore/search/kriging.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* How much less alike points at both ends of an axis are, and the share of a number that is noise.
 */
static const double slopes[] = {0, 0.02, 0.06, 0.2, 0.6, 2, 6};
static const double noises[] = {1e-6, 1e-4, 1e-3, 1e-2, 1e-1};
enum {
    SLOPES = sizeof slopes / sizeof *slopes,
    NOISES = sizeof noises / sizeof *noises,
    FIRST_SLOPE = 3,
    FIRST_NOISE = 2,
    TURNS = 2,
    TUNED_LEAST = 5 /* points */
};

enum status kriging_create(const size_t *counts, size_t axis_count, struct kriging *model)
{
    *model = (struct kriging){.axis_count = axis_count, .noise = FIRST_NOISE};
    model->counts = calloc(axis_count + 1, sizeof *model->counts);
    model->first = calloc(axis_count + 1, sizeof *model->first);
    model->steeps = calloc(axis_count + 1, sizeof *model->steeps);
    if (!model->counts || !model->first || !model->steeps)
        return STATUS_MEMORY;
    for (size_t a = 0; a < axis_count; a++) {
        model->counts[a] = counts[a];
        model->first[a + 1] = model->first[a] + counts[a];
        model->steeps[a] = counts[a] > 1 ? FIRST_SLOPE : 0;
    }
    return STATUS_OK;
}

static void free_known(struct kriging *model)
{
    free(model->digits);
    free(model->values);
    free(model->weights);
    free(model->factor);
    free(model->apart);
    free(model->alike);
    free(model->row);
    model->digits = NULL;
    model->values = model->weights = model->factor = model->apart = model->alike = model->row =
        NULL;
    model->count = 0;
}

void kriging_free(struct kriging *model)
{
    free_known(model);
    free(model->counts);
    free(model->first);
    free(model->steeps);
    *model = (struct kriging){0};
}

/* ---- known points ---- */

/* Whether item `i` of `count` is one of at most `most`, evenly spaced. */
static bool is_drawn(size_t i, size_t count, size_t most)
{
    return count <= most || (i + 1) * most / count != i * most / count;
}

static enum status take_known(struct kriging *model, const uint32_t *digits, const double *values,
                              const uint8_t *kept, size_t count)
{
    const size_t axes = model->axis_count;
    size_t found[2] = {0}, at[2] = {0}, most = KRIGING_MOST;
    for (size_t i = 0; i < count; i++)
        found[kept[i] != 0] += isfinite(values[i]) != 0;
    const size_t total = found[0] + found[1];
    if (total > most)
        most /= 2;
    const size_t room = total < KRIGING_MOST ? total : KRIGING_MOST;
    free_known(model);
    model->digits = calloc(room * axes + 1, sizeof *model->digits);
    model->values = calloc(room + 1, sizeof *model->values);
    model->weights = calloc(room + 1, sizeof *model->weights);
    model->factor = calloc(room * room + 1, sizeof *model->factor);
    model->apart = calloc(room * room + 1, sizeof *model->apart);
    model->alike = calloc(room * model->first[axes] + 1, sizeof *model->alike);
    model->row = calloc(room + 1, sizeof *model->row);
    if (!model->digits || !model->values || !model->weights || !model->factor || !model->apart ||
        !model->alike || !model->row)
        return STATUS_MEMORY;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t kind = kept[i] != 0;
        if (!isfinite(values[i]) || !is_drawn(at[kind]++, found[kind], most))
            continue;
        memcpy(model->digits + model->count * axes, digits + i * axes, axes * sizeof *digits);
        model->values[model->count++] = values[i];
        sum += values[i];
    }
    model->mean = model->count ? sum / (double)model->count : 0;
    for (size_t i = 0; i < model->count; i++)
        model->values[i] -= model->mean;
    return STATUS_OK;
}

/* ---- how alike they are ---- */

/* The share of an axis that lies between two digits. */
static double share_between(const struct kriging *model, size_t axis, uint32_t one, uint32_t other)
{
    const double steps = one > other ? one - other : other - one;
    return one == other ? 0 : steps / (double)(model->counts[axis] - 1);
}

/* Makes an axis steeper by so much for all pairs of points. */
static void add_slope(struct kriging *model, size_t axis, double slope)
{
    const size_t n = model->count, axes = model->axis_count;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++)
            model->apart[i * n + j] +=
                slope * share_between(model, axis, model->digits[i * axes + axis],
                                      model->digits[j * axes + axis]);
}

/* Solves for the weights half, and returns the logarithm of the likelihood but for a constant. The
 * factor is upper triangular, so that all steps go along its rows. */
static double factorise(struct kriging *model)
{
    const size_t n = model->count;
    double logs = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j < n; j++)
            model->factor[i * n + j] = exp(-model->apart[i * n + j]);
        model->factor[i * n + i] += noises[model->noise];
        model->weights[i] = model->values[i];
    }
    for (size_t k = 0; k < n; k++) {
        double *row = model->factor + k * n;
        const double root = sqrt(fmax(row[k], 1e-12));
        for (size_t j = k; j < n; j++)
            row[j] /= root;
        model->weights[k] /= row[k];
        for (size_t i = k + 1; i < n; i++) {
            double *below = model->factor + i * n;
            const double times = row[i];
            for (size_t j = i; j < n; j++)
                below[j] -= times * row[j];
            model->weights[i] -= times * model->weights[k];
        }
        squares += model->weights[k] * model->weights[k];
        logs += log(row[k]);
    }
    return -(double)n / 2 * log(squares) - logs;
}

/* ---- slopes and noise ---- */

/* Makes an axis one level steeper or flatter if that is more likely. */
static bool try_slope(struct kriging *model, size_t axis, int by, double *best)
{
    const int steep = model->steeps[axis] + by;
    if (steep < 0 || steep >= SLOPES)
        return false;
    const double slope = slopes[steep] - slopes[model->steeps[axis]];
    add_slope(model, axis, slope);
    const double likely = factorise(model);
    if (!(likely > *best)) {
        add_slope(model, axis, -slope);
        return false;
    }
    *best = likely;
    model->steeps[axis] = (uint8_t)steep;
    return true;
}

static void try_noise(struct kriging *model, int by, double *best)
{
    const int noise = model->noise + by, before = model->noise;
    if (noise < 0 || noise >= NOISES)
        return;
    model->noise = (uint8_t)noise;
    const double likely = factorise(model);
    if (likely > *best)
        *best = likely;
    else
        model->noise = (uint8_t)before;
}

static void tune(struct kriging *model)
{
    double best = factorise(model);
    for (int turn = 0; turn < TURNS; turn++) {
        for (size_t a = 0; a < model->axis_count; a++)
            for (int by = -1; by <= 1 && model->counts[a] > 1; by += 2)
                if (try_slope(model, a, by, &best))
                    try_slope(model, a, by, &best);
        for (int by = -1; by <= 1; by += 2)
            try_noise(model, by, &best);
    }
    model->tuned = model->count;
}

/* ---- the whole ---- */

/* Finds how alike a point with each digit is to each known one, as far as that digit goes. */
static void list_alike(struct kriging *model)
{
    const size_t n = model->count, axes = model->axis_count;
    for (size_t a = 0; a < axes; a++)
        for (size_t d = 0; d < model->counts[a] && model->steeps[a]; d++)
            for (size_t i = 0; i < n; i++)
                model->alike[(model->first[a] + d) * n + i] =
                    exp(-slopes[model->steeps[a]] *
                        share_between(model, a, (uint32_t)d, model->digits[i * axes + a]));
}

static bool all_equal(const struct kriging *model)
{
    for (size_t i = 0; i < model->count; i++)
        if (model->values[i] != model->values[0])
            return false;
    return true;
}

enum status kriging_fit(struct kriging *model, const uint32_t *digits, const double *values,
                        const uint8_t *kept, size_t count)
{
    const enum status status = take_known(model, digits, values, kept, count);
    const size_t n = model->count;
    if (status || all_equal(model))
        return status; /* all weights are 0 */
    for (size_t a = 0; a < model->axis_count; a++)
        if (model->steeps[a])
            add_slope(model, a, slopes[model->steeps[a]]);
    if (n >= TUNED_LEAST && 4 * n >= 5 * model->tuned)
        tune(model);
    factorise(model);
    for (size_t i = n; i-- > 0;) {
        const double *row = model->factor + i * n;
        for (size_t k = i + 1; k < n; k++)
            model->weights[i] -= row[k] * model->weights[k];
        model->weights[i] /= row[i];
    }
    list_alike(model);
    return STATUS_OK;
}

double kriging_at(const struct kriging *model, const uint32_t *digits)
{
    const size_t n = model->count;
    double sum = model->mean, *row = model->row;
    if (n)
        memcpy(row, model->weights, n * sizeof *row);
    for (size_t a = 0; a < model->axis_count; a++) {
        const double *alike = model->alike + (model->first[a] + digits[a]) * n;
        for (size_t i = 0; i < n && model->steeps[a]; i++)
            row[i] *= alike[i];
    }
    for (size_t i = 0; i < n; i++)
        sum += row[i];
    return sum;
}
