/* What a stopped run shows of its DRAM's banks: open rows are those that commands opened and did
 * not close, and as many requests are at banks as the queues of the channels say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/timing/memory/dram.h"
#include "model/timing/run_cursor.h"
#include "model/timing/run_state.h"
#include "support/gpu_trial.h"
#include "support/kept_events.h"

enum { SEEDS = 30, VISITS = 4, CHANNELS_MAX = 64 };

static const struct evaluate_options how = {.threads = 1};

struct seen {
    uint64_t rows[CHANNELS_MAX][DRAM_BANKS_MAX]; /* plus one; 0: none is open */
    unsigned open;                               /* of these */
    uint64_t requests;                           /* at banks, */
    bool quiet;                                  /* ... and then none */
};

static void see_bank(void *context, const struct bank_state *bank)
{
    struct seen *seen = context;
    seen->rows[bank->channel][bank->bank] = bank->open ? bank->row + 1 : 0;
    seen->open += bank->open;
    seen->requests += bank->serves + bank->waiting;
    assert_true(bank->open || bank->serves || bank->waiting);
    assert_false(seen->quiet && (bank->serves || bank->waiting));
    seen->quiet = !bank->serves && !bank->waiting;
}

static void count_queue(void *context, const struct queue_state *queue)
{
    uint64_t *requests = context;
    if (!strcmp(queue->name, "banks of the DRAM"))
        *requests += queue->count;
}

static void replay_rows(const struct kept_events *events, uint64_t cycle,
                        uint64_t rows[CHANNELS_MAX][DRAM_BANKS_MAX])
{
    for (size_t i = 0; i < events->count; i++) {
        const struct timing_event *event = &events->items[i];
        if (event->cycle >= cycle)
            continue;
        if (event->kind == EVENT_dram_activate)
            rows[event->place][event->slot] = event->address + 1;
        if (event->kind == EVENT_dram_precharge)
            rows[event->place][event->slot] = 0;
    }
}

static void test_banks_are_as_their_commands_left_them(void **state)
{
    unsigned open = 0, busy = 0;
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct dice dice = {.seed = seed + 2600};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &timed_wide);
        struct kept_events events = {0};
        const struct event_watch watch = {kept_events_put, &events};
        const struct gpu_options options = {.threads = 1, .events = &watch};
        struct run_cursor *cursor;
        roll_fitting(&dice, source, 12, false, &machine);
        machine.dram.refi = 0; /* a refresh closes rows without a command */
        const uint64_t cycles = gpu_trial_with(&machine, source, &options).counts.cycles;
        assert_int_equal(
            run_cursor_open(&machine, &source->base, &how, CURSOR_MEMORY, NULL, &cursor),
            STATUS_OK);
        for (unsigned i = 0; i < VISITS; i++) {
            static struct seen seen, expected;
            uint64_t requests = 0;
            memset(&seen, 0, sizeof seen);
            memset(&expected, 0, sizeof expected);
            assert_int_equal(run_cursor_go(cursor, roll(&dice, cycles)), STATUS_OK);
            run_state_banks(run_cursor_gpu(cursor), see_bank, &seen);
            run_state_queues(run_cursor_gpu(cursor), 0, count_queue, &requests);
            replay_rows(&events, run_cursor_cycle(cursor), expected.rows);
            assert_memory_equal(seen.rows, expected.rows, sizeof seen.rows);
            assert_true(seen.requests <= requests && requests <= seen.requests + 2 * CHANNELS_MAX);
            open += seen.open > 0;
            busy += seen.requests > 0;
        }
        run_cursor_close(cursor);
        free(events.items);
        trace_source_free(&source->base);
    }
    assert_true(open > SEEDS && busy > SEEDS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_banks_are_as_their_commands_left_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
