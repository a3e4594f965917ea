/* Estimates: the interval contains the exact value, and a result that is not an estimate is marked
 * as exact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>

#include "model/evaluate.h"
#include "support/same_metrics.h"
#include "support/sanitized.h"
#include "workload/workload.h"

static const char *const watched[] = {"stream.transactions", "l1d.accesses", "l1d.miss_rate",
                                      "l1d.read_bytes",      "l2.miss_rate", "l2.read_bytes",
                                      "tlb.hit_rate",        "walk.count",   "walk.memory_accesses",
                                      "l2tlb.hit_rate"};
enum { WATCHED = sizeof watched / sizeof *watched };

static struct trace_source *open_workload(const char *name)
{
    struct trace_source *source = NULL;
    assert_int_equal(workload_open(name, &source, NULL), STATUS_OK);
    return source;
}

/* Counts how many watched metrics lie outside of their interval; *given counts all that the
 * estimate speaks of. */
static unsigned outside(const char *workload, uint64_t seed, unsigned *given)
{
    struct trace_source *source = open_workload(workload);
    struct machine machine;
    struct metrics exact, estimate, error;
    bool is_exact;
    unsigned wrong = 0;
    machine_defaults(&machine);
    machine.seed = seed;
    machine.l2tlb.enabled = seed == 3;
    machine.l2tlb.entries = 64;
    machine.walker.policy = seed == 2 ? WALKER_SJF : WALKER_FCFS;
    assert_int_equal(evaluate(&machine, source, NULL, &exact, NULL), STATUS_OK);
    assert_int_equal(
        evaluate_sampled(&machine, source, 0.05, NULL, &estimate, &error, &is_exact, NULL),
        STATUS_OK);
    for (size_t i = 0; i < WATCHED && !is_exact; i++) {
        const struct metric *metric = metric_find(watched[i]);
        double value = metric_get(metric, &estimate);
        if (isnan(value))
            continue;
        double reach = metric_get(metric, &error);
        assert_true(reach >= 0);
        (*given)++;
        wrong += fabs(value - metric_get(metric, &exact)) > reach;
    }
    trace_source_free(source);
    return wrong;
}

/* 95 % intervals; one in ten outside is still no surprise among so few, twice that would be. */
static void test_intervals_hold_the_exact_value(void **state)
{
    (void)state;
    static const char *const workloads_tried[] = {"2DCONV:n=1600", "2DCONV:n=2048",
                                                  "3DCONV:ni=34,nj=256,nk=256", "BFS:nodes=262144"};
    unsigned given = 0, wrong = 0;
    for (size_t i = 0; i < 4; i++)
        for (uint64_t seed = 1; seed <= 3; seed++)
            wrong += outside(workloads_tried[i], seed, &given);
    print_message("%u of %u outside\n", wrong, given);
    assert_true(given >= 60);
    assert_true(wrong * 10 <= given);
}

/* All programs, on one SM that holds one block, so that small ones have enough waves. The rest of
 * what an estimate speaks of lies inside for nine metrics in ten of each program. */
static void check_program(const char *workload)
{
    struct trace_source *source = open_workload(workload);
    unsigned given = 0, wrong = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct machine machine;
        struct metrics exact, estimate, error;
        bool is_exact;
        machine_defaults(&machine);
        machine.gpu.sms = machine.gpu.max_blocks = 1;
        machine.seed = seed;
        assert_int_equal(evaluate(&machine, source, NULL, &exact, NULL), STATUS_OK);
        assert_int_equal(
            evaluate_sampled(&machine, source, 0.05, NULL, &estimate, &error, &is_exact, NULL),
            STATUS_OK);
        for (size_t i = 0; i < METRIC_COUNT; i++) {
            double value = metric_get(&metric_table[i], &estimate);
            double truth = metric_get(&metric_table[i], &exact);
            double reach = metric_get(&metric_table[i], &error) + 1e-9 * fabs(truth);
            if (metric_table[i].stage == STAGE_AREA || isnan(value) || isnan(truth))
                continue;
            given++;
            wrong += fabs(value - truth) > reach;
        }
    }
    print_message("%-40s %2u of %2u outside\n", workload, wrong, given);
    assert_true(given > 40);
    assert_true(10 * wrong <= given);
    trace_source_free(source);
}

enum { PROGRAM_STEP = SANITIZED ? 6 : 1 };

static void test_all_programs(void **state)
{
    (void)state;
    static const char *const programs_tried[] = {"2DCONV:n=512",
                                                 "3DCONV:ni=24,nj=128,nk=128",
                                                 "GEMM:n=256,nk=32",
                                                 "2MM:n=160",
                                                 "3MM:n=160",
                                                 "GRAMSCHMIDT:n=160",
                                                 "ATAX:n=1024,block_x=8",
                                                 "BICG:n=1024,block_x=8",
                                                 "MVT:n=1024,block_x=8",
                                                 "CORR:n=96",
                                                 "COVAR:n=96",
                                                 "GESUMMV:n=1024,block_x=4",
                                                 "SYRK:n=192",
                                                 "SYR2K:n=192",
                                                 "FDTD-2D:n=128,steps=10",
                                                 "BFS:nodes=32768",
                                                 "BACKPROP:n=16384",
                                                 "HOTSPOT:n=512",
                                                 "PATHFINDER:columns=50000",
                                                 "B+TREE:ranges=500,points=500",
                                                 "DWT2D:width=512,height=512",
                                                 "STREAMCLUSTER:points=65536,dimensions=4",
                                                 "BFS-ISPASS:nodes=32768",
                                                 "AES:bytes=1000000",
                                                 "STO:threads=49152",
                                                 "RAY:width=256,height=256",
                                                 "MUM:queries=50000,length=20000",
                                                 "CUTCP",
                                                 "HISTO:width=512,height=512",
                                                 "LBM:nx=64,ny=64,nz=16",
                                                 "MRI-Q:voxels=65536,samples=64",
                                                 "SGEMM:k=64",
                                                 "SPMV:calls=1",
                                                 "STENCIL:nx=64,ny=64"};
    for (size_t i = 0; i < sizeof programs_tried / sizeof *programs_tried; i += PROGRAM_STEP)
        check_program(programs_tried[i]);
}

