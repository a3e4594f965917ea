#include "cli/results/compare_points.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "explore/store/point_difference.h"
#include "report/drawing/number.h"

struct printer {
    const struct study *study;
    const struct space *space;
    const struct metric *const *columns;
    const struct point_difference *difference;
    uint64_t points[2];
    struct table *table;
};

/* "a,b". */
static enum status read_points(const char *text, uint64_t points[2],
                               struct diagnostics *diagnostics)
{
    char *end;
    points[0] = strtoull(text, &end, 10);
    const bool first = end != text && *end == ',';
    const char *second = first ? end + 1 : text;
    points[1] = strtoull(second, &end, 10);
    if (first && end != second && !*end)
        return STATUS_OK;
    return diagnostics_error(diagnostics, STATUS_INVALID,
                             "--points: expected the ids of two points, such as 12,34; got '%.60s'",
                             text);
}

/* A change, in the unit of the metric and as a share of the first point's value. */
static void add_change(const struct printer *printer, size_t column, double change)
{
    const double from = printer->difference->from[column];
    char text[QUANTITY_TEXT], share[NUMBER_TEXT];
    table_number(printer->table, change,
                 isnan(change)
                     ? "-"
                     : quantity_print_short(change, printer->columns[column]->unit, 4, text));
    table_number(printer->table, change == 0 ? 0 : change / fabs(from),
                 isnan(change) ? "-" : change_print(from, from + change, share));
}

static void add_axis(const struct printer *printer, size_t column, size_t i)
{
    const struct point_difference *difference = printer->difference;
    const size_t axis = difference->axes[i];
    table_text(printer->table, printer->columns[column]->path);
    table_text(printer->table, printer->study->axes[axis].parameter->path);
    for (size_t p = 0; p < 2; p++)
        results_add_value(
            printer->table, printer->study->axes[axis].parameter,
            printer->study->axes[axis].values[space_digit(
                printer->space, printer->points[p] % printer->space->machines, axis)]);
    add_change(printer, column, difference->parts[i * difference->column_count + column]);
}

static void add_all(const struct printer *printer, size_t column)
{
    const struct point_difference *difference = printer->difference;
    const double values[2] = {difference->from[column], difference->to[column]};
    char text[QUANTITY_TEXT];
    table_text(printer->table, printer->columns[column]->path);
    table_text(printer->table, "all");
    for (size_t p = 0; p < 2; p++)
        table_number(printer->table, values[p],
                     quantity_print_short(values[p], printer->columns[column]->unit, 6, text));
    add_change(printer, column, values[1] - values[0]);
}

static void add_metric(const struct printer *printer, size_t column)
{
    const struct point_difference *difference = printer->difference;
    const double from = difference->from[column], to = difference->to[column];
    if (!(from < to || to < from))
        return;
    add_all(printer, column);
    for (size_t i = 0; i < difference->axis_count && i < DIFFERENCE_AXES; i++)
        add_axis(printer, column, i);
}

enum status compare_points(struct store *store, const char *text, enum table_format format,
                           struct diagnostics *diagnostics)
{
    static const char *const headers[] = {"metric",  "axis",        "A|a", "B|b",
                                          ">change", ">of A|share", NULL};
    struct point_difference difference = {0};
    struct printer printer = {.study = store_space(store)->study,
                              .space = store_space(store),
                              .difference = &difference,
                              .table = table_create(headers)};
    const size_t count = store_columns(store, &printer.columns);
    enum status status = printer.table ? STATUS_OK : STATUS_MEMORY;
    char untold[DIFFERENCE_TEXT];
    if (!status)
        status = read_points(text, printer.points, diagnostics);
    if (!status)
        status = point_difference_open(store, printer.points[0], printer.points[1], &difference,
                                       diagnostics);
    for (size_t c = 0; c < count && !status; c++)
        add_metric(&printer, c);
    if (!status)
        status = table_print(printer.table, format, stdout);
    if (!status && *point_difference_untold(&difference, untold))
        diagnostics_add(diagnostics, SEVERITY_NOTE, NULL, "%s", untold);
    point_difference_close(&difference);
    table_free(printer.table);
    return status;
}
