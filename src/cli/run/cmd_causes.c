/* warpscape causes: the critical path of a timed run, by part of the cycle stack and by
 * instruction, and what had to happen before an event (model/timing/run_causes.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/timed_run.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "model/evaluate.h"
#include "report/runs/causes_report.h"
#include "trace/assumed.h"

enum { ROWS_USUAL = 10 };

struct causes_arguments {
    const char *machine, *workload, *format_in, *event, *memory, *address;
    struct options_list settings;
    enum table_format format;
    uint64_t limit, launch, from, sm, warp;
    bool limits;
    unsigned assumed; /* enum assumed_dependences */
    int threads;
};

static void cmd_causes_parse(int argc, char **argv, struct causes_arguments *arguments)
{
    const struct option_row options[] = {
        {"workload", 'w', "NAME|FILE", "program, recipe or trace " EXPLORED_HELP, option_once,
         &arguments->workload, NULL},
        {"launch", 0, "NUMBER", "of this launch alone, from 0 (default: all)", option_count,
         &arguments->launch, NULL},
        {"event", 0, "EVENT[*TIMES]",
         "the path to this event (as of warpscape step) and its cone, instead of the paths to the "
         "ends of launches",
         option_text, &arguments->event, NULL},
        {"from", 0, "CYCLE", "the event is the first one from this cycle on (default: 0)",
         option_count, &arguments->from, NULL},
        {"sm", 0, "SM", "an event of this SM", option_count, &arguments->sm, NULL},
        {"warp", 0, "SLOT", "an event of the warps in this slot", option_count, &arguments->warp,
         NULL},
        {"address", 0, "ADDRESS", "an event that concerns this byte", option_text,
         &arguments->address, NULL},
        {"limits", 0, NULL,
         "run without each limit on the path as well (run --ideal): what that saves, and whether "
         "it is what the path says",
         option_flag, &arguments->limits, NULL},
        {"memory", 0, "BYTES", "memory for the events of a launch (default: 1GiB)", option_text,
         &arguments->memory, NULL},
        OPTION_FORMAT_IN(&arguments->format_in),
        OPTION_SET(&arguments->settings),
        OPTION_ASSUME(&arguments->assumed),
        OPTION_FORMAT(&arguments->format),
        OPTION_LIMIT("at most this many rows of each table", "10", &arguments->limit),
        OPTION_THREADS(&arguments->threads),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "[MACHINE]",
        .help = "Find the critical path of a run at depth timing.\v"
                "From the end of each launch, or from an event, back to the start: each step of "
                "the path is the cause that came last. Its cycles are counted under the names of "
                "the cycle stack; they add up to those of the launches.",
        .operand = OPERAND_MACHINE(&arguments->machine)};
    options_parse(&line, argc, argv);
    options_name_format(&arguments->workload, arguments->format_in);
    arguments->limit = limit_meant(arguments->limit, ROWS_USUAL, arguments->format);
}

/* ---- what is asked for ---- */

static enum status read_event(const struct causes_arguments *arguments, struct causes_wish *wish,
                              struct diagnostics *diagnostics)
{
    const char *star = strchr(arguments->event, '*');
    const size_t length = star ? (size_t)(star - arguments->event) : strlen(arguments->event);
    char hint[SUGGESTION_TEXT], *end = NULL;
    wish->any = true;
    wish->event.kinds = event_kinds_named(arguments->event, length);
    if (star)
        wish->times = strtoull(star + 1, &end, 10);
    if (wish->event.kinds && wish->times && (!star || (end != star + 1 && !*end)))
        return STATUS_OK;
    return diagnostics_error(
        diagnostics, STATUS_INVALID, "--event: expected EVENT or EVENT*TIMES, got '%.60s'%s",
        arguments->event, event_suggestion(arguments->event, wish->event.kinds ? 0 : length, hint));
}

