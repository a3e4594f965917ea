#include "explore/results/scoreboard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "explore/results/hypervolume.h"
#include "explore/results/pareto.h"
#include "explore/space/conditions.h"

/* Over several workloads, machines are compared by the geometric mean of the first objective. Its
 * sums are kept for spaces of this many machines at most. */
#define ACROSS_MACHINES ((uint64_t)1 << 24)

struct across {
    double logarithms; /* NaN: a value is not positive, or missing */
    uint64_t workloads;
};

/* The best points of one workload in one objective, best first. */
struct ranking {
    size_t count;
    struct {
        uint64_t point;
        double value;
    } items[SCOREBOARD_BEST];
};

struct scoreboard {
    const struct space *space;
    struct expression **filters;
    struct pareto **fronts;   /* by workload; NULL if the study has no objective */
    struct ranking *rankings; /* [workload][objective] */
    double *objectives;       /* scratch: values of one point */
    double *worst;            /* largest costs met, [workload][objective]; 0 if none */
    double *scaled;           /* scratch: costs of a front */
    size_t scaled_capacity;
    struct across *across; /* by machine; NULL if there is one workload, or too many machines */
    uint64_t best;         /* over all workloads, the machine's point on the first one */
    double *best_objectives;
};

static enum status create_fronts(struct scoreboard *board)
{
    const struct study *study = board->space->study;
    board->fronts = calloc(study->workload_count, sizeof *board->fronts);
    board->objectives = calloc(study->objective_count, sizeof *board->objectives);
    board->best_objectives = calloc(study->objective_count, sizeof *board->best_objectives);
    board->rankings =
        calloc(study->workload_count * study->objective_count, sizeof(struct ranking));
    size_t ranges = study->workload_count * study->objective_count;
    board->worst = calloc(ranges, sizeof *board->worst);
    bool points = board->objectives && board->best_objectives && board->worst;
    enum status status = board->fronts && points && board->rankings ? STATUS_OK : STATUS_MEMORY;
    if (study->workload_count > 1 && board->space->machines <= ACROSS_MACHINES) {
        board->across = calloc(board->space->machines, sizeof *board->across);
        status = board->across ? status : STATUS_MEMORY;
    }
    for (size_t w = 0; w < study->workload_count && !status; w++)
        status = pareto_create(study->objectives, study->objective_count, &board->fronts[w]);
    return status;
}

enum status scoreboard_create(const struct space *space, struct scoreboard **result,
                              struct diagnostics *diagnostics)
{
    const struct study *study = space->study;
    *result = NULL;
    struct scoreboard *board = calloc(1, sizeof *board);
    if (!board)
        return STATUS_MEMORY;
    board->space = space;
    board->best = UINT64_MAX;
    board->filters = calloc(study->filter_count + 1, sizeof *board->filters);
    enum status status = board->filters ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; board->filters && i < study->filter_count; i++) {
        struct place place = {.file = study->path, .line = study->filters[i].line};
        enum status found = expression_create(study->filters[i].text, &place, SCOPE_POINT,
                                              &board->filters[i], diagnostics);
        status = status ? status : found;
    }
    if (!status && study->objective_count)
        status = create_fronts(board);
    if (status) {
        scoreboard_free(board);
        return status;
    }
    *result = board;
    return STATUS_OK;
}

void scoreboard_free(struct scoreboard *board)
{
    if (!board)
        return;
    const struct study *study = board->space->study;
    for (size_t i = 0; board->filters && i < study->filter_count; i++)
        expression_free(board->filters[i]);
    for (size_t w = 0; board->fronts && w < study->workload_count; w++)
        pareto_free(board->fronts[w]);
    free(board->filters);
    free(board->fronts);
    free(board->rankings);
    free(board->objectives);
    free(board->best_objectives);
    free(board->worst);
    free(board->scaled);
    free(board->across);
    free(board);
}

