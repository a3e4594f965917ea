/* warpscape run: evaluates one machine on one workload and prints all metrics, or with --curve,
 * --histogram, --by-pc, --by-launch, --by-warp, --by-block, --timeline, --chart or --trace-steps
 * one other view of the same run (run.h). With --baseline two machines are evaluated, in one pass
 * if both issue the same stream; several machines stand side by side (run_machines.c).
 */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"
#include "cli/shared/command.h"
#include "cli/shared/machine_argument.h"
#include "cli/shared/options.h"
#include "config/machine_file.h"
#include "explore/explain/explain.h"
#include "model/sample.h"
#include "model/timing/base/timing_log.h"
#include "model/timing/tile_events.h"
#include "report/runs/event_export.h"
#include "report/runs/memory_chart.h"
#include "trace/assumed.h"

/* How many walks --trace-steps prints by default, and at most; and intervals of --timeline. */
enum { STEPS = 20, STEPS_MAX = 1000000, INTERVALS = 60 };

static void read_needs(const struct option_row *row, const char *text)
{
    static const unsigned needs[] = {NEED_REPORT, 0, NEED_ALL};
    unsigned word;
    struct option_row chosen = *row;
    chosen.slot = &word;
    option_index(&chosen, text);
    *(unsigned *)row->slot = needs[word];
}

static void read_opt(const struct option_row *row, const char *text)
{
    (void)text;
    *(unsigned *)row->slot = NEED_ALL;
}

/* A number from 1 to `most`; `fallback` if there is none. */
static uint64_t run_read_number(const struct option_row *row, const char *text, uint64_t fallback,
                                uint64_t most)
{
    char *end;
    unsigned long long count = text ? strtoull(text, &end, 10) : fallback;
    if (text && (!isdigit((unsigned char)*text) || *end || !count || count > most))
        usage_error("--%s: expected a number from 1 to %d, got '%s'", row->name, (int)most, text);
    return count;
}

static void read_steps(const struct option_row *row, const char *text)
{
    *(uint64_t *)row->slot = run_read_number(row, text, STEPS, STEPS_MAX);
}

static void read_intervals(const struct option_row *row, const char *text)
{
    *(uint32_t *)row->slot = (uint32_t)run_read_number(row, text, INTERVALS, INTERVALS_MAX);
}

/* Options that show something else than metrics, and what a depth needs for them. */
static void check_views(const struct run_arguments *arguments)
{
    const struct {
        const char *name;
        bool asked;
        unsigned trait;  /* of the depth */
        const char *why; /* other depths lack it */
    } views[] = {{"--histogram", arguments->histogram, DEPTH_DISTANCES, ""},
                 {"--by-pc", arguments->by_pc, 0, ""},
                 {"--by-launch", arguments->by_launch, DEPTH_LAUNCHES,
                  ": at depth reuse each SM goes through all launches before the next one does, so "
                  "none is counted alone"},
                 {"--by-warp", arguments->by_warp, DEPTH_TIMED, ""},
                 {"--by-block", arguments->by_block, DEPTH_TIMED, ""},
                 {"--timeline", arguments->intervals, DEPTH_TIMED, ""},
                 {"--chart", arguments->chart != RUN_CHART_NONE, 0, ""},
                 {"--report", arguments->report, 0, ""}};
    char depths[DEPTH_NAMES];
    const char *first = NULL;
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        if (!views[i].asked)
            continue;
        if (arguments->curve || arguments->baseline || arguments->share > 0 || arguments->steps)
            usage_error("%s goes with none of --curve, --baseline, --sample and --trace-steps",
                        views[i].name);
        if (views[i].trait && !depth_can(arguments->depth, views[i].trait))
            usage_error("%s needs --depth %s%s", views[i].name, depths_with(views[i].trait, depths),
                        views[i].why);
        const bool both = arguments->histogram && arguments->by_pc;
        if (first && !(both && arguments->format == TABLE_TEXT))
            usage_error("%s and %s are two tables: ask for one at a time", first, views[i].name);
        first = views[i].name;
    }
}

