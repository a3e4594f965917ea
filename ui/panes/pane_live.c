/* The Live pane: the metrics of the machine on the workload, next to the pinned baseline. Values of
 * an earlier machine are shown dimmed until new ones arrive, so the pane never goes blank. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "schema/exactness.h"
#include "schema/parameters.h"
#include "ui/panes/deltas.h"
#include "ui/panes/limits.h"
#include "ui/panes/live_classes.h"
#include "ui/panes/pane.h"
#include "ui/panes/stack_bars.h"

static bool waiting(const struct explorer *explorer)
{
    enum engine_state state = explorer->snapshot.evaluation.state;
    return explorer->snapshot.evaluation.request != explorer->request || state == ENGINE_RUNNING ||
           state == ENGINE_IDLE;
}

bool explorer_has_metrics(const struct explorer *explorer)
{
    return explorer->last.request && explorer->last.request == explorer->request;
}

bool explorer_compares(const struct explorer *explorer, const struct pin *pin)
{
    /* The difference between an exact value and an estimate says nothing about the machines. */
    return pin->values && (explorer->last.state == ENGINE_ESTIMATE || pin->values >= PIN_COUNTED);
}

bool explorer_has_baseline(const struct explorer *explorer)
{
    return explorer->session->pin_count && explorer_compares(explorer, &explorer->session->pins[0]);
}

static enum status live_add_row(struct live_pane *pane, struct live_row row)
{
    if (array_reserve(&pane->rows, &pane->capacity, (size_t)pane->count + 1))
        return STATUS_MEMORY;
    pane->rows[pane->count++] = row;
    return STATUS_OK;
}

bool live_pane_pending(const struct explorer *explorer, const struct metric *metric)
{
    const struct engine_evaluation *last = &explorer->last;
    return metric_needs(metric) & NEED_REPORT && machine_has(&last->machine, metric->stage) &&
           metric->provenance == FROM_MODEL &&
           (last->state == ENGINE_ESTIMATE || last->state == ENGINE_COUNTED) &&
           depth_can(last->depth, DEPTH_FACTORED);
}

static bool is_named(const struct explorer *explorer, const struct metric *metric)
{
    const struct exploration *exploration = &explorer->session->exploration;
    for (size_t i = 0; i < exploration->metric_count; i++)
        if (exploration->metrics[i] == metric)
            return true;
    return false;
}

/* Gives everything that the machine has a row until the first result, so that rows do not jump when
 * it arrives. */
static bool live_has_value(const struct explorer *explorer, const struct metric *metric)
{
    const enum depth depth = explorer->session->study.depth;
    if (!metric_answered(metric, depth) && !metric_compared(metric, depth))
        return false;
    double value = metric_get(metric, &explorer->last.metrics);
    if (metric->traits & METRIC_SPARSE && !is_named(explorer, metric))
        return explorer->last.request && !isnan(value) && value != 0;
    if (!explorer->last.request)
        return machine_has(&explorer->session->machine, metric->stage);
    return live_pane_pending(explorer, metric) || !isnan(value);
}

static enum status live_add_classes(struct explorer *explorer, const struct metric *rate)
{
    const enum depth depth = explorer->session->study.depth;
    struct live_row row = {0};
    if (!live_classes_find(depth, rate, row.classes) || !live_has_value(explorer, row.classes[0]))
        return STATUS_OK;
    enum status status = live_add_row(&explorer->live, row);
    row.stacked = true;
    return status || !depth_can(depth, DEPTH_DISTANCES) ? status
                                                        : live_add_row(&explorer->live, row);
}

/* The stack of a pin, where it is another machine than that on the screen; NULL: none. */
static const struct metrics *pinned_stack(const struct explorer *explorer, size_t index)
{
    const struct pin *pin = &explorer->session->pins[index];
    const bool other = index < explorer->session->pin_count && explorer_compares(explorer, pin) &&
                       !machine_same(&pin->machine, &explorer->last.machine, ~0u);
    return other && cycle_stack_known(STACK_CYCLES, &pin->metrics) ? &pin->metrics : NULL;
}

enum { TALL = 18, LOW = 14 }; /* rows */

