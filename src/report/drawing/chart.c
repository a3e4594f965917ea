#include "report/drawing/chart.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "report/drawing/axis.h"
#include "report/drawing/dots.h"

/* A chart while it is drawn: the layout around the plot and the ranges of its axes. */
struct drawing {
    const struct chart *chart;
    struct region all, plot;
    struct dots dots;
    struct axis_range x, y;
    double y_min, y_max; /* of the data */
    struct axis_tick y_ticks[AXIS_TICKS_MAX];
    size_t y_tick_count;
    int header_rows; /* title and name of y; the legend too, if it does not fit beside the title */
    int footer_rows; /* 0: nothing, 1: axis with labels in it, 2: labels below, 3: and a name */
    int left;        /* columns before the plot; 0: no y axis */
};

struct line_glyphs {
    uint32_t vertical, horizontal, corner, left_tick, bottom_tick, cursor, cursor_tick;
};

static const struct line_glyphs *line_glyphs(enum glyphs glyphs)
{
    static const struct line_glyphs ascii = {'|', '-', '+', '+', '+', '|', '^'};
    static const struct line_glyphs lines = {0x2502, 0x2500, 0x2514, 0x2524,
                                             0x2534, 0x250a, 0x25b2};
    return glyphs == GLYPHS_ASCII ? &ascii : &lines;
}

static uint32_t marker_glyph(enum role role, enum glyphs glyphs)
{
    static const uint32_t marks[][2] = {
        [ROLE_SERIES_1] = {'o', 0x2022}, [ROLE_SERIES_2] = {'x', 0xd7},
        [ROLE_SERIES_3] = {'+', '+'},    [ROLE_SERIES_4] = {'%', 0x25b4},
        [ROLE_CURSOR] = {'@', 0x25cf},   [ROLE_FRONT] = {'#', 0x25c6},
        [ROLE_ACCENT] = {'*', 0x2605},   [ROLE_GOOD] = {'g', 0x2713},
        [ROLE_BAD] = {'!', 0x2717}};
    uint32_t glyph =
        (size_t)role < sizeof marks / sizeof *marks ? marks[role][glyphs != GLYPHS_ASCII] : 0;
    return glyph ? glyph : 'o';
}

static bool is_highlight(enum role role)
{
    return role >= ROLE_CURSOR;
}

/* A few points get a mark each, in a cell of its own; many points are drawn as dots. */
static bool has_marks(const struct drawing *drawing, const struct series *series)
{
    if (series->kind == SERIES_BARS || series->end)
        return false;
    bool sparse = series->count <= (size_t)(drawing->plot.columns / 2);
    if (series->kind == SERIES_POINTS)
        return sparse || is_highlight(series->role);
    return sparse && drawing->chart->series_count > 1;
}

static void extend(double value, bool logarithmic, double *min, double *max)
{
    if (!isfinite(value) || (logarithmic && value <= 0))
        return;
    *min = fmin(*min, value);
    *max = fmax(*max, value);
}

static void fit_axes(struct drawing *drawing)
{
    const struct chart *chart = drawing->chart;
    double x_min = INFINITY, x_max = -INFINITY, y_min = INFINITY, y_max = -INFINITY;
    for (size_t i = 0; i < chart->series_count; i++) {
        const struct series *series = &chart->series[i];
        for (size_t j = 0; j < series->count; j++) {
            double x = series->x[j], y = series->y[j];
            if (!isfinite(x) || !isfinite(y))
                continue;
            double error = series->error && isfinite(series->error[j]) ? series->error[j] : 0;
            const double base = stack_base(chart, i, j);
            extend(x, chart->x.logarithmic, &x_min, &x_max);
            extend(base + y - error, chart->y.logarithmic, &y_min, &y_max);
            extend(base + y + error, chart->y.logarithmic, &y_min, &y_max);
            if (series->end)
                extend(series->end[j], chart->x.logarithmic, &x_min, &x_max);
            if (series->kind == SERIES_BARS || series->kind == SERIES_STACK)
                extend(0, chart->y.logarithmic, &y_min, &y_max);
        }
    }
    drawing->x = axis_fit(&chart->x, x_min, x_max, false);
    drawing->y_min = y_min;
    drawing->y_max = y_max;
}

