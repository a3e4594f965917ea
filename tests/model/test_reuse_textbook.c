/* The textbook reuse-distance model: the paper's examples, the slow twin, the functional depth
 * where nothing takes time, and classes that add up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/evaluate.h"
#include "model/reuse/published.h"
#include "model/reuse/textbook.h"
#include "schema/parameters.h"
#include "support/sanitized.h"
#include "tests/support/list_source.h"
#include "tests/support/reuse_twin.h"
#include "tests/support/temporary.h"
#include "tests/support/timed_source.h"
#include "trace/trace_file.h"

/* Threads of one warp each that load these lines of 128 B, in columns: thread t loads
 * lines[t * count ..]. */
static struct trace_source *open_lines(const unsigned *lines, unsigned threads, unsigned count)
{
    char folder[TEMPORARY_PATH], path[TEMPORARY_PATH], *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fputs("blocksize: 1 1 1\n", out);
    for (unsigned t = 0; t < threads; t++)
        for (unsigned i = 0; i < count; i++)
            fprintf(out, "%u 0 %u 4\n", t, lines[t * count + i] * 128);
    fclose(out);
    temporary_create(folder);
    struct trace_source *source = NULL;
    assert_int_equal(
        trace_open(temporary_file(folder, "lines.trc", text, size, path), NULL, &source, NULL),
        STATUS_OK);
    temporary_remove(folder);
    free(text);
    return source;
}

static void assert_distances(const struct reuse_histogram *histogram, uint64_t infinite,
                             uint64_t zero, uint64_t one, uint64_t two)
{
    const uint64_t expected[] = {zero, one, two};
    assert_int_equal(histogram->infinite, infinite);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(i < histogram->count ? histogram->counts[i] : 0, expected[i]);
    assert_true(histogram->count <= 3);
}

/* x[0] x[5] x[1] x[9] x[9] x[2] x[5] x[5] in two lines of four elements: C C H C H H K H. */
static void test_sequence(void **state)
{
    (void)state;
    static const unsigned lines[] = {0, 1, 0, 2, 2, 0, 1, 1};
    struct trace_source *source = open_lines(lines, 1, 8);
    struct machine machine = reuse_one_sm(128, 2, 1);
    machine.l1d.reuse.model.latency = false;
    struct reuse_histogram histogram = {0};
    struct textbook_result result = reuse_all_runs(&machine, source, &histogram);
    assert_distances(&histogram, 3, 2, 2, 1);
    assert_int_equal(result.classes[CLASS_COMPULSORY], 3);
    assert_int_equal(result.classes[CLASS_CAPACITY], 1);
    assert_int_equal(result.runs[RUN_MACHINE].misses, 4);
    reuse_histogram_free(&histogram);
    trace_source_free(source);
}

/* Four threads, a warp each, load lines 0 0 1 1 in turn, twice. */
static void test_latencies(void **state)
{
    (void)state;
    static const unsigned lines[] = {0, 0, 0, 0, 1, 1, 1, 1};
    static const struct {
        uint64_t latency, hit_latency, infinite, zero, one;
    } cases[] = {{0, 0, 2, 4, 2},  /* inf 0 inf 0 1 0 1 0 */
                 {2, 2, 4, 2, 2},  /* inf inf inf inf 0 1 0 1 */
                 {2, 0, 4, 3, 1}}; /* inf inf inf inf 0 0 1 0 */
    struct trace_source *source = open_lines(lines, 4, 2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine machine = reuse_one_sm(128, 8, 1);
        machine.l1d.reuse.latency = cases[i].latency;
        machine.l1d.reuse.hit_latency = cases[i].hit_latency;
        struct reuse_histogram histogram = {0};
        struct textbook_result result = reuse_all_runs(&machine, source, &histogram);
        assert_distances(&histogram, cases[i].infinite, cases[i].zero, cases[i].one, 0);
        assert_int_equal(result.classes[CLASS_COMPULSORY], 2);
        assert_int_equal(result.classes[CLASS_LATENCY], cases[i].latency ? 2 : 0);
        reuse_histogram_free(&histogram);
    }
    trace_source_free(source);
}

/* What the published program makes of the same: hits complete before misses, each access has its
 * own latency. */
