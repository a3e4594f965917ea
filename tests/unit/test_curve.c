/* Curves over one parameter with all others unchanged. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explore/sweep/curve.h"
#include "support/list_source.h"

enum { MAX = 64 };

static const struct parameter *find(const char *path)
{
    const struct parameter *parameter = parameter_find(path);
    assert_non_null(parameter);
    return parameter;
}

static void sizes_double(void **state)
{
    (void)state;
    struct value values[MAX];
    struct machine machine;
    machine_defaults(&machine);
    machine.l1d.index = INDEX_MODULO;
    assert_int_equal(curve_values(&machine, find("l1d.size"), NULL, 4096, 65536, values, MAX), 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(values[i].uint, 4096u << i);
    /* The Fermi hash has 32 or 64 sets, so two of these remain. */
    machine.l1d.index = INDEX_FERMI;
    assert_int_equal(curve_values(&machine, find("l1d.size"), NULL, 4096, 65536, values, MAX), 2);
    assert_int_equal(values[0].uint, 16384);
}

/* Where time passes, whatever any stage reads may change when others are asked. */
static void a_cache_moves_time(void **state)
{
    (void)state;
    struct machine machine;
    machine_defaults(&machine);
    const struct metric *misses = metric_find("tlb.misses"), *time = metric_find("core.time");
    assert_true(curve_moves(find("l1d.size"), time, &machine, DEPTH_TIMING));
    assert_true(curve_moves(find("l1d.size"), misses, &machine, DEPTH_TIMING));
    assert_false(curve_moves(find("l1d.size"), misses, &machine, DEPTH_FUNCTIONAL));
    assert_false(curve_moves(find("l1d.output"), time, &machine, DEPTH_TIMING));
}

/* Where the sets are bound, size and ways go together and the sets stay. */
static void ways_follow_the_size_where_sets_are_bound(void **state)
{
    (void)state;
    struct value values[MAX];
    struct machine machine;
    machine_defaults(&machine);
    machine.l1d.index = INDEX_MODULO;
    assert_null(curve_follower(&machine, find("l1d.size")));
    machine.l1d.index = INDEX_FERMI;
    assert_null(curve_follower(&machine, find("l1d.line")));
    static const char *const couple[] = {"l1d.size", "l1d.ways"};
    for (size_t c = 0; c < 2; c++) {
        const struct parameter *parameter = find(couple[c]), *follower = find(couple[1 - c]);
        assert_ptr_equal(curve_follower(&machine, parameter), follower);
        size_t count = curve_values(&machine, parameter, follower, 0, INFINITY, values, MAX),
               own = 0;
        assert_true(count > 5);
        for (size_t i = 0; i < count; i++) {
            struct machine changed = machine;
            struct violation found[VIOLATION_MAX];
            curve_set(&changed, parameter, follower, values[i]);
            assert_int_equal(machine_check(&changed, found), 0);
            assert_int_equal(cache_sets(&changed.l1d), cache_sets(&machine.l1d));
            own += machine_same(&changed, &machine, ~0u);
        }
        assert_int_equal(own, 1);
    }
}

static void the_own_value_is_among_them(void **state)
{
    (void)state;
    struct machine machine;
    struct value values[MAX];
    machine_defaults(&machine);
    machine.l1d.size = 48 * 1024; /* not a power of two */
    machine.l1d.ways = 6;
    size_t count = curve_values(&machine, find("l1d.size"), NULL, 0, INFINITY, values, MAX);
    size_t own = 0;
    for (size_t i = 0; i < count; i++)
        own += values[i].uint == 48 * 1024;
    assert_int_equal(own, 1);
}

/* Whatever the machine and the parameter: ascending, legal, no endless walk. */
static void values_are_legal_and_ascend(void **state)
{
    (void)state;
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        struct value values[MAX];
        struct machine machine;
        machine_defaults(&machine);
        size_t count = curve_values(&machine, parameter, NULL, -INFINITY, INFINITY, values, MAX);
        assert_true(count <= MAX);
        assert_int_equal(count == 0, parameter->stepping == STEP_NONE);
        bool own = false;
        for (size_t j = 0; j < count; j++) {
            struct machine changed = machine;
            struct violation found[VIOLATION_MAX];
            parameter_set(parameter, &changed, values[j]);
            assert_int_equal(machine_check(&changed, found), 0);
            if (j)
                assert_true(parameter_number(parameter, values[j]) >
                            parameter_number(parameter, values[j - 1]));
            own = own || parameter_equal(parameter, values[j], parameter_get(parameter, &machine));
        }
        assert_true(own || count == 0 || count == MAX);
    }
}

