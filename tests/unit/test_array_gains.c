/* Gains of arrays: each is that of an evaluation of the changed source, and a padding of nothing
 * else than whole address spaces changes what it must. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "explore/explain/array_gains.h"
#include "workload/workload.h"

static void gains_are_evaluations(void **state)
{
    (void)state;
    struct trace_source *source;
    struct machine machine;
    struct metrics base, changed;
    struct array_gains gains[8];
    const struct evaluate_options options = {.depth = DEPTH_FUNCTIONAL};
    assert_int_equal(machine_load("gtx480", NULL, &machine, NULL, NULL), STATUS_OK);
    assert_int_equal(workload_open("GEMM:n=32", &source, NULL), STATUS_OK);
    assert_int_equal(evaluate(&machine, source, &options, &base, NULL), STATUS_OK);
    const struct question question = {&machine, metric_find("l1d.misses"), DEPTH_FUNCTIONAL, &base};
    const struct trials_options how = {.source = source, .depth = DEPTH_FUNCTIONAL, .threads = 1};
    assert_true(source->array_count > 1 && source->array_count <= 8);
    assert_int_equal(
        array_gains_find(&how, &question, source->arrays, source->array_count, gains, NULL),
        STATUS_OK);
    double most = 0;
    for (uint32_t i = 0; i < source->array_count; i++) {
        const struct trace_array *array = &source->arrays[i];
        const struct access_change change = {
            .base = array->base, .end = array->base + array->bytes, .bypass = true};
        struct trace_source *other;
        assert_int_equal(trace_source_change(source, &change, &other), STATUS_OK);
        assert_int_equal(evaluate(&machine, other, &options, &changed, NULL), STATUS_OK);
        assert_true(gains[i].gains[ARRAY_BYPASS] == question_gain(&question, changed.l1d_misses));
        most = fmax(most, gains[i].gains[ARRAY_BYPASS]);
        trace_source_free(other);
    }
    assert_true(most > 0.1);
    trace_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gains_are_evaluations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
