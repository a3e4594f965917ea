/* Memory arrays against the runs of CACTI 7 that they follow, and their order. */
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
#include "model/area/array.h"
#include "model/area/cacti.h"
#include "support/expect_factor.h"

/* ---- against CACTI --------------------------------------------------------------------------- */

struct run { /* one row of the grid */
    char grid[12];
    int node, extra_ports;
    double bytes, ways, line, output, area, time, energy, search, leak;
    double tag, banks;
    int read_write; /* ports that do both */
};

/* CACTI's own conventions: tags of 42 + 5 bits of address, no state, no replacement bits. */
static struct array_estimate estimate_run(const struct run *run)
{
    double bits = 8 * run->bytes, x = run->extra_ports;
    if (!strcmp(run->grid, "ram"))
        return ram_estimate(bits, run->output, x, run->node);
    if (!strcmp(run->grid, "cam"))
        return cam_estimate(run->bytes / run->line, run->tag, run->node);
    if (!strcmp(run->grid, "fa"))
        return associative_estimate(run->bytes / run->line, 47 - log2(run->line), 8 * run->line,
                                    run->node);
    double lines = run->bytes / run->line;
    double tag = 47 - log2(run->line) - log2(lines / run->ways);
    const struct cache_array cache = {.banks = run->banks,
                                      .data_bits = bits / run->banks,
                                      .state_bits = lines * tag / run->banks,
                                      .state_width = tag,
                                      .output = run->output,
                                      .ways = run->ways,
                                      .extra_ports = x};
    return cache_estimate(&cache, run->node);
}

static const struct run vectors[] = {
    {"main", 22, 0, 1048576, 1, 64, 256, 0.9242636, 1.0667, 0.0561325, 0, 143.553, 0, 1, 0},
    {"main", 90, 1, 65536, 2, 64, 256, 1.668928, 1.55658, 0.131073, 0, 33.5851, 0, 1, 0},
    {"main", 22, 3, 262144, 16, 256, 64, 0.9690256, 1.15977, 0.0342792, 0, 60.4091, 0, 1, 0},
    {"main", 32, 3, 524288, 4, 64, 512, 4.01382, 3.51482, 0.269206, 0, 272.209, 0, 1, 0},
    {"main", 32, 1, 8192, 4, 32, 256, 0.06486532, 0.359139, 0.0205648, 0, 4.02479, 0, 1, 0},
    {"main", 22, 1, 524288, 1, 32, 256, 0.8931234, 1.10628, 0.0571453, 0, 99.2063, 0, 1, 0},
    {"main", 65, 0, 16384, 2, 128, 256, 0.12820312, 0.528809, 0.0323179, 0, 20.2698, 0, 1, 0},
    {"main", 22, 0, 131072, 4, 32, 256, 0.1024259, 0.44501, 0.0213517, 0, 20.395, 0, 1, 0},
    {"ram", 32, 1, 4096, 1, 32, 256, 0.0226122, 0.189567, 0.00558317, 0, 1.89601, 0, 1, 0},
    {"ram", 45, 3, 4194304, 1, 64, 512, 71.4052, 7.58731, 2.51829, 0, 6237.43, 0, 1, 0},
    {"ram", 32, 1, 4096, 1, 8, 64, 0.0144242, 0.222075, 0.00195131, 0, 1.91236, 0, 1, 0},
    {"ram", 22, 0, 524288, 1, 2, 16, 0.390792, 0.827876, 0.00636022, 0, 77.0478, 0, 1, 0},
    {"fa", 32, 0, 512, 1, 128, 1024, 0.161856, 0.515884, 0.0825014, 0.0798291, 4.99072, 0, 1, 0},
    {"fa", 22, 0, 256, 1, 128, 1024, 0.0789423, 0.391938, 0.044591, 0.0430617, 3.02053, 0, 1, 0},
};

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
    run->read_write = atoi(fields[9]);
    run->output = atof(fields[14]);
    run->area = atof(fields[21]);
    run->time = atof(fields[23]);
    run->energy = atof(fields[25]);
    run->search = atof(fields[27]);
    run->tag = atof(fields[15]);
    run->banks = atof(fields[13]);
    run->leak = atof(fields[28]) * run->banks; /* CACTI gives that of one bank */
    if (!strcmp(run->grid, "fa"))
        return run->extra_ports == 0;
    return true;
}

static FILE *open_grid(const char *name)
{
    const char *shared = getenv("WARPSCAPE_SHARED");
    char path[4096];
    snprintf(path, sizeof path, "%s/reference/area/%s", shared ? shared : "../shared", name);
    return fopen(path, "r");
}

