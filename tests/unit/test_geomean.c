/* Geometric means against roots of products. */
#include "base/geomean.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/rng.h"

static double geomean_of(const double *values, size_t count)
{
    struct geomean geomean = {0};
    for (size_t i = 0; i < count; i++)
        geomean_add(&geomean, values[i]);
    return geomean_value(&geomean);
}

static void test_roots(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 1000; round++) {
        double values[3];
        for (size_t i = 0; i < 3; i++)
            values[i] = 1 + (double)random_below(random_at(i, round), 1000000) / 16;
        double three = cbrt(values[0] * values[1] * values[2]), two = sqrt(values[0] * values[1]);
        assert_true(fabs(geomean_of(values, 3) - three) <= 1e-14 * three);
        assert_true(fabs(geomean_of(values, 2) - two) <= 1e-14 * two);
    }
}

static void test_equal_values(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 1000; round++) {
        double value = ldexp(1 + (double)random_at(7, round) * 0x1p-64, (int)(round % 120) - 60);
        const double values[] = {value, value, value, value, value, value, value};
        for (size_t count = 1; count <= 7; count++)
            assert_true(geomean_of(values, count) == value);
    }
}

static void test_without_value(void **state)
{
    (void)state;
    const double zero[] = {4, 0, 9}, negative[] = {4, -1}, missing[] = {4, NAN};
    assert_true(isnan(geomean_of(zero, 0)));
    assert_true(geomean_of(zero, 1) == 4);
    assert_true(isnan(geomean_of(zero, 3)));
    assert_true(isnan(geomean_of(negative, 2)));
    assert_true(isnan(geomean_of(missing, 2)));
    const double far[] = {1e300, 1e300, 1e-300}; /* whose product is no number */
    assert_true(fabs(geomean_of(far, 3) - 1e100) <= 1e-14 * 1e100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roots),
        cmocka_unit_test(test_equal_values),
        cmocka_unit_test(test_without_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
