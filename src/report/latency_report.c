#include "report/latency_report.h"

#include <inttypes.h>
#include <math.h>

#include "base/units.h"

static double error_of(const struct latency_result *result)
{
    return 100 * (result->ours / result->row->measured - 1);
}

enum status latency_report_table(const struct latency_study *study, enum table_format format,
                                 FILE *out)
{
    static const char *const headers[] = {"GPU|gpu",     "machine",   "level",
                                          ">ring|bytes", ">measured", ">ours",
                                          ">error",      "source",    NULL};
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    double sum = 0;
    size_t rows = 0;
    for (size_t i = 0; i < study->count; i++) {
        const struct latency_result *result = &study->results[i];
        const struct latency_row *row = result->row;
        char bytes[QUANTITY_TEXT];
        table_text(table, row->gpu);
        table_text(table, row->machine);
        table_text(table, row->level);
        table_number(table, (double)row->bytes, quantity_print_uint(row->bytes, UNIT_BYTES, bytes));
        table_decimal(table, row->measured, 1);
        table_decimal(table, result->ours, 1);
        table_decimal(table, error_of(result), 1);
        table_text(table, row->source);
        rows += !isnan(result->ours);
        sum += isnan(result->ours) ? 0 : fabs(error_of(result));
    }
    const enum status status = table_finish(table, format, out);
    if (!status && format == TABLE_TEXT && rows)
        fprintf(out, "\n%zu latencies in cycles of a load: %.2f %% off in the mean\n", rows,
                sum / (double)rows);
    return status;
}
