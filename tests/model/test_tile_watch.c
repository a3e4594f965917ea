/* What can be looked at while a tile cache works: the steps of a bank, counts by line and parts of
 * time add up to the counts of the run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "model/evaluate.h"
#include "model/tile/frame.h"
#include "model/tile/watch.h"
#include "model/timing/base/timing_log.h"
#include "support/roll_tiles.h"
#include "support/tile_trial.h"

struct seen {
    uint64_t kinds[BANK_EMPTIED + 1], first, left; /* kinds: of requests, and prefetches begun */
    uint32_t limit, count;
    char order[256];
};

/* Checks the queue: chains have a head and a tail each, and pointers lead from one to the next. */
static void check_queue(const struct bank *bank)
{
    struct tile_waiting *list = calloc(bank->used + 1, sizeof *list);
    const size_t count = tile_waiting_list(bank, list);
    uint32_t heads = 0, tails = 0;
    assert_int_equal(count, bank->used);
    for (size_t i = 0; i < count; i++) {
        heads += list[i].head;
        tails += list[i].next == BANK_NONE;
        if (list[i].next == BANK_NONE)
            continue;
        assert_true(i + 1 < count);
        assert_int_equal(list[i + 1].entry, list[i].next);
        assert_false(list[i + 1].head);
        assert_int_equal(list[i + 1].x, list[i].x);
        assert_int_equal(list[i + 1].y, list[i].y);
        assert_int_equal(list[i + 1].surface, list[i].surface);
        assert_true(list[i + 1].serial > list[i].serial || list[i].serial == BANK_AHEAD);
    }
    assert_int_equal(heads, bank->chain_count);
    assert_int_equal(tails, bank->chain_count);
    free(list);
}

static enum status see(void *context, const struct tile_step *step)
{
    struct seen *seen = context;
    const struct bank_event *event = step->event;
    assert_int_equal(step->number, ++seen->left);
    if (seen->limit && seen->left > seen->limit)
        return STATUS_CANCELLED;
    check_queue(step->bank);
    if (!event->item || !bank_item_is_ahead(event->item) || event->kind == BANK_PREFETCHED)
        seen->kinds[event->kind]++;
    seen->first += event->first && !event->unread;
    if (event->kind == BANK_FORWARDED || event->kind == BANK_WRITTEN)
        seen->order[seen->count++ % sizeof seen->order] = (char)('0' + event->item->serial % 10);
    return STATUS_OK;
}

/* A B A C A, one a cycle: the data of the first read come last. */
static void steps_of_the_worked_example(void **state)
{
    (void)state;
    enum { A = 3, B = 5, C = 6 };
    static const uint32_t lines[] = {A, B, A, C, A};
    struct machine machine = tile_machine(TILE_LINKED, 1);
    struct tile_trial *trial = tile_trial_lines(lines, 5);
    struct seen seen = {.limit = 0};
    bool whole = false;
    machine.tile.queue.entries = 5;
    assert_int_equal(tile_watch(&machine, &trial->stream, 0, see, &seen, NULL, &whole, NULL),
                     STATUS_OK);
    assert_true(whole);
    assert_int_equal(seen.kinds[BANK_BEGUN], 3);
    assert_int_equal(seen.kinds[BANK_JOINED], 2);
    assert_int_equal(seen.kinds[BANK_FORWARDED], 2);
    assert_int_equal(seen.kinds[BANK_WRITTEN], 3);
    assert_int_equal(seen.first, 3);
    assert_int_equal(seen.kinds[BANK_EMPTIED], 1);
    assert_string_equal(seen.order, "02413"); /* equal delays: A, B, C, as they were asked for */
    tile_trial_free(trial);
}

