/* The timing depth as a whole, on random programs and random machines: the same counts on any
 * number of threads, every slot of every scheduler accounted for, an end on every legal machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/timing/gpu.h"
#include "model/timing/limits.h"
#include "support/lone_sm.h"
#include "support/roll_machine.h"
#include "support/timed_source.h"

struct run {
    struct gpu_counts counts;
    uint64_t latencies[LATENCY_BUCKETS];
    enum status status;
};

static struct run run_with(const struct machine *machine, const struct timed_source *source,
                           const struct gpu_options *options)
{
    struct run result = {0};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    result.status =
        gpu_run(machine, &source->base, options, &result.counts, result.latencies, &diagnostics);
    for (size_t i = 0; i < diagnostics.count; i++)
        print_message("%s\n", diagnostics.items[i].message);
    diagnostics_free(&diagnostics);
    return result;
}

static struct run run(const struct machine *machine, const struct timed_source *source,
                      uint32_t threads)
{
    const struct gpu_options options = {.threads = threads};
    return run_with(machine, source, &options);
}

/* Says which parameters differ from the defaults, for a failing machine. */
static void print_machine(uint64_t seed, const struct machine *machine)
{
    struct machine usual;
    char text[VALUE_TEXT];
    machine_defaults(&usual);
    print_message("seed %u:\n", (unsigned)seed);
    for (size_t i = 0; i < parameter_count; i++) {
        const struct value value = parameter_get(&parameters[i], machine);
        if (!parameter_equal(&parameters[i], value, parameter_get(&parameters[i], &usual)))
            print_message("  %s: %s\n", parameters[i].path,
                          parameter_print(&parameters[i], value, text));
    }
}

static uint64_t sum(const uint64_t *counts, unsigned count)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < count; i++)
        all += counts[i];
    return all;
}

/* Every cycle of every scheduler is in one slot, every memory slot in one reason. */
static void check_slots(const struct machine *machine, const struct gpu_counts *counts)
{
    const struct sm_counts *sm = &counts->sm;
    assert_int_equal(sum(sm->slots, SLOT_COUNT), sm->cycles * machine->scheduler.count);
    assert_int_equal(sum(sm->memory_slots, MEMORY_SLOT_COUNT), sm->slots[SLOT_memory]);
    assert_true(sm->cycles <= counts->cycles * machine->gpu.sms);
}

static const struct timed_shape small = {
    .launches = 2, .blocks = 12, .warps = 4, .instructions = 40, .lines = 40, .content = TIMED_ALL};

static const struct timed_shape tiny = {
    .launches = 2, .blocks = 6, .warps = 3, .instructions = 30, .lines = 30, .content = TIMED_ALL};

/* A random machine on which all launches fit. */
static void roll_fitting(struct dice *dice, const struct timed_source *source, unsigned rarity,
                         bool tight, struct machine *machine)
{
    bool fits = false;
    while (!fits) {
        machine_defaults(machine);
        roll_machine(dice, machine, rarity, tight);
        machine->gpu.sms = 1 + roll(dice, 4);
        machine->tlb.enabled = 0;
        fits = !cache_is_offline(&machine->l1d) && !cache_is_offline(&machine->l2) &&
               machine_fits(machine, &source->base);
    }
}

static const struct timed_shape wide = {.launches = 2,
                                        .blocks = 8,
                                        .warps = 3,
                                        .instructions = 30,
                                        .lines = 2000,
                                        .content = TIMED_ALL};

