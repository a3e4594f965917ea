/* The frame of every search: workloads, store, evaluator, progress (explore/search/search.h). */
#include "explore/search/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/counts.h"
#include "base/memory.h"
#include "explore/plan/sweep_limits.h"
#include "explore/search/search_state.h"
#include "explore/space/sampling.h"
#include "explore/store/store_merge.h"

/* Points asked for at once: enough that simulations are shared, and little to number for nothing.
 */
enum { SAMPLE_BATCH = 1 << 16 };

#define REPORT_SECONDS 0.25

/* A durable commit waits for the disk. */
#define SLOW_COMMIT_SECONDS 2.0

static void stop_for(struct search_state *state, enum sweep_stop reason)
{
    if (!atomic_exchange(&state->stop, true))
        state->progress.stop = reason;
}

bool search_cancelled(struct search_state *state)
{
    if (state->options->cancel && atomic_load(state->options->cancel))
        stop_for(state, SWEEP_CANCELLED);
    return atomic_load(&state->stop);
}

/* Points that are there, or that the work of the running batch comes to. */
static double points_behind(const struct search_state *state)
{
    double done = (double)state->progress.done;
    double worked = (double)state->batch_from + state->batch_share * (double)state->batch_points;
    return worked > done ? worked : done;
}

static void report(struct search_state *state)
{
    struct sweep_progress *progress = &state->progress;
    double behind = points_behind(state), fresh = behind - (double)progress->resumed;
    double left = (double)progress->points - behind;
    progress->seconds = clock_seconds() - state->start;
    progress->share = left > 0 ? behind / (double)progress->points : 1;
    progress->rate = progress->seconds > 0 ? fresh / progress->seconds : 0;
    progress->eta = left <= 0                              ? 0
                    : fresh > 0 && progress->seconds > 0.5 ? left / progress->rate
                                                           : NAN;
    progress->front = scoreboard_front(state->board);
    progress->hypervolume = scoreboard_hypervolume(state->board);
    progress->best = scoreboard_best(state->board, &progress->best_value);
    state->last_report = clock_seconds();
    if (state->options->progress)
        state->options->progress(state->options->argument, progress);
}

void search_tick(struct search_state *state, const struct evaluator_progress *batch)
{
    search_cancelled(state);
    if (batch) {
        state->batch_share = batch->share;
        state->progress.passes = batch->passes;
        state->progress.passes_done = batch->passes_done;
        state->progress.passes_running = batch->passes_running;
    }
    if (clock_seconds() - state->last_report < REPORT_SECONDS)
        return;
    enum sweep_stop limit = sweep_limits_reached(state->options, clock_seconds() - state->begin);
    if (limit != SWEEP_RUNS)
        stop_for(state, limit);
    report(state);
}

static void tick(void *argument, const struct evaluator_progress *batch)
{
    search_tick(argument, batch);
}

/* ---- what is known ---- */

static enum status learn(struct search_state *state, uint64_t point, const double *values,
                         bool asked)
{
    size_t columns = state->setup.column_count, number, next = state->known.count;
    bool fresh;
    if (array_reserve(&state->values, &state->value_capacity, (next + 1) * columns) ||
        array_reserve(&state->asked, &state->asked_capacity, next + 1) ||
        point_table_add(&state->known, point, &number, &fresh))
        return STATUS_MEMORY;
    memcpy(state->values + number * columns, values, columns * sizeof *values);
    state->asked[number] = asked;
    return STATUS_OK;
}

static void to_metrics(const struct search_state *state, const double *values,
                       struct metrics *metrics)
{
    metrics_clear(metrics);
    for (size_t i = 0; i < state->setup.column_count; i++)
        metric_set(state->setup.columns[i], metrics, values[i]);
}

static enum status take_stored(void *argument, const struct store_row *row)
{
    struct search_state *state = argument;
    struct metrics metrics;
    to_metrics(state, row->values, &metrics);
    enum status status = learn(state, row->point, row->values, false);
    if (!status)
        status = scoreboard_offer(state->board, row->point, &metrics, NULL, state->diagnostics);
    return !status && search_cancelled(state) ? STATUS_CANCELLED : status;
}

static enum status take_point(void *argument, uint64_t point, const struct metrics *metrics,
                              struct diagnostics *diagnostics)
{
    struct search_state *state = argument;
    double values[METRIC_COUNT];
    for (size_t i = 0; i < state->setup.column_count; i++)
        values[i] = metric_get(state->setup.columns[i], metrics);
    enum status status = store_put(state->store, point, metrics, diagnostics);
    if (!status)
        status = learn(state, point, values, true);
    if (!status)
        status = scoreboard_offer(state->board, point, metrics, NULL, diagnostics);
    state->progress.done += !status;
    return status;
}

