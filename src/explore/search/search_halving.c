/* Successive halving in two rounds. The first evaluates every point on windows of its workload; the
 * second simulates in full those that are near the front of the first.
 *
 * The windows are spread evenly over all thread blocks of all launches: one per stratum, at a place
 * drawn from the seed. (A prefix would see only one phase.) They are the same for all machines, so
 * what they leave out they leave out for all alike. The values of the first round only choose
 * points and are then dropped; the store holds full simulations only. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/rng.h"
#include "explore/results/pareto.h"
#include "explore/search/search.h"
#include "explore/search/search_state.h"
#include "explore/space/conditions.h"

enum { WINDOWS_LEAST = 4, WINDOWS_MOST = 64, BLOCKS_AN_SM = 8, ROUND_BATCH = 1 << 16 };
enum { SLACK_STEPS = 12 /* to find the slack that a budget of points allows */ };

struct halving {
    struct search_state *state;
    struct trace_source **windows; /* by workload: windows of it, or the source itself */
    bool sampled;                  /* some workload is long enough for windows */
    struct evaluator *evaluator;
    struct pareto **fronts; /* by workload, of the first round */
    uint64_t *points;       /* all points, then the survivors */
    size_t count;
    struct key_table numbers; /* of points */
    double *costs;            /* by number: one per objective */
    double before, batch; /* work of the batches of the first round: done, of the one that runs */
    size_t cost_capacity;
};

/* ---- windows ---- */

/* How many windows a source is cut into, of how many blocks each; 0 if it is too short. */
static uint64_t window_count(const struct study *study, const struct trace_source *source,
                             uint64_t *length)
{
    const uint64_t blocks = trace_source_blocks(source), sms = study->machine.gpu.sms;
    const uint64_t total = (uint64_t)(study->search.share * (double)blocks);
    uint64_t windows = total / (BLOCKS_AN_SM * sms);
    *length = 0;
    if (windows < WINDOWS_LEAST || total >= blocks)
        return 0;
    windows = windows < WINDOWS_MOST ? windows : WINDOWS_MOST;
    *length = total / windows;
    return windows;
}

double search_windows_share(const struct study *study, const struct trace_source *source)
{
    uint64_t length;
    const uint64_t windows = window_count(study, source, &length);
    return (double)(windows * length) / (double)trace_source_blocks(source);
}

/* Leaves *part NULL if the source is too short for windows. */
static enum status cut_windows(const struct search_state *state, size_t workload,
                               struct trace_source **part)
{
    const struct trace_source *source = state->setup.sources[workload];
    struct trace_slices slices = {0};
    uint64_t length;
    const uint64_t windows = window_count(state->study, source, &length);
    *part = NULL;
    if (!windows)
        return STATUS_OK;
    const uint64_t stratum = trace_source_blocks(source) / windows;
    enum status status = STATUS_OK;
    for (uint64_t i = 0; i < windows && !status; i++) {
        uint64_t room = stratum > length ? stratum - length + 1 : 1;
        uint64_t place = random_below(random_at(~state->study->seed, i), room);
        status = trace_slices_add(&slices, source, i * stratum + place, length);
    }
    if (!status)
        status = trace_source_slice(source, slices.items, (uint32_t)slices.count, part);
    free(slices.items);
    return status;
}

/* ---- the first round ---- */

static enum status take_window(void *argument, uint64_t point, const struct metrics *metrics,
                               struct diagnostics *diagnostics)
{
    struct halving *halving = argument;
    const struct study *study = halving->state->study;
    size_t objectives = study->objective_count;
    uint64_t workload = point / halving->state->setup.space.machines;
    double values[METRIC_COUNT];
    uint32_t number;
    bool passes;
    if (array_reserve(&halving->costs, &halving->cost_capacity,
                      ((size_t)halving->numbers.count + 1) * objectives) ||
        key_table_number(&halving->numbers, point, &number))
        return STATUS_MEMORY;
    for (size_t i = 0; i < objectives; i++) {
        values[i] = metric_get(study->objectives[i].metric, metrics);
        bool higher = study->objectives[i].direction == HIGHER_IS_BETTER;
        halving->costs[number * objectives + i] = higher ? -values[i] : values[i];
    }
    /* check_filters made sure that filters depend on area only, which is exact. */
    enum status status =
        scoreboard_passes(halving->state->board, point, metrics, &passes, diagnostics);
    if (!status && passes)
        status = pareto_offer(halving->fronts[workload], point, values, NULL);
    return status;
}