/* One whose TLBs have few entries and whose walkers are few and have few places. */
static void roll_translating(struct dice *dice, const struct timed_source *source,
                             struct machine *machine)
{
    bool fits = false;
    while (!fits) {
        struct violation found[VIOLATION_MAX];
        machine_defaults(machine);
        roll_machine(dice, machine, 1 + (unsigned)roll(dice, 8), roll(dice, 2));
        machine->gpu.sms = 1 + roll(dice, 4);
        machine->page.size = 4096;
        machine->tlb.enabled = 1;
        machine->tlb.entries = machine->tlb.ways = UINT64_C(1) << roll(dice, 3);
        machine->l2tlb.enabled = roll(dice, 2);
        machine->l2tlb.entries = machine->l2tlb.ways = 4;
        machine->walker.count = 1 + roll(dice, 3);
        machine->walker.queue = 1 + roll(dice, 3);
        machine->walker.l2 = roll(dice, 3) > 0;
        fits = !cache_is_offline(&machine->l1d) && !cache_is_offline(&machine->l2) &&
               !machine_check(machine, found) && !timing_check(machine, NULL) &&
               machine->l1d.dirty * (double)cache_sets(&machine->l1d) <= 1 &&
               machine_fits(machine, &source->base);
    }
}

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
    const struct run ended = run(&machine, source, 1);
    if (ended.status ||
        sum(ended.counts.sm.slots, SLOT_COUNT) != ended.counts.sm.cycles * machine.scheduler.count)
        print_machine(seed, &machine);
    assert_int_equal(ended.status, STATUS_OK);
    check_slots(&machine, &ended.counts);
    trace_source_free(&source->base);
}

static void test_every_machine_ends(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
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
    for (uint64_t seed = 0; seed < 150; seed++) {
        struct dice dice = {.seed = seed + 2000};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &wide);
        roll_translating(&dice, source, &machine);
        const struct run ended = run(&machine, source, 1);
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

/* Walkers read through the L2, where some reads miss. One walker takes longer than many. Misses
 * with one place to wait in are refused for a while, and then wait less for a walker. */
static void test_walks_compete(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct timed_source *source = timed_source_random(seed, &wide);
        struct machine machine;
        machine_defaults(&machine);
        machine.gpu.sms = 2;
        machine.tlb.entries = machine.tlb.ways = 1;
        machine.walker.l2 = 1;
        machine.page.size = 4096;
        const struct run many = run(&machine, source, 1);
        machine.walker.count = 1;
        const struct run one = run(&machine, source, 1);
        machine.walker.queue = 1;
        const struct run refusing = run(&machine, source, 1);
        assert_int_equal(many.status | one.status | refusing.status, STATUS_OK);
        assert_true(one.counts.cycles > many.counts.cycles);
        const struct mmu_counts *long_queue = &one.counts.mmu, *short_queue = &refusing.counts.mmu;
        assert_true(short_queue->wait * long_queue->walks < long_queue->wait * short_queue->walks);
        assert_true(many.counts.channels.walk_misses > 0);
        assert_true(one.counts.sm.memory_slots[MEMORY_SLOT_translation] >
                    many.counts.sm.memory_slots[MEMORY_SLOT_translation]);
        trace_source_free(&source->base);
    }
}

/* A warp whose instructions end without an exit stays until its atomics are done, or their replies
 * would count for the next warp in its place. */
static void test_warps_wait_for_atomics(void **state)
{
    (void)state;
    static const struct timed_shape atomics = {.launches = 1,
                                               .blocks = 12,
                                               .warps = 1,
                                               .instructions = 6,
                                               .lines = 4,
                                               .content = TIMED_ATOMICS};
    struct machine machine;
    machine_defaults(&machine);
    machine.gpu.sms = machine.gpu.max_blocks = 1;
    machine.tlb.enabled = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct timed_source *source = timed_source_random(seed, &atomics);
        assert_int_equal(run(&machine, source, 1).status, STATUS_OK);
        trace_source_free(&source->base);
    }
}

static void check_threads(const struct machine *machine, const struct timed_source *source)
{
    const struct run one = run(machine, source, 1), two = run(machine, source, 2),
                     five = run(machine, source, 5);
    assert_int_equal(one.status, STATUS_OK);
    assert_memory_equal(&one, &two, sizeof one);
    assert_memory_equal(&one, &five, sizeof one);
}

