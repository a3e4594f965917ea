/* Metrics as table, CSV, or the JSON of `warpscape run`. */
#pragma once

#include "report/table.h"
#include "schema/metrics.h"
#include "schema/parameters.h"

struct metrics_report {
    const struct machine *machine;
    const char *machine_name;
    enum depth depth;
    const char *workload;        /* name */
    const char *workload_origin; /* provenance line */
    const char *workload_digest;
    const struct metrics *metrics;
    const struct metrics *error;    /* half widths, or NULL: not sampled */
    const struct metrics *baseline; /* pinned, or NULL */
    const char *const *notes;
    size_t note_count;
};

/* TABLE_TEXT groups by the first word of the path and gives unit, provenance and error. */
enum status metrics_report_print(const struct metrics_report *report, enum table_format format,
                                 FILE *out);
