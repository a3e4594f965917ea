/* The file of a store: creating, opening, locking it, and writing rows (explore/store/store.h). */
#include "explore/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text_stream.h"
#include "explore/store/store_file.h"

enum { BUSY_MILLISECONDS = 5000, READER_MILLISECONDS = 3000 };

enum status store_failed(struct store *store, const char *doing, struct diagnostics *diagnostics)
{
    int code = sqlite3_errcode(store->database) & 0xff;
    if (code == SQLITE_NOMEM)
        return STATUS_MEMORY;
    if (code == SQLITE_NOTADB)
        return diagnostics_error(diagnostics, STATUS_CORRUPT, "%s: not a Warpscape store",
                                 store->path);
    enum status status = code == SQLITE_CORRUPT     ? STATUS_CORRUPT
                         : code == SQLITE_ERROR     ? STATUS_CORRUPT
                         : code == SQLITE_MISMATCH  ? STATUS_CORRUPT
                         : code == SQLITE_INTERRUPT ? STATUS_CANCELLED
                                                    : STATUS_IO;
    return diagnostics_error(diagnostics, status, "%s: %s: %s", store->path, doing,
                             sqlite3_errmsg(store->database));
}

/* Outside a transaction the statement has reached the file, so its new state is remembered. */
enum status store_execute(struct store *store, const char *sql, const char *doing,
                          struct diagnostics *diagnostics)
{
    if (sqlite3_exec(store->database, sql, NULL, NULL, NULL))
        return store_failed(store, doing, diagnostics);
    if (sqlite3_get_autocommit(store->database))
        store_remember_file(store);
    return STATUS_OK;
}

/* Ensures that a file has one writer, with an exclusive flock on PATH.lock, which the kernel drops
 * when the process dies. SQLite's own locks do not do: they would let two sweeps take turns. The
 * lock needs a second file because closing any descriptor of the store's file would drop SQLite's
 * POSIX locks. */
static enum status lock_file(struct store *store, struct diagnostics *diagnostics)
{
    char *path = NULL;
    if (asprintf(&path, "%s.lock", store->path) < 0)
        return STATUS_MEMORY;
    enum status status = STATUS_OK;
    for (;;) {
        store->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (store->lock < 0) {
            status = diagnostics_error(diagnostics, STATUS_IO, "%s: %s", path, strerror(errno));
            break;
        }
        if (flock(store->lock, LOCK_EX | LOCK_NB)) {
            status = diagnostics_error(diagnostics, STATUS_CONFLICT,
                                       "%s: another sweep is writing to it", store->path);
            break;
        }
        struct stat held, named; /* the last writer may have removed the file in between */
        if (!fstat(store->lock, &held) && !stat(path, &named) && held.st_ino == named.st_ino)
            break;
        close(store->lock);
    }
    if (status && store->lock >= 0) {
        close(store->lock);
        store->lock = -1;
    }
    free(path);
    return status;
}

/* Removes the name before it closes the descriptor, while the lock is still held. A process that
 * has opened the file in between notices that the name is gone (lock_file) and tries again. */
static void unlock_file(struct store *store)
{
    char *path = NULL;
    if (store->lock < 0)
        return;
    if (asprintf(&path, "%s.lock", store->path) >= 0)
        unlink(path);
    free(path);
    close(store->lock);
}

