/* Guesses by kriging: known points are found again, between them it is as smooth as the truth, an
 * axis that does not matter drops out, and solving is that of the definition. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/search/kriging.h"

enum { AXES = 4, DIGITS = 6, EVERY = DIGITS * DIGITS * DIGITS * DIGITS, POINTS = 120 };

static const size_t counts[AXES] = {DIGITS, DIGITS, DIGITS, DIGITS};
static uint32_t digits[EVERY * AXES];
static double values[EVERY];
static uint8_t kept[EVERY];

static void digits_of(uint64_t point, uint32_t own[AXES])
{
    for (size_t a = 0; a < AXES; a++, point /= DIGITS)
        own[a] = (uint32_t)(point % DIGITS);
}

/* Two axes matter, together; the last two do not. */
static double truth(const uint32_t own[AXES])
{
    const double x = own[0] / 5.0, y = own[1] / 5.0;
    return 3 + sin(3 * x) * (1 + 2 * y * y);
}

static void draw(size_t count)
{
    for (size_t i = 0; i < count; i++) {
        digits_of(random_below(random_at(3, i), EVERY), &digits[i * AXES]);
        values[i] = truth(&digits[i * AXES]);
        kept[i] = 0;
    }
}

static struct kriging fit(size_t count)
{
    struct kriging model;
    assert_int_equal(kriging_create(counts, AXES, &model), STATUS_OK);
    assert_int_equal(kriging_fit(&model, digits, values, kept, count), STATUS_OK);
    return model;
}

static void what_matters(void **state)
{
    (void)state;
    draw(POINTS);
    values[0] = NAN;
    struct kriging model = fit(POINTS);
    double squares = 0, spread = 0;
    for (uint64_t point = 0; point < EVERY; point++) {
        uint32_t own[AXES];
        digits_of(point, own);
        squares += pow(kriging_at(&model, own) - truth(own), 2);
        spread += pow(3.9 - truth(own), 2);
    }
    assert_true(squares < 0.01 * spread);
    assert_true(model.steeps[0] && model.steeps[1] && !model.steeps[2] && !model.steeps[3]);
    assert_int_equal(model.count, POINTS - 1);
    kriging_free(&model);
}

/* The covariances times the weights are the known values, but for the noise. */
static void weights_solve(void **state)
{
    (void)state;
    draw(60);
    for (size_t i = 0; i < 60; i++)
        values[i] += (double)(random_at(5, i) % 100) / 300;
    struct kriging model = fit(60);
    for (size_t i = 0; i < 60; i++) {
        double lone = NAN; /* the share of the noise, which all points have in common */
        const double left = values[i] - kriging_at(&model, &digits[i * AXES]);
        if (fabs(model.weights[i]) > 1e-3)
            lone = left / model.weights[i];
        assert_true(isnan(lone) || (lone > 0 && lone < 0.11));
    }
    kriging_free(&model);
}

static void few_points(void **state)
{
    (void)state;
    uint32_t own[AXES] = {5, 5, 5, 5};
    draw(3);
    struct kriging model = fit(0);
    assert_true(kriging_at(&model, own) == 0);
    assert_int_equal(kriging_fit(&model, digits, values, kept, 1), STATUS_OK);
    assert_true(kriging_at(&model, own) == values[0]);
    values[1] = values[2] = values[0];
    assert_int_equal(kriging_fit(&model, digits, values, kept, 3), STATUS_OK);
    assert_true(kriging_at(&model, own) == values[0]);
    kriging_free(&model);
}

/* Of many points some are used, and of those to be kept all where there is room. */
static void many_points(void **state)
{
    (void)state;
    for (size_t i = 0; i < EVERY; i++) {
        digits_of(i, &digits[i * AXES]);
        values[i] = truth(&digits[i * AXES]);
        kept[i] = i % 10 == 0;
    }
    struct kriging model = fit(EVERY);
    size_t found = 0;
    assert_int_equal(model.count, KRIGING_MOST / 2 + EVERY / 10 + 1);
    for (size_t i = 0; i < model.count; i++)
        for (size_t k = 0; k < EVERY; k += 10)
            found += !memcmp(model.digits + i * AXES, &digits[k * AXES], sizeof(uint32_t[AXES]));
    assert_true(found >= EVERY / 10);
    kriging_free(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_matters),
        cmocka_unit_test(weights_solve),
        cmocka_unit_test(few_points),
        cmocka_unit_test(many_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
