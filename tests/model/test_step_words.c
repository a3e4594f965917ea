/* Words that say where a cursor goes: each does what the functions of the cursor do, and what is
 * no word is refused and leaves the cursor where it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/runs/step_words.h"
#include "support/gpu_trial.h"

static const struct evaluate_options how = {.threads = 1};
static const struct cursor_wish all = {.sm = CURSOR_ANY, .slot = CURSOR_ANY};

struct trial {
    struct machine machine;
    struct timed_source *source;
    struct run_cursor *cursor;
};

static int trial_open(void **state)
{
    static struct trial trial;
    struct dice dice = {.seed = 5};
    trial.source = timed_source_random(3, &timed_small);
    roll_fitting(&dice, trial.source, 6, false, &trial.machine);
    assert_int_equal(run_cursor_open(&trial.machine, &trial.source->base, &how, CURSOR_MEMORY, NULL,
                                     &trial.cursor),
                     STATUS_OK);
    *state = &trial;
    return 0;
}

static int trial_close(void **state)
{
    struct trial *trial = *state;
    run_cursor_close(trial->cursor);
    trace_source_free(&trial->source->base);
    return 0;
}

static uint64_t go(struct trial *trial, const char *words, const struct cursor_wish *narrow,
                   struct timing_event *event)
{
    assert_int_equal(step_go(trial->cursor, words, narrow, event, NULL), STATUS_OK);
    return run_cursor_cycle(trial->cursor);
}

static void test_kinds(void **state)
{
    (void)state;
    assert_true(event_kinds_named("any", 3) == (UINT64_C(1) << EVENT_KINDS) - 1);
    assert_true(event_kinds_named("miss", 4) ==
                (UINT64_C(1) << EVENT_l1d_miss | UINT64_C(1) << EVENT_l2_miss |
                 UINT64_C(1) << EVENT_tile_miss));
    assert_true(event_kinds_named("l2_fill,next", 7) == UINT64_C(1) << EVENT_l2_fill);
    assert_true(!event_kinds_named("l2_fil", 6) && !event_kinds_named("", 0) &&
                !event_kinds_named("read", 4));
}

static void test_words_go_where_they_say(void **state)
{
    struct trial *trial = *state;
    struct timing_event event;
    assert_int_equal(go(trial, "100", &all, &event), 100);
    assert_int_equal(event.kind, EVENT_KINDS);
    const uint64_t second = go(trial, "0,next:issue,next:issue", &all, &event);
    assert_int_equal(event.kind, EVENT_issue);
    assert_int_equal(event.cycle + 1, second);
    assert_int_equal(go(trial, "0,next:issue*2", &all, &event), second);
    const uint64_t launch = go(trial, "launch:0", &all, &event);
    assert_int_equal(launch, event.cycle + 1);
    assert_int_equal(event.kind, EVENT_launch_start);
    const uint64_t end = go(trial, "end", &all, &event);
    assert_true(run_cursor_ended(trial->cursor));
    const uint64_t last = go(trial, "end,previous:issue", &all, &event);
    assert_int_equal(last, event.cycle + 1);
    assert_true(event.cycle < end);
}

/* The n-th instruction of a warp is the one that its events count, two of one cycle included. */
static void test_instructions_of_a_warp(void **state)
{
    struct trial *trial = *state;
    struct timing_event first, event;
    go(trial, "0,next:issue", &all, &first);
    const struct cursor_wish warp = {.sm = first.place, .slot = first.slot};
    go(trial, "instruction:0", &warp, &event);
    assert_memory_equal(&event, &first, sizeof event);
    unsigned count = 1;
    for (enum status status = STATUS_OK; !status; count += !status) {
        char word[24];
        const struct timing_event before = event;
        snprintf(word, sizeof word, "instruction:%u", count);
        status = step_go(trial->cursor, word, &warp, &event, NULL);
        assert_true(status == STATUS_OK || status == STATUS_NOT_FOUND);
        assert_true(status || (event.place == first.place && event.slot == first.slot));
        assert_true(status || event.cycle > before.cycle || event.id > before.id);
    }
    assert_true(count > 1);
}

static void test_what_is_no_word_is_refused(void **state)
{
    static const char *const words[] = {
        "sideways",     "next:", "next:isue",     "launch:",   "next:issue*0",
        "next:issue*x", "-1",    "instruction:1", "launch:99", "0x10"};
    struct trial *trial = *state;
    struct timing_event event;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        go(trial, "50", &all, &event);
        assert_int_equal(step_go(trial->cursor, words[i], &all, &event, &diagnostics),
                         strcmp(words[i], "launch:99") ? STATUS_INVALID : STATUS_NOT_FOUND);
        assert_non_null(strstr(diagnostics_first(&diagnostics, STATUS_INVALID), words[i]));
        diagnostics_free(&diagnostics);
        if (strcmp(words[i], "launch:99")) /* it was counted from the first cycle on */
            assert_int_equal(run_cursor_cycle(trial->cursor), 50);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds),
                                       cmocka_unit_test(test_words_go_where_they_say),
                                       cmocka_unit_test(test_instructions_of_a_warp),
                                       cmocka_unit_test(test_what_is_no_word_is_refused)};
    return cmocka_run_group_tests(tests, trial_open, trial_close);
}
