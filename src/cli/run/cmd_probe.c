/* warpscape probe: what the time of loads tells of a machine's L1D. */
#include <stdlib.h>

#include "cli/shared/command.h"
#include "cli/shared/machine_argument.h"
#include "cli/shared/options.h"
#include "explore/papers/probe.h"
#include "report/probe_report.h"

struct probe_arguments {
    const char *machine;
    struct options_list settings; /* of --set */
    enum table_format format;
    enum probe_table table;
};

static const struct argp_option options[] = {
    {"set", 's', "PATH=VALUE", 0, "change a parameter; may be repeated", 0},
    {"table", 't', "TABLE", 0,
     "organization (default), index or stride: the table of csv, json and md", 0},
    {"format", 'f', "FORMAT", 0, "table (default: all tables and the chart), csv, json or md", 0},
    {0}};

static enum probe_table parse_table(struct argp_state *state, const char *text)
{
    static const char *const names[] = {[PROBE_ORGANIZATION] = "organization",
                                        [PROBE_INDEX] = "index",
                                        [PROBE_STRIDE] = "stride",
                                        NULL};
    const char *name = options_choice(state, "table", text, names);
    enum probe_table table = PROBE_ORGANIZATION;
    while (names[table] != name)
        table++;
    return table;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct probe_arguments *arguments = state->input;
    switch (key) {
    case 's':
        return options_append(&arguments->settings, text);
    case 't':
        arguments->table = parse_table(state, text);
        return 0;
    case 'f':
        arguments->format = options_format(state, text);
        return 0;
    case ARGP_KEY_ARG:
        options_take(state, &arguments->machine, text, "machine");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "[MACHINE]",
    "Infer the L1D of a machine from how long loads take: line, capacity, ways, sets, the address "
    "bits that choose the set, MSHRs of a warp and of the SM; and print it beside the "
    "configuration.\v"
    "The loads are those of two micro-benchmarks (workloads MB1 and MB2), run at the reuse depth. "
    "The inference knows nothing of the machine but how many threads a block may have. MACHINE is "
    "a "
    "YAML file or the name of a machine that comes with the program (default: reuse-gtx470-16k).",
    NULL,
    NULL,
    NULL};

static enum status probe_and_print(const struct probe_arguments *arguments,
                                   struct diagnostics *diagnostics)
{
    struct machine machine;
    struct probe *probe = malloc(sizeof *probe);
    char *name = machine_argument_text(arguments->machine, &arguments->settings);
    enum status status = probe && name ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        status =
            machine_argument_load(arguments->machine, &arguments->settings, &machine, diagnostics);
    const struct evaluate_options how = {.cancel = interrupt_flag()};
    if (!status)
        status = probe_machine(&machine, &how, probe, diagnostics);
    if (!status) {
        const struct probe_report report = {probe, &machine, name, options_glyphs()};
        status = arguments->format == TABLE_TEXT
                     ? probe_report_print(&report, stdout)
                     : probe_report_table(&report, arguments->table, arguments->format, stdout);
    }
    free(name);
    free(probe);
    return status;
}

int command_probe(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct probe_arguments arguments = {0};
    options_parse(&argp, argc, argv, &arguments);
    if (!arguments.machine)
        arguments.machine = "reuse-gtx470-16k";
    enum status status = probe_and_print(&arguments, &diagnostics);
    options_list_free(&arguments.settings);
    return command_finish(status, &diagnostics);
}