static enum status add_level(struct explorer *explorer, enum stack_level level)
{
    const int columns = explorer->layout.panes[PANE_LIVE].columns;
    const int lines = cycle_stack_lines(level, &explorer->last.metrics, explorer->glyphs, columns);
    struct live_row row = {.stack = 1 + (int)level};
    enum status status = STATUS_OK;
    for (row.line = 0; row.line < lines && !status; row.line++)
        status = live_add_row(&explorer->live, row);
    row.stacked = true;
    if (!status)
        status = live_add_row(&explorer->live, row);
    /* A low pane has room for the first alone. */
    const size_t pins =
        pane_visible(explorer, CONTEXT_LIVE) >= TALL ? explorer->session->pin_count : 1;
    for (size_t i = 0; i < pins && !status; i++) {
        row.pinned = 1 + (int)i;
        if (pinned_stack(explorer, i))
            status = live_add_row(&explorer->live, row);
    }
    return status;
}

/* The metrics in the order of the pane: those that the machine's file names come first. NULL: the
 * `place` has none. */
static const struct metric *metric_in_place(const struct explorer *explorer, size_t place)
{
    const struct exploration *exploration = &explorer->session->exploration;
    if (place < exploration->metric_count)
        return exploration->metrics[place];
    const struct metric *metric = &metric_table[place - exploration->metric_count];
    return is_named(explorer, metric) ? NULL : metric;
}

bool live_pane_is_top(const struct explorer *explorer, const struct metric *metric)
{
    return metric->traits & (METRIC_HEADLINE | METRIC_TOP) || is_named(explorer, metric) ||
           !isnan(measured_marks_value(&explorer->measured, metric));
}

/* The cycle stack comes after the last metric that the machine's file names, or else
 * after the headlines of time. */
static size_t stack_place(const struct explorer *explorer)
{
    const struct exploration *exploration = &explorer->session->exploration;
    const struct metric *last = &metric_table[offsetof(struct metrics, core_ipc) / sizeof(double)];
    if (explorer->options.plain || !live_has_value(explorer, last))
        return SIZE_MAX;
    size_t place = exploration->metric_count;
    while (place > 0 && !live_has_value(explorer, exploration->metrics[place - 1]))
        place--;
    return place > 0 ? place - 1 : exploration->metric_count + (size_t)(last - metric_table);
}

/* The levels from `first` on, to before `last`. */
static enum status add_levels(struct explorer *explorer, unsigned first, unsigned last)
{
    enum status status = STATUS_OK;
    for (unsigned level = first; level < last && !status; level++)
        status = add_level(explorer, (enum stack_level)level);
    return status;
}

/* The most important rows: what a profile measured, miss rates, each followed by its classes, or
 * all classes at the end if the pane is too low. */
static enum status add_top(struct explorer *explorer)
{
    enum status status = STATUS_OK;
    size_t top = 0, classes = 0;
    const size_t stack = stack_place(explorer);
    /* In a low pane numbers come before the second level. */
    const unsigned levels = pane_visible(explorer, CONTEXT_LIVE) >= LOW ? STACK_LEVELS : 1;
    const size_t places = explorer->session->exploration.metric_count + METRIC_COUNT;
    for (size_t i = 0; i < places; i++) {
        struct live_row row = {0};
        const struct metric *metric = metric_in_place(explorer, i);
        bool shown =
            metric && live_pane_is_top(explorer, metric) && live_has_value(explorer, metric);
        top += shown;
        classes += shown && live_classes_find(explorer->session->study.depth, metric, row.classes);
    }
    const int rows = pane_visible(explorer, CONTEXT_LIVE) - explorer->live.count;
    const bool inside = rows <= 0 || (int)(top + classes) <= rows;
    for (int round = 0; round <= !inside; round++)
        for (size_t i = 0; !status && i < places; i++) {
            const struct metric *metric = metric_in_place(explorer, i);
            if (!metric || !live_pane_is_top(explorer, metric) || !live_has_value(explorer, metric))
                continue;
            if (!round)
                status = live_add_row(&explorer->live,
                                      (struct live_row){.metric = metric, .whole = true});
            if (!status && !round && i == stack)
                status = add_levels(explorer, 0, levels);
            if (!status && (inside || round))
                status = live_add_classes(explorer, metric);
        }
    return status || stack == SIZE_MAX ? status : add_levels(explorer, levels, STACK_LEVELS);
}

