/* Report: what `warpscape report` says of the store whose points are on the screen, as Markdown. */
#include <stdlib.h>
#include <string.h>

#include "base/text_ends.h"
#include "base/utf8.h"
#include "ui/jobs/report_job.h"
#include "ui/panes/pane.h"
#include "ui/panes/prompt.h"
#include "ui/panes/say.h"
#include "ui/views/text_lines.h"

/* ---- what it shows ---- */

struct report_view {
    struct text_lines lines;
    int left;         /* columns that are scrolled away */
    char asked[4096]; /* the store that it is or will be of; "" = ask again */
    uint64_t made_at; /* points done when it was asked for */
    bool waits;       /* the one for the screen has not come; a question for a file replaces it */
};

static bool sweep_is_over(const struct explorer *explorer)
{
    return explorer->snapshot.sweep.state == ENGINE_DONE &&
           !strcmp(explorer->shown.wanted.store, explorer->sweep.store);
}

static void report_ask(struct explorer *explorer)
{
    struct report_view *view = pane_state(explorer, CONTEXT_REPORT);
    const char *store = explorer->shown.wanted.store;
    const bool ascii = explorer->glyphs == GLYPHS_ASCII;
    view->made_at = explorer->snapshot.sweep.progress.done;
    pane_ask(explorer, CONTEXT_REPORT,
             report_result_new(store, "", ascii ? PAGE_MARKDOWN_ASCII : PAGE_MARKDOWN));
    snprintf(view->asked, sizeof view->asked, "%s", store);
    view->waits = true;
}

/* Whether the line stands as it is: of a table, a chart or a file. */
static bool is_fixed(const char *line, bool in_chart)
{
    return in_chart || line[0] == '|' || !strncmp(line, "    ", 4);
}

static enum status report_wrap(struct text_lines *lines, const char *text, int columns)
{
    bool in_chart = false;
    enum status status = STATUS_OK;
    text_lines_clear(lines);
    lines->columns = columns;
    for (const char *at = text; !status && *at;) {
        const size_t length = strcspn(at, "\n");
        char *line = strndup(at, length);
        if (!line)
            return STATUS_MEMORY;
        if (!strncmp(line, "```", 3))
            in_chart = !in_chart;
        else if (is_fixed(line, in_chart))
            status = text_lines_add(lines, "%s", line);
        else
            status = text_lines_wrap(lines, "", line);
        free(line);
        at += length + (at[length] == '\n');
    }
    return status;
}

static void report_settle(struct explorer *explorer)
{
    struct report_view *view = pane_state(explorer, CONTEXT_REPORT);
    const int columns = explorer->columns - 2;
    if (explorer->view != VIEW_REPORT)
        return;
    const char *store = explorer->shown.wanted.store;
    const bool stale =
        sweep_is_over(explorer) && view->made_at != explorer->snapshot.sweep.progress.done;
    if (*store && !pane_waits(explorer, CONTEXT_REPORT) &&
        (strcmp(view->asked, store) != 0 || stale))
        report_ask(explorer);
    const struct report_result *result = pane_answer(explorer, CONTEXT_REPORT);
    if (result && !result->answer.status && view->lines.columns != columns)
        (void)report_wrap(&view->lines, result->text,
                          columns); /* short of memory, lines are missing */
}

/* It is made anew from what the store has now. */
static void report_reload(struct explorer *explorer)
{
    struct report_view *view = pane_state(explorer, CONTEXT_REPORT);
    view->asked[0] = '\0';
}

static bool report_takes(struct explorer *explorer, void *answer)
{
    struct report_view *view = pane_state(explorer, CONTEXT_REPORT);
    struct report_result *result = answer;
    const struct report_result *before = pane_answer(explorer, CONTEXT_REPORT);
    if (result->path[0]) {
        write_made(explorer, result);
        if (view->waits) /* it was given up for this */
            view->asked[0] = '\0';
        return false;
    }
    view->waits = false;
    if (!before || strcmp(before->store, result->store) != 0)
        view->lines.list = (struct list){0};
    text_lines_clear(&view->lines);
    view->lines.columns = 0;
    return true;
}

