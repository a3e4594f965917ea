#include "explore/store/point_difference.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/counts.h"

static enum status get_point(struct store *store, uint64_t point, double *values,
                             struct diagnostics *diagnostics)
{
    bool found = false;
    enum status status = point < store_space(store)->points
                             ? store_get(store, point, values, &found, diagnostics)
                             : STATUS_OK;
    if (status || found)
        return status;
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "there is no point %" PRIu64, point);
}

static void find_axes(const struct space *space, uint64_t from, uint64_t to,
                      struct point_difference *difference)
{
    for (size_t a = 0; a < space->study->axis_count; a++) {
        if (space_digit(space, from % space->machines, a) ==
            space_digit(space, to % space->machines, a))
            continue;
        if (difference->axis_count < DIFFERENCE_AXES)
            difference->axes[difference->axis_count] = a;
        difference->axis_count++;
    }
}

/* The point that has the values of `to` in the axes of `set`, those of `from` in the others. */
static uint64_t point_between(const struct space *space, uint64_t from, uint64_t to,
                              const struct point_difference *difference, size_t set)
{
    uint64_t point = from, stride = 1;
    for (size_t a = space->study->axis_count; a-- > 0; stride *= space->study->axes[a].count)
        for (size_t i = 0; i < difference->axis_count; i++)
            if (difference->axes[i] == a && set >> i & 1) {
                point -= stride * space_digit(space, from % space->machines, a);
                point += stride * space_digit(space, to % space->machines, a);
            }
    return point;
}

/* Adds to the parts what the points between say: values[set * columns + c]. An axis comes right
 * after a set of `before` others in before! (axes - before - 1)! of axes! orders. */
static void add_parts(const double *values, struct point_difference *difference)
{
    const size_t axes = difference->axis_count, columns = difference->column_count;
    for (size_t i = 0; i < axes; i++)
        for (size_t set = 0; set < (size_t)1 << axes; set++) {
            const double before = (double)__builtin_popcountll(set);
            const double orders =
                exp(lgamma(before + 1) + lgamma((double)axes - before) - lgamma((double)axes + 1));
            for (size_t c = 0; c < columns && !(set >> i & 1); c++)
                difference->parts[i * columns + c] +=
                    orders *
                    (values[(set | (size_t)1 << i) * columns + c] - values[set * columns + c]);
        }
}

static enum status take_apart(struct store *store, uint64_t from, uint64_t to,
                              struct point_difference *difference, struct diagnostics *diagnostics)
{
    const size_t sets = (size_t)1 << difference->axis_count, columns = difference->column_count;
    double *values = calloc(sets * columns + 1, sizeof *values);
    enum status status = values ? STATUS_OK : STATUS_MEMORY;
    for (size_t set = 0; set < sets && !status; set++) {
        bool found = false;
        status = store_get(store, point_between(store_space(store), from, to, difference, set),
                           values + set * columns, &found, diagnostics);
        difference->missing += !found;
        for (size_t c = 0; c < columns && !found; c++)
            values[set * columns + c] = NAN;
    }
    if (!status)
        add_parts(values, difference);
    free(values);
    return status;
}

enum status point_difference_open(struct store *store, uint64_t from, uint64_t to,
                                  struct point_difference *difference,
                                  struct diagnostics *diagnostics)
{
    const struct metric *const *columns;
    const struct space *space = store_space(store);
    *difference = (struct point_difference){.column_count = store_columns(store, &columns)};
    const size_t count = difference->column_count;
    difference->from = calloc(count + 1, sizeof *difference->from);
    difference->to = calloc(count + 1, sizeof *difference->to);
    difference->parts = calloc(DIFFERENCE_AXES * count + 1, sizeof *difference->parts);
    enum status status =
        difference->from && difference->to && difference->parts ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        status = get_point(store, from, difference->from, diagnostics);
    if (!status)
        status = get_point(store, to, difference->to, diagnostics);
    if (!status && from / space->machines != to / space->machines)
        status = diagnostics_error(diagnostics, STATUS_INVALID,
                                   "points %" PRIu64 " and %" PRIu64
                                   " are of different workloads, which says nothing of machines",
                                   from, to);
    if (!status) {
        find_axes(space, from, to, difference);
        if (difference->axis_count <= DIFFERENCE_AXES)
            status = take_apart(store, from, to, difference, diagnostics);
        else
            difference->missing = UINT64_MAX;
    }
    if (status)
        point_difference_close(difference);
    return status;
}

const char *point_difference_untold(const struct point_difference *difference,
                                    char text[DIFFERENCE_TEXT])
{
    char missing[COUNT_TEXT];
    text[0] = '\0';
    if (difference->missing == UINT64_MAX)
        snprintf(text, DIFFERENCE_TEXT, "the points differ in %zu axes; up to %d are taken apart",
                 difference->axis_count, DIFFERENCE_AXES);
    else if (difference->missing)
        snprintf(text, DIFFERENCE_TEXT,
                 "%s between the two have no row, so nothing can be said of single axes",
                 counted_print(difference->missing, "point", missing));
    return text;
}

void point_difference_close(struct point_difference *difference)
{
    free(difference->from);
    free(difference->to);
    free(difference->parts);
    *difference = (struct point_difference){0};
}
