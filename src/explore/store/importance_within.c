/* Importance within each workload, averaged over the workloads (explore/store/importance.h). */
#include <math.h>
#include <stdlib.h>

#include "explore/store/importance_counting.h"

/* Prepares an average with the axes of `part`, and all shares 0. */
static enum status open_average(const struct importance *part, struct importance *average)
{
    average->complete = average->exact = true;
    average->mean = 1;
    average->axes = calloc(part->axis_count + 1, sizeof *average->axes);
    average->pairs =
        calloc(part->axis_count * (part->axis_count + 1) / 2 + 1, sizeof *average->pairs);
    if (!average->axes || !average->pairs)
        return STATUS_MEMORY;
    for (; average->axis_count < part->axis_count; average->axis_count++) {
        struct importance_axis *axis = &average->axes[average->axis_count];
        *axis = (struct importance_axis){.axis = part->axes[average->axis_count].axis,
                                         .count = part->axes[average->axis_count].count,
                                         .other = average->axis_count};
        axis->values = calloc(axis->count, sizeof *axis->values);
        if (!axis->values)
            return STATUS_MEMORY;
    }
    return STATUS_OK;
}

/* Averages over the parts in which the metric varies; NaN if it does in none. */
static void average_shares(const struct importance *parts, size_t count, struct importance *average)
{
    double varying = 0;
    for (size_t i = 0; i < count; i++) {
        if (!parts[i].axis_count || isnan(parts[i].axes->alone))
            continue;
        for (size_t a = 0; a < average->axis_count && !varying; a++)
            average->axes[a].untold = true;
        varying++;
        average->exact = average->exact && parts[i].exact;
        average->unassigned += parts[i].unassigned;
        for (size_t a = 0; a < average->axis_count; a++) {
            const struct importance_axis *part = &parts[i].axes[a];
            average->axes[a].share += part->share;
            average->axes[a].margin += part->margin * part->margin;
            average->axes[a].alone += part->alone;
            average->axes[a].untold = average->axes[a].untold && part->untold;
        }
    }
    average->unassigned /= fmax(varying, 1);
    for (size_t a = 0; a < average->axis_count; a++) {
        average->axes[a].share /= varying;
        average->axes[a].margin = sqrt(average->axes[a].margin) / varying;
        average->axes[a].alone /= varying;
    }
}

/* Pairs have a meaning only if the tables of all workloads are complete. */
static void average_pairs(const struct importance *parts, size_t count, struct importance *average)
{
    double varying = 0;
    average->rest = average->complete ? 0 : NAN;
    for (size_t i = 0; i < count && average->complete; i++) {
        if (!parts[i].axis_count || isnan(parts[i].axes->alone))
            continue;
        varying++;
        average->rest += parts[i].rest;
        for (size_t p = 0; p < parts[i].pair_count; p++)
            average->pairs[p].share += parts[i].pairs[p].share;
    }
    average->rest /= varying; /* NaN if the metric varies in no workload */
    for (size_t a = 0, p = 0; a < average->axis_count && average->complete; a++)
        for (size_t b = a + 1; b < average->axis_count; b++, p++)
            average->pairs[p] = (struct importance_pair){a, b, average->pairs[p].share / varying};
    average->pair_count =
        average->complete ? average->axis_count * (average->axis_count - 1) / 2 : 0;
    average->pair_count = average->axis_count ? average->pair_count : 0;
}

/* The weakest basis of any workload is the average's. */
static void average_basis(const struct importance *parts, size_t count, size_t index,
                          struct importance_axis *axis)
{
    for (size_t i = 0; i < count; i++) {
        const struct importance_axis *part = &parts[i].axes[index];
        if (!parts[i].rows)
            continue;
        axis->compared += part->compared;
        if (part->basis <= axis->basis)
            continue;
        axis->basis = part->basis;
        axis->other = part->other;
    }
    for (size_t v = 0; v < axis->count && axis->basis == BASIS_CONFOUNDED; v++)
        axis->values[v].mean = NAN;
}

static void average_values(const struct importance *parts, size_t count,
                           struct importance_axis *axis, size_t index)
{
    for (size_t v = 0; v < axis->count; v++) {
        struct importance_value *value = &axis->values[v];
        double sum = 0, met = 0;
        for (size_t i = 0; i < count; i++) {
            const struct importance_value *own = &parts[i].axes[index].values[v];
            value->rows += own->rows;
            if (!own->rows || isnan(own->mean) || parts[i].mean == 0)
                continue;
            sum += own->mean / parts[i].mean;
            met++;
        }
        value->mean = met > 0 ? sum / met : NAN;
    }
}

/* Workloads differ in size by orders of magnitude, so each counts by its relative variance, over
 * the square of its mean; one whose mean is 0 has none and is left out. */
static enum status average_parts(const struct importance *parts, size_t count,
                                 struct importance *average)
{
    double variance = 0, met = 0;
    enum status status = open_average(&parts[0], average);
    if (status)
        return status;
    for (size_t i = 0; i < count; i++) {
        average->rows += parts[i].rows;
        average->without += parts[i].without;
        average->sampled = average->sampled || parts[i].sampled;
        average->unrun = average->unrun || parts[i].unrun;
        if (!parts[i].rows)
            continue;
        average->combinations += parts[i].combinations;
        average->complete = average->complete && parts[i].complete;
        if (parts[i].mean == 0)
            continue;
        variance += parts[i].variance / (parts[i].mean * parts[i].mean);
        met++;
    }
    average->complete = average->complete && average->rows;
    average->variance = met > 0 ? variance / met : NAN;
    average_shares(parts, count, average);
    average_pairs(parts, count, average);
    for (size_t a = 0; a < average->axis_count; a++) {
        average_values(parts, count, &average->axes[a], a);
        average_basis(parts, count, a, &average->axes[a]);
    }
    return STATUS_OK;
}

enum status importance_within(struct store *store, const struct metric *metric, const char *where,
                              struct importance *importance, struct diagnostics *diagnostics)
{
    size_t count = store_space(store)->study->workload_count;
    struct importance *parts = calloc(count, sizeof *parts);
    *importance = (struct importance){0};
    enum status status = parts ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        status = importance_parts(store, metric, where, count, parts, diagnostics);
    if (!status)
        status = average_parts(parts, count, importance);
    if (!status)
        status = importance_without(store, importance, diagnostics);
    for (size_t i = 0; parts && i < count; i++)
        importance_free(&parts[i]);
    free(parts);
    if (status)
        importance_free(importance);
    return status;
}
