/* Actions that reach outside the explorer (actions.h): files, workloads, sweeps, the clipboard, the
 * screen as text. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/data_files.h"
#include "base/embedded.h"
#include "base/output_file.h"
#include "config/gpgpusim.h"
#include "config/machine_file.h"
#include "config/study_file.h"
#include "explore/space/budget.h"
#include "ui/actions.h"
#include "ui/pane.h"
#include "ui/prompt.h"
#include "ui/screen.h"
#include "ui/script.h"
#include "ui/state_folder.h"
#include "workload/workload.h"

/* ---- files ---- */

void remember(struct explorer *explorer, enum recent_kind kind, const char *path)
{
    if (path && explorer_is_attended(explorer))
        recent_add(kind, path);
}

bool action_save(struct explorer *explorer, const char *arguments)
{
    struct session *session = explorer->session;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    if (!*arguments && !session->path) {
        char name[256];
        snprintf(name, sizeof name, "%.200s%s", session->name,
                 strstr(session->name, ".yaml") ? "" : ".yaml");
        prompt_line(explorer, "save as: ", "save", name, NULL);
        line_select(&explorer->prompt.line);
        return true;
    }
    enum status status = session_save(session, *arguments ? arguments : NULL, &diagnostics);
    if (!finish(explorer, status, &diagnostics))
        return false;
    if (!strcmp(session->pin.name, PIN_FILE) &&
        !machine_same(&session->pin.machine, &session->machine, ~0u))
        snprintf(session->pin.name, sizeof session->pin.name, "as opened");
    say(explorer, "saved %s", session->path);
    return true;
}

/* finish() for a new file. */
static bool finish_new(struct explorer *explorer, const char *path, enum status status,
                       struct diagnostics *diagnostics)
{
    if (status != STATUS_CONFLICT)
        return finish(explorer, status, diagnostics);
    diagnostics_free(diagnostics);
    return refuse(explorer, "%s is there already: choose another name", path);
}

bool write_new(struct explorer *explorer, const char *path, const char *text)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    if (!finish_new(explorer, path,
                    output_file_write(path, text, strlen(text), OUTPUT_NEW | OUTPUT_FILES_ONLY,
                                      &diagnostics),
                    &diagnostics))
        return false;
    say(explorer, "wrote %s (%zu bytes)", path, strlen(text));
    return true;
}

bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && !strcmp(text + length - tail, end);
}

bool action_export(struct explorer *explorer, const char *arguments)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    const struct machine *machine = &explorer->session->machine;
    char *text = NULL;
    if (!*arguments) {
        prompt_line(explorer, "export to (.yaml or .config): ", "export", "gpgpusim.config", NULL);
        line_select(&explorer->prompt.line);
        return true;
    }
    enum status status = ends_with(arguments, ".config")
                             ? gpgpusim_write(machine, &text, &diagnostics)
                             : machine_to_yaml(machine, explorer->session->name, &text);
    if (status)
        return finish(explorer, status, &diagnostics);
    /* What the file does not hold comes after the news that it was written. */
    bool done = write_new(explorer, arguments, text);
    if (done)
        finish(explorer, status, &diagnostics);
    diagnostics_free(&diagnostics);
    free(text);
    return done;
}

bool action_save_study(struct explorer *explorer, const char *arguments)
{
    struct study study;
    char text[SESSION_TEXT], *yaml = NULL;
    if (!*arguments)
        return refuse(explorer, "expected a file name");
    if (session_study(explorer->session, explorer->workload, &study, text))
        return refuse(explorer, "%s", text);
    enum status status = study_to_yaml(&study, &yaml);
    study_free(&study);
    bool done =
        status ? refuse(explorer, "%s", status_text(status)) : write_new(explorer, arguments, yaml);
    free(yaml);
    return done;
}

