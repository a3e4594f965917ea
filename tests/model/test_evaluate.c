/* Sharing stages changes no number: evaluate_many against evaluate, sampling against the whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>
#include <stdatomic.h>

#include "base/rng.h"
#include "config/machine_file.h"
#include "model/evaluate.h"
#include "model/launch_parts.h"
#include "model/translation/walk_unit.h"
#include "support/list_source.h"
#include "support/roll_machine.h"
#include "support/same_metrics.h"
#include "support/sanitized.h"
#include "support/shared_pass.h"
#include "support/timed_source.h"
#include "trace/assumed.h"
#include "workload/workload.h"

/* A machine whose stages come from small sets, so that many machines share some of them. */
static struct machine random_machine(uint64_t seed, uint64_t arch)
{
    static const uint64_t sizes[] = {2048, 4096, 8192};
    struct machine machine;
    uint64_t draw = 0;
    machine_defaults(&machine);
    machine.gpu.sms = 3;
    machine.coalescer.arch = arch;
    machine.l1d.enabled = random_at(seed, draw++) % 8 != 0;
    machine.l1d.index = INDEX_MODULO;
    machine.l1d.texture = arch == 20; /* of the stream: the same in one pass */
    machine.l1d.size = sizes[random_at(seed, draw++) % 3];
    machine.l1d.ways = UINT64_C(1) << random_at(seed, draw++) % 3;
    machine.l1d.sector = random_at(seed, draw++) & 1 ? 32 : 128;
    machine.l1d.replacement = (int)(random_at(seed, draw++) % 3);
    machine.l1d.flush = (int)(random_at(seed, draw++) & 1);
    machine.l1d.write = random_at(seed, draw++) & 1 ? WRITE_BACK : WRITE_EVICT;
    machine.l2.enabled = random_at(seed, draw++) % 8 != 0;
    machine.l2.slices = 4;
    machine.l2.ways = 4;
    machine.l2.size = sizes[random_at(seed, draw++) % 3] * 4;
    machine.l2.partition = (int)(random_at(seed, draw++) % 3);
    machine.tlb.enabled = random_at(seed, draw++) % 8 != 0;
    machine.tlb.entries = machine.tlb.ways = UINT64_C(2) << random_at(seed, draw++) % 2;
    machine.page.size = random_at(seed, draw++) & 1 ? 4096 : 65536;
    machine.pwc.organization = (int)(random_at(seed, draw++) % PWC_COUNT);
    machine.pwc.entries = 4;
    machine.l2tlb.enabled = (int)(random_at(seed, draw++) & 1);
    machine.l2tlb.entries = 16;
    machine.l2tlb.ways = UINT64_C(4) << random_at(seed, draw++) % 2;
    machine.walker.policy = (int)(random_at(seed, draw++) & 1);
    machine.walker.merge = random_at(seed, draw++) % 4 == 0;
    machine.walker.count = 1 + random_at(seed, draw++) % 2;
    machine.walker.l2 = random_at(seed, draw++) % 3 == 0;
    machine.pwc.ways = UINT64_C(1) << random_at(seed, draw++) % 3;
    struct violation violations[VIOLATION_MAX];
    assert_int_equal(machine_check(&machine, violations), 0);
    return machine;
}

static void test_many_equal_one_by_one(void **state)
{
    (void)state;
    enum { MACHINES = 24 };
    for (uint64_t seed = 1; seed <= ROLLS(6); seed++) {
        struct list_source *source = list_source_random(seed, 2, 12, 60, 400);
        if (seed % 3 == 0)
            list_source_mix_spaces(source, seed);
        struct machine machines[MACHINES];
        const struct machine *list[MACHINES];
        struct metrics many[MACHINES], one;
        struct evaluate_options options = {.needs = NEED_ALL};
        for (size_t i = 0; i < MACHINES; i++) {
            machines[i] = random_machine(seed * 1000 + i, seed & 1 ? 20 : 75);
            list[i] = &machines[i];
        }
        assert_int_equal(evaluate_many(list, MACHINES, &source->base, &options, many, NULL),
                         STATUS_OK);
        for (size_t i = 0; i < MACHINES; i++) {
            assert_int_equal(evaluate(&machines[i], &source->base, &options, &one, NULL),
                             STATUS_OK);
            assert_same_metrics(&many[i], &one);
            if (machines[i].l1d.enabled) {
                assert_true(one.l1d_accesses > 0);
                assert_true(one.l1d_miss_compulsory + one.l1d_miss_flush + one.l1d_miss_store +
                                one.l1d_miss_capacity + one.l1d_miss_conflict ==
                            one.l1d_misses);
                /* No policy beats the optimum on the same requests. (With sectors it places
                 * whole lines, which bounds line misses only.) */
                if (machines[i].l1d.sector == machines[i].l1d.line)
                    assert_true(one.l1d_opt_miss_rate <= one.l1d_miss_rate + 1e-12);
            }
        }
        trace_source_free(&source->base);
    }
}

