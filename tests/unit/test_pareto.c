#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/results/pareto.h"

enum { POINTS = 400, OBJECTIVES_MAX = 4 };

struct points {
    double values[POINTS][OBJECTIVES_MAX];
    struct objective objectives[OBJECTIVES_MAX];
    size_t count, objective_count;
};

/* Small integers, so that ties and equal points are frequent; some NaN. */
static void make_points(uint64_t seed, size_t objective_count, struct points *points)
{
    uint64_t index = 0;
    points->objective_count = objective_count;
    points->count = random_below(random_at(seed, index++), POINTS) + 1;
    uint64_t range = 2 + random_below(random_at(seed, index++), 40);
    for (size_t k = 0; k < objective_count; k++)
        points->objectives[k] = (struct objective){
            &metric_table[k], random_at(seed, index++) & 1 ? HIGHER_IS_BETTER : LOWER_IS_BETTER};
    for (size_t i = 0; i < points->count; i++)
        for (size_t k = 0; k < objective_count; k++) {
            uint64_t value = random_below(random_at(seed, index++), range);
            points->values[i][k] = random_below(random_at(seed, index++), 50) ? (double)value : NAN;
        }
}

static double cost(const struct points *points, size_t i, size_t k)
{
    double value = points->values[i][k];
    return points->objectives[k].direction == HIGHER_IS_BETTER ? -value : value;
}

/* The definition, O(n^2): nobody dominates it, and of equal points it is the first. */
static bool is_optimal(const struct points *points, size_t i)
{
    for (size_t k = 0; k < points->objective_count; k++)
        if (isnan(points->values[i][k]))
            return false;
    for (size_t j = 0; j < points->count; j++) {
        bool worse = false, better = false;
        for (size_t k = 0; k < points->objective_count; k++) {
            if (isnan(cost(points, j, k)))
                worse = true;
            worse = worse || cost(points, j, k) > cost(points, i, k);
            better = better || cost(points, j, k) < cost(points, i, k);
        }
        if (!worse && (better || j < i))
            return false;
    }
    return true;
}

static void check_front(uint64_t seed, size_t objective_count)
{
    struct points points;
    make_points(seed, objective_count, &points);
    struct pareto *front;
    assert_int_equal(pareto_create(points.objectives, objective_count, &front), STATUS_OK);
    size_t order[POINTS];
    for (size_t i = 0; i < points.count; i++)
        order[i] = i;
    for (size_t i = points.count; i-- > 1;) { /* offers in any order */
        size_t other = random_below(random_at(seed + 1, i), i + 1), held = order[i];
        order[i] = order[other];
        order[other] = held;
    }
    for (size_t i = 0; i < points.count; i++)
        assert_int_equal(pareto_offer(front, order[i], points.values[order[i]], NULL), STATUS_OK);
    uint64_t *ids;
    assert_int_equal(pareto_ids(front, &ids), STATUS_OK);
    size_t found = 0;
    for (size_t i = 0; i < points.count; i++)
        if (is_optimal(&points, i)) {
            assert_true(found < pareto_count(front));
            assert_int_equal(ids[found++], i);
        }
    assert_int_equal(found, pareto_count(front));
    free(ids);
    pareto_free(front);
}

static void test_against_definition(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++)
        check_front(seed * 1000, 1 + seed % OBJECTIVES_MAX);
}

static void test_entered(void **state)
{
    (void)state;
    const struct objective objectives[] = {{&metric_table[0], LOWER_IS_BETTER},
                                           {&metric_table[1], LOWER_IS_BETTER}};
    static const struct {
        uint64_t id;
        double values[2];
        bool entered;
        size_t count;
    } steps[] = {
        {5, {4, 4}, true, 1},  {6, {5, 5}, false, 1},  {7, {3, 5}, true, 2},
        {8, {4, 4}, false, 2}, {2, {4, 4}, true, 2},   {9, {NAN, 0}, false, 2},
        {10, {3, 4}, true, 1}, {11, {3, 4}, false, 1}, {12, {0, 9}, true, 2},
        {13, {9, 0}, true, 3}, {14, {0, 0}, true, 1},
    };
    struct pareto *front;
    assert_int_equal(pareto_create(objectives, 2, &front), STATUS_OK);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        bool entered;
        assert_int_equal(pareto_offer(front, steps[i].id, steps[i].values, &entered), STATUS_OK);
        assert_int_equal(entered, steps[i].entered);
        assert_int_equal(pareto_count(front), steps[i].count);
    }
    pareto_free(front);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_definition),
                                       cmocka_unit_test(test_entered)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
