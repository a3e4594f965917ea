#include "ui/explorer/resume.h"

#include <stdlib.h>
#include <string.h>

#include "base/output_file.h"
#include "ui/actions/actions.h"
#include "ui/explorer/session_file.h"
#include "ui/panes/pane.h"
#include "ui/terminal/user_files.h"

enum { RESUME_PATH = 4096 };

static bool is_worth_keeping(const struct explorer *explorer)
{
    const struct session *session = explorer->session;
    return session_dirty(session) || session->axis_count || session->study.budget_count ||
           explorer->shown.wanted.store[0] || strcmp(session->pins[0].name, PIN_FILE) != 0;
}

void resume_save(const struct explorer *explorer)
{
    struct session_state state = {.session = explorer->session,
                                  .metric = explorer->chart.chosen,
                                  .chart = explorer->chart.kind,
                                  .points = explorer->shown.wanted,
                                  .view = explorer->view};
    char path[RESUME_PATH], *text = NULL, *before = NULL;
    size_t size = 0;
    if (!is_worth_keeping(explorer) || !state_file("session", path, sizeof path))
        return;
    snprintf(state.workload, sizeof state.workload, "%s", explorer->workload);
    if (!session_file_write(&state, &text) &&
        (state_file_read("session", &before, &size, NULL) || strcmp(before, text) != 0))
        /* nobody is to be told of a failure */
        (void)output_file_write(path, text, strlen(text), OUTPUT_REPLACE | OUTPUT_FILES_ONLY, NULL);
    free(before);
    free(text);
}

/* Takes the place of the session on the screen. */
static void resume_take(struct explorer *explorer, struct session_state *state)
{
    struct session *old = explorer->session, *session = state->session;
    session->revision += old->revision + 1;
    session->axes_revision += old->axes_revision + 1;
    session_free(old);
    explorer->session = session;
    engine_set_depth(explorer->engine, session->study.depth);
    if (!state->workload[0])
        memcpy(state->workload, explorer->workload, sizeof state->workload);
    workload_choose(explorer, state->workload);
    if (state->metric)
        chart_pane_choose(explorer, state->metric);
    explorer->chart.kind = state->chart;
    explorer->chart.list = (struct list){0};
    explorer->chart.moved = false;
    if (state->points.store[0]) {
        shown_points_open(&explorer->shown, state->points.store);
        explorer->shown.wanted = state->points;
        shown_points_read(explorer);
        remember(explorer, RECENT_STORE, state->points.store);
    }
    explorer->view = VIEW_WORKSPACE;
    if (state->view != VIEW_WORKSPACE)
        action_view(explorer, view_names[state->view]);
    remember(explorer, RECENT_MACHINE, session->path);
    remember(explorer, RECENT_STUDY, session->study.path);
}

bool action_resume(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct session_state state = {0};
    char path[RESUME_PATH], *text;
    size_t size = 0;
    if (session_dirty(explorer->session))
        return refuse(explorer, "%s has unsaved edits: save or undo them first",
                      explorer->session->name);
    enum status status = state_file_read("session", &text, &size, &diagnostics);
    if (status == STATUS_NOT_FOUND)
        return refuse(explorer, "there is no session to come back to");
    if (!status && state_file("session", path, sizeof path))
        status = session_file_read(text, size, path, &state, &diagnostics);
    free(text);
    if (!finish(explorer, status, &diagnostics) || !state.session)
        return false;
    resume_take(explorer, &state);
    say(explorer, "the last session is back");
    return true;
}
