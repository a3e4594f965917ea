/* The timing depth by instruction, by launch and over time: the parts add up to the whole, and
 * asking for them changes nothing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "model/cache/pc_table.h"
#include "model/evaluate.h"
#include "model/timing/base/timing_log.h"
#include "model/timing/gpu.h"
#include "model/timing/snapshots.h"
#include "workload/workload.h"

/* Several launches with loads, stores and shared memory; the third has atomics. */
static const char *const names[] = {"ATAX:n=64", "BACKPROP:n=1024",
                                    "HISTO:width=64,height=64,bins_y=64"};

static struct machine machine;

static int set_up(void **state)
{
    (void)state;
    return machine_load("gtx480-accelsim", NULL, &machine, NULL, NULL);
}

static struct trace_source *open_named(const char *name)
{
    struct trace_source *source;
    assert_int_equal(workload_open(name, &source, NULL), STATUS_OK);
    return source;
}

static struct gpu_counts run(const struct trace_source *source, struct pc_table *pcs)
{
    struct gpu_counts counts = {0};
    struct gpu_totals *totals = calloc(1, sizeof *totals);
    const struct gpu_options options = {.threads = 1, .pcs = pcs};
    assert_int_equal(gpu_run(&machine, source, &options, &counts, totals, NULL), STATUS_OK);
    free(totals);
    return counts;
}

static uint64_t total(const uint64_t *counts, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += counts[i];
    return sum;
}

static void test_instructions_add_up(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct trace_source *source = open_named(names[i]);
        struct pc_table pcs = {0};
        const struct gpu_counts plain = run(source, NULL), counts = run(source, &pcs);
        assert_memory_equal(&plain, &counts, sizeof counts);
        struct pc_count sum = pcs.others;
        for (size_t j = 0; j < pcs.count; j++)
            pc_count_add(&sum, &pcs.items[j]);
        const uint64_t *reads = counts.l1d.reads, *writes = counts.l1d.writes;
        assert_true(sum.accesses && sum.stalls && sum.loads);
        assert_int_equal(sum.accesses, total(reads, UNIT_OUTCOMES) + total(writes, UNIT_OUTCOMES));
        assert_int_equal(sum.misses, reads[UNIT_MISS] + reads[UNIT_SECTOR_MISS] +
                                         writes[UNIT_MISS] + writes[UNIT_SECTOR_MISS]);
        assert_int_equal(sum.pending, reads[UNIT_PENDING] + writes[UNIT_PENDING]);
        assert_int_equal(sum.loads, counts.sm.loads);
        assert_int_equal(sum.load_cycles, counts.sm.load_cycles);
        assert_int_equal(sum.stalls, total(counts.sm.memory_slots, MEMORY_SLOT_COUNT));
        pc_table_sort(&pcs);
        for (size_t j = 1; j < pcs.count; j++)
            assert_true(pcs.items[j].stalls <= pcs.items[j - 1].stalls);
        pc_table_free(&pcs);
        trace_source_free(source);
    }
}

/* What one saw of a run that goes on. */
struct watch {
    size_t seen;
    uint64_t accesses; /* of the last table */
};

static void ignore_share(void *argument, double share)
{
    (void)argument;
    (void)share;
}

static void watch(void *context, struct pc_table *so_far)
{
    struct watch *seen = context;
    struct pc_count sum = so_far->others;
    pc_table_sort(so_far);
    for (size_t i = 0; i < so_far->count; i++)
        pc_count_add(&sum, &so_far->items[i]);
    assert_true(sum.accesses >= seen->accesses);
    seen->accesses = sum.accesses;
    seen->seen++;
}

/* A run shows its counts by instruction while it goes on: they grow, also from launch to launch,
 * end at those of the whole run and change nothing. */
static void test_instructions_are_watched(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct trace_source *source = open_named(names[i]);
        struct pc_table pcs = {0}, plain = {0};
        struct watch seen = {0};
        struct metrics metrics, alone;
        struct evaluate_options options = {.depth = DEPTH_TIMING, .pcs = &plain};
        assert_int_equal(evaluate(&machine, source, &options, &alone, NULL), STATUS_OK);
        options.pcs = &pcs;
        options.progress = ignore_share;
        options.interval = 1e-9;
        options.watched = watch;
        options.watched_context = &seen;
        assert_int_equal(evaluate(&machine, source, &options, &metrics, NULL), STATUS_OK);
        assert_true(seen.seen > 1);
        assert_true((double)seen.accesses == metrics.l1d_accesses);
        assert_true(metrics.core_cycles == alone.core_cycles);
        assert_int_equal(pcs.count, plain.count);
        for (size_t k = 0; k < pcs.count; k++)
            assert_memory_equal(&pcs.items[k], &plain.items[k], sizeof *pcs.items);
        pc_table_free(&pcs);
        pc_table_free(&plain);
        trace_source_free(source);
    }
}

/* The mean share of a load's executions lies where its accesses put it, and a table added to an
 * empty one is the same table. */
