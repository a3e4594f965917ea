/* warpscape probe: runs micro-benchmarks on a model, as tests/hardware runs them on real GPUs,
 * infers the machine from what they measure, and prints it beside the configuration. */
#include <stdlib.h>

#include "cli/shared/command.h"
#include "cli/shared/machine_argument.h"
#include "cli/shared/options.h"
#include "explore/papers/probe.h"
#include "report/experiments/pointer_chase_report.h"
#include "report/experiments/probe_report.h"
#include "report/experiments/rates_report.h"

/* The probes: word of --table, what prints it, which of its tables, and its line in the help. */
#define PROBE_LIST(X)                                                                              \
    X("organization", print_probe, PROBE_ORGANIZATION,                                             \
      "(default) line, capacity, ways, sets, replacement and MSHRs of the L1D, by MB1 and MB2 at " \
      "the reuse depth")                                                                           \
    X("index", print_probe, PROBE_INDEX, "the address bits that select a set, likewise")           \
    X("stride", print_probe, PROBE_STRIDE, "how many lines at a stride fit, likewise")             \
    X("levels", print_levels, 0,                                                                   \
      "latencies and capacities of all levels, line and sector size of the L1D, TLB reach and "    \
      "miss latency, by CHASE at depth timing")                                                    \
    X("rates", print_rates, RATES_BANDWIDTHS,                                                      \
      "bandwidths of the L1D, the L2 and the DRAM, by READS at depth timing")                      \
    X("coalescing", print_rates, RATES_LANES,                                                      \
      "cycles, sectors and requests per load over lane stride and alignment, by LANES at depth "   \
      "timing")

struct probe_arguments {
    const char *machine;
    struct options_list settings; /* --set */
    enum table_format format;
    unsigned table; /* --table: a row of PROBE_LIST */
};

typedef enum status probe_printer(const struct probe_arguments *arguments, unsigned table,
                                  struct diagnostics *diagnostics);

static void cmd_probe_parse(int argc, char **argv, struct probe_arguments *arguments)
{
#define PROBE_WORD(word, print, table, help) word,
#define PROBE_HELP(word, print, table, help) word ": " help "; "
    static const char *const tables[] = {PROBE_LIST(PROBE_WORD) NULL};
    const struct option_row options[] = {
        OPTION_SET(&arguments->settings),
        {"table", 't', "TABLE",
         PROBE_LIST(PROBE_HELP) "as text, the first three are printed together", option_index,
         &arguments->table, tables},
        OPTION_FORMAT(&arguments->format),
        {0}};
#undef PROBE_WORD
#undef PROBE_HELP
    const struct command_line line = {
        .options = options,
        .usage = "[MACHINE]",
        .help =
            "Infer a memory hierarchy from micro-benchmarks: organization of the L1D, latencies "
            "and capacities of all levels, bandwidths, coalescing; and print it beside the "
            "configuration.\v"
            "The micro-benchmarks are those that tests/hardware runs on real GPUs (workloads "
            "MB1, MB2, CHASE, READS and LANES). What is inferred rests on times alone. MACHINE "
            "is a YAML file or the name of a machine that comes with the program (default: "
            "reuse-gtx470-16k).",
        .operand = OPERAND_MACHINE(&arguments->machine)};
    options_parse(&line, argc, argv);
}

static enum status print_levels(const struct probe_arguments *arguments, unsigned table,
                                struct diagnostics *diagnostics)
{
    struct machine machine;
    struct pointer_chase chase;
    const struct evaluate_options how = {.progress = progress_show, .cancel = interrupt_flag()};
    enum status status = machine_argument_load(arguments->machine, &arguments->settings,
                                               DEPTH_TIMING, &machine, diagnostics);
    (void)table;
    if (!status)
        status = pointer_chase_machine(&machine, &how, &chase, diagnostics);
    progress_end();
    return status ? status
                  : pointer_chase_report_table(&chase, &machine, arguments->format, stdout);
}

static enum status print_rates(const struct probe_arguments *arguments, unsigned table,
                               struct diagnostics *diagnostics)
{
    struct machine machine;
    struct rates rates;
    const struct evaluate_options how = {.progress = progress_show, .cancel = interrupt_flag()};
    enum status status = machine_argument_load(arguments->machine, &arguments->settings,
                                               DEPTH_TIMING, &machine, diagnostics);
    if (!status)
        status = rates_machine(&machine, table, &how, &rates, diagnostics);
    progress_end();
    if (status)
        return status;
    return table == RATES_LANES ? lanes_report_table(&rates, arguments->format, stdout)
                                : rates_report_table(&rates, &machine, arguments->format, stdout);
}

static enum status print_probe(const struct probe_arguments *arguments, unsigned table,
                               struct diagnostics *diagnostics)
{
    struct machine machine;
    struct probe *probe = malloc(sizeof *probe);
    char *name = machine_argument_text(arguments->machine, &arguments->settings);
    enum status status = probe && name ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        status = machine_argument_load(arguments->machine, &arguments->settings, DEPTH_REUSE,
                                       &machine, diagnostics);
    const struct evaluate_options how = {.progress = progress_show, .cancel = interrupt_flag()};
    if (!status)
        status = probe_machine(&machine, &how, probe, diagnostics);
    progress_end();
    if (!status) {
        const struct probe_report report = {probe, &machine, name, options_glyphs()};
        status =
            arguments->format == TABLE_TEXT
                ? probe_report_print(&report, stdout)
                : probe_report_table(&report, (enum probe_table)table, arguments->format, stdout);
    }
    free(name);
    free(probe);
    return status;
}

int command_probe(int argc, char **argv)
{
#define PROBE_ROW(word, print, table, help) {print, table},
    static const struct {
        probe_printer *print;
        unsigned table;
    } probes[] = {PROBE_LIST(PROBE_ROW)};
#undef PROBE_ROW
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct probe_arguments arguments = {0};
    cmd_probe_parse(argc, argv, &arguments);
    if (!arguments.machine)
        arguments.machine = "reuse-gtx470-16k";
    const enum status status =
        probes[arguments.table].print(&arguments, probes[arguments.table].table, &diagnostics);
    options_list_free(&arguments.settings);
    return command_finish(status, &diagnostics);
}
