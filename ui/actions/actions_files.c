/* Actions that reach outside the explorer (actions.h): files, workloads, sweeps, the clipboard. */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/data_files.h"
#include "base/embedded.h"
#include "base/output_file.h"
#include "base/printable.h"
#include "base/text_ends.h"
#include "base/text_stream.h"
#include "config/gpgpusim.h"
#include "config/machine_file.h"
#include "config/study_file.h"
#include "explore/space/budget.h"
#include "ui/actions/actions.h"
#include "ui/jobs/report_job.h"
#include "ui/panes/pane.h"
#include "ui/panes/prompt.h"
#include "ui/session/file_kind.h"
#include "ui/terminal/curses_screen.h"
#include "ui/terminal/user_files.h"
#include "workload/workload.h"

/* ---- files ---- */

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
        return status == STATUS_CONFLICT && !*arguments
                   ? refuse(explorer,
                            "%s was changed outside: first `merge mine` or `merge theirs`",
                            session->name)
                   : false;
    if (!strcmp(session->pins[0].name, PIN_FILE) &&
        !machine_same(&session->pins[0].machine, &session->machine, ~0u))
        snprintf(session->pins[0].name, sizeof session->pins[0].name, "as opened");
    say(explorer, "saved %s", session->path);
    return true;
}

/* Writes the text, which it frees. What the file does not hold comes after the news that it was
 * written. */
static bool finish_export(struct explorer *explorer, const char *file, bool over,
                          enum status status, char *text, struct diagnostics *diagnostics)
{
    if (status)
        return finish(explorer, status, diagnostics);
    bool done = write_file(explorer, file, text, over ? WRITE_OVER : WRITE_EXPORT);
    if (done)
        finish(explorer, status, diagnostics);
    diagnostics_free(diagnostics);
    free(text);
    return done;
}

/* "--best [METRIC] FILE": the best point of the store on the screen, within its filter. */
static bool export_best(struct explorer *explorer, const char *arguments, bool over)
{
    const struct points_query *shown = &explorer->shown.wanted;
    char metric[80] = "";
    const char *file = arguments;
    const size_t word = strcspn(arguments, " ");
    if (arguments[word] && word < sizeof metric) {
        snprintf(metric, sizeof metric, "%.*s", (int)word, arguments);
        if (metric_find(metric))
            file = arguments + word + strspn(arguments + word, " ");
        else
            metric[0] = '\0';
    }
    if (!*file)
        return refuse(explorer, "expected export --best [METRIC] FILE");
    if (!shown->store[0])
        return refuse(explorer, "no points yet: mark axes with a, sweep with S");
    struct report_result *best = best_result_new(shown, metric, file);
    if (best)
        best->over = over;
    return write_later(explorer, best);
}

/* What is exported and what it scores, as the first comment; malloc'ed. */
static enum status print_export_title(const struct explorer *explorer, char **title)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return STATUS_MEMORY;
    fputs(explorer->session->name, out);
    if (explorer_has_metrics(explorer)) {
        fprintf(out, "\non %s at depth %s%s:", explorer->workload, depth_name(explorer->last.depth),
                explorer->last.state == ENGINE_ESTIMATE ? ", estimated" : "");
        for (size_t i = 0; i < METRIC_COUNT; i++) {
            const double value = metric_get(&metric_table[i], &explorer->last.metrics);
            char text[QUANTITY_TEXT];
            if (live_pane_is_top(explorer, &metric_table[i]) && !isnan(value) &&
                !(metric_table[i].traits & METRIC_COMPARED))
                fprintf(out, "\n  %s = %s", metric_table[i].path,
                        quantity_print_real(value, metric_table[i].unit, text));
        }
    }
    return text_stream_finish(&stream, STATUS_OK, title);
}