/* The kinds of runs, and the most that the median and the 95th percentile of the errors of area,
 * time, energy and leakage may be: what docs/AREA.md claims. */
enum { MEASURES = 4 };

struct kind {
    const char *name, *grid;
    bool (*has)(const struct run *run);
    double limits[MEASURES][2];
    struct errors errors[MEASURES];
};

static bool any(const struct run *run)
{
    (void)run;
    return true;
}

/* CACTI draws a cell with two read-write ports as one with a read and a write port, but joins
 * larger arrays otherwise. No machine has such ports. */
static bool reads_or_writes(const struct run *run)
{
    return run->read_write == 2;
}

static bool has_machine_ports(const struct run *run)
{
    return run->read_write < 2;
}

static bool wide(const struct run *run)
{
    return run->output * run->ways > 4096;
}

static bool several(const struct run *run)
{
    return run->banks > 1;
}

static struct kind kinds[9] = {
    {"caches, 1 KiB to 4 MiB, 1 to 16 ways, 1RW to 2R2W",
     "main",
     any,
     {{0.005, 0.04}, {0.005, 0.08}, {0.005, 0.05}, {0.005, 0.045}},
     {{0}}},
    {"those of them that read more than 4,096 bits",
     "main",
     wide,
     {{0.005, 0.01}, {0.005, 0.005}, {0.005, 0.005}, {0.005, 0.005}},
     {{0}}},
    {"caches that read 128 or 512 bits of each way",
     "width",
     any,
     {{0.005, 0.005}, {0.005, 0.02}, {0.005, 0.015}, {0.005, 0.01}},
     {{0}}},
    {"caches of 3 KiB to 3 MiB, sizes of 1.5 x 2^k",
     "threehalves",
     any,
     {{0.005, 0.005}, {0.005, 0.005}, {0.005, 0.005}, {0.005, 0.005}},
     {{0}}},
    {"plain RAMs, 64 B to 4 MiB, words of 1 to 128 B, 1RW to 2R2W",
     "ram",
     has_machine_ports,
     {{0.005, 0.005}, {0.005, 0.005}, {0.005, 0.005}, {0.005, 0.005}},
     {{0}}},
    {"plain RAMs of 2RW, which no machine has, as 1R1W",
     "ram",
     reads_or_writes,
     {{0.025, 0.12}, {0.01, 0.19}, {0.01, 0.33}, {0.085, 0.19}},
     {{0}}},
    {"associative, one port",
     "fa",
     any,
     {{0.005, 0.07}, {0.005, 0.115}, {0.005, 0.14}, {0.005, 0.015}},
     {{0}}},
    {"tags alone (CAM)",
     "cam",
     any,
     {{0.005, 0.006}, {0.005, 0.005}, {0.005, 0.005}, {0.005, 0.036}},
     {{0}}},
    {"caches of 2, 4 and 8 banks",
     "bank",
     several,
     {{0.055, 0.12}, {0.06, 0.155}, {0.06, 0.185}, {0.05, 0.155}},
     {{0}}},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void take_runs(FILE *in)
{
    char line[2048];
    while (fgets(line, sizeof line, in)) {
        struct run run;
        if (!parse_run(line, &run))
            continue;
        const struct array_estimate got = estimate_run(&run);
        for (size_t i = 0; i < KINDS; i++) {
            struct errors *errors = kinds[i].errors;
            if (strcmp(kinds[i].grid, run.grid) || !kinds[i].has(&run))
                continue;
            if (!got.flops)
                errors_add(&errors[0], got.area, run.area);
            errors_add(&errors[1], 1e9 * got.time, run.time);
            errors_add(&errors[2], 1e9 * got.energy, run.search > 0 ? run.search : run.energy);
            errors_add(&errors[3], 1e3 * got.leakage, run.leak);
        }
    }
    fclose(in);
}

static void runs_of_cacti(void **state)
{
    (void)state;
    static const char *const files[] = {"cacti_grid.csv", "cacti_grid2.csv"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        FILE *in = open_grid(files[i]);
        if (!in) {
            print_message("no %s (WARPSCAPE_SHARED or ../shared): skipped\n", files[i]);
            skip();
        }
        take_runs(in);
    }
    bool good = true;
    print_message("| median / 95th percentile of the error in %% | runs | area | time | "
                  "read or search energy | leakage |\n"
                  "| --- | ---: | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < KINDS; i++) {
        print_message("| %s | %zu |", kinds[i].name, kinds[i].errors[1].count);
        for (size_t k = 0; k < MEASURES; k++) {
            struct errors *all = &kinds[i].errors[k];
            const double median = errors_at(all, 0.5), p95 = errors_at(all, 0.95);
            print_message(" %.1f / %.1f |", 100 * median, 100 * p95);
            good &= median <= kinds[i].limits[k][0] && p95 <= kinds[i].limits[k][1];
            free(all->items);
            *all = (struct errors){0};
        }
        print_message("\n");
    }
    assert_true(good);
}

/* ---- properties -------------------------------------------------------------------------------
 */

static void expect_not_smaller(const struct array_estimate *small,
                               const struct array_estimate *large)
{
    const double slack = 1 + 1e-12;
    assert_true(large->area * slack >= small->area);
    assert_true(large->leakage * slack >= small->leakage);
    assert_true(small->area > 0 && small->time > 0 && small->energy > 0 && small->leakage > 0);
    assert_true(isfinite(large->area + large->time + large->energy + large->leakage));
}

static void area_and_leakage_ascend_with_capacity(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t draw = random_at(7, i);
        double nm = 22 + (double)random_below(draw, 69);
        double bits = exp2(9 + (double)random_below(draw * 3, 17));
        struct cache_array bank = {.banks = 1,
                                   .data_bits = bits,
                                   .output = exp2(5 + (double)random_below(draw * 5, 7)),
                                   .ways = exp2((double)random_below(draw * 7, 4)),
                                   .state_width = 20 + (double)random_below(draw * 9, 20),
                                   .extra_ports = (double)random_below(draw * 11, 4)};
        bank.state_bits = bits / 1024 * bank.state_width;
        struct array_estimate base = cache_estimate(&bank, nm);
        struct cache_array larger = bank;
        double grow = 1 + (double)random_below(draw * 13, 100) / 50;
        larger.data_bits *= grow;
        larger.state_bits *= grow;
        struct array_estimate large = cache_estimate(&larger, nm);
        expect_not_smaller(&base, &large);
        double n = 1 + (double)random_below(draw * 17, 600);
        struct array_estimate few = associative_estimate(n, 36, 64, nm);
        struct array_estimate many = associative_estimate(n * grow, 36, 64, nm);
        expect_not_smaller(&few, &many);
    }
}

