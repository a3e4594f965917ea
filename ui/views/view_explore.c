/* The Explore view: the points of a store as a table. points.h reads them in the background;
 * drawing only formats the rows on the screen. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/utf8.h"
#include "ui/panes/deltas.h"
#include "ui/panes/pane.h"
#include "ui/panes/say.h"

enum { COLUMN_GAP = 2, COLUMN_MAX = 20 };

struct explore_view {
    struct list list;
    int column; /* of the cursor */
};

/* `values` are the metrics of the point, over `workloads` workloads. */
static const char *explore_print_cell(const struct points *points, uint64_t index,
                                      uint64_t workloads, const double *values, size_t column,
                                      char text[VALUE_TEXT])
{
    struct points_shape shape = points_shape(points);
    if (column < shape.workload) {
        const struct store_row row = {.point = index, .workloads = workloads};
        char share[COUNT_TEXT + 8];
        snprintf(text, VALUE_TEXT, "%s",
                 store_row_workload(&points->space, &row, share, sizeof share));
        return text;
    }
    column -= shape.workload;
    if (column < shape.axes)
        return parameter_print(points->study->axes[column].parameter,
                               points_axis(points, index, column), text);
    column -= shape.axes;
    return quantity_print_short(values[column], points->columns[column]->unit, 4, text);
}

static const char *explore_print_row(const struct points *points, size_t row, size_t column,
                                     char text[VALUE_TEXT])
{
    return explore_print_cell(points, points->items[row].index, points->items[row].workloads,
                              points->values + row * points->column_count, column, text);
}

static bool same_query(const struct points_query *a, const struct points_query *b)
{
    return !strcmp(a->store, b->store) && !strcmp(a->where, b->where) &&
           !strcmp(a->sort, b->sort) && a->front == b->front && a->across == b->across &&
           a->importance == b->importance;
}

/* Keeps the cursor on its point when more points arrive. Another order or filter starts at the top.
 */
static void keep_cursor(struct explore_view *view, const struct points *before,
                        const struct points *points)
{
    size_t selected = (size_t)view->list.selected;
    if (!before || selected >= before->count || !same_query(&before->query, &points->query))
        return;
    size_t row = points_row(points, before->items[selected].index);
    if (row < points->count)
        view->list.selected = (int)row;
}

/* If the reading failed, the table and its query stay as they were. */
static bool explore_takes(struct explorer *explorer, void *answer)
{
    const struct points *points = answer, *before = points_shown(explorer);
    if (!points->answer.status) {
        keep_cursor(pane_state(explorer, CONTEXT_EXPLORE), before, points);
        return true;
    }
    refuse(explorer, "%s", points->answer.message);
    if (!points_usable(explorer))
        return true;
    /* The importance stays asked for, or the chart of it would have it read again without end. */
    const bool importance = explorer->shown.wanted.importance;
    explorer->shown.wanted = before->query;
    explorer->shown.wanted.importance = importance;
    return false;
}

/* Reads a growing store again, but never while a reading is under way. */
static void explore_settle(struct explorer *explorer)
{
    struct explore_view *view = pane_state(explorer, CONTEXT_EXPLORE);
    struct shown_points *shown = &explorer->shown;
    const struct engine_sweep *sweep = &explorer->snapshot.sweep;
    uint64_t done = sweep->progress.done;
    bool ours = !strcmp(shown->wanted.store, explorer->sweep.store);
    bool wanted = explorer->view == VIEW_EXPLORE || chart_pane_shows(explorer, CHART_FRONT) ||
                  explorer->chart.kind == CHART_MATRIX || sweep->state == ENGINE_DONE;
    bool over = sweep->state == ENGINE_DONE;
    bool enough = done >= shown->read_at + shown->read_at / 4 + 1 ||
                  (over && done != shown->read_at) || (over && !points_shown(explorer));
    if (ours && wanted && enough && !pane_waits(explorer, CONTEXT_EXPLORE))
        shown_points_read(explorer);
    if (explorer->chart.kind == CHART_IMPORTANCE && !shown->wanted.importance) {
        shown->wanted.importance = true;
        if (points_shown(explorer))
            shown_points_read(explorer);
    }
    int columns = (int)shown_points_columns(explorer);
    if (view->column >= columns)
        view->column = columns ? columns - 1 : 0;
    const struct points *points = points_usable(explorer);
    list_move(&view->list, points ? (int)points->count : 0, 0);
}

/* ---- commands ---- */

