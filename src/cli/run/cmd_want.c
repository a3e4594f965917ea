/* warpscape want: the cheapest machine that satisfies a wish, or the best within a budget, found by
 * exact runs (explore/wishes/wish_search.h), with what proves it. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_stream.h"
#include "cli/shared/command.h"
#include "cli/shared/machine_argument.h"
#include "cli/shared/options.h"
#include "explore/sweep/axis_values.h"
#include "explore/wishes/wish_search.h"
#include "model/evaluate.h"
#include "report/runs/wish_report.h"
#include "workload/workload.h"

enum { WANT_ROWS = 5 };

struct want_arguments {
    const char *machine, *wish, *format_in, *cache;
    struct options_list workloads, settings, axes;
    enum table_format format;
    unsigned depth;
    int threads;
    uint64_t points, limit;
    double time_limit;
    bool no_cache;
};

/* The first operand is the machine, the second one the wish. */
static void read_operand(const struct option_row *row, const char *text)
{
    struct want_arguments *arguments = row->slot;
    if (arguments->wish)
        usage_error("expected a machine and a wish, then '%s'", text);
    *(arguments->machine ? &arguments->wish : &arguments->machine) = text;
}

static void cmd_want_parse(int argc, char **argv, struct want_arguments *arguments)
{
    const struct option_row options[] = {
        {"workload", 'w', "NAME|FILE",
         "program, recipe or trace to run; may be repeated: then conditions must hold on each, and "
         "values are geometric means " EXPLORED_HELP,
         option_list, &arguments->workloads, NULL},
        OPTION_FORMAT_IN(&arguments->format_in),
        OPTION_SET(&arguments->settings),
        {"over", 0, "PATH[=VALUES],...",
         "the axes: l1d.size=16KiB..64KiB,l1d.ways; without values those around the machine's own; "
         "may be repeated (default: the levers that matter)",
         option_list, &arguments->axes, NULL},
        OPTION_FORMAT(&arguments->format),
        {"depth", 0, "DEPTH",
         DEPTH_HELP "default: timing, or the first that counts what is asked for", option_index,
         &arguments->depth, depth_words},
        {"points", 0, "COUNT",
         "try at most this many machines; 0: as many as the proof takes (default: 1000)",
         option_count, &arguments->points, NULL},
        OPTION_LIMIT("at most this many machines that satisfy it", "5", &arguments->limit),
        OPTION_TIME_LIMIT(&arguments->time_limit),
        OPTIONS_CACHE("with sweeps", &arguments->cache, &arguments->no_cache),
        OPTION_THREADS(&arguments->threads),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "MACHINE WISH",
        .help =
            "Ask backwards: the cheapest machine that satisfies a wish, or the best in a budget.\v"
            "WISH is conditions over parameters and metrics, and one min or max of a metric: "
            "'core.ipc >= 1 min total.area', 'max core.ipc with total.area <= 20'. Machines that "
            "the axes span are run until it is proved that none is better. What has run is "
            "remembered in the stage cache, so a command that was stopped goes on where it ended. "
            "Exit status 75: stopped early, with what was found until then.",
        .operand = {.name = "machine",
                    .value = "MACHINE",
                    .help = "expected a machine and a wish, such as 'core.ipc >= 1 min total.area'",
                    .read = read_operand,
                    .slot = arguments}};
    options_parse(&line, argc, argv);
    if (!arguments->wish)
        usage_error("expected a wish after %s, such as 'core.ipc >= 1 min total.area'",
                    arguments->machine);
    for (size_t i = 0; i < arguments->workloads.count; i++)
        options_name_format(&arguments->workloads.items[i], arguments->format_in);
    if (arguments->format_in && !arguments->workloads.count)
        usage_error("--format-in is the format of --workload");
    if (arguments->cache && arguments->no_cache)
        usage_error("either --cache or --no-cache");
    arguments->limit = limit_meant(arguments->limit, WANT_ROWS, arguments->format);
}

/* `workload`: where the command names none. */
static enum status make_study(const struct want_arguments *arguments, const struct machine *machine,
                              const char *workload, struct study *study,
                              struct diagnostics *diagnostics)
{
    const struct options_list *named = &arguments->workloads;
    const size_t count = named->count ? named->count : 1;
    *study = (struct study){.machine = *machine, .depth = (enum depth)arguments->depth};
    study->name = strdup("want");
    study->machine_name = strdup(arguments->machine);
    study->workloads = calloc(count, sizeof *study->workloads);
    if (!study->name || !study->machine_name || !study->workloads)
        return STATUS_MEMORY;
    for (; study->workload_count < count; study->workload_count++) {
        const char *name = named->count ? named->items[study->workload_count] : workload;
        if (!(study->workloads[study->workload_count] = strdup(name)))
            return STATUS_MEMORY;
    }
    enum status status = STATUS_OK;
    for (size_t i = 0; i < arguments->axes.count && !status; i++)
        status = axes_parse(arguments->axes.items[i], "--over", study, diagnostics);
    return status;
}