/* Of a structure its area says enough. */
static bool is_detail_of_structure(const struct metric *metric)
{
    return (metric->stage == STAGE_AREA && metric->unit != UNIT_AREA) ||
           (metric->provenance == FROM_CACTI && metric->unit == UNIT_JOULES);
}

/* Rates, sizes and times, and the counts specific to a depth. The command all-metrics shows the
 * other counts, and all of structures. */
static enum status add_key_metrics(struct explorer *explorer)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; !status && i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        bool wanted = metric->unit != UNIT_NONE ||
                      (!(metric->depths & AT_FUNCTIONAL) && !(metric->traits & METRIC_CLASSES));
        wanted &= !live_pane_is_top(explorer, metric) && !cycle_stack_has(metric) &&
                  !is_detail_of_structure(metric);
        if (wanted && live_has_value(explorer, metric))
            status =
                live_add_row(&explorer->live, (struct live_row){.metric = metric, .whole = true});
    }
    return status;
}

static enum status add_all_metrics(struct explorer *explorer)
{
    enum status status = STATUS_OK;
    const char *group = "";
    for (size_t i = 0; !status && i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        size_t length = strcspn(metric->path, ".");
        if (!live_has_value(explorer, metric))
            continue;
        if (strncmp(group, metric->path, length + 1)) {
            group = metric->path;
            status = live_add_row(&explorer->live, (struct live_row){.label = metric->path});
        }
        if (!status)
            status = live_add_row(&explorer->live, (struct live_row){.metric = metric});
    }
    return status;
}

/* The line that says what limits the machine: where it is worked out ahead its row is always there,
 * so that rows do not jump when it comes. */
static enum status add_limit(struct explorer *explorer)
{
    char text[ROW_TEXT];
    const struct live_row row = {.limit = true};
    return explorer_is_attended(explorer) || *limits_line(explorer, ROW_TEXT, text)
               ? live_add_row(&explorer->live, row)
               : STATUS_OK;
}

/* If memory is short, rows are missing until the next change. */
static void live_settle(struct explorer *explorer)
{
    struct live_pane *pane = &explorer->live;
    pane->count = 0;
    metrics_compare(&explorer->last.metrics,
                    explorer_has_baseline(explorer) ? &explorer->session->pins[0].metrics : NULL,
                    explorer->last.depth);
    enum status status = add_limit(explorer);
    if (!status)
        status = add_top(explorer);
    if (!status && pane->all)
        (void)add_all_metrics(explorer);
    else if (!status && !explorer->options.plain) /* nobody wants to hear fifty numbers */
        (void)add_key_metrics(explorer);
}

void live_pane_free(struct live_pane *pane)
{
    free(pane->rows);
}

/* ---- drawing ---- */

struct columns { /* columns of the pane, by its width */
    int label, value, delta, provenance, bar;
};

static struct columns live_place_columns(const struct canvas *canvas, bool all)
{
    int width = canvas->rect.columns;
    struct columns columns = {all ? 24 : 23, 10, 10, 0, 0};
    if (width >= 60) { /* "transactions_per_instruction", "~0.00615mm2" */
        columns.label = 31;
        columns.value = 11;
    }
    if (width < columns.label + 20)
        columns.label = width - 20 > 8 ? width - 20 : 8;
    int rest = width - columns.label - columns.value - columns.delta - 1;
    if (rest >= 18) {
        columns.provenance = 12;
        rest -= columns.provenance;
    }
    columns.bar = rest > 24 ? 24 : rest;
    return columns;
}

static void draw_delta(const struct explorer *explorer, const struct canvas *canvas, int row,
                       int column, int width, const struct metric *metric)
{
    const struct engine_evaluation *evaluation = &explorer->last;
    double error = metric_get(metric, &evaluation->error);
    if (evaluation->state == ENGINE_ESTIMATE && error > 0) {
        char half[QUANTITY_TEXT], both[QUANTITY_TEXT + 8];
        quantity_print_short(error, metric->unit, metric->unit == UNIT_PERCENT ? 4 : 2, half);
        snprintf(both, sizeof both, "%s%s", canvas_glyph(canvas, GLYPH_PLUS_MINUS), half);
        canvas_right(canvas, row, column, width, STYLE(ROLE_SERIES_3), both);
        return;
    }
    if (!explorer_has_baseline(explorer))
        return;
    const struct delta delta =
        delta_of(metric, &evaluation->metrics, &explorer->session->pins[0].metrics);
    delta_draw(canvas, row, column, width, &delta);
}

