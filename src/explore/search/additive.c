#include "explore/search/additive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status additive_create(const size_t *counts, size_t axis_count, struct additive *model)
{
    *model = (struct additive){.axis_count = axis_count};
    model->first = calloc(axis_count + 1, sizeof *model->first);
    if (!model->first)
        return STATUS_MEMORY;
    for (size_t a = 0; a < axis_count; a++)
        model->first[a + 1] = model->first[a] + counts[a];
    const size_t digits = model->first[axis_count];
    model->parts = calloc(digits + 1, sizeof *model->parts);
    model->sums = calloc(2 * digits + 1, sizeof *model->sums);
    return model->parts && model->sums ? STATUS_OK : STATUS_MEMORY;
}

static void free_pairs(struct additive *model)
{
    for (size_t p = 0; p < model->pair_count; p++)
        free(model->pairs[p].parts);
    free(model->pairs);
    model->pairs = NULL;
    model->pair_count = 0;
}

void additive_free(struct additive *model)
{
    free_pairs(model);
    free(model->first);
    free(model->parts);
    free(model->sums);
    *model = (struct additive){0};
}

/* Fits the parts of one axis to what is left over, and takes them from that. */
static void fit_axis(struct additive *model, size_t axis, const uint32_t *digits, double *left,
                     size_t count)
{
    const size_t first = model->first[axis], axes = model->axis_count;
    const size_t own = model->first[axis + 1] - first, all = model->first[axes];
    double *parts = model->parts + first, *sums = model->sums + first, *points = sums + all;
    memset(sums, 0, own * sizeof *sums);
    memset(points, 0, own * sizeof *points);
    for (size_t i = 0; i < count; i++) {
        const uint32_t digit = digits[i * axes + axis];
        if (isnan(left[i]))
            continue;
        sums[digit] += left[i] + parts[digit];
        points[digit]++;
    }
    for (size_t d = 0; d < own; d++) { /* `sums` becomes how much each part changes */
        const double part = sums[d] / (points[d] + ADDITIVE_DRAWN);
        sums[d] = part - parts[d];
        parts[d] = part;
    }
    for (size_t i = 0; i < count; i++)
        left[i] -= sums[digits[i * axes + axis]];
}

/* ---- pairs ---- */

static size_t digit_count(const struct additive *model, size_t axis)
{
    return model->first[axis + 1] - model->first[axis];
}

static size_t pair_place(const struct additive *model, const size_t axes[2], const uint32_t *digits)
{
    return digits[axes[0]] * digit_count(model, axes[1]) + digits[axes[1]];
}

/* Sums what is left over by the digits of a pair, and returns how much that explains. */
static double sum_pair(const struct additive *model, const size_t axes[2], const uint32_t *digits,
                       const double *left, size_t count, double *sums)
{
    const size_t places = digit_count(model, axes[0]) * digit_count(model, axes[1]);
    double explained = 0, *points = sums + places;
    memset(sums, 0, 2 * places * sizeof *sums);
    for (size_t i = 0; i < count; i++) {
        const size_t place = pair_place(model, axes, digits + i * model->axis_count);
        if (isnan(left[i]))
            continue;
        sums[place] += left[i];
        points[place]++;
    }
    for (size_t d = 0; d < places; d++) { /* `sums` becomes the parts */
        const double part = sums[d] / (points[d] + ADDITIVE_PAIRS_DRAWN);
        explained += sums[d] * part;
        sums[d] = part;
    }
    return explained;
}

/* Fits the pair that explains most, and takes it from what is left over; none where nothing is. */
static enum status fit_pair(struct additive *model, const uint32_t *digits, double *left,
                            size_t count, double *sums)
{
    struct additive_pair *pair = &model->pairs[model->pair_count];
    double most = 0;
    for (size_t a = 0; a < model->axis_count; a++)
        for (size_t b = a + 1; b < model->axis_count; b++) {
            const size_t axes[2] = {a, b};
            const double explained = sum_pair(model, axes, digits, left, count, sums);
            if (explained <= most)
                continue;
            most = explained;
            memcpy(pair->axes, axes, sizeof axes);
        }
    if (!(most > 0))
        return STATUS_OK;
    sum_pair(model, pair->axes, digits, left, count, sums);
    const size_t places = digit_count(model, pair->axes[0]) * digit_count(model, pair->axes[1]);
    pair->parts = malloc(places * sizeof *pair->parts);
    if (!pair->parts)
        return STATUS_MEMORY;
    memcpy(pair->parts, sums, places * sizeof *sums);
    model->pair_count++;
    for (size_t i = 0; i < count; i++)
        left[i] -= sums[pair_place(model, pair->axes, digits + i * model->axis_count)];
    return STATUS_OK;
}

static enum status fit_pairs(struct additive *model, const uint32_t *digits, double *left,
                             size_t count)
{
    size_t widest = 1;
    for (size_t a = 0; a < model->axis_count; a++)
        widest = digit_count(model, a) > widest ? digit_count(model, a) : widest;
    double *sums = malloc(2 * widest * widest * sizeof *sums);
    model->pairs = calloc(model->pair_most, sizeof *model->pairs);
    enum status status = sums && model->pairs ? STATUS_OK : STATUS_MEMORY;
    for (size_t p = 0; p < model->pair_most && !status; p++)
        status = fit_pair(model, digits, left, count, sums);
    free(sums);
    return status;
}

/* ---- the whole ---- */

enum status additive_fit(struct additive *model, const uint32_t *digits, const double *values,
                         size_t count)
{
    double *left = calloc(count + 1, sizeof *left), sum = 0;
    size_t known = 0;
    if (!left)
        return STATUS_MEMORY;
    model->logarithms = true;
    for (size_t i = 0; i < count; i++)
        model->logarithms = model->logarithms && !(values[i] <= 0);
    for (size_t i = 0; i < count; i++) {
        left[i] = model->logarithms ? log(values[i]) : values[i];
        if (!isfinite(left[i]))
            left[i] = NAN;
        else
            sum += left[i], known++;
    }
    model->mean = known ? sum / (double)known : 0;
    for (size_t i = 0; i < count; i++)
        left[i] -= model->mean;
    memset(model->parts, 0, model->first[model->axis_count] * sizeof *model->parts);
    for (int turn = 0; turn < ADDITIVE_TURNS; turn++)
        for (size_t a = 0; a < model->axis_count; a++)
            fit_axis(model, a, digits, left, count);
    free_pairs(model);
    const enum status status = model->pair_most ? fit_pairs(model, digits, left, count) : STATUS_OK;
    free(left);
    return status;
}

double additive_at(const struct additive *model, const uint32_t *digits)
{
    double sum = model->mean;
    for (size_t a = 0; a < model->axis_count; a++)
        sum += model->parts[model->first[a] + digits[a]];
    for (size_t p = 0; p < model->pair_count; p++)
        sum += model->pairs[p].parts[pair_place(model, model->pairs[p].axes, digits)];
    return model->logarithms ? exp(sum) : sum;
}
