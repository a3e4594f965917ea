#include "explore/results/scoreboard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explore/results/hypervolume.h"
#include "explore/results/pareto.h"
#include "explore/space/conditions.h"

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
    double *low, *high;       /* range of costs met, [workload][objective]; low > high if none */
    uint64_t best;
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
    board->low = calloc(ranges, sizeof *board->low);
    board->high = calloc(ranges, sizeof *board->high);
    bool boxes = board->low && board->high, points = board->objectives && board->best_objectives;
    enum status status =
        board->fronts && points && board->rankings && boxes ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; i < ranges && boxes; i++) {
        board->low[i] = INFINITY;
        board->high[i] = -INFINITY;
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
    free(board->low);
    free(board->high);
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

/* Extends a workload's range of costs. A point with a missing value does not count. */
static void widen_box(struct scoreboard *board, size_t workload)
{
    const struct study *study = board->space->study;
    size_t first = workload * study->objective_count;
    for (size_t i = 0; i < study->objective_count; i++)
        if (isnan(board->objectives[i]))
            return;
    for (size_t i = 0; i < study->objective_count; i++) {
        bool higher = study->objectives[i].direction == HIGHER_IS_BETTER;
        double cost = higher ? -board->objectives[i] : board->objectives[i];
        board->low[first + i] = fmin(board->low[first + i], cost);
        board->high[first + i] = fmax(board->high[first + i], cost);
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
    offer_best(board, point);
    size_t workload = point / board->space->machines;
    widen_box(board, workload);
    for (size_t i = 0; i < study->objective_count; i++)
        ranked |=
            rank_point(&board->rankings[workload * study->objective_count + i], point,
                       board->objectives[i], study->objectives[i].direction == HIGHER_IS_BETTER);
    status = pareto_offer(board->fronts[workload], point, board->objectives, &entered);
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

static double workload_hypervolume(const struct scoreboard *board, size_t workload)
{
    size_t dimensions = board->space->study->objective_count;
    const double *low = board->low + workload * dimensions;
    const double *high = board->high + workload * dimensions;
    double box = 1;
    if (!pareto_count(board->fronts[workload]))
        return 0;
    for (size_t i = 0; i < dimensions; i++) { /* equal values still give a box with a volume */
        board->objectives[i] = hypervolume_reference(low[i], high[i]);
        box *= board->objectives[i] - low[i];
    }
    return hypervolume(pareto_costs(board->fronts[workload]), pareto_count(board->fronts[workload]),
                       dimensions, board->objectives, HYPERVOLUME_STEPS) /
           box;
}

double scoreboard_hypervolume(const struct scoreboard *board)
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
