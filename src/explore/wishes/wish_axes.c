#include "explore/wishes/wish_axes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "explore/explain/lever_steps.h"

/* ---- which levers matter ---- */

struct lever_try {
    const struct parameter *parameter;
    struct lever_change change;
    int direction; /* of the step; 0: a choice */
};

struct lever_tries {
    struct lever_try *items;
    size_t count, capacity;
};

static enum status add_try(struct lever_tries *tries, const struct parameter *parameter,
                           const struct lever_change *change, int direction)
{
    if (array_reserve(&tries->items, &tries->capacity, tries->count + 1))
        return STATUS_MEMORY;
    tries->items[tries->count++] = (struct lever_try){parameter, *change, direction};
    return STATUS_OK;
}

static enum status add_tries(struct lever_tries *tries, const struct parameter *parameter,
                             const struct machine *machine)
{
    struct lever_change change;
    enum status status = STATUS_OK;
    if (lever_has_choices(parameter)) {
        for (uint64_t i = 0; (double)i <= parameter->max && !status; i++)
            if (lever_choice(parameter, i, machine, &change))
                status = add_try(tries, parameter, &change, 0);
        return status;
    }
    for (int direction = -1; direction <= 1 && !status; direction += 2)
        if (lever_step(parameter, parameter_get(parameter, machine), direction, machine, &change))
            status = add_try(tries, parameter, &change, direction);
    return status;
}

static bool moves_wish(const struct parameter *parameter, const struct wish *wish,
                       const struct machine *machine, enum depth depth)
{
    bool moves = lever_moves(parameter, machine, wish->goal.metric, depth);
    for (size_t i = 0; i < wish->metric_count && !moves; i++)
        moves = lever_moves(parameter, machine, wish->metrics[i], depth);
    return moves;
}

/* How much better a metric gets, as a share of what it was. */
static double gain_of(const struct metric *metric, enum direction direction,
                      const struct metrics *base, const struct metrics *metrics)
{
    const double before = metric_get(metric, base), after = metric_get(metric, metrics);
    const double more = before == after ? 0 : (after - before) / fabs(before);
    return isnan(more)                     ? 0
           : direction == HIGHER_IS_BETTER ? more
           : direction == LOWER_IS_BETTER  ? -more
                                           : fabs(more);
}

/* The most that a setting gains of what is asked for. */
static double gain_of_wish(const struct wish *wish, const struct metrics *base,
                           const struct metrics *metrics)
{
    double most = gain_of(wish->goal.metric, wish->goal.direction, base, metrics);
    for (size_t i = 0; i < wish->metric_count; i++)
        most = fmax(most, gain_of(wish->metrics[i], wish->metrics[i]->direction, base, metrics));
    return most;
}

/* A setting that matters. */
struct mattering {
    const struct lever_try *tried;
    double gain;
};

static int compare_mattering(const void *a, const void *b)
{
    const struct mattering *left = a, *right = b;
    if (left->gain != right->gain)
        return left->gain > right->gain ? -1 : 1;
    return left->tried < right->tried ? -1 : left->tried > right->tried;
}

/* ---- their values ---- */

static struct axis *axis_of(struct study *study, const struct parameter *parameter)
{
    for (size_t a = 0; a < study->axis_count; a++)
        if (study->axes[a].parameter == parameter)
            return &study->axes[a];
    return NULL;
}

static int compare_values(const void *a, const void *b, void *parameter)
{
    const struct value *left = a, *right = b;
    const double numbers[] = {parameter_number(parameter, *left),
                              parameter_number(parameter, *right)};
    return numbers[0] < numbers[1] ? -1 : numbers[0] > numbers[1];
}

/* Adds a value to the axis of a parameter, and the axis if there is none: with the machine's own.
 */
