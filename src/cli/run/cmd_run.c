/* warpscape run: one machine, one workload, all metrics; or the curve of one parameter. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"
#include "cli/shared/command.h"
#include "cli/shared/machine_argument.h"
#include "cli/shared/options.h"
#include "config/machine_file.h"
#include "report/metrics_report.h"

enum {
    OPTION_SAMPLE = 256,
    OPTION_BASELINE,
    OPTION_NEEDS,
    OPTION_OPT,
    OPTION_CURVE,
    OPTION_DEPTH,
    OPTION_HISTOGRAM,
    OPTION_BY_PC,
    OPTION_STEPS
};

/* Walks that --trace-steps prints unless told, and at most. */
enum { STEPS = 20, STEPS_MAX = 1000000 };

static const struct argp_option options[] = {
    {"workload", 'w', "NAME|FILE", 0, "program, recipe or trace to run (default: 2DCONV)", 0},
    {"set", 's', "PATH=VALUE", 0, "change a parameter; may be repeated", 0},
    {"format", 'f', "FORMAT", 0, "table (default), csv, json or md", 0},
    {"depth", OPTION_DEPTH, "DEPTH", 0,
     "functional (default), or reuse: latencies, lines in flight and MSHRs of the L1D", 0},
    {"sample", OPTION_SAMPLE, "SHARE", 0,
     "estimate from about this share of the blocks (\"5%\"), with errors", 0},
    {"baseline", OPTION_BASELINE, "MACHINE", 0, "compare with this machine", 0},
    {"needs", OPTION_NEEDS, "WHAT", 0,
     "classes (default): miss classes too; fast: neither these nor opt; all: both", 0},
    {"opt", OPTION_OPT, NULL, 0, "miss rates of Belady's optimum too, as --needs all", 0},
    {"curve", OPTION_CURVE, "PARAMETER[=LOW..HIGH]", 0,
     "a metric over the legal values of a parameter, as a chart and a table", 0},
    {"metric", 'm', "METRIC", 0, "the metric of --curve (default: a rate that PARAMETER decides)",
     0},
    {"histogram", OPTION_HISTOGRAM, NULL, 0,
     "reuse distances of the L1D's accesses instead of metrics (depth reuse)", 0},
    {"by-pc", OPTION_BY_PC, NULL, 0, "the instructions with the most L1D misses instead of metrics",
     0},
    {"trace-steps", OPTION_STEPS, "COUNT", OPTION_ARG_OPTIONAL,
     "instead of the report the first page walks (20), and what the page-walk cache holds after "
     "each",
     0},
    {"threads", 'j', "COUNT", 0, "threads for --curve; 0: all (default)", 0},
    {0}};

static unsigned parse_needs(struct argp_state *state, const char *text)
{
    static const char *const names[] = {"classes", "fast", "all", NULL};
    const char *name = options_choice(state, "needs", text, names);
    return name == names[0] ? NEED_REPORT : name == names[1] ? 0 : NEED_ALL;
}

static enum depth parse_depth(struct argp_state *state, const char *text)
{
    static const char *const names[] = {"functional", "reuse", NULL};
    return options_choice(state, "depth", text, names) == names[1] ? DEPTH_REUSE : DEPTH_FUNCTIONAL;
}

static uint64_t parse_steps(struct argp_state *state, const char *text)
{
    char *end;
    unsigned long long count = text ? strtoull(text, &end, 10) : STEPS;
    if (text && (!isdigit((unsigned char)*text) || *end || !count || count > STEPS_MAX))
        argp_error(state, "--trace-steps: expected a number from 1 to %d, got '%s'", STEPS_MAX,
                   text);
    return count;
}

static void check_detail(struct argp_state *state, const struct run_arguments *arguments)
{
    const char *asked = arguments->histogram ? "--histogram" : "--by-pc";
    if (!arguments->histogram && !arguments->by_pc)
        return;
    if (arguments->curve || arguments->baseline || arguments->share > 0 || arguments->steps)
        argp_error(state, "%s goes with none of --curve, --baseline, --sample and --trace-steps",
                   asked);
    if (arguments->histogram && arguments->depth != DEPTH_REUSE)
        argp_error(state, "--histogram needs --depth reuse");
    if (arguments->histogram && arguments->by_pc && arguments->format != TABLE_TEXT)
        argp_error(state, "--histogram and --by-pc are two tables: ask for one at a time");
}