static void draw_metric(const struct explorer *explorer, const struct canvas *canvas, int row,
                        const struct live_row *item, const struct columns *columns)
{
    const struct metric *metric = item->metric;
    const char *dot = strchr(metric->path, '.');
    const int indent = item->whole ? 1 : 3;
    canvas_text(canvas, row, indent, columns->label - indent, STYLE(ROLE_TEXT),
                item->whole ? metric->path : dot + 1);
    if (!explorer->last.request) {
        canvas_right(canvas, row, columns->label, columns->value, STYLE(ROLE_DIM),
                     canvas_glyph(canvas, GLYPH_DOT));
        return;
    }
    if (live_pane_pending(explorer, metric)) {
        canvas_right(canvas, row, columns->label, columns->value, STYLE(ROLE_DIM), "to come");
        return;
    }
    double value = metric_get(metric, &explorer->last.metrics);
    char number[QUANTITY_TEXT], text[QUANTITY_TEXT + 1];
    snprintf(text, sizeof text, "%s%s", metric_exact_at(metric, explorer->last.depth) ? "" : "~",
             quantity_print_short(value, metric->unit, 3, number));
    if (!explorer_has_metrics(explorer)) { /* values of an earlier machine; the title says which */
        canvas_right(canvas, row, columns->label, columns->value, STYLE(ROLE_DIM), text);
        return;
    }
    canvas_right(canvas, row, columns->label, columns->value, STYLE_BOLD(ROLE_TEXT), text);
    int column = columns->label + columns->value + 1;
    const double measured = measured_marks_value(&explorer->measured, metric);
    if (isnan(measured) || columns->provenance)
        draw_delta(explorer, canvas, row, column, columns->delta - 1, metric);
    else
        measured_marks_draw(canvas, row, column, columns->delta - 1, metric, measured, value);
    column += columns->delta;
    if (columns->provenance && isnan(measured))
        canvas_text(canvas, row, column, columns->provenance - 1, STYLE(ROLE_DIM),
                    metric_source(metric, explorer->last.depth));
    else if (columns->provenance)
        measured_marks_draw(canvas, row, column, columns->provenance - 1, metric, measured, value);
    column += columns->provenance;
    if (columns->bar >= 4 && metric->unit == UNIT_PERCENT) {
        canvas_bar(canvas, row, column, columns->bar, value, ROLE_SERIES_1);
        measured_marks_bar(canvas, row, column, columns->bar, measured, value);
    }
}

/* Without room for how sure it is, the line ends before that; nothing at all while it is unknown.
 */
static void draw_limit(const struct explorer *explorer, const struct canvas *canvas, int row)
{
    char text[ROW_TEXT];
    if (*limits_line(explorer, canvas->rect.columns - 2, text))
        canvas_words(canvas, row, 1, canvas->rect.columns - 1, STYLE_BOLD(ROLE_ACCENT), text);
    else
        canvas_words(canvas, row, 1, canvas->rect.columns - 1, STYLE(ROLE_DIM),
                     limits_unknown(explorer, text));
}

/* What stands in front says whose bar it is: p, or the number of a pin in the view of pins. */
static void draw_pinned(const struct explorer *explorer, const struct canvas *canvas, int row,
                        enum stack_level level, int pin)
{
    const struct metrics *pinned = pinned_stack(explorer, (size_t)pin);
    if (!pinned)
        return;
    cycle_stack_draw(canvas, row, level, pinned, false);
    if (pin)
        canvas_printf(canvas, row, 1, 2, STYLE(ROLE_DIM), "%d", pin + 1);
    else
        canvas_text(canvas, row, 1, 2, STYLE(ROLE_DIM), "p");
}

static void draw_stack_row(const struct explorer *explorer, const struct canvas *canvas, int row,
                           const struct live_row *item)
{
    const enum stack_level level = (enum stack_level)(item->stack - 1);
    const struct metrics *metrics = &explorer->last.metrics;
    const bool now = explorer_has_metrics(explorer);
    if (!explorer->last.request || !cycle_stack_known(STACK_CYCLES, metrics))
        return;
    if (item->pinned)
        draw_pinned(explorer, canvas, row, level, item->pinned - 1);
    else if (item->stacked)
        cycle_stack_draw(canvas, row, level, metrics, now);
    else
        cycle_stack_words(canvas, row, item->line, level, metrics, now);
}

