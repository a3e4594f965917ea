/* Student's t against its tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "base/student.h"

static void quantiles_are_those_of_the_tables(void **state)
{
    (void)state;
    static const struct {
        double freedom, quantile;
    } table[] = {{3, 3.182}, {4, 2.776}, {5, 2.571}, {10, 2.228}, {30, 2.042}, {1e9, 1.960}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_true(fabs(student_quantile(table[i].freedom) / table[i].quantile - 1) < 0.01);
    assert_true(student_quantile(1) > 2 * student_quantile(2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(quantiles_are_those_of_the_tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
