#include "report/runs/area_tree.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "model/area/area.h"
#include "schema/structures.h"

enum { COLUMNS = 80, NAME = 24, EACH = 18, ALL = 12, SHARE = 8, BAR = 40, HELP = 512, INDENT = 6 };

/* ---- words -----------------------------------------------------------------------------------
 */

const char *memory_array_text(const struct memory_array *array, char text[MEMORY_TEXT])
{
    const uint64_t entry = array->key_bits + array->payload_bits,
                   banks = array->banks ? array->banks : 1;
    switch (array->kind) {
    case MEMORY_RAM:
        snprintf(text, MEMORY_TEXT, "RAM, %" PRIu64 " x %" PRIu64 " bits", array->entries, entry);
        break;
    case MEMORY_SEARCHED:
        snprintf(text, MEMORY_TEXT, "searched, %" PRIu64 " x (%" PRIu64 " + %" PRIu64 ") bits",
                 array->entries, array->key_bits, array->payload_bits);
        break;
    case MEMORY_CACHE:
        snprintf(text, MEMORY_TEXT,
                 "%" PRIu64 " sets x %" PRIu64 " ways x (%" PRIu64 " + %" PRIu64 ") bits, %" PRIu64
                 " of a set's order, %" PRIu64 " out, banks %" PRIu64 ", ports %u",
                 array->sets, array->entries / array->sets, array->key_bits, array->payload_bits,
                 array->set_bits, array->output ? array->output : array->payload_bits, banks,
                 array->extra_ports + 1);
        break;
    }
    return text;
}

/* ", time 335.3ps x0.85-1.18" */
static void add_estimate(char help[HELP], const char *name, double value, enum unit unit,
                         const struct area_memory *memory, double nm, enum area_measure measure)
{
    char quantity[QUANTITY_TEXT];
    const size_t used = strlen(help);
    const struct area_band band =
        area_band(area_memory_confidence(memory), nm, memory->one.octaves, measure);
    snprintf(help + used, HELP - used, ", %s %s x%.2f-%.2f", name,
             quantity_print_short(value, unit, 4, quantity), band.low, band.high);
}

static void explain(const struct machine *machine, const struct area_memory *memory,
                    char help[HELP])
{
    const struct memory_array *array = &memory->array;
    const enum area_confidence confidence = area_memory_confidence(memory);
    const double nm = machine->tech.node * 1e9;
    char what[MEMORY_TEXT], bits[QUANTITY_TEXT];
    snprintf(help, HELP, "%s: %s; %s each; %s", array->name, memory_array_text(array, what),
             quantity_print_short((double)memory_array_bits(array) / (double)array->count,
                                  UNIT_BITS, 4, bits),
             area_confidence_text(confidence));
    if (confidence == AREA_FPGA) {
        char time[QUANTITY_TEXT];
        const size_t used = strlen(help);
        snprintf(help + used, HELP - used,
                 ", RAMB18 %.0f, look-up tables as RAM %.0f, of logic %.0f-%.0f, registers %.0f, "
                 "time %s",
                 memory->fpga.ram18, memory->fpga.lutram, memory->fpga.luts,
                 FPGA_LOGIC_MOST * memory->fpga.luts, memory->fpga.registers,
                 quantity_print_short(memory->fpga.time, UNIT_SECONDS, 4, time));
        return;
    }
    add_estimate(help, "area", memory->one.area, UNIT_AREA, memory, nm, MEASURE_AREA);
    add_estimate(help, "time", memory->one.time, UNIT_SECONDS, memory, nm, MEASURE_TIME);
    add_estimate(help, "energy", memory->one.energy, UNIT_JOULES, memory, nm, MEASURE_ENERGY);
    add_estimate(help, "leakage", memory->one.leakage, UNIT_WATTS, memory, nm, MEASURE_LEAKAGE);
}

/* ---- lines -----------------------------------------------------------------------------------
 */

struct maker {
    const struct machine *machine;
    struct area_tree *tree;
    int columns;
    double total; /* of what the shares are of */
    enum status status;
};

__attribute__((format(printf, 3, 4))) static void add(struct maker *maker, const char *help,
                                                      const char *format, ...)
{
    struct area_tree *tree = maker->tree;
    va_list arguments;
    if (maker->status ||
        (maker->status = array_reserve(&tree->lines, &tree->capacity, tree->count + 1)))
        return;
    struct area_tree_line *line = &tree->lines[tree->count++];
    *line = (struct area_tree_line){.help = help ? strdup(help) : NULL};
    va_start(arguments, format);
    if (vasprintf(&line->text, format, arguments) < 0)
        line->text = NULL;
    va_end(arguments);
    if (!line->text || (help && !line->help))
        maker->status = STATUS_MEMORY;
}

