/* Pins: the machine on the screen beside every pinned one, in the parameters that differ and in
 * what they score. A mark says of a pinned machine's number whether it is better than that on the
 * screen. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "schema/exactness.h"
#include "ui/panes/deltas.h"
#include "ui/panes/pane.h"
#include "ui/panes/say.h"

struct pins_row { /* one of both */
    const struct parameter *parameter;
    const struct metric *metric;
};

struct pins_view {
    struct list list;
    int column; /* of the cursor: a pin */
    struct pins_row *rows;
    size_t count, capacity;
};

static bool pins_differ(const struct session *session, const struct parameter *parameter)
{
    const struct value own = parameter_get(parameter, &session->machine);
    size_t i = 0;
    while (i < session->pin_count &&
           parameter_equal(parameter, own, parameter_get(parameter, &session->pins[i].machine)))
        i++;
    return i < session->pin_count;
}

/* A number of any of the machines, and not 0 for all where that is usual. */
static bool pins_have(const struct explorer *explorer, const struct metric *metric)
{
    const struct session *session = explorer->session;
    const double own = metric_get(metric, &explorer->last.metrics);
    bool has = !isnan(own), some = has && own != 0;
    if (!metric_answered(metric, session->study.depth))
        return false;
    for (size_t i = 0; i < session->pin_count; i++) {
        const struct pin *pin = &session->pins[i];
        const double value = pin->values ? metric_get(metric, &pin->metrics) : NAN;
        has |= !isnan(value);
        some |= !isnan(value) && value != 0;
    }
    return metric->traits & METRIC_SPARSE ? some : has;
}

static enum status pins_add(struct pins_view *view, struct pins_row row)
{
    if (array_reserve(&view->rows, &view->capacity, view->count + 1))
        return STATUS_MEMORY;
    view->rows[view->count++] = row;
    return STATUS_OK;
}

/* Of metrics those that people see first, or all (all-metrics). */
static void pins_settle(struct explorer *explorer)
{
    struct pins_view *view = pane_state(explorer, CONTEXT_PINS);
    const struct session *session = explorer->session;
    enum status status = STATUS_OK;
    view->count = 0;
    if (view->column >= (int)session->pin_count)
        view->column = session->pin_count ? (int)session->pin_count - 1 : 0;
    if (explorer->view != VIEW_PINS || !explorer->last.request)
        return;
    for (size_t i = 0; i < parameter_count && !status; i++)
        if (pins_differ(session, &parameters[i]))
            status = pins_add(view, (struct pins_row){.parameter = &parameters[i]});
    for (size_t i = 0; i < METRIC_COUNT && !status; i++) {
        const struct metric *metric = &metric_table[i];
        const bool wanted = explorer->live.all || live_pane_is_top(explorer, metric);
        if (wanted && pins_have(explorer, metric))
            status = pins_add(view, (struct pins_row){.metric = metric});
    }
}

static void pins_free(void *state)
{
    struct pins_view *view = state;
    free(view->rows);
}

static struct list *pins_list(struct explorer *explorer)
{
    struct pins_view *view = pane_state(explorer, CONTEXT_PINS);
    return &view->list;
}

static int pins_count(const struct explorer *explorer)
{
    const struct pins_view *view = pane_seen(explorer, CONTEXT_PINS);
    return (int)view->count;
}

static const char *pins_path(const struct pins_row *row)
{
    return row->metric ? row->metric->path : row->parameter->path;
}

static const char *pins_print(const struct explorer *explorer, const struct pins_row *row,
                              const struct machine *machine, const struct metrics *metrics,
                              char text[VALUE_TEXT])
{
    if (!row->metric)
        return parameter_print(row->parameter, parameter_get(row->parameter, machine), text);
    if (!metrics || isnan(metric_get(row->metric, metrics)))
        return "";
    text[0] = '~';
    quantity_print_short(metric_get(row->metric, metrics), row->metric->unit, 3, text + 1);
    return metric_exact_at(row->metric, explorer->session->study.depth) ? text + 1 : text;
}

/* Pins without values that can be compared have none. */
static const struct metrics *pins_metrics(const struct explorer *explorer, const struct pin *pin)
{
    return explorer_compares(explorer, pin) ? &pin->metrics : NULL;
}

static void pins_text(const struct explorer *explorer, int index, char text[ROW_TEXT])
{
    const struct pins_view *view = pane_seen(explorer, CONTEXT_PINS);
    const struct session *session = explorer->session;
    const struct pins_row *row = &view->rows[index];
    char value[VALUE_TEXT];
    int used = snprintf(text, ROW_TEXT, "%s: now %s", pins_path(row),
                        pins_print(explorer, row, &session->machine,
                                   explorer_has_metrics(explorer) ? &explorer->last.metrics : NULL,
                                   value));
    for (size_t i = 0; i < session->pin_count && used < ROW_TEXT; i++) {
        const struct pin *pin = &session->pins[i];
        used +=
            snprintf(text + used, (size_t)(ROW_TEXT - used), ", %s %s", pin->name,
                     pins_print(explorer, row, &pin->machine, pins_metrics(explorer, pin), value));
        if (row->metric && explorer_has_metrics(explorer) && explorer_compares(explorer, pin) &&
            used < ROW_TEXT)
            used += snprintf(text + used, (size_t)(ROW_TEXT - used), " (%s)",
                             delta_of(row->metric, &pin->metrics, &explorer->last.metrics).text);
    }
}