static enum status add_value(struct study *study, const struct parameter *parameter,
                             struct value value)
{
    struct axis *axis = axis_of(study, parameter);
    if (!axis) {
        axis = realloc(study->axes, (study->axis_count + 1) * sizeof *axis);
        if (!axis)
            return STATUS_MEMORY;
        study->axes = axis;
        axis += study->axis_count++;
        *axis = (struct axis){.parameter = parameter};
        const enum status status =
            add_value(study, parameter, parameter_get(parameter, &study->machine));
        if (status)
            return status;
    }
    for (size_t i = 0; i < axis->count; i++)
        if (parameter_equal(parameter, axis->values[i], value))
            return STATUS_OK;
    struct value *more = realloc(axis->values, (axis->count + 1) * sizeof *more);
    if (!more)
        return STATUS_MEMORY;
    axis->values = more;
    more[axis->count++] = value;
    return STATUS_OK;
}

static enum status add_change(struct study *study, const struct lever_change *change)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < change->count && !status; i++)
        status = add_value(study, change->settings[i].parameter, change->settings[i].value);
    return status;
}

/* A choice, or two steps of a number. */
static enum status add_setting(struct study *study, const struct lever_try *tried)
{
    const struct value value = tried->change.settings[0].value;
    struct lever_change further;
    const enum status status = add_change(study, &tried->change);
    if (status || !tried->direction ||
        !lever_step(tried->parameter, value, tried->direction, &study->machine, &further))
        return status;
    return add_change(study, &further);
}

static enum status add_axes(struct study *study, struct mattering *mattering, size_t count)
{
    enum status status = STATUS_OK;
    if (count)
        qsort(mattering, count, sizeof *mattering, compare_mattering);
    for (size_t i = 0; i < count && !status; i++)
        if (study->axis_count < WISH_AXES_MOST || axis_of(study, mattering[i].tried->parameter))
            status = add_setting(study, mattering[i].tried);
    for (size_t a = 0; a < study->axis_count; a++)
        qsort_r(study->axes[a].values, study->axes[a].count, sizeof *study->axes[a].values,
                compare_values, (void *)(uintptr_t)study->axes[a].parameter);
    return status;
}

/* ---- choosing ---- */

/* The settings that matter by the results that there are. */
static size_t list_mattering(const struct wish *wish, const struct metrics *base,
                             const struct lever_tries *tries, const struct trial_result *results,
                             struct mattering *mattering)
{
    size_t count = 0;
    for (size_t i = 0; i < tries->count; i++) {
        const double gain =
            results[i].state == TRIAL_RAN ? gain_of_wish(wish, base, &results[i].metrics) : 0;
        if (gain >= WISH_MATTERS)
            mattering[count++] = (struct mattering){&tries->items[i], gain};
    }
    return count;
}

static enum status run_tries(struct trials *trials, const struct wish *wish,
                             const struct metrics *base, const struct lever_tries *tries,
                             struct study *study, struct diagnostics *diagnostics)
{
    struct trial *items = calloc(tries->count + 1, sizeof *items);
    struct trial_result *results = calloc(tries->count + 1, sizeof *results);
    struct mattering *mattering = calloc(tries->count + 1, sizeof *mattering);
    enum status status = STATUS_MEMORY;
    if (items && results && mattering) {
        for (size_t i = 0; i < tries->count; i++) {
            items[i].machine = study->machine;
            lever_apply(&tries->items[i].change, &items[i].machine);
        }
        status = trials_run(trials, items, tries->count, results, diagnostics);
    }
    if (!status || status == STATUS_CANCELLED) {
        const enum status added =
            add_axes(study, mattering, list_mattering(wish, base, tries, results, mattering));
        status = added ? added : status;
    }
    free(items);
    free(results);
    free(mattering);
    return status;
}

enum status wish_axes_choose(struct trials *trials, const struct wish *wish,
                             const struct metrics *base, struct study *study,
                             struct diagnostics *diagnostics)
{
    struct lever_tries tries = {0};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < parameter_count && !status; i++)
        if (moves_wish(&parameters[i], wish, &study->machine, study->depth))
            status = add_tries(&tries, &parameters[i], &study->machine);
    if (!status)
        status = run_tries(trials, wish, base, &tries, study, diagnostics);
    free(tries.items);
    return status;
}
