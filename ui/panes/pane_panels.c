/* The panels below the chart on a large screen: the miss classes or the cycle stack, and the front
 * of the sweep (or the curve, if the chart shows the front). */
#include <string.h>

#include "ui/panes/pane.h"

static void draw_classes(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    (void)focused;
    live_pane_draw_classes(explorer, canvas);
}

static void draw_cycles(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    (void)focused;
    live_pane_draw_cycles(explorer, canvas);
}

static void draw_second(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    chart_pane_draw(explorer, chart_pane_second(explorer), canvas, focused);
}

static void second_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct points *points = points_shown(explorer);
    text[0] = '\0';
    if (chart_pane_second(explorer) == CHART_CURVE)
        snprintf(text, ROW_TEXT, "%s", explorer->chart.metric->path);
    else if (points && !points->answer.status && points->study->objective_count)
        snprintf(text, ROW_TEXT, "%s", points->study->objectives[0].metric->path);
}

const struct pane_ops *panel_ops(const struct explorer *explorer, int panel)
{
    static const struct pane_ops misses = {.title = "Misses", .draw = draw_classes};
    static const struct pane_ops front = {
        .title = "Front", .status = second_status, .draw = draw_second};
    static const struct pane_ops curve = {
        .title = "Curve", .status = second_status, .draw = draw_second};
    static const struct pane_ops cycles = {.title = "Cycles", .draw = draw_cycles};
    const enum depth depth = explorer->session->study.depth;
    if (panel == 0)
        return metric_answered(metric_find("core.cycles"), depth) ? &cycles : &misses;
    return chart_pane_second(explorer) == CHART_CURVE ? &curve : &front;
}
