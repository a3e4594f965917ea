/* Area of machines: exact bits by hand, published examples, nodes below 22 nm, sanity. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "config/machine_file.h"
#include "model/area/area.h"
#include "model/area/array.h"
#include "model/cache/cache_bits.h"
#include "model/cache/geometry.h"
#include "schema/parameters.h"
#include "support/expect_factor.h"

enum { KIB = 1024 };

static struct metrics area_of(const struct machine *machine)
{
    struct metrics metrics;
    metrics_clear(&metrics);
    area_evaluate(machine, &metrics);
    return metrics;
}

static struct machine default_machine(void)
{
    struct machine machine;
    machine_defaults(&machine);
    return machine;
}

static void set(struct machine *machine, const char *path, const char *text)
{
    const struct parameter *parameter = parameter_find(path);
    struct value value;
    assert_non_null(parameter);
    assert_int_equal(parameter_parse(parameter, text, &value, NULL), STATUS_OK);
    parameter_set(parameter, machine, value);
}

static void bits_by_hand(void **state)
{
    (void)state;
    struct machine machine = default_machine();
    struct metrics metrics = area_of(&machine);
    /* L1D 16 KiB, 4 ways, 128 B, 32 sets: tag 48 - 7 - 5, valid, dirty; LRU 4 x 2 a set. */
    assert_true(metrics.l1d_bits == 131072 + 128 * (36 + 2) + 32 * 8);
    /* 64 MSHRs: block address 41, valid, 8 slots of 20; 8 misses wait: address 41, write, valid. */
    assert_true(metrics.l1d_mshr_bits == 64 * (42 + 160) + 8 * 43);
    /* L2: 12 slices of 64 KiB, 8 ways, 128 B, 64 sets, 32 B sectors, write-back; 256 MSHRs each,
     * and 4 sectors that wait: address 43, write, valid. */
    assert_true(metrics.l2_bits == 12 * (524288 + 512 * (48 - 7 - 6 + 4 + 4) + 64 * 8 * 3));
    assert_true(metrics.l2_mshr_bits == 12 * (256 * (42 + 80) + 4 * 45));
    /* L1I 2 KiB, 4 ways, 128 B, 4 sets: tag 39, valid; LRU 4 x 2 a set; 2 lines in flight with 32
     * slots, 4 that wait. Two instructions of each of 48 warps: 64 bits, valid. */
    assert_true(metrics.l1i_bits == 16384 + 16 * 40 + 4 * 8 + 2 * (42 + 640) + 4 * 43);
    assert_true(metrics.ibuffer_bits == 96 * 65);
    /* TLB: 64 entries, virtual and physical page numbers of 36, valid, LRU 64 x 6. */
    assert_true(metrics.tlb_bits == 64 * (36 + 1 + 36) + 384);
    assert_true(metrics.pwc_bits == 24 * 220);
    assert_true(metrics.total_bits ==
                15 * (metrics.ibuffer_bits + metrics.l1i_bits + metrics.l1d_bits +
                      metrics.l1d_mshr_bits + metrics.tlb_bits) +
                    metrics.l2_bits + metrics.l2_mshr_bits + metrics.pwc_bits +
                    metrics.walker_bits);
    /* 256 waiting walks: page number, valid, one of 15 SMs. */
    assert_true(metrics.walker_bits == 256 * (36 + 1 + 4));
    double searched = metrics.pwc_access_time, large = metrics.pwc_area;
    set(&machine, "pwc.ways", "3"); /* eight sets, whose number a path need not hold */
    metrics = area_of(&machine);
    assert_true(metrics.pwc_bits == 24 * 217);
    set(&machine, "pwc.entries", "16");
    set(&machine, "pwc.ways", "1");
    metrics = area_of(&machine);
    assert_true(metrics.pwc_bits == 16 * 216);
    assert_true(metrics.pwc_access_time < searched && metrics.pwc_area < large);
    set(&machine, "pwc.organization", "cpwc");
    set(&machine, "pwc.entries", "62");
    assert_true(area_of(&machine).pwc_bits == 5280);
    set(&machine, "l1d.write", "read_only");
    set(&machine, "l1d.sector", "32B");
    set(&machine, "l1d.replacement", "plru");
    assert_true(area_of(&machine).l1d_bits == 131072 + 128 * (36 + 4) + 32 * 3);
    set(&machine, "page.size", "2MiB");
    set(&machine, "tlb.ways", "4");
    assert_true(area_of(&machine).tlb_bits == 64 * (27 - 4 + 1 + 27) + 16 * 8);
}

