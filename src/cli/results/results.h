/* What the subcommands that read results share: opening the store, columns of points. */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "base/counts.h"
#include "explore/store/store.h"
#include "report/table.h"

enum { POINT_TEXT = 8192 };

/* What is done with an open store; `argument` is the caller's. */
typedef enum status (*store_use)(void *argument, struct store *store, const struct study *study,
                                 struct diagnostics *diagnostics);
/* Opens the store for reading, uses it and closes it. */
enum status results_use(const char *path, store_use use, void *argument,
                        struct diagnostics *diagnostics);
/* A subcommand that does nothing else; returns its exit status. */
int results_command(const char *path, store_use use, void *argument);

/* " l1d.size=16KiB tlb.entries=64 on GEMM" and a newline: the axes of a point. */
void results_print_point(FILE *out, const struct space *space, uint64_t point);

/* The same without the blank and the newline, cut where `size` ends. Returns `text`. */
const char *results_point_text(const struct space *space, uint64_t point, char *text, size_t size);

enum result_kind { RESULT_ID, RESULT_WORKLOAD, RESULT_PARAMETER, RESULT_MEMBERS, RESULT_METRIC };

struct result_column {
    enum result_kind kind;
    const struct parameter *parameter;
    size_t metric; /* column of the store */
};

struct result_columns {
    struct result_column *items;
    size_t count, capacity;
};

/* `list` is comma-separated: id, workload, parameters, points (of a group), stored metrics. NULL:
 * id, workload where the study has several, its axes, all metrics. With `grouping` (or NULL) there
 * are only the axes that it groups by. */
enum status result_columns_choose(struct store *store, const char *list,
                                  const struct grouping *grouping, struct result_columns *columns,
                                  struct diagnostics *diagnostics);
/* id, workload, every parameter that matters to the machine of `point`, all metrics. */
enum status result_columns_all(struct store *store, uint64_t point, struct result_columns *columns);

/* The direction in which a metric is best in this study: that of its objective, else its own. An
 * unknown metric, or one that is neither better low nor high, is an error of --`option`. */
enum status results_direction(const struct study *study, const char *option, const char *path,
                              enum direction *direction, struct diagnostics *diagnostics);

/* What the row is about: a workload's name, "all 4", or "3 of 4" while the fourth has no row; in
 * the study or in `text`. */
const char *results_workload(const struct space *space, const struct store_row *row, char *text,
                             size_t size);

/* An empty table with these columns; NULL: no memory. */
struct table *results_table(struct store *store, const struct result_columns *columns);
void results_add(struct store *store, const struct result_columns *columns,
                 const struct store_row *row, struct table *table);
