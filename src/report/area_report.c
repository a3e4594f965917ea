#include "report/area_report.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>

#include "base/units.h"
#include "model/area/area.h"
#include "schema/structures.h"

/* One line: a structure, or a memory of one. */
struct line {
    double copies;
    struct array_estimate one;
    double bits; /* of one */
};

static void quantity_cell(struct table *table, double value, enum unit unit)
{
    char text[QUANTITY_TEXT];
    table_number(table, value, quantity_print_short(value, unit, 4, text));
}

static void percent_cell(struct table *table, double share)
{
    char text[QUANTITY_TEXT];
    snprintf(text, sizeof text, "%.1f%%", 100 * share);
    table_number(table, share, text);
}

static void add_line(struct table *table, const struct line *line, double total)
{
    table_number(table, line->copies, NULL);
    quantity_cell(table, line->bits, UNIT_BITS);
    quantity_cell(table, line->one.area, UNIT_AREA);
    quantity_cell(table, line->copies * line->one.area, UNIT_AREA);
    percent_cell(table, line->copies * line->one.area / total);
    quantity_cell(table, line->one.time, UNIT_SECONDS);
    quantity_cell(table, line->one.energy, UNIT_JOULES);
    quantity_cell(table, line->copies * line->one.leakage, UNIT_WATTS);
}

/* "64 RAMs of 32 words of 78 bits", as much of it as says something. */
static void describe(struct table *table, const struct memory_array *array, char *text, size_t size)
{
    const uint64_t entry = array->key_bits + array->payload_bits;
    switch (array->kind) {
    case MEMORY_RAM:
        snprintf(text, size, "RAM, %" PRIu64 " x %" PRIu64 " bits", array->entries, entry);
        break;
    case MEMORY_SEARCHED:
        snprintf(text, size, "searched, %" PRIu64 " x (%" PRIu64 " + %" PRIu64 ") bits",
                 array->entries, array->key_bits, array->payload_bits);
        break;
    case MEMORY_CACHE:
        snprintf(text, size,
                 "%" PRIu64 " sets x %" PRIu64 " ways x (%" PRIu64 " + %" PRIu64 ") bits, %" PRIu64
                 " out, banks %" PRIu64 ", ports %u",
                 array->sets, array->entries / array->sets, array->key_bits, array->payload_bits,
                 array->output ? array->output : array->payload_bits,
                 array->banks ? array->banks : 1, array->extra_ports + 1);
        break;
    }
    table_text(table, text);
}

/* A structure of one memory takes one line, others a line for the whole and one for each memory. */
static void add_structure(struct table *table, const struct area_report *report,
                          enum structure_id id, double total)
{
    struct area_structure found;
    char text[160];
    area_describe(report->machine, id, &found);
    if (found.count > 1) {
        const struct line whole = {found.copies,
                                   {.area = found.area,
                                    .time = found.time,
                                    .energy = found.energy,
                                    .leakage = found.leakage},
                                   found.bits};
        table_text(table, structure_table[id].path);
        table_text(table, "all");
        add_line(table, &whole, total);
        table_text(table, area_confidence_text(found.confidence));
        if (report->explain)
            table_text(table, "");
    }
    for (size_t i = 0; i < found.count; i++) {
        const struct memory_array *array = &found.memories[i].array;
        const struct line part = {found.copies * (double)array->count, found.memories[i].one,
                                  (double)memory_array_bits(array) / (double)array->count};
        table_text(table, structure_table[id].path);
        table_text(table, array->name);
        add_line(table, &part, total);
        table_text(table, area_confidence_text(area_memory_confidence(&found.memories[i])));
        if (report->explain)
            describe(table, array, text, sizeof text);
    }
}

static enum status print_notes(const struct area_report *report, FILE *out)
{
    char node[QUANTITY_TEXT];
    fprintf(
        out,
        "\nArea, time and energy are of one, the second area and leakage of all copies; node %s.\n",
        quantity_print_short(report->machine->tech.node, UNIT_METRES, 4, node));
    if (!report->explain)
        return STATUS_OK;
    for (int i = 0; i < AREA_CONFIDENCES; i++)
        if (i != AREA_EXACT)
            fprintf(out, "%s: %s\n", area_confidence_text((enum area_confidence)i),
                    area_confidence_help((enum area_confidence)i));
    return ferror(out) ? STATUS_IO : STATUS_OK;
}

enum status area_report_print(const struct area_report *report, enum table_format format, FILE *out)
{
    static const char *const headers[] = {"structure", "memory",       ">copies", ">bits",
                                          ">area",     ">area of all", ">share",  ">time",
                                          ">energy",   ">leakage",     "basis",   NULL};
    static const char *const explained[] = {
        "structure", "memory",   ">copies", ">bits", ">area", ">area of all", ">share", ">time",
        ">energy",   ">leakage", "basis",   "what",  NULL};
    struct metrics metrics;
    metrics_clear(&metrics);
    area_evaluate(report->machine, &metrics);
    struct table *table = table_create(report->explain ? explained : headers);
    if (!table)
        return STATUS_MEMORY;
    for (int i = 0; i < STRUCTURE_COUNT; i++)
        add_structure(table, report, (enum structure_id)i, metrics.total_area);
    if (format == TABLE_TEXT) {
        char bits[QUANTITY_TEXT], area[QUANTITY_TEXT];
        fprintf(out, "%s: %s, %s\n\n", report->machine_name,
                quantity_print_short(metrics.total_bits, UNIT_BITS, 4, bits),
                quantity_print_short(metrics.total_area, UNIT_AREA, 4, area));
        table_fit(table, report->columns);
    }
    const enum status status = table_finish(table, format, out);
    return status || format != TABLE_TEXT ? status : print_notes(report, out);
}
