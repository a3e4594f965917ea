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
#include "cli/results.h"
#include "cli/sweep_explain.h"
#include "config/machine_file.h"
#include "config/study_file.h"
#include "explore/stage_cache.h"
#include "explore/sweep.h"

enum {
    OPTION_DRY_RUN = 256,
    OPTION_PLAIN,
    OPTION_EXPLAIN,
    OPTION_VERIFY,
    OPTION_CACHE,
    OPTION_NO_CACHE
};

struct sweep_arguments {
    const char *study, *store;
    const char *cache;
    int threads;
    bool dry_run, plain, explain, no_cache;
    enum table_format format;
    double verify; /* share of the points; 0: none */
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
    {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct sweep_arguments *arguments = state->input;
    switch (key) {
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
        if (arguments->cache && arguments->no_cache)
            argp_error(state, "either --cache or --no-cache");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "STUDY.yaml",
    "Run a study over a design space, or go on with one that was stopped.\v"
    "Results are kept as they come: after Ctrl-C, a kill or a power cut the same command goes on "
    "where it stopped, and ends with the same results. Exit status 75: stopped, can be resumed.",
    NULL,
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
    static const char *const names[] = {"streams", "L1D", "L2", "TLB", "page-walk cache"};
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
    uint64_t machines = plan->census.legal;
    for (size_t i = 0; i < plan->census.removal_count; i++)
        machines += plan->census.removals[i].machines;
    printf("%s: %zu axes, %s machines x %zu workload%s = %s points\n", study->name,
           study->axis_count, count_print(machines, a), study->workload_count,
           study->workload_count == 1 ? "" : "s", count_print(machines * study->workload_count, b));
    for (size_t i = 0; i < plan->census.removal_count; i++) {
        const struct removal *removal = &plan->census.removals[i];
        bool rule = i + study->where_count < plan->census.removal_count;
        printf("  %s machines removed by %s %s\n", count_print(removal->machines, a),
               rule ? "the rule" : "where:", removal->what);
    }
    printf("  %s points to have, %s of them are in %s already\n", count_print(plan->points, a),
           count_print(plan->points - plan->missing, b), store);
    print_stages(plan);
    if (plan->missing)
        printf("%s points to go, predicted %s\n", count_print(plan->missing, c),
               duration_print(plan->seconds, duration));
    fflush(stdout);
}

struct display {
    const struct study *study;
    bool redraw;
    double last;
};

enum { LINE_TEXT = 400 };
#define PLAIN_SECONDS 5.0

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
    snprintf(text + used, LINE_TEXT - (size_t)used, "  front %s  best %s %s at %" PRIu64,
             count_print(progress->front, front), metric->path,
             quantity_print_short(progress->best_value, metric->unit, 4, value), progress->best);
}

static int terminal_width(void)
{
    struct winsize size;
    return !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col ? size.ws_col : 80;
}

static void show_progress(void *argument, const struct sweep_progress *progress)
{
    struct display *display = argument;
    char text[LINE_TEXT];
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
    status = print_best(store, study, diagnostics);
    if (!status && study->objective_count) {
        printf("front: %s points\n", count_print(progress->front, front));
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
    struct display display = {study, !arguments->plain && isatty(STDERR_FILENO), 0};
    const struct sweep_options how = {.store = store,
                                      .cache = cache,
                                      .threads = arguments->threads,
                                      .cancel = interrupt_flag(),
                                      .progress = show_progress,
                                      .argument = &display};
    struct sweep_progress progress;
    char count[COUNT_TEXT];
    enum status status = show_plan(arguments, study, &how, diagnostics);
    if (status || arguments->dry_run || arguments->explain)
        return status;
    status = sweep_run(study, &how, &progress, diagnostics);
    if (display.redraw)
        fputs("\r\033[K", stderr);
    if (status == STATUS_CANCELLED)
        fprintf(stderr, "stopped with %s points in %s; the same command goes on from there\n",
                count_print(progress.done, count), store);
    if (!status)
        status = print_summary(&progress, store, diagnostics);
    if (!status && arguments->verify > 0)
        status = verify(arguments, study, &how, diagnostics);
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
    enum status status = study_load(arguments.study, &study, &diagnostics);
    if (!status) {
        status = replace_workloads(&arguments, &study);
        if (!status)
            status = apply_settings(&arguments, &study, &diagnostics);
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
    free(arguments.workloads);
    return command_finish(status, &diagnostics);
}
