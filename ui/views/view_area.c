/* Area: what `warpscape area --explain` says of the machine on the screen, with the energy of its
 * run. Above it, what the selected line is and what its estimate rests on. */
#include <math.h>
#include <string.h>

#include "report/runs/area_tree.h"
#include "ui/panes/pane.h"

struct area_view { /* made anew when the machine, its run or the width changed */
    struct list list;
    struct area_tree tree;
    uint64_t revision; /* of the session */
    double energy;     /* of the run that it shows; NaN: none */
    int columns;
};

/* The run on the machine on the screen, if there is one. */
static const struct metrics *area_run_of(const struct explorer *explorer)
{
    return explorer_has_metrics(explorer) ? &explorer->snapshot.evaluation.metrics : NULL;
}

static double area_energy_of(const struct metrics *run)
{
    if (!run)
        return NAN;
    return isnan(run->energy_total) ? run->energy_accesses : run->energy_total;
}

static bool area_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void area_settle(struct explorer *explorer)
{
    struct area_view *view = pane_state(explorer, CONTEXT_AREA);
    const struct session *session = explorer->session;
    const struct metrics *run = area_run_of(explorer);
    const int columns = explorer->columns - 2;
    if (explorer->view != VIEW_AREA ||
        (view->columns == columns && area_same(view->energy, area_energy_of(run)) &&
         view->revision == session->revision))
        return;
    area_tree_free(&view->tree);
    if (area_tree_make(&session->machine, session->name, run, columns, &view->tree))
        area_tree_free(&view->tree);
    view->revision = session->revision;
    view->energy = area_energy_of(run);
    view->columns = columns;
}

static void area_free(void *state)
{
    struct area_view *view = state;
    area_tree_free(&view->tree);
}

static int area_count(const struct explorer *explorer)
{
    const struct area_view *view = pane_seen(explorer, CONTEXT_AREA);
    return (int)view->tree.count;
}

static void area_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    const struct area_view *view = pane_seen(explorer, CONTEXT_AREA);
    snprintf(text, ROW_TEXT, "%s", view->tree.lines[row].text);
}

/* What the selected line is, in the rows above the list where the screen has them. */
static int area_heads(const struct explorer *explorer)
{
    enum { HELP_ROWS = 5, ROWS = 20 };
    return explorer->rows >= ROWS ? HELP_ROWS : 0;
}

static void draw_help(const struct area_view *view, const struct canvas *canvas, int rows)
{
    const char *help = view->list.selected < (int)view->tree.count
                           ? view->tree.lines[view->list.selected].help
                           : NULL;
    if (!help)
        help =
            "What takes silicon, the largest first, and the memories that it consists of: so many "
            "copies, the area of each and of all. Below it, the energy of the run on the screen. "
            "The selected line is explained here.";
    for (int row = 0; *help && row < rows - 1; row++) {
        char line[ROW_TEXT];
        const size_t length = text_wrap(help, canvas->rect.columns - 2);
        snprintf(line, sizeof line, "%.*s", (int)length, help);
        canvas_text(canvas, row, 1, canvas->rect.columns - 1, STYLE(ROLE_DIM), line);
        help += length + strspn(help + length, " ");
    }
}

/* The bar at the end of a line is one of the screen's. */
static void draw_line(const struct canvas *canvas, int row, const char *line)
{
    size_t text = strlen(line), all = text;
    while (text > 0 && line[text - 1] == AREA_TREE_BAR)
        text--;
    const int column = canvas_printf(canvas, row, 1, canvas->rect.columns - 1,
                                     line[0] != ' ' ? STYLE_BOLD(ROLE_ACCENT) : STYLE(ROLE_TEXT),
                                     "%.*s", (int)text, line);
    if (all > text)
        canvas_bar(canvas, row, column, (int)(all - text), 1, ROLE_SERIES_1);
}

static void area_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    const struct area_view *view = pane_seen(explorer, CONTEXT_AREA);
    const int heads = area_heads(explorer);
    (void)focused;
    draw_help(view, canvas, heads);
    for (int row = heads; row < canvas->rect.rows; row++) {
        const int index = view->list.top + row - heads;
        if (index >= (int)view->tree.count)
            break;
        draw_line(canvas, row, view->tree.lines[index].text);
        if (index == view->list.selected) {
            canvas_cursor(canvas, row, 1);
            canvas_reverse(canvas, row);
        }
    }
}

const struct pane_ops area_pane_ops = {
    .title = "Area",
    .state_size = sizeof(struct area_view),
    .free = area_free,
    .heads_now = area_heads,
    .count = area_count,
    .text = area_text,
    .settle = area_settle,
    .draw = area_draw,
    .hints = {{COMMAND_FIND, NULL}, {COMMAND_CANCEL, NULL}},
};
