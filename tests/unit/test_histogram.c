/* The image that HISTO is given: where its values lie, and what mapping them to words keeps. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "workload/cuda/histogram.h"

/* On both axes values have the middle bin as their mean and `spread` as their deviation. */
static void values_lie_around_the_middle(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const struct histogram_image image = {
            .width = 200, .height = 101, .bins_x = 1024, .bins_y = 512, .spread = 40, .seed = seed};
        const uint64_t bins[2] = {image.bins_x, image.bins_y};
        struct histogram histogram;
        double sum[2] = {0}, square[2] = {0};
        assert_int_equal(histogram_create(&histogram, &image), STATUS_OK);
        for (uint32_t y = 0; y < image.height; y++)
            for (uint32_t x = 0; x < image.width; x++) {
                const uint32_t value = histogram.image[y * histogram.pitch + x];
                const double place[2] = {value % 1024, value / 1024};
                for (unsigned axis = 0; axis < 2; axis++) {
                    const double off = place[axis] - (double)bins[axis] / 2;
                    sum[axis] += off;
                    square[axis] += off * off;
                }
            }
        for (unsigned axis = 0; axis < 2; axis++) {
            assert_true(fabs(sum[axis] / histogram.pixels) < 2);
            assert_true(fabs(sqrt(square[axis] / histogram.pixels) - 40) < 2);
        }
        histogram_free(&histogram);
    }
}

/* Values at the edges stay in the histogram, however far they are spread. */
static void values_stay_inside(void **state)
{
    (void)state;
    const struct histogram_image image = {
        .width = 64, .height = 64, .bins_x = 16, .bins_y = 8, .spread = 1000, .seed = 7};
    struct histogram histogram;
    uint32_t edges = 0;
    assert_int_equal(histogram_create(&histogram, &image), STATUS_OK);
    for (uint32_t i = 0; i < histogram.pitch * image.height; i++) {
        assert_true(histogram.image[i] < 16 * 8);
        edges += histogram.image[i] == 0 || histogram.image[i] == 16 * 8 - 1;
    }
    assert_true(edges > histogram.pixels / 4);
    histogram_free(&histogram);
}

static void mappings_name_their_bin(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        const uint32_t bin = (uint32_t)random_below(random_at(1, i), PARTS_MAX * PART_BINS);
        const struct mapping at = map_value(bin);
        assert_true(at.row < PART_ROWS && at.shift % 8 == 0 && at.shift < 32);
        assert_int_equal(mapped_bin(at), bin);
    }
}

/* A byte that overflows adds one to the next, as adding to the word does. */
static void bytes_carry(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 4000; i++) {
        uint32_t word = 0, before;
        for (unsigned byte = 0; byte < 4; byte++) {
            const uint64_t draw = random_at(2, 4 * i + byte);
            word |= (uint32_t)(draw % 3 ? 255 : draw >> 8 & 255) << 8 * byte;
        }
        const uint32_t shift = 8 * (uint32_t)random_below(random_at(3, i), 4);
        before = word;
        uint32_t over = 0;
        for (uint32_t at = shift; at < 32 && (before >> at & 255) == 255; at += 8)
            over++;
        assert_int_equal(count_byte(&word, shift), over);
        assert_int_equal(word, before + (UINT32_C(1) << shift));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_lie_around_the_middle),
        cmocka_unit_test(values_stay_inside),
        cmocka_unit_test(mappings_name_their_bin),
        cmocka_unit_test(bytes_carry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
