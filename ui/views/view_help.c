/* The Help view, generated from the command list and the key
 * bindings in force, so it cannot be out of date. */
#include <string.h>

#include "schema/ideals.h"
#include "schema/moved_settings.h"
#include "ui/panes/pane.h"
#include "ui/panes/say.h"
#include "ui/views/text_lines.h"
#include "ui/views/view_help.h"

struct help_view {
    struct text_lines lines;
    enum context context;     /* what comes first */
    char topic[64];           /* "": none */
    char described[ROW_TEXT]; /* what was selected there, as the message line has it; "": nothing */
};

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

/* What a key does: one that opens a pane or a view says what that shows. A command that stands
 * above with other arguments is explained there. */
static const char *binding_help(const struct keymap *keymap, const struct binding *binding)
{
    const bool opens = binding->command == COMMAND_FOCUS || binding->command == COMMAND_VIEW;
    const enum context opened = opens ? context_find(binding->arguments) : CONTEXT_COUNT;
    if (opened < CONTEXT_COUNT)
        return context_helps[opened];
    const char *use = keymap_use(binding);
    if (use)
        return use;
    for (const struct binding *above = keymap->items; above < binding; above++)
        if (above->context == binding->context && above->command == binding->command &&
            strcmp(above->arguments, binding->arguments) != 0)
            return "likewise";
    return command_table[binding->command].help;
}

static enum status add_context(struct text_lines *lines, const struct keymap *keymap,
                               enum context context)
{
    enum status status = STATUS_OK;
    bool any = false;
    for (size_t i = 0; !status && i < keymap->count; i++) {
        const struct binding *binding = &keymap->items[i];
        char keys[96], name[128], head[240];
        if (binding->context != context || binding->command == COMMAND_COUNT ||
            !keymap_is_first(keymap, binding))
            continue;
        if (!any)
            status = context == CONTEXT_GLOBAL
                         ? text_lines_add(lines, "Keys everywhere")
                         : text_lines_add(lines, "Keys in %s", context_names[context]);
        any = true;
        list_keys(keymap, context, binding->command, binding->arguments, keys);
        snprintf(name, sizeof name, "%s%s%s", command_table[binding->command].name,
                 binding->arguments[0] ? " " : "", binding->arguments);
        snprintf(head, sizeof head, "  %-15s %-16s ", keys, name);
        if (!status)
            status = text_lines_wrap(lines, head, binding_help(keymap, binding));
    }
    if (!status && any)
        status = text_lines_add(lines, "%s", "");
    return status;
}

static enum status add_places(struct text_lines *lines)
{
    enum status status = text_lines_add(lines, "Panes (focus NAME) and views (view NAME)");
    for (int i = CONTEXT_GLOBAL + 1; !status && i < CONTEXT_COUNT; i++) {
        char head[96];
        snprintf(head, sizeof head, "  %-25s ", context_names[i]);
        status = text_lines_wrap(lines, head, context_helps[i]);
    }
    return status ? status : text_lines_add(lines, "%s", "");
}

static enum status add_commands(struct text_lines *lines)
{
    enum status status = text_lines_add(lines, "Commands (: runs them, Tab completes)");
    for (size_t i = 0; !status && i < COMMAND_COUNT; i++) {
        char name[80], head[96];
        snprintf(name, sizeof name, "%s %s", command_table[i].name, command_table[i].arguments);
        snprintf(head, sizeof head, "  %-25s ", name);
        status = text_lines_wrap(lines, head, command_table[i].help);
    }
    return status;
}

static enum status add_parameter(struct text_lines *lines, const struct parameter *parameter)
{
    char expects[VALUE_TEXT];
    enum status status = text_lines_add(lines, "Parameter %s", parameter->path);
    if (!status)
        status = text_lines_wrap(lines, "  ", parameter->help);
    if (!status)
        status = text_lines_wrap(lines, "  expects ", parameter_expects(parameter, expects));
    for (size_t i = 0; !status && i < parameter->choice_count; i++) {
        char head[80];
        snprintf(head, sizeof head, "    %-14s ", parameter->choices[i].name);
        status = text_lines_wrap(lines, head, parameter->choices[i].help);
    }
    return status;
}

