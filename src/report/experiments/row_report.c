#include "report/experiments/row_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/units.h"
#include "schema/depths.h"

enum { NAME_TEXT = 96, LIST_COLUMNS = 32 };

const char *const row_table_names[] = {[ROW_TABLE_SUMMARY] = "summary",
                                       [ROW_TABLE_ROWS] = "rows",
                                       [ROW_TABLE_GPUS] = "gpus",
                                       [ROW_TABLE_ORDER] = "order",
                                       [ROW_TABLE_SOURCES] = "sources",
                                       [ROW_TABLE_LIST] = "list",
                                       [ROW_TABLES] = NULL};

bool row_table_needs_run(enum row_table table)
{
    return table != ROW_TABLE_SOURCES;
}

/* ---- rows ---- */

/* "L1 hit %" */
static const char *value_name(const struct row_column *column, char text[NAME_TEXT])
{
    snprintf(text, NAME_TEXT, "%s%s%s", column->name, *column->unit ? " " : "", column->unit);
    return text;
}

/* The name of a row, or else the number of its line. */
static const char *row_name(const struct row_study *study, size_t row, char text[NAME_TEXT])
{
    const char *id = row_cell(&study->rows, row, ROW_ID);
    snprintf(text, NAME_TEXT, "%u", study->rows.items[row].number);
    return *id ? id : text;
}

/* What was measured, or else the row. */
static const char *kernel_name(const struct row_study *study, size_t row, char text[NAME_TEXT])
{
    const char *kernel = row_cell(&study->rows, row, ROW_KERNEL);
    return *kernel ? kernel : row_name(study, row, text);
}

static void put_cell(struct table *table, const struct row_study *study, size_t row,
                     enum row_text text)
{
    const char *cell = row_cell(&study->rows, row, text);
    table_text(table, *cell ? cell : "-");
}

static bool is_value(const struct row_study *study, size_t column)
{
    return study->rows.columns[column].kind == ROW_IS_VALUE;
}

/* The depth that models most of those that answer. */
static enum depth best_depth(const struct row_study *study, size_t row, size_t column)
{
    int depth = DEPTH_COUNT - 1;
    while (depth && isnan(row_ours(study, row, column, (enum depth)depth)))
        depth--;
    return (enum depth)depth;
}

/* The cycles of a row, or its duration where no cycles were counted; the width: neither. */
static size_t time_column(const struct row_study *study, size_t row)
{
    size_t i = 0;
    while (i < study->rows.width &&
           !(study->rows.columns[i].is_time && !isnan(row_measured(&study->rows, row, i))))
        i++;
    return i;
}

bool row_is_first(const struct row_study *study, size_t row, enum row_text first,
                  enum row_text second)
{
    const struct row_file *rows = &study->rows;
    for (size_t i = 0; i < row; i++)
        if (!strcmp(row_cell(rows, i, first), row_cell(rows, row, first)) &&
            (second == ROW_TEXTS ||
             !strcmp(row_cell(rows, i, second), row_cell(rows, row, second))))
            return false;
    return true;
}

/* ---- errors ---- */

double row_error(const struct row_study *study, size_t row, size_t column, enum depth depth)
{
    const struct row_column *about = &study->rows.columns[column];
    const double apart =
        row_ours(study, row, column, depth) - row_measured(&study->rows, row, column);
    return about->points || apart == 0 ? apart
                                       : 100 * apart / row_measured(&study->rows, row, about->base);
}

