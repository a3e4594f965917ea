#include "report/runs/study_summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/geomean.h"
#include "base/memory.h"
#include "base/rng.h"
#include "explore/store/machine_values.h"
#include "model/evaluate.h"
#include "workload/workload.h"

enum { SAMPLE_POINTS = 3000, SAMPLE_SEED = 0x5a };

static struct effect *effect_at(const struct study_summary *summary, size_t workload, size_t value,
                                size_t target)
{
    return &summary->effects[(workload * summary->value_count + value) * summary->target_count +
                             target];
}

const struct effect *summary_effect(const struct study_summary *summary, size_t workload,
                                    size_t axis, size_t value, size_t target)
{
    return effect_at(summary, workload, study_values_before(summary->study, axis) + value, target);
}

double summary_baseline(const struct study_summary *summary, size_t workload, size_t column)
{
    return summary->baseline[workload * summary->column_count + column];
}

static struct distribution *distribution_at(const struct study_summary *summary, size_t workload,
                                            size_t target)
{
    return &summary->distributions[workload * summary->target_count + target];
}

const struct distribution *summary_distribution(const struct study_summary *summary,
                                                size_t workload, size_t target)
{
    return distribution_at(summary, workload, target);
}

static void add_effect(struct effect *effect, double value)
{
    effect->min = effect->count ? fmin(effect->min, value) : value;
    effect->max = effect->count ? fmax(effect->max, value) : value;
    effect->sum += value;
    effect->count++;
}

static void add_distribution(struct distribution *distribution, double value)
{
    distribution->min = distribution->count ? fmin(distribution->min, value) : value;
    distribution->max = distribution->count ? fmax(distribution->max, value) : value;
    double distance = value - distribution->mean;
    distribution->mean += distance / (double)++distribution->count;
    distribution->squares += distance * (value - distribution->mean);
}

static enum status keep_row(struct point_list *list, size_t columns, const struct store_row *row)
{
    if (array_reserve(&list->points, &list->point_capacity, list->count + 1) ||
        array_reserve(&list->values, &list->value_capacity, (list->count + 1) * columns))
        return STATUS_MEMORY;
    list->points[list->count] = row->point;
    memcpy(list->values + list->count++ * columns, row->values, columns * sizeof *row->values);
    return STATUS_OK;
}

static void take_value(struct study_summary *summary, uint64_t point, size_t target, double value)
{
    const struct study *study = summary->study;
    size_t workload = point / summary->space->machines, end = summary->value_count;
    uint64_t machine = point % summary->space->machines;
    if (isnan(value))
        return;
    add_distribution(distribution_at(summary, workload, target), value);
    for (size_t a = study->axis_count; a-- > 0; machine /= study->axes[a].count) {
        end -= study->axes[a].count;
        add_effect(effect_at(summary, workload, end + machine % study->axes[a].count, target),
                   value);
    }
}

/* First query: effects and ranges. */
static enum status summary_take_row(void *argument, const struct store_row *row)
{
    struct study_summary *summary = argument;
    coverage_add(&summary->coverage, row->point);
    for (size_t t = 0; t < summary->target_count; t++)
        take_value(summary, row->point, t, row->values[summary->target_columns[t]]);
    return STATUS_OK;
}

static size_t bin_of(const struct study_summary *summary, size_t target, double value)
{
    double range = summary->high[target] - summary->low[target];
    double share = range > 0 ? (value - summary->low[target]) / range : 0;
    size_t bin = (size_t)(share * SUMMARY_BINS);
    return bin < SUMMARY_BINS ? bin : SUMMARY_BINS - 1;
}

static void bin_value(struct study_summary *summary, uint64_t point, size_t target, double value)
{
    const size_t workload = point / summary->space->machines;
    if (!isnan(value))
        distribution_at(summary, workload, target)->bins[bin_of(summary, target, value)]++;
}

/* A target of which all legal points are known, run or not. */
struct unrun {
    struct study_summary *summary;
    size_t target;
};

/* The first of them takes the place of what the rows said. */
static enum status take_unrun_row(void *argument, const struct store_row *row)
{
    const struct unrun *unrun = argument;
    struct study_summary *summary = unrun->summary;
    for (size_t w = 0; w < summary->study->workload_count && !summary->unrun[unrun->target]; w++) {
        struct distribution *distribution = distribution_at(summary, w, unrun->target);
        distribution->count = 0;
        distribution->mean = distribution->squares = 0;
        for (size_t v = 0; v < summary->value_count; v++)
            *effect_at(summary, w, v, unrun->target) = (struct effect){0};
    }
    summary->unrun[unrun->target] = true;
    take_value(summary, row->point, unrun->target, *row->values);
    return STATUS_OK;
}

