/* Budgets of a sweep (session.h): the `equal` of a study, as long as they are questions. They are
 * solved for the machine and the axes that a sweep starts with (explore/space/budget.h). */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "explore/space/budget.h"
#include "schema/moved_settings.h"
#include "ui/session/session.h"

const char *budget_print(const struct budget *budget, char text[SESSION_TEXT])
{
    char limit[QUANTITY_TEXT];
    snprintf(text, SESSION_TEXT, "%s at_most %s solve %s", budget->metric->path,
             quantity_print_real(budget->limit, budget->metric->unit, limit),
             budget->parameter->path);
    return text;
}

static enum status no_metric(char text[SESSION_TEXT], const char *name)
{
    char hint[SUGGESTION_TEXT];
    snprintf(text, SESSION_TEXT, "no metric '%.60s'%s", name,
             suggestion(metric_nearest(name), hint));
    return STATUS_INVALID;
}

/* The words of a budget, those of a study's file left out: METRIC LIMIT PARAMETER. */
static size_t equal_split(char *line, const char *words[3])
{
    size_t count = 0;
    for (char *word; (word = strsep(&line, " ,")) != NULL;) {
        if (!*word || !strcmp(word, "at_most") || !strcmp(word, "solve"))
            continue;
        if (count < 3)
            words[count] = word;
        count++;
    }
    return count;
}

static enum status equal_parse(const char *const words[3], struct budget *budget,
                               char text[SESSION_TEXT])
{
    budget->metric = metric_find(words[0]);
    if (!budget->metric)
        return no_metric(text, words[0]);
    budget->parameter = parameter_find(words[2]);
    if (!budget->parameter) {
        char hint[SUGGESTION_TEXT];
        snprintf(text, SESSION_TEXT, "no parameter '%.60s'%s", words[2],
                 parameter_suggestion(words[2], hint));
        return STATUS_INVALID;
    }
    if (quantity_parse_real(words[1], budget->metric->unit, &budget->limit)) {
        snprintf(text, SESSION_TEXT, "expected what %s may be at most, got '%.60s'",
                 budget->metric->path, words[1]);
        return STATUS_INVALID;
    }
    return STATUS_OK;
}

enum status budgets_copy(const struct study *from, struct study *study)
{
    if (!from->budget_count)
        return STATUS_OK;
    study->budgets = malloc(from->budget_count * sizeof *study->budgets);
    if (!study->budgets)
        return STATUS_MEMORY;
    memcpy(study->budgets, from->budgets, from->budget_count * sizeof *study->budgets);
    study->budget_count = from->budget_count;
    return STATUS_OK;
}

/* Whether these budgets have solutions now; an edit may take them away or bring others. */
static enum status try_solving(const struct session *session, const struct study *wanted,
                               char text[SESSION_TEXT])
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct axis_list axes;
    struct study study = {.machine = session->machine};
    enum status status = session_copy_axes(session, &axes);
    study.axes = axes.items;
    study.axis_count = axes.count;
    if (!status)
        status = budgets_copy(wanted, &study);
    if (!status)
        status = budgets_solve(&study, &diagnostics);
    if (status)
        snprintf(text, SESSION_TEXT, "%s", diagnostics_first(&diagnostics, status));
    diagnostics_free(&diagnostics);
    study_free(&study);
    return status;
}

/* Takes the place of the budget that solves the same parameter. */
static enum status equal_put(struct session *session, const struct budget *budget,
                             char text[SESSION_TEXT])
{
    struct study *study = &session->study, wanted = {.budget_count = study->budget_count};
    wanted.budgets = malloc((study->budget_count + 1) * sizeof *wanted.budgets);
    if (!wanted.budgets) {
        snprintf(text, SESSION_TEXT, "%s", status_text(STATUS_MEMORY));
        return STATUS_MEMORY;
    }
    size_t at = 0;
    for (size_t i = 0; i < study->budget_count; i++)
        wanted.budgets[i] = study->budgets[i];
    while (at < wanted.budget_count && wanted.budgets[at].parameter != budget->parameter)
        at++;
    wanted.budget_count += at == wanted.budget_count;
    wanted.budgets[at] = *budget;
    enum status status = try_solving(session, &wanted, text);
    if (status) {
        free(wanted.budgets);
        return status;
    }
    free(study->budgets);
    study->budgets = wanted.budgets;
    study->budget_count = wanted.budget_count;
    return STATUS_OK;
}

/* All budgets of the metric, NULL: of any; how many there were. */
static size_t equal_drop(struct study *study, const struct metric *metric)
{
    size_t kept = 0, count = study->budget_count;
    for (size_t i = 0; i < count; i++)
        if (metric && study->budgets[i].metric != metric)
            study->budgets[kept++] = study->budgets[i];
    study->budget_count = kept;
    return count - kept;
}

enum status session_equal(struct session *session, const char *budget, char text[SESSION_TEXT])
{
    char copy[SESSION_TEXT];
    const char *words[3];
    struct budget parsed = {0};
    snprintf(copy, sizeof copy, "%s", budget);
    const size_t count = equal_split(copy, words);
    text[0] = '\0';
    session->axes_revision++; /* the plan is asked for again, at worst for nothing */
    if (count && count < 3 && !strcmp(words[count - 1], "off")) {
        const struct metric *metric = count == 2 ? metric_find(words[0]) : NULL;
        if (count == 2 && !metric)
            return no_metric(text, words[0]);
        if (equal_drop(&session->study, metric) || !metric)
            return STATUS_OK;
        snprintf(text, SESSION_TEXT, "there is no budget of %s", metric->path);
        return STATUS_NOT_FOUND;
    }
    if (count != 3) {
        snprintf(text, SESSION_TEXT,
                 "expected a metric, the most that it may be, and the parameter to solve: "
                 "pwc.bits 5280 pwc.entries; or off");
        return STATUS_INVALID;
    }
    enum status status = equal_parse(words, &parsed, text);
    return status ? status : equal_put(session, &parsed, text);
}
