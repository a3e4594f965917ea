/* A cursor in the time of a run: the state in front of a cycle is that of a run that went straight
 * there, whatever was looked at before; the events that it finds are those of the list of all. And
 * whatever a warp waits for is somewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "model/timing/run_cursor.h"
#include "support/gpu_trial.h"
#include "support/kept_events.h"
#include "support/sanitized.h"
#include "workload/workload.h"

enum { SEEDS = 30, VISITS = 6 };

static const struct evaluate_options how = {.threads = 1};

static struct run_cursor *begin(const struct machine *machine, const struct trace_source *source,
                                size_t memory)
{
    struct run_cursor *cursor;
    assert_int_equal(run_cursor_open(machine, source, &how, memory, NULL, &cursor), STATUS_OK);
    return cursor;
}

static void roll_run(uint64_t seed, struct dice *dice, struct machine *machine,
                     struct timed_source **source)
{
    const bool pages = seed % 4 == 0;
    *dice = (struct dice){.seed = seed + 1700};
    *source = timed_source_random(seed, pages ? &timed_wide : &timed_small);
    if (pages)
        roll_translating(dice, *source, machine);
    else
        roll_fitting(dice, *source, 6, roll(dice, 2), machine);
}

static void expect_same(const struct run_cursor *cursor, const struct run_cursor *straight)
{
    const struct cursor_window a = run_cursor_window(cursor), b = run_cursor_window(straight);
    assert_int_equal(run_cursor_cycle(cursor), run_cursor_cycle(straight));
    assert_true(gpu_hash(run_cursor_gpu(cursor)) == gpu_hash(run_cursor_gpu(straight)));
    assert_int_equal(a.first, b.first);
    assert_int_equal(a.columns, b.columns);
    for (size_t row = 0; row < (size_t)a.sms * a.slots; row++)
        assert_memory_equal(a.states + row * CURSOR_COLUMNS, b.states + row * CURSOR_COLUMNS,
                            a.columns);
    assert_int_equal(a.event_count, b.event_count);
    assert_memory_equal(a.events, b.events, a.event_count * sizeof *a.events);
}

/* Random cycles of a run of `cycles`, by one cursor and by others that go straight there. */
static void expect_any_way(struct dice *dice, const struct machine *machine,
                           const struct trace_source *source, uint64_t cycles)
{
    size_t bytes;
    struct run_cursor *cursor = begin(machine, source, roll(dice, 2) ? CURSOR_MEMORY : 1);
    for (unsigned i = 0; i < VISITS; i++) {
        const uint64_t cycle = roll(dice, cycles + cycles / 4 + 1);
        struct run_cursor *straight = begin(machine, source, CURSOR_MEMORY);
        assert_int_equal(run_cursor_go(cursor, cycle), STATUS_OK);
        assert_int_equal(run_cursor_go(straight, cycle), STATUS_OK);
        assert_int_equal(run_cursor_cycle(cursor), cycle < cycles ? cycle : cycles);
        assert_true(run_cursor_ended(cursor) == (cycle >= cycles));
        expect_same(cursor, straight);
        run_cursor_close(straight);
    }
    assert_true(run_cursor_copies(cursor, &bytes) > 0);
    run_cursor_close(cursor);
}

static void test_any_way_leads_to_the_same_state(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(SEEDS); seed++) {
        struct dice dice;
        struct machine machine;
        struct timed_source *source;
        roll_run(seed, &dice, &machine, &source);
        const uint64_t cycles = gpu_trial_run(&machine, source, 1).counts.cycles;
        expect_any_way(&dice, &machine, &source->base, cycles);
        trace_source_free(&source->base);
    }
}

