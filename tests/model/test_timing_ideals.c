/* Ideals at depth timing: what a parameter can express gives that parameter's answer, and on random
 * machines and programs any set of them ends, counts every slot, and is the same on any number of
 * threads.
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

#include "config/machine_file.h"
#include "model/evaluate.h"
#include "model/gpu/block_placement.h"
#include "model/ideal_machine.h"
#include "model/timing/base/timing_log.h"
#include "support/gpu_trial.h"
#include "support/sanitized.h"
#include "trace/tile_stream.h"
#include "workload/workload.h"

/* What a user would write instead, of machines of the defaults. */
static const struct {
    enum ideal ideal;
    const char *settings;
} twins[] = {
    {IDEAL_L1D_CAPACITY, "l1d.size=512KiB l1d.ways=128"},
    {IDEAL_L1D_ASSOCIATIVITY, "l1d.ways=128 l1d.index=linear"},
    {IDEAL_L1D_FLUSH, "l1d.flush=no"},
    {IDEAL_L1D_LATENCY, "l1d.latency=1"},
    {IDEAL_L1D_ENTRIES, "l1d.mshr.entries=65536"},
    {IDEAL_L1D_MERGE, "l1d.mshr.merge=1024"},
    {IDEAL_L1D_MISS_QUEUE, "l1d.miss_queue=4096"},
    {IDEAL_L2_LATENCY, "l2.latency=0"},
    {IDEAL_L2_MSHR, "l2.mshr.entries=65536 l2.mshr.merge=1024 l2.miss_queue=4096"},
    {IDEAL_ATOMICS, "l2.atomic=0 l2.atomic_float=0 l2.partial=0"},
    {IDEAL_DRAM_LATENCY, "dram.latency=0 dram.rrd=0 dram.rcd=0 dram.ras=0 dram.rp=0 dram.rc=0 "
                         "dram.cl=0 dram.wl=0 dram.cdlr=0 dram.wr=0 dram.rtpl=0"},
    {IDEAL_TRANSLATION, "tlb.enabled=no"},
    {IDEAL_TLB_CAPACITY, "tlb.entries=4096 tlb.ways=full"},
    {IDEAL_WALKER_COUNT, "walker.count=1024 walker.queue=65536"},
    {IDEAL_WALKER_LATENCY, "walker.latency=0 walker.lookup=0"},
    {IDEAL_L1I_HITS, "l1i.enabled=no"}, /* where a hit takes a cycle */
    {IDEAL_LAUNCH, "gpu.launch_latency=0 gpu.block_latency=0"},
};

static void set_all(struct machine *machine, const char *settings)
{
    char copy[400], *rest = copy;
    snprintf(copy, sizeof copy, "%s", settings);
    for (char *word; (word = strsep(&rest, " "));) {
        struct value value;
        char *equal = strchr(word, '=');
        *equal = '\0';
        const struct parameter *parameter = parameter_find(word);
        assert_int_equal(parameter_parse(parameter, equal + 1, &value, NULL), STATUS_OK);
        parameter_set(parameter, machine, value);
    }
}

static double cycles_of(const struct machine *machine, const struct timed_source *source,
                        const struct evaluate_options *options)
{
    struct metrics metrics;
    assert_int_equal(evaluate(machine, &source->base, options, &metrics, NULL), STATUS_OK);
    return metrics.core_cycles;
}

static void parameters_give_the_same(void **state)
{
    (void)state;
    struct machine usual;
    machine_defaults(&usual);
    usual.gpu.sms = 3;
    usual.tlb.entries = usual.tlb.ways = 8;
    usual.walker.count = 2;
    usual.gpu.launch_latency = 700;
    for (size_t i = 0; i < sizeof twins / sizeof *twins; i++) {
        for (uint64_t seed = 0; seed < 4; seed++) {
            struct timed_source *source = timed_source_random(seed, &timed_wide);
            struct machine set = usual;
            struct evaluate_options options = {.depth = DEPTH_TIMING};
            set_all(&set, twins[i].settings);
            const double expected = cycles_of(&set, source, &options);
            ideal_add(&options.ideals, twins[i].ideal);
            const double found = cycles_of(&usual, source, &options);
            if (found != expected)
                print_message("%s, seed %u\n", twins[i].settings, (unsigned)seed);
            assert_true(found == expected);
            trace_source_free(&source->base);
        }
    }
}

