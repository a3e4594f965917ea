/* What the subcommands that read results share: opening a store, choosing columns, and printing
 * points. Results go through struct table, so every format comes for free; text is for people, and
 * programs get values in base units. */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "base/counts.h"
#include "explore/store/store.h"
#include "report/drawing/table.h"

enum { POINT_TEXT = 8192 };

/* What to do with an open store; `argument` belongs to the caller. */
typedef enum status (*store_use)(void *argument, struct store *store, const struct study *study,
                                 struct diagnostics *diagnostics);
/* Opens the store for reading, calls `use` and closes the store. Returns the first error. */
enum status results_use(const char *path, store_use use, void *argument,
                        struct diagnostics *diagnostics);
/* A whole subcommand that only reads one store. Returns its exit status. */
int results_command(const char *path, store_use use, void *argument);

/* Says above a table for people how many of the points were run, where some were not. `best`: it
 * shows the best ones. */
enum status results_coverage(struct store *store, bool best, enum table_format format,
                             struct diagnostics *diagnostics);

/* Prints the axes of a point: " l1d.size=16KiB tlb.entries=64 on GEMM" and a newline. */
void results_print_point(FILE *out, const struct space *space, uint64_t point);

/* The same text without the leading blank and the newline, cut to `size` bytes. Returns `text`. */
const char *results_point_text(const struct space *space, uint64_t point, char *text, size_t size);

/* What the best of a progress report is over: " (geometric mean of 3 workloads)", or "" if the
 * study has one. Returns `text`. */
enum { WORKLOADS_TEXT = 64 };
const char *results_best_of(const struct study *study, char text[WORKLOADS_TEXT]);
/* "l1d.size=16KiB tlb.entries=64 on GEMM", or the machine and results_best_of. Returns `text`. */
const char *results_best_text(const struct space *space, uint64_t best, char *text, size_t size);

enum result_kind {
    RESULT_ID,
    RESULT_WORKLOAD,
    RESULT_PARAMETER,
    RESULT_WORKLOADS, /* number of workloads that the row covers */
    RESULT_MEMBERS,
    RESULT_METRIC
};

struct result_column {
    enum result_kind kind;
    const struct parameter *parameter;
    size_t metric; /* index of the column in the store */
};

struct result_columns {
    struct result_column *items;
    size_t count, capacity;
};

/* Parses a comma-separated list of columns: id, workload, workloads (how many), parameters, points
 * (the size of a group), stored metrics. NULL selects id, workload (if the study has several;
 * `across` them their number), the axes of the study and all metrics. With `grouping`, which may be
 * NULL, only the axes that it groups by. */
enum status result_columns_choose(struct store *store, const char *list,
                                  const struct grouping *grouping, bool across,
                                  struct result_columns *columns, struct diagnostics *diagnostics);
/* All columns: id, workload, every parameter that matters to the machine of `point`, all metrics.
 */
enum status result_columns_all(struct store *store, uint64_t point, bool across,
                               struct result_columns *columns);

/* Adds a cell with the value of a parameter: as the user writes it for people, in base units for
 * programs. */
void results_add_value(struct table *table, const struct parameter *parameter, struct value value);

/* An empty table with these columns. NULL: no memory. */
struct table *results_table(struct store *store, const struct result_columns *columns);
/* Adds a row of the store. */
void results_add(struct store *store, const struct result_columns *columns,
                 const struct store_row *row, struct table *table);
