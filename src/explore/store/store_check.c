/* Whether a store still holds what was written (docs/FORMATS.md, "The store"): each row ends with a
 * hash of its number and values, and the study has one of all its tables. SQLite itself notices no
 * changed bit in a number or a text. Nothing is looked up by a hash, so two rows of one hash are no
 * trouble; damage goes unseen once in 2^32 times.
 *
 * Cost: opening a store reads all its rows once. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "explore/store/store_file.h"

enum { ROWS_NAMED = 5 }; /* of many damaged ones */

int64_t store_row_hash(const struct store *store, uint64_t point)
{
    XXH64_hash_t hash = XXH3_64bits_withSeed(&point, sizeof point, store->column_count);
    for (size_t i = 0; i < store->column_count; i++) {
        /* SQLite keeps no sign of zero and no bits of a NaN, which it calls NULL. */
        const double value = isnan(store->values[i]) ? NAN : store->values[i] + 0.0;
        uint64_t bits = UINT64_C(0x7ff8000000000000);
        if (!isnan(value))
            memcpy(&bits, &value, sizeof bits);
        hash = XXH3_64bits_withSeed(&bits, sizeof bits, hash);
    }
    return store->wide ? (int64_t)hash : (int32_t)hash;
}

/* The values of a row of the result go to store->values. Returns its point. */
static uint64_t check_read_row(struct store *store, sqlite3_stmt *row)
{
    for (int i = 0; i < (int)store->column_count; i++)
        store->values[i] = sqlite3_column_type(row, i + 1) == SQLITE_NULL
                               ? NAN
                               : sqlite3_column_double(row, i + 1);
    return (uint64_t)sqlite3_column_int64(row, 0);
}

/* Adds every value that a query returns, with its type, to the hash. */
static enum status hash_query(struct store *store, const char *sql, XXH64_hash_t *hash,
                              struct diagnostics *diagnostics)
{
    sqlite3_stmt *statement;
    int code;
    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL))
        return store_failed(store, "read the study", diagnostics);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(statement); i++) {
            const int type = sqlite3_column_type(statement, i);
            const void *bytes = sqlite3_column_blob(statement, i);
            const int size = sqlite3_column_bytes(statement, i);
            *hash = XXH3_64bits_withSeed(bytes ? bytes : "", (size_t)size, *hash + (unsigned)type);
        }
    enum status status =
        code == SQLITE_DONE ? STATUS_OK : store_failed(store, "read the study", diagnostics);
    sqlite3_finalize(statement);
    return status;
}

enum status store_holds_summary(struct store *store, bool *summary, struct diagnostics *diagnostics)
{
    char *content;
    const enum status status = store_provenance(store, "content", &content, diagnostics);
    *summary = content && !strcmp(content, "summary");
    free(content);
    return status;
}

static enum status study_hash(struct store *store, char text[20], struct diagnostics *diagnostics)
{
    static const char *const queries[] = {
        "SELECT key, value FROM study WHERE key NOT IN ('hash', 'rows') ORDER BY key",
        "SELECT path, value FROM parameter ORDER BY path",
        "SELECT pos, name, values_json FROM space ORDER BY pos",
        "SELECT id, name, digest FROM trace ORDER BY id",
        "SELECT kind, pos, text, line FROM condition ORDER BY kind, pos",
        "SELECT pos, path, objective FROM metric ORDER BY pos",
        "SELECT chunk, bits FROM done ORDER BY chunk",
        "SELECT * FROM marginal ORDER BY workload, axis, value, metric",
    };
    XXH64_hash_t hash = 0;
    bool summary; /* what it has instead of rows is part of its study */
    enum status status = store_holds_summary(store, &summary, diagnostics);
    const size_t count = sizeof queries / sizeof *queries - (summary ? 0 : 2);
    for (size_t i = 0; !status && i < count; i++)
        status = hash_query(store, queries[i], &hash, diagnostics);
    snprintf(text, 20, "%016" PRIx64, (uint64_t)hash);
    return status;
}

enum status store_seal_study(struct store *store, struct diagnostics *diagnostics)
{
    char hash[20];
    if (!store->hashed)
        return STATUS_OK;
    enum status status = study_hash(store, hash, diagnostics);
    return status ? status : store_write_value(store, "hash", hash, diagnostics);
}

enum status store_seal_rows(struct store *store, struct diagnostics *diagnostics)
{
    char rows[24];
    if (!store->hashed)
        return STATUS_OK;
    if (store->summary) /* which has few rows, and changes them */
        return store_seal_study(store, diagnostics);
    snprintf(rows, sizeof rows, "%" PRIu64, store->rows);
    return store_write_value(store, "rows", rows, diagnostics);
}