enum status scoreboard_passes(const struct scoreboard *board, uint64_t point,
                              const struct metrics *metrics, bool *passes,
                              struct diagnostics *diagnostics)
{
    const struct space *space = board->space;
    struct machine machine;
    *passes = true;
    if (!space->study->filter_count)
        return STATUS_OK;
    space_machine(space, point % space->machines, &machine);
    const struct expression_values values = {
        &machine, metrics, space->study->workloads[point / space->machines], point, NULL};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < space->study->filter_count && *passes && !status; i++)
        status = expression_test(board->filters[i], &values, passes, diagnostics);
    return status;
}

/* Whether the point with the values board->objectives is better than the best so far: by the first
 * objective; then by the others, so that nothing dominates the best point; then by its index. */
static bool is_better(const struct scoreboard *board, uint64_t point)
{
    const struct study *study = board->space->study;
    for (size_t i = 0; i < study->objective_count; i++) {
        double value = board->objectives[i], best = board->best_objectives[i];
        if (value == best || (isnan(value) && isnan(best)))
            continue;
        if (isnan(value) || isnan(best))
            return isnan(best);
        return study->objectives[i].direction == HIGHER_IS_BETTER ? value > best : value < best;
    }
    return point < board->best;
}

static void offer_best(struct scoreboard *board, uint64_t point)
{
    size_t size = board->space->study->objective_count * sizeof *board->objectives;
    if (isnan(board->objectives[0]))
        return;
    if (board->best == UINT64_MAX || is_better(board, point)) {
        board->best = point;
        memcpy(board->best_objectives, board->objectives, size);
    }
}

/* Offers a machine once all workloads have been met, as a point whose first objective is the
 * geometric mean. The others are no tie break: they would be those of one workload. */
static void offer_across(struct scoreboard *board, uint64_t point)
{
    const struct study *study = board->space->study;
    const double value = board->objectives[0];
    struct across *across = &board->across[point % board->space->machines];
    across->logarithms += value > 0 ? log(value) : NAN;
    if (++across->workloads < study->workload_count)
        return;
    for (size_t i = 0; i < study->objective_count; i++)
        board->objectives[i] = NAN;
    board->objectives[0] = exp(across->logarithms / (double)study->workload_count);
    offer_best(board, point % board->space->machines);
}

/* Inserts a point into a ranking. Equal values are ordered by their points, so that the ranking
 * does not depend on the order of arrival. */
static bool rank_point(struct ranking *ranking, uint64_t point, double value, bool higher)
{
    size_t place = ranking->count;
    if (isnan(value))
        return false;
    while (place > 0) {
        double other = ranking->items[place - 1].value;
        bool better = higher ? value > other : value < other;
        if (!better && (value != other || point > ranking->items[place - 1].point))
            break;
        place--;
    }
    if (place == SCOREBOARD_BEST)
        return false;
    ranking->count += ranking->count < SCOREBOARD_BEST;
    memmove(&ranking->items[place + 1], &ranking->items[place],
            (ranking->count - 1 - place) * sizeof ranking->items[0]);
    ranking->items[place].point = point;
    ranking->items[place].value = value;
    return true;
}

/* What hypervolumes are made from: less is better, and nothing is below 0. */
static double volume_cost(const struct objective *objective, double value)
{
    if (objective->direction == HIGHER_IS_BETTER)
        return value > 0 ? 1 / value : INFINITY;
    return fmax(value, 0);
}

/* Extends a workload's range of costs. A point with a missing value does not count. */
static void widen_box(struct scoreboard *board, size_t workload)
{
    const struct study *study = board->space->study;
    double *worst = board->worst + workload * study->objective_count;
    for (size_t i = 0; i < study->objective_count; i++)
        if (isnan(board->objectives[i]))
            return;
    for (size_t i = 0; i < study->objective_count; i++) {
        const double cost = volume_cost(&study->objectives[i], board->objectives[i]);
        worst[i] = isinf(cost) ? worst[i] : fmax(worst[i], cost);
    }
}

