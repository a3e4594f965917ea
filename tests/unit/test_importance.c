/* Importance against the analysis of variance written down as its definition, and what is said of
 * axes that hang together. Shapley effects have test_shapley. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/store/importance.h"
#include "support/study_builder.h"

enum { AXES = 4 }; /* the workload and three */
static const size_t sizes[AXES] = {2, 3, 4, 5};
enum { POINTS = 2 * 3 * 4 * 5 };

static const char text[] = "machine: gtx480\nworkloads: [ATAX:n=96, GEMM:n=32]\naxes:\n"
                           "  l2.latency: [100, 200, 300]\n"
                           "  dram.latency: [100, 200, 300, 400]\n"
                           "  l1d.latency: [1, 2, 3, 4, 5]\n"
                           "objectives: [l1d.misses]\nmetrics: [l2.misses]\n";

static size_t digit_of(size_t point, size_t axis)
{
    for (size_t a = AXES; a-- > axis + 1;)
        point /= sizes[a];
    return point % sizes[axis];
}

/* Mean of the values of all points that agree with `like` in the axes of `mask`. */
static double mean_like(const double *values, unsigned mask, size_t like)
{
    double sum = 0, count = 0;
    for (size_t p = 0; p < POINTS; p++) {
        bool same = !isnan(values[p]);
        for (size_t a = 0; a < AXES; a++)
            same = same && (!(mask >> a & 1) || digit_of(p, a) == digit_of(like, a));
        sum += same ? values[p] : 0;
        count += same;
    }
    return sum / count;
}

/* The component of a set of axes at a point: its mean less the components of all subsets. */
static double component(const double *values, unsigned mask, size_t point)
{
    double value = mean_like(values, mask, point);
    for (unsigned subset = 0; subset < mask; subset++)
        if ((subset & mask) == subset)
            value -= component(values, subset, point);
    return value;
}

static double brute_share(const double *values, unsigned mask)
{
    double mean = mean_like(values, 0, 0), total = 0, own = 0;
    for (size_t p = 0; p < POINTS; p++) {
        if (isnan(values[p]))
            continue;
        double part = component(values, mask, p);
        own += part * part;
        total += (values[p] - mean) * (values[p] - mean);
    }
    return own / total;
}

/* Of a sample of the points: what varies within the values has one degree of freedom less for each
 * of them than rows, and in a table of all points one less than all. */
static double sample_share(const double *values, size_t axis)
{
    const double all = POINTS, left = (double)(POINTS / sizes[axis]);
    double rows = 0;
    for (size_t p = 0; p < POINTS; p++)
        rows += !isnan(values[p]);
    const double within = (1 - brute_share(values, 1u << axis)) / (rows - (double)sizes[axis]);
    return fmax(1 - within * (rows - 1) * (1 - 1 / left) / (1 - 1 / all), 0);
}

/* `where` is NULL, or what leaves points out that are infinite. */
static void fill_legal(const char *path, const char *where, const double *values, bool summary)
{
    char own[1024];
    struct study study;
    struct space space;
    struct store *store;
    static const char *const digests[] = {"a", "b"};
    snprintf(own, sizeof own, where ? "%swhere: ['%s']\n" : "%s", text, where);
    study_from_text(own, &study);
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    assert_int_equal(space.points, POINTS);
    const struct store_options options = {.summary = summary};
    assert_int_equal(store_create_with(path, &space, digests, &options, &store, NULL), STATUS_OK);
    for (uint64_t p = 0; p < POINTS; p++) {
        struct metrics metrics;
        metrics_clear(&metrics);
        metrics.l1d_misses = values[p];
        metrics.l2_misses = 5;
        if (isinf(values[p]))
            continue;
        if (summary) /* few of them have rows */
            assert_int_equal(store_put_summary(store, p, &metrics, p % 7 == 0, NULL), STATUS_OK);
        else
            assert_int_equal(store_put(store, p, &metrics, NULL), STATUS_OK);
    }
    store_close(store);
    study_free(&study);
}

static void fill(const char *path, const double *values, bool summary)
{
    fill_legal(path, NULL, values, summary);
}

