/* The extent of a stream (model/gpu/extent.h) against the extent found by issuing it. */
#include "model/gpu/extent.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "model/evaluate.h"
#include "workload/workload.h"

static struct trace_source *open_source(const char *name)
{
    struct trace_source *source;
    assert_int_equal(workload_open(name, &source, NULL), STATUS_OK);
    return source;
}

static void load(struct machine *machine)
{
    assert_int_equal(machine_load("gtx480", NULL, machine, NULL, NULL), STATUS_OK);
    machine->l1d.enabled = machine->l2.enabled = machine->tlb.enabled = false;
}

/* The work that a pass finds. */
static double issued(const struct machine *machine, const struct trace_source *source)
{
    struct metrics metrics;
    assert_int_equal(evaluate(machine, source, NULL, &metrics, NULL), STATUS_OK);
    return metrics.stream_transactions + metrics.stream_memory_instructions;
}

/* Regular kernels are known well; those whose lanes or launches differ within a factor. */
static void test_totals(void **state)
{
    (void)state;
    static const struct {
        const char *workload;
        double factor;
    } cases[] = {{"2DCONV:n=128", 1.25}, {"GEMM:n=64", 1.25},     {"ATAX:n=128", 1.25},
                 {"CORR:n=96", 1.6},     {"GRAMSCHMIDT:n=48", 2}, {"bfs-4096", 4},
                 {"MVT:n=128", 1.25}};
    struct machine machine;
    load(&machine);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace_source *source = open_source(cases[i].workload);
        struct extent extent;
        assert_int_equal(extent_measure(source, machine.coalescer.arch, NULL, &extent), STATUS_OK);
        double ratio = extent.total / issued(&machine, source);
        if (!(ratio < cases[i].factor && ratio > 1 / cases[i].factor))
            fail_msg("%s: expected %g of what was issued", cases[i].workload, ratio);
        extent_free(&extent);
        trace_source_free(source);
    }
}

struct follower {
    double last;
    size_t calls;
};

static void follow(void *argument, double share)
{
    struct follower *follower = argument;
    assert_true(share >= follower->last && share < 1);
    follower->last = share;
    follower->calls++;
}

/* The share never falls and is never the whole before the end. */
static void test_walk(void **state)
{
    (void)state;
    struct trace_source *source = open_source("CORR:n=96");
    struct extent extent;
    struct machine machine;
    load(&machine);
    assert_int_equal(extent_measure(source, machine.coalescer.arch, NULL, &extent), STATUS_OK);
    struct extent_walk walk;
    struct follower follower = {0};
    extent_walk_begin(&extent, &walk);
    double done = 0;
    for (uint32_t l = 0; l < source->launch_count; l++) {
        extent_walk_launch(&walk, done);
        for (int step = 0; step < 300; step++) /* three times what was expected */
            follow(&follower, extent_walk_share(&walk, done += extent.work[l] / 100));
    }
    assert_true(follower.last > 0.9);
    follower = (struct follower){0};
    const struct evaluate_options options = {
        .extent = &extent, .progress = follow, .argument = &follower};
    struct metrics metrics;
    assert_int_equal(evaluate(&machine, source, &options, &metrics, NULL), STATUS_OK);
    extent_free(&extent);
    trace_source_free(source);
}

static void test_cancel(void **state)
{
    (void)state;
    struct trace_source *source = open_source("GEMM:n=64");
    struct extent extent;
    atomic_bool cancel = true;
    assert_int_equal(extent_measure(source, 20, &cancel, &extent), STATUS_CANCELLED);
    assert_null(extent.work);
    trace_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_totals),
        cmocka_unit_test(test_walk),
        cmocka_unit_test(test_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
