#include "report/runs/study_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/counts.h"
#include "explore/results/knee.h"
#include "report/drawing/number.h"
#include "report/runs/study_charts.h"
#include "report/runs/study_difference.h"
#include "report/runs/study_stacks.h"
#include "schema/exactness.h"

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

/* Whether legal points were not run. */
static bool is_part(const struct study_summary *summary)
{
    return summary->rows < summary->coverage.legal;
}

static void print_coverage(struct page *page, const struct study_summary *summary)
{
    char text[COVERAGE_TEXT];
    page_paragraph(page, "Coverage: %s.%s", coverage_print(&summary->coverage, text),
                   is_part(summary) ? " What is best is the best of these." : "");
}

/* What each number rests on. */
static void print_sources(struct page *page, const struct study_summary *summary)
{
    const enum depth depth = summary->study->depth;
    for (size_t t = 0; t < summary->target_count; t++) {
        const struct metric *metric = summary->targets[t].metric;
        page_paragraph(page, "%s: %s. From %s%s, %s.", metric->path, metric->help,
                       metric->provenance == FROM_MODEL ? "depth " : "",
                       metric_source(metric, depth),
                       metric_assumes_clock(metric, depth) ? "an estimate: cycles by the issue "
                                                             "clock, which walker.interval sets"
                       : metric_exact(metric)              ? "a count of the model"
                                              : "an estimate of a fitted model, whose error "
                                                "warpscape area prints");
    }
}

static enum status print_opening(struct page *page, const struct study_summary *summary,
                                 const char *name, struct diagnostics *diagnostics)
{
    char *created;
    const enum status status = store_provenance(summary->store, "created", &created, diagnostics);
    char points[COUNT_TEXT], machines[COUNT_TEXT], workloads[COUNT_TEXT];
    page_paragraph(page, "%s: %s of %s (before rules and conditions) on %s, machine %s, begun %s.",
                   name, counted_print(summary->rows, "point", points),
                   counted_print(summary->space->machines, "machine", machines),
                   counted_print(summary->study->workload_count, "workload", workloads),
                   summary->study->machine_name ? summary->study->machine_name : "?",
                   created ? created : "?");
    free(created);
    print_coverage(page, summary);
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
        page, "The baseline is %s: %s with what the study sets%s. %s%s",
        summary->study->baseline_count ? "what the study compares with"
                                       : "the study's machine before any axis",
        summary->study->machine_name ? summary->study->machine_name : "?",
        summary->study->baseline_count ? " for it" : "", summary->baseline_note,
        over_all
            ? " Over all workloads machines are compared by the geometric mean of their ratios "
              "to the baseline; no other row compares workloads."
            : "");
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

static void add_saved(struct table *table, const struct study_summary *summary, size_t workload,
                      size_t target, const double *values)
{
    char text[QUANTITY_TEXT];
    table_printf(table, "best %s", target_path(summary, target));
    table_text(table, summary->study->workloads[workload]);
    table_whole(table, (double)summary_distribution(summary, workload, target)->best);
    for (size_t c = 0; c < summary->column_count; c++) {
        const struct metric *metric = summary->columns[c];
        const double baseline = summary_baseline(summary, workload, c);
        if (!metric_saves(metric))
            continue;
        table_text(table, short_text(baseline - values[c], metric, text));
        add_change(table, baseline, values[c]);
    }
}

/* What each metric of memory accesses that the study has is lower by than that of the baseline. */
static struct table *saved_table(const struct study_summary *summary)
{
    const char *headers[3 + 2 * METRIC_COUNT + 1] = {"machine", "workload", ">id"};
    char names[METRIC_COUNT][64];
    size_t count = 3;
    for (size_t c = 0; c < summary->column_count; c++)
        if (metric_saves(summary->columns[c])) {
            snprintf(names[c], sizeof names[c], ">fewer %s", summary->columns[c]->path);
            headers[count++] = names[c];
            headers[count++] = ">change";
        }
    return count > 3 ? table_create(headers) : NULL;
}

