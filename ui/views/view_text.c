/* The Text view: the machine's YAML as it would be saved, comments included. Lines that the file
 * does not have are marked; what an editor left with errors is shown with them until it is edited
 * again. */
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/memory.h"
#include "ui/panes/pane.h"
#include "ui/session/changed_lines.h"
#include "ui/views/view_text.h"

struct text_row {
    const char *text; /* of `text` in the view, up to its newline; of a problem, all of it */
    unsigned line;    /* 0: a problem of the line above */
    bool changed;
};

struct text_view {
    struct list list;
    char *text;                  /* that is shown */
    char *draft;                 /* what the editor left, if it is no machine; NULL: none */
    struct diagnostics problems; /* of the draft; without one, both sides of a conflict */
    uint64_t clashed;            /* the session's revision when that conflict was found */
    struct text_row *rows;
    size_t count, capacity;
    size_t changed;
    uint64_t revision;
    bool made;
};

static void text_add_row(struct text_view *view, struct text_row row)
{
    if (!array_reserve(&view->rows, &view->capacity, view->count + 1))
        view->rows[view->count++] = row; /* short of memory, lines are missing */
}

static void add_problems(struct text_view *view, unsigned line)
{
    for (size_t i = 0; i < view->problems.count; i++)
        if (view->problems.items[i].line == line)
            text_add_row(view, (struct text_row){.text = view->problems.items[i].message});
}

static void make_rows(struct text_view *view, const char *saved)
{
    bool *changed = changed_lines(saved, view->text);
    unsigned line = 0;
    view->count = view->changed = 0;
    for (const char *at = view->text; *at;) {
        const bool differs = changed && changed[line];
        view->changed += differs;
        text_add_row(view, (struct text_row){at, ++line, differs});
        add_problems(view, line);
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    free(changed);
}

static void text_make(struct explorer *explorer)
{
    struct text_view *view = pane_state(explorer, CONTEXT_TEXT);
    const struct session *session = explorer->session;
    size_t size;
    if (!view->draft && view->clashed != session->revision)
        diagnostics_free(&view->problems);
    const char *text = document_text(session->document, &size);
    char *copy = view->draft ? strdup(view->draft) : strndup(text, size);
    if (!copy)
        return;
    free(view->text);
    view->text = copy;
    make_rows(view, session->saved_text);
    view->revision = session->revision;
    view->made = true;
}

unsigned text_view_line(const struct explorer *explorer)
{
    const struct text_view *view = pane_seen(explorer, CONTEXT_TEXT);
    if (explorer->view == VIEW_TEXT && view->count) {
        int row = view->list.selected;
        while (row > 0 && !view->rows[row].line)
            row--;
        return view->rows[row].line;
    }
    const struct parameter *parameter = explorer_parameter(explorer);
    const struct document *document = explorer->session->document;
    const struct node *node = parameter ? document_find(document, parameter->path) : NULL;
    return node ? node_place(document, node).line : 1;
}

const char *text_view_draft(const struct explorer *explorer)
{
    const struct text_view *view = pane_seen(explorer, CONTEXT_TEXT);
    return view->draft;
}

void text_view_keep(struct explorer *explorer, const char *draft, struct diagnostics *problems)
{
    struct text_view *view = pane_state(explorer, CONTEXT_TEXT);
    free(view->draft);
    diagnostics_free(&view->problems);
    view->draft = draft ? strdup(draft) : NULL;
    if (problems)
        diagnostics_move(&view->problems, problems);
    view->clashed = explorer->session->revision;
    view->made = false;
}

static void text_show(struct text_view *view, size_t row)
{
    view->list.selected = (int)row;
    view->list.top = row > 5 ? (int)row - 5 : 0;
}

/* Goes to the line of the first problem, if there is one. */
static void show_problem(struct text_view *view)
{
    for (size_t i = 1; i < view->count; i++)
        if (!view->rows[i].line) {
            text_show(view, i - 1);
            return;
        }
}

static enum status text_open(struct explorer *explorer)
{
    struct text_view *view = pane_state(explorer, CONTEXT_TEXT);
    explorer->view = VIEW_WORKSPACE; /* the line of the parameter that is selected there */
    const unsigned line = text_view_line(explorer);
    explorer->view = VIEW_TEXT;
    text_make(explorer);
    view->list = (struct list){0};
    for (size_t i = 0; i < view->count; i++)
        if (view->rows[i].line == line)
            text_show(view, i);
    show_problem(view);
    return STATUS_OK;
}

static void text_settle(struct explorer *explorer)
{
    struct text_view *view = pane_state(explorer, CONTEXT_TEXT);
    const bool kept = !view->made;
    if (explorer->view != VIEW_TEXT || (!kept && view->revision == explorer->session->revision))
        return;
    text_make(explorer);
    if (kept)
        show_problem(view);
}

/* ---- drawing ---- */

enum { GUTTER = 7 };

static void draw_row(const struct text_row *row, const struct canvas *canvas, int at)
{
    const int width = canvas->rect.columns - GUTTER;
    if (!row->line) {
        canvas_printf(canvas, at, GUTTER, width, STYLE_BOLD(ROLE_BAD), "^ %s", row->text);
        return;
    }
    const int length = (int)strcspn(row->text, "\r\n");
    const int code = (int)strcspn(row->text, "#\r\n");
    canvas_printf(canvas, at, 0, GUTTER - 1, STYLE(ROLE_DIM), "%4u", row->line);
    if (row->changed)
        canvas_text(canvas, at, GUTTER - 2, 1, STYLE_BOLD(ROLE_ACCENT),
                    canvas_glyph(canvas, GLYPH_CHANGED));
    const struct style style = row->changed ? STYLE_BOLD(ROLE_TEXT) : STYLE(ROLE_TEXT);
    const int column = canvas_printf(canvas, at, GUTTER, width, style, "%.*s", code, row->text);
    canvas_printf(canvas, at, column, canvas->rect.columns - column, STYLE(ROLE_DIM), "%.*s",
                  length - code, row->text + code);
}

static void text_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    (void)focused;
    const struct text_view *view = pane_seen(explorer, CONTEXT_TEXT);
    for (int at = 0; at < canvas->rect.rows; at++) {
        const int i = view->list.top + at;
        if (i >= (int)view->count)
            break;
        draw_row(&view->rows[i], canvas, at);
        if (i == view->list.selected) {
            canvas_reverse(canvas, at);
            canvas_cursor(canvas, at, GUTTER);
        }
    }
}