enum status scoreboard_offer(struct scoreboard *board, uint64_t point,
                             const struct metrics *metrics, bool *kept,
                             struct diagnostics *diagnostics)
{
    const struct study *study = board->space->study;
    bool passes, entered = false, ranked = false;
    if (kept)
        *kept = false;
    if (!board->fronts)
        return STATUS_OK;
    enum status status = scoreboard_passes(board, point, metrics, &passes, diagnostics);
    if (status || !passes)
        return status;
    for (size_t i = 0; i < study->objective_count; i++)
        board->objectives[i] = metric_get(study->objectives[i].metric, metrics);
    size_t workload = point / board->space->machines;
    widen_box(board, workload);
    for (size_t i = 0; i < study->objective_count; i++)
        ranked |=
            rank_point(&board->rankings[workload * study->objective_count + i], point,
                       board->objectives[i], study->objectives[i].direction == HIGHER_IS_BETTER);
    status = pareto_offer(board->fronts[workload], point, board->objectives, &entered);
    if (board->across)
        offer_across(board, point);
    else if (study->workload_count == 1)
        offer_best(board, point);
    if (kept)
        *kept = entered || ranked;
    return status;
}

enum status scoreboard_mark(const struct scoreboard *board, uint8_t *kept)
{
    const struct study *study = board->space->study;
    if (!board->fronts)
        return STATUS_OK;
    for (size_t i = 0; i < study->workload_count * study->objective_count; i++)
        for (size_t k = 0; k < board->rankings[i].count; k++)
            bit_set(kept, board->rankings[i].items[k].point);
    for (size_t w = 0; w < study->workload_count; w++) {
        uint64_t *ids;
        enum status status = pareto_ids(board->fronts[w], &ids);
        if (status)
            return status;
        for (size_t i = 0; i < pareto_count(board->fronts[w]); i++)
            bit_set(kept, ids[i]);
        free(ids);
    }
    return STATUS_OK;
}

uint64_t scoreboard_front(const struct scoreboard *board)
{
    uint64_t count = 0;
    for (size_t w = 0; board->fronts && w < board->space->study->workload_count; w++)
        count += pareto_count(board->fronts[w]);
    return count;
}

/* A budget of about a millisecond: a sweep waits while this is computed. */
#define HYPERVOLUME_STEPS 200000

/* Costs as shares of the box, which reaches from 0 to a tenth beyond the worst. If the worst grows,
 * all shares shrink, so what the front dominates never does. */
static double workload_hypervolume(struct scoreboard *board, size_t workload)
{
    const struct study *study = board->space->study;
    const size_t dimensions = study->objective_count, count = pareto_count(board->fronts[workload]);
    const double *costs = pareto_costs(board->fronts[workload]);
    if (!count)
        return 0;
    if (array_reserve(&board->scaled, &board->scaled_capacity, count * dimensions))
        return NAN;
    for (size_t i = 0; i < count * dimensions; i++) {
        const struct objective *objective = &study->objectives[i % dimensions];
        const bool higher = objective->direction == HIGHER_IS_BETTER;
        const double worst = board->worst[workload * dimensions + i % dimensions];
        const double cost = volume_cost(objective, higher ? -costs[i] : costs[i]);
        board->scaled[i] = worst > 0 ? cost / hypervolume_reference(0, worst) : cost;
    }
    for (size_t i = 0; i < dimensions; i++)
        board->objectives[i] = 1;
    return hypervolume(board->scaled, count, dimensions, board->objectives, HYPERVOLUME_STEPS);
}

double scoreboard_hypervolume(struct scoreboard *board)
{
    size_t workloads = board->space->study->workload_count;
    double sum = 0;
    for (size_t w = 0; board->fronts && w < workloads; w++)
        sum += workload_hypervolume(board, w);
    return board->fronts ? sum / (double)workloads : NAN;
}

uint64_t scoreboard_best(const struct scoreboard *board, double *value)
{
    *value = board->best == UINT64_MAX ? NAN : board->best_objectives[0];
    return board->best;
}
