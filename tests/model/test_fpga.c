/* Memories on an FPGA: block RAM, look-up tables and registers, by hand and beside syntheses. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/area/area.h"
#include "model/area/fpga.h"
#include "support/expect_factor.h"

static void rams_by_hand(void **state)
{
    (void)state;
    struct memory_array ram = {.kind = MEMORY_RAM, .entries = 512, .payload_bits = 36};
    assert_true(fpga_cost(&ram).ram18 == 1);
    ram.payload_bits = 37;
    assert_true(fpga_cost(&ram).ram18 == 2);
    ram = (struct memory_array){.kind = MEMORY_RAM, .entries = 2048, .payload_bits = 32};
    assert_true(fpga_cost(&ram).ram18 == 4); /* 2,048 x 9 */
    ram.extra_ports = 1;                     /* the write port of a block RAM */
    assert_true(fpga_cost(&ram).ram18 == 4 && fpga_cost(&ram).registers == 0);
    ram.extra_ports = 3; /* two readers, two writers, and who wrote last */
    assert_true(fpga_cost(&ram).ram18 == 16 && fpga_cost(&ram).registers == 2048);
    ram = (struct memory_array){.kind = MEMORY_RAM, .entries = 32, .payload_bits = 28};
    assert_true(fpga_cost(&ram).lutram == 16 && fpga_cost(&ram).ram18 == 0);
    ram.entries = 128;
    assert_true(fpga_cost(&ram).lutram == 8 * 4 * 2);
    ram = (struct memory_array){.kind = MEMORY_RAM, .entries = 1, .payload_bits = 99};
    assert_true(fpga_cost(&ram).registers == 99 && fpga_cost(&ram).lutram == 0);
}

static struct memory_array cache(uint64_t sets, uint64_t ways, uint64_t line_bits, uint64_t tag,
                                 uint64_t output, uint64_t state)
{
    return (struct memory_array){.kind = MEMORY_CACHE,
                                 .count = 1,
                                 .entries = sets * ways,
                                 .key_bits = tag,
                                 .payload_bits = line_bits,
                                 .sets = sets,
                                 .set_bits = state,
                                 .output = output};
}

/* The caches of Xu, Li, Sun and Xing (2019) as yosys 0.23 maps them for UltraScale
 * (synth_xilinx -family xcu -nowidelut): the instruction cache of 16 ways, 4 sets and lines of 512
 * B with 32 bits out takes 16 block RAMs, 264 to 296 tables as RAM by its replacement, 350 to 970
 * for logic and 420 to 480 registers. */
static void an_instruction_cache(void **state)
{
    (void)state;
    struct memory_array array = cache(4, 16, 4096, 22, 32, 4);
    struct fpga_cost cost = fpga_cost(&array);
    assert_true(cost.ram18 == 16 && cost.lutram == 264);
    assert_in_range((uint64_t)cost.registers, 0.9 * 420, 480);
    assert_true(cost.luts < 350 && FPGA_LOGIC_MOST * cost.luts > 350);
    array.set_bits = 64; /* LRU */
    assert_true(fpga_cost(&array).lutram == 296);
}

/* Its data cache, 32 KiB of four ways: 36 block RAMs with 256 bits out, 16 + 4 with 32. */
static void a_data_cache(void **state)
{
    (void)state;
    struct memory_array array = cache(256, 4, 256, 21, 256, 3);
    struct fpga_cost cost = fpga_cost(&array);
    assert_true(cost.ram18 - 1 == 36); /* and one of replacement, which yosys puts into tables */
    assert_in_range((uint64_t)cost.luts, 250, 360);
    assert_in_range((uint64_t)cost.registers, 270, 300);
    array.output = 32;
    assert_true(fpga_cost(&array).ram18 - 1 == 20);
}

/* Registers to registers in the paper: 2.923 ns and 3.258 ns, on a XCVU440 of speed grade 2.
 * Nothing here was fitted to them. */
static void the_caches_of_the_paper_in_time(void **state)
{
    (void)state;
    const struct memory_array instructions = cache(4, 16, 4096, 22, 32, 4),
                              data = cache(256, 4, 256, 21, 32, 3);
    expect_factor(fpga_cost(&instructions).time * 1e9, 2.923, 1.25, 0);
    expect_factor(fpga_cost(&data).time * 1e9, 3.258, 1.25, 1);
    /* By hand: tags from tables, three levels that compare 22 bits, one that joins, one that
     * chooses; tags from a block RAM. */
    assert_float_equal(fpga_cost(&instructions).time * 1e9, 0.1 + 6 * 0.38, 1e-9);
    assert_float_equal(fpga_cost(&data).time * 1e9, 1.73 + 5 * 0.38, 1e-9);
}

static void searched_entries_are_registers(void **state)
{
    (void)state;
    const struct memory_array array = {
        .kind = MEMORY_SEARCHED, .entries = 24, .key_bits = 28, .payload_bits = 192};
    const struct fpga_cost cost = fpga_cost(&array);
    assert_true(cost.registers == 24 * 28 && cost.ram18 == 6);
    assert_in_range((uint64_t)cost.luts, 24 * 28 / 3, 24 * 28); /* about one a stored bit */
}

static void a_machine_is_a_chip_or_an_fpga(void **state)
{
    (void)state;
    struct machine machine;
    struct metrics chip, fpga;
    machine_defaults(&machine);
    metrics_clear(&chip);
    area_evaluate(&machine, &chip);
    assert_true(chip.total_area > 0 && isnan(chip.fpga_ram36));
    machine.tech.target = TARGET_FPGA;
    metrics_clear(&fpga);
    area_evaluate(&machine, &fpga);
    metrics_derive(&fpga);
    assert_true(fpga.total_bits == chip.total_bits && fpga.fpga_ram36 > 0);
    assert_true(fpga.fpga_luts_most == FPGA_LOGIC_MOST * fpga.fpga_luts);
    assert_true(isnan(fpga.total_area) && isnan(fpga.l1d_read_energy) && isnan(fpga.l2_energy));
    assert_true(isnan(fpga.energy_accesses) && isnan(fpga.l1d_bypass_area));
    assert_int_equal(area_confidence(&machine, metric_find("fpga.luts")), AREA_FPGA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rams_by_hand),
        cmocka_unit_test(an_instruction_cache),
        cmocka_unit_test(a_data_cache),
        cmocka_unit_test(searched_entries_are_registers),
        cmocka_unit_test(the_caches_of_the_paper_in_time),
        cmocka_unit_test(a_machine_is_a_chip_or_an_fpga),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
