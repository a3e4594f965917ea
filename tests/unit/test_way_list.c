#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/cache/way_list.h"

static void test_ways(void **state)
{
    (void)state;
    struct ways_kept *list = calloc(1, ways_bytes(WAY_LIST_MOST));
    assert_non_null(list);
    assert_int_equal(ways_find(list, 0), WAY_LIST_NONE);
    for (uint32_t way = 0; way < WAY_LIST_MOST; way++)
        ways_push(list, way);
    assert_int_equal(ways_find(list, 255), 255);
    assert_true(ways_take(list, 7));
    assert_false(ways_take(list, 7));
    assert_int_equal(ways_find(list, 8), 7);
    assert_int_equal(ways_take_place(list, 0), 0);
    ways_push_oldest(list, 7);
    assert_int_equal(list->ways[0], 7);
    assert_int_equal(list->ways[1], 1);
    assert_int_equal(list->count, WAY_LIST_MOST - 1);
    free(list);
}

static void test_lines(void **state)
{
    (void)state;
    struct lines_kept *list = calloc(1, lines_bytes(3));
    assert_non_null(list);
    lines_take_oldest(list); /* of none */
    for (uint64_t line = 10; line < 15; line++)
        lines_push(list, line, 3);
    assert_int_equal(list->count, 3);
    assert_false(lines_have(list, 11));
    assert_true(lines_take(list, 13));
    assert_false(lines_take(list, 13));
    assert_int_equal(list->lines[0], 12);
    assert_int_equal(list->lines[1], 14);
    lines_take_oldest(list);
    assert_true(lines_have(list, 14));
    lines_push(list, 20, 0);
    assert_false(lines_have(list, 20));
    free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ways),
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
