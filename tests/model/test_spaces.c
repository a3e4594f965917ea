/* Records go to the structures that claim their space: each counts what it would count if the
 * others were not there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/evaluate.h"
#include "model/gpu/stream_stats.h"
#include "support/list_source.h"
#include "support/pick_members.h"
#include "support/same_metrics.h"
#include "workload/workload.h"

static struct machine random_machine(uint64_t seed)
{
    struct machine machine;
    machine_defaults(&machine);
    machine.gpu.sms = 1 + seed % 4;
    machine.gpu.max_blocks = 16; /* all at once: where blocks end does not decide what follows */
    machine.coalescer.arch = seed & 1 ? 20 : 75;
    machine.l1d.texture = (int)(seed >> 1 & 1);
    machine.l1d.enabled = seed % 5 != 0;
    machine.l1d.index = INDEX_MODULO;
    machine.l1d.size = 4096;
    machine.l1d.ways = 2;
    machine.l1d.write = seed & 4 ? WRITE_BACK : WRITE_LOCAL_BACK;
    machine.l1d.replacement = pick_replacement(random_at(seed, 0));
    machine.l2.size = 16384;
    machine.l2.ways = 4;
    machine.l2.slices = 2;
    machine.tlb.entries = machine.tlb.ways = 4;
    return machine;
}

/* Evaluates a mixed source of which only some spaces are left. */
static void evaluate_spaces(const struct machine *machine, uint64_t seed, unsigned spaces,
                            enum depth depth, struct metrics *metrics)
{
    const struct evaluate_options options = {
        .depth = depth, .needs = NEED_CLASSES(STAGE_L1D) | NEED_CLASSES(STAGE_L2)};
    struct list_source *source = list_source_random(seed, 2, 12, 60, 400);
    list_source_mix_spaces(source, seed);
    list_source_keep_spaces(source, spaces);
    assert_int_equal(evaluate(machine, &source->base, &options, metrics, NULL), STATUS_OK);
    trace_source_free(&source->base);
}

static void each_structure_sees_its_spaces(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct machine machine = random_machine(seed);
        struct metrics all, cached, translated;
        /* What the TLBs look up says nothing of who else issues; the times of walks do. */
        machine.pwc.organization = PWC_NONE;
        evaluate_spaces(&machine, seed, UINT32_MAX, DEPTH_FUNCTIONAL, &all);
        evaluate_spaces(&machine, seed, l1d_spaces(&machine), DEPTH_FUNCTIONAL, &cached);
        evaluate_spaces(&machine, seed, tlb_spaces(), DEPTH_FUNCTIONAL, &translated);
        assert_same_stages(&all, &cached, STAGE_L1D | STAGE_L2);
        assert_same_stages(&all, &translated, STAGE_TLB);
        assert_true(all.l2_accesses > 0 && all.tlb_misses > 0);
        assert_true(all.stream_warp_instructions == cached.stream_warp_instructions);
        assert_true(all.stream_transactions > cached.stream_transactions);
    }
}

/* Where walks go through the L2, instructions that the L1D does not take still set the pace. */
static void coupled_caches_see_their_spaces(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct machine machine = random_machine(seed);
        struct metrics all, cached;
        machine.walker.l2 = 1;
        machine.l1d.enabled = 1;
        evaluate_spaces(&machine, seed, UINT32_MAX, DEPTH_FUNCTIONAL, &all);
        evaluate_spaces(&machine, seed, l1d_spaces(&machine), DEPTH_FUNCTIONAL, &cached);
        assert_same_stages(&all, &cached, STAGE_L1D);
        double own = all.l2_accesses - all.l2_walk_accesses;
        assert_true(own == cached.l2_accesses - cached.l2_walk_accesses);
        assert_true(all.l2_walk_accesses >= cached.l2_walk_accesses || machine.l1d.texture);
    }
}

static void the_reuse_depth_loads_the_l1ds_spaces(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct machine machine = random_machine(seed);
        struct metrics all, cached;
        machine.l1d.enabled = 1;
        evaluate_spaces(&machine, seed, UINT32_MAX, DEPTH_REUSE, &all);
        evaluate_spaces(&machine, seed, l1d_spaces(&machine), DEPTH_REUSE, &cached);
        assert_same_stages(&all, &cached, STAGE_L1D | AT_REUSE);
        assert_true(all.l1d_accesses > 0);
        assert_true(metrics_space(&all, SPACE_CONSTANT) > 0);
    }
}

