/* What single mechanisms of the timing depth do to the counts of random programs: who waits for
 * whom and what takes longer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "model/evaluate.h"
#include "support/gpu_trial.h"
#include "support/lone_sm.h"
#include "workload/workload.h"

/* The default machine without TLBs. */
static struct machine machine_of(uint64_t sms)
{
    struct machine machine;
    machine_defaults(&machine);
    machine.gpu.sms = sms;
    machine.tlb.enabled = 0;
    return machine;
}

/* Whether all instructions of the program end later on the one machine than on the other. */
static bool is_slower(const struct machine *slow, const struct machine *usual,
                      const struct timed_source *source)
{
    const struct gpu_trial late = gpu_trial_run(slow, source, 1);
    const struct gpu_trial early = gpu_trial_run(usual, source, 1);
    assert_int_equal(late.status | early.status, STATUS_OK);
    assert_int_equal(late.counts.sm.memory_instructions, early.counts.sm.memory_instructions);
    return late.counts.cycles > early.counts.cycles;
}

/* Walkers read through the L2, where some reads miss. One walker takes longer than many. Misses
 * with one place to wait in are refused for a while, and then wait less for a walker. */
static void test_walks_compete(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct timed_source *source = timed_source_random(seed, &timed_wide);
        struct machine machine;
        machine_defaults(&machine);
        machine.gpu.sms = 2;
        machine.tlb.entries = machine.tlb.ways = 1;
        machine.walker.l2 = 1;
        machine.page.size = 4096;
        const struct gpu_trial many = gpu_trial_run(&machine, source, 1);
        machine.walker.count = 1;
        const struct gpu_trial one = gpu_trial_run(&machine, source, 1);
        machine.walker.queue = 1;
        const struct gpu_trial refusing = gpu_trial_run(&machine, source, 1);
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

/* A warp that has ended waits for the answers to its stores: where they spend their time in the L2,
 * so does the warp. */
static void test_waits_for_stores_are_shared_out(void **state)
{
    (void)state;
    static const struct timed_shape stores = {.launches = 1,
                                              .blocks = 12,
                                              .warps = 1,
                                              .instructions = 30,
                                              .lines = 4,
                                              .content = TIMED_STORES};
    struct machine machine = machine_of(1);
    machine.gpu.max_blocks = 1;
    machine.l2.latency = 600;
    uint64_t l2 = 0, network = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct timed_source *source = timed_source_random(seed, &stores);
        const struct gpu_trial trial = gpu_trial_run(&machine, source, 1);
        assert_int_equal(trial.status, STATUS_OK);
        l2 += trial.counts.sm.memory_slots[MEMORY_SLOT_l2];
        network += trial.counts.sm.memory_slots[MEMORY_SLOT_network];
        trace_source_free(&source->base);
    }
    assert_true(l2 > 2000);
    assert_true(l2 > 2 * network);
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
    struct machine machine = machine_of(1);
    machine.gpu.max_blocks = 1;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct timed_source *source = timed_source_random(seed, &atomics);
        assert_int_equal(gpu_trial_run(&machine, source, 1).status, STATUS_OK);
        trace_source_free(&source->base);
    }
}

static struct gpu_trial run_allocating(struct machine machine, const struct timed_source *source,
                                       int allocate)
{
    machine.l1d.allocate = allocate;
    const struct gpu_trial result = gpu_trial_run(&machine, source, 1);
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
        struct timed_source *source = timed_source_random(seed, &timed_small);
        const bool shared = seed % 2, unified = seed % 4 < 2;
        struct machine machine = machine_of(1);
        machine.l1d.write = WRITE_THROUGH;
        machine.l1d.write_allocate = WRITE_ALLOCATE_NONE;
        machine.l1d.unified = unified ? 2 * machine.l1d.size : 0;
        machine.gpu.shared_options = (struct sizes){.count = 2, .item = {0, machine.l1d.size}};
        for (uint32_t i = 0; i < source->base.launch_count; i++)
            source->base.launches[i].shared_bytes = shared ? 512 : 0;
        const struct gpu_trial miss = run_allocating(machine, source, ALLOCATE_ON_MISS);
        const struct gpu_trial fill = run_allocating(machine, source, ALLOCATE_ON_FILL);
        const struct gpu_trial stream = run_allocating(machine, source, ALLOCATE_STREAMING);
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
        struct timed_source *source = timed_source_random(seed, &timed_small);
        const struct machine usual = machine_of(1);
        struct machine slow = usual;
        slow.l1d.load_cycles = 40;
        slower += is_slower(&slow, &usual, source);
        slow.l1d.load_cycles = 1;
        slow.l1d.wavefront = 40; /* one at least */
        assert_int_equal(gpu_trial_run(&slow, source, 1).status, STATUS_OK);
        trace_source_free(&source->base);
    }
    assert_true(slower > 10);
}

