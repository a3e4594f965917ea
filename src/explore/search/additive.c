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

void additive_free(struct additive *model)
{
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
    free(left);
    return STATUS_OK;
}

double additive_at(const struct additive *model, const uint32_t *digits)
{
    double sum = model->mean;
    for (size_t a = 0; a < model->axis_count; a++)
        sum += model->parts[model->first[a] + digits[a]];
    return model->logarithms ? exp(sum) : sum;
}
