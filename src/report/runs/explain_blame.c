#include "report/runs/explain_blame.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "report/drawing/number.h"
#include "report/runs/explain_ladder.h"
#include "schema/stages.h"

enum { BLAME_NAME = 128, BLAME_SHOWN = 6 /* arrays in a matrix for people */ };

static const char *const table_words[] = {
#define BLAME_WORD(id, word, what) word,
    BLAME_LIST(BLAME_WORD)
#undef BLAME_WORD
};

static const char *cache_name(const struct blame_cache *cache)
{
    return stage_info(cache->stage)->name;
}

static const char *array_name(const struct blame *blame, uint64_t key)
{
    return key < blame->array_count ? blame->arrays[key].name : "(none)";
}

static const char *kernel_name(const struct blame *blame, uint64_t launch)
{
    const char *name = blame->launches[launch].name;
    return name ? name : "";
}

/* "0x40 load gemm", or "0x40 load gemm, line 12" where the trace has lines of the source. */
static void instruction_name(const struct blame *blame, struct blame_pc pc, char text[BLAME_NAME])
{
    const uint32_t line = blame_line(blame, pc);
    char where[24] = "";
    if (line)
        snprintf(where, sizeof where, ", line %" PRIu32, line);
    snprintf(text, BLAME_NAME, "0x%" PRIx32 " %s %.80s%s", pc.pc, op_names[pc.op],
             kernel_name(blame, pc.launch), where);
}

/* What a row is: "A", "0x40 load gemm", "0 gemm", "17". Returns `text`. */
static const char *row_name(const struct blame *blame, enum blame_table_kind kind, uint64_t key,
                            char text[BLAME_NAME])
{
    const struct blame_pc pc = blame_pc_of(key);
    if (kind == BLAME_ARRAYS)
        snprintf(text, BLAME_NAME, "%s", array_name(blame, key));
    else if (kind == BLAME_INSTRUCTIONS && pc.op == BLAME_WALK)
        snprintf(text, BLAME_NAME, "page walks %s", kernel_name(blame, pc.launch));
    else if (kind == BLAME_INSTRUCTIONS)
        instruction_name(blame, pc, text);
    else if (kind == BLAME_LAUNCHES)
        snprintf(text, BLAME_NAME, "%" PRIu64 " %s",
                 launch_number(&blame->launches[key], (uint32_t)key), kernel_name(blame, key));
    else
        snprintf(text, BLAME_NAME, "%" PRIu64, key);
    return text;
}

/* ---- for people ---- */

static void add_short(struct table *table, uint64_t count, enum unit unit)
{
    char text[QUANTITY_TEXT];
    table_number(table, (double)count, quantity_print_short((double)count, unit, 3, text));
}

/* Classes of misses: the column, and the count. */
static const struct {
    const char *header;
    size_t count;
} blame_classes[] = {{">first", offsetof(struct cache_counts, compulsory)},
                     {">flush", offsetof(struct cache_counts, flush)},
                     {">store", offsetof(struct cache_counts, store)},
                     {">capac", offsetof(struct cache_counts, capacity)},
                     {">confl", offsetof(struct cache_counts, conflict)}};
enum { BLAME_CLASSES = sizeof blame_classes / sizeof *blame_classes };

static uint64_t class_count(const struct cache_counts *counts, size_t number)
{
    uint64_t count;
    memcpy(&count, (const char *)counts + blame_classes[number].count, sizeof count);
    return count;
}

/* Whether a table shows a class: not one without misses, and none where names of instructions and
 * launches need the room. */
static bool has_class(const struct blame_cache *cache, enum blame_table_kind kind, size_t number)
{
    return (kind == BLAME_ARRAYS || kind == BLAME_SETS) &&
           class_count(&cache->total.counts, number) > 0;
}

static bool has_waits(const struct blaming *blaming, const struct blame_cache *cache,
                      enum blame_table_kind kind)
{
    return kind == BLAME_INSTRUCTIONS && cache->stage == STAGE_L1D && blaming->waits.count;
}

static bool has_gains(const struct blaming *blaming, const struct blame_cache *cache,
                      enum blame_table_kind kind)
{
    return kind == BLAME_INSTRUCTIONS && cache->stage == STAGE_L1D && blaming->pc_count;
}

