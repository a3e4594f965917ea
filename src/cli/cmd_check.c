/* warpscape check: reads machines and studies and reports every problem of every file, instead of
 * stopping at the first one. It is meant for editors and CI: the exit status is 1 if any file is
 * wrong, and nothing is simulated. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/counts.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "config/machine_file.h"
#include "config/study_file.h"
#include "explore/space/budget.h"
#include "explore/space/conditions.h"
#include "report/drawing/table.h"
#include "trace/trace_file.h"
#include "workload/workload.h"

struct arguments {
    struct options_list files;
    bool quiet;
    enum table_format format;
};

static void cmd_check_parse(int argc, char **argv, struct arguments *arguments)
{
    const struct option_row options[] = {
        {"quiet", 'q', NULL, "print problems only", option_flag, &arguments->quiet, NULL},
        OPTION_FORMAT(&arguments->format),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "FILE...",
        .help = "Check machine and study files; the keys of a file tell which of the two it is.\v"
                "Prints every problem of every file; the exit status is 1 if there is any error. "
                "csv, json and md have a row for each problem and for each file without an error.",
        .operand = {.name = "file",
                    .value = "MACHINE|STUDY",
                    .help = "expected the names of machines or studies",
                    .read = option_list,
                    .slot = &arguments->files}};
    options_parse(&line, argc, argv);
}

/* Open programs and recipes to check their arguments, but not traces, which may take long to read.
 */
static enum status check_workloads(const struct study *study, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < study->workload_count; i++) {
        struct trace_source *source = NULL;
        if (!access(study->workloads[i], F_OK))
            continue;
        enum status opened = workload_open_listed(study, i, &source, diagnostics);
        status = opened ? opened : status;
        trace_source_free(source);
    }
    return status;
}

static enum status check_study(const char *path, char *summary, size_t size,
                               struct diagnostics *diagnostics)
{
    struct study study;
    enum status status = study_load(path, &study, diagnostics);
    if (status)
        return status;
    char programs[COUNT_TEXT], axes[COUNT_TEXT], objectives[COUNT_TEXT];
    snprintf(summary, size, "study of %s: %s, %s, %s", study.machine_name,
             counted_print(study.workload_count, "workload", programs),
             counted_print(study.axis_count, "axis", axes),
             counted_print(study.objective_count, "objective", objectives));
    status = budgets_solve(&study, diagnostics);
    enum status checked = study_conditions_check(&study, diagnostics);
    status = status ? status : checked;
    enum status opened = check_workloads(&study, diagnostics);
    status = status ? status : opened;
    study_free(&study);
    return status;
}

/* A name that is not a file must be a built-in study or machine. */
static enum status check_yaml(const char *name, char *summary, size_t size,
                              struct diagnostics *diagnostics)
{
    struct document *document = NULL, *loaded = NULL;
    struct machine machine;
    bool study = false;
    struct diagnostics unread = DIAGNOSTICS_INIT;
    if (embedded_find(embedded_studies, name))
        return check_study(name, summary, size, diagnostics);
    enum status status = document_open(DATA_STUDIES, name, &document, &unread);
    if (document && (study = document_is_study(document)))
        status = check_study(name, summary, size, diagnostics);
    else if (document && !status && node_kind(document_root(document)) != NODE_SCALAR &&
             !node_count(document_root(document)))
        status = diagnostics_error(diagnostics, STATUS_INVALID,
                                   "%s: empty: neither a machine nor a study", name);
    else
        status = machine_load(name, NULL, &machine, &loaded, diagnostics);
    if (loaded)
        status = machine_warn_idle(loaded, &machine, diagnostics);
    document_free(loaded);
    if (!status && !study)
        snprintf(summary, size, "machine");
    diagnostics_free(&unread);
    document_free(document);
    return status;
}

static enum status check_file(const char *name, char *summary, size_t size,
                              struct diagnostics *diagnostics)
{
    const char *kind = trace_kind(name);
    if (!kind)
        return check_yaml(name, summary, size, diagnostics);
    return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                             "%s: a trace (%s), neither a machine nor a study; 'warpscape trace "
                             "stats %s' reads it",
                             name, kind, name);
}

static const char *severity_name(enum severity severity)
{
    static const char *const names[] = {
        [SEVERITY_NOTE] = "note", [SEVERITY_WARNING] = "warning", [SEVERITY_ERROR] = "error"};
    return names[severity];
}

static void add_problem(struct table *table, const char *file, const char *severity, double line,
                        double column, const char *message)
{
    table_text(table, file);
    table_whole(table, line);
    table_whole(table, column);
    table_text(table, severity);
    table_text(table, message);
}

/* The problems of one file, and what it is if no error is among them. */
static void add_problems(struct table *table, const char *file, const char *summary,
                         const struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < diagnostics->count; i++) {
        const struct diagnostic *item = &diagnostics->items[i];
        add_problem(table, item->file ? item->file : file, severity_name(item->severity),
                    item->line ? item->line : NAN, item->column ? item->column : NAN,
                    item->message);
    }
    if (summary)
        add_problem(table, file, "ok", NAN, NAN, summary);
}

static void print_problems(const char *file, const char *summary,
                           const struct diagnostics *diagnostics)
{
    diagnostics_print(diagnostics, stderr);
    if (summary)
        printf("%s: %s, %s\n", file, summary, diagnostics->count ? "no errors" : "no problems");
    fflush(stdout);
}

/* `table`: NULL for text. */
static enum status check_one(const struct arguments *arguments, const char *file,
                             struct table *table)
{
    char summary[200] = "";
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = check_file(file, summary, sizeof summary, &diagnostics);
    if (status && !diagnostics.errors)
        diagnostics_error(&diagnostics, status, "%s: %s", file, status_text(status));
    const char *said = status || arguments->quiet ? NULL : summary;
    if (table)
        add_problems(table, file, said, &diagnostics);
    else
        print_problems(file, said, &diagnostics);
    status = diagnostics.errors && !status ? STATUS_INVALID : status;
    diagnostics_free(&diagnostics);
    return status;
}

int command_check(int argc, char **argv)
{
    static const char *const headers[] = {"file", ">line", ">column", "severity", "message", NULL};
    struct arguments arguments = {0};
    cmd_check_parse(argc, argv, &arguments);
    struct table *table = arguments.format == TABLE_TEXT ? NULL : table_create(headers);
    enum status worst = arguments.format == TABLE_TEXT || table ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; i < arguments.files.count; i++) {
        const enum status status = check_one(&arguments, arguments.files.items[i], table);
        worst = status ? status : worst;
    }
    if (table) {
        const enum status printed = table_finish(table, arguments.format, stdout);
        worst = worst ? worst : printed;
    }
    options_list_free(&arguments.files);
    return worst ? 1 : 0;
}
