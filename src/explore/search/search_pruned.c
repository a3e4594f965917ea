/* Exhaustive search that skips the points which a proved bound keeps out of the front
 * (explore/search/bounds.h).
 *
 * Machines are ranked by how much their caches hold. The rank with the largest goes first, because
 * it bounds all others; then the smallest, which have the least area; then always the middle of a
 * range that is left, so that bounds are tight and the front is known early. Points of the same
 * rank do not prune each other. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/rng.h"
#include "explore/results/pareto.h"
#include "explore/search/bounds.h"
#include "explore/search/search_state.h"

enum { VERIFY_ONE_IN = 100, VIOLATIONS_SHOWN = 5 };

struct pruning {
    struct search_state *state;
    struct bounds *bounds;
    struct pareto **fronts; /* by workload, of the evaluated points */
    uint8_t *ranks;         /* by machine */
    uint8_t *pruned;        /* bitmap of points */
    unsigned order[BOUNDS_RANKS];
    size_t order_count;
    uint64_t *points; /* of the current rank */
    size_t point_count, point_capacity;
    double *costs;
};

/* Orders the ranks that occur as the head of this file explains. */
static void order_ranks(struct pruning *pruning, const uint64_t *counts)
{
    unsigned present[BOUNDS_RANKS];
    size_t queue[BOUNDS_RANKS][2], head = 0, tail = 0, count = 0;
    for (unsigned rank = 0; rank < BOUNDS_RANKS; rank++)
        if (counts[rank])
            present[count++] = rank;
    if (!count)
        return;
    pruning->order[pruning->order_count++] = present[count - 1];
    if (count == 1)
        return;
    pruning->order[pruning->order_count++] = present[0];
    queue[tail][0] = 0;
    queue[tail++][1] = count - 1;
    for (; head < tail; head++) { /* the middle rank splits the interval in two */
        size_t low = queue[head][0], high = queue[head][1], middle = (low + high) / 2;
        if (high - low < 2)
            continue;
        pruning->order[pruning->order_count++] = present[middle];
        if (middle - low > 1) {
            queue[tail][0] = low;
            queue[tail++][1] = middle;
        }
        if (high - middle > 1) {
            queue[tail][0] = middle;
            queue[tail++][1] = high;
        }
    }
}

static void note_broken(struct search_state *state, const uint64_t broken[STAGE_COUNT])
{
    for (size_t i = 0; i < STAGE_COUNT; i++)
        if (broken[i])
            diagnostics_add(
                state->diagnostics, SEVERITY_NOTE, NULL,
                "%s: bounds are proved for LRU without sectors, lazy fetch, unified SRAM "
                "and stores that evict or fetch; they are switched off for %llu of "
                "%llu machines",
                stage_table[i].name, (unsigned long long)broken[i],
                (unsigned long long)state->setup.census.legal);
}

/* Ranks every machine and counts those that break the preconditions of a bound. */
static void sort_machines(struct pruning *pruning)
{
    struct search_state *state = pruning->state;
    const struct space *space = &state->setup.space;
    uint64_t counts[BOUNDS_RANKS] = {0}, broken[STAGE_COUNT] = {0};
    for (uint64_t m = 0; m < space->machines && !search_cancelled(state); m++) {
        struct machine machine;
        if (!bit_test(state->setup.census.bitmap, m))
            continue;
        space_machine(space, m, &machine);
        pruning->ranks[m] = (uint8_t)bounds_rank(pruning->bounds, &machine);
        counts[pruning->ranks[m]]++;
        unsigned stages = bounds_broken(pruning->bounds, &machine);
        for (size_t i = 0; i < STAGE_COUNT; i++)
            broken[i] += stages >> i & 1;
    }
    order_ranks(pruning, counts);
    note_broken(state, broken);
}

/* Lists the points of a rank that may enter the front, and marks the others as pruned. */
static enum status list_rank(struct pruning *pruning, unsigned rank)
{
    struct search_state *state = pruning->state;
    const struct space *space = &state->setup.space;
    pruning->point_count = 0;
    for (size_t w = 0; w < state->study->workload_count; w++)
        for (uint64_t m = 0; m < space->machines; m++) {
            uint64_t point = w * space->machines + m;
            if (!bit_test(state->setup.census.bitmap, m) || pruning->ranks[m] != rank)
                continue;
            bounds_limit(pruning->bounds, point, pruning->costs);
            if (pareto_covers(pruning->fronts[w], point, pruning->costs)) {
                bit_set(pruning->pruned, point);
                state->guard.progress.pruned++;
                continue;
            }
            if (array_reserve(&pruning->points, &pruning->point_capacity, pruning->point_count + 1))
                return STATUS_MEMORY;
            pruning->points[pruning->point_count++] = point;
        }
    return search_cancelled(state) ? STATUS_CANCELLED : STATUS_OK;
}

/* Tells the bounds and the fronts about the points of a rank, which then prune later ranks. */
static enum status learn_points(struct pruning *pruning)
{
    struct search_state *state = pruning->state;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < pruning->point_count && !status; i++) {
        uint64_t point = pruning->points[i];
        bool eligible;
        status = search_costs(state, point, pruning->costs, &eligible);
        if (!status)
            status = bounds_learn(pruning->bounds, point, pruning->costs);
        double values[METRIC_COUNT]; /* the front turns the objectives itself */
        for (size_t d = 0; d < state->study->objective_count; d++)
            values[d] = state->study->objectives[d].direction == HIGHER_IS_BETTER
                            ? -pruning->costs[d]
                            : pruning->costs[d];
        if (!status && eligible)
            status = pareto_offer(pruning->fronts[point / state->setup.space.machines], point,
                                  values, NULL);
    }
    return status;
}