/* Programs of the SIMT processor, whose blocks fetch, store and wait at barriers. */
static void test_any_way_leads_there_in_a_simt_processor(void **state)
{
    static const char *const names[] = {"simt-matmul", "simt-maximum"};
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS / 5; seed++) {
        struct dice dice = {.seed = seed + 1800};
        struct machine machine;
        struct trace_source *source;
        assert_int_equal(machine_load("simt-processor", NULL, &machine, NULL, NULL), STATUS_OK);
        machine.l1d.size >>= roll(&dice, 6);
        machine.l1i.size >>= roll(&dice, 3);
        machine.l1d.blocking = (int)roll(&dice, 2);
        machine.l1d.mshr.entries = 1 + roll(&dice, 4);
        machine.dram.latency = 1 + roll(&dice, 200);
        machine.gpu.max_blocks = 1 + roll(&dice, 4);
        assert_int_equal(
            workload_open(names[roll(&dice, sizeof names / sizeof *names)], &source, NULL),
            STATUS_OK);
        struct run_cursor *cursor = begin(&machine, source, CURSOR_MEMORY);
        assert_int_equal(run_cursor_go(cursor, UINT64_MAX), STATUS_OK);
        const uint64_t cycles = run_cursor_cycle(cursor);
        run_cursor_close(cursor);
        expect_any_way(&dice, &machine, source, cycles);
        trace_source_free(source);
    }
}

/* ---- events ---- */

static bool is_meant(const struct timing_event *event, const struct cursor_wish *wish)
{
    const char *place = event_parts[event_kinds[event->kind].part].place;
    return wish->kinds >> event->kind & 1 &&
           (wish->sm == CURSOR_ANY || (event->place == wish->sm && !strcmp(place, "sm")));
}

/* The so many-th event from `cycle` on, or from the cycle before it backwards. */
static const struct timing_event *find_in(const struct kept_events *events,
                                          const struct cursor_wish *wish, uint64_t cycle,
                                          bool previous)
{
    const struct timing_event *found = NULL;
    uint64_t left = wish->times;
    for (size_t n = 0; n < events->count; n++) {
        const struct timing_event *event = &events->items[previous ? events->count - 1 - n : n];
        if (!is_meant(event, wish) ||
            (previous ? event->cycle + 1 >= cycle : event->cycle < cycle) ||
            (found && !wish->each && event->cycle == found->cycle))
            continue;
        found = event;
        if (!--left)
            return event;
    }
    return NULL;
}

static void check_step(struct dice *dice, struct run_cursor *cursor,
                       const struct kept_events *events)
{
    const struct cursor_wish wish = {.kinds = UINT64_C(1) << roll(dice, EVENT_KINDS),
                                     .times = 1 + roll(dice, 2) * roll(dice, 6),
                                     .each = roll(dice, 2),
                                     .sm = roll(dice, 2) ? CURSOR_ANY : 0,
                                     .slot = CURSOR_ANY};
    const uint64_t before = run_cursor_cycle(cursor);
    const bool previous = roll(dice, 2);
    const struct timing_event *expected = find_in(events, &wish, before, previous);
    struct timing_event event;
    bool found;
    assert_int_equal(
        (previous ? run_cursor_previous : run_cursor_next)(cursor, &wish, &event, &found),
        STATUS_OK);
    assert_true(found == (expected != NULL));
    if (!found || event.kind != EVENT_launch_end || !run_cursor_ended(cursor))
        assert_int_equal(run_cursor_cycle(cursor), found ? event.cycle + 1 : before);
    if (found)
        assert_memory_equal(&event, expected, sizeof event);
}

static void test_events_are_found_both_ways(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(SEEDS); seed++) {
        struct dice dice;
        struct machine machine;
        struct timed_source *source;
        struct kept_events events = {0};
        const struct event_watch watch = {kept_events_put, &events};
        const struct gpu_options options = {.threads = 1, .events = &watch};
        roll_run(seed, &dice, &machine, &source);
        const uint64_t cycles = gpu_trial_with(&machine, source, &options).counts.cycles;
        size_t count = 0; /* memory goes on behind the end of the run */
        for (size_t i = 0; i < events.count; i++)
            if (events.items[i].cycle < cycles || events.items[i].kind == EVENT_launch_end)
                events.items[count++] = events.items[i];
        events.count = count;
        struct run_cursor *cursor = begin(&machine, &source->base, CURSOR_MEMORY);
        assert_int_equal(run_cursor_go(cursor, roll(&dice, cycles)), STATUS_OK);
        for (unsigned i = 0; i < 3 * VISITS; i++)
            check_step(&dice, cursor, &events);
        run_cursor_close(cursor);
        free(events.items);
        trace_source_free(&source->base);
    }
}

/* ---- being cancelled ---- */