static void blame_add_row(struct table *table, const struct blaming *blaming,
                          const struct blame_cache *cache, enum blame_table_kind kind,
                          const struct blame_row *row, double noise)
{
    const struct cache_counts *counts = &row->counts;
    char name[BLAME_NAME], cycles[QUANTITY_TEXT];
    add_short(table, row->requests, UNIT_NONE);
    add_short(table, counts->misses, UNIT_NONE);
    for (size_t i = 0; i < BLAME_CLASSES; i++)
        if (has_class(cache, kind, i))
            add_short(table, class_count(counts, i), UNIT_NONE);
    add_short(table, row->evictions, UNIT_NONE);
    add_short(table, counts->read_bytes, UNIT_BYTES);
    add_short(table, counts->write_bytes, UNIT_BYTES);
    if (has_waits(blaming, cache, kind)) {
        const double waited = blaming_waited(blaming, row->key);
        table_number(table, waited,
                     isnan(waited) ? NULL : quantity_print_short(waited, UNIT_NONE, 3, cycles));
    }
    if (has_gains(blaming, cache, kind))
        explain_add_gain(table, blaming_pc_gain(blaming, row->key), noise);
    table_text(table, row_name(&blaming->blame, kind, row->key, name));
}

static void print_rows(const struct blaming *blaming, const struct blame_cache *cache,
                       enum blame_table_kind kind, double noise, uint64_t limit, struct page *page)
{
    const struct blame_table *rows = &cache->tables[kind];
    const char *headers[BLAME_CLASSES + 9] = {">asked", ">missed"};
    size_t columns = 2;
    for (size_t i = 0; i < BLAME_CLASSES; i++)
        if (has_class(cache, kind, i))
            headers[columns++] = blame_classes[i].header;
    headers[columns++] = ">evicts";
    headers[columns++] = ">in";
    headers[columns++] = ">out";
    if (has_waits(blaming, cache, kind))
        headers[columns++] = ">waits";
    if (has_gains(blaming, cache, kind))
        headers[columns++] = ">hits %";
    headers[columns] = table_words[kind];
    const size_t most = explain_rows(rows->count, limit);
    char heading[64];
    if (!rows->count)
        return;
    struct table *table = table_create(headers);
    for (size_t i = 0; i < most && table; i++)
        blame_add_row(table, blaming, cache, kind, &rows->rows[i], noise);
    snprintf(heading, sizeof heading, "%s by %s", stage_info(cache->stage)->label,
             table_words[kind]);
    page_heading(page, 2, heading);
    explain_finish(table, rows->count - most, "with fewer misses", page);
}

/* Who evicts whom among the arrays that had to leave most. */
static void print_matrix(const struct blaming *blaming, const struct blame_cache *cache,
                         struct page *page)
{
    const struct blame *blame = &blaming->blame;
    const struct blame_table *arrays = &cache->tables[BLAME_ARRAYS];
    const size_t shown = explain_rows(arrays->count, BLAME_SHOWN);
    const char *headers[BLAME_SHOWN + 2] = {"evicts"};
    char cells[BLAME_SHOWN][BLAME_NAME], heading[64];
    if (!cache->total.evictions)
        return;
    for (size_t i = 0; i < shown; i++) {
        snprintf(cells[i], BLAME_NAME, ">%s", array_name(blame, arrays->rows[i].key));
        headers[i + 1] = cells[i];
    }
    struct table *table = table_create(headers);
    for (size_t by = 0; by < shown && table; by++) {
        table_text(table, array_name(blame, arrays->rows[by].key));
        for (size_t of = 0; of < shown; of++)
            add_short(table,
                      blame_evictions(blame, cache, arrays->rows[by].key, arrays->rows[of].key),
                      UNIT_NONE);
    }
    snprintf(heading, sizeof heading, "%s: lines that a row makes leave, by whose they are",
             stage_info(cache->stage)->label);
    page_heading(page, 2, heading);
    explain_finish(table, arrays->count - shown, "with fewer misses", page);
}