static void test_any_number_of_threads(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &small);
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
    machine->network.clock = machine->gpu.clock * (1 + roll(dice, 12)) / (1 + roll(dice, 6));
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

/* What SMs see is that of cycle by cycle however many cycles a span has. (Channels go on to the end
 * of the last one.) */
static void check_spans(uint64_t seed, const struct machine *machine,
                        const struct timed_source *source)
{
    const struct gpu_options by_one = {.threads = 1, .span = 1}, by_many = {.threads = 1};
    struct run one = run_with(machine, source, &by_one), many = run_with(machine, source, &by_many);
    /* Tries that were skipped are not among the cache's own counts. */
    memset(one.counts.l1d.fails, 0, sizeof one.counts.l1d.fails);
    memset(many.counts.l1d.fails, 0, sizeof many.counts.l1d.fails);
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
    assert_memory_equal(one.latencies, many.latencies, sizeof one.latencies);
}

/* Policies whose SMs tell each other what they counted. */
static void test_exchanges(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &small);
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
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct timed_source *source = timed_source_random(seed, &small);
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
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct dice dice = {.seed = seed + 500};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &small);
        if (seed % 5)
            roll_fitting(&dice, source, 1 + (unsigned)roll(&dice, 6), seed % 2, &machine);
        else
            machine_defaults(&machine);
        machine.gpu.sms = 1 + roll(&dice, 4);
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
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct dice dice = {.seed = seed + 700};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &wide);
        roll_translating(&dice, source, &machine);
        roll_clocks(&dice, seed, &machine);
        check_spans(seed, &machine, source);
        trace_source_free(&source->base);
    }
}

static struct run run_allocating(struct machine machine, const struct timed_source *source,
                                 int allocate)
{
    machine.l1d.allocate = allocate;
    const struct run result = run(&machine, source, 1);
    assert_int_equal(result.status, STATUS_OK);
    return result;
}

/* A streaming L1D takes its lines on a miss in launches that leave all of a unified L1D to it, and
 * on the fill in all others. */
static void test_streaming_by_launch(void **state)
{
    (void)state;
    unsigned differ = 0;
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct timed_source *source = timed_source_random(seed, &small);
        const bool shared = seed % 2, unified = seed % 4 < 2;
        struct machine machine;
        machine_defaults(&machine);
        machine.gpu.sms = 1;
        machine.tlb.enabled = 0;
        machine.l1d.write = WRITE_THROUGH;
        machine.l1d.write_allocate = WRITE_ALLOCATE_NONE;
        machine.l1d.unified = unified ? 2 * machine.l1d.size : 0;
        machine.gpu.shared_options = (struct sizes){.count = 2, .item = {0, machine.l1d.size}};
        for (uint32_t i = 0; i < source->base.launch_count; i++)
            source->base.launches[i].shared_bytes = shared ? 512 : 0;
        const struct run miss = run_allocating(machine, source, ALLOCATE_ON_MISS);
        const struct run fill = run_allocating(machine, source, ALLOCATE_ON_FILL);
        const struct run stream = run_allocating(machine, source, ALLOCATE_STREAMING);
        assert_memory_equal(&stream, unified && !shared ? &miss : &fill, sizeof stream);
        differ += miss.counts.cycles != fill.counts.cycles;
        trace_source_free(&source->base);
    }
    assert_true(differ > 6);
}

/* Loads and stores keep the data banks of an L1D for as long as the machine says, at least. */
static void test_data_banks(void **state)
{
    (void)state;
    unsigned slower = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct timed_source *source = timed_source_random(seed, &small);
        struct machine machine;
        machine_defaults(&machine);
        machine.gpu.sms = 1;
        machine.tlb.enabled = 0;
        const struct run usual = run(&machine, source, 1);
        machine.l1d.load_cycles = 40;
        const struct run slow = run(&machine, source, 1);
        assert_int_equal(slow.status, STATUS_OK);
        assert_int_equal(slow.counts.sm.memory_instructions, usual.counts.sm.memory_instructions);
        slower += slow.counts.cycles > usual.counts.cycles;
        machine.l1d.load_cycles = 1;
        machine.l1d.wavefront = 40; /* one at least */
        assert_int_equal(run(&machine, source, 1).status, STATUS_OK);
        trace_source_free(&source->base);
    }
    assert_true(slower > 10);
}

