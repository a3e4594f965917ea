/* The Log and Help views: lines of text. Help is generated from the command list and the key
 * bindings in force, so it cannot be out of date. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "ui/panes/pane.h"

void text_view_clear(struct text_view *view)
{
    for (int i = 0; i < view->count; i++)
        free(view->lines[i]);
    view->count = 0;
}

void text_view_free(struct text_view *view)
{
    text_view_clear(view);
    free(view->lines);
}

enum status text_view_add(struct text_view *view, const char *format, ...)
{
    if (array_reserve(&view->lines, &view->capacity, (size_t)view->count + 1))
        return STATUS_MEMORY;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&view->lines[view->count], format, arguments);
    va_end(arguments);
    if (length < 0)
        return STATUS_MEMORY;
    view->count++;
    return STATUS_OK;
}

enum status text_view_wrap(struct text_view *view, const char *head, const char *text)
{
    int indent = (int)utf8_columns(head);
    int room = view->columns - indent > 20 ? view->columns - indent : 20;
    enum status status = STATUS_OK;
    do {
        size_t length = text_wrap(text, room);
        status = text_view_add(view, "%-*s%.*s", indent, head, (int)length, text);
        text += length + strspn(text + length, " ");
        head = "";
    } while (!status && *text);
    return status;
}

enum status text_view_log(struct explorer *explorer)
{
    static const char *const words[] = {
        [SEVERITY_NOTE] = "note", [SEVERITY_WARNING] = "warning", [SEVERITY_ERROR] = "error"};
    struct text_view *view = &explorer->log;
    const struct messages *messages = &explorer->messages;
    text_view_clear(view);
    view->columns = explorer->columns - 2;
    enum status status = STATUS_OK;
    for (size_t i = 0; !status && i < messages->count; i++) {
        char head[16];
        snprintf(head, sizeof head, "%-8s ", words[messages->items[i].severity]);
        status = text_view_wrap(view, head, messages->items[i].text);
    }
    return status;
}

/* Lists all keys of a command in a context: "l, Right, +". */
static void list_keys(const struct keymap *keymap, enum context context, enum command command,
                      const char *arguments, char text[96])
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < keymap->count && used < 90; i++) {
        const struct binding *binding = &keymap->items[i];
        char key[KEY_TEXT];
        if (binding->context == context && binding->command == command &&
            !strcmp(binding->arguments, arguments))
            used += (size_t)snprintf(text + used, 96 - used, "%s%s", used ? ", " : "",
                                     key_print(binding->key, key));
    }
}

static bool is_first(const struct keymap *keymap, size_t index)
{
    const struct binding *binding = &keymap->items[index];
    for (size_t i = 0; i < index; i++)
        if (keymap->items[i].context == binding->context &&
            keymap->items[i].command == binding->command &&
            !strcmp(keymap->items[i].arguments, binding->arguments))
            return false;
    return true;
}

/* What a key does: one that opens a pane or a view says what that shows. */
static const char *binding_help(const struct binding *binding)
{
    const bool opens = binding->command == COMMAND_FOCUS || binding->command == COMMAND_VIEW;
    const enum context opened = opens ? context_find(binding->arguments) : CONTEXT_COUNT;
    return opened < CONTEXT_COUNT ? context_helps[opened] : command_table[binding->command].help;
}

static enum status add_context(struct text_view *view, const struct keymap *keymap,
                               enum context context)
{
    enum status status = STATUS_OK;
    bool any = false;
    for (size_t i = 0; !status && i < keymap->count; i++) {
        const struct binding *binding = &keymap->items[i];
        char keys[96], name[128], head[240];
        if (binding->context != context || binding->command == COMMAND_COUNT ||
            !is_first(keymap, i))
            continue;
        if (!any)
            status = context == CONTEXT_GLOBAL
                         ? text_view_add(view, "Keys everywhere")
                         : text_view_add(view, "Keys in %s", context_names[context]);
        any = true;
        list_keys(keymap, context, binding->command, binding->arguments, keys);
        snprintf(name, sizeof name, "%s%s%s", command_table[binding->command].name,
                 binding->arguments[0] ? " " : "", binding->arguments);
        snprintf(head, sizeof head, "  %-15s %-16s ", keys, name);
        if (!status)
            status = text_view_wrap(view, head, binding_help(binding));
    }
    if (!status && any)
        status = text_view_add(view, "%s", "");
    return status;
}

