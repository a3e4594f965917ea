/* Running commands, and the actions for motions, focus, views and search (actions.h). */
#include "ui/actions/actions.h"

#include <stdlib.h>
#include <string.h>

#include "ui/panes/pane.h"
#include "ui/panes/prompt.h"

typedef bool (*action_function)(struct explorer *explorer, const char *arguments);

static const action_function actions[COMMAND_COUNT] = {
#define ACTION_ROW(constant, function, ...) action_##function,
    COMMAND_LIST(ACTION_ROW)
#undef ACTION_ROW
};

/* `keys` may press keys that run `keys`, and a line of the history may call itself back. */
enum { NESTED_MAX = 16 };

static bool actions_run_command(struct explorer *explorer, enum command command,
                                const char *arguments)
{
    explorer->changed = true;
    if (explorer->nested == NESTED_MAX)
        return refuse(explorer, "%s: a command runs itself again and again",
                      command_table[command].name);
    explorer->nested++;
    bool done = actions[command](explorer, arguments);
    explorer->nested--;
    if (done)
        tour_advance(explorer, command, arguments);
    explorer_settle(explorer);
    return done;
}

bool explorer_execute(struct explorer *explorer, const char *text)
{
    char name[64];
    text += strspn(text, ": ");
    size_t length = strcspn(text, " ");
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), text);
    enum command command = command_find(name);
    if (command == COMMAND_COUNT) {
        const char *nearest = command_nearest(name);
        return nearest ? refuse(explorer, "unknown command '%s'; did you mean '%s'?", name, nearest)
                       : refuse(explorer, "unknown command '%s'; ? shows all", name);
    }
    char arguments[LINE_MAX_BYTES];
    snprintf(arguments, sizeof arguments, "%s", text + length + strspn(text + length, " "));
    for (size_t end = strlen(arguments); end && arguments[end - 1] == ' '; end--)
        arguments[end - 1] = '\0';
    return actions_run_command(explorer, command, arguments);
}

void explorer_key(struct explorer *explorer, uint32_t key)
{
    explorer->changed = true;
    explorer->messages.shown = false;
    if (explorer->prompt.kind != PROMPT_NONE) {
        prompt_key(explorer,
                   key); /* settles by itself if it runs a command; typing changes nothing else */
        return;
    }
    const struct binding *binding =
        keymap_lookup(&explorer->keymap, explorer_context(explorer), key);
    if (binding && binding->command < COMMAND_COUNT)
        actions_run_command(explorer, binding->command, binding->arguments);
    else if (explorer->layout.too_small && key == 'q')
        actions_run_command(explorer, COMMAND_QUIT, "");
    else if (!explorer->layout.too_small)
        prompt_keys(explorer, explorer_context(explorer));
}

void explorer_paste(struct explorer *explorer, const char *text)
{
    explorer->changed = true;
    explorer->messages.shown = false;
    if (!prompt_paste(explorer, text))
        refuse(explorer, "what is pasted goes into a line; : opens one");
}

/* ---- leaving ---- */

bool action_quit(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    if (explorer->view != VIEW_WORKSPACE && explorer->view != VIEW_START)
        return action_cancel(explorer, "");
    if (session_dirty(explorer->session) && !script_pending(explorer))
        prompt_unsaved(explorer, "quit!");
    else
        explorer->quit = true;
    if (explorer->quit && explorer->writing)
        say(explorer, "leaving once the file is written; quit! leaves now");
    return true;
}

bool action_quit_now(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    explorer->quit = true;
    explorer->writing = false;
    return true;
}

bool action_suspend(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    explorer->suspend = true;
    return true;
}

bool action_redraw(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    explorer->redraw = true;
    return true;
}

/* ---- views and panes ---- */

static bool open_view(struct explorer *explorer, enum view view)
{
    if (explorer->view == view && view != VIEW_WORKSPACE) {
        say(explorer, "this is %s; Escape goes back", view_names[view]);
        return true;
    }
    const enum view before = explorer->view;
    explorer->view = view;
    if (view == VIEW_WORKSPACE)
        return true;
    const struct pane_ops *ops = pane_ops(view_context(view));
    if (ops->aside && before != VIEW_HELP) /* from there, still what help was opened over */
        explorer->beneath = before;
    return ops->open && ops->open(explorer) ? refuse(explorer, "%s", status_text(STATUS_MEMORY))
                                            : true;
}