/* Several machines have their metrics compared, and nothing else. */
static void check_machines(const struct run_arguments *arguments)
{
    const struct options_list *machines = &arguments->machines;
    if (machines->count < 2)
        return;
    if (arguments->baseline || arguments->curve || arguments->share > 0 || arguments->steps ||
        arguments->histogram || arguments->by_pc || arguments->by_launch || arguments->by_warp ||
        arguments->by_block || arguments->intervals || arguments->report ||
        arguments->chart != RUN_CHART_NONE || arguments->exports.count)
        usage_error("'%s' is a second machine: several show their metrics side by side, and no "
                    "other view",
                    machines->items[1]);
    for (size_t i = 1; i < machines->count; i++)
        for (size_t k = 0; k < i; k++)
            if (!strcmp(machines->items[i], machines->items[k]))
                usage_error("'%s' is named twice", machines->items[i]);
}

/* Refuses options that exclude each other. */
static void check_usage(const struct run_arguments *arguments)
{
    const bool sample = arguments->share > 0, whole = arguments->depth != DEPTH_FUNCTIONAL;
    char depths[DEPTH_NAMES];
    if (arguments->metric && !arguments->curve)
        usage_error("--metric is the metric of --curve");
    if (arguments->curve && (arguments->baseline || sample))
        usage_error("--curve goes with neither --baseline nor --sample");
    if (sample && !depth_can(arguments->depth, DEPTH_SAMPLED))
        usage_error("depth %s cannot be sampled: --sample needs --depth %s",
                    depth_name(arguments->depth), depths_with(DEPTH_SAMPLED, depths));
    if (arguments->steps && (arguments->curve || arguments->baseline || sample || whole))
        usage_error("--trace-steps is of depth functional, and goes with none of --curve, "
                    "--baseline and --sample");
    if (arguments->exports.count &&
        (!depth_can(arguments->depth, DEPTH_TIMED) || sample || arguments->curve ||
         arguments->baseline || arguments->by_pc || arguments->by_launch || arguments->by_warp ||
         arguments->by_block || arguments->intervals || arguments->report))
        usage_error("--export is for depth timing, beside the metrics alone");
    if (arguments->assumed != ASSUMED_NOTHING && !depth_can(arguments->depth, DEPTH_TIMED))
        usage_error("--assume is for --depth timing: only there instructions wait for each other");
    if (arguments->chart != RUN_CHART_NONE && arguments->format != TABLE_TEXT)
        usage_error("--chart is a picture for people: -f %s has its numbers without it",
                    table_format_names[arguments->format]);
    if (arguments->chart == RUN_CHART_GAINS && !ideal_none(arguments->ideals))
        usage_error("--chart gains leaves limits out itself: it goes without --ideal");
    if (arguments->chart == RUN_CHART_GAINS && arguments->exports.count)
        usage_error("--chart gains is of many runs: --export is of one");
    if (arguments->why && !arguments->report)
        usage_error("--why is for --report");
    if (arguments->why && (!ideal_none(arguments->ideals) || arguments->start_delay))
        usage_error("--why explains the machine itself: it goes without --ideal and --start-delay");
    check_views(arguments);
    check_machines(arguments);
}

