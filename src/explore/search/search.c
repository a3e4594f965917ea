/* The frame that all searches share: it opens workloads, store and evaluator, runs the method,
 * keeps the store and the scoreboard current, and reports progress (explore/search/search.h). */
#include "explore/search/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "explore/search/search_state.h"
#include "explore/space/sampling.h"
#include "explore/store/store_merge.h"

/* The most points asked for at once. Large batches share more simulations; smaller ones waste less
 * numbering when a search is stopped. */
enum { SAMPLE_BATCH = 1 << 16 };

bool search_cancelled(struct search_state *state)
{
    return sweep_guard_stopped(&state->guard);
}

/* Points done, or the number that the work done so far amounts to, whichever is more. */
static double points_behind(const struct search_state *state)
{
    double done = (double)state->guard.progress.done;
    double worked = (double)state->batch_from + state->batch_share * (double)state->batch_points;
    return worked > done ? worked : done;
}

static void search_report(struct search_state *state)
{
    struct sweep_progress *progress = &state->guard.progress;
    double points = points_behind(state) - (double)progress->resumed;
    double fresh = points + state->extra_done, behind = fresh + (double)progress->resumed;
    double left = (double)progress->points + state->extra - behind;
    progress->seconds = clock_seconds() - state->guard.start;
    progress->share = left > 0 ? behind / (behind + left) : 1;
    progress->rate = progress->seconds > 0 ? points / progress->seconds : 0;
    progress->eta = left <= 0                              ? 0
                    : fresh > 0 && progress->seconds > 0.5 ? left / fresh * progress->seconds
                                                           : NAN;
    sweep_guard_report(&state->guard, state->board, &state->coverage);
}

void search_tick(struct search_state *state, const struct runner_progress *batch)
{
    search_cancelled(state);
    if (batch) {
        state->batch_share = batch->share;
        state->guard.progress.passes = batch->passes;
        state->guard.progress.passes_done = batch->passes_done;
        state->guard.progress.passes_running = batch->passes_running;
    }
    if (sweep_guard_due(&state->guard))
        search_report(state);
}

/* Called while another process holds the store's lock (struct store_options), with ours held. */
static bool wait_for_store(void *argument, double seconds)
{
    struct search_state *state = argument;
    return sweep_guard_wait(&state->guard, seconds);
}

static void tick(void *argument, const struct runner_progress *batch)
{
    struct search_state *state = argument;
    state->guard.progress.locked = 0;
    search_tick(state, batch);
}

/* ---- known points ---- */

/* Keeps the columns of a point. `asked` is false for points that the store had before this search
 * asked for them. */
static enum status learn(struct search_state *state, uint64_t point, const double *values,
                         bool asked)
{
    size_t columns = state->setup.column_count, next = state->known.count;
    uint32_t number;
    if (array_reserve(&state->values, &state->value_capacity, (next + 1) * columns) ||
        array_reserve(&state->asked, &state->asked_capacity, next + 1) ||
        key_table_number(&state->known, point, &number))
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

/* Takes a point of the store. The scoreboard needs it now; the search may ask for it later. */
static enum status take_stored(void *argument, const struct store_row *row)
{
    struct search_state *state = argument;
    struct metrics metrics;
    to_metrics(state, row->values, &metrics);
    enum status status = learn(state, row->point, row->values, false);
    coverage_add(&state->coverage, row->point);
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
    coverage_add(&state->coverage, point);
    if (!status)
        status = learn(state, point, values, true);
    if (!status)
        status = scoreboard_offer(state->board, point, metrics, NULL, diagnostics);
    state->guard.progress.done += !status;
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

/* The columns of a known point. Valid until the next search_ask. */
static const double *search_values(const struct search_state *state, uint64_t point)
{
    return state->values + key_table_find(&state->known, point) * state->setup.column_count;
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

/* Splits points into those that are known, which count as resumed the first time they are asked
 * for, and those to evaluate. */
static enum status ask_some(struct search_state *state, const uint64_t *points, size_t count)
{
    struct key_table missing = {0};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) {
        uint32_t number = key_table_find(&state->known, points[i]);
        if (number == KEY_NONE) {
            status = key_table_number(&missing, points[i], &number);
        } else if (!state->asked[number]) {
            state->asked[number] = true;
            state->guard.progress.done++;
            state->guard.progress.resumed++;
        }
    }
    state->batch_from = state->guard.progress.done;
    state->batch_points = missing.count;
    state->batch_share = 0;
    if (!status && missing.count)
        status = evaluator_run(state->evaluator, missing.keys, missing.count, state->diagnostics);
    state->batch_points = 0;
    key_table_free(&missing);
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
    if (study->search.method == SEARCH_RANDOM || study->search.method == SEARCH_LATIN_HYPERCUBE ||
        study->search.method == SEARCH_WALK)
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
    uint64_t count = state->guard.progress.points, found = 0;
    uint64_t *points = malloc((count + 1) * sizeof *points);
    enum status status = STATUS_MEMORY;
    if (points) {
        bool latin = state->study->search.method == SEARCH_LATIN_HYPERCUBE;
        status = (latin ? sample_latin : sample_random)(&state->setup.space, state->legality,
                                                        state->study->seed, count, points, &found,
                                                        state->diagnostics);
    }
    if (!status && found < count) {
        diagnostics_add(
            state->diagnostics, SEVERITY_WARNING, NULL,
            "only %llu legal points were found for the sample; %d tries in a row found no other",
            (unsigned long long)found, STREAM_TRIES);
        state->guard.progress.points = found;
    }
    if (!status)
        status = search_ask(state, points, found);
    free(points);
    return status;
}

/* ---- the frame ---- */

static enum status (*const methods[SEARCH_COUNT])(struct search_state *state) = {
    [SEARCH_EXHAUSTIVE] = search_pruned, /* without pruning, explore/sweep/sweep.c runs it */
    [SEARCH_RANDOM] = search_sample,     [SEARCH_LATIN_HYPERCUBE] = search_sample,
    [SEARCH_NSGA2] = search_nsga2,       [SEARCH_HALVING] = search_halving,
    [SEARCH_WALK] = search_walk,
};

enum status search_check(const struct study *study, const struct sweep_options *options,
                         struct diagnostics *diagnostics)
{
    const char *name = search_table[study->search.method].name;
    if (study->search.method == SEARCH_HALVING && !depth_can(study->depth, DEPTH_SAMPLED))
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "halving judges points by windows of the workload, and depth %s "
                                 "cannot be estimated from windows: choose another search",
                                 depth_name(study->depth));
    if (study->search.method == SEARCH_EXHAUSTIVE && !study->search.prune)
        return STATUS_OK;
    if (options->shards)
        return diagnostics_error(
            diagnostics, STATUS_UNSUPPORTED,
            "%s%s cannot be cut into shares, because it decides from all its points", name,
            study->search.prune ? " with pruning" : "");
    if (options->summary)
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "a summary has averages over every point: %s%s needs a store with "
                                 "rows",
                                 name, study->search.prune ? " with pruning" : "");
    return STATUS_OK;
}

