/* Inside of explore/store/store.h: the open file, and the study kept in it. */
#pragma once

#include <sqlite3.h>

#include "explore/store/store.h"

struct store {
    sqlite3 *database;
    char *path;
    struct space space;
    struct study study; /* read from the file; only where the store was opened for reading */
    struct store_options options;
    const struct metric **columns;
    size_t column_count;
    sqlite3_stmt *insert;    /* only where it was opened for writing */
    sqlite3_stmt *lookup;    /* of store_get; made when it is first used */
    bool writing;            /* a transaction is open */
    int lock;                /* descriptor of the lock file, -1 = none */
    double *values;          /* of one row */
    struct summary *summary; /* NULL: every point has its row */
};

enum { STORE_APPLICATION = 0x57535043 /* "WSPC" */, STORE_SCHEMA = 1 };

/* Makes the tables of a summary, or reads them, where the file is one; `created`: decided by the
 * options of the store. */
enum status store_open_summary(struct store *store, bool created, struct diagnostics *diagnostics);
/* Writes what changed; inside of a transaction. */
enum status store_write_summary(struct store *store, struct diagnostics *diagnostics);
void store_close_summary(struct store *store);
/* Of a summary. */
void store_summary_done(const struct store *store, uint8_t *bitmap, uint64_t *count);
bool store_summary_has(const struct store *store, uint64_t point);
/* Adds the points and marginals of a part that shares no point with it. */
enum status store_summary_add(struct store *store, const struct store *part,
                              struct diagnostics *diagnostics);
/* As if it had just been made; inside of a transaction. */
enum status store_summary_clear(struct store *store, struct diagnostics *diagnostics);
/* STATUS_CONFLICT where two summaries of the same points count differently; others are not
 * compared. */
enum status store_summary_compare(const struct store *a, const struct store *b, double tolerance,
                                  struct diagnostics *diagnostics);
/* Takes back what was written since the last commit. What is in memory of a summary is then of no
 * use: the store can only be closed. */
void store_abandon(struct store *store);
/* store_put of a row, with the transaction. */
enum status store_begin(struct store *store, struct diagnostics *diagnostics);

/* Adds SQLite's own words about the last failure; returns the status that it means. */
enum status store_failed(struct store *store, const char *doing, struct diagnostics *diagnostics);

/* Adds to a STATUS_CONFLICT what can be done about it; returns `status`. */
enum status store_advise(enum status status, const struct store *store,
                         struct diagnostics *diagnostics);

/* Runs SQL without results. */
enum status store_execute(struct store *store, const char *sql, const char *doing,
                          struct diagnostics *diagnostics);

/* Writes study, space and provenance into an empty file, inside one transaction. */
enum status store_write_study(struct store *store, const struct study *study,
                              const char *const *digests, struct diagnostics *diagnostics);
/* Keeps or checks the share of the points that the file holds, and makes the table of events where
 * an older program made the file. */
enum status store_write_share(struct store *store, bool created,
                              const struct store_options *options, struct diagnostics *diagnostics);
/* Reads them back. Whatever a damaged or hostile file holds is an error, never a wrong study. */
enum status store_read_study(struct store *store, struct study *study,
                             struct diagnostics *diagnostics);

/* Reports every difference between the study in the file and `study` that forbids a resume. */
enum status store_compare(struct store *store, const struct study *kept, const struct study *study,
                          const char *const *digests, struct diagnostics *diagnostics);
/* Filters and directions say how to read results, not which: a resume brings its own. */
enum status store_update_study(struct store *store, const struct study *study,
                               struct diagnostics *diagnostics);