bool action_sort(struct explorer *explorer, const char *arguments)
{
    const struct explore_view *view = pane_seen(explorer, CONTEXT_EXPLORE);
    struct points_query *wanted = &explorer->shown.wanted;
    const char *column = arguments;
    if (!*column) {
        if (!shown_points_columns(explorer))
            return refuse(explorer, "there is nothing to sort");
        column = shown_points_column(explorer, (size_t)view->column);
    }
    if (!strcmp(column, "workload"))
        return refuse(explorer, "points stand by workload already");
    bool descending = !strcmp(wanted->sort, column);
    snprintf(wanted->sort, sizeof wanted->sort, "%s%.78s", descending ? "-" : "", column);
    shown_points_read(explorer);
    return true;
}

static void mark_point(const struct points *points, int row, struct marked_point *marked)
{
    *marked = (struct marked_point){
        .set = true, .index = points->items[row].index, .workloads = points->items[row].workloads};
    memcpy(marked->values, points->values + (size_t)row * points->column_count,
           points->column_count * sizeof *marked->values);
}

bool action_compare(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    const struct explore_view *view = pane_seen(explorer, CONTEXT_EXPLORE);
    const struct points *points = points_usable(explorer);
    const int row = view->list.selected;
    bool *comparing = &explorer->shown.comparing;
    struct marked_point *marked = explorer->shown.marked;
    if (!points || row >= (int)points->count)
        return refuse(explorer, "there is no point here");
    if (*comparing) {
        *comparing = false;
        marked[0].set = marked[1].set = false;
    } else if (!marked[0].set) {
        mark_point(points, row, &marked[0]);
        say(explorer, "A is marked: mark another to compare");
    } else if (marked[0].index == points->items[row].index) {
        marked[0].set = false;
    } else {
        mark_point(points, row, &marked[1]);
        *comparing = true;
        shown_points_read(explorer); /* with what makes the difference */
    }
    return true;
}

/* ---- drawing ---- */

static int column_width(const struct explorer *explorer, size_t column)
{
    const struct points *points = points_shown(explorer);
    int width = (int)utf8_columns(shown_points_column(explorer, column)) + 1;
    if (width > 18)
        width = 18;
    /* Values of a column are alike: derive the width from the first rows instead of all. */
    for (size_t row = 0; row < points->count && row < 200; row++) {
        char text[VALUE_TEXT];
        int columns = (int)utf8_columns(explore_print_row(points, row, column, text));
        if (columns > width)
            width = columns;
    }
    return width < COLUMN_MAX ? width : COLUMN_MAX;
}

/* The first column to draw such that the column under the cursor is visible. */
static size_t first_column(const struct explorer *explorer, int room)
{
    const struct explore_view *view = pane_seen(explorer, CONTEXT_EXPLORE);
    size_t cursor = (size_t)view->column, first = cursor;
    int used = column_width(explorer, cursor) + COLUMN_GAP;
    while (first > 0) {
        used += column_width(explorer, first - 1) + COLUMN_GAP;
        if (used > room)
            break;
        first--;
    }
    return first;
}

enum { MARKS = 3 }; /* columns for marks at the left */

/* A column as it is placed on the screen. */
struct placed {
    size_t column;
    int at, width;
};

/* The next column after `placed` (width 0: the first); false if no more fit. */
static bool place_next(const struct explorer *explorer, int columns, struct placed *placed)
{
    if (placed->width) {
        placed->column++;
        placed->at += placed->width + COLUMN_GAP;
    } else {
        *placed = (struct placed){first_column(explorer, columns - MARKS), MARKS, 0};
    }
    if (placed->column >= shown_points_columns(explorer))
        return false;
    placed->width = column_width(explorer, placed->column);
    return placed->at + placed->width <= columns;
}

/* The first column of a metric. */
static int first_metric(const struct explorer *explorer)
{
    const struct points_shape shape = points_shape(points_shown(explorer));
    return (int)(shape.workload + shape.axes);
}

/* The column of the metric of which a comparison says what each axis does to it: that under the
 * cursor, or the first. */
static int taken_apart(const struct explorer *explorer)
{
    const struct explore_view *view = pane_seen(explorer, CONTEXT_EXPLORE);
    const int first = first_metric(explorer);
    return view->column < first ? first : view->column;
}

