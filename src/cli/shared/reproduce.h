/* The measured runs that `warpscape reproduce NAME` can repeat beside the papers, which are data
 * (config/experiment_file.h): each is one file reproduce_NAME.c and one name in REPRODUCTION_LIST.
 * They take --only, --runs and --traces, and no options of papers. */
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

struct reproduction {
    const char *name, *paper;
    const char *const *tables; /* names for --table, ended by NULL */
    enum status (*run)(const struct reproduce_arguments *arguments,
                       struct diagnostics *diagnostics);
};

#define REPRODUCTION_LIST(X) X(accelsim)

#define REPRODUCTION_DECLARATION(name) extern const struct reproduction reproduction_##name;
REPRODUCTION_LIST(REPRODUCTION_DECLARATION)
#undef REPRODUCTION_DECLARATION

/* The index of --table in the tables; 0 if --table is not given. */
size_t reproduce_table(const struct reproduction *reproduction,
                       const struct reproduce_arguments *arguments);