static void test_published_latency(void **state)
{
    (void)state;
    static const unsigned lines[] = {0, 0, 0, 0, 1, 1, 1, 1};
    struct trace_source *source = open_lines(lines, 4, 2);
    struct machine machine = reuse_one_sm(128, 8, 1);
    machine.l1d.reuse.latency = 2;
    struct reuse_config config;
    reuse_configure(&machine, &config);
    struct published_loads *loads;
    struct reuse_run runs[REUSE_RUNS];
    struct reuse_histogram histogram = {0};
    int64_t classes[REUSE_CLASSES];
    assert_int_equal(published_prepare(source, 0, 128, l1d_spaces(&machine), &loads, NULL),
                     STATUS_OK);
    assert_int_equal(published_simulate(loads, &config, REUSE_ALL_RUNS, runs,
                                        &(struct reuse_detail){.histogram = &histogram}, NULL),
                     STATUS_OK);
    published_classes(runs, classes);
    assert_distances(&histogram, 4, 3, 1, 0);
    assert_int_equal(classes[CLASS_COMPULSORY], 2);
    assert_int_equal(classes[CLASS_LATENCY], 2);
    assert_int_equal(runs[RUN_MACHINE].misses, 4);
    reuse_histogram_free(&histogram);
    published_free(loads);
    trace_source_free(source);
}

/* One MSHR, two warps that do not wait: line 1 is refused once, line 0 and then line 1 join what is
 * in flight. */
static void test_mshr(void **state)
{
    (void)state;
    static const unsigned lines[] = {0, 0, 1, 1};
    struct trace_source *source = open_lines(lines, 2, 2);
    struct machine machine = reuse_one_sm(128, 8, 1);
    machine.l1d.reuse.latency = 2;
    machine.l1d.mshr.entries = 1;
    machine.l1d.reuse.model.divergence = false;
    struct textbook_result result = reuse_all_runs(&machine, source, NULL);
    assert_int_equal(result.runs[RUN_MACHINE].refused, 1);
    assert_int_equal(result.runs[RUN_MACHINE].ticks, 5);
    assert_int_equal(result.runs[RUN_MACHINE].misses, 4);
    assert_int_equal(result.classes[CLASS_COMPULSORY], 2);
    assert_int_equal(result.classes[CLASS_LATENCY], 2);
    machine.l1d.reuse.model.mshr = false;
    result = reuse_all_runs(&machine, source, NULL);
    assert_int_equal(result.runs[RUN_MACHINE].refused, 0);
    assert_int_equal(result.runs[RUN_MACHINE].ticks, 4);
    trace_source_free(source);
}

/* One thread of one warp that loads one word at base + i x stride, rounds times. */
static struct trace_source *open_loop(uint64_t stride, unsigned count, unsigned rounds)
{
    struct list_source *list = list_source_random(1, 1, 1, 0, 1);
    struct list_launch *launch = &list->lists[0];
    list->base.launches[0].block[0] = WARP_SIZE;
    for (uint32_t i = 0; i < launch->blocks * launch->warps; i++)
        free(launch->warp[i].items);
    struct list_warp *warp = &launch->warp[0];
    launch->warps = 1;
    warp->tail = 0;
    warp->count = count * rounds;
    warp->items = calloc(warp->count, sizeof *warp->items);
    assert_non_null(warp->items);
    for (uint32_t i = 0; i < warp->count; i++)
        warp->items[i] =
            (struct warp_access){.base = i % count * stride, .mask = 1, .bytes = 4, .op = OP_LOAD};
    return &list->base;
}

/* Two equal loops of n loads: the smallest power of two that does not fit any more tells which
 * address bits choose the set. */
static void test_stride_experiment(void **state)
{
    (void)state;
    static const unsigned thrashes[2][14] = {
        {256, 256, 256, 256, 256, 128, 256, 128, 64, 32, 32, 16, 16, 8},
        {0, 0, 0, 0, 0, 0, 256, 128, 64, 32, 32, 16, 16, 8}};
    for (unsigned large = 0; large < 2; large++) {
        struct machine machine = reuse_one_sm(128, large ? 6 : 4, large ? 64 : 32);
        machine.l1d.index = INDEX_FERMI;
        for (unsigned i = 0; i < 14; i++)
            for (unsigned n = 4; n <= 256; n *= 2) {
                struct trace_source *source = open_loop((uint64_t)1 << (7 + i), n, 2);
                struct textbook_result result = reuse_all_runs(&machine, source, NULL);
                unsigned limit = thrashes[large][i];
                assert_int_equal(result.runs[RUN_MACHINE].misses > n, limit && n >= limit);
                trace_source_free(source);
            }
    }
}

