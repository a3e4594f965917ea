/* What must not depend on the depth: the numbers of the stream, on random machines and programs;
 * which cache a texture goes to; and what passes the L1D by. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "model/evaluate.h"
#include "schema/parameters.h"
#include "support/roll_machine.h"
#include "support/same_metrics.h"
#include "support/sanitized.h"
#include "support/timed_source.h"

enum { PROGRAM = (TIMED_ALL & ~TIMED_EXITS) | TIMED_TEXTURES | TIMED_GAPS };

static struct timed_source *random_program(uint64_t seed)
{
    const struct timed_shape shape = {.launches = 2,
                                      .blocks = 5,
                                      .warps = 3,
                                      .instructions = 80,
                                      .lines = 300,
                                      .content = PROGRAM};
    return timed_source_random(seed, &shape);
}

static struct machine random_machine(struct dice *dice)
{
    static const char *const names[] = {"gtx480", "qv100-accelsim", "rtx3070", "p40"};
    static const uint64_t archs[] = {14, 20, 35, 60, 86};
    struct machine machine;
    assert_int_equal(machine_load(names[roll(dice, 4)], NULL, &machine, NULL, NULL), STATUS_OK);
    machine.gpu.sms = 1 + roll(dice, 3);
    roll_machine(dice, &machine, 12, roll(dice, 2));
    machine.coalescer.arch = archs[roll(dice, 5)];
    machine.coalescer.order = (int)(dice->seed % 2);
    machine.l1d.texture = (int)roll(dice, 2);
    machine.l1d.skip = roll(dice, 3) == 0;
    if (roll(dice, 4) == 0)
        machine.l1d.enabled = 0;
    machine_apply_kind(&machine);
    return machine;
}

static bool can_run(const struct machine *machine, const struct timed_source *source)
{
    struct violation found[VIOLATION_MAX];
    return !machine_check(machine, found) && machine_fits(machine, &source->base);
}

static struct metrics answers_of(const struct machine *machine, const struct timed_source *source,
                                 enum depth depth)
{
    struct metrics metrics;
    const struct evaluate_options options = {.depth = depth};
    assert_int_equal(evaluate(machine, &source->base, &options, &metrics, NULL), STATUS_OK);
    return metrics;
}

/* Fails unless the classes of a cache add up to its misses; returns these. */
#define CHECK_CLASSES(metrics, f)                                                                  \
    do {                                                                                           \
        if ((metrics)->f##_accesses > 0)                                                           \
            assert_true((metrics)->f##_miss_compulsory + (metrics)->f##_miss_flush +               \
                            (metrics)->f##_miss_store + (metrics)->f##_miss_capacity +             \
                            (metrics)->f##_miss_conflict ==                                        \
                        (metrics)->f##_misses);                                                    \
    } while (0)

static bool is_of_stream(const struct metric *metric)
{
    return metric->provenance == FROM_STREAM && !strncmp(metric->path, "stream.", 7);
}

/* Compares what both depths say of the stream; returns how many numbers that was. */
static unsigned compare_stream(const struct metrics *a, enum depth one, const struct metrics *b,
                               enum depth other, uint64_t seed)
{
    unsigned compared = 0;
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        if (!is_of_stream(metric) || !metric_answered(metric, one) ||
            !metric_answered(metric, other))
            continue;
        if (!same_number(metric_get(metric, a), metric_get(metric, b)))
            fail_msg("program %d: %s is %g at depth %s and %g at depth %s", (int)seed, metric->path,
                     metric_get(metric, a), depth_name(one), metric_get(metric, b),
                     depth_name(other));
        compared++;
    }
    return compared;
}

static void test_stream_is_the_same_at_every_depth(void **state)
{
    (void)state;
    enum { PROGRAMS = 150 };
    double past = 0, atomics = 0;
    for (uint64_t seed = 0; seed < ROLLS(PROGRAMS); seed++) {
        struct dice dice = {.seed = seed};
        struct timed_source *source = random_program(seed);
        const struct machine machine = random_machine(&dice);
        if (can_run(&machine, source)) {
            const struct metrics functional = answers_of(&machine, source, DEPTH_FUNCTIONAL);
            for (int depth = 0; depth < DEPTH_COUNT; depth++) {
                if (depth == DEPTH_REUSE && !machine.l1d.enabled)
                    continue;
                const struct metrics other = answers_of(&machine, source, (enum depth)depth);
                assert_true(compare_stream(&functional, DEPTH_FUNCTIONAL, &other, (enum depth)depth,
                                           seed) > 5);
            }
            past += functional.stream_past_l1;
            atomics += functional.stream_records_global - functional.stream_loads_global -
                       functional.stream_stores_global;
        }
        trace_source_free(&source->base);
    }
    assert_true(past > 0 && atomics > 0);
}

static struct machine texture_machine(struct dice *dice)
{
    struct machine machine = random_machine(dice);
    machine.kind = KIND_COMPUTE;
    machine.l1d.enabled = machine.l1d.texture = 1;
    return machine;
}

/* Whatever is in flight, refused, bypassed or passed on to another half. */
static void test_classes_add_up(void **state)
{
    (void)state;
    enum { PROGRAMS = 60 };
    double pending = 0, classified = 0;
    for (uint64_t seed = 0; seed < ROLLS(PROGRAMS); seed++) {
        struct dice dice = {.seed = seed};
        struct timed_source *source = random_program(seed);
        const struct machine machine = random_machine(&dice);
        for (int depth = 0; depth < DEPTH_COUNT && can_run(&machine, source); depth++) {
            const struct evaluate_options options = {.depth = (enum depth)depth,
                                                     .needs = NEED_REPORT};
            struct metrics metrics;
            if (depth == DEPTH_REUSE)
                continue;
            assert_int_equal(evaluate(&machine, &source->base, &options, &metrics, NULL),
                             STATUS_OK);
            CHECK_CLASSES(&metrics, l1d);
            CHECK_CLASSES(&metrics, l2);
            if (depth == DEPTH_FUNCTIONAL)
                assert_true(!(metrics.l1d_pending_hits > 0) && !(metrics.l2_pending_hits > 0));
            pending += depth == DEPTH_TIMING && machine_has(&machine, STAGE_L2)
                           ? metrics.l2_pending_hits
                           : 0;
            classified += metrics.l1d_misses > 0;
        }
        trace_source_free(&source->base);
    }
    assert_true(pending > 0 && classified > 0);
}

/* Turns the loads of textures into loads of global memory. */
static void make_global(struct timed_source *source)
{
    struct trace_code *code = &source->base.codes[0];
    for (uint32_t i = 0; i < code->count; i++)
        if (code->items[i].class == CLASS_TEXTURE && code->items[i].flags & INSTRUCTION_LOAD)
            code->items[i].class = CLASS_MEMORY;
    for (uint32_t l = 0; l < source->base.launch_count; l++)
        for (uint32_t w = 0; w < source->lists[l].blocks * source->lists[l].warps; w++)
            for (uint32_t i = 0; i < source->lists[l].warp[w].record_count; i++)
                if (source->lists[l].warp[w].records[i].space == SPACE_TEXTURE)
                    source->lists[l].warp[w].records[i].space = SPACE_GLOBAL;
}

/* Where one cache serves both, a load of a texture is a load in everything but its name. */
static void test_textures_are_loads(void **state)
{
    (void)state;
    enum { PROGRAMS = 40 };
    double textures = 0;
    for (uint64_t seed = 0; seed < ROLLS(PROGRAMS); seed++) {
        struct dice dice = {.seed = seed};
        struct timed_source *as_textures = random_program(seed), *as_loads = random_program(seed);
        struct machine machine = texture_machine(&dice);
        machine.l1d.skip = 0;
        make_global(as_loads);
        for (int depth = 0; depth < DEPTH_COUNT && can_run(&machine, as_loads); depth++) {
            struct metrics found = answers_of(&machine, as_textures, (enum depth)depth);
            const struct metrics expected = answers_of(&machine, as_loads, (enum depth)depth);
            textures += found.stream_records_texture;
            found.stream_records_global += found.stream_records_texture;
            found.stream_loads_global += found.stream_records_texture;
            found.stream_records_texture = 0;
            assert_same_metrics(&found, &expected);
        }
        trace_source_free(&as_textures->base);
        trace_source_free(&as_loads->base);
    }
    assert_true(textures > 0);
}

/* As many accesses of the L1D at both depths, textures among them, wherever it serves them or not.
 * (A store that waits in a full queue is one access still.) */
static void test_accesses_with_textures(void **state)
{
    (void)state;
    enum { PROGRAMS = 60 };
    double accesses = 0;
    for (uint64_t seed = 0; seed < ROLLS(PROGRAMS); seed++) {
        struct dice dice = {.seed = seed};
        struct timed_source *source = random_program(seed);
        struct machine machine = random_machine(&dice);
        machine.kind = KIND_COMPUTE;
        machine.l1d.enabled = 1;
        if (can_run(&machine, source)) {
            const struct metrics counted = answers_of(&machine, source, DEPTH_FUNCTIONAL);
            const struct metrics timed = answers_of(&machine, source, DEPTH_TIMING);
            assert_true(counted.l1d_accesses == timed.l1d_accesses);
            accesses += timed.l1d_accesses;
        }
        trace_source_free(&source->base);
    }
    assert_true(accesses > 0);
}

/* Marks all accesses to global memory as ones that skip the L1D by themselves. */
static void make_volatile(struct timed_source *source)
{
    for (uint32_t l = 0; l < source->base.launch_count; l++)
        for (uint32_t w = 0; w < source->lists[l].blocks * source->lists[l].warps; w++)
            for (uint32_t i = 0; i < source->lists[l].warp[w].record_count; i++) {
                struct warp_access *access = &source->lists[l].warp[w].records[i];
                if (access->space == SPACE_GLOBAL)
                    access->flags |= ACCESS_BYPASS_L1;
            }
}

/* l1d.skip does to every access what volatile code does to its own. Many machines at once share
 * the fast passes of caches with LRU and others. */
static void test_skip_is_volatile(void **state)
{
    (void)state;
    enum { PROGRAMS = 40, MACHINES = 3 };
    for (uint64_t seed = 0; seed < ROLLS(PROGRAMS); seed++) {
        struct dice dice = {.seed = seed};
        struct timed_source *plain = random_program(seed), *marked = random_program(seed);
        struct machine skips[MACHINES], looks[MACHINES];
        const struct machine *one[MACHINES], *other[MACHINES];
        struct metrics found[MACHINES], expected[MACHINES];
        skips[0] = random_machine(&dice);
        skips[0].l1d.skip = 1;
        make_volatile(marked);
        for (unsigned i = 0; i < MACHINES; i++) {
            skips[i] = skips[0];
            skips[i].l1d.size <<= i;
            looks[i] = skips[i];
            looks[i].l1d.skip = 0;
            one[i] = &skips[i];
            other[i] = &looks[i];
        }
        for (int depth = 0; depth < DEPTH_COUNT && can_run(&skips[0], plain); depth++) {
            const struct evaluate_options options = {.depth = (enum depth)depth};
            struct violation violations[VIOLATION_MAX];
            size_t count = 0;
            while (count < MACHINES && !machine_check(&skips[count], violations))
                count++;
            if (depth == DEPTH_REUSE && !skips[0].l1d.enabled)
                continue;
            assert_int_equal(evaluate_many(one, count, &plain->base, &options, found, NULL),
                             STATUS_OK);
            assert_int_equal(evaluate_many(other, count, &marked->base, &options, expected, NULL),
                             STATUS_OK);
            for (size_t i = 0; i < count; i++) {
                found[i].stream_past_l1 = expected[i].stream_past_l1;
                assert_same_metrics(&found[i], &expected[i]);
            }
        }
        trace_source_free(&plain->base);
        trace_source_free(&marked->base);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stream_is_the_same_at_every_depth),
        cmocka_unit_test(test_classes_add_up), cmocka_unit_test(test_textures_are_loads),
        cmocka_unit_test(test_accesses_with_textures), cmocka_unit_test(test_skip_is_volatile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
