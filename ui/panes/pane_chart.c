/* The Chart pane: the curve of a metric over a parameter, the front of a sweep, and the choice
 * between these and the other charts (pane_matrix.c, pane_importance.c, pane_detail.c). */
#include <math.h>
#include <string.h>

#include "explore/sweep/curve.h"
#include "report/runs/curve_chart.h"
#include "ui/panes/pane_detail.h"
#include "ui/panes/pane_importance.h"
#include "ui/panes/pane_matrix.h"

static const char *leaf_name(const struct parameter *parameter)
{
    const char *dot = strrchr(parameter->path, '.');
    return dot ? dot + 1 : parameter->path;
}

/* Whether the curve on the screen is the one that was requested, with the values known so far. */
static bool has_curve(const struct explorer *explorer)
{
    const struct chart_pane *pane = &explorer->chart;
    return pane->parameter && pane->request && pane->shown.request == pane->request &&
           pane->shown.count;
}

void chart_pane_receive(struct explorer *explorer)
{
    const struct engine_curve *curve = &explorer->snapshot.curve;
    struct chart_pane *pane = &explorer->chart;
    detail_receive(explorer);
    if (!pane->request || curve->request != pane->request || curve->state == ENGINE_FAILED)
        return;
    bool known = curve->state == ENGINE_DONE;
    for (size_t i = 0; i < curve->count; i++)
        known = known || !isnan(curve->y[i]);
    if (known)
        pane->shown = *curve;
}

/* The index of the current value of the machine on the curve, or -1. */
static int own_index(const struct explorer *explorer)
{
    const struct engine_curve *curve = &explorer->chart.shown;
    struct value own = parameter_get(curve->parameter, &explorer->session->machine);
    for (size_t i = 0; i < curve->count; i++)
        if (parameter_equal(curve->parameter, curve->values[i], own))
            return (int)i;
    return -1;
}

static bool has_points(const struct explorer *explorer)
{
    const struct points *points = points_shown(explorer);
    return points && !points->answer.status && points->count && points->study->objective_count;
}

static int chart_count(const struct explorer *explorer)
{
    if (explorer->chart.kind == CHART_CURVE)
        return has_curve(explorer) ? (int)explorer->chart.shown.count : 0;
    if (explorer->chart.kind == CHART_FRONT && has_points(explorer))
        return (int)points_shown(explorer)->count;
    return detail_count(explorer);
}

/* Whether the curve is still valid. It does not depend on the value of its own parameter, so
 * stepping along it needs no new request, unless the new value lies between its points. */
static bool still_holds(const struct explorer *explorer)
{
    const struct chart_pane *pane = &explorer->chart;
    struct machine machine = explorer->session->machine;
    const struct parameter *follower =
        pane->shown.request == pane->request ? pane->shown.follower : NULL;
    const struct value asked = parameter_get(pane->parameter, &pane->machine);
    if (has_curve(explorer) && own_index(explorer) < 0 &&
        !parameter_equal(pane->parameter, asked, parameter_get(pane->parameter, &machine)))
        return false;
    curve_set(&machine, pane->parameter, follower, asked);
    return machine_same(&machine, &pane->machine, ~0u);
}

/* The chosen metric if the parameter can change it, else the one that shows best what it changes.
 */
static const struct metric *fitting_metric(const struct explorer *explorer)
{
    const struct chart_pane *pane = &explorer->chart;
    const enum depth depth = explorer->session->study.depth;
    if (pane->chosen && metric_answered(pane->chosen, depth) &&
        curve_moves(pane->parameter, pane->chosen, &explorer->session->machine, depth))
        return pane->chosen;
    return curve_metric(pane->parameter, depth);
}

void chart_pane_choose(struct explorer *explorer, const struct metric *metric)
{
    struct chart_pane *pane = &explorer->chart;
    pane->chosen = metric;
    pane->metric = metric ? metric : pane->parameter ? fitting_metric(explorer) : pane->metric;
    pane->kind = CHART_CURVE;
    pane->request = 0;
}

