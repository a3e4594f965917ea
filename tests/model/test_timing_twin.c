/* sm.h against its slow twin (support/sm_twin.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/sanitized.h"
#include "support/sm_twin.h"

static void test_equals_slow_twin(void **state)
{
    (void)state;
    struct slow_fetch_counts sum = {0};
    for (uint64_t seed = 0; seed < ROLLS(1000); seed++) {
        if (seed % 100 == 0)
            print_message("from program %d\n", (int)seed);
        sm_twin_check(seed, &sum);
    }
    assert_true(sum.l0_misses > ROLLS(5000) && sum.buffer_hits > ROLLS(500) &&
                sum.tag_reads > ROLLS(20000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equals_slow_twin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
