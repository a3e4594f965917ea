/* warpscape sweep: says what a study will do, does it, says what came out. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "cli/results/report_file.h"
#include "cli/shared/command.h"
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

enum {
    OPTION_DRY_RUN = 256,
    OPTION_PLAIN,
    OPTION_TIME,
    OPTION_MEMORY,
    OPTION_SHARD,
    OPTION_TAKE,
    OPTION_REPORT,
    OPTION_SUMMARY,
    OPTION_EXPLAIN,
    OPTION_VERIFY,
    OPTION_CACHE,
    OPTION_NO_CACHE
};

enum { SHARDS_MAX = 100000 };

struct sweep_arguments {
    struct search_arguments search;
    const char *study, *store, *report;
    const char *cache;
    int threads;
    bool dry_run, plain, summary, explain, no_cache;
    enum table_format format;
    double verify; /* share of the points; 0: none */
    double time_limit;
    uint64_t memory_limit;
    unsigned shard, shards;
    struct options_list take, settings, workloads; /* workloads: instead of the study's */
};

static const struct argp_option options[] = {
    {"store", 'o', "FILE", 0, "where results go (default: the study's name + .db, here)", 0},
    {"threads", 'j', "COUNT", 0, "threads; 0: all (default)", 0},
    {"dry-run", OPTION_DRY_RUN, NULL, 0, "say what would be done, and how long it takes", 0},
    {"explain", OPTION_EXPLAIN, NULL, 0,
     "print the plan, stage by stage: settings, what the cache has, predicted time; do nothing", 0},
    {"format", 'f', "FORMAT", 0, "of the plan: table (default), csv, json or md", 0},
    {"verify", OPTION_VERIFY, "SHARE", 0,
     "afterwards evaluate so many of the points, drawn at random (\"1%\", rounded up), one by one "
     "and "
     "compare",
     0},
    {"cache", OPTION_CACHE, "FILE", 0,
     "results of stages that studies share (default: ~/.cache/warpscape/stages.db)", 0},
    {"no-cache", OPTION_NO_CACHE, NULL, 0, "neither use nor keep results of stages", 0},
    {"set", 's', "PATH=VALUE", 0, "change a parameter of the study's machine; may be repeated", 0},
    {"workload", 'w', "NAME|FILE", 0,
     "program, recipe or trace instead of the study's workloads; may be repeated", 0},
    {"plain", OPTION_PLAIN, NULL, 0, "progress as lines instead of a line that is redrawn", 0},
    {"time-limit", OPTION_TIME, "TIME", 0, "stop after so long, for example 8h or 1h30m", 0},
    {"memory-limit", OPTION_MEMORY, "SIZE", 0, "stop where it takes more memory, for example 8GiB",
     0},
    {"shard", OPTION_SHARD, "I/N", 0,
     "only the I-th of N shares of the points, for one of N machines", 0},
    {"take", OPTION_TAKE, "FILE", 0,
     "take over the points of a store of the same study first; may be repeated", 0},
    {"summary", OPTION_SUMMARY, NULL, 0,
     "keep only the front, the best points and averages over each axis (of more than 10^7 points "
     "always)",
     0},
    {"report", OPTION_REPORT, "FILE", 0, "write a report at the end: FILE.html or FILE.md", 0},
    {0}};

/* "3/8" */
static void parse_shard(struct argp_state *state, const char *text,
                        struct sweep_arguments *arguments)
{
    char *end;
    unsigned long shard = strtoul(text, &end, 10);
    unsigned long shards = *end == '/' ? strtoul(end + 1, &end, 10) : 0;
    if (*end || !shard || shard > shards || shards > SHARDS_MAX)
        argp_error(state, "--shard: expected a share like 3/8, of at most %d, got '%s'", SHARDS_MAX,
                   text);
    arguments->shard = (unsigned)shard;
    arguments->shards = (unsigned)shards;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct sweep_arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->search;
        return 0;
    case 'o':
        arguments->store = text;
        return 0;
    case 'j':
        arguments->threads = options_threads(state, text);
        return 0;
    case 's':
        return options_append(&arguments->settings, text);
    case OPTION_TIME:
        arguments->time_limit = options_duration(state, "time-limit", text);
        return 0;
    case OPTION_MEMORY:
        if (quantity_parse_uint(text, UNIT_BYTES, &arguments->memory_limit) ||
            !arguments->memory_limit)
            argp_error(state, "--memory-limit: expected a size like 8GiB, got '%s'", text);
        return 0;
    case OPTION_SHARD:
        parse_shard(state, text, arguments);
        return 0;
    case OPTION_TAKE:
        return options_append(&arguments->take, text);
    case OPTION_SUMMARY:
        arguments->summary = true;
        return 0;
    case OPTION_REPORT:
        arguments->report = text;
        return 0;
    case 'w':
        return options_append(&arguments->workloads, text);
    case 'f':
        arguments->format = options_format(state, text);
        return 0;
    case OPTION_EXPLAIN:
        arguments->explain = true;
        return 0;
    case OPTION_VERIFY:
        arguments->verify = options_share(state, "verify", text);
        return 0;
    case OPTION_CACHE:
        arguments->cache = text;
        return 0;
    case OPTION_NO_CACHE:
        arguments->no_cache = true;
        return 0;
    case OPTION_DRY_RUN:
        arguments->dry_run = true;
        return 0;
    case OPTION_PLAIN:
        arguments->plain = true;
        return 0;
    case ARGP_KEY_END:
        if (arguments->cache && arguments->no_cache)
            argp_error(state, "either --cache or --no-cache");
        return 0;
    default:
        return options_take_study(key, text, state, &arguments->study);
    }
}