/* A load/store unit takes the lanes of a warp one by one, those to shared memory too, and these
 * keep the data banks of an L1D that is one memory with it. */
static void test_load_store_units(void **state)
{
    (void)state;
    unsigned slower = 0, slower_shared = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct timed_source *source = timed_source_random(seed, &small);
        struct machine machine;
        machine_defaults(&machine);
        machine.gpu.sms = 1;
        machine.tlb.enabled = 0;
        machine.core.load_store_units = 32;
        const struct run usual = run(&machine, source, 1);
        machine.core.load_store_units = 1;
        const struct run slow = run(&machine, source, 1);
        assert_int_equal(slow.status, STATUS_OK);
        assert_int_equal(slow.counts.sm.memory_instructions, usual.counts.sm.memory_instructions);
        slower += slow.counts.cycles > usual.counts.cycles;
        machine.l1d.enabled = 0; /* only shared memory is left to wait for */
        const struct run shared = run(&machine, source, 1);
        machine.core.load_store_units = 32;
        slower_shared += shared.counts.cycles > run(&machine, source, 1).counts.cycles;
        trace_source_free(&source->base);
    }
    assert_true(slower > 10);
    assert_true(slower_shared > 5);
}

/* Atomics keep the data port of an L2 slice for as long as the machine says, those on integers not
 * for as long as those on floating-point numbers. */
static void test_atomics_keep_the_port(void **state)
{
    (void)state;
    static const struct timed_shape atomics = {.launches = 2,
                                               .blocks = 8,
                                               .warps = 3,
                                               .instructions = 30,
                                               .lines = 20,
                                               .content = TIMED_ATOMICS};
    unsigned slower = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct timed_source *source = timed_source_random(seed, &atomics);
        struct machine machine;
        machine_defaults(&machine);
        machine.gpu.sms = 2;
        machine.tlb.enabled = 0;
        machine.l2.port = 32;
        machine.l2.atomic = 1;
        const struct run quick = run(&machine, source, 1);
        machine.l2.atomic_float = 90;
        assert_int_equal(run(&machine, source, 1).counts.cycles, quick.counts.cycles);
        machine.l2.atomic = 90;
        const struct run slow = run(&machine, source, 1);
        assert_int_equal(slow.status, STATUS_OK);
        assert_int_equal(slow.counts.sm.memory_instructions, quick.counts.sm.memory_instructions);
        slower += slow.counts.cycles > quick.counts.cycles;
        trace_source_free(&source->base);
    }
    assert_true(slower > 7);
}

static struct sm_counts slots_of(uint64_t seed, unsigned content)
{
    const struct timed_shape shape = {.launches = 2,
                                      .blocks = 8,
                                      .warps = 3,
                                      .instructions = 30,
                                      .lines = 20,
                                      .content = content};
    struct dice dice = {.seed = seed};
    struct machine machine;
    struct timed_source *source = timed_source_random(seed, &shape);
    roll_fitting(&dice, source, 4, seed % 2, &machine);
    const struct run result = run(&machine, source, 1);
    assert_int_equal(result.status, STATUS_OK);
    check_slots(&machine, &result.counts);
    trace_source_free(&source->base);
    return result.counts.sm;
}

/* Barriers behind which their warps go on. */
static uint64_t barriers_of(const struct timed_source *source)
{
    uint64_t found = 0;
    for (uint32_t w = 0; w < source->lists->blocks * source->lists->warps; w++) {
        const struct timed_warp *warp = &source->lists->warp[w];
        for (uint32_t i = 0; i + 1 < warp->issue_count; i++)
            found += source->base.codes->items[warp->issues[i].code].action == ACTION_BARRIER;
    }
    return found;
}