static void cmd_run_parse(int argc, char **argv, struct run_arguments *arguments)
{
    static const char *const needs[] = {"classes", "fast", "all", NULL};
    static const char *const charts[] = {"memory", "gains", NULL};
    unsigned depth = DEPTH_COUNT;
    const struct option_row options[] = {
        {"workload", 'w', "NAME|FILE", "program, recipe or trace to run " EXPLORED_HELP,
         option_once, &arguments->workload, NULL},
        OPTION_FORMAT_IN(&arguments->format_in),
        OPTION_SET(&arguments->settings),
        OPTION_FORMAT(&arguments->format),
        {"depth", 0, "DEPTH", DEPTH_HELP EXPLORED_DEPTH_HELP, option_index, &depth, depth_words},
        {"sample", 0, "SHARE", "estimate from about this share of the blocks (\"5%\"), with errors",
         option_share, &arguments->share, NULL},
        {"baseline", 0, "MACHINE", "compare with this machine", option_text, &arguments->baseline,
         NULL},
        {"ideal", 0, "IDEAL,...",
         "take these limits out of the machine, or all (warpscape ideals lists them)", option_once,
         &arguments->ideal, NULL},
        {"start-delay", 0, "CYCLES",
         "begin the first launch later (depth timing), which should change nothing: what it does "
         "change is noise",
         option_count, &arguments->start_delay, NULL},
        {"needs", 0, "WHAT",
         "classes (default): miss classes too; fast: neither these nor opt; all: both", read_needs,
         &arguments->needs, needs},
        {"opt", 0, NULL, "Belady's optimum too, as --needs all", read_opt, &arguments->needs, NULL},
        {"curve", 0, "PARAMETER[=LOW..HIGH]",
         "a metric over the legal values of a parameter, as a chart and a table", option_text,
         &arguments->curve, NULL},
        {"metric", 0, "METRIC", "the metric of --curve (default: a rate that PARAMETER decides)",
         option_text, &arguments->metric, NULL},
        {"histogram", 0, NULL, "reuse distances of L1D accesses instead of metrics (depth reuse)",
         option_flag, &arguments->histogram, NULL},
        {"by-pc", 0, NULL,
         "the instructions with the most L1D misses instead of metrics; at depth timing those with "
         "the most stall cycles",
         option_flag, &arguments->by_pc, NULL},
        {"by-launch", 0, NULL,
         "one row per launch instead of metrics (depths functional and timing)", option_flag,
         &arguments->by_launch, NULL},
        {"by-warp", 0, NULL,
         "one row per warp of the grid: instructions issued, L1I and L1D hits, stall cycles (depth "
         "timing)",
         option_flag, &arguments->by_warp, NULL},
        {"by-block", 0, NULL, "one row per thread block, with the same (depth timing)", option_flag,
         &arguments->by_block, NULL},
        {"timeline", 0, "COUNT",
         "the run over time, in this many intervals (60), instead of metrics (depth timing)",
         read_intervals, &arguments->intervals, option_may_miss},
        {"chart", 0, "WHAT",
         "draw the run instead: memory (what the hierarchy is made of, with its numbers), gains "
         "(and what leaving out the limits of each part saves: some hundred runs)",
         option_index, &arguments->chart, charts},
        {"report", 0, "FILE",
         "write a document, FILE.html or FILE.md, instead: metrics and, at depth timing, cycles "
         "over time, launches and instructions",
         option_text, &arguments->report, NULL},
        {"why", 0, NULL,
         "of the report: explain the run, too, as `warpscape explain` does (some hundred runs)",
         option_flag, &arguments->why, NULL},
        {"export", 0, "FORMAT=FILE",
         "depth timing: also write what happens in the run, for other programs (formats: below); "
         "may be repeated",
         option_list, &arguments->exports, NULL},
        OPTION_FORCE("the report, and exports", &arguments->force),
        OPTION_ASSUME(&arguments->assumed),
        {"trace-steps", 0, "COUNT",
         "the first page walks (20) instead of the report, with the page-walk cache after each",
         read_steps, &arguments->steps, option_may_miss},
        OPTION_THREADS(&arguments->threads),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "[MACHINE...]",
        .help =
            "Evaluate machines on one workload.\v"
            "MACHINE is a YAML file or the name of a machine that comes with the program "
            "(default: gtx480). Several stand side by side, each with every --set; with --baseline "
            "there is only one. Parameters, metrics and workloads are explained by `warpscape "
            "params`, `warpscape metrics` and `warpscape workloads`.",
        .more = event_exports_list,
        .operand = {.name = "machine",
                    .value = "MACHINE",
                    .read = option_list,
                    .slot = &arguments->machines}};
    options_parse(&line, argc, argv);
    options_name_format(&arguments->workload, arguments->format_in);
    arguments->machine = arguments->machines.count ? arguments->machines.items[0] : "gtx480";
    arguments->depth = (enum depth)depth;
}

struct results {
    struct metrics metrics, error, baseline;
    bool exact; /* everything was simulated: there is no sampling error */
};

struct evaluate_options run_evaluate_options(const struct run_arguments *arguments,
                                             const struct run *run)
{
    return (struct evaluate_options){.depth = arguments->depth,
                                     .ideals = arguments->ideals,
                                     .start_delay = (uint32_t)arguments->start_delay,
                                     .needs = arguments->needs,
                                     .progress = progress_show,
                                     .argument = run->source->name,
                                     .threads = threads_meant(arguments->threads),
                                     .cancel = interrupt_flag()};
}