/* Opens the store, merges the stores of earlier attempts into it, and reads all of its points. */
static enum status open_store(struct search_state *state)
{
    const struct sweep_options *options = state->options;
    const struct store_options how = {
        .durable = options->durable, .wait = wait_for_store, .wait_argument = state};
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

/* Commits, and records the end of the run as an event, however it ended. */
static enum status end_store(struct search_state *state, enum status status)
{
    enum status committed = store_commit(state->store, state->diagnostics);
    if (!status || status == STATUS_CANCELLED)
        status = committed ? committed : status;
    sweep_note_end(state->store, &state->guard, status);
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
                                 "machines: take walk, nsga2, random or latin_hypercube",
                                 (unsigned long long)CENSUS_MACHINES);
    const struct evaluator_options options = {.space = &setup->space,
                                              .columns = setup->columns,
                                              .column_count = setup->column_count,
                                              .sources = setup->sources,
                                              .extents = setup->extents,
                                              .threads = setup->threads,
                                              .cancel = &state->guard.stop,
                                              .cache = setup->cache,
                                              .point = take_point,
                                              .pass = commit,
                                              .tick = tick,
                                              .argument = state};
    status = legality_create(&setup->space, setup->census.bitmap, &state->legality, diagnostics);
    if (!status)
        status = scoreboard_create(&setup->space, &state->board, diagnostics);
    if (!status)
        status = coverage_open(&setup->space, &setup->census, &state->coverage);
    if (!status)
        status = evaluator_create(&options, &state->evaluator);
    if (!status)
        status = open_store(state);
    state->guard.progress.points = search_points(state->study, legal_points(state));
    return status;
}

static void close_state(struct search_state *state)
{
    store_close(state->store);
    evaluator_free(state->evaluator);
    scoreboard_free(state->board);
    coverage_close(&state->coverage);
    legality_free(state->legality);
    key_table_free(&state->known);
    free(state->values);
    free(state->asked);
    sweep_setup_close(&state->setup, state->diagnostics);
}

enum status search_run(const struct study *study, const struct sweep_options *options,
                       struct sweep_progress *result, struct diagnostics *diagnostics)
{
    struct diagnostics ignored = DIAGNOSTICS_INIT;
    struct search_state state = {
        .study = study, .options = options, .diagnostics = diagnostics ? diagnostics : &ignored};
    sweep_guard_begin(&state.guard, options);
    enum status status = open_state(&state);
    if (!status)
        status = sweep_note_start(state.store, search_table[study->search.method].name,
                                  state.setup.threads, state.known.count, state.diagnostics);
    if (!status) {
        state.guard.start = clock_seconds();
        search_report(&state);
        status = methods[study->search.method](&state);
        status = end_store(&state, status);
        search_report(&state);
    }
    if (result)
        *result = state.guard.progress;
    close_state(&state);
    diagnostics_free(&ignored);
    return status;
}
