#include "explore/wishes/wish_search.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/geomean.h"
#include "base/memory.h"
#include "base/units.h"
#include "explore/explain/trials.h"
#include "explore/space/conditions.h"
#include "explore/wishes/wish_axes.h"
#include "explore/wishes/wish_looking.h"

/* ---- trying machines ---- */

static void check_limits(struct looking *looking)
{
    const struct wish_options *options = looking->options;
    if ((options->cancel && atomic_load(options->cancel)) ||
        (looking->end > 0 && clock_seconds() > looking->end))
        atomic_store(&looking->stop, true);
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

/* What a metric is over several workloads; one value is left as it is. */
static double mean_value(const double *values, size_t stride, size_t count)
{
    struct geomean mean = {0};
    for (size_t w = 0; w < count; w++)
        geomean_add(&mean, values[w * stride]);
    return count == 1 ? *values : geomean_value(&mean);
}

/* Keeps the columns of a machine on a workload; the last one completes those over all workloads. */
static enum status wish_take_point(void *argument, uint64_t point, const struct metrics *metrics,
                                   struct diagnostics *diagnostics)
{
    struct looking *looking = argument;
    const uint64_t machines = looking->result->space.machines;
    const size_t number = key_table_find(&looking->tried, point % machines);
    const size_t width = columns(looking), count = workloads(looking);
    double *each = looking->each + number * count * width;
    (void)diagnostics;
    for (size_t c = 0; c < width; c++)
        each[point / machines * width + c] = metric_get(looking->result->columns[c], metrics);
    if (++looking->done[number] == count)
        for (size_t c = 0; c < width; c++)
            looking->values[number * width + c] = mean_value(each + c, width, count);
    return STATUS_OK;
}

/* Whether columns of a machine, seen or guessed, satisfy the conditions. */
enum status wish_satisfies(const struct looking *looking, uint64_t machine, const double *values,
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
bool wish_beats_best(const struct looking *looking, const struct candidate *candidate)
{
    const struct wish_result *result = looking->result;
    if (!wish_is_exact(looking->wish) || !result->row_count)
        return true;
    return candidate->cost < result->rows->cost;
}

static bool is_done(const struct looking *looking, uint64_t machine)
{
    const uint32_t number = key_table_find(&looking->tried, machine);
    return number != KEY_NONE && looking->done[number] == workloads(looking);
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
    else if (!wish_beats_best(looking, next))
        result->proof = WISH_ALL_BETTER;
    else if (wish_is_exact(looking->wish))
        result->bound = isfinite(next->cost) ? wish_goal(result, next->cost) : NAN;
}

/* Whether a machine that was run satisfies the conditions on every workload. */
static enum status satisfies_all(const struct looking *looking, size_t number, bool *passes)
{
    const size_t width = columns(looking), count = workloads(looking);
    enum status status = STATUS_OK;
    *passes = true;
    for (size_t w = 0; w < count && *passes && !status; w++)
        status = wish_satisfies(looking, looking->tried.keys[number],
                                looking->each + (number * count + w) * width, passes);
    return status;
}

/* Widens what the columns reached, on any workload. */
static void widen_range(struct looking *looking, size_t number)
{
    const size_t width = columns(looking), count = workloads(looking);
    const double *each = looking->each + number * count * width;
    for (size_t i = 0; i < count * width; i++) {
        double *least = &looking->result->least[i % width];
        double *most = &looking->result->most[i % width];
        *least = fmin(*least, each[i]);
        *most = fmax(*most, each[i]);
    }
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
        if (!is_done(looking, machine))
            continue;
        result->tried++;
        if (isnan(values[0])) /* it gets stuck */
            continue;
        widen_range(looking, looking->asked);
        status = satisfies_all(looking, looking->asked, &passes);
        if (!status && passes)
            status = add_row(result, machine, wish_cost(looking->wish, values[0]), values);
    }
    if (result->row_count)
        qsort(result->rows, result->row_count, sizeof *result->rows, compare_rows);
    conclude(looking);
    return status;
}

/* Runs the machines of a round on all workloads. */
static enum status run_round(struct looking *looking)
{
    const size_t fresh = looking->tried.count - looking->asked;
    size_t count = 0;
    if (array_reserve(&looking->points, &looking->point_capacity, fresh * workloads(looking)))
        return STATUS_MEMORY;
    for (size_t i = looking->asked; i < looking->tried.count; i++)
        for (size_t w = 0; w < workloads(looking); w++)
            looking->points[count++] = w * looking->result->space.machines + looking->tried.keys[i];
    return evaluator_run(looking->evaluator, looking->points, count, looking->diagnostics);
}

static enum status look(struct looking *looking)
{
    enum status status = STATUS_OK;
    while (!status && looking->result->proof == WISH_UNPROVED) {
        check_limits(looking);
        if (atomic_load(&looking->stop))
            return STATUS_CANCELLED;
        status = wish_make_round(looking);
        if (status || looking->tried.count == looking->asked)
            return status;
        status = run_round(looking);
        const enum status taken = take_round(looking);
        status = status ? status : taken;
        if (looking->options->grown)
            looking->options->grown(looking->options->argument, looking->result);
    }
    return status;
}

/* ---- the whole ---- */

static enum status open_evaluator(struct looking *looking)
{
    const struct wish_options *options = looking->options;
    struct wish_result *result = looking->result;
    const struct evaluator_options how = {.space = &result->space,
                                          .columns = result->columns,
                                          .column_count = result->column_count,
                                          .sources = looking->sources,
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

/* Whether the study's own machine satisfies all conditions on a workload. */
static enum status test_base(struct looking *looking, const struct metrics *metrics)
{
    struct wish_result *result = looking->result;
    const struct expression_values values = {.machine = &result->study.machine,
                                             .metrics = metrics,
                                             .workload = result->study.workloads[0]};
    const struct place nowhere = {0};
    enum status status = STATUS_OK;
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

static enum status run_base(struct looking *looking, struct trials *trials, struct metrics *metrics)
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
    *metrics = found.metrics;
    return test_base(looking, metrics);
}

/* What is known when the search is stopped before it began: of the machine itself alone. */
static enum status tell_base(const struct looking *looking, const struct metrics *base,
                             size_t levers)
{
    const struct metric *goal = looking->wish->goal.metric;
    char value[QUANTITY_TEXT];
    quantity_print_short(metric_get(goal, base), goal->unit, 4, value);
    return diagnostics_error(
        looking->diagnostics, STATUS_CANCELLED,
        "stopped while each lever was tried (%zu runs), before any answer; the machine itself has "
        "%s %s and %s",
        levers, goal->path, value,
        looking->result->base_satisfies ? "satisfies that" : "does not satisfy that");
}

static void wish_show_trials(void *argument, double share)
{
    const struct looking *looking = argument;
    if (looking->options->progress)
        looking->options->progress(looking->options->argument, share);
}

/* Runs the machine itself on a workload, and, where no axes are named, each of its levers. */
static enum status run_trials(struct looking *looking, size_t workload, bool levers,
                              struct metrics *base)
{
    struct wish_result *result = looking->result;
    unsigned needs = metric_needs(looking->wish->goal.metric);
    for (size_t i = 0; i < looking->wish->metric_count; i++)
        needs |= metric_needs(looking->wish->metrics[i]);
    const struct trials_options how = {.source = looking->sources[workload],
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
    enum status status = run_base(looking, trials, base);
    if (!status && levers) {
        status =
            wish_axes_choose(trials, looking->wish, base, &result->study, looking->diagnostics);
        result->chosen += trials_counted(trials).done;
        if (status == STATUS_CANCELLED)
            status = tell_base(looking, base, trials_counted(trials).done);
    }
    trials_free(trials);
    return status;
}

/* Runs what comes before the search on every workload. */
static enum status run_all_trials(struct looking *looking)
{
    struct wish_result *result = looking->result;
    const bool levers = !result->study.axis_count;
    const size_t count = workloads(looking);
    struct metrics *each = calloc(count, sizeof *each);
    enum status status = each ? STATUS_OK : STATUS_MEMORY;
    result->base_satisfies = true;
    for (size_t w = 0; w < count && !status; w++)
        status = run_trials(looking, w, levers, &each[w]);
    if (!status && levers && !result->study.axis_count)
        status = diagnostics_error(looking->diagnostics, STATUS_INVALID,
                                   "no lever of this machine changes what is asked for: name axes");
    if (!status)
        result->base = *each;
    for (size_t i = 0; i <= looking->wish->metric_count && count > 1 && !status; i++) {
        const struct metric *metric =
            i ? looking->wish->metrics[i - 1] : looking->wish->goal.metric;
        struct geomean mean = {0};
        for (size_t w = 0; w < count; w++)
            geomean_add(&mean, metric_get(metric, &each[w]));
        metric_set(metric, &result->base, geomean_value(&mean));
    }
    free(each);
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
    free(looking->each);
    free(looking->points);
    free(looking->values);
    free(looking->digits);
    free(looking->guessed);
    looking->result->space.cancel = NULL;
}

enum status wish_search(const struct wish *wish, struct study *study,
                        struct trace_source *const *sources, const struct wish_options *options,
                        struct wish_result *result, struct diagnostics *diagnostics)
{
    struct looking looking = {.wish = wish,
                              .options = options,
                              .sources = sources,
                              .result = result,
                              .diagnostics = diagnostics};
    *result = (struct wish_result){.study = *study, .bound = NAN};
    *study = (struct study){0};
    result->space.study = &result->study;
    if (options->time_limit > 0)
        looking.end = clock_seconds() + options->time_limit;
    enum status status = wish_fill_study(wish, &result->study);
    if (!status)
        status = run_all_trials(&looking);
    if (!status)
        status = wish_open_space(&looking);
    if (!status)
        status = open_evaluator(&looking);
    if (!status)
        status = look(&looking);
    free_looking(&looking);
    return status;
}