enum status run_evaluate(const struct machine *const *machines, size_t count,
                         const struct trace_source *source, const struct evaluate_options *how,
                         struct metrics *metrics, size_t *done, struct diagnostics *diagnostics)
{
    bool one_pass = count > 1;
    enum status status = STATUS_OK;
    *done = 0;
    for (size_t i = 1; i < count; i++)
        one_pass = one_pass && machine_same(machines[0], machines[i], STAGE_STREAM);
    if (one_pass) {
        status = evaluate_many(machines, count, source, how, metrics, diagnostics);
        *done = status ? 0 : count;
    }
    while (!status && *done < count) {
        status = evaluate(machines[*done], source, how, &metrics[*done], diagnostics);
        *done += !status;
    }
    return status;
}

/* Evaluates the machine and the baseline, if there is one. */
static enum status evaluate_both(const struct run_arguments *arguments, const struct run *run,
                                 const struct machine *baseline, const struct event_watch *events,
                                 struct results *results, struct diagnostics *diagnostics)
{
    struct evaluate_options how = run_evaluate_options(arguments, run);
    how.events = events;
    const struct machine *const machines[] = {&run->machine, baseline};
    struct metrics *const places[] = {&results->metrics, &results->baseline};
    const size_t count = baseline ? 2 : 1;
    if (arguments->share > 0) {
        struct metrics unused;
        bool also_exact; /* depends on the source alone */
        enum status status = STATUS_OK;
        for (size_t i = 0; i < count && !status; i++)
            status = evaluate_sampled(machines[i], run->source, arguments->share, &how, places[i],
                                      i ? &unused : &results->error,
                                      i ? &also_exact : &results->exact, diagnostics);
        return status;
    }
    struct metrics both[2] = {{0}};
    size_t done;
    results->exact = true;
    const enum status status =
        run_evaluate(machines, count, run->source, &how, both, &done, diagnostics);
    results->metrics = both[0];
    results->baseline = both[1];
    return status;
}

void run_notes(const struct run_arguments *arguments, const struct run *run,
               const struct metrics *metrics, struct run_notes *notes)
{
    notes->count = 0;
    if (*run->assumption)
        notes->items[notes->count++] = run->assumption;
    notes->count +=
        evaluate_notes(&run->machine, arguments->depth, notes->items + notes->count, DEPTH_NOTES);
    const size_t spaces =
        metrics ? evaluate_counted_notes(&run->machine, arguments->depth, metrics, notes->spaces)
                : 0;
    for (size_t i = 0; i < spaces; i++)
        notes->items[notes->count++] = notes->spaces[i];
}

struct metrics_report run_metrics_report(const struct run_arguments *arguments,
                                         const struct run *run, const struct metrics *metrics,
                                         const struct run_notes *notes)
{
    return (struct metrics_report){.machine = &run->machine,
                                   .machine_name = run->machine_name,
                                   .depth = arguments->depth,
                                   .ideals = arguments->ideals,
                                   .workload = run->source->name,
                                   .workload_origin = run->source->provenance,
                                   .workload_digest = run->source->digest,
                                   .metrics = metrics,
                                   .notes = notes->items,
                                   .note_count = notes->count,
                                   .glyphs = options_glyphs()};
}

/* `explanation` may be NULL. */
static enum status print_memory(const struct metrics *metrics,
                                const struct explanation *explanation)
{
    const struct memory_chart chart = {.metrics = metrics,
                                       .ladder = explanation ? &explanation->ladder : NULL,
                                       .explained = explanation ? explanation->metric : NULL,
                                       .glyphs = options_glyphs(),
                                       .selected = -1};
    return memory_chart_print(&chart, run_columns(), stdout);
}

