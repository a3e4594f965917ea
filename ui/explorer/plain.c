#include "ui/explorer/plain.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "schema/exactness.h"
#include "ui/explorer/script.h"
#include "ui/panes/pane.h"
#include "ui/panes/prompt.h"

enum { ROWS_MAX = 1000 /* rows of one list */ };

struct plain {
    struct explorer *explorer;
    char input[LINE_MAX_BYTES - 1];
    size_t used;
    bool ended;
    bool overlong;   /* the start of this line was dropped */
    size_t said;     /* value of messages.total up to which messages were printed */
    uint64_t valued; /* the request whose values were printed last; 0: none */
    struct metrics before;
    enum context context;
    int selected;
};

static void say_messages(struct plain *plain)
{
    const struct messages *messages = &plain->explorer->messages;
    size_t unsaid = messages->total - plain->said;
    if (unsaid > messages->count)
        unsaid = messages->count;
    for (size_t i = messages->count - unsaid; i < messages->count; i++)
        printf("%s%s\n", messages->items[i].severity == SEVERITY_ERROR ? "error: " : "",
               messages->items[i].text);
    plain->said = messages->total;
}

/* Prints "L1D miss rate 28.6%, was 30.1%"; true if the value changed. */
static bool say_value(const struct plain *plain, const struct live_row *row)
{
    const struct metric *metric = row->metric;
    double now = metric_get(metric, &plain->explorer->last.metrics);
    double old = plain->valued ? metric_get(metric, &plain->before) : NAN;
    char text[QUANTITY_TEXT];
    if (isnan(now) || now == old)
        return false;
    printf("%s %s%s", row->label ? row->label : metric->path,
           metric_exact_at(metric, plain->explorer->last.depth) ? "" : "about ",
           quantity_print_short(now, metric->unit, 3, text));
    if (!isnan(old))
        printf(", was %s", quantity_print_short(old, metric->unit, 3, text));
    const double measured = measured_marks_value(&plain->explorer->measured, metric);
    if (!isnan(measured))
        printf(", measured %s", quantity_print_short(measured, metric->unit, 3, text));
    putchar('\n');
    return true;
}

static void say_values(struct plain *plain)
{
    const struct explorer *explorer = plain->explorer;
    bool any = false;
    if (!explorer_has_metrics(explorer) || explorer->last.request == plain->valued)
        return;
    for (int i = 0; i < explorer->live.count; i++)
        any |= explorer->live.rows[i].metric && say_value(plain, &explorer->live.rows[i]);
    if (!any)
        puts("no value changed");
    plain->before = explorer->last.metrics;
    plain->valued = explorer->last.request;
}

/* Prints the row under the cursor; a parameter with its value. */
static void say_row(struct explorer *explorer, const struct pane_ops *ops)
{
    const struct parameter *parameter =
        explorer_context(explorer) == CONTEXT_MACHINE ? explorer_parameter(explorer) : NULL;
    char text[ROW_TEXT] = "", value[VALUE_TEXT];
    if (ops->describe)
        ops->describe(explorer, text);
    if (!text[0] && ops->text)
        ops->text(explorer, pane_list(explorer, explorer_context(explorer))->selected, text);
    size_t length = parameter ? strlen(parameter->path) : 0;
    if (parameter && !strncmp(text, parameter->path, length) && text[length] == ':')
        printf("%s %s%s\n", parameter->path,
               parameter_print(parameter, parameter_get(parameter, &explorer->session->machine),
                               value),
               text + length);
    else
        puts(text);
}

static void plain_say_rows(const struct explorer *explorer, const struct pane_ops *ops, int count)
{
    char text[ROW_TEXT];
    if (ops->headings) {
        ops->headings(explorer, text);
        puts(text);
    }
    for (int i = 0; ops->text && i < count && i < ROWS_MAX; i++) {
        ops->text(explorer, i, text);
        puts(text);
    }
}

/* Prints where the focus is if that has changed. A full-screen view is printed as a whole. */
static void say_place(struct plain *plain)
{
    struct explorer *explorer = plain->explorer;
    const enum context context = explorer_context(explorer);
    const struct pane_ops *ops = pane_ops(context);
    const int selected = pane_list(explorer, context)->selected, count = ops->count(explorer);
    char text[ROW_TEXT] = "";
    if (context != plain->context) {
        if (ops->status)
            ops->status(explorer, text);
        printf("%s%s%s\n", ops->title, text[0] ? ": " : "", text);
        if (explorer->view != VIEW_WORKSPACE)
            plain_say_rows(explorer, ops, count);
    }
    if (count && (selected != plain->selected ||
                  (context != plain->context && explorer->view == VIEW_WORKSPACE)))
        say_row(explorer, ops);
    plain->context = context;
    plain->selected = selected;
}

