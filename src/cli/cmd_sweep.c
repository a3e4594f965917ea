/* warpscape sweep: says what a study will do, does it, says what came out. */
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report_file.h"
#include "cli/results.h"
#include "cli/search_options.h"
#include "cli/sweep_explain.h"
#include "config/machine_file.h"
#include "config/study_file.h"
#include "explore/stage_cache.h"
#include "explore/sweep.h"
#include "report/sweep_status.h"

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
    const char **take;
    size_t take_count, take_capacity;
    const char **settings;
    size_t setting_count, setting_capacity;
    const char **workloads; /* instead of the study's */
    size_t workload_count, workload_capacity;
};

static const struct argp_option options[] = {
    {"store", 'o', "FILE", 0, "where results go (default: the study's name + .db, here)", 0},
    {"threads", 'j', "COUNT", 0, "threads; 0: all (default)", 0},
    {"dry-run", OPTION_DRY_RUN, NULL, 0, "say what would be done, and how long it takes", 0},
    {"explain", OPTION_EXPLAIN, NULL, 0,
     "print the plan, stage by stage: settings, what the cache has, predicted time; do nothing", 0},
    {"format", 'f', "FORMAT", 0, "of the plan: table (default), csv, json or md", 0},
    {"verify", OPTION_VERIFY, "SHARE", 0,
     "evaluate this share of the points (\"1%\") one by one afterwards and compare", 0},
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
    char end;
    if (sscanf(text, "%u/%u%c", &arguments->shard, &arguments->shards, &end) != 2 ||
        !arguments->shard || arguments->shard > arguments->shards || arguments->shards > SHARDS_MAX)
        argp_error(state, "--shard: expected a share like 3/8, of at most %d, got '%s'", SHARDS_MAX,
                   text);
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
        if (array_reserve(&arguments->settings, &arguments->setting_capacity,
                          arguments->setting_count + 1))
            return ENOMEM;
        arguments->settings[arguments->setting_count++] = text;
        return 0;
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
        if (array_reserve(&arguments->take, &arguments->take_capacity, arguments->take_count + 1))
            return ENOMEM;
        arguments->take[arguments->take_count++] = text;
        return 0;
    case OPTION_SUMMARY:
        arguments->summary = true;
        return 0;
    case OPTION_REPORT:
        arguments->report = text;
        return 0;
    case 'w':
        if (array_reserve(&arguments->workloads, &arguments->workload_capacity,
                          arguments->workload_count + 1))
            return ENOMEM;
        arguments->workloads[arguments->workload_count++] = text;
        return 0;
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
    case ARGP_KEY_ARG:
        if (arguments->study)
            argp_error(state, "one study is enough; '%s' is a second one", text);
        arguments->study = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "expected the file of a study");
        return 0;
    case ARGP_KEY_END:
        if (arguments->summary && (arguments->shards || arguments->take_count))
            argp_error(state, "--summary has no rows to share: not with --shard or --take");
        if (arguments->cache && arguments->no_cache)
            argp_error(state, "either --cache or --no-cache");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&search_argp, 0, NULL, 0}, {0}};

static const struct argp argp = {
    options,
    parse,
    "STUDY.yaml",
    "Run a study over a design space, or go on with one that was stopped.\v"
    "Results are kept as they come: after Ctrl-C, a kill or a power cut the same command goes on "
    "where it stopped, and ends with the same results. Exit status 75: stopped, can be resumed.",
    children,
    NULL,
    NULL};

