/* Values in the tables of a store that nobody of ours wrote, or bytes changed anywhere in its file:
 * an error or answers, never a crash. Built by `./dev fuzz`.
 *
 * An input is a byte that chooses the store and how it is changed (`enum first_bits`), then
 * changes: of a cell 4 bytes (table, column, row, kind), a length and as many bytes; of the file 3
 * bytes (offset, offset, exclusive or). */
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/study_file.h"
#include "explore/results/pareto.h"
#include "explore/store/importance.h"
#include "explore/store/store.h"
#include "support/temporary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *count, char ***values);

enum { STORE_BYTES = 1 << 20, CHANGES_MAX = 6 };
enum first_bits { BIT_SUMMARY = 1, BIT_FILE = 2 };

static const char study_text[] = "machine: gtx480\n"
                                 "workloads: [GEMM, ATAX]\n"
                                 "axes:\n"
                                 "  l1d.size: [16KiB, 48KiB]\n"
                                 "  l1d.replacement: [lru, fifo]\n"
                                 "where: [l1d.size > 1KiB]\n"
                                 "filters: [l2.misses < 90]\n"
                                 "objectives: [l1d.misses, total.area]\n";

static const char *const digests[] = {"00112233", "44556677"};

static char folder[TEMPORARY_PATH], path[TEMPORARY_PATH];
static unsigned char templates[2][STORE_BYTES];
static size_t template_sizes[2];

static void must(bool holds)
{
    if (!holds)
        abort();
}

/* A store of every point; without it in write-ahead mode, which would be a second file. */
static void make_template(int summary)
{
    struct document *document;
    struct study study;
    struct space space;
    struct store *store;
    const struct store_options options = {.durable = true, .summary = summary};
    must(!document_parse(study_text, strlen(study_text), "study", &document, NULL));
    must(!study_from_document(document, NULL, &study, NULL));
    must(!space_open(&study, &space, NULL));
    remove(path);
    must(!store_create_with(path, &space, digests, &options, &store, NULL));
    for (uint64_t point = 0; point < space.points; point++) {
        struct metrics metrics;
        metrics_clear(&metrics);
        metrics.l1d_misses = (double)(point * 7 % 5);
        metrics.total_area = (double)(point * 3 % 4);
        if (summary)
            must(!store_put_summary(store, point, &metrics, point % 3, NULL));
        else
            must(!store_put(store, point, &metrics, NULL));
    }
    must(!store_event(store, "start", "text", NULL));
    store_close(store);
    study_free(&study);
    document_free(document);
    FILE *file = fopen(path, "rb");
    must(file);
    template_sizes[summary] = fread(templates[summary], 1, STORE_BYTES, file);
    must(template_sizes[summary] && template_sizes[summary] < STORE_BYTES);
    fclose(file);
}

static void clean_up(void)
{
    temporary_remove(folder);
}

int LLVMFuzzerInitialize(int *count, char ***values)
{
    (void)count, (void)values;
    temporary_create(folder);
    temporary_path(folder, "store.db", path);
    atexit(clean_up);
    make_template(0);
    make_template(1);
    return 0;
}

static void write_store(const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    must(file && fwrite(bytes, 1, size, file) == size && !fclose(file));
}

static void change_file(int summary, const uint8_t *data, size_t size)
{
    static unsigned char bytes[STORE_BYTES];
    size_t length = template_sizes[summary];
    memcpy(bytes, templates[summary], length);
    for (size_t i = 0; i + 3 <= size && i < 3 * 64; i += 3)
        bytes[(data[i] | (size_t)data[i + 1] << 8) * length >> 16] ^= data[i + 2];
    write_store(bytes, length);
}

static void bind(sqlite3_stmt *statement, unsigned kind, const uint8_t *bytes, size_t size)
{
    int64_t number = 0;
    memcpy(&number, bytes, size < sizeof number ? size : sizeof number);
    if (kind % 4 == 0)
        sqlite3_bind_text(statement, 1, (const char *)bytes, (int)size, SQLITE_STATIC);
    else if (kind % 4 == 1)
        sqlite3_bind_blob(statement, 1, bytes, (int)size, SQLITE_STATIC);
    else if (kind % 4 == 2)
        sqlite3_bind_int64(statement, 1, number);
    else
        sqlite3_bind_double(statement, 1, 1.0 / (double)number);
}