static void test_equals_slow_twin(void **state)
{
    (void)state;
    struct reuse_twin *twin = malloc(sizeof *twin);
    assert_non_null(twin);
    for (uint64_t seed = 1; seed <= ROLLS(60); seed++) {
        struct list_source *source = list_source_random(seed, 1, 8, 30, 60);
        list_source_keep_loads(source);
        struct machine machine = reuse_twin_machine(seed);
        reuse_twin_check(&machine, &source->base, twin);
        trace_source_free(&source->base);
    }
    free(twin);
}

/* Warps that wait for what their instructions use, with their loads read before or from the source
 * as they run. */
static void test_waits_equal_slow_twin(void **state)
{
    (void)state;
    const struct timed_shape shape = {.launches = 1,
                                      .blocks = 6,
                                      .warps = 4,
                                      .instructions = 120,
                                      .lines = 40,
                                      .content = TIMED_LOADS | TIMED_STORES | TIMED_SHARED |
                                                 TIMED_EXITS | TIMED_BARRIERS};
    struct reuse_twin *twin = malloc(sizeof *twin);
    uint64_t differ = 0;
    assert_non_null(twin);
    for (uint64_t seed = 1; seed <= ROLLS(60); seed++) {
        struct timed_source *source = timed_source_random(seed, &shape);
        struct machine machine = reuse_twin_machine(700 + seed);
        machine.l1d.reuse.wait = REUSE_WAIT_USE;
        reuse_twin_check(&machine, &source->base, twin);
        const struct evaluate_options options = {.depth = DEPTH_REUSE,
                                                 .needs = NEED_CLASSES(STAGE_L1D)};
        struct metrics kept;
        assert_int_equal(evaluate(&machine, &source->base, &options, &kept, NULL), STATUS_OK);
        assert_true(kept.l1d_misses == (double)twin->runs[RUN_MACHINE].misses);
        assert_true(kept.l1d_reuse_ticks == (double)twin->runs[RUN_MACHINE].ticks);
        machine.l1d.reuse.wait = REUSE_WAIT_LOAD;
        const struct textbook_result waits = reuse_all_runs(&machine, &source->base, NULL);
        differ += waits.runs[RUN_MACHINE].ticks != twin->runs[RUN_MACHINE].ticks;
        trace_source_free(&source->base);
    }
    assert_true(differ > ROLLS(20));
    free(twin);
}

static void switch_off(struct machine *machine, unsigned off)
{
    machine->l1d.reuse.model.hierarchy = !(off & 1);
    machine->l1d.reuse.model.latency = !(off & 2);
    machine->l1d.reuse.model.associativity = !(off & 4);
    machine->l1d.reuse.model.mshr = !(off & 8);
    machine->l1d.reuse.model.divergence = !(off & 16);
}

/* Every set of the five extensions, alone or together, is that of the slow twin. */
static void test_ablations_equal_slow_twin(void **state)
{
    (void)state;
    struct reuse_twin *twin = malloc(sizeof *twin);
    assert_non_null(twin);
    for (unsigned off = 0; off < 64; off++) {
        struct list_source *source = list_source_random(100 + off, 1, 8, 30, 60);
        list_source_keep_loads(source);
        struct machine machine = reuse_twin_machine(500 + off);
        switch_off(&machine, off % 32);
        reuse_twin_check(&machine, &source->base, twin);
        trace_source_free(&source->base);
    }
    free(twin);
}

