/* Fetches of instructions. At the functional depth they change nothing else, the L1I counts what a
 * slow cache counts that is fed by hand, and a fetch from the line of the one before it reads no
 * tags. At depth timing the SIMT processor's caches count the same, bursts take their beats, and
 * counts by warp add up. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "config/machine_file.h"
#include "model/evaluate.h"
#include "model/timing/base/timing_log.h"
#include "schema/parameters.h"
#include "support/same_metrics.h"
#include "support/shared_data.h"
#include "workload/simt/simt_source.h"
#include "workload/workload.h"

enum { WAYS_MAX = 8, SETS_MAX = 8 };

/* An LRU cache as a list: the line used last comes first. */
struct slow_l1i {
    uint64_t lines[SETS_MAX][WAYS_MAX], held[SETS_MAX];
    uint64_t accesses, misses, tag_reads, last; /* last: line of the fetch before, plus one */
};

static void slow_fetch(struct slow_l1i *slow, const struct machine *machine, uint32_t pc)
{
    const uint64_t ways = machine->l1i.ways, line = pc / machine->l1i.line;
    const uint64_t sets = machine->l1i.size / machine->l1i.line / ways, set = line % sets;
    slow->accesses++;
    slow->tag_reads += !machine->l1i.same_line || slow->last != line + 1;
    slow->last = line + 1;
    uint64_t at = 0;
    while (at < slow->held[set] && slow->lines[set][at] != line)
        at++;
    if (at == slow->held[set]) {
        slow->misses++;
        slow->held[set] += slow->held[set] < ways;
        at = slow->held[set] - 1;
    }
    memmove(&slow->lines[set][1], &slow->lines[set][0], at * sizeof line);
    slow->lines[set][0] = line;
}

static void base_machine(struct machine *machine)
{
    machine_defaults(machine);
    machine->tlb.enabled = 0;
    machine->l2.enabled = 0;
    machine->gpu.sms = 1;
}

static void evaluate_one(const struct machine *machine, const struct trace_source *source,
                         struct metrics *metrics)
{
    const struct evaluate_options options = {0};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    if (evaluate(machine, source, &options, metrics, &diagnostics)) {
        diagnostics_print(&diagnostics, stderr);
        fail_msg("the evaluation failed");
    }
    diagnostics_free(&diagnostics);
}

/* Programs without barriers: the processor's order of warps is the round robin of the depth. */
static void test_slow_twin(void **state)
{
    (void)state;
    static const char *const programs[] = {"traces/simt/line.s", "traces/simt/loop.s"};
    for (uint64_t round = 0; round < 24; round++) {
        const char *path = programs[round % 2];
        struct machine machine;
        struct simt_program program;
        struct trace_source *source;
        struct metrics metrics;
        base_machine(&machine);
        machine.l1i.fetches = 1;
        machine.l1i.same_line = random_at(round, 0) & 1;
        machine.l1i.line = UINT64_C(16) << random_below(random_at(round, 1), 3);
        machine.l1i.ways = 1 + random_below(random_at(round, 2), 4);
        machine.l1i.size = machine.l1i.line * machine.l1i.ways
                           << random_below(random_at(round, 3), 4);
        const char *arguments = round % 3 ? "warps=5,N=30" : "warps=8,N=9";
        assert_int_equal(simt_open(path, arguments, &program, NULL), STATUS_OK);
        assert_int_equal(simt_source_open(path, "name", arguments, &source, NULL), STATUS_OK);
        struct slow_l1i slow = {0};
        struct simt_block *block;
        struct simt_step step;
        assert_int_equal(simt_block_start(&block, &program, 0, NULL), STATUS_OK);
        while (simt_block_step(block, &step) == SIMT_RAN)
            slow_fetch(&slow, &machine, step.pc);
        simt_block_free(block);
        evaluate_one(&machine, source, &metrics);
        assert_int_equal(metrics.l1i_accesses, slow.accesses);
        assert_int_equal(metrics.l1i_misses, slow.misses);
        assert_int_equal(metrics.l1i_tag_reads, slow.tag_reads);
        trace_source_free(source);
        simt_program_free(&program);
    }
}

