#include "report/runs/study_charts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"

/* How many workloads can be told apart in one picture. */
enum { SERIES_MAX = 4 };

/* Skip an axis that explains less than this share of the variance. */
#define NO_EFFECT 1e-4

static const enum role roles[SERIES_MAX] = {ROLE_SERIES_1, ROLE_SERIES_2, ROLE_SERIES_3,
                                            ROLE_SERIES_4};

static size_t shown_workloads(const struct study_summary *summary)
{
    size_t count = summary->study->workload_count;
    return count < SERIES_MAX ? count : SERIES_MAX;
}

static struct axis_style target_axis(const struct study_summary *summary, size_t target)
{
    const struct metric *metric = summary->targets[target].metric;
    return (struct axis_style){.label = metric->path, .unit = metric->unit};
}

/* Copies the points of one workload as x and y. The arrays must have room for the whole list. */
static size_t select_points(const struct study_summary *summary, const struct point_list *list,
                            size_t workload, size_t x_column, size_t y_column, double *x, double *y)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (list->points[i] / summary->space->machines != workload)
            continue;
        x[count] = list->values[i * summary->column_count + x_column];
        y[count++] = list->values[i * summary->column_count + y_column];
    }
    return count;
}

static void front_chart(struct page *page, const struct study_summary *summary, size_t workload,
                        size_t x_target, size_t room, double *buffers)
{
    double *x[3], *y[3];
    for (size_t i = 0; i < 3; i++) {
        x[i] = buffers + 2 * i * room;
        y[i] = x[i] + room;
    }
    const size_t y_target = 0;
    size_t columns[2] = {summary->target_columns[x_target], summary->target_columns[y_target]};
    size_t points =
        select_points(summary, &summary->sample, workload, columns[0], columns[1], x[0], y[0]);
    size_t front =
        select_points(summary, &summary->front, workload, columns[0], columns[1], x[1], y[1]);
    x[2][0] = summary_distribution(summary, workload, x_target)->baseline;
    y[2][0] = summary_distribution(summary, workload, y_target)->baseline;
    bool baseline = !isnan(x[2][0]) && !isnan(y[2][0]);
    const struct series series[] = {{.kind = SERIES_POINTS,
                                     .role = ROLE_SERIES_1,
                                     .x = x[0],
                                     .y = y[0],
                                     .count = points,
                                     .label = "points"},
                                    {.kind = SERIES_POINTS,
                                     .role = ROLE_FRONT,
                                     .x = x[1],
                                     .y = y[1],
                                     .count = front,
                                     .label = "front"},
                                    {.kind = SERIES_POINTS,
                                     .role = ROLE_SERIES_3,
                                     .x = x[2],
                                     .y = y[2],
                                     .count = 1,
                                     .label = "baseline"}};
    char title[300], description[600];
    const char *name = summary->study->workloads[workload];
    snprintf(title, sizeof title, "%s%s", name,
             summary->target_count > 2 ? " (the front is that of all objectives)" : "");
    snprintf(description, sizeof description,
             "Scatter of %zu%s points on %s: %s from left to right, %s upwards; %zu of them are in "
             "the Pareto front.",
             points,
             summary->partial                        ? " of the best"
             : summary->sample.count < summary->rows ? " sampled"
                                                     : "",
             name, summary->targets[x_target].metric->path, summary->targets[y_target].metric->path,
             front);
    const struct chart chart = {.series = series,
                                .series_count = baseline ? 3 : 2,
                                .x = target_axis(summary, x_target),
                                .y = target_axis(summary, y_target),
                                .cursor = NAN,
                                .title = title,
                                .glyphs = GLYPHS_BRAILLE};
    const struct svg_style style = {.width = 520, .height = 340, .description = description};
    page_chart(page, &chart, &style);
}

void study_front_charts(struct page *page, const struct study_summary *summary)
{
    if (summary->target_count < 2)
        return;
    size_t room = summary->sample.count + summary->front.count + 1;
    double *buffers = calloc(6 * room, sizeof *buffers);
    if (!buffers) {
        page->status = STATUS_MEMORY;
        return;
    }
    for (size_t w = 0; w < summary->study->workload_count; w++)
        for (size_t t = 1; t < summary->target_count; t++)
            front_chart(page, summary, w, t, room, buffers);
    free(buffers);
}

/* Names the values of an axis. The pointers and the text are in one malloc'ed block, freed
 * together. */
static const char **value_names(const struct axis *axis)
{
    const char **names = malloc(axis->count * (sizeof *names + VALUE_TEXT));
    char *texts = names ? (char *)(names + axis->count) : NULL;
    for (size_t i = 0; names && i < axis->count; i++)
        names[i] = parameter_print(axis->parameter, axis->values[i], texts + i * VALUE_TEXT);
    return names;
}