/* Latency 0 and MSHRs without end: the functional depth, classes included. */
static void test_equals_functional(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROLLS(30); seed++) {
        struct list_source *source = list_source_random(seed, 2, 40, 40, 300);
        list_source_keep_loads(source);
        struct machine machine = reuse_twin_machine(seed);
        machine.gpu.sms = 1 + seed % 3;
        machine.l1d.flush = (int)(seed >> 1 & 1);
        machine.l1d.reuse.model.latency = machine.l1d.reuse.model.mshr = false;
        if (machine.l1d.sector > 32)
            machine.coalescer.arch = 20; /* requests to one sector are one access of this depth */
        if (seed % 5 == 0) {             /* one stack pass: fully associative */
            machine.l1d.ways *= cache_sets(&machine.l1d);
            machine.l1d.reuse.model.divergence = true;
        }
        struct metrics functional, reuse;
        struct evaluate_options options = {.needs = NEED_CLASSES(STAGE_L1D)};
        assert_int_equal(evaluate(&machine, &source->base, &options, &functional, NULL), STATUS_OK);
        options.depth = DEPTH_REUSE;
        assert_int_equal(evaluate(&machine, &source->base, &options, &reuse, NULL), STATUS_OK);
        assert_true(reuse.l1d_accesses == functional.l1d_accesses);
        assert_true(reuse.l1d_misses == functional.l1d_misses);
        assert_true(reuse.l1d_miss_compulsory == functional.l1d_miss_compulsory);
        assert_true(reuse.l1d_miss_flush == functional.l1d_miss_flush);
        assert_true(functional.l1d_miss_store == 0);
        assert_true(reuse.l1d_miss_capacity == functional.l1d_miss_capacity);
        assert_true(reuse.l1d_miss_associativity == functional.l1d_miss_conflict);
        assert_true(reuse.l1d_miss_latency == 0 && reuse.l1d_miss_mshr == 0);
        assert_true(reuse.stream_warp_instructions == functional.stream_warp_instructions);
        assert_true(reuse.stream_thread_accesses == functional.stream_thread_accesses);
        trace_source_free(&source->base);
    }
}

/* Every set of the five extensions runs, deterministically, and switching off what run 1, 2 or 3
 * idealises gives that run. */
static void test_ablations(void **state)
{
    (void)state;
    struct list_source *source = list_source_random(77, 2, 20, 60, 100);
    list_source_keep_loads(source);
    for (unsigned off = 0; off < 32; off++) {
        struct machine machine = reuse_one_sm(128, 2, 4);
        machine.gpu.sms = 2;
        machine.l1d.mshr.entries = 4;
        machine.l1d.reuse.latency_sigma = 5;
        switch_off(&machine, off);
        struct textbook_result all = reuse_all_runs(&machine, &source->base, NULL);
        struct textbook_result again = reuse_all_runs(&machine, &source->base, NULL);
        assert_memory_equal(&all, &again, sizeof all);
        reuse_twin_sum(&all);
        static const unsigned idealises[REUSE_RUNS] = {0, 4, 2, 8};
        for (unsigned i = 1; i < REUSE_RUNS; i++)
            if (off & idealises[i])
                assert_int_equal(all.runs[RUN_MACHINE].misses, all.runs[i].misses);
    }
    trace_source_free(&source->base);
}

/* What the switches of a mode must not change, and what they must be equal to. */
static struct metrics answer(const struct machine *machine, const struct trace_source *source)
{
    struct metrics metrics;
    const struct evaluate_options options = {.depth = DEPTH_REUSE,
                                             .needs = NEED_CLASSES(STAGE_L1D)};
    assert_int_equal(evaluate(machine, source, &options, &metrics, NULL), STATUS_OK);
    return metrics;
}

static void assert_same(const struct machine *one, const struct machine *other,
                        const struct trace_source *source)
{
    struct metrics a = answer(one, source), b = answer(other, source);
    assert_true(a.l1d_accesses == b.l1d_accesses);
    assert_true(a.l1d_misses == b.l1d_misses);
    assert_true(a.l1d_reuse_refused == b.l1d_reuse_refused);
    assert_true(a.l1d_reuse_ticks == b.l1d_reuse_ticks);
    assert_true(a.l1d_miss_latency == b.l1d_miss_latency);
}

