#include "report/experiments/silicon_report.h"

#include <math.h>
#include <string.h>

#include "explore/papers/row_study.h"
#include "schema/depths.h"

typedef void fill_table(const struct silicon_study *study, struct table *table);

const char *const silicon_table_names[] = {[SILICON_TABLE_SUMMARY] = "summary",
                                           [SILICON_TABLE_ROWS] = "rows",
                                           [SILICON_TABLE_GPUS] = "gpus",
                                           [SILICON_TABLE_ORDER] = "order",
                                           [SILICON_TABLE_SOURCES] = "sources",
#define ROW_STUDY_NAME(name) [SILICON_TABLES + ROW_STUDY_##name] = #name,
                                           ROW_STUDY_LIST(ROW_STUDY_NAME)
#undef ROW_STUDY_NAME
                                               NULL};

static const char *const counter_names[] = {
#define COUNTER_NAME(id, name, help) [SILICON_##id] = (name),
    SILICON_COUNTER_LIST(COUNTER_NAME)
#undef COUNTER_NAME
};

/* ---- errors ---- */

static bool is_rate(enum silicon_counter counter)
{
    return counter == SILICON_L1_HITS || counter == SILICON_L2_HITS;
}

/* Points of a rate; of other counters a share of what was measured, in percent. */
static double error_of(const struct silicon_result *result, enum depth depth,
                       enum silicon_counter counter)
{
    const double measured = silicon_measured(result->row, counter);
    const double apart = result->ours[depth][counter] - measured;
    return is_rate(counter) ? apart : 100 * apart / measured;
}

struct errors {
    size_t rows, exact;
    double mean, worst; /* without sign */
    const char *worst_id;
};

static struct errors find_errors(const struct silicon_study *study, const char *gpu,
                                 enum depth depth, enum silicon_counter counter)
{
    struct errors errors = {.mean = NAN, .worst = NAN};
    double sum = 0;
    for (size_t i = 0; i < study->count; i++) {
        const struct silicon_result *result = &study->results[i];
        const double error = fabs(error_of(result, depth, counter));
        if (isnan(error) || (gpu && strcmp(gpu, result->row->gpu) != 0))
            continue;
        errors.rows++;
        errors.exact += error == 0;
        sum += error;
        if (!(error <= errors.worst)) {
            errors.worst = error;
            errors.worst_id = result->row->id;
        }
    }
    errors.mean = errors.rows ? sum / (double)errors.rows : NAN;
    return errors;
}

/* The cycles of a row, or its duration where no cycles were counted. */
static enum silicon_counter time_counter(const struct silicon_row *row)
{
    return isnan(silicon_measured(row, SILICON_CYCLES)) ? SILICON_TIME : SILICON_CYCLES;
}

/* ---- order ---- */

enum order { ORDER_NONE, ORDER_UNKNOWN, ORDER_EQUAL, ORDER_RIGHT, ORDER_WRONG };
static const char *const order_names[] = {[ORDER_UNKNOWN] = "-",
                                          [ORDER_EQUAL] = "equal",
                                          [ORDER_RIGHT] = "right",
                                          [ORDER_WRONG] = "wrong"};

struct pair {
    double measured, ours; /* times of the second over the first */
    enum order order;      /* ORDER_NONE: they are no variants of one problem */
};

static struct pair compare(const struct silicon_result *a, const struct silicon_result *b)
{
    struct pair pair = {NAN, NAN, ORDER_NONE};
    const enum silicon_counter counter = time_counter(a->row);
    if (!a->row->group || !b->row->group || strcmp(a->row->group, b->row->group) != 0 ||
        counter != time_counter(b->row))
        return pair;
    pair.measured = silicon_measured(b->row, counter) / silicon_measured(a->row, counter);
    pair.ours = b->ours[DEPTH_TIMING][counter] / a->ours[DEPTH_TIMING][counter];
    if (isnan(pair.ours))
        pair.order = ORDER_UNKNOWN;
    else if (fabs(log(pair.measured)) < log(1.02)) /* closer than two runs of one program */
        pair.order = ORDER_EQUAL;
    else
        pair.order = (pair.measured > 1) == (pair.ours > 1) ? ORDER_RIGHT : ORDER_WRONG;
    return pair;
}