static enum status apply_settings(const struct sweep_arguments *arguments, struct study *study,
                                  struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < arguments->setting_count; i++) {
        const char *setting = arguments->settings[i];
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

/* "2 streams, 24 L1D, ...": what has to be simulated; stages without work are left out. */
static void print_stages(const struct sweep_plan *plan)
{
    static const char *const names[STAGE_COUNT] = {
        "streams", "L1D", "L2", "TLB", "page-walk cache", "L1D with latencies"};
    char count[COUNT_TEXT];
    uint64_t remembered = 0;
    const char *join = "simulations: ";
    for (size_t i = 0; i < STAGE_COUNT; i++)
        if (plan->stages[i]) {
            printf("%s%s %s", join, count_print(plan->stages[i], count), names[i]);
            join = ", ";
        }
    if (plan->missing && plan->passes)
        printf("%s%s passes\n", *join == 's' ? "" : " in ", count_print(plan->passes, count));
    for (size_t w = 0; w < plan->workload_count; w++)
        for (size_t i = 0; i < STAGE_COUNT; i++)
            remembered += plan->workloads[w].stages[i].remembered;
    if (remembered)
        printf("%s results of stages are remembered\n", count_print(remembered, count));
}

static void print_plan(const struct study *study, const struct sweep_plan *plan, const char *store)
{
    char a[COUNT_TEXT], b[COUNT_TEXT], c[COUNT_TEXT], duration[DURATION_TEXT];
    uint64_t machines = plan->machines;
    const struct search *search = &study->search;
    bool limit = search->method != SEARCH_EXHAUSTIVE || search->prune;
    printf("%s: %zu axes, %s machines x %zu workload%s = %s points\n", study->name,
           study->axis_count, count_print(machines, a), study->workload_count,
           study->workload_count == 1 ? "" : "s", count_print(machines * study->workload_count, b));
    if (study->depth != DEPTH_FUNCTIONAL)
        printf("  depth %s\n", depth_name(study->depth));
    for (size_t i = 0; i < plan->census.removal_count; i++) {
        const struct removal *removal = &plan->census.removals[i];
        bool rule = i + study->where_count < plan->census.removal_count;
        printf("  %s machines removed by %s %s\n", count_print(removal->machines, a),
               rule ? "the rule" : "where:", removal->what);
    }
    if (limit)
        printf("  search %s: %s%s\n", search_table[search->method].name,
               search->prune ? "pruned; " : "", search_table[search->method].help);
    if (plan->workload_count) /* not where nobody knows which points come */
        printf("  %s points to have, %s of them are in %s already\n", count_print(plan->points, a),
               count_print(plan->points - plan->missing, b), store);
    print_stages(plan);
    if (plan->missing)
        printf("%s%s points to go, predicted %s%s\n", limit ? "at most " : "",
               count_print(plan->missing, c), limit ? "at most " : "",
               duration_print(plan->seconds, duration));
    fflush(stdout);
}

struct display {
    const struct study *study;
    struct space space;
    const char *store;
    bool redraw;
    double last, last_status;
    struct sweep_status status; /* beside the store */
};

enum { LINE_TEXT = 400 };
#define PLAIN_SECONDS  5.0
#define STATUS_SECONDS 1.0

static void progress_text(const struct display *display, const struct sweep_progress *progress,
                          char text[LINE_TEXT])
{
    char done[COUNT_TEXT], points[COUNT_TEXT], rate[COUNT_TEXT], eta[DURATION_TEXT];
    double share = progress->points ? (double)progress->done / (double)progress->points : 1;
    int used =
        snprintf(text, LINE_TEXT, "%5.1f %%  %s / %s points  %s/s  ETA %s", share * 100,
                 count_print(progress->done, done), count_print(progress->points, points),
                 count_print((uint64_t)progress->rate, rate), duration_print(progress->eta, eta));
    if (progress->best == UINT64_MAX)
        return;
    const struct metric *metric = display->study->objectives[0].metric;
    char value[QUANTITY_TEXT], front[COUNT_TEXT];
    used += snprintf(text + used, LINE_TEXT - (size_t)used, "  front %s",
                     count_print(progress->front, front));
    if (!isnan(progress->hypervolume))
        used += snprintf(text + used, LINE_TEXT - (size_t)used, "  hypervolume %.4f",
                         progress->hypervolume);
    snprintf(text + used, LINE_TEXT - (size_t)used, "  best %s %s at %" PRIu64, metric->path,
             quantity_print_short(progress->best_value, metric->unit, 4, value), progress->best);
}

static int terminal_width(void)
{
    struct winsize size;
    return !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col ? size.ws_col : 80;
}

/* Once a second, and where the state changes. A disk that takes no status file ends no sweep. */
static void update_status(struct display *display, const struct sweep_progress *progress)
{
    struct sweep_status *status = &display->status;
    if (progress->seconds - display->last_status < STATUS_SECONDS && status->state == SWEEP_RUNNING)
        return;
    display->last_status = progress->seconds;
    if (status->state == SWEEP_STARTING)
        status->state = SWEEP_RUNNING;
    status->progress = *progress;
    if (progress->best != UINT64_MAX) {
        const struct metric *metric = display->study->objectives[0].metric;
        snprintf(status->best_metric, sizeof status->best_metric, "%s", metric->path);
        char value[QUANTITY_TEXT];
        snprintf(status->best_value, sizeof status->best_value, "%s",
                 quantity_print_short(progress->best_value, metric->unit, 4, value));
        results_point_text(&display->space, progress->best, status->best_point,
                           sizeof status->best_point);
    }
    sweep_status_write(display->store, status);
}

static void show_progress(void *argument, const struct sweep_progress *progress)
{
    struct display *display = argument;
    char text[LINE_TEXT];
    update_status(display, progress);
    bool due = progress->seconds - display->last >= PLAIN_SECONDS;
    if (!display->redraw && !due)
        return;
    display->last = progress->seconds;
    progress_text(display, progress, text);
    if (display->redraw)
        fprintf(stderr, "\r%.*s\033[K", terminal_width() - 1, text);
    else
        fprintf(stderr, "%s\n", text);
}

struct best_row {
    uint64_t point;
    double value;
    size_t column;
    bool found;
};

static enum status take_best(void *argument, const struct store_row *row)
{
    struct best_row *best = argument;
    best->point = row->point;
    best->value = row->values[best->column];
    best->found = !isnan(best->value);
    return STATUS_OK;
}

static size_t column_of(const struct store *store, const struct metric *metric)
{
    const struct metric *const *columns;
    size_t count = store_columns(store, &columns), column = 0;
    while (column < count && columns[column] != metric)
        column++;
    return column;
}

/* The best point of each objective, with its axes. */
static enum status print_best(struct store *store, const struct study *study,
                              struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < study->objective_count && !status; i++) {
        const struct objective *objective = &study->objectives[i];
        char sort[128], value[QUANTITY_TEXT];
        snprintf(sort, sizeof sort, "%s%s", objective->direction == HIGHER_IS_BETTER ? "-" : "",
                 objective->metric->path);
        struct best_row best = {.column = column_of(store, objective->metric)};
        const struct query query = {.sort = sort, .eligible = true, .limit = 1};
        status = store_query(store, &query, take_best, &best, diagnostics);
        if (status || !best.found)
            continue;
        printf("best %s: %s at point %" PRIu64 ":", objective->metric->path,
               quantity_print_short(best.value, objective->metric->unit, 4, value), best.point);
        results_print_point(stdout, store_space(store), best.point);
    }
    return status;
}