/* A program at depth timing on one V100's SM, with an L2 of one small slice in front of a
 * DRAM that is never busy. */
static struct metrics run_on_v100(const char *program, uint64_t tags, int evict_port)
{
    struct machine machine;
    struct metrics metrics;
    struct trace_source *source;
    const struct evaluate_options options = {.depth = DEPTH_TIMING};
    assert_int_equal(machine_load("v100", NULL, &machine, NULL, NULL), STATUS_OK);
    machine.gpu.sms = 1;
    machine.gpu.launch_latency = 0;
    machine.tlb.enabled = 0;
    machine.l1d.tags = tags;
    machine.l2.size /= machine.l2.slices;
    machine.l2.slices = machine.l2.slices_per_channel = 1;
    machine.l2.partition = PARTITION_LINEAR;
    machine.l2.evict_port = evict_port;
    machine.dram.fixed = 1;
    assert_int_equal(workload_open(program, &source, NULL), STATUS_OK);
    assert_int_equal(evaluate(&machine, source, &options, &metrics, NULL), STATUS_OK);
    trace_source_free(source);
    return metrics;
}

/* Where lines are looked up at once, sectors that come late are no slower to deliver than those
 * that are there: a load writes its registers once. Otherwise they leave one a cycle. */
static void test_late_sectors_leave_together(void **state)
{
    (void)state;
    const char *program = "REDUCE:n=16384,each=4,order=2";
    const struct metrics lines = run_on_v100(program, 4, 0);
    const struct metrics sectors = run_on_v100(program, 0, 0);
    assert_true(sectors.l1d_misses + sectors.l1d_pending_hits > 4096);
    assert_true(sectors.core_cycles > sectors.l1d_misses + sectors.l1d_pending_hits);
    assert_true(lines.core_cycles < lines.l1d_misses + lines.l1d_pending_hits);
}

/* The loads of the last six steps of a tree in global memory are volatile: 51 sectors a block go to
 * the L2, each time. */
static void test_volatile_loads_pass_the_l1d(void **state)
{
    (void)state;
    const struct metrics all = run_on_v100("REDUCE:n=4096,block=3,alone=1", 4, 0);
    assert_true(all.stream_past_l1 == 16 * 51);
    assert_true(all.l1d_reads == 16 * 49);
    assert_true(all.l2_reads >= all.stream_past_l1);
}

/* Lines that reads drive out of an L2 are read out as well, if the machine says so. */
static void test_what_reads_evict_takes_the_port(void **state)
{
    (void)state;
    const char *program = "VECTORS:n=65536";
    const struct metrics free = run_on_v100(program, 4, 0), taken = run_on_v100(program, 4, 1);
    assert_true(free.l2_writebacks > 500);
    assert_true(taken.core_cycles > free.core_cycles);
}

/* A load/store unit takes the lanes of a warp one by one, those to shared memory too, and these
 * keep the data banks of an L1D that is one memory with it. */
