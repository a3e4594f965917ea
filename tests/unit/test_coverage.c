/* Coverage against counting what points show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/results/coverage.h"
#include "support/study_builder.h"

static const char text[] = "machine: gtx480\nworkloads: [ATAX:n=96, GEMM:n=32]\naxes:\n"
                           "  l2.latency: [100, 200, 300]\n"
                           "  dram.latency: [100, 200]\n"
                           "  l1d.latency: [1, 2]\n"
                           "where: [l2.latency <= 200]\n"
                           "objectives: [l1d.misses]\n";

/* One latency has no legal machine: 2 + 2 + 2 values on each workload. */
static void what_points_show_is_covered(void **state)
{
    (void)state;
    struct study study;
    struct space space;
    study_from_text(text, &study);
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct coverage coverage;
        bool shown[2][3][3] = {0};
        uint64_t covered = 0, points = 0;
        assert_int_equal(coverage_of(&space, &coverage), STATUS_OK);
        assert_int_equal(coverage.cell_count, 2 * 6);
        assert_int_equal(coverage.legal, 2 * 2 * 2 * 2);
        for (uint64_t p = 0; p < space.points; p++) {
            if (random_at(seed, p) % (1 + seed % 10) || p % space.machines >= 8)
                continue;
            coverage_add(&coverage, p);
            points++;
            for (size_t a = 0; a < 3; a++) {
                bool *cell =
                    &shown[p / space.machines][a][space_digit(&space, p % space.machines, a)];
                covered += !*cell;
                *cell = true;
            }
            assert_int_equal(coverage.covered, covered);
        }
        assert_int_equal(coverage.points, points);
        coverage_close(&coverage);
    }
    study_free(&study);
}

static void it_says_so(void **state)
{
    (void)state;
    struct study study;
    struct space space;
    struct coverage coverage;
    char line[COVERAGE_TEXT];
    study_from_text(text, &study);
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    assert_int_equal(coverage_of(&space, &coverage), STATUS_OK);
    coverage_add(&coverage, 0);
    coverage_add_value(&coverage, 1, 0, 1, 3);
    assert_string_equal(coverage_print(&coverage, line),
                        "4 of 16 points (25 %), 4 of 12 cells (a value of an axis on a workload)");
    coverage_close(&coverage);
    study_free(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_points_show_is_covered),
        cmocka_unit_test(it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
