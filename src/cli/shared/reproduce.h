/* Papers that `warpscape reproduce NAME` runs again: reproduce_NAME.c each, and one row here. */
#pragma once

#include "base/diag.h"
#include "report/table.h"

struct reproduce_arguments {
    const char *name, *table; /* of --table; NULL: the paper's first */
    const char *workload;     /* the only one; NULL: all */
    enum table_format format; /* TABLE_TEXT without --table: the whole report */
    bool full;
    int threads;
};

struct reproduction {
    const char *name, *paper;
    const char *const *tables; /* names for --table, ended by NULL */
    enum status (*run)(const struct reproduce_arguments *arguments,
                       struct diagnostics *diagnostics);
};

#define REPRODUCTION_LIST(X) X(reuse) X(cpwc)

#define REPRODUCTION_DECLARATION(name) extern const struct reproduction reproduction_##name;
REPRODUCTION_LIST(REPRODUCTION_DECLARATION)
#undef REPRODUCTION_DECLARATION

/* The index of --table among the tables; 0 where it is not given. */
size_t reproduce_table(const struct reproduction *reproduction,
                       const struct reproduce_arguments *arguments);
