/* The tile cache at the functional depth: against the timing depth, where misses are served one at
 * a time, and against itself where caches share passes; with an L2, against two slow caches. Blocks
 * of a binned machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/evaluate.h"
#include "model/tile/binned.h"
#include "model/tile/deal.h"
#include "support/roll_tiles.h"
#include "support/slow_cache.h"
#include "support/tile_trial.h"

enum { TRIAL = 300 };

static struct metrics run(const struct machine *machine, const struct tile_trial *trial,
                          enum depth depth)
{
    const struct evaluate_options options = {.depth = depth};
    struct metrics metrics;
    assert_int_equal(evaluate(machine, &trial->source, &options, &metrics, NULL), STATUS_OK);
    return metrics;
}

/* A bank that waits for each miss puts lines into its cache in the order of its requests. */
static void a_blocking_bank_counts_as_the_functional_depth(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine;
        struct tile_trial *trial =
            tile_trial_random(seed, 1 + roll(&dice, 900), 1 + roll(&dice, 40));
        roll_tiles(&dice, TILE_BLOCKING, &machine);
        const struct metrics fast = run(&machine, trial, DEPTH_FUNCTIONAL),
                             timed = run(&machine, trial, DEPTH_TIMING);
        assert_true(fast.tile_requests == timed.tile_requests);
        assert_true(fast.tile_cleared == timed.tile_cleared);
        assert_true(fast.tile_accesses == timed.tile_accesses);
        assert_true(fast.tile_misses == timed.tile_misses);
        assert_true(fast.tile_bus_reads == timed.tile_bus_reads);
        assert_true(fast.tile_writebacks == timed.tile_writebacks);
        if (!machine.tile.l2.size)
            assert_true(fast.tile_external_bytes == timed.tile_external_bytes);
        assert_true(fast.tile_load_most == timed.tile_load_most);
        tile_trial_free(trial);
    }
}

/* A single bank asks its L2 in the order of its requests. What changed is written at the end of a
 * pass in another order at each depth, so after it the L2 may hold other lines. */
static void a_blocking_bank_asks_its_l2_as_at_the_functional_depth(void **state)
{
    (void)state;
    uint64_t hits = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine;
        const uint32_t count = 1 + (uint32_t)roll(&dice, 900);
        struct tile_trial *trial = tile_trial_random(seed, count, 1 + roll(&dice, 40));
        roll_tiles(&dice, TILE_BLOCKING, &machine);
        machine.tile.cache.size /= machine.tile.cache.slices;
        machine.tile.cache.slices = 1;
        machine.tile.l2.size = machine.tile.l2.ways * TILE_BYTES << roll(&dice, 3);
        trial->stream.pass_count = trial->source.launch_count = 1;
        trial->ends[0] = count;
        const struct metrics fast = run(&machine, trial, DEPTH_FUNCTIONAL),
                             timed = run(&machine, trial, DEPTH_TIMING);
        assert_true(fast.tile_l2_accesses == timed.tile_l2_accesses);
        assert_true(fast.tile_l2_misses == timed.tile_l2_misses);
        assert_true(fast.tile_read_bytes == timed.tile_read_bytes);
        assert_true(fast.tile_external_bytes <=
                    TILE_BYTES * (fast.tile_bus_reads + fast.tile_writebacks));
        hits += fast.tile_l2_misses < fast.tile_bus_reads;
        tile_trial_free(trial);
    }
    assert_true(hits > 100);
}

struct slow_pair { /* the banks, and their L2 */
    struct slow_cache *banks, *l2;
    struct request_buffer sent;
    const struct tile_trial *trial;
    struct request requests[TRIAL]; /* as the banks see them */
};

/* Where the line lies that a bank sent: that of a request for it. */
static void send_on(struct slow_pair *slow)
{
    for (size_t i = 0; i < slow->sent.count; i++) {
        struct request *sent = &slow->sent.items[i];
        size_t k = 0;
        while (slow->requests[k].instance != sent->instance ||
               slow->requests[k].address != sent->address)
            k++;
        sent->address = slow->trial->requests[k].address;
        sent->instance = 0;
        slow_cache_run(slow->l2, sent, 1, NULL);
    }
    slow->sent.count = 0;
}