/* ---- drawing ---- */

enum { PINS_CELL_LEAST = 10, PINS_CELL_MOST = 18, PINS_NAME = 34 };

struct pins_columns {
    int name, cell;
};

static struct pins_columns pins_place(const struct explorer *explorer, int columns)
{
    const int cells = 1 + (int)explorer->session->pin_count;
    int cell = (columns - PINS_NAME) / cells;
    cell = cell < PINS_CELL_LEAST ? PINS_CELL_LEAST : cell > PINS_CELL_MOST ? PINS_CELL_MOST : cell;
    const int name = columns - cell * cells < PINS_NAME ? columns - cell * cells : PINS_NAME;
    return (struct pins_columns){name, cell};
}

static void draw_cell(const struct explorer *explorer, const struct canvas *canvas, int line,
                      int column, int width, const struct pins_row *row, const struct pin *pin)
{
    const struct metrics *metrics = pin                              ? pins_metrics(explorer, pin)
                                    : explorer_has_metrics(explorer) ? &explorer->last.metrics
                                                                     : NULL;
    char text[VALUE_TEXT];
    const char *value =
        pins_print(explorer, row, pin ? &pin->machine : &explorer->session->machine, metrics, text);
    const struct delta delta = row->metric && pin && metrics && explorer_has_metrics(explorer)
                                   ? delta_of(row->metric, metrics, &explorer->last.metrics)
                                   : (struct delta){.text = ""};
    delta_draw(canvas, line, column, width, &(struct delta){"", delta.better});
    canvas_right(canvas, line, column, width - 2, STYLE(pin ? ROLE_TEXT : ROLE_ACCENT), value);
}

static void pins_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    const struct pins_view *view = pane_seen(explorer, CONTEXT_PINS);
    const struct session *session = explorer->session;
    const struct pins_columns at = pins_place(explorer, canvas->rect.columns);
    (void)focused;
    canvas_right(canvas, 0, at.name, at.cell - 2, STYLE_BOLD(ROLE_ACCENT), "now");
    for (int i = 0; i < (int)session->pin_count; i++) {
        struct style style = STYLE_BOLD(ROLE_ACCENT);
        style.reverse = i == view->column;
        char name[SESSION_NAME + 8];
        snprintf(name, sizeof name, "%d %s", i + 1, session->pins[i].name);
        canvas_right(canvas, 0, at.name + (i + 1) * at.cell, at.cell - 2, style, name);
    }
    for (int line = 1; line < canvas->rect.rows; line++) {
        const int index = view->list.top + line - 1;
        if (index >= (int)view->count)
            break;
        const struct pins_row *row = &view->rows[index];
        canvas_text(canvas, line, 1, at.name - 1, STYLE(row->metric ? ROLE_TEXT : ROLE_ACCENT),
                    pins_path(row));
        for (int i = 0; i <= (int)session->pin_count; i++)
            draw_cell(explorer, canvas, line, at.name + i * at.cell, at.cell, row,
                      i ? &session->pins[i - 1] : NULL);
        if (index == view->list.selected) {
            canvas_reverse(canvas, line);
            canvas_cursor(canvas, line, 1);
        }
    }
}

static void pins_across(struct explorer *explorer, int by)
{
    struct pins_view *view = pane_state(explorer, CONTEXT_PINS);
    const int wanted = view->column + by;
    if (wanted >= 0 && wanted < (int)explorer->session->pin_count)
        view->column = wanted;
}

static bool pins_enter(struct explorer *explorer)
{
    const struct pins_view *view = pane_seen(explorer, CONTEXT_PINS);
    if (!explorer->session->pin_count)
        return refuse(explorer, "nothing is pinned: p pins the machine");
    return action_return(explorer, explorer->session->pins[view->column].name);
}

static void pins_describe(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct pins_view *view = pane_seen(explorer, CONTEXT_PINS);
    text[0] = '\0';
    if (view->list.selected < (int)view->count)
        pins_text(explorer, view->list.selected, text);
}

static void pins_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct pin *pending = explorer_pin_pending(explorer);
    snprintf(text, ROW_TEXT, "%s",
             !explorer_has_metrics(explorer) ? "to come"
             : pending                       ? "pins to come"
                                             : "exact");
}

const struct pane_ops pins_pane_ops = {
    .title = "Pins",
    .state_size = sizeof(struct pins_view),
    .free = pins_free,
    .heads = 1,
    .across = pins_across,
    .enter = pins_enter,
    .list = pins_list,
    .count = pins_count,
    .text = pins_text,
    .describe = pins_describe,
    .status = pins_status,
    .settle = pins_settle,
    .draw = pins_draw,
    .hints = {{COMMAND_LEFT, "pin"},
              {COMMAND_CHANGE, "return to"},
              {COMMAND_ALL_METRICS, NULL},
              {COMMAND_PIN, NULL},
              {COMMAND_FIND, NULL},
              {COMMAND_CANCEL, NULL}},
};
