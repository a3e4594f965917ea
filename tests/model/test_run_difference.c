/* Two runs side by side: equal ones are equal, a request that was changed is named, and the first
 * difference of each part is that of comparing whole lists of events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/timing/run_difference.h"
#include "model/timing/tile_events.h"
#include "support/gpu_trial.h"
#include "support/kept_events.h"
#include "support/roll_tiles.h"
#include "support/sanitized.h"
#include "support/tile_trial.h"

enum { SEEDS = 60 };

static const struct timed_shape plain = {.launches = 2,
                                         .blocks = 12,
                                         .warps = 4,
                                         .instructions = 40,
                                         .lines = 40,
                                         .content = TIMED_LOADS | TIMED_STORES | TIMED_BARRIERS};

static const struct evaluate_options how = {.threads = 1};

static void find(const struct machine *a, const struct timed_source *source_a,
                 const struct machine *b, const struct timed_source *source_b,
                 struct run_difference *difference)
{
    const struct compared_run runs[RUNS_COMPARED] = {{a, &source_a->base}, {b, &source_b->base}};
    assert_int_equal(run_difference_find(runs, &how, difference, NULL), STATUS_OK);
}

/* ---- the slow twin: all events of a run, and where those of a place first differ ---- */

struct events {
    struct kept_events list;
    uint64_t end; /* of the last launch */
};

static struct events watch(const struct machine *machine, const struct timed_source *source)
{
    struct events events = {0};
    const struct event_watch watch = {kept_events_put, &events.list};
    const struct gpu_options options = {.threads = 1, .events = &watch};
    events.end = gpu_trial_with(machine, source, &options).counts.cycles;
    return events;
}

/* The next event of a place that the run got to; NULL: there is none. */
static const struct timing_event *next_there(const struct events *events, size_t *at,
                                             enum event_part part, uint32_t place)
{
    while (*at < events->list.count) {
        const struct timing_event *event = &events->list.items[(*at)++];
        if (event_kinds[event->kind].part == part && event->place == place &&
            (event->cycle < events->end || part == PART_GPU))
            return event;
    }
    return NULL;
}

static void expect_place(const struct events events[RUNS_COMPARED],
                         const struct place_difference *place)
{
    const struct timing_event *next[RUNS_COMPARED];
    size_t at[RUNS_COMPARED] = {0};
    do {
        for (int i = 0; i < RUNS_COMPARED; i++)
            next[i] = next_there(&events[i], &at[i], place->part, place->place);
    } while (next[RUN_A] && next[RUN_B] && !memcmp(next[RUN_A], next[RUN_B], sizeof *next[RUN_A]));
    assert_true(place->parted == (next[RUN_A] || next[RUN_B]));
    for (int i = 0; place->parted && i < RUNS_COMPARED; i++) {
        assert_true(place->has[i] == (next[i] != NULL));
        if (next[i])
            assert_memory_equal(next[i], &place->events[i], sizeof *next[i]);
        assert_true(!next[i] || next[i]->cycle >= place->cycle);
    }
}

static void expect_events(struct events events[RUNS_COMPARED],
                          const struct run_difference *difference)
{
    for (size_t i = 0; i < difference->place_count; i++) {
        expect_place(events, &difference->places[i]);
        assert_true(difference->places[i].parted == (i < difference->parted));
        assert_true(!i || i >= difference->parted ||
                    difference->places[i].cycle >= difference->places[i - 1].cycle);
    }
    for (int i = 0; i < RUNS_COMPARED; i++)
        free(events[i].list.items);
}

static void expect_places(const struct machine *a, const struct timed_source *source_a,
                          const struct machine *b, const struct timed_source *source_b,
                          const struct run_difference *difference)
{
    struct events events[RUNS_COMPARED] = {watch(a, source_a), watch(b, source_b)};
    expect_events(events, difference);
}

static struct events watch_scene(const struct machine *machine, const struct tile_trial *scene)
{
    struct events events = {.end = UINT64_MAX};
    const struct event_watch watch = {kept_events_put, &events.list};
    assert_int_equal(tile_events_watch(machine, &scene->stream, &watch, NULL, NULL), STATUS_OK);
    return events;
}

/* ---- tests ---- */

static void test_equal_runs_are_equal(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(SEEDS); seed++) {
        struct dice dice = {.seed = seed + 300};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &timed_small);
        struct run_difference difference;
        roll_fitting(&dice, source, 6, roll(&dice, 2), &machine);
        find(&machine, source, &machine, source, &difference);
        assert_true(difference.equal);
        assert_int_equal(difference.parted, 0);
        assert_true(difference.runs[RUN_A].events > 0);
        assert_int_equal(difference.runs[RUN_A].events, difference.runs[RUN_B].events);
        run_difference_free(&difference);
        trace_source_free(&source->base);
    }
}

/* A record of a warp that accesses global memory; NULL: there is none. */
static struct warp_access *choose_record(struct dice *dice, struct timed_source *source)
{
    struct warp_access *chosen = NULL;
    uint64_t seen = 0;
    for (uint32_t l = 0; l < source->base.launch_count; l++) {
        const struct timed_launch *launch = &source->lists[l];
        for (uint32_t w = 0; w < launch->blocks * launch->warps; w++)
            for (uint32_t r = 0; r < launch->warp[w].record_count; r++)
                if (launch->warp[w].records[r].space == SPACE_GLOBAL &&
                    launch->warp[w].records[r].mask && !roll(dice, ++seen))
                    chosen = &launch->warp[w].records[r];
    }
    return chosen;
}

