#include "report/stride_report.h"

#include "report/study_errors.h"

enum status stride_report_table(const struct stride_study *study, enum table_format format,
                                FILE *out)
{
    static const char *const headers[] = {"GPU|gpu",       "machine",   "type",
                                          ">stride",       ">measured", ">ours",
                                          ">error%|error", "source",    NULL};
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    struct study_errors errors = {0};
    for (size_t i = 0; i < study->count; i++) {
        const struct stride_result *result = &study->results[i];
        table_text(table, result->row->gpu);
        table_text(table, result->row->machine);
        table_text(table, stride_type(result->row));
        table_decimal(table, result->stride, 0);
        table_decimal(table, result->row->measured[result->stride], 2);
        table_decimal(table, result->ours, 2);
        table_decimal(table,
                      study_error(&errors, result->ours, result->row->measured[result->stride]), 1);
        table_text(table, result->row->source);
    }
    return study_table_finish(table, format, &errors, "strides in cycles of a load", out);
}
