/* The tile cache in time: the worked example of the linked-list miss queue and of its rivals, data
 * in every configuration, and a twin that steps through every cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "model/tile/tile_run.h"
#include "schema/parameters.h"
#include "support/roll_tiles.h"
#include "support/sanitized.h"
#include "support/tile_trial.h"
#include "support/tile_twin.h"

struct order {
    uint64_t serials[32];
    uint32_t count;
};

static void note(void *context, uint64_t serial)
{
    struct order *order = context;
    order->serials[order->count++] = serial;
}

/* Runs requests for lines of one bank that come one a cycle. */
static struct tile_counts run_lines(int queue, uint64_t entries, const uint32_t *lines,
                                    uint32_t count, const uint64_t *delays, uint32_t delay_count,
                                    struct order *order)
{
    struct machine machine = tile_machine(queue, 1);
    struct tile_trial *trial = tile_trial_lines(lines, count);
    struct tile_run run;
    machine.tile.queue.entries = entries;
    *order = (struct order){.count = 0};
    const struct tile_run_options options = {.carry = true,
                                             .delays = delays,
                                             .delay_count = delay_count,
                                             .done = note,
                                             .context = order};
    assert_int_equal(tile_run_open(&run, &machine, &trial->stream, &options, NULL, NULL),
                     STATUS_OK);
    assert_int_equal(tile_run_advance(&run, UINT64_MAX, NULL), STATUS_OK);
    assert_int_equal(run.tiles.shared.wrong, 0);
    for (uint32_t i = 0; i < count; i++) { /* the last write of each line */
        uint32_t last = i;
        for (uint32_t k = i; k < count; k++)
            last = lines[k] == lines[i] ? k : last;
        assert_int_equal(*tile_memory_line(&run.tiles.shared.memory, trial->requests[i].address),
                         last + 1);
    }
    const struct tile_counts counts = run.tiles.counts;
    tile_run_close(&run);
    tile_trial_free(trial);
    return counts;
}

static void assert_order(const struct order *order, const char *expected)
{
    assert_int_equal(order->count, strlen(expected));
    for (uint32_t i = 0; i < order->count; i++)
        assert_int_equal(order->serials[i], expected[i] - '0');
}

/* A B A C A; the data of C return first, then those of A and B. */
enum { A = 3, B = 5, C = 6 };
static const uint32_t example[] = {A, B, A, C, A};
static const uint64_t example_delays[] = {20, 30, 5};

static void chains_read_and_write_once(void **state)
{
    (void)state;
    struct order order;
    const struct tile_counts counts =
        run_lines(TILE_LINKED, 5, example, 5, example_delays, 3, &order);
    assert_order(&order, "30241");
    assert_int_equal(counts.reads, 3);
    assert_int_equal(counts.banks.chains, 3);
    assert_int_equal(counts.banks.chained, 2);
    assert_int_equal(counts.banks.cache_writes, 3);
    assert_int_equal(counts.banks.tag_updates, 3);
    assert_int_equal(counts.banks.refills, 0);
    assert_int_equal(counts.banks.misses, 5);
    assert_int_equal(counts.banks.longest, 3);
}

/* A bank reads the two lines to the right of a miss ahead: a request of the one that has returned
 * hits, a request of one that is on its way joins its chain, and beyond the right edge there is
 * nothing. Returns the counts after requests of `lines`, `apart` steps after the first. */
static struct bank_counts run_ahead(int queue, const uint32_t *lines, uint32_t count, int apart)
{
    struct machine machine = tile_machine(queue, 1);
    struct tile_trial *trial = tile_trial_lines(lines, count);
    struct tile_subsystem tiles;
    struct tile_batch batch = {.requests = trial->requests, .count = 1};
    uint32_t next = 0;
    const struct tile_run_options options = {.delays = example_delays, .delay_count = 1};
    machine.tile.prefetch = 2;
    assert_int_equal(tile_subsystem_init(&tiles, &machine, &trial->stream, &options), STATUS_OK);
    for (int i = 0; i < apart; i++)
        tile_subsystem_step(&tiles, &batch, &next);
    batch.count = count;
    for (int i = 0; i < 200; i++)
        tile_subsystem_step(&tiles, &batch, &next);
    assert_true(bank_idle(&tiles.banks[0]));
    const struct bank_counts counts = tiles.banks[0].counts;
    assert_int_equal(tiles.shared.bus.reads, counts.misses - counts.chained + counts.prefetches);
    tile_subsystem_free(&tiles);
    tile_trial_free(trial);
    return counts;
}

static void lines_are_read_ahead(void **state)
{
    (void)state;
    static const uint32_t right[] = {3, 4, 5}, edge[] = {14, 15};
    static const int queues[] = {TILE_LINKED, TILE_MSHR, TILE_UNLINKED};
    for (int i = 0; i < 3; i++) {
        const struct bank_counts late = run_ahead(queues[i], right, 3, 100),
                                 last = run_ahead(queues[i], edge, 2, 100);
        assert_int_equal(late.misses, 1);
        assert_int_equal(late.prefetches, 2);
        assert_int_equal(last.misses, 1);
        assert_int_equal(last.prefetches, 1);
    }
    const struct bank_counts soon = run_ahead(TILE_LINKED, right, 3, 4);
    assert_int_equal(soon.misses, 3);
    assert_int_equal(soon.chained, 2);
    assert_int_equal(soon.chains, 3); /* of which two were begun ahead */
    assert_int_equal(soon.longest, 1);
    assert_int_equal(run_ahead(TILE_BLOCKING, right, 3, 100).prefetches, 0);
}

