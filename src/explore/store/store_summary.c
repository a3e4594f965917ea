/* Summaries (explore/store/store.h): a bitmap of the points that are done and a table of marginals,
 * next to the rows worth keeping. Both are held in memory while the store is open and written at
 * each commit; of the bitmap only the chunks that changed. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explore/store/store_file.h"

/* The bitmap is stored in chunks, and only those that changed are written. */
enum { CHUNK_BYTES = 8192 };
#define CHUNK_POINTS ((uint64_t)CHUNK_BYTES * 8)

struct summary {
    uint8_t *done;  /* a whole number of chunks */
    uint8_t *dirty; /* one byte per chunk */
    uint64_t chunks, count;
    struct marginal *marginals; /* [workload][value of any axis][column] */
    size_t values;              /* of all axes together */
};

static const char tables_sql[] =
    "CREATE TABLE done(chunk INTEGER PRIMARY KEY, bits BLOB);"
    "CREATE TABLE marginal(workload INTEGER, axis INTEGER, value INTEGER, metric INTEGER,"
    " count INTEGER, sum REAL, squares REAL, min REAL, max REAL,"
    " PRIMARY KEY(workload, axis, value, metric)) WITHOUT ROWID;"
    "INSERT INTO study VALUES('content', 'summary')";

static struct marginal *marginal_at(const struct store *store, size_t workload, size_t value,
                                    size_t column)
{
    const struct summary *summary = store->summary;
    return &summary->marginals[(workload * summary->values + value) * store->column_count + column];
}

bool store_is_summary(const struct store *store)
{
    return store->summary;
}

enum status store_check_content(const struct store *store, bool summary,
                                struct diagnostics *diagnostics)
{
    static const char *const contents[] = {"a store with a row for every point", "a summary"};
    if (store_is_summary(store) == summary)
        return STATUS_OK;
    diagnostics_error(diagnostics, STATUS_CONFLICT, "%s is %s; this run makes %s", store->path,
                      contents[!summary], contents[summary]);
    return store_advise(STATUS_CONFLICT, store, diagnostics);
}

const struct marginal *store_marginal(const struct store *store, size_t workload, size_t axis,
                                      size_t value, size_t column)
{
    return marginal_at(store, workload, study_values_before(store->space.study, axis) + value,
                       column);
}

/* Cost: one bit per point, and one struct marginal per workload, value of an axis, and column. */
static enum status store_allocate_summary(struct store *store)
{
    const struct study *study = store->space.study;
    struct summary *summary = store->summary = calloc(1, sizeof *summary);
    if (!summary)
        return STATUS_MEMORY;
    summary->values = study_values_before(study, study->axis_count);
    summary->chunks = (store->space.points + CHUNK_POINTS - 1) / CHUNK_POINTS;
    summary->done = calloc(summary->chunks, CHUNK_BYTES);
    summary->dirty = calloc(summary->chunks, 1);
    summary->marginals = calloc(study->workload_count * (summary->values + 1), /* never of size 0 */
                                (store->column_count + 1) * sizeof *summary->marginals);
    return summary->done && summary->dirty && summary->marginals ? STATUS_OK : STATUS_MEMORY;
}

static enum status damaged(struct store *store, struct diagnostics *diagnostics)
{
    return diagnostics_error(diagnostics, STATUS_CORRUPT, "%s: the summary is damaged",
                             store->path);
}

/* A row of the bitmap. Checks its place and size, since the file may be damaged or hostile. */
static enum status read_chunk(struct store *store, sqlite3_stmt *row,
                              struct diagnostics *diagnostics)
{
    struct summary *summary = store->summary;
    uint64_t chunk = (uint64_t)sqlite3_column_int64(row, 0);
    const uint8_t *bits = sqlite3_column_blob(row, 1);
    if (chunk >= summary->chunks || !bits || sqlite3_column_bytes(row, 1) != CHUNK_BYTES)
        return damaged(store, diagnostics);
    memcpy(summary->done + chunk * CHUNK_BYTES, bits, CHUNK_BYTES);
    for (size_t i = 0; i < CHUNK_BYTES; i++)
        summary->count += (uint64_t)__builtin_popcount(bits[i]);
    return STATUS_OK;
}