static enum status bin_unrun_row(void *argument, const struct store_row *row)
{
    const struct unrun *unrun = argument;
    bin_value(unrun->summary, row->point, unrun->target, *row->values);
    return STATUS_OK;
}

static enum status take_unrun(struct study_summary *summary,
                              struct machine_values *known[SUMMARY_TARGETS_MAX])
{
    enum status status = STATUS_OK;
    for (size_t t = 0; t < summary->target_count && !status; t++) {
        struct unrun unrun = {summary, t};
        if (summary->rows < summary->coverage.legal)
            status = machine_values_open(summary->space, summary->targets[t].metric, &known[t]);
        if (known[t])
            status = machine_values_each(known[t], take_unrun_row, &unrun);
        status = status == STATUS_UNSUPPORTED ? STATUS_OK : status;
    }
    return status;
}

static enum status bin_unrun(struct study_summary *summary,
                             struct machine_values *const known[SUMMARY_TARGETS_MAX])
{
    enum status status = STATUS_OK;
    for (size_t t = 0; t < summary->target_count && !status; t++) {
        struct unrun unrun = {summary, t};
        if (known[t])
            status = machine_values_each(known[t], bin_unrun_row, &unrun);
    }
    return status;
}

/* Second query, when the ranges are known: histograms, and the sample. */
static enum status bin_row(void *argument, const struct store_row *row)
{
    struct study_summary *summary = argument;
    for (size_t t = 0; t < summary->target_count; t++)
        if (!summary->unrun[t])
            bin_value(summary, row->point, t, row->values[summary->target_columns[t]]);
    /* Draw the sample by the number of the point alone, so that equal stores give equal charts. */
    double chance = (double)SAMPLE_POINTS / (double)summary->rows;
    if (!summary->partial && (double)random_at(SAMPLE_SEED, row->point) * 0x1p-64 >= chance)
        return STATUS_OK;
    return keep_row(&summary->sample, summary->column_count, row);
}

/* Compares by the target first, then by the other targets, so that no point dominates the best one.
 */
static bool is_better(const struct study_summary *summary, size_t target, const double *values,
                      const double *best)
{
    for (size_t i = 0; i <= summary->target_count; i++) {
        size_t t = i ? i - 1 : target;
        double value = values[t];
        if (summary->targets[t].direction == NO_DIRECTION || value == best[t] ||
            (isnan(value) && isnan(best[t])))
            continue;
        if (isnan(value) || isnan(best[t]))
            return isnan(best[t]);
        return summary->targets[t].direction == HIGHER_IS_BETTER ? value > best[t]
                                                                 : value < best[t];
    }
    return false;
}

/* Third query, over the rows that pass the filters: the best points. */
static enum status judge_row(void *argument, const struct store_row *row)
{
    struct study_summary *summary = argument;
    size_t workload = row->point / summary->space->machines;
    double values[SUMMARY_TARGETS_MAX];
    for (size_t t = 0; t < summary->target_count; t++)
        values[t] = row->values[summary->target_columns[t]];
    for (size_t t = 0; t < summary->target_count; t++) {
        struct distribution *distribution = distribution_at(summary, workload, t);
        if (isnan(values[t]) || summary->targets[t].direction == NO_DIRECTION)
            continue;
        if (distribution->best == UINT64_MAX ||
            is_better(summary, t, values, distribution->best_targets)) {
            distribution->best = row->point;
            distribution->best_value = values[t];
            memcpy(distribution->best_targets, values, summary->target_count * sizeof *values);
        }
    }
    return STATUS_OK;
}

static enum status front_row(void *argument, const struct store_row *row)
{
    struct study_summary *summary = argument;
    return keep_row(&summary->front, summary->column_count, row);
}

/* A machine counts only where all workloads of the study have rows. */
static enum status across_row(void *argument, const struct store_row *row)
{
    struct study_summary *summary = argument;
    return row->workloads == summary->study->workload_count
               ? keep_row(&summary->across, summary->column_count, row)
               : STATUS_OK;
}