static void slow_pair_run(struct slow_pair *slow, const struct machine *machine)
{
    const struct tile_stream *stream = &slow->trial->stream;
    struct screen screen;
    screen_init(&screen, &machine->tile, stream->surfaces, stream->surface_count);
    for (uint32_t pass = 0, i = 0; pass < stream->pass_count; pass++) {
        for (; i < slow->trial->ends[pass]; i++) {
            const struct tile_request *from = &slow->trial->requests[i];
            const bool needs = tile_needs_line(from) && !(from->flags & TILE_CLEARED);
            slow->requests[i] = (struct request){.address = screen_line(&screen, from) * TILE_BYTES,
                                                 .touched = needs ? 1 : UINT32_MAX,
                                                 .bytes = TILE_BYTES,
                                                 .op = tile_changes_line(from) ? OP_STORE : OP_LOAD,
                                                 .flags = REQUEST_FIRST,
                                                 .instance = (uint16_t)screen_bank(&screen, from)};
            if (!tile_is_settled(from))
                slow_cache_run(slow->banks, &slow->requests[i], 1, &slow->sent);
            send_on(slow);
        }
        slow_cache_flush(slow->banks, &slow->sent);
        send_on(slow);
    }
    slow_cache_flush(slow->l2, NULL);
}

static void an_l2_counts_as_a_slow_one(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 150; seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine;
        struct cache_counts banks, l2;
        struct tile_trial *trial =
            tile_trial_random(seed, 1 + roll(&dice, TRIAL), 1 + roll(&dice, 40));
        roll_tiles(&dice, TILE_LINKED, &machine);
        machine.tile.l2.size = machine.tile.l2.ways * TILE_BYTES << roll(&dice, 4);
        const struct cache_config bank = deal_config(&machine.tile);
        struct slow_pair slow = {
            .banks = slow_cache_create(&bank, (unsigned)machine.tile.cache.slices, machine.seed, 0),
            .l2 = slow_cache_create(&machine.tile.l2, 1, machine.seed, 0),
            .trial = trial};
        slow_pair_run(&slow, &machine);
        slow_cache_counts(slow.banks, &banks);
        slow_cache_counts(slow.l2, &l2);
        const struct metrics fast = run(&machine, trial, DEPTH_FUNCTIONAL);
        assert_true(fast.tile_misses == (double)banks.misses);
        assert_true(fast.tile_bus_reads * TILE_BYTES == (double)banks.read_bytes);
        assert_true(fast.tile_l2_accesses == fast.tile_bus_reads + fast.tile_writebacks);
        assert_true(fast.tile_l2_misses == (double)l2.read_misses);
        assert_true(fast.tile_read_bytes == (double)l2.read_bytes);
        assert_true(fast.tile_write_bytes == (double)l2.write_bytes);
        assert_true(fast.tile_read_bytes == TILE_BYTES * fast.tile_l2_misses);
        slow_cache_free(slow.banks);
        slow_cache_free(slow.l2);
        free(slow.sent.items);
        tile_trial_free(trial);
    }
}