/* A random machine of a few SMs, and one beside it that the same stream serves. */
static void roll_neighbours(struct dice *dice, struct machine machines[2])
{
    machine_defaults(&machines[0]);
    machines[0].gpu.cluster = 1;
    roll_sms(dice, &machines[0]);
    machines[0].gpu.max_blocks = 1 + roll(dice, 3);
    roll_machine(dice, &machines[0], 6, false);
    machines[1] = machines[0];
    for (size_t i = 0; i < parameter_count; i++)
        if (!(parameters[i].stages & STAGE_STREAM) && roll(dice, 4) == 0)
            roll_parameter(dice, &parameters[i], &machines[1], false);
    machines[0].l1i.fetches = (int)roll(dice, 2);
    machines[1].l1i.fetches = !machines[0].l1i.fetches;
}

/* Whatever the machines of a pass differ in, be it that only one of them fetches instructions, each
 * gets the answer that it gets alone. */
static void test_neighbours_change_nothing(void **state)
{
    (void)state;
    unsigned compared = 0;
    for (uint64_t seed = 1; seed <= ROLLS(60); seed++) {
        struct dice dice = {.seed = seed};
        const struct timed_shape shape = {2,  12, 3,
                                          40, 60, TIMED_ALL | TIMED_TEXTURES | TIMED_GAPS};
        struct timed_source *source = timed_source_random(seed, &shape);
        struct machine machines[2];
        roll_neighbours(&dice, machines);
        const struct machine *const both[] = {&machines[0], &machines[1]};
        const struct evaluate_options options = {.needs = seed % 3 ? NEED_ALL : 0};
        struct metrics together[2], alone;
        if (machine_runs_kernels(both[0]) && machine_runs_kernels(both[1]) &&
            machine_same(both[0], both[1], STAGE_STREAM) && machine_fits(both[0], &source->base) &&
            machine_can_run(both[0], DEPTH_FUNCTIONAL) &&
            machine_can_run(both[1], DEPTH_FUNCTIONAL)) {
            assert_int_equal(evaluate_many(both, 2, &source->base, &options, together, NULL), 0);
            for (size_t i = 0; i < 2; i++) {
                assert_int_equal(evaluate(both[i], &source->base, &options, &alone, NULL), 0);
                assert_same_metrics(&together[i], &alone);
            }
            compared++;
        }
        trace_source_free(&source->base);
    }
    assert_true(compared >= ROLLS(30));
}

/* The same numbers whoever helps, in any number of groups; of look-ups alone too, which share
 * grids. */
static void test_groups_and_threads_do_not_matter(void **state)
{
    (void)state;
    enum { MACHINES = 12 };
    for (uint64_t seed = 1; seed <= ROLLS(12); seed++) {
        struct list_source *source = list_source_random(seed, 2, 12, 60, 400);
        if (seed % 3 == 0)
            list_source_mix_spaces(source, seed);
        struct machine machines[MACHINES];
        const struct machine *list[MACHINES];
        struct metrics alone[MACHINES], shared[MACHINES];
        struct evaluate_options options = {.needs = seed % 3 ? NEED_ALL : 0,
                                           .share = seed % 3 ? SHARE_NOTHING : SHARE_LOOKUPS};
        for (size_t i = 0; i < MACHINES; i++) {
            machines[i] = random_machine(seed * 1000 + i, 20);
            if (options.share)
                machines[i].l2.enabled = machines[i].pwc.organization = 0;
            list[i] = &machines[i];
        }
        assert_int_equal(evaluate_many(list, MACHINES, &source->base, &options, alone, NULL),
                         STATUS_OK);
        options.pool = pass_pool_create();
        options.groups = 1 + seed % 7;
        struct shared_pass pass = {list, MACHINES, &source->base, &options, shared, false, 0};
        shared_pass_run(&pass, 1 + (unsigned)(seed % 8));
        for (size_t i = 0; i < MACHINES; i++)
            assert_same_metrics(&shared[i], &alone[i]);
        pass_pool_free(options.pool);
        trace_source_free(&source->base);
    }
}

