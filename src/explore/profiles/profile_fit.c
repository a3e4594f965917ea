#include "explore/profiles/profile_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "explore/space/space.h"
#include "explore/store/store.h"
#include "explore/sweep/sweep.h"

/* ---- the study ---- */

/* Puts the machine's own value into an axis that lacks it, so that `before` is a point too. */
static enum status add_own(struct axis *axis, const struct machine *machine)
{
    const struct value own = parameter_get(axis->parameter, machine);
    for (size_t i = 0; i < axis->count; i++)
        if (parameter_equal(axis->parameter, axis->values[i], own))
            return STATUS_OK;
    size_t capacity = axis->count;
    if (array_reserve(&axis->values, &capacity, axis->count + 1))
        return STATUS_MEMORY;
    axis->values[axis->count++] = own;
    return STATUS_OK;
}

static enum status complete_study(struct study *study, const struct comparison *comparison,
                                  struct diagnostics *diagnostics)
{
    const struct metric *metrics[METRIC_COUNT];
    const size_t count = comparison_metrics(comparison, study->depth, true, metrics);
    if (!count)
        return diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                                 "the profile has no counter that depth %s answers and that a fit "
                                 "could go by",
                                 depth_name(study->depth));
    enum status status = STATUS_OK;
    for (size_t i = 0; i < study->axis_count && !status; i++)
        status = add_own(&study->axes[i], &study->machine);
    free(study->columns);
    study->columns = malloc(count * sizeof(struct metric *));
    if (!study->columns)
        return STATUS_MEMORY;
    memcpy(study->columns, metrics, count * sizeof *metrics);
    study->column_count = count;
    study->depth_said = true;
    return status;
}

/* ---- the points ---- */

struct point {
    uint64_t index;
    double error;
};

struct fitting {
    struct study *study;
    struct comparison *comparison;
    struct store *store;
    const struct space *space;
    struct profile_fit *fit;
    struct point *points;
    size_t count, capacity;
    const double *base;
    double *ours;
    struct diagnostics *diagnostics;
};

static enum status take_point(void *argument, const struct store_row *row)
{
    struct fitting *fitting = argument;
    const struct metric *const *columns;
    const size_t count = store_columns(fitting->store, &columns);
    struct metrics metrics;
    struct machine machine;
    metrics_clear(&metrics);
    for (size_t i = 0; i < count; i++)
        metric_set(columns[i], &metrics, row->values[i]);
    space_machine(fitting->space, row->point, &machine);
    enum status status = comparison_run(fitting->comparison, &machine, &metrics, fitting->ours,
                                        fitting->diagnostics);
    if (status || array_reserve(&fitting->points, &fitting->capacity, fitting->count + 1))
        return status ? status : STATUS_MEMORY;
    fitting->points[fitting->count++] = (struct point){
        row->point, comparison_error(fitting->comparison, fitting->ours, fitting->base, NULL)};
    return STATUS_OK;
}

/* How many knobs a point turns. */
static size_t changes(const struct fitting *fitting, uint64_t point)
{
    size_t count = 0;
    for (size_t a = 0; a < fitting->study->axis_count; a++) {
        const struct axis *axis = &fitting->study->axes[a];
        count +=
            !parameter_equal(axis->parameter, axis->values[space_digit(fitting->space, point, a)],
                             parameter_get(axis->parameter, &fitting->study->machine));
    }
    return count;
}

static enum status make_knobs(const struct fitting *fitting)
{
    struct profile_fit *fit = fitting->fit;
    fit->knobs = calloc(fitting->study->axis_count + 1, sizeof *fit->knobs);
    if (!fit->knobs)
        return STATUS_MEMORY;
    for (; fit->knob_count < fitting->study->axis_count; fit->knob_count++) {
        const struct axis *axis = &fitting->study->axes[fit->knob_count];
        struct fit_knob *knob = &fit->knobs[fit->knob_count];
        knob->parameter = axis->parameter;
        knob->before = parameter_get(axis->parameter, &fitting->study->machine);
        knob->good_count = axis->count;
        knob->good = calloc(axis->count + 1, sizeof *knob->good);
        if (!knob->good)
            return STATUS_MEMORY;
    }
    return STATUS_OK;
}

/* The best point, and what else is as good. */
static enum status judge_fit(const struct fitting *fitting)
{
    struct profile_fit *fit = fitting->fit;
    double least = INFINITY;
    const struct point *best = NULL;
    fit->before = NAN;
    for (size_t i = 0; i < fitting->count; i++) {
        least = fmin(least, fitting->points[i].error);
        if (!changes(fitting, fitting->points[i].index))
            fit->before = fitting->points[i].error;
    }
    for (size_t i = 0; i < fitting->count; i++) {
        const struct point *point = &fitting->points[i];
        if (!(point->error <= least + FIT_SAME))
            continue;
        fit->same++;
        for (size_t a = 0; a < fit->knob_count; a++)
            fit->knobs[a].good[space_digit(fitting->space, point->index, a)] = 1;
        const size_t turned = changes(fitting, point->index);
        const size_t fewest = best ? changes(fitting, best->index) : SIZE_MAX;
        if (!best || turned < fewest || (turned == fewest && point->error < best->error))
            best = point;
    }
    if (!best)
        return diagnostics_error(fitting->diagnostics, STATUS_NOT_FOUND,
                                 "no machine of the fit has a counter of the profile");
    fit->machines = fitting->count;
    fit->after = best->error;
    space_machine(fitting->space, best->index, &fit->machine);
    for (size_t a = 0; a < fit->knob_count; a++)
        fit->knobs[a].after = parameter_get(fit->knobs[a].parameter, &fit->machine);
    return STATUS_OK;
}

enum status profile_fit(struct study *study, struct comparison *comparison, const double *base,
                        const struct sweep_options *options, struct profile_fit *fit,
                        struct diagnostics *diagnostics)
{
    const struct study *stored;
    struct sweep_progress progress;
    struct fitting fitting = {.study = study,
                              .comparison = comparison,
                              .base = base,
                              .fit = fit,
                              .diagnostics = diagnostics};
    *fit = (struct profile_fit){0};
    enum status status = complete_study(study, comparison, diagnostics);
    if (!status)
        status = sweep_run(study, options, &progress, diagnostics);
    if (!status)
        status = store_open(options->store, &fitting.store, &stored, diagnostics);
    if (!status) {
        fitting.space = store_space(fitting.store);
        fitting.ours = malloc((comparison_measured(comparison)->count + 1) * sizeof(double));
        status = fitting.ours ? make_knobs(&fitting) : STATUS_MEMORY;
    }
    if (!status)
        status = store_query(fitting.store, &(struct query){0}, take_point, &fitting, diagnostics);
    if (!status)
        status = judge_fit(&fitting);
    free(fitting.points);
    free(fitting.ours);
    store_close(fitting.store);
    if (status)
        profile_fit_free(fit);
    return status;
}

void profile_fit_free(struct profile_fit *fit)
{
    for (size_t i = 0; i < fit->knob_count; i++)
        free(fit->knobs[i].good);
    free(fit->knobs);
    *fit = (struct profile_fit){0};
}