static void fill_store(const char *path, const double *values)
{
    fill(path, values, false);
}

typedef enum status (*importance_function)(struct store *, const struct metric *, const char *,
                                           struct importance *, struct diagnostics *);

static void compute_by(importance_function function, const char *path, const char *metric,
                       const char *where, struct importance *importance)
{
    struct store *store;
    const struct study *study;
    assert_int_equal(store_open(path, &store, &study, NULL), STATUS_OK);
    assert_int_equal(function(store, metric_find(metric), where, importance, NULL), STATUS_OK);
    store_close(store);
    for (size_t a = 0; a < importance->axis_count; a++)
        importance->axes[a].axis = NULL; /* the store's */
}

static void compute(const char *path, const char *metric, const char *where,
                    struct importance *importance)
{
    compute_by(importance_compute, path, metric, where, importance);
}

static void check_close(double found, double expected)
{
    if (fabs(found - expected) > 1e-9 * fmax(1, fabs(expected)))
        fail_msg("%.12g, expected %.12g", found, expected);
}

static void check_against_definition(const double *values, const struct importance *importance)
{
    assert_int_equal(importance->axis_count, AXES);
    assert_int_equal(importance->pair_count, importance->complete ? AXES * (AXES - 1) / 2 : 0);
    double sum = 0;
    for (size_t a = 0; a < AXES; a++) {
        assert_true(importance->axes[a].share >= 0);
        assert_true(importance->axes[a].basis == BASIS_ALL);
        sum += importance->axes[a].share;
        check_close(importance->axes[a].alone,
                    importance->sampled ? sample_share(values, a) : brute_share(values, 1u << a));
        for (size_t p = 0; p < POINTS; p++)
            check_close(importance->axes[a].values[digit_of(p, a)].mean,
                        mean_like(values, 1u << a, p));
    }
    for (size_t i = 0; i < importance->pair_count; i++) {
        const struct importance_pair *pair = &importance->pairs[i];
        check_close(pair->share, brute_share(values, 1u << pair->first | 1u << pair->second));
    }
    check_close(sum + importance->unassigned, 1);
    assert_true(importance->exact == !importance->sampled);
    check_close(importance->mean, mean_like(values, 0, 0));
}

static void test_complete(void **state)
{
    (void)state;
    double values[POINTS];
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct importance importance;
        const char *path = scratch_store();
        /* Far from zero: what a sum of squares without an origin would lose. */
        for (size_t p = 0; p < POINTS; p++)
            values[p] = 1e8 + (double)random_below(random_at(seed, p), 1000) +
                        500.0 * (double)(digit_of(p, 1) * digit_of(p, 3));
        fill_store(path, values);
        compute(path, "l1d.misses", NULL, &importance);
        assert_true(importance.complete);
        assert_int_equal(importance.rows, POINTS);
        check_against_definition(values, &importance);
        double rest = 0;
        for (unsigned mask = 1; mask < 1u << AXES; mask++)
            if (__builtin_popcount(mask) > 2)
                rest += brute_share(values, mask);
        check_close(importance.rest, rest);
        importance_free(&importance);
    }
}

/* A summary answers over all its points, not over the few that have rows. */
static void test_summary(void **state)
{
    (void)state;
    double values[POINTS];
    struct importance importance;
    const char *path = scratch_store();
    for (size_t p = 0; p < POINTS; p++)
        values[p] = (double)random_below(random_at(9, p), 1000) + 100.0 * (double)digit_of(p, 2);
    values[11] = NAN;
    values[12] = INFINITY; /* not there */
    fill(path, values, true);
    values[12] = NAN;
    compute(path, "l1d.misses", NULL, &importance);
    assert_int_equal(importance.rows, POINTS - 2);
    assert_int_equal(importance.without, 1);
    check_close(importance.mean, mean_like(values, 0, 0));
    for (size_t a = 0; a < AXES; a++) {
        check_close(importance.axes[a].alone, sample_share(values, a));
        assert_true(importance.axes[a].untold == (a != 2)); /* the one that moves the values */
        assert_true(isnan(importance.axes[a].share));
        for (size_t p = 0; p < POINTS; p++)
            check_close(importance.axes[a].values[digit_of(p, a)].mean,
                        mean_like(values, 1u << a, p));
    }
    for (size_t i = 0; i < importance.pair_count; i++)
        assert_true(isnan(importance.pairs[i].share));
    assert_true(isnan(importance.rest));
    importance_free(&importance);
    compute(path, "l2.misses", NULL, &importance); /* the same everywhere */
    assert_true(importance.complete == false && importance.variance == 0);
    assert_true(isnan(importance.axes[0].share));
    importance_free(&importance);
    struct store *store;
    const struct study *study;
    assert_int_equal(store_open(path, &store, &study, NULL), STATUS_OK);
    assert_int_equal(
        importance_compute(store, metric_find("l1d.misses"), "id < 9", &importance, NULL),
        STATUS_UNSUPPORTED);
    store_close(store);
}