/* Fetches that an evaluation alone joins to one request a line are single ones where another
 * machine in its pass wants each of them; and lines of different sizes are joined by the smaller
 * ones. */
static void test_joined(void **state)
{
    (void)state;
    static const char *const names[] = {"simt-line:n=40,blocks=3", "simt-sort:n=64,blocks=4",
                                        "GEMM:n=32", "BFS:nodes=700,block_x=100"};
    for (uint64_t round = 0; round < 32; round++) {
        struct machine machines[3];
        struct trace_source *source;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        assert_int_equal(workload_open(names[round % 4], &source, NULL), STATUS_OK);
        for (unsigned i = 0; i < 3; i++) {
            base_machine(&machines[i]);
            machines[i].gpu.sms = 1 + random_below(random_at(round, 9), 3);
            machines[i].l1i.fetches = machines[i].l1i.same_line = 1;
            machines[i].l1i.line = UINT64_C(32) << random_below(random_at(round, i), 4);
            machines[i].l1i.ways = 1 + random_below(random_at(round, 3 + i), 4);
            machines[i].l1i.size = machines[i].l1i.line * machines[i].l1i.ways * 4;
            machines[i].l1i.block_stride = round % 2 ? UINT64_C(1) << 16 : 0;
        }
        machines[2].l1i.same_line = 0;
        const struct machine *const all[] = {&machines[0], &machines[1], &machines[2]};
        struct metrics two[2], three[3], alone;
        const struct evaluate_options options = {0};
        assert_int_equal(evaluate_many(all, 2, source, &options, two, &diagnostics), STATUS_OK);
        assert_int_equal(evaluate_many(all, 3, source, &options, three, &diagnostics), STATUS_OK);
        for (unsigned i = 0; i < 2; i++) {
            evaluate_one(&machines[i], source, &alone);
            assert_same_metrics(&two[i], &alone);
            assert_same_metrics(&three[i], &alone);
        }
        diagnostics_free(&diagnostics);
        trace_source_free(source);
    }
}

/* Whatever is fetched, all other metrics stay as they are, for programs of both kinds. */
static void test_nothing_else(void **state)
{
    (void)state;
    static const char *const names[] = {"simt-sort:n=64", "simt-maximum:n=100,blocks=4",
                                        "GEMM:n=32", "BFS:nodes=700,block_x=100"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct trace_source *source;
        struct machine machine;
        struct metrics without, with;
        assert_int_equal(workload_open(names[i], &source, NULL), STATUS_OK);
        machine_defaults(&machine);
        evaluate_one(&machine, source, &without);
        machine.l1i.fetches = 1;
        evaluate_one(&machine, source, &with);
        for (size_t m = 0; m < METRIC_COUNT; m++) {
            const struct metric *metric = &metric_table[m];
            const double a = metric_get(metric, &without), b = metric_get(metric, &with);
            if (metric->stage == STAGE_L1I)
                assert_true(a != a); /* those of L0s and buffers stay so */
            else if (a != b && !(a != a && b != b))
                fail_msg("%s: %s is %g, with fetches %g", names[i], metric->path, a, b);
        }
        assert_int_equal(with.l1i_accesses, with.stream_warp_instructions);
        trace_source_free(source);
    }
}

/* Records that are fetches themselves go to the L1I, and nowhere else. */
static void test_records(void **state)
{
    (void)state;
    char path[] = "/tmp/warpscape_fetches_XXXXXX.din";
    const int fd = mkstemps(path, 4);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
    assert_non_null(out);
    fputs("2 1000\n0 8000\n2 1004\n2 2000\n1 8004\n2 1000\n", out);
    fclose(out);
    struct trace_source *source;
    struct machine machine;
    struct metrics metrics;
    base_machine(&machine);
    machine.l1i.fetches = 1;
    assert_int_equal(workload_open(path, &source, NULL), STATUS_OK);
    evaluate_one(&machine, source, &metrics);
    assert_int_equal(metrics.l1i_accesses, 4);
    assert_int_equal(metrics.l1i_misses, 2);
    assert_int_equal(metrics.l1d_accesses, 2);
    trace_source_free(source);
    remove(path);
}