/* The same of what has no instructions: the counts of the functional depth, and a scene. */
static void other_models_give_the_same(void **state)
{
    static const struct {
        enum ideal ideal;
        const char *settings, *machine, *workload, *metric;
        enum depth depth;
    } cases[] = {
        {IDEAL_L1D_CAPACITY, "l1d.size=512KiB l1d.ways=128", "gtx480", "ATAX:n=64", "l1d.misses",
         DEPTH_FUNCTIONAL},
        {IDEAL_L1D_ASSOCIATIVITY, "l1d.ways=128 l1d.index=linear", "gtx480", "ATAX:n=64",
         "l1d.misses", DEPTH_FUNCTIONAL},
        {IDEAL_L1D_OPTIMUM, "l1d.replacement=opt", "gtx480", "ATAX:n=64", "l1d.misses",
         DEPTH_FUNCTIONAL},
        {IDEAL_L1D_FLUSH, "l1d.flush=no", "gtx480", "ATAX:n=64", "l1d.misses", DEPTH_FUNCTIONAL},
        {IDEAL_L1D_STORES,
         "l1d.write=write_back l1d.write_allocate=lazy_fetch l1d.allocate=on_miss", "gtx480",
         "GEMM:n=64", "l1d.misses", DEPTH_FUNCTIONAL},
        {IDEAL_TLB_CAPACITY, "tlb.entries=4096 tlb.ways=full", "gtx480", "ATAX:n=256", "tlb.misses",
         DEPTH_FUNCTIONAL},
        {IDEAL_WALKER_COUNT, "walker.count=1024 walker.queue=65536", "gtx480", "ATAX:n=256",
         "walk.latency.mean", DEPTH_FUNCTIONAL},
        {IDEAL_WALKER_LATENCY, "walker.latency=0 walker.lookup=0", "gtx480", "ATAX:n=256",
         "walk.latency.mean", DEPTH_FUNCTIONAL},
        {IDEAL_TILE_QUEUE, "tile.queue.entries=256 tile.queue.merge=256 tile.fifo=1024", "tile-gpu",
         "raster-jellyfish", "core.cycles", DEPTH_TIMING},
        {IDEAL_TILE_LATENCY, "tile.latency=0 tile.jitter=0", "tile-gpu", "raster-jellyfish",
         "core.cycles", DEPTH_TIMING},
        {IDEAL_TILE_BUS, "tile.bandwidth=4096", "tile-gpu", "raster-jellyfish", "core.cycles",
         DEPTH_TIMING},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct evaluate_options options = {.depth = cases[i].depth, .needs = NEED_REPORT};
        const struct metric *metric = metric_find(cases[i].metric);
        struct metrics expected, found;
        struct machine machine, set;
        struct trace_source *source;
        assert_int_equal(machine_load(cases[i].machine, NULL, &machine, NULL, NULL), STATUS_OK);
        assert_int_equal(workload_open(cases[i].workload, &source, NULL), STATUS_OK);
        set = machine;
        set_all(&set, cases[i].settings);
        assert_int_equal(evaluate(&set, source, &options, &expected, NULL), STATUS_OK);
        ideal_add(&options.ideals, cases[i].ideal);
        assert_int_equal(evaluate(&machine, source, &options, &found, NULL), STATUS_OK);
        assert_true(metric_get(metric, &found) == metric_get(metric, &expected));
        assert_true(metric_get(metric, &found) >= 0);
        trace_source_free(source);
    }
}

