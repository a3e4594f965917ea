/* warpscape explain: why a number of a run is what it is, and which levers change it. */
#include <stdlib.h>

#include "base/text_ends.h"
#include "base/text_stream.h"
#include "cli/run/profile_run.h"
#include "cli/shared/command.h"
#include "cli/shared/machine_argument.h"
#include "cli/shared/options.h"
#include "cli/shared/output.h"
#include "explore/explain/blaming.h"
#include "report/runs/explain_report.h"
#include "trace/array_file.h"
#include "workload/workload.h"

enum { ROWS_USUAL = 10, WHAT_BLAME = 3 /* of --what */ };

struct explain_arguments {
    const char *machine, *workload, *format_in, *metric, *cache, *arrays, *profile, *report;
    struct options_list settings, knobs;
    struct exploration explored; /* what the machine's file names */
    const char *kernel, *output;
    unsigned launches;
    uint64_t launch;
    enum table_format format;
    unsigned depth, what;
    int threads;
    double time_limit;
    uint64_t limit;
    bool no_cache, force;
};

static void cmd_explain_parse(int argc, char **argv, struct explain_arguments *arguments)
{
    static const char *const whats[] = {"all", "ladder", "levers", "blame", NULL};
    const struct option_row options[] = {
        {"workload", 'w', "NAME|FILE", "program, recipe or trace to run " EXPLORED_HELP,
         option_once, &arguments->workload, NULL},
        OPTION_FORMAT_IN(&arguments->format_in),
        OPTION_SET(&arguments->settings),
        OPTION_FORMAT(&arguments->format),
        {"depth", 0, "DEPTH", DEPTH_HELP "default: timing, which has the most limits to take out",
         option_index, &arguments->depth, depth_words},
        {"metric", 0, "METRIC", "what to explain (default: core.time, or misses without time)",
         option_text, &arguments->metric, NULL},
        {"what", 0, "WHAT",
         "all (default: ladder and levers), ladder (limits taken out), levers, or blame (what "
         "misses, by array, instruction, launch and set)",
         option_index, &arguments->what, whats},
        {"profile", 0, "FILE",
         "what ncu, nvprof or nsys printed (as for warpscape silicon): each counter beside ours, "
         "and "
         "which parameter, or variant of the program, explains the difference",
         option_text, &arguments->profile, NULL},
        PROFILE_OPTIONS(&arguments->kernel, &arguments->launch, &arguments->launches),
        {"fit", 0, "PARAMETER[=VALUES]",
         "of a profile: sweep these parameters together (with commas between; a..b, a list, all; "
         "default: values around the machine's own) and show the machine whose counters lie "
         "nearest; may be repeated",
         option_list, &arguments->knobs, NULL},
        {"output", 'o', "FILE", "write the machine of the fit as YAML", option_text,
         &arguments->output, NULL},
        {"arrays", 0, "FILE",
         "arrays for --what blame: lines NAME ADDRESS BYTES (default: the program's own, or "
         "regions that are accessed)",
         option_text, &arguments->arrays, NULL},
        OPTION_LIMIT("at most this many rows of each table", "10", &arguments->limit),
        {"report", 0, "FILE",
         "write a document, FILE.html or FILE.md, instead, with the memory chart", option_text,
         &arguments->report, NULL},
        OPTION_FORCE("the report, or FILE", &arguments->force),
        OPTION_TIME_LIMIT(&arguments->time_limit),
        OPTIONS_CACHE("with sweeps", &arguments->cache, &arguments->no_cache),
        OPTION_THREADS(&arguments->threads),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "[MACHINE]",
        .help =
            "Explain a number of a run by experiments: what limits it, and what each lever of the "
            "machine changes.\v"
            "Limits (`warpscape ideals`) are taken out of the machine, each alone and then one "
            "after the other down to a machine without any. Levers (parameters that an architect "
            "chooses: `warpscape params`) are run at half and double and at every choice of their "
            "families, and the best ones in pairs. \"saves\" is the exact change of the metric; "
            "the "
            "command that is printed, with --ideal and a limit, or -s and what stands under "
            "\"set\", repeats it. Exit status 75: stopped early, with what was found until then.",
        .operand = OPERAND_MACHINE(&arguments->machine)};
    options_parse(&line, argc, argv);
    if (arguments->arrays && arguments->what != WHAT_BLAME)
        usage_error("--arrays is for --what blame");
    options_name_format(&arguments->workload, arguments->format_in);
    if (!arguments->profile &&
        (arguments->kernel || arguments->launch || arguments->launches || arguments->knobs.count))
        usage_error("--kernel, --launch, --launches and --fit are for --profile");
    if (arguments->output && !arguments->knobs.count)
        usage_error("--output is for --fit");
    if (arguments->report && (arguments->profile || arguments->format != TABLE_TEXT))
        usage_error("--report goes without %s", arguments->profile ? "--profile" : "--format");
    if (arguments->cache && arguments->no_cache)
        usage_error("either --cache or --no-cache");
    arguments->limit = limit_meant(arguments->limit, ROWS_USUAL, arguments->format);
}