/* Full ways are the entries, counted by hand. */
static void test_full_ways_are_all_entries(void **state)
{
    (void)state;
    const struct evaluate_options options = {.needs = NEED_ALL};
    for (uint64_t seed = 1; seed <= ROLLS(24); seed++) {
        struct list_source *source = list_source_random(seed, 2, 12, 60, 400);
        struct machine counted = random_machine(seed, 20), full;
        const struct machine *list[] = {&counted, &full};
        struct metrics metrics[2], one;
        counted.tlb.enabled = counted.l2tlb.enabled = 1;
        counted.tlb.entries = counted.tlb.ways = 2 + seed % 5;
        counted.l2tlb.entries = counted.l2tlb.ways = 9 + seed % 7;
        counted.tlb.replacement = (int)(seed % 3);
        full = counted;
        full.tlb.ways = full.l2tlb.ways = WAYS_FULL;
        assert_int_equal(evaluate(&full, &source->base, &options, &one, NULL), STATUS_OK);
        assert_int_equal(evaluate_many(list, 2, &source->base, &options, metrics, NULL), STATUS_OK);
        assert_true(one.tlb_misses > 0);
        assert_same_metrics(&one, &metrics[0]);
        assert_same_metrics(&one, &metrics[1]);
        trace_source_free(&source->base);
    }
}

static void test_needs_leave_the_rest_alone(void **state)
{
    (void)state;
    struct list_source *source = list_source_random(9, 1, 12, 60, 400);
    struct machine machine = random_machine(1, 20);
    machine.l1d.enabled = machine.l2.enabled = 1;
    struct evaluate_options options = {.needs = NEED_ALL};
    struct metrics all, few;
    assert_int_equal(evaluate(&machine, &source->base, &options, &all, NULL), 0);
    assert_int_equal(evaluate(&machine, &source->base, NULL, &few, NULL), 0);
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        double value = metric_get(&metric_table[i], &few);
        if (metric_needs(&metric_table[i]))
            assert_true(isnan(value));
        else
            assert_true(same_number(value, metric_get(&metric_table[i], &all)));
    }
    trace_source_free(&source->base);
}

static void test_cancel(void **state)
{
    (void)state;
    struct list_source *source = list_source_random(9, 1, 12, 60, 400);
    struct machine machine = random_machine(1, 20);
    atomic_bool cancel = true;
    struct evaluate_options options = {.cancel = &cancel};
    struct metrics metrics;
    assert_int_equal(evaluate(&machine, &source->base, &options, &metrics, NULL), STATUS_CANCELLED);
    trace_source_free(&source->base);
}

/* The twin of the translation part: fully associative LRU TLBs by linear search. */
struct twin_tlb {
    uint64_t page[4];
    unsigned used;
};

static bool twin_lookup(struct twin_tlb *tlb, unsigned entries, uint64_t page)
{
    unsigned at = 0;
    while (at < tlb->used && tlb->page[at] != page)
        at++;
    bool hit = at < tlb->used;
    if (!hit && tlb->used < entries)
        at = tlb->used++;
    else if (!hit)
        at = entries - 1;
    memmove(tlb->page + 1, tlb->page, at * sizeof *tlb->page);
    tlb->page[0] = page;
    return hit;
}