/* Lanes that lie side by side make as many transactions at both depths: the fewest of so many
 * bytes, and fewer than lanes that are apart. */
static void lanes_are_packed_at_both_depths(void **state)
{
    static const char *const programs[] = {"TRANSPOSE:n=64", "ATAX:n=64", "GATHER:n=4096"};
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct evaluate_options options = {.depth = DEPTH_FUNCTIONAL};
        struct metrics apart, packed, timed;
        struct machine machine;
        struct trace_source *source;
        assert_int_equal(machine_load("gtx480", NULL, &machine, NULL, NULL), STATUS_OK);
        assert_int_equal(workload_open(programs[i], &source, NULL), STATUS_OK);
        assert_int_equal(evaluate(&machine, source, &options, &apart, NULL), STATUS_OK);
        ideal_add(&options.ideals, IDEAL_COALESCE);
        assert_int_equal(evaluate(&machine, source, &options, &packed, NULL), STATUS_OK);
        options.depth = DEPTH_TIMING;
        assert_int_equal(evaluate(&machine, source, &options, &timed, NULL), STATUS_OK);
        assert_true(packed.stream_transactions == timed.stream_transactions);
        assert_true(packed.stream_transactions < apart.stream_transactions);
        assert_true(packed.stream_memory_instructions == apart.stream_memory_instructions);
        trace_source_free(source);
    }
}

static struct metrics run_program(const char *name, const char *program, struct ideal_set ideals)
{
    const struct evaluate_options options = {.depth = DEPTH_TIMING, .ideals = ideals};
    struct metrics metrics;
    struct machine machine;
    struct trace_source *source;
    assert_int_equal(machine_load(name, NULL, &machine, NULL, NULL), STATUS_OK);
    assert_int_equal(workload_open(program, &source, NULL), STATUS_OK);
    assert_int_equal(evaluate(&machine, source, &options, &metrics, NULL), STATUS_OK);
    trace_source_free(source);
    return metrics;
}

/* Where instructions are one transaction each nothing joins; where they are many, they wait less,
 * and fetch as much. */
static void transactions_are_served_together(void **state)
{
    static const char *const machines[] = {"gtx480", "v100"};
    struct ideal_set none = {{0}}, joined = {{0}};
    (void)state;
    ideal_add(&joined, IDEAL_COALESCE_JOINED);
    for (size_t i = 0; i < 2; i++) {
        const struct metrics one = run_program(machines[i], "VECTORS:n=4096", none),
                             same = run_program(machines[i], "VECTORS:n=4096", joined),
                             many = run_program(machines[i], "ATAX:n=64", none),
                             less = run_program(machines[i], "ATAX:n=64", joined);
        if (i == 0) { /* a line of v100 is four sectors, and so are its transactions */
            assert_true(one.stream_transactions == one.stream_memory_instructions);
            assert_true(same.core_cycles == one.core_cycles);
        }
        assert_true(many.stream_transactions > 4 * many.stream_memory_instructions);
        assert_true(less.core_cycles < many.core_cycles);
        assert_true(less.stream_transactions == many.stream_transactions);
    }
}

/* Warps that are dealt one by one are a program whose blocks are warps; the busiest scheduler has
 * less to do. */
