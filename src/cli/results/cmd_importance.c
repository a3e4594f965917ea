/* warpscape importance: which axes of a sweep matter to which metric, and which values of them are
 * good. The numbers are those of explore/store/importance.h, computed over the rows of the store
 * without a fitted model. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/diag.h"
#include "cli/results/results.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "explore/store/importance.h"

/* Tables for people leave out pairs of axes that explain a smaller share. */
#define SHARE_SHOWN 0.001

struct importance_arguments {
    const char *store, *metric, *where;
    enum table_format format;
    bool values, within;
};

static void cmd_importance_parse(int argc, char **argv, struct importance_arguments *arguments)
{
    const struct option_row options[] = {
        {"metric", 0, "METRIC", "the metric (default: each objective)", option_text,
         &arguments->metric, NULL},
        {"where", 0, "EXPRESSION", "only over points that satisfy it", option_text,
         &arguments->where, NULL},
        {"values", 0, NULL, "list the mean at every value of every axis", option_flag,
         &arguments->values, NULL},
        {"within", 0, NULL, "per workload, averaged over the workloads, as a report does",
         option_flag, &arguments->within, NULL},
        OPTION_FORMAT(&arguments->format),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "STORE.db",
        .help =
            "Rank the axes of a sweep by importance: the share of a metric's variance that each "
            "axis takes, what it explains by itself, and the mean of the metric at its lowest and "
            "highest value.\v"
            "Shares are Shapley effects over the points that exist: an axis gets what it adds to "
            "the "
            "variance explained, averaged over all orders of the axes. They are never negative and "
            "add up to 100 %, also where constraints left points out. Beyond some "
            "hundred million sums they are estimated from random orders, with 95 % intervals. "
            "Where points were not run, shares are estimated for all points as if those that were "
            "had been drawn by chance, and an axis that these points do not tell from one without "
            "effect has none; at most 5 % of samples give a share to any axis without effect.\n\n"
            "What axes explain by themselves, and pairs of axes beyond that, is the functional "
            "ANOVA; pairs are listed if the table is complete (every combination of values has a "
            "point).\n\n"
            "Means are over all points if the other axes are balanced under an axis; else over "
            "the points that differ in this axis alone; and if there are none, the axis with which "
            "it is confounded stands in their place. "
            "--where \"workload = 'GEMM:n=512'\" looks at one workload.\n\n"
            "Where the workloads differ more than the machines, they hide the axes. --within "
            "removes them: shares are the average over the workloads at which the metric varies, "
            "means stand in proportion to the mean of their workload.",
        .operand = OPERAND_STORE(&arguments->store)};
    options_parse(&line, argc, argv);
}

struct printer {
    const struct importance_arguments *arguments;
    const struct study *study;
    struct table *table;
};

static const char *axis_name(const struct importance_axis *axis)
{
    return axis->axis ? axis->axis->parameter->path : "workload";
}

static void add_value(const struct printer *printer, const struct importance_axis *axis,
                      size_t value)
{
    if (axis->axis)
        results_add_value(printer->table, axis->axis->parameter, axis->axis->values[value]);
    else
        table_text(printer->table, printer->study->workloads[value]);
}

/* With --within the means are in percent of the mean of their workload, else in the unit of the
 * metric. */
static enum unit value_unit(const struct printer *printer, const struct metric *metric)
{
    return printer->arguments->within ? UNIT_PERCENT : metric->unit;
}

static void add_number(struct table *table, double number, enum unit unit)
{
    char text[QUANTITY_TEXT];
    table_number(table, number, quantity_print_short(number, unit, 4, text));
}

/* The value with the lowest or highest mean; axis->count if no value has a row. */
static size_t extreme_value(const struct importance_axis *axis, bool highest)
{
    size_t found = axis->count;
    for (size_t v = 0; v < axis->count; v++) {
        double mean = axis->values[v].mean;
        if (isnan(mean))
            continue;
        bool better = found == axis->count ||
                      (highest ? mean > axis->values[found].mean : mean < axis->values[found].mean);
        found = better ? v : found;
    }
    return found;
}

