/* warpscape report: what came out of a sweep, as one file to read or to send. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/report_file.h"
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
    case ARGP_KEY_ARG:
        if (arguments->store)
            argp_error(state, "one store is enough; '%s' is a second one", text);
        arguments->store = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "expected the store of a sweep, for example overnight.db");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
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

enum status report_file_write(const char *store_path, const char *output, const char *format,
                              struct diagnostics *diagnostics)
{
    struct store *store;
    const struct study *study;
    bool markdown = format ? !strcmp(format, "md") : output && ends_with(output, ".md");
    char *temporary = NULL;
    FILE *out = stdout;
    enum status status = store_open(store_path, &store, &study, diagnostics);
    if (status)
        return status;
    /* Beside the file and renamed, so that a full disk leaves what was there. */
    if (output && asprintf(&temporary, "%s.new", output) < 0) {
        temporary = NULL;
        status = STATUS_MEMORY;
    } else if (output && !(out = fopen(temporary, "we"))) {
        status = diagnostics_error(diagnostics, STATUS_IO, "%s: %s", output, strerror(errno));
    }
    if (!status) {
        status = study_report_print(store, store_path, markdown ? PAGE_MARKDOWN : PAGE_HTML,
                                    interrupt_flag(), out, diagnostics);
        bool failed = output ? fclose(out) != 0 : fflush(out) != 0;
        if (!status && (failed || (output && rename(temporary, output))))
            status = STATUS_IO;
        if (status == STATUS_IO)
            diagnostics_error(diagnostics, status, "%s: %s", output ? output : "standard output",
                              strerror(errno));
        if (status && output)
            unlink(temporary);
    }
    free(temporary);
    store_close(store);
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