bool row_is_in(const struct row_study *study, size_t row, const struct row_group *group)
{
    return (!group->gpu || !strcmp(group->gpu, row_cell(&study->rows, row, ROW_GPU))) &&
           (!group->kernel || !strcmp(group->kernel, row_cell(&study->rows, row, ROW_KERNEL))) &&
           (!group->one_sm || row_run_of(study, row)->sms == 1);
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum status row_errors_find(const struct row_study *study, const struct row_group *group,
                            size_t column, enum depth depth, struct row_errors *errors)
{
    double *sorted = malloc(study->rows.count * sizeof *sorted), sum = 0, bias = 0;
    *errors = (struct row_errors){.mean = NAN, .bias = NAN, .p95 = NAN, .worst = NAN};
    if (!sorted)
        return STATUS_MEMORY;
    for (size_t i = 0; i < study->rows.count; i++) {
        const double error = row_error(study, i, column, depth), size = fabs(error);
        if (!row_is_in(study, i, group) || isnan(row_measured(&study->rows, i, column)))
            continue;
        errors->refused += isnan(error);
        errors->exact += size == 0;
        errors->within_1 += size <= 1;
        errors->within_2 += size <= 2;
        if (isnan(error))
            continue;
        if (!(size <= errors->worst)) {
            errors->worst = size;
            errors->worst_row = i;
        }
        sum += sorted[errors->rows++] = size;
        bias += error;
    }
    qsort(sorted, errors->rows, sizeof *sorted, compare_doubles);
    if (errors->rows) {
        errors->mean = sum / (double)errors->rows;
        errors->bias = bias / (double)errors->rows;
        errors->p95 = sorted[errors->rows * 95 / 100];
    }
    free(sorted);
    return STATUS_OK;
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

static struct pair row_report_compare(const struct row_study *study, size_t a, size_t b)
{
    struct pair pair = {NAN, NAN, ORDER_NONE};
    const struct row_file *rows = &study->rows;
    const size_t column = time_column(study, a);
    if (column == rows->width || column != time_column(study, b) ||
        !*row_cell(rows, a, ROW_PROBLEM) ||
        strcmp(row_cell(rows, a, ROW_PROBLEM), row_cell(rows, b, ROW_PROBLEM)) != 0)
        return pair;
    pair.measured = row_measured(rows, b, column) / row_measured(rows, a, column);
    pair.ours = row_ours(study, b, column, DEPTH_TIMING) / row_ours(study, a, column, DEPTH_TIMING);
    if (isnan(pair.ours))
        pair.order = ORDER_UNKNOWN;
    else if (fabs(log(pair.measured)) < log(1.02)) /* closer than two runs of one program */
        pair.order = ORDER_EQUAL;
    else
        pair.order = (pair.measured > 1) == (pair.ours > 1) ? ORDER_RIGHT : ORDER_WRONG;
    return pair;
}

/* ---- verdicts ---- */

enum verdict {
    VERDICT_NONE,
    VERDICT_AGREES,
    VERDICT_DIFFERS,
    VERDICT_RIGHT,
    VERDICT_WRONG,
    VERDICTS
};
static const char *const verdict_names[] = {[VERDICT_NONE] = "-",
                                            [VERDICT_AGREES] = "agrees",
                                            [VERDICT_DIFFERS] = "differs",
                                            [VERDICT_RIGHT] = "right sign",
                                            [VERDICT_WRONG] = "wrong sign"};

static int sign(double value)
{
    return (value > 0) - (value < 0);
}

/* A change of the wrong sign never agrees; a row without a tolerance only has a sign. */
static enum verdict rows_judge(const struct row_study *study, size_t row, size_t column)
{
    const struct row_file *rows = &study->rows;
    const enum depth depth = best_depth(study, row, column);
    const double error = row_error(study, row, column, depth);
    const double tolerance = row_number(rows, row, ROW_TOLERANCE, NAN);
    const bool change = *row_cell(rows, row, ROW_AGAINST);
    if (isnan(error))
        return VERDICT_NONE;
    if (change &&
        sign(row_measured(rows, row, column)) != sign(row_ours(study, row, column, depth)))
        return VERDICT_WRONG;
    if (!isnan(tolerance))
        return fabs(error) <= tolerance ? VERDICT_AGREES : VERDICT_DIFFERS;
    return change ? VERDICT_RIGHT : VERDICT_NONE;
}

static bool is_judged(const struct row_study *study)
{
    for (size_t i = 0; i < study->rows.count; i++)
        if (*row_cell(&study->rows, i, ROW_AGAINST) || *row_cell(&study->rows, i, ROW_TOLERANCE))
            return true;
    return false;
}

static void print_verdicts(const struct row_study *study, FILE *out)
{
    size_t counts[VERDICTS] = {0};
    for (size_t row = 0; row < study->rows.count; row++)
        for (size_t i = 0; i < study->rows.width; i++)
            if (is_value(study, i) && !isnan(row_measured(&study->rows, row, i)))
                counts[rows_judge(study, row, i)]++;
    fputs("verdicts:", out);
    for (int i = VERDICT_AGREES; i < VERDICTS; i++)
        fprintf(out, "%s %s %zu", i > VERDICT_AGREES ? "," : "", verdict_names[i], counts[i]);
    fputc('\n', out);
}

/* ---- tables of fixed columns ---- */

static enum status put_summary(const struct row_study *study, const char *gpu, struct table *table)
{
    char text[NAME_TEXT];
    const struct row_group group = {.gpu = gpu};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < study->rows.width; i++)
        for (int depth = 0; depth < DEPTH_COUNT && is_value(study, i) && !status; depth++) {
            struct row_errors errors;
            status = row_errors_find(study, &group, i, (enum depth)depth, &errors);
            if (!errors.rows)
                continue;
            if (gpu)
                table_text(table, gpu);
            table_text(table, value_name(&study->rows.columns[i], text));
            table_text(table, depth_table[depth].name);
            table_decimal(table, (double)errors.rows, 0);
            table_decimal(table, (double)errors.exact, 0);
            table_decimal(table, errors.mean, 2);
            table_decimal(table, errors.worst, 2);
            table_text(table, row_name(study, errors.worst_row, text));
        }
    return status;
}

static enum status fill_summary(const struct row_study *study, struct table *table)
{
    return put_summary(study, NULL, table);
}

static enum status fill_gpus(const struct row_study *study, struct table *table)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < study->rows.count && !status; i++)
        if (row_is_first(study, i, ROW_GPU, ROW_TEXTS))
            status = put_summary(study, row_cell(&study->rows, i, ROW_GPU), table);
    return status;
}

