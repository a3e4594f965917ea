/* A table whose rows are all points of a design space with their objectives: the truth that a
 * search is measured by (explore/search/row_search.h). It is read from CSV with a header.
 *
 * Invariant: columns that are neither objectives nor ignored are axes; one with a single value is
 * left out, a number with more than TRUTH_LEVELS values is cut into so many steps of equal counts.
 * Rows without a number in an objective are left out. Objectives are standardised over the table
 * and turned so that less is better; the reference of the hypervolume is TRUTH_REFERENCE times the
 * largest magnitude of each. Cost: all cells stay in memory while it is read. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"

enum { TRUTH_LEVELS = 8, TRUTH_OBJECTIVES = 4, TRUTH_COLUMNS = 256 };
#define TRUTH_REFERENCE 1.1

struct truth_table {
    size_t row_count, axis_count, objective_count;
    size_t *counts;               /* digits of each axis */
    uint32_t *digits;             /* [row * axis_count + axis] */
    double *costs;                /* [row * objective_count + objective] */
    bool exact[TRUTH_OBJECTIVES]; /* known of every row without choosing it */
    double reference[TRUTH_OBJECTIVES];
    double volume;  /* of all rows */
    uint8_t *front; /* by row: it is in the front, the first of equal ones */
    size_t front_count;
};

/* Objectives are "max:core.ipc,min:total.area", ignored columns "id,seconds" (NULL: none), `exact`
 * those objectives that are known of every row (NULL: none). Reports every error with the file and
 * the nearest name. The caller frees the table in any case. */
struct truth_columns {
    const char *objectives, *ignored, *exact;
};
enum status truth_table_read(const char *path, const struct truth_columns *columns,
                             struct truth_table *table, struct diagnostics *diagnostics);
void truth_table_free(struct truth_table *table);

/* What some rows are worth: their share of the volume of all, and of the points of the front. */
struct truth_share {
    double volume, front;
};
enum status truth_table_share(const struct truth_table *table, const size_t *rows, size_t count,
                              struct truth_share *share);