/* An additive table has no interactions, whatever its axes do. */
static void test_additive(void **state)
{
    (void)state;
    double values[POINTS];
    struct importance importance;
    const char *path = scratch_store();
    for (size_t p = 0; p < POINTS; p++)
        values[p] = 3.0 * (double)digit_of(p, 0) + 10.0 * (double)digit_of(p, 2);
    fill_store(path, values);
    compute(path, "l1d.misses", NULL, &importance);
    for (size_t i = 0; i < importance.pair_count; i++)
        check_close(importance.pairs[i].share, 0);
    check_close(importance.rest, 0);
    check_close(importance.axes[1].share, 0);
    check_close(importance.axes[2].share, importance.axes[2].alone);
    check_close(importance.axes[0].share + importance.axes[2].share, 1);
    importance_free(&importance);
    /* One workload of it is a complete table too. */
    compute(path, "l1d.misses", "workload like 'GEMM%'", &importance);
    assert_true(importance.complete);
    assert_int_equal(importance.rows, POINTS / 2);
    check_close(importance.axes[2].share, 1);
    importance_free(&importance);
    /* A metric that never changes has no variance to share. */
    compute(path, "l2.misses", NULL, &importance);
    assert_true(importance.complete && importance.variance == 0);
    assert_true(isnan(importance.axes[0].share) && isnan(importance.rest));
    importance_free(&importance);
}

/* Means that differ by the rounding of their sums alone are equal to the bit. */
static void test_rounding(void **state)
{
    (void)state;
    double values[POINTS];
    struct importance importance;
    const char *path = scratch_store();
    for (size_t p = 0; p < POINTS; p++)
        values[p] = 0.1 + 0.7 * (double)digit_of(p, 0) + (double)(digit_of(p, 2)) / 3;
    fill_store(path, values);
    compute(path, "l1d.misses", NULL, &importance);
    for (size_t v = 0; v < importance.axes[1].count; v++)
        assert_true(importance.axes[1].values[v].mean == importance.mean);
    assert_true(importance.axes[2].values[0].mean < importance.mean);
    importance_free(&importance);
}

/* Holes: rows that are not there (infinite here) and rows without a value. The means are those of
 * what is there, and the table says that it is not complete. */
static void test_incomplete(void **state)
{
    (void)state;
    double values[POINTS];
    struct importance importance;
    const char *path = scratch_store();
    uint64_t absent = 0, without = 0;
    for (size_t p = 0; p < POINTS; p++) {
        values[p] = (double)random_below(random_at(9, p), 1000);
        if (p % 11 == 3)
            values[p] = INFINITY;
        else if (p % 13 == 5)
            values[p] = NAN;
        absent += isinf(values[p]);
        without += isnan(values[p]);
    }
    fill_store(path, values);
    compute(path, "l1d.misses", NULL, &importance);
    assert_false(importance.complete);
    assert_true(importance.sampled);
    assert_int_equal(importance.without, without);
    assert_int_equal(importance.rows, POINTS - absent - without);
    assert_int_equal(importance.combinations, POINTS);
    for (size_t p = 0; p < POINTS; p++)
        if (isinf(values[p]))
            values[p] = NAN;
    check_against_definition(values, &importance);
    importance_free(&importance);
}

