/* Report: what `warpscape report` says of the store whose points are on the screen, as Markdown. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "ui/panes/pane.h"
#include "ui/panes/prompt.h"
#include "ui/panes/say.h"

/* ---- what it shows ---- */

static bool sweep_is_over(const struct explorer *explorer)
{
    return explorer->snapshot.sweep.state == ENGINE_DONE &&
           !strcmp(explorer->explore.wanted.store, explorer->sweep.store);
}

static void ask(struct explorer *explorer)
{
    struct report_view *view = &explorer->report;
    const char *store = explorer->explore.wanted.store;
    const bool ascii = explorer->glyphs == GLYPHS_ASCII;
    view->made_at = explorer->snapshot.sweep.progress.done;
    view->making = !report_job_start(explorer->reporter, store, "",
                                     ascii ? PAGE_MARKDOWN_ASCII : PAGE_MARKDOWN);
    snprintf(view->asked, sizeof view->asked, "%s", store);
}

/* Whether the line stands as it is: of a table, a chart or a file. */
static bool is_fixed(const char *line, bool in_chart)
{
    return in_chart || line[0] == '|' || !strncmp(line, "    ", 4);
}

static enum status wrap(struct report_view *view, int columns)
{
    struct text_view *lines = &view->lines;
    bool in_chart = false;
    enum status status = STATUS_OK;
    text_view_clear(lines);
    lines->columns = columns;
    for (const char *at = view->result->text; !status && *at;) {
        const size_t length = strcspn(at, "\n");
        char *line = strndup(at, length);
        if (!line)
            return STATUS_MEMORY;
        if (!strncmp(line, "```", 3))
            in_chart = !in_chart;
        else if (is_fixed(line, in_chart))
            status = text_view_add(lines, "%s", line);
        else
            status = text_view_wrap(lines, "", line);
        free(line);
        at += length + (at[length] == '\n');
    }
    return status;
}

static void report_settle(struct explorer *explorer)
{
    struct report_view *view = &explorer->report;
    const int columns = explorer->columns - 2;
    if (explorer->view != VIEW_REPORT)
        return;
    const char *store = explorer->explore.wanted.store;
    const bool stale =
        sweep_is_over(explorer) && view->made_at != explorer->snapshot.sweep.progress.done;
    if (*store && !view->making && (strcmp(view->asked, store) != 0 || stale))
        ask(explorer);
    if (view->result && !view->result->status && view->lines.columns != columns)
        (void)wrap(view, columns); /* short of memory, lines are missing */
}

void report_view_again(struct explorer *explorer)
{
    explorer->report.asked[0] = '\0';
}

void report_view_receive(struct explorer *explorer, struct report_result *result)
{
    struct report_view *view = &explorer->report;
    view->making = false;
    if (result->path[0]) {
        if (result->status)
            refuse(explorer, "no report: %s", result->message);
        else
            write_new(explorer, result->path, result->text);
        if (!view->result) /* the one for the screen may have been given up for it */
            view->asked[0] = '\0';
        report_result_free(result);
        return;
    }
    const bool same = view->result && !strcmp(view->result->store, result->store);
    if (!same)
        view->lines.list = (struct list){0};
    report_result_free(view->result);
    view->result = result;
    text_view_clear(&view->lines);
    view->lines.columns = 0;
}

void report_view_free(struct report_view *view)
{
    report_result_free(view->result);
    text_view_free(&view->lines);
}

/* ---- commands ---- */

bool action_report(struct explorer *explorer, const char *arguments)
{
    struct explore_view *points = &explorer->explore;
    if (strlen(arguments) >= sizeof points->wanted.store)
        return refuse(explorer, "expected the path of a store");
    if (*arguments && strcmp(arguments, points->wanted.store) != 0) {
        explore_view_open(points, arguments);
        explore_view_read(explorer);
        remember(explorer, RECENT_STORE, arguments);
    }
    if (explorer->options.plain && !points->wanted.store[0]) /* nobody sees the page that says so */
        return refuse(explorer, "there is no store to report of: sweep, or report STORE");
    if (*arguments)
        explorer->view = VIEW_WORKSPACE; /* an open report is not closed then */
    return action_view(explorer, "report");
}