static void choose_targets(struct study_summary *summary)
{
    const struct study *study = summary->study;
    for (size_t i = 0; i < study->objective_count && i < SUMMARY_TARGETS_MAX; i++)
        summary->targets[summary->target_count++] = study->objectives[i];
    for (size_t i = 0; !study->objective_count && i < summary->column_count; i++)
        if (summary->target_count < SUMMARY_TARGETS_MAX)
            summary->targets[summary->target_count++] =
                (struct objective){summary->columns[i], summary->columns[i]->direction};
    for (size_t t = 0; t < summary->target_count; t++)
        while (summary->columns[summary->target_columns[t]] != summary->targets[t].metric)
            summary->target_columns[t]++;
}

static void find_ranges(struct study_summary *summary)
{
    for (size_t t = 0; t < summary->target_count; t++) {
        summary->low[t] = INFINITY;
        summary->high[t] = -INFINITY;
        for (size_t w = 0; w < summary->study->workload_count; w++) {
            const struct distribution *distribution = distribution_at(summary, w, t);
            if (!distribution->count)
                continue;
            summary->low[t] = fmin(summary->low[t], distribution->min);
            summary->high[t] = fmax(summary->high[t], distribution->max);
        }
    }
}

/* The index of the study's baseline in the space, or UINT64_MAX if it is not in it. */
static uint64_t baseline_machine(const struct study *study)
{
    struct machine baseline;
    bool there;
    study_baseline(study, &baseline);
    const uint64_t machine = space_own(study, &baseline, &there);
    return there ? machine : UINT64_MAX;
}

static enum status evaluate_baseline(const struct study_summary *summary, size_t workload,
                                     const atomic_bool *cancel, double *values)
{
    struct trace_source *source = NULL;
    struct metrics metrics;
    struct violation found[VIOLATION_MAX];
    struct evaluate_options options = {.depth = summary->study->depth, .cancel = cancel};
    struct machine machine;
    char *digest, identity[SOURCE_IDENTITY];
    enum status status = store_digest(summary->store, workload, &digest, NULL);
    study_baseline(summary->study, &machine);
    for (size_t t = 0; t < summary->target_count; t++)
        options.needs |= metric_needs(summary->targets[t].metric);
    if (!status && machine_check(&machine, found))
        status = STATUS_INVALID;
    if (!status)
        status = workload_open_listed(summary->study, workload, &source, NULL);
    if (!status &&
        strcmp(evaluate_identity(source, options.depth, identity), digest ? digest : "") != 0)
        status = STATUS_CONFLICT;
    if (!status)
        status = evaluate(&machine, source, &options, &metrics, NULL);
    for (size_t c = 0; c < summary->column_count && !status; c++)
        values[c] = metric_get(summary->columns[c], &metrics);
    trace_source_free(source);
    free(digest);
    return status;
}

/* Of the columns, which are not all evaluated, what the report compares. */
static void take_baseline(struct study_summary *summary, size_t workload, const double *values)
{
    for (size_t t = 0; t < summary->target_count; t++)
        distribution_at(summary, workload, t)->baseline = values[summary->target_columns[t]];
    for (size_t c = 0; c < summary->column_count; c++)
        if (metric_saves(summary->columns[c]))
            summary->baseline[workload * summary->column_count + c] = values[c];
}

/* Takes the baseline from the store, or evaluates it. A report is useful without a baseline, so a
 * failure is only noted. */
static enum status find_baseline(struct study_summary *summary, const atomic_bool *cancel,
                                 struct diagnostics *diagnostics)
{
    uint64_t machine = baseline_machine(summary->study);
    double *values = calloc(summary->column_count + 1, sizeof *values);
    enum status status = values ? STATUS_OK : STATUS_MEMORY;
    size_t evaluated = 0, failed = 0;
    for (size_t w = 0; w < summary->study->workload_count && !status; w++) {
        bool found = false;
        if (machine != UINT64_MAX)
            status = store_get(summary->store, w * summary->space->machines + machine, values,
                               &found, diagnostics);
        if (!status && found)
            take_baseline(summary, w, values);
        if (status || found)
            continue;
        enum status tried = evaluate_baseline(summary, w, cancel, values);
        if (!tried)
            take_baseline(summary, w, values);
        evaluated += !tried;
        failed += tried && tried != STATUS_MEMORY && tried != STATUS_CANCELLED;
        status = tried == STATUS_MEMORY || tried == STATUS_CANCELLED ? tried : STATUS_OK;
    }
    const bool point = machine != UINT64_MAX;
    snprintf(summary->baseline_note, sizeof summary->baseline_note, "%s%s%s",
             point
                 ? "It is a point of the study."
                 : "It is no point of the study, so no axes are said to lead from it to the best.",
             !evaluated ? ""
             : point    ? " What the store does not have of it was evaluated for this report."
                        : " It was evaluated for this report.",
             failed ? " Where its numbers are missing, the machine breaks a rule or the workload "
                      "could not be opened as it was."
                    : "");
    free(values);
    return status;
}