/* ---- cells ---- */

static void put_errors(struct table *table, const struct errors *errors)
{
    table_decimal(table, (double)errors->rows, 0);
    table_decimal(table, (double)errors->exact, 0);
    table_decimal(table, errors->mean, 2);
    table_decimal(table, errors->worst, 2);
    table_text(table, errors->worst_id ? errors->worst_id : "-");
}

static void put_summary(const struct silicon_study *study, const char *gpu, struct table *table)
{
    for (int c = 0; c < SILICON_COUNTERS; c++)
        for (int depth = 0; depth < DEPTH_COUNT; depth++) {
            const struct errors errors =
                find_errors(study, gpu, (enum depth)depth, (enum silicon_counter)c);
            if (!errors.rows)
                continue;
            if (gpu)
                table_text(table, gpu);
            table_text(table, counter_names[c]);
            table_text(table, depth_table[depth].name);
            put_errors(table, &errors);
        }
}

/* ---- tables ---- */

static void fill_summary(const struct silicon_study *study, struct table *table)
{
    put_summary(study, NULL, table);
}

static void fill_gpus(const struct silicon_study *study, struct table *table)
{
    for (size_t i = 0; i < study->count; i++) {
        size_t first = 0;
        while (strcmp(study->results[first].row->gpu, study->results[i].row->gpu) != 0)
            first++;
        if (first == i)
            put_summary(study, study->results[i].row->gpu, table);
    }
}

static void fill_rows(const struct silicon_study *study, struct table *table)
{
    for (size_t i = 0; i < study->count; i++)
        for (int c = 0; c < SILICON_COUNTERS; c++) {
            const struct silicon_result *result = &study->results[i];
            const double measured = silicon_measured(result->row, (enum silicon_counter)c);
            const int digits = is_rate((enum silicon_counter)c) ? 2 : 0;
            if (isnan(measured))
                continue;
            table_text(table, result->row->id);
            table_text(table, result->row->kernel);
            table_text(table, result->row->gpu);
            table_text(table, counter_names[c]);
            table_decimal(table, measured, digits);
            for (int depth = 0; depth < DEPTH_COUNT; depth++)
                table_decimal(table, result->ours[depth][c], digits);
            for (int depth = 0; depth < DEPTH_COUNT; depth++)
                table_decimal(table, error_of(result, (enum depth)depth, (enum silicon_counter)c),
                              2);
        }
}

static void fill_order(const struct silicon_study *study, struct table *table)
{
    for (size_t a = 0; a < study->count; a++)
        for (size_t b = a + 1; b < study->count; b++) {
            const struct silicon_result *first = &study->results[a], *second = &study->results[b];
            const struct pair pair = compare(first, second);
            if (pair.order == ORDER_NONE)
                continue;
            table_text(table, first->row->group);
            table_text(table, first->row->kernel);
            table_text(table, second->row->kernel);
            table_decimal(table, pair.measured, 3);
            table_decimal(table, pair.ours, 3);
            table_text(table, order_names[pair.order]);
        }
}

static void fill_sources(const struct silicon_study *study, struct table *table)
{
    for (size_t i = 0; i < study->count; i++) {
        const struct silicon_result *result = &study->results[i];
        const struct silicon_row *row = result->row;
        char out[64] = "";
        for (int depth = 0; depth < DEPTH_COUNT; depth++)
            if (result->left_out[depth])
                snprintf(out + strlen(out), sizeof out - strlen(out), "%s%s", *out ? ", " : "",
                         depth_table[depth].name);
        table_text(table, row->id);
        table_text(table, row->kernel);
        table_text(table, row->gpu);
        table_text(table, row->machine);
        table_text(table, row->sets);
        table_text(table, row->workload);
        table_text(table, row->group ? row->group : "-");
        table_text(table, *out ? out : "-");
        table_text(table, row->source);
    }
}