/* Options that exclude each other. */
static void check_usage(struct argp_state *state, const struct run_arguments *arguments)
{
    bool reuse = arguments->depth == DEPTH_REUSE, sample = arguments->share > 0;
    if (arguments->metric && !arguments->curve)
        argp_error(state, "--metric is the metric of --curve");
    if (arguments->curve && (arguments->baseline || sample))
        argp_error(state, "--curve goes with neither --baseline nor --sample");
    if (reuse && sample)
        argp_error(state, "--depth reuse cannot be sampled");
    if (arguments->steps && (arguments->curve || arguments->baseline || sample || reuse ||
                             arguments->format != TABLE_TEXT))
        argp_error(state, "--trace-steps goes with none of --curve, --baseline, --sample, --depth "
                          "and --format");
    check_detail(state, arguments);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct run_arguments *arguments = state->input;
    switch (key) {
    case 'w':
        arguments->workload = text;
        return 0;
    case 's':
        return options_append(&arguments->settings, text);
    case 'f':
        arguments->format = options_format(state, text);
        return 0;
    case 'm':
        arguments->metric = text;
        return 0;
    case 'j':
        arguments->threads = options_threads(state, text);
        return 0;
    case OPTION_SAMPLE:
        arguments->share = options_share(state, "sample", text);
        return 0;
    case OPTION_BASELINE:
        arguments->baseline = text;
        return 0;
    case OPTION_DEPTH:
        arguments->depth = parse_depth(state, text);
        return 0;
    case OPTION_NEEDS:
        arguments->needs = parse_needs(state, text);
        return 0;
    case OPTION_OPT:
        arguments->needs = NEED_ALL;
        return 0;
    case OPTION_HISTOGRAM:
        arguments->histogram = true;
        return 0;
    case OPTION_BY_PC:
        arguments->by_pc = true;
        return 0;
    case OPTION_CURVE:
        arguments->curve = text;
        return 0;
    case ARGP_KEY_ARG:
        options_take(state, &arguments->machine, text, "machine");
        return 0;
    case OPTION_STEPS:
        arguments->steps = parse_steps(state, text);
        return 0;
    case ARGP_KEY_END:
        check_usage(state, arguments);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "[MACHINE]",
    "Evaluate one machine on one workload.\v"
    "MACHINE is a YAML file or the name of a machine that comes with the program (default: "
    "gtx480). Parameters, metrics and workloads are explained by `warpscape params`, `warpscape "
    "metrics` and `warpscape workloads`.",
    NULL,
    NULL,
    NULL};

struct results {
    struct metrics metrics, error, baseline;
    bool exact; /* nothing was sampled: no error */
};

/* The machine and, where it is given, the baseline: in one pass where both issue the same stream.
 */
static enum status evaluate_both(const struct run_arguments *arguments, const struct run *run,
                                 const struct machine *baseline, struct results *results,
                                 struct diagnostics *diagnostics)
{
    const struct evaluate_options how = {.depth = arguments->depth,
                                         .needs = arguments->needs,
                                         .progress = progress_show,
                                         .argument = run->source->name,
                                         .cancel = interrupt_flag()};
    const struct machine *const machines[] = {&run->machine, baseline};
    struct metrics *const places[] = {&results->metrics, &results->baseline};
    const size_t count = baseline ? 2 : 1;
    if (arguments->share > 0) {
        struct metrics unused;
        bool also_exact; /* the size of the source decides, so it is as the first one */
        enum status status = STATUS_OK;
        for (size_t i = 0; i < count && !status; i++)
            status = evaluate_sampled(machines[i], run->source, arguments->share, &how, places[i],
                                      i ? &unused : &results->error,
                                      i ? &also_exact : &results->exact, diagnostics);
        return status;
    }
    results->exact = true;
    if (count == 2 && machine_same(machines[0], machines[1], STAGE_STREAM)) {
        struct metrics both[2];
        enum status status = evaluate_many(machines, 2, run->source, &how, both, diagnostics);
        results->metrics = both[0];
        results->baseline = both[1];
        return status;
    }
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = evaluate(machines[i], run->source, &how, places[i], diagnostics);
    return status;
}

static enum status report_metrics(const struct run_arguments *arguments, const struct run *run,
                                  struct diagnostics *diagnostics)
{
    struct results results;
    struct machine baseline;
    const char *notes[8];
    enum status status = STATUS_OK;
    if (arguments->baseline)
        status = machine_load(arguments->baseline, NULL, &baseline, NULL, diagnostics);
    if (!status)
        status = evaluate_both(arguments, run, arguments->baseline ? &baseline : NULL, &results,
                               diagnostics);
    progress_end();
    if (status)
        return status;
    const struct metrics_report report = {
        .machine = &run->machine,
        .machine_name = run->machine_name,
        .depth = arguments->depth,
        .workload = run->source->name,
        .workload_origin = run->source->provenance,
        .workload_digest = run->source->digest,
        .metrics = &results.metrics,
        .error = results.exact ? NULL : &results.error,
        .baseline = arguments->baseline ? &results.baseline : NULL,
        .notes = notes,
        .note_count =
            evaluate_notes(&run->machine, arguments->depth, notes, sizeof notes / sizeof *notes)};
    return metrics_report_print(&report, arguments->format, stdout);
}

/* Opens what the arguments name and reports. What the workload warns of is said first. */
static enum status run_all(const struct run_arguments *arguments, struct diagnostics *diagnostics)
{
    struct run run = {.machine_name =
                          machine_argument_text(arguments->machine, &arguments->settings)};
    enum status status = run.machine_name ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        status = machine_argument_load(arguments->machine, &arguments->settings, &run.machine,
                                       diagnostics);
    /* A wrong workload is worth knowing even where the machine is wrong too. */
    enum status opened = workload_open(arguments->workload, &run.source, diagnostics);
    status = status ? status : opened;
    if (!status) {
        diagnostics_print(diagnostics, stderr);
        diagnostics_free(diagnostics);
        if (arguments->histogram || arguments->by_pc)
            status = run_detail(arguments, &run, diagnostics);
        else if (arguments->steps)
            status = run_steps(arguments, &run, diagnostics);
        else if (arguments->curve)
            status = run_curve(arguments, &run, diagnostics);
        else
            status = report_metrics(arguments, &run, diagnostics);
    }
    trace_source_free(run.source);
    free(run.machine_name);
    return status;
}

int command_run(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct run_arguments arguments = {.workload = "2DCONV", .needs = NEED_REPORT};
    options_parse(&argp, argc, argv, &arguments);
    if (!arguments.machine)
        arguments.machine = "gtx480";
    enum status status = run_all(&arguments, &diagnostics);
    options_list_free(&arguments.settings);
    return command_finish(status, &diagnostics);
}