static enum status open_database(struct store *store, const char *name, int flags,
                                 struct diagnostics *diagnostics)
{
    struct stat there;
    if (!stat(store->path, &there) && !S_ISREG(there.st_mode))
        return diagnostics_error(diagnostics, STATUS_INVALID, "%s: a %s, not a store", store->path,
                                 S_ISDIR(there.st_mode) ? "directory" : "device");
    if (sqlite3_open_v2(name, &store->database, flags | SQLITE_OPEN_NOMUTEX, NULL)) {
        enum status status =
            store->database ? store_failed(store, "open", diagnostics) : STATUS_MEMORY;
        return status;
    }
    /* The file may be hostile: its schema may call no functions and run no triggers or views. */
    sqlite3_db_config(store->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(store->database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(store->database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(store->database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_limit(store->database, SQLITE_LIMIT_LENGTH, 1 << 26);
    store_wait_for_others(store);
    return STATUS_OK;
}

static enum status store_read_number(struct store *store, const char *sql, int64_t *number,
                                     struct diagnostics *diagnostics)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL))
        return store_failed(store, "read", diagnostics);
    int code = sqlite3_step(statement);
    *number = sqlite3_column_int64(statement, 0);
    enum status status = code == SQLITE_ROW ? STATUS_OK : store_failed(store, "read", diagnostics);
    sqlite3_finalize(statement);
    return status;
}

/* Checks that a file is ours. *empty tells that it has no tables: it is new, or its maker was
 * killed at once. */
static enum status check_identity(struct store *store, bool *empty, struct diagnostics *diagnostics)
{
    int64_t tables = 0, application = 0, schema = 0;
    enum status status =
        store_read_number(store, "SELECT count(*) FROM sqlite_master", &tables, diagnostics);
    if (!status)
        status = store_read_number(store, "PRAGMA application_id", &application, diagnostics);
    if (!status)
        status = store_read_number(store, "PRAGMA user_version", &schema, diagnostics);
    if (status)
        return status;
    *empty = !tables;
    if (*empty)
        return STATUS_OK;
    if (application != STORE_APPLICATION)
        return diagnostics_error(diagnostics, STATUS_CORRUPT,
                                 "%s: an SQLite file, but not a Warpscape store", store->path);
    store->hashed = schema != STORE_UNHASHED;
    store->wide = schema == STORE_WIDE;
    if (store->hashed && !store->wide && schema != STORE_SCHEMA)
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "%s: store schema %" PRId64 ", this program reads %d", store->path,
                                 schema, STORE_SCHEMA);
    return STATUS_OK;
}

static bool has_metric(const struct metric *const *columns, size_t count,
                       const struct metric *metric)
{
    for (size_t i = 0; i < count; i++)
        if (columns[i] == metric)
            return true;
    return false;
}

enum status study_result_columns(const struct study *study, const struct metric ***columns,
                                 size_t *count)
{
    *count = 0;
    *columns = calloc(study->objective_count + study->column_count + 1, sizeof **columns);
    if (!*columns)
        return STATUS_MEMORY;
    for (size_t i = 0; i < study->objective_count; i++)
        if (!has_metric(*columns, *count, study->objectives[i].metric))
            (*columns)[(*count)++] = study->objectives[i].metric;
    for (size_t i = 0; i < study->column_count; i++)
        if (!has_metric(*columns, *count, study->columns[i]))
            (*columns)[(*count)++] = study->columns[i];
    return STATUS_OK;
}

static enum status set_columns(struct store *store, const struct study *study)
{
    enum status status = study_result_columns(study, &store->columns, &store->column_count);
    store->values = calloc(store->column_count + 1, sizeof *store->values);
    return !status && !store->values ? STATUS_MEMORY : status;
}

static enum status prepare_insert(struct store *store, struct diagnostics *diagnostics)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return STATUS_MEMORY;
    fprintf(out, "INSERT INTO result VALUES(?");
    for (size_t i = 0; i < store->column_count; i++)
        fprintf(out, ",?");
    fprintf(out, store->hashed ? ",?)" : ")");
    char *sql;
    enum status status = text_stream_finish(&stream, STATUS_OK, &sql);
    if (!status && sqlite3_prepare_v3(store->database, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                      &store->insert, NULL))
        status = store_failed(store, "prepare a row", diagnostics);
    free(sql);
    return status;
}

enum status store_advise(enum status status, const struct store *store,
                         struct diagnostics *diagnostics)
{
    if (status == STATUS_CONFLICT)
        diagnostics_add(diagnostics, SEVERITY_NOTE, NULL,
                        "use another file, or remove %s to start again", store->path);
    return status;
}

/* Compares with the study in the file, then takes over this study's filters and directions. */
static enum status resume(struct store *store, const char *const *digests,
                          struct diagnostics *diagnostics)
{
    struct study kept = {0};
    enum status status = store_check(store, diagnostics);
    if (!status)
        status = store_read_study(store, &kept, diagnostics);
    if (!status)
        status = store_advise(store_compare(store, &kept, store->space.study, digests, diagnostics),
                              store, diagnostics);
    if (!status)
        status = store_update_study(store, store->space.study, diagnostics);
    study_free(&kept);
    return status;
}