static enum status print_summary(const struct sweep_progress *progress, const char *path,
                                 struct diagnostics *diagnostics)
{
    struct store *store;
    const struct study *study;
    char count[COUNT_TEXT], front[COUNT_TEXT], duration[DURATION_TEXT];
    enum status status = store_open(path, &store, &study, diagnostics);
    if (status)
        return status;
    printf("%s points in %s, %s new in %s\n", count_print(progress->done, count), path,
           count_print(progress->done - progress->resumed, front),
           duration_print(progress->seconds, duration));
    if (progress->pruned)
        printf("%s points cannot enter the front and were not evaluated\n",
               count_print(progress->pruned, count));
    status = print_best(store, study, diagnostics);
    if (!status && study->objective_count) {
        printf("front: %s points", count_print(progress->front, front));
        if (!isnan(progress->hypervolume))
            printf(", hypervolume %.4f", progress->hypervolume);
        putchar('\n');
        if (!progress->done)
            puts("no machine of the space is legal: the rules and conditions above leave none");
        else if (!progress->front)
            printf("no point passes the study's filters; warpscape show %s lists all\n", path);
    }
    if (!status && study->objective_count && progress->front) {
        printf(
            "\nwarpscape show %s --front\nwarpscape export %s --best %s --to yaml -o best.yaml\n",
            path, path, study->objectives[0].metric->path);
    }
    store_close(store);
    return status;
}

/* Why the run ended, for the status file and for the user; *hint is what to do. */
static void describe_end(enum status status, const struct sweep_progress *progress,
                         const struct diagnostics *diagnostics, char event[STATUS_TEXT],
                         const char **hint)
{
    static const char *const stops[] = {"stopped", "stopped", "stopped by --time-limit",
                                        "stopped by --memory-limit"};
    *hint = "the same command goes on from there";
    snprintf(event, STATUS_TEXT, "%s", "complete");
    if (status == STATUS_CANCELLED) {
        snprintf(event, STATUS_TEXT, "%s", stops[progress->stop]);
        if (progress->stop == SWEEP_MEMORY_LIMIT)
            *hint = "the same command goes on from there; fewer --threads take less memory";
    } else if (status) {
        size_t i = 0;
        while (i < diagnostics->count && diagnostics->items[i].severity != SEVERITY_ERROR)
            i++;
        snprintf(event, STATUS_TEXT, "%s",
                 i < diagnostics->count ? diagnostics->items[i].message : status_text(status));
    }
}