static enum status add_places(struct text_view *view)
{
    enum status status = text_view_add(view, "Panes (focus NAME) and views (view NAME)");
    for (int i = CONTEXT_GLOBAL + 1; !status && i < CONTEXT_COUNT; i++) {
        char head[96];
        snprintf(head, sizeof head, "  %-25s ", context_names[i]);
        status = text_view_wrap(view, head, context_helps[i]);
    }
    return status ? status : text_view_add(view, "%s", "");
}

static enum status add_commands(struct text_view *view)
{
    enum status status = text_view_add(view, "Commands (: runs them, Tab completes)");
    for (size_t i = 0; !status && i < COMMAND_COUNT; i++) {
        char name[80], head[96];
        snprintf(name, sizeof name, "%s %s", command_table[i].name, command_table[i].arguments);
        snprintf(head, sizeof head, "  %-25s ", name);
        status = text_view_wrap(view, head, command_table[i].help);
    }
    return status;
}

bool text_view_knows(const char *topic)
{
    return parameter_find(topic) || metric_find(topic) || command_find(topic) < COMMAND_COUNT ||
           context_find(topic) < CONTEXT_COUNT;
}

static enum status add_parameter(struct text_view *view, const struct parameter *parameter)
{
    char expects[VALUE_TEXT];
    enum status status = text_view_add(view, "Parameter %s", parameter->path);
    if (!status)
        status = text_view_wrap(view, "  ", parameter->help);
    if (!status)
        status = text_view_wrap(view, "  expects ", parameter_expects(parameter, expects));
    for (size_t i = 0; !status && i < parameter->choice_count; i++) {
        char head[80];
        snprintf(head, sizeof head, "    %-14s ", parameter->choices[i].name);
        status = text_view_wrap(view, head, parameter->choices[i].help);
    }
    return status;
}

static enum status add_metric(struct text_view *view, const struct metric *metric)
{
    char sources[METRIC_SOURCES];
    enum status status = text_view_add(view, "Metric %s", metric->path);
    if (!status)
        status = text_view_wrap(view, "  ", metric->help);
    if (!status)
        status =
            text_view_add(view, "  %s%s, %s", metric_sources(metric, sources),
                          metric_exact(metric) ? "" : ", a fitted model",
                          metric->direction == LOWER_IS_BETTER    ? "lower is better"
                          : metric->direction == HIGHER_IS_BETTER ? "higher is better"
                                                                  : "neither better low nor high");
    return status;
}

/* Puts the requested topic first. */
static enum status add_topic(struct text_view *view)
{
    const char *topic = view->topic;
    const enum command command = command_find(topic);
    enum status status = STATUS_OK;
    if (parameter_find(topic))
        status = add_parameter(view, parameter_find(topic));
    if (!status && metric_find(topic))
        status = add_metric(view, metric_find(topic));
    if (!status && command < COMMAND_COUNT) {
        status = text_view_add(view, "Command %s %s", command_table[command].name,
                               command_table[command].arguments);
        status = status ? status : text_view_wrap(view, "  ", command_table[command].help);
    }
    if (!status && view->count)
        status = text_view_add(view, "%s", "");
    return status;
}

