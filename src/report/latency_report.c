#include "report/latency_report.h"

#include <inttypes.h>

#include "base/units.h"
#include "report/study_errors.h"

enum status latency_report_table(const struct latency_study *study, enum table_format format,
                                 FILE *out)
{
    static const char *const headers[] = {"GPU|gpu",     "machine",   "level",
                                          ">ring|bytes", ">measured", ">ours",
                                          ">error",      "source",    NULL};
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    struct study_errors errors = {0};
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
        table_decimal(table, study_error(&errors, result->ours, row->measured), 1);
        table_text(table, row->source);
    }
    return study_table_finish(table, format, &errors, "latencies in cycles of a load", out);
}