/* L0s as lists, and a stream buffer as all the lines that it holds. */
struct slow_ahead {
    struct slow_l1i l0s[4], l1i;
    uint64_t buffer[8], held, buffer_hits, prefetches;
};

static void slow_ahead_fetch(struct slow_ahead *slow, const struct machine *machine, uint32_t warp,
                             uint32_t pc)
{
    const struct instruction_cache_config *l1i = &machine->l1i;
    const uint64_t line = pc / l1i->line;
    if (l1i->l0.size) {
        struct machine own = *machine;
        own.l1i.size = l1i->l0.size;
        own.l1i.ways = l1i->l0.size / l1i->line;
        own.l1i.same_line = 0;
        struct slow_l1i *l0 = &slow->l0s[warp % l1i->l0.count];
        const uint64_t before = l0->misses;
        slow_fetch(l0, &own, pc);
        if (l0->misses == before)
            return;
    }
    const uint64_t before = slow->l1i.misses;
    slow_fetch(&slow->l1i, machine, pc);
    if (slow->l1i.misses == before || !l1i->buffer)
        return;
    if (slow->held && slow->buffer[0] == line) {
        slow->buffer_hits++;
        memmove(slow->buffer, slow->buffer + 1, --slow->held * sizeof line);
    } else {
        slow->held = 0;
    }
    while (slow->held < l1i->buffer) {
        slow->buffer[slow->held] = slow->held ? slow->buffer[slow->held - 1] + 1 : line + 1;
        slow->held++;
        slow->prefetches++;
    }
}

/* And two SMs with a block each count twice what one does. */
static void test_l0s_and_buffer(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 24; round++) {
        const char *path = round % 2 ? "traces/simt/line.s" : "traces/simt/loop.s";
        struct machine machine;
        struct simt_program program;
        struct trace_source *source, *two;
        struct metrics metrics, twice;
        struct slow_ahead slow = {0};
        base_machine(&machine);
        struct instruction_cache_config *l1i = &machine.l1i;
        l1i->fetches = 1;
        l1i->same_line = random_at(round, 0) & 1;
        l1i->line = 16;
        l1i->ways = 1 + random_below(random_at(round, 2), 4);
        l1i->size = l1i->line * l1i->ways << random_below(random_at(round, 3), 3);
        l1i->l0.size = l1i->line * random_below(random_at(round, 4), 5);
        l1i->l0.count = 1 + random_below(random_at(round, 5), 4);
        l1i->buffer = random_below(random_at(round, 6), 8);
        assert_int_equal(simt_open(path, "warps=5,N=30", &program, NULL), STATUS_OK);
        assert_int_equal(simt_source_open(path, "name", "warps=5,N=30", &source, NULL), STATUS_OK);
        assert_int_equal(simt_source_open(path, "name", "warps=5,N=30,blocks=2", &two, NULL),
                         STATUS_OK);
        struct simt_block *block;
        struct simt_step step;
        assert_int_equal(simt_block_start(&block, &program, 0, NULL), STATUS_OK);
        while (simt_block_step(block, &step) == SIMT_RAN)
            slow_ahead_fetch(&slow, &machine, step.warp, step.pc);
        simt_block_free(block);
        evaluate_one(&machine, source, &metrics);
        assert_int_equal(metrics.l1i_accesses, slow.l1i.accesses);
        assert_int_equal(metrics.l1i_misses, slow.l1i.misses);
        assert_int_equal(metrics.l1i_tag_reads, slow.l1i.tag_reads);
        if (l1i->buffer) {
            assert_int_equal(metrics.l1i_buffer_hits, slow.buffer_hits);
            assert_int_equal(metrics.l1i_prefetches, slow.prefetches);
        }
        uint64_t accesses = 0, misses = 0;
        for (unsigned i = 0; i < 4; i++) {
            accesses += slow.l0s[i].accesses;
            misses += slow.l0s[i].misses;
        }
        assert_true(!l1i->l0.size == (metrics.l1i_l0_misses != metrics.l1i_l0_misses));
        if (l1i->l0.size) {
            assert_int_equal(metrics.l1i_l0_accesses, accesses);
            assert_int_equal(metrics.l1i_l0_misses, misses);
            assert_int_equal(metrics.l1i_accesses, misses);
        }
        machine.gpu.sms = 2;
        machine.gpu.max_blocks = 1;
        evaluate_one(&machine, two, &twice);
        if (round % 2 == 0) { /* blocks of loop.s do all alike */
            assert_int_equal(twice.l1i_misses, 2 * metrics.l1i_misses);
            if (l1i->buffer)
                assert_int_equal(twice.l1i_buffer_hits, 2 * metrics.l1i_buffer_hits);
        }
        trace_source_free(source);
        trace_source_free(two);
        simt_program_free(&program);
    }
}