static void test_load_store_units(void **state)
{
    (void)state;
    unsigned slower = 0, slower_shared = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct timed_source *source = timed_source_random(seed, &timed_small);
        struct machine usual = machine_of(1), slow = usual;
        usual.core.load_store_units = 32;
        slow.core.load_store_units = 1;
        slower += is_slower(&slow, &usual, source);
        usual.l1d.enabled = slow.l1d.enabled = 0; /* only shared memory is left to wait for */
        slower_shared += is_slower(&slow, &usual, source);
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
        struct machine quick = machine_of(2);
        quick.l2.port = 32;
        quick.l2.atomic = 1;
        struct machine slow = quick;
        slow.l2.atomic_float = 90;
        assert_int_equal(gpu_trial_run(&slow, source, 1).counts.cycles,
                         gpu_trial_run(&quick, source, 1).counts.cycles);
        slow.l2.atomic = 90;
        slower += is_slower(&slow, &quick, source);
        trace_source_free(&source->base);
    }
    assert_true(slower > 7);
}

/* A slower clock of the L2 takes longer, whatever the network's is; 0 is the network's. */
static void test_clock_of_l2(void **state)
{
    (void)state;
    unsigned slower = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct timed_source *source = timed_source_random(seed, &timed_small);
        struct machine usual = machine_of(2), slow = usual;
        slow.l2.clock = usual.network.clock;
        assert_int_equal(gpu_trial_run(&slow, source, 1).counts.cycles,
                         gpu_trial_run(&usual, source, 1).counts.cycles);
        slow.l2.clock = usual.network.clock / 8;
        slower += is_slower(&slow, &usual, source);
        trace_source_free(&source->base);
    }
    assert_true(slower > 8);
}

/* With a clock of its own the way to the DRAM is a time: half the core's cycles at half its clock.
 */
static void test_clock_of_latency(void **state)
{
    (void)state;
    unsigned slower = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct timed_source *source = timed_source_random(seed, &timed_small);
        struct machine usual = machine_of(2), timed = usual;
        usual.dram.latency = 100;
        timed.dram.latency = 200;
        timed.dram.latency_clock = 2 * timed.gpu.clock;
        assert_int_equal(gpu_trial_run(&timed, source, 1).counts.cycles,
                         gpu_trial_run(&usual, source, 1).counts.cycles);
        timed.dram.latency_clock = 0;
        slower += is_slower(&timed, &usual, source);
        trace_source_free(&source->base);
    }
    assert_true(slower > 8);
}

/* SMs of a cluster share a port: replies come to them one after the other, and blocks too. */
static void test_clusters(void **state)
{
    (void)state;
    static const struct timed_shape loads = {.launches = 1,
                                             .blocks = 16,
                                             .warps = 4,
                                             .instructions = 40,
                                             .lines = 400,
                                             .content = TIMED_LOADS};
    unsigned slower = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct timed_source *source = timed_source_random(seed, &loads);
        struct machine alone = machine_of(4);
        alone.network.kind = NETWORK_CROSSBAR;
        struct machine pairs = alone, all = alone;
        pairs.gpu.cluster = 2;
        all.gpu.cluster = 4;
        slower += is_slower(&all, &alone, source);
        const struct gpu_trial result = gpu_trial_run(&pairs, source, 1);
        const struct gpu_trial again = gpu_trial_run(&pairs, source, 3);
        assert_int_equal(result.status | again.status, STATUS_OK);
        assert_memory_equal(&result.counts, &again.counts, sizeof result.counts);
        check_slots(&pairs, &result.counts);
        trace_source_free(&source->base);
    }
    assert_true(slower > 8);
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
    const struct gpu_trial result = gpu_trial_run(&machine, source, 1);
    assert_int_equal(result.status, STATUS_OK);
    check_slots(&machine, &result.counts);
    trace_source_free(&source->base);
    return result.counts.sm;
}

/* Barriers after which their warps go on. */
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
        const struct gpu_trial usual = gpu_trial_run(&machine, source, 1);
        machine.core.barrier_threads = 1;
        const struct gpu_trial narrow = gpu_trial_run(&machine, source, 1);
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

/* A warp that starts groups of asynchronous copies, one copy in each, waits until all but `left` of
 * them have ended, and then loads. */