static bool on_fpga(const struct maker *maker)
{
    return maker->machine->tech.target == TARGET_FPGA;
}

/* What the columns take: where they do not fit, that of a single copy goes, then names are cut. */
static int each_width(const struct maker *maker)
{
    return maker->columns < 1 + NAME + EACH + ALL + SHARE ? 0 : EACH;
}

static int name_width(const struct maker *maker)
{
    enum { LEAST = 8 };
    const int room = maker->columns - (1 + each_width(maker) + ALL + SHARE);
    return room > NAME ? NAME : room < LEAST ? LEAST : room;
}

/* "l1d   15 x 0.05868mm2   0.8802mm2  22.2%  ####"; copies 0: `one` is all there is. */
static void add_share(struct maker *maker, const char *help, const char *name, double copies,
                      double one, enum unit unit)
{
    const int name_room = name_width(maker), each_room = each_width(maker);
    const int room = maker->columns - (1 + NAME + EACH + ALL + SHARE + 2);
    const int most = room > BAR ? BAR : room;
    const double size = copies > 0 ? copies * one : one;
    const double share = maker->total > 0 ? size / maker->total : 0;
    char each[2 * QUANTITY_TEXT] = "", quantity[QUANTITY_TEXT], all[QUANTITY_TEXT], bar[BAR + 1];
    const int filled = most > 0 ? (int)lround(share * most) : 0;
    memset(bar, AREA_TREE_BAR, sizeof bar);
    bar[filled < BAR ? filled : BAR] = '\0';
    if (copies > 0 && each_room)
        snprintf(each, sizeof each, "%.0f x %s", copies,
                 quantity_print_short(one, unit, 4, quantity));
    add(maker, help, " %-*.*s%*s%*s%7.1f%%%s%s", name_room, name_room, name, each_room, each, ALL,
        quantity_print_short(size, unit, 4, all), 100 * share, filled ? "  " : "", bar);
}

struct part {
    enum structure_id id;
    double size; /* of all copies */
    struct area_structure found;
};

static int by_size(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? 1 : -1;
    return (int)x->id - (int)y->id;
}

/* Area, or half a RAMB18 of an FPGA. */
static double size_of(const struct maker *maker, double area, const struct fpga_cost *fpga)
{
    return on_fpga(maker) ? fpga->ram18 / 2 : area;
}

static void add_structure(struct maker *maker, const struct part *part)
{
    const struct area_structure *found = &part->found;
    const enum unit unit = on_fpga(maker) ? UNIT_NONE : UNIT_AREA;
    char help[HELP], name[MEMORY_TEXT];
    const bool several = found->count > 1;
    if (several)
        add_share(maker, NULL, structure_table[part->id].path, found->copies,
                  size_of(maker, found->area, &found->fpga), unit);
    for (size_t i = 0; i < found->count; i++) {
        const struct area_memory *memory = &found->memories[i];
        snprintf(name, sizeof name, "%c- %s", i + 1 < found->count ? '|' : '`', memory->array.name);
        explain(maker->machine, memory, help);
        add_share(maker, help, several ? name : structure_table[part->id].path,
                  found->copies * (double)memory->array.count,
                  size_of(maker, memory->one.area, &memory->fpga), unit);
    }
}

static void add_area(struct maker *maker)
{
    struct part parts[STRUCTURE_COUNT];
    maker->total = 0;
    for (int id = 0; id < STRUCTURE_COUNT; id++) {
        struct part *part = &parts[id];
        part->id = (enum structure_id)id;
        area_describe(maker->machine, part->id, &part->found);
        part->size = part->found.copies * size_of(maker, part->found.area, &part->found.fpga);
        part->size = part->found.count ? part->size : 0;
        maker->total += part->size;
    }
    qsort(parts, STRUCTURE_COUNT, sizeof *parts, by_size);
    add(maker, NULL, " %-*s%*s%*s%*s", name_width(maker), on_fpga(maker) ? "RAMB36" : "area",
        each_width(maker), each_width(maker) ? "each" : "", ALL, "all", SHARE, "share");
    for (int i = 0; i < STRUCTURE_COUNT; i++)
        add_structure(maker, &parts[i]);
}

/* ---- energy -----------------------------------------------------------------------------------
 */