static enum status print_saved(struct page *page, const struct study_summary *summary,
                               struct diagnostics *diagnostics)
{
    struct table *table = saved_table(summary);
    double *values = calloc(summary->column_count + 1, sizeof *values);
    enum status status = values ? STATUS_OK : STATUS_MEMORY;
    bool any = false, found = false;
    for (size_t w = 0; table && w < summary->study->workload_count; w++)
        for (size_t t = 0; t < summary->target_count && !status; t++) {
            const uint64_t best = summary_distribution(summary, w, t)->best;
            if (best == UINT64_MAX)
                continue;
            status = store_get(summary->store, best, values, &found, diagnostics);
            if (!status && found)
                add_saved(table, summary, w, t, values);
            any |= found;
        }
    free(values);
    if (!any) {
        table_free(table);
        return status;
    }
    page_heading(page, 2, "Memory accesses saved");
    page_paragraph(page, "Accesses of the baseline less those of the best points.");
    page_table(page, table);
    return status;
}

/* The rows of one front: those of a workload, or of all workloads together. */
struct front_rows {
    const struct study_summary *summary;
    const struct point_list *list;
    size_t first, count, workload; /* workload: all of them = the number of workloads */
    struct front_view view;
    size_t knee, price;
};

static struct front_rows front_rows(const struct study_summary *summary,
                                    const struct point_list *list, size_t first, size_t count,
                                    size_t workload)
{
    struct front_rows rows = {
        .summary = summary, .list = list, .first = first, .count = count, .workload = workload};
    rows.view = (struct front_view){summary->targets,
                                    summary->target_columns,
                                    summary->target_count,
                                    summary->column_count,
                                    count,
                                    list->values + first * summary->column_count};
    rows.knee = front_knee(&rows.view);
    rows.price = front_price(summary->targets, summary->target_count);
    return rows;
}

static double front_value(const struct front_rows *rows, size_t row, size_t target)
{
    return rows->view.values[row * rows->view.stride + rows->view.columns[target]];
}

static double front_baseline(const struct front_rows *rows, size_t target)
{
    return rows->workload == rows->summary->study->workload_count
               ? rows->summary->overall[target].baseline
               : summary_distribution(rows->summary, rows->workload, target)->baseline;
}

/* What the next step up the price buys of the first other objective: "+4.1% total.area: -12%
 * l1d.miss_rate". */
static void front_add_step(struct table *table, const struct front_rows *rows, size_t row)
{
    const size_t gain = rows->price ? 0 : 1;
    char price[NUMBER_TEXT], bought[NUMBER_TEXT];
    size_t next = rows->view.objective_count > 1 ? front_step(&rows->view, rows->price, gain, row)
                                                 : rows->count;
    if (next == rows->count) {
        table_text(table, "");
        return;
    }
    table_printf(table, "%s %s: %s %s",
                 change_print(front_value(rows, row, rows->price),
                              front_value(rows, next, rows->price), price),
                 target_path(rows->summary, rows->price),
                 change_print(front_value(rows, row, gain), front_value(rows, next, gain), bought),
                 target_path(rows->summary, gain));
}

static void add_front_row(struct table *table, const struct front_rows *rows, size_t row)
{
    const struct study_summary *summary = rows->summary;
    const uint64_t point = rows->list->points[rows->first + row];
    const bool all = rows->workload == summary->study->workload_count;
    char text[QUANTITY_TEXT];
    table_whole(table, (double)point);
    table_text(table, all ? "all (geometric mean)" : summary->study->workloads[rows->workload]);
    table_text(table, row == rows->knee ? "knee" : "");
    add_axes(table, summary->space, point);
    for (size_t t = 0; t < summary->target_count; t++) {
        const double value = front_value(rows, row, t);
        table_text(table, short_text(value, summary->targets[t].metric, text));
        add_change(table, front_baseline(rows, t), value);
    }
    front_add_step(table, rows, row);
}

/* Up to `most` of the rows, evenly spaced, and the knee. */
static void add_front(struct table *table, const struct front_rows *rows, size_t most)
{
    const size_t shown = rows->count < most ? rows->count : most;
    for (size_t i = 0, row = 0; i < shown; i++) {
        const size_t next = (i + 1) * rows->count / shown;
        const bool knee = rows->knee >= row && rows->knee < next;
        add_front_row(table, rows, knee ? rows->knee : row);
        row = next;
    }
}

static struct table *front_table(const struct study_summary *summary)
{
    static const char *const before[] = {">id", "workload", "", NULL};
    char headers[SUMMARY_TARGETS_MAX][140];
    const char *after[2 * SUMMARY_TARGETS_MAX + 2] = {NULL};
    for (size_t t = 0; t < summary->target_count; t++) {
        snprintf(headers[t], sizeof headers[t], ">%s", target_path(summary, t));
        after[2 * t] = headers[t];
        after[2 * t + 1] = ">vs baseline";
    }
    after[2 * summary->target_count] = "the next step buys";
    return table_with_axes(summary->study, before, after);
}