/* A limit of the machine: what it would be without it, and where one begins to move it. */
static enum status add_limit(struct text_lines *lines, const char *head, enum ideal ideal)
{
    const struct ideal_info *info = &ideal_table[ideal];
    char text[ROW_TEXT];
    snprintf(text, sizeof text, "%s (%s): without it, %s%s%s", info->name, info->label, info->help,
             info->knob ? "; what moves it begins with " : "", info->knob ? info->knob : "");
    return text_lines_wrap(lines, head, text);
}

/* The limits that a metric shows: what taking each out saves is exact, the metric is not that. */
static enum status add_limits(struct text_lines *lines, const struct metric *metric)
{
    enum status status = STATUS_OK;
    bool any = false;
    for (int i = 0; i < IDEAL_COUNT && !status; i++)
        if (ideal_table[i].relieves && !strcmp(ideal_table[i].relieves, metric->path)) {
            if (!any)
                status = text_lines_wrap(
                    lines, "  ",
                    "A share says what was waited for, not what leaving it out would save: X "
                    "(:explain) runs the machine without each limit, alone and as a ladder.");
            any = true;
            if (!status)
                status = add_limit(lines, "  shows the limit ", (enum ideal)i);
        }
    return status;
}

static enum status help_add_metric(struct text_lines *lines, const struct metric *metric)
{
    char sources[METRIC_SOURCES];
    enum status status = text_lines_add(lines, "Metric %s", metric->path);
    if (!status)
        status = text_lines_wrap(lines, "  ", metric->help);
    if (!status && metric->traits & METRIC_WALKERS)
        status = text_lines_wrap(lines, "  ", ISSUE_CLOCK);
    if (!status)
        status =
            text_lines_add(lines, "  %s%s, %s", metric_sources(metric, sources),
                           metric_exact(metric) ? "" : ", a fitted model",
                           metric->direction == LOWER_IS_BETTER    ? "lower is better"
                           : metric->direction == HIGHER_IS_BETTER ? "higher is better"
                                                                   : "neither better low nor high");
    return status ? status : add_limits(lines, metric);
}

/* Puts the requested topic first. */
static enum status add_topic(struct text_lines *lines, const char *topic)
{
    const enum command command = command_find(topic);
    enum status status = STATUS_OK;
    enum ideal ideal;
    if (parameter_find(topic))
        status = add_parameter(lines, parameter_find(topic));
    if (!status && metric_find(topic))
        status = help_add_metric(lines, metric_find(topic));
    if (!status && ideal_find(topic, &ideal, NULL))
        status = add_limit(lines, "Limit ", ideal);
    if (!status && command < COMMAND_COUNT) {
        status = text_lines_add(lines, "Command %s %s", command_table[command].name,
                                command_table[command].arguments);
        status = status ? status : text_lines_wrap(lines, "  ", command_table[command].help);
    }
    if (!status && lines->count)
        status = text_lines_add(lines, "%s", "");
    return status;
}

static enum status add_marks(const struct explorer *explorer, struct text_lines *lines)
{
    const enum glyphs tier = explorer->glyphs;
    char marks[ROW_TEXT];
    snprintf(marks, sizeof marks,
             "%s differs from the file, %s from the pin, %s axis of the sweep, %s no effect at the "
             "depth simulated; %s better, %s worse than the pin (shares: in points), ~ from a "
             "fitted model",
             glyph_text(tier, GLYPH_CHANGED), glyph_text(tier, GLYPH_DIFFERS),
             glyph_text(tier, GLYPH_AXIS), glyph_text(tier, GLYPH_INERT),
             glyph_text(tier, GLYPH_BETTER), glyph_text(tier, GLYPH_WORSE));
    enum status status = text_lines_add(lines, "Marks");
    if (!status)
        status = text_lines_wrap(lines, "  ", marks);
    return status ? status : text_lines_add(lines, "%s", "");
}