static void chart_settle(struct explorer *explorer)
{
    struct chart_pane *pane = &explorer->chart;
    const struct parameter *selected = explorer_parameter(explorer);
    if (selected && selected->type != PARAMETER_SIZES && selected != pane->parameter &&
        explorer->focus != PANE_CHART) {
        pane->parameter = selected;
        pane->metric = fitting_metric(explorer);
        pane->request = 0;
        pane->moved = false;
    } else if (pane->parameter && !metric_answered(pane->metric, explorer->session->study.depth)) {
        pane->metric = fitting_metric(explorer);
        pane->request = 0;
    }
    if (chart_pane_shows(explorer, CHART_CURVE) && pane->parameter && explorer->request &&
        (!pane->request || !still_holds(explorer))) {
        pane->machine = explorer->session->machine;
        pane->request = engine_request_curve(explorer->engine, &explorer->session->machine,
                                             pane->parameter, pane->metric);
        pane->moved = false;
    }
    if (pane->kind == CHART_CURVE && !pane->moved && has_curve(explorer)) {
        const int own = own_index(explorer);
        if (own >= 0)
            pane->list.selected = own;
    }
    detail_settle(explorer);
    list_move(&pane->list, chart_count(explorer), 0);
}

size_t chart_pane_value(const struct explorer *explorer, struct assignment assignments[2])
{
    const struct engine_curve *curve = &explorer->chart.shown;
    if (explorer->chart.kind != CHART_CURVE || !has_curve(explorer))
        return 0;
    struct machine machine = explorer->session->machine;
    struct value value = curve->values[explorer->chart.list.selected];
    curve_set(&machine, curve->parameter, curve->follower, value);
    assignments[0] = (struct assignment){curve->parameter, value};
    if (!curve->follower)
        return 1;
    assignments[1] = (struct assignment){curve->follower, parameter_get(curve->follower, &machine)};
    return 2;
}

/* ---- curve ---- */

/* "size 16KiB: 28.6%"; a narrow pane has no room for the name, Machine shows it. */
static void print_readout(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct engine_curve *curve = &explorer->chart.shown;
    int index = explorer->chart.list.selected;
    char value[VALUE_TEXT], y[QUANTITY_TEXT], error[QUANTITY_TEXT];
    bool wide = explorer->layout.panes[PANE_CHART].columns >= 60;
    int used =
        snprintf(text, ROW_TEXT, "%s%s%s: ", wide ? leaf_name(curve->parameter) : "",
                 wide ? " " : "", parameter_print(curve->parameter, curve->values[index], value));
    size_t left = (size_t)(ROW_TEXT - used);
    quantity_print_short(curve->y[index], curve->metric->unit, 3, y);
    if (isnan(curve->y[index]))
        snprintf(text + used, left, "%s",
                 curve->state != ENGINE_DONE    ? "not known yet"
                 : index == own_index(explorer) ? "has no value"
                                                : "not legal here");
    else if (curve->error[index] > 0)
        snprintf(text + used, left, "%s%s%s", y, glyph_text(explorer->glyphs, GLYPH_PLUS_MINUS),
                 quantity_print_short(curve->error[index], curve->metric->unit,
                                      curve->metric->unit == UNIT_PERCENT ? 4 : 2, error));
    else
        snprintf(text + used, left, "%s", y);
}

/* The pinned machines that are no point of the curve, each at its own value. */
static void add_pins(const struct explorer *explorer, struct curve_picture *picture)
{
    const struct session *session = explorer->session;
    for (size_t i = 0; i < session->pin_count && !picture->dim; i++) {
        const struct pin *pin = &session->pins[i];
        struct machine machine = session->machine;
        const struct value value = parameter_get(picture->parameter, &pin->machine);
        size_t index = 0;
        curve_set(&machine, picture->parameter, picture->follower, value);
        while (index < picture->count &&
               !parameter_equal(picture->parameter, picture->values[index], value))
            index++;
        if (index < picture->count && pin->values >= PIN_COUNTED &&
            !machine_same(&machine, &pin->machine, ~0u))
            picture->others[picture->other_count++] =
                (struct curve_other){index, metric_get(picture->metric, &pin->metrics), pin->name};
    }
}

