/* Kept loads: what is there is not read again, the machine used least recently goes first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "explore/live/kept_loads.h"
#include "model/reuse/loads.h"
#include "workload/workload.h"

static struct machine machine_of(uint64_t sms)
{
    struct machine machine;
    assert_int_equal(machine_load("reuse-gtx470-16k", NULL, &machine, NULL, NULL), STATUS_OK);
    machine.gpu.sms = sms;
    return machine;
}

static void two_machines_are_kept(void **state)
{
    (void)state;
    const struct evaluate_options options = {.depth = DEPTH_REUSE};
    const struct machine machines[] = {machine_of(1), machine_of(2), machine_of(3)};
    const struct reuse_loads *loads[3], *again;
    struct kept_loads kept = {0};
    struct trace_source *source;
    assert_int_equal(workload_open("ATAX:n=64", &source, NULL), STATUS_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(kept_loads_get(&kept, &machines[i], source, &options, &loads[i], NULL),
                         STATUS_OK);
        assert_true(reuse_loads_serve(loads[i], &machines[i]));
    }
    /* The first is used again, so the second makes room for the third. */
    assert_int_equal(kept_loads_get(&kept, &machines[0], source, &options, &again, NULL),
                     STATUS_OK);
    assert_ptr_equal(again, loads[0]);
    assert_int_equal(kept_loads_get(&kept, &machines[2], source, &options, &loads[2], NULL),
                     STATUS_OK);
    assert_ptr_equal(kept.places[0], loads[2]);
    assert_ptr_equal(kept.places[1], loads[0]);
    kept_loads_forget(&kept);
    assert_null(kept.places[0]);
    assert_null(kept.places[1]);
    trace_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_machines_are_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
