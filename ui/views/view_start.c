/* The Start page: what can be explored, a line each, which Enter opens. Families are the shipped
 * machines whose file names one (config/exploration.h); their numbers arrive in the background, one
 * after the other. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "config/machine_file.h"
#include "ui/jobs/start_job.h"
#include "ui/panes/pane.h"
#include "ui/session/recent.h"
#include "ui/terminal/user_files.h"

/* What is the user's own: X(label, command, what the line asks for, detail). */
#define OWN_LIST(X)                                                                                \
    X("my GPU", "card", "card, or file of nvidia-smi -q or deviceQuery: ",                         \
      "its machine, from the card's name or from what its own tools print")                        \
    X("my trace", "workload",                                                                      \
      "trace or program: ", "NVBit, Accel-Sim, GPGPU-Sim, Pin, Lackey, Dinero, addresses ...")     \
    X("my profile", "profile", "profile: ", "counters of ncu or nvprof beside those of the model")

struct start_row {
    const char *section;
    char label[RECENT_PATH], detail[EMBEDDED_COMMENT];
    char command[RECENT_PATH + 16];
    const char *asks;    /* the line that asks for the argument of the command; NULL: none */
    const char *machine; /* whose number stands here; NULL: none */
    const struct metric *metric; /* NULL: not known yet */
    double value;
    bool failed;
};

struct start_view {
    struct list list;
    struct start_row *rows;
    size_t count, capacity;
};

static struct start_row *start_add_row(struct start_view *view, const char *section,
                                       const char *label, const char *detail)
{
    if (array_reserve(&view->rows, &view->capacity, view->count + 1))
        return NULL;
    struct start_row *row = &view->rows[view->count++];
    *row = (struct start_row){.section = section};
    snprintf(row->label, sizeof row->label, "%s", label);
    snprintf(row->detail, sizeof row->detail, "%s", detail);
    return row;
}

static enum status add_opening(struct start_view *view, const char *section, const char *command,
                               const char *name, const char *detail)
{
    struct start_row *row = start_add_row(view, section, name, detail);
    if (row)
        snprintf(row->command, sizeof row->command, "%s %s", command, name);
    return row ? STATUS_OK : STATUS_MEMORY;
}

static enum status add_family(struct start_view *view, const struct embedded_file *file)
{
    struct document *document;
    struct machine machine;
    struct exploration exploration;
    if (machine_load(file->name, NULL, &machine, &document, NULL))
        return STATUS_OK;
    exploration_read(document, &machine, &exploration, NULL);
    document_free(document);
    if (!exploration.family[0])
        return STATUS_OK;
    enum status status = add_opening(view, "Families", "machine", file->name, file->name);
    if (status)
        return status;
    struct start_row *row = &view->rows[view->count - 1];
    snprintf(row->label, sizeof row->label, "%s", exploration.family);
    row->machine = file->name;
    return STATUS_OK;
}

static enum status add_own(struct start_view *view)
{
    static const struct {
        const char *label, *command, *asks, *detail;
    } own[] = {
#define OWN_ROW(label, command, asks, detail) {label, command, asks, detail},
        OWN_LIST(OWN_ROW)
#undef OWN_ROW
    };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        struct start_row *row = start_add_row(view, "Yours", own[i].label, own[i].detail);
        if (!row)
            return STATUS_MEMORY;
        snprintf(row->command, sizeof row->command, "%s", own[i].command);
        row->asks = own[i].asks;
    }
    return STATUS_OK;
}

static enum status add_recent(struct start_view *view)
{
    enum status status = STATUS_OK;
    struct recent_files files;
    recent_read(&files);
    for (size_t i = 0; !status && i < files.count; i++)
        if (!access(files.items[i].path, R_OK))
            status = add_opening(view, "Recent", recent_commands[files.items[i].kind],
                                 files.items[i].path, recent_commands[files.items[i].kind]);
    return status;
}

static enum status add_files(struct start_view *view, const char *section, const char *command,
                             const struct embedded_file *files)
{
    enum status status = STATUS_OK;
    for (; !status && files->name; files++) {
        char comment[EMBEDDED_COMMENT];
        status = add_opening(view, section, command, files->name, embedded_comment(files, comment));
    }
    return status;
}

static enum status start_open(struct explorer *explorer)
{
    struct start_view *view = pane_state(explorer, CONTEXT_START);
    enum status status = STATUS_OK;
    view->count = 0;
    view->list = (struct list){0};
    if (state_file_exists("session"))
        status = add_opening(view, "Resume", "resume", "last session",
                             "its machine, edits, pin, axes and filter");
    for (const struct embedded_file *file = embedded_machines; !status && file->name; file++)
        status = add_family(view, file);
    if (!status)
        status = add_own(view);
    if (!status)
        status = add_recent(view);
    if (!status)
        status = add_files(view, "Studies", "study", embedded_studies);
    if (!status)
        status = add_files(view, "Papers", "paper", embedded_experiments);
    return status;
}

/* ---- the numbers ---- */

