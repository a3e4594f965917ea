/* The knee of a front, and the next step along it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/results/knee.h"

static struct objective objectives[2];
static const size_t columns[] = {0, 1};

static struct front_view view_of(const double *values, size_t count)
{
    objectives[0] = (struct objective){metric_find("core.ipc"), HIGHER_IS_BETTER};
    objectives[1] = (struct objective){metric_find("total.area"), LOWER_IS_BETTER};
    return (struct front_view){objectives, columns, 2, 2, count, values};
}

static void the_bend_is_found(void **state)
{
    (void)state;
    const double bent[] = {1, 10, 8, 12, 8.2, 20, 10, 100}, straight[] = {1, 1, 2, 2, 3, 3};
    struct front_view front = view_of(bent, 4);
    assert_int_equal(front_price(objectives, 2), 1);
    assert_int_equal(front_knee(&front), 1);
    assert_int_equal(front_step(&front, 1, 0, 0), 1);
    assert_int_equal(front_step(&front, 1, 0, 1), 2);
    assert_int_equal(front_step(&front, 1, 0, 3), 4); /* the last has no next */
    front = view_of(straight, 2);
    assert_int_equal(front_knee(&front), 2); /* two points do not bend */
    const double bulging[] = {1, 1, 1.1, 9, 10, 10};
    front = view_of(bulging, 3);
    assert_int_equal(front_knee(&front), 3); /* its best sum is an end */
}

/* No order of the points changes the answer, nor does the scale of an objective. */
static void order_and_scale_do_not_matter(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        double values[2 * 20], turned[2 * 20];
        const size_t count = 3 + random_at(seed, 0) % 18;
        for (size_t i = 0; i < count; i++) {
            values[2 * i] = (i ? values[2 * i - 2] : 1) + 0.1 + random_unit(random_at(seed, i + 1));
            values[2 * i + 1] =
                (i ? values[2 * i - 1] : 1) + 0.1 + random_unit(random_at(seed, i + 50));
        }
        for (size_t i = 0; i < count; i++) {
            turned[2 * (count - 1 - i)] = 8 * values[2 * i];
            turned[2 * (count - 1 - i) + 1] = values[2 * i + 1];
        }
        const struct front_view front = view_of(values, count), other = view_of(turned, count);
        const size_t knee = front_knee(&front), again = front_knee(&other);
        assert_int_equal(knee == count ? count : count - 1 - knee, again);
        for (size_t i = 0; i < count; i++) /* each better one costs more: a step is the next */
            assert_int_equal(front_step(&front, 1, 0, i), i + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bend_is_found),
        cmocka_unit_test(order_and_scale_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