/* "GEMM, ATAX"; malloc'ed, NULL: no memory. */
static char *source_names(struct trace_source *const *sources, size_t count)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    for (size_t w = 0; out && w < count; w++)
        fprintf(out, "%s%s", w ? ", " : "", sources[w]->name);
    return out ? text_stream_take(&stream) : NULL;
}

/* Looks, and prints what was found, also of a search that was cut short. */
static enum status want_search(const struct want_arguments *arguments, const struct wish *wish,
                               struct study *study, struct trace_source *const *sources,
                               const struct wish_options *options, struct diagnostics *diagnostics)
{
    struct wish_result result;
    char *name = machine_argument_text(arguments->machine, &arguments->settings);
    char *command = machine_argument_command(arguments->machine, &arguments->settings,
                                             study->workloads[0], study->depth),
         *text = wish_print(wish), *names = source_names(sources, study->workload_count);
    enum status status = STATUS_MEMORY;
    if (name && command && text && names) {
        status = wish_search(wish, study, sources, options, &result, diagnostics);
        progress_end();
        const struct wish_report report = {.machine_name = name,
                                           .workload = names,
                                           .command = command,
                                           .wish = text,
                                           .result = &result,
                                           .complete = !status,
                                           .limit = arguments->limit};
        if (result.tried || !status) {
            const enum status printed = wish_report_print(&report, arguments->format, stdout);
            status = printed ? printed : status;
        }
        wish_result_free(&result);
    }
    free(name);
    free(command);
    free(text);
    free(names);
    return status;
}

static enum status want_with(const struct want_arguments *arguments, const struct wish *wish,
                             struct study *study, struct trace_source *const *sources,
                             struct diagnostics *diagnostics)
{
    char *own = arguments->cache || arguments->no_cache ? NULL : stage_cache_path();
    const char *path = arguments->cache ? arguments->cache : own;
    assert(sources[0]); /* a study has a workload */
    struct wish_options options = {.threads = threads_meant(arguments->threads),
                                   .points = arguments->points,
                                   .time_limit = arguments->time_limit,
                                   .cancel = interrupt_flag(),
                                   .progress = progress_show,
                                   .argument = sources[0]->name};
    /* Without a file in memory, for what runs prove of each other. */
    enum status status = stage_cache_open(path, STAGE_CACHE_BYTES, &options.cache, diagnostics);
    if (!status)
        status = want_search(arguments, wish, study, sources, &options, diagnostics);
    stage_cache_close(options.cache, diagnostics);
    free(own);
    return status;
}

/* Timing where it counts all that the wish names, or the first depth that does. */
static enum depth want_depth(const char *text)
{
    for (int i = -1; i < DEPTH_COUNT; i++) {
        const enum depth depth = i < 0 ? DEPTH_TIMING : (enum depth)i;
        struct wish wish;
        const bool counted = !wish_parse(text, depth, &wish, NULL);
        wish_free(&wish);
        if (counted)
            return depth;
    }
    return DEPTH_TIMING;
}

static enum status want_all(struct want_arguments *arguments, struct diagnostics *diagnostics)
{
    struct machine machine;
    struct exploration explored;
    struct wish wish;
    struct study study = {0};
    if (arguments->depth == DEPTH_COUNT)
        arguments->depth = want_depth(arguments->wish);
    const enum depth depth = (enum depth)arguments->depth;
    const enum status loaded =
        machine_argument_open(arguments->machine, &arguments->settings, &arguments->depth,
                              &explored, &machine, diagnostics);
    const enum status parsed = wish_parse(arguments->wish, depth, &wish, diagnostics);
    enum status status = loaded ? loaded : parsed;
    if (!loaded) {
        const enum status made =
            make_study(arguments, &machine, explored.workload, &study, diagnostics);
        status = status ? status : made;
    }
    const size_t count = study.workload_count; /* the result of the search takes the study */
    struct trace_source **sources = calloc(count + 1, sizeof *sources);
    for (size_t w = 0; sources && w < count; w++) {
        enum status opened = workload_open(study.workloads[w], &sources[w], diagnostics);
        if (!opened)
            opened = evaluate_check(sources[w], depth, diagnostics);
        status = status ? status : opened;
    }
    if (!status)
        status =
            sources ? want_with(arguments, &wish, &study, sources, diagnostics) : STATUS_MEMORY;
    for (size_t w = 0; sources && w < count; w++)
        trace_source_free(sources[w]);
    free(sources);
    study_free(&study);
    wish_free(&wish);
    return status;
}

int command_want(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct want_arguments arguments = {
        .depth = DEPTH_COUNT, .limit = LIMIT_UNSAID, .points = WISH_POINTS};
    cmd_want_parse(argc, argv, &arguments);
    const enum status status = want_all(&arguments, &diagnostics);
    options_list_free(&arguments.workloads);
    options_list_free(&arguments.settings);
    options_list_free(&arguments.axes);
    return command_finish(status, &diagnostics);
}
