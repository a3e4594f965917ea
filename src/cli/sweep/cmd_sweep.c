/* warpscape sweep: prints the plan of a study, runs it, and prints the result. The same command
 * resumes a stopped sweep: points that are in the store are not evaluated again. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "cli/results/report_file.h"
#include "cli/shared/command.h"
#include "cli/shared/machine_argument.h"
#include "cli/shared/options.h"
#include "cli/shared/output.h"
#include "cli/sweep/search_options.h"
#include "cli/sweep/sweep_display.h"
#include "cli/sweep/sweep_explain.h"
#include "cli/sweep/sweep_result.h"
#include "config/machine_file.h"
#include "config/study_file.h"
#include "explore/plan/stage_cache.h"
#include "explore/space/budget.h"
#include "explore/sweep/sweep.h"

enum { SHARDS_MAX = 100000 };

struct sweep_arguments {
    struct search_arguments search;
    const char *study, *store, *report;
    const char *cache;
    int threads;
    bool dry_run, plain, summary, explain, no_cache, force;
    enum table_format format;
    double verify; /* share of the points to check; 0: none */
    double time_limit;
    uint64_t memory_limit;
    unsigned shard, shards;
    struct options_list take, settings, workloads; /* `workloads` replace those of the study */
};

/* Parses "3/8": shard 3 of 8. */
static void read_shard(const struct option_row *row, const char *text)
{
    struct sweep_arguments *arguments = row->slot;
    char *end;
    unsigned long shard = strtoul(text, &end, 10);
    unsigned long shards = *end == '/' ? strtoul(end + 1, &end, 10) : 0;
    if (*end || !shard || shard > shards || shards > SHARDS_MAX)
        usage_error("--shard: expected a share like 3/8, of at most %d, got '%s'", SHARDS_MAX,
                    text);
    arguments->shard = (unsigned)shard;
    arguments->shards = (unsigned)shards;
}

static void read_memory(const struct option_row *row, const char *text)
{
    uint64_t *limit = row->slot;
    if (quantity_parse_uint(text, UNIT_BYTES, limit) || !*limit)
        usage_error("--memory-limit: expected a size like 8GiB, got '%s'", text);
}

static void cmd_sweep_parse(int argc, char **argv, struct sweep_arguments *arguments)
{
    const char *format_in = NULL;
    const struct option_row options[] = {
        {"store", 'o', "FILE", "where results go (default: the study's name + .db, here)",
         option_text, &arguments->store, NULL},
        OPTION_THREADS(&arguments->threads),
        {"dry-run", 0, NULL, "print what would be done and the predicted time; do nothing",
         option_flag, &arguments->dry_run, NULL},
        {"explain", 0, NULL,
         "print the plan, stage by stage: settings, what the cache has, predicted time; do nothing",
         option_flag, &arguments->explain, NULL},
        {"format", 'f', "FORMAT",
         "table (default), csv, json or md; after a run the best point of each objective",
         option_format, &arguments->format, table_format_names},
        {"verify", 0, "SHARE",
         "afterwards evaluate a random share of the points (\"1%\", rounded up) one by one and "
         "compare",
         option_share, &arguments->verify, NULL},
        OPTIONS_CACHE("by studies", &arguments->cache, &arguments->no_cache),
        {"set", 's', "PATH=VALUE", "change a parameter of the study's machine; may be repeated",
         option_list, &arguments->settings, NULL},
        {"workload", 'w', "NAME|FILE",
         "program, recipe or trace instead of the study's workloads; may be repeated", option_list,
         &arguments->workloads, NULL},
        OPTION_FORMAT_IN(&format_in),
        {"plain", 0, NULL, "print progress line by line instead of redrawing one line", option_flag,
         &arguments->plain, NULL},
        {"time-limit", 0, "TIME", "time limit, for example 8h or 1h30m", option_duration,
         &arguments->time_limit, NULL},
        {"memory-limit", 0, "SIZE", "memory limit, for example 8GiB", read_memory,
         &arguments->memory_limit, NULL},
        {"shard", 0, "I/N", "only shard I of N of the points, for one of N computers", read_shard,
         arguments, NULL},
        {"take", 0, "FILE", "first import the points of a store of the same study; may be repeated",
         option_list, &arguments->take, NULL},
        {"summary", 0, NULL,
         "keep only the front, the best points and averages over each axis (always beyond 10^7 "
         "points)",
         option_flag, &arguments->summary, NULL},
        {"report", 0, "FILE", "write a report at the end: FILE.html or FILE.md", option_text,
         &arguments->report, NULL},
        OPTION_FORCE("the report", &arguments->force),
        OPTIONS_SEARCH(&arguments->search),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "STUDY",
        .help = "Run a study over a design space, or resume one that was stopped.\v"
                "STUDY is a YAML file or the name of a study that comes with the program, such as "
                "quick. Results are kept as they come: after Ctrl-C, a kill or a power cut the "
                "same command goes on where it stopped, and ends with the same results. Exit "
                "status 75: stopped, can be resumed.",
        .operand = OPERAND_STUDY(&arguments->study)};
    options_parse(&line, argc, argv);
    for (size_t i = 0; i < arguments->workloads.count; i++)
        options_name_format(&arguments->workloads.items[i], format_in);
    if (format_in && !arguments->workloads.count)
        usage_error("--format-in is the format of --workload");
    if (arguments->cache && arguments->no_cache)
        usage_error("either --cache or --no-cache");
}