/* The machine as gpgpusim.config after the comment; malloc'ed. */
static enum status print_gpgpusim(const struct machine *machine, const char *title, char **text,
                                  struct diagnostics *diagnostics)
{
    struct text_stream stream;
    char *bare = NULL;
    enum status status = gpgpusim_write(machine, &bare, diagnostics);
    FILE *out = status ? NULL : text_stream_open(&stream);
    if (out) {
        printable_comment(title, out);
        fputs(bare, out);
        status = text_stream_finish(&stream, status, text);
    } else if (!status) {
        status = STATUS_MEMORY;
    }
    free(bare);
    return status;
}

static bool export_machine(struct explorer *explorer, const char *arguments, bool over)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    static const char best[] = "--best";
    char *text = NULL, *title = NULL;
    if (!strncmp(arguments, best, sizeof best - 1) &&
        strchr(" ", arguments[sizeof best - 1]) != NULL)
        return export_best(
            explorer, arguments + sizeof best - 1 + strspn(arguments + sizeof best - 1, " "), over);
    if (!*arguments) {
        prompt_line(explorer, "export to (.yaml or .config): ", over ? "export!" : "export",
                    "gpgpusim.config", NULL);
        line_select(&explorer->prompt.line);
        return true;
    }
    enum status status = print_export_title(explorer, &title);
    if (!status)
        status = text_ends(arguments, ".config")
                     ? print_gpgpusim(&explorer->session->machine, title, &text, &diagnostics)
                     : session_to_yaml(explorer->session, title, &text);
    free(title);
    return finish_export(explorer, arguments, over, status, text, &diagnostics);
}

bool action_export(struct explorer *explorer, const char *arguments)
{
    return export_machine(explorer, arguments, false);
}

bool action_export_now(struct explorer *explorer, const char *arguments)
{
    return export_machine(explorer, arguments, true);
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
    bool done = status ? refuse(explorer, "%s", status_text(status))
                       : write_file(explorer, arguments, yaml, WRITE_NEW);
    free(yaml);
    return done;
}

static bool choose_machine(struct explorer *explorer)
{
    prompt_close(explorer);
    enum status status = picker_add_recent(&explorer->prompt, RECENT_MACHINE);
    for (const struct embedded_file *file = embedded_machines; !status && file->name; file++) {
        char help[EMBEDDED_COMMENT];
        status = picker_add(&explorer->prompt, file->name, embedded_comment(file, help));
    }
    picker_open(explorer, "machine (or type a path)", "machine", explorer->session->name);
    return status ? refuse(explorer, "%s", status_text(status)) : true;
}

static size_t count_warnings(const struct diagnostics *diagnostics)
{
    size_t count = 0;
    for (size_t i = 0; i < diagnostics->count; i++)
        count += diagnostics->items[i].severity == SEVERITY_WARNING;
    return count;
}

/* Says what came with the machine and what went with the one before. */
static void say_opened(struct explorer *explorer, const char *workload, size_t dropped,
                       size_t warnings)
{
    char axes[COUNT_TEXT], lost[COUNT_TEXT + 40] = "", warned[COUNT_TEXT + 60] = "";
    if (dropped)
        snprintf(lost, sizeof lost, "; dropped %s of the machine before",
                 counted_print(dropped, "axis", axes));
    if (warnings)
        snprintf(warned, sizeof warned, " with warnings (%zu): 'warpscape check' prints them",
                 warnings);
    say(explorer, "opened %s%s%s%s%s", explorer->session->name, workload ? " with " : "",
        workload ? workload : "", lost, warned);
}

void show_exploration(struct explorer *explorer)
{
    const struct exploration *exploration = &explorer->session->exploration;
    if (exploration->metric_count)
        chart_pane_choose(explorer, exploration->metrics[0]);
    explorer->chart.kind = exploration->chart;
    if (exploration->selected)
        machine_pane_select(explorer, exploration->selected);
    if (exploration->hint[0])
        say(explorer, "%s", exploration->hint);
}

/* Whether the workload and the depth on the screen are those that came with the machine: nobody
 * chose them, and another machine may bring its own. */
static bool is_as_opened(const struct explorer *explorer)
{
    const struct session *session = explorer->session;
    return !session->axis_count && !session->study.path &&
           session->study.depth == session->exploration.depth &&
           !strcmp(explorer->workload, session->exploration.workload);
}

