/* Actions around sweeps and their stores (actions.h). */
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "config/study_file.h"
#include "explore/space/budget.h"
#include "ui/actions/actions.h"
#include "ui/jobs/census_job.h"
#include "ui/panes/pane.h"
#include "ui/panes/prompt.h"
#include "ui/terminal/user_files.h"

/* The same study always gets the same store. A stopped sweep is then resumed, and results of
 * different studies never mix. */
static bool store_path(const struct study *study, char path[4096])
{
    char *yaml;
    if (study_to_yaml(study, &yaml))
        return false;
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *at = yaml; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
    free(yaml);
    char name[128];
    snprintf(name, sizeof name, "sweeps/%.60s-%08llx.sqlite", study->name,
             (unsigned long long)(hash >> 32));
    return state_file(name, path, 4096);
}

/* Says how many points the sweep has: those of the grid that the rules leave. */
static void say_sweep(struct explorer *explorer)
{
    const struct space *space = &explorer->sweep.space;
    const struct census_result *census = explorer_census(explorer);
    const bool counted = census && census->points == space->points;
    char points[COUNT_TEXT];
    counted_print(counted ? census->census.legal * (space->points / space->machines)
                          : space->points,
                  "point", points);
    say(explorer, "sweeping %s%s; tuning goes on meanwhile",
        counted ? "" : "what the rules leave of ", points);
}

/* Takes over the study. */
static void take_study(struct sweep_state *sweep, const struct study *study)
{
    if (sweep->has_study)
        study_free(&sweep->study);
    sweep->study = *study;
    sweep->has_study = true;
    sweep->reported = false;
}

/* Runs the study of the sweep into its store, and shows it. */
static bool run_sweep(struct explorer *explorer)
{
    struct sweep_state *sweep = &explorer->sweep;
    struct shown_points *shown = &explorer->shown;
    const struct objective *first = &sweep->study.objectives[0];
    enum status status = engine_start_sweep(explorer->engine, &sweep->study, sweep->store);
    if (status)
        return refuse(explorer, "the sweep did not start: %s", status_text(status));
    /* From here on show and wait for this sweep, not for the end of the previous one. */
    engine_snapshot(explorer->engine, &explorer->snapshot);
    sweep->axes_revision = explorer->session->axes_revision;
    shown_points_open(shown, sweep->store);
    if (sweep->study.objective_count)
        snprintf(shown->wanted.sort, sizeof shown->wanted.sort, "%s%s",
                 first->direction == HIGHER_IS_BETTER ? "-" : "", first->metric->path);
    pane_ask(explorer, CONTEXT_EXPLORE, NULL);
    remember(explorer, RECENT_STORE, sweep->store);
    return true;
}

static bool start_sweep(struct explorer *explorer)
{
    struct sweep_state *sweep = &explorer->sweep;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct study study;
    char text[SESSION_TEXT];
    if (session_study(explorer->session, explorer->workload, &study, text))
        return refuse(explorer, "%s", text);
    take_study(sweep, &study);
    enum status status = budgets_solve(&sweep->study, &diagnostics);
    if (!status)
        status = space_open(&sweep->study, &sweep->space, &diagnostics);
    if (!finish(explorer, status, &diagnostics))
        return false;
    if (!store_path(&sweep->study, sweep->store))
        return refuse(explorer, "no place for the store: %s", sweep->store);
    if (!run_sweep(explorer))
        return false;
    say_sweep(explorer);
    return true;
}

/* Goes on with the study that made the store on the screen. */
static bool continue_store(struct explorer *explorer, const struct points *points)
{
    struct sweep_state *sweep = &explorer->sweep;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct study study;
    enum status status = study_copy(points->study, &study);
    if (!status) {
        take_study(sweep, &study);
        status = space_open(&sweep->study, &sweep->space, &diagnostics);
    }
    if (!finish(explorer, status, &diagnostics))
        return false;
    snprintf(sweep->store, sizeof sweep->store, "%s", points->query.store);
    return run_sweep(explorer);
}

