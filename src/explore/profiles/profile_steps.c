#include "explore/profiles/profile_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <omp.h>

#include "base/memory.h"
#include "explore/profiles/variants.h"
#include "explore/sweep/axis_values.h"
#include "explore/sweep/curve.h"
#include "workload/workload.h"

#define CAUSE_LEAST 1e-9

struct trial {
    struct profile_step step;
    struct machine machine;
    size_t group; /* the first trial with the same stream */
    enum status status;
};

struct trials {
    struct trial *items;
    size_t count, capacity;
    const struct trace_source *source;
    bool grouped; /* trials with one stream share a pass */
};

/* Adds the machine with this value if no rule is against it, and it runs such a source; *legal says
 * so. */
static enum status add_trial(struct trials *trials, const struct machine *machine,
                             const struct parameter *parameter, struct value value, bool *legal)
{
    struct violation found[VIOLATION_MAX];
    struct trial trial = {.step = {parameter, value, NAN}, .machine = *machine};
    parameter_set(parameter, &trial.machine, value);
    *legal = machine_check(&trial.machine, found) == 0 &&
             !evaluate_check_machine(&trial.machine, trials->source, NULL);
    if (!*legal)
        return STATUS_OK;
    for (trial.group = 0; trial.group < trials->count; trial.group++)
        if (trials->grouped &&
            machine_same(&trials->items[trial.group].machine, &trial.machine, STAGE_STREAM))
            break;
    if (array_reserve(&trials->items, &trials->capacity, trials->count + 1))
        return STATUS_MEMORY;
    trials->items[trials->count++] = trial;
    return STATUS_OK;
}

static enum status add_choices(struct trials *trials, const struct machine *machine,
                               const struct parameter *parameter)
{
    const struct value own = parameter_get(parameter, machine);
    enum status status = STATUS_OK;
    for (uint64_t i = 0; (double)i <= parameter->max && !status; i++) {
        const struct value value = {.uint = i};
        bool legal;
        if (!parameter_equal(parameter, value, own) && !parameter_is_limit(parameter, value))
            status = add_trial(trials, machine, parameter, value, &legal);
    }
    return status;
}

static enum status add_around(struct trials *trials, const struct machine *machine,
                              const struct parameter *parameter)
{
    const struct value own = parameter_get(parameter, machine);
    struct axis axis;
    enum status status = axis_values_around(parameter, machine, &axis);
    if (status)
        return status;
    bool legal;
    for (size_t i = 0; i < axis.count && !status; i++)
        if (!parameter_equal(parameter, axis.values[i], own))
            status = add_trial(trials, machine, parameter, axis.values[i], &legal);
    free(axis.values);
    return status;
}

static enum status add_values(struct trials *trials, const struct machine *machine,
                              const struct parameter *parameter)
{
    if (parameter->type == PARAMETER_ENUM || parameter->type == PARAMETER_BOOL)
        return add_choices(trials, machine, parameter);
    return add_around(trials, machine, parameter);
}

/* Whether the parameter can change one of the compared metrics. */
static bool matters(const struct parameter *parameter, const struct machine *machine,
                    enum depth depth, const struct metric *const *metrics, size_t count)
{
    char why[VALUE_TEXT];
    if (parameter->stepping == STEP_NONE && parameter->type != PARAMETER_ENUM &&
        parameter->type != PARAMETER_BOOL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!parameter_dead(parameter, machine, depth, why) &&
            curve_moves(parameter, metrics[i], machine, depth))
            return true;
    return false;
}

/* Evaluates all trials that have the stream of trial `first`. */
static enum status run_group(struct trials *trials, size_t first, const struct trace_source *source,
                             const struct evaluate_options *options, struct metrics *metrics)
{
    const struct machine **machines = malloc(trials->count * sizeof(struct machine *));
    struct metrics *results = malloc(trials->count * sizeof *results);
    size_t count = 0;
    enum status status = machines && results ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = first; i < trials->count && !status; i++)
        if (trials->items[i].group == first)
            machines[count++] = &trials->items[i].machine;
    if (!status)
        status = evaluate_many(machines, count, source, options, results, NULL);
    for (size_t i = first, k = 0; i < trials->count && !status; i++)
        if (trials->items[i].group == first)
            metrics[i] = results[k++];
    free(machines);
    free(results);
    return status;
}

/* A machine that the source does not fit is no step; only the user and the system end it all. */
static enum status run_all(struct trials *trials, const struct trace_source *source,
                           const struct evaluate_options *options, struct metrics *metrics)
{
    const struct evaluate_options how = {.depth = options->depth, .cancel = options->cancel};
    enum status result = STATUS_OK;
    size_t done = 0;
#pragma omp parallel for schedule(dynamic) reduction(max : result)
    for (size_t i = 0; i < trials->count; i++) {
        enum status status = STATUS_OK;
        if (trials->items[i].group == i)
            status = run_group(trials, i, source, &how, metrics);
        trials->items[i].status = status;
        if (status == STATUS_MEMORY || status == STATUS_CANCELLED)
            result = status > result ? status : result;
#pragma omp critical(profile_steps)
        if (options->progress)
            options->progress(options->argument, (double)++done / (double)trials->count);
    }
    return result;
}

/* Keeps the better of two values of one parameter, and the order by error. */
static void rank(struct profile_steps *steps, struct profile_step step)
{
    struct profile_step *best = steps->best;
    size_t at = 0;
    while (at < steps->count && best[at].parameter != step.parameter)
        at++;
    if (at == steps->count) {
        if (steps->count == STEPS_MOST && !(step.error < best[STEPS_MOST - 1].error))
            return;
        steps->count += steps->count < STEPS_MOST;
        at = steps->count - 1;
    } else if (best[at].error <= step.error) {
        return;
    }
    for (; at > 0 && best[at - 1].error > step.error; at--)
        best[at] = best[at - 1];
    best[at] = step;
}

