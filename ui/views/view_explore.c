/* The Explore view: the points of a store as a table. points.h reads them in the background;
 * drawing only formats the rows on the screen. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/utf8.h"
#include "ui/panes/pane.h"
#include "ui/panes/say.h"

enum { COLUMN_GAP = 2, COLUMN_MAX = 20 };

/* The columns: workload (if there are several), the axes, the metrics of the store. */
struct shape {
    size_t workload, axes, metrics;
};

static struct shape shape_of(const struct points *points)
{
    return (struct shape){points->study->workload_count > 1, points->study->axis_count,
                          points->column_count};
}

static bool usable(const struct explorer *explorer)
{
    return explorer->explore.points && !explorer->explore.points->status;
}

size_t explore_view_columns(const struct explorer *explorer)
{
    if (!usable(explorer))
        return 0;
    struct shape shape = shape_of(explorer->explore.points);
    return shape.workload + shape.axes + shape.metrics;
}

const char *explore_view_column(const struct explorer *explorer, size_t column)
{
    const struct points *points = explorer->explore.points;
    struct shape shape = shape_of(points);
    if (column < shape.workload)
        return "workload";
    column -= shape.workload;
    if (column < shape.axes)
        return points->study->axes[column].parameter->path;
    return points->columns[column - shape.axes]->path;
}

