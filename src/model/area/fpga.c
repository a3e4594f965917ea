#include "model/area/fpga.h"

#include <math.h>
#include <stddef.h>

#include "base/bits.h"

static uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- memories ---------------------------------------------------------------------------------
 */

/* The shapes of a RAMB18 with one read and one write port. */
static const struct {
    uint64_t depth, width;
} ram18_shapes[] = {{512, 36}, {1024, 18}, {2048, 9}, {4096, 4}, {8192, 2}, {16384, 1}};

static uint64_t ram18_count(uint64_t depth, uint64_t width)
{
    uint64_t best = UINT64_MAX;
    for (size_t i = 0; i < sizeof ram18_shapes / sizeof *ram18_shapes; i++)
        best = least(best, ceil_div(width, ram18_shapes[i].width) *
                               ceil_div(depth, ram18_shapes[i].depth));
    return best;
}

/* Look-up tables as RAM: eight tables are 32 words of 14 bits (RAM32M16) or 64 words of 7 bits
 * (RAM64M8). */
static uint64_t lutram_count(uint64_t depth, uint64_t width)
{
    return depth <= 32 ? 8 * ceil_div(width, 14) : 8 * ceil_div(width, 7) * ceil_div(depth, 64);
}

enum { LUTRAM_WORDS = 128, LUTRAM_BITS = 4096 };

static bool fits_lutram(uint64_t depth, uint64_t width)
{
    return depth <= LUTRAM_WORDS && depth * width <= LUTRAM_BITS;
}

/* A memory has one read and one write port. More of them are copies: one for each pair of a reader
 * and a writer, and registers that say which writer wrote a word last. */
static void add_ram(struct fpga_cost *cost, uint64_t depth, uint64_t width, unsigned extra_ports)
{
    const uint64_t side = extra_ports > 1 ? (extra_ports + 1) / 2 : 1, copies = side * side;
    if (!width)
        return;
    if (depth <= 1)
        cost->registers += (double)width;
    else if (fits_lutram(depth, width))
        cost->lutram += (double)(copies * lutram_count(depth, width));
    else
        cost->ram18 += (double)(copies * ram18_count(depth, width));
    cost->registers += (double)(depth * log2_ceil(side));
}

/* ---- logic ------------------------------------------------------------------------------------
 */

/* Compares `bits` bits and a valid bit with six-input tables and joins their outputs. */
static uint64_t comparator(uint64_t bits)
{
    uint64_t level = ceil_div(2 * bits + 1, 6), sum = level;
    while (level > 1) {
        level = ceil_div(level, 6);
        sum += level;
    }
    return sum;
}

/* A table and the multiplexers beside it choose one of four, eight or sixteen. */
static uint64_t multiplexer(uint64_t choices, uint64_t width)
{
    return choices > 1 ? width * ceil_div(choices, 4) : 0;
}

/* ---- time -------------------------------------------------------------------------------------
 */

/* UltraScale is made at 20 nm. A block RAM without its output register takes 2.13 ns in a Spartan-7
 * (28 nm, DS189, speed grade 2) and 0.90 ns in a Versal (7 nm, DS958, speed grade 2 at 0.80 V); a
 * look-up table with its route 0.60 ns on a reported path of 14 levels in 28 nm and 0.28 ns on one
 * of 15 levels in 16 nm. Both are taken log-log at 20 nm. A register gives and takes within 0.1 ns.
 */
static const double ram_time = 1.73e-9, level_time = 0.38e-9, register_time = 0.1e-9;

/* Levels of `inputs` inputs each that join `count` signals. */
static unsigned levels(uint64_t count, uint64_t inputs)
{
    unsigned found = 0;
    for (; count > 1; count = ceil_div(count, inputs))
        found++;
    return found;
}

static unsigned comparator_levels(uint64_t bits)
{
    return 1 + levels(ceil_div(2 * bits + 1, 6), 6);
}

static double add_levels(double from, unsigned count)
{
    return from + count * level_time;
}

/* Until a word is there, in whichever RAM add_ram puts it. */
static double read_time(uint64_t depth, uint64_t width)
{
    if (depth <= 1 || !width)
        return register_time;
    return fits_lutram(depth, width) ? register_time + level_time : ram_time;
}