static void explore_across(struct explorer *explorer, int by)
{
    struct explore_view *view = pane_state(explorer, CONTEXT_EXPLORE);
    const bool comparing = explorer->shown.comparing && points_usable(explorer);
    const int wanted = (comparing ? taken_apart(explorer) : view->column) + by;
    if (wanted >= (comparing ? first_metric(explorer) : 0) &&
        wanted < (int)shown_points_columns(explorer))
        view->column = wanted;
}

/* Sorts by the column under the mouse. */
static void explore_click(struct explorer *explorer, int column)
{
    struct explore_view *view = pane_state(explorer, CONTEXT_EXPLORE);
    struct placed placed = {0, 0, 0};
    while (shown_points_columns(explorer) &&
           place_next(explorer, explorer->layout.view.columns, &placed))
        if (column >= placed.at && column < placed.at + placed.width) {
            view->column = (int)placed.column;
            action_sort(explorer, "");
            return;
        }
}

static void draw_table(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct explore_view *view = pane_seen(explorer, CONTEXT_EXPLORE);
    const struct points *points = points_shown(explorer);
    struct placed placed = {0, 0, 0};
    while (place_next(explorer, canvas->rect.columns, &placed)) {
        size_t column = placed.column;
        int at = placed.at, width = placed.width;
        const char *name = shown_points_column(explorer, column),
                   *sort = explorer->shown.wanted.sort;
        bool sorted = !strcmp(sort[0] == '-' ? sort + 1 : sort, name);
        struct style style = STYLE_BOLD(sorted ? ROLE_FRONT : ROLE_ACCENT);
        style.reverse = column == (size_t)view->column;
        char head[96];
        snprintf(head, sizeof head, "%s%s", name,
                 !sorted          ? ""
                 : sort[0] == '-' ? canvas_glyph(canvas, GLYPH_DESCENDING)
                                  : canvas_glyph(canvas, GLYPH_ASCENDING));
        canvas_right(canvas, 1, at, width, style, head);
        for (int row = 2; row < canvas->rect.rows; row++) {
            size_t index = (size_t)(view->list.top + row - 2);
            char text[VALUE_TEXT];
            if (index >= points->count)
                break;
            canvas_right(canvas, row, at, width,
                         STYLE(points->items[index].front ? ROLE_FRONT : ROLE_TEXT),
                         explore_print_row(points, index, column, text));
        }
    }
}

/* Says which columns stand beyond an edge: the cursor, h and l, brings them. */
static void draw_edges(const struct explorer *explorer, const struct canvas *canvas)
{
    struct placed placed = {0, 0, 0};
    const size_t first = first_column(explorer, canvas->rect.columns - MARKS);
    while (place_next(explorer, canvas->rect.columns, &placed))
        ;
    if (first > 0)
        canvas_text(canvas, 1, 0, 1, STYLE_BOLD(ROLE_ACCENT), canvas_glyph(canvas, GLYPH_LOWER));
    if (placed.column < shown_points_columns(explorer))
        canvas_text(canvas, 1, canvas->rect.columns - 1, 1, STYLE_BOLD(ROLE_ACCENT),
                    canvas_glyph(canvas, GLYPH_HIGHER));
}

static void draw_row_marks(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct explore_view *view = pane_seen(explorer, CONTEXT_EXPLORE);
    const struct points *points = points_shown(explorer);
    const struct marked_point *marked = explorer->shown.marked;
    for (int row = 2; row < canvas->rect.rows; row++) {
        int index = view->list.top + row - 2;
        if (index >= (int)points->count)
            break;
        if (points->items[index].front)
            canvas_text(canvas, row, 1, 1, STYLE_BOLD(ROLE_FRONT),
                        canvas_glyph(canvas, GLYPH_MARKED));
        for (int i = 0; i < 2; i++)
            if (marked[i].set && marked[i].index == points->items[index].index)
                canvas_text(canvas, row, 0, 1, STYLE_BOLD(ROLE_ACCENT), i ? "B" : "A");
        if (index == view->list.selected) {
            canvas_reverse(canvas, row);
            canvas_cursor(canvas, row, 0);
        }
    }
}

/* What the step of an axis does to the metric that is taken apart. */
static struct delta part_delta(const struct explorer *explorer, size_t axis)
{
    const struct points *points = points_shown(explorer);
    const size_t metric = (size_t)(taken_apart(explorer) - first_metric(explorer));
    const double from = explorer->shown.marked[0].values[metric],
                 part = points_part(points, axis, points->columns[metric]);
    return isnan(part) ? (struct delta){.text = ""}
                       : delta_between(points->columns[metric], from + part, from);
}