/* `values` are the metrics of the point, over `workloads` workloads. */
static const char *print_cell(const struct points *points, uint64_t index, uint64_t workloads,
                              const double *values, size_t column, char text[VALUE_TEXT])
{
    struct shape shape = shape_of(points);
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

static const char *print_row(const struct points *points, size_t row, size_t column,
                             char text[VALUE_TEXT])
{
    return print_cell(points, points->items[row].index, points->items[row].workloads,
                      points->values + row * points->column_count, column, text);
}

void explore_view_open(struct explore_view *view, const char *store)
{
    view->wanted = (struct points_query){0};
    snprintf(view->wanted.store, sizeof view->wanted.store, "%s", store);
    view->marked[0].set = view->marked[1].set = view->comparing = false;
    view->read_at = 0;
}

void explore_view_across(struct explorer *explorer, enum aggregate across)
{
    struct explore_view *view = &explorer->explore;
    view->wanted.across = across;
    view->marked[0].set = view->marked[1].set = view->comparing = false; /* other values */
    explore_view_read(explorer);
}

static bool same_query(const struct points_query *a, const struct points_query *b)
{
    return !strcmp(a->store, b->store) && !strcmp(a->where, b->where) &&
           !strcmp(a->sort, b->sort) && a->front == b->front && a->across == b->across &&
           a->importance == b->importance;
}

/* Keeps the cursor on its point when more points arrive. Another order or filter starts at the top.
 */
static void keep_cursor(struct explore_view *view, const struct points *points)
{
    const struct points *before = view->points;
    size_t selected = (size_t)view->list.selected;
    if (!before || selected >= before->count || !same_query(&before->query, &points->query))
        return;
    size_t row = points_row(points, before->items[selected].index);
    if (row < points->count)
        view->list.selected = (int)row;
}

void explore_view_receive(struct explorer *explorer, struct points *points)
{
    struct explore_view *view = &explorer->explore;
    view->reading = false;
    if (points->status) {
        refuse(explorer, "%s", points->message);
        if (view->points && !view->points->status) {
            view->wanted = view->points->query;
            points_free(points);
            return;
        }
    } else {
        keep_cursor(view, points);
    }
    points_free(view->points);
    view->points = points;
}

void explore_view_narrowed(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct points_query *wanted = &explorer->explore.wanted;
    const struct points *points = explorer->explore.points;
    size_t used = 0;
    text[0] = '\0';
    if (wanted->across)
        used =
            (size_t)snprintf(text, ROW_TEXT, "%s over workloads", aggregate_names[wanted->across]);
    if (wanted->where[0])
        used += (size_t)snprintf(text + used, ROW_TEXT - used, "%swhere %.300s", used ? ", " : "",
                                 wanted->where);
    if (wanted->front)
        used += (size_t)snprintf(text + used, ROW_TEXT - used, "%sfront only", used ? ", " : "");
    if (!points || points->status)
        return;
    const enum depth depth = explorer->session->study.depth;
    if (points->study->depth != depth)
        used +=
            (size_t)snprintf(text + used, ROW_TEXT - used, "%sdepth %s, Live at %s",
                             used ? ", " : "", depth_name(points->study->depth), depth_name(depth));
    for (size_t i = 0; i < points->study->filter_count && used < ROW_TEXT; i++)
        used += (size_t)snprintf(text + used, ROW_TEXT - used, "%s%s%s", used && !i ? "   " : "",
                                 i ? " and " : "front where ", points->study->filters[i].text);
}

void explore_view_read(struct explorer *explorer)
{
    struct explore_view *view = &explorer->explore;
    if (!view->wanted.store[0])
        return;
    view->reading = !points_start(explorer->reader, &view->wanted);
    view->read_at = explorer->snapshot.sweep.progress.done;
}

/* Reads a growing store again, but never while a reading is under way. */
static void explore_settle(struct explorer *explorer)
{
    struct explore_view *view = &explorer->explore;
    const struct engine_sweep *sweep = &explorer->snapshot.sweep;
    uint64_t done = sweep->progress.done;
    bool ours = !strcmp(view->wanted.store, explorer->sweep.store);
    bool wanted = explorer->view == VIEW_EXPLORE || chart_pane_shows(explorer, CHART_FRONT) ||
                  explorer->chart.kind == CHART_MATRIX || sweep->state == ENGINE_DONE;
    bool over = sweep->state == ENGINE_DONE;
    bool enough = done >= view->read_at + view->read_at / 4 + 1 ||
                  (over && done != view->read_at) || (over && !view->points);
    if (ours && wanted && enough && !view->reading)
        explore_view_read(explorer);
    if (explorer->chart.kind == CHART_IMPORTANCE && !view->wanted.importance) {
        view->wanted.importance = true;
        if (view->points)
            explore_view_read(explorer);
    }
    int columns = (int)explore_view_columns(explorer);
    if (view->column >= columns)
        view->column = columns ? columns - 1 : 0;
    list_move(&view->list, usable(explorer) ? (int)view->points->count : 0, 0);
}

void explore_view_free(struct explore_view *view)
{
    points_free(view->points);
    view->points = NULL;
}

/* ---- drawing ---- */

static int column_width(const struct explorer *explorer, size_t column)
{
    const struct points *points = explorer->explore.points;
    int width = (int)utf8_columns(explore_view_column(explorer, column)) + 1;
    if (width > 18)
        width = 18;
    /* Values of a column are alike: derive the width from the first rows instead of all. */
    for (size_t row = 0; row < points->count && row < 200; row++) {
        char text[VALUE_TEXT];
        int columns = (int)utf8_columns(print_row(points, row, column, text));
        if (columns > width)
            width = columns;
    }
    return width < COLUMN_MAX ? width : COLUMN_MAX;
}

/* The first column to draw such that the column under the cursor is visible. */
static size_t first_column(const struct explorer *explorer, int room)
{
    size_t cursor = (size_t)explorer->explore.column, first = cursor;
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
    if (placed->column >= explore_view_columns(explorer))
        return false;
    placed->width = column_width(explorer, placed->column);
    return placed->at + placed->width <= columns;
}

bool explore_view_click(struct explorer *explorer, int column)
{
    struct placed placed = {0, 0, 0};
    while (explore_view_columns(explorer) &&
           place_next(explorer, explorer->layout.view.columns, &placed))
        if (column >= placed.at && column < placed.at + placed.width) {
            explorer->explore.column = (int)placed.column;
            return true;
        }
    return false;
}

static void draw_table(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct explore_view *view = &explorer->explore;
    const struct points *points = view->points;
    struct placed placed = {0, 0, 0};
    while (place_next(explorer, canvas->rect.columns, &placed)) {
        size_t column = placed.column;
        int at = placed.at, width = placed.width;
        const char *name = explore_view_column(explorer, column), *sort = view->wanted.sort;
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
                         print_row(points, index, column, text));
        }
    }
}

static void draw_row_marks(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct explore_view *view = &explorer->explore;
    for (int row = 2; row < canvas->rect.rows; row++) {
        int index = view->list.top + row - 2;
        if (index >= (int)view->points->count)
            break;
        if (view->points->items[index].front)
            canvas_text(canvas, row, 1, 1, STYLE_BOLD(ROLE_FRONT),
                        canvas_glyph(canvas, GLYPH_MARKED));
        for (int i = 0; i < 2; i++)
            if (view->marked[i].set && view->marked[i].index == view->points->items[index].index)
                canvas_text(canvas, row, 0, 1, STYLE_BOLD(ROLE_ACCENT), i ? "B" : "A");
        if (index == view->list.selected) {
            canvas_reverse(canvas, row);
            canvas_cursor(canvas, row, 0);
        }
    }
}