static void print_fronts(struct page *page, const struct study_summary *summary)
{
    const size_t workloads = summary->study->workload_count, count = summary->front.count;
    const size_t lists = workloads + (summary->across.count > 0);
    const size_t most = lists ? FRONT_ROWS / lists : 0;
    char points[COUNT_TEXT];
    page_heading(page, 2, "Pareto front");
    page_paragraph(page,
                   "%s in the front%s: they pass the filters, and no other%s beats them in every "
                   "objective of their workload. The knee is the point that gives up least of "
                   "everything; the next step is the cheapest machine of the front that is better.",
                   counted_print(count, "point", points), workloads > 1 ? "s of the workloads" : "",
                   is_part(summary) ? " that was run" : "");
    if (count > FRONT_ROWS)
        page_paragraph(page, "The table shows some of the points, evenly spread.");
    study_front_charts(page, summary);
    struct table *table = front_table(summary);
    if (table && summary->across.count) {
        const struct front_rows rows =
            front_rows(summary, &summary->across, 0, summary->across.count, workloads);
        add_front(table, &rows, most);
    }
    for (size_t first = 0, end; first < count && table; first = end) {
        const size_t workload = summary->front.points[first] / summary->space->machines;
        for (end = first;
             end < count && summary->front.points[end] / summary->space->machines == workload;)
            end++;
        const struct front_rows rows =
            front_rows(summary, &summary->front, first, end - first, workload);
        add_front(table, &rows, most ? most : 1);
    }
    page_table(page, table);
}

/* "12.3%", "12.3% +- 0.4%"; "-" if the target does not vary. */
static void add_share(struct table *table, const struct importance_axis *axis)
{
    const double share = importance_share(axis);
    char text[IMPORTANCE_TEXT];
    if (importance_unknown(axis))
        table_text(table, "");
    else if (isnan(share))
        table_text(table, "-");
    else
        table_text(table, importance_share_print(axis, share, axis->margin, text));
}

static void add_sensitivity(struct table *table, const struct importance *importance,
                            const struct importance_axis *axis)
{
    const struct parameter *parameter = axis->axis->parameter;
    size_t low = 0, high = 0;
    char text[VALUE_TEXT], reason[IMPORTANCE_TEXT];
    for (size_t i = 1; i < axis->count; i++) {
        low = axis->values[i].mean < axis->values[low].mean || isnan(axis->values[low].mean) ? i
                                                                                             : low;
        high = axis->values[i].mean > axis->values[high].mean || isnan(axis->values[high].mean)
                   ? i
                   : high;
    }
    table_text(table, parameter->path);
    add_share(table, axis);
    if (importance_reason(importance, axis, reason)) {
        table_text(table, reason);
        for (int i = 0; i < 3; i++)
            table_text(table, "");
        return;
    }
    /* Smaller differences are rounding errors. */
    if (!(axis->values[high].mean - axis->values[low].mean > 1e-9)) {
        for (int i = 0; i < 4; i++)
            table_text(table, i % 2 ? "0%" : "-");
        return;
    }
    table_text(table, parameter_print(parameter, axis->axis->values[low], text));
    table_printf(table, "%+.3g%%", (axis->values[low].mean - 1) * 100);
    table_text(table, parameter_print(parameter, axis->axis->values[high], text));
    table_printf(table, "%+.3g%%", (axis->values[high].mean - 1) * 100);
}

/* What a sample assigns to no axis. */
static void add_unassigned(struct table *table, const struct importance *importance)
{
    table_text(table, "of no axis for certain");
    table_printf(table, "%.1f%%", importance->unassigned * 100);
    for (int i = 0; i < 4; i++)
        table_text(table, "");
}

/* The most important axis first. */
static int compare_shares(const void *a, const void *b)
{
    const struct importance_axis *const *left = a, *const *right = b;
    const double first = importance_share(*left), second = importance_share(*right);
    if (first > second || first < second)
        return first > second ? -1 : 1;
    return *left < *right ? -1 : *left > *right;
}

