#include "report/runs/study_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/counts.h"
#include "report/drawing/number.h"
#include "report/runs/study_charts.h"
#include "report/runs/study_stacks.h"

enum { FRONT_ROWS = 60 };

static const char *target_path(const struct study_summary *summary, size_t target)
{
    return summary->targets[target].metric->path;
}

static const char *short_text(double value, const struct metric *metric, char text[QUANTITY_TEXT])
{
    return quantity_print_short(value, metric->unit, 4, text);
}

/* "+4.1%"; "" if there is nothing to compare with. */
static void add_change(struct table *table, double from, double to)
{
    char text[NUMBER_TEXT];
    table_text(table, change_print(from, to, text));
}

static void add_axes(struct table *table, const struct space *space, uint64_t point)
{
    struct machine machine;
    char text[VALUE_TEXT];
    space_machine(space, point % space->machines, &machine);
    for (size_t a = 0; a < space->study->axis_count; a++) {
        const struct parameter *parameter = space->study->axes[a].parameter;
        table_text(table, parameter_print(parameter, parameter_get(parameter, &machine), text));
    }
}

/* A table with the columns `before`, one column for each axis, and the columns `after`; both lists
 * are ended by NULL. */
static struct table *table_with_axes(const struct study *study, const char *const *before,
                                     const char *const *after)
{
    size_t count = 0, next = 0;
    while (before[count])
        count++;
    for (size_t i = 0; after[i]; i++)
        count++;
    const char **headers = calloc(count + study->axis_count + 1, sizeof *headers);
    if (!headers)
        return NULL;
    for (size_t i = 0; before[i]; i++)
        headers[next++] = before[i];
    for (size_t a = 0; a < study->axis_count; a++)
        headers[next++] = study->axes[a].parameter->path;
    for (size_t i = 0; after[i]; i++)
        headers[next++] = after[i];
    struct table *table = table_create(headers);
    free(headers);
    return table;
}

static enum status print_opening(struct page *page, const struct study_summary *summary,
                                 const char *name)
{
    char *created;
    const enum status status = store_provenance(summary->store, "created", &created);
    char points[COUNT_TEXT], machines[COUNT_TEXT], workloads[COUNT_TEXT];
    page_paragraph(page, "%s: %s of %s (before rules and conditions) on %s, machine %s, begun %s.",
                   name, counted_print(summary->rows, "point", points),
                   counted_print(summary->space->machines, "machine", machines),
                   counted_print(summary->study->workload_count, "workload", workloads),
                   summary->study->machine_name ? summary->study->machine_name : "?",
                   created ? created : "?");
    free(created);
    if (summary->partial)
        page_paragraph(page, "The store is a summary: effects and ranges are those of all points, "
                             "pictures of points show the front and the best of each objective.");
    return status;
}

static void add_best(struct table *table, const struct study_summary *summary, size_t target,
                     const char *workload, const struct overall *best)
{
    const struct metric *metric = summary->targets[target].metric;
    char text[QUANTITY_TEXT];
    if (best->point == UINT64_MAX)
        return;
    table_text(table, metric->path);
    table_text(table, workload);
    table_text(table, short_text(best->value, metric, text));
    table_text(table, short_text(best->baseline, metric, text));
    add_change(table, best->baseline, best->value);
    table_whole(table, (double)best->point);
    add_axes(table, summary->space, best->point);
}

static void print_best(struct page *page, const struct study_summary *summary)
{
    static const char *const before[] = {"metric",  "workload", ">best", ">baseline",
                                         ">change", ">id",      NULL};
    static const char *const after[] = {NULL};
    struct table *table = table_with_axes(summary->study, before, after);
    bool over_all = false;
    for (size_t t = 0; t < summary->target_count; t++)
        over_all = over_all || summary->overall[t].point != UINT64_MAX;
    page_heading(page, 2, "Best points and the baseline");
    page_paragraph(
        page,
        "The baseline is the study's machine before any axis: %s with what the study sets. %s%s",
        summary->study->machine_name ? summary->study->machine_name : "?", summary->baseline_note,
        over_all ? " Over all workloads the best machine has the best geometric mean." : "");
    for (size_t t = 0; t < summary->target_count && table; t++) {
        for (size_t w = 0; w < summary->study->workload_count; w++) {
            const struct distribution *distribution = summary_distribution(summary, w, t);
            const struct overall best = {distribution->best, distribution->best_value,
                                         distribution->baseline};
            add_best(table, summary, t, summary->study->workloads[w], &best);
        }
        add_best(table, summary, t, "all (geometric mean)", &summary->overall[t]);
    }
    page_table(page, table);
}