static uint32_t legend_glyph(const struct drawing *drawing, const struct series *series)
{
    enum glyphs glyphs = drawing->chart->glyphs;
    if (series->kind == SERIES_STACK)
        return series->fill;
    if (series->kind == SERIES_BARS || series->kind == SERIES_RANGES)
        return glyphs == GLYPHS_ASCII ? '#' : 0x2588;
    if (series->kind == SERIES_LINE && drawing->chart->series_count == 1)
        return line_glyphs(glyphs)->horizontal;
    return marker_glyph(series->role, glyphs);
}

enum { LEGEND_GAP = 2 };

/* Draws the legend from a column on, its names `gap` columns apart. A negative `row` only measures
 * it. */
static int draw_legend(const struct drawing *drawing, int row, int column, int gap)
{
    int start = column;
    for (size_t i = 0; i < drawing->chart->series_count; i++) {
        const struct series *series = &drawing->chart->series[i];
        if (!series->label || !*series->label)
            continue;
        column += column > start ? gap : 0;
        if (row >= 0) {
            region_put(&drawing->all, row, column, legend_glyph(drawing, series), series->role);
            region_text(&drawing->all, row, column + 2, ROLE_TEXT, series->label);
        }
        column += 2 + (int)utf8_columns(series->label);
    }
    return column - start;
}

static void draw_header(struct drawing *drawing)
{
    const struct chart *chart = drawing->chart;
    if (drawing->all.rows < 4)
        return;
    const char *title = chart->title ? chart->title : chart->y.label;
    bool roomy = drawing->all.rows >= 10;
    int legend = draw_legend(drawing, -1, 0, LEGEND_GAP),
        used = title ? (int)utf8_columns(title) : 0;
    if (title)
        region_text(&drawing->all, 0, 0, ROLE_TEXT, title);
    int row = title ? 1 : 0;
    if (legend && used + 2 + legend <= drawing->all.columns) {
        draw_legend(drawing, 0, drawing->all.columns - legend, LEGEND_GAP);
        row = 1;
    } else if (legend && roomy) {
        draw_legend(drawing, row++, 0, legend <= drawing->all.columns ? LEGEND_GAP : 1);
    }
    if (chart->title && chart->y.label && roomy)
        region_text(&drawing->all, row++, 0, ROLE_DIM, chart->y.label);
    drawing->header_rows = row;
}

/* Decides what fits around the plot. A low or narrow chart gives up the labels before the plot. */
static void lay_out(struct drawing *drawing)
{
    const struct region *all = &drawing->all;
    int left_rows = all->rows - drawing->header_rows;
    drawing->footer_rows = left_rows >= 10 && drawing->chart->x.label ? 3
                           : left_rows >= 7                           ? 2
                           : left_rows >= 3                           ? 1
                                                                      : 0;
    int plot_rows = left_rows - drawing->footer_rows;
    size_t wanted = plot_rows >= 3 ? (size_t)(plot_rows / 2 + 1) : 2;
    drawing->y = axis_fit_rows(&drawing->chart->y, drawing->y_min, drawing->y_max, plot_rows);
    if (drawing->y.step > 0 || (drawing->chart->y.ticks && plot_rows > 0))
        wanted = (size_t)plot_rows;
    else if (wanted > 7)
        wanted = 7;
    wanted = wanted > AXIS_TICKS_MAX ? AXIS_TICKS_MAX : wanted;
    drawing->y_tick_count = axis_ticks(&drawing->chart->y, &drawing->y, wanted, drawing->y_ticks);
    int width = 0;
    for (size_t i = 0; i < drawing->y_tick_count; i++) {
        int columns = (int)utf8_columns(axis_tick_text(&drawing->y_ticks[i]));
        width = columns > width ? columns : width;
    }
    drawing->left = drawing->footer_rows && width + 1 + 4 <= all->columns ? width + 1 : 0;
    drawing->plot = region_part(all, drawing->header_rows, drawing->left, plot_rows,
                                all->columns - drawing->left);
    drawing->dots = dots_of(&drawing->plot, drawing->chart->glyphs);
}

