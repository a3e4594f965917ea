/* The part of `warpscape silicon` without a profile: the rows of explore/papers/silicon_rows.h. */
#pragma once

#include "cli/shared/options.h"
#include "report/experiments/silicon_report.h"

struct silicon_arguments {
    const char *only; /* NULL: every row */
    unsigned table;   /* an enum silicon_table */
    bool whole;       /* the report instead of one table */
    unsigned depths;  /* a mask of 1 << enum depth */
    uint64_t effort;
    enum table_format format;
    int threads;
};

enum status silicon_run(const struct silicon_arguments *arguments, struct diagnostics *diagnostics);
