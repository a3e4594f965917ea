#include "report/experiments/accelsim_report.h"

#include <math.h>
#include <string.h>

#include "report/experiments/row_report.h"
#include "schema/depths.h"

enum { HEADER_TEXT = 64, COLUMNS_MAX = 64 };

bool accelsim_table_needs_depths(enum accelsim_table table)
{
    return table == ACCELSIM_DEPTHS || table == ACCELSIM_REUSE;
}

static size_t cycles_of(const struct row_study *study)
{
    return row_column_find(&study->rows, "core.cycles");
}

static void put_cell(struct table *table, const struct row_study *study, size_t row,
                     enum row_text text)
{
    table_text(table, row_cell(&study->rows, row, text));
}

/* ---- pairs ---- */

typedef void take_pair(void *context, const struct row_study *study, size_t a, size_t b);

/* Each pair whose rows both have cycles of ours. The time is that of comparing all rows with each
 * other. */
static void visit_pairs(const struct row_study *study, const struct row_group *group,
                        take_pair *take, void *context)
{
    const size_t cycles = cycles_of(study);
    for (size_t a = 0; a < study->rows.count; a++)
        for (size_t b = a + 1; b < study->rows.count && row_is_in(study, a, group); b++)
            if (!isnan(row_ours(study, a, cycles, DEPTH_TIMING)) &&
                !isnan(row_ours(study, b, cycles, DEPTH_TIMING)) && accelsim_is_pair(study, a, b) &&
                row_is_in(study, b, group))
                take(context, study, a, b);
}

struct pair_counts {
    size_t pairs, right;
};

static void count_pair(void *context, const struct row_study *study, size_t a, size_t b)
{
    struct pair_counts *counts = context;
    counts->pairs++;
    counts->right += accelsim_pair_right(study, a, b);
}

static void put_pair(void *context, const struct row_study *study, size_t a, size_t b)
{
    struct table *table = context;
    const size_t cycles = cycles_of(study), rows[] = {a, b};
    put_cell(table, study, a, ROW_KERNEL);
    table_whole(table, row_number(&study->rows, a, ROW_LAUNCH, NAN));
    put_cell(table, study, a, ROW_GPU);
    table_flag(table, accelsim_pair_right(study, a, b));
    for (int i = 0; i < 2; i++) {
        table_whole(table, row_ours(study, rows[i], cycles, DEPTH_TIMING));
        table_whole(table, row_measured(&study->rows, rows[i], cycles));
    }
    put_cell(table, study, a, ROW_WORKLOAD);
    put_cell(table, study, a, ROW_OPTIONS);
    put_cell(table, study, b, ROW_OPTIONS);
}

static enum status fill_pairs(const struct row_study *study, struct table *table)
{
    visit_pairs(study, &(struct row_group){0}, put_pair, table);
    return STATUS_OK;
}

/* ---- errors by groups of rows ---- */

static enum status put_summary(const struct row_study *study, const char *name,
                               const struct row_group *group, struct table *table)
{
    struct row_errors errors;
    struct pair_counts counts = {0};
    const enum status status =
        row_errors_find(study, group, cycles_of(study), DEPTH_TIMING, &errors);
    visit_pairs(study, group, count_pair, &counts);
    table_text(table, name);
    table_whole(table, (double)errors.rows);
    table_whole(table, (double)errors.refused);
    table_whole(table, (double)errors.exact);
    table_whole(table, (double)errors.within_1);
    table_percent(table, errors.mean / 100);
    table_percent(table, errors.p95 / 100);
    table_percent(table, errors.worst / 100);
    table_whole(table, (double)counts.pairs);
    table_percent(table, counts.pairs ? (double)counts.right / (double)counts.pairs : NAN);
    return status;
}

static enum status fill_summary(const struct row_study *study, struct table *table)
{
    enum status status = put_summary(study, "all", &(struct row_group){0}, table);
    for (size_t i = 0; i < study->rows.count && !status; i++) {
        const struct row_group group = {.gpu = row_cell(&study->rows, i, ROW_GPU)};
        if (row_is_first(study, i, ROW_GPU, ROW_TEXTS))
            status = put_summary(study, group.gpu, &group, table);
    }
    return status ? status
                  : put_summary(study, "one SM", &(struct row_group){.one_sm = true}, table);
}

static enum status fill_families(const struct row_study *study, struct table *table)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < study->rows.count && !status; i++) {
        const struct row_group group = {.gpu = row_cell(&study->rows, i, ROW_GPU),
                                        .kernel = row_cell(&study->rows, i, ROW_KERNEL)};
        if (!row_is_first(study, i, ROW_GPU, ROW_KERNEL))
            continue;
        table_text(table, group.gpu);
        status = put_summary(study, group.kernel, &group, table);
    }
    return status;
}