static void draw_y_axis(const struct drawing *drawing)
{
    const struct line_glyphs *lines = line_glyphs(drawing->chart->glyphs);
    if (!drawing->left)
        return;
    for (int row = 0; row < drawing->plot.rows; row++)
        region_put(&drawing->all, drawing->header_rows + row, drawing->left - 1, lines->vertical,
                   ROLE_AXIS);
    for (size_t i = 0; i < drawing->y_tick_count; i++) {
        int row, column;
        if (!dots_cell(&drawing->dots, 0, drawing->y_ticks[i].position, &row, &column))
            continue;
        row += drawing->header_rows;
        const char *text = axis_tick_text(&drawing->y_ticks[i]);
        /* In a low chart two ticks may share a row: keep only the upper one, which is drawn last.
         */
        for (int j = 0; j < drawing->left - 1; j++)
            region_put(&drawing->all, row, j, 0, ROLE_AXIS);
        region_text(&drawing->all, row, drawing->left - 1 - (int)utf8_columns(text), ROLE_AXIS,
                    text);
        region_put(&drawing->all, row, drawing->left - 1, lines->left_tick, ROLE_AXIS);
    }
}

/* The first column of the label below a tick, shifted to stay inside the drawing. */
static int label_start(const struct drawing *drawing, const struct axis_tick *tick, int *column)
{
    int row = 0, length = (int)utf8_columns(axis_tick_text(tick));
    if (!dots_cell(&drawing->dots, tick->position, 0, &row, column))
        return -1;
    *column += drawing->left;
    int start = *column - length / 2, limit = drawing->all.columns - length;
    start = start > limit ? limit : start;
    /* Labels inside the axis line must not overwrite its corner. */
    int first = drawing->footer_rows == 1 ? drawing->left : 0;
    return start < first ? first : start;
}

static bool labels_fit(const struct drawing *drawing, const struct axis_tick *ticks, size_t count)
{
    int end = -1;
    for (size_t i = 0; i < count; i++) {
        int column, start = label_start(drawing, &ticks[i], &column);
        if (start < 0)
            continue;
        if (start <= end)
            return false;
        end = start + (int)utf8_columns(axis_tick_text(&ticks[i]));
        if (end > drawing->all.columns)
            return false;
    }
    return true;
}

static void draw_x_axis(const struct drawing *drawing)
{
    const struct line_glyphs *lines = line_glyphs(drawing->chart->glyphs);
    if (!drawing->footer_rows)
        return;
    int axis_row = drawing->header_rows + drawing->plot.rows;
    for (int column = drawing->left; column < drawing->all.columns; column++)
        region_put(&drawing->all, axis_row, column, lines->horizontal, ROLE_AXIS);
    if (drawing->left)
        region_put(&drawing->all, axis_row, drawing->left - 1, lines->corner, ROLE_AXIS);
    struct axis_tick ticks[AXIS_TICKS_MAX];
    size_t wanted = (size_t)drawing->plot.columns / 2 + 1, count;
    wanted = wanted > AXIS_TICKS_MAX ? AXIS_TICKS_MAX : wanted;
    do {
        count = axis_ticks(&drawing->chart->x, &drawing->x, wanted, ticks);
    } while (!labels_fit(drawing, ticks, count) && --wanted);
    for (size_t i = 0; wanted && i < count; i++) {
        int column, start = label_start(drawing, &ticks[i], &column);
        if (start < 0)
            continue;
        if (drawing->footer_rows > 1)
            region_put(&drawing->all, axis_row, column, lines->bottom_tick, ROLE_AXIS);
        region_text(&drawing->all, axis_row + (drawing->footer_rows > 1), start, ROLE_AXIS,
                    axis_tick_text(&ticks[i]));
    }
    if (drawing->footer_rows < 3)
        return;
    const char *label = drawing->chart->x.label;
    int start = drawing->left + (drawing->plot.columns - (int)utf8_columns(label)) / 2;
    region_text(&drawing->all, axis_row + 2, start > 0 ? start : 0, ROLE_DIM, label);
}