static void test_translations_are_counted_by_hand(void **state)
{
    (void)state;
    struct list_source *source = list_source_random(3, 1, 1, 200, 4000);
    struct list_launch *launch = &source->lists[0];
    struct machine machine = random_machine(1, 75);
    machine.gpu.sms = 1;
    machine.tlb.enabled = 1;
    machine.tlb.entries = machine.tlb.ways = 4;
    machine.page.size = 4096;
    machine.pwc.organization = PWC_NONE;
    for (uint32_t w = 1; w < launch->warps; w++)
        launch->warp[w].count = 0; /* one warp: the order of issue is its own */
    struct twin_tlb tlb = {0};
    double accesses = 0, misses = 0;
    for (uint32_t k = 0; k < launch->warp[0].count; k++) {
        const struct warp_access *access = &launch->warp[0].items[k];
        uint64_t last = UINT64_MAX;
        /* Highest address first, as requests are served. */
        for (int i = 0; i < WARP_SIZE; i++) {
            int group = access->stride < 0 ? i : WARP_SIZE - 1 - i;
            if (!(access->mask >> group & 1))
                continue;
            uint64_t first = access->base + (uint64_t)((int64_t)access->stride * group);
            for (int end = 1; end >= 0; end--) {
                uint64_t page = (first + (unsigned)end * (access->bytes - 1u)) >> 12;
                if (page == last)
                    continue;
                last = page;
                accesses++;
                misses += !twin_lookup(&tlb, 4, page);
            }
        }
    }
    struct metrics metrics;
    assert_int_equal(evaluate(&machine, &source->base, NULL, &metrics, NULL), 0);
    assert_true(metrics.tlb_accesses == accesses);
    assert_true(metrics.tlb_misses == misses);
    assert_true(metrics.walk_memory_accesses == 4 * misses);
    trace_source_free(&source->base);
}

/* A parameter that nothing reads at a depth changes no number there, whatever else the machine is;
 * and some depth reads it, unless it is for files. */
static void test_dead_parameters_change_nothing(void **state)
{
    (void)state;
    struct list_source *list = list_source_random(9, 1, 12, 60, 400);
    struct trace_source *source = &list->base; /* with instructions, for depths that read them */
    assert_int_equal(trace_source_replace_assumed(&source, ASSUMED_SERIAL, NULL), STATUS_OK);
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        size_t dead = 0;
        for (int depth = 0; depth < DEPTH_COUNT; depth++) {
            const struct evaluate_options options = {.depth = (enum depth)depth};
            struct machine machine = random_machine(3, 20), other;
            struct metrics before, after;
            struct value value = parameter_get(parameter, &machine);
            char why[VALUE_TEXT], expected[VALUE_TEXT];
            if (!parameter_dead(parameter, NULL, options.depth, why))
                continue;
            dead++;
            const bool area = parameter->stages & STAGE_AREA;
            snprintf(expected, sizeof expected, "%s at the %s depth",
                     area ? " but on the area" : "", depth_name(options.depth));
            assert_string_equal(why, expected);
            other = machine;
            if (parameter_next(parameter, value, 1, &value) ||
                parameter_next(parameter, value, -1, &value))
                parameter_set(parameter, &other, value);
            assert_int_equal(evaluate(&machine, source, &options, &before, NULL), STATUS_OK);
            assert_int_equal(evaluate(&other, source, &options, &after, NULL), STATUS_OK);
            assert_null(counts_differ(&before, &after));
            if (!area)
                assert_same_metrics(&before, &after);
        }
        assert_int_equal(dead == DEPTH_COUNT, parameter->stages == FOR_FILES);
        if (parameter->stages == AT_TIMING)
            assert_int_equal(dead, DEPTH_COUNT - 1);
    }
    assert_int_equal(parameter_find("scheduler.policy")->stages, AT_TIMING);
    trace_source_free(source);
}