bool action_save_report(struct explorer *explorer, const char *arguments)
{
    const char *store = explorer->explore.wanted.store;
    if (!*store)
        return refuse(explorer, "there is no store to report of: sweep, or :store FILE");
    if (!*arguments) {
        prompt_line(explorer, "write the report to (.html or .md): ", "save-report", "report.html",
                    NULL);
        line_select(&explorer->prompt.line);
        return true;
    }
    /* The program's rule: Markdown where the name says so. */
    enum status status = report_job_start(explorer->reporter, store, arguments,
                                          ends_with(arguments, ".md") ? PAGE_MARKDOWN : PAGE_HTML);
    explorer->report.making = !status;
    return status ? refuse(explorer, "%s", status_text(status)) : true;
}

/* ---- drawing ---- */

enum { SCROLL = 8 }; /* columns a key */

void report_view_scroll(struct explorer *explorer, int by)
{
    struct report_view *view = &explorer->report;
    int widest = 0;
    for (int i = 0; i < view->lines.count; i++) {
        const int columns = (int)utf8_columns(view->lines.lines[i]);
        widest = columns > widest ? columns : widest;
    }
    const int wanted = view->left + by * SCROLL;
    if (wanted >= 0 && (by < 0 || wanted < widest - view->lines.columns + SCROLL))
        view->left = wanted;
}

/* Of what is wider than the screen; everything else stays. */
static const char *skip_columns(const char *line, int columns)
{
    while (columns-- > 0 && *line)
        utf8_next(&line);
    return line;
}

static void draw_lines(const struct report_view *view, const struct canvas *canvas)
{
    for (int row = 0; row < canvas->rect.rows; row++) {
        const int index = view->lines.list.top + row;
        if (index >= view->lines.count)
            break;
        const char *line = view->lines.lines[index];
        const int left = (int)utf8_columns(line) > view->lines.columns ? view->left : 0;
        const bool head = line[0] == '#' || !strncmp(line, "**", 2);
        canvas_text(canvas, row, 1, canvas->rect.columns - 1,
                    head ? STYLE_BOLD(ROLE_ACCENT) : STYLE(ROLE_TEXT), skip_columns(line, left));
        if (index == view->lines.list.selected) {
            canvas_cursor(canvas, row, 1);
            canvas_reverse(canvas, row);
        }
    }
}

static void report_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    (void)focused;
    const struct report_view *view = &explorer->report;
    const int width = canvas->rect.columns - 1;
    if (!explorer->explore.wanted.store[0]) {
        canvas_text(canvas, 0, 1, width, STYLE(ROLE_TEXT),
                    "A sweep fills this page: mark axes with a in Machine, then press S.");
        canvas_text(canvas, 1, 1, width, STYLE(ROLE_TEXT),
                    "Or report of the store of an earlier one: :report STORE");
        return;
    }
    if (view->result && !view->result->status)
        draw_lines(view, canvas);
    else if (view->making)
        canvas_text(canvas, 0, 1, width, STYLE(ROLE_DIM), "reading ...");
    else if (view->result)
        canvas_paragraph(canvas, 0, STYLE_BOLD(ROLE_BAD), view->result->message);
}

static struct list *report_list(struct explorer *explorer)
{
    return &explorer->report.lines.list;
}

static int report_count(const struct explorer *explorer)
{
    return explorer->report.lines.count;
}

static void report_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    snprintf(text, ROW_TEXT, "%s", explorer->report.lines.lines[row]);
}

static void report_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct report_view *view = &explorer->report;
    snprintf(text, ROW_TEXT, "%s", view->making && view->result ? "made again ..." : "");
}

const struct pane_ops report_pane_ops = {
    .title = "Report",
    .list = report_list,
    .count = report_count,
    .text = report_text,
    .status = report_status,
    .settle = report_settle,
    .draw = report_draw,
    .hints = {{COMMAND_SAVE_REPORT, NULL},
              {COMMAND_RIGHT, "scroll"},
              {COMMAND_FIND, NULL},
              {COMMAND_RELOAD, "again"},
              {COMMAND_CANCEL, NULL}},
};
