/* Gains of arrays: each is that of an evaluation of the changed source, and a padding of nothing
 * else than whole address spaces changes what it must. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "explore/explain/blaming.h"
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

/* Loads of all arrays that hit are a perfect L1D for loads, and those of each instruction are those
 * of its array where it has one of its own. */
static void loads_that_hit_are_those_of_the_ideal(void **state)
{
    static const struct trace_array all = {"all", 0, UINT64_MAX};
    (void)state;
    struct trace_source *source;
    struct machine machine;
    struct metrics base, ideal;
    struct array_gains gains;
    struct evaluate_options options = {.depth = DEPTH_TIMING};
    assert_int_equal(machine_load("gtx480", NULL, &machine, NULL, NULL), STATUS_OK);
    machine.l1d.write = WRITE_EVICT; /* a store that hits goes on as one that misses */
    machine.l1d.write_allocate = WRITE_ALLOCATE_NONE;
    assert_int_equal(workload_open("ATAX:n=64", &source, NULL), STATUS_OK);
    assert_int_equal(evaluate(&machine, source, &options, &base, NULL), STATUS_OK);
    ideal_add(&options.ideals, IDEAL_L1D_HITS);
    assert_int_equal(evaluate(&machine, source, &options, &ideal, NULL), STATUS_OK);
    const struct question question = {&machine, metric_find("core.cycles"), DEPTH_TIMING, &base};
    const struct trials_options how = {.source = source, .depth = DEPTH_TIMING, .threads = 1};
    assert_int_equal(array_gains_find(&how, &question, &all, 1, &gains, NULL), STATUS_OK);
    assert_true(gains.gains[ARRAY_HITS] == question_gain(&question, ideal.core_cycles));
    assert_true(gains.gains[ARRAY_HITS] > 0.1);
    trace_source_free(source);
}

/* Without time a load that hits leaves no trace: no load of an array, no miss of it; and no load of
 * any instruction is no load at all. */
static void loads_that_hit_miss_nothing(void **state)
{
    (void)state;
    struct trace_source *source;
    struct machine machine;
    struct metrics base;
    struct pc_gain gains[BLAMING_PCS] = {{0}};
    struct blame blame = {0};
    double misses = 0;
    size_t count = 0;
    const struct evaluate_options options = {.depth = DEPTH_FUNCTIONAL};
    assert_int_equal(machine_load("gtx480", NULL, &machine, NULL, NULL), STATUS_OK);
    machine.l1d.size *= 64; /* nothing leaves it, so that nobody misses for another one's sake */
    machine.l1d.ways *= 64;
    assert_int_equal(workload_open("ATAX:n=64", &source, NULL), STATUS_OK);
    assert_int_equal(evaluate(&machine, source, &options, &base, NULL), STATUS_OK);
    assert_int_equal(
        blame_run(&machine, source, source->arrays, source->array_count, NULL, &blame, NULL),
        STATUS_OK);
    const struct question question = {&machine, metric_find("l1d.misses"), DEPTH_FUNCTIONAL, &base};
    const struct trials_options how = {.source = source, .depth = DEPTH_FUNCTIONAL, .threads = 1};
    const struct blame_table *table = &blame.caches[0].tables[BLAME_INSTRUCTIONS];
    for (size_t i = 0; i < table->count && count < BLAMING_PCS; i++)
        if (blame_pc_of(table->rows[i].key).op == OP_LOAD && table->rows[i].counts.misses)
            gains[count++].key = table->rows[i].key;
    assert_true(count > 1);
    assert_int_equal(pc_gains_find(&how, &question, gains, count, NULL), STATUS_OK);
    for (size_t i = 0; i < count; i++) {
        assert_true(gains[i].gain >= 0);
        misses += gains[i].gain;
    }
    assert_true(misses > 0.1 && misses < 1 + 1e-9);
    blame_free(&blame);
    trace_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gains_are_evaluations),
        cmocka_unit_test(loads_that_hit_are_those_of_the_ideal),
        cmocka_unit_test(loads_that_hit_miss_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
