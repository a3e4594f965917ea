/* warpscape report: what came out of a sweep, as one file to read or to send. */
#include <stdlib.h>
#include <string.h>

#include "cli/results/report_file.h"
#include "cli/results/results.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "cli/shared/output.h"
#include "report/study_report.h"

struct report_arguments {
    const char *store, *output, *format;
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "write this file (default: standard output)", 0},
    {"format", 'f', "FORMAT", 0, "html or md (default: what FILE ends with, else html)", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    static const char *const formats[] = {"html", "md", NULL};
    struct report_arguments *arguments = state->input;
    switch (key) {
    case 'o':
        arguments->output = strcmp(text, "-") ? text : NULL;
        return 0;
    case 'f':
        arguments->format = options_choice(state, "format", text, formats);
        return 0;
    default:
        return options_take_store(key, text, state, &arguments->store);
    }
}

static const struct argp argp = {
    options,
    parse,
    "STORE.db",
    "Report what came out of a sweep: front, best points, comparison with the study's machine, "
    "sensitivities, distributions, provenance.\v"
    "The HTML needs nothing but itself and follows the reader's light or dark setting.",
    NULL,
    NULL,
    NULL};

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && !strcmp(text + length - tail, end);
}

struct report_file {
    const char *store;
    enum page_format format;
    char *text;
};

/* The whole report as text: a full disk then leaves the file that was there. */
static enum status write_report(void *argument, struct store *store, const struct study *study,
                                struct diagnostics *diagnostics)
{
    (void)study;
    struct report_file *file = argument;
    size_t size = 0;
    FILE *out = open_memstream(&file->text, &size);
    if (!out)
        return STATUS_MEMORY;
    enum status status =
        study_report_print(store, file->store, file->format, interrupt_flag(), out, diagnostics);
    return fclose(out) && !status ? STATUS_MEMORY : status;
}

enum status report_file_write(const char *store, const char *output, const char *format,
                              struct diagnostics *diagnostics)
{
    bool markdown = format ? !strcmp(format, "md") : output && ends_with(output, ".md");
    struct report_file file = {store, markdown ? PAGE_MARKDOWN : PAGE_HTML, NULL};
    enum status status = results_use(store, write_report, &file, diagnostics);
    if (!status)
        status = output_write(output, file.text, true, diagnostics);
    free(file.text);
    return status;
}

int command_report(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct report_arguments arguments = {0};
    options_parse(&argp, argc, argv, &arguments);
    enum status status =
        report_file_write(arguments.store, arguments.output, arguments.format, &diagnostics);
    return command_finish(status, &diagnostics);
}
