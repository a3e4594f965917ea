#include "report/runs/curve_chart.h"

#include <math.h>
#include <stdio.h>

/* Draw values without a position on a numeric axis (choices, "full") as named bars, side by side.
 */
static bool is_named(const struct curve_picture *picture, size_t count)
{
    enum { NAMED_MAX = 16, SPAN = 16 };
    const struct parameter *parameter = picture->parameter;
    if (parameter->type == PARAMETER_ENUM || parameter->type == PARAMETER_BOOL)
        return true;
    for (size_t i = 0; i < count; i++)
        if (parameter_is_top(parameter, picture->values[i]))
            return true;
    /* Zero and then doubling values: zero is not on a logarithmic axis, and a linear one squeezes
     * the small values. */
    return count > 2 && count <= NAMED_MAX &&
           parameter_number(parameter, picture->values[0]) <= 0 &&
           parameter_number(parameter, picture->values[count - 1]) >=
               SPAN * parameter_number(parameter, picture->values[1]);
}

/* Hardware sizes grow by doubling: use a logarithmic axis if the values span a factor of 8. */
static bool doubles(const struct curve_picture *picture, size_t count)
{
    double first = parameter_number(picture->parameter, picture->values[0]);
    return first > 0 &&
           parameter_number(picture->parameter, picture->values[count - 1]) >= 8 * first;
}

/* A share is read against the whole, so its axis stays linear; other metrics may span orders of
 * magnitude. */
static bool spans_magnitudes(const struct curve_picture *picture, size_t count)
{
    enum { SPAN = 20 };
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(picture->y[i])) {
            least = fmin(least, picture->y[i]);
            most = fmax(most, picture->y[i]);
        }
    return picture->metric->unit != UNIT_PERCENT && least > 0 && most >= SPAN * least;
}

static const char *axis_label(const struct curve_picture *picture, char text[96])
{
    if (picture->follower)
        snprintf(text, 96, "%s, %s follows", picture->parameter->path, picture->follower->path);
    return picture->follower ? text : picture->parameter->path;
}

void curve_chart_draw(const struct curve_picture *picture, struct cells *cells, int row, int column,
                      int rows, int columns)
{
    const size_t count = picture->count < CURVE_CHART_MAX ? picture->count : CURVE_CHART_MAX;
    if (!count)
        return;
    const struct parameter *parameter = picture->parameter;
    const bool named = is_named(picture, count);
    const bool choices = parameter->type == PARAMETER_ENUM || parameter->type == PARAMETER_BOOL;
    const size_t own = picture->own < count ? picture->own : 0;
    const size_t cursor = picture->cursor < count ? picture->cursor : own;
    double x[CURVE_CHART_MAX];
    char names[CURVE_CHART_MAX][VALUE_TEXT], label[96];
    const char *ticks[CURVE_CHART_MAX];
    for (size_t i = 0; i < count; i++) {
        x[i] = named ? (double)i : parameter_number(parameter, picture->values[i]);
        ticks[i] = parameter_print(parameter, picture->values[i], names[i]);
    }
    struct series series[3 + CURVE_OTHERS] = {
        {.kind = choices ? SERIES_BARS : SERIES_LINE,
         .role = picture->dim ? ROLE_DIM : ROLE_SERIES_1,
         .x = x,
         .y = picture->y,
         .error = picture->error,
         .count = count},
        {.kind = SERIES_POINTS,
         .role = ROLE_SERIES_2,
         .x = &x[cursor],
         .y = &picture->y[cursor],
         .count = picture->cursor < count && !picture->dim},
        {.kind = SERIES_POINTS,
         .role = ROLE_CURSOR,
         .x = &x[own],
         .y = &picture->y[own],
         .count = picture->own < count && !picture->dim,
         .label = picture->own < count ? picture->own_label : NULL}};
    static const enum role other_roles[CURVE_OTHERS] = {ROLE_SERIES_3, ROLE_SERIES_4, ROLE_FRONT,
                                                        ROLE_ACCENT}; /* each has its glyph */
    double others[CURVE_OTHERS];
    for (size_t i = 0; i < picture->other_count; i++) {
        others[i] = x[picture->others[i].index];
        series[3 + i] = (struct series){.kind = SERIES_POINTS,
                                        .role = other_roles[i],
                                        .x = &others[i],
                                        .y = &picture->others[i].y,
                                        .count = 1,
                                        .label = picture->others[i].name};
    }
    const struct chart chart = {
        .series = series,
        .series_count = 3 + picture->other_count,
        .x = {.label = axis_label(picture, label),
              .unit = parameter->unit,
              .logarithmic = !named && doubles(picture, count),
              .min = x[0],
              .max = x[count - 1],
              .ticks = named ? ticks : NULL,
              .tick_count = count},
        .y = {.unit = picture->metric->unit,
              .logarithmic = !choices && spans_magnitudes(picture, count)},
        .cursor =
            picture->dim || (picture->own >= count && picture->cursor >= count) ? NAN : x[cursor],
        .title = picture->title,
        .glyphs = picture->glyphs};
    chart_draw(&chart, cells, row, column, rows, columns);
}
