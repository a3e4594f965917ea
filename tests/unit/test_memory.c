/* Growable arrays keep what is in them, also where they become large, and refuse sizes that do not
 * fit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory.h"

static void test_arrays_keep_their_items(void **state)
{
    enum { ITEMS = 3000000 }; /* 12 MB, so huge pages, more than once */
    uint32_t *items = NULL;
    size_t capacity = 0;
    (void)state;
    for (uint32_t i = 0; i < ITEMS; i++) {
        assert_int_equal(array_reserve(&items, &capacity, i + 1), STATUS_OK);
        items[i] = i * 7;
    }
    for (uint32_t i = 0; i < ITEMS; i++)
        assert_int_equal(items[i], i * 7);
    free(items);
}

static void test_sizes_that_do_not_fit_are_refused(void **state)
{
    uint64_t *items = NULL;
    size_t capacity = 0;
    (void)state;
    assert_int_equal(array_reserve(&items, &capacity, 1), STATUS_OK);
    const size_t before = capacity;
    items[0] = 5;
    assert_int_equal(array_reserve(&items, &capacity, SIZE_MAX), STATUS_MEMORY);
    assert_int_equal(array_reserve(&items, &capacity, SIZE_MAX / 8), STATUS_MEMORY);
    assert_int_equal(capacity, before);
    assert_int_equal(items[0], 5);
    free(items);
}

static void test_free_items_are_a_list(void **state)
{
    struct item {
        uint64_t value;
        uint32_t next;
    } *items = NULL;
    uint32_t count = 0, free_first = UINT32_MAX, listed = 0;
    (void)state;
    assert_int_equal(free_list_grow(&items, &count, &free_first, struct item, next), STATUS_OK);
    const uint32_t before = count;
    free_first = UINT32_MAX;
    assert_int_equal(free_list_grow(&items, &count, &free_first, struct item, next), STATUS_OK);
    for (uint32_t at = free_first; at != UINT32_MAX; at = items[at].next, listed++)
        assert_int_equal(at, before + listed);
    assert_int_equal(before + listed, count);
    free(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arrays_keep_their_items),
                                       cmocka_unit_test(test_sizes_that_do_not_fit_are_refused),
                                       cmocka_unit_test(test_free_items_are_a_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
