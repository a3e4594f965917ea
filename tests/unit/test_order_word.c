/* The order of ways in a word against an array. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/cache/order_word.h"

struct list {
    uint32_t ways[ORDER_WAYS];
    uint32_t count;
};

static uint32_t place_of(const struct list *list, uint32_t way)
{
    uint32_t place = 0;
    while (list->ways[place] != way)
        place++;
    return place;
}

static void list_move(struct list *list, uint32_t way, bool last)
{
    const uint32_t place = place_of(list, way), end = list->count - 1;
    if (last)
        memmove(list->ways + place, list->ways + place + 1, (end - place) * sizeof *list->ways);
    else
        memmove(list->ways + 1, list->ways, place * sizeof *list->ways);
    list->ways[last ? end : 0] = way;
}

static void test_moves(void **state)
{
    (void)state;
    for (uint32_t ways = 1; ways <= ORDER_WAYS; ways++) {
        struct list list = {.count = ways};
        uint64_t order = ORDER_START;
        for (uint32_t way = 0; way < ways; way++)
            list.ways[way] = way;
        for (uint64_t i = 0; i < 2000; i++) {
            const uint32_t way = (uint32_t)random_below(random_at(ways, i), ways);
            const bool last = random_at(i, ways) & 1;
            const unsigned bit = order_find(order, way);
            assert_int_equal(bit, 4 * place_of(&list, way));
            order = last ? order_retire(order, bit, way, ways) : order_move(order, bit, way);
            list_move(&list, way, last);
            for (uint32_t place = 0; place < ORDER_WAYS; place++)
                assert_int_equal(order >> 4 * place & 15, place < ways ? list.ways[place] : place);
            assert_int_equal(order_last(order, ways), list.ways[ways - 1]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_moves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