static void replacement_state(void **state)
{
    (void)state;
    assert_int_equal(replacement_bits(REPLACEMENT_LRU, 16, 20), 64);
    assert_int_equal(replacement_bits(REPLACEMENT_LRU, 4, 20), 8);
    assert_int_equal(replacement_bits(REPLACEMENT_LRU, 6, 20), 18);
    assert_int_equal(replacement_bits(REPLACEMENT_LRU, 1, 20), 0);
    assert_int_equal(replacement_bits(REPLACEMENT_PLRU, 4, 20), 3);
    assert_int_equal(replacement_bits(REPLACEMENT_RR, 16, 20), 4);
    assert_int_equal(replacement_bits(REPLACEMENT_FIFO, 6, 20), 3);
    assert_int_equal(replacement_bits(REPLACEMENT_RANDOM, 8, 20), 0);
    assert_int_equal(replacement_bits(REPLACEMENT_SRRIP, 8, 20), 16);
    static const struct {
        int replacement;
        uint64_t of_4, of_16;
    } rows[] = {
        {REPLACEMENT_LRU_STACK, 8, 64}, {REPLACEMENT_LFU_STACK, 8, 64},
        {REPLACEMENT_PLRU_SIMT, 3, 18}, {REPLACEMENT_MRU, 2, 4},
        {REPLACEMENT_LFU, 64, 256},     {REPLACEMENT_LFU_AGING, 16, 64},
        {REPLACEMENT_NRU, 4, 16},       {REPLACEMENT_CLOCK, 6, 20},
        {REPLACEMENT_LIP, 8, 64},       {REPLACEMENT_DIP, 8, 64},
        {REPLACEMENT_DRRIP, 8, 32},     {REPLACEMENT_SHIP, 68, 272},
        {REPLACEMENT_HAWKEYE, 64, 256}, {REPLACEMENT_MOCKINGJAY, 19, 99},
        {REPLACEMENT_MDPP, 3, 15},      {REPLACEMENT_SLRU, 10, 68},
        {REPLACEMENT_2Q, 53, 233},      {REPLACEMENT_ARC, 183, 729},
        {REPLACEMENT_LIRS, 120, 576},   {REPLACEMENT_S3FIFO, 102, 426},
        {REPLACEMENT_SIEVE, 14, 84},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(replacement_bits(rows[i].replacement, 4, 20), rows[i].of_4);
        assert_int_equal(replacement_bits(rows[i].replacement, 16, 20), rows[i].of_16);
    }
    assert_int_equal(replacement_bits(REPLACEMENT_PLRU_SIMT, 2, 20), 1);
    assert_int_equal(replacement_bits(REPLACEMENT_PLRU_SIMT, 1, 20), 0);
    assert_int_equal(replacement_shared_bits(REPLACEMENT_LRU, 64, 4, 20), 0);
    assert_int_equal(replacement_shared_bits(REPLACEMENT_DIP, 64, 4, 20), 15);
    assert_int_equal(replacement_shared_bits(REPLACEMENT_SHIP, 64, 4, 20), 3 << 14);
    /* 61 of 64 sets: the quotient of a line number by 61 has a bit more than that by 64. */
    struct cache_config cache = {.size = 64 * 128 * 4, .ways = 4, .line = 128, .sector = 128};
    cache.slices = 1;
    const uint64_t tag = cache_bits(&cache, cache.size, 48).line_state;
    cache.index = INDEX_PRIME;
    assert_int_equal(cache_bits(&cache, cache.size, 48).line_state, tag + 1);
    assert_int_equal(cache_bits(&cache, cache.size, 32).line_state, tag + 1 - 16);
    assert_int_equal(cache_bits(&cache, cache.size, 8).tag, 0); /* fewer than the offset needs */
    assert_int_equal(mshr_bits(&cache, 32).tag, 32 - 7 + 1);
}