void live_pane_draw_cycles(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct metrics *metrics = &explorer->last.metrics;
    if (explorer->last.request && !live_pane_problem(explorer) &&
        cycle_stack_known(STACK_CYCLES, metrics))
        cycle_stack_list(canvas, metrics, pinned_stack(explorer, 0));
}

const char *live_pane_problem(const struct explorer *explorer)
{
    const struct engine_snapshot *snapshot = &explorer->snapshot;
    if (snapshot->workload_state == ENGINE_FAILED)
        return snapshot->workload_message;
    return snapshot->evaluation.state == ENGINE_FAILED &&
                   snapshot->evaluation.request == explorer->request
               ? snapshot->evaluation.message
               : NULL;
}

/* Draws notes in the free rows at the bottom, first of all what no cache serves in this workload.
 */
static void draw_notes(const struct canvas *canvas, const struct engine_evaluation *evaluation,
                       int left)
{
    char spaces[COUNTED_NOTES][COUNTED_NOTE_TEXT];
    size_t count = evaluate_counted_notes(&evaluation->machine, evaluation->depth,
                                          &evaluation->metrics, spaces);
    size_t all = count + evaluation->note_count;
    for (size_t i = 0; i < all && (int)i < left - 1; i++)
        canvas_printf(canvas, canvas->rect.rows - 1 - (int)i, 1, canvas->rect.columns - 1,
                      STYLE(ROLE_DIM), "note: %s",
                      i < count ? spaces[i] : evaluation->notes[i - count]);
}

static void live_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    const struct live_pane *pane = &explorer->live;
    const struct engine_snapshot *snapshot = &explorer->snapshot;
    const char *problem = live_pane_problem(explorer);
    if (problem) {
        canvas_paragraph(canvas, 0, STYLE_BOLD(ROLE_BAD), problem);
        return;
    }
    struct columns columns = live_place_columns(canvas, pane->all);
    for (int row = 0; row < canvas->rect.rows; row++) {
        int index = pane->list.top + row;
        if (index >= pane->count)
            break;
        const struct live_row *item = &pane->rows[index];
        if (item->metric)
            draw_metric(explorer, canvas, row, item, &columns);
        else if (item->label)
            canvas_printf(canvas, row, 1, 20, STYLE_BOLD(ROLE_ACCENT), "%.*s",
                          (int)strcspn(item->label, "."), item->label);
        else if (item->stack)
            draw_stack_row(explorer, canvas, row, item);
        else if (item->limit)
            draw_limit(explorer, canvas, row);
        else
            live_classes_draw(explorer, canvas, row, item);
        if (focused && index == pane->list.selected) {
            canvas_reverse(canvas, row);
            canvas_cursor(canvas, row, 1);
        }
    }
    draw_notes(canvas, &snapshot->evaluation, canvas->rect.rows - (pane->count - pane->list.top));
}

static struct list *live_list(struct explorer *explorer)
{
    return &explorer->live.list;
}

static int live_count(const struct explorer *explorer)
{
    return explorer->live.count;
}

static void live_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    const struct live_row *item = &explorer->live.rows[row];
    snprintf(text, ROW_TEXT, "%s %s", item->metric ? item->metric->path : "",
             item->label ? item->label : "");
}

static void live_describe(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct live_pane *pane = &explorer->live;
    text[0] = '\0';
    if (pane->list.selected >= pane->count)
        return;
    const struct live_row *item = &pane->rows[pane->list.selected];
    if (item->classes[0])
        live_classes_describe(explorer, item, text);
    if (item->stack)
        cycle_stack_describe((enum stack_level)(item->stack - 1), text, ROW_TEXT);
    if (item->limit)
        limits_line(explorer, ROW_TEXT, text);
    if (!item->metric)
        return;
    int used = snprintf(text, ROW_TEXT, "%s: %s (%s)", item->metric->path, item->metric->help,
                        metric_source(item->metric, explorer->session->study.depth));
    char base[QUANTITY_TEXT], pairing[MARKS_TEXT];
    if (explorer_has_baseline(explorer))
        used += snprintf(
            text + used, (size_t)(ROW_TEXT - used), "; %s: %s", explorer->session->pins[0].name,
            quantity_print_short(metric_get(item->metric, &explorer->session->pins[0].metrics),
                                 item->metric->unit, 3, base));
    const double measured = measured_marks_value(&explorer->measured, item->metric);
    if (!isnan(measured) && used < ROW_TEXT)
        snprintf(text + used, (size_t)(ROW_TEXT - used), "; measured: %s (%s, %s)",
                 quantity_print_short(measured, item->metric->unit, 3, base),
                 explorer->measured.name, measured_marks_pairing(&explorer->measured, pairing));
}