static double baseline_geomean(const struct study_summary *summary, size_t target)
{
    const bool reduction = summary->targets[target].metric->traits & METRIC_REDUCTION;
    struct geomean geomean = {0};
    for (size_t w = 0; w < summary->study->workload_count; w++) {
        const double value = distribution_at(summary, w, target)->baseline;
        geomean_add(&geomean, reduction ? 1 - value : value);
    }
    return reduction ? 1 - geomean_value(&geomean) : geomean_value(&geomean);
}

struct overall_search {
    const struct study_summary *summary;
    size_t target;
    struct overall *overall;
};

static enum status take_overall(void *argument, const struct store_row *row)
{
    const struct overall_search *search = argument;
    const struct study_summary *summary = search->summary;
    double value = row->values[summary->target_columns[search->target]];
    /* If a workload has no row yet, the mean over the others is not the mean over all. */
    if (row->workloads == summary->study->workload_count && !isnan(value))
        *search->overall =
            (struct overall){row->point, value, baseline_geomean(summary, search->target)};
    return STATUS_OK;
}

static enum status find_overall(struct study_summary *summary)
{
    enum status status = STATUS_OK;
    for (size_t t = 0; t < summary->target_count && !status; t++) {
        const struct objective *target = &summary->targets[t];
        struct overall_search search = {summary, t, &summary->overall[t]};
        char sort[128];
        *search.overall = (struct overall){
            .point = UINT64_MAX, .value = NAN, .baseline = baseline_geomean(summary, t)};
        if (summary->study->workload_count == 1 || target->direction == NO_DIRECTION)
            continue;
        snprintf(sort, sizeof sort, "%s%s", target->direction == HIGHER_IS_BETTER ? "-" : "",
                 target->metric->path);
        const struct query query = {.across = AGGREGATE_GEOMEAN,
                                    .sort = sort,
                                    .best_first = true,
                                    .eligible = true,
                                    .limit = 1};
        status = store_query(summary->store, &query, take_overall, &search, NULL);
        /* A summary has no such rows, and a filter that names a workload cannot judge a machine. */
        if (status == STATUS_UNSUPPORTED || status == STATUS_INVALID)
            status = STATUS_OK;
    }
    return status;
}

/* The effects of a summary store, which keeps marginals instead of rows. Every point is counted
 * once in the first axis, so that axis gives the distributions. */
static void take_marginals(struct study_summary *summary)
{
    const struct study *study = summary->study;
    for (size_t w = 0; w < study->workload_count; w++)
        for (size_t a = 0; a < study->axis_count; a++)
            for (size_t i = 0; i < study->axes[a].count; i++)
                for (size_t t = 0; t < summary->target_count; t++) {
                    const struct marginal *marginal =
                        store_marginal(summary->store, w, a, i, summary->target_columns[t]);
                    struct distribution *distribution = distribution_at(summary, w, t);
                    if (!t)
                        coverage_add_value(&summary->coverage, w, a, i, marginal->count);
                    if (!marginal->count)
                        continue;
                    *effect_at(summary, w, study_values_before(study, a) + i, t) = (struct effect){
                        marginal->count, marginal->sum, marginal->min, marginal->max};
                    if (a)
                        continue;
                    bool first = !distribution->count;
                    distribution->count += marginal->count;
                    distribution->mean += marginal->sum; /* a sum; divided below */
                    distribution->squares += marginal->squares;
                    distribution->min =
                        first ? marginal->min : fmin(distribution->min, marginal->min);
                    distribution->max =
                        first ? marginal->max : fmax(distribution->max, marginal->max);
                }
    for (size_t i = 0; i < study->workload_count * summary->target_count; i++) {
        struct distribution *distribution = &summary->distributions[i];
        if (!distribution->count)
            continue;
        distribution->mean /= (double)distribution->count;
        distribution->squares =
            fmax(distribution->squares -
                     (double)distribution->count * distribution->mean * distribution->mean,
                 0);
    }
}