static struct table *sensitivity_table(const struct importance *importance)
{
    static const char *const headers[] = {"axis",     ">share of variance", "lowest mean at",
                                          ">vs mean", "highest mean at",    ">vs mean ",
                                          NULL};
    struct table *table = table_create(headers);
    const struct importance_axis **order =
        calloc(importance->axis_count + 1,
               sizeof *order); /* NOLINT(bugprone-sizeof-expression): pointers */
    for (size_t a = 0; order && a < importance->axis_count; a++)
        order[a] = &importance->axes[a];
    if (order)
        qsort(order, importance->axis_count,
              sizeof *order, /* NOLINT(bugprone-sizeof-expression): pointers */
              compare_shares);
    for (size_t a = 0; table && order && a < importance->axis_count; a++)
        add_sensitivity(table, importance, order[a]);
    if (table && importance->unassigned >= UNASSIGNED_SHOWN)
        add_unassigned(table, importance);
    free(order);
    return table;
}

/* Where means are over some of the points only. */
static void print_matched(struct page *page, const struct importance *importance)
{
    char points[COUNT_TEXT];
    for (size_t a = 0; a < importance->axis_count; a++) {
        const struct importance_axis *axis = &importance->axes[a];
        if (axis->basis == BASIS_MATCHED && !importance_unknown(axis))
            page_paragraph(page,
                           "%s hangs together with %s: its means are over the %s that "
                           "differ in it alone.",
                           axis->axis->parameter->path,
                           importance->axes[axis->other].axis->parameter->path,
                           counted_print(axis->compared, "point", points));
    }
}

static bool any_sampled(const struct study_summary *summary)
{
    bool sampled = false;
    for (size_t t = 0; t < summary->target_count; t++)
        sampled = sampled || summary->importance[t].sampled;
    return sampled;
}

static void print_sensitivities(struct page *page, const struct study_summary *summary)
{
    char points[COUNT_TEXT];
    if (!summary->study->axis_count)
        return;
    page_heading(page, 2, "Sensitivities");
    page_paragraph(
        page,
        "%s, averaged over the workloads at which the metric varies. The means are over "
        "all points with one value of an axis where the other axes are balanced under "
        "it; an axis that is confounded with another has none, and only a balanced "
        "one that matters has a picture.",
        summary->partial ? "The share of variance is what the axis explains by itself"
        : any_sampled(summary)
            ? "The share of variance is the Shapley effect of the axis over all points, "
              "estimated as if those that were run were drawn by chance; an axis that these "
              "do not tell from one without effect has none"
            : "The share of variance is the Shapley effect of the axis over "
              "the points that exist: the shares add up to 100%");
    for (size_t t = 0; t < summary->target_count; t++) {
        page_heading(page, 3, target_path(summary, t));
        if (summary->importance[t].unrun)
            page_paragraph(page, "It depends on the machine alone: exact, over all %s, run or not.",
                           counted_print(summary->importance[t].rows, "legal point", points));
        page_table(page, sensitivity_table(&summary->importance[t]));
        print_matched(page, &summary->importance[t]);
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
    for (size_t t = 0; t < summary->target_count; t++)
        if (summary->unrun[t])
            page_paragraph(page, "%s is that of all legal points, run or not.",
                           target_path(summary, t));
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
    print_sources(page, summary);
    enum status status = facts ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; !status && i < sizeof keys / sizeof *keys; i++) {
        char *value;
        status = store_provenance(summary->store, keys[i], &value, diagnostics);
        if (value) {
            table_text(facts, keys[i]);
            table_text(facts, value);
        }
        free(value);
    }
    for (size_t w = 0; !status && w < summary->study->workload_count; w++) {
        char *digest;
        status = store_digest(summary->store, w, &digest, diagnostics);
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
        status = store_provenance(summary->store, texts[i][0], &text, diagnostics);
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
    status = print_opening(&page, &summary, name, diagnostics);
    if (summary.rows) {
        print_best(&page, &summary);
        if (!status)
            status = study_difference_print(&page, &summary);
        if (!status)
            status = print_saved(&page, &summary, diagnostics);
        study_cycle_stacks(&page, &summary, cancel);
        if (summary.study->objective_count)
            print_fronts(&page, &summary);
        print_sensitivities(&page, &summary);
        print_distributions(&page, &summary);
    }
    const enum status told = print_provenance(&page, &summary, diagnostics);
    status = status ? status : told;
    enum status ended = page_end(&page);
    study_summary_free(&summary);
    return status ? status : ended;
}
