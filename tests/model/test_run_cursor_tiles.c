/* A cursor in the time of a scene on a tile cache: the state in front of a cycle is that of a run
 * that went straight there, the events that it finds are those of the list of all, and every part
 * of it can be printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text_stream.h"
#include "model/timing/run_cursor.h"
#include "model/timing/tile_events.h"
#include "report/runs/step_report.h"
#include "report/runs/step_words.h"
#include "schema/stages.h"
#include "support/kept_events.h"
#include "support/roll_tiles.h"
#include "support/sanitized.h"
#include "support/tile_trial.h"

enum { SEEDS = 60, VISITS = 5 };

static const struct evaluate_options how = {.threads = 1};

static struct tile_trial *roll_scene(uint64_t seed, struct dice *dice, struct machine *machine)
{
    *dice = (struct dice){.seed = seed + 2300};
    roll_tiles(dice, (int)roll(dice, TILE_BINNED), machine);
    return tile_trial_random(seed, roll(dice, 1200), 1 + roll(dice, 40));
}

static struct run_cursor *begin(const struct machine *machine, const struct tile_trial *trial,
                                size_t memory)
{
    struct run_cursor *cursor;
    assert_int_equal(run_cursor_open(machine, &trial->source, &how, memory, NULL, &cursor),
                     STATUS_OK);
    return cursor;
}

/* All that is shown of it, as text. */
static char *print(const struct run_cursor *cursor, enum table_format format)
{
    const struct set_place set = {STAGE_TILE, 0, 0};
    const struct step_report report = {
        .name = "", .cursor = cursor, .bank = CURSOR_ANY, .set = &set};
    struct text_stream stream;
    char *text;
    FILE *out = text_stream_open(&stream);
    const enum status status = step_report_print(&report, format, out);
    assert_int_equal(text_stream_finish(&stream, status, &text), STATUS_OK);
    return text;
}

static void expect_same(const struct run_cursor *cursor, const struct run_cursor *straight)
{
    const struct cursor_window a = run_cursor_window(cursor), b = run_cursor_window(straight);
    assert_int_equal(run_cursor_cycle(cursor), run_cursor_cycle(straight));
    assert_true(tile_run_hash(run_cursor_tiles(cursor)) ==
                tile_run_hash(run_cursor_tiles(straight)));
    assert_int_equal(a.event_count, b.event_count);
    if (a.event_count)
        assert_memory_equal(a.events, b.events, a.event_count * sizeof *a.events);
    char *one = print(cursor, TABLE_TEXT), *other = print(straight, TABLE_TEXT);
    assert_string_equal(one, other);
    free(one);
    free(other);
}

static void test_any_way_leads_to_the_same_state(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(SEEDS); seed++) {
        struct dice dice;
        struct machine machine;
        struct tile_trial *trial = roll_scene(seed, &dice, &machine);
        struct run_cursor *cursor = begin(&machine, trial, roll(&dice, 2) ? CURSOR_MEMORY : 1);
        assert_int_equal(run_cursor_go(cursor, UINT64_MAX), STATUS_OK);
        assert_true(run_cursor_ended(cursor) && !run_cursor_gpu(cursor));
        const uint64_t cycles = run_cursor_cycle(cursor);
        for (unsigned i = 0; i < VISITS; i++) {
            const uint64_t cycle = roll(&dice, cycles + cycles / 4 + 1);
            struct run_cursor *straight = begin(&machine, trial, CURSOR_MEMORY);
            assert_int_equal(run_cursor_go(cursor, cycle), STATUS_OK);
            assert_int_equal(run_cursor_go(straight, cycle), STATUS_OK);
            assert_int_equal(run_cursor_cycle(cursor), cycle < cycles ? cycle : cycles);
            assert_true(run_cursor_ended(cursor) == (cycle >= cycles));
            expect_same(cursor, straight);
            char *json = print(cursor, TABLE_JSON), *csv = print(cursor, TABLE_CSV);
            assert_true(*json == '{' && *csv);
            free(json);
            free(csv);
            run_cursor_close(straight);
        }
        run_cursor_close(cursor);
        tile_trial_free(trial);
    }
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
        if (!(wish->kinds >> event->kind & 1) ||
            (wish->slot != CURSOR_ANY && event->place != wish->slot) ||
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
    const struct cursor_wish wish = {
        .kinds = UINT64_C(1) << (EVENT_tile_cleared + roll(dice, EVENT_KINDS - EVENT_tile_cleared)),
        .times = 1 + roll(dice, 2) * roll(dice, 6),
        .each = roll(dice, 2),
        .sm = CURSOR_ANY,
        .slot = roll(dice, 2) ? CURSOR_ANY : 0};
    const uint64_t before = run_cursor_cycle(cursor);
    const bool previous = roll(dice, 2);
    const struct timing_event *expected =
        !previous && run_cursor_ended(cursor) ? NULL : find_in(events, &wish, before, previous);
    struct timing_event event;
    bool found;
    assert_int_equal(
        (previous ? run_cursor_previous : run_cursor_next)(cursor, &wish, &event, &found),
        STATUS_OK);
    assert_true(found == (expected != NULL));
    if (!found || !run_cursor_ended(cursor))
        assert_int_equal(run_cursor_cycle(cursor), found ? event.cycle + 1 : before);
    if (found)
        assert_memory_equal(&event, expected, sizeof event);
}

/* ... and passes end where their n-th word leads, evictions are of lines that had been there. */
static void test_events_are_found_both_ways(void **state)
{
    uint64_t kinds = 0;
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(SEEDS); seed++) {
        struct dice dice;
        struct machine machine;
        struct kept_events events = {0};
        struct timing_event event;
        const struct event_watch watch = {kept_events_put, &events};
        const struct cursor_wish all = {.sm = CURSOR_ANY, .slot = CURSOR_ANY};
        struct tile_trial *trial = roll_scene(seed, &dice, &machine);
        assert_int_equal(tile_events_watch(&machine, &trial->stream, &watch, NULL, NULL),
                         STATUS_OK);
        struct run_cursor *cursor = begin(&machine, trial, CURSOR_MEMORY);
        for (unsigned i = 0; i < 3 * VISITS; i++)
            check_step(&dice, cursor, &events);
        for (size_t i = 0; i < events.count; i++)
            kinds |= UINT64_C(1) << events.items[i].kind;
        const uint32_t pass = trial->stream.pass_count - 1;
        char word[24];
        snprintf(word, sizeof word, "pass:%u", pass);
        assert_int_equal(step_go(cursor, word, &all, &event, NULL), STATUS_OK);
        if (!run_cursor_ended(cursor))
            assert_int_equal(run_cursor_tiles(cursor)->pass, pass);
        assert_int_equal(step_go(cursor, "launch:0", &all, &event, NULL), STATUS_INVALID);
        assert_int_equal(step_go(cursor, "pass:9", &all, &event, NULL), STATUS_NOT_FOUND);
        assert_int_equal(step_go(cursor, "0,next:issue", &all, &event, NULL), STATUS_NOT_FOUND);
        run_cursor_close(cursor);
        free(events.items);
        tile_trial_free(trial);
    }
    for (unsigned i = EVENT_tile_cleared; i < EVENT_KINDS; i++)
        assert_true(kinds >> i & 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_way_leads_to_the_same_state),
        cmocka_unit_test(test_events_are_found_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