/* Points of which a rule left out some, of values that one axis alone moves. */
static void fill_where(const char *path, const char *where, bool (*there)(size_t point),
                       double values[POINTS])
{
    for (size_t p = 0; p < POINTS; p++)
        values[p] = there(p) ? 1000 + 10 * (double)digit_of(p, 2) : INFINITY;
    fill_legal(path, where, values, false);
}

static bool below_diagonal(size_t point)
{
    return digit_of(point, 2) <= digit_of(point, 3);
}

static bool on_diagonal(size_t point)
{
    return digit_of(point, 2) == digit_of(point, 3);
}

/* An axis that does nothing, but that a rule ties to one that does: its plain means differ, those
 * over rows that differ in it alone do not. */
static void test_matched(void **state)
{
    (void)state;
    double values[POINTS], sum = 0;
    struct importance importance;
    const char *path = scratch_store();
    fill_where(path, "dram.latency <= 100 * l1d.latency", below_diagonal, values);
    compute(path, "l1d.misses", NULL, &importance);
    assert_false(importance.complete);
    assert_int_equal(importance.pair_count, 0);
    for (size_t a = 0; a < AXES; a++) {
        sum += importance.axes[a].share;
        assert_true(importance.axes[a].share >= 0);
        assert_true(importance.axes[a].basis == (a < 2 ? BASIS_ALL : BASIS_MATCHED));
        assert_int_equal(importance.axes[a].other, a < 2 ? a : 5 - a);
    }
    check_close(sum, 1);
    assert_int_equal(importance.axes[3].compared, 2 * 3 * 5);
    assert_int_equal(importance.axes[2].compared, 2 * 3 * 2 * 4);
    for (size_t v = 0; v < importance.axes[3].count; v++)
        check_close(importance.axes[3].values[v].mean, 1000);
    for (size_t v = 0; v < importance.axes[2].count; v++)
        check_close(importance.axes[2].values[v].mean, 1000 + 10 * (double)v);
    importance_free(&importance);
}

/* Two axes that only change together: nobody knows which one it is. */
static void test_confounded(void **state)
{
    (void)state;
    double values[POINTS];
    struct importance importance;
    const char *path = scratch_store();
    fill_where(path, "dram.latency = 100 * l1d.latency", on_diagonal, values);
    for (int within = 0; within < 2; within++) {
        compute_by(within ? importance_within : importance_compute, path, "l1d.misses", NULL,
                   &importance);
        for (size_t a = 0; a < importance.axis_count; a++) {
            const size_t axis = a + (size_t)within;
            assert_true(importance.axes[a].basis == (axis < 2 ? BASIS_ALL : BASIS_CONFOUNDED));
            if (axis >= 2) {
                assert_int_equal(importance.axes[a].other + (size_t)within, 5 - axis);
                assert_true(isnan(importance.axes[a].values[0].mean));
                check_close(importance.axes[a].share, 0.5);
            }
        }
        importance_free(&importance);
    }
}

/* An early stop left few points, of values that one axis alone moves: it is named, the others are
 * not, and what is not known to be its is said to be nobody's. */
static void test_sampled(void **state)
{
    (void)state;
    double values[POINTS];
    const char *path = scratch_store();
    for (size_t p = 0; p < POINTS; p++)
        values[p] = random_at(3, p) % 4 ? INFINITY : 1000 + 10 * (double)digit_of(p, 2);
    fill_store(path, values);
    for (int within = 0; within < 2; within++) {
        struct importance importance;
        compute_by(within ? importance_within : importance_compute, path, "l1d.misses", NULL,
                   &importance);
        assert_true(importance.sampled && !importance.exact && !importance.complete);
        double sum = importance.unassigned;
        for (size_t a = 0; a < importance.axis_count; a++) {
            const bool moves = a + (size_t)within == 2;
            assert_true(importance.axes[a].untold == !moves);
            assert_true(moves ? importance.axes[a].share > 0.8 : importance.axes[a].share == 0);
            sum += importance.axes[a].share;
        }
        check_close(sum, 1);
        importance_free(&importance);
    }
}

