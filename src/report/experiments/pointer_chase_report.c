#include "report/experiments/pointer_chase_report.h"

#include <inttypes.h>
#include <math.h>

#include "model/gpu/occupancy.h"

enum { NAME = 48 };

struct pointer_chase_rows {
    struct table *table;
    bool configured; /* there is a machine to compare with */
};

static void put_quantity(struct table *table, double value, enum unit unit)
{
    char text[QUANTITY_TEXT];
    table_number(table, value,
                 isnan(value)          ? NULL
                 : unit == UNIT_CYCLES ? quantity_print_short(value, UNIT_NONE, 4, text)
                                       : quantity_print_uint((uint64_t)value, unit, text));
}

static void put_row(const struct pointer_chase_rows *rows, const char *name, double found,
                    enum unit unit, double configured, const char *why)
{
    table_text(rows->table, name);
    put_quantity(rows->table, found, unit);
    table_text(rows->table, unit_name(unit));
    if (rows->configured) {
        put_quantity(rows->table, configured, unit);
        table_text(rows->table, isnan(found) || isnan(configured) ? ""
                                : found == configured             ? "agrees"
                                                                  : "differs");
    }
    table_text(rows->table, why);
}

static void put_finding(const struct pointer_chase_rows *rows, const char *name,
                        const struct finding *finding, enum unit unit, double configured)
{
    put_row(rows, name, finding->kind == FOUND ? (double)finding->value : NAN, unit, configured,
            finding->kind == FOUND_NO_LIMIT ? "the last level" : finding->why);
}

/* What level `index` of the curve is configured to hold. */
static double capacity_of(const struct machine *machine, size_t index)
{
    if (!machine)
        return NAN;
    if (machine->l1d.enabled && index == 0)
        return (double)machine->l1d.size / (double)machine->l1d.ways *
               (double)occupancy_l1d_ways_alone(machine);
    const bool second = index == (machine->l1d.enabled ? 1 : 0);
    return machine->l2.enabled && second ? (double)machine->l2.size : NAN;
}

enum status pointer_chase_report_table(const struct pointer_chase *chase,
                                       const struct machine *machine, enum table_format format,
                                       FILE *out)
{
    static const char *const both[] = {"property", ">found", "unit", ">configured",
                                       "verdict",  "note",   NULL};
    static const char *const alone[] = {"property", ">found", "unit", "note", NULL};
    const bool tlb = machine && machine->tlb.enabled;
    struct pointer_chase_rows rows = {table_create(machine ? both : alone), machine != NULL};
    if (!rows.table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < chase->level_count; i++) {
        char name[NAME];
        snprintf(name, sizeof name, "level %zu latency", i + 1);
        put_row(&rows, name, chase->levels[i].latency, UNIT_CYCLES, NAN, "");
        snprintf(name, sizeof name, "level %zu capacity", i + 1);
        put_finding(&rows, name, &chase->levels[i].capacity, UNIT_BYTES, capacity_of(machine, i));
    }
    put_finding(&rows, "line of level 1", &chase->line, UNIT_BYTES,
                machine ? (double)machine->l1d.line : NAN);
    put_finding(&rows, "bytes of a fetch", &chase->sector, UNIT_BYTES,
                machine ? (double)machine->l1d.sector : NAN);
    put_finding(&rows, "TLB entries", &chase->tlb_entries, UNIT_NONE,
                tlb ? (double)machine->tlb.entries : NAN);
    put_finding(&rows, "page", &chase->page, UNIT_BYTES, tlb ? (double)machine->page.size : NAN);
    put_row(&rows, "cycles of a translation that misses", chase->translation, UNIT_CYCLES, NAN,
            isnan(chase->translation) ? "not found" : "");
    return table_finish(rows.table, format, out);
}