/* The SIMT processor's tags of 21 and 19 bits (papers/simt-cache, figure 3). */
static void addresses_decide_tags(void **state)
{
    (void)state;
    struct machine machine;
    assert_int_equal(machine_load("simt-processor", NULL, &machine, NULL, NULL), STATUS_OK);
    const struct cache_config l1i = instruction_cache_of(&machine.l1i);
    assert_int_equal(cache_bits(&l1i, l1i.size, machine.gpu.address_bits).tag, 21);
    assert_int_equal(cache_bits(&l1i, l1i.size, machine.gpu.address_bits).line_state, 22);
    assert_int_equal(cache_bits(&machine.l1d, 32768, machine.gpu.address_bits).tag, 19);
    struct metrics narrow, wide;
    area_evaluate(&machine, &narrow);
    machine.gpu.address_bits = 48;
    area_evaluate(&machine, &wide);
    assert_int_equal(wide.l1d_bits - narrow.l1d_bits, 16 * 1024);
}

static void carve_out_counts_the_largest_l1d(void **state)
{
    (void)state;
    struct machine machine = default_machine();
    machine.l1d.unified = 128 * KIB;
    machine.l1d.size = 32 * KIB;
    machine.l1d.ways = 64;
    machine.gpu.shared_options = (struct sizes){{0, 64 * KIB}, 2};
    struct cache_bits bits = cache_bits(&machine.l1d, l1d_largest(&machine), 48);
    assert_int_equal(bits.lines * machine.l1d.line, 128 * KIB);
    assert_int_equal(bits.sets, 4);
    assert_int_equal(bits.ways, 256);
    machine.gpu.shared_options.item[0] = 32 * KIB;
    assert_int_equal(l1d_largest(&machine), 96 * KIB);
}

/* Every fill of an L1D writes a line in words of its output, and every reply finds its MSHR and
 * lets a miss out of the queue; without an L1I nothing of it is there. */
static void fills_take_energy(void **state)
{
    (void)state;
    struct machine machine = default_machine();
    struct metrics metrics = area_of(&machine);
    assert_float_equal(metrics.l1d_fill_energy / metrics.l1d_read_energy, 1024 / 256, 1e-12);
    assert_float_equal(metrics.l2_fill_energy / metrics.l2_read_energy, 1, 1e-12); /* a sector */
    assert_float_equal(metrics.l1d_mshr_fill_energy / metrics.l1d_mshr_read_energy, 1, 1e-12);
    assert_true(isnan(metrics.l1i_fill_energy) && isnan(metrics.pwc_fill_energy));
    metrics.l1d_accesses = 100;
    metrics.l1d_read_misses = 7;
    metrics_derive(&metrics);
    assert_float_equal(metrics.l1d_energy / metrics.l1d_read_energy, 128, 1e-9);
    set(&machine, "l1i.enabled", "no");
    metrics = area_of(&machine);
    assert_true(isnan(metrics.l1i_bits) && metrics.ibuffer_bits > 0);
    /* Four L0s of 8 lines: tag 41, valid, data, LRU 3; a stream buffer of 5 lines. */
    set(&machine, "l1i.fetches", "yes");
    const double alone = area_of(&machine).l1i_bits;
    set(&machine, "l1i.l0.size", "1KiB");
    assert_true(area_of(&machine).l1i_bits == alone + 4 * 8 * (42 + 1024 + 3));
    set(&machine, "l1i.buffer", "5");
    assert_true(area_of(&machine).l1i_bits == alone + 4 * 8 * (42 + 1024 + 3) + 5 * (42 + 1024));
    set(&machine, "l1i.buffer", "0");
    set(&machine, "l1i.fetches", "no");
    set(&machine, "coalescer.arch", "70"); /* instructions are twice as long */
    assert_true(area_of(&machine).ibuffer_bits == 96 * 129);
}

/* A table of 32 entries (pc, two counters, three flags) and a pc and a counter for each line. */
static void a_bypass_policy_takes_bits(void **state)
{
    (void)state;
    struct machine machine;
    struct metrics metrics;
    machine_defaults(&machine);
    area_evaluate(&machine, &metrics);
    assert_true(metrics.l1d_bypass_bits == 0);
    const double total = metrics.total_bits, area = metrics.total_area;
    machine.l1d.bypass.policy = BYPASS_SAMPLED;
    area_evaluate(&machine, &metrics);
    assert_true(metrics.l1d_bypass_bits == 32 * (32 + 64 + 3) + 128 * (32 + 16));
    assert_true(metrics.total_bits == total + 15 * metrics.l1d_bypass_bits);
    assert_true(metrics.total_area > area);
}