/* If the values are of another machine than the one on the screen, appends how they differ, the
 * parameter under the cursor first. */
static void append_older(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct machine *shown = &explorer->last.machine, *now = &explorer->session->machine;
    const struct parameter *cursor = explorer_parameter(explorer), *named = NULL;
    size_t count = 0, used = strlen(text);
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        if (parameter_equal(parameter, parameter_get(parameter, shown),
                            parameter_get(parameter, now)))
            continue;
        count++;
        if (!named || parameter == cursor)
            named = parameter;
    }
    if (!named)
        return;
    char value[VALUE_TEXT], more[32] = "";
    if (count > 1)
        snprintf(more, sizeof more, " and %zu more", count - 1);
    snprintf(text + used, ROW_TEXT - used, "  %sof %s %s%s",
             explorer->last.state == ENGINE_ESTIMATE ? "estimate " : "", named->path,
             parameter_print(named, parameter_get(named, shown), value), more);
}

static void print_waiting(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct engine_evaluation *evaluation = &explorer->snapshot.evaluation;
    snprintf(text, ROW_TEXT, "%s %.0f%%",
             depth_can(explorer->session->study.depth, DEPTH_SAMPLED) ? "evaluating" : "computing",
             evaluation->request == explorer->request ? 100 * evaluation->share : 0.0);
    if (explorer->last.request && !explorer_has_metrics(explorer))
        append_older(explorer, text);
}

void live_pane_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct engine_evaluation *evaluation = &explorer->snapshot.evaluation;
    const enum depth depth = explorer->session->study.depth;
    char at[32] = "", marks[MARKS_TEXT], pairing[MARKS_TEXT + 2] = "";
    if (depth != DEPTH_FUNCTIONAL)
        snprintf(at, sizeof at, "%s, ", depth_name(depth));
    if (*measured_marks_pairing(&explorer->measured, marks))
        snprintf(pairing, sizeof pairing, ", %s", marks);
    if (live_pane_problem(explorer))
        snprintf(text, ROW_TEXT, "failed");
    else if (explorer->snapshot.workload_state == ENGINE_RUNNING)
        snprintf(text, ROW_TEXT, "opening the workload");
    else if (explorer_has_metrics(explorer) && explorer->last.state == ENGINE_DONE)
        snprintf(text, ROW_TEXT,
                 explorer_has_baseline(explorer) ? "%sexact%s, against %s" : "%sexact%s", at,
                 pairing, explorer->session->pins[0].name);
    else if (explorer_has_metrics(explorer) && explorer->last.state == ENGINE_COUNTED)
        snprintf(text, ROW_TEXT, "exact, classes at %.0f%%", 100 * evaluation->share);
    else if (waiting(explorer))
        print_waiting(explorer, text);
    else
        snprintf(text, ROW_TEXT, "estimate, exact at %.0f%%", 100 * evaluation->share);
}

const struct pane_ops live_pane_ops = {
    .title = "Live",
    .list = live_list,
    .count = live_count,
    .text = live_text,
    .describe = live_describe,
    .status = live_pane_status,
    .settle = live_settle,
    .draw = live_draw,
    .hints = {{COMMAND_ALL_METRICS, NULL},
              {COMMAND_EXPLAIN, NULL},
              {COMMAND_METRIC, NULL},
              {COMMAND_PIN, NULL},
              {COMMAND_WORKLOAD, NULL},
              {COMMAND_FIND, NULL},
              {COMMAND_ZOOM, NULL},
              {COMMAND_FOCUS_NEXT, NULL}},
};
