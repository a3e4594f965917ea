/* Samples of tables whose truth is known: what does nothing is rarely named, what does much is, and
 * shares come near the truth. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/results/told_axes.h"

enum { AXES = 6, CELLS = 4 * 3 * 5 * 2 * 4 * 3, STRONG = 0, NULL_AXES = 3 };
static const size_t counts[AXES] = {4, 3, 5, 2, 4, 3};

/* The last three axes do nothing. */
struct sample {
    uint64_t cells[CELLS];
    double values[CELLS];
    size_t count;
};

static struct shapley_table table_of(const struct sample *sample)
{
    return (struct shapley_table){counts, AXES, sample->cells, sample->values, sample->count};
}

static double value_of(uint64_t seed, const double *strength, uint64_t cell)
{
    double value = 100;
    for (size_t a = AXES; a-- > 0; cell /= counts[a])
        value += strength[a] * (double)random_unit(random_at(seed, 100 * a + cell % counts[a]));
    return value;
}

/* About `rows` rows by chance. */
static void draw(uint64_t seed, const double *strength, double rows, struct sample *sample)
{
    sample->count = 0;
    for (uint64_t cell = 0; cell < CELLS; cell++) {
        if ((double)random_unit(random_at(seed + 1000000, cell)) >= rows / CELLS)
            continue;
        sample->cells[sample->count] = cell;
        sample->values[sample->count++] = value_of(seed, strength, cell);
    }
}

/* `weak` axes are needed, or partners would prove all. */
static void named(double rows, size_t draws, size_t *wrong, size_t *missed)
{
    static const double strength[AXES] = {10, 2, 1};
    struct sample *sample = malloc(sizeof *sample);
    assert_non_null(sample);
    *wrong = *missed = 0;
    for (uint64_t seed = 0; seed < draws; seed++) {
        bool told[AXES], any = false;
        draw(seed, strength, rows, sample);
        const struct shapley_table table = table_of(sample);
        assert_int_equal(told_axes(&table, 1, told), STATUS_OK);
        for (size_t a = NULL_AXES; a < AXES; a++)
            any = any || told[a];
        *wrong += any;
        *missed += !told[STRONG];
    }
    print_message("%g rows: %zu of %zu samples name an axis that does nothing, %zu miss the strong "
                  "one\n",
                  rows, *wrong, draws, *missed);
    free(sample);
}

static void what_does_nothing_is_not_named(void **state)
{
    (void)state;
    static const double rows[] = {12, 25, 46, 100, 400, CELLS};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t wrong, missed;
        named(rows[i], 200, &wrong, &missed);
        assert_true(wrong <= 10);
        if (rows[i] > 40)
            assert_true(missed <= 4);
    }
}

/* No axis does anything, and no value is equal to another: nothing is proved by partners that
 * differ, so all is left to chance. */
static void noise_is_not_named(void **state)
{
    (void)state;
    struct sample *sample = malloc(sizeof *sample);
    size_t wrong = 0;
    assert_non_null(sample);
    for (uint64_t seed = 0; seed < 400; seed++) {
        static const double nothing[AXES] = {0};
        bool told[AXES], any = false;
        draw(seed, nothing, 30, sample);
        /* Partners are left out: each row has a cell of its own in the plane of any two axes. */
        size_t kept = 0;
        for (size_t i = 0; i < sample->count; i++) {
            uint64_t cell = sample->cells[i], sum = 0;
            for (size_t a = AXES; a-- > 0; cell /= counts[a])
                sum += cell % counts[a];
            if (sum % 5)
                continue;
            sample->values[kept] = (double)random_unit(random_at(seed, i));
            sample->cells[kept++] = sample->cells[i];
        }
        sample->count = kept;
        const struct shapley_table table = table_of(sample);
        assert_int_equal(told_axes(&table, 1, told), STATUS_OK);
        for (size_t a = 0; a < AXES; a++)
            any = any || told[a];
        wrong += any;
    }
    print_message("%zu of 400 samples of noise name an axis\n", wrong);
    assert_true(wrong <= 20);
    free(sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_nothing_is_not_named),
        cmocka_unit_test(noise_is_not_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