/* The average over the workloads of what the definition says of each. */
static void check_within(double of[2][POINTS], const struct importance *importance)
{
    double varying[2], count = 0;
    for (size_t w = 0; w < 2; w++)
        count += varying[w] = !isnan(brute_share(of[w], 1u << 1));
    assert_int_equal(importance->axis_count, AXES - 1);
    for (size_t a = 0; a < importance->axis_count; a++) {
        unsigned mask = 1u << (a + 1);
        double share = 0;
        for (size_t w = 0; w < 2; w++)
            share += varying[w] ? brute_share(of[w], mask) / count : 0;
        check_close(importance->axes[a].alone, share);
        for (size_t p = 0; p < POINTS; p++) {
            double mean = 0;
            for (size_t w = 0; w < 2; w++)
                mean += mean_like(of[w], mask, p) / mean_like(of[w], 0, 0) / 2;
            check_close(importance->axes[a].values[digit_of(p, a + 1)].mean, mean);
        }
    }
    for (size_t i = 0; i < importance->pair_count; i++) {
        const struct importance_pair *pair = &importance->pairs[i];
        unsigned mask = 1u << (pair->first + 1) | 1u << (pair->second + 1);
        double share = 0;
        for (size_t w = 0; w < 2; w++)
            share += varying[w] ? brute_share(of[w], mask) / count : 0;
        if (!isnan(pair->share)) /* a summary has none */
            check_close(pair->share, share);
    }
}

/* One workload has a hundred times the values of the other, or does not vary. */
static void test_within(void **state)
{
    (void)state;
    for (int constant = 0; constant < 2; constant++)
        for (int summary = 0; summary < 2; summary++) {
            double values[POINTS], of[2][POINTS];
            struct importance importance;
            const char *path = scratch_store();
            for (size_t p = 0; p < POINTS; p++) {
                size_t w = digit_of(p, 0);
                values[p] = (double)random_below(random_at(7, p), 1000) + 50.0 * (double)(p % 5);
                values[p] = w ? 100 * values[p] + 1e6 : constant ? 7 : values[p] + 1;
                of[w][p] = values[p];
                of[!w][p] = NAN;
            }
            fill(path, values, summary);
            compute_by(importance_within, path, "l1d.misses", NULL, &importance);
            check_within(of, &importance);
            assert_true(importance.complete);
            assert_int_equal(importance.rows, POINTS);
            assert_int_equal(importance.without, 0);
            double sum = importance.rest, shares = 0;
            for (size_t a = 0; a < importance.axis_count; a++) {
                sum += importance.axes[a].alone;
                shares += importance.axes[a].share;
            }
            assert_true(summary ? isnan(shares) : fabs(shares - 1) < 1e-9);
            for (size_t i = 0; i < importance.pair_count; i++)
                sum += importance.pairs[i].share;
            assert_true(summary ? isnan(sum) : fabs(sum - 1) < 1e-9);
            importance_free(&importance);
        }
}

static void test_digits(void **state)
{
    (void)state;
    char shown[IMPORTANCE_TEXT];
    struct importance_axis axis = {.basis = BASIS_ALL};
    assert_string_equal(importance_share_print(&axis, 0.12345, 0, shown), "12.3%");
    assert_string_equal(importance_share_print(&axis, 0.12345, 0.056, shown), "12% +- 6%");
    assert_string_equal(importance_share_print(&axis, 0.12345, 0.004, shown), "12.3% +- 0.4%");
    assert_string_equal(importance_share_print(&axis, 0.12345, 0.0004, shown), "12.35% +- 0.04%");
    axis.basis = BASIS_CONFOUNDED;
    assert_string_equal(importance_share_print(&axis, 0.12345, 0, shown), "12%");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complete),   cmocka_unit_test(test_summary),
        cmocka_unit_test(test_additive),   cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_incomplete), cmocka_unit_test(test_matched),
        cmocka_unit_test(test_confounded), cmocka_unit_test(test_within),
        cmocka_unit_test(test_sampled),    cmocka_unit_test(test_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
