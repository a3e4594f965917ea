#include "explore/results/hypervolume.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A set of points as rows of one array. */
struct points {
    double *costs;
    size_t count, dimensions;
};

static double *row(const struct points *points, size_t index)
{
    return points->costs + index * points->dimensions;
}

/* Sorts rows by their last objective, then by the one before it, and so on. */
static int compare_rows(const void *a, const void *b, void *argument)
{
    const double *left = a, *right = b;
    for (size_t d = *(const size_t *)argument; d-- > 0;)
        if (left[d] != right[d])
            return left[d] < right[d] ? -1 : 1;
    return 0;
}

static void sort_rows(struct points *points)
{
    if (points->count > 1)
        qsort_r(points->costs, points->count, points->dimensions * sizeof(double), compare_rows,
                &points->dimensions);
}

static double volume_one(const struct points *points, const double *reference)
{
    double best = reference[0];
    for (size_t i = 0; i < points->count; i++)
        best = fmin(best, points->costs[i]);
    return reference[0] - best;
}

/* Goes through the points in ascending order of the second objective. Each new minimum of the first
 * one adds a slab. */
static double volume_two(struct points *points, const double *reference)
{
    double volume = 0, best = reference[0];
    sort_rows(points);
    for (size_t i = 0; i < points->count; i++) {
        const double *costs = row(points, i);
        if (costs[0] >= best)
            continue;
        volume += (best - costs[0]) * (reference[1] - costs[1]);
        best = costs[0];
    }
    return volume;
}

/* The front of the points that a sweep has passed: first costs ascend, second costs descend. `area`
 * is what it dominates. */
struct stairs {
    double (*steps)[2];
    size_t count;
    double area;
};

/* Inserts a point by binary search, drops the steps that it dominates, and adds to the area. */
static void stairs_insert(struct stairs *stairs, const double *costs, const double *reference)
{
    size_t first = 0, high = stairs->count;
    while (first < high) { /* the first step whose first cost is not smaller */
        size_t middle = first + (high - first) / 2;
        if (stairs->steps[middle][0] < costs[0])
            first = middle + 1;
        else
            high = middle;
    }
    double ceiling = first ? stairs->steps[first - 1][1] : reference[1];
    if (ceiling <= costs[1])
        return;
    size_t end = first;
    double left = costs[0];
    for (; end < stairs->count && stairs->steps[end][1] >= costs[1]; end++) {
        stairs->area += (stairs->steps[end][0] - left) * (ceiling - costs[1]);
        left = stairs->steps[end][0];
        ceiling = stairs->steps[end][1];
    }
    double right = end < stairs->count ? stairs->steps[end][0] : reference[0];
    stairs->area += (right - left) * (ceiling - costs[1]);
    memmove(stairs->steps + first + 1, stairs->steps + end,
            (stairs->count - end) * sizeof *stairs->steps);
    stairs->steps[first][0] = costs[0];
    stairs->steps[first][1] = costs[1];
    stairs->count = stairs->count - (end - first) + 1;
}

/* Sweeps along the third objective: the area of the front so far is the cross-section up to the
 * next point. */
static double volume_three(struct points *points, const double *reference)
{
    struct stairs stairs = {.steps = malloc((points->count + 1) * sizeof *stairs.steps)};
    double volume = 0;
    if (!stairs.steps)
        return NAN;
    sort_rows(points);
    for (size_t i = 0; i < points->count; i++) {
        const double *costs = row(points, i);
        stairs_insert(&stairs, costs, reference);
        double next = i + 1 < points->count ? row(points, i + 1)[2] : reference[2];
        volume += stairs.area * (next - costs[2]);
    }
    free(stairs.steps);
    return volume;
}

static double volume_of(struct points *points, const double *reference, uint64_t *budget);

static bool covers(const double *a, const double *b, size_t dimensions)
{
    for (size_t d = 0; d < dimensions; d++)
        if (a[d] > b[d])
            return false;
    return true;
}

/* Adds a row unless another row covers it, and drops the rows that it covers. */
static void points_add_row(struct points *points, const double *costs)
{
    size_t kept = 0;
    for (size_t i = 0; i < points->count; i++)
        if (covers(row(points, i), costs, points->dimensions))
            return;
    for (size_t i = 0; i < points->count; i++) {
        if (covers(costs, row(points, i), points->dimensions))
            continue;
        memmove(row(points, kept++), row(points, i), points->dimensions * sizeof(double));
    }
    memcpy(row(points, kept), costs, points->dimensions * sizeof(double));
    points->count = kept + 1;
}

/* The volume that point `index` dominates and none of the points after it does. */
static double exclusive(const struct points *points, size_t index, const double *reference,
                        uint64_t *budget)
{
    size_t dimensions = points->dimensions, behind = points->count - index - 1;
    const double *costs = row(points, index);
    double own = 1;
    for (size_t d = 0; d < dimensions; d++)
        own *= reference[d] - costs[d];
    if (!behind)
        return own;
    struct points limited = {.costs = malloc((behind + 1) * dimensions * sizeof(double)),
                             .dimensions = dimensions};
    double *limit = malloc(dimensions * sizeof *limit), shared = NAN;
    uint64_t steps = behind * dimensions;
    bool affordable = *budget > steps;
    *budget -= affordable ? steps : *budget;
    if (limited.costs && limit && affordable) {
        for (size_t i = index + 1; i < points->count; i++) {
            for (size_t d = 0; d < dimensions; d++)
                limit[d] = fmax(row(points, i)[d], costs[d]);
            points_add_row(&limited, limit);
        }
        shared = volume_of(&limited, reference, budget);
    }
    free(limited.costs);
    free(limit);
    return own - shared;
}

static double volume_of(struct points *points, const double *reference, uint64_t *budget)
{
    double volume = 0;
    switch (points->dimensions) {
    case 0:
        return 0;
    case 1:
        return volume_one(points, reference);
    case 2:
        return volume_two(points, reference);
    case 3:
        return volume_three(points, reference);
    }
    sort_rows(points);
    for (size_t i = 0; i < points->count && !isnan(volume); i++)
        volume += exclusive(points, i, reference, budget);
    return volume;
}

static bool is_below(const double *costs, const double *reference, size_t dimensions)
{
    for (size_t d = 0; d < dimensions; d++)
        if (!(costs[d] < reference[d]))
            return false;
    return true;
}

double hypervolume_reference(double low, double high)
{
    return high + (high > low ? 0.1 * (high - low) : 1);
}

double hypervolume(const double *costs, size_t count, size_t dimensions, const double *reference,
                   uint64_t budget)
{
    struct points points = {.costs = malloc((count + 1) * (dimensions + 1) * sizeof(double)),
                            .dimensions = dimensions};
    if (!points.costs || count * dimensions > budget) {
        free(points.costs);
        return NAN;
    }
    for (size_t i = 0; i < count; i++)
        if (is_below(costs + i * dimensions, reference, dimensions))
            memcpy(row(&points, points.count++), costs + i * dimensions,
                   dimensions * sizeof(double));
    double volume = volume_of(&points, reference, &budget);
    free(points.costs);
    return volume;
}