static void work_is_spread_by_warps(void **state)
{
    struct ideal_set none = {{0}}, even = {{0}};
    (void)state;
    ideal_add(&even, IDEAL_IMBALANCE);
    const struct metrics lumps = run_program("gtx480", "GESUMMV:n=192", none),
                         spread = run_program("gtx480", "GESUMMV:n=192", even);
    assert_true(spread.core_bound < lumps.core_bound / 2);
    assert_true(spread.core_imbalance < lumps.core_imbalance / 2);
    assert_true(spread.stream_warp_instructions == lumps.stream_warp_instructions);
    static const char *const programs[][2] = {{"VECTORS:n=40960", "VECTORS:n=40960,block_x=32"},
                                              {"GATHER:n=8192", "GATHER:n=8192,block_x=32"}};
    for (size_t i = 0; i < 2; i++) {
        struct machine machine;
        struct trace_source *whole, *warps;
        struct evaluate_options options = {.depth = DEPTH_TIMING};
        assert_int_equal(machine_load("v100", NULL, &machine, NULL, NULL), STATUS_OK);
        machine.gpu.sms = 3;
        assert_int_equal(workload_open(programs[i][0], &whole, NULL), STATUS_OK);
        assert_int_equal(workload_open(programs[i][1], &warps, NULL), STATUS_OK);
        struct metrics found, usual, expected;
        assert_int_equal(evaluate(&machine, whole, &options, &usual, NULL), STATUS_OK);
        options.ideals = even;
        assert_int_equal(evaluate(&machine, whole, &options, &found, NULL), STATUS_OK);
        options.ideals = none;
        machine.gpu.max_blocks = 256;
        assert_int_equal(evaluate(&machine, warps, &options, &expected, NULL), STATUS_OK);
        assert_true(found.core_cycles == expected.core_cycles);
        assert_true(found.core_cycles != usual.core_cycles);
        trace_source_free(whole);
        trace_source_free(warps);
    }
}

/* Without any limit a tile cache takes as many requests a cycle as there are pipelines and banks:
 * of each pass what these need, and what the last ones are under way. */
static void tile_ideals_give_the_bound(void **state)
{
    const struct ideal_set all = ideal_all(DEPTH_TIMING);
    (void)state;
    const struct metrics metrics = run_program("tile-gpu", "raster-jellyfish", all);
    struct machine machine;
    struct trace_source *source;
    assert_int_equal(machine_load("tile-gpu", NULL, &machine, NULL, NULL), STATUS_OK);
    assert_int_equal(workload_open("raster-jellyfish", &source, NULL), STATUS_OK);
    const double banks = (double)machine.tile.cache.slices,
                 pipelines = (double)machine.tile.pipelines;
    const double bound = metrics.tile_requests / (banks < pipelines ? banks : pipelines);
    assert_true(metrics.tile_cycles >= bound);
    assert_true(metrics.tile_cycles <= bound + 100 * source->tiles->pass_count);
    assert_true(metrics.tile_stall_writeback == 0 && metrics.tile_stall_execute == 0);
    assert_true(metrics.tile_stall_bank == 0);
    trace_source_free(source);
}

/* A machine whose clocks are one clock does the same later. */
static void starts_mean_nothing_to_one_clock(void **state)
{
    (void)state;
    struct machine machine;
    machine_defaults(&machine);
    machine.gpu.sms = 2;
    machine.network.clock = machine.dram.clock = machine.gpu.clock;
    machine.l2.clock = 0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct timed_source *source = timed_source_random(seed, &timed_wide);
        struct evaluate_options options = {.depth = DEPTH_TIMING};
        const double base = cycles_of(&machine, source, &options);
        for (options.start_delay = 1; options.start_delay < 400; options.start_delay *= 7)
            assert_true(cycles_of(&machine, source, &options) == base);
        trace_source_free(&source->base);
    }
}

/* ---- the bound of issue ---- */

/* The cycles that schedulers need if each issues all that it can in every one: in each launch, the
 * most instructions that one of them issued, over the issue width. */
static uint64_t bound_of(const struct timing_warps *warps, const struct machine *machine,
                         uint32_t launches)
{
    const uint64_t sms = machine->gpu.sms, schedulers = machine->scheduler.count;
    const uint64_t width = machine->scheduler.issue;
    uint64_t *issued = calloc(sms * schedulers, sizeof *issued), bound = 0;
    for (uint32_t launch = 0; launch < launches; launch++) {
        uint64_t most = 0;
        memset(issued, 0, sms * schedulers * sizeof *issued);
        for (size_t i = 0; i < warps->count; i++) {
            const struct timing_warp *warp = &warps->items[i];
            if (warp->launch != launch)
                continue;
            uint64_t *its = &issued[warp->sm * schedulers + warp->scheduler];
            *its += warp->instructions;
            most = *its > most ? *its : most;
        }
        bound += (most + width - 1) / width;
    }
    free(issued);
    return bound;
}