/* The default machine, whole and sampled; returns whether the sample was all of the workload. */
static bool evaluate_both(const char *workload, double share, struct metrics *exact,
                          struct metrics *estimate, struct metrics *error)
{
    struct trace_source *source = open_workload(workload);
    struct machine machine;
    bool is_exact;
    machine_defaults(&machine);
    assert_int_equal(evaluate(&machine, source, NULL, exact, NULL), STATUS_OK);
    assert_int_equal(
        evaluate_sampled(&machine, source, share, NULL, estimate, error, &is_exact, NULL),
        STATUS_OK);
    trace_source_free(source);
    return is_exact;
}

/* Formulas are the same for every window, and no window knows what fills a page-walk cache. */
static void test_what_is_not_sampled(void **state)
{
    (void)state;
    struct metrics exact, estimate, error;
    bool is_exact = evaluate_both("2DCONV:n=2048", 0.05, &exact, &estimate, &error);
    assert_false(is_exact);
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        double value = metric_get(metric, &exact);
        assert_true(metric->stage != STAGE_AREA || isnan(value) ||
                    metric_get(metric, &estimate) == value);
    }
    assert_true(isnan(estimate.pwc_redundancy) && !isnan(exact.pwc_redundancy));
}

static void test_small_sources_are_exact(void **state)
{
    (void)state;
    struct metrics exact, estimate, error;
    bool is_exact = evaluate_both("2DCONV:n=64", 0.5, &exact, &estimate, &error);
    assert_true(is_exact);
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        double a = metric_get(&metric_table[i], &exact);
        double b = metric_get(&metric_table[i], &estimate);
        assert_true(same_number(a, b));
        assert_true(metric_get(&metric_table[i], &error) == 0);
    }
}

/* A window of one SM is shorter than a batch of requests: its warm-up must end all the same. */
static void test_short_windows_are_counted(void **state)
{
    (void)state;
    struct trace_source *source = open_workload("2DCONV:n=1024");
    struct machine machine;
    struct metrics estimate, error;
    bool is_exact;
    machine_defaults(&machine);
    machine.gpu.sms = 1;
    assert_int_equal(
        evaluate_sampled(&machine, source, 0.1, NULL, &estimate, &error, &is_exact, NULL),
        STATUS_OK);
    assert_false(is_exact);
    assert_true(estimate.stream_transactions > 0);
    assert_true(estimate.l1d_accesses > 0);
    trace_source_free(source);
}

/* Parts of the grid in time: one launch, many launches, and one that is too small. */
static void test_parts_of_a_timed_run(void **state)
{
    (void)state;
    static const char *const programs[] = {"2DCONV:n=320", "3DCONV:ni=24,nj=64,nk=64",
                                           "HOTSPOT:n=256", "2DCONV:n=64"};
    static const char *const times[] = {"core.cycles", "core.ipc", "memory.latency.mean"};
    const struct evaluate_options options = {.depth = DEPTH_TIMING};
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        struct trace_source *source = open_workload(programs[p]);
        struct machine machine;
        struct metrics exact, estimate, error;
        bool is_exact;
        machine_defaults(&machine);
        machine.gpu.sms = 4;
        assert_int_equal(evaluate(&machine, source, &options, &exact, NULL), STATUS_OK);
        assert_int_equal(
            evaluate_sampled(&machine, source, 0.05, &options, &estimate, &error, &is_exact, NULL),
            STATUS_OK);
        print_message("%-30s %9.0f +- %7.0f, exact %9.0f\n", programs[p], estimate.core_cycles,
                      error.core_cycles, exact.core_cycles);
        assert_int_equal(is_exact, p + 1 == sizeof programs / sizeof *programs);
        for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
            const struct metric *metric = metric_find(times[i]);
            const double truth = metric_get(metric, &exact), reach = metric_get(metric, &error);
            assert_true(is_exact ? reach == 0 : reach > 0);
            /* Caches that fill slowly may take it out of the interval, but not far. */
            assert_true(fabs(metric_get(metric, &estimate) - truth) <= reach + 0.15 * truth);
        }
        trace_source_free(source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_intervals_hold_the_exact_value),
        cmocka_unit_test(test_all_programs),
        cmocka_unit_test(test_what_is_not_sampled),
        cmocka_unit_test(test_small_sources_are_exact),
        cmocka_unit_test(test_short_windows_are_counted),
        cmocka_unit_test(test_parts_of_a_timed_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