/* The number of a pane or view by its name; -1 if there is none, which is said. */
static int actions_find_place(struct explorer *explorer, const char *const *names, const char *name)
{
    size_t count = 0;
    char hint[SUGGESTION_TEXT];
    for (; names[count]; count++)
        if (!strcmp(names[count], name))
            return (int)count;
    refuse(explorer, "no pane or view '%.60s'%s", name,
           suggestion(nearest_name(name, names, count), hint));
    return -1;
}

bool action_view(struct explorer *explorer, const char *arguments)
{
    const int view = actions_find_place(explorer, view_names, arguments);
    return view >= 0 && open_view(explorer, (enum view)view);
}

bool action_command(struct explorer *explorer, const char *arguments)
{
    prompt_line(explorer, ":", "", arguments, &explorer->commands);
    return true;
}

static void leave_aside(struct explorer *explorer)
{
    explorer->view = explorer->beneath;
    explorer->beneath = VIEW_WORKSPACE; /* help over the log: the log is left next */
}

bool action_cancel(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    if (explorer->view != VIEW_WORKSPACE && pane_ops(view_context(explorer->view))->aside)
        leave_aside(explorer);
    else if (explorer->view == VIEW_EXPLORE && explorer->shown.comparing)
        explorer->shown.comparing = false;
    else if (explorer->view != VIEW_WORKSPACE)
        explorer->view = VIEW_WORKSPACE;
    else if (explorer->zoomed)
        explorer->zoomed = false;
    explorer->session->proposal_count = 0;
    explorer->chart.moved = false;
    return true;
}

static void focus(struct explorer *explorer, int pane)
{
    explorer->view = VIEW_WORKSPACE;
    explorer->focus = (enum pane)((pane + PANE_COUNT) % PANE_COUNT);
}

bool action_focus_next(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    focus(explorer, (int)explorer->focus + 1);
    return true;
}

bool action_focus_previous(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    focus(explorer, (int)explorer->focus - 1);
    return true;
}

bool action_focus(struct explorer *explorer, const char *arguments)
{
    const int pane = actions_find_place(explorer, pane_names, arguments);
    if (pane >= 0)
        focus(explorer, pane);
    return pane >= 0;
}

bool action_zoom(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    explorer->zoomed = !explorer->zoomed;
    return true;
}

bool action_glyphs(struct explorer *explorer, const char *arguments)
{
    if (glyphs_parse(arguments, &explorer->glyphs))
        return refuse(explorer, "expected auto, braille, block or ascii, got '%s'", arguments);
    return true;
}

/* ---- motions ---- */

static bool actions_move(struct explorer *explorer, int by)
{
    const struct pane_ops *ops = pane_ops(explorer_context(explorer));
    struct list *list = pane_list(explorer, explorer_context(explorer));
    if (ops->pager)
        list->selected = list->top;
    list_move(list, ops->count(explorer), by);
    if (ops->pager)
        list->top = list->selected; /* list_reveal leaves no rows empty at the end */
    if (ops == &chart_pane_ops)
        explorer->chart.moved = true;
    return true;
}

enum { ALL_ROWS = 1 << 30 };

/* Half a page, or with "full" all but two rows of it. */
static int page_rows(const struct explorer *explorer, const char *arguments)
{
    const int visible = pane_visible(explorer, explorer_context(explorer));
    const int rows = strcmp(arguments, "full") ? visible / 2 : visible - 2;
    return rows > 1 ? rows : 1;
}

bool action_up(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    return actions_move(explorer, -1);
}

bool action_down(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    return actions_move(explorer, 1);
}

bool action_page_up(struct explorer *explorer, const char *arguments)
{
    return actions_move(explorer, -page_rows(explorer, arguments));
}

