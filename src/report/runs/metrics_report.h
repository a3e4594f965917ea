/* The metrics of one run as text, CSV, Markdown, or the JSON of `warpscape run` (docs/FORMATS.md).
 * The rows come from the metric table (schema/metrics.h): a new metric needs no change here. */
#pragma once

#include "report/drawing/cells.h"
#include "report/drawing/table.h"
#include "schema/ideals.h"
#include "schema/metrics.h"
#include "schema/parameters.h"

struct metrics_report {
    const struct machine *machine;
    const char *machine_name;
    enum depth depth;
    const char *workload;        /* its name */
    const char *workload_origin; /* a line that says where it comes from */
    const char *workload_digest;
    const struct metrics *metrics;
    const struct metrics *error; /* half widths of the intervals; NULL: the run was not sampled */
    const struct metrics *baseline; /* metrics to compare with, or NULL */
    struct ideal_set ideals;        /* of the run */
    const char *const *notes;
    size_t note_count;
    enum glyphs glyphs; /* of bars in text */
};

/* The metrics that have a value, by their whole paths. The caller frees the table; NULL if out of
 * memory. */
struct table *metrics_report_table(const struct metrics_report *report);

/* TABLE_TEXT groups the metrics by the first word of their paths and shows unit, provenance and
 * error. */
enum status metrics_report_print(const struct metrics_report *report, enum table_format format,
                                 FILE *out);
