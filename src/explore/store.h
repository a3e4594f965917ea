/* The result store: one SQLite file a study (docs/FORMATS.md, "store"). One writer; readers open it
 * read-only while it grows. Rowid = point index; parameters are decoded from it, not stored. */
#pragma once

#include "explore/space.h"
#include "schema/study.h"

struct store;

/* Opens for writing: creates the file, or resumes it. STATUS_CONFLICT, saying what differs, where
 * space, workload digests, columns or evaluator version are not the same. */
enum status store_create(const char *path, const struct space *space,
                         const char *const *workload_digests, struct store **store,
                         struct diagnostics *diagnostics);
/* Opens read-only; the study that made the file is in *study (freed with the store). */
enum status store_open(const char *path, struct store **store, const struct study **study,
                       struct diagnostics *diagnostics);
void store_close(struct store *store); /* commits; NULL is allowed */

/* Metrics in the order of the columns: objectives first, then study->columns, no metric twice. */
size_t store_columns(const struct store *store, const struct metric *const **columns);

enum status store_put(struct store *store, uint64_t point, const struct metrics *metrics);
enum status store_commit(struct store *store);
/* One bit a point: already there. */
enum status store_done(struct store *store, uint8_t *bitmap);

/* A row of a query: values[i] belongs to column i. */
struct store_row {
    uint64_t point;
    const double *values;
};

struct query {
    const char *where;  /* extra SQL condition over parameter, metric and `workload`, or NULL */
    const char *sort;   /* metric or parameter path, '-' in front: descending; NULL: point order */
    bool front;         /* only the Pareto front of the study's objectives, per workload */
    uint64_t limit;     /* 0: all */
};

typedef enum status (*row_function)(void *argument, const struct store_row *row);
enum status store_query(struct store *store, const struct query *query, row_function row,
                        void *argument, struct diagnostics *diagnostics);
