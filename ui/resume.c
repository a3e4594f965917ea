#include "ui/resume.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output_file.h"
#include "ui/actions.h"
#include "ui/pane.h"
#include "ui/state_folder.h"

enum { RESUME_MAX = 1 << 16, RESUME_PATH = 4096 };

/* Writes "set PATH VALUE ..." for the changes from `from` to `to`; nothing if a line gets too long.
 */
static void write_changes(FILE *out, const struct machine *from, const struct machine *to)
{
    char line[LINE_MAX_BYTES] = "", value[VALUE_TEXT];
    size_t used = 0;
    for (size_t i = 0; i < parameter_count && used < sizeof line; i++) {
        const struct parameter *parameter = &parameters[i];
        const struct value wanted = parameter_get(parameter, to);
        if (!parameter_equal(parameter, wanted, parameter_get(parameter, from)))
            used += (size_t)snprintf(line + used, sizeof line - used, " %s %s", parameter->path,
                                     parameter_print(parameter, wanted, value));
    }
    if (used && used < sizeof line - 8)
        fprintf(out, "set%s\n", line);
}

static void write_axis(FILE *out, const struct axis *axis)
{
    char line[LINE_MAX_BYTES] = "", value[VALUE_TEXT];
    size_t used = 0;
    for (size_t i = 0; i < axis->count && used < sizeof line; i++)
        used += (size_t)snprintf(line + used, sizeof line - used, " %s",
                                 parameter_print(axis->parameter, axis->values[i], value));
    if (used + strlen(axis->parameter->path) < sizeof line - 8)
        fprintf(out, "axis %s%s\n", axis->parameter->path, line);
}

static void write_points(FILE *out, const struct points_query *wanted)
{
    const bool descending = wanted->sort[0] == '-';
    if (!wanted->store[0] || access(wanted->store, R_OK))
        return;
    fprintf(out, "store %s\nview workspace\n", wanted->store);
    if (wanted->sort[0]) /* the second `sort` reverses the order */
        fprintf(out, "sort %s\n", wanted->sort + descending);
    if (descending)
        fprintf(out, "sort %s\n", wanted->sort + 1);
    if (wanted->where[0])
        fprintf(out, "filter %s\n", wanted->where);
    if (wanted->front)
        fprintf(out, "front\n");
    if (wanted->across)
        fprintf(out, "across %s\n", aggregate_names[wanted->across]);
}

/* A file by its whole path, what is built in by its name. */
static void write_opening(FILE *out, const char *command, const char *path, const char *name)
{
    char *whole = path ? realpath(path, NULL) : NULL;
    fprintf(out, "%s %s\n", command, whole ? whole : path ? path : name);
    free(whole);
}

/* What of a study the session does not say again: its conditions and columns. */
static void write_study(FILE *out, const struct study *study)
{
    if (study->path)
        write_opening(out, "study", study->path, NULL);
    if (study->path)
        fprintf(out, "axis off\nequal off\nobjective\n");
}

static void write_session(FILE *out, const struct explorer *explorer)
{
    const struct session *session = explorer->session;
    const struct study *study = &session->study;
    char text[SESSION_TEXT];
    write_study(out, study);
    write_opening(out, study->path ? "open!" : "open", session->path, session->name);
    if (study->assumed != ASSUMED_NOTHING)
        fprintf(out, "assume %s\n", assumed_table[study->assumed].name);
    fprintf(out, "workload %s\ndepth %s\n", explorer->workload, depth_name(study->depth));
    write_changes(out, &session->file, &session->pin.machine);
    fprintf(out, "pin %s\n", session->pin.name);
    write_changes(out, &session->pin.machine, &session->machine);
    if (study->workload_count > 1) {
        fprintf(out, "workloads");
        for (size_t i = 0; i < study->workload_count; i++)
            fprintf(out, " %s", study->workloads[i]);
        fprintf(out, "\n");
    }
    for (size_t i = 0; i < session->axis_count; i++)
        write_axis(out, &session->axes[i]);
    for (size_t i = 0; i < study->budget_count; i++)
        fprintf(out, "equal %s\n", budget_print(&study->budgets[i], text));
    if (study->objective_count) {
        fprintf(out, "objective");
        for (size_t i = 0; i < study->objective_count; i++)
            fprintf(out, " %s%s", study->objectives[i].direction == HIGHER_IS_BETTER ? "-" : "",
                    study->objectives[i].metric->path);
        fprintf(out, "\n");
    }
    if (study->search.chosen)
        fprintf(out, "search %s\n", session_search_print(session, text));
    if (explorer->chart.chosen)
        fprintf(out, "metric %s\n", explorer->chart.chosen->path);
    fprintf(out, "chart %s\n", chart_names[explorer->chart.kind]);
    write_points(out, &explorer->explore.wanted);
}

static bool is_worth_keeping(const struct explorer *explorer)
{
    const struct session *session = explorer->session;
    return session_dirty(session) || session->axis_count || session->study.budget_count ||
           explorer->explore.wanted.store[0] || strcmp(session->pin.name, PIN_FILE) != 0;
}

void resume_save(const struct explorer *explorer)
{
    char path[RESUME_PATH];
    struct output_file file;
    if (!is_worth_keeping(explorer) || !state_file("session", path, sizeof path) ||
        output_file_open(path, OUTPUT_REPLACE | OUTPUT_FILES_ONLY, &file, NULL))
        return;
    write_session(file.stream, explorer);
    (void)output_file_commit(&file, NULL); /* nobody is left to be told */
}

bool resume_exists(void)
{
    char path[RESUME_PATH];
    return state_file("session", path, sizeof path) && !access(path, R_OK);
}

bool action_resume(struct explorer *explorer, const char *arguments)
{
    (void)arguments;
    char path[RESUME_PATH], *text = NULL;
    if (session_dirty(explorer->session))
        return refuse(explorer, "%s has unsaved edits: save or undo them first",
                      explorer->session->name);
    FILE *file = state_file("session", path, sizeof path) ? fopen(path, "r") : NULL;
    if (!file)
        return refuse(explorer, "there is no session to come back to");
    text = calloc(1, RESUME_MAX);
    if (text)
        (void)!fread(text, 1, RESUME_MAX - 1, file);
    fclose(file);
    size_t refused = 0;
    for (char *rest = text, *line; (line = strsep(&rest, "\n")) != NULL;)
        refused += *line && !explorer_execute(explorer, line);
    free(text);
    if (!refused)
        say(explorer, "the last session is back");
    return refused == 0;
}
