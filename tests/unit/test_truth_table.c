/* Tables of all points of a space: what is read, and a twin for front and volume. */
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
#include "explore/search/truth_table.h"

static char path[] = "/tmp/test_truth_tableXXXXXX";

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static enum status read_table(const char *objectives, const char *ignored, const char *exact,
                              struct truth_table *table, struct diagnostics *diagnostics)
{
    const struct truth_columns columns = {objectives, ignored, exact};
    return truth_table_read(path, &columns, table, diagnostics);
}

static void columns_and_levels(void **state)
{
    (void)state;
    struct truth_table table;
    write_file("id,size,kind,same,slow,area\n"
               "0,8,lru,x,5,1\n"
               "1,16,fifo,x,3,2\n"
               "2,8,fifo,x,4,\n" /* no area: left out */
               "3,4,lru,x,9,9\n"
               "4,16,lru,x,3,2\n");
    assert_int_equal(read_table("min:slow,min:area", "id", "area", &table, NULL), STATUS_OK);
    assert_int_equal(table.row_count, 4);
    assert_true(!table.exact[0] && table.exact[1]);
    assert_int_equal(table.axis_count, 2);
    assert_int_equal(table.counts[0], 3);
    assert_int_equal(table.counts[1], 2);
    const uint32_t digits[] = {1, 1, 2, 0, 0, 1, 2, 1};
    assert_memory_equal(table.digits, digits, sizeof digits);
    assert_int_equal(table.front_count, 2); /* of two equal rows one */
    assert_true(table.front[0] && table.front[1] && !table.front[2] && !table.front[3]);
    /* Standardised: slow is 5, 3, 9, 3 with mean 5 and variance 6. */
    assert_true(fabs(table.costs[2] - -2 / sqrt(6)) < 1e-12);
    assert_true(fabs(table.reference[0] - TRUTH_REFERENCE * 4 / sqrt(6)) < 1e-12);
    truth_table_free(&table);
    assert_int_equal(read_table("max:slow", "id,area", NULL, &table, NULL), STATUS_OK);
    assert_int_equal(table.row_count, 5);
    assert_true(table.front_count == 1 && table.front[3]);
    truth_table_free(&table);
}

/* The volume of two objectives by counting cells of a fine grid. */
static void front_and_volume(void **state)
{
    (void)state;
    enum { ROWS = 60, CELLS = 400 };
    char text[ROWS * 64] = "x,a,b\n";
    struct truth_table table;
    for (size_t i = 0; i < ROWS; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%zu,%d,%d\n", i % 7,
                 (int)random_below(random_at(1, i), 30), (int)random_below(random_at(2, i), 30));
    write_file(text);
    assert_int_equal(read_table("min:a,max:b", NULL, NULL, &table, NULL), STATUS_OK);
    size_t inside = 0, rows[ROWS], front = 0;
    for (size_t i = 0; i < ROWS; i++) {
        bool beaten = false;
        rows[i] = i;
        for (size_t k = 0; k < ROWS && !beaten; k++) {
            const double *own = &table.costs[2 * i], *other = &table.costs[2 * k];
            const bool equal = own[0] == other[0] && own[1] == other[1];
            beaten = other[0] <= own[0] && other[1] <= own[1] && (!equal || k < i);
        }
        assert_int_equal(table.front[i], !beaten);
        front += !beaten;
    }
    assert_int_equal(front, table.front_count);
    for (size_t x = 0; x < CELLS; x++)
        for (size_t y = 0; y < CELLS; y++) {
            const double at[] = {table.reference[0] * (2 * (x + 0.5) / CELLS - 1),
                                 table.reference[1] * (2 * (y + 0.5) / CELLS - 1)};
            bool covered = false;
            for (size_t i = 0; i < ROWS && !covered; i++)
                covered = table.costs[2 * i] <= at[0] && table.costs[2 * i + 1] <= at[1];
            inside += covered;
        }
    const double cell = 4 * table.reference[0] * table.reference[1] / CELLS / CELLS;
    assert_true(fabs((double)inside * cell - table.volume) < 0.02 * table.volume);
    struct truth_share share;
    assert_int_equal(truth_table_share(&table, rows, ROWS, &share), STATUS_OK);
    assert_true(fabs(share.volume - 1) < 1e-12 && share.front == 1);
    truth_table_free(&table);
}

static void truths_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *objectives, *ignored, *exact, *message;
    } rows[] = {
        {"a,b\n1,2\n3,4\n", "min:c", NULL, NULL, "has no column 'c'"},
        {"area,b\n1,2\n3,4\n", "min:aera", NULL, NULL, "did you mean 'area'?"},
        {"a,b\n1,2\n3,4\n", "a", NULL, NULL, "expected max:COLUMN or min:COLUMN"},
        {"a,b\n1,2\n3,4\n", "", NULL, NULL, "expected max:COLUMN,min:COLUMN"},
        {"a,b\n1,2\n3,4\n", "min:a,max:a", NULL, NULL, "named twice"},
        {"a,b\n1,2\n3,4\n", "min:a", "a", NULL, "named twice"},
        {"a,b\n1,2\n3,4\n", "min:a", NULL, "b", "--exact: expected columns of --objectives"},
        {"a,b\n1,2\n3,4,5\n", "min:a", NULL, NULL, "expected 2 cells as in the header, found 3"},
        {"a,b\n1,2\n", "min:a", NULL, NULL, "a header and at least two rows"},
        {"a,b\n1,2\nx,4\n", "min:a", NULL, NULL, "fewer than two rows"},
        {"a,b\n1,2\n1,4\n", "min:a", NULL, NULL, "one value in all rows"},
        {"a,b\n1,2\n3,2\n", "min:a", NULL, NULL, "no column beside the objectives"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct diagnostics found = DIAGNOSTICS_INIT;
        struct truth_table table;
        write_file(rows[i].text);
        assert_int_not_equal(
            read_table(rows[i].objectives, rows[i].ignored, rows[i].exact, &table, &found),
            STATUS_OK);
        assert_true(found.count > 0);
        if (!strstr(found.items[0].message, rows[i].message))
            assert_string_equal(found.items[0].message, rows[i].message);
        diagnostics_free(&found);
        truth_table_free(&table);
    }
}

static int make_file(void **state)
{
    (void)state;
    const int file = mkstemp(path);
    return file < 0 || close(file);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(columns_and_levels),
                                       cmocka_unit_test(front_and_volume),
                                       cmocka_unit_test(truths_refused)};
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
