#include "report/experiments/row_study_report.h"

#include <math.h>

#include "base/units.h"

static void put_place(struct table *table, const struct study_row *row, enum unit unit)
{
    char text[QUANTITY_TEXT];
    if (row->unit)
        table_text(table, row->unit);
    else if (unit == UNIT_NONE)
        table_decimal(table, row->at, 0);
    else
        table_number(table, row->at, quantity_print_uint((uint64_t)row->at, unit, text));
}

enum status row_study_report_table(const struct row_study *study, enum table_format format,
                                   FILE *out)
{
    const char *const headers[] = {"GPU|gpu",       "machine",   study->kind->what,
                                   study->kind->at, ">measured", ">ours",
                                   ">error%|error", "source",    NULL};
    struct table *table = table_create(headers);
    double sum = 0; /* of errors without signs */
    size_t count = 0;
    if (!table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < study->count; i++) {
        const struct study_row *row = &study->rows[i];
        const double error = 100 * (row->ours / row->measured - 1);
        count += !isnan(error);
        sum += isnan(error) ? 0 : fabs(error);
        table_text(table, row->gpu);
        table_text(table, row->machine);
        table_text(table, row->what);
        put_place(table, row, study->kind->unit);
        table_decimal(table, row->measured, row->digits);
        table_decimal(table, row->ours, row->digits);
        table_decimal(table, error, 1);
        table_text(table, row->source);
    }
    const enum status status = table_finish(table, format, out);
    if (!status && format == TABLE_TEXT && count)
        fprintf(out, "\n%zu %s: %.2f %% off in the mean\n", count, study->kind->figures,
                sum / (double)count);
    return status;
}
