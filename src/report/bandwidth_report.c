#include "report/bandwidth_report.h"

#include <math.h>

static double error_of(const struct bandwidth_result *result)
{
    return 100 * (result->ours / result->row->measured - 1);
}

enum status bandwidth_report_table(const struct bandwidth_study *study, enum table_format format,
                                   FILE *out)
{
    static const char *const headers[] = {"GPU|gpu", "machine",       "level",  "unit", ">measured",
                                          ">ours",   ">error%|error", "source", NULL};
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    double sum = 0;
    size_t rows = 0;
    for (size_t i = 0; i < study->count; i++) {
        const struct bandwidth_result *result = &study->results[i];
        const struct bandwidth_row *row = result->row;
        const int digits = row->level == BANDWIDTH_L1;
        table_text(table, row->gpu);
        table_text(table, row->machine);
        table_text(table, bandwidth_name(row->level));
        table_text(table, bandwidth_unit(row->level));
        table_decimal(table, row->measured, digits);
        table_decimal(table, result->ours, digits);
        table_decimal(table, error_of(result), 1);
        table_text(table, row->source);
        rows += !isnan(result->ours);
        sum += isnan(result->ours) ? 0 : fabs(error_of(result));
    }
    const enum status status = table_finish(table, format, out);
    if (!status && format == TABLE_TEXT && rows)
        fprintf(out, "\n%zu bandwidths: %.2f %% off in the mean\n", rows, sum / (double)rows);
    return status;
}
