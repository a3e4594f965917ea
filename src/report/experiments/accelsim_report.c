#include "report/experiments/accelsim_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/experiments/accelsim_figures.h"
#include "schema/depths.h"

typedef enum status fill_table(const struct accelsim_study *study, struct table *table);

bool accelsim_table_needs_depths(enum accelsim_table table)
{
    return table == ACCELSIM_DEPTHS || table == ACCELSIM_REUSE;
}

/* The GPUs of the rows in the order of their first appearance, at most `max`. */
enum { GPUS_MAX = 16 };
static size_t list_gpus(const struct accelsim_study *study, const char *gpus[GPUS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < study->rows.count && count < GPUS_MAX; i++) {
        size_t k = 0;
        while (k < count && strcmp(gpus[k], study->rows.items[i].gpu) != 0)
            k++;
        if (k == count)
            gpus[count++] = study->rows.items[i].gpu;
    }
    return count;
}

/* ---- tables ---- */

struct pair_counts {
    size_t pairs, right;
};

static void count_pair(void *context, const struct accelsim_row *a, const struct accelsim_row *b)
{
    struct pair_counts *counts = context;
    counts->pairs++;
    counts->right += accelsim_pair_right(a, b);
}

static enum status put_summary(const struct accelsim_study *study, const char *name,
                               const struct accelsim_group *group, struct table *table)
{
    struct accelsim_errors errors;
    struct pair_counts counts = {0};
    enum status status = accelsim_errors(study, group, ACCELSIM_CYCLES, &errors);
    accelsim_pairs(study, group, count_pair, &counts);
    table_text(table, name);
    table_whole(table, (double)errors.rows);
    table_whole(table, (double)errors.refused);
    table_whole(table, (double)errors.equal);
    table_whole(table, (double)errors.within_1);
    table_percent(table, errors.mean);
    table_percent(table, errors.p95);
    table_percent(table, errors.worst);
    table_whole(table, (double)counts.pairs);
    table_percent(table, counts.pairs ? (double)counts.right / (double)counts.pairs : NAN);
    return status;
}

static enum status fill_summary(const struct accelsim_study *study, struct table *table)
{
    const char *gpus[GPUS_MAX];
    const size_t count = list_gpus(study, gpus);
    enum status status = put_summary(study, "all", &(struct accelsim_group){0}, table);
    for (size_t i = 0; i < count && !status; i++)
        status = put_summary(study, gpus[i], &(struct accelsim_group){.gpu = gpus[i]}, table);
    return status ? status
                  : put_summary(study, "one SM", &(struct accelsim_group){.one_sm = true}, table);
}

static const char *const count_names[] = {
#define COUNT_NAME(id, column, field, name, base) [ACCELSIM_##id] = (name),
    ACCELSIM_COUNT_LIST(COUNT_NAME)
#undef COUNT_NAME
};
static enum status fill_counters(const struct accelsim_study *study, struct table *table)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < ACCELSIM_COUNTS && !status; i++) {
        const struct accelsim_group all = {0};
        struct accelsim_errors errors;
        double ours = 0, theirs = 0;
        status = accelsim_errors(study, &all, (enum accelsim_count)i, &errors);
        for (size_t k = 0; k < study->rows.count; k++) {
            const struct accelsim_row *row = &study->rows.items[k];
            ours += isnan(row->ours[i]) ? 0 : row->ours[i];
            theirs += isnan(row->ours[i]) ? 0 : row->theirs[i];
        }
        table_text(table, count_names[i]);
        table_whole(table, ours);
        table_whole(table, theirs);
        table_text(table, count_names[accelsim_base((enum accelsim_count)i)]);
        table_whole(table, (double)errors.rows);
        table_whole(table, (double)errors.equal);
        table_whole(table, (double)errors.within_2);
        table_percent(table, errors.mean);
        table_percent(table, errors.worst);
    }
    return status;
}

static bool is_first_of_family(const struct accelsim_study *study, size_t row)
{
    const struct accelsim_row *rows = study->rows.items;
    for (size_t i = 0; i < row; i++)
        if (!strcmp(rows[i].family, rows[row].family) && !strcmp(rows[i].gpu, rows[row].gpu))
            return false;
    return true;
}

static enum status fill_families(const struct accelsim_study *study, struct table *table)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < study->rows.count && !status; i++) {
        const struct accelsim_row *row = &study->rows.items[i];
        const struct accelsim_group group = {.gpu = row->gpu, .family = row->family};
        if (!is_first_of_family(study, i))
            continue;
        table_text(table, row->gpu);
        status = put_summary(study, row->family, &group, table);
    }
    return status;
}

static void put_row(struct table *table, const struct accelsim_row *row)
{
    table_text(table, row->family);
    table_whole(table, row->kernel);
    table_text(table, row->gpu);
    table_percent(table, accelsim_error(row, ACCELSIM_CYCLES));
    for (int i = 0; i < ACCELSIM_COUNTS; i++) {
        table_whole(table, row->ours[i]);
        table_whole(table, row->theirs[i]);
    }
}

static enum status fill_rows(const struct accelsim_study *study, struct table *table)
{
    for (size_t i = 0; i < study->rows.count; i++) {
        const struct accelsim_row *row = &study->rows.items[i];
        table_text(table, row->run);
        put_row(table, row);
        table_text(table, row->trace);
        table_text(table, row->options);
        table_text(table, accelsim_run_of(study, i)->why);
    }
    return STATUS_OK;
}

