/* warpscape area: what the structures of a machine take in silicon, memory by memory. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/shared/command.h"
#include "cli/shared/machine_argument.h"
#include "cli/shared/options.h"
#include "report/area_report.h"

struct area_arguments {
    const char *machine;
    struct options_list settings;
    bool explain;
    enum table_format format;
};

static void parse(int argc, char **argv, struct area_arguments *arguments)
{
    const struct option_row options[] = {{"explain", 0, NULL,
                                          "say what each memory is and what its estimate rests on",
                                          option_flag, &arguments->explain, NULL},
                                         OPTION_FORMAT(&arguments->format),
                                         OPTION_SET(&arguments->settings),
                                         {0}};
    const struct command_line line = {
        .options = options,
        .usage = "[MACHINE]",
        .help =
            "List what the caches, TLBs and tables of a machine (default: gtx480) take: bits, "
            "which are exact, and area, access time, read energy and leakage after CACTI 7, of "
            "one and of all copies.\v"
            "Another node is --set tech.node=16nm. An estimate rests on runs of CACTI around it "
            "(table), on the nearest runs and a closed form, or is extrapolated: --explain "
            "says more.",
        .operand = OPERAND_MACHINE(&arguments->machine)};
    options_parse(&line, argc, argv);
}

int command_area(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct area_arguments arguments = {0};
    struct machine machine;
    parse(argc, argv, &arguments);
    if (!arguments.machine)
        arguments.machine = "gtx480";
    char *name = machine_argument_text(arguments.machine, &arguments.settings);
    enum status status = name ? machine_argument_load(arguments.machine, &arguments.settings,
                                                      DEPTH_FUNCTIONAL, &machine, &diagnostics)
                              : STATUS_MEMORY;
    if (!status) {
        const struct area_report report = {&machine, name, arguments.explain,
                                           options_columns(STDOUT_FILENO)};
        status = area_report_print(&report, arguments.format, stdout);
    }
    free(name);
    options_list_free(&arguments.settings);
    return command_finish(status, &diagnostics);
}
