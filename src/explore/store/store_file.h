/* Internal to explore/store/store.h: the open file, and the functions that its sources share.
 * store.c opens, writes and commits; store_study.c keeps the study in the file; store_read.c reads
 * it back; store_check.c finds damage; store_summary.c keeps summaries; store_query.c reads rows;
 * store_others.c deals with other processes that touch the same file. */
#pragma once

#include <sqlite3.h>
#include <sys/stat.h>

#include "explore/store/store.h"

struct store {
    sqlite3 *database;
    char *path;
    struct space space;
    struct study study; /* read from the file; only if the store was opened for reading */
    struct store_options options;
    const struct metric **columns;
    size_t column_count;
    sqlite3_stmt *insert; /* only if the store was opened for writing */
    sqlite3_stmt *lookup; /* for store_get, which prepares it on its first call */
    bool writing;         /* a transaction is open */
    int lock;             /* descriptor of the lock file; -1 for none */
    double *values;       /* room for one row */
    bool wide;            /* hashes of rows have 8 bytes, those of the second layout */
    bool hashed;          /* rows and study have hashes: all but those of the first layout */
    uint64_t rows;        /* of the result; only if hashed */
    double waiting_since; /* start of the wait for another process's lock */
    struct stat seen;     /* the file after our last write */
    bool has_seen;
    int64_t version;         /* SQLite's count of others' writes; 0 if not known yet */
    bool overwritten;        /* somebody replaced the file without SQLite */
    struct summary *summary; /* NULL if every point has its row */
};

/* Versions of the layout, of which no changed bit makes another. */
enum {
    STORE_APPLICATION = 0x57535043 /* "WSPC" */,
    STORE_SCHEMA = 4,
    STORE_WIDE = 2,
    STORE_UNHASHED = 1
};

/* Hashes (store_check.c). The hash of the row of store->values, its last column. */
int64_t store_row_hash(const struct store *store, uint64_t point);
/* Writes the hash of the study, and the number of rows. Call them inside the transaction that
 * changed one or the other. */
enum status store_seal_study(struct store *store, struct diagnostics *diagnostics);
enum status store_seal_rows(struct store *store, struct diagnostics *diagnostics);
/* Gives hashes to the rows that have none, which a merge has copied. */
enum status store_hash_rows(struct store *store, struct diagnostics *diagnostics);
/* Whether the file says that it is a summary. */
enum status store_holds_summary(struct store *store, bool *summary,
                                struct diagnostics *diagnostics);
/* STATUS_CORRUPT, with the rows, if anything is not as it was written. Counts the rows. */
enum status store_check(struct store *store, struct diagnostics *diagnostics);

/* Makes or reads the tables of a summary, if the file is one. For a file that was just created, the
 * options of the store decide. */
enum status store_open_summary(struct store *store, bool created, struct diagnostics *diagnostics);
/* Writes what has changed. Call it inside a transaction. */
enum status store_write_summary(struct store *store, struct diagnostics *diagnostics);
void store_close_summary(struct store *store);
/* Both for summaries only. */
void store_summary_done(const struct store *store, uint8_t *bitmap, uint64_t *count);
bool store_summary_has(const struct store *store, uint64_t point);
/* Adds the points and marginals of `part`, a summary that shares no point with the store. */
enum status store_summary_add(struct store *store, const struct store *part,
                              struct diagnostics *diagnostics);
/* Empties the summary, as if it had just been made. Call it inside a transaction. */
enum status store_summary_clear(struct store *store, struct diagnostics *diagnostics);
/* Returns STATUS_CONFLICT if two summaries of the same points have different counts or sums.
 * Summaries of different points are not compared. */
enum status store_summary_compare(const struct store *a, const struct store *b, double tolerance,
                                  struct diagnostics *diagnostics);
/* Rolls back what was written since the last commit. What a summary holds in memory is invalid
 * afterwards, so the store can only be closed. */
void store_abandon(struct store *store);
/* Begins a transaction, unless one is open. */
enum status store_begin(struct store *store, struct diagnostics *diagnostics);

/* Adds SQLite's message for the last failure and returns the status that it means. */
enum status store_failed(struct store *store, const char *doing, struct diagnostics *diagnostics);

/* Adds advice to a STATUS_CONFLICT: what the user can do about it. Returns `status`. */
enum status store_advise(enum status status, const struct store *store,
                         struct diagnostics *diagnostics);

/* From now on, waits for the locks of other processes. */
void store_wait_for_others(struct store *store);
/* After a write: remembers the state in which the file must be found next time. */
void store_remember_file(struct store *store);
/* Before a write: returns STATUS_CONFLICT if others have changed or replaced the file. */
enum status store_check_others(struct store *store, struct diagnostics *diagnostics);
/* Closes the database of a file that others have replaced, without changing their file. */
void store_leave_to_others(struct store *store);

/* Runs SQL that returns no rows. */
enum status store_execute(struct store *store, const char *sql, const char *doing,
                          struct diagnostics *diagnostics);

/* Writes study, space and provenance into an empty file, in one transaction. */
enum status store_write_study(struct store *store, const struct study *study,
                              const char *const *digests, struct diagnostics *diagnostics);
/* Writes a value of the table `study`. */
enum status store_write_value(struct store *store, const char *key, const char *value,
                              struct diagnostics *diagnostics);
/* Writes or checks which share of the points the file holds. Also makes the table of events if an
 * older version of this program made the file. */
enum status store_write_share(struct store *store, bool created,
                              const struct store_options *options, struct diagnostics *diagnostics);
/* Reads the study back. Whatever a damaged or hostile file holds is an error, never a wrong study.
 */
enum status store_read_study(struct store *store, struct study *study,
                             struct diagnostics *diagnostics);

/* Reports every difference between the study in the file and `study` that forbids a resume. */
enum status store_compare(struct store *store, const struct study *kept, const struct study *study,
                          const char *const *digests, struct diagnostics *diagnostics);
/* Takes over the filters and directions of `study`. They decide how results are read, not which
 * there are, so a resumed run may bring its own. */
enum status store_update_study(struct store *store, const struct study *study,
                               struct diagnostics *diagnostics);
