/* The timing depth as a whole, on random programs and random machines: the same counts on any
 * number of threads, every slot of every scheduler accounted for, an end on every legal machine.
 * What single mechanisms do to the counts is in test_timing_effects.c.
 *
 * cost: 20
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/timing/timing_check.h"
#include "support/gpu_trial.h"
#include "support/lone_sm.h"
#include "support/roll_machine.h"
#include "support/sanitized.h"

static const struct timed_shape tiny = {
    .launches = 2, .blocks = 6, .warps = 3, .instructions = 30, .lines = 30, .content = TIMED_ALL};

/* Every page that a TLB asks for is found in the shared TLB or walked, alone or with another, and
 * the L2 sees every read of a walk. */
static void check_walks(const struct machine *machine, const struct gpu_counts *counts)
{
    const struct mmu_counts *mmu = &counts->mmu;
    const uint64_t found = mmu->shared_accesses - mmu->shared_misses;
    assert_int_equal(mmu->requests, counts->tlb.read_bytes / MMU_LINE);
    assert_int_equal(mmu->requests, mmu->walks + mmu->merged + found);
    if (!machine_couples(machine))
        return;
    assert_int_equal(counts->walks.memory_accesses, mmu->reads);
    if (machine->l2.write != WRITE_READ_ONLY)
        assert_int_equal(counts->channels.walk_accesses, mmu->reads);
}

/* `least`: the share of the counts, in %, that have their least value. */
static void check_ends(const struct timed_shape *shape, uint64_t seed, unsigned rarity, bool tight,
                       unsigned least)
{
    struct dice dice = {.seed = seed};
    struct machine machine;
    struct timed_source *source = timed_source_random(seed, shape);
    roll_fitting(&dice, source, rarity, tight, &machine);
    roll_least(&dice, &machine, &source->base, least);
    const struct gpu_trial ended = gpu_trial_run(&machine, source, 1);
    if (ended.status || slot_sum(ended.counts.sm.slots, SLOT_COUNT) !=
                            ended.counts.sm.cycles * machine.scheduler.count)
        print_machine(seed, &machine);
    assert_int_equal(ended.status, STATUS_OK);
    check_slots(&machine, &ended.counts);
    trace_source_free(&source->base);
}

static void test_every_machine_ends(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(100); seed++) {
        check_ends(&tiny, seed, 8, false, 0);
        check_ends(&tiny, seed, 8, true, 0);
        check_ends(&tiny, seed, 2, true, 0);
        check_ends(&tiny, seed, 2, true, 50);
        check_ends(&tiny, seed, 8, false, 95);
    }
}

static void test_walks_end(void **state)
{
    (void)state;
    uint64_t through_l2 = 0;
    for (uint64_t seed = 0; seed < ROLLS(150); seed++) {
        struct dice dice = {.seed = seed + 2000};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &timed_wide);
        roll_translating(&dice, source, &machine);
        const struct gpu_trial ended = gpu_trial_run(&machine, source, 1);
        if (ended.status)
            print_machine(seed, &machine);
        assert_int_equal(ended.status, STATUS_OK);
        check_slots(&machine, &ended.counts);
        check_walks(&machine, &ended.counts);
        through_l2 += ended.counts.channels.walk_accesses;
        trace_source_free(&source->base);
    }
    assert_true(through_l2 > 0);
}

static void check_threads(const struct machine *machine, const struct timed_source *source)
{
    const struct gpu_trial one = gpu_trial_run(machine, source, 1),
                           two = gpu_trial_run(machine, source, 2),
                           five = gpu_trial_run(machine, source, 5);
    assert_int_equal(one.status, STATUS_OK);
    assert_memory_equal(&one, &two, sizeof one);
    assert_memory_equal(&one, &five, sizeof one);
}

static void test_any_number_of_threads(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(20); seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &timed_small);
        roll_fitting(&dice, source, 6, seed % 2, &machine);
        check_threads(&machine, source);
        roll_translating(&dice, source, &machine);
        check_threads(&machine, source);
        trace_source_free(&source->base);
    }
}

/* Clocks of any ratio, so that steps of the network and of the DRAM lie between two core cycles,
 * and some with more of them than a span has steps. */
static void roll_clocks(struct dice *dice, uint64_t seed, struct machine *machine)
{
    machine->network.clock = roll_clock(dice, machine->gpu.clock, 12);
    machine->l2.clock = seed % 2 ? roll_clock(dice, machine->gpu.clock, 8) : 0;
    if (seed % 6 == 0)
        machine->dram.clock = machine->gpu.clock * (40 + roll(dice, 80));
}

