#include "explore/wishes/wish_search.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/counts.h"
#include "base/key_table.h"
#include "base/memory.h"
#include "explore/explain/trials.h"
#include "explore/results/scoreboard.h"
#include "explore/search/additive.h"
#include "explore/search/search_evaluator.h"
#include "explore/space/conditions.h"
#include "explore/space/fit.h"
#include "explore/space/projection.h"
#include "explore/space/sampling.h"
#include "explore/store/store.h"
#include "explore/wishes/wish_axes.h"
#include "model/area/area.h"
#include "model/depth_models.h"

/* How many guesses of one round are held against the conditions. */
enum { GUESSES_MOST = 1 << 19 };

struct candidate {
    uint64_t machine;
    double cost; /* where the goal needs no run; else 0 */
};

struct looking {
    const struct wish *wish;
    const struct wish_options *options;
    const struct trace_source *source;
    struct wish_result *result;
    struct census census;
    struct scoreboard *board; /* tests the filters */
    struct evaluator *evaluator;
    struct candidate *candidates; /* in the order of the proof */
    size_t count, front;          /* the candidates before `front` were tried */
    uint64_t *own;                /* machines around the study's, which are tried first */
    size_t own_count;
    size_t asked;           /* the tried machines before this one are in the result */
    struct key_table tried; /* machines, in the order in which they were asked for */
    bool *done;             /* by number: its values are there */
    double *values;         /* by number: the columns */
    uint32_t *digits;       /* by number: of the axes */
    uint32_t *guessed;      /* scratch: the digits of a guess */
    size_t done_capacity, value_capacity, digit_capacity;
    struct additive *models; /* by column */
    double end;              /* on the clock; 0: no limit */
    atomic_bool stop;
    struct diagnostics *diagnostics;
};

static size_t axis_count(const struct looking *looking)
{
    return looking->result->study.axis_count;
}

static size_t columns(const struct looking *looking)
{
    return looking->result->column_count;
}

/* ---- the space ---- */

static enum status copy_conditions(const struct condition *from, size_t count,
                                   struct condition **to, size_t *to_count)
{
    *to = count ? calloc(count, sizeof **to) : NULL;
    for (*to_count = 0; *to && *to_count < count; ++*to_count)
        if (!((*to)[*to_count].text = strdup(from[*to_count].text)))
            return STATUS_MEMORY;
    return *to_count == count ? STATUS_OK : STATUS_MEMORY;
}

/* Makes the wish part of the study. */
static enum status fill_study(const struct wish *wish, struct study *study)
{
    search_defaults(&study->search);
    study->search.chosen = true; /* so no size is refused */
    study->depth_said = true;
    study->objectives = malloc(sizeof *study->objectives);
    study->columns = calloc(wish->metric_count + 1, sizeof(const struct metric *));
    if (!study->objectives || !study->columns)
        return STATUS_MEMORY;
    study->objectives[study->objective_count++] = wish->goal;
    if (wish->metric_count)
        memcpy(study->columns, wish->metrics, wish->metric_count * sizeof *wish->metrics);
    study->column_count = wish->metric_count;
    const enum status status =
        copy_conditions(wish->where, wish->where_count, &study->where, &study->where_count);
    return status ? status
                  : copy_conditions(wish->filters, wish->filter_count, &study->filters,
                                    &study->filter_count);
}

static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *left = a, *right = b;
    if (left->cost != right->cost)
        return left->cost < right->cost ? -1 : 1;
    return left->machine < right->machine ? -1 : left->machine > right->machine;
}

/* Where areas are the goal, they are worked out once for each combination of what they depend on.
 */