static enum status read_wish(const struct causes_arguments *arguments, const struct timed_run *run,
                             struct causes_wish *wish, struct diagnostics *diagnostics)
{
    uint64_t bytes = CAUSES_MEMORY;
    enum status status = STATUS_OK;
    *wish = (struct causes_wish){.launch = CAUSES_ALL, .times = 1, .from = arguments->from};
    if (arguments->event)
        status = read_event(arguments, wish, diagnostics);
    if (!status && arguments->launch != UINT64_MAX &&
        arguments->launch >= run->source->launch_count)
        status = diagnostics_error(diagnostics, STATUS_INVALID,
                                   "--launch: this workload has launches 0 to %u",
                                   run->source->launch_count - 1);
    if (!status && arguments->launch != UINT64_MAX)
        wish->launch = (uint32_t)arguments->launch;
    if (!status)
        status = timed_run_narrow(arguments->sm, arguments->warp, arguments->address, &wish->event,
                                  diagnostics);
    if (!status)
        status = timed_run_memory(arguments->memory, &bytes, diagnostics);
    wish->memory = bytes;
    return status;
}

/* ---- the runs ---- */

/* Runs without each limit that the path has cycles for. */
static enum status run_without(const struct timed_run *run, const struct evaluate_options *how,
                               const struct run_causes *found, double without[CAUSE_USES],
                               double *whole, struct diagnostics *diagnostics)
{
    struct evaluate_options options = *how;
    struct metrics metrics;
    enum status status = evaluate(&run->machine, run->source, &options, &metrics, diagnostics);
    *whole = metrics.core_cycles;
    for (unsigned i = 0; i < CAUSE_USES; i++) {
        without[i] = NAN;
        if (status || !found->uses[i] || cause_uses[i].ideal == IDEAL_COUNT)
            continue;
        options.ideals = (struct ideal_set){{0}};
        ideal_add(&options.ideals, cause_uses[i].ideal);
        status = evaluate(&run->machine, run->source, &options, &metrics, diagnostics);
        without[i] = metrics.core_cycles;
    }
    return status;
}

static enum status causes_run(const struct causes_arguments *arguments, const struct timed_run *run,
                              struct diagnostics *diagnostics)
{
    const struct evaluate_options how = timed_run_options(run, arguments->threads);
    double without[CAUSE_USES];
    struct causes_report report = {.name = run->name,
                                   .source = run->source,
                                   .of_event = arguments->event,
                                   .without = arguments->limits ? without : NULL,
                                   .limit = arguments->limit};
    struct run_causes found = {0};
    struct causes_wish wish;
    enum status status = read_wish(arguments, run, &wish, diagnostics);
    if (!status)
        status = run_causes_find(&run->machine, run->source, &how, &wish, &found, diagnostics);
    if (!status && arguments->limits)
        status = run_without(run, &how, &found, without, &report.whole, diagnostics);
    progress_end();
    report.run = &found;
    if (!status && !found.found)
        status = diagnostics_error(diagnostics, STATUS_NOT_FOUND, "--event %.60s: no such event",
                                   arguments->event ? arguments->event : "launch_end");
    if (!status)
        status = causes_report_print(&report, arguments->format, stdout);
    run_causes_free(&found);
    return status;
}

int command_causes(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct causes_arguments arguments = {
        .limit = LIMIT_UNSAID, .launch = UINT64_MAX, .sm = UINT64_MAX, .warp = UINT64_MAX};
    struct timed_run run;
    cmd_causes_parse(argc, argv, &arguments);
    if (arguments.limits && (arguments.event || arguments.launch != UINT64_MAX))
        usage_error("--limits is of whole runs: not with --event or --launch");
    enum status status =
        timed_run_open(arguments.machine ? arguments.machine : "gtx480", arguments.workload,
                       &arguments.settings, arguments.assumed,
                       ", which no SM runs: warpscape step goes through it", &run, &diagnostics);
    if (!status)
        status = causes_run(&arguments, &run, &diagnostics);
    timed_run_close(&run);
    options_list_free(&arguments.settings);
    return command_finish(status, &diagnostics);
}