static void test_executions(void **state)
{
    (void)state;
    struct pc_executions executions = {0};
    assert_true(isnan(pc_executions_mean(&executions)));
    assert_true(isnan(pc_executions_error(&executions, 50)));
    pc_execution_add(&executions, 0);
    pc_execution_add(&executions, 0.5);
    pc_execution_add(&executions, 1);
    pc_execution_add(&executions, 0.5);
    assert_true(pc_executions_mean(&executions) == 0.5);
    assert_true(fabs(pc_executions_error(&executions, 50) - sqrt(0.125 / 50)) < 1e-12);
    struct trace_source *source = open_named(names[0]);
    struct pc_table pcs = {0}, copy = {0};
    run(source, &pcs);
    for (size_t i = 0; i < pcs.count; i++) {
        const struct pc_count *count = &pcs.items[i];
        const double mean = pc_executions_mean(&count->executions);
        if (!count->executions.count)
            continue;
        assert_int_equal(count->executions.count, count->loads);
        assert_true(mean >= 0 && mean <= 1);
        assert_true((mean > 0) == (count->misses > 0));
    }
    assert_int_equal(pc_table_add(&copy, &pcs), STATUS_OK);
    assert_int_equal(copy.count, pcs.count);
    for (size_t i = 0; i < pcs.count; i++)
        assert_memory_equal(&copy.items[i], &pcs.items[i], sizeof *pcs.items);
    pc_table_free(&copy);
    pc_table_free(&pcs);
    trace_source_free(source);
}

static struct metrics evaluated(const struct trace_source *source, struct timing_log *log)
{
    struct metrics metrics;
    const struct evaluate_options options = {.depth = DEPTH_TIMING, .log = log};
    assert_int_equal(evaluate(&machine, source, &options, &metrics, NULL), STATUS_OK);
    return metrics;
}

/* Parts follow each other, and the counts of all of them are those of the run. */
static void check_parts(const struct timing_parts *parts, const struct metrics *whole)
{
    double cycles = 0, instructions = 0, misses = 0, bytes = 0, fails = 0;
    uint64_t end = 0;
    for (size_t i = 0; i < parts->count; i++) {
        const struct timing_part *part = &parts->items[i];
        const struct metrics *metrics = &part->metrics;
        assert_true(part->begin == end && part->end > end);
        end = part->end;
        assert_true(metrics->core_cycles == (double)(part->end - part->begin));
        assert_true(metrics->core_ipc == metrics->stream_warp_instructions / metrics->core_cycles);
        cycles += metrics->core_cycles;
        instructions += metrics->stream_warp_instructions;
        misses += metrics->l1d_misses;
        bytes += metrics->dram_bytes;
        fails += metrics->l1d_fails;
    }
    assert_true(cycles == whole->core_cycles && end == (uint64_t)whole->core_cycles);
    assert_true(instructions == whole->stream_warp_instructions);
    assert_true(misses == whole->l1d_misses && bytes == whole->dram_bytes);
    assert_true(fails == whole->l1d_fails);
}

static void test_parts_add_up(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct trace_source *source = open_named(names[i]);
        const struct metrics plain = evaluated(source, NULL);
        for (uint32_t intervals = 1; intervals <= 64; intervals *= 4) {
            struct timing_log log = {.by_launch = true, .intervals = intervals};
            const struct metrics metrics = evaluated(source, &log);
            assert_memory_equal(&plain, &metrics, sizeof metrics);
            assert_int_equal(log.launches.count, source->launch_count);
            assert_in_range(log.times.count, intervals < 8 ? intervals : 8, intervals);
            check_parts(&log.launches, &metrics);
            check_parts(&log.times, &metrics);
            timing_log_free(&log);
        }
        trace_source_free(source);
    }
}

/* However long a run, its snapshots stay few, in order, and nearly equally far apart. */
static void test_snapshots_are_bounded(void **state)
{
    (void)state;
    for (uint64_t end = 10; end <= 10000000; end *= 10) {
        struct snapshots snapshots;
        uint64_t next = 0;
        assert_int_equal(snapshots_init(&snapshots, 64), STATUS_OK);
        for (uint64_t cycle = 1; cycle < end; cycle += 1 + cycle % 7)
            if (cycle >= next)
                next = snapshots_add(&snapshots, &(struct gpu_counts){.cycles = cycle});
        assert_in_range(snapshots.count, end < 200 ? 1 : 32, 64);
        for (size_t i = 1; i < snapshots.count; i++) {
            const uint64_t before = snapshots.items[i - 1].cycles;
            assert_true(snapshots.items[i].cycles > before);
            assert_true(snapshots.items[i].cycles - before <= end / 16 + 8);
        }
        assert_true(end - snapshots.items[snapshots.count - 1].cycles <= end / 16 + 8);
        snapshots_free(&snapshots);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instructions_add_up), cmocka_unit_test(test_instructions_are_watched),
        cmocka_unit_test(test_executions), cmocka_unit_test(test_parts_add_up),
        cmocka_unit_test(test_snapshots_are_bounded)};
    return cmocka_run_group_tests(tests, set_up, NULL);
}
