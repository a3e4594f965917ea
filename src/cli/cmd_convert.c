/* warpscape convert: converts machines between our YAML and the gpgpusim.config of GPGPU-Sim and
 * Accel-Sim. What GPGPU-Sim cannot express is an error; options of its file that we do not model
 * are listed in a note, never dropped silently (config/gpgpusim.h). */
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

static void parse(int argc, char **argv, struct arguments *arguments)
{
    static const char *const formats[] = {"yaml", "gpgpusim", NULL};
    const struct option_row options[] = {
        {"output", 'o', "FILE", "write this file (default: standard output)", option_file,
         &arguments->output, NULL},
        {"to", 0, "KIND", "yaml or gpgpusim (default: the other one than IN's)", option_word,
         &arguments->format, formats},
        OPTION_FORCE("FILE", &arguments->force),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "IN",
        .help = "Convert a machine from YAML to gpgpusim.config or back.\v"
                "IN is a built-in machine, a machine file or a gpgpusim.config; its content tells "
                "which. What GPGPU-Sim would refuse or cannot express is an error with the reason, "
                "options that are not modelled are listed in a note.",
        .operand = {.name = "machine",
                    .value = "MACHINE",
                    .help = "expected a machine or a gpgpusim.config",
                    .read = option_once,
                    .slot = &arguments->input}};
    options_parse(&line, argc, argv);
}

/* A gpgpusim.config says nothing about process, TLBs and page walks. Tell the user that these
 * values are our defaults and not those of the GPU. */
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

/* Reads either format; *from becomes the name of the one that it was. */
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
    struct arguments arguments = {0};
    parse(argc, argv, &arguments);
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