/* A row of marginals. Every index is checked before it is used. */
static enum status read_marginal(struct store *store, sqlite3_stmt *row,
                                 struct diagnostics *diagnostics)
{
    const struct study *study = store->space.study;
    uint64_t key[4];
    for (int i = 0; i < 4; i++)
        key[i] = (uint64_t)sqlite3_column_int64(row, i);
    if (key[0] >= study->workload_count || key[1] >= study->axis_count ||
        key[2] >= study->axes[key[1]].count || key[3] >= store->column_count)
        return damaged(store, diagnostics);
    *marginal_at(store, key[0], study_values_before(study, key[1]) + key[2], key[3]) =
        (struct marginal){
            .count = (uint64_t)sqlite3_column_int64(row, 4),
            .sum = sqlite3_column_double(row, 5),
            .squares = sqlite3_column_double(row, 6),
            .min = sqlite3_column_double(row, 7),
            .max = sqlite3_column_double(row, 8),
        };
    return STATUS_OK;
}

typedef enum status (*row_reader)(struct store *store, sqlite3_stmt *row,
                                  struct diagnostics *diagnostics);

static enum status read_table(struct store *store, const char *sql, row_reader read,
                              struct diagnostics *diagnostics)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL))
        return store_failed(store, "read the summary", diagnostics);
    enum status status = STATUS_OK;
    int code = SQLITE_DONE;
    while (!status && (code = sqlite3_step(statement)) == SQLITE_ROW)
        status = read(store, statement, diagnostics);
    if (!status && code != SQLITE_DONE)
        status = store_failed(store, "read the summary", diagnostics);
    sqlite3_finalize(statement);
    return status;
}

enum status store_open_summary(struct store *store, bool created, struct diagnostics *diagnostics)
{
    if (created && !store->options.summary)
        return STATUS_OK;
    if (created) {
        char sql[sizeof tables_sql + 32];
        snprintf(sql, sizeof sql, "BEGIN IMMEDIATE;%s", tables_sql);
        enum status status = store_execute(store, sql, "create the summary", diagnostics);
        if (!status)
            status = store_seal_study(store, diagnostics);
        if (!status)
            status = store_execute(store, "COMMIT", "create the summary", diagnostics);
        return status ? status : store_allocate_summary(store);
    }
    bool summary;
    enum status status = store_holds_summary(store, &summary, diagnostics);
    if (status || !summary)
        return status;
    status = store_allocate_summary(store);
    if (!status)
        status = read_table(store, "SELECT chunk, bits FROM done", read_chunk, diagnostics);
    if (!status)
        status = read_table(store,
                            "SELECT workload, axis, value, metric, count, sum, squares, min, max "
                            "FROM marginal",
                            read_marginal, diagnostics);
    return status;
}

void store_close_summary(struct store *store)
{
    if (!store->summary)
        return;
    free(store->summary->done);
    free(store->summary->dirty);
    free(store->summary->marginals);
    free(store->summary);
    store->summary = NULL;
}

void store_summary_done(const struct store *store, uint8_t *bitmap, uint64_t *count)
{
    uint64_t bytes = store->space.points / 8 + 1, own = store->summary->chunks * CHUNK_BYTES;
    for (uint64_t i = 0; bitmap && i < bytes && i < own; i++)
        bitmap[i] |= store->summary->done[i];
    if (count)
        *count = store->summary->count;
}

static void marginal_add(struct marginal *marginal, double value)
{
    if (isnan(value))
        return;
    marginal->min = marginal->count ? fmin(marginal->min, value) : value;
    marginal->max = marginal->count ? fmax(marginal->max, value) : value;
    marginal->sum += value;
    marginal->squares += value * value;
    marginal->count++;
}