static enum status fill_counters(const struct row_study *study, struct table *table)
{
    const struct row_file *rows = &study->rows;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < rows->width && !status; i++) {
        struct row_errors errors;
        double ours = 0, theirs = 0;
        if (rows->columns[i].kind != ROW_IS_VALUE)
            continue;
        status = row_errors_find(study, &(struct row_group){0}, i, DEPTH_TIMING, &errors);
        for (size_t row = 0; row < rows->count; row++)
            if (!isnan(row_ours(study, row, i, DEPTH_TIMING))) {
                ours += row_ours(study, row, i, DEPTH_TIMING);
                theirs += row_measured(rows, row, i);
            }
        table_text(table, rows->columns[i].name);
        table_whole(table, ours);
        table_whole(table, theirs);
        table_text(table, rows->columns[rows->columns[i].base].name);
        table_whole(table, (double)errors.rows);
        table_whole(table, (double)errors.exact);
        table_whole(table, (double)errors.within_2);
        table_percent(table, errors.mean / 100);
        table_percent(table, errors.worst / 100);
    }
    return status;
}

/* ---- depths ---- */

/* Whether a run is of this GPU; NULL: any. */
static bool is_of(const struct row_study *study, const struct row_run *run, const char *gpu)
{
    return !gpu || !strcmp(row_cell(&study->rows, run->first, ROW_GPU), gpu);
}

static void put_depths(const struct row_study *study, const char *gpu, struct table *table)
{
    for (int depth = 0; depth < DEPTH_COUNT; depth++) {
        double sum = 0, worst = NAN;
        size_t count = 0;
        for (size_t i = 0; i < study->run_count; i++) {
            const struct row_run *run = &study->runs[i];
            const double error = fabs(accelsim_rate_error(study, run, (enum depth)depth));
            if (isnan(error) || !is_of(study, run, gpu))
                continue;
            sum += error;
            worst = fmax(worst, error);
            count++;
        }
        table_text(table, gpu ? gpu : "all");
        table_text(table, depth_table[depth].name);
        table_whole(table, (double)count);
        table_decimal(table, count ? sum / (double)count : NAN, 1);
        table_decimal(table, worst, 1);
    }
}

static enum status fill_depths(const struct row_study *study, struct table *table)
{
    put_depths(study, NULL, table);
    for (size_t i = 0; i < study->rows.count; i++)
        if (row_is_first(study, i, ROW_GPU, ROW_TEXTS))
            put_depths(study, row_cell(&study->rows, i, ROW_GPU), table);
    return STATUS_OK;
}

static enum status fill_reuse(const struct row_study *study, struct table *table)
{
    for (size_t i = 0; i < study->run_count; i++) {
        const struct row_run *run = &study->runs[i];
        put_cell(table, study, run->first, ROW_ID);
        put_cell(table, study, run->first, ROW_KERNEL);
        put_cell(table, study, run->first, ROW_GPU);
        table_decimal(table, accelsim_rate(study, run), 1);
        for (int depth = 0; depth < DEPTH_COUNT; depth++)
            table_decimal(table, accelsim_rate_error(study, run, (enum depth)depth), 1);
        put_cell(table, study, run->first, ROW_WORKLOAD);
        put_cell(table, study, run->first, ROW_OPTIONS);
        table_text(table, run->why);
    }
    return STATUS_OK;
}

/* ---- rows, with a column for each count ---- */

static struct table *rows_create(const struct row_study *study)
{
    static const char *const begin[] = {"run", "family", ">kernel", "GPU|gpu", ">error %|error"};
    static const char *const end[] = {"trace", "options", "remark"};
    const char *headers[COLUMNS_MAX + 1];
    char texts[COLUMNS_MAX][HEADER_TEXT];
    size_t count = 0, used = 0;
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
        headers[count++] = begin[i];
    for (size_t i = 0; i < study->rows.width && count + 5 < COLUMNS_MAX; i++) {
        const struct row_column *column = &study->rows.columns[i];
        if (column->kind != ROW_IS_VALUE)
            continue;
        snprintf(texts[used], HEADER_TEXT, ">%s", column->name);
        headers[count++] = texts[used++];
        snprintf(texts[used], HEADER_TEXT, ">theirs|theirs.%s", column->name);
        headers[count++] = texts[used++];
    }
    for (size_t i = 0; i < sizeof end / sizeof *end; i++)
        headers[count++] = end[i];
    headers[count] = NULL;
    return table_create(headers);
}

