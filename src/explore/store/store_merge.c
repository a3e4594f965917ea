#include "explore/store/store_merge.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text_stream.h"
#include "explore/store/store_file.h"
#include "explore/store/summary_merge.h"

/* How many points with conflicting values to list. */
enum { CONFLICTS_LISTED = 5 };

/* Checks that the store `path` may be merged with this study and these digests. Sets *summary if it
 * is a summary, and leaves it alone otherwise. */
static enum status check_input(const char *path, const struct study *study,
                               const char *const *digests, bool *summary,
                               struct diagnostics *diagnostics)
{
    struct store *store;
    const struct study *kept;
    enum status status = store_open(path, &store, &kept, diagnostics);
    if (!status)
        status = store_compare(store, kept, study, digests, diagnostics);
    if (!status && summary)
        *summary = *summary || store_is_summary(store);
    store_close(store);
    return status;
}

static enum status read_digests(struct store *store, const struct study *study, char ***digests,
                                struct diagnostics *diagnostics)
{
    *digests = calloc(study->workload_count + 1, sizeof **digests);
    enum status status = *digests ? STATUS_OK : STATUS_MEMORY;
    for (size_t w = 0; w < study->workload_count && !status; w++) {
        status = store_digest(store, w, &(*digests)[w], diagnostics);
        if (!status && !(*digests)[w])
            status = diagnostics_error(diagnostics, STATUS_CORRUPT, "%s: workload %s has no digest",
                                       store->path, study->workloads[w]);
    }
    return status;
}

static void free_digests(char **digests)
{
    for (size_t i = 0; digests && digests[i]; i++)
        free(digests[i]);
    free(digests);
}

static bool same_file(const char *a, const char *b)
{
    struct stat left, right;
    return !stat(a, &left) && !stat(b, &right) && left.st_dev == right.st_dev &&
           left.st_ino == right.st_ino;
}

static enum status attach(struct store *store, const char *path, struct diagnostics *diagnostics)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store->database, "ATTACH ? AS part", -1, &statement, NULL))
        return store_failed(store, path, diagnostics);
    sqlite3_bind_text(statement, 1, path, -1, SQLITE_STATIC);
    enum status status = STATUS_OK;
    if (sqlite3_step(statement) != SQLITE_DONE)
        status = store_failed(store, path, diagnostics);
    sqlite3_finalize(statement);
    return status;
}

static void report_conflict(struct store *store, const char *path, sqlite3_stmt *row,
                            struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < store->column_count; i++) {
        int old = 1 + 2 * (int)i;
        double values[2];
        char texts[2][QUANTITY_TEXT];
        for (int k = 0; k < 2; k++) {
            bool missing = sqlite3_column_type(row, old + k) == SQLITE_NULL;
            values[k] = missing ? NAN : sqlite3_column_double(row, old + k);
            quantity_print_real(values[k], UNIT_NONE, texts[k]);
        }
        if (values[0] == values[1] || (isnan(values[0]) && isnan(values[1])))
            continue;
        diagnostics_error(diagnostics, STATUS_CONFLICT,
                          "point %" PRId64 ": %s is %s in %s and %s in %s",
                          (int64_t)sqlite3_column_int64(row, 0), store->columns[i]->path, texts[0],
                          store->path, texts[1], path);
    }
}

/* SQL that selects the rows that both files have with different values. The caller frees it. */
static char *conflict_sql(const struct store *store)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return NULL;
    fprintf(out, "SELECT p.id");
    for (size_t i = 0; i < store->column_count; i++)
        fprintf(out, ", r.\"%s\", p.\"%s\"", store->columns[i]->path, store->columns[i]->path);
    fprintf(out, " FROM part.result p CROSS JOIN main.result r ON r.id = p.id WHERE 0");
    for (size_t i = 0; i < store->column_count; i++)
        fprintf(out, " OR r.\"%s\" IS NOT p.\"%s\"", store->columns[i]->path,
                store->columns[i]->path);
    fprintf(out, " ORDER BY p.id LIMIT %d", CONFLICTS_LISTED);
    return text_stream_take(&stream);
}

static enum status check_conflicts(struct store *store, const char *path,
                                   struct diagnostics *diagnostics)
{
    char *sql = conflict_sql(store);
    sqlite3_stmt *statement;
    if (!sql)
        return STATUS_MEMORY;
    int code = sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL);
    free(sql);
    if (code)
        return store_failed(store, path, diagnostics);
    enum status status = STATUS_OK;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        report_conflict(store, path, statement, diagnostics);
        status = STATUS_CONFLICT;
    }
    if (!status && code != SQLITE_DONE)
        status = store_failed(store, path, diagnostics);
    sqlite3_finalize(statement);
    if (status == STATUS_CONFLICT)
        diagnostics_add(diagnostics, SEVERITY_NOTE, NULL,
                        "the same machine on the same workload must give the same numbers; nothing "
                        "of %s was taken",
                        path);
    return status;
}

/* Runs SQL that returns one number. */
static enum status store_merge_ask(struct store *store, const char *sql, const char *path,
                                   int64_t *answer, struct diagnostics *diagnostics)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL))
        return store_failed(store, path, diagnostics);
    enum status status = STATUS_OK;
    if (sqlite3_step(statement) != SQLITE_ROW)
        status = store_failed(store, path, diagnostics);
    else
        *answer = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return status;
}

