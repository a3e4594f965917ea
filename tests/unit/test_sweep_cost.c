/* What a pass is said to take. How that follows from its head is in test_pass_head.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "explore/sweep/sweep_cost.h"
#include "workload/workload.h"

static double cost_of(const char *name, const atomic_bool *cancel)
{
    struct trace_source *source;
    struct machine whole, machine;
    machine_defaults(&whole);
    stage_machine(&whole, STAGE_STREAM | STAGE_TLB, &machine);
    assert_int_equal(workload_open(name, &source, NULL), STATUS_OK);
    const struct simulation simulation = {.question = {.depth = DEPTH_FUNCTIONAL,
                                                       .stages = STAGE_STREAM | STAGE_TLB,
                                                       .asked = STAGE_TLB},
                                          .source = source};
    const double seconds = cost_of_pass(&simulation, &machine, 1, 0.01, cancel);
    trace_source_free(source);
    return seconds;
}

static void a_pass_takes_time(void **state)
{
    (void)state;
    const atomic_bool cancel = false;
    assert_true(cost_of("MVT:n=64", NULL) > 0);    /* to its end */
    assert_true(cost_of("GEMM:n=512", NULL) > 0);  /* its head */
    assert_true(cost_of("MVT:n=64", &cancel) > 0); /* nobody asks to stop */
}

/* Who asks to stop waits for no measurement: even a short pass is left before it reports. */
static void a_measurement_can_be_stopped(void **state)
{
    (void)state;
    const atomic_bool cancel = true;
    assert_true(cost_of("MVT:n=64", &cancel) == 0);
    assert_true(cost_of("GEMM:n=512", &cancel) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pass_takes_time),
        cmocka_unit_test(a_measurement_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