static const struct argp_child children[] = {{&search_argp, 0, NULL, 0}, {0}};

static const struct argp argp = {
    options,
    parse,
    "STUDY",
    "Run a study over a design space, or go on with one that was stopped.\v"
    "STUDY is a YAML file or the name of a study that comes with the program, such as quick. "
    "Results are kept as they come: after Ctrl-C, a kill or a power cut the same command goes on "
    "where it stopped, and ends with the same results. Exit status 75: stopped, can be resumed.",
    children,
    NULL,
    NULL};

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
    fflush(stdout); /* it may take its time */
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

/* The plan alone, with --explain, or in front of a run, which then says the same warnings. */
static enum status show_plan(const struct sweep_arguments *arguments, const struct study *study,
                             const struct sweep_options *how, struct sweep_plan *plan,
                             struct diagnostics *diagnostics)
{
    struct diagnostics found = DIAGNOSTICS_INIT;
    enum status status = sweep_plan(study, how, plan, &found);
    if (status || arguments->explain || arguments->dry_run)
        diagnostics_move(diagnostics, &found);
    diagnostics_free(&found);
    if (status)
        return status;
    if (!arguments->explain || arguments->format == TABLE_TEXT)
        sweep_plan_print(study, plan, how->store);
    if (arguments->explain)
        status = sweep_explain(study, plan, arguments->format, stdout);
    return status;
}

/* Where no machine is legal the study is wrong: nobody runs one for no results. */
static enum status check_legal(const struct sweep_plan *plan, bool runs,
                               struct diagnostics *diagnostics)
{
    const struct removal *most = plan->census.removals;
    char removed[COUNT_TEXT], machines[COUNT_TEXT];
    if (!plan->census.bitmap || plan->census.legal)
        return STATUS_OK;
    for (size_t i = 1; i < plan->census.removal_count; i++)
        if (plan->census.removals[i].machines > most->machines)
            most = &plan->census.removals[i];
    diagnostics_add(diagnostics, runs ? SEVERITY_ERROR : SEVERITY_WARNING, NULL,
                    "no machine of the space is legal: %s %s removes %s of %s", most->kind,
                    most->what, count_print(most->machines, removed),
                    counted_print(plan->machines, "machine", machines));
    return runs ? STATUS_INVALID : STATUS_OK;
}

static enum status perform(struct sweep_options *how, const struct study *study, bool plain,
                           struct diagnostics *diagnostics)
{
    struct sweep_display display;
    struct sweep_progress progress;
    enum status status = sweep_display_open(&display, study, how->store, plain, diagnostics);
    if (status)
        return status;
    how->argument = &display;
    status = sweep_run(study, how, &progress, diagnostics);
    sweep_display_end(&display, &progress, status, diagnostics);
    if (!status)
        status = sweep_result_print(&progress, how->store, diagnostics);
    if (!status && !progress.done && !how->shards) /* a space too large for a census */
        status = diagnostics_error(diagnostics, STATUS_INVALID, "no legal machine was found");
    return status;
}

static enum status check_places(const struct sweep_arguments *arguments, const char *store,
                                struct diagnostics *diagnostics)
{
    enum status status = output_check_place(store, diagnostics);
    enum status report = arguments->report && strcmp(arguments->report, "-")
                             ? output_check_place(arguments->report, diagnostics)
                             : STATUS_OK;
    return status ? status : report;
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
                                .progress = sweep_display_show};
    struct sweep_plan plan = {0};
    const bool runs = !arguments->dry_run && !arguments->explain;
    enum status status = runs ? check_places(arguments, store, diagnostics) : STATUS_OK;
    if (!status)
        status = show_plan(arguments, study, &how, &plan, diagnostics);
    if (!status)
        status = check_legal(&plan, runs, diagnostics);
    how.plan = &plan;
    const bool wanted = !status && runs;
    if (wanted)
        status = perform(&how, study, arguments->plain, diagnostics);
    sweep_plan_free(&plan);
    if (!wanted)
        return status;
    if (!status && arguments->verify > 0)
        status = verify(arguments, study, &how, diagnostics);
    if (status || !arguments->report)
        return status;
    status = report_file_write(store, arguments->report, NULL, diagnostics);
    if (!status)
        printf("report: %s\n", arguments->report);
    return status;
}

/* Puts the workloads of the command line in place of the study's. */
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
    options_parse(&argp, argc, argv, &arguments);
    signal(SIGXFSZ, SIG_IGN); /* a limit on file sizes is an error of a write, as a full disk is */
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