/* Machines that share a pass, and LRU caches that share passes over it, count as alone. */
static void shared_passes_count_as_single_ones(void **state)
{
    (void)state;
    enum { MACHINES = 9 };
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct dice dice = {.seed = seed};
        struct machine machines[MACHINES];
        const struct machine *pointers[MACHINES];
        struct metrics lookups[MACHINES], traffic[MACHINES];
        struct tile_trial *trial =
            tile_trial_random(seed, 1 + roll(&dice, 900), 1 + roll(&dice, 40));
        for (int i = 0; i < MACHINES; i++) {
            roll_tiles(&dice, TILE_LINKED, &machines[i]);
            if (roll(&dice, 2))
                machines[i].tile.cache.replacement = REPLACEMENT_LRU;
            pointers[i] = &machines[i];
        }
        struct evaluate_options options = {.share = SHARE_LOOKUPS};
        assert_int_equal(evaluate_many(pointers, MACHINES, &trial->source, &options, lookups, NULL),
                         STATUS_OK);
        options.share = SHARE_TRAFFIC;
        assert_int_equal(evaluate_many(pointers, MACHINES, &trial->source, &options, traffic, NULL),
                         STATUS_OK);
        for (int i = 0; i < MACHINES; i++) {
            const struct metrics alone = run(&machines[i], trial, DEPTH_FUNCTIONAL);
            assert_true(alone.tile_requests == lookups[i].tile_requests);
            assert_true(alone.tile_accesses == lookups[i].tile_accesses);
            assert_true(alone.tile_misses == lookups[i].tile_misses);
            assert_true(alone.tile_misses == traffic[i].tile_misses);
            assert_true(alone.tile_bus_reads == traffic[i].tile_bus_reads);
            assert_true(alone.tile_writebacks == traffic[i].tile_writebacks);
            assert_true(alone.tile_external_bytes == traffic[i].tile_external_bytes);
            if (machines[i].tile.l2.size)
                assert_true(alone.tile_l2_misses == traffic[i].tile_l2_misses);
        }
        tile_trial_free(trial);
    }
}

static void blocks_end_as_the_reference(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine;
        struct binned_counts counts;
        struct tile_memory reference, memory;
        struct tile_trial *trial =
            tile_trial_random(seed, 1 + roll(&dice, 600), 1 + roll(&dice, 40));
        roll_tiles(&dice, TILE_BINNED, &machine);
        assert_int_equal(binned_run(&machine, &trial->stream, NULL, &counts, &memory, NULL),
                         STATUS_OK);
        assert_int_equal(tile_reference(&trial->stream, &reference, NULL), STATUS_OK);
        assert_memory_equal(memory.values, reference.values, reference.bytes);
        tile_memory_free(&reference);
        tile_memory_free(&memory);
        tile_trial_free(trial);
    }
}

/* Two frames with the same picture: 64 lines of 4 x 4 pixels, a primitive, four blocks of 16 x 16
 * pixels in a row. */
static void blocks_are_read_and_written_once_a_pass(void **state)
{
    (void)state;
    uint32_t lines[32];
    for (uint32_t i = 0; i < 32; i++)
        lines[i] = i % 16;
    struct tile_trial *trial = tile_trial_lines(lines, 32);
    struct machine machine = tile_machine(TILE_BINNED, 1);
    struct binned_counts counts;
    trial->stream.pass_count = 2;
    trial->passes[1] = (struct tile_pass){.name = "trial", .frame = 1};
    trial->ends[0] = 16;
    trial->ends[1] = 32;
    for (uint32_t i = 0; i < 32; i++)
        trial->values[i][0] = 7;
    assert_int_equal(binned_run(&machine, &trial->stream, NULL, &counts, NULL, NULL), STATUS_OK);
    const uint64_t lists = 2 * (96 + 4 * BIN_ENTRY + 4 * (96 + BIN_ENTRY));
    assert_int_equal(counts.reads, 8); /* nothing is cleared */
    assert_int_equal(counts.writes, 8);
    assert_int_equal(counts.list_bytes, lists);
    assert_int_equal(counts.read_bytes + counts.write_bytes, lists + 16 * 1024);
    machine.tile.bin.eliminate = 1;
    assert_int_equal(binned_run(&machine, &trial->stream, NULL, &counts, NULL, NULL), STATUS_OK);
    assert_int_equal(counts.eliminated, 4);
    assert_int_equal(counts.writes, 4);
    trial->passes[1].clears = 1;
    assert_int_equal(binned_run(&machine, &trial->stream, NULL, &counts, NULL, NULL), STATUS_OK);
    assert_int_equal(counts.reads, 4);
    tile_trial_free(trial);
}