static enum status cost_candidates(struct looking *looking)
{
    const struct space *space = &looking->result->space;
    struct projection projection = {0};
    enum status status = projection_init_stages(space, STAGE_AREA, false, &projection);
    double *costs = status ? NULL : calloc(projection.combinations, sizeof *costs);
    if (!status && !costs)
        status = STATUS_MEMORY;
    for (uint64_t c = 0; !status && c < projection.combinations; c++)
        costs[c] = NAN;
    for (size_t i = 0; !status && i < looking->count; i++) {
        struct candidate *candidate = &looking->candidates[i];
        double *cost = &costs[projection_index(&projection, candidate->machine)];
        if (isnan(*cost)) {
            struct machine machine;
            struct metrics metrics;
            space_machine(space, candidate->machine, &machine);
            metrics_clear(&metrics);
            area_evaluate(&machine, &metrics);
            *cost = wish_cost(looking->wish, metric_get(looking->wish->goal.metric, &metrics));
            if (isnan(*cost)) /* no value comes last */
                *cost = INFINITY;
        }
        candidate->cost = *cost;
    }
    free(costs);
    projection_free(&projection);
    return status;
}

/* Whether a machine can run the source at this depth. */
static bool can_run(const struct looking *looking, uint64_t number)
{
    const enum depth depth = looking->result->study.depth;
    struct machine machine;
    space_machine(&looking->result->space, number, &machine);
    machine_apply_kind(&machine);
    if (depth_models[depth].check && depth_models[depth].check(&machine, NULL))
        return false;
    return depth_can(depth, DEPTH_FITS) ? fit_runs(&machine, looking->source)
                                        : !evaluate_check_machine(&machine, looking->source, NULL);
}

/* Says what leaves no machine. */
static enum status refuse_empty(const struct looking *looking)
{
    const struct removal *most = NULL;
    char machines[COUNT_TEXT];
    for (size_t i = 0; i < looking->census.removal_count; i++)
        if (!most || looking->census.removals[i].machines > most->machines)
            most = &looking->census.removals[i];
    counted_print(looking->result->machines, "machine", machines);
    return diagnostics_error(looking->diagnostics, STATUS_INVALID,
                             "none of the %s that the axes span is legal%s%s%s%s", machines,
                             most ? ": most break " : " and can run the workload",
                             most ? most->kind : "", most ? " " : "", most ? most->what : "");
}

/* Lists the machines that are legal and can run the source, in the order of the proof: by cost, or
 * by chance. */
static enum status list_candidates(struct looking *looking)
{
    struct wish_result *result = looking->result;
    const struct space *space = &result->space;
    if (looking->census.legal > WISH_MACHINES)
        return diagnostics_error(looking->diagnostics, STATUS_UNSUPPORTED,
                                 "the axes span %llu machines, more than %llu: name fewer axes, or "
                                 "fewer values",
                                 (unsigned long long)looking->census.legal,
                                 (unsigned long long)WISH_MACHINES);
    looking->candidates = calloc(looking->census.legal + 1, sizeof *looking->candidates);
    if (!looking->candidates)
        return STATUS_MEMORY;
    const struct shuffle shuffle = shuffle_create(0, space->machines);
    for (uint64_t i = 0; i < space->machines; i++) {
        const uint64_t m = wish_is_exact(looking->wish) ? i : shuffle_at(&shuffle, i);
        if (!bit_test(looking->census.bitmap, m))
            continue;
        if (can_run(looking, m))
            looking->candidates[looking->count++].machine = m;
        else
            looking->census.bitmap[m / 8] &= (uint8_t) ~(1u << m % 8);
    }
    result->legal = looking->count;
    if (!looking->count)
        return refuse_empty(looking);
    if (!wish_is_exact(looking->wish))
        return STATUS_OK;
    const enum status status = cost_candidates(looking);
    qsort(looking->candidates, looking->count, sizeof *looking->candidates, compare_candidates);
    return status;
}

