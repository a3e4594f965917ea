/* The result store: one SQLite file a study (docs/FORMATS.md, "The store"). One writer; readers
 * open it read-only while it grows. Rowid = point index; parameters are decoded from it, not
 * stored. A store handle belongs to one thread at a time. */
#pragma once

#include "explore/space.h"
#include "schema/study.h"

/* Raised whenever the same machine on the same stream gives other numbers than before. */
enum { EVALUATOR_VERSION = 1 };

struct store;

/* Opens for writing: creates the file, or resumes it. STATUS_CONFLICT, saying what differs, where
 * space, workload digests, columns or evaluator version are not the same, and where another process
 * is writing. workload_digests[i] belongs to study->workloads[i]. The space's study must outlive
 * the store. */
enum status store_create(const char *path, const struct space *space,
                         const char *const *workload_digests, struct store **store,
                         struct diagnostics *diagnostics);
/* Opens read-only; the study that made the file is in *study (freed with the store). */
enum status store_open(const char *path, struct store **store, const struct study **study,
                       struct diagnostics *diagnostics);
void store_close(struct store *store); /* commits; NULL is allowed */

/* Whether a run of `space` would resume this store: STATUS_CONFLICT, saying what differs, if not.
 */
enum status store_matches(struct store *store, const struct space *space,
                          const char *const *workload_digests, struct diagnostics *diagnostics);

const struct space *store_space(const struct store *store);

/* Provenance by key: "tool_version", "evaluator_version", "space_hash", "created", "study_yaml",
 * "machine_yaml" (see docs/FORMATS.md); malloc'ed, NULL where there is none. */
char *store_provenance(struct store *store, const char *key);
/* The digest of workload `index` when the store was made; malloc'ed. */
char *store_digest(struct store *store, size_t index);

/* Metrics in the order of the columns: objectives first, then study->columns, no metric twice. */
size_t store_columns(const struct store *store, const struct metric *const **columns);
/* The same for a study that has no store yet; *columns is malloc'ed. */
enum status study_result_columns(const struct study *study, const struct metric ***columns,
                                 size_t *count);

/* Keeps a point. One that is already there must be equal: STATUS_CONFLICT if not. */
enum status store_put(struct store *store, uint64_t point, const struct metrics *metrics,
                      struct diagnostics *diagnostics);
enum status store_commit(struct store *store, struct diagnostics *diagnostics);
/* One bit a point: already there. *count (may be NULL) is how many. */
enum status store_done(struct store *store, uint8_t *bitmap, uint64_t *count,
                       struct diagnostics *diagnostics);

/* A row of a query: values[i] belongs to column i. */
struct store_row {
    uint64_t point;
    const double *values;
};

struct query {
    const char *where; /* extra SQL condition over parameter, metric, `workload`, `id`; or NULL */
    const char *sort;  /* metric or parameter path, '-' in front: descending; NULL: point order */
    bool front;        /* only the Pareto front of the study's objectives, per workload, among the
                        * points that pass `where` and the study's filters */
    bool eligible;     /* only points that pass the study's filters (front implies it) */
    uint64_t limit;    /* 0: all */
};

/* Rows without a value for the sorted metric come last. The row function may stop the query with
 * any status but STATUS_OK, which store_query then returns. */
typedef enum status (*row_function)(void *argument, const struct store_row *row);
enum status store_query(struct store *store, const struct query *query, row_function row,
                        void *argument, struct diagnostics *diagnostics);