/* Depth beside colours is written only where a later pass goes on with it. */
static void depth_beside_colours_is_scratch(void **state)
{
    (void)state;
    static const uint32_t lines[] = {0, 0, 0, 0};
    struct tile_trial *trial = tile_trial_lines(lines, 4);
    struct machine machine = tile_machine(TILE_BINNED, 1);
    struct binned_counts counts;
    machine.tile.bin.primitive = 0;
    trial->stream.surface_count = trial->stream.pass_count = 2;
    trial->stream.surfaces[1] = trial->stream.surfaces[0];
    trial->stream.surfaces[1].kind = TILE_DEPTH;
    trial->stream.surfaces[1].base += 1 << 16;
    trial->passes[0].clears = trial->passes[1].clears = 3;
    trial->ends[0] = 2;
    trial->ends[1] = 4;
    for (uint32_t i = 1; i < 4; i += 2) {
        trial->requests[i].surface = 1;
        trial->requests[i].address += 1 << 16;
    }
    assert_int_equal(binned_run(&machine, &trial->stream, NULL, &counts, NULL, NULL), STATUS_OK);
    assert_int_equal(counts.reads, 0);
    assert_int_equal(counts.writes, 2); /* colours, twice */
    trial->passes[1].clears = 1;
    assert_int_equal(binned_run(&machine, &trial->stream, NULL, &counts, NULL, NULL), STATUS_OK);
    assert_int_equal(counts.reads, 1);
    assert_int_equal(counts.writes, 3);
    tile_trial_free(trial);
}

/* A stream whose batches end early, so many requests each. */
struct cut_stream {
    struct tile_stream stream; /* first */
    const struct tile_stream *from;
    uint32_t most;
};
struct tile_reader {
    const struct cut_stream *cut;
    struct tile_reader *inner;
};

static enum status cut_open(const struct tile_stream *stream, bool values,
                            struct tile_reader **made, struct diagnostics *diagnostics)
{
    const struct cut_stream *cut = (const struct cut_stream *)stream;
    struct tile_reader *reader = malloc(sizeof *reader);
    assert_non_null(reader);
    *reader = (struct tile_reader){.cut = cut};
    *made = reader;
    return cut->from->ops->open(cut->from, values, &reader->inner, diagnostics);
}

static enum status cut_next(struct tile_reader *reader, struct tile_batch *batch,
                            struct diagnostics *diagnostics)
{
    const uint32_t whole = batch->capacity;
    batch->capacity = whole < reader->cut->most ? whole : reader->cut->most;
    const enum status status = reader->cut->from->ops->next(reader->inner, batch, diagnostics);
    batch->capacity = whole;
    return status;
}

static void cut_close(struct tile_reader *reader)
{
    reader->cut->from->ops->close(reader->inner);
    free(reader);
}

/* Where a reader cuts its batches changes no cycle. */
static void batches_of_any_length_take_the_same_time(void **state)
{
    static const struct tile_stream_ops ops = {cut_open, cut_next, cut_close};
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine;
        struct tile_trial *trial =
            tile_trial_random(seed, 1 + roll(&dice, 900), 1 + roll(&dice, 40));
        struct cut_stream cut = {*trial->source.tiles, trial->source.tiles,
                                 2 + (uint32_t)roll(&dice, 20)};
        struct trace_source source = trial->source;
        struct metrics whole, parts;
        const struct evaluate_options options = {.depth = DEPTH_TIMING};
        roll_tiles(&dice, TILE_LINKED, &machine);
        cut.stream.ops = &ops;
        source.tiles = &cut.stream;
        assert_int_equal(evaluate(&machine, &trial->source, &options, &whole, NULL), STATUS_OK);
        assert_int_equal(evaluate(&machine, &source, &options, &parts, NULL), STATUS_OK);
        assert_memory_equal(&whole, &parts, sizeof whole);
        tile_trial_free(trial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_blocking_bank_counts_as_the_functional_depth),
        cmocka_unit_test(a_blocking_bank_asks_its_l2_as_at_the_functional_depth),
        cmocka_unit_test(an_l2_counts_as_a_slow_one),
        cmocka_unit_test(shared_passes_count_as_single_ones),
        cmocka_unit_test(blocks_end_as_the_reference),
        cmocka_unit_test(blocks_are_read_and_written_once_a_pass),
        cmocka_unit_test(depth_beside_colours_is_scratch),
        cmocka_unit_test(batches_of_any_length_take_the_same_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