/* Explains the run, and draws what there is of that, also where it was cut short. */
static enum status report_gains(const struct run_arguments *arguments, const struct run *run,
                                struct diagnostics *diagnostics)
{
    struct explanation explanation;
    const struct explain_options options = {.depth = arguments->depth,
                                            .parts = EXPLAIN_LADDER,
                                            .threads = threads_meant(arguments->threads),
                                            .cancel = interrupt_flag(),
                                            .progress = progress_show,
                                            .argument = run->source->name};
    enum status status = explain(&run->machine, run->source, &options, &explanation, diagnostics);
    progress_end();
    if (explanation.metric && (!status || status == STATUS_CANCELLED)) {
        const enum status printed = print_memory(&explanation.base, &explanation);
        status = printed ? printed : status;
        if (!explanation.ladder.complete)
            puts("Stopped early: not every limit was left out alone and beside others.");
    }
    explanation_free(&explanation);
    return status;
}

static enum status report_metrics(const struct run_arguments *arguments, const struct run *run,
                                  struct diagnostics *diagnostics)
{
    struct results results = {.exact = true};
    struct machine baseline;
    struct run_notes notes;
    struct event_exports exports = {0};
    enum status status = STATUS_OK;
    if (arguments->chart == RUN_CHART_GAINS)
        return report_gains(arguments, run, diagnostics);
    if (arguments->baseline)
        status = machine_load(arguments->baseline, NULL, &baseline, NULL, diagnostics);
    if (!status && arguments->baseline)
        (void)machine_argument_warn_slow(&baseline, arguments->depth);
    if (!status)
        status = event_exports_open(&exports, arguments->exports.items, arguments->exports.count,
                                    arguments->force, &run->machine, run->source, diagnostics);
    if (!status)
        status = evaluate_both(arguments, run, arguments->baseline ? &baseline : NULL,
                               exports.count ? &exports.watch : NULL, &results, diagnostics);
    if (!status && exports.count && run->source->tiles)
        status = tile_events_watch(&run->machine, run->source->tiles, &exports.watch,
                                   interrupt_flag(), diagnostics);
    status = event_exports_close(&exports, status, diagnostics);
    progress_end();
    if (status)
        return status;
    if (arguments->chart == RUN_CHART_MEMORY)
        return print_memory(&results.metrics, NULL);
    run_notes(arguments, run, &results.metrics, &notes);
    char whole[SAMPLE_WHOLE_TEXT];
    if (arguments->share > 0 && results.exact) {
        sample_whole_note(&run->machine, run->source, arguments->depth, whole);
        notes.items[notes.count++] = whole;
    }
    struct metrics_report report = run_metrics_report(arguments, run, &results.metrics, &notes);
    report.error = results.exact ? NULL : &results.error;
    report.baseline = arguments->baseline ? &results.baseline : NULL;
    metrics_compare(&results.metrics, report.baseline, arguments->depth);
    return metrics_report_print(&report, arguments->format, stdout);
}

/* Gives a source that knows its records only the instructions that --assume says. */
static enum status assume(const struct run_arguments *arguments, struct run *run,
                          struct diagnostics *diagnostics)
{
    if (arguments->assumed == ASSUMED_NOTHING)
        return STATUS_OK;
    const struct choice *choice = &assumed_table[arguments->assumed];
    if (trace_source_timed(run->source)) {
        diagnostics_add(diagnostics, SEVERITY_NOTE, NULL,
                        "%s knows its instructions: --assume changes nothing", run->source->name);
        return STATUS_OK;
    }
    snprintf(run->assumption, sizeof run->assumption,
             "the instructions between accesses are assumed to be %s (--assume): %s", choice->name,
             choice->help);
    return trace_source_replace_assumed(&run->source, (enum assumed_dependences)arguments->assumed,
                                        diagnostics);
}

/* A scene is requests of tiles: nothing was launched, and no warp executes anything. */
static enum status check_scene(const struct run_arguments *arguments, const struct run *run,
                               struct diagnostics *diagnostics)
{
    const char *const asked = arguments->by_pc       ? "--by-pc"
                              : arguments->by_launch ? "--by-launch"
                              : arguments->by_warp   ? "--by-warp"
                              : arguments->by_block  ? "--by-block"
                                                     : NULL;
    if (!asked || !run->source->tiles)
        return STATUS_OK;
    return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                             "%s: %s is a scene, which has no launches, warps and instructions; "
                             "--timeline and 'warpscape tile' show where its cycles go",
                             asked, run->source->name);
}