static void test_one_changed_request_is_named(void **state)
{
    unsigned named = 0;
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(SEEDS); seed++) {
        struct dice dice = {.seed = seed + 400};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &plain);
        struct timed_source *changed = timed_source_random(seed, &plain);
        struct warp_access *record = choose_record(&dice, changed);
        struct run_difference difference;
        roll_fitting(&dice, source, 6, roll(&dice, 2), &machine);
        if (record) {
            record->base += 1 << 20;
            find(&machine, source, &machine, changed, &difference);
            assert_false(difference.equal);
            assert_true(difference.parted > 0);
            const struct place_difference *first = &difference.places[0];
            for (int i = 0; i < RUNS_COMPARED; i++) {
                assert_true(first->has[i]);
                assert_int_equal(first->events[i].kind, EVENT_request);
                assert_int_equal(first->events[i].pc, record->pc);
            }
            assert_int_equal(first->events[RUN_B].address,
                             first->events[RUN_A].address + (1 << 20));
            assert_int_equal(first->events[RUN_A].slot, first->events[RUN_B].slot);
            expect_places(&machine, source, &machine, changed, &difference);
            run_difference_free(&difference);
            named++;
        }
        trace_source_free(&source->base);
        trace_source_free(&changed->base);
    }
    assert_true(named > ROLLS(SEEDS) / 2);
}

/* Machines with other parameters and other numbers of SMs and slices. */
static void test_other_machines(void **state)
{
    unsigned differ = 0;
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(SEEDS); seed++) {
        struct dice dice = {.seed = seed + 500};
        struct machine a, b;
        struct timed_source *source = timed_source_random(seed, &timed_small);
        struct run_difference difference;
        roll_fitting(&dice, source, 6, roll(&dice, 2), &a);
        b = a;
        b.l2.latency += roll(&dice, 2);
        if (roll(&dice, 2))
            roll_fitting(&dice, source, 6, roll(&dice, 2), &b);
        find(&a, source, &b, source, &difference);
        expect_places(&a, source, &b, source, &difference);
        differ += !difference.equal;
        run_difference_free(&difference);
        trace_source_free(&source->base);
    }
    assert_true(differ > 0 && differ < SEEDS);
}

/* Cycles of all passes together are those of the run. */
static void expect_passes(const struct tile_trial *scene, const struct run_outcome *outcome)
{
    uint64_t cycles = 0;
    for (uint32_t i = 0; i < scene->stream.pass_count; i++)
        cycles += outcome->launches[i];
    assert_int_equal(cycles, outcome->counts.cycles);
}

/* A scene on two machines, or two scenes; of four pairs one is the same twice. */
static void test_scenes(void **state)
{
    unsigned differ = 0;
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(SEEDS); seed++) {
        struct dice dice = {.seed = seed + 600};
        struct machine a, b;
        const uint32_t count = 1 + roll(&dice, 800), spread = 1 + roll(&dice, 40);
        struct tile_trial *scene = tile_trial_random(seed, count, spread);
        struct tile_trial *second = tile_trial_random(seed + SEEDS, count, spread);
        struct tile_trial *other = seed % 4 && !roll(&dice, 3) ? second : scene;
        struct run_difference difference;
        roll_tiles(&dice, (int)roll(&dice, TILE_BINNED), &a);
        b = a;
        b.tile.latency += seed % 4 ? roll(&dice, 3) : 0;
        if (seed % 4 && !roll(&dice, 3))
            roll_tiles(&dice, (int)roll(&dice, TILE_BINNED), &b);
        const struct compared_run runs[RUNS_COMPARED] = {{&a, &scene->source},
                                                         {&b, &other->source}};
        assert_int_equal(run_difference_find(runs, &how, &difference, NULL), STATUS_OK);
        struct events events[RUNS_COMPARED] = {watch_scene(&a, scene), watch_scene(&b, other)};
        assert_int_equal(difference.runs[RUN_A].events, events[RUN_A].list.count);
        expect_passes(scene, &difference.runs[RUN_A]);
        expect_passes(other, &difference.runs[RUN_B]);
        expect_events(events, &difference);
        differ += !difference.equal;
        run_difference_free(&difference);
        tile_trial_free(scene);
        tile_trial_free(second);
    }
    assert_true(differ > 0 && differ < ROLLS(SEEDS));
}

static void test_a_scene_and_a_kernel_are_refused(void **state)
{
    (void)state;
    struct dice dice = {.seed = 1};
    struct machine a, b;
    struct timed_source *kernel = timed_source_random(1, &plain);
    struct tile_trial *scene = tile_trial_random(1, 10, 2);
    struct run_difference difference;
    roll_tiles(&dice, TILE_LINKED, &a);
    roll_fitting(&dice, kernel, 6, 1, &b);
    const struct compared_run runs[RUNS_COMPARED] = {{&a, &scene->source}, {&b, &kernel->base}};
    assert_int_equal(run_difference_find(runs, &how, &difference, NULL), STATUS_UNSUPPORTED);
    run_difference_free(&difference);
    trace_source_free(&kernel->base);
    tile_trial_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_runs_are_equal),
        cmocka_unit_test(test_one_changed_request_is_named), cmocka_unit_test(test_other_machines),
        cmocka_unit_test(test_scenes), cmocka_unit_test(test_a_scene_and_a_kernel_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