#define ERROR_COLUMNS                     ">rows", ">exact", ">mean", ">worst", "of row|worst.row"
#define DEPTH_COLUMN(id, name, ...)       ">" name,
#define DEPTH_ERROR_COLUMN(id, name, ...) ">error|error." name,

static const struct {
    const char *title;
    fill_table *fill;
    const char *headers[20];
} layouts[SILICON_TABLES] = {
    [SILICON_TABLE_SUMMARY] = {"Errors by counter and depth: points of rates, % of the rest",
                               fill_summary,
                               {"counter", "depth", ERROR_COLUMNS, NULL}},
    [SILICON_TABLE_ROWS] = {"Every counter of every row",
                            fill_rows,
                            {"row", "kernel", "GPU|gpu", "counter", ">measured",
                             DEPTH_LIST(DEPTH_COLUMN) DEPTH_LIST(DEPTH_ERROR_COLUMN) NULL}},
    [SILICON_TABLE_GPUS] = {"Errors by GPU",
                            fill_gpus,
                            {"GPU|gpu", "counter", "depth", ERROR_COLUMNS, NULL}},
    [SILICON_TABLE_ORDER] = {"Variants of one problem on one GPU: times of the second over the "
                             "first",
                             fill_order,
                             {"problem", "first", "second", ">measured", ">timing", "order", NULL}},
    [SILICON_TABLE_SOURCES] = {"What runs for each row, and its source",
                               fill_sources,
                               {"row", "kernel", "GPU|gpu", "machine", "settings", "workload",
                                "problem", "left out", "source", NULL}},
};

enum status silicon_report_table(const struct silicon_study *study, enum silicon_table which,
                                 enum table_format format, FILE *out)
{
    struct table *table = table_create(layouts[which].headers);
    if (!table)
        return STATUS_MEMORY;
    layouts[which].fill(study, table);
    return table_finish(table, format, out);
}

/* One error for each row that has cycles or a duration, and how many orders are right. */
static void print_times(const struct silicon_study *study, FILE *out)
{
    size_t rows = 0, orders[ORDER_WRONG + 1] = {0};
    double sum = 0;
    for (size_t a = 0; a < study->count; a++) {
        const struct silicon_result *result = &study->results[a];
        const double error = fabs(error_of(result, DEPTH_TIMING, time_counter(result->row)));
        rows += !isnan(error);
        sum += isnan(error) ? 0 : error;
        for (size_t b = a + 1; b < study->count; b++)
            orders[compare(result, &study->results[b]).order]++;
    }
    if (rows)
        fprintf(out,
                "\ncycles or durations of %zu rows at depth timing: %.2f %% off in the mean; "
                "orders right: %zu of %zu pairs\n",
                rows, sum / (double)rows, orders[ORDER_RIGHT],
                orders[ORDER_RIGHT] + orders[ORDER_WRONG]);
}

static void print_notes(const struct silicon_study *study, FILE *out)
{
    size_t left_out = 0;
    for (size_t i = 0; i < study->count; i++)
        left_out += study->results[i].left_out[DEPTH_TIMING];
    fputs("\nnote: errors are without sign; ours were never fitted to these rows\n"
          "note: times within 2 % of each other have no order; durations are at the machine's own "
          "clock; --table rows and sources list everything\n",
          out);
    if (left_out)
        fprintf(out, "note: %zu of %zu rows are too large for depth timing at this --effort\n",
                left_out, study->count);
    for (size_t i = 0; i < study->count; i++)
        if (study->results[i].why)
            fprintf(out, "note: row %s: %s\n", study->results[i].row->id, study->results[i].why);
}

enum status silicon_report_print(const struct silicon_study *study, FILE *out)
{
    static const enum silicon_table tables[] = {SILICON_TABLE_SUMMARY, SILICON_TABLE_ORDER};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !status; i++) {
        fprintf(out, "%s%s\n", i ? "\n" : "", layouts[tables[i]].title);
        status = silicon_report_table(study, tables[i], TABLE_TEXT, out);
    }
    if (!status) {
        print_times(study, out);
        print_notes(study, out);
    }
    return !status && ferror(out) ? STATUS_IO : status;
}
