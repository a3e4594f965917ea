/* warpscape silicon: what a profiler measured on a real GPU beside a machine of ours, and a fit of
 * its knobs (cli/run/profile_run.h). */
#include "cli/run/profile_run.h"
#include "cli/shared/command.h"

static void parse(int argc, char **argv, struct profile_arguments *arguments,
                  struct options_list *operands)
{
    unsigned depth = 0;
    const struct option_row options[] = {
        {"workload", 'w', "NAME|FILE", "what the profiled kernel computes (default: 2DCONV)",
         option_text, &arguments->workload, NULL},
        OPTION_SET(&arguments->settings),
        {"depth", 0, "DEPTH", DEPTH_HELP "default: functional, which has no cycles", option_index,
         &depth, depth_words},
        {"kernel", 0, "TEXT", "only launches of kernels whose name contains this", option_text,
         &arguments->kernel, NULL},
        {"launch", 0, "NUMBER", "only this one of them, from 1 (default: all, counts added up)",
         option_count, &arguments->launch, NULL},
        {"fit", 0, "PARAMETER[=VALUES]",
         "sweep these parameters (with commas between; a..b, a list, all; default: values around "
         "the machine's own) and show the machine whose counters lie nearest; may be repeated",
         option_list, &arguments->knobs, NULL},
        {"output", 'o', "FILE", "write the machine of the fit as YAML", option_text,
         &arguments->output, NULL},
        OPTION_FORCE(&arguments->force),
        {"store", 0, "FILE", "keep the points of the fit in this store", option_text,
         &arguments->store, NULL},
        {"table", 't', "TABLE",
         "counters (default), others, steps or fit: the table of csv, json "
         "and md",
         option_index, &arguments->table, profile_table_names},
        OPTION_FORMAT(&arguments->format),
        OPTION_THREADS(&arguments->threads),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "PROFILE [MACHINE]",
        .help = "Compare what ncu or nvprof measured with what a machine does on the same kernel: "
                "each counter beside ours, the error, and which knob brings the machine nearer.\v"
                "PROFILE is what ncu --csv (any page, --metrics too), ncu as text, or nvprof "
                "--metrics --events (text or --csv) printed. MACHINE is a YAML file or the name of "
                "a machine that comes with the program (default: qv100). Counters that no metric "
                "stands for are listed. A fit is the best of all legal combinations, and says what "
                "the profile cannot tell.",
        .operand = {.name = "profile",
                    .value = "FILE|MACHINE",
                    .help = "expected a profile, for example what `ncu --csv` printed",
                    .read = option_list,
                    .slot = operands}};
    options_parse(&line, argc, argv);
    arguments->depth = (enum depth)depth;
    if (operands->count > 2)
        usage_error("expected a profile and a machine, got a third: '%s'", operands->items[2]);
    if ((arguments->output || arguments->store) && !arguments->knobs.count)
        usage_error("--%s is for --fit", arguments->output ? "output" : "store");
    if (arguments->table == PROFILE_FIT && !arguments->knobs.count)
        usage_error("--table fit needs --fit");
}

int command_silicon(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct profile_arguments arguments = {.workload = "2DCONV", .machine = "qv100"};
    struct options_list operands = {0};
    parse(argc, argv, &arguments, &operands);
    arguments.profile = operands.items[0];
    if (operands.count == 2)
        arguments.machine = operands.items[1];
    const enum status status = profile_run(&arguments, &diagnostics);
    options_list_free(&operands);
    options_list_free(&arguments.settings);
    options_list_free(&arguments.knobs);
    return command_finish(status, &diagnostics);
}