static struct store *allocate_store(const char *path)
{
    struct store *store = calloc(1, sizeof *store);
    if (!store)
        return NULL;
    store->lock = -1;
    store->path = strdup(path);
    if (!store->path) {
        free(store);
        return NULL;
    }
    return store;
}

enum status store_create(const char *path, const struct space *space, const char *const *digests,
                         struct store **result, struct diagnostics *diagnostics)
{
    const struct store_options options = {0};
    return store_create_with(path, space, digests, &options, result, diagnostics);
}

/* The lock comes before SQLite opens the file, so that of two programs that want to write it one is
 * refused with words instead of both resuming it. A write-ahead log needs shared memory, which
 * network file systems lack: `durable` is for those. */
enum status store_create_with(const char *path, const struct space *space,
                              const char *const *digests, const struct store_options *options,
                              struct store **result, struct diagnostics *diagnostics)
{
    *result = NULL;
    struct store *store = allocate_store(path);
    if (!store)
        return STATUS_MEMORY;
    store->space = *space;
    store->options = *options;
    bool empty = false;
    enum status status = set_columns(store, space->study);
    if (!status && !store->column_count)
        status = diagnostics_error(diagnostics, STATUS_INVALID,
                                   "the study has neither objectives nor columns");
    if (!status)
        status = lock_file(store, diagnostics);
    if (!status)
        status =
            open_database(store, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, diagnostics);
    if (!status)
        status = check_identity(store, &empty, diagnostics);
    if (!status)
        status =
            store_execute(store,
                          options->durable ? "PRAGMA journal_mode=DELETE; PRAGMA synchronous=FULL"
                                           : "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL",
                          "choose a journal", diagnostics);
    if (!status)
        status = empty ? store_write_study(store, space->study, digests, diagnostics)
                       : resume(store, digests, diagnostics);
    if (!status)
        status = store_write_share(store, empty, options, diagnostics);
    if (!status)
        status = store_open_summary(store, empty, diagnostics);
    if (!status)
        status = prepare_insert(store, diagnostics);
    if (status) {
        store_close(store);
        return status;
    }
    *result = store;
    return STATUS_OK;
}

/* Rolls back the transaction of a killed writer. A rollback journal is left behind then, and SQLite
 * must write to undo it. It takes a lock first, so a writer that is alive is not disturbed. */
static void roll_back(const char *path)
{
    sqlite3 *database = NULL;
    if (!sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL)) {
        sqlite3_busy_timeout(database, BUSY_MILLISECONDS);
        sqlite3_exec(database, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL);
    }
    sqlite3_close(database);
}

/* Opens a file for reading. If the folder is read-only there is no place for the shared memory of a
 * write-ahead log; then, if no log is left, the file alone is complete and is opened as immutable.
 */
static enum status open_for_reading(struct store *store, struct diagnostics *diagnostics)
{
    struct diagnostics first = DIAGNOSTICS_INIT;
    int64_t ignored;
    enum status status = open_database(store, store->path, SQLITE_OPEN_READONLY, &first);
    if (!status)
        status = store_read_number(store, "SELECT count(*) FROM sqlite_master", &ignored, &first);
    int extended = store->database ? sqlite3_extended_errcode(store->database) : SQLITE_NOMEM;
    if (status && extended == SQLITE_READONLY_ROLLBACK) {
        diagnostics_free(&first);
        roll_back(store->path);
        status = store_read_number(store, "SELECT count(*) FROM sqlite_master", &ignored, &first);
        extended = sqlite3_extended_errcode(store->database);
    }
    int code = extended & 0xff;
    char *log = NULL, *name = NULL;
    bool torn = extended == SQLITE_READONLY_ROLLBACK; /* and we may not undo it here */
    if (status && !torn && (code == SQLITE_CANTOPEN || code == SQLITE_READONLY) &&
        asprintf(&log, "%s-wal", store->path) >= 0 && access(log, F_OK) &&
        !strpbrk(store->path, "?#%") && asprintf(&name, "file:%s?immutable=1", store->path) >= 0) {
        diagnostics_free(&first);
        sqlite3_close(store->database);
        store->database = NULL;
        status = open_database(store, name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, &first);
    }
    free(log);
    free(name);
    if (diagnostics)
        diagnostics_move(diagnostics, &first);
    else
        diagnostics_free(&first);
    return status;
}

