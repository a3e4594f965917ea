/* Grids of values, scaled, coloured and drawn in cells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "base/rng.h"
#include "report/drawing/field.h"

static struct field random_field(uint64_t seed, unsigned channels)
{
    struct field field;
    const uint32_t width = 1 + (uint32_t)random_below(random_at(seed, 0), 40);
    const uint32_t height = 1 + (uint32_t)random_below(random_at(seed, 1), 40);
    assert_int_equal(field_init(&field, width, height, channels), STATUS_OK);
    for (size_t i = 0; i < (size_t)width * height * channels; i++)
        field.values[i] = random_unit(random_at(seed, 2 + i)) * 255;
    return field;
}

static double mean(const struct field *field)
{
    const size_t count = (size_t)field->width * field->height * field->channels;
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += field->values[i];
    return sum / (double)count;
}

static void scaling_keeps_the_mean(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct field from = random_field(seed, 1), to;
        const uint32_t width = 1 + (uint32_t)(seed % 37), height = 1 + (uint32_t)(seed % 23);
        assert_int_equal(field_scale(&from, width, height, &to), STATUS_OK);
        assert_true(fabs(mean(&to) - mean(&from)) < 1e-9 * 255);
        field_free(&from);
        field_free(&to);
    }
}

static void scaling_to_the_same_size_changes_nothing(void **state)
{
    (void)state;
    struct field from = random_field(5, 3), to;
    assert_int_equal(field_scale(&from, from.width, from.height, &to), STATUS_OK);
    for (size_t i = 0; i < (size_t)from.width * from.height * 3; i++)
        assert_true(fabs(from.values[i] - to.values[i]) < 1e-9);
    field_free(&from);
    field_free(&to);
}

static unsigned grey(uint32_t colour)
{
    return 299 * (colour >> 16) + 587 * (colour >> 8 & 0xff) + 114 * (colour & 0xff);
}

static void more_is_brighter(void **state)
{
    (void)state;
    for (int i = 1; i <= 100; i++)
        assert_true(grey(heat_colour(i / 100.0)) > grey(heat_colour((i - 1) / 100.0)));
    assert_int_equal(heat_colour(NAN), heat_colour(0));
    assert_int_equal(heat_colour(7), heat_colour(1));
}

static void fitted_cells_have_room(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct field field = {.width = 1 + (uint32_t)random_below(random_at(seed, 0), 9000),
                              .height = 1 + (uint32_t)random_below(random_at(seed, 1), 9000)};
        const int room_rows = 1 + (int)(seed % 60), room_columns = 1 + (int)(seed * 7 % 200);
        int rows, columns;
        field_fit(&field, room_rows, room_columns, &rows, &columns);
        assert_in_range(rows, 1, room_rows);
        assert_in_range(columns, 1, room_columns);
    }
    struct field frame = {.width = 800, .height = 600};
    int rows, columns;
    field_fit(&frame, 20, 200, &rows, &columns);
    assert_int_equal(rows, 20);
    assert_int_equal(columns, 53); /* 40 half cells high, 4:3 */
}

/* A dark row above a bright one: a half block of both colours, or a character between the two. */
static void a_cell_shows_two_values(void **state)
{
    (void)state;
    struct field field;
    struct cells cells;
    assert_int_equal(field_init(&field, 2, 2, 3), STATUS_OK);
    for (unsigned i = 0; i < 6; i++)
        field.values[6 + i] = 255;
    assert_int_equal(cells_init(&cells, 2, 2), STATUS_OK);
    field_draw(&field, &cells, 0, 1, GLYPHS_BLOCK);
    assert_int_equal(cells.items[0].ink, 0);
    assert_int_equal(cells.items[1].glyph, 0x2580);
    assert_int_equal(cells.items[1].ink, CELL_COLOUR);
    assert_int_equal(cells.items[1].paper, CELL_COLOUR | 0xffffff);
    assert_int_equal(cells.items[2].ink, 0); /* clipped, not wrapped */
    const uint32_t between = cell_shade(&cells.items[1]);
    field_draw(&field, &cells, 0, 1, GLYPHS_ASCII);
    assert_int_equal(cells.items[1].glyph, between);
    assert_true(between == '=' || between == '+' || between == '-');
    cells_free(&cells);
    field_free(&field);
}

static void shades_end_with_black_and_white(void **state)
{
    (void)state;
    struct cell cell = {.glyph = 0x2580, .ink = CELL_COLOUR, .paper = CELL_COLOUR};
    assert_int_equal(cell_shade(&cell), ' ');
    cell.ink = cell.paper = CELL_COLOUR | 0xffffff;
    assert_int_equal(cell_shade(&cell), '@');
    const struct cell text = {.glyph = 'x'};
    assert_int_equal(cell_shade(&text), 'x');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scaling_keeps_the_mean),
        cmocka_unit_test(scaling_to_the_same_size_changes_nothing),
        cmocka_unit_test(more_is_brighter),
        cmocka_unit_test(fitted_cells_have_room),
        cmocka_unit_test(a_cell_shows_two_values),
        cmocka_unit_test(shades_end_with_black_and_white),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