/* Lost lines of 48 warps (2 sets of 8 tags of 41 bits), their scores and counters, and the warp of
 * each of 128 lines. */
static void a_throttle_takes_bits(void **state)
{
    (void)state;
    struct machine machine;
    struct metrics metrics;
    machine_defaults(&machine);
    area_evaluate(&machine, &metrics);
    assert_true(metrics.scheduler_throttle_bits == 0);
    const double total = metrics.total_bits;
    machine.scheduler.throttle = THROTTLE_CCWS;
    area_evaluate(&machine, &metrics);
    assert_true(metrics.scheduler_throttle_bits == 48 * (2 * 8 * 41 + 16 + 64) + 128 * 6);
    assert_true(metrics.total_bits == total + 15 * metrics.scheduler_throttle_bits);
    machine.scheduler.throttle = THROTTLE_CONGESTION;
    area_evaluate(&machine, &metrics);
    assert_true(metrics.scheduler_throttle_bits == 96);
}

/* Blocks of a binned buffer are two: colour and depth, of four bytes, of each pixel. Entries of a
 * queue hold a line's address and its state; what waits for it has its values, of four bytes for
 * each of 16 pixels, a mask of these and its operation. */
static void queues_of_tiles_take_bits(void **state)
{
    (void)state;
    for (uint64_t side = 16; side <= 64; side *= 2) {
        struct machine machine = default_machine();
        machine.kind = KIND_GRAPHICS;
        machine.tile.cache.enabled = 1;
        machine.tile.queue.kind = TILE_BINNED;
        machine.tile.bin.side = side;
        assert_true(area_of(&machine).tile_queue_bits == 2.0 * (double)(side * side) * (32 + 32));
    }
    for (uint64_t slices = 1; slices <= 8; slices *= 2) {
        struct machine machine = default_machine();
        machine.kind = KIND_GRAPHICS;
        machine.tile.cache.enabled = 1;
        machine.tile.cache.slices = slices;
        machine.tile.queue.entries = 8;
        machine.tile.queue.merge = 4;
        machine.tile.queue.kind = TILE_LINKED;
        const uint64_t request = 16 * 32 + 16 + 3, entry = 42 + 1 + 3;
        assert_true(area_of(&machine).tile_queue_bits ==
                    (double)(slices * 8 * (entry + 3 + request)));
        machine.tile.queue.kind = TILE_MSHR;
        assert_true(area_of(&machine).tile_queue_bits ==
                    (double)(slices * 8 * (entry + 5 + 4 * request)));
        machine.tile.queue.kind = TILE_BLOCKING;
        assert_true(area_of(&machine).tile_queue_bits == (double)(slices * (entry + request)));
    }
}

/* The memories of a structure are all of it, whatever the page-walk cache, the bypass policy or the
 * throttle. */
static void memories_make_the_structure(void **state)
{
    (void)state;
    struct machine machine = default_machine();
    for (int organization = 0; organization < PWC_COUNT; organization++)
        for (int policy = 0; policy < BYPASS_COUNT; policy++) {
            machine.pwc.organization = organization;
            machine.l1d.bypass.policy = policy;
            machine.scheduler.throttle = policy % THROTTLE_COUNT;
            const struct metrics metrics = area_of(&machine);
            double total = 0;
            for (int id = 0; id < STRUCTURE_COUNT; id++) {
                struct area_structure found;
                double area = 0, bits = 0;
                area_describe(&machine, (enum structure_id)id, &found);
                for (size_t i = 0; i < found.count; i++) {
                    area += (double)found.memories[i].array.count * found.memories[i].one.area;
                    bits += (double)memory_array_bits(&found.memories[i].array);
                }
                assert_true(bits == found.bits);
                assert_float_equal(area, found.area, 1e-12);
                total += found.copies * found.area;
            }
            assert_float_equal(total, metrics.total_area, 1e-9);
        }
}