static enum status apply_settings(const struct sweep_arguments *arguments, struct study *study,
                                  struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < arguments->settings.count; i++) {
        const char *setting = arguments->settings.items[i];
        size_t length = strcspn(setting, "=");
        for (size_t a = 0; a < study->axis_count; a++) {
            const char *path = study->axes[a].parameter->path;
            if (strlen(path) == length && !strncmp(path, setting, length))
                status = diagnostics_error(diagnostics, STATUS_INVALID,
                                           "--set %s: the study has an axis over it", setting);
        }
        enum status set = machine_set_text(&study->machine, setting, diagnostics);
        status = status ? status : set;
    }
    return status;
}

static enum status verify(const struct sweep_arguments *arguments, const struct study *study,
                          struct sweep_options *how, struct diagnostics *diagnostics)
{
    struct sweep_verification result;
    char checked[COUNT_TEXT];
    printf("verifying %.3g%% of the points one by one\n", arguments->verify * 100);
    fflush(stdout); /* what follows may take long */
    struct sweep_display display;
    enum status status = sweep_display_open(&display, study, NULL, arguments->plain, diagnostics);
    if (status)
        return status;
    how->argument = &display;
    status = sweep_verify(study, how, arguments->verify, &result, diagnostics);
    sweep_display_end(&display, NULL, status, diagnostics);
    if (!status)
        printf("verified: %s evaluated alone, every value is the same\n",
               counted_print(result.checked, "point", checked));
    else if (status == STATUS_CANCELLED)
        printf("stopped while verifying: %s evaluated alone; the sweep is complete\n",
               counted_print(result.checked, "point", checked));
    return status;
}

/* Prints the plan, alone or before a run. Before a run its warnings are dropped but for those of
 * the setup: the run repeats the others. */
static enum status show_plan(const struct sweep_arguments *arguments, const struct study *study,
                             const struct sweep_options *how, struct sweep_plan *plan,
                             struct diagnostics *diagnostics)
{
    struct diagnostics found = DIAGNOSTICS_INIT;
    enum status status = sweep_plan(study, how, plan, &found);
    diagnostics_move(diagnostics, &plan->opened);
    if (status || arguments->explain || arguments->dry_run)
        diagnostics_move(diagnostics, &found);
    diagnostics_free(&found);
    if (status == STATUS_CANCELLED)
        fprintf(stderr,
                "stopped while planning: nothing was added to %s; the same command begins again\n",
                how->store);
    if (status)
        return status;
    const bool programs = arguments->format != TABLE_TEXT;
    if (arguments->dry_run && !arguments->explain && programs)
        return sweep_plan_write(study, plan, how->store, arguments->format, stdout);
    if (!programs)
        sweep_plan_print(study, plan, how->store);
    if (arguments->explain)
        status = sweep_explain(study, plan, arguments->format, stdout);
    return status;
}

/* A study without a legal machine is wrong: report that instead of running it for no results. */
static enum status check_legal(const struct sweep_plan *plan, bool runs,
                               struct diagnostics *diagnostics)
{
    const struct census *census = &plan->setup.census;
    const struct removal *most = census->removals;
    char removed[COUNT_TEXT], machines[COUNT_TEXT];
    if (!census->bitmap || census->legal)
        return STATUS_OK;
    for (size_t i = 1; i < census->removal_count; i++)
        if (census->removals[i].machines > most->machines)
            most = &census->removals[i];
    diagnostics_add(diagnostics, runs ? SEVERITY_ERROR : SEVERITY_WARNING, NULL,
                    "no machine of the space is legal: %s %s removes %s of %s", most->kind,
                    most->what, count_print(most->machines, removed),
                    counted_print(plan->machines, "machine", machines));
    return runs ? STATUS_INVALID : STATUS_OK;
}

static enum status perform(struct sweep_options *how, const struct study *study, bool plain,
                           enum table_format format, struct sweep_progress *progress,
                           struct diagnostics *diagnostics)
{
    struct sweep_display display;
    enum status status = sweep_display_open(&display, study, how->store, plain, diagnostics);
    if (status)
        return status;
    how->argument = &display;
    status = sweep_run(study, how, progress, diagnostics);
    sweep_display_end(&display, progress, status, diagnostics);
    if (!status)
        status = sweep_result_print(progress, how->store, format, diagnostics);
    if (!status && !progress->done && !how->shards) /* the space is too large for a census */
        status = diagnostics_error(diagnostics, STATUS_INVALID, "no legal machine was found");
    return status;
}

/* Writes the report of a sweep that is complete or was stopped by a limit: after a night there is
 * something to read. A user who stops a sweep by hand does not want to wait for a report. */
