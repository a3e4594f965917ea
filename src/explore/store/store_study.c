/* Writes the study into a store: everything that is needed to decode its points without the files
 * that the study came from (explore/store/store.h; docs/FORMATS.md, "The store"). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text_stream.h"
#include "config/machine_file.h"
#include "config/study_file.h"
#include "explore/store/store_file.h"

static const char schema_sql[] =
    "CREATE TABLE study(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
    "CREATE TABLE parameter(path TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
    "CREATE TABLE space(pos INTEGER PRIMARY KEY, name TEXT, values_json TEXT);"
    "CREATE TABLE trace(id INTEGER PRIMARY KEY, name TEXT, digest TEXT);"
    "CREATE TABLE condition(kind TEXT, pos INTEGER, text TEXT, line INTEGER);"
    "CREATE TABLE metric(pos INTEGER PRIMARY KEY, path TEXT, objective TEXT);";

/* Prepares a statement that writes a part of the study. */
static enum status study_prepare(struct store *store, const char *sql, sqlite3_stmt **statement,
                                 struct diagnostics *diagnostics)
{
    if (sqlite3_prepare_v2(store->database, sql, -1, statement, NULL))
        return store_failed(store, "read the study", diagnostics);
    return STATUS_OK;
}

static enum status step_write(struct store *store, sqlite3_stmt *statement,
                              struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    if (sqlite3_step(statement) != SQLITE_DONE)
        status = store_failed(store, "write the study", diagnostics);
    sqlite3_reset(statement);
    return status;
}

enum status store_write_value(struct store *store, const char *key, const char *value,
                              struct diagnostics *diagnostics)
{
    sqlite3_stmt *statement;
    enum status status =
        study_prepare(store, "INSERT OR REPLACE INTO study VALUES(?,?)", &statement, diagnostics);
    if (status)
        return status;
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, value, -1, SQLITE_STATIC);
    status = step_write(store, statement, diagnostics);
    sqlite3_finalize(statement);
    return status;
}

static enum status write_parameters(struct store *store, const struct machine *machine,
                                    struct diagnostics *diagnostics)
{
    sqlite3_stmt *statement;
    enum status status =
        study_prepare(store, "INSERT INTO parameter VALUES(?,?)", &statement, diagnostics);
    for (size_t i = 0; i < parameter_count && !status; i++) {
        char text[VALUE_TEXT];
        parameter_print(&parameters[i], parameter_get(&parameters[i], machine), text);
        sqlite3_bind_text(statement, 1, parameters[i].path, -1, SQLITE_STATIC);
        sqlite3_bind_text(statement, 2, text, -1, SQLITE_STATIC);
        status = step_write(store, statement, diagnostics);
    }
    sqlite3_finalize(statement);
    return status;
}

/* The values of an axis as a JSON array of texts. Printed values never need escaping. The caller
 * frees it. */
static char *axis_json(const struct axis *axis)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return NULL;
    for (size_t i = 0; i < axis->count; i++) {
        char text[VALUE_TEXT];
        fprintf(out, "%s\"%s\"", i ? ", " : "[",
                parameter_print(axis->parameter, axis->values[i], text));
    }
    fputc(']', out);
    return text_stream_take(&stream);
}

static enum status write_axes(struct store *store, const struct study *study,
                              struct diagnostics *diagnostics)
{
    sqlite3_stmt *statement;
    enum status status =
        study_prepare(store, "INSERT INTO space VALUES(?,?,?)", &statement, diagnostics);
    for (size_t a = 0; a < study->axis_count && !status; a++) {
        char *json = axis_json(&study->axes[a]);
        sqlite3_bind_int64(statement, 1, (sqlite3_int64)a);
        sqlite3_bind_text(statement, 2, study->axes[a].parameter->path, -1, SQLITE_STATIC);
        sqlite3_bind_text(statement, 3, json, -1, SQLITE_STATIC);
        status = json ? step_write(store, statement, diagnostics) : STATUS_MEMORY;
        free(json);
    }
    sqlite3_finalize(statement);
    return status;
}

static enum status write_traces(struct store *store, const struct study *study,
                                const char *const *digests, struct diagnostics *diagnostics)
{
    sqlite3_stmt *statement;
    enum status status =
        study_prepare(store, "INSERT INTO trace VALUES(?,?,?)", &statement, diagnostics);
    for (size_t i = 0; i < study->workload_count && !status; i++) {
        sqlite3_bind_int64(statement, 1, (sqlite3_int64)i);
        sqlite3_bind_text(statement, 2, study->workloads[i], -1, SQLITE_STATIC);
        sqlite3_bind_text(statement, 3, digests[i], -1, SQLITE_STATIC);
        status = step_write(store, statement, diagnostics);
    }
    sqlite3_finalize(statement);
    return status;
}