static void add_extreme(const struct printer *printer, const struct metric *metric,
                        const struct importance_axis *axis, bool highest)
{
    size_t value = extreme_value(axis, highest);
    bool any = value < axis->count;
    if (any)
        add_value(printer, axis, value);
    else
        table_text(printer->table, NULL);
    add_number(printer->table, any ? axis->values[value].mean : NAN, value_unit(printer, metric));
}

static void importance_add_share(struct table *table, const struct importance_axis *axis,
                                 double share, double margin)
{
    char text[IMPORTANCE_TEXT] = "-";
    if (!isnan(share))
        importance_share_print(axis, share, margin, text);
    table_number(table, share, text);
}

static bool is_for_people(const struct printer *printer)
{
    const enum table_format format = printer->arguments->format;
    return format == TABLE_TEXT || format == TABLE_MARKDOWN;
}

/* Why an axis has no lowest and highest mean. */
static void add_reason(const struct printer *printer, const char *reason)
{
    /* The column is for values; a note says it. */
    table_text(printer->table, is_for_people(printer) ? reason : NULL);
    table_number(printer->table, NAN, "");
    table_text(printer->table, NULL);
    table_number(printer->table, NAN, "");
}

static void add_axis_share(const struct printer *printer, const struct metric *metric,
                           const struct importance_axis *axis, const struct importance *importance)
{
    char reason[IMPORTANCE_TEXT];
    table_text(printer->table, metric->path);
    table_text(printer->table, axis_name(axis));
    if (importance_unknown(axis)) {
        table_number(printer->table, NAN, "");
        table_number(printer->table, NAN, "");
    } else {
        importance_add_share(printer->table, axis, axis->share, axis->margin);
        importance_add_share(printer->table, axis, axis->alone, 0);
    }
    const size_t low = extreme_value(axis, false), high = extreme_value(axis, true);
    const char *why = importance_reason(importance, axis, reason);
    if (!why && is_for_people(printer) && low < axis->count &&
        axis->values[low].mean == axis->values[high].mean)
        why = "the same at every value";
    if (why) {
        add_reason(printer, why);
        return;
    }
    add_extreme(printer, metric, axis, false);
    add_extreme(printer, metric, axis, true);
}

/* A row of what axes explain together: they share that, and a pair of axes has no best value. */
static void add_joint_share(const struct printer *printer, const struct metric *metric,
                            const char *what, double share, double alone)
{
    table_text(printer->table, metric->path);
    table_text(printer->table, what);
    for (int i = 0; i < 2; i++) {
        char text[QUANTITY_TEXT] = "";
        const double number = i ? alone : share;
        if (!isnan(number))
            snprintf(text, sizeof text, "%.1f%%", 100 * number);
        table_number(printer->table, number, text);
    }
    for (int i = 0; i < 2; i++) {
        table_text(printer->table, NULL);
        table_number(printer->table, NAN, "");
    }
}

static int compare_shares(double left, double right, size_t a, size_t b)
{
    if (left != right && !isnan(left) && !isnan(right))
        return left > right ? -1 : 1;
    return a < b ? -1 : a > b;
}

static int compare_axes(const void *a, const void *b, void *argument)
{
    const struct importance *importance = argument;
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    const struct importance_axis *a_axis = &importance->axes[left];
    const struct importance_axis *b_axis = &importance->axes[right];
    return isnan(a_axis->share) ? compare_shares(a_axis->alone, b_axis->alone, left, right)
                                : compare_shares(a_axis->share, b_axis->share, left, right);
}

static int compare_pairs(const void *a, const void *b, void *argument)
{
    const struct importance *importance = argument;
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    return compare_shares(importance->pairs[left].share, importance->pairs[right].share, left,
                          right);
}

/* The numbers 0 to count - 1, sorted by `compare`; malloc'ed. */
static size_t *sorted(size_t count, int (*compare)(const void *, const void *, void *),
                      const struct importance *importance)
{
    size_t *order = malloc((count + 1) * sizeof *order);
    for (size_t i = 0; order && i < count; i++)
        order[i] = i;
    if (order)
        qsort_r(order, count, sizeof *order, compare, (void *)(uintptr_t)importance);
    return order;
}