static void test_consequences_of_switches(void **state)
{
    (void)state;
    unsigned lines[64 * 12];
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        lines[i] = (unsigned)random_below(random_at(3, i), 40);
    struct trace_source *many = open_lines(lines, 64, 12), *one = open_lines(lines, 1, 64 * 12);
    for (int mode = REUSE_TEXTBOOK; mode <= REUSE_PUBLISHED; mode++) {
        struct machine machine = reuse_one_sm(128, 4, 4), other;
        machine.l1d.reuse.mode = mode;
        machine.l1d.reuse.latency_sigma = 5;
        machine.l1d.mshr.entries = 3;
        /* Without time nobody waits: warps cannot drift apart, and nothing is in flight. */
        other = machine;
        machine.l1d.reuse.model.latency = false;
        other.l1d.reuse.model.latency = other.l1d.reuse.model.divergence = false;
        assert_same(&machine, &other, many);
        other.l1d.reuse.model.mshr = false;
        assert_same(&machine, &other, many);
        /* No time is latency 0; no limit is more MSHRs than lines. */
        other = machine;
        other.l1d.reuse.model.latency = true;
        other.l1d.reuse.latency = 0;
        other.l1d.reuse.latency_sigma = 0;
        assert_same(&machine, &other, many);
        machine.l1d.reuse.model.latency = true;
        other = machine;
        machine.l1d.reuse.model.mshr = false;
        other.l1d.mshr.entries = 1000;
        assert_same(&machine, &other, many);
        /* No sets are one set. */
        other = machine = reuse_one_sm(128, 4, 4);
        machine.l1d.reuse.mode = other.l1d.reuse.mode = mode;
        machine.l1d.reuse.model.associativity = false;
        other.l1d.ways = 16;
        assert_same(&machine, &other, many);
        /* One warp has no other to take turns with. */
        machine = reuse_one_sm(128, 4, 4);
        machine.l1d.reuse.mode = mode;
        other = machine;
        other.l1d.reuse.model.hierarchy = false;
        assert_same(&machine, &other, one);
    }
    trace_source_free(many);
    trace_source_free(one);
}

/* All five off: the theory as it was, one thread after another through one stack. Published counts
 * a distance equal to the lines as a hit. */
static void test_all_off(void **state)
{
    (void)state;
    enum { THREADS = 40, LOADS = 15, CAPACITY = 16 };
    unsigned lines[THREADS * LOADS];
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        lines[i] = (unsigned)random_below(random_at(4, i), 30);
    uint64_t misses[] = {[REUSE_TEXTBOOK] = 0, [REUSE_PUBLISHED] = 0};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        bool between[30] = {false};
        unsigned distance = 0;
        size_t before = i;
        while (before-- && lines[before] != lines[i]) {
            distance += !between[lines[before]];
            between[lines[before]] = true;
        }
        bool never = before == SIZE_MAX;
        misses[REUSE_TEXTBOOK] += never || distance >= CAPACITY;
        misses[REUSE_PUBLISHED] += never || distance > CAPACITY;
    }
    assert_true(misses[REUSE_TEXTBOOK] > misses[REUSE_PUBLISHED]);
    struct trace_source *source = open_lines(lines, THREADS, LOADS);
    for (int mode = REUSE_TEXTBOOK; mode <= REUSE_PUBLISHED; mode++) {
        struct machine machine = reuse_one_sm(128, 4, CAPACITY / 4);
        machine.l1d.reuse.mode = mode;
        switch_off(&machine, 31);
        struct metrics metrics = answer(&machine, source);
        assert_int_equal(metrics.l1d_accesses, THREADS * LOADS);
        assert_int_equal(metrics.l1d_misses, misses[mode]);
        assert_int_equal(metrics.l1d_reuse_refused, 0);
    }
    trace_source_free(source);
}

static void count_load(void *context, const struct load_time *time)
{
    uint64_t *seen = context;
    seen[0]++;
    seen[1] += time->ready - time->issued;
    seen[2] += time->block;
}

/* A clock sees every load once; without time they take none. */
static void test_clock(void **state)
{
    (void)state;
    static const unsigned lines[] = {0, 0, 1, 1, 0, 2};
    struct trace_source *source = open_lines(lines, 2, 3);
    struct machine machine = reuse_one_sm(128, 8, 1);
    machine.l1d.reuse.latency = 10;
    uint64_t seen[3] = {0};
    const struct load_clock clock = {count_load, seen};
    const struct evaluate_options options = {.depth = DEPTH_REUSE, .clock = &clock};
    struct metrics metrics;
    assert_int_equal(evaluate(&machine, source, &options, &metrics, NULL), STATUS_OK);
    /* Thread 0 misses line 0, hits it, and hits line 1, which thread 1 missed in the meantime;
     * thread 1 hits line 0 and misses line 2. */
    assert_int_equal(seen[0], 6);
    assert_int_equal(seen[2], 3);
    assert_int_equal(seen[1], 30);
    machine.l1d.reuse.model.latency = false;
    memset(seen, 0, sizeof seen);
    assert_int_equal(evaluate(&machine, source, &options, &metrics, NULL), STATUS_OK);
    assert_int_equal(seen[0], 6);
    assert_int_equal(seen[1], 0);
    trace_source_free(source);
}