/* With the sweep that was stopped last, whatever was edited since. */
static bool resume_sweep(struct explorer *explorer)
{
    explorer->sweep.reported = false;
    return run_sweep(explorer);
}

/* What S starts where nothing runs: what is shown as stopped goes on. */
static bool go_on(struct explorer *explorer)
{
    const struct points *unfinished =
        explorer->view == VIEW_EXPLORE ? points_unfinished(explorer) : NULL;
    if (!unfinished && !sweep_resumes(explorer))
        return start_sweep(explorer);
    if (unfinished ? !continue_store(explorer, unfinished) : !resume_sweep(explorer))
        return false;
    say(explorer, "the sweep goes on where it stopped; tuning goes on meanwhile");
    return true;
}

bool action_search(struct explorer *explorer, const char *arguments)
{
    char text[SESSION_TEXT];
    if (*arguments) {
        enum status status = session_search(explorer->session, arguments, text);
        if (status)
            return refuse(explorer, "%s", text);
        say(explorer, "search %s", text);
        return true;
    }
    enum status status = STATUS_OK;
    prompt_close(explorer);
    for (size_t i = 0; !status && i < SEARCH_COUNT; i++)
        status = picker_add(&explorer->prompt, search_table[i].name, search_table[i].help);
    picker_open(explorer, "search", "search",
                search_table[explorer->session->study.search.method].name);
    return status ? refuse(explorer, "%s", status_text(status)) : true;
}

/* Opens a study and sweeps it. */
static bool open_sweep(struct explorer *explorer, const char *name)
{
    static const char *const words[] = {"start", "stop"};
    const char *near = nearest_name(name, words, sizeof words / sizeof *words);
    char hint[SUGGESTION_TEXT];
    if (near)
        return refuse(explorer, "expected start, stop or a study, got '%s'%s", name,
                      suggestion(near, hint));
    if (has_edits(explorer) || !action_study_now(explorer, name) || !start_sweep(explorer))
        return false;
    explorer->view = VIEW_WORKSPACE;
    explorer->focus = PANE_SWEEP;
    return true;
}

bool action_sweep(struct explorer *explorer, const char *arguments)
{
    bool running = explorer->snapshot.sweep.state == ENGINE_RUNNING;
    if (!strcmp(arguments, "stop") || (!*arguments && running)) {
        if (!running)
            return refuse(explorer, "no sweep is running");
        engine_stop_sweep(explorer->engine);
        say(explorer, "the sweep stops; what is done is kept, S goes on with it");
        return true;
    }
    if (running)
        return refuse(explorer, "a sweep is running already; sweep stop ends it");
    if (*arguments && strcmp(arguments, "start"))
        return open_sweep(explorer, arguments);
    return *arguments ? start_sweep(explorer) : go_on(explorer);
}

static bool choose_store(struct explorer *explorer)
{
    prompt_close(explorer);
    enum status status = picker_add_recent(&explorer->prompt, RECENT_STORE);
    if (status)
        return refuse(explorer, "%s", status_text(status));
    if (!explorer->prompt.item_count)
        return refuse(explorer, "expected the path of a store");
    picker_open(explorer, "store (or type a path)", "store", "");
    return true;
}

bool action_store(struct explorer *explorer, const char *arguments)
{
    struct shown_points *shown = &explorer->shown;
    if (!*arguments)
        return choose_store(explorer);
    if (strlen(arguments) >= sizeof shown->wanted.store)
        return refuse(explorer, "the path of a store has at most %zu bytes",
                      sizeof shown->wanted.store - 1);
    shown_points_open(shown, arguments);
    shown_points_read(explorer);
    explorer->view = VIEW_EXPLORE;
    remember(explorer, RECENT_STORE, arguments);
    return true;
}
