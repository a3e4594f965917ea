#include "report/runs/cacti_report.h"

#include <math.h>

#include "base/units.h"

static void cell(struct table *table, double value, enum unit unit)
{
    char text[QUANTITY_TEXT];
    table_number(table, value, quantity_print_short(value, unit, 4, text));
}

/* Ours, CACTI's, and how many times CACTI's ours is. */
static void cells(struct table *table, double ours, double cacti, enum unit unit)
{
    cell(table, ours, unit);
    cell(table, cacti, unit);
    cell(table, ours / cacti, UNIT_NONE);
}

enum status cacti_report_print(const struct cacti_row *rows, size_t count, enum table_format format,
                               FILE *out)
{
    static const char *const headers[] = {"structure",
                                          "memory",
                                          ">area",
                                          ">CACTI|area.cacti",
                                          ">ratio|area.ratio",
                                          ">time",
                                          ">CACTI|time.cacti",
                                          ">ratio|time.ratio",
                                          ">energy",
                                          ">CACTI|energy.cacti",
                                          ">ratio|energy.ratio",
                                          ">leakage",
                                          ">CACTI|leakage.cacti",
                                          ">ratio|leakage.ratio",
                                          "why not",
                                          NULL};
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const struct cacti_row *row = &rows[i];
        struct array_estimate cacti = row->cacti;
        if (row->reason)
            cacti =
                (struct array_estimate){.area = NAN, .time = NAN, .energy = NAN, .leakage = NAN};
        table_text(table, row->structure);
        table_text(table, row->memory);
        cells(table, row->ours.area, cacti.area, UNIT_AREA);
        cells(table, row->ours.time, cacti.time, UNIT_SECONDS);
        cells(table, row->ours.energy, cacti.energy, UNIT_JOULES);
        cells(table, row->ours.leakage, cacti.leakage, UNIT_WATTS);
        table_text(table, row->reason ? row->reason : "");
    }
    return table_finish(table, format, out);
}