/* Lists the machines around the study's own, with one axis changed at a time. */
static enum status list_own(struct looking *looking)
{
    const struct study *study = &looking->result->study;
    const size_t values = study_values_before(study, study->axis_count);
    uint64_t base = 0, stride = looking->result->space.machines;
    looking->own = calloc(values + 1, sizeof *looking->own);
    size_t *digits = calloc(study->axis_count + 1, sizeof *digits);
    if (!looking->own || !digits) {
        free(digits);
        return STATUS_MEMORY;
    }
    for (size_t a = 0; a < study->axis_count; a++) {
        const struct axis *axis = &study->axes[a];
        const struct value own = parameter_get(axis->parameter, &study->machine);
        while (digits[a] < axis->count &&
               !parameter_equal(axis->parameter, axis->values[digits[a]], own))
            digits[a]++;
        digits[a] = digits[a] < axis->count ? digits[a] : 0;
        base = base * axis->count + digits[a];
    }
    looking->own[looking->own_count++] = base;
    for (size_t a = 0; a < study->axis_count; a++) {
        stride /= study->axes[a].count;
        for (size_t d = 0; d < study->axes[a].count; d++)
            if (d != digits[a])
                looking->own[looking->own_count++] = base + d * stride - digits[a] * stride;
    }
    free(digits);
    return STATUS_OK;
}

static enum status open_models(struct looking *looking)
{
    const struct study *study = &looking->result->study;
    size_t *counts = calloc(study->axis_count + 1, sizeof *counts);
    looking->models = calloc(columns(looking) + 1, sizeof *looking->models);
    looking->guessed = calloc(study->axis_count + 1, sizeof *looking->guessed);
    const bool memory = counts && looking->models && looking->guessed;
    enum status status = memory ? STATUS_OK : STATUS_MEMORY;
    for (size_t a = 0; counts && a < study->axis_count; a++)
        counts[a] = study->axes[a].count;
    for (size_t c = 0; c < columns(looking) && !status; c++)
        status = additive_create(counts, study->axis_count, &looking->models[c]);
    free(counts);
    return status;
}

/* ---- trying machines ---- */

static void check_limits(struct looking *looking)
{
    const struct wish_options *options = looking->options;
    if ((options->cancel && atomic_load(options->cancel)) ||
        (looking->end > 0 && clock_seconds() > looking->end))
        atomic_store(&looking->stop, true);
}

static uint64_t points_most(const struct looking *looking)
{
    const uint64_t points = looking->options->points;
    return points && points < looking->count ? points : looking->count;
}

static void wish_tick(void *argument, const struct runner_progress *batch)
{
    struct looking *looking = argument;
    const double running = (double)(looking->tried.count - looking->asked);
    check_limits(looking);
    if (looking->options->progress)
        looking->options->progress(looking->options->argument,
                                   ((double)looking->asked + batch->share * running) /
                                       (double)(points_most(looking) + 1));
}

/* Keeps the columns of a machine, which came when it did. */
static enum status wish_take_point(void *argument, uint64_t point, const struct metrics *metrics,
                                   struct diagnostics *diagnostics)
{
    struct looking *looking = argument;
    const size_t number = key_table_find(&looking->tried, point);
    (void)diagnostics;
    for (size_t c = 0; c < columns(looking); c++)
        looking->values[number * columns(looking) + c] =
            metric_get(looking->result->columns[c], metrics);
    looking->done[number] = true;
    return STATUS_OK;
}

/* Makes a machine one of the next round; false: it is already tried, or not legal. */
static enum status add_machine(struct looking *looking, uint64_t machine, bool *added)
{
    const size_t axes = axis_count(looking), number = looking->tried.count;
    uint32_t taken;
    *added = bit_test(looking->census.bitmap, machine) &&
             key_table_find(&looking->tried, machine) == KEY_NONE;
    if (!*added)
        return STATUS_OK;
    if (array_reserve(&looking->done, &looking->done_capacity, number + 1) ||
        array_reserve(&looking->values, &looking->value_capacity,
                      (number + 1) * columns(looking)) ||
        array_reserve(&looking->digits, &looking->digit_capacity, (number + 1) * (axes + 1)) ||
        key_table_number(&looking->tried, machine, &taken))
        return STATUS_MEMORY;
    looking->done[number] = false;
    for (size_t a = 0; a < axes; a++)
        looking->digits[number * axes + a] =
            (uint32_t)space_digit(&looking->result->space, machine, a);
    return STATUS_OK;
}