static enum status show(const struct run_arguments *arguments, const struct run *run,
                        struct diagnostics *diagnostics)
{
    if (arguments->machines.count > 1)
        return run_machines(arguments, run, diagnostics);
    if (arguments->histogram || arguments->by_pc)
        return run_detail(arguments, run, diagnostics);
    if (arguments->by_launch || arguments->by_warp || arguments->by_block || arguments->intervals)
        return run_timing(arguments, run, diagnostics);
    if (arguments->report)
        return run_report(arguments, run, diagnostics);
    if (arguments->steps)
        return run_steps(arguments, run, diagnostics);
    if (arguments->curve)
        return run_curve(arguments, run, diagnostics);
    return report_metrics(arguments, run, diagnostics);
}

/* Reads --ideal; every view names the machine, and what it lacks with it. */
static enum status take_ideals(struct run_arguments *arguments, struct run *run,
                               struct diagnostics *diagnostics)
{
    char names[IDEAL_TEXT], *whole = NULL;
    if (!arguments->ideal || !run->machine_name)
        return STATUS_OK;
    const enum status status =
        ideal_parse(arguments->ideal, arguments->depth, &arguments->ideals, diagnostics);
    if (status)
        return status;
    if (asprintf(&whole, "%s, ideal %s", run->machine_name, ideal_print(arguments->ideals, names)) <
        0)
        return STATUS_MEMORY;
    free(run->machine_name);
    run->machine_name = whole;
    return STATUS_OK;
}

/* Reads --start-delay; every view names it with the machine. */
static enum status take_delay(const struct run_arguments *arguments, struct run *run,
                              struct diagnostics *diagnostics)
{
    char *whole = NULL;
    if (!arguments->start_delay || !run->machine_name)
        return STATUS_OK;
    if (!depth_can(arguments->depth, DEPTH_TIMED) || arguments->share > 0 ||
        arguments->start_delay > UINT32_MAX)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "--start-delay is for whole runs at depth timing, at most %" PRIu32
                                 " cycles",
                                 UINT32_MAX);
    if (asprintf(&whole, "%s, begun %" PRIu64 " cycles later", run->machine_name,
                 arguments->start_delay) < 0)
        return STATUS_MEMORY;
    free(run->machine_name);
    run->machine_name = whole;
    return STATUS_OK;
}

/* Opens machine and workload and reports. Warnings of the workload come first. */
static enum status run_all(struct run_arguments *arguments, struct diagnostics *diagnostics)
{
    struct run run = {.machine_name =
                          machine_argument_text(arguments->machine, &arguments->settings)};
    unsigned depth = arguments->depth;
    enum status status = machine_argument_open(arguments->machine, &arguments->settings, &depth,
                                               &arguments->explored, &run.machine, diagnostics);
    arguments->depth = (enum depth)depth;
    if (!arguments->workload)
        arguments->workload = arguments->explored.workload;
    check_usage(arguments);
    status = run.machine_name ? status : STATUS_MEMORY;
    /* Open the workload even if the machine is wrong, so that the user sees both errors at once. */
    const enum status opened = workload_open(arguments->workload, &run.source, diagnostics);
    status = status ? status : opened;
    const enum status idealised = take_ideals(arguments, &run, diagnostics);
    status = status ? status : idealised;
    const enum status delayed = take_delay(arguments, &run, diagnostics);
    status = status ? status : delayed;
    if (!status)
        status = check_scene(arguments, &run, diagnostics);
    if (!status)
        status = assume(arguments, &run, diagnostics);
    if (!status) {
        diagnostics_print(diagnostics, stderr);
        diagnostics_free(diagnostics);
        status = show(arguments, &run, diagnostics);
    }
    trace_source_free(run.source);
    free(run.machine_name);
    return status;
}

int command_run(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct run_arguments arguments = {.needs = NEED_REPORT, .chart = RUN_CHART_NONE};
    cmd_run_parse(argc, argv, &arguments);
    enum status status = run_all(&arguments, &diagnostics);
    options_list_free(&arguments.machines);
    options_list_free(&arguments.settings);
    options_list_free(&arguments.exports);
    return command_finish(status, &diagnostics);
}