/* One MSHR, two warps and one line: the second joins the first and misses; the published program
 * refuses it until the line is there, and it hits. */
static void test_limit_in_both_readings(void **state)
{
    (void)state;
    static const unsigned lines[] = {0, 0};
    struct trace_source *source = open_lines(lines, 2, 1);
    struct machine machine = reuse_one_sm(128, 8, 1);
    machine.l1d.reuse.latency = 20;
    machine.l1d.mshr.entries = 1;
    struct metrics metrics = answer(&machine, source);
    assert_int_equal(metrics.l1d_misses, 2);
    assert_int_equal(metrics.l1d_reuse_refused, 0);
    machine.l1d.reuse.mode = REUSE_PUBLISHED;
    metrics = answer(&machine, source);
    assert_int_equal(metrics.l1d_misses, 1);
    assert_true(metrics.l1d_reuse_refused > 0);
    machine.l1d.mshr.entries = 2;
    metrics = answer(&machine, source);
    assert_int_equal(metrics.l1d_misses, 2);
    trace_source_free(source);
}

/* One warp of 8 distinct lines and room for 3 of its own: three waves. */
static void test_mshrs_of_a_warp(void **state)
{
    (void)state;
    static const struct {
        uint64_t per_warp, time;
    } cases[] = {{0, 20}, {8, 20}, {7, 40}, {4, 40}, {3, 60}, {1, 160}};
    struct list_source *source = list_source_random(1, 1, 1, 0, 1);
    struct list_launch *launch = &source->lists[0];
    source->base.launches[0].block[0] = WARP_SIZE;
    for (uint32_t i = 0; i < launch->blocks * launch->warps; i++)
        free(launch->warp[i].items);
    launch->warps = 1;
    launch->warp[0].tail = 0;
    launch->warp[0].count = 1;
    launch->warp[0].items = calloc(1, sizeof *launch->warp[0].items);
    assert_non_null(launch->warp[0].items);
    launch->warp[0].items[0] =
        (struct warp_access){.stride = 128, .mask = 0xff, .bytes = 4, .op = OP_LOAD};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine machine = reuse_one_sm(128, 8, 4);
        machine.l1d.reuse.latency = 20;
        machine.l1d.mshr.per_warp = cases[i].per_warp;
        uint64_t seen[3] = {0};
        const struct load_clock clock = {count_load, seen};
        const struct evaluate_options options = {.depth = DEPTH_REUSE, .clock = &clock};
        struct metrics metrics;
        assert_int_equal(evaluate(&machine, &source->base, &options, &metrics, NULL), STATUS_OK);
        assert_int_equal(metrics.l1d_misses, 8);
        assert_int_equal(metrics.l1d_reuse_refused > 0, cases[i].time > 20);
        /* A wave begins in the slot after the data of the one before. */
        uint64_t waves = cases[i].time / 20;
        assert_int_equal(seen[1], cases[i].time + waves - 1);
    }
    trace_source_free(&source->base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sequence),
        cmocka_unit_test(test_latencies),
        cmocka_unit_test(test_published_latency),
        cmocka_unit_test(test_mshr),
        cmocka_unit_test(test_stride_experiment),
        cmocka_unit_test(test_equals_slow_twin),
        cmocka_unit_test(test_waits_equal_slow_twin),
        cmocka_unit_test(test_equals_functional),
        cmocka_unit_test(test_ablations),
        cmocka_unit_test(test_ablations_equal_slow_twin),
        cmocka_unit_test(test_consequences_of_switches),
        cmocka_unit_test(test_all_off),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_limit_in_both_readings),
        cmocka_unit_test(test_mshrs_of_a_warp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