_Static_assert((int)PINS_MAX <= (int)CURVE_OTHERS, "every pin has a place");

static struct curve_picture picture_curve(const struct explorer *explorer, bool focused,
                                          enum glyphs glyphs)
{
    const struct engine_curve *curve = &explorer->chart.shown;
    const int own = own_index(explorer);
    struct curve_picture picture = {.parameter = curve->parameter,
                                    .follower = curve->follower,
                                    .metric = curve->metric,
                                    .values = curve->values,
                                    .y = curve->y,
                                    .error = curve->error,
                                    .count = curve->count,
                                    .own = own >= 0 ? (size_t)own : curve->count,
                                    .cursor = focused ? (size_t)explorer->chart.list.selected
                                                      : curve->count,
                                    .dim = !has_curve(explorer), /* still the previous request */
                                    .glyphs = glyphs};
    add_pins(explorer, &picture);
    return picture;
}

static void draw_curve(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    const struct curve_picture picture = picture_curve(explorer, focused, canvas->glyphs);
    curve_chart_draw(&picture, canvas->cells, canvas->rect.row, canvas->rect.column,
                     canvas->rect.rows, canvas->rect.columns);
}

/* ---- front ---- */

/* The two metrics of the scatter plot: the first two objectives, or the first one and that of the
 * chart. */
static bool front_metrics(const struct explorer *explorer, const struct metric **x,
                          const struct metric **y)
{
    const struct study *study = points_shown(explorer)->study;
    *y = study->objectives[0].metric;
    *x = study->objective_count > 1 ? study->objectives[1].metric : explorer->chart.metric;
    return points_column(points_shown(explorer), *x) < points_shown(explorer)->column_count;
}

enum { SCATTER_MAX = 4000 };

static void draw_front(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    const struct points *points = points_shown(explorer);
    const struct metric *x_metric, *y_metric;
    if (!front_metrics(explorer, &x_metric, &y_metric))
        return;
    size_t x_column = points_column(points, x_metric), y_column = points_column(points, y_metric);
    double x[SCATTER_MAX], y[SCATTER_MAX], front_x[SCATTER_MAX], front_y[SCATTER_MAX];
    size_t stride = points->count / SCATTER_MAX + 1, count = 0, front_count = 0;
    for (size_t i = 0; i < points->count; i++) {
        const double *row = points->values + i * points->column_count;
        if (points->items[i].front && front_count < SCATTER_MAX) {
            front_x[front_count] = row[x_column];
            front_y[front_count++] = row[y_column];
        } else if (i % stride == 0) {
            x[count] = row[x_column];
            y[count++] = row[y_column];
        }
    }
    /* Another model's point has no place among these, nor one workload's among those of all. */
    double own_x = NAN, own_y = NAN;
    const bool of_all = points->query.across && points->study->workload_count > 1;
    if (!of_all && explorer_has_metrics(explorer) && explorer->last.depth == points->study->depth) {
        own_x = metric_get(x_metric, &explorer->last.metrics);
        own_y = metric_get(y_metric, &explorer->last.metrics);
    }
    const double *at =
        points->values + (size_t)explorer->chart.list.selected * points->column_count;
    const struct series series[] = {
        {.kind = SERIES_POINTS, .role = ROLE_DIM, .x = x, .y = y, .count = count},
        {.kind = SERIES_POINTS,
         .role = ROLE_FRONT,
         .x = front_x,
         .y = front_y,
         .count = front_count},
        {.kind = SERIES_POINTS,
         .role = ROLE_SERIES_2,
         .x = &at[x_column],
         .y = &at[y_column],
         .count = focused ? 1 : 0},
        {.kind = SERIES_POINTS,
         .role = ROLE_CURSOR,
         .x = &own_x,
         .y = &own_y,
         .count = isnan(own_x) ? 0 : 1}};
    struct chart chart = {.series = series,
                          .series_count = 4,
                          .x = {.label = x_metric->path, .unit = x_metric->unit},
                          .y = {.label = NULL, .unit = y_metric->unit},
                          .cursor = NAN,
                          .glyphs = canvas->glyphs};
    chart_draw(&chart, canvas->cells, canvas->rect.row, canvas->rect.column, canvas->rect.rows,
               canvas->rect.columns);
}

