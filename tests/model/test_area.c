/* Area: exact bits by hand, the closed forms against CACTI, sanity and monotony. */
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
#include "model/area/area.h"
#include "model/area/array.h"
#include "model/area/bits.h"
#include "schema/parameters.h"

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
    /* 64 MSHRs: block address 41, valid, 8 slots of 20. */
    assert_true(metrics.l1d_mshr_bits == 64 * (42 + 160));
    /* L2: 12 slices of 64 KiB, 8 ways, 128 B, 64 sets, 32 B sectors, write-back; 256 MSHRs each. */
    double slice = 524288 + 512 * (48 - 7 - 6 + 4 + 4) + 64 * 8 * 3;
    assert_true(metrics.l2_bits == 12 * (slice + 256 * (42 + 80)));
    /* TLB: 64 entries, virtual and physical page numbers of 36, valid, LRU 64 x 6. */
    assert_true(metrics.tlb_bits == 64 * (36 + 1 + 36) + 384);
    assert_true(metrics.pwc_bits == 24 * 220);
    assert_true(metrics.total_bits ==
                15 * (metrics.l1d_bits + metrics.l1d_mshr_bits + metrics.tlb_bits) +
                    metrics.l2_bits + metrics.pwc_bits);
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
    assert_int_equal(replacement_bits(REPLACEMENT_LRU, 16), 64);
    assert_int_equal(replacement_bits(REPLACEMENT_LRU, 4), 8);
    assert_int_equal(replacement_bits(REPLACEMENT_LRU, 6), 18);
    assert_int_equal(replacement_bits(REPLACEMENT_LRU, 1), 0);
    assert_int_equal(replacement_bits(REPLACEMENT_PLRU, 4), 3);
    assert_int_equal(replacement_bits(REPLACEMENT_RR, 16), 4);
    assert_int_equal(replacement_bits(REPLACEMENT_FIFO, 6), 3);
    assert_int_equal(replacement_bits(REPLACEMENT_RANDOM, 8), 0);
    assert_int_equal(replacement_bits(REPLACEMENT_SRRIP, 8), 16);
    /* 61 of 64 sets: the quotient of a line number by 61 has a bit more than that by 64. */
    struct cache_config cache = {.size = 64 * 128 * 4, .ways = 4, .line = 128, .sector = 128};
    cache.slices = 1;
    const uint64_t tag = cache_bits(&cache, cache.size).line_state;
    cache.index = INDEX_PRIME;
    assert_int_equal(cache_bits(&cache, cache.size).line_state, tag + 1);
}