static void report_free(void *state)
{
    struct report_view *view = state;
    text_lines_free(&view->lines);
}

/* ---- commands ---- */

bool action_report(struct explorer *explorer, const char *arguments)
{
    struct shown_points *points = &explorer->shown;
    if (strlen(arguments) >= sizeof points->wanted.store)
        return refuse(explorer, "expected the path of a store");
    if (*arguments && strcmp(arguments, points->wanted.store) != 0) {
        shown_points_open(points, arguments);
        shown_points_read(explorer);
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
    const char *store = explorer->shown.wanted.store;
    if (!*store)
        return refuse(explorer, "there is no store to report of: sweep, or :store FILE");
    if (!*arguments) {
        prompt_line(explorer, "write the report to (.html or .md): ", "save-report", "report.html",
                    NULL);
        line_select(&explorer->prompt.line);
        return true;
    }
    /* The program's rule: Markdown where the name says so. */
    return write_later(explorer,
                       report_result_new(store, arguments,
                                         text_ends(arguments, ".md") ? PAGE_MARKDOWN : PAGE_HTML));
}

/* ---- drawing ---- */

enum { SCROLL = 8 }; /* columns a key */

static void report_across(struct explorer *explorer, int by)
{
    struct report_view *view = pane_state(explorer, CONTEXT_REPORT);
    int widest = 0;
    for (int i = 0; i < view->lines.count; i++) {
        const int columns = (int)utf8_columns(view->lines.items[i]);
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

static void report_draw_lines(const struct report_view *view, const struct canvas *canvas)
{
    for (int row = 0; row < canvas->rect.rows; row++) {
        const int index = view->lines.list.top + row;
        if (index >= view->lines.count)
            break;
        const char *line = view->lines.items[index];
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
    const struct report_view *view = pane_seen(explorer, CONTEXT_REPORT);
    const int width = canvas->rect.columns - 1;
    if (!explorer->shown.wanted.store[0]) {
        canvas_text(canvas, 0, 1, width, STYLE(ROLE_TEXT),
                    "A sweep fills this page: mark axes with a in Machine, then press S.");
        canvas_text(canvas, 1, 1, width, STYLE(ROLE_TEXT),
                    "Or report of the store of an earlier one: :report STORE");
        return;
    }
    const struct report_result *result = pane_answer(explorer, CONTEXT_REPORT);
    if (result && !result->answer.status)
        report_draw_lines(view, canvas);
    else if (pane_waits(explorer, CONTEXT_REPORT))
        canvas_text(canvas, 0, 1, width, STYLE(ROLE_DIM), "reading ...");
    else if (result)
        canvas_paragraph(canvas, 0, STYLE_BOLD(ROLE_BAD), result->answer.message);
}

static int report_count(const struct explorer *explorer)
{
    const struct report_view *view = pane_seen(explorer, CONTEXT_REPORT);
    return view->lines.count;
}

static void report_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    const struct report_view *view = pane_seen(explorer, CONTEXT_REPORT);
    snprintf(text, ROW_TEXT, "%s", view->lines.items[row]);
}

static void report_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    const bool again =
        pane_waits(explorer, CONTEXT_REPORT) && pane_answer(explorer, CONTEXT_REPORT);
    snprintf(text, ROW_TEXT, "%s", again ? "made again ..." : "");
}

const struct pane_ops report_pane_ops = {
    .title = "Report",
    .state_size = sizeof(struct report_view),
    .free = report_free,
    .job = &report_job,
    .takes = report_takes,
    .across = report_across,
    .reload = report_reload,
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
    .opens = {{COMMAND_COMMAND, NULL}, {COMMAND_CANCEL, NULL}},
};