static enum status add_shares(const struct printer *printer, const struct metric *metric,
                              const struct importance *importance)
{
    const bool for_people = is_for_people(printer);
    size_t *axes = sorted(importance->axis_count, compare_axes, importance);
    size_t *pairs = sorted(importance->pair_count, compare_pairs, importance);
    enum status status = axes && pairs ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; i < importance->axis_count && !status; i++)
        add_axis_share(printer, metric, &importance->axes[axes[i]], importance);
    for (size_t i = 0; i < importance->pair_count && !status; i++) {
        const struct importance_pair *pair = &importance->pairs[pairs[i]];
        char text[2 * VALUE_TEXT];
        if (for_people && !(pair->share >= SHARE_SHOWN))
            continue;
        snprintf(text, sizeof text, "%s x %s", axis_name(&importance->axes[pair->first]),
                 axis_name(&importance->axes[pair->second]));
        add_joint_share(printer, metric, text, NAN, pair->share);
    }
    if (!status && importance->complete && importance->axis_count > 2 && !isnan(importance->rest))
        add_joint_share(printer, metric, "three axes and more", NAN, importance->rest);
    if (!status && importance->sampled && importance->unassigned >= SHARE_SHOWN)
        add_joint_share(printer, metric, "of no axis for certain", importance->unassigned, NAN);
    free(axes);
    free(pairs);
    return status;
}

static void add_values(const struct printer *printer, const struct metric *metric,
                       const struct importance *importance)
{
    char text[VALUE_TEXT];
    for (size_t a = 0; a < importance->axis_count; a++)
        for (size_t v = 0; v < importance->axes[a].count; v++) {
            const struct importance_axis *axis = &importance->axes[a];
            const struct importance_value *value = &axis->values[v];
            table_text(printer->table, metric->path);
            table_text(printer->table, axis_name(axis));
            add_value(printer, axis, v);
            add_number(printer->table, value->mean, value_unit(printer, metric));
            add_number(printer->table, value->mean - importance->mean, value_unit(printer, metric));
            snprintf(text, sizeof text, "%" PRIu64, value->rows);
            table_number(printer->table, (double)value->rows, text);
        }
}

/* Notes on what the numbers mean. Tables for people say themselves what is not told. */
static void add_note(const struct metric *metric, enum unit unit, bool for_people,
                     const struct importance *importance, struct diagnostics *diagnostics)
{
    char rows[COUNT_TEXT], all[COUNT_TEXT], mean[QUANTITY_TEXT], deviation[QUANTITY_TEXT];
    char reason[IMPORTANCE_TEXT];
    const bool shared = importance->axis_count && !isnan(importance->axes->share);
    quantity_print_short(importance->mean, unit, 4, mean);
    quantity_print_short(sqrt(importance->variance), unit, 4, deviation);
    if (importance->unrun)
        diagnostics_add(diagnostics, SEVERITY_NOTE, NULL,
                        "%s: mean %s, standard deviation %s over all %s, run or not: it depends on "
                        "the machine alone",
                        metric->path, mean, deviation,
                        counted_print(importance->rows, "legal point", rows));
    else if (!importance->rows)
        diagnostics_add(diagnostics, SEVERITY_NOTE, NULL, "%s: no point has a value of it",
                        metric->path);
    else if (importance->complete)
        diagnostics_add(diagnostics, SEVERITY_NOTE, NULL,
                        "%s: mean %s, standard deviation %s over all %s combinations: the table is "
                        "complete",
                        metric->path, mean, deviation, count_print(importance->rows, rows));
    else
        diagnostics_add(
            diagnostics, SEVERITY_NOTE, NULL,
            "%s: mean %s, standard deviation %s over %s of %s: the table is not "
            "complete, and %s",
            metric->path, mean, deviation, counted_print(importance->rows, "point", rows),
            counted_print(importance->combinations, "combination", all),
            importance->sampled ? "shares are estimated as if these were drawn by chance"
                                : "everything is said of these points");
    if (!shared && importance->variance > 0)
        diagnostics_add(diagnostics, SEVERITY_NOTE, NULL,
                        "%s: a summary has sums over single axes: it knows what they explain by "
                        "themselves, but no shares",
                        metric->path);
    for (size_t a = 0; a < importance->axis_count; a++) {
        const struct importance_axis *axis = &importance->axes[a];
        if (importance_unknown(axis) && !for_people)
            diagnostics_add(diagnostics, SEVERITY_NOTE, NULL, "%s: %s: %s", metric->path,
                            axis_name(axis), importance_reason(importance, axis, reason));
        else if (!importance_unknown(axis) && axis->basis == BASIS_CONFOUNDED)
            diagnostics_add(diagnostics, SEVERITY_NOTE, NULL,
                            "%s: %s is confounded with %s: which of them its share is due to, "
                            "these points do not say",
                            metric->path, axis_name(axis),
                            axis_name(&importance->axes[axis->other]));
        else if (!importance_unknown(axis) && axis->basis == BASIS_MATCHED)
            diagnostics_add(diagnostics, SEVERITY_NOTE, NULL,
                            "%s: %s hangs together with %s, so its means are over the %s that "
                            "differ in it alone",
                            metric->path, axis_name(axis),
                            axis_name(&importance->axes[axis->other]),
                            counted_print(axis->compared, "point", rows));
    }
    if (importance->without)
        diagnostics_add(diagnostics, SEVERITY_NOTE, NULL, "%s: no value at %s", metric->path,
                        counted_print(importance->without, "point", rows));
}

