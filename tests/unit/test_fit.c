#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "explore/space/fit.h"
#include "explore/sweep/sweep.h"
#include "model/gpu/occupancy.h"
#include "support/study_builder.h"
#include "support/sweep_twin.h"
#include "workload/workload.h"

/* Both programs have blocks of 256 threads. */
static const char base[] = "machine: gtx480\n"
                           "workloads: [2DCONV:n=64, ATAX:n=96]\n"
                           "objectives: [l1d.misses]\n"
                           "axes:\n"
                           "  l1d.size: [16KiB, 32KiB]\n"
                           "  gpu.max_threads: [64, 128, 256, 1536]\n"
                           "  l1d.index: [linear, fermi]\n"
                           "  gpu.max_blocks: [1, 8]\n";

static bool runs(const struct machine *machine, const struct trace_source *source)
{
    for (uint32_t i = 0; i < source->launch_count; i++)
        if (!occupancy_of(machine, &source->launches[i]).blocks)
            return false;
    return true;
}

/* Machine by machine, how many cannot run the workload. */
static uint64_t misfits(const struct space *space, const struct census *census,
                        const struct trace_source *source)
{
    uint64_t count = 0;
    for (uint64_t m = 0; m < space->machines; m++) {
        struct machine machine;
        space_machine(space, m, &machine);
        count += bit_test(census->bitmap, m) && !runs(&machine, source);
    }
    return count;
}

static void check(const char *where, bool fits)
{
    char text[1024], expected[64];
    struct study study;
    struct space space;
    struct census census = {0};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    snprintf(text, sizeof text, "%s%s", base, where);
    study_from_text(text, &study);
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    assert_int_equal(space_census(&space, &census, NULL), STATUS_OK);
    struct trace_source *sources[2];
    for (size_t w = 0; w < 2; w++)
        assert_int_equal(workload_open(study.workloads[w], &sources[w], NULL), STATUS_OK);
    assert_int_equal(fit_check(&space, &census, sources, &diagnostics),
                     fits ? STATUS_OK : STATUS_INVALID);
    size_t said = 0;
    for (size_t w = 0; w < 2; w++) {
        uint64_t count = misfits(&space, &census, sources[w]);
        snprintf(expected, sizeof expected, "%s cannot run on %d machines", study.workloads[w],
                 (int)count);
        assert_true(!count || diagnostics_mention(&diagnostics, expected));
        said += count > 0;
        trace_source_free(sources[w]);
    }
    assert_int_equal(diagnostics.count, said);
    assert_int_equal(said == 0, fits);
    diagnostics_free(&diagnostics);
    census_free(&census);
    study_free(&study);
}

static void test_machines_that_cannot_run(void **state)
{
    (void)state;
    check("", false);
    check("where: [gpu.max_threads <> 64]\n", false);
    check("where: [gpu.max_threads > 128]\n", true);
    check("where: [gpu.max_threads > 128 or l1d.size < 32KiB]\n", false);
}

/* Before the first simulation, and before there is a store. */
static void test_sweep_refuses(void **state)
{
    (void)state;
    struct study study;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    study_from_text(base, &study);
    const struct sweep_options options = {.store = scratch_store(), .threads = 1};
    assert_int_equal(sweep_run(&study, &options, NULL, &diagnostics), STATUS_INVALID);
    assert_true(diagnostics_mention(&diagnostics, "gpu.max_threads=64"));
    assert_true(diagnostics_mention(&diagnostics, "its threads do not"));
    assert_int_not_equal(access(options.store, F_OK), 0);
    diagnostics_free(&diagnostics);
    study_free(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_machines_that_cannot_run),
        cmocka_unit_test(test_sweep_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