static bool choose_machine(struct explorer *explorer)
{
    prompt_close(explorer);
    enum status status = picker_add_recent(&explorer->prompt, RECENT_MACHINE);
    for (const struct embedded_file *file = embedded_machines; !status && file->name; file++) {
        const char *comment =
            file->text[0] == '#' ? file->text + 1 + strspn(file->text + 1, " ") : "";
        char help[160];
        snprintf(help, sizeof help, "%.*s", (int)strcspn(comment, "\n"), comment);
        status = picker_add(&explorer->prompt, file->name, help);
    }
    picker_open(explorer, "machine (or type a path)", "open", explorer->session->name);
    return status ? refuse(explorer, "%s", status_text(status)) : true;
}

static size_t count_warnings(const struct diagnostics *diagnostics)
{
    size_t count = 0;
    for (size_t i = 0; i < diagnostics->count; i++)
        count += diagnostics->items[i].severity == SEVERITY_WARNING;
    return count;
}

bool action_open_now(struct explorer *explorer, const char *arguments)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct session *session;
    if (!*arguments)
        return refuse(explorer, "expected a machine");
    enum status status = session_create(arguments, &session, &diagnostics);
    const size_t warnings = count_warnings(&diagnostics);
    if (!finish(explorer, status, &diagnostics))
        return false;
    /* Keep axes, objectives and the pin: they belong to the question, not to the file. */
    struct session *old = explorer->session;
    session->axes = old->axes;
    session->axis_count = old->axis_count;
    session->axis_capacity = old->axis_capacity;
    session->axes_revision = old->axes_revision;
    session->study = old->study;
    session->pin = old->pin;
    if (!strcmp(session->pin.name, PIN_FILE)) /* the pin was the file that is closed now */
        snprintf(session->pin.name, sizeof session->pin.name, "%s", old->name);
    session->revision = old->revision + 1;
    old->axes = NULL;
    old->axis_count = 0;
    old->study = (struct study){0};
    session_free(old);
    explorer->session = session;
    explorer->chart.request = 0;
    remember(explorer, RECENT_MACHINE, session->path);
    if (warnings)
        say(explorer, "opened %s with warnings (%zu): 'warpscape check' prints them", session->name,
            warnings);
    else
        say(explorer, "opened %s", session->name);
    return true;
}

/* `command` drops unsaved edits; where there are none, it runs at once. */
static bool open_safely(struct explorer *explorer, const char *command, const char *arguments)
{
    char line[LINE_MAX_BYTES + 16];
    snprintf(line, sizeof line, "%s %s", command, arguments);
    if (!session_dirty(explorer->session))
        return explorer_execute(explorer, line);
    if (script_pending(explorer) || explorer->options.plain) /* nobody to ask */
        return refuse(explorer, "%s has unsaved edits: save or undo them, or %s drops them",
                      explorer->session->name, command);
    prompt_unsaved(explorer, line);
    return true;
}

bool action_open(struct explorer *explorer, const char *arguments)
{
    return *arguments ? open_safely(explorer, "open!", arguments) : choose_machine(explorer);
}

/* ---- a study ---- */

static bool choose_study(struct explorer *explorer)
{
    struct data_names names = {0};
    prompt_close(explorer);
    enum status status = picker_add_recent(&explorer->prompt, RECENT_STUDY);
    if (!status)
        status = data_names_list(DATA_STUDIES, embedded_studies, &names);
    for (size_t i = 0; !status && i < names.count; i++)
        status = picker_add(&explorer->prompt, names.items[i], "");
    data_names_free(&names);
    picker_open(explorer, "study (or type a path)", "study", "");
    return status ? refuse(explorer, "%s", status_text(status)) : true;
}

bool action_study_now(struct explorer *explorer, const char *arguments)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct session *session, *old = explorer->session;
    if (!*arguments)
        return refuse(explorer, "expected a study");
    enum status status = session_create_study(arguments, NULL, &session, &diagnostics);
    if (!finish(explorer, status, &diagnostics))
        return false;
    session->revision = old->revision + 1;
    session->axes_revision = old->axes_revision + 1;
    session_free(old);
    explorer->session = session;
    session_pin_file(session);
    engine_set_depth(explorer->engine, session->study.depth);
    workload_choose(explorer,
                    session->study.workload_count ? session->study.workloads[0] : explorer->opened);
    remember(explorer, RECENT_STUDY, session->study.path);
    say(explorer, "opened the study %s", session->study.name);
    return true;
}

