/* warpscape convert: machines from and to gpgpusim.config. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "cli/shared/output.h"
#include "config/document.h"
#include "config/gpgpusim.h"
#include "config/machine_file.h"

struct arguments {
    const char *input, *output, *format;
    bool force;
};

static const char *const formats[] = {"yaml", "gpgpusim", NULL};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'o':
        arguments->output = text;
        return 0;
    case 't':
        arguments->format = options_choice(state, "to", text, formats);
        return 0;
    case 'f':
        arguments->force = true;
        return 0;
    case ARGP_KEY_ARG:
        options_take(state, &arguments->input, text, "machine");
        return 0;
    case ARGP_KEY_END:
        if (!arguments->input)
            argp_error(state, "expected a machine or a gpgpusim.config");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Real files are of GPUs whose process is another. */
static void note_defaults(const char *name, const struct machine *machine,
                          struct diagnostics *diagnostics)
{
    const struct parameter *node = parameter_find("tech.node");
    char text[VALUE_TEXT];
    diagnostics_add(diagnostics, SEVERITY_NOTE, &(struct place){.file = name},
                    "nothing is said of the process, the TLBs and page walks: they have their "
                    "defaults, and areas, times and energies are those of %s (tech.node)",
                    parameter_print(node, parameter_get(node, machine), text));
}

/* Reads either kind of file; *from is the format that it had. */
static enum status read_machine(const char *name, struct machine *machine, const char **from,
                                struct diagnostics *diagnostics)
{
    char *text = NULL;
    size_t size;
    struct diagnostics unread = DIAGNOSTICS_INIT;
    enum status status = file_read(name, &text, &size, &unread);
    bool config = !status && strlen(text) == size && gpgpusim_recognize(text);
    *from = config ? "gpgpusim" : "yaml";
    if (config) {
        status = gpgpusim_read(text, name, machine, diagnostics);
        if (!status)
            note_defaults(name, machine, diagnostics);
    } else if (!status || status == STATUS_NOT_FOUND) {
        status = machine_load(name, NULL, machine, NULL, diagnostics);
    } else {
        diagnostics_move(diagnostics, &unread);
    }
    diagnostics_free(&unread);
    free(text);
    return status;
}

static enum status make_text(const struct machine *machine, const struct arguments *arguments,
                             char **text, struct diagnostics *diagnostics)
{
    if (!strcmp(arguments->format, "gpgpusim"))
        return gpgpusim_write(machine, text, diagnostics);
    char title[200];
    snprintf(title, sizeof title, "Converted from %.150s", arguments->input);
    return machine_to_yaml(machine, title, text);
}

int command_convert(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"output", 'o', "FILE", 0, "Write to FILE; - is standard output (the default)", 0},
        {"to", 't', "FORMAT", 0, "yaml or gpgpusim; by default the other one than IN's", 0},
        {"force", 'f', NULL, 0, "Overwrite FILE", 0},
        {0}};
    static const struct argp argp = {
        options,
        parse_option,
        "IN",
        "Convert a machine from YAML to gpgpusim.config or back.\v"
        "IN is a built-in machine, a machine file or a gpgpusim.config; its content tells which. "
        "What GPGPU-Sim would refuse or cannot express is an error with the reason, options that "
        "are not modelled are listed in a note.",
        NULL,
        NULL,
        NULL};
    struct arguments arguments = {0};
    options_parse(&argp, argc, argv, &arguments);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct machine machine;
    const char *from;
    char *text = NULL;
    enum status status = read_machine(arguments.input, &machine, &from, &diagnostics);
    if (!arguments.format)
        arguments.format = strcmp(from, "yaml") ? "yaml" : "gpgpusim";
    if (!status)
        status = make_text(&machine, &arguments, &text, &diagnostics);
    if (!status)
        status = output_write(arguments.output, text, arguments.force, &diagnostics);
    free(text);
    return command_finish(status, &diagnostics);
}