static void put_value(const struct row_study *study, size_t row, size_t column, struct table *table)
{
    char text[NAME_TEXT];
    const struct row_column *about = &study->rows.columns[column];
    table_text(table, row_name(study, row, text));
    put_cell(table, study, row, ROW_KERNEL);
    put_cell(table, study, row, ROW_GPU);
    table_text(table, value_name(about, text));
    table_decimal(table, row_measured(&study->rows, row, column), about->digits);
    for (int depth = 0; depth < DEPTH_COUNT; depth++)
        table_decimal(table, row_ours(study, row, column, (enum depth)depth), about->digits);
    for (int depth = 0; depth < DEPTH_COUNT; depth++)
        table_decimal(table, row_error(study, row, column, (enum depth)depth), 2);
}

static enum status fill_rows(const struct row_study *study, struct table *table)
{
    for (size_t i = 0; i < study->rows.count; i++)
        for (size_t k = 0; k < study->rows.width; k++)
            if (is_value(study, k) && !isnan(row_measured(&study->rows, i, k)))
                put_value(study, i, k, table);
    return STATUS_OK;
}

static enum status fill_order(const struct row_study *study, struct table *table)
{
    for (size_t a = 0; a < study->rows.count; a++)
        for (size_t b = a + 1; b < study->rows.count; b++) {
            char text[NAME_TEXT];
            const struct pair pair = row_report_compare(study, a, b);
            if (pair.order == ORDER_NONE)
                continue;
            put_cell(table, study, a, ROW_PROBLEM);
            table_text(table, kernel_name(study, a, text));
            table_text(table, kernel_name(study, b, text));
            table_decimal(table, pair.measured, 3);
            table_decimal(table, pair.ours, 3);
            table_text(table, order_names[pair.order]);
        }
    return STATUS_OK;
}

static enum status fill_sources(const struct row_study *study, struct table *table)
{
    static const enum row_text texts[] = {ROW_KERNEL,   ROW_GPU,     ROW_MACHINE, ROW_SETTINGS,
                                          ROW_WORKLOAD, ROW_PROBLEM, ROW_TEXTS,   ROW_SOURCE};
    for (size_t i = 0; i < study->rows.count; i++) {
        char name[NAME_TEXT], out[64] = "";
        for (int depth = 0; depth < DEPTH_COUNT; depth++)
            if (row_run_of(study, i)->left_out[depth])
                snprintf(out + strlen(out), sizeof out - strlen(out), "%s%s", *out ? ", " : "",
                         depth_table[depth].name);
        table_text(table, row_name(study, i, name));
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            if (texts[k] == ROW_TEXTS)
                table_text(table, *out ? out : "-");
            else
                put_cell(table, study, i, texts[k]);
    }
    return STATUS_OK;
}

#define ERROR_COLUMNS                     ">rows", ">exact", ">mean", ">worst", "of row|worst.row"
#define DEPTH_COLUMN(id, name, ...)       ">" name,
#define DEPTH_ERROR_COLUMN(id, name, ...) ">error|error." name,