static enum status add_all_keys(const struct explorer *explorer, struct text_lines *lines)
{
    enum status status = STATUS_OK;
    for (int context = 0; !status && context < CONTEXT_COUNT; context++)
        status = add_context(lines, &explorer->keymap, (enum context)context);
    return status;
}

static enum status add_all_places(const struct explorer *explorer, struct text_lines *lines)
{
    (void)explorer;
    return add_places(lines);
}

static enum status add_all_commands(const struct explorer *explorer, struct text_lines *lines)
{
    (void)explorer;
    return add_commands(lines);
}

/* What is long has a page of its own: X(name, help, function). */
#define HELP_PAGE_LIST(X)                                                                          \
    X("keys", "every key in force", add_all_keys)                                                  \
    X("commands", "every command", add_all_commands)                                               \
    X("views", "every pane and view, and what it shows", add_all_places)

#define HELP_NAME(name, help, function) name,
const char *const help_pages[] = {HELP_PAGE_LIST(HELP_NAME) NULL};

static const struct help_page {
    const char *name, *help;
    enum status (*add)(const struct explorer *explorer, struct text_lines *lines);
} pages[] = {
#define HELP_PAGE(name, help, function) {name, help, function},
    HELP_PAGE_LIST(HELP_PAGE)
#undef HELP_PAGE
};
enum { HELP_PAGES = sizeof pages / sizeof *pages };

static const struct help_page *find_page(const char *topic)
{
    for (size_t i = 0; i < HELP_PAGES; i++)
        if (!strcmp(pages[i].name, topic))
            return &pages[i];
    return NULL;
}

/* Whether there is a parameter, metric, limit, command or pane with this name. */
static bool knows_topic(const char *topic)
{
    enum ideal ideal;
    return ideal_find(topic, &ideal, NULL) || parameter_find(topic) || metric_find(topic) ||
           command_find(topic) < COMMAND_COUNT || context_find(topic) < CONTEXT_COUNT ||
           find_page(topic);
}

/* Of the names that are topics. */
static const char *topic_suggestion(const char *topic, char text[SUGGESTION_TEXT])
{
    const char *names[HELP_PAGES + COMMAND_COUNT + CONTEXT_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < HELP_PAGES; i++)
        names[count++] = pages[i].name;
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        names[count++] = command_table[i].name;
    for (size_t i = 0; i < CONTEXT_COUNT; i++)
        names[count++] = context_names[i];
    return name_suggestion(topic, names, count, text);
}

static enum status add_pages(struct text_lines *lines)
{
    char head[64];
    enum status status = text_lines_add(lines, "Topics");
    for (size_t i = 0; !status && i < HELP_PAGES; i++) {
        snprintf(head, sizeof head, "  :help %-18s ", pages[i].name);
        status = text_lines_wrap(lines, head, pages[i].help);
    }
    snprintf(head, sizeof head, "  :help %-18s ", "NAME");
    if (!status)
        status = text_lines_wrap(lines, head, "a parameter, metric, command, pane or view");
    snprintf(head, sizeof head, "  %-24s ", "C-p, : and any words");
    if (!status)
        status = text_lines_wrap(lines, head, "find all of these by what they are or do");
    return status ? status : text_lines_add(lines, "%s", "");
}

/* All of what the message line may have cut. */
static enum status add_described(const struct help_view *view, struct text_lines *lines)
{
    if (!view->described[0] || view->topic[0])
        return STATUS_OK;
    enum status status = text_lines_add(lines, "Selected");
    if (!status)
        status = text_lines_wrap(lines, "  ", view->described);
    return status;
}