/* Compares two marked points: the parameters that differ, then every metric. */
static void draw_comparison(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct explore_view *view = &explorer->explore;
    const struct marked_point *a = &view->marked[0], *b = &view->marked[1];
    int row = 1;
    canvas_text(canvas, row, 1, 30, STYLE_BOLD(ROLE_ACCENT), "A and B");
    canvas_right(canvas, row, 30, 16, STYLE_BOLD(ROLE_ACCENT), "A");
    canvas_right(canvas, row, 47, 16, STYLE_BOLD(ROLE_ACCENT), "B");
    for (size_t column = 0; column < explore_view_columns(explorer); column++) {
        char first[VALUE_TEXT], second[VALUE_TEXT];
        print_cell(view->points, a->index, a->workloads, a->values, column, first);
        print_cell(view->points, b->index, b->workloads, b->values, column, second);
        struct shape shape = shape_of(view->points);
        bool differ = strcmp(first, second) != 0;
        if (!differ && column < shape.workload + shape.axes)
            continue;
        struct style style = differ ? STYLE_BOLD(ROLE_TEXT) : STYLE(ROLE_DIM);
        row++;
        canvas_text(canvas, row, 1, 28, STYLE(ROLE_TEXT), explore_view_column(explorer, column));
        canvas_right(canvas, row, 30, 16, style, first);
        canvas_right(canvas, row, 47, 16, style, second);
    }
}

static void explore_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    (void)focused;
    const struct explore_view *view = &explorer->explore;
    char store[ROW_TEXT], narrowed[ROW_TEXT];
    explore_view_narrowed(explorer, narrowed);
    int column = canvas_text(canvas, 0, 1, canvas->rect.columns - 1, STYLE(ROLE_FRONT), narrowed);
    column += narrowed[0] ? 3 : 0;
    canvas_text(canvas, 0, column, canvas->rect.columns - column, STYLE(ROLE_DIM),
                view->wanted.store[0] ? path_print(view->wanted.store, store) : "no store");
    if (!view->wanted.store[0]) {
        canvas_text(canvas, 2, 1, canvas->rect.columns - 1, STYLE(ROLE_TEXT),
                    "A sweep fills this table: mark axes with a in Machine, then press S.");
        canvas_text(canvas, 3, 1, canvas->rect.columns - 1, STYLE(ROLE_TEXT),
                    "Or open the store of an earlier one: :store FILE");
        return;
    }
    if (!view->points) {
        canvas_text(canvas, 2, 1, canvas->rect.columns - 1, STYLE(ROLE_DIM),
                    view->reading ? "reading ..."
                                  : "no points yet: they come while the sweep runs");
        return;
    }
    if (view->points->status) {
        canvas_text(canvas, 2, 1, canvas->rect.columns - 1, STYLE_BOLD(ROLE_BAD),
                    view->points->message);
        return;
    }
    if (!view->points->count && !view->comparing) {
        canvas_text(canvas, 2, 1, canvas->rect.columns - 1, STYLE(ROLE_DIM),
                    "no point fits; f changes the filter, F the front");
        return;
    }
    if (view->comparing) {
        draw_comparison(explorer, canvas);
        return;
    }
    draw_table(explorer, canvas);
    draw_row_marks(explorer, canvas);
}

static struct list *explore_list(struct explorer *explorer)
{
    return &explorer->explore.list;
}

static int explore_count(const struct explorer *explorer)
{
    return usable(explorer) ? (int)explorer->explore.points->count : 0;
}

static void explore_headings(const struct explorer *explorer, char text[ROW_TEXT])
{
    int used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < explore_view_columns(explorer) && used < ROW_TEXT; i++)
        used += snprintf(text + used, (size_t)(ROW_TEXT - used), "%s ",
                         explore_view_column(explorer, i));
}

static void explore_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    int used = 0;
    for (size_t i = 0; i < explore_view_columns(explorer) && used < ROW_TEXT; i++) {
        char cell[VALUE_TEXT];
        used += snprintf(text + used, (size_t)(ROW_TEXT - used), "%s ",
                         print_row(explorer->explore.points, (size_t)row, i, cell));
    }
}

static void explore_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct points *points = explorer->explore.points;
    char count[COUNT_TEXT];
    text[0] = '\0';
    if (!usable(explorer))
        return;
    if (points->message[0])
        snprintf(text, ROW_TEXT, "%s", points->message);
    else
        snprintf(text, ROW_TEXT, "%s", counted_print(points->count, "point", count));
}

const struct pane_ops explore_pane_ops = {
    .title = "Explore",
    .heads = 2,
    .list = explore_list,
    .count = explore_count,
    .text = explore_text,
    .headings = explore_headings,
    .status = explore_status,
    .settle = explore_settle,
    .draw = explore_draw,
    .hints = {{COMMAND_CHANGE, "take"},
              {COMMAND_SORT, NULL},
              {COMMAND_FILTER, NULL},
              {COMMAND_FRONT, NULL},
              {COMMAND_COMPARE, NULL},
              {COMMAND_ACROSS, NULL},
              {COMMAND_REPORT, NULL},
              {COMMAND_CANCEL, NULL}},
};