enum status store_hash_rows(struct store *store, struct diagnostics *diagnostics)
{
    sqlite3_stmt *read = NULL, *write = NULL;
    int code = sqlite3_prepare_v2(store->database, "SELECT * FROM result WHERE row_hash IS NULL",
                                  -1, &read, NULL);
    if (!code)
        code = sqlite3_prepare_v2(store->database, "UPDATE result SET row_hash=? WHERE id=?", -1,
                                  &write, NULL);
    while (!code && (code = sqlite3_step(read)) == SQLITE_ROW) {
        const uint64_t point = check_read_row(store, read);
        sqlite3_bind_int64(write, 1, store_row_hash(store, point));
        sqlite3_bind_int64(write, 2, (sqlite3_int64)point);
        code = sqlite3_step(write) == SQLITE_DONE ? SQLITE_OK : SQLITE_ERROR;
        sqlite3_reset(write);
    }
    enum status status =
        code == SQLITE_DONE ? STATUS_OK : store_failed(store, "hash the rows", diagnostics);
    sqlite3_finalize(read);
    sqlite3_finalize(write);
    return status;
}

static enum status check_study(struct store *store, struct diagnostics *diagnostics)
{
    char hash[20];
    char *kept = NULL;
    enum status status = study_hash(store, hash, diagnostics);
    if (!status)
        status = store_provenance(store, "hash", &kept, diagnostics);
    if (!status && (!kept || strcmp(kept, hash) != 0))
        status =
            diagnostics_error(diagnostics, STATUS_CORRUPT,
                              "%s: the study in it is damaged: its hash is another", store->path);
    free(kept);
    return status;
}

/* Rows that are gone can be made again, so they are no error. */
static enum status check_count(struct store *store, struct diagnostics *diagnostics)
{
    char *kept;
    bool summary;
    enum status status = store_provenance(store, "rows", &kept, diagnostics);
    const uint64_t rows = kept ? strtoull(kept, NULL, 10) : store->rows;
    if (!status)
        status = store_holds_summary(store, &summary, diagnostics);
    if (!status && rows != store->rows && !summary)
        diagnostics_add(diagnostics, SEVERITY_WARNING, NULL,
                        "%s: %" PRIu64 " rows were written, %" PRIu64
                        " are there: the file is damaged, or another program changed it; the same "
                        "sweep makes them again",
                        store->path, rows, store->rows);
    free(kept);
    return status;
}

static enum status check_rows(struct store *store, struct diagnostics *diagnostics)
{
    const int columns = (int)store->column_count;
    uint64_t damaged = 0;
    sqlite3_stmt *statement;
    int code;
    store->rows = 0;
    if (sqlite3_prepare_v2(store->database, "SELECT * FROM result", -1, &statement, NULL))
        return store_failed(store, "read the rows", diagnostics);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        const uint64_t point = check_read_row(store, statement);
        store->rows++;
        if (sqlite3_column_int64(statement, columns + 1) == store_row_hash(store, point))
            continue;
        if (damaged++ < ROWS_NAMED)
            diagnostics_error(diagnostics, STATUS_CORRUPT,
                              "%s: the row of point %" PRIu64 " is damaged: its hash is another",
                              store->path, point);
    }
    enum status status =
        code == SQLITE_DONE ? STATUS_OK : store_failed(store, "read the rows", diagnostics);
    sqlite3_finalize(statement);
    if (status || !damaged)
        return status;
    if (damaged > ROWS_NAMED)
        diagnostics_error(diagnostics, STATUS_CORRUPT, "%s: %" PRIu64 " rows are damaged",
                          store->path, damaged);
    diagnostics_add(diagnostics, SEVERITY_NOTE, NULL,
                    "take a copy of the file, or remove it and run the sweep again; nothing was "
                    "changed");
    return STATUS_CORRUPT;
}

/* In one transaction, because a sweep may be writing. */
enum status store_check(struct store *store, struct diagnostics *diagnostics)
{
    if (!store->hashed)
        return STATUS_OK;
    enum status status = store_execute(store, "BEGIN", "read", diagnostics);
    if (status)
        return status;
    status = check_study(store, diagnostics);
    if (!status)
        status = check_rows(store, diagnostics);
    if (!status)
        status = check_count(store, diagnostics);
    sqlite3_exec(store->database, "COMMIT", NULL, NULL, NULL);
    return status;
}
