/* The names of charts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "schema/charts.h"

static void every_name_finds_its_chart(void **state)
{
    (void)state;
    for (int i = 0; i < CHART_COUNT; i++)
        assert_int_equal(chart_find(chart_names[i]), i);
    assert_null(chart_names[CHART_COUNT]);
    assert_int_equal(chart_find("distances"), CHART_DISTANCES);
    assert_int_equal(chart_find(""), CHART_COUNT);
    assert_int_equal(chart_find("curv"), CHART_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_name_finds_its_chart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