/* Compares two marked points: the parameters that differ, with what each does to a metric, then
 * every metric. */
static void draw_comparison(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct points *points = points_shown(explorer);
    const struct marked_point *a = &explorer->shown.marked[0], *b = &explorer->shown.marked[1];
    const size_t chosen = (size_t)taken_apart(explorer);
    int row = 1;
    canvas_text(canvas, row, 1, 30, STYLE_BOLD(ROLE_ACCENT), "A and B");
    canvas_right(canvas, row, 30, 16, STYLE_BOLD(ROLE_ACCENT), "A");
    canvas_right(canvas, row, 47, 16, STYLE_BOLD(ROLE_ACCENT), "B");
    canvas_right(canvas, row, 64, 10, STYLE_BOLD(ROLE_ACCENT), "B to A");
    for (size_t column = 0; column < shown_points_columns(explorer); column++) {
        char first[VALUE_TEXT], second[VALUE_TEXT];
        explore_print_cell(points, a->index, a->workloads, a->values, column, first);
        explore_print_cell(points, b->index, b->workloads, b->values, column, second);
        const struct points_shape shape = points_shape(points);
        const size_t before = shape.workload + shape.axes;
        bool differ = strcmp(first, second) != 0;
        if (!differ && column < before)
            continue;
        struct style style = differ ? STYLE_BOLD(ROLE_TEXT) : STYLE(ROLE_DIM);
        row++;
        struct style name = column == chosen ? STYLE_BOLD(ROLE_ACCENT) : STYLE(ROLE_TEXT);
        name.reverse = column == chosen;
        canvas_text(canvas, row, 1, 28, name, shown_points_column(explorer, column));
        canvas_right(canvas, row, 30, 16, style, first);
        canvas_right(canvas, row, 47, 16, style, second);
        if (column < shape.workload)
            continue;
        const struct delta delta =
            column < before ? part_delta(explorer, column - shape.workload)
                            : delta_between(points->columns[column - before],
                                            b->values[column - before], a->values[column - before]);
        delta_draw(canvas, row, 64, 12, &delta);
    }
}

/* "stopped at 9 of 40 points, S goes on"; of a sweep that runs how far it is; "" of others. */
static void print_unfinished(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct points *points = points_unfinished(explorer);
    const struct sweep_progress *progress = &explorer->snapshot.sweep.progress;
    const bool grows = shown_points_grow(explorer);
    const uint64_t there = grows    ? progress->done
                           : points ? points->there
                                    : 0,
                   all = grows    ? progress->points
                         : points ? points->legal
                                  : 0;
    const bool known = all != UINT64_MAX;
    char count[COUNT_TEXT], of[COUNT_TEXT], key[KEY_TEXT] = ":sweep";
    const uint32_t bound = keymap_key(&explorer->keymap, CONTEXT_EXPLORE, COMMAND_SWEEP);
    text[0] = '\0';
    if (there == all)
        return;
    if (bound)
        key_print(bound, key);
    snprintf(text, ROW_TEXT, "%s %s%s%s, %s %s", grows ? "running:" : "stopped at",
             known ? count_print(there, count) : counted_print(there, "point", count),
             known ? " of " : "", known ? counted_print(all, "point", of) : "", key,
             grows ? "stops" : "goes on");
}