static void effect_chart(struct page *page, const struct study_summary *summary, size_t target,
                         size_t a, double *x, double *y)
{
    const struct axis *axis = &summary->study->axes[a];
    struct series series[SERIES_MAX];
    const char **names = value_names(axis);
    char title[300], description[600], count[COUNT_TEXT];
    const char *metric = summary->targets[target].metric->path;
    if (!names) {
        page->status = STATUS_MEMORY;
        return;
    }
    for (size_t i = 0; i < axis->count; i++)
        x[i] = (double)i;
    for (size_t w = 0; w < shown_workloads(summary); w++) {
        double *line = y + w * axis->count;
        for (size_t i = 0; i < axis->count; i++) {
            const struct effect *effect = summary_effect(summary, w, a, i, target);
            line[i] = effect->count ? effect->sum / (double)effect->count : NAN;
        }
        series[w] = (struct series){.kind = SERIES_LINE,
                                    .role = roles[w],
                                    .x = x,
                                    .y = line,
                                    .count = axis->count,
                                    .label = summary->study->workloads[w]};
    }
    snprintf(title, sizeof title, "mean %s over %s", metric, axis->parameter->path);
    snprintf(description, sizeof description,
             "Lines: the mean of %s for each value of %s, %s to %s, of %s.", metric,
             axis->parameter->path, names[0], names[axis->count - 1],
             counted_print(shown_workloads(summary), "workload", count));
    const struct chart chart = {
        .series = series,
        .series_count = shown_workloads(summary),
        .x = {.label = axis->parameter->path, .ticks = names, .tick_count = axis->count},
        .y = target_axis(summary, target),
        .cursor = NAN,
        .title = title,
        .glyphs = GLYPHS_BRAILLE};
    const struct svg_style style = {
        .width = 340, .height = 220, .description = description, .x_ticks = 5};
    page_chart(page, &chart, &style);
    free(names);
}

void study_effect_charts(struct page *page, const struct study_summary *summary, size_t target)
{
    for (size_t a = 0; a < summary->study->axis_count; a++) {
        size_t count = summary->study->axes[a].count;
        const struct importance_axis *axis = &summary->importance[target].axes[a];
        char reason[IMPORTANCE_TEXT];
        if (importance_reason(&summary->importance[target], axis, reason) ||
            axis->basis != BASIS_ALL || !(importance_share(axis) >= NO_EFFECT))
            continue;
        double *values = calloc((SERIES_MAX + 1) * count, sizeof *values);
        if (!values) {
            page->status = STATUS_MEMORY;
            return;
        }
        effect_chart(page, summary, target, a, values, values + count);
        free(values);
    }
}

void study_histograms(struct page *page, const struct study_summary *summary)
{
    double x[2 * SUMMARY_BINS], y[SERIES_MAX][2 * SUMMARY_BINS];
    for (size_t t = 0; t < summary->target_count && !summary->partial; t++) {
        struct series series[SERIES_MAX];
        const char *metric = summary->targets[t].metric->path;
        double width = (summary->high[t] - summary->low[t]) / SUMMARY_BINS;
        if (!(width > 0))
            continue;
        for (size_t w = 0; w < shown_workloads(summary); w++) {
            const struct distribution *distribution = summary_distribution(summary, w, t);
            for (size_t i = 0; i < SUMMARY_BINS; i++) {
                x[2 * i] = summary->low[t] + width * (double)i;
                x[2 * i + 1] = x[2 * i] + width;
                y[w][2 * i] = y[w][2 * i + 1] = (double)distribution->bins[i];
            }
            series[w] = (struct series){.kind = SERIES_LINE,
                                        .role = roles[w],
                                        .x = x,
                                        .y = y[w],
                                        .count = 2 * SUMMARY_BINS,
                                        .label = summary->study->workloads[w]};
        }
        char title[300], description[400], count[COUNT_TEXT];
        snprintf(title, sizeof title, "points by %s", metric);
        snprintf(description, sizeof description,
                 "Histogram: how many points have which %s, in %d bins, of %s.", metric,
                 SUMMARY_BINS, counted_print(shown_workloads(summary), "workload", count));
        const struct chart chart = {.series = series,
                                    .series_count = shown_workloads(summary),
                                    .x = target_axis(summary, t),
                                    .y = {.label = "points"},
                                    .cursor = NAN,
                                    .title = title,
                                    .glyphs = GLYPHS_BRAILLE};
        const struct svg_style style = {
            .width = 460, .height = 260, .description = description, .filled = true};
        page_chart(page, &chart, &style);
    }
}