static const struct row_layout layouts[ROW_TABLE_LIST] = {
    [ROW_TABLE_SUMMARY] = {"Errors by counter and depth: points of rates, % of the rest",
                           fill_summary,
                           {"counter", "depth", ERROR_COLUMNS, NULL},
                           NULL},
    [ROW_TABLE_ROWS] = {"Every counter of every row",
                        fill_rows,
                        {"row", "kernel", "GPU|gpu", "counter", ">measured",
                         DEPTH_LIST(DEPTH_COLUMN) DEPTH_LIST(DEPTH_ERROR_COLUMN) NULL},
                        NULL},
    [ROW_TABLE_GPUS] = {"Errors by GPU",
                        fill_gpus,
                        {"GPU|gpu", "counter", "depth", ERROR_COLUMNS, NULL},
                        NULL},
    [ROW_TABLE_ORDER] = {"Variants of one problem on one GPU: times of the second over the first",
                         fill_order,
                         {"problem", "first", "second", ">measured", ">timing", "order", NULL},
                         NULL},
    [ROW_TABLE_SOURCES] = {"What runs for each row, and its source",
                           fill_sources,
                           {"row", "kernel", "GPU|gpu", "machine", "settings", "workload",
                            "problem", "left out", "source", NULL},
                           NULL},
};

/* ---- the list, whose columns are those of the file ---- */

struct list_column {
    char header[NAME_TEXT];
    size_t column;
    bool number, bytes;
};

struct list {
    struct list_column columns[LIST_COLUMNS];
    size_t count;
    bool many;   /* values, so that each row names its own */
    bool judged; /* rows have verdicts */
};

static bool is_numeric(const struct row_study *study, size_t column)
{
    for (size_t i = 0; i < study->rows.count; i++)
        if (*study->rows.items[i].cells[column] && isnan(row_measured(&study->rows, i, column)))
            return false;
    return true;
}

/* What a row is called and was measured at; not what runs for it (sources have that). */
static bool is_listed(const struct row_column *column)
{
    return column->kind == ROW_IS_AT ||
           (column->kind == ROW_IS_TEXT &&
            (column->text == ROW_ID || column->text == ROW_GPU || column->text == ROW_MACHINE ||
             column->text == ROW_KERNEL));
}

static void choose_columns(const struct row_study *study, struct list *list)
{
    size_t values = 0;
    *list = (struct list){.count = 0};
    for (size_t i = 0; i < study->rows.width; i++) {
        const struct row_column *from = &study->rows.columns[i];
        values += from->kind == ROW_IS_VALUE;
        if (!is_listed(from) || list->count == LIST_COLUMNS)
            continue;
        struct list_column *column = &list->columns[list->count++];
        column->column = i;
        column->number = from->kind == ROW_IS_AT && is_numeric(study, i);
        column->bytes = column->number && !strcmp(from->unit, "B");
        snprintf(column->header, sizeof column->header, "%s%s%s", column->number ? ">" : "",
                 from->name, from->text == ROW_GPU ? "|gpu" : "");
    }
    list->many = values > 1;
    list->judged = is_judged(study);
}

static struct table *list_create(const struct list *list)
{
    static const char *const ends[] = {">measured", ">ours", ">error%|error"};
    const char *headers[LIST_COLUMNS + 8];
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        headers[count++] = list->columns[i].header;
    if (list->many) {
        headers[count++] = "counter";
        headers[count++] = "unit";
    }
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        headers[count++] = ends[i];
    if (list->judged)
        headers[count++] = "verdict";
    headers[count++] = "source";
    headers[count] = NULL;
    return table_create(headers);
}

static void list_value(const struct row_study *study, const struct list *list, size_t row,
                       size_t column, struct table *table)
{
    const struct row_file *rows = &study->rows;
    const struct row_column *about = &rows->columns[column];
    const enum depth depth = best_depth(study, row, column);
    for (size_t i = 0; i < list->count; i++) {
        char text[QUANTITY_TEXT];
        const struct list_column *from = &list->columns[i];
        const char *cell = rows->items[row].cells[from->column];
        const double number = row_measured(rows, row, from->column);
        if (from->bytes && number >= 0)
            table_number(table, number, quantity_print_uint((uint64_t)number, UNIT_BYTES, text));
        else if (from->number)
            table_number(table, number, cell);
        else
            table_text(table, *cell ? cell : "-");
    }
    if (list->many) {
        table_text(table, about->name);
        table_text(table, about->unit);
    }
    table_decimal(table, row_measured(rows, row, column), about->digits);
    table_decimal(table, row_ours(study, row, column, depth), about->digits);
    table_decimal(table, row_error(study, row, column, depth), 1);
    if (list->judged)
        table_text(table, verdict_names[rows_judge(study, row, column)]);
    put_cell(table, study, row, ROW_SOURCE);
}