static enum status help_make(struct explorer *explorer)
{
    struct help_view *view = pane_state(explorer, CONTEXT_HELP);
    struct text_lines *lines = &view->lines;
    const struct help_page *page = find_page(view->topic);
    const enum context asked = context_find(view->topic);
    text_lines_clear(lines);
    lines->columns = explorer->columns - 2;
    if (page)
        return page->add(explorer, lines);
    enum status status = add_described(view, lines);
    if (!status)
        status = add_topic(lines, view->topic);
    if (!status) /* then what can be done in the pane that help was called from */
        status =
            add_context(lines, &explorer->keymap, asked < CONTEXT_COUNT ? asked : view->context);
    if (!status)
        status = add_pages(lines);
    if (!status)
        status = add_marks(explorer, lines);
    if (!status)
        status = add_context(lines, &explorer->keymap, CONTEXT_GLOBAL);
    return status;
}

bool action_help(struct explorer *explorer, const char *arguments)
{
    struct help_view *view = pane_state(explorer, CONTEXT_HELP);
    if (!*arguments && explorer->view == VIEW_HELP)
        return action_cancel(explorer, "");
    char hint[SUGGESTION_TEXT];
    if (*arguments && !knows_topic(arguments))
        return refuse(explorer, "no parameter, metric, limit, command or pane '%.60s'%s", arguments,
                      topic_suggestion(arguments, hint));
    if (explorer->view != VIEW_HELP) {
        const struct pane_ops *ops = pane_ops(explorer_context(explorer));
        view->context = explorer_context(explorer);
        view->described[0] = '\0';
        if (ops->describe)
            ops->describe(explorer, view->described);
    }
    snprintf(view->topic, sizeof view->topic, "%s", arguments);
    view->lines.list = (struct list){0};
    if (explorer->view != VIEW_HELP)
        return action_view(explorer, "help");
    return help_make(explorer) ? refuse(explorer, "%s", status_text(STATUS_MEMORY)) : true;
}

static int help_count(const struct explorer *explorer)
{
    const struct help_view *view = pane_seen(explorer, CONTEXT_HELP);
    return view->lines.count;
}

static void help_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    const struct help_view *view = pane_seen(explorer, CONTEXT_HELP);
    snprintf(text, ROW_TEXT, "%s", view->lines.items[row]);
}

static void help_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    (void)focused;
    const struct help_view *view = pane_seen(explorer, CONTEXT_HELP);
    text_lines_draw(&view->lines, canvas, false);
}

static void help_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct help_view *view = pane_seen(explorer, CONTEXT_HELP);
    const int last = view->lines.list.top + pane_visible(explorer, CONTEXT_HELP);
    snprintf(text, ROW_TEXT, "%s%slines %d to %d of %d", view->topic, *view->topic ? "  " : "",
             view->lines.list.top + 1, last < view->lines.count ? last : view->lines.count,
             view->lines.count);
}

/* The lines are wrapped again if the width has changed. */
static void help_settle(struct explorer *explorer)
{
    const struct help_view *view = pane_seen(explorer, CONTEXT_HELP);
    if (explorer->view == VIEW_HELP && view->lines.columns != explorer->columns - 2)
        (void)help_make(explorer); /* short of memory, lines are missing */
}

static void help_free(void *state)
{
    struct help_view *view = state;
    text_lines_free(&view->lines);
}

const struct pane_ops help_pane_ops = {
    .title = "Help",
    .pager = true,
    .aside = true,
    .status = help_status,
    .state_size = sizeof(struct help_view),
    .free = help_free,
    .open = help_make,
    .count = help_count,
    .text = help_text,
    .settle = help_settle,
    .draw = help_draw,
    .hints = {{COMMAND_PAGE_DOWN, "page"},
              {COMMAND_FIND, NULL},
              {COMMAND_FIND_NEXT, "next"},
              {COMMAND_PALETTE, NULL},
              {COMMAND_CANCEL, NULL}},
};