/* Whether columns of a machine, seen or guessed, satisfy the conditions. */
static enum status satisfies(const struct looking *looking, uint64_t machine, const double *values,
                             bool *passes)
{
    struct metrics metrics;
    metrics_clear(&metrics);
    for (size_t c = 0; c < columns(looking); c++)
        metric_set(looking->result->columns[c], &metrics, values[c]);
    const enum status status =
        scoreboard_passes(looking->board, machine, &metrics, passes, looking->diagnostics);
    *passes = *passes && !isnan(values[0]);
    return status;
}

/* The area among the columns; 0: it is not asked for. */
static double area_among(const struct wish_result *result, const double *values)
{
    for (size_t c = 0; c < result->column_count; c++)
        if (result->columns[c] == metric_find("total.area"))
            return values[c];
    return 0;
}

/* How many settings of a machine are not those of the study's own. */
static size_t count_changes(const struct wish_result *result, uint64_t machine)
{
    const struct study *study = &result->study;
    size_t changes = 0;
    for (size_t a = 0; a < study->axis_count; a++) {
        const struct axis *axis = &study->axes[a];
        changes +=
            !parameter_equal(axis->parameter, axis->values[space_digit(&result->space, machine, a)],
                             parameter_get(axis->parameter, &study->machine));
    }
    return changes;
}

static enum status add_row(struct wish_result *result, uint64_t machine, double cost,
                           const double *values)
{
    if (array_reserve(&result->rows, &result->row_capacity, result->row_count + 1) ||
        array_reserve(&result->values, &result->value_capacity,
                      result->value_count + result->column_count))
        return STATUS_MEMORY;
    result->rows[result->row_count++] = (struct wish_row){.machine = machine,
                                                          .cost = cost,
                                                          .area = area_among(result, values),
                                                          .changes = count_changes(result, machine),
                                                          .values = result->value_count};
    memcpy(result->values + result->value_count, values, result->column_count * sizeof *values);
    result->value_count += result->column_count;
    return STATUS_OK;
}

static int compare_rows(const void *a, const void *b)
{
    const struct wish_row *left = a, *right = b;
    if (left->cost != right->cost)
        return left->cost < right->cost ? -1 : 1;
    if (left->area != right->area)
        return left->area < right->area ? -1 : 1;
    if (left->changes != right->changes)
        return left->changes < right->changes ? -1 : 1;
    return left->machine < right->machine ? -1 : left->machine > right->machine;
}

/* Whether a candidate would come before the best row. */
static bool beats_best(const struct looking *looking, const struct candidate *candidate)
{
    const struct wish_result *result = looking->result;
    if (!wish_is_exact(looking->wish) || !result->row_count)
        return true;
    return candidate->cost < result->rows->cost;
}

static bool is_done(const struct looking *looking, uint64_t machine)
{
    const uint32_t number = key_table_find(&looking->tried, machine);
    return number != KEY_NONE && looking->done[number];
}

/* What follows from the machines tried so far. */
static void conclude(struct looking *looking)
{
    struct wish_result *result = looking->result;
    while (looking->front < looking->count &&
           is_done(looking, looking->candidates[looking->front].machine))
        looking->front++;
    const struct candidate *next = &looking->candidates[looking->front];
    result->bound = NAN;
    if (looking->front == looking->count)
        result->proof = WISH_ALL;
    else if (!beats_best(looking, next))
        result->proof = WISH_ALL_BETTER;
    else if (wish_is_exact(looking->wish))
        result->bound = isfinite(next->cost) ? wish_goal(result, next->cost) : NAN;
}