/* How many of the notes are of spaces without a cache. */
static size_t uncached_notes(const struct machine *machine, enum depth depth,
                             const struct metrics *metrics,
                             char notes[COUNTED_NOTES][COUNTED_NOTE_TEXT])
{
    const size_t all = evaluate_counted_notes(machine, depth, metrics, notes);
    size_t count = 0;
    while (count < all && strstr(notes[count], "has no cache for them"))
        count++;
    return count;
}

static void what_has_no_cache_is_said(void **state)
{
    (void)state;
    struct machine machine = random_machine(1);
    struct metrics metrics;
    char notes[COUNTED_NOTES][COUNTED_NOTE_TEXT];
    machine.l1d.texture = 0;
    for (int depth = DEPTH_FUNCTIONAL; depth <= DEPTH_REUSE; depth++) {
        double sum = 0;
        evaluate_spaces(&machine, 1, UINT32_MAX, (enum depth)depth, &metrics);
        for (unsigned i = 0; i < SPACE_COUNT; i++)
            sum += metrics_space(&metrics, (enum memory_space)i);
        assert_true(sum == metrics.stream_memory_instructions);
        assert_int_equal(uncached_notes(&machine, (enum depth)depth, &metrics, notes), 5);
        assert_non_null(strstr(notes[0], "texture accesses"));
        assert_non_null(strstr(notes[2], "instruction fetches"));
    }
    machine.l1d.texture = 1;
    assert_int_equal(uncached_notes(&machine, DEPTH_FUNCTIONAL, &metrics, notes), 4);
    evaluate_spaces(&machine, 1, space_bit(SPACE_GLOBAL), DEPTH_FUNCTIONAL, &metrics);
    assert_int_equal(uncached_notes(&machine, DEPTH_FUNCTIONAL, &metrics, notes), 0);
    metrics_clear(&metrics);
    assert_int_equal(uncached_notes(&machine, DEPTH_FUNCTIONAL, &metrics, notes), 0);
}

static void names_are_read_back(void **state)
{
    (void)state;
    enum memory_space space;
    for (unsigned i = 0; i < SPACE_COUNT; i++) {
        assert_true(space_parse(space_table[i].name, &space));
        assert_int_equal(space, i);
    }
    assert_true(space_parse("Texture", &space) && space == SPACE_TEXTURE);
    assert_false(space_parse("shared", &space));
}

/* At every depth, and as the statistics of a stream count them. */
static void loads_and_stores_are_those_of_the_stream(void **state)
{
    (void)state;
    static const char *const programs[] = {"HISTOGRAM:n=3000", "ATAX:n=70", "BACKPROP:n=80"};
    struct machine machine = random_machine(1);
    machine.l1d.enabled = 1;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        for (int depth = DEPTH_FUNCTIONAL; depth <= DEPTH_TIMING; depth++) {
            const struct evaluate_options how = {.depth = (enum depth)depth};
            struct trace_source *source;
            struct stream_stats stats;
            struct metrics metrics;
            assert_int_equal(workload_open(programs[i], &source, NULL), STATUS_OK);
            assert_int_equal(stream_stats(source, &stats, NULL, NULL), STATUS_OK);
            assert_int_equal(evaluate(&machine, source, &how, &metrics, NULL), STATUS_OK);
            assert_true(metrics.stream_loads_global == (double)stats.loads);
            assert_true(metrics.stream_stores_global == (double)stats.stores);
            assert_true(metrics.stream_records_global ==
                        (double)(stats.loads + stats.stores + stats.atomics));
            trace_source_free(source);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_structure_sees_its_spaces),
        cmocka_unit_test(coupled_caches_see_their_spaces),
        cmocka_unit_test(the_reuse_depth_loads_the_l1ds_spaces),
        cmocka_unit_test(what_has_no_cache_is_said),
        cmocka_unit_test(loads_and_stores_are_those_of_the_stream),
        cmocka_unit_test(names_are_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
