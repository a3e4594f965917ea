/* The reproduction of Accel-Sim's runs as tables: its numbers, ours, and how far they are apart. */
#pragma once

#include <stdio.h>

#include "explore/papers/accelsim_study.h"
#include "report/drawing/table.h"

enum accelsim_table {
    ACCELSIM_SUMMARY,  /* errors of the cycles, and pairs, by groups of rows */
    ACCELSIM_COUNTERS, /* errors of each counter */
    ACCELSIM_FAMILIES, /* errors of the cycles by kernel and GPU */
    ACCELSIM_ROWS,
    ACCELSIM_PAIRS,  /* each pair of variants */
    ACCELSIM_DEPTHS, /* errors of the L1D's miss rate by depth and GPU */
    ACCELSIM_REUSE,  /* the same for each run */
    ACCELSIM_TABLES
};

/* Whether a table needs the runs at every depth. */
bool accelsim_table_needs_depths(enum accelsim_table table);

/* Prints all tables of errors, without those of each row, run and pair, and notes. */
enum status accelsim_report_print(const struct row_study *study, FILE *out);

/* Prints one table in any format. STATUS_MEMORY, STATUS_IO. */
enum status accelsim_report_table(const struct row_study *study, enum accelsim_table which,
                                  enum table_format format, FILE *out);