enum status store_put_summary(struct store *store, uint64_t point, const struct metrics *metrics,
                              bool keep, struct diagnostics *diagnostics)
{
    struct summary *summary = store->summary;
    const struct study *study = store->space.study;
    size_t workload = point / store->space.machines, end = summary->values;
    uint64_t machine = point % store->space.machines;
    if (bit_test(summary->done, point))
        return STATUS_OK;
    enum status status = store_begin(store, diagnostics);
    if (!status && keep)
        status = store_put(store, point, metrics, diagnostics);
    if (status)
        return status;
    bit_set(summary->done, point);
    summary->dirty[point / CHUNK_POINTS] = 1;
    summary->count++;
    for (size_t a = study->axis_count; a-- > 0; machine /= study->axes[a].count) {
        end -= study->axes[a].count;
        for (size_t c = 0; c < store->column_count; c++)
            marginal_add(marginal_at(store, workload, end + machine % study->axes[a].count, c),
                         metric_get(store->columns[c], metrics));
    }
    return STATUS_OK;
}

bool store_summary_has(const struct store *store, uint64_t point)
{
    return bit_test(store->summary->done, point);
}

static size_t count_marginals(const struct store *store)
{
    return store->space.study->workload_count * store->summary->values * store->column_count;
}

enum status store_summary_add(struct store *store, const struct store *part,
                              struct diagnostics *diagnostics)
{
    struct summary *summary = store->summary;
    const struct summary *from = part->summary;
    enum status status = store_begin(store, diagnostics);
    for (uint64_t c = 0; c < summary->chunks && !status; c++)
        for (uint64_t i = c * CHUNK_BYTES; i < (c + 1) * CHUNK_BYTES; i++) {
            if (!from->done[i])
                continue;
            summary->done[i] |= from->done[i];
            summary->count += (uint64_t)__builtin_popcount(from->done[i]);
            summary->dirty[c] = 1;
        }
    for (size_t i = 0; i < count_marginals(store) && !status; i++) {
        struct marginal *to = &summary->marginals[i];
        const struct marginal *more = &from->marginals[i];
        if (!more->count)
            continue;
        to->min = to->count ? fmin(to->min, more->min) : more->min;
        to->max = to->count ? fmax(to->max, more->max) : more->max;
        to->sum += more->sum;
        to->squares += more->squares;
        to->count += more->count;
    }
    return status;
}

enum status store_summary_clear(struct store *store, struct diagnostics *diagnostics)
{
    struct summary *summary = store->summary;
    memset(summary->done, 0, summary->chunks * CHUNK_BYTES);
    memset(summary->dirty, 0, summary->chunks);
    memset(summary->marginals, 0, count_marginals(store) * sizeof *summary->marginals);
    summary->count = 0;
    return store_execute(store, "DELETE FROM result; DELETE FROM done; DELETE FROM marginal",
                         "clear the summary", diagnostics);
}

static bool is_near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

/* Minima, maxima and counts do not depend on the order of additions and must be equal; sums may
 * differ by `tolerance`. */
enum status store_summary_compare(const struct store *a, const struct store *b, double tolerance,
                                  struct diagnostics *diagnostics)
{
    const struct summary *left = a->summary, *right = b->summary;
    if (left->count != right->count ||
        memcmp(left->done, right->done, left->chunks * CHUNK_BYTES) != 0)
        return STATUS_OK;
    for (size_t i = 0; i < count_marginals(a); i++) {
        const struct marginal *x = &left->marginals[i], *y = &right->marginals[i];
        bool same = x->count == y->count &&
                    (!x->count ||
                     (x->min == y->min && x->max == y->max && is_near(x->sum, y->sum, tolerance) &&
                      is_near(x->squares, y->squares, tolerance)));
        if (!same)
            return diagnostics_error(diagnostics, STATUS_CONFLICT,
                                     "%s and %s have the same points and other sums of %s: the "
                                     "same machines must give the same numbers",
                                     a->path, b->path, a->columns[i % a->column_count]->path);
    }
    return STATUS_OK;
}