/* A real number's range shows as a whole, at steps of its own, however small its numbers are. */
static void real_numbers_are_thinned_evenly(void **state)
{
    (void)state;
    struct machine machine;
    struct value values[MAX];
    machine_defaults(&machine);
    machine.tech.node = 39e-9;
    const struct parameter *node = find("tech.node");
    size_t count = curve_values(&machine, node, NULL, 0, INFINITY, values, MAX), own = 0;
    assert_true(count > MAX / 2 && count <= MAX);
    for (size_t i = 0; i < count; i++)
        own += parameter_equal(node, values[i], parameter_get(node, &machine));
    assert_int_equal(own, 1);
    assert_true(values[count - 1].real > 85e-9);
    const struct parameter *scale = find("tech.scale.area"); /* 0.001 to 1000 in steps of 0.1 */
    count = curve_values(&machine, scale, NULL, 0, INFINITY, values, MAX);
    assert_true(count > 10 && values[count - 1].real > 500);
}

static void few_places_are_never_overrun(void **state)
{
    (void)state;
    struct machine machine;
    struct value values[MAX];
    machine_defaults(&machine);
    for (size_t max = 0; max < 8; max++) {
        memset(values, 0xab, sizeof values);
        size_t count =
            curve_values(&machine, find("l1d.mshr.entries"), NULL, 0, INFINITY, values, max);
        assert_int_equal(count, max);
        unsigned char untouched[sizeof *values];
        memset(untouched, 0xab, sizeof untouched);
        assert_memory_equal(&values[max], untouched, sizeof untouched);
    }
}

/* A curve equals its machines evaluated one by one, on any number of threads. */
static void curve_equals_single_evaluations(void **state)
{
    (void)state;
    struct list_source *source = list_source_random(7, 2, 20, 30, 600);
    static const char *const paths[] = {"l1d.size", "l1d.index", "gpu.sms", "tlb.entries"};
    for (size_t p = 0; p < sizeof paths / sizeof *paths; p++) {
        struct machine machine;
        struct value values[MAX];
        struct metrics curve[2][MAX];
        machine_defaults(&machine);
        const struct parameter *parameter = find(paths[p]);
        size_t count = curve_values(&machine, parameter, NULL, 0, 300000, values, 12);
        assert_true(count > 1);
        for (int threads = 1; threads <= 2; threads++)
            assert_int_equal(curve_run(&machine, parameter, NULL, values, count, &source->base,
                                       NULL, threads, curve[threads - 1], NULL),
                             STATUS_OK);
        for (size_t i = 0; i < count; i++) {
            struct metrics single;
            parameter_set(parameter, &machine, values[i]);
            assert_int_equal(evaluate(&machine, &source->base, NULL, &single, NULL), STATUS_OK);
            assert_memory_equal(&single, &curve[0][i], sizeof single);
            assert_memory_equal(&single, &curve[1][i], sizeof single);
        }
    }
    trace_source_free(&source->base);
}

/* A machine of another kind cannot run a kernel: it has no point, and the others keep theirs. */
static void kinds_that_cannot_run_have_no_point(void **state)
{
    (void)state;
    struct list_source *source = list_source_random(7, 1, 20, 30, 600);
    struct machine machine;
    struct value values[MAX];
    struct metrics metrics[MAX], single;
    unsigned refused = 0;
    machine_defaults(&machine);
    machine.gpu.address_bits = 64;
    const size_t count = curve_values(&machine, find("machine.kind"), NULL, 0, 99, values, MAX);
    for (int threads = 1; threads <= 2; threads++)
        assert_int_equal(curve_run(&machine, find("machine.kind"), NULL, values, count,
                                   &source->base, NULL, threads, metrics, NULL),
                         STATUS_OK);
    for (size_t i = 0; i < count; i++) {
        machine.kind = (int)values[i].uint;
        const enum status status = evaluate(&machine, &source->base, NULL, &single, NULL);
        if (status)
            metrics_clear(&single);
        refused += status != STATUS_OK;
        assert_memory_equal(&single, &metrics[i], sizeof single);
    }
    assert_in_range(refused, 1, count - 1);
    trace_source_free(&source->base);
}

static void a_cancelled_curve_says_so(void **state)
{
    (void)state;
    struct list_source *source = list_source_random(7, 2, 20, 30, 600);
    const atomic_bool cancel = true;
    const struct evaluate_options options = {.cancel = &cancel};
    struct machine machine;
    struct value values[MAX];
    struct metrics metrics[MAX];
    machine_defaults(&machine);
    size_t count = curve_values(&machine, find("l1d.size"), NULL, 4096, 65536, values, MAX);
    assert_int_equal(curve_run(&machine, find("l1d.size"), NULL, values, count, &source->base,
                               &options, 2, metrics, NULL),
                     STATUS_CANCELLED);
    trace_source_free(&source->base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_double),
        cmocka_unit_test(a_cache_moves_time),
        cmocka_unit_test(ways_follow_the_size_where_sets_are_bound),
        cmocka_unit_test(the_own_value_is_among_them),
        cmocka_unit_test(values_are_legal_and_ascend),
        cmocka_unit_test(real_numbers_are_thinned_evenly),
        cmocka_unit_test(few_places_are_never_overrun),
        cmocka_unit_test(curve_equals_single_evaluations),
        cmocka_unit_test(kinds_that_cannot_run_have_no_point),
        cmocka_unit_test(a_cancelled_curve_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
