/* The table of limits: each row is a whole number of the parameter table, or a sum of rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "schema/parameters.h"
#include "schema/run_limits.h"

static void test_rows_are_parameters(void **state)
{
    (void)state;
    unsigned sums = 0;
    for (unsigned i = 0; i < RUN_LIMITS; i++) {
        const enum run_limit limit = (enum run_limit)i;
        const struct parameter *parameter = parameter_find(run_limit_name(limit));
        struct machine machine;
        machine_defaults(&machine);
        sums += !parameter;
        if (!parameter)
            continue;
        assert_int_equal(parameter->type, PARAMETER_UINT);
        parameter_set(parameter, &machine, (struct value){.uint = 1234 + i});
        assert_int_equal(run_limit_of(&machine, limit), 1234 + i);
        run_limits_clear(&machine);
        assert_int_equal(parameter_get(parameter, &machine).uint, 0);
    }
    assert_int_equal(sums, 1);
}

static void test_sum(void **state)
{
    (void)state;
    struct machine machine;
    machine_defaults(&machine);
    machine.dram.queue = 5;
    machine.dram.returns = 7;
    assert_int_equal(run_limit_of(&machine, RUN_LIMIT_DRAM_CREDITS), 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_parameters),
        cmocka_unit_test(test_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