static void finish_status(struct display *display, const struct sweep_progress *progress,
                          enum status status, const char *event)
{
    display->status.state = !status                      ? SWEEP_COMPLETE
                            : status == STATUS_CANCELLED ? SWEEP_STOPPED
                                                         : SWEEP_FAILED;
    snprintf(display->status.event, sizeof display->status.event, "%s", event);
    display->status.progress.eta = NAN;
    update_status(display, progress);
}

static enum status perform(struct display *display, struct sweep_options *how,
                           struct diagnostics *diagnostics)
{
    struct sweep_progress progress;
    const char *hint;
    char count[COUNT_TEXT], event[STATUS_TEXT];
    enum status status = space_open(display->study, &display->space, diagnostics);
    if (status)
        return status;
    how->argument = display;
    sweep_status_init(&display->status, display->study->name);
    status = sweep_run(display->study, how, &progress, diagnostics);
    if (display->redraw)
        fputs("\r\033[K", stderr);
    if (status && !progress.points) /* it never began: the store is another one's, ... */
        return status;
    describe_end(status, &progress, diagnostics, event, &hint);
    finish_status(display, &progress, status, event);
    if (status == STATUS_CANCELLED)
        fprintf(stderr, "%s with %s points in %s; %s\n", event, count_print(progress.done, count),
                how->store, hint);
    else if (status == STATUS_IO) /* a full disk, a disk that went away */
        fprintf(stderr,
                "the store cannot be written; the points that were committed to %s are safe, and "
                "the same command goes on from there\n",
                how->store);
    return status ? status : print_summary(&progress, how->store, diagnostics);
}

static enum status verify(const struct sweep_arguments *arguments, const struct study *study,
                          const struct sweep_options *how, struct diagnostics *diagnostics)
{
    struct sweep_verification result;
    char checked[COUNT_TEXT];
    enum status status = sweep_verify(study, how, arguments->verify, &result, diagnostics);
    if (!status)
        printf("verified: %s points evaluated one by one, every value is the same\n",
               count_print(result.checked, checked));
    return status;
}

/* The plan alone, with --explain, or in front of a run, which then says the same warnings. */
static enum status show_plan(const struct sweep_arguments *arguments, const struct study *study,
                             const struct sweep_options *how, struct diagnostics *diagnostics)
{
    struct sweep_plan plan;
    struct diagnostics found = DIAGNOSTICS_INIT;
    enum status status = sweep_plan(study, how, &plan, &found);
    if (status || arguments->explain || arguments->dry_run)
        diagnostics_move(diagnostics, &found);
    diagnostics_free(&found);
    if (status)
        return status;
    if (!arguments->explain || arguments->format == TABLE_TEXT)
        print_plan(study, &plan, how->store);
    if (arguments->explain)
        status = sweep_explain(study, &plan, arguments->format, stdout);
    sweep_plan_free(&plan);
    return status;
}

static enum status run_study(const struct sweep_arguments *arguments, const struct study *study,
                             const char *store, const char *cache, struct diagnostics *diagnostics)
{
    struct display display = {
        .study = study, .store = store, .redraw = !arguments->plain && isatty(STDERR_FILENO)};
    struct sweep_options how = {.store = store,
                                .cache = cache,
                                .threads = arguments->threads,
                                .cancel = interrupt_flag(),
                                .time_limit = arguments->time_limit,
                                .memory_limit = arguments->memory_limit,
                                .shard = arguments->shard,
                                .shards = arguments->shards,
                                .summary = arguments->summary,
                                .durable = arguments->shards != 0,
                                .take = arguments->take,
                                .take_count = arguments->take_count,
                                .progress = show_progress};
    enum status status = show_plan(arguments, study, &how, diagnostics);
    if (status || arguments->dry_run || arguments->explain)
        return status;
    status = perform(&display, &how, diagnostics);
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
    if (!arguments->workload_count)
        return STATUS_OK;
    char **names = calloc(arguments->workload_count, sizeof *names);
    if (!names)
        return STATUS_MEMORY;
    for (size_t i = 0; i < study->workload_count; i++)
        free(study->workloads[i]);
    free(study->workloads);
    study->workloads = names;
    study->workload_count = 0;
    for (size_t i = 0; i < arguments->workload_count; i++) {
        names[i] = strdup(arguments->workloads[i]);
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
    free(arguments.settings);
    free(arguments.take);
    free(arguments.workloads);
    return command_finish(status, &diagnostics);
}