/* Keeps what brings counters nearer than before by more than rounding. */
static enum status learn(struct profile_cause *causes, const struct comparison *comparison,
                         const double *ours, const struct profile_step *step, const char *workload)
{
    const struct measured *measured = comparison_measured(comparison);
    for (size_t i = 0; causes && i < measured->count; i++) {
        const struct measured_row *row = &measured->rows[i];
        const double distance = measured_distance(row->counter->unit, row->value, ours[i]);
        char *own = NULL;
        if (!(distance < causes[i].distance - CAUSE_LEAST))
            continue;
        if (workload && !(own = strdup(workload)))
            return STATUS_MEMORY;
        free(causes[i].workload);
        causes[i] = (struct profile_cause){.workload = own, .ours = ours[i], .distance = distance};
        if (step) {
            causes[i].parameter = step->parameter;
            causes[i].value = step->value;
        }
    }
    return STATUS_OK;
}

static enum status judge_step(struct trials *trials, struct comparison *comparison,
                              const double *base, const struct metrics *metrics,
                              struct profile_steps *steps, struct profile_cause *causes,
                              struct diagnostics *diagnostics)
{
    double *ours = malloc((comparison_measured(comparison)->count + 1) * sizeof *ours);
    const double before = comparison_error(comparison, base, base, NULL);
    enum status status = ours ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; i < trials->count && !status; i++) {
        struct trial *trial = &trials->items[i];
        if (trials->items[trial->group].status)
            continue;
        status = comparison_run(comparison, &trial->machine, &metrics[i], ours, diagnostics);
        trial->step.error = comparison_error(comparison, ours, base, NULL);
        if (!status && trial->step.error < before)
            rank(steps, trial->step);
        if (!status)
            status = learn(causes, comparison, ours, &trial->step, NULL);
    }
    free(ours);
    return status;
}

static enum status try_all(struct trials *trials, const struct trace_source *source,
                           struct comparison *comparison, const double *base,
                           const struct evaluate_options *options, struct profile_steps *steps,
                           struct profile_cause *causes, struct diagnostics *diagnostics)
{
    struct metrics *metrics = malloc((trials->count + 1) * sizeof *metrics);
    enum status status = metrics ? run_all(trials, source, options, metrics) : STATUS_MEMORY;
    if (!status)
        status = judge_step(trials, comparison, base, metrics, steps, causes, diagnostics);
    free(metrics);
    return status;
}

enum status profile_steps(const struct machine *machine, const struct trace_source *source,
                          struct comparison *comparison, const double *base,
                          const struct evaluate_options *options, struct profile_steps *steps,
                          struct profile_cause *causes, struct diagnostics *diagnostics)
{
    const struct metric *compared[METRIC_COUNT];
    const size_t compared_count = comparison_metrics(comparison, options->depth, true, compared);
    struct trials trials = {.source = source, .grouped = depth_can(options->depth, DEPTH_GROUPED)};
    enum status status = STATUS_OK;
    *steps = (struct profile_steps){0};
    for (size_t i = 0; i < parameter_count && !status; i++) {
        const size_t known = trials.count;
        if (matters(&parameters[i], machine, options->depth, compared, compared_count))
            status = add_values(&trials, machine, &parameters[i]);
        steps->knobs += trials.count > known;
    }
    steps->machines = trials.count;
    if (!status)
        status = try_all(&trials, source, comparison, base, options, steps, causes, diagnostics);
    free(trials.items);
    return status;
}

struct profile_cause *profile_causes_create(const struct comparison *comparison, const double *base)
{
    const struct measured *measured = comparison_measured(comparison);
    struct profile_cause *causes = calloc(measured->count + 1, sizeof *causes);
    for (size_t i = 0; causes && i < measured->count; i++) {
        const struct measured_row *row = &measured->rows[i];
        causes[i].ours = base[i];
        causes[i].distance = measured_distance(row->counter->unit, row->value, base[i]);
    }
    return causes;
}

void profile_causes_free(struct profile_cause *causes, size_t count)
{
    for (size_t i = 0; causes && i < count; i++)
        free(causes[i].workload);
    free(causes);
}

/* A variant that cannot be opened, or that the machine cannot run, explains nothing. */
static enum status try_variant(struct profile_cause *causes, const char *workload,
                               const struct machine *machine, struct comparison *comparison,
                               const struct evaluate_options *options, double *ours,
                               struct diagnostics *diagnostics)
{
    struct trace_source *source = NULL;
    struct metrics metrics;
    if (workload_open(workload, &source, NULL))
        return STATUS_OK;
    enum status status = evaluate(machine, source, options, &metrics, NULL);
    const bool ran = !status;
    status = status == STATUS_MEMORY || status == STATUS_CANCELLED ? status : STATUS_OK;
    if (ran)
        status = comparison_run(comparison, machine, &metrics, ours, diagnostics);
    if (ran && !status)
        status = learn(causes, comparison, ours, NULL, workload);
    trace_source_free(source);
    return status;
}

enum status profile_causes_variants(struct profile_cause *causes, const char *workload,
                                    const struct machine *machine, struct comparison *comparison,
                                    const struct evaluate_options *options,
                                    struct diagnostics *diagnostics)
{
    double *ours = malloc((comparison_measured(comparison)->count + 1) * sizeof *ours);
    char **variants = NULL;
    size_t count = 0;
    enum status status = ours ? variants_list(workload, &variants, &count) : STATUS_MEMORY;
    for (size_t i = 0; i < count && !status; i++)
        status = try_variant(causes, variants[i], machine, comparison, options, ours, diagnostics);
    variants_free(variants, count);
    free(ours);
    return status;
}