/* The mean errors of each value at the best depth of its rows. */
static void print_means(const struct row_study *study, FILE *out)
{
    fputc('\n', out);
    for (size_t i = 0; i < study->rows.width; i++) {
        char text[COUNT_TEXT];
        const struct row_column *column = &study->rows.columns[i];
        double sum = 0, bias = 0;
        size_t count = 0;
        for (size_t row = 0; row < study->rows.count && is_value(study, i); row++) {
            const double error = row_error(study, row, i, best_depth(study, row, i));
            count += !isnan(error);
            sum += isnan(error) ? 0 : fabs(error);
            bias += isnan(error) ? 0 : error;
        }
        if (count)
            fprintf(out, "%s%s%s: %.2f %s off in the mean, %+.2f with sign (%s)\n", column->name,
                    *column->unit ? " in " : "", column->unit, sum / (double)count,
                    column->points ? "points" : "%", bias / (double)count,
                    counted_print(count, "row", text));
    }
}

static enum status print_list(const struct row_study *study, enum table_format format, FILE *out)
{
    struct list list;
    choose_columns(study, &list);
    struct table *table = list_create(&list);
    if (!table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < study->rows.count; i++)
        for (size_t k = 0; k < study->rows.width; k++)
            if (is_value(study, k) && !isnan(row_measured(&study->rows, i, k)))
                list_value(study, &list, i, k, table);
    const enum status status = table_finish(table, format, out);
    if (!status && format == TABLE_TEXT)
        print_means(study, out);
    if (!status && format == TABLE_TEXT && list.judged)
        print_verdicts(study, out);
    return status;
}

/* ---- reports ---- */

enum status row_layout_print(const struct row_layout *layout, const struct row_study *study,
                             enum table_format format, FILE *out)
{
    struct table *table = layout->create ? layout->create(study) : table_create(layout->headers);
    if (!table)
        return STATUS_MEMORY;
    const enum status status = layout->fill(study, table);
    if (!status)
        return table_finish(table, format, out);
    table_free(table);
    return status;
}

enum status row_report_table(const struct row_study *study, enum row_table which,
                             enum table_format format, FILE *out)
{
    return which == ROW_TABLE_LIST ? print_list(study, format, out)
                                   : row_layout_print(&layouts[which], study, format, out);
}

/* One error for each row that has cycles or a duration, and how many orders are right. */
static void print_times(const struct row_study *study, FILE *out)
{
    size_t rows = 0, orders[ORDER_WRONG + 1] = {0};
    double sum = 0;
    for (size_t a = 0; a < study->rows.count; a++) {
        const size_t column = time_column(study, a);
        if (column == study->rows.width)
            continue;
        const double error = fabs(row_error(study, a, column, DEPTH_TIMING));
        rows += !isnan(error);
        sum += isnan(error) ? 0 : error;
        for (size_t b = a + 1; b < study->rows.count; b++)
            orders[row_report_compare(study, a, b).order]++;
    }
    if (rows)
        fprintf(out,
                "\ncycles or durations of %zu rows at depth timing: %.2f %% off in the mean; "
                "orders right: %zu of %zu pairs\n",
                rows, sum / (double)rows, orders[ORDER_RIGHT],
                orders[ORDER_RIGHT] + orders[ORDER_WRONG]);
}

void row_report_notes(const struct row_study *study, struct diagnostics *diagnostics)
{
    size_t left_out = 0;
    for (size_t i = 0; i < study->rows.count; i++)
        left_out += row_run_of(study, i)->left_out[DEPTH_TIMING];
    if (left_out)
        diagnostics_add(diagnostics, SEVERITY_NOTE, NULL,
                        "%zu of %zu rows are too large for depth timing at this --effort", left_out,
                        study->rows.count);
    for (size_t i = 0; i < study->run_count; i++) {
        char text[NAME_TEXT];
        if (study->runs[i].why)
            diagnostics_add(diagnostics, SEVERITY_NOTE, NULL, "row %s: %s",
                            row_name(study, study->runs[i].first, text), study->runs[i].why);
    }
}

enum status row_report_print(const struct row_study *study, bool list, FILE *out)
{
    static const enum row_table tables[] = {ROW_TABLE_SUMMARY, ROW_TABLE_ORDER};
    enum status status = list ? print_list(study, TABLE_TEXT, out) : STATUS_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !status; i++) {
        fprintf(out, "%s%s\n", i || list ? "\n" : "", layouts[tables[i]].title);
        status = row_report_table(study, tables[i], TABLE_TEXT, out);
    }
    if (!status) {
        print_times(study, out);
        fputs("\nnote: errors are without sign; ours were never fitted to these rows\n"
              "note: times within 2 % of each other have no order; durations are at the machine's "
              "own clock; --table rows and sources list everything\n",
              out);
    }
    return !status && ferror(out) ? STATUS_IO : status;
}