static enum status write_conditions(struct store *store, const char *kind,
                                    const struct condition *conditions, size_t count,
                                    struct diagnostics *diagnostics)
{
    sqlite3_stmt *statement;
    enum status status =
        study_prepare(store, "INSERT INTO condition VALUES(?,?,?,?)", &statement, diagnostics);
    for (size_t i = 0; i < count && !status; i++) {
        sqlite3_bind_text(statement, 1, kind, -1, SQLITE_STATIC);
        sqlite3_bind_int64(statement, 2, (sqlite3_int64)i);
        sqlite3_bind_text(statement, 3, conditions[i].text, -1, SQLITE_STATIC);
        sqlite3_bind_int64(statement, 4, conditions[i].line);
        status = step_write(store, statement, diagnostics);
    }
    sqlite3_finalize(statement);
    return status;
}

static const char *const direction_words[] = {"lower", "higher", NULL};

static const char *objective_word(const struct study *study, const struct metric *metric)
{
    for (size_t i = 0; i < study->objective_count; i++)
        if (study->objectives[i].metric == metric)
            return direction_words[study->objectives[i].direction];
    return NULL;
}

static enum status write_metrics(struct store *store, const struct study *study,
                                 struct diagnostics *diagnostics)
{
    sqlite3_stmt *statement;
    enum status status = study_prepare(store, "INSERT OR REPLACE INTO metric VALUES(?,?,?)",
                                       &statement, diagnostics);
    for (size_t i = 0; i < store->column_count && !status; i++) {
        sqlite3_bind_int64(statement, 1, (sqlite3_int64)i);
        sqlite3_bind_text(statement, 2, store->columns[i]->path, -1, SQLITE_STATIC);
        sqlite3_bind_text(statement, 3, objective_word(study, store->columns[i]), -1,
                          SQLITE_STATIC);
        status = step_write(store, statement, diagnostics);
    }
    sqlite3_finalize(statement);
    return status;
}

static enum status create_result(struct store *store, struct diagnostics *diagnostics)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return STATUS_MEMORY;
    fprintf(out, "CREATE TABLE result(id INTEGER PRIMARY KEY");
    for (size_t i = 0; i < store->column_count; i++)
        fprintf(out, ", \"%s\" REAL", store->columns[i]->path);
    fprintf(out, ", row_hash INTEGER)");
    char *sql = text_stream_take(&stream);
    enum status status =
        sql ? store_execute(store, sql, "create the table", diagnostics) : STATUS_MEMORY;
    free(sql);
    return status;
}

/* A hash of everything that gives point indices their meaning. */
static uint64_t space_hash(const struct study *study)
{
    XXH64_hash_t hash = machine_hash(&study->machine, ~0u);
    for (size_t a = 0; a < study->axis_count; a++) {
        const struct axis *axis = &study->axes[a];
        hash = XXH64(axis->parameter->path, strlen(axis->parameter->path), hash);
        for (size_t i = 0; i < axis->count; i++) {
            char text[VALUE_TEXT];
            parameter_print(axis->parameter, axis->values[i], text);
            hash = XXH64(text, strlen(text) + 1, hash);
        }
    }
    for (size_t i = 0; i < study->where_count; i++)
        hash = XXH64(study->where[i].text, strlen(study->where[i].text) + 1, hash);
    return hash;
}

/* The YAML is for people who want the study back; this program reads the tables. */
static enum status write_yaml(struct store *store, const struct study *study,
                              struct diagnostics *diagnostics)
{
    char *yaml = NULL;
    enum status status = study_to_yaml(study, &yaml);
    if (status == STATUS_INVALID)
        diagnostics_error(diagnostics, status,
                          "%s: a store keeps the study as YAML, and the name of the study or of a "
                          "workload is not UTF-8",
                          store->path);
    if (!status)
        status = store_write_value(store, "study_yaml", yaml, diagnostics);
    free(yaml);
    yaml = NULL;
    if (!status)
        status = machine_to_yaml(&study->machine, study->machine_name, &yaml);
    if (!status)
        status = store_write_value(store, "machine_yaml", yaml, diagnostics);
    free(yaml);
    return status;
}

/* "path: value" lines; none if the study has no baseline. */
static enum status write_baseline(struct store *store, const struct study *study,
                                  struct diagnostics *diagnostics)
{
    struct text_stream stream;
    char *text, value[VALUE_TEXT];
    if (!study->baseline_count)
        return STATUS_OK;
    FILE *out = text_stream_open(&stream);
    for (size_t i = 0; out && i < study->baseline_count; i++)
        fprintf(out, "%s: %s\n", study->baseline[i].parameter->path,
                parameter_print(study->baseline[i].parameter, study->baseline[i].value, value));
    enum status status = text_stream_finish(&stream, STATUS_OK, &text);
    if (!status)
        status = store_write_value(store, "baseline", text, diagnostics);
    free(text);
    return status;
}