/* All keys are compared, those that match are encoded, and the payload is read. */
static double searched_time(const struct memory_array *array)
{
    const double match =
        add_levels(register_time, comparator_levels(array->key_bits) + levels(array->entries, 6));
    return match + (array->payload_bits ? read_time(array->entries, array->payload_bits) : 0);
}

/* ---- kinds ------------------------------------------------------------------------------------
 */

/* Registers, a comparator for each, and an encoder. */
static void add_searched(struct fpga_cost *cost, uint64_t entries, uint64_t key)
{
    cost->registers += (double)(entries * key);
    cost->luts += (double)(entries * (comparator(key) + 1)) + (double)entries / 2;
}

/* As in silicon (array.h): more ways are not read side by side, but one of them once it is known.
 */
enum { PARALLEL_WAYS = 16 };

static void add_bank(struct fpga_cost *cost, const struct memory_array *array, uint64_t lines)
{
    const uint64_t sets = ceil_div(lines * array->sets, array->entries),
                   ways = array->entries / array->sets,
                   output = array->output ? least(array->output, array->payload_bits)
                                          : array->payload_bits,
                   words = output ? ceil_div(array->payload_bits, output) : 0;
    const bool aside = ways <= PARALLEL_WAYS;
    const double data = read_time((aside ? sets : lines) * words, output);
    if (array->sets == 1 && ways > 1) {
        add_searched(cost, lines, array->key_bits);
        cost->time = data + add_levels(register_time, comparator_levels(array->key_bits) +
                                                          levels(array->entries, 6));
    } else {
        /* A level joins the matches; another chooses one of sixteen ways or fewer. */
        const double match = add_levels(read_time(sets, array->key_bits),
                                        comparator_levels(array->key_bits) + (ways > 1));
        cost->time = aside ? add_levels(fmax(match, data), ways > 1) : match + data;
        const bool small = fits_lutram(sets, array->key_bits);
        for (uint64_t way = 0; way < ways; way++)
            add_ram(cost, sets, array->key_bits, array->extra_ports);
        cost->luts += (double)(ways * comparator(array->key_bits));
        cost->registers += (double)array->key_bits; /* the key that is looked up */
        cost->registers += small ? (double)(ways * (array->key_bits + 1)) : 0;
    }
    for (uint64_t part = 0; part < (aside ? ways : 1); part++)
        add_ram(cost, (aside ? sets : lines) * words, output, array->extra_ports);
    cost->luts += (double)multiplexer(aside ? ways : 1, output);
    cost->registers += (double)(output + log2_ceil(ways)); /* what is read, and who goes next */
    add_ram(cost, sets, array->set_bits, array->extra_ports);
}

struct fpga_cost fpga_cost(const struct memory_array *array)
{
    struct fpga_cost cost = {0}, bank = {0};
    const uint64_t banks = array->banks ? array->banks : 1;
    switch (array->kind) {
    case MEMORY_RAM:
        add_ram(&cost, array->entries, array->key_bits + array->payload_bits, array->extra_ports);
        cost.time = read_time(array->entries, array->key_bits + array->payload_bits);
        return cost;
    case MEMORY_SEARCHED:
        add_searched(&cost, array->entries, array->key_bits);
        add_ram(&cost, array->entries, array->payload_bits, array->extra_ports);
        cost.registers += (double)array->set_bits;
        cost.time = searched_time(array);
        return cost;
    case MEMORY_CACHE:
        break;
    }
    add_bank(&bank, array, ceil_div(array->entries, banks));
    return fpga_add(cost, bank, (double)banks);
}

struct fpga_cost fpga_add(struct fpga_cost sum, struct fpga_cost cost, double times)
{
    return (struct fpga_cost){.ram18 = sum.ram18 + times * cost.ram18,
                              .lutram = sum.lutram + times * cost.lutram,
                              .luts = sum.luts + times * cost.luts,
                              .registers = sum.registers + times * cost.registers,
                              .time = fmax(sum.time, cost.time)};
}