/* Sets one cell; a change that breaks a constraint of the table does nothing. */
static void change_cell(sqlite3 *database, const uint8_t change[4], const uint8_t *bytes,
                        size_t size)
{
    static const struct {
        const char *table, *order, *columns[9];
    } tables[] = {
        {"study", "key", {"key", "value"}},
        {"parameter", "path", {"path", "value"}},
        {"space", "pos", {"pos", "name", "values_json"}},
        {"trace", "id", {"id", "name", "digest"}},
        {"condition", "pos", {"kind", "pos", "text", "line"}},
        {"metric", "pos", {"pos", "path", "objective"}},
        {"event", "t", {"t", "kind", "text"}},
        {"result", "id", {"id", "l1d.misses", "total.area"}},
        {"done", "chunk", {"chunk", "bits"}},
        {"marginal",
         "axis",
         {"workload", "axis", "value", "metric", "count", "sum", "squares", "min", "max"}},
    };
    size_t table = change[0] % (sizeof tables / sizeof *tables), columns = 0;
    while (columns < 9 && tables[table].columns[columns])
        columns++;
    const char *name = tables[table].table, *order = tables[table].order;
    char sql[256];
    snprintf(sql, sizeof sql,
             "UPDATE %s SET \"%s\" = ? WHERE %s = (SELECT %s FROM %s ORDER BY %s LIMIT 1 OFFSET "
             "%u)",
             name, tables[table].columns[change[1] % columns], order, order, name, order,
             (unsigned)change[2]);
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL))
        return; /* a store of rows has no marginals */
    bind(statement, change[3], bytes, size);
    sqlite3_step(statement);
    sqlite3_finalize(statement);
}

static void change_cells(int summary, const uint8_t *data, size_t size)
{
    sqlite3 *database;
    write_store(templates[summary], template_sizes[summary]);
    must(!sqlite3_open(path, &database));
    sqlite3_exec(database, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY", NULL, NULL,
                 NULL);
    for (int i = 0; i < CHANGES_MAX && size >= 5; i++) {
        size_t length = data[4] < size - 5 ? data[4] : size - 5;
        change_cell(database, data, data + 5, length);
        data += 5 + length;
        size -= 5 + length;
    }
    sqlite3_close(database);
}

static enum status count_row(void *argument, const struct store_row *row)
{
    *(double *)argument += row->values[0];
    return STATUS_OK;
}

static enum status count_event(void *argument, double time, const char *kind, const char *text)
{
    *(double *)argument += time + (double)strlen(kind) + (double)strlen(text);
    return STATUS_OK;
}

/* What `show`, `importance` and `report` ask. */
static void read_store(struct diagnostics *diagnostics)
{
    struct store *store;
    const struct study *study;
    double sum = 0;
    if (store_open(path, &store, &study, diagnostics))
        return;
    const struct query queries[] = {{.sort = "l1d.misses"},
                                    {.front = true, .where = "l1d.size > 4"},
                                    {.front = true, .across = AGGREGATE_GEOMEAN},
                                    {.eligible = true, .best_first = true, .limit = 3}};
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        store_query(store, &queries[i], count_row, &sum, diagnostics);
    store_events(store, count_event, &sum, diagnostics);
    uint64_t count;
    store_count(store, &count, diagnostics);
    struct importance importance;
    if (!importance_compute(store, metric_find("l1d.misses"), NULL, &importance, diagnostics))
        importance_free(&importance);
    if (!importance_within(store, metric_find("l1d.misses"), NULL, &importance, diagnostics))
        importance_free(&importance);
    char *text;
    (void)store_provenance(store, "study_yaml", &text);
    free(text);
    (void)store_digest(store, 0, &text);
    free(text);
    store_close(store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    if (!size)
        return 0;
    ((data[0] & BIT_FILE) ? change_file : change_cells)(data[0] & BIT_SUMMARY, data + 1, size - 1);
    read_store(&diagnostics);
    diagnostics_free(&diagnostics);
    return 0;
}