/* Takes the machines of a round, in the order in which they were asked for. */
static enum status take_round(struct looking *looking)
{
    struct wish_result *result = looking->result;
    enum status status = STATUS_OK;
    for (; looking->asked < looking->tried.count && !status; looking->asked++) {
        const double *values = looking->values + looking->asked * columns(looking);
        const uint64_t machine = looking->tried.keys[looking->asked];
        bool passes = false;
        if (!looking->done[looking->asked])
            continue;
        result->tried++;
        for (size_t c = 0; c < columns(looking); c++) {
            result->least[c] = fmin(result->least[c], values[c]);
            result->most[c] = fmax(result->most[c], values[c]);
        }
        status = satisfies(looking, machine, values, &passes);
        if (!status && passes)
            status = add_row(result, machine, wish_cost(looking->wish, values[0]), values);
    }
    if (result->row_count)
        qsort(result->rows, result->row_count, sizeof *result->rows, compare_rows);
    conclude(looking);
    return status;
}

/* ---- the next round ---- */

static enum status fit_models(struct looking *looking)
{
    const size_t count = looking->tried.count, width = columns(looking);
    double *column = calloc(count + 1, sizeof *column);
    enum status status = column ? STATUS_OK : STATUS_MEMORY;
    for (size_t c = 0; c < width && !status; c++) {
        for (size_t i = 0; i < count; i++)
            column[i] = looking->values[i * width + c];
        status = additive_fit(&looking->models[c], looking->digits, column, count);
    }
    free(column);
    return status;
}

static void guess(const struct looking *looking, uint64_t machine, size_t count, double *values)
{
    for (size_t a = 0; a < axis_count(looking); a++)
        looking->guessed[a] = (uint32_t)space_digit(&looking->result->space, machine, a);
    for (size_t c = 0; c < count; c++)
        values[c] = additive_at(&looking->models[c], looking->guessed);
}

/* Adds the first candidates that are guessed to satisfy the conditions, at most `most`. */
static enum status add_promising(struct looking *looking, const struct candidate *candidates,
                                 size_t count, size_t most)
{
    enum status status = STATUS_OK;
    const bool tests = looking->wish->filter_count > 0;
    for (size_t i = 0, tested = 0; i < count && most && tested < GUESSES_MOST && !status; i++) {
        double values[METRIC_COUNT];
        bool passes = true, added = false;
        if (!beats_best(looking, &candidates[i]))
            break;
        if (key_table_find(&looking->tried, candidates[i].machine) != KEY_NONE)
            continue;
        if (tests) {
            tested++;
            guess(looking, candidates[i].machine, columns(looking), values);
            status = satisfies(looking, candidates[i].machine, values, &passes);
        }
        if (!status && passes)
            status = add_machine(looking, candidates[i].machine, &added);
        most -= added;
    }
    return status;
}

/* Where the goal needs runs, candidates are put in the order of what it is guessed to be. */
static enum status add_guessed(struct looking *looking, size_t most)
{
    if (wish_is_exact(looking->wish))
        return add_promising(looking, looking->candidates + looking->front,
                             looking->count - looking->front, most);
    struct candidate *guessed = calloc(looking->count + 1, sizeof *guessed);
    size_t count = 0;
    if (!guessed)
        return STATUS_MEMORY;
    for (size_t i = looking->front; i < looking->count; i++) {
        const uint64_t machine = looking->candidates[i].machine;
        double goal;
        if (key_table_find(&looking->tried, machine) != KEY_NONE)
            continue;
        guess(looking, machine, 1, &goal);
        guessed[count++] = (struct candidate){machine, wish_cost(looking->wish, goal)};
    }
    qsort(guessed, count, sizeof *guessed, compare_candidates);
    const enum status status = add_promising(looking, guessed, count, most);
    free(guessed);
    return status;
}

static enum status add_proof(struct looking *looking, size_t most)
{
    enum status status = STATUS_OK;
    for (size_t i = looking->front; i < looking->count && most && !status; i++) {
        bool added = false;
        if (!beats_best(looking, &looking->candidates[i]))
            break;
        status = add_machine(looking, looking->candidates[i].machine, &added);
        most -= added;
    }
    return status;
}

static enum status add_own(struct looking *looking, size_t most)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < looking->own_count && most && !status; i++) {
        bool added = false;
        status = add_machine(looking, looking->own[i], &added);
        most -= added;
    }
    return status;
}

