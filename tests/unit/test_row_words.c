#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "explore/papers/row_words.h"

static void every_word_is_found_somewhere(void **state)
{
    (void)state;
    static const char *const texts[] = {"gemm-128", "SM2_GTX480"};
    static const struct {
        const char *only;
        bool expected;
    } cases[] = {{NULL, true},     {"", true},          {"  ", true},        {"gemm", true},
                 {"gtx480", true}, {"GEMM  sm2", true}, {"gemm rtx", false}, {"gemm-1280", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(row_has_words(cases[i].only, texts, 2), cases[i].expected);
    assert_true(row_has_words(NULL, NULL, 0));
    assert_false(row_has_words("a", NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_word_is_found_somewhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