/* Nothing jumps at the edge of the table, in whatever direction it is left. */
static void continuous_at_the_edges(void **state)
{
    (void)state;
    const struct cacti_array edges[] = {
        {CACTI_DATA, {512, 64, 2, 1}},   {CACTI_DATA, {33554432, 64, 2, 1}},
        {CACTI_DATA, {65536, 8, 4, 0}},  {CACTI_DATA, {65536, 2048, 1, 3}},
        {CACTI_TAG, {4 * 30, 30, 1, 0}}, {CACTI_TAG, {131072 * 30, 30, 16, 1}},
        {CACTI_FA, {2, 40, 64, 0}},      {CACTI_FA, {4096, 40, 2048, 0}},
        {CACTI_CAM, {1024, 40, 0, 0}},   {CACTI_CAM, {16, 16, 0, 0}},
    };
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        for (size_t axis = 0; axis < 3; axis++) {
            struct cacti_array before = edges[i], after = edges[i];
            before.shape[axis] *= 1 - 1e-9;
            after.shape[axis] *= 1 + 1e-9;
            const struct cacti_estimate a = cacti_estimate(&before, 40),
                                        b = cacti_estimate(&after, 40);
            assert_true(fabs(b.area / a.area - 1) < 1e-6);
            assert_true(fabs(b.time / a.time - 1) < 1e-6);
            assert_true(fabs(b.energy / a.energy - 1) < 1e-6);
            assert_true(fabs(b.leakage / a.leakage - 1) < 1e-6);
        }
}

/* The last line of defence against a table that cacti_fit.py did not make from these runs. */
static void a_point_of_the_table_is_a_run(void **state)
{
    (void)state;
    const struct cacti_array array = {CACTI_FA, {16, 44, 64, 0}};
    const struct cacti_estimate found = cacti_estimate(&array, 22);
    assert_true(found.octaves == 0);
    assert_float_equal(found.area * 22e-3 * 22e-3 * 1e-6, 0.001552, 2e-6);
    assert_float_equal(found.time, 0.151897, 2e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_of_the_grid),
        cmocka_unit_test(runs_of_cacti),
        cmocka_unit_test(continuous_at_the_edges),
        cmocka_unit_test(a_point_of_the_table_is_a_run),
        cmocka_unit_test(area_and_leakage_ascend_with_capacity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