bool action_study(struct explorer *explorer, const char *arguments)
{
    return *arguments ? open_safely(explorer, "study!", arguments) : choose_study(explorer);
}

/* ---- the workload ---- */

void workload_choose(struct explorer *explorer, const char *workload)
{
    struct pin *pin = &explorer->session->pin;
    snprintf(explorer->workload, sizeof explorer->workload, "%s", workload);
    engine_set_assumed(explorer->engine, explorer->session->study.assumed);
    engine_set_workload(explorer->engine, explorer->workload);
    /* The pinned machine is evaluated again once the machine on the screen is exact. */
    snprintf(pin->workload, sizeof pin->workload, "%s", workload);
    pin->values = PIN_EMPTY;
    explorer->last = (struct engine_evaluation){0};
    explorer->chart.shown.count = 0;
    explorer->session->revision++;
    explorer->chart.request = explorer->chart.detail_request = 0;
}

bool action_workload(struct explorer *explorer, const char *arguments)
{
    struct workload_entry *entries;
    size_t count;
    if (*arguments) {
        if (strlen(arguments) >= sizeof explorer->workload)
            return refuse(explorer, "a workload's name has at most %zu bytes",
                          sizeof explorer->workload - 1);
        workload_choose(explorer, arguments);
        return true;
    }
    enum status status = workload_list(&entries, &count);
    if (status)
        return refuse(explorer, "%s", status_text(status));
    prompt_close(explorer);
    status = picker_add_recent(&explorer->prompt, RECENT_WORKLOAD);
    for (size_t i = 0; !status && i < count; i++) {
        char help[256];
        snprintf(help, sizeof help, "%.80s  (%.60s)", entries[i].help, entries[i].origin);
        status = picker_add(&explorer->prompt, entries[i].name, help);
    }
    workload_list_free(entries, count);
    picker_open(explorer, "workload", "workload", explorer->workload);
    return status ? refuse(explorer, "%s", status_text(status)) : true;
}

/* Says "GEMM, ATAX and the workload on the screen". */
static void say_workloads(struct explorer *explorer)
{
    const struct study *study = &explorer->session->study;
    char list[MESSAGE_TEXT] = "";
    size_t used = 0;
    if (session_workload_count(explorer->session, explorer->workload) < 2) {
        say(explorer, "a sweep runs over %s alone; workloads NAME... names more",
            explorer->workload);
        return;
    }
    for (size_t i = 0; i < study->workload_count && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                 study->workloads[i]);
    say(explorer, "a sweep runs over %zu workloads: %s", study->workload_count, list);
}

bool action_workloads(struct explorer *explorer, const char *arguments)
{
    char text[SESSION_TEXT], names[LINE_MAX_BYTES + sizeof explorer->workload + 1];
    const bool off = !strcmp(arguments, "off");
    bool named = false;
    /* The workload on the screen is always one of them. */
    snprintf(names, sizeof names, "%s", arguments);
    for (char *rest = names, *name; (name = strsep(&rest, " ,")) != NULL;)
        named = named || !strcmp(name, explorer->workload);
    snprintf(names, sizeof names, "%s%s%s", off || named ? "" : explorer->workload,
             off || named ? "" : " ", arguments);
    if (*arguments && session_workloads(explorer->session, names, text))
        return refuse(explorer, "%s", text);
    say_workloads(explorer);
    return true;
}

/* ---- the assumption and the depth ---- */

bool action_assume(struct explorer *explorer, const char *arguments)
{
    enum assumed_dependences *assumed = &explorer->session->study.assumed, wanted = *assumed;
    const char *near;
    char hint[SUGGESTION_TEXT];
    if (*arguments && !assumed_find(arguments, &wanted, &near))
        return refuse(explorer, "expected serial, independent or none, got '%s'%s", arguments,
                      suggestion(near, hint));
    if (wanted != *assumed) {
        char workload[sizeof explorer->workload];
        memcpy(workload, explorer->workload, sizeof workload);
        *assumed = wanted;
        explorer->session->revision++;
        workload_choose(explorer, workload);
    }
    say(explorer, "assume %s: %s", assumed_table[wanted].name, assumed_table[wanted].help);
    return true;
}