/* Where all that an SM takes at barriers in a cycle is one thread, no two warps arrive within fewer
 * than 32 cycles of each other, and what waits for that waits for barriers. */
static void test_arrivals_at_barriers(void **state)
{
    (void)state;
    const struct timed_shape shape = {.launches = 1,
                                      .blocks = 8,
                                      .warps = 4,
                                      .instructions = 40,
                                      .lines = 20,
                                      .content = TIMED_BARRIERS};
    uint64_t waited = 0, waited_more = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct timed_source *source = timed_source_random(seed, &shape);
        struct machine machine;
        machine_defaults(&machine);
        machine.gpu.sms = 1;
        const struct run usual = run(&machine, source, 1);
        machine.core.barrier_threads = 1;
        const struct run narrow = run(&machine, source, 1);
        assert_int_equal(usual.status | narrow.status, STATUS_OK);
        assert_int_equal(narrow.counts.sm.instructions, usual.counts.sm.instructions);
        assert_true(narrow.counts.cycles >= barriers_of(source) * WARP_SIZE);
        waited += usual.counts.sm.slots[SLOT_barrier];
        waited_more += narrow.counts.sm.slots[SLOT_barrier];
        check_slots(&machine, &narrow.counts);
        trace_source_free(&source->base);
    }
    assert_true(waited_more > waited * 2);
}

/* Who waits for atomics, copies or acknowledgements waits for memory and not for other warps, and
 * who waits for shared memory waits for nothing outside of the SM. */
static void test_what_warps_wait_for(void **state)
{
    (void)state;
    const unsigned outside = TIMED_LOADS | TIMED_STORES | TIMED_ATOMICS | TIMED_COPIES;
    uint64_t atomics = 0, barriers = 0, shared = 0;
    for (uint64_t seed = 0; seed < 15; seed++) {
        const struct sm_counts none = slots_of(seed, outside | TIMED_EXITS);
        assert_int_equal(none.slots[SLOT_barrier], 0);
        const struct sm_counts inside = slots_of(seed, TIMED_SHARED);
        assert_int_equal(inside.memory_slots[MEMORY_SLOT_network], 0);
        assert_int_equal(inside.memory_slots[MEMORY_SLOT_dram], 0);
        atomics += slots_of(seed, TIMED_ATOMICS).slots[SLOT_memory];
        barriers += slots_of(seed, TIMED_BARRIERS).slots[SLOT_barrier];
        shared += inside.slots[SLOT_memory];
    }
    assert_true(atomics && barriers && shared);
}

enum { LIMIT = 4000000, REPLY = 90 };

/* An SM that is advanced cycle by cycle cannot skip any; one that is advanced by many does. */
static void test_skips_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 80; seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &small);
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

/* After the last block has retired, everything that the SM handed out is free again. A cache that
 * reads a block for a store may still be doing so. */
static void test_everything_comes_back(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 80; seed++) {
        struct dice dice = {.seed = seed + 1000};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &small);
        do
            roll_fitting(&dice, source, 1 + (unsigned)roll(&dice, 8), seed % 2, &machine);
        while (machine.l1d.write_allocate == WRITE_ALLOCATE_FETCH);
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
        cmocka_unit_test(test_walks_compete),
        cmocka_unit_test(test_any_span),
        cmocka_unit_test(test_any_span_of_fetches),
        cmocka_unit_test(test_any_span_of_walks),
        cmocka_unit_test(test_skips_nothing),
        cmocka_unit_test(test_warps_wait_for_atomics),
        cmocka_unit_test(test_streaming_by_launch),
        cmocka_unit_test(test_data_banks),
        cmocka_unit_test(test_load_store_units),
        cmocka_unit_test(test_atomics_keep_the_port),
        cmocka_unit_test(test_arrivals_at_barriers),
        cmocka_unit_test(test_what_warps_wait_for),
        cmocka_unit_test(test_everything_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
