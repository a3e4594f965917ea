/* No knob does nothing at depths functional and reuse and for the area (support/knobs.h). Depth
 * timing: test_knobs_timing.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/knobs.h"

static void functional_knobs(void **state)
{
    (void)state;
    assert_int_equal(knobs_without_witness(&(struct knobs){.depth = DEPTH_FUNCTIONAL}), 0);
}

static void reuse_knobs(void **state)
{
    (void)state;
    assert_int_equal(knobs_without_witness(&(struct knobs){.depth = DEPTH_REUSE}), 0);
}

static void area_knobs(void **state)
{
    (void)state;
    assert_int_equal(knobs_without_witness(&(struct knobs){.depth = KNOBS_OF_AREA}), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(area_knobs),
        cmocka_unit_test(functional_knobs),
        cmocka_unit_test(reuse_knobs),
    };
    return cmocka_run_group_tests(tests, knob_sources_open, knob_sources_free);
}
