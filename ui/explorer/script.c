#include "ui/explorer/script.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ui/panes/pane.h"

enum { SCRIPT_MAX = 1 << 20 };

enum status script_load(struct explorer *explorer, const char *path,
                        struct diagnostics *diagnostics)
{
    struct script *script = explorer->script;
    FILE *file = fopen(path, "r");
    if (!file)
        return diagnostics_error(diagnostics, errno == ENOENT ? STATUS_NOT_FOUND : STATUS_IO,
                                 "%s: %s", path, strerror(errno));
    enum status status = STATUS_MEMORY;
    script->text = malloc(SCRIPT_MAX + 1);
    if (script->text) {
        size_t size = fread(script->text, 1, SCRIPT_MAX, file);
        script->text[size] = '\0';
        script->next = script->text;
        script->name = path;
        status = ferror(file)
                     ? diagnostics_error(diagnostics, STATUS_IO, "%s: %s", path, strerror(errno))
                 : size == SCRIPT_MAX
                     ? diagnostics_error(diagnostics, STATUS_INVALID, "%s: larger than 1 MiB", path)
                     : STATUS_OK;
    }
    fclose(file);
    return status;
}

void script_free(struct script *script)
{
    free(script->text);
    free(script);
}

static bool settled(enum engine_state state)
{
    return state == ENGINE_DONE || state == ENGINE_FAILED;
}

bool script_is_exact(const struct explorer *explorer)
{
    const struct engine_snapshot *snapshot = &explorer->snapshot;
    if (snapshot->workload_state == ENGINE_FAILED)
        return true;
    if (explorer->last.request != explorer->request || explorer->last.state != ENGINE_DONE)
        return snapshot->evaluation.request == explorer->request &&
               snapshot->evaluation.state == ENGINE_FAILED;
    if (explorer->chart.kind == CHART_CURVE && explorer->chart.request &&
        (snapshot->curve.request != explorer->chart.request || !settled(snapshot->curve.state)))
        return false;
    bool detailed = explorer->chart.kind >= CHART_DISTANCES && explorer->chart.detail_request;
    if (detailed && (snapshot->detail.request != explorer->chart.detail_request ||
                     !settled(snapshot->detail.state)))
        return false;
    if (explorer_pin_pending(explorer))
        return false;
    return !panes_wait(explorer);
}

bool script_waits(struct explorer *explorer)
{
    struct script *script = explorer->script;
    bool over = script->waiting == WAIT_EXACT ? script_is_exact(explorer)
                                              : settled(explorer->snapshot.sweep.state) &&
                                                    !pane_waits(explorer, CONTEXT_EXPLORE);
    if (over)
        script->waiting = WAIT_NOTHING;
    return !over;
}

void script_wait(struct explorer *explorer, bool sweep)
{
    explorer->script->waiting = sweep ? WAIT_SWEEP : WAIT_EXACT;
}

void script_fail(struct explorer *explorer)
{
    struct script *script = explorer->script;
    const bool headless = script->name && explorer->options.rows > 0;
    if (!script->next && !headless)
        return;
    script->failed = true;
    script->next = NULL;
}

bool script_pending(const struct explorer *explorer)
{
    return explorer->script->next != NULL;
}

bool script_over(const struct explorer *explorer)
{
    return !script_pending(explorer) && !explorer->writing &&
           !strcmp(explorer->snapshot.workload, explorer->workload) &&
           settled(explorer->snapshot.workload_state);
}

void script_run(struct explorer *explorer)
{
    struct script *script = explorer->script;
    while (script->next && !explorer->quit &&
           (script->waiting == WAIT_NOTHING || !script_waits(explorer))) {
        char line[LINE_MAX_BYTES];
        size_t length = strcspn(script->next, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(length < LINE_MAX_BYTES ? length : 0),
                 script->next);
        script->line++;
        script->next += length;
        if (*script->next)
            script->next++;
        if (!*script->next)
            script->next = NULL;
        const char *command = line + strspn(line, " \t:");
        if (!*command || *command == '#')
            continue;
        /* Clear the message as a key does, but keep it for commands that look at the screen. */
        if (strncmp(command, "save-screen", 11) && strncmp(command, "wait", 4))
            explorer->messages.shown = false;
        if (!explorer_execute(explorer, command)) {
            script->failed = true;
            script->next = NULL;
        }
    }
}
