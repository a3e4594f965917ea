/* Searches on a table: each row once, by the seed alone; and what knows something beats what knows
 * nothing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/search/row_search.h"

enum { AXES = 7, LEVELS = 4, ROWS = 3000, CHOSEN = 90, SEEDS = 6 };

static char path[] = "/tmp/test_row_searchXXXXXX";
static struct truth_table table;

static double part(uint64_t table_number, uint64_t digit)
{
    return (double)(random_at(table_number, digit) >> 11) * 0x1p-53;
}

/* A third of a space: three objectives that pull apart, with an interaction each. */
static int make_table(void **state)
{
    (void)state;
    const int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!file)
        return 1;
    fputs("a,b,c,d,e,f,g,slow,area,energy\n", file);
    for (uint64_t row = 0; row < ROWS; row++) {
        uint64_t digits[AXES], rest = row * 5 + 3; /* 5 has no factor in common with LEVELS */
        double slow = 0, area = 0, energy = 0;
        for (uint64_t a = 0; a < AXES; a++, rest /= LEVELS) {
            digits[a] = rest % LEVELS;
            fprintf(file, "%d,", (int)digits[a]);
            slow -= (double)digits[a] * part(a, 100);
            area += (double)digits[a] * part(a, 101);
            energy += part(a, 200 + digits[a]);
        }
        slow += part(50, digits[0] * LEVELS + digits[1]);
        energy += part(51, digits[2] * LEVELS + digits[3]);
        fprintf(file, "%.17g,%.17g,%.17g\n", slow, area, energy);
    }
    const struct truth_columns columns = {.objectives = "min:slow,min:area,min:energy"};
    return fclose(file) || truth_table_read(path, &columns, &table, NULL);
}

static int remove_table(void **state)
{
    (void)state;
    truth_table_free(&table);
    return unlink(path);
}

static void each_row_once(void **state)
{
    (void)state;
    for (int method = 0; method < ROW_SEARCHES; method++)
        for (size_t count = 1; count <= CHOSEN; count += 1 + count) {
            size_t one[CHOSEN], two[CHOSEN], other[CHOSEN];
            uint8_t taken[ROWS] = {0};
            assert_int_equal(row_search_run(&table, method, 5, count, one), STATUS_OK);
            assert_int_equal(row_search_run(&table, method, 5, count, two), STATUS_OK);
            assert_int_equal(row_search_run(&table, method, 6, count, other), STATUS_OK);
            assert_memory_equal(one, two, count * sizeof *one);
            assert_true(count < 3 || memcmp(one, other, count * sizeof *one) != 0);
            for (size_t i = 0; i < count; i++) {
                assert_true(one[i] < table.row_count && !taken[one[i]]);
                taken[one[i]] = 1;
            }
        }
}

/* Whoever chooses all rows has the whole volume. */
static void all_rows(void **state)
{
    (void)state;
    struct truth_table small = table;
    size_t chosen[64];
    struct truth_share share;
    small.row_count = 64;
    for (int method = 0; method < ROW_SEARCHES; method++) {
        uint8_t taken[64] = {0};
        assert_int_equal(row_search_run(&small, method, 1, 64, chosen), STATUS_OK);
        for (size_t i = 0; i < 64; i++)
            taken[chosen[i]]++;
        for (size_t i = 0; i < 64; i++)
            assert_int_equal(taken[i], 1);
        assert_int_equal(truth_table_share(&table, chosen, 64, &share), STATUS_OK);
        assert_true(share.volume > 0 && share.volume < 1);
    }
}

static double mean_share(enum row_search method)
{
    double sum = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        size_t chosen[CHOSEN];
        struct truth_share share;
        assert_int_equal(row_search_run(&table, method, seed, CHOSEN, chosen), STATUS_OK);
        assert_int_equal(truth_table_share(&table, chosen, CHOSEN, &share), STATUS_OK);
        sum += share.volume / SEEDS;
    }
    return sum;
}

static void knowing_helps(void **state)
{
    (void)state;
    const double random = mean_share(ROW_RANDOM), walk = mean_share(ROW_WALK);
    assert_true(mean_share(ROW_NSGA2) > random);
    assert_true(1 - walk < 0.5 * (1 - random)); /* at most half of what random leaves */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_row_once), cmocka_unit_test(all_rows),
                                       cmocka_unit_test(knowing_helps)};
    return cmocka_run_group_tests(tests, make_table, remove_table);
}
