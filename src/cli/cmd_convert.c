/* warpscape convert: converts machines between our YAML and the gpgpusim.config of GPGPU-Sim and
 * Accel-Sim. Whatever the two say differently is an error, a warning or a note, never silent
 * (config/gpgpusim.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text_ends.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "cli/shared/output.h"
#include "config/document.h"
#include "config/gpgpusim.h"
#include "config/gpgpusim_options.h"
#include "config/machine_file.h"

struct arguments {
    struct options_list inputs;
    const char *output, *to;
    enum table_format format;
    bool force, nearest, options;
};

static void cmd_convert_parse(int argc, char **argv, struct arguments *arguments)
{
    static const char *const kinds[] = {"yaml", "gpgpusim", NULL};
    const struct option_row options[] = {
        {"output", 'o', "FILE", "write this file (default: standard output)", option_file,
         &arguments->output, NULL},
        {"to", 0, "KIND",
         "yaml or gpgpusim (default: by FILE's ending, .yaml or .config, else the one that IN is "
         "not)",
         option_word, &arguments->to, kinds},
        {"nearest", 0, NULL, "convert even where an option changes results and has no parameter",
         option_flag, &arguments->nearest, NULL},
        OPTION_FORCE("FILE", &arguments->force),
        {.help = "The options of GPGPU-Sim"},
        {"options", 0, NULL, "list all options and how each is converted", option_flag,
         &arguments->options, NULL},
        OPTION_FORMAT(&arguments->format),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "IN [trace.config]",
        .help = "Convert a machine from YAML to gpgpusim.config or back.\v"
                "IN is a built-in machine, a machine file or a gpgpusim.config; its content tells "
                "which. The trace.config in the same folder is read too, or the files that follow. "
                "An option that no parameter expresses is an error or a warning; an option that is "
                "left out has the simulator's default.",
        .operand = {.name = "machine",
                    .value = "MACHINE",
                    .read = option_list,
                    .slot = &arguments->inputs}};
    options_parse(&line, argc, argv);
    if (!arguments->inputs.count && !arguments->options)
        usage_error("expected a machine or a gpgpusim.config");
    if (arguments->options && (arguments->inputs.count || arguments->output || arguments->to ||
                               arguments->nearest || arguments->force))
        usage_error("--options takes --format only");
    if (arguments->format != TABLE_TEXT && !arguments->options)
        usage_error("--format belongs to --options");
}

/* ---- the list of options ---- */

static enum status print_options(enum table_format format)
{
    static const char *const headers[] = {"option",      "class",  "default",   "parameter",
                                          "as modelled", "effect", "old names", NULL};
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < gpgpusim_option_count; i++) {
        const struct gpgpusim_option *option = &gpgpusim_options[i];
        char aliases[GPGPUSIM_ALIASES_TEXT];
        gpgpusim_option_aliases(option, aliases);
        table_text(table, option->name);
        table_text(table, gpgpusim_class_name(option->class));
        table_text(table, option->fallback);
        table_text(table, option->path);
        table_text(table, option->path ? NULL : option->neutral);
        table_text(table, option->effect);
        table_text(table, *aliases ? aliases + 2 : NULL);
    }
    table_fit(table, options_columns(STDOUT_FILENO));
    return table_finish(table, format, stdout);
}

/* ---- machines ---- */

/* Reads all files of a gpgpusim.config; the first one has been read. */
static enum status read_configs(const struct arguments *arguments, const char *first,
                                struct machine *machine, struct diagnostics *diagnostics)
{
    const size_t count = arguments->inputs.count;
    struct gpgpusim_text *files = calloc(count, sizeof *files);
    char **texts = calloc(count, sizeof *texts);
    enum status status = files && texts ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; i < count && !status; i++) {
        const char *name = arguments->inputs.items[i];
        size_t size;
        if (i)
            status = file_read(name, &texts[i], &size, diagnostics);
        files[i] = (struct gpgpusim_text){i ? texts[i] : first, name, true};
    }
    if (!status)
        status = gpgpusim_read_texts(files, count, arguments->nearest, machine, diagnostics);
    for (size_t i = 0; i < count && texts; i++)
        free(texts[i]);
    free(texts);
    free(files);
    return status;
}

/* Reads either format; *from becomes the name of the one that it was. */
static enum status read_machine(const struct arguments *arguments, struct machine *machine,
                                const char **from, struct diagnostics *diagnostics)
{
    const char *name = arguments->inputs.items[0];
    char *text = NULL;
    size_t size;
    struct diagnostics unread = DIAGNOSTICS_INIT;
    enum status status = file_read(name, &text, &size, &unread);
    bool config = !status && strlen(text) == size && gpgpusim_recognize(text);
    *from = config ? "gpgpusim" : "yaml";
    if (config && arguments->inputs.count > 1)
        status = read_configs(arguments, text, machine, diagnostics);
    else if (config)
        status = gpgpusim_read_beside(text, name, arguments->nearest, machine, diagnostics);
    else if (arguments->inputs.count > 1)
        status =
            diagnostics_error(diagnostics, STATUS_INVALID,
                              "%s is no gpgpusim.config, so no other file can follow it", name);
    else if (!status || status == STATUS_NOT_FOUND)
        status = machine_load(name, NULL, machine, NULL, diagnostics);
    else
        diagnostics_move(diagnostics, &unread);
    diagnostics_free(&unread);
    free(text);
    return status;
}

static enum status make_text(const struct machine *machine, const struct arguments *arguments,
                             char **text, struct diagnostics *diagnostics)
{
    if (!strcmp(arguments->to, "gpgpusim"))
        return gpgpusim_write(machine, text, diagnostics);
    char title[200];
    snprintf(title, sizeof title, "Converted from %.150s", arguments->inputs.items[0]);
    return machine_to_yaml(machine, title, text);
}

static const char *default_form(const char *output, const char *from)
{
    if (output && text_ends(output, ".yaml"))
        return "yaml";
    if (output && text_ends(output, ".config"))
        return "gpgpusim";
    return strcmp(from, "yaml") ? "yaml" : "gpgpusim";
}

static enum status convert(struct arguments *arguments, struct diagnostics *diagnostics)
{
    struct machine machine;
    const char *from;
    char *text = NULL;
    enum status status = read_machine(arguments, &machine, &from, diagnostics);
    if (!status && !arguments->to)
        arguments->to = default_form(arguments->output, from);
    if (!status)
        status = make_text(&machine, arguments, &text, diagnostics);
    if (!status)
        status = output_write(arguments->output, text, arguments->force, diagnostics);
    free(text);
    return status;
}

int command_convert(int argc, char **argv)
{
    struct arguments arguments = {0};
    cmd_convert_parse(argc, argv, &arguments);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status =
        arguments.options ? print_options(arguments.format) : convert(&arguments, &diagnostics);
    options_list_free(&arguments.inputs);
    return command_finish(status, &diagnostics);
}