static void a_watcher_may_leave(void **state)
{
    (void)state;
    static const uint32_t lines[] = {1, 2, 1, 3, 1};
    struct machine machine = tile_machine(TILE_LINKED, 1);
    struct tile_trial *trial = tile_trial_lines(lines, 5);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct seen seen = {.limit = 3};
    bool whole = true;
    assert_int_equal(tile_watch(&machine, &trial->stream, 0, see, &seen, NULL, &whole, NULL),
                     STATUS_OK);
    assert_false(whole);
    assert_int_equal(seen.left, 4);
    assert_int_equal(
        tile_watch(&machine, &trial->stream, 1, see, &seen, NULL, &whole, &diagnostics),
        STATUS_INVALID);
    machine.tile.cache.enabled = false;
    assert_int_equal(
        tile_watch(&machine, &trial->stream, 0, see, &seen, NULL, &whole, &diagnostics),
        STATUS_UNSUPPORTED);
    diagnostics_free(&diagnostics);
    tile_trial_free(trial);
}

static uint64_t sum_of(const struct tile_frame *frame, enum tile_count count)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < frame->maps.lines; i++)
        sum += frame->maps.counts[count][i];
    return sum;
}

static uint64_t values_of(const struct tile_trial *trial)
{
    uint64_t values = 0;
    for (uint32_t i = 0; i < trial->ends[trial->stream.pass_count - 1]; i++)
        if (trial->requests[i].primitive != TILE_NO_PRIMITIVE)
            values += (unsigned)__builtin_popcount(trial->requests[i].mask);
    return values;
}

/* Parts of time and counts by line leave nothing out, whatever the machine. */
static void maps_and_parts_add_up(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine;
        struct tile_frame frame;
        struct tile_part sum = {0};
        struct tile_trial *trial =
            tile_trial_random(seed, 1 + roll(&dice, 2000), 1 + roll(&dice, 40));
        roll_tiles(&dice, (int)roll(&dice, TILE_BINNED), &machine);
        assert_int_equal(tile_frame_run(&machine, &trial->stream, NULL, &frame, NULL), STATUS_OK);
        const struct tile_counts *counts = &frame.sums;
        uint64_t requests = 0, parts = 0, stalls = 0, longest = 0;
        for (size_t i = 0; i < TILE_PARTS_MAX; i++)
            tile_part_add(&sum, &frame.parts->items[i]);
        for (uint32_t i = 0; i < frame.banks; i++) {
            assert_int_equal(sum.requests[i], frame.requests[i]);
            requests += frame.requests[i];
            parts += sum.requests[i];
        }
        assert_int_equal(requests, counts->requests);
        assert_int_equal(parts, counts->requests);
        for (int i = BANK_RUNS + 1; i < BANK_STALLS; i++) {
            assert_int_equal(sum.stalls[i], counts->banks.stalls[i]);
            stalls += sum.stalls[i];
        }
        assert_int_equal(sum.input_stalls, counts->input_stalls);
        assert_int_equal(sum.bank_stalls, counts->bank_stalls);
        assert_int_equal(sum.queued, counts->queue_sum);
        assert_true(counts->cycles <= frame.parts->cycles * TILE_PARTS_MAX);
        assert_int_equal(sum_of(&frame, TILE_COUNT_REQUESTS), counts->requests);
        assert_int_equal(sum_of(&frame, TILE_COUNT_VALUES), values_of(trial));
        assert_int_equal(sum_of(&frame, TILE_COUNT_MISSES), counts->banks.misses);
        assert_int_equal(sum_of(&frame, TILE_COUNT_READS), counts->reads);
        assert_int_equal(sum_of(&frame, TILE_COUNT_STALLS), stalls);
        for (uint64_t i = 0; i < frame.maps.lines; i++)
            if (frame.maps.counts[TILE_COUNT_CHAIN][i] > longest)
                longest = frame.maps.counts[TILE_COUNT_CHAIN][i];
        assert_int_equal(longest, counts->banks.longest);
        tile_frame_free(&frame);
        tile_trial_free(trial);
    }
}

/* The intervals of a scene follow each other from its first cycle to its last, and what they count
 * is what the run counts. */
