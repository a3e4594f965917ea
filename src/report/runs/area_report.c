#include "report/runs/area_report.h"

#include <math.h>
#include <stddef.h>

#include "base/units.h"
#include "model/area/area.h"
#include "report/runs/area_tree.h"
#include "schema/structures.h"

/* One line: a structure, or a memory of one. Times and energies are of one of the copies. */
struct line {
    const char *structure, *memory;
    double copies;
    double bits;
    struct array_estimate one;
    struct fpga_cost fpga;
    enum area_confidence confidence;
    const struct memory_array *array; /* NULL: a whole structure */
};

struct printer {
    const struct area_report *report;
    struct table *table;
    double total; /* area, or block RAMs of an FPGA */
};

static double node_nm(const struct area_report *report)
{
    return report->machine->tech.node * 1e9;
}

static bool on_fpga(const struct area_report *report)
{
    return report->machine->tech.target == TARGET_FPGA;
}

static void quantity_cell(struct table *table, double value, enum unit unit)
{
    char text[QUANTITY_TEXT];
    table_number(table, value, quantity_print_short(value, unit, 4, text));
}

enum { BAND_TEXT = 32 };

/* "x0.91-1.10" */
static const char *band_text(struct area_band band, char text[BAND_TEXT])
{
    snprintf(text, BAND_TEXT, "x%.2f-%.2f", band.low, band.high);
    return text;
}

static void share_cells(const struct printer *printer, double part)
{
    enum { BAR = 10 };
    const double share = printer->total > 0 ? part / printer->total : NAN;
    char text[QUANTITY_TEXT], bar[BAR + 1] = "";
    snprintf(text, sizeof text, "%.1f%%", 100 * share);
    table_number(printer->table, share, isnan(share) ? "-" : text);
    for (int i = 0; i < BAR && share * BAR >= i + 0.5; i++) {
        bar[i] = '#';
        bar[i + 1] = '\0';
    }
    table_text(printer->table, bar);
}

static void chip_cells(const struct printer *printer, const struct line *line)
{
    struct table *table = printer->table;
    char text[BAND_TEXT];
    quantity_cell(table, line->one.area, UNIT_AREA);
    quantity_cell(table, line->copies * line->one.area, UNIT_AREA);
    share_cells(printer, line->copies * line->one.area);
    quantity_cell(table, line->one.time, UNIT_SECONDS);
    quantity_cell(table, line->one.energy, UNIT_JOULES);
    quantity_cell(table, line->copies * line->one.leakage, UNIT_WATTS);
    table_text(table, area_confidence_text(line->confidence));
    table_text(table, band_text(area_band(line->confidence, node_nm(printer->report),
                                          line->one.octaves, MEASURE_AREA),
                                text));
}

static void fpga_cells(const struct printer *printer, const struct line *line)
{
    struct table *table = printer->table;
    char range[64];
    const double luts = line->copies * line->fpga.luts;
    quantity_cell(table, line->fpga.ram18 / 2, UNIT_NONE);
    quantity_cell(table, line->copies * line->fpga.ram18 / 2, UNIT_NONE);
    share_cells(printer, line->copies * line->fpga.ram18);
    quantity_cell(table, line->copies * line->fpga.lutram, UNIT_NONE);
    snprintf(range, sizeof range, "%.0f-%.0f", luts, FPGA_LOGIC_MOST * luts);
    table_number(table, luts, range);
    quantity_cell(table, line->copies * line->fpga.registers, UNIT_NONE);
    quantity_cell(table, line->fpga.time, UNIT_SECONDS);
}

static void add_line(struct printer *printer, const struct line *line)
{
    struct table *table = printer->table;
    table_text(table, line->structure);
    table_text(table, line->memory);
    table_number(table, line->copies, NULL);
    quantity_cell(table, line->bits, UNIT_BITS);
    if (on_fpga(printer->report))
        fpga_cells(printer, line);
    else
        chip_cells(printer, line);
    if (!printer->report->explain)
        return;
    char what[MEMORY_TEXT];
    table_text(table, line->array ? memory_array_text(line->array, what) : "");
}

/* A structure of one memory takes one line, others a line for the whole and one for each memory. */
static void add_structure(struct printer *printer, enum structure_id id)
{
    struct area_structure found;
    const char *path = structure_table[id].path;
    area_describe(printer->report->machine, id, &found);
    if (found.count > 1)
        add_line(printer, &(struct line){path,
                                         "all",
                                         found.copies,
                                         found.bits,
                                         {.area = found.area,
                                          .time = found.time,
                                          .energy = found.energy,
                                          .leakage = found.leakage,
                                          .octaves = found.octaves},
                                         found.fpga,
                                         found.confidence,
                                         NULL});
    for (size_t i = 0; i < found.count; i++) {
        const struct area_memory *memory = &found.memories[i];
        const double count = (double)memory->array.count;
        add_line(printer,
                 &(struct line){path, memory->array.name, found.copies * count,
                                (double)memory_array_bits(&memory->array) / count, memory->one,
                                memory->fpga, area_memory_confidence(memory), &memory->array});
    }
}

/* ---- notes ------------------------------------------------------------------------------------
 */