/* ---- the pane ---- */

static const char *missing(const struct explorer *explorer, enum chart_kind kind)
{
    const struct chart_pane *pane = &explorer->chart;
    if (kind == CHART_CURVE) {
        if (!pane->parameter)
            return "select a parameter in Machine: its curve comes here";
        if (live_pane_problem(explorer))
            return "no curve: see Live";
        if (explorer->snapshot.curve.request == pane->request &&
            explorer->snapshot.curve.state == ENGINE_FAILED)
            return explorer->snapshot.curve.message;
        if (has_curve(explorer) && pane->shown.count == 1)
            return "no other value is legal with the rest of this machine";
        if (pane->shown.count)
            return NULL;
        return "the curve is being computed";
    }
    if (kind == pane->kind && detail_wanted(explorer))
        return detail_missing(explorer);
    if (!has_points(explorer))
        return "no points yet: mark axes with a, sweep with S";
    if (kind == CHART_IMPORTANCE)
        return importance_missing(explorer);
    const struct metric *x, *y;
    if (kind == CHART_FRONT && !front_metrics(explorer, &x, &y))
        return "one objective only: :objective names two";
    if (kind == CHART_MATRIX && points_shown(explorer)->study->axis_count < 2)
        return "a matrix needs two axes";
    return NULL;
}

void chart_pane_draw(const struct explorer *explorer, enum chart_kind kind,
                     const struct canvas *canvas, bool focused)
{
    const char *text = missing(explorer, kind);
    if (text) {
        canvas_paragraph(canvas, canvas->rect.rows > 2, STYLE(ROLE_DIM), text);
        return;
    }
    if (kind == explorer->chart.kind && detail_wanted(explorer))
        detail_draw(explorer, canvas, focused);
    else if (kind == CHART_CURVE)
        draw_curve(explorer, canvas, focused);
    else if (kind == CHART_FRONT)
        draw_front(explorer, canvas, focused);
    else if (kind == CHART_MATRIX)
        matrix_draw(explorer, canvas);
    else
        importance_draw(explorer, canvas);
}

enum chart_kind chart_pane_second(const struct explorer *explorer)
{
    return explorer->chart.kind == CHART_FRONT ? CHART_CURVE : CHART_FRONT;
}

bool chart_pane_shows(const struct explorer *explorer, enum chart_kind kind)
{
    return explorer->chart.kind == kind ||
           (explorer->layout.panels[1].rows && chart_pane_second(explorer) == kind);
}

static void chart_draw_pane(const struct explorer *explorer, const struct canvas *canvas,
                            bool focused)
{
    if (focused)
        canvas_cursor(canvas, 0, 0);
    chart_pane_draw(explorer, explorer->chart.kind, canvas, focused);
}

static int chart_heads(const struct explorer *explorer)
{
    return explorer->chart.kind == CHART_INSTRUCTIONS;
}

static struct list *chart_list(struct explorer *explorer)
{
    return &explorer->chart.list;
}

