/* Actions that find things by name and open them (actions.h): the Start page, the palette,
 * parameters, cards. */
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "config/card_machine.h"
#include "schema/moved_settings.h"
#include "ui/actions/actions.h"
#include "ui/panes/pane.h"
#include "ui/panes/prompt.h"
#include "workload/workload.h"

bool action_start(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    return explorer->view == VIEW_START || action_view(explorer, "start");
}

bool action_select(struct explorer *explorer, const char *arguments)
{
    const struct parameter *parameter = parameter_find(arguments);
    char hint[SUGGESTION_TEXT];
    if (!parameter)
        return refuse(explorer, "no parameter '%.60s'%s", arguments,
                      parameter_suggestion(arguments, hint));
    if (!machine_pane_select(explorer, parameter))
        return refuse(explorer, "%s has no %s", explorer->session->name, parameter->path);
    explorer->view = VIEW_WORKSPACE;
    explorer->focus = PANE_MACHINE;
    return true;
}

bool has_edits(struct explorer *explorer)
{
    if (session_dirty(explorer->session))
        refuse(explorer, "%s has unsaved edits: save or undo them first", explorer->session->name);
    return session_dirty(explorer->session);
}

bool action_card(struct explorer *explorer, const char *arguments)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct session *session = NULL;
    char *text = NULL, card[CARD_NAME];
    if (!*arguments)
        return refuse(explorer, "expected a card, or a file of what nvidia-smi -q prints");
    if (has_edits(explorer))
        return false;
    enum status status = card_machine_open(arguments, &text, card, &diagnostics);
    if (!status)
        status = session_create_text(text, card, &session, &diagnostics);
    free(text);
    if (!finish(explorer, status, &diagnostics))
        return false;
    open_session(explorer, session, 0);
    return true;
}

/* ---- the palette ---- */

/* A command whose arguments may be left out runs; another asks for them. */
static enum status add_commands(struct explorer *explorer)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; !status && i < COMMAND_COUNT; i++) {
        const struct command_info *info = &command_table[i];
        const uint32_t key =
            keymap_key(&explorer->keymap, explorer_context(explorer), (enum command)i);
        char command[80];
        snprintf(command, sizeof command, "%s%s", info->name,
                 *info->arguments && *info->arguments != '[' ? " " : "");
        status = picker_add_command(&explorer->prompt, info->name, info->help, command, key);
    }
    return status;
}

static enum status add_thing(struct explorer *explorer, const char *kind, const char *command,
                             const char *name, const char *help)
{
    char line[RECENT_PATH + 16], about[512];
    snprintf(line, sizeof line, "%s %s", command, name);
    snprintf(about, sizeof about, "%s: %s", kind, help);
    return picker_add_command(&explorer->prompt, name, about, line, 0);
}

static enum status add_files(struct explorer *explorer, const char *kind, const char *command,
                             const struct embedded_file *files)
{
    enum status status = STATUS_OK;
    for (; !status && files->name; files++) {
        char comment[EMBEDDED_COMMENT];
        status = add_thing(explorer, kind, command, files->name, embedded_comment(files, comment));
    }
    return status;
}

/* One that the depth on the screen does not answer is found with the first depth that does. */
static enum status add_metric(struct explorer *explorer, const struct metric *metric)
{
    char kind[64];
    const enum depth depth = explorer->session->study.depth;
    if (metric_answered(metric, depth))
        return add_thing(explorer, "metric", "metric", metric->path, metric->help);
    if (metric_compares(metric))
        return STATUS_OK;
    snprintf(kind, sizeof kind, "metric at depth %s", metric_source(metric, depth));
    return add_thing(explorer, kind, "metric", metric->path, metric->help);
}

static enum status add_names(struct explorer *explorer)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; !status && i < parameter_count; i++)
        if (parameter_relevant(&parameters[i], &explorer->session->machine))
            status =
                add_thing(explorer, "parameter", "select", parameters[i].path, parameters[i].help);
    for (size_t i = 0; !status && i < METRIC_COUNT; i++)
        status = add_metric(explorer, &metric_table[i]);
    for (int i = CONTEXT_GLOBAL + 1; !status && i < CONTEXT_COUNT; i++)
        status = add_thing(explorer, i <= PANE_COUNT ? "pane" : "view",
                           i <= PANE_COUNT ? "focus" : "view", context_names[i], context_helps[i]);
    return status;
}

static enum status add_workloads(struct explorer *explorer)
{
    struct workload_entry *entries;
    size_t count;
    enum status status = workload_list(&entries, &count);
    if (status)
        return status;
    for (size_t i = 0; !status && i < count; i++)
        status = add_thing(explorer, "workload", "workload", entries[i].name, entries[i].help);
    workload_list_free(entries, count);
    return status;
}

static enum status actions_add_recent(struct explorer *explorer)
{
    struct recent_files files;
    enum status status = STATUS_OK;
    recent_read(&files);
    for (size_t i = 0; !status && i < files.count; i++)
        status = add_thing(explorer, "recent", recent_commands[files.items[i].kind],
                           files.items[i].path, recent_commands[files.items[i].kind]);
    return status;
}

bool action_palette(struct explorer *explorer, const char *arguments)
{
    prompt_close(explorer);
    enum status status = add_commands(explorer);
    if (!status)
        status = add_names(explorer);
    if (!status)
        status = add_files(explorer, "machine", "machine", embedded_machines);
    if (!status)
        status = add_workloads(explorer);
    if (!status)
        status = add_files(explorer, "study", "study", embedded_studies);
    if (!status)
        status = add_files(explorer, "paper", "paper", embedded_experiments);
    if (!status)
        status = actions_add_recent(explorer);
    picker_open_typed(explorer, "palette", arguments);
    if (status)
        return refuse(explorer, "%s", status_text(status));
    if (explorer->prompt.order_count)
        return true;
    prompt_close(explorer);
    char word[64], hint[SUGGESTION_TEXT];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(arguments, " "), arguments);
    return refuse(explorer, "no command, name or file fits '%.60s'%s", arguments,
                  suggestion(command_nearest(word), hint));
}