static enum status check_range(struct store *store, const char *path,
                               struct diagnostics *diagnostics)
{
    int64_t low = 0, high = 0;
    enum status status = store_merge_ask(store, "SELECT ifnull(min(id), 0) FROM part.result", path,
                                         &low, diagnostics);
    if (!status)
        status = store_merge_ask(store, "SELECT ifnull(max(id), 0) FROM part.result", path, &high,
                                 diagnostics);
    if (!status && (low < 0 || (uint64_t)high >= store->space.points))
        status = diagnostics_error(diagnostics, STATUS_CORRUPT,
                                   "%s: point %" PRId64 " is outside of the space", path,
                                   low < 0 ? low : high);
    return status;
}

/* Copies the missing rows. Names the columns, because the other file may list them in another
 * order. */
static enum status insert_rows(struct store *store, const char *path,
                               struct diagnostics *diagnostics)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return STATUS_MEMORY;
    fprintf(out, "INSERT OR IGNORE INTO main.result SELECT id");
    for (size_t i = 0; i < store->column_count; i++)
        fprintf(out, ", \"%s\"", store->columns[i]->path);
    if (store->hashed) /* the other file's hash is over another order, or there is none */
        fprintf(out, ", NULL");
    fprintf(out, " FROM part.result ORDER BY id");
    char *sql = text_stream_take(&stream);
    enum status status = sql ? store_execute(store, sql, path, diagnostics) : STATUS_MEMORY;
    free(sql);
    return status;
}

/* Merges within one transaction over both files. SQLite compares and copies the rows, so no row
 * passes through this program. */
static enum status take_attached(struct store *store, const char *path, struct merge_result *result,
                                 struct diagnostics *diagnostics)
{
    int64_t before = 0, offered = 0;
    enum status status = store_execute(store, "BEGIN IMMEDIATE", "begin", diagnostics);
    if (status)
        return status;
    status = check_range(store, path, diagnostics);
    if (!status)
        status =
            store_merge_ask(store, "SELECT count(*) FROM main.result", path, &before, diagnostics);
    if (!status)
        status =
            store_merge_ask(store, "SELECT count(*) FROM part.result", path, &offered, diagnostics);
    if (!status && before)
        status = check_conflicts(store, path, diagnostics);
    if (!status)
        status = insert_rows(store, path, diagnostics);
    uint64_t added = status ? 0 : (uint64_t)sqlite3_changes64(store->database);
    store->rows += added;
    if (!status && store->hashed)
        status = store_hash_rows(store, diagnostics);
    if (!status)
        status = store_seal_rows(store, diagnostics);
    if (!status && added)
        status = store_event(store, "merge", path, diagnostics);
    if (!status)
        status = store_execute(store, "COMMIT", "commit", diagnostics);
    if (status) {
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
        return status;
    }
    result->points = (uint64_t)before + added;
    result->added += added;
    result->equal += (uint64_t)offered - added;
    return STATUS_OK;
}

enum status store_take(struct store *store, const char *input, struct merge_result *result,
                       struct diagnostics *diagnostics)
{
    char **digests = NULL;
    bool summary = false;
    enum status status = read_digests(store, store->space.study, &digests, diagnostics);
    if (!status)
        status = check_input(input, store->space.study, (const char *const *)digests, &summary,
                             diagnostics);
    free_digests(digests);
    if (!status && store->summary)
        return summary_merge(store, &input, 1, result, diagnostics);
    if (!status && summary)
        status = diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                   "%s is a summary: it has no row for each point to put into %s",
                                   input, store->path);
    if (!status)
        status = attach(store, input, diagnostics);
    if (status)
        return status;
    status = take_attached(store, input, result, diagnostics);
    sqlite3_exec(store->database, "DETACH part", NULL, NULL, NULL);
    return status;
}

/* Checks all inputs against the first one's study, before the target is touched. */
static enum status check_inputs(const char *target, const char *const *inputs, size_t count,
                                const struct study *study, const char *const *digests,
                                bool *summary, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count; i++) {
        enum status found = STATUS_OK;
        if (same_file(target, inputs[i]))
            found = diagnostics_error(diagnostics, STATUS_INVALID,
                                      "%s is the target and an input too", target);
        else
            found = check_input(inputs[i], study, digests, summary, diagnostics);
        status = status ? status : found;
    }
    return status;
}

/* All inputs are checked before the target is made, so that a merge that is refused leaves no file
 * behind. The first input decides what the study is. */
enum status store_merge(const char *target, const char *const *inputs, size_t count,
                        struct merge_result *result, struct diagnostics *diagnostics)
{
    struct store *first = NULL, *store = NULL;
    const struct study *study;
    char **digests = NULL;
    struct store_options how = {0};
    *result = (struct merge_result){0};
    enum status status = store_open(inputs[0], &first, &study, diagnostics);
    if (!status)
        status = read_digests(first, study, &digests, diagnostics);
    if (!status)
        status = check_inputs(target, inputs, count, study, (const char *const *)digests,
                              &how.summary, diagnostics);
    if (!status)
        status = store_create_with(target, &first->space, (const char *const *)digests, &how,
                                   &store, diagnostics);
    if (!status && store->summary)
        status = summary_merge(store, inputs, count, result, diagnostics);
    for (size_t i = 0; i < count && !status && !store->summary; i++)
        status = store_take(store, inputs[i], result, diagnostics);
    store_close(store);
    store_close(first);
    free_digests(digests);
    return status;
}
