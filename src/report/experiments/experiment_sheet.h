/* A table or figure of an experiment: its rows (subjects, variants, readings, groups) and columns,
 * what they need, and the numbers once there are some (docs/FORMATS.md, "Experiments"). */
#pragma once

#include <stdio.h>

#include "explore/papers/experiment_claims.h"
#include "report/drawing/page.h"

struct sheet_column {
    const char *head;
    struct experiment_text *cell;
};

struct sheet_row {
    size_t index; /* of a variant, or of a role */
    bool role;
};

struct experiment_sheet {
    struct experiment_terms *terms;
    const struct experiment_table *table; /* one of these */
    const struct experiment_figure *figure;
    struct sheet_column *columns;
    size_t column_count;
    struct expression *where;
    struct sheet_row *rows;
    size_t row_count, row_capacity;
    bool by_reading, by_subject;
    bool free_rows; /* no rows were named: all that a row has follows '@' */
};

/* Reads the texts of the table or figure, which must be set, as must the terms. Reports all that is
 * wrong. */
enum status experiment_sheet_read(struct experiment_sheet *sheet, struct diagnostics *diagnostics);
void experiment_sheet_free(struct experiment_sheet *sheet);

/* Asks the terms for what the sheet needs. */
void experiment_sheet_ask(const struct experiment_sheet *sheet);

/* Once the values are known: the table, which the caller finishes; or a bar for each subject and
 * column of the figure, on a page a chart per column. */
enum status experiment_sheet_table(const struct experiment_sheet *sheet, struct table **table,
                                   struct diagnostics *diagnostics);
enum status experiment_sheet_bars(const struct experiment_sheet *sheet, enum glyphs glyphs,
                                  FILE *out, struct diagnostics *diagnostics);
enum status experiment_sheet_charts(const struct experiment_sheet *sheet, struct page *page,
                                    struct diagnostics *diagnostics);