/* ---- in time ---- */

static void evaluate_timed(const struct machine *machine, const struct trace_source *source,
                           struct timing_log *log, struct metrics *metrics)
{
    const struct evaluate_options options = {.depth = DEPTH_TIMING, .log = log};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    if (evaluate(machine, source, &options, metrics, &diagnostics)) {
        diagnostics_print(&diagnostics, stderr);
        fail_msg("the evaluation failed");
    }
    diagnostics_free(&diagnostics);
}

static struct trace_source *open_workload(const char *name)
{
    struct trace_source *source;
    assert_int_equal(workload_open(name, &source, NULL), STATUS_OK);
    return source;
}

/* On the SIMT processor each instruction is fetched once at either depth, and with caches in which
 * all fits, both depths miss alike. */
static void test_depths_agree(void **state)
{
    (void)state;
    static const char *const names[] = {"simt-sort:n=64,blocks=3", "simt-line:n=20,warps=5",
                                        "simt-fft:n=32,blocks=2,lanes=3"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct machine machine;
        struct metrics counts, time;
        struct trace_source *source = open_workload(names[i]);
        assert_int_equal(machine_load("simt-processor", NULL, &machine, NULL, NULL), STATUS_OK);
        evaluate_one(&machine, source, &counts);
        evaluate_timed(&machine, source, NULL, &time);
        assert_true(counts.l1i_misses > 0 && counts.l1d_misses > 0);
        assert_int_equal(time.l1i_accesses, counts.l1i_accesses);
        assert_int_equal(time.l1i_misses, counts.l1i_misses);
        assert_int_equal(time.l1d_accesses, counts.l1d_accesses);
        assert_int_equal(time.l1d_misses, counts.l1d_misses);
        trace_source_free(source);
    }
}

static void roll_fetches(uint64_t round, struct instruction_cache_config *l1i)
{
    l1i->same_line = random_at(round, 0) & 1;
    l1i->blocking = random_at(round, 1) & 1;
    l1i->line = UINT64_C(16) << random_below(random_at(round, 2), 3);
    l1i->ways = 1 + random_below(random_at(round, 3), 4);
    l1i->size = l1i->line * l1i->ways << random_below(random_at(round, 4), 3);
    l1i->replacement = REPLACEMENT_LRU;
    l1i->latency = 1 + random_below(random_at(round, 5), 4);
    l1i->block_stride = 0;
    l1i->l0.size = l1i->line * random_below(random_at(round, 6), 5);
    l1i->l0.count = 1 + random_below(random_at(round, 7), 4);
    l1i->l0.latency = 1 + random_below(random_at(round, 8), 3);
    l1i->buffer = random_below(random_at(round, 9), 8);
}

/* A lone warp on each SM meets its lines in one order, however long each takes: L0s, L1I and stream
 * buffer count the same at both depths, and the cycles of schedulers add up. */