/* Makes a round; none is left where it is empty. */
static enum status make_round(struct looking *looking)
{
    const uint64_t left = points_most(looking) - looking->tried.count;
    const bool shared = depth_can(looking->result->study.depth, DEPTH_GROUPED);
    const size_t size = shared ? WISH_BATCH_SHARED : WISH_BATCH;
    const size_t most = left < size ? (size_t)left : size;
    if (!looking->tried.count) {
        const enum status status = add_own(looking, (size_t)left);
        if (status || looking->tried.count)
            return status;
    }
    const size_t before = looking->tried.count;
    enum status status = looking->tried.count ? fit_models(looking) : STATUS_OK;
    if (!status && looking->tried.count)
        status = add_guessed(looking, (most + 1) / 2);
    return status ? status : add_proof(looking, most - (looking->tried.count - before));
}

static enum status look(struct looking *looking)
{
    enum status status = STATUS_OK;
    while (!status && looking->result->proof == WISH_UNPROVED) {
        check_limits(looking);
        if (atomic_load(&looking->stop))
            return STATUS_CANCELLED;
        status = make_round(looking);
        const size_t fresh = looking->tried.count - looking->asked;
        if (status || !fresh)
            return status;
        status = evaluator_run(looking->evaluator, looking->tried.keys + looking->asked, fresh,
                               looking->diagnostics);
        const enum status taken = take_round(looking);
        status = status ? status : taken;
        if (looking->options->grown)
            looking->options->grown(looking->options->argument, looking->result);
    }
    return status;
}

/* ---- the whole ---- */

static enum status open_space(struct looking *looking)
{
    struct wish_result *result = looking->result;
    const struct study *study = &result->study;
    enum status status = space_open(study, &result->space, looking->diagnostics);
    if (status)
        return status;
    result->space.cancel = &looking->stop;
    result->machines = result->space.machines;
    status = study_result_columns(study, &result->columns, &result->column_count);
    if (!status)
        status = space_census(&result->space, &looking->census, looking->diagnostics);
    if (!status)
        status = scoreboard_create(&result->space, &looking->board, looking->diagnostics);
    if (!status)
        status = list_candidates(looking);
    if (!status)
        status = list_own(looking);
    if (!status)
        status = open_models(looking);
    result->least = calloc(result->column_count + 1, sizeof *result->least);
    result->most = calloc(result->column_count + 1, sizeof *result->most);
    if (!result->least || !result->most)
        return status ? status : STATUS_MEMORY;
    for (size_t c = 0; c < result->column_count; c++)
        result->least[c] = result->most[c] = NAN;
    return status;
}

static enum status open_evaluator(struct looking *looking, struct trace_source **sources)
{
    const struct wish_options *options = looking->options;
    struct wish_result *result = looking->result;
    const struct evaluator_options how = {.space = &result->space,
                                          .columns = result->columns,
                                          .column_count = result->column_count,
                                          .sources = sources,
                                          .threads = options->threads > 0 ? options->threads
                                                                          : omp_get_num_procs(),
                                          .cancel = &looking->stop,
                                          .cache = options->cache,
                                          .counts = &result->counts,
                                          .point = wish_take_point,
                                          .tick = wish_tick,
                                          .argument = looking};
    return evaluator_create(&how, &looking->evaluator);
}

/* Whether the study's own machine satisfies all conditions. */
static enum status test_base(struct looking *looking)
{
    struct wish_result *result = looking->result;
    const struct expression_values values = {.machine = &result->study.machine,
                                             .metrics = &result->base,
                                             .workload = result->study.workloads[0]};
    const struct place nowhere = {0};
    enum status status = STATUS_OK;
    result->base_satisfies = true;
    for (size_t i = 0; i < looking->wish->where_count + looking->wish->filter_count && !status;
         i++) {
        const struct wish *wish = looking->wish;
        const char *text =
            i < wish->where_count ? wish->where[i].text : wish->filters[i - wish->where_count].text;
        struct expression *expression;
        bool holds = false;
        status = expression_create(text, &nowhere, SCOPE_POINT, &expression, looking->diagnostics);
        if (status)
            return status;
        status = expression_test(expression, &values, &holds, looking->diagnostics);
        result->base_satisfies = result->base_satisfies && holds;
        expression_free(expression);
    }
    return status;
}