/* A file of a machine leaves out what is not relevant, so that must not matter at any depth. */
static void test_irrelevant_parameters_change_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"gtx480-accelsim", "qv100-accelsim", "gtx480"};
    struct trace_source *source;
    assert_int_equal(workload_open("2DCONV:n=256", &source, NULL), STATUS_OK);
    for (int i = 0; i < 6; i++) {
        struct machine machine, other;
        assert_int_equal(machine_load(names[i / 2], NULL, &machine, NULL, NULL), STATUS_OK);
        machine.dram.fixed = i % 2;
        other = machine;
        for (size_t k = 0; k < parameter_count; k++)
            if (!parameter_relevant(&parameters[k], &machine))
                parameter_set(&parameters[k], &other, parameters[k].fallback);
        for (int depth = 0; depth < DEPTH_COUNT; depth++) {
            const struct evaluate_options options = {.depth = (enum depth)depth};
            struct metrics before, after;
            assert_int_equal(evaluate(&machine, source, &options, &before, NULL), STATUS_OK);
            assert_int_equal(evaluate(&other, source, &options, &after, NULL), STATUS_OK);
            assert_same_metrics(&before, &after);
        }
    }
    trace_source_free(source);
}

/* Nor on a machine that draws. */
static void test_a_scene_reads_no_sm(void **state)
{
    (void)state;
    struct trace_source *source;
    struct machine machine, other;
    assert_int_equal(workload_open("raster-shadow:width=64,height=48", &source, NULL), STATUS_OK);
    assert_int_equal(machine_load("tile-gpu", NULL, &machine, NULL, NULL), STATUS_OK);
    other = machine;
    for (size_t i = 0; i < parameter_count; i++) {
        struct value value = parameter_get(&parameters[i], &other);
        if (!parameter_relevant(&parameters[i], &machine) &&
            (parameter_next(&parameters[i], value, 1, &value) ||
             parameter_next(&parameters[i], value, -1, &value)))
            parameter_set(&parameters[i], &other, value);
    }
    assert_int_not_equal(machine.gpu.sms, other.gpu.sms);
    for (int depth = 0; depth < DEPTH_COUNT; depth++) {
        const struct evaluate_options options = {.depth = (enum depth)depth, .needs = NEED_REPORT};
        struct metrics before, after;
        if (depth_can((enum depth)depth, DEPTH_DISTANCES)) /* of an L1D */
            continue;
        assert_int_equal(evaluate(&machine, source, &options, &before, NULL), STATUS_OK);
        assert_int_equal(evaluate(&other, source, &options, &after, NULL), STATUS_OK);
        assert_same_metrics(&before, &after);
    }
    trace_source_free(source);
}

struct launches_seen {
    uint32_t count;
    struct metrics last;
};

static void see_launch(void *context, uint32_t launch, const struct metrics *so_far)
{
    struct launches_seen *seen = context;
    assert_int_equal(launch, seen->count);
    if (seen->count++) {
        assert_true(so_far->core_cycles > seen->last.core_cycles);
        assert_true(so_far->l1d_accesses > seen->last.l1d_accesses);
        assert_true(so_far->l2_accesses > seen->last.l2_accesses);
    }
    seen->last = *so_far;
}

/* The counts after the last launch are those of the whole run, and asking for them changes nothing.
 */
static void test_launches_add_up(void **state)
{
    (void)state;
    struct launches_seen seen = {0};
    const struct evaluate_options alone = {.depth = DEPTH_TIMING},
                                  watched = {.depth = DEPTH_TIMING,
                                             .launched = see_launch,
                                             .launched_context = &seen};
    struct metrics expected, got;
    struct machine machine;
    struct trace_source *source;
    machine_defaults(&machine);
    assert_int_equal(workload_open("ATAX:n=64", &source, NULL), STATUS_OK);
    assert_int_equal(evaluate(&machine, source, &alone, &expected, NULL), STATUS_OK);
    assert_int_equal(evaluate(&machine, source, &watched, &got, NULL), STATUS_OK);
    assert_same_metrics(&expected, &got);
    assert_int_equal(seen.count, source->launch_count);
    assert_true(seen.count > 1);
    assert_true(seen.last.core_cycles == got.core_cycles);
    assert_true(seen.last.l1d_misses == got.l1d_misses);
    assert_true(seen.last.l2_fails == got.l2_fails);
    assert_true(seen.last.dram_reads == got.dram_reads);
    trace_source_free(source);
}

/* The counts of the launches of a log, of its first `count` ones, are those of a run of nothing
 * else. */