static void draw_errors(const struct drawing *drawing, const struct series *series)
{
    for (size_t i = 0; series->error && i < series->count; i++) {
        double x = axis_position(&drawing->x, series->x[i]), half = series->error[i];
        if (!isfinite(half) || half <= 0)
            continue;
        double top = axis_position(&drawing->y, series->y[i] + half);
        double bottom = axis_position(&drawing->y, series->y[i] - half);
        if (isnan(bottom) && drawing->y.logarithmic) /* the bar reaches down to zero */
            bottom = 0;
        dots_line(&drawing->dots, x, bottom, x, top, ROLE_DIM);
    }
}

#define BAR_WIDTH 0.8

static void draw_bars(const struct drawing *drawing, const struct series *series)
{
    const double dot = 1.0 / drawing->dots.width, base = axis_position(&drawing->y, 0);
    for (size_t i = 0; i < series->count; i++) {
        double left = axis_position(&drawing->x, series->x[i] - BAR_WIDTH / 2);
        double right = axis_position(&drawing->x, series->x[i] + BAR_WIDTH / 2);
        double top = axis_position(&drawing->y, series->y[i]);
        if (!(series->y[i] > 0) || isnan(base))
            continue;
        unsigned columns = right >= left ? (unsigned)((right - left) / dot) + 1 : 0;
        for (unsigned column = 0; column < columns; column++) {
            double x = left + column * dot;
            dots_line(&drawing->dots, x, base, x, top, series->role);
        }
    }
}

/* A row of cells each: a bar that lies is as thick as its name. */
static void draw_ranges(const struct drawing *drawing, const struct series *series)
{
    const uint32_t glyph = legend_glyph(drawing, series);
    const struct region *plot = &drawing->plot;
    for (size_t i = 0; i < series->count; i++) {
        const double ends[] = {axis_position(&drawing->x, series->x[i]),
                               axis_position(&drawing->x, series->end[i])};
        int row, column;
        if (isnan(ends[0]) || isnan(ends[1]) || ends[0] == ends[1] ||
            !dots_cell(&drawing->dots, 0, axis_position(&drawing->y, series->y[i]), &row, &column))
            continue;
        const int begin = (int)(fmin(ends[0], ends[1]) * plot->columns);
        const int end = (int)ceil(fmax(ends[0], ends[1]) * plot->columns);
        for (column = begin; column < end; column++)
            region_put(plot, row, column, glyph, series->role);
    }
}

/* The first of `count` cells whose middle is at or behind a position. */
static int first_cell(double position, int count)
{
    return (int)ceil(fmin(fmax(position, 0), 1) * count - 0.5);
}

/* An area has the cells whose middle is in it, so areas that meet neither overlap nor leave a gap.
 */
static void draw_stack(const struct drawing *drawing, size_t number)
{
    const struct series *series = &drawing->chart->series[number];
    const struct region *plot = &drawing->plot;
    for (size_t i = 0; i < series->count; i++) {
        const double base = stack_base(drawing->chart, number, i);
        const double left = axis_position(&drawing->x, series->x[i]);
        const double right = axis_position(&drawing->x, series->end[i]);
        const double bottom = axis_position(&drawing->y, base);
        const double top = axis_position(&drawing->y, base + series->y[i]);
        if (isnan(left) || isnan(right) || isnan(bottom) || isnan(top))
            continue;
        const int end = first_cell(right, plot->columns), above = first_cell(top, plot->rows);
        for (int column = first_cell(left, plot->columns); column < end; column++)
            for (int row = first_cell(bottom, plot->rows); row < above; row++)
                region_put(plot, plot->rows - 1 - row, column, series->fill, series->role);
    }
}