static void test_lone_warps_agree(void **state)
{
    (void)state;
    static const char *const names[] = {
        "simt-line:n=20,warps=1,blocks=2", "simt-fft:n=32,warps=1,blocks=2,lanes=3",
        "simt-solve:n=4,warps=1,lanes=2", "simt-sort:n=64,warps=1,blocks=2"};
    double l0_hits = 0, buffer_hits = 0;
    for (uint64_t round = 0; round < 60; round++) {
        struct machine machine;
        struct metrics counts, time;
        struct trace_source *source = open_workload(names[round % (sizeof names / sizeof *names)]);
        assert_int_equal(machine_load("simt-processor", NULL, &machine, NULL, NULL), STATUS_OK);
        roll_fetches(round, &machine.l1i);
        machine.gpu.sms = 2;
        machine.gpu.max_blocks = 1;
        evaluate_one(&machine, source, &counts);
        evaluate_timed(&machine, source, NULL, &time);
        static const char *const equal[] = {"l1i.accesses",    "l1i.misses",     "l1i.tag_reads",
                                            "l1i.buffer_hits", "l1i.prefetches", "l1i.l0.misses",
                                            "l1i.l0.accesses"};
        for (size_t i = 0; i < sizeof equal / sizeof *equal; i++) {
            const struct metric *metric = metric_find(equal[i]);
            if (!same_number(metric_get(metric, &time), metric_get(metric, &counts)))
                fail_msg("round %d: %s is %g, in time %g", (int)round, equal[i],
                         metric_get(metric, &counts), metric_get(metric, &time));
        }
        double slots = 0;
#define ADD_SLOT(X, field, name, what) slots += time.core_slots_##field;
        SLOT_LIST(ADD_SLOT, )
#undef ADD_SLOT
        assert_true(fabs(slots - 1) < 1e-9);
        l0_hits += machine.l1i.l0.size ? time.l1i_l0_accesses - time.l1i_l0_misses : 0;
        buffer_hits += machine.l1i.buffer ? time.l1i_buffer_hits : 0;
        trace_source_free(source);
    }
    assert_true(l0_hits > 10000 && buffer_hits > 1000);
}

/* Lines that the buffer asked for ahead cost a lone warp less than a miss, and the network more.
 * The later data come, the longer a line on its way is waited for, but never as long as a miss. */
static void test_ahead_in_time(void **state)
{
    (void)state;
    struct machine machine;
    struct metrics alone, ahead, later;
    struct trace_source *source = open_workload("simt-line:n=20,warps=1,lanes=1");
    assert_int_equal(machine_load("simt-processor", NULL, &machine, NULL, NULL), STATUS_OK);
    machine.l1i.line = 16;
    machine.l1i.ways = 1;
    machine.l1i.size = 64;
    evaluate_timed(&machine, source, NULL, &alone);
    machine.l1i.buffer = 4;
    evaluate_timed(&machine, source, NULL, &ahead);
    assert_true(ahead.l1i_misses == alone.l1i_misses && ahead.l1i_buffer_hits > 0);
    assert_true(ahead.core_cycles < alone.core_cycles);
    assert_true(ahead.core_slots_instruction < alone.core_slots_instruction);
    assert_true(ahead.network_bytes > alone.network_bytes);
    machine.dram.latency += 100;
    evaluate_timed(&machine, source, NULL, &later);
    const double more = later.core_cycles - ahead.core_cycles;
    assert_true(more >= 100 * (later.l1i_misses - later.l1i_buffer_hits));
    assert_true(more < 100 * (later.l1i_misses + later.l1d_misses));
    trace_source_free(source);
}

/* Blocks of their own instructions miss once each; with common ones the second finds the first's.
 */