static void expect_sums(const struct timing_parts *parts, size_t count,
                        const struct metrics *expected)
{
    for (size_t m = 0; m < METRIC_COUNT; m++) {
        const struct metric *metric = &metric_table[m];
        const double whole = metric_get(metric, expected);
        double sum = 0;
        if (!metric_adds(metric) || isnan(whole))
            continue;
        for (size_t i = 0; i < count; i++)
            sum += metric_get(metric, &parts->items[i].metrics);
        if (sum != whole)
            fail_msg("%s: %g in %zu launches, %g in all", metric->path, sum, count, whole);
    }
}

/* Caches stay as they are from launch to launch, or are emptied, exactly as in the whole run. */
static void test_logged_launches_add_up(void **state)
{
    (void)state;
    enum { LAUNCHES = 4 };
    for (uint64_t seed = 1; seed <= ROLLS(60); seed++) {
        struct list_source *source = list_source_random(seed, LAUNCHES, 8, 40, 300);
        if (seed % 3 == 0)
            list_source_mix_spaces(source, seed);
        struct machine machine = random_machine(seed, seed % 2 ? 20 : 70);
        machine.l2.flush = seed % 5 == 0;
        /* A walk that waits at the end of a launch is made in the next one, if there is one. */
        const bool waits = machine.walker.l2 || walk_unit_reorders(&machine);
        struct timing_log log = {.by_launch = true};
        const struct evaluate_options how = {.log = &log};
        struct metrics plain, whole, first;
        assert_int_equal(evaluate(&machine, &source->base, NULL, &plain, NULL), STATUS_OK);
        assert_int_equal(evaluate(&machine, &source->base, &how, &whole, NULL), STATUS_OK);
        assert_memory_equal(&plain, &whole, sizeof plain);
        assert_int_equal(log.launches.count, LAUNCHES);
        expect_sums(&log.launches, LAUNCHES, &whole);
        struct trace_slice slices[LAUNCHES];
        for (uint32_t i = 0; i + 1 < LAUNCHES && !waits; i++) {
            struct trace_source *part;
            slices[i] = (struct trace_slice){.launch = i,
                                             .count = launch_blocks(&source->base.launches[i])};
            assert_int_equal(trace_source_slice(&source->base, slices, i + 1, &part), STATUS_OK);
            assert_int_equal(evaluate(&machine, part, NULL, &first, NULL), STATUS_OK);
            expect_sums(&log.launches, i + 1, &first);
            trace_source_free(part);
        }
        for (uint32_t i = 0; i < LAUNCHES; i++) {
            const struct metrics *metrics = &log.launches.items[i].metrics;
            assert_true(same_number(
                metrics->l1d_miss_rate,
                metrics->l1d_accesses > 0 ? metrics->l1d_misses / metrics->l1d_accesses : NAN));
        }
        timing_log_free(&log);
        trace_source_free(&source->base);
    }
}

static void test_launches_of_the_optimum_are_refused(void **state)
{
    (void)state;
    struct list_source *source = list_source_random(1, 2, 4, 20, 100);
    struct machine machine;
    machine_defaults(&machine);
    machine.l1d.replacement = REPLACEMENT_OPT;
    struct timing_log log = {.by_launch = true};
    const struct evaluate_options how = {.log = &log};
    struct metrics metrics;
    struct diagnostics found = DIAGNOSTICS_INIT;
    assert_int_equal(evaluate(&machine, &source->base, &how, &metrics, &found), STATUS_UNSUPPORTED);
    assert_int_equal(found.errors, 1);
    diagnostics_free(&found);
    timing_log_free(&log);
    trace_source_free(&source->base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_equal_one_by_one),
        cmocka_unit_test(test_neighbours_change_nothing),
        cmocka_unit_test(test_groups_and_threads_do_not_matter),
        cmocka_unit_test(test_full_ways_are_all_entries),
        cmocka_unit_test(test_needs_leave_the_rest_alone),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_dead_parameters_change_nothing),
        cmocka_unit_test(test_translations_are_counted_by_hand),
        cmocka_unit_test(test_irrelevant_parameters_change_nothing),
        cmocka_unit_test(test_a_scene_reads_no_sm),
        cmocka_unit_test(test_launches_add_up),
        cmocka_unit_test(test_logged_launches_add_up),
        cmocka_unit_test(test_launches_of_the_optimum_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