static void check_bound(const struct machine *machine, const struct trace_source *source)
{
    struct timing_log log = {.by_warp = true};
    struct metrics metrics;
    const struct evaluate_options options = {
        .depth = DEPTH_TIMING, .ideals = ideal_all(DEPTH_TIMING), .log = &log};
    assert_int_equal(evaluate(machine, source, &options, &metrics, NULL), STATUS_OK);
    const double bound = (double)bound_of(&log.warps, machine, source->launch_count);
    const double most = bound + 16 * (double)source->launch_count;
    if (metrics.core_cycles < bound || metrics.core_cycles > most)
        print_message("%s: %.0f cycles, bound %.0f\n", source->name, metrics.core_cycles, bound);
    assert_true(metrics.core_bound == bound);
    assert_true(metrics.core_cycles >= bound);
    assert_true(metrics.core_cycles <= most);
    timing_log_free(&log);
}

static void all_ideals_give_the_bound(void **state)
{
    static const char *const machines[] = {"gtx480", "gtx480-accelsim", "rtx3070-accelsim", "v100"};
    static const char *const programs[] = {"GEMM:n=64", "2DCONV:n=128", "TRANSPOSE:n=128",
                                           "GESUMMV:n=64", "ATAX:n=64"};
    (void)state;
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++)
        for (size_t w = 0; w < sizeof programs / sizeof *programs; w++) {
            struct machine machine;
            struct trace_source *source;
            assert_int_equal(machine_load(machines[m], NULL, &machine, NULL, NULL), STATUS_OK);
            assert_int_equal(workload_open(programs[w], &source, NULL), STATUS_OK);
            check_bound(&machine, source);
            trace_source_free(source);
        }
}

/* ---- placement ---- */

static struct gpu_trial run_placed(const struct machine *machine, const struct timed_source *source,
                                   struct evaluate_options evaluate, uint32_t threads)
{
    const struct gpu_options options = {.threads = threads, .evaluate = &evaluate};
    struct machine built = *machine;
    evaluate.depth = DEPTH_TIMING;
    ideal_machine(&built, evaluate.ideals);
    return gpu_trial_with(&built, source, &options);
}

/* A run held to its own placement is the same run; one held to that of another has its blocks where
 * those were, whatever its ideals. */
static void check_placement(const struct machine *machine, const struct timed_source *source,
                            struct ideal_set ideals)
{
    struct block_placement first = {0}, again = {0};
    const struct gpu_trial free_run =
        run_placed(machine, source, (struct evaluate_options){.record_placement = &first}, 1);
    if (free_run.status) {
        block_placement_free(&first);
        return;
    }
    const struct evaluate_options held = {.placement = &first, .record_placement = &again};
    const struct gpu_trial same = run_placed(machine, source, held, 3);
    assert_memory_equal(&free_run, &same, sizeof same);
    assert_int_equal(block_placement_hash(&first), block_placement_hash(&again));
    const struct evaluate_options ideal = {
        .placement = &first, .record_placement = &again, .ideals = ideals};
    assert_int_equal(run_placed(machine, source, ideal, 1).status, STATUS_OK);
    assert_int_equal(first.count, again.count);
    assert_memory_equal(first.sms, again.sms, first.count * sizeof *first.sms);
    block_placement_free(&first);
    block_placement_free(&again);
}

