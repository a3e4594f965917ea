/* Shapley effects against their definition: the average over all orders of the axes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/results/shapley.h"

enum { AXES_MAX = 5, ROWS_MAX = 1024 };

struct made {
    size_t counts[AXES_MAX], axes, rows;
    uint64_t cells[ROWS_MAX];
    double values[ROWS_MAX];
};

static size_t digit_of(const struct made *made, size_t row, size_t axis)
{
    uint64_t cell = made->cells[row];
    for (size_t a = made->axes; a-- > axis + 1;)
        cell /= made->counts[a];
    return cell % made->counts[axis];
}

/* A table of random values that some axes shift, without a share of its rows. */
static void make(uint64_t seed, double left_out, struct made *made)
{
    uint64_t cells = 1;
    made->axes = 1 + random_at(seed, 0) % AXES_MAX;
    made->rows = 0;
    for (size_t a = 0; a < made->axes; a++) {
        made->counts[a] = 1 + random_at(seed, 1 + a) % 4;
        cells *= made->counts[a];
    }
    for (uint64_t c = 0; c < cells; c++)
        if ((double)random_unit(random_at(seed, 50 + c)) >= left_out)
            made->cells[made->rows++] = c;
    for (size_t i = 0; i < made->rows; i++) {
        made->values[i] = 100 + (double)random_unit(random_at(seed, 5000 + made->cells[i]));
        for (size_t a = 0; a < made->axes; a += 2)
            made->values[i] += (double)(a * digit_of(made, i, a));
    }
}

static struct shapley_table table_of(const struct made *made)
{
    return (struct shapley_table){made->counts, made->axes, made->cells, made->values, made->rows};
}

/* The variance of the mean given the axes of `mask`, as it is defined. */
static double explained(const struct made *made, unsigned mask)
{
    double all = 0, sum = 0;
    for (size_t i = 0; i < made->rows; i++)
        all += made->values[i] / (double)made->rows;
    for (size_t i = 0; i < made->rows; i++) {
        double mean = 0, count = 0;
        for (size_t k = 0; k < made->rows; k++) {
            bool same = true;
            for (size_t a = 0; a < made->axes; a++)
                same = same && (!(mask >> a & 1) || digit_of(made, i, a) == digit_of(made, k, a));
            mean += same ? made->values[k] : 0;
            count += same;
        }
        sum += (mean / count - all) * (mean / count - all);
    }
    return sum / (double)made->rows;
}

/* An axis comes right after a set in as many orders as the others before and after it have. */
static void slow_effects(const struct made *made, double *shares)
{
    double by_mask[1 << AXES_MAX], factorial[AXES_MAX + 1] = {1};
    const unsigned all = (1u << made->axes) - 1;
    for (unsigned mask = 0; mask <= all; mask++)
        by_mask[mask] = explained(made, mask);
    for (size_t i = 1; i <= made->axes; i++)
        factorial[i] = factorial[i - 1] * (double)i;
    for (size_t a = 0; a < made->axes; a++) {
        shares[a] = 0;
        for (unsigned mask = 0; mask <= all; mask++) {
            if (mask >> a & 1)
                continue;
            size_t before = (size_t)__builtin_popcount(mask);
            shares[a] += factorial[before] * factorial[made->axes - before - 1] /
                         factorial[made->axes] * (by_mask[mask | 1u << a] - by_mask[mask]);
        }
        shares[a] /= by_mask[all];
    }
}

static void effects_are_those_of_all_orders(void **state)
{
    (void)state;
    struct made *made = malloc(sizeof *made);
    assert_non_null(made);
    for (uint64_t seed = 0; seed < 150; seed++) {
        struct shapley_effect effects[AXES_MAX];
        double shares[AXES_MAX], sum = 0;
        bool exact;
        make(seed, seed % 3 * 0.3, made);
        if (made->rows < 2)
            continue;
        const struct shapley_table table = table_of(made);
        assert_int_equal(shapley_effects(&table, SHAPLEY_WORK, effects, &exact), STATUS_OK);
        assert_true(exact);
        slow_effects(made, shares);
        for (size_t a = 0; a < made->axes; a++) {
            assert_true(fabs(effects[a].share - shares[a]) < 1e-9);
            assert_true(effects[a].share >= 0);
            assert_true(effects[a].margin == 0);
            sum += effects[a].share;
        }
        assert_true(fabs(sum - 1) < 1e-9);
    }
    free(made);
}

/* Drawn orders: still never negative, still all of the variance, and the intervals hold the truth
 * nearly always. */