static enum status commit(void *argument, struct diagnostics *diagnostics)
{
    struct search_state *state = argument;
    double time = clock_seconds();
    if (state->options->durable && time - state->last_commit < SLOW_COMMIT_SECONDS)
        return STATUS_OK;
    state->last_commit = time;
    return store_commit(state->store, diagnostics);
}

/* The columns of a point that was asked for; valid until the next search_ask. */
static const double *search_values(const struct search_state *state, uint64_t point)
{
    return state->values + point_table_find(&state->known, point) * state->setup.column_count;
}

enum status search_costs(struct search_state *state, uint64_t point, double *costs, bool *eligible)
{
    struct metrics metrics;
    to_metrics(state, search_values(state, point), &metrics);
    enum status status =
        scoreboard_passes(state->board, point, &metrics, eligible, state->diagnostics);
    for (size_t i = 0; i < state->study->objective_count && !status; i++) {
        const struct objective *objective = &state->study->objectives[i];
        double value = metric_get(objective->metric, &metrics);
        costs[i] = objective->direction == HIGHER_IS_BETTER ? -value : value;
        *eligible = *eligible && !isnan(value);
    }
    return status;
}

static enum status ask_some(struct search_state *state, const uint64_t *points, size_t count)
{
    struct point_table missing = {0};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) {
        size_t number = point_table_find(&state->known, points[i]);
        bool fresh;
        if (number == NO_NUMBER) {
            status = point_table_add(&missing, points[i], &number, &fresh);
        } else if (!state->asked[number]) {
            state->asked[number] = true;
            state->progress.done++;
            state->progress.resumed++;
        }
    }
    state->batch_from = state->progress.done;
    state->batch_points = missing.count;
    state->batch_share = 0;
    if (!status && missing.count)
        status = evaluator_run(state->evaluator, missing.keys, missing.count, state->diagnostics);
    state->batch_points = 0;
    point_table_free(&missing);
    search_tick(state, NULL);
    return !status && search_cancelled(state) ? STATUS_CANCELLED : status;
}

enum status search_ask(struct search_state *state, const uint64_t *points, size_t count)
{
    enum status status = STATUS_OK;
    for (size_t first = 0; first < count && !status; first += SAMPLE_BATCH)
        status = ask_some(state, points + first,
                          count - first < SAMPLE_BATCH ? count - first : SAMPLE_BATCH);
    return status;
}

/* ---- samples ---- */

uint64_t search_points(const struct study *study, uint64_t legal)
{
    uint64_t points = legal;
    if (study->search.method == SEARCH_RANDOM || study->search.method == SEARCH_LATIN_HYPERCUBE)
        points = study->search.points;
    else if (study->search.method == SEARCH_NSGA2)
        points = study->search.evaluations;
    return points < legal ? points : legal;
}

static uint64_t legal_points(const struct search_state *state)
{
    return state->setup.census.bitmap ? state->setup.census.legal * state->study->workload_count
                                      : UINT64_MAX;
}

enum status search_sample(struct search_state *state)
{
    uint64_t count = state->progress.points, found = 0;
    uint64_t *points = malloc((count + 1) * sizeof *points);
    enum status status = STATUS_MEMORY;
    if (points) {
        bool latin = state->study->search.method == SEARCH_LATIN_HYPERCUBE;
        status = (latin ? sample_latin : sample_random)(&state->setup.space, state->legality,
                                                        state->study->seed, count, points, &found,
                                                        state->diagnostics);
    }
    if (!status && found < count) {
        diagnostics_add(state->diagnostics, SEVERITY_WARNING, NULL,
                        "of the sample only %llu points are legal; the others were not found among "
                        "%d tries in a row",
                        (unsigned long long)found, STREAM_TRIES);
        state->progress.points = found;
    }
    if (!status)
        status = search_ask(state, points, found);
    free(points);
    return status;
}

/* ---- the frame ---- */

static enum status (*const methods[SEARCH_COUNT])(struct search_state *state) = {
    [SEARCH_EXHAUSTIVE] = search_pruned, /* unpruned it is explore/sweep/sweep.c */
    [SEARCH_RANDOM] = search_sample,     [SEARCH_LATIN_HYPERCUBE] = search_sample,
    [SEARCH_NSGA2] = search_nsga2,       [SEARCH_HALVING] = search_halving,
};

enum status search_check(const struct study *study, const struct sweep_options *options,
                         struct diagnostics *diagnostics)
{
    const char *name = search_table[study->search.method].name;
    if (study->search.method == SEARCH_HALVING && study->depth != DEPTH_FUNCTIONAL)
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "halving judges points by windows of the workload, and depth %s "
                                 "cannot be estimated from windows: choose another search",
                                 depth_name(study->depth));
    if (study->search.method == SEARCH_EXHAUSTIVE && !study->search.prune)
        return STATUS_OK;
    if (options->shards)
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "a search decides from all its points: %s%s cannot be cut into "
                                 "shares",
                                 name, study->search.prune ? " with pruning" : "");
    if (options->summary)
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "a summary has averages over every point: %s%s needs a store with "
                                 "rows",
                                 name, study->search.prune ? " with pruning" : "");
    return STATUS_OK;
}