static struct start_row *row_of_machine(struct start_view *view, const char *machine)
{
    for (size_t i = 0; i < view->count; i++)
        if (view->rows[i].machine && !strcmp(view->rows[i].machine, machine))
            return &view->rows[i];
    return NULL;
}

/* Copies the number, and so keeps no answer. */
static bool start_takes(struct explorer *explorer, void *answer)
{
    const struct start_number *number = answer;
    struct start_row *row = row_of_machine(pane_state(explorer, CONTEXT_START), number->machine);
    if (row && number->answer.status != STATUS_CANCELLED) {
        row->metric = number->metric;
        row->value = number->value;
        row->failed = !number->metric;
    }
    return false;
}

static void start_settle(struct explorer *explorer)
{
    struct start_view *view = pane_state(explorer, CONTEXT_START);
    if (explorer->view != VIEW_START || pane_waits(explorer, CONTEXT_START))
        return;
    for (size_t i = 0; i < view->count; i++)
        if (view->rows[i].machine && !view->rows[i].metric && !view->rows[i].failed) {
            struct start_number *number = start_number_new(view->rows[i].machine);
            if (number)
                pane_ask(explorer, CONTEXT_START, number);
            return;
        }
}

/* ---- opening ---- */

static bool start_enter(struct explorer *explorer)
{
    const struct start_view *view = pane_seen(explorer, CONTEXT_START);
    const struct start_row row = view->rows[view->list.selected];
    if (row.asks) {
        explorer->view = VIEW_WORKSPACE;
        prompt_line(explorer, row.asks, row.command, "", NULL);
        return true;
    }
    pane_ask(explorer, CONTEXT_START, NULL); /* what is opened now goes first */
    explorer->view = VIEW_WORKSPACE;
    return explorer_execute(explorer, row.command);
}

/* ---- drawing ---- */

enum { SECTION = 10, LABEL = 20 };

static void draw_row(const struct start_row *row, const char *before, const struct canvas *canvas,
                     int at)
{
    const int width = canvas->rect.columns;
    const bool path = row->label[0] == '/';
    const int label = path ? width - SECTION - 20 : LABEL;
    const bool wide = width >= 70;
    int end = width - 1;
    char value[QUANTITY_TEXT], text[QUANTITY_TEXT + 64];
    if (!before || strcmp(before, row->section) != 0)
        canvas_text(canvas, at, 1, SECTION - 1, STYLE_BOLD(ROLE_ACCENT), row->section);
    canvas_text(canvas, at, SECTION, label, STYLE(ROLE_TEXT),
                path ? path_tail(row->label, label) : row->label);
    if (row->machine && !row->failed) {
        snprintf(text, sizeof text, "%s", canvas_glyph(canvas, GLYPH_DOT));
        if (row->metric)
            snprintf(text, sizeof text, "%s%s%s%s", wide ? row->metric->path : "", wide ? " " : "",
                     metric_exact(row->metric) ? "" : "~",
                     quantity_print_short(row->value, row->metric->unit, 3, value));
        end -= (int)utf8_columns(text) + 1;
        canvas_text(canvas, at, end, width - end, STYLE(ROLE_TEXT), text);
    }
    const int room = end - SECTION - label - 2;
    if (room > 4)
        canvas_words(canvas, at, SECTION + label + 1, room, STYLE(ROLE_DIM), row->detail);
}

static void start_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    (void)focused;
    const struct start_view *view = pane_seen(explorer, CONTEXT_START);
    for (int at = 0; at < canvas->rect.rows; at++) {
        const size_t i = (size_t)view->list.top + (size_t)at;
        if (i >= view->count)
            break;
        draw_row(&view->rows[i], at ? view->rows[i - 1].section : NULL, canvas, at);
        if ((int)i == view->list.selected) {
            canvas_reverse(canvas, at);
            canvas_cursor(canvas, at, SECTION);
        }
    }
}

static int start_count(const struct explorer *explorer)
{
    const struct start_view *view = pane_seen(explorer, CONTEXT_START);
    return (int)view->count;
}

static void start_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    const struct start_view *view = pane_seen(explorer, CONTEXT_START);
    snprintf(text, ROW_TEXT, "%.300s %.150s", view->rows[row].label, view->rows[row].detail);
}

static void start_describe(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct start_view *view = pane_seen(explorer, CONTEXT_START);
    const struct start_row *row = &view->rows[view->list.selected];
    snprintf(text, ROW_TEXT, "Enter: %.480s%s", row->command, row->asks ? " ..." : "");
}

static void start_free(void *state)
{
    struct start_view *view = state;
    free(view->rows);
}

const struct pane_ops start_pane_ops = {
    .title = "Start",
    .state_size = sizeof(struct start_view),
    .free = start_free,
    .job = &start_job,
    .takes = start_takes,
    .open = start_open,
    .count = start_count,
    .text = start_text,
    .describe = start_describe,
    .settle = start_settle,
    .enter = start_enter,
    .draw = start_draw,
    .hints = {{COMMAND_CHANGE, "open"},
              {COMMAND_FIND, NULL},
              {COMMAND_PALETTE, NULL},
              {COMMAND_COMMAND, NULL},
              {COMMAND_CANCEL, "workspace"}},
};
