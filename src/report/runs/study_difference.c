#include "report/runs/study_difference.h"

#include <math.h>
#include <stdlib.h>

#include "base/counts.h"
#include "explore/store/point_difference.h"
#include "report/drawing/number.h"

/* A best point beside the baseline. */
struct best_point {
    const struct study_summary *summary;
    size_t workload, target;
    uint64_t point, baseline;
    struct point_difference difference;
};

static double part_of(const struct best_point *best, size_t i)
{
    return best->difference
        .parts[i * best->difference.column_count + best->summary->target_columns[best->target]];
}

static int compare_parts(const void *a, const void *b, void *argument)
{
    const size_t left = *(const size_t *)a, right = *(const size_t *)b;
    const double one = fabs(part_of(argument, left)), two = fabs(part_of(argument, right));
    if (one != two)
        return one > two ? -1 : 1;
    return left < right ? -1 : left > right;
}

static void add_value(struct table *table, const struct best_point *best, uint64_t point,
                      size_t axis)
{
    const struct space *space = best->summary->space;
    const struct axis *values = &best->summary->study->axes[axis];
    char text[VALUE_TEXT];
    table_text(table, parameter_print(
                          values->parameter,
                          values->values[space_digit(space, point % space->machines, axis)], text));
}

static void add_head(struct table *table, const struct best_point *best)
{
    table_text(table, best->summary->targets[best->target].metric->path);
    table_text(table, best->summary->study->workloads[best->workload]);
}

/* The axes of a point, the one that does most first. */
static void add_point(struct table *table, const struct best_point *best)
{
    const struct point_difference *difference = &best->difference;
    const struct metric *metric = best->summary->targets[best->target].metric;
    const double from = difference->from[best->summary->target_columns[best->target]];
    size_t order[DIFFERENCE_AXES];
    for (size_t i = 0; i < difference->axis_count; i++)
        order[i] = i;
    qsort_r(order, difference->axis_count, sizeof *order, compare_parts, (void *)(uintptr_t)best);
    for (size_t i = 0; i < difference->axis_count; i++) {
        const size_t axis = difference->axes[order[i]];
        const double part = part_of(best, order[i]);
        char text[QUANTITY_TEXT], share[NUMBER_TEXT];
        add_head(table, best);
        table_text(table, best->summary->study->axes[axis].parameter->path);
        add_value(table, best, best->baseline, axis);
        add_value(table, best, best->point, axis);
        table_text(table, quantity_print_short(part, metric->unit, 4, text));
        table_text(table, change_print(from, from + part, share));
    }
}

/* Opens the difference of the best point of a target on a workload; false: there is none to tell.
 */
static bool open_best(const struct study_summary *summary, size_t workload, size_t target,
                      uint64_t baseline, struct best_point *best)
{
    struct diagnostics ignored = DIAGNOSTICS_INIT;
    *best = (struct best_point){
        .summary = summary,
        .workload = workload,
        .target = target,
        .point = summary_distribution(summary, workload, target)->best,
        .baseline = workload * summary->space->machines + baseline,
    };
    const bool opened = best->point != UINT64_MAX && best->point != best->baseline &&
                        !point_difference_open(summary->store, best->baseline, best->point,
                                               &best->difference, &ignored);
    diagnostics_free(&ignored); /* the baseline is no point of the store */
    return opened;
}

enum status study_difference_print(struct page *page, const struct study_summary *summary)
{
    static const char *const headers[] = {"metric", "workload", "axis",         "baseline",
                                          "best",   ">change",  ">of baseline", NULL};
    struct machine machine;
    struct table *table = table_create(headers);
    size_t told = 0, untold = 0;
    bool there;
    if (!table)
        return STATUS_MEMORY;
    study_baseline(summary->study, &machine);
    const uint64_t baseline = space_own(summary->study, &machine, &there);
    for (size_t t = 0; t < summary->target_count && there; t++)
        for (size_t w = 0; w < summary->study->workload_count; w++) {
            struct best_point best;
            if (!open_best(summary, w, t, baseline, &best))
                continue;
            if (!best.difference.missing)
                add_point(table, &best);
            *(best.difference.missing ? &untold : &told) += 1;
            point_difference_close(&best.difference);
        }
    if (!told && !untold) {
        table_free(table);
        return STATUS_OK;
    }
    char points[COUNT_TEXT];
    page_heading(page, 2, "From the baseline to the best");
    page_paragraph(page,
                   "What each setting of a best point adds to the change of its metric, averaged "
                   "over all orders in which the settings can be made; together they are the "
                   "whole change.");
    if (untold)
        page_paragraph(page,
                       "Nothing can be said of %s: not all points between the baseline and these "
                       "are in the store.",
                       counted_print(untold, "best point", points));
    if (told)
        page_table(page, table);
    else
        table_free(table);
    return STATUS_OK;
}