static enum status write_report(const struct sweep_arguments *arguments, const char *store,
                                const struct sweep_progress *progress, enum status status,
                                struct diagnostics *diagnostics)
{
    const bool limited = status == STATUS_CANCELLED && (progress->stop == SWEEP_TIME_LIMIT ||
                                                        progress->stop == SWEEP_MEMORY_LIMIT);
    if (!arguments->report || (status && !limited))
        return status;
    enum status written = report_file_write(store, arguments->report, NULL, diagnostics);
    if (!written)
        printf("report: %s\n", arguments->report);
    return status ? status : written;
}

static enum status check_places(const struct sweep_arguments *arguments, const char *store,
                                struct diagnostics *diagnostics)
{
    enum status status = output_check_store(store, diagnostics);
    enum status report = output_check(arguments->report, arguments->force, diagnostics);
    return status ? status : report;
}

/* Warns of the first machine that one axis makes slow. */
static void warn_slow(const struct study *study)
{
    bool warned = machine_argument_warn_slow(&study->machine, study->depth);
    for (size_t i = 0; i < study->axis_count; i++)
        for (size_t k = 0; k < study->axes[i].count && !warned; k++) {
            struct machine machine = study->machine;
            parameter_set(study->axes[i].parameter, &machine, study->axes[i].values[k]);
            warned = machine_argument_warn_slow(&machine, study->depth);
        }
}

static enum status run_study(const struct sweep_arguments *arguments, const struct study *study,
                             const char *store, const char *cache, struct diagnostics *diagnostics)
{
    struct sweep_options how = {.store = store,
                                .cache = cache,
                                .threads = arguments->threads,
                                .cancel = interrupt_flag(),
                                .time_limit = arguments->time_limit,
                                .memory_limit = arguments->memory_limit,
                                .shard = arguments->shard,
                                .shards = arguments->shards,
                                .summary = arguments->summary,
                                .verify = arguments->verify,
                                .durable = arguments->shards != 0,
                                .take = arguments->take.items,
                                .take_count = arguments->take.count,
                                .planning =
                                    arguments->format == TABLE_TEXT ? sweep_plan_begin : NULL,
                                .progress = sweep_display_show};
    struct sweep_plan plan = {0};
    const bool runs = !arguments->dry_run && !arguments->explain;
    enum status status = runs ? check_places(arguments, store, diagnostics) : STATUS_OK;
    if (!status)
        status = show_plan(arguments, study, &how, &plan, diagnostics);
    how.planning = NULL;
    if (!status)
        status = check_legal(&plan, runs, diagnostics);
    how.plan = &plan;
    how.setup = &plan.setup;
    const bool wanted = !status && runs;
    struct sweep_progress progress = {0};
    if (wanted)
        warn_slow(study);
    if (wanted)
        status = perform(&how, study, arguments->plain, arguments->format, &progress, diagnostics);
    sweep_plan_free(&plan);
    if (!wanted)
        return status;
    if (!status && arguments->verify > 0)
        status = verify(arguments, study, &how, diagnostics);
    return write_report(arguments, store, &progress, status, diagnostics);
}

/* Replaces the workloads of the study by those on the command line. */
static enum status replace_workloads(const struct sweep_arguments *arguments, struct study *study)
{
    if (!arguments->workloads.count)
        return STATUS_OK;
    char **names = calloc(arguments->workloads.count, sizeof *names);
    if (!names)
        return STATUS_MEMORY;
    for (size_t i = 0; i < study->workload_count; i++)
        free(study->workloads[i]);
    free(study->workloads);
    free(study->workload_lines);
    study->workload_lines = NULL;
    study->workloads = names;
    study->workload_count = 0;
    for (size_t i = 0; i < arguments->workloads.count; i++) {
        names[i] = strdup(arguments->workloads.items[i]);
        if (!names[i])
            return STATUS_MEMORY;
        study->workload_count++;
    }
    return STATUS_OK;
}

int command_sweep(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct sweep_arguments arguments = {0};
    struct study study;
    char *store = NULL, *own_cache = NULL;
    cmd_sweep_parse(argc, argv, &arguments);
    /* Turn a limit on file sizes into a write error, like a full disk, instead of a signal. */
    signal(SIGXFSZ, SIG_IGN);
    enum status status = study_load(arguments.study, &study, &diagnostics);
    if (!status) {
        status = replace_workloads(&arguments, &study);
        if (!status)
            status = apply_settings(&arguments, &study, &diagnostics);
        if (!status)
            status = budgets_solve(&study, &diagnostics);
        enum status searched = search_options_apply(&arguments.search, &study, &diagnostics);
        status = status ? status : searched;
        if (!status && (arguments.store ? asprintf(&store, "%s", arguments.store)
                                        : asprintf(&store, "%s.db", study.name)) < 0)
            status = STATUS_MEMORY;
        if (!arguments.cache && !arguments.no_cache)
            own_cache = stage_cache_path();
        const char *cache = arguments.cache ? arguments.cache : own_cache;
        if (!status)
            status = run_study(&arguments, &study, store, cache, &diagnostics);
        study_free(&study);
    }
    free(own_cache);
    free(store);
    options_list_free(&arguments.settings);
    options_list_free(&arguments.take);
    options_list_free(&arguments.workloads);
    return command_finish(status, &diagnostics);
}