static void test_block_stride(void **state)
{
    (void)state;
    struct machine machine;
    struct metrics own, common;
    struct trace_source *source = open_workload("simt-loop:n=9,blocks=4");
    assert_int_equal(machine_load("simt-processor", NULL, &machine, NULL, NULL), STATUS_OK);
    evaluate_one(&machine, source, &own);
    machine.l1i.block_stride = 0;
    evaluate_one(&machine, source, &common);
    assert_int_equal(common.l1i_misses, 1);
    assert_int_equal(own.l1i_misses, 4);
    evaluate_timed(&machine, source, NULL, &common);
    machine.l1i.block_stride = 65536;
    evaluate_timed(&machine, source, NULL, &own);
    assert_int_equal(common.l1i_misses, 1);
    assert_int_equal(own.l1i_misses, 4);
    trace_source_free(source);
}

/* A miss of a lone warp takes an address, the memory's latency and a cycle for each beat of its
 * line; the stages of the pipeline are paid by every fetch of it. */
static void test_bursts(void **state)
{
    (void)state;
    struct machine machine;
    struct metrics before, after;
    struct trace_source *source = open_workload("simt-loop:n=5,warps=1,lanes=1");
    assert_int_equal(machine_load("simt-processor", NULL, &machine, NULL, NULL), STATUS_OK);
    evaluate_timed(&machine, source, NULL, &before);
    assert_int_equal(before.l1i_misses, 1);
    const double data = before.l1d_read_bytes;
    machine.network.flit = 8;
    evaluate_timed(&machine, source, NULL, &after);
    const double least = 64; /* of the 128 beats; a load or store may overlap what follows it */
    assert_in_range(before.core_cycles - after.core_cycles, least, least + data / 8);
    machine.dram.latency += 100;
    const double faster = after.core_cycles;
    evaluate_timed(&machine, source, NULL, &after);
    assert_in_range(after.core_cycles - faster, 100, 100 + 100 * before.l1d_misses);
    machine.dram.latency -= 100;
    machine.l1i.latency++;
    evaluate_timed(&machine, source, NULL, &after);
    const double hits = after.l1i_accesses - after.l1i_misses;
    assert_in_range(after.core_cycles - faster, hits / 2, hits);
    trace_source_free(source);
}

static void add_warp(struct timing_warp *sum, const struct timing_warp *warp)
{
    sum->instructions += warp->instructions;
    sum->lanes += warp->lanes;
    sum->loads += warp->loads;
    sum->l1i.accesses += warp->l1i.accesses;
    sum->l1i.misses += warp->l1i.misses;
    sum->l1d.accesses += warp->l1d.accesses;
    sum->l1d.misses += warp->l1d.misses;
    sum->l1d.pending += warp->l1d.pending;
}

/* What warps did adds up to what the machine did, and every warp has a row. */
static void test_by_warp(void **state)
{
    (void)state;
    static const struct {
        const char *machine, *workload;
        size_t warps;
    } runs[] = {{"simt-processor", "simt-sort:n=64,blocks=3,warps=5", 15},
                {"gtx480-accelsim", "GEMM:n=64", 128},
                {"rtx3070-accelsim", "BFS:nodes=700,block_x=96", 0}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        struct timing_log log = {.by_warp = true};
        struct timing_warp sum = {0};
        struct machine machine;
        struct metrics metrics;
        struct trace_source *source = open_workload(runs[i].workload);
        assert_int_equal(machine_load(runs[i].machine, NULL, &machine, NULL, NULL), STATUS_OK);
        evaluate_timed(&machine, source, &log, &metrics);
        for (size_t k = 0; k < log.warps.count; k++) {
            const struct timing_warp *warp = &log.warps.items[k], *last = warp - 1;
            assert_true(!k || warp->launch > last->launch || warp->block > last->block ||
                        (warp->block == last->block && warp->warp == last->warp + 1));
            assert_true(warp->end > warp->begin && warp->fetching < warp->end - warp->begin);
            add_warp(&sum, warp);
        }
        if (runs[i].warps)
            assert_int_equal(log.warps.count, runs[i].warps);
        assert_int_equal(sum.instructions, metrics.stream_warp_instructions);
        assert_int_equal(sum.lanes, metrics.core_thread_instructions);
        if (!machine.l1i.enabled)
            metrics.l1i_accesses = metrics.l1i_misses = metrics.l1i_pending_hits = 0;
        assert_int_equal(sum.l1i.accesses, metrics.l1i_accesses);
        assert_int_equal(sum.l1i.misses, metrics.l1i_misses + metrics.l1i_pending_hits);
        assert_int_equal(sum.l1d.accesses, metrics.l1d_accesses);
        assert_int_equal(sum.l1d.misses, metrics.l1d_misses);
        assert_int_equal(sum.l1d.pending, metrics.l1d_pending_hits);
        timing_log_free(&log);
        trace_source_free(source);
    }
}