enum status store_open(const char *path, struct store **result, const struct study **study,
                       struct diagnostics *diagnostics)
{
    *result = NULL;
    if (access(path, R_OK))
        return diagnostics_error(diagnostics, errno == ENOENT ? STATUS_NOT_FOUND : STATUS_IO,
                                 "%s: %s", path, strerror(errno));
    struct store *store = allocate_store(path);
    if (!store)
        return STATUS_MEMORY;
    bool empty = false;
    enum status status = open_for_reading(store, diagnostics);
    if (!status)
        status = check_identity(store, &empty, diagnostics);
    if (!status && empty)
        status = diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                                   "%s: empty, not a Warpscape store", path);
    if (!status)
        status = store_read_study(store, &store->study, diagnostics);
    if (!status)
        status = space_open(&store->study, &store->space, diagnostics);
    if (!status)
        status = set_columns(store, &store->study);
    if (!status && !store->column_count)
        status = diagnostics_error(diagnostics, STATUS_CORRUPT, "%s: no metric is stored", path);
    if (!status)
        status = store_open_summary(store, false, diagnostics);
    if (!status)
        status = store_check(store, diagnostics);
    if (status) {
        store_close(store);
        return status;
    }
    *result = store;
    *study = &store->study;
    return STATUS_OK;
}

/* Removes the write-ahead log, so that the file can be copied and read anywhere. SQLite refuses
 * that while somebody else has the file open; then at least moves the log's contents into the file.
 */
static void end_log(struct store *store)
{
    sqlite3_busy_timeout(store->database, 0);
    if (!sqlite3_exec(store->database, "PRAGMA journal_mode=DELETE", NULL, NULL, NULL))
        return;
    sqlite3_busy_timeout(store->database, READER_MILLISECONDS);
    sqlite3_exec(store->database, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL);
}

void store_close(struct store *store)
{
    if (!store)
        return;
    (void)store_commit(store, NULL); /* who wants to know has committed already */
    store_close_summary(store);
    sqlite3_finalize(store->insert);
    sqlite3_finalize(store->lookup);
    if (store->insert && !store->overwritten)
        end_log(store);
    if (store->overwritten)
        store_leave_to_others(store);
    else
        sqlite3_close(store->database);
    unlock_file(store);
    study_free(&store->study);
    free(store->columns);
    free(store->values);
    free(store->path);
    free(store);
}

const struct space *store_space(const struct store *store)
{
    return &store->space;
}

enum status store_matches(struct store *store, const struct space *space,
                          const char *const *digests, struct diagnostics *diagnostics)
{
    return store_advise(
        store_compare(store, store->space.study, space->study, digests, diagnostics), store,
        diagnostics);
}

size_t store_columns(const struct store *store, const struct metric *const **columns)
{
    *columns = store->columns;
    return store->column_count;
}

enum status store_get(struct store *store, uint64_t point, double *values, bool *found,
                      struct diagnostics *diagnostics)
{
    if (!store->lookup && sqlite3_prepare_v3(store->database, "SELECT * FROM result WHERE id=?", -1,
                                             SQLITE_PREPARE_PERSISTENT, &store->lookup, NULL))
        return store_failed(store, "read a row", diagnostics);
    sqlite3_bind_int64(store->lookup, 1, (sqlite3_int64)point);
    int code = sqlite3_step(store->lookup);
    *found = code == SQLITE_ROW;
    for (size_t i = 0; *found && i < store->column_count; i++) {
        bool missing = sqlite3_column_type(store->lookup, (int)i + 1) == SQLITE_NULL;
        values[i] = missing ? NAN : sqlite3_column_double(store->lookup, (int)i + 1);
    }
    enum status status =
        *found || code == SQLITE_DONE ? STATUS_OK : store_failed(store, "read a row", diagnostics);
    sqlite3_reset(store->lookup);
    return status;
}

/* Checks a point that is already stored. Evaluation is deterministic, so it must have these values.
 */