/* Whatever was cancelled leaves a cursor that shows a state of the run, and goes anywhere. */
static void test_a_cancelled_cursor_goes_on(void **state)
{
    const struct cursor_wish never = {
        .kinds = UINT64_C(1) << EVENT_launch_end, .times = 1000, .sm = CURSOR_ANY};
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(SEEDS); seed++) {
        struct dice dice;
        struct machine machine;
        struct timed_source *source;
        struct timing_event event;
        struct run_cursor *cursor;
        atomic_bool cancel = false;
        bool found;
        const struct evaluate_options stoppable = {.threads = 1, .cancel = &cancel};
        roll_run(seed, &dice, &machine, &source);
        const uint64_t cycles = gpu_trial_run(&machine, source, 1).counts.cycles;
        const uint64_t from = roll(&dice, cycles), to = roll(&dice, cycles);
        const unsigned how_far = (unsigned)roll(&dice, 3);
        assert_int_equal(
            run_cursor_open(&machine, &source->base, &stoppable, CURSOR_MEMORY, NULL, &cursor),
            STATUS_OK);
        assert_int_equal(run_cursor_go(cursor, from), STATUS_OK);
        atomic_store(&cancel, true);
        const enum status status = how_far == 0 ? run_cursor_go(cursor, to)
                                   : how_far == 1
                                       ? run_cursor_next(cursor, &never, &event, &found)
                                       : run_cursor_previous(cursor, &never, &event, &found);
        assert_true(status == STATUS_CANCELLED || status == STATUS_OK);
        assert_int_equal(run_cursor_settle(cursor), STATUS_OK);
        struct run_cursor *straight = begin(&machine, &source->base, CURSOR_MEMORY);
        assert_int_equal(run_cursor_go(straight, run_cursor_cycle(cursor)), STATUS_OK);
        expect_same(cursor, straight);
        atomic_store(&cancel, false);
        assert_int_equal(run_cursor_go(cursor, to), STATUS_OK);
        assert_int_equal(run_cursor_go(straight, to), STATUS_OK);
        expect_same(cursor, straight);
        run_cursor_close(straight);
        run_cursor_close(cursor);
        trace_source_free(&source->base);
    }
}

/* ---- why warps wait ---- */

static void test_what_is_awaited_is_somewhere(void **state)
{
    unsigned places[WAIT_PLACES] = {0}, states[WARP_STATES] = {0};
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(SEEDS); seed++) {
        struct dice dice;
        struct machine machine;
        struct timed_source *source;
        roll_run(seed, &dice, &machine, &source);
        const uint64_t cycles = gpu_trial_run(&machine, source, 1).counts.cycles;
        struct run_cursor *cursor = begin(&machine, &source->base, CURSOR_MEMORY);
        for (unsigned i = 0; i < 4 * VISITS; i++) {
            assert_int_equal(run_cursor_go(cursor, roll(&dice, cycles)), STATUS_OK);
            const struct cursor_window window = run_cursor_window(cursor);
            for (uint32_t sm = 0; sm < window.sms; sm++)
                for (uint32_t slot = 0; slot < window.slots; slot++) {
                    struct warp_wait wait;
                    warp_wait_find(run_cursor_gpu(cursor), sm, slot, &wait);
                    states[wait.state]++;
                    assert_true(wait.state == WARP_data || wait.lacks == NO_REGISTER ||
                                wait.state == WARP_memory);
                    if (wait.lacks == NO_REGISTER)
                        continue;
                    assert_true(wait.has_source);
                    assert_true(wait.source_issued < run_cursor_cycle(cursor));
                    assert_true(wait.place != WAIT_NOWHERE);
                    places[wait.place]++;
                }
        }
        run_cursor_close(cursor);
        trace_source_free(&source->base);
    }
    for (unsigned i = WARP_absent; i < WARP_STATES; i++)
        assert_true(states[i] || i == WARP_issued || i == WARP_ready || i == WARP_pipe);
    assert_true(places[WAIT_TAGS] && places[WAIT_DRAM] && places[WAIT_REPLIES] &&
                places[WAIT_EXECUTES] && places[WAIT_MISS_QUEUE]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_way_leads_to_the_same_state),
        cmocka_unit_test(test_any_way_leads_there_in_a_simt_processor),
        cmocka_unit_test(test_events_are_found_both_ways),
        cmocka_unit_test(test_a_cancelled_cursor_goes_on),
        cmocka_unit_test(test_what_is_awaited_is_somewhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