/* ---- verification ---- */

/* Checks that no value of a pruned point is better than its bound. */
static enum status verify_point(struct pruning *pruning, uint64_t point, uint64_t *violations)
{
    struct search_state *state = pruning->state;
    double limits[METRIC_COUNT];
    bool eligible;
    bounds_limit(pruning->bounds, point, limits);
    enum status status = search_costs(state, point, pruning->costs, &eligible);
    for (size_t i = 0; i < state->study->objective_count && !status; i++) {
        if (!(pruning->costs[i] < limits[i]))
            continue;
        if (++*violations <= VIOLATIONS_SHOWN)
            diagnostics_add(state->diagnostics, SEVERITY_ERROR, NULL,
                            "point %llu: %s is better than its bound: cost %.17g, bound %.17g",
                            (unsigned long long)point, state->study->objectives[i].metric->path,
                            pruning->costs[i], limits[i]);
    }
    return status;
}

static enum status append_point(struct pruning *pruning, uint64_t point)
{
    if (array_reserve(&pruning->points, &pruning->point_capacity, pruning->point_count + 1))
        return STATUS_MEMORY;
    pruning->points[pruning->point_count++] = point;
    return STATUS_OK;
}

/* Draws about one in a hundred of the pruned points, and at least one. */
static enum status draw_points(struct pruning *pruning)
{
    const struct search_state *state = pruning->state;
    uint64_t least = UINT64_MAX, least_point = UINT64_MAX;
    enum status status = STATUS_OK;
    pruning->point_count = 0;
    for (uint64_t point = 0; point < state->setup.space.points && !status; point++) {
        if (!bit_test(pruning->pruned, point))
            continue;
        uint64_t random = random_at(state->study->seed, point);
        if (least_point == UINT64_MAX || random < least) {
            least = random;
            least_point = point;
        }
        if (random % VERIFY_ONE_IN == 0)
            status = append_point(pruning, point);
    }
    if (!status && !pruning->point_count && least_point != UINT64_MAX)
        status = append_point(pruning, least_point);
    return status;
}

/* Simulates some of the pruned points to check the bounds. */
static enum status verify(struct pruning *pruning)
{
    struct search_state *state = pruning->state;
    uint64_t violations = 0;
    enum status status = draw_points(pruning);
    if (status)
        return status;
    state->guard.progress.pruned -= pruning->point_count;
    status = search_ask(state, pruning->points, pruning->point_count);
    for (size_t i = 0; i < pruning->point_count && !status; i++)
        status = verify_point(pruning, pruning->points[i], &violations);
    if (!status)
        diagnostics_add(state->diagnostics, violations ? SEVERITY_ERROR : SEVERITY_NOTE, NULL,
                        "%zu of the pruned points were simulated: %llu values better than their "
                        "bounds",
                        pruning->point_count, (unsigned long long)violations);
    return status;
}

/* ---- the search ---- */

static enum status open_pruning(struct pruning *pruning)
{
    struct search_state *state = pruning->state;
    const struct study *study = state->study;
    const struct space *space = &state->setup.space;
    enum status status = bounds_create(space, &pruning->bounds);
    pruning->fronts = calloc(study->workload_count, sizeof *pruning->fronts);
    pruning->ranks = calloc(space->machines, sizeof *pruning->ranks);
    pruning->pruned = calloc(space->points / 8 + 1, 1);
    pruning->costs = calloc(study->objective_count, sizeof *pruning->costs);
    if (!pruning->fronts || !pruning->ranks || !pruning->pruned || !pruning->costs)
        status = STATUS_MEMORY;
    for (size_t w = 0; w < study->workload_count && !status; w++)
        status = pareto_create(study->objectives, study->objective_count, &pruning->fronts[w]);
    return status;
}

static void free_pruning(struct pruning *pruning)
{
    for (size_t w = 0; pruning->fronts && w < pruning->state->study->workload_count; w++)
        pareto_free(pruning->fronts[w]);
    bounds_free(pruning->bounds);
    free(pruning->fronts);
    free(pruning->ranks);
    free(pruning->pruned);
    free(pruning->points);
    free(pruning->costs);
}

/* A rank is listed once the results of the one before are known, so that their front prunes it. A
 * point is dropped only where its bound, which no result can beat, is dominated; so the front is
 * that of the whole space (verify looks at some of what was dropped). */
enum status search_pruned(struct search_state *state)
{
    struct pruning pruning = {.state = state};
    enum status status = open_pruning(&pruning);
    if (!status)
        sort_machines(&pruning);
    for (size_t i = 0; i < pruning.order_count && !status; i++) {
        status = list_rank(&pruning, pruning.order[i]);
        if (!status)
            status = search_ask(state, pruning.points, pruning.point_count);
        if (!status)
            status = learn_points(&pruning);
    }
    if (!status && state->study->search.verify_bounds)
        status = verify(&pruning);
    if (!status && search_cancelled(state))
        status = STATUS_CANCELLED;
    if (!status)
        state->guard.progress.points = state->guard.progress.done;
    free_pruning(&pruning);
    return status;
}
