/* The result store: one SQLite file a study (docs/FORMATS.md, "The store"). One writer; readers
 * open it read-only while it grows. Rowid = point index; parameters are decoded from it, not
 * stored. A store handle belongs to one thread at a time. */
#pragma once

#include "explore/space/space.h"
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
/* How a store is written where the defaults of store_create do not do. */
struct store_options {
    bool durable; /* a rollback journal and full synchronisation: for files on a network, and so
                   * that a power cut takes nothing that was committed */
    unsigned shard, shards; /* the share of the points that it holds; shards = 0: all of them. Kept
                             * in the file: STATUS_CONFLICT where it holds another share */
    bool summary; /* a new file becomes a summary, see below; one that is there stays what it is */
};
enum status store_create_with(const char *path, const struct space *space,
                              const char *const *workload_digests,
                              const struct store_options *options, struct store **store,
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

/* What happened to the store, in order of time: kind "start", "stop", "end", "merge", ... A store
 * of an older version of this program has none. */
enum status store_event(struct store *store, const char *kind, const char *text,
                        struct diagnostics *diagnostics);
typedef enum status (*event_function)(void *argument, double unix_time, const char *kind,
                                      const char *text);
enum status store_events(struct store *store, event_function event, void *argument,
                         struct diagnostics *diagnostics);

/* Metrics in the order of the columns: objectives first, then study->columns, no metric twice. */
size_t store_columns(const struct store *store, const struct metric *const **columns);
/* The same for a study that has no store yet; *columns is malloc'ed. */
enum status study_result_columns(const struct study *study, const struct metric ***columns,
                                 size_t *count);

/* Keeps a point. One that is already there must be equal: STATUS_CONFLICT if not. */
enum status store_put(struct store *store, uint64_t point, const struct metrics *metrics,
                      struct diagnostics *diagnostics);
enum status store_commit(struct store *store, struct diagnostics *diagnostics);
/* A summary holds, for more points than one wants rows of, which points are done, the rows of those
 * that are worth keeping, and marginals: what each metric is over all points with one value of an
 * axis. Its sums are added up in the order in which points come, so their last digits depend on it.
 */
struct marginal {
    uint64_t count;                /* points that have the metric */
    double sum, squares, min, max; /* squares: sum of the squares */
};
bool store_is_summary(const struct store *store);
/* Whether the store holds what a run is to write: STATUS_CONFLICT where one is a summary and the
 * other has a row for every point. */
enum status store_check_content(const struct store *store, bool summary,
                                struct diagnostics *diagnostics);
/* Adds a point to a summary; its row is stored where `keep`. A point that is done changes nothing.
 */
enum status store_put_summary(struct store *store, uint64_t point, const struct metrics *metrics,
                              bool keep, struct diagnostics *diagnostics);
/* Removes the rows of a summary whose bit in `kept` is not set. */
enum status store_prune(struct store *store, const uint8_t *kept, struct diagnostics *diagnostics);
/* Only of a summary. */
const struct marginal *store_marginal(const struct store *store, size_t workload, size_t axis,
                                      size_t value, size_t column);

/* One bit a point: already there. *count (may be NULL) is how many. */
enum status store_done(struct store *store, uint8_t *bitmap, uint64_t *count,
                       struct diagnostics *diagnostics);

/* How many points are there; of a summary also those without a row. */
enum status store_count(struct store *store, uint64_t *count, struct diagnostics *diagnostics);

/* A row of a query: values[i] belongs to column i. Where the query groups points, `point` is the
 * lowest of the group, which has all that they share, and the values are aggregates. */
struct store_row {
    uint64_t point;
    const double *values;
    uint64_t members;   /* points in the group; 1 where nothing is grouped */
    uint64_t workloads; /* that the values are over; 1 where each has its own rows */
};

/* The geometric mean of values of which one is 0 or less is missing. */
enum aggregate { AGGREGATE_NONE, AGGREGATE_MEAN, AGGREGATE_GEOMEAN, AGGREGATE_MIN, AGGREGATE_MAX };
extern const char *const aggregate_names[]; /* from AGGREGATE_MEAN on, ended by NULL */
/* One row for all points that agree in the workload and in some axes. */
struct grouping {
    const size_t *axes; /* numbers of axes of the study */
    size_t axis_count;
    enum aggregate aggregate; /* of each metric on its own; missing values do not count */
};

struct query {
    enum aggregate across; /* not AGGREGATE_NONE: the machines in the place of the points, each
                            * metric over the workloads that have rows. A machine without a row of
                            * each of these is left out, and a metric that misses at one of them is
                            * missing. All below looks at these rows; `point` is that of the first
                            * workload. STATUS_UNSUPPORTED of a summary. */
    const char *where;     /* extra SQL condition over parameter, metric, `workload` (not
                            * with `across`), `id`; or NULL */
    const char *sort; /* metric or parameter path, '-' in front: descending; NULL: point order */
    bool best_first;  /* among equal `sort`s by the study's objectives, so that no row beats the
                       * first one */
    bool front;       /* only the Pareto front of the objectives, per workload, among the
                       * points that pass `where` and the study's filters */
    bool eligible;    /* only points that pass the study's filters (front implies it) */
    uint64_t limit;   /* 0: all */
    const struct objective *objectives; /* of the front, all stored; NULL: the study's */
    size_t objective_count;
    const struct grouping *grouping; /* NULL: none; not together with `front` */
};

/* Whether a point is there, and its values (as many as there are columns). */
enum status store_get(struct store *store, uint64_t point, double *values, bool *found,
                      struct diagnostics *diagnostics);

/* Rows without a value for the sorted metric come last. The row function may stop the query with
 * any status but STATUS_OK, which store_query then returns. */
typedef enum status (*row_function)(void *argument, const struct store_row *row);
enum status store_query(struct store *store, const struct query *query, row_function row,
                        void *argument, struct diagnostics *diagnostics);
