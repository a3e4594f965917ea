/* warpscape check: reads machines and studies and reports every problem of every file, instead of
 * stopping at the first one. It is meant for editors and CI: the exit status is 1 if any file is
 * wrong, and nothing is simulated. */
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
#include "trace/trace_file.h"
#include "workload/workload.h"

struct arguments {
    struct options_list files;
    bool quiet;
};

static void cmd_check_parse(int argc, char **argv, struct arguments *arguments)
{
    const struct option_row options[] = {
        {"quiet", 'q', NULL, "print problems only", option_flag, &arguments->quiet, NULL}, {0}};
    const struct command_line line = {
        .options = options,
        .usage = "FILE...",
        .help = "Check machine and study files; the keys of a file tell which of the two it is.\v"
                "Prints every problem of every file; the exit status is 1 if there is any error.",
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

int command_check(int argc, char **argv)
{
    struct arguments arguments = {0};
    cmd_check_parse(argc, argv, &arguments);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status worst = STATUS_OK;
    for (size_t i = 0; i < arguments.files.count; i++) {
        char summary[200] = "";
        size_t before = diagnostics.errors, said = diagnostics.count;
        enum status status =
            check_file(arguments.files.items[i], summary, sizeof summary, &diagnostics);
        if (status && diagnostics.errors == before)
            diagnostics_error(&diagnostics, status, "%s: %s", arguments.files.items[i],
                              status_text(status));
        if (status)
            worst = status;
        else if (!arguments.quiet)
            printf("%s: %s, %s\n", arguments.files.items[i], summary,
                   diagnostics.count == said ? "no problems" : "no errors");
    }
    fflush(stdout);
    options_list_free(&arguments.files);
    return command_finish(worst, &diagnostics);
}