static void carve_out_counts_the_largest_l1d(void **state)
{
    (void)state;
    struct machine machine = default_machine();
    machine.l1d.unified = 128 * KIB;
    machine.l1d.size = 32 * KIB;
    machine.l1d.ways = 64;
    machine.gpu.shared_options = (struct sizes){{0, 64 * KIB}, 2};
    struct cache_bits bits = cache_bits(&machine.l1d, l1d_largest(&machine));
    assert_int_equal(bits.data, 8 * 128 * KIB);
    assert_int_equal(bits.sets, 4);
    assert_int_equal(bits.ways, 256);
    machine.gpu.shared_options.item[0] = 32 * KIB;
    assert_int_equal(l1d_largest(&machine), 96 * KIB);
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

static void what_does_not_exist_is_nan(void **state)
{
    (void)state;
    struct machine machine = default_machine();
    machine.l2.enabled = machine.tlb.enabled = 0;
    struct metrics metrics = area_of(&machine);
    assert_true(isnan(metrics.l2_bits) && isnan(metrics.tlb_area) && isnan(metrics.pwc_leakage));
    assert_true(metrics.total_area == 15 * (metrics.l1d_area + metrics.l1d_mshr_area));
    machine = default_machine();
    machine.pwc.organization = PWC_NONE;
    assert_true(isnan(area_of(&machine).pwc_bits));
    for (size_t i = 0; i < METRIC_COUNT; i++)
        if (metric_table[i].stage != STAGE_AREA)
            assert_true(isnan(metric_get(&metric_table[i], &metrics)));
}

/* ---- against CACTI --------------------------------------------------------------------------- */

struct run { /* one row of the grid */
    char grid[8];
    int node, extra_ports;
    double bytes, ways, line, output, area, time, energy, search, leak;
};

/* CACTI's own conventions: tags of 42 + 5 bits of address, no state, no replacement bits. */
static struct array_estimate estimate_run(const struct run *run)
{
    double bits = 8 * run->bytes, x = run->extra_ports;
    if (!strcmp(run->grid, "ram"))
        return ram_estimate(bits, run->output, x, run->node);
    if (!strcmp(run->grid, "fa"))
        return associative_estimate(run->bytes / run->line, 47 - log2(run->line), 8 * run->line,
                                    run->node);
    double lines = run->bytes / run->line;
    double tag = 47 - log2(run->line) - log2(lines / run->ways);
    struct cache_bank bank = {.data_bits = bits,
                              .state_bits = lines * tag,
                              .state_width = tag,
                              .output = run->output,
                              .ways = run->ways,
                              .extra_ports = x};
    return cache_bank_estimate(&bank, run->node);
}

static const struct run vectors[] = {
    {"main", 22, 0, 1048576, 1, 64, 256, 0.9242636, 1.0667, 0.0561325, 0, 143.553},
    {"main", 90, 1, 65536, 2, 64, 256, 1.668928, 1.55658, 0.131073, 0, 33.5851},
    {"main", 22, 3, 262144, 16, 256, 64, 0.9690256, 1.15977, 0.0342792, 0, 60.4091},
    {"main", 32, 3, 524288, 4, 64, 512, 4.01382, 3.51482, 0.269206, 0, 272.209},
    {"main", 32, 1, 8192, 4, 32, 256, 0.06486532, 0.359139, 0.0205648, 0, 4.02479},
    {"main", 22, 1, 524288, 1, 32, 256, 0.8931234, 1.10628, 0.0571453, 0, 99.2063},
    {"main", 65, 0, 16384, 2, 128, 256, 0.12820312, 0.528809, 0.0323179, 0, 20.2698},
    {"main", 22, 0, 131072, 4, 32, 256, 0.1024259, 0.44501, 0.0213517, 0, 20.395},
    {"ram", 32, 1, 4096, 1, 32, 256, 0.0226122, 0.189567, 0.00558317, 0, 1.89601},
    {"ram", 45, 3, 4194304, 1, 64, 512, 71.4052, 7.58731, 2.51829, 0, 6237.43},
    {"ram", 32, 1, 4096, 1, 8, 64, 0.0144242, 0.222075, 0.00195131, 0, 1.91236},
    {"ram", 22, 0, 524288, 1, 2, 16, 0.390792, 0.827876, 0.00636022, 0, 77.0478},
    {"fa", 32, 0, 512, 1, 128, 1024, 0.161856, 0.515884, 0.0825014, 0.0798291, 4.99072},
    {"fa", 22, 0, 256, 1, 128, 1024, 0.0789423, 0.391938, 0.044591, 0.0430617, 3.02053},
};

static void expect_factor(double got, double want, double factor, size_t row)
{
    if (got < want / factor || got > want * factor) {
        print_error("row %zu: got %g, CACTI %g\n", row, got, want);
        fail();
    }
}

static void vectors_of_the_grid(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        const struct run *run = &vectors[i];
        struct array_estimate estimate = estimate_run(run);
        double energy = run->search > 0 ? run->search : run->energy;
        if (!estimate.flops)
            expect_factor(estimate.area, run->area, 1.3, i);
        expect_factor(1e9 * estimate.time, run->time, 1.5, i);
        expect_factor(1e9 * estimate.energy, energy, 3, i);
        expect_factor(1e3 * estimate.leakage, run->leak, 1.4, i);
    }
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct errors {
    double *items;
    size_t count, capacity;
};

static void errors_add(struct errors *errors, double got, double want)
{
    if (errors->count == errors->capacity) {
        errors->capacity = errors->capacity ? 2 * errors->capacity : 1024;
        errors->items = realloc(errors->items, errors->capacity * sizeof *errors->items);
        assert_non_null(errors->items);
    }
    errors->items[errors->count++] = fabs(got / want - 1);
}

static double errors_at(struct errors *errors, double share)
{
    qsort(errors->items, errors->count, sizeof *errors->items, compare_doubles);
    return errors->items[(size_t)(share * (double)(errors->count - 1))];
}

/* Columns: grid, ok, node, type, bytes, ways, line, sets, ports, rw, r, w, search, banks, out_bits,
 * tag_bits, mode, cell, peri, temp, objective, area_mm2, area_bbox, access_ns, cycle_ns, read_nJ,
 * write_nJ, search_nJ, leak_mW, ... */
static bool parse_run(char *line, struct run *run)
{
    char *fields[30] = {0};
    size_t count = 0;
    for (char *rest = line, *field; count < 30 && (field = strsep(&rest, ",")); count++)
        fields[count] = field;
    if (count < 30 || strcmp(fields[1], "1"))
        return false;
    snprintf(run->grid, sizeof run->grid, "%s", fields[0]);
    run->node = atoi(fields[2]);
    run->bytes = atof(fields[4]);
    run->ways = atof(fields[5]);
    run->line = atof(fields[6]);
    run->extra_ports = atoi(fields[9]) + atoi(fields[10]) + atoi(fields[11]) - 1;
    run->output = atof(fields[14]);
    run->area = atof(fields[21]);
    run->time = atof(fields[23]);
    run->energy = atof(fields[25]);
    run->search = atof(fields[27]);
    run->leak = atof(fields[28]);
    if (!strcmp(run->grid, "fa"))
        return run->extra_ports == 0 && run->bytes / run->line <= 128;
    return !strcmp(run->grid, "main") || !strcmp(run->grid, "ram");
}

static FILE *open_grid(void)
{
    const char *shared = getenv("WARPSCAPE_SHARED");
    char path[4096];
    snprintf(path, sizeof path, "%s/reference/area/cacti_grid.csv", shared ? shared : "../shared");
    return fopen(path, "r");
}

enum { GRIDS = 3, MEASURES = 4 };

static void grid_of_cacti(void **state)
{
    (void)state;
    static const char *const names[GRIDS] = {"main", "ram", "fa"};
    /* Median and 95th percentile of area, time, energy, leakage that docs/MODELS.md claims. */
    static const double limits[GRIDS][MEASURES][2] = {
        {{0.049, 0.24}, {0.11, 0.37}, {0.18, 0.60}, {0.031, 0.12}},
        {{0.045, 0.14}, {0.081, 0.26}, {0.24, 0.63}, {0.055, 0.17}},
        {{0.021, 0.09}, {0.13, 0.35}, {0.06, 0.31}, {0.06, 0.23}}};
    FILE *in = open_grid();
    if (!in) {
        print_message("no CACTI grid (WARPSCAPE_SHARED or ../shared): skipped\n");
        skip();
    }
    static struct errors errors[GRIDS][MEASURES];
    char line[2048];
    while (fgets(line, sizeof line, in)) {
        struct run run;
        if (!parse_run(line, &run))
            continue;
        struct array_estimate got = estimate_run(&run);
        size_t grid = !strcmp(run.grid, "main") ? 0 : !strcmp(run.grid, "ram") ? 1 : 2;
        if (!got.flops)
            errors_add(&errors[grid][0], got.area, run.area);
        errors_add(&errors[grid][1], 1e9 * got.time, run.time);
        errors_add(&errors[grid][2], 1e9 * got.energy, grid == 2 ? run.search : run.energy);
        errors_add(&errors[grid][3], 1e3 * got.leakage, run.leak);
    }
    fclose(in);
    bool good = true;
    for (size_t grid = 0; grid < GRIDS; grid++)
        for (size_t i = 0; i < MEASURES; i++) {
            struct errors *all = &errors[grid][i];
            double median = errors_at(all, 0.5), p95 = errors_at(all, 0.95);
            print_message("%-4s %zu: %5zu runs, median %4.1f %%, p95 %4.1f %%\n", names[grid], i,
                          all->count, 100 * median, 100 * p95);
            good &= median <= limits[grid][i][0] && p95 <= limits[grid][i][1];
            free(all->items);
            *all = (struct errors){0};
        }
    assert_true(good);
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

/* Examples at 22 nm with CACTI's cell, and below with real ones. */
static void published_examples(void **state)
{
    (void)state;
    struct machine v100 = l1d_machine("32KiB", "64", "128B", "256", "4");
    struct machine rtx3070 = l1d_machine("128KiB", "256", "128B", "256", "4");
    struct machine tile = l1d_machine("32KiB", "4", "64B", "512", "1");
    struct machine simt = l1d_machine("32KiB", "16", "512B", "32", "1");
    const struct {
        double got, want;
    } rows[] = {{l1d_area(v100, "22nm", "1rw"), 0.031},    {l1d_area(v100, "16nm", "1rw"), 0.037},
                {l1d_area(v100, "7nm", "1rw"), 0.0135},    {l1d_area(v100, "5nm", "1rw"), 0.0105},
                {l1d_area(rtx3070, "22nm", "1rw"), 0.103}, {l1d_area(rtx3070, "7nm", "1rw"), 0.045},
                {l1d_area(tile, "22nm", "1r1w"), 0.115},   {l1d_area(tile, "22nm", "2r2w"), 0.339},
                {l1d_area(tile, "28nm", "2r2w"), 0.534},   {l1d_area(tile, "7nm", "2r2w"), 0.149},
                {l1d_area(simt, "22nm", "1rw"), 0.025}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_factor(rows[i].got, rows[i].want, 1.12, i);
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
    assert_false(at22.outside);
    assert_true(at16.outside);
    /* Published 64-bit reads at 7 nm: 7.5, 8.5 and 14 pJ for 8 KiB, 32 KiB and 1 MiB. */
    struct array_estimate low = ram_estimate(262144, 64, 0, 7),
                          high = ram_estimate(262144, 64, 0, 22);
    assert_float_equal(low.energy / high.energy, 2.4, 1e-6);
}

/* The factors of docs/MODELS.md over what the same array has at 22 nm, and their way between the
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

/* ---- properties -------------------------------------------------------------------------------
 */

static void expect_not_smaller(const struct array_estimate *small,
                               const struct array_estimate *large)
{
    double slack = 1 + 1e-12;
    assert_true(large->area * slack >= small->area);
    assert_true(large->time * slack >= small->time);
    assert_true(large->energy * slack >= small->energy);
    assert_true(large->leakage * slack >= small->leakage);
    assert_true(small->area > 0 && small->time > 0 && small->energy > 0 && small->leakage > 0);
    assert_true(isfinite(large->area + large->time + large->energy + large->leakage));
}

static void monotone_in_capacity_and_ways(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t draw = random_at(7, i);
        double nm = 22 + (double)random_below(draw, 69);
        double bits = exp2(9 + (double)random_below(draw * 3, 17));
        struct cache_bank bank = {.data_bits = bits,
                                  .output = exp2(5 + (double)random_below(draw * 5, 7)),
                                  .ways = exp2((double)random_below(draw * 7, 4)),
                                  .state_width = 20 + (double)random_below(draw * 9, 20),
                                  .extra_ports = (double)random_below(draw * 11, 4)};
        bank.state_bits = bits / 1024 * bank.state_width;
        struct array_estimate base = cache_bank_estimate(&bank, nm);
        struct cache_bank larger = bank, wider = bank;
        double grow = 1 + (double)random_below(draw * 13, 100) / 50;
        larger.data_bits *= grow;
        larger.state_bits *= grow;
        wider.ways *= 2;
        struct array_estimate large = cache_bank_estimate(&larger, nm);
        struct array_estimate wide = cache_bank_estimate(&wider, nm);
        expect_not_smaller(&base, &large);
        expect_not_smaller(&base, &wide);
        double n = 1 + (double)random_below(draw * 17, 600);
        struct array_estimate few = associative_estimate(n, 36, 64, nm);
        struct array_estimate many = associative_estimate(n * grow, 36, 64, nm);
        expect_not_smaller(&few, &many);
    }
}

/* Every legal machine has finite, positive metrics; none depends on a parameter that does not say
 * that it matters to the area. */
static void random_machines(void **state)
{
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
            struct metrics a = area_of(&before), b = area_of(&machine);
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
    assert_int_equal(area_confidence(&machine, l1d), AREA_CLOSED_FORM);
    set(&machine, "l1d.ways", "32");
    assert_int_equal(area_confidence(&machine, l1d), AREA_EXTRAPOLATED);
    assert_int_equal(area_confidence(&machine, metric_find("l1d.bits")), AREA_CLOSED_FORM);
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
        cmocka_unit_test(carve_out_counts_the_largest_l1d),
        cmocka_unit_test(a_bypass_policy_takes_bits),
        cmocka_unit_test(what_does_not_exist_is_nan),
        cmocka_unit_test(vectors_of_the_grid),
        cmocka_unit_test(grid_of_cacti),
        cmocka_unit_test(published_examples),
        cmocka_unit_test(nodes_below_22_nm),
        cmocka_unit_test(factors_below_22_nm),
        cmocka_unit_test(flip_flops_have_ports),
        cmocka_unit_test(continuous_in_the_node),
        cmocka_unit_test(monotone_in_capacity_and_ways),
        cmocka_unit_test(random_machines),
        cmocka_unit_test(confidence_is_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
