/* Pictures of cells (report/drawing/cell_picture.h) and the characters in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/drawing/cell_picture.h"
#include "report/drawing/pixel_font.h"

enum { INK = 0x112233, PAPER = 0xffeedd, OTHER = 0x445566 };

static struct cell_colours colouring(const struct cell *cell)
{
    return (struct cell_colours){INK, cell && cell->reverse ? OTHER : PAPER};
}

static uint32_t pixel(const struct picture *picture, int x, int y)
{
    const unsigned char *at = picture->pixels + 3 * ((size_t)y * picture->width + (size_t)x);
    return (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
}

static int inked(uint32_t character)
{
    int count = 0;
    for (int y = 0; y < FONT_HEIGHT; y++)
        for (int x = 0; x < FONT_WIDTH; x++)
            count += pixel_font_ink(character, x, y);
    return count;
}

static void every_pixel_is_ink_or_paper(void **state)
{
    (void)state;
    struct cells cells;
    struct picture picture;
    assert_int_equal(cells_init(&cells, 3, 10), STATUS_OK);
    cells_text(&cells, 1, 2, ROLE_TEXT, "A");
    cells.items[1 * 10 + 3].reverse = true;
    assert_int_equal(cell_picture_pixels(&cells, colouring, &picture), STATUS_OK);
    assert_int_equal(picture.width, 10 * FONT_WIDTH);
    assert_int_equal(picture.height, 3 * FONT_HEIGHT);
    int ink = 0;
    for (int y = 0; y < (int)picture.height; y++)
        for (int x = 0; x < (int)picture.width; x++) {
            const bool of_a = y / FONT_HEIGHT == 1 && x / FONT_WIDTH == 2;
            const bool reverse = y / FONT_HEIGHT == 1 && x / FONT_WIDTH == 3;
            const uint32_t colour = pixel(&picture, x, y);
            ink += colour == INK;
            assert_true(colour == (reverse ? OTHER : PAPER) || (colour == INK && of_a));
        }
    assert_int_equal(ink, inked('A'));
    picture_free(&picture);
    cells_free(&cells);
}

/* What fills a part of its cell fills that part. */
static void blocks_have_their_shares(void **state)
{
    (void)state;
    const int all = FONT_WIDTH * FONT_HEIGHT;
    for (uint32_t eighths = 1; eighths <= 8; eighths++)
        assert_int_equal(inked(0x2580 + eighths), all * (int)eighths / 8);
    assert_int_equal(inked(0x2580), all / 2);
    assert_int_equal(inked(0x258c), all / 2);
    assert_int_equal(inked(0x2590), all / 2);
    assert_int_equal(inked(0x2591), all / 4);
    assert_int_equal(inked(0x2592), all / 2);
    assert_int_equal(inked(0x2593), all * 3 / 4);
    for (uint32_t two = 0; two < 2; two++)
        assert_int_equal(inked(two ? 0x259a : 0x259e), all / 2);
    assert_int_equal(inked(0x2596) + inked(0x259c), all);
    assert_true(pixel_font_ink(0x2598, 0, 0) && !pixel_font_ink(0x2598, FONT_WIDTH - 1, 0));
    assert_int_equal(inked(' '), 0);
}

/* Braille of n dots has n times the ink of one. */
static void braille_has_its_dots(void **state)
{
    (void)state;
    const int dot = inked(0x2801);
    assert_true(dot > 0);
    for (uint32_t bits = 0; bits < 256; bits++)
        assert_int_equal(inked(0x2800 + bits), dot * __builtin_popcount(bits));
}

/* No two letters look alike, and lines reach the sides that they lead to. */
static void characters_differ(void **state)
{
    (void)state;
    for (uint32_t a = ' '; a <= '~'; a++)
        for (uint32_t b = a + 1; b <= '~'; b++) {
            int differ = 0;
            for (int y = 0; y < FONT_HEIGHT; y++)
                for (int x = 0; x < FONT_WIDTH; x++)
                    differ += pixel_font_ink(a, x, y) != pixel_font_ink(b, x, y);
            assert_true(differ > 0);
        }
    const int mid = FONT_WIDTH / 2, middle = FONT_HEIGHT / 2;
    assert_true(pixel_font_ink(0x2514, mid, 0) && pixel_font_ink(0x2514, FONT_WIDTH - 1, middle));
    assert_false(pixel_font_ink(0x2514, mid, FONT_HEIGHT - 1) || pixel_font_ink(0x2514, 0, middle));
    assert_true(inked(0x2501) > inked(0x2500));
}

/* Runs of one look are one text, markup is escaped and blanks at the ends are left out. */
static void text_stays_text_in_svg(void **state)
{
    (void)state;
    struct cells cells;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(cells_init(&cells, 2, 12), STATUS_OK);
    cells_text(&cells, 0, 1, ROLE_TEXT, "a <b> c");
    cells.items[12 + 4].reverse = true;
    cell_picture_svg(&cells, colouring, out);
    fclose(out);
    assert_non_null(strstr(text, ">a &lt;b&gt; c</text>"));
    assert_non_null(strstr(text, "x=\"8\" y=\"13\" textLength=\"56\" fill=\"#112233\""));
    assert_non_null(strstr(text, "<rect x=\"32\" y=\"17\" width=\"8\" height=\"17\" "
                                 "fill=\"#445566\"/>"));
    assert_non_null(strstr(text, "</svg>"));
    free(text);
    cells_free(&cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pixel_is_ink_or_paper), cmocka_unit_test(blocks_have_their_shares),
        cmocka_unit_test(braille_has_its_dots),        cmocka_unit_test(characters_differ),
        cmocka_unit_test(text_stays_text_in_svg),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