/* One measured value scales its kind of estimate, and what was measured comes out. */
static void measurements_scale(void **state)
{
    (void)state;
    struct machine machine = default_machine();
    const struct metrics before = area_of(&machine);
    const struct metric *time = metric_find("pwc.access_time");
    assert_string_equal(area_anchor(&machine, time, 147e-12)->path, "tech.scale.time");
    assert_string_equal(area_anchor(&machine, time, 147e-12)->path, "tech.scale.time");
    const struct metrics after = area_of(&machine);
    assert_float_equal(after.pwc_access_time * 1e12, 147, 1e-9);
    const double factor = 147e-12 / before.pwc_access_time;
    assert_float_equal(after.l2_access_time / before.l2_access_time, factor, 1e-9);
    assert_true(after.total_area == before.total_area && after.l2_leakage == before.l2_leakage);
    assert_non_null(area_anchor(&machine, metric_find("total.area"), 2 * before.total_area));
    assert_float_equal(area_of(&machine).l2_area / before.l2_area, 2, 1e-9);
    assert_null(area_anchor(&machine, metric_find("l1d.bits"), 1));
    assert_null(area_anchor(&machine, metric_find("l2tlb.area"), 1)); /* there is none */
    assert_null(area_anchor(&machine, metric_find("energy.accesses"), 1));
    assert_null(area_anchor(&machine, time, 1)); /* out of reach */
}

static void what_does_not_exist_is_nan(void **state)
{
    (void)state;
    struct machine machine = default_machine();
    machine.l2.enabled = machine.tlb.enabled = 0;
    struct metrics metrics = area_of(&machine);
    assert_true(isnan(metrics.l2_bits) && isnan(metrics.tlb_area) && isnan(metrics.pwc_leakage));
    assert_float_equal(
        metrics.total_area,
        15 * (metrics.ibuffer_area + metrics.l1i_area + metrics.l1d_area + metrics.l1d_mshr_area),
        1e-9);
    machine = default_machine();
    machine.pwc.organization = PWC_NONE;
    assert_true(isnan(area_of(&machine).pwc_bits));
    for (size_t i = 0; i < METRIC_COUNT; i++)
        if (metric_table[i].stage != STAGE_AREA)
            assert_true(isnan(metric_get(&metric_table[i], &metrics)));
}

/* ---- published examples and scaling -----------------------------------------------------------
 */

static struct machine l1d_machine(const char *size, const char *ways, const char *line,
                                  const char *output, const char *banks)
{
    struct machine machine = default_machine();
    set(&machine, "l1d.size", size);
    set(&machine, "l1d.ways", ways);
    set(&machine, "l1d.line", line);
    set(&machine, "l1d.sector", line);
    set(&machine, "l1d.output", output);
    set(&machine, "l1d.banks", banks);
    return machine;
}

static double l1d_area(struct machine machine, const char *node, const char *ports)
{
    set(&machine, "tech.node", node);
    set(&machine, "l1d.ports", ports);
    return area_of(&machine).l1d_area;
}

/* Examples at 22 nm with CACTI's cell, and below with real ones. Where CACTI refuses (64 and 256
 * ways; 4 sets), both sides are estimates. */