static void chart_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct chart_pane *pane = &explorer->chart;
    text[0] = '\0';
    if (detail_wanted(explorer))
        detail_status(explorer, text);
    if (missing(explorer, explorer->chart.kind) || detail_wanted(explorer))
        return;
    if (pane->kind == CHART_CURVE && !has_curve(explorer)) {
        snprintf(text, ROW_TEXT, "computing %s over %s", pane->metric->path,
                 leaf_name(pane->parameter));
        return;
    }
    if (pane->kind == CHART_CURVE) {
        char readout[ROW_TEXT];
        print_readout(explorer, readout);
        snprintf(text, ROW_TEXT, "%s  %.100s", pane->metric->path, readout);
        return;
    }
    const struct points *points = points_shown(explorer);
    char narrowed[ROW_TEXT];
    shown_points_narrowed(explorer, narrowed);
    const char *metric = points->study->objectives->metric->path;
    if (points->query.where[0] || points->query.front) /* a narrow title keeps the last words */
        snprintf(text, ROW_TEXT, "%.300s  %s, %zu %s", narrowed, metric, points->count,
                 points->query.where[0] ? "filtered" : "in front");
    else
        snprintf(text, ROW_TEXT, "%.300s%s%zu points  %s%s", narrowed, narrowed[0] ? "  " : "",
                 points->count,
                 pane->kind == CHART_MATRIX       ? "best "
                 : pane->kind == CHART_IMPORTANCE ? "importance: "
                                                  : "",
                 metric);
}

static void chart_describe(const struct explorer *explorer, char text[ROW_TEXT])
{
    text[0] = '\0';
    if (detail_wanted(explorer))
        detail_describe(explorer, text);
    if (missing(explorer, explorer->chart.kind) || detail_wanted(explorer))
        return;
    if (has_curve(explorer) && explorer->chart.kind == CHART_CURVE) {
        char readout[ROW_TEXT];
        print_readout(explorer, readout);
        snprintf(text, ROW_TEXT, "%.80s over %s, %.200s; h l move, Enter takes the value",
                 explorer->chart.metric->path, explorer->chart.parameter->path, readout);
    }
    if (explorer->chart.kind == CHART_MATRIX)
        matrix_describe(explorer, text);
    if (explorer->chart.kind != CHART_FRONT)
        return;
    const struct points *points = points_shown(explorer);
    size_t row = (size_t)explorer->chart.list.selected;
    int used = 0;
    for (size_t i = 0; i < points->study->axis_count && used < ROW_TEXT; i++) {
        char value[VALUE_TEXT];
        used += snprintf(text + used, (size_t)(ROW_TEXT - used), "%s %s  ",
                         points->study->axes[i].parameter->path,
                         parameter_print(points->study->axes[i].parameter,
                                         points_axis(points, points->items[row].index, i), value));
    }
    for (size_t i = 0; i < points->column_count && i < 2 && used < ROW_TEXT; i++) {
        char value[QUANTITY_TEXT];
        used +=
            snprintf(text + used, (size_t)(ROW_TEXT - used), "%s %s  ", points->columns[i]->path,
                     quantity_print_short(points->values[row * points->column_count + i],
                                          points->columns[i]->unit, 3, value));
    }
}

static void chart_across(struct explorer *explorer, int by)
{
    list_move(&explorer->chart.list, chart_count(explorer), by);
    explorer->chart.moved = true;
}

/* The cursor of a curve follows the mouse. */
static bool chart_point(struct explorer *explorer, int row, int column)
{
    const struct rect *rect = &explorer->layout.panes[PANE_CHART];
    (void)row;
    if (explorer->chart.kind != CHART_CURVE || !has_curve(explorer))
        return false;
    const struct curve_picture picture = picture_curve(explorer, true, explorer->glyphs);
    const size_t nearest = curve_chart_nearest(&picture, rect->rows - 1, rect->columns, column);
    if (nearest == SIZE_MAX)
        return false;
    explorer->chart.list.selected = (int)nearest;
    explorer->chart.moved = true;
    return true;
}

const struct pane_ops chart_pane_ops = {
    .title = "Chart",
    .heads_now = chart_heads,
    .list = chart_list,
    .count = chart_count,
    .across = chart_across,
    .point = chart_point,
    .describe = chart_describe,
    .status = chart_status,
    .settle = chart_settle,
    .draw = chart_draw_pane,
    .hints = {{COMMAND_CHART, NULL},
              {COMMAND_METRIC, NULL},
              {COMMAND_CHANGE, "take"},
              {COMMAND_ZOOM, NULL},
              {COMMAND_FOCUS_NEXT, NULL}},
};
