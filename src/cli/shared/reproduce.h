/* What `warpscape reproduce` was asked for, and the one reproduction that is no data
 * (config/experiment_file.h): measured runs of Accel-Sim, whose traces have to be found or made
 * first and whose rows are told pair by pair. It takes --only, --runs and --traces, and no options
 * of papers. */
#pragma once

#include "base/diag.h"
#include "report/drawing/table.h"

struct reproduce_arguments {
    const char *name, *table;         /* `table`: of --table; NULL: the first one of the paper */
    const char *workload;             /* run only this one; NULL: all */
    const char *only, *runs, *traces; /* of reproductions of measured runs; may be NULL */
    const char *report;               /* write the report to this file; NULL: print it */
    bool force;
    double time_limit;        /* seconds; 0: none */
    enum table_format format; /* TABLE_TEXT without --table prints the whole report */
    bool full;
    int threads;
};

extern const char reproduce_accelsim_name[], reproduce_accelsim_paper[];
extern const char *const reproduce_accelsim_tables[]; /* for --table, ended by NULL */

/* Runs the rows and prints the report, or one table. */
enum status reproduce_accelsim(const struct reproduce_arguments *arguments,
                               struct diagnostics *diagnostics);