/* Opens the store and takes in what it and the stores of earlier attempts have. */
static enum status open_store(struct search_state *state)
{
    const struct sweep_options *options = state->options;
    const struct store_options how = {.durable = options->durable};
    struct merge_result taken = {0};
    enum status status =
        store_create_with(options->store, &state->setup.space, state->setup.digests, &how,
                          &state->store, state->diagnostics);
    if (!status)
        status = store_check_content(state->store, false, state->diagnostics);
    for (size_t i = 0; i < options->take_count && !status; i++)
        status = store_take(state->store, options->take[i], &taken, state->diagnostics);
    const struct query everything = {0};
    if (!status)
        status = store_query(state->store, &everything, take_stored, state, state->diagnostics);
    return status;
}

static enum status begin_store(struct search_state *state)
{
    char text[300], host[64] = "", threads[COUNT_TEXT], points[COUNT_TEXT];
    gethostname(host, sizeof host - 1);
    snprintf(text, sizeof text, "%s on %s, %s, version %s, %s there already",
             search_table[state->study->search.method].name, host,
             counted_print((uint64_t)state->setup.threads, "thread", threads), WARPSCAPE_VERSION,
             counted_print(state->known.count, "point", points));
    return store_event(state->store, "start", text, state->diagnostics);
}

/* What the events of the store say of a run's end, whatever became of it. */
static enum status end_store(struct search_state *state, enum status status)
{
    static const char *const reasons[] = {"", "stopped from outside", "time limit", "memory limit"};
    enum status committed = store_commit(state->store, state->diagnostics);
    if (!status || status == STATUS_CANCELLED)
        status = committed ? committed : status;
    bool stopped = status == STATUS_CANCELLED;
    store_event(state->store, status ? "stop" : "end",
                stopped  ? reasons[state->progress.stop]
                : status ? status_text(status)
                         : "complete",
                NULL);
    return status;
}

static enum status open_state(struct search_state *state)
{
    struct sweep_setup *setup = &state->setup;
    struct diagnostics *diagnostics = state->diagnostics;
    enum status status = search_check(state->study, state->options, diagnostics);
    if (!status)
        status = sweep_setup_open(state->study, state->options, setup, diagnostics);
    if (status)
        return status;
    if (!setup->census.bitmap && state->study->search.method == SEARCH_HALVING)
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "halving looks at every point, and the space has more than %llu "
                                 "machines: take nsga2, random or latin_hypercube",
                                 (unsigned long long)CENSUS_MACHINES);
    const struct evaluator_options options = {.space = &setup->space,
                                              .columns = setup->columns,
                                              .column_count = setup->column_count,
                                              .sources = setup->sources,
                                              .extents = setup->extents,
                                              .threads = setup->threads,
                                              .cancel = &state->stop,
                                              .cache = setup->cache,
                                              .point = take_point,
                                              .pass = commit,
                                              .tick = tick,
                                              .argument = state};
    status = legality_create(&setup->space, setup->census.bitmap, &state->legality, diagnostics);
    if (!status)
        status = scoreboard_create(&setup->space, &state->board, diagnostics);
    if (!status)
        status = evaluator_create(&options, &state->evaluator);
    if (!status)
        status = open_store(state);
    state->progress.points = search_points(state->study, legal_points(state));
    return status;
}

static void close_state(struct search_state *state)
{
    store_close(state->store);
    evaluator_free(state->evaluator);
    scoreboard_free(state->board);
    legality_free(state->legality);
    point_table_free(&state->known);
    free(state->values);
    free(state->asked);
    sweep_setup_close(&state->setup, state->diagnostics);
}

enum status search_run(const struct study *study, const struct sweep_options *options,
                       struct sweep_progress *result, struct diagnostics *diagnostics)
{
    struct diagnostics ignored = DIAGNOSTICS_INIT;
    struct search_state state = {.study = study,
                                 .options = options,
                                 .start = clock_seconds(),
                                 .begin = clock_seconds(),
                                 .diagnostics = diagnostics ? diagnostics : &ignored};
    state.progress = (struct sweep_progress){
        .eta = NAN, .hypervolume = NAN, .best = UINT64_MAX, .best_value = NAN};
    enum status status = open_state(&state);
    if (!status)
        status = begin_store(&state);
    if (!status) {
        state.start = clock_seconds(); /* rate and ETA are about the simulations */
        report(&state);
        status = methods[study->search.method](&state);
        status = end_store(&state, status);
        report(&state);
    }
    if (result)
        *result = state.progress;
    close_state(&state);
    diagnostics_free(&ignored);
    return status;
}
