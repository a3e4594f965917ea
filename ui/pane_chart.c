/* The Chart pane: a metric over one parameter, the front of a sweep, a matrix over two axes; what
 * else it shows is in pane_detail.c. */
#include <math.h>
#include <string.h>

#include "explore/sweep/curve.h"
#include "ui/pane_detail.h"

static const char *leaf_name(const struct parameter *parameter)
{
    const char *dot = strrchr(parameter->path, '.');
    return dot ? dot + 1 : parameter->path;
}

/* The curve on the screen is the one that was asked for, with the values known so far. */
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

/* The index of the machine's own value on the curve, or -1. */
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
    const struct points *points = explorer->explore.points;
    return points && !points->status && points->count && points->study->objective_count;
}

static int chart_count(const struct explorer *explorer)
{
    if (explorer->chart.kind == CHART_CURVE)
        return has_curve(explorer) ? (int)explorer->chart.shown.count : 0;
    if (explorer->chart.kind == CHART_FRONT && has_points(explorer))
        return (int)explorer->explore.points->count;
    return detail_count(explorer);
}

/* The curve does not depend on where on it the machine stands. */
static bool still_holds(const struct explorer *explorer)
{
    const struct chart_pane *pane = &explorer->chart;
    struct machine machine = explorer->session->machine;
    const struct parameter *follower =
        pane->shown.request == pane->request ? pane->shown.follower : NULL;
    curve_set(&machine, pane->parameter, follower, parameter_get(pane->parameter, &pane->machine));
    return machine_same(&machine, &pane->machine, ~0u);
}

