/* warpscape diff: the first event in which two runs at depth timing part, how the difference
 * spreads, and which cycles it wins and loses (model/timing/run_difference.h). Exit status: 0
 * equal, 1 different, 2 errors and wrong usage, 75 stopped. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cli/run/timed_run.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "report/runs/difference_report.h"
#include "trace/assumed.h"
#include "workload/workload.h"

enum { ROWS_USUAL = 5, EXIT_EQUAL = 0, EXIT_DIFFERENT = 1, EXIT_FAILED = 2 };

struct diff_arguments {
    struct options_list machines, settings, changes;
    const char *workloads[RUNS_COMPARED], *format_in;
    enum table_format format;
    uint64_t limit;
    unsigned assumed; /* enum assumed_dependences */
    int threads;
};

static void cmd_diff_parse(int argc, char **argv, struct diff_arguments *arguments)
{
    const struct option_row options[] = {
        {"workload", 'w', "NAME|FILE",
         "program, recipe or trace of both runs (default: what the file of A names)", option_once,
         &arguments->workloads[RUN_A], NULL},
        {"against", 0, "NAME|FILE", "program, recipe or trace of B", option_once,
         &arguments->workloads[RUN_B], NULL},
        OPTION_FORMAT_IN(&arguments->format_in),
        OPTION_ASSUME(&arguments->assumed),
        OPTION_SET(&arguments->settings),
        {"change", 0, "PATH=VALUE", "change a parameter of B alone; may be repeated", option_list,
         &arguments->changes, NULL},
        OPTION_FORMAT(&arguments->format),
        OPTION_LIMIT("at most this many launches or passes, blocks, warps and instructions", "5",
                     &arguments->limit),
        OPTION_THREADS(&arguments->threads),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "A [B]",
        .help =
            "Find where two runs at depth timing part.\v"
            "A and B are machines; without B it is the machine A with --change, or on the workload "
            "of --against. Both run to their ends, and every event of one is held against that of "
            "the other in its place. Exit status: 0 the runs are equal, 1 they differ, 2 "
            "an error, 75 stopped.",
        .operand = {.name = "machine",
                    .value = "MACHINE",
                    .help = "expected a machine, for example gtx480",
                    .read = option_list,
                    .slot = &arguments->machines}};
    options_parse(&line, argc, argv);
    if (arguments->machines.count > RUNS_COMPARED)
        usage_error("expected two machines at most");
    if (arguments->machines.count == 1 && !arguments->changes.count && !arguments->workloads[RUN_B])
        usage_error("nothing to compare %s with: expected a second machine, --change PATH=VALUE or "
                    "--against WORKLOAD",
                    arguments->machines.items[RUN_A]);
    for (int i = 0; i < RUNS_COMPARED; i++)
        options_name_format(&arguments->workloads[i], arguments->format_in);
    arguments->limit = limit_meant(arguments->limit, ROWS_USUAL, arguments->format);
}

/* The settings of both, and those of B alone. STATUS_MEMORY. */
static enum status diff_settings(const struct diff_arguments *arguments, int run,
                                 struct options_list *settings)
{
    const struct options_list *const lists[] = {&arguments->settings, &arguments->changes};
    *settings = (struct options_list){0};
    for (int i = 0; i <= run; i++)
        for (size_t k = 0; k < lists[i]->count; k++) {
            if (array_reserve(&settings->items, &settings->capacity, settings->count + 1))
                return STATUS_MEMORY;
            settings->items[settings->count++] = lists[i]->items[k];
        }
    return STATUS_OK;
}

static enum status diff_open(const struct diff_arguments *arguments, int run,
                             struct timed_run runs[RUNS_COMPARED], struct diagnostics *diagnostics)
{
    const char *machine = arguments->machines.items[arguments->machines.count > 1 ? run : RUN_A];
    const char *workload = arguments->workloads[run];
    struct options_list settings;
    enum status status = diff_settings(arguments, run, &settings);
    if (!workload && run == RUN_B)
        workload = arguments->workloads[RUN_A] ? arguments->workloads[RUN_A]
                                               : runs[RUN_A].explored.workload;
    if (!status)
        status = timed_run_open(machine, workload, &settings, arguments->assumed, NULL, &runs[run],
                                diagnostics);
    options_list_free(&settings);
    return status;
}

static enum status diff_compare(const struct diff_arguments *arguments,
                                const struct timed_run runs[RUNS_COMPARED], bool *equal,
                                struct diagnostics *diagnostics)
{
    const struct compared_run compared[RUNS_COMPARED] = {
        {&runs[RUN_A].machine, runs[RUN_A].source}, {&runs[RUN_B].machine, runs[RUN_B].source}};
    const struct evaluate_options how = timed_run_options(&runs[RUN_A], arguments->threads);
    struct run_difference difference;
    enum status status = run_difference_find(compared, &how, &difference, diagnostics);
    progress_end();
    if (!status) {
        const struct difference_report report = {
            .names = {runs[RUN_A].name, runs[RUN_B].name},
            .sources = {runs[RUN_A].source, runs[RUN_B].source},
            .difference = &difference,
            .limit = arguments->limit};
        status = difference_report_print(&report, arguments->format, stdout);
        *equal = difference.equal;
    }
    run_difference_free(&difference);
    return status;
}

int command_diff(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct diff_arguments arguments = {.limit = LIMIT_UNSAID};
    struct timed_run runs[RUNS_COMPARED] = {{.source = NULL}};
    bool equal = false;
    cmd_diff_parse(argc, argv, &arguments);
    enum status status = STATUS_OK;
    for (int i = 0; !status && i < RUNS_COMPARED; i++)
        status = diff_open(&arguments, i, runs, &diagnostics);
    if (!status)
        status = diff_compare(&arguments, runs, &equal, &diagnostics);
    for (int i = 0; i < RUNS_COMPARED; i++)
        timed_run_close(&runs[i]);
    options_list_free(&arguments.machines);
    options_list_free(&arguments.settings);
    options_list_free(&arguments.changes);
    if (command_finish(status, &diagnostics))
        return status == STATUS_CANCELLED ? 75 : EXIT_FAILED;
    return equal ? EXIT_EQUAL : EXIT_DIFFERENT;
}