void open_session(struct explorer *explorer, struct session *session, size_t warnings)
{
    struct session *old = explorer->session;
    const bool same_kind = old->machine.kind == session->machine.kind;
    const bool follows = !same_kind || is_as_opened(explorer);
    const size_t dropped = session_carry_on(old, session);
    session_free(old);
    explorer->session = session;
    explorer->chart.request = 0;
    remember(explorer, RECENT_MACHINE, session->path);
    if (!same_kind) {
        session->pin_count = 0;
        session_pin_file(session);
    }
    if (follows) {
        session->study.depth = session->exploration.depth;
        engine_set_depth(explorer->engine, session->study.depth);
        workload_choose(explorer, session->exploration.workload);
    }
    say_opened(explorer, follows ? explorer->workload : NULL, dropped, warnings);
    if (follows)
        show_exploration(explorer);
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
    open_session(explorer, session, warnings);
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
    /* A file of another kind cannot be meant as a machine. */
    static const char *const others[] = {[FILE_STUDY] = "study",
                                         [FILE_STORE] = "store",
                                         [FILE_PAPER] = "paper",
                                         [FILE_PROFILE] = "profile"};
    const enum file_kind kind = file_kind(arguments);
    if (kind < sizeof others / sizeof *others && others[kind]) {
        char line[LINE_MAX_BYTES + 16];
        snprintf(line, sizeof line, "%s %s", others[kind], arguments);
        return explorer_execute(explorer, line);
    }
    return *arguments ? open_safely(explorer, "machine!", arguments) : choose_machine(explorer);
}

/* ---- a study ---- */

static bool choose_study(struct explorer *explorer)
{
    struct data_names names = {0};
    prompt_close(explorer);
    enum status status = picker_add_recent(&explorer->prompt, RECENT_STUDY);
    if (!status)
        status = data_names_list(DATA_STUDIES, embedded_studies, &names);
    for (size_t i = 0; !status && i < names.count; i++) {
        const struct embedded_file *file = embedded_find(embedded_studies, names.items[i]);
        char help[EMBEDDED_COMMENT] = "";
        status = picker_add(&explorer->prompt, names.items[i],
                            file ? embedded_comment(file, help) : help);
    }
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
    if (session->axis_count)
        machine_pane_select(explorer, session->axes[0].parameter);
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
    snprintf(explorer->workload, sizeof explorer->workload, "%s", workload);
    engine_set_assumed(explorer->engine, explorer->session->study.assumed);
    engine_set_workload(explorer->engine, explorer->workload);
    session_pins_forget_values(explorer->session);
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
    for (char *rest = names, *name; (name = strsep(&rest, " ")) != NULL;)
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
    enum depth *depth = &explorer->session->study.depth, wanted = (*depth + 1) % DEPTH_COUNT;
    char names[DEPTH_NAMES];
    if (*arguments && !depth_find(arguments, &wanted))
        return refuse(explorer, "expected %s, got '%s'", depth_names(names), arguments);
    if (wanted == *depth)
        return true;
    *depth = wanted;
    engine_set_depth(explorer->engine, wanted);
    session_pins_forget_values(explorer->session);
    explorer->last = (struct engine_evaluation){0};
    explorer->chart.shown.count = 0;
    explorer->chart.request = explorer->chart.detail_request = 0;
    explorer->session->revision++;
    say(explorer, "depth %s: %s", depth_name(wanted), depth_table[wanted].help);
    return true;
}

/* ---- profiles ---- */

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
    status = measured_marks_pair(marks, explorer->workload, launches, count,
                                 explorer->session->machine.coalescer.arch, text, &diagnostics);
    free(launches);
    if (!status)
        say(explorer, "%s", text);
    return finish(explorer, status, &diagnostics); /* a warning is what the screen shows */
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

bool action_wait(struct explorer *explorer, const char *arguments)
{
    if (*arguments && strcmp(arguments, "sweep"))
        return refuse(explorer, "expected nothing or sweep, got '%s'", arguments);
    script_wait(explorer, *arguments != '\0');
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
