/* The partition of the screen: banks, line numbers within a bank, balance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "model/tile/screen.h"

enum { SIDE = 24 };

static struct screen screen_of(int partition, int unit, uint64_t banks,
                               const struct tile_surface *surfaces, uint32_t count)
{
    struct screen screen;
    const struct tile_config config = {.cache.slices = banks, .partition = partition, .unit = unit};
    screen_init(&screen, &config, surfaces, count);
    return screen;
}

static struct tile_surface surface_of(uint32_t width, uint32_t height, uint32_t samples)
{
    return (struct tile_surface){.width = width, .height = height, .samples = samples, .base = 64};
}

static struct tile_request request_of(uint32_t x, uint32_t y, uint8_t surface)
{
    return (struct tile_request){.x = (uint16_t)x, .y = (uint16_t)y, .surface = surface};
}

/* Whether a tile of a surface shares its bank with one of those around it. */
static bool shares(const struct screen *screen)
{
    for (uint32_t y = 1; y + 1 < SIDE; y++)
        for (uint32_t x = 1; x + 1 < SIDE; x++)
            for (uint32_t k = 0; k < 9; k++) {
                const struct tile_request own = request_of(x, y, 0),
                                          other = request_of(x + k % 3 - 1, y + k / 3 - 1, 0);
                if (k != 4 && screen_bank(screen, &own) == screen_bank(screen, &other))
                    return true;
            }
    return false;
}

static void neighbours_lie_apart_where_the_table_says_so(void **state)
{
    (void)state;
    const struct tile_surface surface = surface_of(4 * SIDE, 4 * SIDE, 1);
    for (int partition = 0; partition < TILE_PARTITIONS; partition++) {
        const struct screen screen = screen_of(partition, TILE_UNIT_QUAD, 4, &surface, 1);
        assert_int_equal(shares(&screen), !(tile_partition_traits[partition] & SCREEN_APART));
    }
    assert_true(tile_partition_traits[SCREEN_SQUARES] & SCREEN_APART);
    assert_true(tile_partition_traits[SCREEN_X_2Y] & SCREEN_APART);
    assert_true(tile_partition_traits[SCREEN_2X_Y] & SCREEN_APART);
    assert_false(tile_partition_traits[SCREEN_ROWS] & SCREEN_APART);
    assert_false(tile_partition_traits[SCREEN_QUADRANTS] & SCREEN_APART);
    assert_false(tile_partition_traits[SCREEN_DIAGONALS] & SCREEN_APART);
}

/* Colourings of `side` x `side` tiles with four colours in which each tile differs from the 8
 * around it, counted by trying them all. */
static uint32_t colourings(uint32_t side, uint32_t at, unsigned char *colours)
{
    uint32_t count = 0;
    if (at == side * side)
        return 1;
    for (unsigned char colour = 0; colour < 4; colour++) {
        const uint32_t x = at % side;
        const bool taken = (x && colours[at - 1] == colour) ||
                           (at >= side && (colours[at - side] == colour ||
                                           (x && colours[at - side - 1] == colour) ||
                                           (x + 1 < side && colours[at - side + 1] == colour)));
        if (taken)
            continue;
        colours[at] = colour;
        count += colourings(side, at + 1, colours);
    }
    return count;
}

static void few_partitions_keep_neighbours_apart(void **state)
{
    (void)state;
    static const uint32_t counts[] = {24, 72, 168, 360};
    unsigned char colours[25];
    for (uint32_t side = 2; side <= 5; side++)
        assert_int_equal(colourings(side, 0, colours), counts[side - 2]);
}

/* Goes through all lines of two surfaces. */
static void check_numbers(const struct screen *screen, const struct tile_surface *surfaces)
{
    enum { NUMBERS = 1 << 16 };
    uint8_t *seen = calloc(SCREEN_BANKS_MAX, NUMBERS);
    for (uint8_t i = 0; i < 2; i++)
        for (uint32_t y = 0; y < tile_rows(&surfaces[i]); y++)
            for (uint32_t x = 0; x < tile_columns(&surfaces[i]); x++) {
                const struct tile_request request = request_of(x, y, i);
                const uint32_t bank = screen_bank(screen, &request);
                const uint64_t line = screen_line(screen, &request);
                assert_true(bank < screen->banks);
                assert_true(line < NUMBERS);
                assert_int_equal(seen[bank * NUMBERS + line]++, 0);
                const struct tile_request found = screen_place(screen, bank, line);
                assert_int_equal(found.surface, i);
                assert_int_equal(found.x, x);
                assert_int_equal(found.y, y);
            }
    free(seen);
}