/* Prints what a prompt asks for, since plain mode has no prompts, and closes it. */
static void say_prompt(struct explorer *explorer)
{
    const struct prompt *prompt = &explorer->prompt;
    if (prompt->kind == PROMPT_UNSAVED)
        puts("edits are not saved: save keeps them, quit! drops them");
    else if (prompt->kind != PROMPT_NONE)
        printf("%s expects an argument\n", prompt->command[0] ? prompt->command : "command");
    for (size_t i = 0; prompt->kind == PROMPT_PICKER && i < prompt->item_count; i++)
        printf("%s: %s\n", prompt->items[i].name, prompt->items[i].help);
    prompt_close(explorer);
}

/* Waits for results and, if `input` is set, for input. STATUS_IO: neither will come. */
static enum status wait_for_more(struct plain *plain, bool input)
{
    struct explorer *explorer = plain->explorer;
    struct pollfd fds[1 + BACKGROUND_THREADS] = {{input ? STDIN_FILENO : -1, POLLIN, 0}};
    explorer_background(explorer, fds + 1);
    if (poll(fds, sizeof fds / sizeof *fds, -1) < 0)
        return errno == EINTR ? STATUS_OK : STATUS_IO;
    explorer_take(explorer, fds + 1);
    if (!fds[0].revents)
        return STATUS_OK;
    ssize_t size =
        read(STDIN_FILENO, plain->input + plain->used, sizeof plain->input - plain->used);
    if (size < 0)
        return errno == EINTR ? STATUS_OK : STATUS_IO;
    plain->ended = size == 0;
    plain->used += (size_t)size;
    return STATUS_OK;
}

/* Waits until all requested values are exact, or until a `wait` is over. */
static enum status plain_settle(struct plain *plain)
{
    struct explorer *explorer = plain->explorer;
    enum status status = STATUS_OK;
    explorer_settle(explorer);
    for (;;) {
        script_run(explorer);
        bool waits = explorer->script->waiting != WAIT_NOTHING && script_waits(explorer);
        if (status || explorer->quit ||
            (!waits && !script_pending(explorer) && script_is_exact(explorer)))
            return status;
        status = wait_for_more(plain, false);
    }
}

static void say_all(struct plain *plain)
{
    say_messages(plain);
    if (plain->explorer->prompt.kind != PROMPT_NONE)
        say_prompt(plain->explorer);
    say_values(plain);
    say_place(plain);
    fflush(stdout);
}

/* Takes the next line of input; false if there is none yet. Refuses a line that is too long. */
static bool plain_take_line(struct plain *plain, char line[LINE_MAX_BYTES])
{
    char *end = memchr(plain->input, '\n', plain->used);
    if (!end && plain->used == sizeof plain->input) {
        plain->overlong = true;
        plain->used = 0;
    }
    if (!end && (!plain->ended || !plain->used))
        return false;
    size_t length = end ? (size_t)(end - plain->input) : plain->used;
    snprintf(line, LINE_MAX_BYTES, "%.*s", (int)length, plain->overlong ? "" : plain->input);
    if (plain->overlong)
        printf("error: a line has more than %d bytes\n", LINE_MAX_BYTES - 1);
    plain->overlong = false;
    length += end != NULL;
    plain->used -= length;
    memmove(plain->input, plain->input + length, plain->used);
    return true;
}

enum status plain_run(struct explorer *explorer)
{
    struct plain plain = {.explorer = explorer, .context = explorer_context(explorer)};
    char line[LINE_MAX_BYTES];
    printf("%s, %s. help lists the commands, quit leaves.\n", explorer->session->name,
           explorer->workload);
    enum status status = plain_settle(&plain);
    say_all(&plain);
    while (!status && !explorer->quit) {
        if (plain_take_line(&plain, line)) {
            const char *command = line + strspn(line, " \t:");
            if (!*command || *command == '#')
                continue;
            explorer_execute(explorer, command);
            status = explorer->quit ? STATUS_OK : plain_settle(&plain);
            say_all(&plain);
        } else if (plain.ended) {
            break;
        } else {
            status = wait_for_more(&plain, true);
            say_messages(&plain);
            fflush(stdout);
        }
    }
    return status;
}