static enum status check_equal(struct store *store, uint64_t point, struct diagnostics *diagnostics)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store->database, "SELECT * FROM result WHERE id=?", -1, &statement,
                           NULL))
        return store_failed(store, "read a row", diagnostics);
    sqlite3_bind_int64(statement, 1, (sqlite3_int64)point);
    bool equal = sqlite3_step(statement) == SQLITE_ROW;
    for (size_t i = 0; equal && i < store->column_count; i++) {
        double value = store->values[i], old = sqlite3_column_double(statement, (int)i + 1);
        bool missing = sqlite3_column_type(statement, (int)i + 1) == SQLITE_NULL;
        equal = missing ? isnan(value) : value == old;
    }
    sqlite3_finalize(statement);
    if (equal)
        return STATUS_OK;
    return diagnostics_error(diagnostics, STATUS_CONFLICT,
                             "%s: point %" PRIu64 " is there with other values", store->path,
                             point);
}

enum status store_begin(struct store *store, struct diagnostics *diagnostics)
{
    if (store->writing)
        return STATUS_OK;
    enum status status = store_check_others(store, diagnostics);
    if (!status)
        status = store_execute(store, "BEGIN IMMEDIATE", "begin", diagnostics);
    store->writing = !status;
    return status;
}

/* Inserts and only on a constraint failure reads the old row: points are nearly always new. */
enum status store_put(struct store *store, uint64_t point, const struct metrics *metrics,
                      struct diagnostics *diagnostics)
{
    enum status status = store_begin(store, diagnostics);
    if (status)
        return status;
    sqlite3_bind_int64(store->insert, 1, (sqlite3_int64)point);
    for (size_t i = 0; i < store->column_count; i++) {
        store->values[i] = metric_get(store->columns[i], metrics);
        sqlite3_bind_double(store->insert, (int)i + 2, store->values[i]); /* NaN becomes NULL */
    }
    if (store->hashed)
        sqlite3_bind_int64(store->insert, (int)store->column_count + 2,
                           store_row_hash(store, point));
    int code = sqlite3_step(store->insert);
    store->rows += code == SQLITE_DONE;
    if (code != SQLITE_DONE && sqlite3_errcode(store->database) == SQLITE_CONSTRAINT)
        status = check_equal(store, point, diagnostics);
    else if (code != SQLITE_DONE)
        status = store_failed(store, "write a row", diagnostics);
    sqlite3_reset(store->insert);
    return status;
}

/* Checks for other writers before COMMIT, so that their changes are not overwritten. On a conflict,
 * everything since the last commit is rolled back. */
enum status store_commit(struct store *store, struct diagnostics *diagnostics)
{
    if (!store->writing)
        return STATUS_OK;
    enum status status = store->summary ? store_write_summary(store, diagnostics) : STATUS_OK;
    if (!status)
        status = store_seal_rows(store, diagnostics);
    store->writing = false;
    if (!status)
        status = store_check_others(store, diagnostics);
    if (!status)
        status = store_execute(store, "COMMIT", "commit", diagnostics);
    if (status && !sqlite3_get_autocommit(store->database))
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

void store_abandon(struct store *store)
{
    if (!sqlite3_get_autocommit(store->database))
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    store->writing = false;
}

enum status store_done(struct store *store, uint8_t *bitmap, uint64_t *count,
                       struct diagnostics *diagnostics)
{
    sqlite3_stmt *statement;
    if (store->summary) {
        store_summary_done(store, bitmap, count);
        return STATUS_OK;
    }
    if (sqlite3_prepare_v2(store->database, "SELECT id FROM result", -1, &statement, NULL))
        return store_failed(store, "read the rows", diagnostics);
    uint64_t found = 0;
    enum status status = STATUS_OK;
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        uint64_t point = (uint64_t)sqlite3_column_int64(statement, 0);
        if (point >= store->space.points) {
            status = diagnostics_error(diagnostics, STATUS_CORRUPT,
                                       "%s: point %" PRIu64 " is outside of the space", store->path,
                                       point);
            break;
        }
        bit_set(bitmap, point);
        found++;
    }
    if (!status && code != SQLITE_DONE)
        status = store_failed(store, "read the rows", diagnostics);
    sqlite3_finalize(statement);
    if (count)
        *count = found;
    return status;
}

enum status store_count(struct store *store, uint64_t *count, struct diagnostics *diagnostics)
{
    int64_t rows = 0;
    if (store->summary) {
        store_summary_done(store, NULL, count);
        return STATUS_OK;
    }
    enum status status =
        store_read_number(store, "SELECT count(*) FROM result", &rows, diagnostics);
    *count = (uint64_t)rows;
    return status;
}