/* An L1D that often refuses, and whose every try may choose another victim. */
static void make_refusing(uint64_t seed, struct machine *machine)
{
    machine->l1d.replacement = seed % 2 ? REPLACEMENT_RR : REPLACEMENT_RANDOM;
    machine->l1d.ways = 4;
    machine->l1d.mshr.entries = 2;
}

/* Slices and the network go on to the end of the span, SMs and walkers do not. */
static bool is_ahead(unsigned gauge)
{
    return gauge >= GAUGE_l2_mshr_entries && gauge <= GAUGE_dram_returns;
}

static void check_core_gauges(const struct gpu_trial *one, const struct gpu_trial *many)
{
    for (unsigned i = 0; i < GAUGE_COUNT; i++) {
        if (is_ahead(i))
            continue;
        assert_int_equal(one->counts.gauge_sums[i], many->counts.gauge_sums[i]);
        assert_int_equal(one->counts.gauge_times[i], many->counts.gauge_times[i]);
        assert_int_equal(one->totals.most[i], many->totals.most[i]);
    }
}

/* Checks what was shared out, and takes the shares of `many` for those of `one`. */
static void share_alike(uint64_t *one, const uint64_t *many)
{
    static const enum memory_slot shares[] = {MEMORY_SLOT_network, MEMORY_SLOT_l2,
                                              MEMORY_SLOT_dram};
    uint64_t once = 0, often = 0;
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        once += one[shares[i]];
        often += many[shares[i]];
        one[shares[i]] = many[shares[i]];
    }
    assert_int_equal(once, often);
}

/* What SMs see, and what DRAMs did until then, is that of cycle by cycle however many cycles a span
 * has. */
static void check_spans(uint64_t seed, const struct machine *machine,
                        const struct timed_source *source)
{
    const struct gpu_options by_one = {.threads = 1, .span = 1}, by_many = {.threads = 1};
    struct gpu_trial one = gpu_trial_with(machine, source, &by_one),
                     many = gpu_trial_with(machine, source, &by_many);
    /* Tries that were skipped are not among the cache's own counts. */
    memset(one.counts.l1d.fails, 0, sizeof one.counts.l1d.fails);
    memset(many.counts.l1d.fails, 0, sizeof many.counts.l1d.fails);
    /* A launch that begins within a span finds the replies that came while its SM had no block, and
     * that no warp waits for, where the network put them by the end of the span. They delay others
     * in the L2 for as long: what waits are shared out by. */
    if (source->base.launch_count > 1) {
        one.counts.sm.load_cycles = many.counts.sm.load_cycles;
        share_alike(one.counts.sm.memory_slots, many.counts.sm.memory_slots);
    }
    assert_int_equal(one.status, STATUS_OK);
    if (one.counts.cycles != many.counts.cycles)
        print_machine(seed, machine);
    assert_int_equal(one.counts.cycles, many.counts.cycles);
    assert_memory_equal(&one.counts.sm, &many.counts.sm, sizeof one.counts.sm);
    assert_memory_equal(&one.counts.l1d, &many.counts.l1d, sizeof one.counts.l1d);
    assert_memory_equal(&one.counts.l1i, &many.counts.l1i, sizeof one.counts.l1i);
    assert_memory_equal(&one.counts.l0, &many.counts.l0, sizeof one.counts.l0);
    assert_memory_equal(&one.counts.stream, &many.counts.stream, sizeof one.counts.stream);
    assert_memory_equal(&one.counts.tlb, &many.counts.tlb, sizeof one.counts.tlb);
    assert_memory_equal(&one.counts.mmu, &many.counts.mmu, sizeof one.counts.mmu);
    assert_memory_equal(one.totals.latencies, many.totals.latencies, sizeof one.totals.latencies);
    check_core_gauges(&one, &many);
    assert_int_equal(one.counts.dram_ticks, many.counts.dram_ticks);
    assert_memory_equal(&one.counts.dram, &many.counts.dram, sizeof one.counts.dram);
}

