/* The part of `warpscape silicon` without a profile: measured rows, the program's own
 * (configs/experiments/NAME.csv) or the user's. */
#pragma once

#include "cli/shared/options.h"
#include "report/experiments/row_report.h"

struct silicon_arguments {
    const char *file; /* of the user's rows; NULL: */
    const char *name; /* of the program's */
    const char *only; /* NULL: every row */
    enum row_table table;
    bool whole;      /* the report instead of one table */
    unsigned depths; /* a mask of 1 << enum depth */
    uint64_t effort;
    enum table_format format;
    int threads;
};

enum status silicon_run(const struct silicon_arguments *arguments, struct diagnostics *diagnostics);
