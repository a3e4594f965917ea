#include "report/stride_report.h"

#include <math.h>

static double error_of(const struct stride_result *result)
{
    return 100 * (result->ours / result->row->measured[result->stride] - 1);
}

enum status stride_report_table(const struct stride_study *study, enum table_format format,
                                FILE *out)
{
    static const char *const headers[] = {"GPU|gpu",       "machine",   "type",
                                          ">stride",       ">measured", ">ours",
                                          ">error%|error", "source",    NULL};
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    double sum = 0;
    size_t rows = 0;
    for (size_t i = 0; i < study->count; i++) {
        const struct stride_result *result = &study->results[i];
        const double error = error_of(result);
        table_text(table, result->row->gpu);
        table_text(table, result->row->machine);
        table_text(table, stride_type(result->row));
        table_decimal(table, result->stride, 0);
        table_decimal(table, result->row->measured[result->stride], 2);
        table_decimal(table, result->ours, 2);
        table_decimal(table, error, 1);
        table_text(table, result->row->source);
        rows += !isnan(error);
        sum += isnan(error) ? 0 : fabs(error);
    }
    const enum status status = table_finish(table, format, out);
    if (!status && format == TABLE_TEXT && rows)
        fprintf(out, "\n%zu strides in cycles of a load: %.2f %% off in the mean\n", rows,
                sum / (double)rows);
    return status;
}
