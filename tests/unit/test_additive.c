/* Guesses from sums of parts: what is a sum, or a product, is found again. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/search/additive.h"

enum { AXES = 4, DIGITS = 5, POINTS = 200, EVERY = DIGITS * DIGITS * DIGITS * DIGITS };

static double uniform(uint64_t at)
{
    return (double)(random_at(7, at) >> 11) * 0x1p-53;
}

static void digits_of(uint64_t point, uint32_t digits[AXES])
{
    for (size_t a = 0; a < AXES; a++, point /= DIGITS)
        digits[a] = (uint32_t)(point % DIGITS);
}

/* The truth that the model does not see: a part for each digit, added or multiplied. */
static double truth(const uint32_t digits[AXES], bool product)
{
    double sum = product ? 0 : -3;
    for (size_t a = 0; a < AXES; a++)
        sum += uniform(100 * (a + 1) + digits[a]) - 0.5;
    return product ? 20 * exp(sum) : sum;
}

static void fit(struct additive *model, bool product, size_t count)
{
    static uint32_t digits[POINTS * AXES];
    static double values[POINTS];
    for (size_t i = 0; i < count; i++) {
        digits_of(random_below(random_at(3, i), EVERY), &digits[i * AXES]);
        values[i] = truth(&digits[i * AXES], product);
    }
    values[0] = NAN; /* one that has no value */
    assert_int_equal(additive_fit(model, digits, values, count), STATUS_OK);
}

static void sums_and_products(void **state)
{
    (void)state;
    static const size_t counts[AXES] = {DIGITS, DIGITS, DIGITS, DIGITS};
    for (int product = 0; product < 2; product++) {
        struct additive model;
        double worst = 0, spread = 0, mean = 0;
        assert_int_equal(additive_create(counts, AXES, &model), STATUS_OK);
        fit(&model, product, POINTS);
        for (uint64_t point = 0; point < EVERY; point++) {
            uint32_t digits[AXES];
            digits_of(point, digits);
            const double value = truth(digits, product);
            mean += value / EVERY;
            worst = fmax(worst, fabs(additive_at(&model, digits) - value));
            spread = fmax(spread, fabs(value));
        }
        assert_true(worst < 0.03 * spread); /* drawn towards the mean by ADDITIVE_DRAWN */
        assert_int_equal(model.logarithms, product);
        /* Fitted anew to nothing, it forgets. */
        assert_int_equal(additive_fit(&model, NULL, NULL, 0), STATUS_OK);
        uint32_t first[AXES] = {0};
        assert_true(additive_at(&model, first) == 1); /* of logarithms */
        additive_free(&model);
    }
}

/* Around one point, with one digit changed at a time, the changes are all that is known. */
static void a_star(void **state)
{
    (void)state;
    static const size_t counts[2] = {3, 3};
    const uint32_t digits[] = {0, 0, 1, 0, 2, 0, 0, 1, 0, 2}, corner[] = {2, 2}, own[] = {0, 0};
    const double values[] = {10, 12, 16, 8, 4};
    struct additive model;
    assert_int_equal(additive_create(counts, 2, &model), STATUS_OK);
    assert_int_equal(additive_fit(&model, digits, values, 5), STATUS_OK);
    const double guessed = additive_at(&model, corner);
    assert_true(guessed > 5 && guessed < 9); /* 16 x 4 / 10, drawn towards the mean */
    assert_true(fabs(additive_at(&model, own) - 10) < 1);
    additive_free(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_products),
        cmocka_unit_test(a_star),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