/* r5 comes when everything has been written back, and hits. */
static void what_was_written_back_hits(void **state)
{
    (void)state;
    static const uint32_t lines[] = {A, B, A, C, A, A};
    struct order order;
    struct machine machine = tile_machine(TILE_LINKED, 1);
    struct tile_trial *trial = tile_trial_lines(lines, 6);
    struct tile_subsystem tiles;
    struct tile_batch batch = {.requests = trial->requests, .count = 5};
    uint32_t next = 0;
    const struct tile_run_options options = {
        .delays = example_delays, .delay_count = 3, .done = note, .context = &order};
    order.count = 0;
    assert_int_equal(tile_subsystem_init(&tiles, &machine, &trial->stream, &options), STATUS_OK);
    for (int i = 0; i < 100; i++)
        tile_subsystem_step(&tiles, &batch, &next);
    assert_true(bank_idle(&tiles.banks[0]));
    batch.count = 6;
    for (int i = 0; i < 10; i++)
        tile_subsystem_step(&tiles, &batch, &next);
    assert_order(&order, "302415");
    assert_int_equal(tiles.banks[0].counts.misses, 5);
    assert_int_equal(tiles.banks[0].counts.accesses, 6);
    assert_int_equal(tiles.shared.bus.reads, 3);
    tile_subsystem_free(&tiles);
    tile_trial_free(trial);
}

static void without_chains_each_reads_and_writes(void **state)
{
    (void)state;
    static const uint64_t delays[] = {20, 30, 20, 5, 20};
    struct order order;
    const struct tile_counts counts = run_lines(TILE_UNLINKED, 5, example, 5, delays, 5, &order);
    assert_order(&order, "30241");
    assert_int_equal(counts.reads, 5);
    assert_int_equal(counts.banks.cache_writes, 5);
    assert_int_equal(counts.banks.tag_updates, 5);
    assert_int_equal(counts.banks.refills, 0);
}

static void a_blocking_bank_keeps_the_order(void **state)
{
    (void)state;
    struct order order;
    const struct tile_counts counts =
        run_lines(TILE_BLOCKING, 5, example, 5, example_delays, 3, &order);
    assert_order(&order, "01234");
    assert_int_equal(counts.reads, 3);
    assert_int_equal(counts.banks.refills, 3);
    assert_int_equal(counts.banks.cache_writes, 5);
    assert_true(counts.banks.stalls[BANK_STALL_MISS] > 40);
}

static void a_conventional_queue_refills(void **state)
{
    (void)state;
    struct order order;
    const struct tile_counts counts =
        run_lines(TILE_MSHR, 5, example, 5, example_delays, 3, &order);
    assert_order(&order, "30241");
    assert_int_equal(counts.reads, 3);
    assert_int_equal(counts.banks.refills, 3);
    assert_int_equal(counts.banks.cache_writes, 5);
    assert_int_equal(counts.banks.tag_updates, 3);
}

/* With one entry nothing can join, and each miss waits for the one before; hits pass it. */
static void one_entry_is_one_miss_at_a_time(void **state)
{
    (void)state;
    struct order order;
    const struct tile_counts counts =
        run_lines(TILE_LINKED, 1, example, 5, example_delays, 3, &order);
    assert_order(&order, "02143");
    assert_int_equal(counts.reads, 3);
    assert_int_equal(counts.banks.chained, 0);
    assert_true(counts.banks.stalls[BANK_STALL_QUEUE] > 0);
}

/* ---- any stream, any configuration ------------------------------------------------------------
 */

static void memory_ends_as_the_reference(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(600); seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine;
        struct tile_run run;
        struct tile_memory reference;
        struct tile_trial *trial =
            tile_trial_random(seed, 1 + roll(&dice, 600), 1 + roll(&dice, 40));
        const struct tile_run_options options = {
            .carry = true, .ideals = seed % 2 ? ideal_all(DEPTH_TIMING) : (struct ideal_set){{0}}};
        roll_tiles(&dice, (int)roll(&dice, TILE_BINNED), &machine);
        assert_int_equal(tile_run_open(&run, &machine, &trial->stream, &options, NULL, NULL),
                         STATUS_OK);
        assert_int_equal(tile_run_advance(&run, UINT64_MAX, NULL), STATUS_OK);
        assert_int_equal(tile_reference(&trial->stream, &reference, NULL), STATUS_OK);
        assert_int_equal(run.tiles.shared.wrong, 0);
        assert_memory_equal(run.tiles.shared.memory.values, reference.values, reference.bytes);
        tile_memory_free(&reference);
        tile_run_close(&run);
        tile_trial_free(trial);
    }
}

static void counts_are_those_of_the_slow_twin(void **state)
{
    (void)state;
    for (uint64_t seed = 1000; seed < ROLLS(1500); seed++)
        tile_twin_check(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_read_and_write_once),
        cmocka_unit_test(lines_are_read_ahead),
        cmocka_unit_test(what_was_written_back_hits),
        cmocka_unit_test(without_chains_each_reads_and_writes),
        cmocka_unit_test(a_blocking_bank_keeps_the_order),
        cmocka_unit_test(a_conventional_queue_refills),
        cmocka_unit_test(one_entry_is_one_miss_at_a_time),
        cmocka_unit_test(memory_ends_as_the_reference),
        cmocka_unit_test(counts_are_those_of_the_slow_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
