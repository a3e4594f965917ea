/* Variants of programs: each can be opened and says its change once, whatever stood there before.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "explore/profiles/variants.h"
#include "workload/workload.h"

static bool has(char **variants, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(variants[i], text))
            return true;
    return false;
}

static void variants_change_one_thing(void **state)
{
    (void)state;
    char **variants;
    size_t count;
    assert_int_equal(variants_list("GEMM:n=32,unroll=2,nk=8", &variants, &count), STATUS_OK);
    assert_true(has(variants, count, "GEMM:n=32,nk=8,unroll=4"));
    for (size_t i = 0; i < count; i++) {
        struct trace_source *source;
        assert_int_equal(workload_open(variants[i], &source, NULL), STATUS_OK);
        trace_source_free(source);
    }
    variants_free(variants, count);
    assert_int_equal(variants_list("2DCONV:n=64", &variants, &count), STATUS_OK);
    assert_true(has(variants, count, "2DCONV:n=64,ptx=1"));
    variants_free(variants, count);
    assert_int_equal(variants_list("GEMM", &variants, &count), STATUS_OK);
    assert_true(has(variants, count, "GEMM:unroll=8"));
    variants_free(variants, count);
}

static void traces_have_none(void **state)
{
    (void)state;
    char **variants;
    size_t count;
    assert_int_equal(variants_list("GEMM.wtr", &variants, &count), STATUS_OK);
    assert_int_equal(count, 0);
    variants_free(variants, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(variants_change_one_thing),
                                       cmocka_unit_test(traces_have_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
