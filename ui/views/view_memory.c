/* Memory: the memory chart (report/runs/memory_chart.h) of the run on the screen, with what leaving
 * out the limits of a box saves as far as the Explain view has found out. */
#include <string.h>

#include "report/runs/memory_chart.h"
#include "ui/panes/limits.h"
#include "ui/panes/pane.h"
#include "ui/panes/say.h"

struct memory_view {
    struct list list;
};

static int memory_count(const struct explorer *explorer)
{
    return explorer->last.request ? memory_chart_count(&explorer->last.metrics) : 0;
}

static void memory_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    snprintf(text, ROW_TEXT, "%s", memory_chart_name(&explorer->last.metrics, row));
}

/* What the words in the selected box mean takes more than the line below the view has: rows that
 * the chart can spare have it. */
static int memory_legend_rows(const struct explorer *explorer)
{
    enum { LEGEND = 2, CHART = 18 };
    return explorer->layout.view.rows - 1 >= CHART + LEGEND ? LEGEND : 0;
}

static const struct parameter *memory_parameter(const struct explorer *explorer)
{
    const struct memory_view *view = pane_seen(explorer, CONTEXT_MEMORY);
    const char *knob = memory_chart_knob(&explorer->last.metrics, view->list.selected);
    return knob ? parameter_find(knob) : NULL;
}

static bool memory_enter(struct explorer *explorer)
{
    const struct parameter *parameter = memory_parameter(explorer);
    if (!parameter)
        return refuse(explorer, "there is nothing here yet");
    if (!machine_pane_select(explorer, parameter))
        return refuse(explorer, "%s means nothing for this machine", parameter->path);
    explorer->view = VIEW_WORKSPACE;
    explorer->focus = PANE_MACHINE;
    return true;
}

static void memory_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    const struct memory_view *view = pane_seen(explorer, CONTEXT_MEMORY);
    const char *problem = live_pane_problem(explorer);
    const struct rect *rect = &canvas->rect;
    bool now = false;
    const struct explain_result *known = limits_known(explorer, &now);
    (void)focused;
    if (problem || !memory_count(explorer)) {
        canvas_paragraph(canvas, 0, problem ? STYLE_BOLD(ROLE_BAD) : STYLE(ROLE_DIM),
                         problem ? problem : "running the machine ...");
        return;
    }
    const int legend = memory_legend_rows(explorer);
    const struct memory_chart chart = {.metrics = &explorer->last.metrics,
                                       .ladder = known && now ? &known->explanation.ladder : NULL,
                                       .explained = known ? known->explanation.metric : NULL,
                                       .glyphs = canvas->glyphs,
                                       .selected = view->list.selected};
    memory_chart_draw(&chart, canvas->cells, rect->row, rect->column, rect->rows - legend,
                      rect->columns);
    const struct canvas below =
        canvas_part(canvas, rect->rows - legend, 0, legend, canvas->rect.columns);
    char text[ROW_TEXT];
    memory_chart_legend(&explorer->last.metrics, view->list.selected, text, ROW_TEXT);
    if (legend)
        canvas_paragraph(&below, 0, STYLE(ROLE_DIM), text);
}

static void memory_describe(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct memory_view *view = pane_seen(explorer, CONTEXT_MEMORY);
    const char *rest = text;
    text[0] = '\0';
    if (!memory_count(explorer)) /* there are no boxes yet */
        return;
    memory_chart_legend(&explorer->last.metrics, view->list.selected, text, ROW_TEXT);
    for (int row = memory_legend_rows(explorer); row; row--) { /* those above have their part */
        rest += text_wrap(rest, explorer->layout.view.columns - 2);
        rest += strspn(rest, " ");
    }
    memmove(text, rest, strlen(rest) + 1);
}

static void memory_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    bool now = false;
    char sure[SURE_TEXT];
    const struct explain_result *known = limits_known(explorer, &now);
    text[0] = '\0';
    if (!explorer_has_metrics(explorer) || explorer->last.state != ENGINE_DONE)
        live_pane_status(explorer, text);
    else if (known && now)
        snprintf(text, ROW_TEXT, "%s without a box's limit  %s", known->explanation.metric->path,
                 limits_sure(known, sure));
}

const struct pane_ops memory_pane_ops = {
    .title = "Memory",
    .state_size = sizeof(struct memory_view),
    .enter = memory_enter,
    .parameter = memory_parameter,
    .count = memory_count,
    .text = memory_text,
    .describe = memory_describe,
    .status = memory_status,
    .draw = memory_draw,
    .hints = {{COMMAND_DOWN, "box"},
              {COMMAND_CHANGE, "go to"},
              {COMMAND_EXPLAIN, NULL},
              {COMMAND_FIND, NULL},
              {COMMAND_CANCEL, NULL}},
    .opens = {{COMMAND_OPEN, NULL},
              {COMMAND_WORKLOAD, NULL},
              {COMMAND_DEPTH, NULL},
              {COMMAND_CANCEL, NULL}},
};
