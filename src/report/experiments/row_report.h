/* Measured rows beside ours as tables (explore/papers/row_study.h): counters of real GPUs,
 * published latencies and rates, rows of a user's own. */
#pragma once

#include <stdio.h>

#include "base/diag.h"
#include "explore/papers/row_study.h"
#include "report/drawing/table.h"

enum row_table {
    ROW_TABLE_SUMMARY, /* errors of each value at each depth */
    ROW_TABLE_ROWS,    /* every value of every row at every depth */
    ROW_TABLE_GPUS,    /* errors by GPU */
    ROW_TABLE_ORDER,   /* variants of one problem: whose order of times is right */
    ROW_TABLE_SOURCES, /* where each row is from, and what runs for it */
    ROW_TABLE_LIST,    /* every value with the best answer; as text also the mean errors */
    ROW_TABLES
};
extern const char *const row_table_names[]; /* ended by NULL */

/* Whether a table needs the study to have been run. */
bool row_table_needs_run(enum row_table table);

/* Prints one table in any format. STATUS_MEMORY, STATUS_IO. */
enum status row_report_table(const struct row_study *study, enum row_table which,
                             enum table_format format, FILE *out);

/* What the tables leave out: rows that are too large, and rows whose runs were refused. */
void row_report_notes(const struct row_study *study, struct diagnostics *diagnostics);

/* Prints the summary, the order of variants and notes, and with `list` every row first. */
enum status row_report_print(const struct row_study *study, bool list, FILE *out);

/* A table of a study with its own columns. */
struct row_layout {
    const char *title;
    enum status (*fill)(const struct row_study *study, struct table *table);
    const char *headers[20]; /* ended by NULL; or those that `create` gives the table */
    struct table *(*create)(const struct row_study *study);
};
/* Creates, fills and prints it. STATUS_MEMORY, STATUS_IO. */
enum status row_layout_print(const struct row_layout *layout, const struct row_study *study,
                             enum table_format format, FILE *out);

/* Ours - measured: points of a value in %, else a share of what was measured (of the column's base)
 * in percent; NaN if there is no number. */
double row_error(const struct row_study *study, size_t row, size_t column, enum depth depth);

/* Errors over rows, without sign but for `bias`. `refused` rows have no number of ours. */
struct row_errors {
    size_t rows, refused, exact, within_1, within_2; /* percent or points */
    double mean, bias, p95, worst;                   /* NaN: no row */
    size_t worst_row;
};

/* The rows to look at; NULL or false: whatever they are. */
struct row_group {
    const char *gpu, *kernel;
    bool one_sm; /* of machines with one SM */
};
bool row_is_in(const struct row_study *study, size_t row, const struct row_group *group);

/* STATUS_MEMORY. */
enum status row_errors_find(const struct row_study *study, const struct row_group *group,
                            size_t column, enum depth depth, struct row_errors *errors);

/* Whether no row before this one has the same text in both columns (`second` may be ROW_TEXTS). */
bool row_is_first(const struct row_study *study, size_t row, enum row_text first,
                  enum row_text second);