static void lines_of_a_bank_have_different_numbers(void **state)
{
    (void)state;
    static const uint32_t sides[] = {1, 4, 5, 17, 64, 99, 130};
    enum { SIDES = sizeof sides / sizeof *sides };
    for (int partition = 0; partition < TILE_PARTITIONS; partition++)
        for (uint64_t banks = 1; banks <= SCREEN_BANKS_MAX; banks *= 2)
            for (unsigned i = 0; i < SIDES * SIDES; i++) {
                const uint32_t samples = i % 2 ? 4 : 1;
                const struct tile_surface surfaces[2] = {
                    surface_of(sides[i % SIDES], sides[i / SIDES], samples),
                    surface_of(33, 18, samples)};
                const struct screen screen = screen_of(
                    partition, i / 2 % 2 ? TILE_UNIT_TILE : TILE_UNIT_QUAD, banks, surfaces, 2);
                check_numbers(&screen, surfaces);
            }
}

/* With four samples a line is a quad: dealt out as a quad, or four of them as a tile. */
static void units_are_tiles_or_quads(void **state)
{
    (void)state;
    const struct tile_surface surface = surface_of(64, 64, 4);
    const struct screen tiles = screen_of(SCREEN_X_2Y, TILE_UNIT_TILE, 4, &surface, 1),
                        quads = screen_of(SCREEN_X_2Y, TILE_UNIT_QUAD, 4, &surface, 1);
    for (uint32_t y = 0; y < 32; y++)
        for (uint32_t x = 0; x < 32; x++) {
            const struct tile_request request = request_of(x, y, 0);
            assert_int_equal(screen_bank(&tiles, &request), (x / 2 + 2 * (y / 2)) % 4);
            assert_int_equal(screen_bank(&quads, &request), (x + 2 * y) % 4);
        }
}

static void one_bank_takes_everything(void **state)
{
    (void)state;
    const struct tile_surface surface = surface_of(100, 80, 1);
    for (int partition = 0; partition < TILE_PARTITIONS; partition++) {
        const struct screen screen = screen_of(partition, TILE_UNIT_QUAD, 1, &surface, 1);
        for (uint32_t i = 0; i < 25 * 20; i++) {
            const struct tile_request request = request_of(i % 25, i / 25, 0);
            assert_int_equal(screen_bank(&screen, &request), 0);
        }
    }
}

/* 200 x 150 tiles: the partitions that alternate give each of four banks 7,500. */
static void balance_counts_banks_and_windows(void **state)
{
    (void)state;
    const struct tile_surface surface = surface_of(800, 600, 1);
    for (int partition = 0; partition < TILE_PARTITIONS; partition++) {
        const struct screen screen = screen_of(partition, TILE_UNIT_QUAD, 4, &surface, 1);
        struct screen_load load = {0};
        for (uint32_t i = 0; i < 200 * 150; i++) {
            const struct tile_request request = request_of(i % 200, i / 200, 0);
            screen_load_add(&load, 4, screen_bank(&screen, &request));
        }
        const struct screen_balance balance = screen_load_balance(&load, 4);
        if (tile_partition_traits[partition] & SCREEN_APART)
            assert_true(balance.most == 7500 && balance.imbalance == 1);
        if (partition == SCREEN_ROWS) /* a row of 200 in one bank fills three windows, and a bit */
            assert_true(balance.window_imbalance > 3);
        if (partition == SCREEN_QUADRANTS)
            assert_true(balance.most == 7500 && balance.window_imbalance > 1.9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_lie_apart_where_the_table_says_so),
        cmocka_unit_test(few_partitions_keep_neighbours_apart),
        cmocka_unit_test(lines_of_a_bank_have_different_numbers),
        cmocka_unit_test(units_are_tiles_or_quads),
        cmocka_unit_test(one_bank_takes_everything),
        cmocka_unit_test(balance_counts_banks_and_windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