static int text_count(const struct explorer *explorer)
{
    const struct text_view *view = pane_seen(explorer, CONTEXT_TEXT);
    return (int)view->count;
}

static void text_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    const struct text_view *view = pane_seen(explorer, CONTEXT_TEXT);
    snprintf(text, ROW_TEXT, "%.*s", (int)strcspn(view->rows[row].text, "\n"),
             view->rows[row].text);
}

static void text_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct text_view *view = pane_seen(explorer, CONTEXT_TEXT);
    char changed[COUNT_TEXT], errors[COUNT_TEXT];
    if (view->draft)
        snprintf(text, ROW_TEXT, "%s, not taken over",
                 counted_print(view->problems.errors, "error", errors));
    else if (view->problems.count)
        snprintf(text, ROW_TEXT, "%s, `merge mine` or `merge theirs`",
                 counted_print(view->problems.count, "conflict", errors));
    else
        snprintf(text, ROW_TEXT, "%s  %s", explorer->session->name,
                 view->changed ? counted_print(view->changed, "changed line", changed)
                               : "as saved");
}

static bool text_enter(struct explorer *explorer)
{
    return explorer_execute(explorer, "edit");
}

static void text_free(void *state)
{
    struct text_view *view = state;
    diagnostics_free(&view->problems);
    free(view->text);
    free(view->draft);
    free(view->rows);
}

const struct pane_ops text_pane_ops = {
    .title = "Text",
    .state_size = sizeof(struct text_view),
    .free = text_free,
    .open = text_open,
    .count = text_count,
    .text = text_text,
    .status = text_status,
    .settle = text_settle,
    .enter = text_enter,
    .draw = text_draw,
    .hints = {{COMMAND_CHANGE, "edit"},
              {COMMAND_UNDO, NULL},
              {COMMAND_SAVE, NULL},
              {COMMAND_FIND, NULL},
              {COMMAND_CANCEL, NULL}},
};