static void draw_series(const struct drawing *drawing, size_t number)
{
    const struct series *series = &drawing->chart->series[number];
    if (series->kind == SERIES_STACK) {
        draw_stack(drawing, number);
        return;
    }
    if (series->kind == SERIES_BARS) {
        draw_bars(drawing, series);
        return;
    }
    if (series->kind == SERIES_RANGES) {
        draw_ranges(drawing, series);
        return;
    }
    bool points = series->kind == SERIES_POINTS;
    if (points && has_marks(drawing, series))
        return;
    double before_x = NAN, before_y = NAN;
    for (size_t i = 0; i < series->count; i++) {
        double x = axis_position(&drawing->x, series->x[i]);
        double y = axis_position(&drawing->y, series->y[i]);
        if (points || isnan(before_x) || isnan(before_y))
            dots_point(&drawing->dots, x, y, series->role);
        else
            dots_line(&drawing->dots, before_x, before_y, x, y, series->role);
        before_x = x;
        before_y = y;
    }
}

static void draw_marks(const struct drawing *drawing, const struct series *series)
{
    if (!has_marks(drawing, series))
        return;
    uint32_t glyph = marker_glyph(series->role, drawing->chart->glyphs);
    for (size_t i = 0; i < series->count; i++) {
        int row, column;
        if (!dots_cell(&drawing->dots, axis_position(&drawing->x, series->x[i]),
                       axis_position(&drawing->y, series->y[i]), &row, &column))
            continue;
        region_put(&drawing->plot, row, column, glyph, series->role);
        region_cell(&drawing->plot, row, column)->bold = is_highlight(series->role);
    }
}

static void draw_cursor(const struct drawing *drawing)
{
    const struct line_glyphs *lines = line_glyphs(drawing->chart->glyphs);
    double x = axis_position(&drawing->x, drawing->chart->cursor);
    int row, column;
    if (!dots_cell(&drawing->dots, x, 0, &row, &column))
        return;
    for (row = 0; row < drawing->plot.rows; row++)
        if (!region_cell(&drawing->plot, row, column)->glyph)
            region_put(&drawing->plot, row, column, lines->cursor, ROLE_CURSOR);
    if (drawing->footer_rows > 1)
        region_put(&drawing->all, drawing->header_rows + drawing->plot.rows, drawing->left + column,
                   lines->cursor_tick, ROLE_CURSOR);
}

static void place_parts(struct drawing *drawing)
{
    fit_axes(drawing);
    draw_header(drawing);
    lay_out(drawing);
}

void chart_draw(const struct chart *chart, struct cells *cells, int row, int column, int rows,
                int columns)
{
    struct drawing drawing = {.chart = chart,
                              .all = region_clip(cells, row, column, rows, columns)};
    region_clear(&drawing.all);
    if (!drawing.all.rows)
        return;
    place_parts(&drawing);
    draw_y_axis(&drawing);
    draw_x_axis(&drawing);
    for (size_t i = 0; i < chart->series_count; i++)
        draw_errors(&drawing, &chart->series[i]);
    for (size_t i = 0; i < chart->series_count; i++)
        draw_series(&drawing, i);
    draw_cursor(&drawing);
    for (size_t i = 0; i < chart->series_count; i++)
        draw_marks(&drawing, &chart->series[i]);
}

size_t chart_nearest(const struct chart *chart, int rows, int columns, int column)
{
    struct cells cells;
    size_t nearest = SIZE_MAX;
    int least = INT_MAX;
    if (!chart->series_count || rows < 1 || columns < 1 || cells_init(&cells, rows, columns))
        return SIZE_MAX;
    struct drawing drawing = {.chart = chart, .all = region_clip(&cells, 0, 0, rows, columns)};
    place_parts(&drawing);
    for (size_t i = 0; i < chart->series[0].count; i++) {
        int row, at;
        if (!dots_cell(&drawing.dots, axis_position(&drawing.x, chart->series[0].x[i]), 0, &row,
                       &at))
            continue;
        const int away = abs(drawing.left + at - column);
        nearest = away < least ? i : nearest;
        least = away < least ? away : least;
    }
    cells_free(&cells);
    return nearest;
}

enum status chart_print(const struct chart *chart, int rows, int columns, FILE *out)
{
    struct cells cells;
    enum status status = cells_init(&cells, rows, columns);
    if (status)
        return status;
    chart_draw(chart, &cells, 0, 0, rows, columns);
    cells_print(&cells, out);
    cells_free(&cells);
    return STATUS_OK;
}
