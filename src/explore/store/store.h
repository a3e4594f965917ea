/* The result store: one SQLite file per study (docs/FORMATS.md, "The store").
 *
 * Invariants: a row's id is its point index, and parameters are decoded from it rather than stored.
 * A point has one set of values for ever, because evaluation is deterministic. There is one writer;
 * readers open the file read-only while it grows. A store handle belongs to one thread at a time.
 */
#pragma once

#include "explore/space/space.h"
#include "schema/study.h"

/* Raise this whenever the same machine gives other numbers on the same stream than before. */
enum { EVALUATOR_VERSION = 1 };

struct store;

/* Opens a store for writing: creates the file, or resumes it. Returns STATUS_CONFLICT, and says
 * what differs, if the space, the workload digests, the columns or the evaluator version are not
 * the same; also if another process is writing. workload_digests[i] belongs to study->workloads[i].
 * The space's study must outlive the store. */
enum status store_create(const char *path, const struct space *space,
                         const char *const *workload_digests, struct store **store,
                         struct diagnostics *diagnostics);
/* Opens a store read-only. *study is the study that made the file; store_close frees it. */
enum status store_open(const char *path, struct store **store, const struct study **study,
                       struct diagnostics *diagnostics);
/* How to write a store, if the defaults of store_create are not enough. */
struct store_options {
    bool durable; /* rollback journal and full synchronisation: for files on a network, and so that
                   * a power cut takes nothing that was committed */
    unsigned shard, shards; /* the share of the points that the file holds, or shards = 0 for all.
                             * Kept in the file; STATUS_CONFLICT if it holds another share */
    bool summary; /* makes a new file a summary (see below); an existing file stays what it is */
    /* Called several times a second while another process holds the lock of the file; `seconds` is
     * the wait so far. Returning false gives up (STATUS_IO). If NULL, gives up after five
     * seconds. */
    bool (*wait)(void *argument, double seconds);
    void *wait_argument;
};
enum status store_create_with(const char *path, const struct space *space,
                              const char *const *workload_digests,
                              const struct store_options *options, struct store **store,
                              struct diagnostics *diagnostics);

void store_close(struct store *store); /* commits; NULL is allowed */

/* Whether a run of `space` could resume this store. If not, returns STATUS_CONFLICT and says what
 * differs. */
enum status store_matches(struct store *store, const struct space *space,
                          const char *const *workload_digests, struct diagnostics *diagnostics);

const struct space *store_space(const struct store *store);

/* Provenance by key: "tool_version", "evaluator_version", "space_hash", "created", "study_yaml",
 * "machine_yaml" (docs/FORMATS.md). The caller frees it. NULL if the store has none, or if reading
 * fails. */
enum status store_provenance(struct store *store, const char *key, char **value,
                             struct diagnostics *diagnostics);
/* The digest that workload `index` had when the store was made. The caller frees it. */
enum status store_digest(struct store *store, size_t index, char **digest,
                         struct diagnostics *diagnostics);

/* Adds an event to the store's history, which is in order of time. `kind` is "start", "stop",
 * "end", "merge", ... A store of an older version of this program may have no events. */
enum status store_event(struct store *store, const char *kind, const char *text,
                        struct diagnostics *diagnostics);
typedef enum status (*event_function)(void *argument, double unix_time, const char *kind,
                                      const char *text);
enum status store_events(struct store *store, event_function event, void *argument,
                         struct diagnostics *diagnostics);

/* The metrics of the columns, in order: objectives first, then study->columns, no metric twice. */
size_t store_columns(const struct store *store, const struct metric *const **columns);
/* The same for a study that has no store yet. The caller frees *columns. */
enum status study_result_columns(const struct study *study, const struct metric ***columns,
                                 size_t *count);

/* Stores a point. If it is there already its values must be equal, else STATUS_CONFLICT. */
enum status store_put(struct store *store, uint64_t point, const struct metrics *metrics,
                      struct diagnostics *diagnostics);
enum status store_commit(struct store *store, struct diagnostics *diagnostics);
/* A summary is a store for more points than anybody wants rows of. It holds which points are done,
 * the rows worth keeping, and marginals: what each metric is over all points that have one value of
 * an axis. Its sums are added in the order in which points arrive, so their last digits depend on
 * that order. */
struct marginal {
    uint64_t count;                /* points that have the metric */
    double sum, squares, min, max; /* squares is the sum of the squares */
};
bool store_is_summary(const struct store *store);
/* Whether the store holds what a run will write. Returns STATUS_CONFLICT if one is a summary and
 * the other has a row for every point. */