void chart_pane_settle(struct explorer *explorer)
{
    struct chart_pane *pane = &explorer->chart;
    const struct parameter *selected = explorer_parameter(explorer);
    if (selected && selected->type != PARAMETER_SIZES && selected != pane->parameter &&
        explorer->focus != PANE_CHART) {
        pane->parameter = selected;
        pane->request = 0;
        pane->moved = false;
    }
    if (pane->kind == CHART_CURVE && pane->parameter && explorer->request &&
        (!pane->request || !still_holds(explorer))) {
        pane->machine = explorer->session->machine;
        pane->request = engine_request_curve(explorer->engine, &explorer->session->machine,
                                             pane->parameter, pane->metric);
        pane->moved = false;
    }
    if (pane->kind == CHART_CURVE && !pane->moved && has_curve(explorer)) {
        int own = own_index(explorer);
        pane->list.selected = own >= 0 ? own : 0;
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

enum { TICK_TEXT = 24 };

/* The values as x: their numbers, on a logarithmic axis where they double; words as 0, 1, 2. */
static void fill_axis(const struct engine_curve *curve, double x[CURVE_POINTS],
                      struct axis_style *axis)
{
    const struct parameter *parameter = curve->parameter;
    axis->label = !curve->follower                      ? parameter->path
                  : curve->follower->unit == UNIT_BYTES ? "ways, the size follows"
                                                        : "size, the ways follow";
    axis->unit = parameter->unit;
    for (size_t i = 0; i < curve->count; i++)
        x[i] = parameter_number(parameter, curve->values[i]);
    axis->logarithmic =
        parameter->stepping != STEP_ADD && curve->count && x[0] > 0 && parameter->min > 0;
}

static void own_point(const struct explorer *explorer, const struct engine_curve *curve, double *x,
                      double *y)
{
    *x = parameter_number(curve->parameter,
                          parameter_get(curve->parameter, &explorer->session->machine));
    *y = explorer_has_metrics(explorer) ? metric_get(curve->metric, &explorer->last.metrics) : NAN;
}

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

/* Few values stand side by side with their own names; many are numbers on an axis. */
enum { NAMED_MAX = 16 };

static bool is_named(const struct explorer *explorer)
{
    const struct engine_curve *curve = &explorer->chart.shown;
    return curve->parameter->type == PARAMETER_ENUM || curve->parameter->type == PARAMETER_BOOL ||
           (curve->count <= NAMED_MAX && own_index(explorer) >= 0);
}

static void draw_curve(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    const struct engine_curve *curve = &explorer->chart.shown;
    bool fresh =
        has_curve(explorer); /* else: of the question before, dim until the answer is there */
    double x[CURVE_POINTS], own_x, own_y, cursor_x, cursor_y;
    char ticks[CURVE_POINTS][TICK_TEXT];
    const char *tick_names[CURVE_POINTS];
    struct axis_style axis = {0};
    fill_axis(curve, x, &axis);
    own_point(explorer, curve, &own_x, &own_y);
    if (is_named(explorer)) {
        for (size_t i = 0; i < curve->count; i++) {
            char value[VALUE_TEXT];
            x[i] = (double)i;
            snprintf(ticks[i], TICK_TEXT, "%.23s",
                     parameter_print(curve->parameter, curve->values[i], value));
            tick_names[i] = ticks[i];
        }
        axis.ticks = tick_names;
        axis.tick_count = curve->count;
        axis.unit = UNIT_NONE;
        axis.logarithmic = false;
        own_x = own_index(explorer);
    }
    if (own_index(explorer) >= 0)
        own_y = curve->y[own_index(explorer)];
    cursor_x = x[explorer->chart.list.selected];
    cursor_y = curve->y[explorer->chart.list.selected];
    const struct series series[] = {
        {SERIES_LINE, fresh ? ROLE_SERIES_1 : ROLE_DIM, x, curve->y, curve->error, curve->count,
         NULL},
        {SERIES_POINTS, ROLE_SERIES_2, &cursor_x, &cursor_y, NULL, fresh && focused, NULL},
        {SERIES_POINTS, ROLE_CURSOR, &own_x, &own_y, NULL, fresh, NULL}};
    struct chart chart = {.series = series,
                          .series_count = 3,
                          .x = axis,
                          .y = {.label = NULL, .unit = curve->metric->unit},
                          .cursor = !fresh    ? NAN
                                    : focused ? cursor_x
                                              : own_x,
                          .glyphs = canvas->glyphs};
    chart_draw(&chart, canvas->cells, canvas->rect.row, canvas->rect.column, canvas->rect.rows,
               canvas->rect.columns);
}

/* ---- front ---- */

/* The two metrics of the scatter: the first two objectives, or the first against the chart's. */
static bool front_metrics(const struct explorer *explorer, const struct metric **x,
                          const struct metric **y)
{
    const struct study *study = explorer->explore.points->study;
    *y = study->objectives[0].metric;
    *x = study->objective_count > 1 ? study->objectives[1].metric : explorer->chart.metric;
    return points_column(explorer->explore.points, *x) < explorer->explore.points->column_count;
}

enum { SCATTER_MAX = 4000 };

static void draw_front(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    const struct points *points = explorer->explore.points;
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
    double own_x = NAN, own_y = NAN;
    if (explorer_has_metrics(explorer)) {
        own_x = metric_get(x_metric, &explorer->last.metrics);
        own_y = metric_get(y_metric, &explorer->last.metrics);
    }
    const double *at =
        points->values + (size_t)explorer->chart.list.selected * points->column_count;
    const struct series series[] = {
        {SERIES_POINTS, ROLE_DIM, x, y, NULL, count, NULL},
        {SERIES_POINTS, ROLE_FRONT, front_x, front_y, NULL, front_count, NULL},
        {SERIES_POINTS, ROLE_SERIES_2, &at[x_column], &at[y_column], NULL, focused ? 1 : 0, NULL},
        {SERIES_POINTS, ROLE_CURSOR, &own_x, &own_y, NULL, isnan(own_x) ? 0 : 1, NULL}};
    struct chart chart = {.series = series,
                          .series_count = 4,
                          .x = {.label = x_metric->path, .unit = x_metric->unit},
                          .y = {.label = NULL, .unit = y_metric->unit},
                          .cursor = NAN,
                          .glyphs = canvas->glyphs};
    chart_draw(&chart, canvas->cells, canvas->rect.row, canvas->rect.column, canvas->rect.rows,
               canvas->rect.columns);
}

/* ---- matrix ---- */

static double better_of(double best, double value, enum direction direction)
{
    bool better = direction == HIGHER_IS_BETTER ? value > best : value < best;
    return isnan(best) || better ? value : best;
}

/* The best value of the first objective for every pair of values of the first two axes. */
static double best_of_pair(const struct points *points, size_t column, enum direction direction,
                           size_t first, size_t second)
{
    double best = NAN;
    for (size_t i = 0; i < points->count; i++) {
        uint64_t machine = points->items[i].index % points->space.machines;
        if (space_digit(&points->space, machine, 0) != first ||
            space_digit(&points->space, machine, 1) != second)
            continue;
        best = better_of(best, points->values[i * points->column_count + column], direction);
    }
    return best;
}

static void draw_matrix(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct points *points = explorer->explore.points;
    const struct axis *down = &points->study->axes[0], *across = &points->study->axes[1];
    const struct objective *objective = &points->study->objectives[0];
    size_t column = points_column(points, objective->metric);
    const struct machine *machine = &explorer->session->machine;
    char text[VALUE_TEXT];
    enum { LABEL = 14, CELL = 8 };
    double best_of_all = NAN;
    canvas_printf(canvas, 0, 1, LABEL - 2, STYLE(ROLE_AXIS), "%s \\ %s", leaf_name(down->parameter),
                  leaf_name(across->parameter));
    for (size_t i = 0; i < points->count; i++)
        best_of_all = better_of(best_of_all, points->values[i * points->column_count + column],
                                objective->direction);
    for (size_t j = 0; j < across->count; j++)
        canvas_right(canvas, 0, LABEL + CELL * (int)j, CELL - 1, STYLE(ROLE_AXIS),
                     parameter_print(across->parameter, across->values[j], text));
    for (size_t i = 0; i < down->count && (int)i + 1 < canvas->rect.rows; i++) {
        canvas_text(canvas, (int)i + 1, 1, LABEL - 2, STYLE(ROLE_AXIS),
                    parameter_print(down->parameter, down->values[i], text));
        for (size_t j = 0; j < across->count && LABEL + CELL * (int)(j + 1) <= canvas->rect.columns;
             j++) {
            double best = best_of_pair(points, column, objective->direction, i, j);
            bool own = parameter_equal(down->parameter, down->values[i],
                                       parameter_get(down->parameter, machine)) &&
                       parameter_equal(across->parameter, across->values[j],
                                       parameter_get(across->parameter, machine));
            struct style style = own                   ? STYLE_BOLD(ROLE_CURSOR)
                                 : best == best_of_all ? STYLE_BOLD(ROLE_FRONT)
                                                       : STYLE(ROLE_TEXT);
            style.reverse = own;
            canvas_right(canvas, (int)i + 1, LABEL + CELL * (int)j, CELL - 1, style,
                         quantity_print_short(best, objective->metric->unit, 3, text));
        }
    }
}

/* ---- the pane ---- */

static const char *missing(const struct explorer *explorer)
{
    const struct chart_pane *pane = &explorer->chart;
    if (pane->kind == CHART_CURVE) {
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
    if (detail_wanted(explorer))
        return detail_missing(explorer);
    if (!has_points(explorer))
        return "no points yet: mark axes with a, sweep with S";
    const struct metric *x, *y;
    if (pane->kind == CHART_FRONT && !front_metrics(explorer, &x, &y))
        return "one objective only: :objective names two";
    if (pane->kind == CHART_MATRIX && explorer->explore.points->study->axis_count < 2)
        return "a matrix needs two axes";
    return NULL;
}

static void chart_draw_pane(const struct explorer *explorer, const struct canvas *canvas,
                            bool focused)
{
    const char *text = missing(explorer);
    if (focused)
        canvas_cursor(canvas, 0, 0);
    if (text) {
        canvas_paragraph(canvas, canvas->rect.rows > 2, STYLE(ROLE_DIM), text);
        return;
    }
    if (detail_wanted(explorer))
        detail_draw(explorer, canvas, focused);
    else if (explorer->chart.kind == CHART_CURVE)
        draw_curve(explorer, canvas, focused);
    else if (explorer->chart.kind == CHART_FRONT)
        draw_front(explorer, canvas, focused);
    else
        draw_matrix(explorer, canvas);
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
    if (missing(explorer) || detail_wanted(explorer))
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
    const struct objective *objective = explorer->explore.points->study->objectives;
    if (pane->kind == CHART_FRONT)
        snprintf(text, ROW_TEXT, "%s of %zu points", objective->metric->path,
                 explorer->explore.points->count);
    else
        snprintf(text, ROW_TEXT, "best %s", objective->metric->path);
}

static void chart_describe(const struct explorer *explorer, char text[ROW_TEXT])
{
    text[0] = '\0';
    if (detail_wanted(explorer))
        detail_describe(explorer, text);
    if (missing(explorer) || detail_wanted(explorer))
        return;
    if (has_curve(explorer) && explorer->chart.kind == CHART_CURVE) {
        char readout[ROW_TEXT];
        print_readout(explorer, readout);
        snprintf(text, ROW_TEXT, "%.80s over %s, %.200s; h l move, Enter takes the value",
                 explorer->chart.metric->path, explorer->chart.parameter->path, readout);
    }
    if (explorer->chart.kind != CHART_FRONT)
        return;
    const struct points *points = explorer->explore.points;
    size_t row = (size_t)explorer->chart.list.selected;
    int used = 0;
    for (size_t i = 0; i < points->study->axis_count && used < ROW_TEXT; i++) {
        char value[VALUE_TEXT];
        used += snprintf(
            text + used, (size_t)(ROW_TEXT - used), "%s %s  ",
            points->study->axes[i].parameter->path,
            parameter_print(points->study->axes[i].parameter, points_axis(points, row, i), value));
    }
    for (size_t i = 0; i < points->column_count && i < 2 && used < ROW_TEXT; i++) {
        char value[QUANTITY_TEXT];
        used +=
            snprintf(text + used, (size_t)(ROW_TEXT - used), "%s %s  ", points->columns[i]->path,
                     quantity_print_short(points->values[row * points->column_count + i],
                                          points->columns[i]->unit, 3, value));
    }
}

const struct pane_ops chart_ops = {
    .title = "Chart",
    .heads_now = chart_heads,
    .list = chart_list,
    .count = chart_count,
    .describe = chart_describe,
    .status = chart_status,
    .draw = chart_draw_pane,
    .hints = {{COMMAND_CHART, NULL},
              {COMMAND_METRIC, NULL},
              {COMMAND_CHANGE, "take"},
              {COMMAND_ZOOM, NULL},
              {COMMAND_FOCUS_NEXT, NULL}},
};
