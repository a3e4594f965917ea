#include "report/runs/curve_chart.h"
#include "report/drawing/chart.h"

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

/* A chart with all that it points to. */
struct curve_parts {
    double x[CURVE_CHART_MAX], others[CURVE_OTHERS];
    char names[CURVE_CHART_MAX][VALUE_TEXT], label[96];
    const char *ticks[CURVE_CHART_MAX];
    struct series series[3 + CURVE_OTHERS];
    struct chart chart;
};

/* `count`: of the values that are drawn, at least one. */
static void curve_series(const struct curve_picture *picture, size_t count,
                         struct curve_parts *parts)
{
    static const enum role other_roles[CURVE_OTHERS] = {ROLE_SERIES_3, ROLE_SERIES_4, ROLE_FRONT,
                                                        ROLE_ACCENT}; /* each has its glyph */
    const struct parameter *parameter = picture->parameter;
    const bool choices = parameter->type == PARAMETER_ENUM || parameter->type == PARAMETER_BOOL;
    const size_t own = picture->own < count ? picture->own : 0;
    const size_t cursor = picture->cursor < count ? picture->cursor : own;
    parts->series[0] = (struct series){.kind = choices ? SERIES_BARS : SERIES_LINE,
                                       .role = picture->dim ? ROLE_DIM : ROLE_SERIES_1,
                                       .x = parts->x,
                                       .y = picture->y,
                                       .error = picture->error,
                                       .count = count};
    parts->series[1] = (struct series){.kind = SERIES_POINTS,
                                       .role = ROLE_SERIES_2,
                                       .x = &parts->x[cursor],
                                       .y = &picture->y[cursor],
                                       .count = picture->cursor < count && !picture->dim};
    parts->series[2] = (struct series){.kind = SERIES_POINTS,
                                       .role = ROLE_CURSOR,
                                       .x = &parts->x[own],
                                       .y = &picture->y[own],
                                       .count = picture->own < count && !picture->dim,
                                       .label = picture->own < count ? picture->own_label : NULL};
    for (size_t i = 0; i < picture->other_count; i++) {
        parts->others[i] = parts->x[picture->others[i].index];
        parts->series[3 + i] = (struct series){.kind = SERIES_POINTS,
                                               .role = other_roles[i],
                                               .x = &parts->others[i],
                                               .y = &picture->others[i].y,
                                               .count = 1,
                                               .label = picture->others[i].name};
    }
}

/* False: there is nothing to draw. */
static bool curve_chart_make(const struct curve_picture *picture, struct curve_parts *parts)
{
    const size_t count = picture->count < CURVE_CHART_MAX ? picture->count : CURVE_CHART_MAX;
    if (!count)
        return false;
    const struct parameter *parameter = picture->parameter;
    const bool named = is_named(picture, count);
    const bool choices = parameter->type == PARAMETER_ENUM || parameter->type == PARAMETER_BOOL;
    const size_t own = picture->own < count ? picture->own : 0;
    const size_t cursor = picture->cursor < count ? picture->cursor : own;
    for (size_t i = 0; i < count; i++) {
        parts->x[i] = named ? (double)i : parameter_number(parameter, picture->values[i]);
        parts->ticks[i] = parameter_print(parameter, picture->values[i], parts->names[i]);
    }
    curve_series(picture, count, parts);
    parts->chart =
        (struct chart){.series = parts->series,
                       .series_count = 3 + picture->other_count,
                       .x = {.label = axis_label(picture, parts->label),
                             .unit = parameter->unit,
                             .logarithmic = !named && doubles(picture, count),
                             .min = parts->x[0],
                             .max = parts->x[count - 1],
                             .ticks = named ? parts->ticks : NULL,
                             .tick_count = count},
                       .y = {.unit = picture->metric->unit,
                             .logarithmic = !choices && spans_magnitudes(picture, count)},
                       .cursor = picture->dim || (picture->own >= count && picture->cursor >= count)
                                     ? NAN
                                     : parts->x[cursor],
                       .title = picture->title,
                       .glyphs = picture->glyphs};
    return true;
}

void curve_chart_draw(const struct curve_picture *picture, struct cells *cells, int row, int column,
                      int rows, int columns)
{
    struct curve_parts parts;
    if (curve_chart_make(picture, &parts))
        chart_draw(&parts.chart, cells, row, column, rows, columns);
}

size_t curve_chart_nearest(const struct curve_picture *picture, int rows, int columns, int column)
{
    struct curve_parts parts;
    return curve_chart_make(picture, &parts) ? chart_nearest(&parts.chart, rows, columns, column)
                                             : SIZE_MAX;
}