static void explore_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    (void)focused;
    const struct shown_points *shown = &explorer->shown;
    const struct points *points = points_shown(explorer);
    char store[ROW_TEXT], narrowed[ROW_TEXT], unfinished[ROW_TEXT];
    shown_points_narrowed(explorer, narrowed);
    print_unfinished(explorer, unfinished);
    int column =
        canvas_text(canvas, 0, 1, canvas->rect.columns - 1, STYLE_BOLD(ROLE_ACCENT), unfinished);
    column += unfinished[0] ? 3 : 0;
    column =
        canvas_text(canvas, 0, column, canvas->rect.columns - column, STYLE(ROLE_FRONT), narrowed) +
        (narrowed[0] ? 3 : 0);
    canvas_text(canvas, 0, column, canvas->rect.columns - column, STYLE(ROLE_DIM),
                shown->wanted.store[0] ? path_print(shown->wanted.store, store) : "no store");
    if (!shown->wanted.store[0]) {
        canvas_text(canvas, 2, 1, canvas->rect.columns - 1, STYLE(ROLE_TEXT),
                    "A sweep fills this table: mark axes with a in Machine, then press S.");
        canvas_text(canvas, 3, 1, canvas->rect.columns - 1, STYLE(ROLE_TEXT),
                    "Or open the store of an earlier one: :store FILE");
        return;
    }
    if (!points) {
        canvas_text(canvas, 2, 1, canvas->rect.columns - 1, STYLE(ROLE_DIM),
                    pane_waits(explorer, CONTEXT_EXPLORE)
                        ? "reading ..."
                        : "no points yet: they come while the sweep runs");
        return;
    }
    if (points->answer.status) {
        canvas_text(canvas, 2, 1, canvas->rect.columns - 1, STYLE_BOLD(ROLE_BAD),
                    points->answer.message);
        return;
    }
    if (!points->count && !shown->comparing) {
        canvas_text(canvas, 2, 1, canvas->rect.columns - 1, STYLE(ROLE_DIM),
                    shown->wanted.where[0] || shown->wanted.front
                        ? "no point fits; f changes the filter, F the front"
                        : "no points yet");
        return;
    }
    if (shown->comparing) {
        draw_comparison(explorer, canvas);
        return;
    }
    draw_table(explorer, canvas);
    draw_edges(explorer, canvas);
    draw_row_marks(explorer, canvas);
}

static int explore_count(const struct explorer *explorer)
{
    const struct points *points = points_usable(explorer);
    return points ? (int)points->count : 0;
}

static void explore_headings(const struct explorer *explorer, char text[ROW_TEXT])
{
    int used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < shown_points_columns(explorer) && used < ROW_TEXT; i++)
        used += snprintf(text + used, (size_t)(ROW_TEXT - used), "%s ",
                         shown_points_column(explorer, i));
}

static void explore_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    int used = 0;
    for (size_t i = 0; i < shown_points_columns(explorer) && used < ROW_TEXT; i++) {
        char cell[VALUE_TEXT];
        used += snprintf(text + used, (size_t)(ROW_TEXT - used), "%s ",
                         explore_print_row(points_shown(explorer), (size_t)row, i, cell));
    }
}

static void explore_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct points *points = points_usable(explorer);
    char count[COUNT_TEXT];
    text[0] = '\0';
    if (!points)
        return;
    if (points->answer.message[0])
        snprintf(text, ROW_TEXT, "%s", points->answer.message);
    else
        snprintf(text, ROW_TEXT, "%s", counted_print(points->count, "point", count));
}

/* The number that `warpscape show` and `warpscape export --point` know a point by; of two what the
 * axes do. */
static void explore_describe(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct explore_view *view = pane_seen(explorer, CONTEXT_EXPLORE);
    const struct points *points = points_shown(explorer);
    text[0] = '\0';
    if (explorer->shown.comparing && points_usable(explorer) && points->untold[0])
        snprintf(text, ROW_TEXT, "%s", points->untold);
    else if (explorer->shown.comparing && points_usable(explorer))
        snprintf(text, ROW_TEXT,
                 "what each setting does to %s, over all orders; h l: another metric",
                 shown_points_column(explorer, (size_t)taken_apart(explorer)));
    else if (points && !points->query.across && view->list.selected < (int)points->count)
        snprintf(text, ROW_TEXT, "point %" PRIu64, points->items[view->list.selected].index);
}

static bool explore_lacks(const struct explorer *explorer, enum command command)
{
    if (command == COMMAND_SWEEP)
        return !points_unfinished(explorer);
    return command != COMMAND_CANCEL && !points_usable(explorer);
}

const struct pane_ops explore_pane_ops = {
    .title = "Explore",
    .state_size = sizeof(struct explore_view),
    .job = &points_job,
    .takes = explore_takes,
    .across = explore_across,
    .click = explore_click,
    .heads = 2,
    .count = explore_count,
    .text = explore_text,
    .describe = explore_describe,
    .headings = explore_headings,
    .status = explore_status,
    .settle = explore_settle,
    .draw = explore_draw,
    .lacks = explore_lacks,
    .hints = {{COMMAND_CHANGE, "take"},
              {COMMAND_SWEEP, "go on"},
              {COMMAND_SORT, NULL},
              {COMMAND_FILTER, NULL},
              {COMMAND_FRONT, NULL},
              {COMMAND_COMPARE, NULL},
              {COMMAND_ACROSS, NULL},
              {COMMAND_REPORT, NULL},
              {COMMAND_CANCEL, NULL}},
};
