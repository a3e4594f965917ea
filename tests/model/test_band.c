/* Bands of estimates: they hold the estimate, and widen with the distance from what CACTI knows. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/area/band.h"

static void bands_hold_the_estimate_and_widen(void **state)
{
    (void)state;
    for (int c = 0; c < AREA_CONFIDENCES; c++)
        for (int m = 0; m < AREA_MEASURES; m++) {
            struct area_band last = {1, 1};
            for (double nm = 90; nm >= 3; nm -= 0.25) {
                const struct area_band band =
                    area_band((enum area_confidence)c, nm, 0, (enum area_measure)m);
                assert_true(band.low > 0 && band.low <= 1 && band.high >= 1);
                assert_true(band.low <= last.low * (1 + 1e-12) &&
                            band.high >= last.high * (1 - 1e-12));
                last = band;
            }
            assert_true(c != AREA_EXACT || (last.low == 1 && last.high == 1));
        }
}

static void bands_by_hand(void **state)
{
    (void)state;
    assert_float_equal(area_band(AREA_TABLE, 40, 0, MEASURE_AREA).high, 1.1, 1e-9);
    assert_float_equal(area_band(AREA_TABLE, 40, 0, MEASURE_AREA).low, 1 / 1.1, 1e-9);
    assert_float_equal(area_band(AREA_EXTRAPOLATED, 7, 0, MEASURE_AREA).high, 1.22 * 1.9, 1e-9);
    /* From the scaling law of gates to the 1.7 times that were measured. */
    assert_float_equal(area_band(AREA_EXTRAPOLATED, 16, 0, MEASURE_TIME).low, 0.69 / 1.7 / 1.38,
                       1e-9);
    assert_float_equal(area_band(AREA_EXTRAPOLATED, 5, 0, MEASURE_TIME).low, 0.35 / 1.7 / 1.38,
                       1e-9);
    assert_float_equal(area_band(AREA_EXTRAPOLATED, 10, 0, MEASURE_LEAKAGE).high, 12.7, 1e-9);
    assert_float_equal(area_band(AREA_FPGA, 7, 0, MEASURE_AREA).high, 1, 1e-9);
    /* Nothing jumps where the table ends; two octaves beyond it an energy is known within 2.15. */
    assert_float_equal(area_band(AREA_CLOSED_FORM, 40, 0, MEASURE_ENERGY).high,
                       area_band(AREA_TABLE, 40, 0, MEASURE_ENERGY).high, 1e-9);
    assert_float_equal(area_band(AREA_CLOSED_FORM, 40, 2, MEASURE_ENERGY).high, 1.18 * 1.35 * 1.35,
                       1e-9);
    assert_float_equal(area_band(AREA_FLOPS, 40, 2, MEASURE_AREA).high, 1.08, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bands_hold_the_estimate_and_widen),
                                       cmocka_unit_test(bands_by_hand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