static enum status fill_rows(const struct row_study *study, struct table *table)
{
    for (size_t row = 0; row < study->rows.count; row++) {
        put_cell(table, study, row, ROW_ID);
        put_cell(table, study, row, ROW_KERNEL);
        table_whole(table, row_number(&study->rows, row, ROW_LAUNCH, NAN));
        put_cell(table, study, row, ROW_GPU);
        table_percent(table, row_error(study, row, cycles_of(study), DEPTH_TIMING) / 100);
        for (size_t i = 0; i < study->rows.width; i++)
            if (study->rows.columns[i].kind == ROW_IS_VALUE) {
                table_whole(table, row_ours(study, row, i, DEPTH_TIMING));
                table_whole(table, row_measured(&study->rows, row, i));
            }
        put_cell(table, study, row, ROW_WORKLOAD);
        put_cell(table, study, row, ROW_OPTIONS);
        table_text(table, row_run_of(study, row)->why);
    }
    return STATUS_OK;
}

/* ---- reports ---- */

#define SUMMARY_COLUMNS                                                                            \
    ">rows", ">refused", ">equal", ">within 1 %|within_1_percent", ">mean %|mean",                 \
        ">95th percentile %|p95", ">worst %|worst", ">pairs", ">right %|right"
#define DEPTH_COLUMN(id, name, ...) ">" name,

static const struct row_layout layouts[ACCELSIM_TABLES] = {
    [ACCELSIM_SUMMARY] = {"Cycles of a kernel, ours against Accel-Sim's; pairs of variants of one "
                          "kernel whose difference has the right sign",
                          fill_summary,
                          {"rows of|group", SUMMARY_COLUMNS, NULL},
                          NULL},
    [ACCELSIM_COUNTERS] = {"Counters: sums over all rows, and errors of a row as a share of its "
                           "accesses",
                           fill_counters,
                           {"counter", ">ours", ">theirs", "share of|base", ">rows", ">equal",
                            ">within 2 %|within_2_percent", ">mean %|mean", ">worst %|worst", NULL},
                           NULL},
    [ACCELSIM_FAMILIES] = {"Cycles by GPU and kernel",
                           fill_families,
                           {"GPU|gpu", "family", SUMMARY_COLUMNS, NULL},
                           NULL},
    [ACCELSIM_ROWS] = {"Every kernel of every run", fill_rows, {NULL}, rows_create},
    [ACCELSIM_PAIRS] = {"Every pair of variants of one kernel",
                        fill_pairs,
                        {"family", ">kernel", "GPU|gpu", "right", ">A|a", ">theirs|theirs.a",
                         ">B|b", ">theirs|theirs.b", "trace", "options of A|options.a",
                         "options of B|options.b", NULL},
                        NULL},
    [ACCELSIM_DEPTHS] = {"Reads of the L1D that miss or join a line in flight, in % of reads: how "
                         "many points each depth is off",
                         fill_depths,
                         {"GPU|gpu", "depth", ">runs", ">mean", ">worst", NULL},
                         NULL},
    [ACCELSIM_REUSE] = {"The same for each run",
                        fill_reuse,
                        {"run", "family", "GPU|gpu", ">theirs %|theirs",
                         DEPTH_LIST(DEPTH_COLUMN) "trace", "options", "remark", NULL},
                        NULL},
};

enum status accelsim_report_table(const struct row_study *study, enum accelsim_table which,
                                  enum table_format format, FILE *out)
{
    return row_layout_print(&layouts[which], study, format, out);
}

static void print_notes(const struct row_study *study, FILE *out)
{
    fputs(
        "\nnote: errors are without sign; theirs are runs of Accel-Sim that ours were never "
        "fitted to\n"
        "note: a pair is one kernel on one GPU with two sets of options; right: our cycles differ "
        "in the same direction as theirs, or in neither\n"
        "note: --table rows, pairs and reuse list what these tables sum up\n",
        out);
    for (size_t i = 0; i < study->run_count; i++)
        if (study->runs[i].why)
            fprintf(out, "note: no number for run %s: %s\n",
                    row_cell(&study->rows, study->runs[i].first, ROW_ID), study->runs[i].why);
}

enum status accelsim_report_print(const struct row_study *study, FILE *out)
{
    static const enum accelsim_table tables[] = {ACCELSIM_SUMMARY, ACCELSIM_COUNTERS,
                                                 ACCELSIM_FAMILIES, ACCELSIM_DEPTHS};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !status; i++) {
        fprintf(out, "%s%s\n", i ? "\n" : "", layouts[tables[i]].title);
        status = accelsim_report_table(study, tables[i], TABLE_TEXT, out);
    }
    if (!status)
        print_notes(study, out);
    return !status && ferror(out) ? STATUS_IO : status;
}