enum status text_view_help(struct explorer *explorer)
{
    struct text_view *view = &explorer->help;
    enum glyphs tier = explorer->glyphs;
    char marks[ROW_TEXT];
    text_view_clear(view);
    view->columns = explorer->columns - 2;
    snprintf(marks, sizeof marks,
             "%s differs from the file, %s from the pin, %s axis of the sweep, %s no effect at the "
             "depth simulated; %s better, %s worse than the pin (shares: in points), ~ from a "
             "fitted model",
             glyph_text(tier, GLYPH_CHANGED), glyph_text(tier, GLYPH_DIFFERS),
             glyph_text(tier, GLYPH_AXIS), glyph_text(tier, GLYPH_INERT),
             glyph_text(tier, GLYPH_BETTER), glyph_text(tier, GLYPH_WORSE));
    const enum context asked = context_find(view->topic);
    const enum context first = asked < CONTEXT_COUNT ? asked : view->context;
    enum status status = add_topic(view);
    if (!status) /* then what can be done in the pane that help was called from */
        status = add_context(view, &explorer->keymap, first);
    if (!status)
        status = text_view_add(view, "Marks");
    if (!status)
        status = text_view_wrap(view, "  ", marks);
    if (!status)
        status = text_view_add(view, "%s", "");
    for (int context = 0; !status && context < CONTEXT_COUNT; context++)
        if (context != (int)first)
            status = add_context(view, &explorer->keymap, (enum context)context);
    if (!status)
        status = add_places(view);
    if (!status)
        status = add_commands(view);
    return status;
}

static void draw_lines(const struct text_view *view, const struct canvas *canvas, bool selects)
{
    for (int row = 0; row < canvas->rect.rows; row++) {
        int index = view->list.top + row;
        if (index >= view->count)
            break;
        const char *line = view->lines[index];
        bool head = line[0] != ' ' && !selects;
        canvas_text(canvas, row, 1, canvas->rect.columns - 1,
                    head ? STYLE_BOLD(ROLE_ACCENT) : STYLE(ROLE_TEXT), line);
        if (index == view->list.selected) {
            canvas_cursor(canvas, row, 1);
            canvas_reverse(canvas, row);
        }
    }
}

static struct list *help_list(struct explorer *explorer)
{
    return &explorer->help.list;
}

static int help_count(const struct explorer *explorer)
{
    return explorer->help.count;
}

static void help_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    snprintf(text, ROW_TEXT, "%s", explorer->help.lines[row]);
}

static void help_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    (void)focused;
    draw_lines(&explorer->help, canvas, false);
}

static struct list *log_list(struct explorer *explorer)
{
    return &explorer->log.list;
}

static int log_count(const struct explorer *explorer)
{
    return explorer->log.count;
}

static void log_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    snprintf(text, ROW_TEXT, "%s", explorer->log.lines[row]);
}

static void log_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    (void)focused;
    if (!explorer->log.count)
        canvas_text(canvas, 0, 1, canvas->rect.columns - 1, STYLE(ROLE_DIM), "nothing said yet");
    draw_lines(&explorer->log, canvas, true);
}

/* The lines are wrapped again if the width has changed. */
static void help_settle(struct explorer *explorer)
{
    if (explorer->view == VIEW_HELP && explorer->help.columns != explorer->columns - 2)
        (void)text_view_help(explorer); /* short of memory, lines are missing */
}

static void log_settle(struct explorer *explorer)
{
    if (explorer->view == VIEW_LOG && explorer->log.columns != explorer->columns - 2)
        (void)text_view_log(explorer);
}

const struct pane_ops help_pane_ops = {
    .title = "Help",
    .list = help_list,
    .count = help_count,
    .text = help_text,
    .settle = help_settle,
    .draw = help_draw,
    .hints = {{COMMAND_FIND, NULL}, {COMMAND_CANCEL, NULL}},
};

const struct pane_ops log_pane_ops = {
    .title = "Log",
    .list = log_list,
    .count = log_count,
    .text = log_text,
    .settle = log_settle,
    .draw = log_draw,
    .hints = {{COMMAND_FIND, NULL}, {COMMAND_CANCEL, NULL}},
};
