/* The parts of a difference against their definition, and what is not known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/store/point_difference.h"
#include "support/study_builder.h"

static const char text[] = "machine: gtx480\nworkloads: [ATAX:n=96, GEMM:n=32]\naxes:\n"
                           "  l2.latency: [100, 200, 300]\n"
                           "  dram.latency: [100, 200]\n"
                           "  l1d.latency: [1, 2, 3]\n"
                           "objectives: [l1d.misses]\n";

enum { MACHINES = 18, POINTS = 2 * MACHINES };

static double value_at(uint64_t seed, uint64_t point)
{
    return 10 + (double)(random_at(seed, point) % 1000);
}

static const char *fill(uint64_t seed, uint64_t left_out)
{
    struct study study;
    struct space space;
    struct store *store;
    static const char *const digests[] = {"a", "b"};
    const char *path = scratch_store();
    study_from_text(text, &study);
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    assert_int_equal(space.points, POINTS);
    assert_int_equal(store_create(path, &space, digests, &store, NULL), STATUS_OK);
    for (uint64_t p = 0; p < POINTS; p++) {
        struct metrics metrics;
        metrics_clear(&metrics);
        metrics.l1d_misses = value_at(seed, p);
        if (p != left_out)
            assert_int_equal(store_put(store, p, &metrics, NULL), STATUS_OK);
    }
    store_close(store);
    study_free(&study);
    return path;
}

/* Mean over all orders of three axes, written down. */
static double slow_part(uint64_t seed, const uint64_t stride[3], uint64_t from, const int64_t go[3],
                        size_t axis)
{
    static const size_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    double sum = 0;
    for (size_t o = 0; o < 6; o++) {
        uint64_t point = from;
        for (size_t i = 0; i < 3; i++) {
            const size_t a = orders[o][i];
            const uint64_t next = point + (uint64_t)(go[a] * (int64_t)stride[a]);
            sum += a == axis ? value_at(seed, next) - value_at(seed, point) : 0;
            point = next;
        }
    }
    return sum / 6;
}

static void parts_are_means_over_all_orders(void **state)
{
    (void)state;
    static const uint64_t stride[3] = {6, 3, 1}, counts[3] = {3, 2, 3};
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct store *store;
        const struct study *study;
        assert_int_equal(store_open(fill(seed, UINT64_MAX), &store, &study, NULL), STATUS_OK);
        for (uint64_t from = 0; from < POINTS; from += 5)
            for (uint64_t to = from / MACHINES * MACHINES; to < (from / MACHINES + 1) * MACHINES;
                 to++) {
                struct point_difference found;
                int64_t go[3];
                double sum = 0;
                assert_int_equal(point_difference_open(store, from, to, &found, NULL), STATUS_OK);
                for (size_t a = 0; a < 3; a++)
                    go[a] = (int64_t)(to / stride[a] % counts[a]) -
                            (int64_t)(from / stride[a] % counts[a]);
                for (size_t i = 0; i < found.axis_count; i++) {
                    const double slow = slow_part(seed, stride, from, go, found.axes[i]);
                    assert_true(fabs(found.parts[i] - slow) < 1e-9);
                    sum += found.parts[i];
                }
                assert_true(fabs(sum - (found.to[0] - found.from[0])) < 1e-9);
                assert_int_equal(found.missing, 0);
                point_difference_close(&found);
            }
        store_close(store);
    }
}

static void what_is_not_known_is_not_told(void **state)
{
    (void)state;
    struct store *store;
    const struct study *study;
    struct point_difference found;
    assert_int_equal(store_open(fill(1, 3), &store, &study, NULL), STATUS_OK);
    assert_int_equal(point_difference_open(store, 0, 4, &found, NULL), STATUS_OK);
    assert_int_equal(found.missing, 1); /* point 3 is between them */
    assert_true(isnan(found.parts[0]) && isnan(found.parts[1]));
    assert_true(found.to[0] > 0);
    point_difference_close(&found);
    assert_int_equal(point_difference_open(store, 0, 3, &found, NULL), STATUS_NOT_FOUND);
    assert_int_equal(point_difference_open(store, 0, POINTS, &found, NULL), STATUS_NOT_FOUND);
    assert_int_equal(point_difference_open(store, 0, MACHINES, &found, NULL), STATUS_INVALID);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_means_over_all_orders),
        cmocka_unit_test(what_is_not_known_is_not_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