bool action_page_down(struct explorer *explorer, const char *arguments)
{
    return actions_move(explorer, page_rows(explorer, arguments));
}

bool action_top(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    return actions_move(explorer, -ALL_ROWS);
}

bool action_bottom(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    return actions_move(explorer, ALL_ROWS);
}

static bool move_across(struct explorer *explorer, int by)
{
    const struct pane_ops *ops = pane_ops(explorer_context(explorer));
    if (ops->across)
        ops->across(explorer, by);
    return true;
}

bool action_left(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    return move_across(explorer, -1);
}

bool action_right(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    return move_across(explorer, 1);
}

bool action_goto(struct explorer *explorer, const char *arguments)
{
    const struct pane_ops *ops = pane_ops(explorer_context(explorer));
    char *end;
    if (!*arguments) {
        prompt_line(explorer, "go to: ", "goto", "", NULL);
        return true;
    }
    if (ops->go)
        return ops->go(explorer, arguments);
    const unsigned long row = strtoul(arguments, &end, 10);
    const int rows = ops->count ? ops->count(explorer) : 0;
    if (*end || *arguments < '0' || *arguments > '9' || !row || row > (unsigned long)rows)
        return refuse(explorer, "expected a row from 1 to %d, got '%.60s'", rows, arguments);
    pane_list(explorer, explorer_context(explorer))->selected = (int)row - 1;
    return true;
}

static bool jump(struct explorer *explorer, const char *event, bool back)
{
    const struct pane_ops *ops = pane_ops(explorer_context(explorer));
    if (!*event && ops->offer)
        return ops->offer(explorer, back ? "previous" : "next");
    if (ops->jump)
        return ops->jump(explorer, event, back);
    return refuse(explorer,
                  "nothing is stepped through; :view step, :watch l1d:0:0 or :bank 0 do so");
}

bool action_next(struct explorer *explorer, const char *arguments)
{
    return jump(explorer, arguments, false);
}

bool action_previous(struct explorer *explorer, const char *arguments)
{
    return jump(explorer, arguments, true);
}

/* ---- search ---- */

/* Finds parameters in folded groups, too. */
static bool search_parameters(struct explorer *explorer, int direction)
{
    const struct parameter *selected = explorer_parameter(explorer);
    size_t start = selected ? (size_t)(selected - parameters) : 0;
    for (size_t i = 1; i <= parameter_count; i++) {
        size_t at = direction > 0 ? (start + i) % parameter_count
                                  : (start + parameter_count - i) % parameter_count;
        const struct parameter *parameter = &parameters[at];
        if ((strcasestr(parameter->path, explorer->searched) ||
             strcasestr(parameter->help, explorer->searched)) &&
            parameter_relevant(parameter, &explorer->session->machine))
            return machine_pane_select(explorer, parameter);
    }
    return refuse(explorer, "no parameter has '%.80s' in its name or help", explorer->searched);
}

static bool search(struct explorer *explorer, int direction)
{
    const struct pane_ops *ops = pane_ops(explorer_context(explorer));
    if (!explorer->searched[0])
        return refuse(explorer, "no search yet; / finds");
    if (ops == &machine_pane_ops || !ops->text)
        return search_parameters(explorer, direction);
    int count = ops->count(explorer);
    struct list *list = pane_list(explorer, explorer_context(explorer));
    for (int i = 1; i <= count; i++) {
        int row = (list->selected + direction * i % count + count) % count;
        char text[ROW_TEXT];
        ops->text(explorer, row, text);
        if (strcasestr(text, explorer->searched)) {
            list->selected = row;
            if (ops->pager)
                list->top = row;
            return true;
        }
    }
    return refuse(explorer, "'%.80s' is not here", explorer->searched);
}

bool action_find(struct explorer *explorer, const char *arguments)
{
    if (!*arguments) {
        prompt_line(explorer, "/", "find", "", &explorer->searches);
        return true;
    }
    snprintf(explorer->searched, sizeof explorer->searched, "%s", arguments);
    return search(explorer, 1);
}

bool action_find_next(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    return search(explorer, 1);
}

bool action_find_previous(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    return search(explorer, -1);
}