/* The second round has at most as many points as the budget. */
static void tick(void *argument, const struct runner_progress *batch)
{
    struct halving *halving = argument;
    halving->state->extra_done = halving->before + batch->share * halving->batch;
    search_tick(halving->state, batch);
}

/* The work of the first round, in points. */
static double windows_work(const struct halving *halving)
{
    const struct search_state *state = halving->state;
    const size_t workloads = state->study->workload_count;
    double shares = 0;
    for (size_t w = 0; w < workloads; w++)
        shares += halving->windows[w] == state->setup.sources[w]
                      ? 1
                      : search_windows_share(state->study, state->setup.sources[w]);
    return shares / (double)workloads * (double)halving->count;
}

static enum status list_points(struct halving *halving)
{
    const struct search_state *state = halving->state;
    const struct space *space = &state->setup.space;
    uint64_t legal = state->setup.census.legal * state->study->workload_count;
    halving->points = malloc((legal + 1) * sizeof *halving->points);
    if (!halving->points)
        return STATUS_MEMORY;
    for (size_t w = 0; w < state->study->workload_count; w++)
        for (uint64_t m = 0; m < space->machines; m++)
            if (bit_test(state->setup.census.bitmap, m))
                halving->points[halving->count++] = w * space->machines + m;
    return STATUS_OK;
}

/* Evaluates every point on the windows, in batches, without the store: the results are not those of
 * the workload. The stage cache keeps them for a run that resumes this one. */
static enum status run_windows(struct halving *halving)
{
    struct search_state *state = halving->state;
    const struct evaluator_options options = {.space = &state->setup.space,
                                              .columns = state->setup.columns,
                                              .column_count = state->setup.column_count,
                                              .sources = halving->windows,
                                              .threads = state->setup.threads,
                                              .cancel = &state->guard.stop,
                                              .cache = state->setup.cache,
                                              .point = take_window,
                                              .tick = tick,
                                              .argument = halving};
    enum status status = evaluator_create(&options, &halving->evaluator);
    state->extra = windows_work(halving);
    if (state->study->search.points < halving->count)
        state->guard.progress.points = state->study->search.points;
    for (size_t first = 0; first < halving->count && !status; first += ROUND_BATCH) {
        const size_t left = halving->count - first, some = left < ROUND_BATCH ? left : ROUND_BATCH;
        halving->before = state->extra * (double)first / (double)halving->count;
        halving->batch = state->extra * (double)some / (double)halving->count;
        status =
            evaluator_run(halving->evaluator, halving->points + first, some, state->diagnostics);
    }
    state->extra_done = state->extra;
    return status;
}

/* Whether a point would be in the front if all its sampled values were better by a slack. One with
 * an unknown value would. */
static bool survives(const struct halving *halving, uint64_t point, double slack)
{
    const struct search_state *state = halving->state;
    const struct study *study = state->study;
    const size_t objectives = study->objective_count;
    const double *costs = halving->costs + key_table_find(&halving->numbers, point) * objectives;
    double better[METRIC_COUNT];
    for (size_t d = 0; d < objectives; d++) {
        const bool exact = study->objectives[d].metric->stage == STAGE_AREA;
        better[d] = costs[d] - (exact ? 0 : slack * fabs(costs[d]));
    }
    return !pareto_covers(halving->fronts[point / state->setup.space.machines], point, better);
}

static size_t count_survivors(const struct halving *halving, double slack)
{
    size_t count = 0;
    for (size_t i = 0; i < halving->count; i++)
        count += survives(halving, halving->points[i], slack);
    return count;
}

/* The largest slack, up to that of the study, that leaves no more points than the budget; 0 if
 * there is none. */
static double affordable_slack(const struct halving *halving)
{
    const struct search *search = &halving->state->study->search;
    double low = 0, high = search->slack;
    if (count_survivors(halving, high) <= search->points)
        return high;
    for (int i = 0; i < SLACK_STEPS; i++) {
        const double middle = (low + high) / 2;
        *(count_survivors(halving, middle) <= search->points ? &low : &high) = middle;
    }
    return low;
}