static void put_pair(void *context, const struct accelsim_row *a, const struct accelsim_row *b)
{
    struct table *table = context;
    const struct accelsim_row *const rows[] = {a, b};
    table_text(table, a->family);
    table_whole(table, a->kernel);
    table_text(table, a->gpu);
    table_flag(table, accelsim_pair_right(a, b));
    for (int i = 0; i < 2; i++) {
        table_whole(table, rows[i]->ours[ACCELSIM_CYCLES]);
        table_whole(table, rows[i]->theirs[ACCELSIM_CYCLES]);
    }
    table_text(table, a->trace);
    table_text(table, a->options);
    table_text(table, b->options);
}

static enum status fill_pairs(const struct accelsim_study *study, struct table *table)
{
    accelsim_pairs(study, &(struct accelsim_group){0}, put_pair, table);
    return STATUS_OK;
}

static void put_depth(const struct accelsim_study *study, const char *gpu, enum depth depth,
                      struct table *table)
{
    double sum = 0, worst = NAN;
    size_t count = 0;
    for (size_t i = 0; i < study->run_count; i++) {
        const struct accelsim_run *run = &study->runs[i];
        const double error = fabs(accelsim_rate_error(study, run, depth));
        if (isnan(error) || (gpu && strcmp(study->rows.items[run->first].gpu, gpu) != 0))
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

static enum status fill_depths(const struct accelsim_study *study, struct table *table)
{
    const char *gpus[GPUS_MAX + 1] = {NULL};
    const size_t count = list_gpus(study, gpus + 1);
    for (size_t i = 0; i <= count; i++)
        for (int depth = 0; depth < DEPTH_COUNT; depth++)
            put_depth(study, gpus[i], (enum depth)depth, table);
    return STATUS_OK;
}

static enum status fill_reuse(const struct accelsim_study *study, struct table *table)
{
    for (size_t i = 0; i < study->run_count; i++) {
        const struct accelsim_run *run = &study->runs[i];
        const struct accelsim_row *row = &study->rows.items[run->first];
        table_text(table, row->run);
        table_text(table, row->family);
        table_text(table, row->gpu);
        table_decimal(table, accelsim_rate(study, run), 1);
        for (int depth = 0; depth < DEPTH_COUNT; depth++)
            table_decimal(table, accelsim_rate_error(study, run, (enum depth)depth), 1);
        table_text(table, row->trace);
        table_text(table, row->options);
        table_text(table, run->why);
    }
    return STATUS_OK;
}

#define SUMMARY_COLUMNS                                                                            \
    ">rows", ">refused", ">equal", ">within 1 %|within_1_percent", ">mean %|mean",                 \
        ">95th percentile %|p95", ">worst %|worst", ">pairs", ">right %|right"
#define COUNT_COLUMNS(id, column, field, name, base) ">" name, ">theirs|theirs." name,
#define DEPTH_COLUMN(id, name, ...)                  ">" name,

static const struct {
    const char *title;
    fill_table *fill;
    const char *headers[48];
} layouts[ACCELSIM_TABLES] = {
    [ACCELSIM_SUMMARY] = {"Cycles of a kernel, ours against Accel-Sim's; pairs of variants of one "
                          "kernel whose difference has the right sign",
                          fill_summary,
                          {"rows of|group", SUMMARY_COLUMNS, NULL}},
    [ACCELSIM_COUNTERS] = {"Counters: sums over all rows, and errors of a row as a share of its "
                           "accesses",
                           fill_counters,
                           {"counter", ">ours", ">theirs", "share of|base", ">rows", ">equal",
                            ">within 2 %|within_2_percent", ">mean %|mean", ">worst %|worst",
                            NULL}},
    [ACCELSIM_FAMILIES] = {"Cycles by GPU and kernel",
                           fill_families,
                           {"GPU|gpu", "family", SUMMARY_COLUMNS, NULL}},
    [ACCELSIM_ROWS] = {"Every kernel of every run",
                       fill_rows,
                       {"run", "family", ">kernel", "GPU|gpu", ">error %|error",
                        ACCELSIM_COUNT_LIST(COUNT_COLUMNS) "trace", "options", "remark", NULL}},
    [ACCELSIM_PAIRS] = {"Every pair of variants of one kernel",
                        fill_pairs,
                        {"family", ">kernel", "GPU|gpu", "right", ">A|a", ">theirs|theirs.a",
                         ">B|b", ">theirs|theirs.b", "trace", "options of A|options.a",
                         "options of B|options.b", NULL}},
    [ACCELSIM_DEPTHS] = {"Reads of the L1D that miss or join a line in flight, in % of reads: how "
                         "many points each depth is off",
                         fill_depths,
                         {"GPU|gpu", "depth", ">runs", ">mean", ">worst", NULL}},
    [ACCELSIM_REUSE] = {"The same for each run",
                        fill_reuse,
                        {"run", "family", "GPU|gpu", ">theirs %|theirs",
                         DEPTH_LIST(DEPTH_COLUMN) "trace", "options", "remark", NULL}},
};

enum status accelsim_report_table(const struct accelsim_study *study, enum accelsim_table which,
                                  enum table_format format, FILE *out)
{
    struct table *table = table_create(layouts[which].headers);
    if (!table)
        return STATUS_MEMORY;
    const enum status status = layouts[which].fill(study, table);
    if (!status)
        return table_finish(table, format, out);
    table_free(table);
    return status;
}

static void print_notes(const struct accelsim_study *study, FILE *out)
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
                    study->rows.items[study->runs[i].first].run, study->runs[i].why);
}

enum status accelsim_report_print(const struct accelsim_study *study, FILE *out)
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
