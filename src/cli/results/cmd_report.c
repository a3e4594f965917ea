/* warpscape report: what came out of a sweep, as one HTML or Markdown file to read or to send
 * (report/runs/study_report.h). Also the implementation of report_file.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_ends.h"
#include "base/text_stream.h"
#include "cli/results/report_file.h"
#include "cli/results/results.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "cli/shared/output.h"
#include "report/runs/point_export.h"
#include "report/runs/study_report.h"

struct report_arguments {
    const char *store, *output, *format;
    bool force, machines;
};

static void cmd_report_parse(int argc, char **argv, struct report_arguments *arguments)
{
    static const char *const formats[] = {"html", "md", NULL};
    const struct option_row options[] = {
        {"output", 'o', "FILE", "write this file (default: standard output)", option_file,
         &arguments->output, NULL},
        {"machines", 0, NULL,
         "write the best machine of each objective, too: night-core.cycles.yaml beside night.html",
         option_flag, &arguments->machines, NULL},
        OPTION_FORCE("FILE", &arguments->force),
        {"format", 'f', "FORMAT", "html or md (default: what FILE ends with, else html)",
         option_word, &arguments->format, formats},
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "STORE.db",
        .help = "Write a report of a sweep: Pareto front, best points, comparison with the study's "
                "machine, sensitivities, distributions, provenance.\v"
                "The HTML file is self-contained and follows the reader's light or dark setting.",
        .operand = OPERAND_STORE(&arguments->store)};
    options_parse(&line, argc, argv);
    if (arguments->machines && !arguments->output)
        usage_error("--machines writes files beside that of --output");
}

struct report_file {
    const char *store;
    enum page_format format;
    char *text;
};

/* Makes the report in memory, so that a full disk leaves the old file in place. */
static enum status write_report(void *argument, struct store *store, const struct study *study,
                                struct diagnostics *diagnostics)
{
    (void)study;
    struct report_file *file = argument;
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return STATUS_MEMORY;
    enum status status =
        study_report_print(store, file->store, file->format, interrupt_flag(), out, diagnostics);
    return text_stream_finish(&stream, status, &file->text);
}

enum status report_file_write(const char *store, const char *output, const char *format,
                              struct diagnostics *diagnostics)
{
    bool markdown = format ? !strcmp(format, "md") : output && text_ends(output, ".md");
    struct report_file file = {store, markdown ? PAGE_MARKDOWN : PAGE_HTML, NULL};
    enum status status = results_use(store, write_report, &file, diagnostics);
    if (!status)
        status = output_write(output, file.text, true, diagnostics);
    free(file.text);
    return status;
}

/* "night.html" and "core.cycles" make "night-core.cycles.yaml"; malloc'ed. */
static char *machine_path(const char *output, const char *metric)
{
    const char *name = strrchr(output, '/'), *end = strrchr(name ? name : output, '.');
    char *path = NULL;
    const int length = end ? (int)(end - output) : (int)strlen(output);
    return asprintf(&path, "%.*s-%s.yaml", length, output, metric) < 0 ? NULL : path;
}

/* Writes the best machine of each objective, as `export --best` does. */
static enum status write_machines(void *argument, struct store *store, const struct study *study,
                                  struct diagnostics *diagnostics)
{
    const struct report_arguments *arguments = argument;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < study->objective_count && !status; i++) {
        const struct point_request wanted = {.store = arguments->store,
                                             .best = study->objectives[i].metric->path};
        struct chosen_point choice;
        char *path = machine_path(arguments->output, wanted.best), *text = NULL;
        status = path ? point_choose(&wanted, store, study, &choice, diagnostics) : STATUS_MEMORY;
        if (!status) {
            status = point_configuration(&wanted, store, study, &choice, false, &text, diagnostics);
            chosen_point_free(&choice);
        }
        if (!status)
            status = output_write(path, text, arguments->force, diagnostics);
        free(text);
        free(path);
    }
    return status;
}

int command_report(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct report_arguments arguments = {0};
    cmd_report_parse(argc, argv, &arguments);
    enum status status = arguments.output
                             ? output_check(arguments.output, arguments.force, &diagnostics)
                             : STATUS_OK;
    if (!status)
        status =
            report_file_write(arguments.store, arguments.output, arguments.format, &diagnostics);
    if (!status && arguments.machines)
        status = results_use(arguments.store, write_machines, &arguments, &diagnostics);
    return command_finish(status, &diagnostics);
}