static enum status add_metric(const struct printer *printer, struct store *store,
                              const struct metric *metric, struct diagnostics *diagnostics)
{
    struct importance importance;
    enum status (*compute)(struct store *, const struct metric *, const char *, struct importance *,
                           struct diagnostics *) =
        printer->arguments->within ? importance_within : importance_compute;
    enum status status =
        compute(store, metric, printer->arguments->where, &importance, diagnostics);
    if (status)
        return status;
    if (printer->arguments->values)
        add_values(printer, metric, &importance);
    else
        status = add_shares(printer, metric, &importance);
    add_note(metric, value_unit(printer, metric),
             is_for_people(printer) && !printer->arguments->values, &importance, diagnostics);
    importance_free(&importance);
    return status;
}

static enum status find_metric(const char *path, const struct metric **metric,
                               struct diagnostics *diagnostics)
{
    *metric = metric_find(path);
    if (*metric)
        return STATUS_OK;
    const char *near = metric_nearest(path);
    char hint[SUGGESTION_TEXT];
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "unknown metric '%s'%s", path,
                             suggestion(near, hint));
}

static enum status print_importance(void *argument, struct store *store, const struct study *study,
                                    struct diagnostics *diagnostics)
{
    const struct importance_arguments *arguments = argument;
    static const char *const shares[] = {"metric",
                                         "axis or pair|axis",
                                         ">share",
                                         ">by itself|alone",
                                         "lowest at|lowest_at",
                                         ">mean low|lowest_mean",
                                         "highest at|highest_at",
                                         ">mean high|highest_mean",
                                         NULL};
    static const char *const values[] = {"metric",  "axis",    "value", ">mean",
                                         ">effect", ">points", NULL};
    struct printer printer = {arguments, study, table_create(arguments->values ? values : shares)};
    const struct metric *metric = NULL;
    enum status status = printer.table ? STATUS_OK : STATUS_MEMORY;
    if (!status && arguments->metric)
        status = find_metric(arguments->metric, &metric, diagnostics);
    else if (!status && !study->objective_count)
        status = diagnostics_error(diagnostics, STATUS_INVALID,
                                   "the study has no objectives: say which --metric");
    if (!status && metric)
        status = add_metric(&printer, store, metric, diagnostics);
    for (size_t i = 0; !metric && i < study->objective_count && !status; i++)
        status = add_metric(&printer, store, study->objectives[i].metric, diagnostics);
    if (!status)
        status = results_coverage(store, false, arguments->format, diagnostics);
    if (!status)
        status = table_print(printer.table, arguments->format, stdout);
    table_free(printer.table);
    return status;
}

int command_importance(int argc, char **argv)
{
    struct importance_arguments arguments = {0};
    cmd_importance_parse(argc, argv, &arguments);
    return results_command(arguments.store, print_importance, &arguments);
}
