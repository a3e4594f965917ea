/* warpscape probe: infers the L1D of a machine from the latency of its loads, as microbenchmarks do
 * on real GPUs, and compares the result with the configuration (explore/papers/probe.h). */
#include <stdlib.h>

#include "cli/shared/command.h"
#include "cli/shared/machine_argument.h"
#include "cli/shared/options.h"
#include "explore/papers/probe.h"
#include "report/ladder_report.h"
#include "report/probe_report.h"

enum { TABLE_LEVELS = PROBE_STRIDE + 1 }; /* of --table, behind those of a probe */

struct probe_arguments {
    const char *machine;
    struct options_list settings; /* --set */
    enum table_format format;
    unsigned table; /* --table, an enum probe_table */
};

static void parse(int argc, char **argv, struct probe_arguments *arguments)
{
    static const char *const tables[] = {[PROBE_ORGANIZATION] = "organization",
                                         [PROBE_INDEX] = "index",
                                         [PROBE_STRIDE] = "stride",
                                         [TABLE_LEVELS] = "levels",
                                         NULL};
    const struct option_row options[] = {
        OPTION_SET(&arguments->settings),
        {"table", 't', "TABLE",
         "organization (default), index or stride: the table of csv, json and md; levels: "
         "latencies "
         "and capacities of all levels and the TLB instead, by a pointer chase at depth timing",
         option_index, &arguments->table, tables},
        {"format", 'f', "FORMAT", "table (default: all tables and the chart), csv, json or md",
         option_format, &arguments->format, table_format_names},
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "[MACHINE]",
        .help = "Infer the L1D of a machine from how long loads take: line, capacity, ways, sets, "
                "the address bits that choose the set, MSHRs of a warp and of the SM; and print it "
                "beside the configuration.\v"
                "The loads are those of two micro-benchmarks (workloads MB1 and MB2), run at the "
                "reuse depth. The inference knows nothing of the machine but how many threads a "
                "block may have. MACHINE is a YAML file or the name of a machine that comes with "
                "the program (default: reuse-gtx470-16k).",
        .operand = OPERAND_MACHINE(&arguments->machine)};
    options_parse(&line, argc, argv);
}

static enum status climb_and_print(const struct probe_arguments *arguments,
                                   struct diagnostics *diagnostics)
{
    struct machine machine;
    struct ladder ladder;
    const struct evaluate_options how = {.cancel = interrupt_flag()};
    enum status status = machine_argument_load(arguments->machine, &arguments->settings,
                                               DEPTH_TIMING, &machine, diagnostics);
    if (!status)
        status = ladder_machine(&machine, &how, &ladder, diagnostics);
    return status ? status : ladder_report_table(&ladder, &machine, arguments->format, stdout);
}

static enum status probe_and_print(const struct probe_arguments *arguments,
                                   struct diagnostics *diagnostics)
{
    struct machine machine;
    struct probe *probe = malloc(sizeof *probe);
    char *name = machine_argument_text(arguments->machine, &arguments->settings);
    enum status status = probe && name ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        status = machine_argument_load(arguments->machine, &arguments->settings, DEPTH_REUSE,
                                       &machine, diagnostics);
    const struct evaluate_options how = {.cancel = interrupt_flag()};
    if (!status)
        status = probe_machine(&machine, &how, probe, diagnostics);
    if (!status) {
        const struct probe_report report = {probe, &machine, name, options_glyphs()};
        status = arguments->format == TABLE_TEXT
                     ? probe_report_print(&report, stdout)
                     : probe_report_table(&report, (enum probe_table)arguments->table,
                                          arguments->format, stdout);
    }
    free(name);
    free(probe);
    return status;
}

int command_probe(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct probe_arguments arguments = {0};
    parse(argc, argv, &arguments);
    if (!arguments.machine)
        arguments.machine = "reuse-gtx470-16k";
    enum status status = arguments.table == TABLE_LEVELS
                             ? climb_and_print(&arguments, &diagnostics)
                             : probe_and_print(&arguments, &diagnostics);
    options_list_free(&arguments.settings);
    return command_finish(status, &diagnostics);
}