static void print_gains(const struct blaming *blaming, const struct metric *metric, double noise,
                        struct page *page)
{
    const char *headers[ARRAY_CHANGES + 2];
    char cells[ARRAY_CHANGES][32];
    for (int i = 0; i < ARRAY_CHANGES; i++) {
        snprintf(cells[i], sizeof cells[i], ">%s %%", array_change_words[i]);
        headers[i] = cells[i];
    }
    headers[ARRAY_CHANGES] = "array";
    headers[ARRAY_CHANGES + 1] = NULL;
    struct table *table = table_create(headers);
    char heading[160];
    for (size_t i = 0; i < blaming->array_count && table; i++) {
        for (int k = 0; k < ARRAY_CHANGES; k++)
            explain_add_gain(table, blaming->gains[i].gains[k], noise);
        table_text(table, blaming->arrays[i].name);
    }
    snprintf(heading, sizeof heading,
             "%s: what an array %s that hits, skips the L1D, or begins further on", metric->path,
             metric_gain_verb(metric));
    page_heading(page, 2, heading);
    explain_finish(table, 0, "", page);
}

void explain_blame_print(const struct blaming *blaming, const struct metric *metric, double noise,
                         uint64_t limit, struct page *page)
{
    const struct blame *blame = &blaming->blame;
    page_heading(page, 2, "Who is to blame, as the functional depth counts");
    page_paragraph(
        page, "asked: requests; missed: look-ups without their data, of which first touches,\n"
              "after a flush, after a store, for capacity and of conflicts; evicts: lines that\n"
              "left for it; in, out: bytes from and to the next level; waits: cycles; hits:\n"
              "what is gained if its loads all hit the L1D");
    for (size_t i = 0; i < blame->cache_count; i++) {
        for (int kind = 0; kind < BLAME_TABLES; kind++)
            print_rows(blaming, &blame->caches[i], (enum blame_table_kind)kind, noise, limit, page);
        print_matrix(blaming, &blame->caches[i], page);
    }
    if (blaming->gains)
        print_gains(blaming, metric, noise, page);
}

/* ---- for programs ---- */

/* The numbers of a row: X(key, value) */
#define BLAME_NUMBERS(X)                                                                           \
    X("requests", row->requests)                                                                   \
    X("accesses", row->counts.accesses)                                                            \
    X("misses", row->counts.misses)                                                                \
    X("compulsory", row->counts.compulsory)                                                        \
    X("flush", row->counts.flush)                                                                  \
    X("store", row->counts.store)                                                                  \
    X("capacity", row->counts.capacity)                                                            \
    X("conflict", row->counts.conflict)                                                            \
    X("read_bytes", row->counts.read_bytes)                                                        \
    X("write_bytes", row->counts.write_bytes)                                                      \
    X("evictions", row->evictions)

/* Calls `add` for every row of every table, until it fails. */
static enum status each_row(const struct blaming *blaming,
                            enum status (*add)(void *argument, const struct blaming *blaming,
                                               const struct blame_cache *cache,
                                               enum blame_table_kind kind,
                                               const struct blame_row *row),
                            void *argument)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < blaming->blame.cache_count; i++)
        for (int kind = 0; kind < BLAME_TABLES; kind++) {
            const struct blame_cache *cache = &blaming->blame.caches[i];
            for (size_t k = 0; k < cache->tables[kind].count && !status; k++)
                status = add(argument, blaming, cache, (enum blame_table_kind)kind,
                             &cache->tables[kind].rows[k]);
        }
    return status;
}

/* What an array, or an instruction that always hits, gains; NaN for other rows. */
static double row_gain(const struct blaming *blaming, enum blame_table_kind kind, uint64_t key,
                       int change)
{
    if (kind == BLAME_INSTRUCTIONS && change == ARRAY_HITS)
        return blaming_pc_gain(blaming, key);
    return kind == BLAME_ARRAYS && key < blaming->array_count ? blaming->gains[key].gains[change]
                                                              : NAN;
}

static double row_waited(const struct blaming *blaming, enum blame_table_kind kind, uint64_t key)
{
    return kind == BLAME_INSTRUCTIONS ? blaming_waited(blaming, key) : NAN;
}