static enum status write_provenance(struct store *store, const struct study *study,
                                    struct diagnostics *diagnostics)
{
    char hash[17], evaluator[16], seed[24], created[32] = "";
    time_t now = time(NULL);
    struct tm calendar;
    snprintf(hash, sizeof hash, "%016" PRIx64, space_hash(study));
    snprintf(evaluator, sizeof evaluator, "%d", EVALUATOR_VERSION);
    snprintf(seed, sizeof seed, "%" PRIu64, study->seed);
    if (gmtime_r(&now, &calendar))
        strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", &calendar);
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    const char *const values[][2] = {
        {"host", host},
        {"name", study->name},
        {"path", study->path},
        {"seed", seed},
        {"machine_name", study->machine_name},
        {"space_hash", hash},
        {"tool_version", WARPSCAPE_VERSION},
        {"created", created},
        {"evaluator_version", evaluator},
        {"depth", depth_name(study->depth)},
        {"assume", assumed_table[study->assumed].name},
    };
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof values / sizeof *values && !status; i++)
        status = store_write_value(store, values[i][0], values[i][1], diagnostics);
    status = status ? status : write_baseline(store, study, diagnostics);
    return status ? status : write_yaml(store, study, diagnostics);
}

/* One transaction writes everything, so a file is either empty or holds a whole study. */
enum status store_write_study(struct store *store, const struct study *study,
                              const char *const *digests, struct diagnostics *diagnostics)
{
    char identity[128];
    snprintf(identity, sizeof identity, "PRAGMA application_id=%d; PRAGMA user_version=%d",
             STORE_APPLICATION, STORE_SCHEMA);
    enum status status = store_execute(store, "BEGIN IMMEDIATE", "begin", diagnostics);
    if (status)
        return status;
    status = store_execute(store, identity, "name the file", diagnostics);
    if (!status)
        status = store_execute(store, schema_sql, "create the tables", diagnostics);
    if (!status)
        status = create_result(store, diagnostics);
    if (!status)
        status = write_provenance(store, study, diagnostics);
    if (!status)
        status = write_parameters(store, &study->machine, diagnostics);
    if (!status)
        status = write_axes(store, study, diagnostics);
    if (!status)
        status = write_traces(store, study, digests, diagnostics);
    if (!status)
        status = write_conditions(store, "where", study->where, study->where_count, diagnostics);
    if (!status)
        status =
            write_conditions(store, "filter", study->filters, study->filter_count, diagnostics);
    if (!status)
        status = write_metrics(store, study, diagnostics);
    store->hashed = true;
    if (!status)
        status = store_seal_study(store, diagnostics);
    if (status) {
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
        return status;
    }
    return store_execute(store, "COMMIT", "commit", diagnostics);
}

/* The share of a new store is sealed with its study in one transaction, so a killed program leaves
 * no store of which nobody knows which points it is to hold. */
enum status store_write_share(struct store *store, bool created,
                              const struct store_options *options, struct diagnostics *diagnostics)
{
    char share[32] = "";
    if (options->shards)
        snprintf(share, sizeof share, "%u/%u", options->shard, options->shards);
    enum status status =
        store_execute(store, "CREATE TABLE IF NOT EXISTS event(t REAL, kind TEXT, text TEXT)",
                      "create the table of events", diagnostics);
    if (status)
        return status;
    if (created && *share) {
        status = store_execute(store, "BEGIN IMMEDIATE", "begin", diagnostics);
        if (!status)
            status = store_write_value(store, "shard", share, diagnostics);
        if (!status)
            status = store_seal_study(store, diagnostics);
        return status ? status : store_execute(store, "COMMIT", "commit", diagnostics);
    }
    if (created)
        return STATUS_OK;
    char *kept;
    status = store_provenance(store, "shard", &kept, diagnostics);
    if (!status && strcmp(kept ? kept : "", share) != 0)
        status = diagnostics_error(
            diagnostics, STATUS_CONFLICT, "%s holds %s%s of the study, not %s%s", store->path,
            kept ? "shard " : "all", kept ? kept : "", *share ? "shard " : "all of it", share);
    free(kept);
    return status;
}

enum status store_event(struct store *store, const char *kind, const char *text,
                        struct diagnostics *diagnostics)
{
    sqlite3_stmt *statement;
    enum status status =
        study_prepare(store, "INSERT INTO event VALUES(?,?,?)", &statement, diagnostics);
    if (status)
        return status;
    sqlite3_bind_double(statement, 1, clock_date());
    sqlite3_bind_text(statement, 2, kind, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 3, text, -1, SQLITE_STATIC);
    status = step_write(store, statement, diagnostics);
    sqlite3_finalize(statement);
    if (sqlite3_get_autocommit(store->database))
        store_remember_file(store);
    return status;
}

enum status store_update_study(struct store *store, const struct study *study,
                               struct diagnostics *diagnostics)
{
    enum status status = store_execute(
        store, "BEGIN IMMEDIATE; DELETE FROM condition WHERE kind='filter'", "begin", diagnostics);
    if (!status)
        status =
            write_conditions(store, "filter", study->filters, study->filter_count, diagnostics);
    if (!status)
        status = write_metrics(store, study, diagnostics);
    if (!status)
        status = write_yaml(store, study, diagnostics);
    if (!status)
        status = store_seal_study(store, diagnostics);
    if (status) {
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
        return status;
    }
    return store_execute(store, "COMMIT", "commit", diagnostics);
}
