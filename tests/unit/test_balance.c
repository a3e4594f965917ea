/* Balanced orders: every item once, and at every stop all cells about equally far. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/plan/balance.h"

enum { AXES = 3, VALUES_MAX = 8, ITEMS_MAX = 2000 };

/* Items with a value of each axis; value v of axis a is cell a * VALUES_MAX + v. */
struct grid {
    size_t counts[AXES], count, items[ITEMS_MAX];
};

static void make_grid(uint64_t seed, double left_out, struct grid *grid)
{
    size_t all = 1;
    grid->count = 0;
    for (size_t a = 0; a < AXES; a++) {
        grid->counts[a] = 2 + random_at(seed, a) % (VALUES_MAX - 1);
        all *= grid->counts[a];
    }
    for (size_t i = 0; i < all; i++)
        if ((double)random_unit(random_at(seed, 100 + i)) >= left_out)
            grid->items[grid->count++] = i;
}

static void fill_item(struct balance *balance, const struct grid *grid, size_t item)
{
    for (size_t a = 0, rest = grid->items[item]; a < AXES; rest /= grid->counts[a++])
        balance_fill(balance, a * VALUES_MAX + rest % grid->counts[a], 1);
}

static void order_grid(const struct grid *grid, uint64_t seed, size_t *order)
{
    struct balance *balance = balance_create(AXES * VALUES_MAX);
    assert_non_null(balance);
    for (size_t i = 0; i < grid->count; i++) {
        fill_item(balance, grid, i);
        assert_int_equal(balance_item(balance, 0), STATUS_OK);
    }
    assert_int_equal(balance_order(balance, seed, order), STATUS_OK);
    balance_free(balance);
}

/* From the stop on at which every value could have been shown three times. */
static void no_value_is_twice_as_far_as_another(void **state)
{
    (void)state;
    size_t order[ITEMS_MAX];
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct grid grid;
        make_grid(seed, seed % 3 ? 0.2 : 0, &grid);
        order_grid(&grid, seed, order);
        double all[AXES * VALUES_MAX] = {0}, there[AXES * VALUES_MAX] = {0};
        for (size_t i = 0; i < grid.count; i++)
            for (size_t a = 0, rest = grid.items[i]; a < AXES; rest /= grid.counts[a++])
                all[a * VALUES_MAX + rest % grid.counts[a]]++;
        for (size_t i = 0; i < grid.count; i++)
            for (size_t a = 0, rest = grid.items[order[i]]; a < AXES; rest /= grid.counts[a++]) {
                double least = INFINITY, most = 0;
                there[a * VALUES_MAX + rest % grid.counts[a]]++;
                for (size_t v = 0; v < grid.counts[a]; v++) {
                    const size_t cell = a * VALUES_MAX + v;
                    if (all[cell] <= 0)
                        continue;
                    least = fmin(least, (there[cell] + 1) / all[cell]); /* one more or less */
                    most = fmax(most, there[cell] / all[cell]);
                }
                assert_true(i < 3 * VALUES_MAX || most <= 2 * least);
            }
    }
}

static void every_item_comes_once_and_always_in_the_same_place(void **state)
{
    (void)state;
    size_t order[ITEMS_MAX], again[ITEMS_MAX];
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct grid grid;
        bool met[ITEMS_MAX] = {false};
        make_grid(seed, 0.5, &grid);
        order_grid(&grid, seed, order);
        order_grid(&grid, seed, again);
        assert_memory_equal(order, again, grid.count * sizeof *order);
        for (size_t i = 0; i < grid.count; i++) {
            assert_false(met[order[i]]);
            met[order[i]] = true;
        }
    }
}

/* What is there counts, of equal items the cheapest comes first, and a second lot starts anew. */
static void what_lags_comes_first(void **state)
{
    (void)state;
    size_t order[3];
    struct balance *balance = balance_create(3);
    assert_non_null(balance);
    balance_there(balance, 0, 5);
    for (size_t i = 0; i < 3; i++) {
        balance_fill(balance, i, 5);
        assert_int_equal(balance_item(balance, i == 1 ? 2 : 1), STATUS_OK);
    }
    assert_int_equal(balance_order(balance, 1, order), STATUS_OK);
    assert_int_equal(order[0], 2);
    assert_int_equal(order[1], 1);
    assert_int_equal(order[2], 0); /* half of its cell is there */
    balance_fill(balance, 1, 1);
    assert_int_equal(balance_item(balance, 0), STATUS_OK);
    assert_int_equal(balance_order(balance, 1, order), STATUS_OK);
    assert_int_equal(order[0], 0);
    balance_free(balance);
}

/* A rare cell is shown before a common one is shown again, by the item that shows most for its
 * cost.
 */
static void what_nothing_shows_comes_first(void **state)
{
    (void)state;
    enum { COMMON = 6 };
    size_t order[COMMON + 2];
    struct balance *balance = balance_create(3);
    assert_non_null(balance);
    for (size_t i = 0; i < COMMON; i++) { /* each a small share of cell 0 */
        balance_fill(balance, 0, 1);
        assert_int_equal(balance_item(balance, 1), STATUS_OK);
    }
    balance_fill(balance, 1, 1); /* all of cell 1 */
    assert_int_equal(balance_item(balance, 1), STATUS_OK);
    balance_fill(balance, 0, 1); /* all of cell 2, and more, but at four times the cost */
    balance_fill(balance, 2, 1);
    assert_int_equal(balance_item(balance, 4), STATUS_OK);
    assert_int_equal(balance_order(balance, 1, order), STATUS_OK);
    assert_true(order[0] < COMMON);
    assert_int_equal(order[1], COMMON);
    assert_int_equal(order[2], COMMON + 1);
    balance_free(balance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_value_is_twice_as_far_as_another),
        cmocka_unit_test(every_item_comes_once_and_always_in_the_same_place),
        cmocka_unit_test(what_lags_comes_first),
        cmocka_unit_test(what_nothing_shows_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