static void intervals_add_up(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine;
        struct metrics metrics;
        struct tile_trial *trial =
            tile_trial_random(seed, 1 + roll(&dice, 2000), 1 + roll(&dice, 40));
        struct timing_log log = {.intervals = 1 + (uint32_t)roll(&dice, 40)};
        const struct evaluate_options options = {.depth = DEPTH_TIMING, .log = &log};
        double requests = 0, stalls = 0;
        uint64_t end = 0;
        roll_tiles(&dice, (int)roll(&dice, TILE_BINNED), &machine);
        assert_int_equal(evaluate(&machine, &trial->source, &options, &metrics, NULL), STATUS_OK);
        assert_in_range(log.times.count, 1, log.intervals);
        for (size_t i = 0; i < log.times.count; i++) {
            const struct timing_part *part = &log.times.items[i];
            assert_int_equal(part->begin, end);
            assert_true(part->end > part->begin);
            end = part->end;
            requests += part->metrics.tile_requests;
            stalls += part->metrics.tile_stall_input;
        }
        assert_true((double)end == metrics.tile_cycles);
        assert_true(requests == metrics.tile_requests);
        assert_true(stalls == metrics.tile_stall_input);
        timing_log_free(&log);
        tile_trial_free(trial);
    }
}

/* Each bank's steps are the events that the run counts. */
static void steps_are_what_is_counted(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine;
        struct tile_frame frame;
        struct tile_trial *trial =
            tile_trial_random(seed, 1 + roll(&dice, 500), 1 + roll(&dice, 20));
        roll_tiles(&dice, (int)roll(&dice, TILE_BINNED), &machine);
        assert_int_equal(tile_frame_run(&machine, &trial->stream, NULL, &frame, NULL), STATUS_OK);
        for (uint32_t i = 0; i < frame.banks; i++) {
            struct seen seen = {.limit = 0};
            const struct bank_counts *counts = &frame.counts[i];
            bool whole;
            assert_int_equal(
                tile_watch(&machine, &trial->stream, i, see, &seen, NULL, &whole, NULL), STATUS_OK);
            assert_true(whole);
            assert_int_equal(seen.kinds[BANK_CLEARED], counts->cleared);
            assert_int_equal(seen.kinds[BANK_BEGUN] + seen.kinds[BANK_JOINED], counts->misses);
            assert_int_equal(seen.kinds[BANK_HIT], counts->accesses - counts->misses);
            assert_int_equal(seen.kinds[BANK_JOINED], counts->chained);
            assert_int_equal(seen.kinds[BANK_PREFETCHED], counts->prefetches);
            assert_int_equal(seen.kinds[BANK_EMPTIED], trial->stream.pass_count);
            assert_int_equal(seen.kinds[BANK_FORWARDED] + seen.kinds[BANK_WRITTEN] +
                                 seen.kinds[BANK_EXECUTED],
                             counts->misses);
        }
        tile_frame_free(&frame);
        tile_trial_free(trial);
    }
}

/* A machine without such a cache draws the same surfaces. */
static void without_a_cache_the_frame_is_the_same(void **state)
{
    (void)state;
    struct machine machine = tile_machine(TILE_LINKED, 4);
    struct tile_trial *trial = tile_trial_random(7, 400, 10);
    struct tile_frame with, without;
    assert_int_equal(tile_frame_run(&machine, &trial->stream, NULL, &with, NULL), STATUS_OK);
    machine.tile.cache.enabled = false;
    assert_int_equal(tile_frame_run(&machine, &trial->stream, NULL, &without, NULL), STATUS_OK);
    assert_true(with.cached && !without.cached);
    assert_memory_equal(with.memory.values, without.memory.values, with.memory.bytes);
    for (uint64_t i = 0; i < with.maps.lines; i++)
        assert_int_equal(with.maps.counts[TILE_COUNT_VALUES][i],
                         without.maps.counts[TILE_COUNT_VALUES][i]);
    tile_frame_free(&with);
    tile_frame_free(&without);
    tile_trial_free(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_of_the_worked_example),
        cmocka_unit_test(a_watcher_may_leave),
        cmocka_unit_test(maps_and_parts_add_up),
        cmocka_unit_test(intervals_add_up),
        cmocka_unit_test(steps_are_what_is_counted),
        cmocka_unit_test(without_a_cache_the_frame_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