enum status store_prune(struct store *store, const uint8_t *kept, struct diagnostics *diagnostics)
{
    sqlite3_stmt *select = NULL, *remove = NULL;
    enum status status = store_begin(store, diagnostics);
    if (status)
        return status;
    int code = sqlite3_prepare_v2(store->database, "SELECT id FROM result", -1, &select, NULL);
    if (!code)
        code =
            sqlite3_prepare_v2(store->database, "DELETE FROM result WHERE id=?", -1, &remove, NULL);
    /* SQLite allows deleting the row that a scan has just returned. */
    while (!code && (code = sqlite3_step(select)) == SQLITE_ROW) {
        code = SQLITE_OK;
        uint64_t point = (uint64_t)sqlite3_column_int64(select, 0);
        if (point < store->space.points && bit_test(kept, point))
            continue;
        sqlite3_bind_int64(remove, 1, (sqlite3_int64)point);
        if (sqlite3_step(remove) != SQLITE_DONE)
            code = SQLITE_ERROR;
        sqlite3_reset(remove);
    }
    if (code != SQLITE_DONE)
        status = store_failed(store, "remove a row", diagnostics);
    sqlite3_finalize(select);
    sqlite3_finalize(remove);
    return status;
}

/* Writes the chunks of the bitmap that changed since the last commit. */
static enum status write_chunks(struct store *store, struct diagnostics *diagnostics)
{
    struct summary *summary = store->summary;
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store->database, "INSERT OR REPLACE INTO done VALUES(?,?)", -1,
                           &statement, NULL))
        return store_failed(store, "write the summary", diagnostics);
    enum status status = STATUS_OK;
    for (uint64_t i = 0; i < summary->chunks && !status; i++) {
        if (!summary->dirty[i])
            continue;
        sqlite3_bind_int64(statement, 1, (sqlite3_int64)i);
        sqlite3_bind_blob(statement, 2, summary->done + i * CHUNK_BYTES, CHUNK_BYTES,
                          SQLITE_STATIC);
        if (sqlite3_step(statement) != SQLITE_DONE)
            status = store_failed(store, "write the summary", diagnostics);
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    if (!status)
        memset(summary->dirty, 0, summary->chunks);
    return status;
}

static enum status write_marginal(struct store *store, sqlite3_stmt *statement, size_t workload,
                                  size_t axis, size_t value, struct diagnostics *diagnostics)
{
    for (size_t c = 0; c < store->column_count; c++) {
        const struct marginal *marginal = store_marginal(store, workload, axis, value, c);
        const size_t key[] = {workload, axis, value, c};
        const double numbers[] = {marginal->sum, marginal->squares, marginal->min, marginal->max};
        for (int i = 0; i < 4; i++) {
            sqlite3_bind_int64(statement, 1 + i, (sqlite3_int64)key[i]);
            sqlite3_bind_double(statement, 6 + i, numbers[i]);
        }
        sqlite3_bind_int64(statement, 5, (sqlite3_int64)marginal->count);
        int code = marginal->count ? sqlite3_step(statement) : SQLITE_DONE;
        sqlite3_reset(statement);
        if (code != SQLITE_DONE)
            return store_failed(store, "write the summary", diagnostics);
    }
    return STATUS_OK;
}

enum status store_write_summary(struct store *store, struct diagnostics *diagnostics)
{
    const struct study *study = store->space.study;
    sqlite3_stmt *statement;
    enum status status = write_chunks(store, diagnostics);
    if (status)
        return status;
    if (sqlite3_prepare_v2(store->database,
                           "INSERT OR REPLACE INTO marginal VALUES(?,?,?,?,?,?,?,?,?)", -1,
                           &statement, NULL))
        return store_failed(store, "write the summary", diagnostics);
    for (size_t w = 0; w < study->workload_count; w++)
        for (size_t a = 0; a < study->axis_count; a++)
            for (size_t i = 0; i < study->axes[a].count && !status; i++)
                status = write_marginal(store, statement, w, a, i, diagnostics);
    sqlite3_finalize(statement);
    return status;
}