static enum status run_base(struct looking *looking, struct trials *trials)
{
    const struct trial own = {.machine = looking->result->study.machine};
    struct trial_result found;
    const enum status status = trials_run(trials, &own, 1, &found, looking->diagnostics);
    if (status == STATUS_CANCELLED)
        return diagnostics_error(looking->diagnostics, status,
                                 "stopped before the machine itself had run to its end");
    if (status)
        return status;
    if (found.state != TRIAL_RAN)
        return diagnostics_error(
            looking->diagnostics, STATUS_INVALID,
            "the workload does not fit the machine: 'warpscape run --depth %s' says why",
            depth_name(looking->result->study.depth));
    looking->result->base = found.metrics;
    return test_base(looking);
}

static void wish_show_trials(void *argument, double share)
{
    const struct looking *looking = argument;
    if (looking->options->progress)
        looking->options->progress(looking->options->argument, share);
}

/* Runs the machine itself, and, where no axes are named, each of its levers. */
static enum status run_trials(struct looking *looking)
{
    struct wish_result *result = looking->result;
    unsigned needs = metric_needs(looking->wish->goal.metric);
    for (size_t i = 0; i < looking->wish->metric_count; i++)
        needs |= metric_needs(looking->wish->metrics[i]);
    const struct trials_options how = {.source = looking->source,
                                       .depth = result->study.depth,
                                       .needs = needs,
                                       .cache = looking->options->cache,
                                       .threads = looking->options->threads,
                                       .time_limit = looking->options->time_limit,
                                       .cancel = looking->options->cancel,
                                       .progress = wish_show_trials,
                                       .argument = looking};
    struct trials *trials = trials_open(&how);
    if (!trials)
        return STATUS_MEMORY;
    enum status status = run_base(looking, trials);
    if (!status && !result->study.axis_count) {
        status = wish_axes_choose(trials, looking->wish, &result->base, &result->study,
                                  looking->diagnostics);
        result->chosen = trials_counted(trials).done;
        if (status == STATUS_CANCELLED)
            status = diagnostics_error(looking->diagnostics, status,
                                       "stopped while each lever was tried, before any answer");
        if (!status && !result->study.axis_count)
            status = diagnostics_error(looking->diagnostics, STATUS_INVALID,
                                       "no lever of this machine changes what is asked for: name "
                                       "axes");
    }
    trials_free(trials);
    return status;
}

static void free_looking(struct looking *looking)
{
    evaluator_free(looking->evaluator);
    scoreboard_free(looking->board);
    census_free(&looking->census);
    key_table_free(&looking->tried);
    for (size_t c = 0; looking->models && c < columns(looking); c++)
        additive_free(&looking->models[c]);
    free(looking->models);
    free(looking->candidates);
    free(looking->own);
    free(looking->done);
    free(looking->values);
    free(looking->digits);
    free(looking->guessed);
    looking->result->space.cancel = NULL;
}

enum status wish_search(const struct wish *wish, struct study *study,
                        const struct trace_source *source, const struct wish_options *options,
                        struct wish_result *result, struct diagnostics *diagnostics)
{
    struct looking looking = {.wish = wish,
                              .options = options,
                              .source = source,
                              .result = result,
                              .diagnostics = diagnostics};
    struct trace_source *sources[] = {(struct trace_source *)(uintptr_t)source};
    *result = (struct wish_result){.study = *study, .bound = NAN};
    *study = (struct study){0};
    result->space.study = &result->study;
    if (options->time_limit > 0)
        looking.end = clock_seconds() + options->time_limit;
    enum status status = fill_study(wish, &result->study);
    if (!status)
        status = run_trials(&looking);
    if (!status)
        status = open_space(&looking);
    if (!status)
        status = open_evaluator(&looking, sources);
    if (!status)
        status = look(&looking);
    free_looking(&looking);
    return status;
}