static struct timed_source *copy_in_groups(unsigned groups, unsigned left)
{
    enum { COPY, COMMIT, WORK, WAIT, LOAD, PAUSE = 12, ISSUES = 16 * PAUSE };
    static const struct timed_shape lone = {1, 1, 1, ISSUES, 1, 0};
    struct timed_source *source = timed_source_random(1, &lone);
    struct instruction *rows = source->base.codes[0].items;
    const uint32_t last = source->base.codes[0].count - 1; /* its exit */
    struct timed_warp *warp = source->lists[0].warp;
    rows[COPY] = (struct instruction){.class = CLASS_MEMORY, .flags = INSTRUCTION_COPY};
    rows[COMMIT] = (struct instruction){.class = CLASS_CONTROL, .action = ACTION_COMMIT};
    rows[WORK] = (struct instruction){.class = CLASS_INTEGER};
    rows[WAIT] = (struct instruction){
        .class = CLASS_CONTROL, .action = ACTION_WAIT, .argument = (uint8_t)left};
    rows[LOAD] = (struct instruction){
        .class = CLASS_MEMORY, .flags = INSTRUCTION_LOAD, .written = 1, .registers = {1}};
    free(warp->issues);
    free(warp->records);
    *warp = (struct timed_warp){.issues = calloc(ISSUES, sizeof *warp->issues),
                                .records = calloc(groups + 1, sizeof *warp->records)};
    assert_true(warp->issues && warp->records);
    for (unsigned i = 0; i <= groups; i++)
        warp->records[warp->record_count++] = (struct warp_access){.base = 0x10000 + i * 4096,
                                                                   .stride = 4,
                                                                   .mask = UINT32_MAX,
                                                                   .bytes = 4,
                                                                   .op = OP_LOAD,
                                                                   .space = SPACE_GLOBAL};
    for (unsigned i = 0; i < groups * PAUSE; i++)
        warp->issues[warp->issue_count++] =
            (struct warp_instruction){.code = i % PAUSE < WORK ? i % PAUSE : WORK,
                                      .flags = i % PAUSE == COPY ? ISSUE_RECORD : 0,
                                      .mask = UINT32_MAX};
    static const struct {
        uint32_t code;
        uint8_t flags;
    } ends[] = {{WAIT, 0}, {LOAD, ISSUE_RECORD}};
    for (unsigned i = 0; i < 2; i++)
        warp->issues[warp->issue_count++] = (struct warp_instruction){
            .code = ends[i].code, .flags = ends[i].flags, .mask = UINT32_MAX};
    warp->issues[warp->issue_count++] = (struct warp_instruction){.code = last, .mask = UINT32_MAX};
    return source;
}

/* The fewer of eight groups may be left in flight, the later a warp goes on. */
static void test_groups_of_copies(void **state)
{
    (void)state;
    enum { GROUPS = 8, LATENCY = 2000 };
    struct machine machine = machine_of(1);
    machine.l1i.enabled = 0;
    uint64_t before = UINT64_MAX;
    for (unsigned left = 0; left <= GROUPS; left++) {
        struct timed_source *source = copy_in_groups(GROUPS, left);
        const struct lone_sm ran = lone_sm_run(&machine, &source->base, LATENCY, 100, 1 << 20);
        assert_true(ran.cycles < before);
        assert_true((ran.cycles > 2 * LATENCY) == (left < GROUPS));
        before = ran.cycles;
        trace_source_free(&source->base);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walks_compete),
        cmocka_unit_test(test_waits_for_stores_are_shared_out),
        cmocka_unit_test(test_warps_wait_for_atomics),
        cmocka_unit_test(test_streaming_by_launch),
        cmocka_unit_test(test_data_banks),
        cmocka_unit_test(test_late_sectors_leave_together),
        cmocka_unit_test(test_volatile_loads_pass_the_l1d),
        cmocka_unit_test(test_what_reads_evict_takes_the_port),
        cmocka_unit_test(test_load_store_units),
        cmocka_unit_test(test_atomics_keep_the_port),
        cmocka_unit_test(test_clock_of_l2),
        cmocka_unit_test(test_clock_of_latency),
        cmocka_unit_test(test_clusters),
        cmocka_unit_test(test_arrivals_at_barriers),
        cmocka_unit_test(test_what_warps_wait_for),
        cmocka_unit_test(test_groups_of_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
