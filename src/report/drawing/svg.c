#include "report/drawing/svg.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "report/drawing/axis.h"
#include "report/drawing/html.h"

enum { MARGIN_TOP = 24, MARGIN_RIGHT = 16, MARGIN_BOTTOM = 44, MARGIN_LEFT = 64, LEGEND_ROW = 16 };

/* An upper estimate of the width of a letter at 12 px. */
enum { LABEL_LETTER = 8 };

struct frame {
    const struct chart *chart;
    const struct svg_style *style;
    struct axis_range x, y;
    double left, top, width, height; /* of the plot */
    FILE *out;
};

static void find_ranges(struct frame *frame)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t s = 0; s < frame->chart->series_count; s++) {
        const struct series *series = &frame->chart->series[s];
        for (size_t i = 0; i < series->count; i++) {
            const double base = stack_base(frame->chart, s, i);
            const double values[2] = {series->x[i], base + series->y[i]};
            const bool logarithmic[2] = {frame->chart->x.logarithmic, frame->chart->y.logarithmic};
            if (!isfinite(values[0]) || !isfinite(values[1]))
                continue;
            for (int k = 0; k < 2; k++)
                if (!logarithmic[k] || values[k] > 0) {
                    low[k] = fmin(low[k], values[k]);
                    high[k] = fmax(high[k], values[k]);
                }
            if (series->kind == SERIES_STACK) {
                low[1] = fmin(low[1], base);
                high[0] = fmax(high[0], series->end[i]);
            }
            if (series->kind == SERIES_BARS && !logarithmic[1]) {
                low[1] = fmin(low[1], 0);
                high[1] = fmax(high[1], 0);
            }
        }
    }
    /* Add a margin so that marks are not drawn on the edges. */
    if (frame->chart->series_count && frame->chart->series->kind == SERIES_POINTS &&
        !frame->chart->x.logarithmic && high[0] > low[0]) {
        double room = 0.03 * (high[0] - low[0]);
        low[0] -= room;
        high[0] += room;
    }
    frame->x = axis_fit(&frame->chart->x, low[0], high[0], false);
    frame->y = axis_fit(&frame->chart->y, low[1], high[1], true);
}

static double place_x(const struct frame *frame, double value)
{
    return frame->left + axis_position(&frame->x, value) * frame->width;
}

static double place_y(const struct frame *frame, double value)
{
    return frame->top + (1 - axis_position(&frame->y, value)) * frame->height;
}