/* What the words for the bases of estimates mean. */
static void print_bases(const struct machine *machine, FILE *out)
{
    bool seen[AREA_CONFIDENCES] = {false};
    for (int id = 0; id < STRUCTURE_COUNT; id++) {
        struct area_structure found;
        area_describe(machine, (enum structure_id)id, &found);
        for (size_t i = 0; i < found.count; i++)
            seen[area_memory_confidence(&found.memories[i])] = true;
    }
    for (int i = 0; i < AREA_CONFIDENCES; i++)
        if (seen[i])
            fprintf(out, "%s: %s\n", area_confidence_text((enum area_confidence)i),
                    area_confidence_help((enum area_confidence)i));
}

static void print_scales(const struct machine *machine, FILE *out)
{
    static const char *const names[] = {"area", "time", "energy", "leakage"};
    const double scales[] = {machine->tech.scale.area, machine->tech.scale.time,
                             machine->tech.scale.energy, machine->tech.scale.leakage};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
        if (scales[i] != 1)
            fprintf(out, "Measured: every %s is %.4g times what the model says (tech.scale.%s).\n",
                    names[i], scales[i], names[i]);
}

static enum status print_notes(const struct area_report *report, FILE *out)
{
    if (on_fpga(report))
        fputs(
            "\nThe first block RAMs and the time are of one, all others of all copies. Logic takes "
            "at "
            "least and at most so many look-up tables.\nA time is the RAM's and 0.38 ns for each "
            "level of logic; where things are placed may change it by a half. Instruction and data "
            "cache of simt-processor\ntook 2.923 and 3.258 ns on a XCVU440, speed grade 2: 307 MHz "
            "(Xu et al. 2019).\n",
            out);
    else
        fprintf(out,
                "\n%sBands are factors of %s: what CACTI 7 would say and, below 22 nm, what a "
                "finished cache takes.\n",
                report->explain
                    ? ""
                    : "Area, time and energy are of one, the second area and leakage of "
                      "all copies.\n",
                report->explain ? "an estimate" : "the estimated area");
    if (report->explain)
        print_bases(report->machine, out);
    print_scales(report->machine, out);
    return ferror(out) ? STATUS_IO : STATUS_OK;
}

static void print_head(const struct area_report *report, const struct metrics *metrics, FILE *out)
{
    char bits[QUANTITY_TEXT], area[QUANTITY_TEXT], node[QUANTITY_TEXT];
    fprintf(out, "%s: %s, ", report->machine_name,
            quantity_print_short(metrics->total_bits, UNIT_BITS, 4, bits));
    if (on_fpga(report))
        fprintf(out, "%.0f RAMB36, %.0f to %.0f look-up tables (%.0f as RAM), %.0f registers\n\n",
                metrics->fpga_ram36, metrics->fpga_luts + metrics->fpga_lutram,
                metrics->fpga_luts_most + metrics->fpga_lutram, metrics->fpga_lutram,
                metrics->fpga_registers);
    else
        fprintf(out, "%s, node %s\n\n",
                quantity_print_short(metrics->total_area, UNIT_AREA, 4, area),
                quantity_print_short(report->machine->tech.node, UNIT_METRES, 4, node));
}

static enum status print_tree(const struct area_report *report, FILE *out)
{
    struct area_tree tree;
    const int columns = (int)report->columns;
    enum status status =
        area_tree_make(report->machine, report->machine_name, NULL, columns, &tree);
    if (!status)
        status = area_tree_print(&tree, columns, out);
    area_tree_free(&tree);
    return status;
}

enum status area_report_print(const struct area_report *report, enum table_format format, FILE *out)
{
    static const char *const chip[] = {"structure",    "memory", ">copies", ">bits", ">area",
                                       ">area of all", ">share", "|bar",    ">time", ">energy",
                                       ">leakage",     "basis",  "band",    "what",  NULL};
    static const char *const fpga[] = {"structure",      "memory", ">copies", ">bits",   ">RAMB36",
                                       ">RAMB36 of all", ">share", "|bar",    ">LUTRAM", ">LUTs",
                                       ">registers",     ">time",  "what",    NULL};
    const char *headers[sizeof chip / sizeof *chip] = {NULL};
    const char *const *from = on_fpga(report) ? fpga : chip;
    for (size_t i = 0; from[i] && (report->explain || from[i + 1]); i++)
        headers[i] = from[i];
    struct metrics metrics;
    if (report->explain && format == TABLE_TEXT) {
        const enum status status = print_tree(report, out);
        return status ? status : print_notes(report, out);
    }
    metrics_clear(&metrics);
    area_evaluate(report->machine, &metrics);
    struct printer printer = {.report = report,
                              .table = table_create(headers),
                              .total =
                                  on_fpga(report) ? 2 * metrics.fpga_ram36 : metrics.total_area};
    if (!printer.table)
        return STATUS_MEMORY;
    for (int i = 0; i < STRUCTURE_COUNT; i++)
        add_structure(&printer, (enum structure_id)i);
    if (format == TABLE_TEXT) {
        print_head(report, &metrics, out);
        table_fit(printer.table, report->columns);
    }
    const enum status status = table_finish(printer.table, format, out);
    return status || format != TABLE_TEXT ? status : print_notes(report, out);
}
