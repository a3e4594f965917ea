/* Hypervolume against counting unit cells, which is slow and obvious. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/results/hypervolume.h"

enum { SIDE = 7, POINTS_MAX = 14, DIMENSIONS_MAX = 5 };

/* Cells [c, c + 1) of the grid below the reference (SIDE, SIDE, ...) that some point dominates. */
static double count_cells(const double *costs, size_t count, size_t dimensions)
{
    uint64_t cells = 1, dominated = 0;
    for (size_t d = 0; d < dimensions; d++)
        cells *= SIDE;
    for (uint64_t cell = 0; cell < cells; cell++) {
        bool any = false;
        for (size_t i = 0; i < count && !any; i++) {
            uint64_t rest = cell;
            any = true;
            for (size_t d = 0; d < dimensions; d++, rest /= SIDE)
                any = any && costs[i * dimensions + d] <= (double)(rest % SIDE);
        }
        dominated += any;
    }
    return (double)dominated;
}

static void test_against_cells(void **state)
{
    (void)state;
    const double reference[DIMENSIONS_MAX] = {SIDE, SIDE, SIDE, SIDE, SIDE};
    for (uint64_t seed = 0; seed < 400; seed++) {
        size_t dimensions = 1 + seed % DIMENSIONS_MAX;
        size_t count = random_below(random_at(seed, 1000), POINTS_MAX + 1);
        double costs[POINTS_MAX * DIMENSIONS_MAX];
        for (size_t i = 0; i < count * dimensions; i++) /* some at or beyond the reference */
            costs[i] = (double)random_below(random_at(seed, i), SIDE + 2);
        double expected = count_cells(costs, count, dimensions);
        assert_true(hypervolume(costs, count, dimensions, reference, UINT64_MAX) == expected);
    }
}

static void test_order_and_duplicates(void **state)
{
    (void)state;
    const double reference[4] = {1, 1, 1, 1};
    double forward[20][4], backward[40][4];
    for (size_t i = 0; i < 20; i++)
        for (size_t d = 0; d < 4; d++)
            forward[i][d] = (double)(random_at(7, i * 4 + d) >> 11) / 0x1p53;
    for (size_t i = 0; i < 40; i++)
        for (size_t d = 0; d < 4; d++)
            backward[i][d] = forward[19 - i % 20][d];
    for (size_t dimensions = 1; dimensions <= 4; dimensions++) {
        double a[80], b[160];
        for (size_t i = 0; i < 40; i++)
            for (size_t d = 0; d < dimensions; d++) {
                b[i * dimensions + d] = backward[i][d];
                if (i < 20)
                    a[i * dimensions + d] = forward[i][d];
            }
        double x = hypervolume(a, 20, dimensions, reference, UINT64_MAX);
        double y = hypervolume(b, 40, dimensions, reference, UINT64_MAX);
        assert_true(x > 0 && fabs(x - y) < 1e-12);
    }
}

static void test_budget(void **state)
{
    (void)state;
    const double reference[5] = {1, 1, 1, 1, 1};
    double costs[5 * 60];
    for (size_t i = 0; i < 5 * 60; i++)
        costs[i] = (double)(random_at(3, i) >> 11) / 0x1p53;
    assert_true(isnan(hypervolume(costs, 60, 5, reference, 1000)));
    assert_true(hypervolume(costs, 0, 5, reference, 1000) == 0);
    assert_false(isnan(hypervolume(costs, 60, 3, reference, 1000)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_cells),
        cmocka_unit_test(test_order_and_duplicates),
        cmocka_unit_test(test_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