static void draw_text(const struct frame *frame, double x, double y, const char *anchor,
                      const char *text)
{
    if (!text || !*text)
        return;
    fprintf(frame->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    html_escape(text, frame->out);
    fputs("</text>\n", frame->out);
}

/* Draws a label below the x axis; near an edge, shifts it to stay inside the picture. */
static void draw_x_label(const struct frame *frame, double x, double y, const char *text)
{
    const double half = LABEL_LETTER / 2.0 * (double)utf8_columns(text);
    const double right = frame->left + frame->width + MARGIN_RIGHT;
    if (x + half > right)
        draw_text(frame, right, y, "end", text);
    else if (x < half)
        draw_text(frame, 0, y, "start", text);
    else
        draw_text(frame, x, y, "middle", text);
}

static void draw_axes(const struct frame *frame)
{
    struct axis_tick ticks[AXIS_TICKS_MAX];
    const struct svg_style *style = frame->style;
    double bottom = frame->top + frame->height, right = frame->left + frame->width;
    size_t wanted = style->y_ticks ? style->y_ticks : (size_t)(frame->height / 36) + 2;
    size_t count = axis_ticks(&frame->chart->y, &frame->y, wanted, ticks);
    for (size_t i = 0; i < count; i++) {
        double y = bottom - ticks[i].position * frame->height;
        fprintf(frame->out, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>\n", frame->left, y,
                right);
        draw_text(frame, frame->left - 6, y + 4, "end", axis_tick_text(&ticks[i]));
    }
    wanted = style->x_ticks ? style->x_ticks : (size_t)(frame->width / 56) + 1;
    count = axis_ticks(&frame->chart->x, &frame->x, wanted, ticks);
    for (size_t i = 0; i < count; i++) {
        double x = frame->left + ticks[i].position * frame->width;
        fprintf(frame->out, "<path class=\"axis\" d=\"M%.1f %.1fv5\"/>\n", x, bottom);
        draw_x_label(frame, x, bottom + 18, axis_tick_text(&ticks[i]));
    }
    fprintf(frame->out, "<path class=\"axis\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n", frame->left,
            frame->top, bottom, right);
    draw_text(frame, frame->left + frame->width / 2, bottom + 38, "middle", frame->chart->x.label);
    draw_text(frame, 4, 14, "start", frame->chart->y.label);
}

static const char *role_class(enum role role)
{
    static const char *const classes[] = {
        [ROLE_SERIES_1] = "s1", [ROLE_SERIES_2] = "s2", [ROLE_SERIES_3] = "s3",
        [ROLE_SERIES_4] = "s4", [ROLE_SERIES_5] = "s5", [ROLE_BAD] = "sb",
        [ROLE_AXIS] = "sx",     [ROLE_FRONT] = "sf"};
    bool known = role < sizeof classes / sizeof *classes && classes[role];
    return known ? classes[role] : "s1";
}

/* Draws the line of a series, with gaps at values that have no position. */
static void draw_line(const struct frame *frame, const struct series *series, const char *class)
{
    bool open = false;
    double bottom = frame->top + frame->height, last = 0;
    bool filled = frame->style->filled;
    fprintf(frame->out, "<path class=\"%s %s\" d=\"", class, role_class(series->role));
    for (size_t i = 0; i < series->count; i++) {
        double x = place_x(frame, series->x[i]), y = place_y(frame, series->y[i]);
        if (isnan(x) || isnan(y)) {
            if (open && filled)
                fprintf(frame->out, "L%.1f %.1fZ", last, bottom);
            open = false;
            continue;
        }
        if (!open && filled)
            fprintf(frame->out, "M%.1f %.1fL%.1f %.1f", x, bottom, x, y);
        else
            fprintf(frame->out, "%c%.1f %.1f", open ? 'L' : 'M', x, y);
        open = true;
        last = x;
    }
    if (open && filled)
        fprintf(frame->out, "L%.1f %.1fZ", last, bottom);
    fputs("\"/>\n", frame->out);
}

/* Marks differ in shape as well as in colour. */
static void draw_mark(const struct frame *frame, enum role role, double x, double y, double r,
                      const char *class)
{
    const char *colour = role_class(role);
    switch (role) {
    case ROLE_SERIES_2:
        fprintf(frame->out,
                "<rect class=\"%s %s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                class, colour, x - r, y - r, 2 * r, 2 * r);
        break;
    case ROLE_SERIES_3:
        fprintf(frame->out, "<path class=\"%s %s\" d=\"M%.1f %.1fl%.1f %.1fh%.1fZ\"/>\n", class,
                colour, x, y - r, r, 2 * r, -2 * r);
        break;
    case ROLE_SERIES_4:
        fprintf(frame->out,
                "<path class=\"%s %s\" d=\"M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fZ\"/>\n", class,
                colour, x, y - r, r, r, -r, r, -r, -r);
        break;
    default:
        fprintf(frame->out, "<circle class=\"%s %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", class,
                colour, x, y, r);
    }
}

/* All areas of a series are one path. */
static void draw_stack(const struct frame *frame, size_t number)
{
    const struct series *series = &frame->chart->series[number];
    fprintf(frame->out, "<path class=\"stack %s\" d=\"", role_class(series->role));
    for (size_t i = 0; i < series->count; i++) {
        const double base = stack_base(frame->chart, number, i);
        const double left = place_x(frame, series->x[i]), right = place_x(frame, series->end[i]);
        const double bottom = place_y(frame, base), top = place_y(frame, base + series->y[i]);
        if (bottom - top > 0 && right > left) /* neither empty nor unknown */
            fprintf(frame->out, "M%.1f %.1fV%.1fH%.1fV%.1fZ", left, bottom, top, right, bottom);
    }
    fputs("\"/>\n", frame->out);
}

/* Bars stand on 0; on a logarithmic axis at the bottom of the plot. */
static void draw_bars(const struct frame *frame, const struct series *series)
{
    const double half = fmin(12, 0.35 * frame->width / (double)series->count);
    const double bottom =
        frame->chart->y.logarithmic ? frame->top + frame->height : place_y(frame, 0);
    fprintf(frame->out, "<path class=\"stack %s\" d=\"", role_class(series->role));
    for (size_t i = 0; i < series->count; i++) {
        const double x = place_x(frame, series->x[i]), y = place_y(frame, series->y[i]);
        if (!isnan(x) && !isnan(y))
            fprintf(frame->out, "M%.1f %.1fV%.1fH%.1fV%.1fZ", x - half, bottom, y, x + half,
                    bottom);
    }
    fputs("\"/>\n", frame->out);
}

/* Draws the front, and a single point, as rings, so that points below remain visible. */
static bool is_ring(const struct series *series)
{
    return series->role == ROLE_FRONT || (series->kind == SERIES_POINTS && series->count == 1);
}

static void draw_series(const struct frame *frame, size_t number)
{
    const struct series *series = &frame->chart->series[number];
    if (series->kind == SERIES_STACK) {
        draw_stack(frame, number);
        return;
    }
    if (series->kind == SERIES_BARS) {
        draw_bars(frame, series);
        return;
    }
    bool ring = is_ring(series);
    double radius = series->role == ROLE_FRONT ? 4.5 : ring ? 6 : 3;
    if (series->kind == SERIES_LINE)
        draw_line(frame, series, frame->style->filled ? "area" : "line");
    if (series->kind == SERIES_LINE && (frame->style->filled || series->count > 32))
        return;
    for (size_t i = 0; i < series->count; i++) {
        double x = place_x(frame, series->x[i]), y = place_y(frame, series->y[i]);
        if (!isnan(x) && !isnan(y))
            draw_mark(frame, series->role, x, y, radius, ring ? "best" : "point");
    }
}

/* The legend under the axis, one row for each named series. A single series needs none. */
static void draw_legend(const struct frame *frame)
{
    double y = frame->top + frame->height + MARGIN_BOTTOM;
    for (size_t i = 0; i < frame->chart->series_count && frame->chart->series_count > 1; i++) {
        const struct series *series = &frame->chart->series[i];
        if (!series->label)
            continue;
        if (series->kind == SERIES_STACK || series->kind == SERIES_BARS)
            fprintf(frame->out, "<path class=\"stack %s\" d=\"M%.1f %.1fv8h8v-8Z\"/>\n",
                    role_class(series->role), frame->left, y + 4);
        else
            draw_mark(frame, series->role, frame->left + 4, y + 8, 4,
                      is_ring(series) ? "best" : "point");
        draw_text(frame, frame->left + 14, y + 12, "start", series->label);
        y += LEGEND_ROW;
    }
}

static int legend_rows(const struct chart *chart)
{
    int rows = 0;
    for (size_t i = 0; i < chart->series_count && chart->series_count > 1; i++)
        rows += chart->series[i].label != NULL;
    return rows;
}

void svg_draw(const struct chart *chart, const struct svg_style *style, FILE *out)
{
    struct frame frame = {.chart = chart, .style = style, .out = out};
    frame.left = MARGIN_LEFT;
    frame.top = MARGIN_TOP;
    frame.width = style->width - MARGIN_LEFT - MARGIN_RIGHT;
    frame.height = style->height - MARGIN_TOP - MARGIN_BOTTOM;
    find_ranges(&frame);
    int height = style->height + legend_rows(chart) * LEGEND_ROW;
    fprintf(out, "<svg role=\"img\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" aria-label=\"",
            style->width, height, style->width, height);
    html_escape(style->description, out);
    fputs("\">\n<title>", out);
    html_escape(style->description, out);
    fputs("</title>\n", out);
    draw_axes(&frame);
    for (size_t i = 0; i < chart->series_count; i++)
        draw_series(&frame, i);
    draw_legend(&frame);
    fputs("</svg>\n", out);
}