static enum status find_explained(const struct explain_arguments *arguments,
                                  const struct metric **metric, struct diagnostics *diagnostics)
{
    char hint[SUGGESTION_TEXT];
    *metric = arguments->metric ? metric_find(arguments->metric) : NULL;
    if (!arguments->metric || *metric)
        return STATUS_OK;
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "unknown metric '%s'%s",
                             arguments->metric,
                             suggestion(metric_nearest(arguments->metric), hint));
}

/* What an explanation is of, for people. */
struct explained {
    const char *machine, *workload, *command;
};

/* Writes the document, made in memory first, so that a full disk leaves the old file in place. */
static enum status write_report(const struct explain_arguments *arguments,
                                const struct explain_report *report,
                                struct diagnostics *diagnostics)
{
    struct text_stream stream;
    char *text = NULL;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return STATUS_MEMORY;
    enum status status = explain_report_page(
        report, text_ends(arguments->report, ".md") ? PAGE_MARKDOWN : PAGE_HTML, out);
    status = text_stream_finish(&stream, status, &text);
    if (!status)
        status = output_write(arguments->report, text, arguments->force, diagnostics);
    free(text);
    return status;
}

/* Explains, blames if that is asked for, and prints, also what there is of an explanation that was
 * cut short. */
static enum status explain_with(const struct explain_arguments *arguments,
                                const struct machine *machine, const struct trace_source *source,
                                const struct trace_array *arrays, size_t array_count,
                                const struct explain_options *options,
                                const struct explained *explained, struct diagnostics *diagnostics)
{
    const bool blames = arguments->what == WHAT_BLAME;
    struct explanation explanation;
    struct blaming blaming = {0};
    enum status status = explain(machine, source, options, &explanation, diagnostics);
    if (!status && blames)
        status = blaming_find(machine, source, arrays, array_count, options, &explanation, &blaming,
                              diagnostics);
    progress_end();
    if (explanation.metric && (!status || status == STATUS_CANCELLED)) {
        const struct explain_report report = {.machine_name = explained->machine,
                                              .depth = options->depth,
                                              .workload = explained->workload,
                                              .command = explained->command,
                                              .explanation = &explanation,
                                              .blaming = blames ? &blaming : NULL,
                                              .limit = arguments->limit,
                                              .glyphs = options_glyphs()};
        const enum status printed = arguments->report
                                        ? write_report(arguments, &report, diagnostics)
                                        : explain_report_print(&report, arguments->format, stdout);
        status = printed ? printed : status;
    }
    blaming_free(&blaming);
    explanation_free(&explanation);
    return status;
}