/* Prints up to FRONT_ROWS points of the front, evenly spaced if it has more. */
static void print_front(struct page *page, const struct study_summary *summary)
{
    static const char *const before[] = {">id", "workload", NULL};
    char headers[SUMMARY_TARGETS_MAX][140], text[QUANTITY_TEXT];
    const char *after[2 * SUMMARY_TARGETS_MAX + 1] = {NULL};
    for (size_t t = 0; t < summary->target_count; t++) {
        snprintf(headers[t], sizeof headers[t], ">%s", target_path(summary, t));
        after[2 * t] = headers[t];
        after[2 * t + 1] = ">vs baseline";
    }
    char points[COUNT_TEXT];
    size_t count = summary->front.count, shown = count < FRONT_ROWS ? count : FRONT_ROWS;
    page_heading(page, 2, "Pareto front");
    page_paragraph(page,
                   "%s in the front: they pass the filters, and no other beats them in every "
                   "objective of their workload%s.",
                   counted_print(count, "point", points),
                   shown < count ? "; the table shows some of them, evenly spread" : "");
    study_front_charts(page, summary);
    struct table *table = table_with_axes(summary->study, before, after);
    for (size_t row = 0; row < shown && table; row++) {
        size_t i = row * count / shown;
        uint64_t point = summary->front.points[i];
        size_t workload = point / summary->space->machines;
        table_whole(table, (double)point);
        table_text(table, summary->study->workloads[workload]);
        add_axes(table, summary->space, point);
        for (size_t t = 0; t < summary->target_count; t++) {
            double value =
                summary->front.values[i * summary->column_count + summary->target_columns[t]];
            table_text(table, short_text(value, summary->targets[t].metric, text));
            add_change(table, summary_distribution(summary, workload, t)->baseline, value);
        }
    }
    page_table(page, table);
}

/* The mean of a target at one value of an axis. Averages over the workloads the ratios to the mean
 * of each, so that a long workload does not outweigh the others. */
static double relative_mean(const struct study_summary *summary, size_t axis, size_t value,
                            size_t target)
{
    double sum = 0;
    size_t count = 0;
    for (size_t w = 0; w < summary->study->workload_count; w++) {
        const struct effect *effect = summary_effect(summary, w, axis, value, target);
        double mean = summary_distribution(summary, w, target)->mean;
        if (!effect->count || mean == 0)
            continue;
        sum += effect->sum / (double)effect->count / mean;
        count++;
    }
    return count ? sum / (double)count : NAN;
}

static void add_sensitivity(struct table *table, const struct study_summary *summary, size_t axis,
                            size_t target)
{
    const struct axis *line = &summary->study->axes[axis];
    size_t low = SIZE_MAX, high = SIZE_MAX;
    double least = INFINITY, most = -INFINITY;
    char text[VALUE_TEXT];
    for (size_t i = 0; i < line->count; i++) {
        double mean = relative_mean(summary, axis, i, target);
        if (mean < least) {
            least = mean;
            low = i;
        }
        if (mean > most) {
            most = mean;
            high = i;
        }
    }
    table_text(table, line->parameter->path);
    table_printf(table, "%.1f%%", summary_importance(summary, axis, target) * 100);
    if (!(most - least > 1e-9)) { /* smaller differences are rounding errors */
        for (int i = 0; i < 4; i++)
            table_text(table, i % 2 ? "0%" : "-");
        return;
    }
    table_text(table, parameter_print(line->parameter, line->values[low], text));
    table_printf(table, "%+.3g%%", (least - 1) * 100);
    table_text(table, parameter_print(line->parameter, line->values[high], text));
    table_printf(table, "%+.3g%%", (most - 1) * 100);
}

static void print_sensitivities(struct page *page, const struct study_summary *summary)
{
    static const char *const headers[] = {"axis",     ">share of variance", "lowest mean at",
                                          ">vs mean", "highest mean at",    ">vs mean ",
                                          NULL};
    if (!summary->study->axis_count)
        return;
    page_heading(page, 2, "Sensitivities");
    page_paragraph(page,
                   "Main effects: the mean of a metric over all points with one value of an "
                   "axis. The share of variance is what the axis "
                   "explains alone (the first-order index of a functional ANOVA), averaged over "
                   "the workloads at which the metric varies; an axis without effect has no "
                   "picture. Shares that add up to "
                   "less than 100%% leave the rest to "
                   "axes that act together.");
    for (size_t t = 0; t < summary->target_count; t++) {
        struct table *table = table_create(headers);
        page_heading(page, 3, target_path(summary, t));
        /* List the most important axis first. */
        double last = INFINITY;
        size_t done = 0;
        while (table && done < summary->study->axis_count) {
            double next = -1;
            for (size_t a = 0; a < summary->study->axis_count; a++) {
                double share = summary_importance(summary, a, t);
                next = share < last && share > next ? share : next;
            }
            for (size_t a = 0; a < summary->study->axis_count; a++)
                if (summary_importance(summary, a, t) == next) {
                    add_sensitivity(table, summary, a, t);
                    done++;
                }
            last = next;
        }
        page_table(page, table);
        study_effect_charts(page, summary, t);
    }
}

