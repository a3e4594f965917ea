/* The SIMT processor against its slow twin on random programs (support/simt_twin.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/sanitized.h"
#include "support/simt_twin.h"

static void test_twin(void **state)
{
    (void)state;
    enum { ROUNDS = 400 };
    unsigned ended = 0;
    for (uint64_t seed = 0; seed < ROLLS(ROUNDS); seed++)
        ended += simt_twin_check(seed);
    assert_true(ended > ROLLS(ROUNDS) / 2); /* of twice as many */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_twin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