/* Keeps as many points as the budget has, evenly spread. */
static void keep_spread(struct halving *halving)
{
    const uint64_t budget = halving->state->study->search.points;
    size_t kept = 0;
    for (size_t i = 0; i < halving->count; i++)
        if (halving->count <= budget || (i + 1) * budget / halving->count > kept)
            halving->points[kept++] = halving->points[i];
    halving->count = kept;
}

/* Keeps the points near the front, in the budget. */
static void keep_survivors(struct halving *halving)
{
    const size_t all = halving->count;
    const double slack = affordable_slack(halving);
    const bool lowered = slack < halving->state->study->search.slack;
    size_t kept = 0;
    for (size_t i = 0; i < all; i++)
        if (survives(halving, halving->points[i], slack))
            halving->points[kept++] = halving->points[i];
    halving->count = kept;
    keep_spread(halving);
    diagnostics_add(halving->state->diagnostics, SEVERITY_NOTE, NULL,
                    "halving: %zu of %zu points are near the front of the windows%s and were "
                    "simulated in full",
                    halving->count, all,
                    lowered ? ", as near as the budget of points allows," : "");
}

/* ---- the search ---- */

/* Windows count less than the whole source, so their counts cannot be compared with a limit. */
static enum status check_filters(const struct search_state *state)
{
    const struct study *study = state->study;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < study->filter_count && !status; i++) {
        struct place place = {.file = study->path, .line = study->filters[i].line};
        struct expression *expression;
        const struct expression_name *names;
        status = expression_create(study->filters[i].text, &place, SCOPE_POINT, &expression,
                                   state->diagnostics);
        if (status)
            return status;
        size_t count = expression_names(expression, &names);
        for (size_t n = 0; n < count && !status; n++)
            if (names[n].kind == NAME_METRIC && names[n].metric->stage != STAGE_AREA) {
                diagnostics_add(state->diagnostics, SEVERITY_ERROR, &place,
                                "halving cannot judge a filter over %s from windows",
                                names[n].metric->path);
                status = STATUS_UNSUPPORTED;
            }
        expression_free(expression);
    }
    return status;
}

/* A workload that is not worth windows has its whole source in their place; `sampled` says whether
 * any has windows, or else there is nothing to halve. */
static enum status open_halving(struct halving *halving)
{
    struct search_state *state = halving->state;
    const struct study *study = state->study;
    if (!study->objective_count)
        return diagnostics_error(state->diagnostics, STATUS_INVALID,
                                 "halving needs objectives to know what is near the front");
    enum status status = check_filters(state);
    if (status)
        return status;
    halving->windows = calloc(study->workload_count, sizeof *halving->windows);
    halving->fronts = calloc(study->workload_count, sizeof *halving->fronts);
    if (!halving->windows || !halving->fronts)
        return STATUS_MEMORY;
    for (size_t w = 0; w < study->workload_count && !status; w++) {
        status = cut_windows(state, w, &halving->windows[w]);
        if (!status)
            status = pareto_create(study->objectives, study->objective_count, &halving->fronts[w]);
        if (!status && halving->windows[w])
            halving->sampled = true;
        else if (!status)
            halving->windows[w] = state->setup.sources[w];
    }
    return status ? status : list_points(halving);
}

static void free_halving(struct halving *halving)
{
    const struct search_state *state = halving->state;
    evaluator_free(halving->evaluator);
    for (size_t w = 0; w < state->study->workload_count; w++) {
        if (halving->windows && halving->windows[w] != state->setup.sources[w])
            trace_source_free(halving->windows[w]);
        if (halving->fronts)
            pareto_free(halving->fronts[w]);
    }
    key_table_free(&halving->numbers);
    free(halving->windows);
    free(halving->fronts);
    free(halving->points);
    free(halving->costs);
}

enum status search_halving(struct search_state *state)
{
    struct halving halving = {.state = state};
    enum status status = open_halving(&halving);
    if (!status && !halving.sampled) {
        const size_t all = halving.count;
        keep_spread(&halving);
        diagnostics_add(state->diagnostics, SEVERITY_NOTE, NULL,
                        "halving: the workloads are too short for windows; %zu of %zu points are "
                        "simulated in full",
                        halving.count, all);
    }
    if (!status && halving.sampled)
        status = run_windows(&halving);
    if (!status && halving.sampled)
        keep_survivors(&halving);
    if (!status) {
        state->guard.progress.points = halving.count;
        status = search_ask(state, halving.points, halving.count);
    }
    free_halving(&halving);
    return status;
}