/* The last of ARRAY_METRICS is the energy of a run. */
static double energy_of(enum structure_id id, const struct metrics *run)
{
    char path[64];
    snprintf(path, sizeof path, "%s.energy", structure_table[id].path);
    return metric_get(metric_find(path), run);
}

static void add_energy(struct maker *maker, const struct metrics *run)
{
    struct part parts[STRUCTURE_COUNT + 1];
    maker->total = isnan(run->energy_total) ? run->energy_accesses : run->energy_total;
    if (!(maker->total > 0))
        return;
    for (int id = 0; id < STRUCTURE_COUNT; id++)
        parts[id] =
            (struct part){(enum structure_id)id, energy_of((enum structure_id)id, run), {0}};
    /* What leaks is of the whole machine and has no row of its own in the table. */
    parts[STRUCTURE_COUNT] = (struct part){STRUCTURE_COUNT, run->energy_leakage, {0}};
    for (int i = 0; i <= STRUCTURE_COUNT; i++)
        parts[i].size = parts[i].size > 0 ? parts[i].size : 0;
    qsort(parts, STRUCTURE_COUNT + 1, sizeof *parts, by_size);
    add(maker, NULL, "%s", "");
    add(maker, NULL, " %-*s%*s%*s", name_width(maker), "energy of the run", each_width(maker) + ALL,
        "all", SHARE, "share");
    for (int i = 0; i <= STRUCTURE_COUNT && parts[i].size > 0; i++)
        add_share(maker, NULL,
                  parts[i].id == STRUCTURE_COUNT ? "leakage" : structure_table[parts[i].id].path, 0,
                  parts[i].size, UNIT_JOULES);
}

/* ---- the whole --------------------------------------------------------------------------------
 */

static void add_head(struct maker *maker, const char *name)
{
    struct metrics metrics;
    char bits[QUANTITY_TEXT], area[QUANTITY_TEXT], leakage[QUANTITY_TEXT], node[QUANTITY_TEXT];
    metrics_clear(&metrics);
    area_evaluate(maker->machine, &metrics);
    quantity_print_short(metrics.total_bits, UNIT_BITS, 4, bits);
    if (on_fpga(maker))
        add(maker, NULL, "%s: %s, %.0f RAMB36, longest access %s", name, bits, metrics.fpga_ram36,
            quantity_print_short(metrics.fpga_time, UNIT_SECONDS, 4, area));
    else
        add(maker, NULL, "%s: %s, %s, leakage %s, node %s", name, bits,
            quantity_print_short(metrics.total_area, UNIT_AREA, 4, area),
            quantity_print_short(metrics.total_leakage, UNIT_WATTS, 4, leakage),
            quantity_print_short(maker->machine->tech.node, UNIT_METRES, 4, node));
    add(maker, NULL, "%s", "");
}

enum status area_tree_make(const struct machine *machine, const char *name,
                           const struct metrics *run, int columns, struct area_tree *tree)
{
    struct machine built = *machine;
    machine_apply_kind(&built);
    *tree = (struct area_tree){0};
    struct maker maker = {.machine = &built, .tree = tree, .columns = columns ? columns : COLUMNS};
    add_head(&maker, name);
    add_area(&maker);
    if (run)
        add_energy(&maker, run);
    return maker.status;
}

void area_tree_free(struct area_tree *tree)
{
    for (size_t i = 0; i < tree->count; i++) {
        free(tree->lines[i].text);
        free(tree->lines[i].help);
    }
    free(tree->lines);
    *tree = (struct area_tree){0};
}

static void print_wrapped(const char *text, int room, FILE *out)
{
    while (*text) {
        size_t length = strlen(text);
        if (length > (size_t)room) {
            length = (size_t)room;
            while (length && text[length] != ' ')
                length--;
            length = length ? length : (size_t)room;
        }
        fprintf(out, "%*s%.*s\n", INDENT, "", (int)length, text);
        text += length + strspn(text + length, " ");
    }
}

enum status area_tree_print(const struct area_tree *tree, int columns, FILE *out)
{
    const int width = columns ? columns : COLUMNS, room = width > INDENT + 20 ? width - INDENT : 20;
    for (size_t i = 0; i < tree->count; i++) {
        fprintf(out, "%s\n", tree->lines[i].text);
        if (tree->lines[i].help)
            print_wrapped(tree->lines[i].help, room, out);
    }
    return ferror(out) ? STATUS_IO : STATUS_OK;
}