static void published_examples(void **state)
{
    (void)state;
    /* One of four banks. */
    struct machine v100 = l1d_machine("8KiB", "64", "128B", "256", "1");
    struct machine rtx3070 = l1d_machine("32KiB", "256", "128B", "256", "1");
    struct machine tile = l1d_machine("32KiB", "4", "64B", "512", "1");
    struct machine simt = l1d_machine("32KiB", "16", "512B", "32", "1");
    const struct {
        double got, want;
    } rows[] = {
        {l1d_area(v100, "22nm", "1rw"), 0.031 / 4},    {l1d_area(v100, "16nm", "1rw"), 0.037 / 4},
        {l1d_area(v100, "7nm", "1rw"), 0.0135 / 4},    {l1d_area(v100, "5nm", "1rw"), 0.0105 / 4},
        {l1d_area(rtx3070, "22nm", "1rw"), 0.103 / 4}, {l1d_area(rtx3070, "7nm", "1rw"), 0.045 / 4},
        {l1d_area(tile, "22nm", "1r1w"), 0.115},       {l1d_area(tile, "22nm", "2r2w"), 0.339},
        {l1d_area(tile, "28nm", "2r2w"), 0.534},       {l1d_area(tile, "7nm", "2r2w"), 0.149},
        {l1d_area(simt, "22nm", "1rw"), 0.025}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_factor(rows[i].got, rows[i].want, 1.2, i);
    /* A 16-entry block of a 64-entry CPWC, and 64 MSHRs of 40 + 160 bits. */
    assert_float_equal(associative_estimate(16, 9, 64, 22).area, 0.00097, 0.0003);
    assert_float_equal(associative_estimate(64, 40, 160, 22).area, 0.0057, 0.0006);
    /* 1 Mbit at 5 nm: about 31 Mibit/mm2. */
    assert_float_equal(1 / ram_estimate(1048576, 256, 0, 5).area, 31.2, 4);
}

static void nodes_below_22_nm(void **state)
{
    (void)state;
    assert_float_equal(effective_feature(45), 45, 1e-9);
    assert_float_equal(effective_feature(22), 22, 1e-9);
    assert_float_equal(effective_feature(21.999), 22, 0.01);
    assert_float_equal(effective_feature(7), 13.6 * sqrt(1.15), 0.02);
    assert_float_equal(effective_feature(3), 11.7 * sqrt(1.15), 0.05);
    struct array_estimate at22 = ram_estimate(14080, 220, 0, 22);
    struct array_estimate at16 = ram_estimate(14080, 220, 0, 16);
    assert_float_equal(at16.time / at22.time, 1.7, 1e-6);
    assert_int_equal(at22.basis, ARRAY_TABLE);
    assert_int_equal(at16.basis, ARRAY_EXTRAPOLATED);
    /* Published 64-bit reads at 7 nm: 7.5, 8.5 and 14 pJ for 8 KiB, 32 KiB and 1 MiB. */
    struct array_estimate low = ram_estimate(262144, 64, 0, 7),
                          high = ram_estimate(262144, 64, 0, 22);
    assert_float_equal(low.energy / high.energy, 2.4, 1e-6);
}

/* The factors of docs/AREA.md over what the same array has at 22 nm, and their way between the
 * anchors, on straight lines in logarithms. */
static void factors_below_22_nm(void **state)
{
    (void)state;
    const struct {
        double kib, nm, energy, leakage, time;
    } rows[] = {
        {8, 7, 5.0, 0, 1.7},
        {32, 7, 2.4, 0, 1.7},
        {1024, 7, 0.78, 0, 1.7},
        {2, 7, 5.0, 0, 1.7},
        {4096, 7, 0.78, 0, 1.7},
        {16, 7, sqrt(5.0 * 2.4), 0, 1.7},
        {32, 3, 2.4, 0.79 * sqrt(3.0 / 22), 1.7},
        {32, 16, pow(2.4, log(16.0 / 22) / log(7.0 / 22)), 0.79 * sqrt(16.0 / 22), 1.7},
        {32, sqrt(7.0 * 22), sqrt(2.4), 0, 1.7},
        {32, sqrt(16.0 * 22), 0, sqrt(0.79) * sqrt(sqrt(16.0 * 22) / 22), sqrt(1.7)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double bits = rows[i].kib * 8 * KIB;
        struct array_estimate at = ram_estimate(bits, 64, 0, rows[i].nm);
        struct array_estimate above = ram_estimate(bits, 64, 0, 22);
        if (rows[i].energy > 0)
            assert_true(fabs(at.energy / above.energy / rows[i].energy - 1) < 1e-9);
        if (rows[i].leakage > 0)
            assert_true(fabs(at.leakage / above.leakage / rows[i].leakage - 1) < 1e-9);
        assert_true(fabs(at.time / above.time / rows[i].time - 1) < 1e-9);
    }
}

/* A further port of a flip-flop is another multiplexer, an eighth of it. */
static void flip_flops_have_ports(void **state)
{
    (void)state;
    struct array_estimate one = ram_estimate(512, 512, 0, 22);
    assert_true(one.flops);
    for (int extra = 1; extra <= 3; extra++) {
        struct array_estimate more = ram_estimate(512, 512, extra, 22);
        assert_true(more.flops);
        assert_true(fabs(more.area / one.area - (1 + extra / 8.0)) < 1e-12);
    }
    /* Eight words of any width are flip-flops, bit for bit as dear; nine are an SRAM. */
    const struct array_estimate narrow = ram_estimate(4096, 4096, 0, 22),
                                wide = ram_estimate(8 * 4100, 4100, 0, 22);
    assert_true(narrow.flops && wide.flops && !ram_estimate(9 * 4100, 4100, 0, 22).flops);
    assert_true(fabs(wide.area / narrow.area - 8 * 4100 / 4096.0) < 1e-12);
}

static void continuous_in_the_node(void **state)
{
    (void)state;
    for (double nm = 3; nm < 90; nm += 0.5) {
        struct array_estimate a = ram_estimate(262144, 256, 0, nm);
        struct array_estimate b = ram_estimate(262144, 256, 0, nm + 1e-6);
        assert_float_equal(b.area / a.area, 1, 1e-4);
        assert_float_equal(b.time / a.time, 1, 1e-4);
        assert_float_equal(b.energy / a.energy, 1, 1e-4);
        assert_float_equal(b.leakage / a.leakage, 1, 1e-4);
    }
}

/* Every legal machine has finite, positive metrics; none depends on a parameter that does not say
 * that it matters to the area. What is taken over from the machine before is what is estimated
 * anew. */
static void random_machines(void **state)
{
    static struct area_kept kept;
    (void)state;
    size_t legal = 0;
    for (uint64_t i = 0; i < 20000; i++) {
        struct machine machine = default_machine();
        for (unsigned change = 0; change < 4; change++) {
            uint64_t draw = random_at(i, change);
            const struct parameter *parameter = &parameters[random_below(draw, parameter_count)];
            struct value value = parameter_get(parameter, &machine), next;
            for (uint64_t steps = 1 + random_below(draw * 3, 8); steps; steps--)
                if (parameter_next(parameter, value, draw & 1 ? 1 : -1, &next))
                    value = next;
            struct machine before = machine;
            parameter_set(parameter, &machine, value);
            struct violation violations[VIOLATION_MAX];
            if (machine_check(&machine, violations)) {
                machine = before;
                continue;
            }
            struct metrics a = area_of(&before), b = area_of(&machine), next_to;
            metrics_clear(&next_to);
            area_evaluate_next(&machine, &kept, &next_to);
            assert_memory_equal(&next_to, &b, sizeof b);
            if (!(parameter->stages & STAGE_AREA))
                assert_memory_equal(&a, &b, sizeof a);
            legal++;
            for (size_t k = 0; k < METRIC_COUNT; k++) {
                double number = metric_get(&metric_table[k], &b);
                assert_true(isnan(number) || (number >= 0 && isfinite(number)));
            }
        }
    }
    assert_true(legal > 20000);
}

static void confidence_is_marked(void **state)
{
    (void)state;
    struct machine machine = default_machine();
    const struct metric *l1d = metric_find("l1d.area"), *pwc = metric_find("pwc.area");
    assert_int_equal(area_confidence(&machine, l1d), AREA_TABLE);
    set(&machine, "l1d.output", "8bit");
    assert_int_equal(area_confidence(&machine, l1d), AREA_TABLE);
    set(&machine, "l1d.line", "512B");
    set(&machine, "l1d.output", "4096bit");
    assert_int_equal(area_confidence(&machine, l1d), AREA_CLOSED_FORM);
    set(&machine, "l1d.ways", "32");
    assert_int_equal(area_confidence(&machine, l1d), AREA_EXTRAPOLATED);
    assert_int_equal(area_confidence(&machine, metric_find("l1d.bits")), AREA_EXACT);
    set(&machine, "pwc.entries", "4");
    assert_int_equal(area_confidence(&machine, pwc), AREA_FLOPS);
    machine = default_machine();
    set(&machine, "tech.node", "7nm");
    assert_int_equal(area_confidence(&machine, l1d), AREA_EXTRAPOLATED);
    assert_int_equal(area_confidence(&machine, metric_find("total.area")), AREA_EXTRAPOLATED);
    assert_string_equal(area_confidence_text(AREA_FLOPS), "flip-flops");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_by_hand),
        cmocka_unit_test(replacement_state),
        cmocka_unit_test(addresses_decide_tags),
        cmocka_unit_test(carve_out_counts_the_largest_l1d),
        cmocka_unit_test(fills_take_energy),
        cmocka_unit_test(a_bypass_policy_takes_bits),
        cmocka_unit_test(a_throttle_takes_bits),
        cmocka_unit_test(queues_of_tiles_take_bits),
        cmocka_unit_test(memories_make_the_structure),
        cmocka_unit_test(measurements_scale),
        cmocka_unit_test(what_does_not_exist_is_nan),
        cmocka_unit_test(published_examples),
        cmocka_unit_test(nodes_below_22_nm),
        cmocka_unit_test(factors_below_22_nm),
        cmocka_unit_test(flip_flops_have_ports),
        cmocka_unit_test(continuous_in_the_node),
        cmocka_unit_test(random_machines),
        cmocka_unit_test(confidence_is_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