static enum status summary_allocate(struct study_summary *summary)
{
    const struct study *study = summary->study;
    size_t rows = study->workload_count, targets = summary->target_count;
    summary->value_count = study_values_before(study, study->axis_count);
    summary->effects = calloc(rows * summary->value_count * targets + 1, sizeof *summary->effects);
    summary->distributions = calloc(rows * targets + 1, sizeof *summary->distributions);
    summary->baseline = calloc(rows * summary->column_count + 1, sizeof *summary->baseline);
    if (!summary->effects || !summary->distributions || !summary->baseline)
        return STATUS_MEMORY;
    for (size_t i = 0; i < rows * summary->column_count; i++)
        summary->baseline[i] = NAN;
    for (size_t i = 0; i < rows * targets; i++) {
        summary->distributions[i].best = UINT64_MAX;
        summary->distributions[i].best_value = summary->distributions[i].baseline = NAN;
    }
    return STATUS_OK;
}

/* The front over all workloads. */
static enum status find_across(struct study_summary *summary)
{
    const struct query query = {.front = true, .across = AGGREGATE_GEOMEAN};
    if (summary->study->workload_count == 1 || !summary->study->objective_count)
        return STATUS_OK;
    enum status status = store_query(summary->store, &query, across_row, summary, NULL);
    /* As in find_overall. */
    return status == STATUS_UNSUPPORTED || status == STATUS_INVALID ? STATUS_OK : status;
}

/* Ranges, when all that they are of is taken, and what is in their bins. */
static enum status take_distributions(struct study_summary *summary,
                                      struct diagnostics *diagnostics)
{
    const struct query everything = {0};
    struct machine_values *known[SUMMARY_TARGETS_MAX] = {NULL};
    enum status status = take_unrun(summary, known);
    find_ranges(summary);
    if (!status)
        status = store_query(summary->store, &everything, bin_row, summary, diagnostics);
    if (!status)
        status = bin_unrun(summary, known);
    for (size_t t = 0; t < summary->target_count; t++)
        machine_values_close(known[t]);
    return status;
}

enum status study_summary_open(struct store *store, const atomic_bool *cancel,
                               struct study_summary *summary, struct diagnostics *diagnostics)
{
    const struct query everything = {0}, eligible = {.eligible = true}, front = {.front = true};
    *summary = (struct study_summary){
        .store = store, .space = store_space(store), .study = store_space(store)->study};
    summary->column_count = store_columns(store, &summary->columns);
    choose_targets(summary);
    enum status status = summary_allocate(summary);
    if (!status)
        status = coverage_of(summary->space, &summary->coverage);
    if (!status)
        status = store_count(store, &summary->rows, diagnostics);
    summary->partial = store_is_summary(store);
    if (!status && summary->partial)
        take_marginals(summary);
    else if (!status)
        status = store_query(store, &everything, summary_take_row, summary, diagnostics);
    if (!status)
        status = take_distributions(summary, diagnostics);
    if (!status)
        status = store_query(store, &eligible, judge_row, summary, diagnostics);
    if (!status && summary->study->objective_count)
        status = store_query(store, &front, front_row, summary, diagnostics);
    if (!status)
        status = find_baseline(summary, cancel, diagnostics);
    if (!status)
        status = find_overall(summary);
    if (!status)
        status = find_across(summary);
    for (size_t t = 0; t < summary->target_count && !status; t++)
        status = importance_within(store, summary->targets[t].metric, NULL, &summary->importance[t],
                                   diagnostics);
    if (status)
        study_summary_free(summary);
    return status;
}

static void free_list(struct point_list *list)
{
    free(list->points);
    free(list->values);
}

void study_summary_free(struct study_summary *summary)
{
    free(summary->effects);
    free(summary->distributions);
    free(summary->baseline);
    free_list(&summary->front);
    free_list(&summary->across);
    free_list(&summary->sample);
    for (size_t t = 0; t < summary->target_count; t++)
        importance_free(&summary->importance[t]);
    coverage_close(&summary->coverage);
    *summary = (struct study_summary){0};
}