static enum status explain_run(const struct explain_arguments *arguments,
                               const struct machine *machine, const struct trace_source *source,
                               const char *name, const char *command,
                               struct diagnostics *diagnostics)
{
    struct trace_array *arrays = NULL;
    size_t array_count = 0;
    char *own = arguments->cache || arguments->no_cache ? NULL : stage_cache_path();
    const char *path = arguments->cache ? arguments->cache : own;
    static const unsigned parts[] = {EXPLAIN_LADDER | EXPLAIN_LEVERS, EXPLAIN_LADDER,
                                     EXPLAIN_LEVERS, 0};
    struct explain_options options = {.depth = (enum depth)arguments->depth,
                                      .parts = parts[arguments->what],
                                      .threads = threads_meant(arguments->threads),
                                      .time_limit = arguments->time_limit,
                                      .cancel = interrupt_flag(),
                                      .progress = progress_show,
                                      .argument = source->name};
    enum status status = find_explained(arguments, &options.metric, diagnostics);
    if (!status)
        status = evaluate_check(source, options.depth, diagnostics);
    if (!status && arguments->report)
        status = output_check(arguments->report, arguments->force, diagnostics);
    if (!status && arguments->arrays)
        status = array_file_read(arguments->arrays, &arrays, &array_count, diagnostics);
    if (!status && path)
        status = stage_cache_open(path, STAGE_CACHE_BYTES, &options.cache, diagnostics);
    if (!status) {
        const struct explained explained = {name, source->name, command};
        status = explain_with(arguments, machine, source, arrays, array_count, &options, &explained,
                              diagnostics);
    }
    free(own);
    array_file_free(arrays, array_count);
    stage_cache_close(options.cache, diagnostics);
    return status;
}

static enum status explain_profile(const struct explain_arguments *arguments,
                                   struct diagnostics *diagnostics)
{
    const struct profile_arguments profile = {
        .profile = arguments->profile,
        .machine = arguments->machine,
        .workload = arguments->workload ? arguments->workload : kind_workloads[KIND_COMPUTE],
        .kernel = arguments->kernel,
        .launch = arguments->launch,
        .pairing = (enum pairing_way)arguments->launches,
        .settings = arguments->settings,
        .knobs = arguments->knobs,
        .causes = !arguments->knobs.count,
        .output = arguments->output,
        .force = arguments->force,
        .depth = (enum depth)arguments->depth,
        .format = arguments->format,
        .table = arguments->knobs.count ? PROFILE_FIT : PROFILE_CAUSES,
        .threads = arguments->threads};
    return profile_run(&profile, diagnostics);
}

static enum status explain_all(struct explain_arguments *arguments, struct diagnostics *diagnostics)
{
    struct machine machine;
    struct trace_source *source = NULL;
    char *name = machine_argument_text(arguments->machine, &arguments->settings), *command = NULL;
    enum status status =
        machine_argument_open(arguments->machine, &arguments->settings, &arguments->depth,
                              &arguments->explored, &machine, diagnostics);
    status = name ? status : STATUS_MEMORY;
    if (!arguments->workload)
        arguments->workload = arguments->explored.workload;
    const enum status opened = workload_open(arguments->workload, &source, diagnostics);
    status = status ? status : opened;
    if (!status)
        status =
            (command = machine_argument_command(arguments->machine, &arguments->settings,
                                                arguments->workload, (enum depth)arguments->depth))
                ? STATUS_OK
                : STATUS_MEMORY;
    if (!status)
        status = explain_run(arguments, &machine, source, name, command, diagnostics);
    trace_source_free(source);
    free(command);
    free(name);
    return status;
}

int command_explain(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct explain_arguments arguments = {.depth = DEPTH_TIMING, .limit = LIMIT_UNSAID};
    cmd_explain_parse(argc, argv, &arguments);
    if (!arguments.machine)
        arguments.machine = "gtx480";
    const enum status status = arguments.profile ? explain_profile(&arguments, &diagnostics)
                                                 : explain_all(&arguments, &diagnostics);
    options_list_free(&arguments.settings);
    options_list_free(&arguments.knobs);
    return command_finish(status, &diagnostics);
}