static struct ideal_set roll_ideals(struct dice *dice)
{
    struct ideal_set set = {{0}};
    const struct ideal_set all = ideal_all(DEPTH_TIMING);
    const unsigned rarity = 1 + (unsigned)roll(dice, 6);
    for (int i = 0; i < IDEAL_COUNT; i++)
        if (ideal_has(all, (enum ideal)i) && !roll(dice, rarity))
            ideal_add(&set, (enum ideal)i);
    return set;
}

static void placements_are_held(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(16); seed++) {
        struct dice dice = {.seed = seed + 9000};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &timed_small);
        roll_fitting(&dice, source, 1 + (unsigned)roll(&dice, 8), roll(&dice, 2), &machine);
        check_placement(&machine, source, roll_ideals(&dice));
        trace_source_free(&source->base);
    }
}

static void other_placements_are_refused(void **state)
{
    (void)state;
    uint16_t sms[] = {0, 1, 7};
    const struct block_placement placement = {sms, 3};
    assert_int_equal(block_placement_check(&placement, 3, 8, NULL), STATUS_OK);
    assert_int_equal(block_placement_check(&placement, 3, 7, NULL), STATUS_INVALID);
    assert_int_equal(block_placement_check(&placement, 4, 8, NULL), STATUS_INVALID);
}

/* ---- random sets ---- */

/* A run with ideals, of the machine without them. */
static struct gpu_trial run_ideal(const struct machine *machine, const struct timed_source *source,
                                  struct ideal_set ideals, uint32_t threads)
{
    const struct evaluate_options evaluate = {.depth = DEPTH_TIMING, .ideals = ideals};
    const struct gpu_options options = {.threads = threads, .evaluate = &evaluate};
    struct machine built = *machine;
    ideal_machine(&built, ideals);
    return gpu_trial_with(&built, source, &options);
}

/* Ideals change when things happen, never what is executed. */
static void check_ideals(uint64_t seed, const struct machine *machine,
                         const struct timed_source *source, struct ideal_set ideals)
{
    char text[IDEAL_TEXT];
    const struct gpu_trial usual = gpu_trial_run(machine, source, 1);
    if (usual.status)
        return; /* some random machines have a queue too short to empty */
    const struct gpu_trial one = run_ideal(machine, source, ideals, 1),
                           three = run_ideal(machine, source, ideals, 3);
    if (one.status) {
        print_machine(seed, machine);
        print_message("ideals: %s\n", ideal_print(ideals, text));
    }
    assert_int_equal(one.status, STATUS_OK);
    assert_memory_equal(&one, &three, sizeof one);
    check_slots(machine, &one.counts);
    assert_int_equal(one.counts.sm.instructions, usual.counts.sm.instructions);
    assert_int_equal(one.counts.sm.thread_accesses, usual.counts.sm.thread_accesses);
}

static void random_sets_end(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(24); seed++) {
        struct dice dice = {.seed = seed + 7000};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &timed_small);
        roll_fitting(&dice, source, 1 + (unsigned)roll(&dice, 8), roll(&dice, 2), &machine);
        check_ideals(seed, &machine, source, roll_ideals(&dice));
        check_ideals(seed, &machine, source, ideal_all(DEPTH_TIMING));
        trace_source_free(&source->base);
        source = timed_source_random(seed, &timed_wide);
        roll_translating(&dice, source, &machine);
        check_ideals(seed, &machine, source, roll_ideals(&dice));
        trace_source_free(&source->base);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_give_the_same),
        cmocka_unit_test(other_models_give_the_same),
        cmocka_unit_test(lanes_are_packed_at_both_depths),
        cmocka_unit_test(transactions_are_served_together),
        cmocka_unit_test(work_is_spread_by_warps),
        cmocka_unit_test(tile_ideals_give_the_bound),
        cmocka_unit_test(starts_mean_nothing_to_one_clock),
        cmocka_unit_test(placements_are_held),
        cmocka_unit_test(other_placements_are_refused),
        cmocka_unit_test(random_sets_end),
        cmocka_unit_test(all_ideals_give_the_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