enum status store_check_content(const struct store *store, bool summary,
                                struct diagnostics *diagnostics);
/* Adds a point to a summary, and stores its row if `keep` is true. A point that is already done
 * changes nothing. */
enum status store_put_summary(struct store *store, uint64_t point, const struct metrics *metrics,
                              bool keep, struct diagnostics *diagnostics);
/* Deletes the rows of a summary whose bit in `kept`, a bitmap of points, is not set. */
enum status store_prune(struct store *store, const uint8_t *kept, struct diagnostics *diagnostics);
/* For summaries only. */
const struct marginal *store_marginal(const struct store *store, size_t workload, size_t axis,
                                      size_t value, size_t column);

/* Sets the bit of every point that is in the store. *count (may be NULL) is how many there are. */
enum status store_done(struct store *store, uint8_t *bitmap, uint64_t *count,
                       struct diagnostics *diagnostics);

/* The number of points in the store; for a summary this includes points without a row. */
enum status store_count(struct store *store, uint64_t *count, struct diagnostics *diagnostics);
/* The same, and how many legal points its space has, which are counted only where points are
 * missing; UINT64_MAX: nobody knows. */
enum status store_count_legal(struct store *store, uint64_t *count, uint64_t *legal,
                              struct diagnostics *diagnostics);
/* Whether the last run that wrote to the store came to its end: false if it was stopped, killed, or
 * goes on, and of a store without events. */
enum status store_ended(struct store *store, bool *ended, struct diagnostics *diagnostics);

/* A row of a query: values[i] belongs to column i. If the query groups points, `point` is the
 * lowest of the group, the group's points share what they are grouped by, and the values are
 * aggregates. */
struct store_row {
    uint64_t point;
    const double *values;
    uint64_t members;   /* points in the group; 1 if nothing is grouped */
    uint64_t workloads; /* that the values are taken over; 1 if each has its own rows */
};

/* A geometric mean of values of which one is 0 or less is missing (NaN). */
enum aggregate { AGGREGATE_NONE, AGGREGATE_MEAN, AGGREGATE_GEOMEAN, AGGREGATE_MIN, AGGREGATE_MAX };
extern const char *const aggregate_names[]; /* from AGGREGATE_MEAN on, ended by NULL */
/* Makes one row of all points that agree in the workload and in these axes. */
struct grouping {
    const size_t *axes; /* indices of axes of the study */
    size_t axis_count;
    enum aggregate aggregate; /* for each metric on its own; missing values do not count */
};

struct query {
    enum aggregate across; /* other than AGGREGATE_NONE: makes one row per machine, each metric
                            * aggregated over the workloads that have rows. A machine without a row
                            * for each of these is left out, and a metric missing at one of them is
                            * missing. Everything below applies to these rows; `point` is that of
                            * the first workload. STATUS_UNSUPPORTED for a summary. */
    const char *where;     /* SQL condition over parameters, metrics, `workload` (not with
                            * `across`) and `id`; or NULL */
    const char *sort;      /* path of a metric or parameter, '-' before it for descending; NULL for
                            * point order */
    bool best_first; /* breaks ties of `sort` by the study's objectives, so that no row dominates
                      * the first one */
    bool front;      /* only the Pareto front of the objectives, per workload, among the points
                      * that pass `where` and the study's filters */
    bool eligible;   /* only points that pass the study's filters (implied by `front`) */
    uint64_t limit;  /* 0 for all */
    const struct objective *objectives; /* of the front, all of them stored; NULL: the study's */
    size_t objective_count;
    const struct grouping *grouping; /* NULL for none; excludes `front` */
};

/* Looks up a point. values[] needs room for one value per column. */
enum status store_get(struct store *store, uint64_t point, double *values, bool *found,
                      struct diagnostics *diagnostics);

/* Calls `row` for each row of the query. Rows that have no value of the sorted metric come last.
 * `row` may stop the query with any status but STATUS_OK, which store_query then returns. */
typedef enum status (*row_function)(void *argument, const struct store_row *row);
enum status store_query(struct store *store, const struct query *query, row_function row,
                        void *argument, struct diagnostics *diagnostics);

/* Which workloads the row covers: a workload's name, "all 4", or "3 of 4" while the fourth has no
 * rows. The result points into the study or into `text`. */
const char *store_row_workload(const struct space *space, const struct store_row *row, char *text,
                               size_t size);