/* Policies whose SMs tell each other what they counted. */
static void test_exchanges(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(10); seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &timed_small);
        roll_fitting(&dice, source, 6, seed % 2, &machine);
        machine.l1d.bypass.policy = BYPASS_SAMPLED;
        machine.l1d.bypass.shared = 1;
        machine.l1d.bypass.adaptive = (int)roll(&dice, BYPASS_BY_MEAN + 1);
        machine.l1d.bypass.threshold = 1 + roll(&dice, 4);
        check_threads(&machine, source);
        check_spans(seed, &machine, source);
        trace_source_free(&source->base);
    }
}

/* SMs that send several small packets a cycle into queues that are smaller than a large one. */
static void test_any_span_of_fetches(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(60); seed++) {
        struct timed_source *source = timed_source_random(seed, &timed_small);
        struct machine machine;
        machine_defaults(&machine);
        machine.gpu.sms = 1 + seed % 3;
        machine.network.clock = machine.gpu.clock / 6;
        machine.network.queue = 2;
        machine.core.fetch = 4;
        machine.l1i.line = 16;
        machine.l1i.size = 128;
        machine.l1i.ways = 1;
        machine.l1i.buffer = 3;
        machine.l1i.l0.size = seed % 2 ? 32 : 0;
        machine.l1i.entries = machine.l1i.miss_queue = 8;
        if (machine_fits(&machine, &source->base))
            check_spans(seed, &machine, source);
        trace_source_free(&source->base);
    }
}

static void test_any_span(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(100); seed++) {
        struct dice dice = {.seed = seed + 500};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &timed_small);
        if (seed % 5)
            roll_fitting(&dice, source, 1 + (unsigned)roll(&dice, 6), seed % 2, &machine);
        else
            machine_defaults(&machine);
        roll_sms(&dice, &machine);
        machine.tlb.enabled = 0;
        if (seed % 5 == 0)
            make_refusing(seed, &machine);
        roll_clocks(&dice, seed, &machine);
        check_spans(seed, &machine, source);
        trace_source_free(&source->base);
    }
}

static void test_any_span_of_walks(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(60); seed++) {
        struct dice dice = {.seed = seed + 700};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &timed_wide);
        roll_translating(&dice, source, &machine);
        roll_clocks(&dice, seed, &machine);
        check_spans(seed, &machine, source);
        trace_source_free(&source->base);
    }
}

enum { LIMIT = 4000000, REPLY = 90 };

/* An SM that is advanced cycle by cycle cannot skip any; one that is advanced by many does. */
static void test_skips_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(80); seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &timed_small);
        roll_fitting(&dice, source, 1 + (unsigned)roll(&dice, 8), seed % 2, &machine);
        const struct lone_sm by_one = lone_sm_run(&machine, &source->base, REPLY, 1, LIMIT);
        const struct lone_sm by_many = lone_sm_run(&machine, &source->base, REPLY, REPLY, LIMIT);
        if (memcmp(&by_one, &by_many, sizeof by_one))
            print_machine(seed, &machine);
        assert_int_equal(by_one.cycles, by_many.cycles);
        assert_memory_equal(&by_one, &by_many, sizeof by_one);
        trace_source_free(&source->base);
    }
}

/* Whether a cache reads blocks for stores that do not wait for them. */
static bool reads_for_stores(const struct cache_config *cache)
{
    return cache->write_allocate == WRITE_ALLOCATE_FETCH ||
           (cache->write_allocate == WRITE_ALLOCATE_ON_WRITE &&
            write_traits[cache->write] & WRITE_DROPS);
}

/* After the last block has retired, everything that the SM handed out is free again. A cache that
 * reads a block for a store may still be doing so. */
static void test_everything_comes_back(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(80); seed++) {
        struct dice dice = {.seed = seed + 1000};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &timed_small);
        do
            roll_fitting(&dice, source, 1 + (unsigned)roll(&dice, 8), seed % 2, &machine);
        while (reads_for_stores(&machine.l1d));
        const struct lone_sm run = lone_sm_run(&machine, &source->base, REPLY, REPLY, LIMIT);
        if (run.held)
            print_machine(seed, &machine);
        assert_int_equal(run.held, 0);
        trace_source_free(&source->base);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_machine_ends),
        cmocka_unit_test(test_any_number_of_threads),
        cmocka_unit_test(test_exchanges),
        cmocka_unit_test(test_walks_end),
        cmocka_unit_test(test_any_span),
        cmocka_unit_test(test_any_span_of_fetches),
        cmocka_unit_test(test_any_span_of_walks),
        cmocka_unit_test(test_skips_nothing),
        cmocka_unit_test(test_everything_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