static void drawn_orders_come_close(void **state)
{
    (void)state;
    struct made *made = malloc(sizeof *made);
    size_t inside = 0, count = 0;
    assert_non_null(made);
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct shapley_effect drawn[AXES_MAX], exactly[AXES_MAX];
        bool exact;
        double sum = 0;
        make(seed, 0.2, made);
        const struct shapley_table table = table_of(made);
        if (made->rows < 2)
            continue;
        assert_int_equal(shapley_effects(&table, SHAPLEY_WORK, exactly, &exact), STATUS_OK);
        assert_int_equal(shapley_effects(&table, 0, drawn, &exact), STATUS_OK);
        assert_false(exact);
        for (size_t a = 0; a < made->axes; a++) {
            sum += drawn[a].share;
            assert_true(drawn[a].share >= 0);
            count++;
            inside += fabs(drawn[a].share - exactly[a].share) <= drawn[a].margin + 1e-9;
        }
        assert_true(fabs(sum - 1) < 1e-9);
    }
    print_message("%zu of %zu intervals hold the exact effect\n", inside, count);
    assert_true(inside * 10 >= count * 9);
    free(made);
}

/* The effects of a table that is there are those of a sample that is all of it, but for the orders
 * drawn, however its axes hang together in what they do. */
static void a_sample_that_is_all_says_the_same(void **state)
{
    (void)state;
    struct made *made = malloc(sizeof *made);
    assert_non_null(made);
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct shapley_effect sample[AXES_MAX], exactly[AXES_MAX];
        bool exact;
        double sum = 0;
        make(seed, 0, made);
        const struct shapley_table table = table_of(made);
        if (made->rows < 16)
            continue;
        assert_int_equal(shapley_effects(&table, SHAPLEY_WORK, exactly, &exact), STATUS_OK);
        assert_int_equal(shapley_sample(&table, sample), STATUS_OK);
        for (size_t a = 0; a < made->axes; a++) {
            sum += sample[a].share;
            assert_true(fabs(sample[a].share - exactly[a].share) < 0.03);
        }
        assert_true(fabs(sum - 1) < 0.03);
    }
    free(made);
}

/* Few rows: the mean of many estimates is the truth, which the shares of the rows are far from. */
static void estimates_are_not_biased(void **state)
{
    (void)state;
    enum { DRAWS = 100, CELLS = 4 * 4 * 4 * 3 * 3 };
    static const size_t counts[] = {4, 4, 4, 3, 3};
    static const double strength[] = {3, 1, 0, 0, 0};
    double estimated[5] = {0}, of_rows[5] = {0}, inside = 0;
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        struct shapley_effect effects[5];
        uint64_t cells[CELLS];
        double values[CELLS];
        bool exact;
        struct shapley_table table = {counts, 5, cells, values, 0};
        for (uint64_t c = 0; c < CELLS; c++) {
            if (random_at(seed, c) % 12)
                continue;
            cells[table.row_count] = c;
            values[table.row_count++] =
                strength[0] * (double)(c / 144) + strength[1] * (double)(c / 36 % 4);
        }
        assert_int_equal(shapley_sample(&table, effects), STATUS_OK);
        for (size_t a = 0; a < 5; a++)
            estimated[a] += effects[a].share / DRAWS;
        inside += fabs(effects[0].share - 0.9) <= effects[0].margin;
        assert_int_equal(shapley_effects(&table, SHAPLEY_WORK, effects, &exact), STATUS_OK);
        for (size_t a = 0; a < 5; a++)
            of_rows[a] += effects[a].share / DRAWS;
    }
    print_message("truth 90 10 0 0 0 %%; estimates %.1f %.1f %.1f %.1f %.1f, of the rows %.1f %.1f "
                  "%.1f %.1f %.1f; %g of %d intervals\n",
                  100 * estimated[0], 100 * estimated[1], 100 * estimated[2], 100 * estimated[3],
                  100 * estimated[4], 100 * of_rows[0], 100 * of_rows[1], 100 * of_rows[2],
                  100 * of_rows[3], 100 * of_rows[4], inside, DRAWS);
    assert_true(fabs(estimated[0] - 0.9) < 0.03);
    assert_true(estimated[2] < 0.03);
    assert_true(of_rows[0] < 0.7 && of_rows[2] > 0.1); /* what is mended here */
    assert_true(inside >= 0.85 * DRAWS);
}

static void what_does_not_vary_has_no_shares(void **state)
{
    (void)state;
    const size_t counts[] = {2};
    const uint64_t cells[] = {0, 1};
    const double same[] = {0.1, 0.1}, differ[] = {0.1, 0.2};
    struct shapley_effect effect;
    bool exact;
    struct shapley_table table = {counts, 1, cells, same, 2};
    assert_int_equal(shapley_effects(&table, SHAPLEY_WORK, &effect, &exact), STATUS_OK);
    assert_true(isnan(effect.share));
    table.values = differ;
    assert_int_equal(shapley_effects(&table, SHAPLEY_WORK, &effect, &exact), STATUS_OK);
    assert_true(fabs(effect.share - 1) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effects_are_those_of_all_orders),
        cmocka_unit_test(drawn_orders_come_close),
        cmocka_unit_test(a_sample_that_is_all_says_the_same),
        cmocka_unit_test(estimates_are_not_biased),
        cmocka_unit_test(what_does_not_vary_has_no_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
