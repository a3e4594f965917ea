#include "report/bandwidth_report.h"

#include "report/study_errors.h"

enum status bandwidth_report_table(const struct bandwidth_study *study, enum table_format format,
                                   FILE *out)
{
    static const char *const headers[] = {"GPU|gpu", "machine",       "level",  "unit", ">measured",
                                          ">ours",   ">error%|error", "source", NULL};
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    struct study_errors errors = {0};
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
        table_decimal(table, study_error(&errors, result->ours, row->measured), 1);
        table_text(table, row->source);
    }
    return study_table_finish(table, format, &errors, "bandwidths", out);
}