bool action_depth(struct explorer *explorer, const char *arguments)
{
    struct pin *pin = &explorer->session->pin;
    enum depth *depth = &explorer->session->study.depth, wanted = (*depth + 1) % DEPTH_COUNT;
    char names[DEPTH_NAMES];
    if (*arguments && !depth_find(arguments, &wanted))
        return refuse(explorer, "expected %s, got '%s'", depth_names(names), arguments);
    if (wanted == *depth)
        return true;
    *depth = wanted;
    engine_set_depth(explorer->engine, wanted);
    pin->values = PIN_EMPTY; /* its values are of the other depth */
    explorer->last = (struct engine_evaluation){0};
    explorer->chart.shown.count = 0;
    explorer->chart.request = explorer->chart.detail_request = 0;
    explorer->session->revision++;
    say(explorer, "depth %s: %s", depth_name(wanted), depth_table[wanted].help);
    return true;
}

/* ---- the sweep ---- */

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
    counted_print(counted ? census->census.legal * (space->points / space->machines) : space->points,
                  "point", points);
    say(explorer, "sweeping %s%s; tuning goes on meanwhile",
        counted ? "" : "what the rules leave of ", points);
}

static bool start_sweep(struct explorer *explorer)
{
    struct sweep_state *sweep = &explorer->sweep;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct study study;
    char text[SESSION_TEXT];
    if (session_study(explorer->session, explorer->workload, &study, text))
        return refuse(explorer, "%s", text);
    if (sweep->has_study)
        study_free(&sweep->study);
    sweep->study = study;
    sweep->has_study = true;
    sweep->reported = false;
    enum status status = budgets_solve(&sweep->study, &diagnostics);
    if (!status)
        status = space_open(&sweep->study, &sweep->space, &diagnostics);
    if (!finish(explorer, status, &diagnostics))
        return false;
    if (!store_path(&sweep->study, sweep->store))
        return refuse(explorer, "no place for the store: %s", sweep->store);
    status = engine_start_sweep(explorer->engine, &sweep->study, sweep->store);
    if (status)
        return refuse(explorer, "the sweep did not start: %s", status_text(status));
    /* From here on show and wait for this sweep, not for the end of the previous one. */
    engine_snapshot(explorer->engine, &explorer->snapshot);
    struct explore_view *view = &explorer->explore;
    const struct objective *first = &sweep->study.objectives[0];
    explore_view_open(view, sweep->store);
    if (sweep->study.objective_count)
        snprintf(view->wanted.sort, sizeof view->wanted.sort, "%s%s",
                 first->direction == HIGHER_IS_BETTER ? "-" : "", first->metric->path);
    explore_view_free(view);
    remember(explorer, RECENT_STORE, sweep->store);
    say_sweep(explorer);
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
    if (*arguments && strcmp(arguments, "start"))
        return refuse(explorer, "expected start or stop, got '%s'", arguments);
    if (running)
        return refuse(explorer, "a sweep is running already; sweep stop ends it");
    return start_sweep(explorer);
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
    struct explore_view *view = &explorer->explore;
    if (!*arguments)
        return choose_store(explorer);
    if (strlen(arguments) >= sizeof view->wanted.store)
        return refuse(explorer, "the path of a store has at most %zu bytes",
                      sizeof view->wanted.store - 1);
    explore_view_open(view, arguments);
    explore_view_read(explorer);
    explorer->view = VIEW_EXPLORE;
    remember(explorer, RECENT_STORE, arguments);
    return true;
}