static void print_distributions(struct page *page, const struct study_summary *summary)
{
    static const char *const headers[] = {"metric", "workload", ">points", ">lowest",
                                          ">mean",  ">highest", NULL};
    struct table *table = table_create(headers);
    char text[QUANTITY_TEXT];
    page_heading(page, 2, "Distributions");
    for (size_t t = 0; t < summary->target_count && table; t++)
        for (size_t w = 0; w < summary->study->workload_count; w++) {
            const struct distribution *distribution = summary_distribution(summary, w, t);
            const struct metric *metric = summary->targets[t].metric;
            if (!distribution->count)
                continue;
            table_text(table, metric->path);
            table_text(table, summary->study->workloads[w]);
            table_whole(table, (double)distribution->count);
            table_text(table, short_text(distribution->min, metric, text));
            table_text(table, short_text(distribution->mean, metric, text));
            table_text(table, short_text(distribution->max, metric, text));
        }
    page_table(page, table);
    study_histograms(page, summary);
}

static enum status add_event(void *argument, double unix_time, const char *kind, const char *text)
{
    char when[32] = "";
    time_t seconds = (time_t)unix_time;
    struct tm calendar;
    if (gmtime_r(&seconds, &calendar))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &calendar);
    table_text(argument, when);
    table_text(argument, kind);
    table_text(argument, text);
    return STATUS_OK;
}

static enum status print_provenance(struct page *page, const struct study_summary *summary,
                                    struct diagnostics *diagnostics)
{
    static const char *const keys[] = {"name",      "path", "created",      "host",
                                       "shard",     "seed", "tool_version", "evaluator_version",
                                       "space_hash"};
    static const char *const fact_headers[] = {"what", "value", NULL};
    static const char *const event_headers[] = {"time (UTC)", "event", "text", NULL};
    struct table *facts = table_create(fact_headers), *events = table_create(event_headers);
    page_heading(page, 2, "Provenance");
    enum status status = facts ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; !status && i < sizeof keys / sizeof *keys; i++) {
        char *value;
        status = store_provenance(summary->store, keys[i], &value);
        if (value) {
            table_text(facts, keys[i]);
            table_text(facts, value);
        }
        free(value);
    }
    for (size_t w = 0; !status && w < summary->study->workload_count; w++) {
        char *digest;
        status = store_digest(summary->store, w, &digest);
        table_printf(facts, "digest of %s", summary->study->workloads[w]);
        table_text(facts, digest ? digest : "?");
        free(digest);
    }
    page_table(page, facts);
    if (!status)
        status =
            events ? store_events(summary->store, add_event, events, diagnostics) : STATUS_MEMORY;
    page_table(page, events);
    static const char *const texts[][2] = {{"study_yaml", "The study"},
                                           {"machine_yaml", "Its machine"}};
    for (size_t i = 0; !status && i < 2; i++) {
        char *text;
        status = store_provenance(summary->store, texts[i][0], &text);
        page_code(page, texts[i][1], text ? text : "");
        free(text);
    }
    return status;
}

enum status study_report_print(struct store *store, const char *name, enum page_format format,
                               const atomic_bool *cancel, FILE *out,
                               struct diagnostics *diagnostics)
{
    struct study_summary summary;
    struct page page;
    char title[300];
    enum status status = study_summary_open(store, cancel, &summary, diagnostics);
    if (status)
        return status;
    snprintf(title, sizeof title, "Warpscape: %s",
             summary.study->name ? summary.study->name : name);
    page_begin(&page, format, title, out);
    status = print_opening(&page, &summary, name);
    if (summary.rows) {
        print_best(&page, &summary);
        study_cycle_stacks(&page, &summary, cancel);
        if (summary.study->objective_count)
            print_front(&page, &summary);
        print_sensitivities(&page, &summary);
        print_distributions(&page, &summary);
    }
    const enum status told = print_provenance(&page, &summary, diagnostics);
    status = status ? status : told;
    enum status ended = page_end(&page);
    study_summary_free(&summary);
    return status ? status : ended;
}
