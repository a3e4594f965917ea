/* Counters of real GPUs beside ours as tables (explore/papers/silicon_study.h). */
#pragma once

#include <stdio.h>

#include "explore/papers/silicon_study.h"
#include "report/drawing/table.h"

enum silicon_table {
    SILICON_TABLE_SUMMARY, /* errors of each counter at each depth */
    SILICON_TABLE_ROWS,    /* every counter of every row */
    SILICON_TABLE_GPUS,    /* errors by GPU */
    SILICON_TABLE_ORDER,   /* variants of one problem: whose order of times is right */
    SILICON_TABLE_SOURCES, /* where each row is from, and what runs for it */
    SILICON_TABLES
};

/* Behind the tables stand the studies of ROW_STUDY_LIST (report/experiments/row_study_report.h). */
extern const char *const silicon_table_names[]; /* ended by NULL */

/* Prints the summary, the order of variants and notes. */
enum status silicon_report_print(const struct silicon_study *study, FILE *out);

/* Prints one table in any format. STATUS_MEMORY, STATUS_IO. */
enum status silicon_report_table(const struct silicon_study *study, enum silicon_table which,
                                 enum table_format format, FILE *out);