static enum status add_csv_row(void *argument, const struct blaming *blaming,
                               const struct blame_cache *cache, enum blame_table_kind kind,
                               const struct blame_row *row)
{
    struct table *table = argument;
    char name[BLAME_NAME];
    table_text(table, cache_name(cache));
    table_text(table, table_words[kind]);
    table_text(table, row_name(&blaming->blame, kind, row->key, name));
#define BLAME_CELL(key, value) table_number(table, (double)(value), NULL);
    BLAME_NUMBERS(BLAME_CELL)
#undef BLAME_CELL
    table_number(table, kind == BLAME_ARRAYS ? (double)row->evicted : NAN, NULL);
    table_number(table, row_waited(blaming, kind, row->key), NULL);
    for (int i = 0; i < ARRAY_CHANGES; i++)
        table_number(table, row_gain(blaming, kind, row->key, i), NULL);
    return STATUS_OK;
}

enum status explain_blame_csv(const struct blaming *blaming, FILE *out)
{
#define BLAME_KEY(key, value)        key,
#define BLAME_CHANGE(id, word, help) word,
    static const char *const headers[] = {"cache",  "by",
                                          "name",   BLAME_NUMBERS(BLAME_KEY) "evicted",
                                          "waited", ARRAY_CHANGE_LIST(BLAME_CHANGE) NULL};
#undef BLAME_KEY
#undef BLAME_CHANGE
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    (void)each_row(blaming, add_csv_row, table);
    return table_finish(table, TABLE_CSV, out);
}

static json_t *gains_json(const struct blaming *blaming, enum blame_table_kind kind, uint64_t key)
{
    json_t *object = json_object();
    for (int i = 0; object && i < ARRAY_CHANGES; i++)
        if (json_object_set_new(object, array_change_words[i],
                                number_json(row_gain(blaming, kind, key, i)))) {
            json_decref(object);
            object = NULL;
        }
    return object;
}

static enum status add_json_row(void *argument, const struct blaming *blaming,
                                const struct blame_cache *cache, enum blame_table_kind kind,
                                const struct blame_row *row)
{
    char name[BLAME_NAME];
    json_t *object = json_pack(
        "{s:s, s:s, s:o, s:o, s:o, s:o}", "cache", cache_name(cache), "by", table_words[kind],
        "name", text_json(row_name(&blaming->blame, kind, row->key, name)), "evicted",
        number_json(kind == BLAME_ARRAYS ? (double)row->evicted : NAN), "waited",
        number_json(row_waited(blaming, kind, row->key)), "gain",
        gains_json(blaming, kind, row->key));
    bool lost = !object;
#define BLAME_SET(key, value)                                                                      \
    lost = lost || json_object_set_new(object, key, json_integer((json_int_t)(value)));
    BLAME_NUMBERS(BLAME_SET)
#undef BLAME_SET
    if (lost) {
        json_decref(object);
        return STATUS_MEMORY;
    }
    return json_array_append_new(argument, object) ? STATUS_MEMORY : STATUS_OK;
}

json_t *explain_blame_json(const struct blaming *blaming)
{
    json_t *array = json_array();
    if (array && each_row(blaming, add_json_row, array)) {
        json_decref(array);
        return NULL;
    }
    return array;
}

json_t *explain_evictions_json(const struct blaming *blaming)
{
    const struct blame *blame = &blaming->blame;
    json_t *array = json_array();
    for (size_t i = 0; array && i < blame->cache_count; i++)
        for (size_t by = 0; by <= blame->array_count; by++)
            for (size_t of = 0; array && of <= blame->array_count; of++) {
                const struct blame_cache *cache = &blame->caches[i];
                const uint64_t count = blame_evictions(blame, cache, by, of);
                if (count &&
                    json_array_append_new(array, json_pack("{s:s, s:o, s:o, s:I}", "cache",
                                                           cache_name(cache), "by",
                                                           text_json(array_name(blame, by)), "of",
                                                           text_json(array_name(blame, of)),
                                                           "lines", (json_int_t)count))) {
                    json_decref(array);
                    array = NULL;
                }
            }
    return array;
}