bool pair_launches(struct explorer *explorer)
{
    struct measured_marks *marks = &explorer->measured;
    const struct engine_snapshot *snapshot = &explorer->snapshot;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct trace_launch *launches;
    uint32_t count;
    char text[MARKS_TEXT];
    if (!measured_marks_stale(marks, explorer->workload) ||
        snapshot->workload_state != ENGINE_DONE || strcmp(snapshot->workload, explorer->workload))
        return true;
    enum status status = engine_launches(explorer->engine, &launches, &count);
    if (status)
        return status == STATUS_NOT_FOUND || finish(explorer, status, &diagnostics);
    status =
        measured_marks_pair(marks, explorer->workload, launches, count,
                            explorer->session->study.machine.coalescer.arch, text, &diagnostics);
    free(launches);
    if (!finish(explorer, status, &diagnostics))
        return false;
    say(explorer, "%s", text);
    return true;
}

bool action_profile(struct explorer *explorer, const char *arguments)
{
    struct measured_marks *marks = &explorer->measured;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    if (!strcmp(arguments, "off") || (!*arguments && *marks->name)) {
        measured_marks_free(marks);
        return true;
    }
    if (!*arguments) {
        prompt_line(explorer, "profile of ncu or nvprof: ", "profile", "", NULL);
        return true;
    }
    return finish(explorer, measured_marks_load(marks, arguments, &diagnostics), &diagnostics) &&
           pair_launches(explorer);
}

bool action_launches(struct explorer *explorer, const char *arguments)
{
    struct measured_marks *marks = &explorer->measured;
    enum pairing_way wanted = (marks->way + 1) % PAIRING_WAYS;
    if (!*marks->name)
        return refuse(explorer, "there is no profile; :profile FILE reads one");
    if (*arguments)
        for (wanted = 0; wanted < PAIRING_WAYS && strcmp(pairing_names[wanted], arguments);)
            wanted++;
    if (wanted == PAIRING_WAYS)
        return refuse(explorer, "expected best, match, mean or all, got '%s'", arguments);
    marks->way = wanted;
    return pair_launches(explorer);
}

/* ---- clipboard, screen, scripts ---- */

bool action_copy(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    const struct parameter *parameter = explorer_parameter(explorer);
    char value[VALUE_TEXT], text[VALUE_TEXT + 80];
    if (!parameter)
        return refuse(explorer, "select a parameter to copy");
    if (explorer->options.plain)
        return refuse(explorer, "there is no terminal to copy to");
    parameter_print(parameter, parameter_get(parameter, &explorer->session->machine), value);
    snprintf(text, sizeof text, "%s=%s", parameter->path, value);
    screen_copy(text);
    say(explorer, "copied %s (OSC 52: the terminal must allow it)", text);
    return true;
}

bool action_save_screen(struct explorer *explorer, const char *arguments)
{
    if (!*arguments)
        return refuse(explorer, "expected a file name");
    if (explorer->options.plain)
        return refuse(explorer, "there is no screen to save");
    explorer_settle(explorer);
    if (screen_draw(explorer))
        return refuse(explorer, "%s", status_text(STATUS_MEMORY));
    struct output_file file;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status =
        output_file_open(arguments, OUTPUT_NEW | OUTPUT_FILES_ONLY, &file, &diagnostics);
    if (!status && (status = screen_save(file.stream)))
        output_file_drop(&file);
    else if (!status)
        status = output_file_commit(&file, &diagnostics);
    if (!finish_new(explorer, arguments, status, &diagnostics))
        return false;
    say(explorer, "wrote the screen to %s", arguments);
    return true;
}

bool action_wait(struct explorer *explorer, const char *arguments)
{
    if (*arguments && strcmp(arguments, "sweep"))
        return refuse(explorer, "expected nothing or sweep, got '%s'", arguments);
    explorer->script.waiting = *arguments ? WAIT_SWEEP : WAIT_EXACT;
    return true;
}

bool action_keys(struct explorer *explorer, const char *arguments)
{
    char copy[LINE_MAX_BYTES], *rest = copy;
    snprintf(copy, sizeof copy, "%s", arguments);
    for (char *word; (word = strsep(&rest, " ")) != NULL;) {
        if (!*word)
            continue;
        uint32_t key = key_parse(word);
        if (!key)
            return refuse(explorer, "'%s' is no key", word);
        explorer_key(explorer, key);
    }
    return true;
}
