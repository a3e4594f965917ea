/* Predictions of passes against the passes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "explore/sweep/sweep_cost.h"
#include "model/gpu/extent.h"
#include "workload/workload.h"

enum { MACHINES = 4 };

/* Machines of one stream with TLBs of their own. */
static void make_machines(struct machine machines[MACHINES])
{
    for (size_t i = 0; i < MACHINES; i++) {
        struct machine machine;
        machine_defaults(&machine);
        machine.tlb.entries = UINT64_C(8) << i;
        machine.tlb.replacement = REPLACEMENT_FIFO;
        stage_machine(&machine, STAGE_STREAM | STAGE_TLB | STAGE_PWC, &machines[i]);
    }
}

/* Within a factor of three, in processor time, so that it holds on a busy machine: programs whose
 * head is like the rest, and one that begins slowly, where its tree is not in the caches yet. */
static void predictions_are_near(void **state)
{
    (void)state;
    static const char *const names[] = {"MVT:n=1024", "B+TREE:keys=1000000,points=16384,ranges=4"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct trace_source *source;
        struct extent extent;
        struct machine machines[MACHINES];
        struct metrics metrics[MACHINES];
        make_machines(machines);
        assert_int_equal(workload_open(names[i], &source, NULL), STATUS_OK);
        assert_int_equal(extent_measure(source, machines[0].coalescer.arch, NULL, &extent),
                         STATUS_OK);
        const unsigned stages = STAGE_STREAM | STAGE_TLB | STAGE_PWC;
        const struct simulation simulation = {.question = {.depth = DEPTH_FUNCTIONAL,
                                                           .stages = stages,
                                                           .asked = STAGE_TLB | STAGE_PWC},
                                              .source = source,
                                              .extent = &extent};
        double said = cost_of_pass(&simulation, machines, MACHINES, 0.01, NULL);
        double taken = clock_processor_seconds();
        assert_int_equal(simulate(&simulation, machines, MACHINES, metrics, NULL, NULL), STATUS_OK);
        taken = clock_processor_seconds() - taken;
        if (said > 3 * taken || said < taken / 3)
            fail_msg("%s: %.3f s said, %.3f s taken", names[i], said, taken);
        extent_free(&extent);
        trace_source_free(source);
    }
}

/* Who asks to stop waits for no measurement. */
static void a_measurement_can_be_stopped(void **state)
{
    (void)state;
    const atomic_bool cancel = true;
    struct trace_source *source;
    struct machine machines[MACHINES];
    make_machines(machines);
    assert_int_equal(workload_open("GEMM:n=512", &source, NULL), STATUS_OK);
    const struct simulation simulation = {.question = {.depth = DEPTH_FUNCTIONAL,
                                                       .stages = STAGE_STREAM | STAGE_TLB,
                                                       .asked = STAGE_TLB},
                                          .source = source};
    double begin = clock_processor_seconds();
    cost_of_pass(&simulation, machines, MACHINES, 10, &cancel);
    assert_true(clock_processor_seconds() - begin < 1);
    trace_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predictions_are_near),
        cmocka_unit_test(a_measurement_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