/* A recorded kernel: every warp instruction is a fetch of its L0, or at depth timing two are; its
 * code is a straight line, so each L0 misses each line once. */
static void test_gpu_trace(void **state)
{
    (void)state;
    char path[4096];
    if (!shared_data("traces/accelsim/vectoradd/kernelslist.g", path, sizeof path)) {
        print_message("no Accel-Sim traces (WARPSCAPE_SHARED or ../shared): skipped\n");
        skip();
    }
    struct machine machine;
    struct metrics counts, time;
    struct trace_source *source = open_workload(path);
    assert_int_equal(machine_load("rtx3070-accelsim", NULL, &machine, NULL, NULL), STATUS_OK);
    machine.l1i.enabled = machine.l1i.fetches = 1;
    machine.l1i.buffer = 8;
    machine.l1i.l0.size = 512;
    evaluate_one(&machine, source, &counts);
    evaluate_timed(&machine, source, NULL, &time);
    assert_int_equal(counts.l1i_l0_accesses, counts.stream_warp_instructions);
    assert_int_equal(time.stream_warp_instructions, counts.stream_warp_instructions);
    assert_in_range(time.l1i_l0_accesses, counts.l1i_l0_accesses / 2,
                    counts.l1i_l0_accesses * 11 / 20); /* warps of odd lengths end with one */
    assert_true(counts.l1i_l0_misses < 0.03 * counts.l1i_l0_accesses);
    assert_int_equal(time.l1i_l0_misses, counts.l1i_l0_misses);
    assert_int_equal(time.l1i_misses, counts.l1i_misses);
    assert_int_equal(time.l1i_buffer_hits, counts.l1i_buffer_hits);
    trace_source_free(source);
}

/* An address that the machine does not have is refused at every depth, the last one it has is not.
 */
static void test_address_bits(void **state)
{
    (void)state;
    struct trace_source *source = open_workload("simt-loop:n=5,blocks=2");
    struct machine machine;
    struct metrics metrics;
    assert_int_equal(machine_load("simt-processor", NULL, &machine, NULL, NULL), STATUS_OK);
    for (int depth = 0; depth < DEPTH_COUNT; depth++) {
        const struct evaluate_options options = {.depth = (enum depth)depth};
        machine.gpu.address_bits = 21; /* data begin at 0x100000, bit 20 */
        assert_int_equal(evaluate(&machine, source, &options, &metrics, NULL), STATUS_OK);
        machine.gpu.address_bits = 20;
        if (depth != DEPTH_REUSE) /* which knows loads alone: this program has none */
            assert_int_equal(evaluate(&machine, source, &options, &metrics, NULL), STATUS_INVALID);
    }
    trace_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow_twin),      cmocka_unit_test(test_joined),
        cmocka_unit_test(test_nothing_else),   cmocka_unit_test(test_records),
        cmocka_unit_test(test_l0s_and_buffer), cmocka_unit_test(test_depths_agree),
        cmocka_unit_test(test_block_stride),   cmocka_unit_test(test_lone_warps_agree),
        cmocka_unit_test(test_ahead_in_time),  cmocka_unit_test(test_bursts),
        cmocka_unit_test(test_by_warp),        cmocka_unit_test(test_address_bits),
        cmocka_unit_test(test_gpu_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
