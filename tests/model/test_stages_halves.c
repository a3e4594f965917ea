/* An L2 in halves against a twin that sends each request where it goes, one by one; and what the
 * copies cost: how much of the L2 one SM can use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/cache/partition.h"
#include "model/pass/stage_tree.h"
#include "schema/parameters.h"
#include "support/roll_cache.h"
#include "support/sanitized.h"
#include "support/slow_cache.h"

enum { REQUESTS = 600, SMS = 4 };

/* A machine without an L1D, so that requests come to the L2 as they are. */
static void roll_machine_in_halves(struct dice *dice, struct machine *machine)
{
    struct violation found[VIOLATION_MAX];
    do {
        machine_defaults(machine);
        machine->gpu.sms = SMS;
        machine->l1d.enabled = machine->tlb.enabled = 0;
        const struct cache_config rolled = roll_cache(dice);
        machine->l2.ways = rolled.ways;
        machine->l2.line = rolled.line;
        machine->l2.sector = rolled.sector;
        machine->l2.index = rolled.index;
        machine->l2.replacement = rolled.replacement;
        machine->l2.reset = rolled.reset;
        machine->l2.write = rolled.write;
        machine->l2.write_allocate = rolled.write_allocate;
        machine->l2.halves = 1;
        machine->l2.slices = 2 * (1 + roll(dice, 4));
        machine->l2.slices_per_channel = 1;
        machine->l2.partition = roll(dice, 2) ? PARTITION_ROTATE : PARTITION_LINEAR;
        machine->l2.size = rolled.size / rolled.slices * machine->l2.slices;
        machine->l2.interleave = machine->l2.line << roll(dice, 3);
    } while (machine_check(machine, found));
}

/* A read looks in the near slice; what it lacks there it reads at home. `missed`: of the read. */
static void read_far(struct slow_cache *slow, struct request read, unsigned near, double *crossings,
                     struct cache_counts *twice)
{
    const unsigned home = read.instance;
    struct request_buffer sent = {0};
    struct cache_counts before, after;
    read.instance = (uint16_t)near;
    slow_cache_counts(slow, &before);
    slow_cache_run(slow, &read, 1, &sent);
    slow_cache_counts(slow, &after);
    twice->reads += after.read_misses - before.read_misses;
    twice->sector_misses += after.sector_misses - before.sector_misses;
    twice->read_bytes += after.read_bytes - before.read_bytes;
    *crossings += (double)(after.read_misses - before.read_misses);
    for (size_t i = 0; i < sent.count; i++) {
        sent.items[i].instance = (uint16_t)home;
        if (sent.items[i].op == OP_LOAD)
            slow_cache_run(slow, &sent.items[i], 1, NULL);
    }
    free(sent.items);
}

static void run_twin(const struct machine *machine, const struct request *requests, size_t count,
                     struct metrics *metrics)
{
    const struct cache_config *l2 = &machine->l2;
    struct slow_cache *slow = slow_cache_create(l2, (unsigned)l2->slices, machine->seed, 0);
    struct partition partition;
    struct cache_counts counts, twice = {0};
    assert_int_equal(partition_init(&partition, l2), STATUS_OK);
    metrics->l2_crossings = 0;
    for (size_t i = 0; i < count; i++) {
        struct request request = requests[i];
        const unsigned home = partition_slice(&partition, request.address);
        const bool same_half = (home < l2->slices / 2) == (request.instance % 2 == 0);
        const unsigned half = (unsigned)l2->slices / 2;
        request.instance = (uint16_t)home;
        if (same_half || request_writes(&request))
            slow_cache_run(slow, &request, 1, NULL);
        else
            read_far(slow, request, home < half ? home + half : home - half, &metrics->l2_crossings,
                     &twice);
    }
    slow_cache_counts(slow, &counts);
    slow_cache_free(slow);
    metrics->l2_reads = (double)(counts.reads - twice.reads);
    metrics->l2_read_misses = (double)(counts.read_misses - twice.reads);
    metrics->l2_writes = (double)counts.writes;
    metrics->l2_write_misses = (double)counts.write_misses;
    metrics->l2_sector_misses = (double)(counts.sector_misses - twice.sector_misses);
    metrics->l2_writebacks = (double)counts.writebacks;
    metrics->l2_read_bytes = (double)(counts.read_bytes - twice.read_bytes);
    metrics->l2_write_bytes = (double)counts.write_bytes;
}

/* In batches of so many requests. */
static void run_stages(const struct machine *machine, const struct request *requests, size_t count,
                       size_t batch, struct metrics *metrics)
{
    struct stages *stages;
    size_t leaf;
    assert_int_equal(stages_create(0, SHARE_NOTHING, false, &stages), STATUS_OK);
    assert_int_equal(stages_add(stages, machine, &leaf), STATUS_OK);
    for (size_t first = 0; first < count; first += batch) {
        const size_t left = count - first;
        assert_int_equal(
            stages_run(stages, FEED_RECORDS, requests + first, left < batch ? left : batch, NULL),
            STATUS_OK);
    }
    assert_int_equal(stages_finish(stages), STATUS_OK);
    metrics_clear(metrics);
    stages_metrics(stages, leaf, metrics);
    stages_free(stages);
}

#define SAME(field) assert_true(found.field == expected.field)

static void test_equals_twin(void **state)
{
    (void)state;
    static struct request requests[REQUESTS];
    double crossings = 0, hits = 0;
    for (uint64_t seed = 0; seed < ROLLS(400); seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine;
        struct metrics found, expected;
        roll_machine_in_halves(&dice, &machine);
        roll_requests(&dice, &machine.l2, SMS, requests, REQUESTS);
        run_twin(&machine, requests, REQUESTS, &expected);
        run_stages(&machine, requests, REQUESTS, 1 + roll(&dice, 200), &found);
        SAME(l2_crossings);
        SAME(l2_reads);
        SAME(l2_read_misses);
        SAME(l2_writes);
        SAME(l2_write_misses);
        SAME(l2_sector_misses);
        SAME(l2_writebacks);
        SAME(l2_read_bytes);
        SAME(l2_write_bytes);
        crossings += found.l2_crossings;
        hits += found.l2_reads - found.l2_read_misses;
    }
    assert_true(crossings > ROLLS(10000) && hits > ROLLS(10000));
}

/* The misses of the second of two rounds that SMs make over a buffer, a line after the other, and
 * what of it crossed. */
static struct metrics second_round(uint64_t bytes, unsigned sms, int halves)
{
    static struct request requests[1 << 14];
    struct machine machine;
    struct metrics once, twice;
    machine_defaults(&machine);
    machine.gpu.sms = SMS;
    machine.l1d.enabled = machine.tlb.enabled = 0;
    machine.l2.size = UINT64_C(1) << 20;
    machine.l2.slices = 16;
    machine.l2.slices_per_channel = 1;
    machine.l2.ways = 16;
    machine.l2.line = machine.l2.sector = machine.l2.interleave = 128;
    machine.l2.index = INDEX_MODULO;
    machine.l2.replacement = REPLACEMENT_LRU;
    machine.l2.partition = PARTITION_LINEAR;
    machine.l2.halves = halves;
    const size_t lines = bytes / 128;
    assert_true(2 * lines <= sizeof requests / sizeof *requests / sms);
    size_t count = 0;
    for (size_t i = 0; i < 2 * lines; i++)
        for (unsigned sm = 0; sm < sms; sm++)
            requests[count++] = (struct request){.address = i % lines * 128,
                                                 .bytes = 128,
                                                 .touched = UINT32_MAX,
                                                 .instance = (uint16_t)sm};
    run_stages(&machine, requests, count / 2, 1000, &once);
    run_stages(&machine, requests, count, 1000, &twice);
    twice.l2_read_misses -= once.l2_read_misses;
    twice.l2_crossings -= once.l2_crossings;
    return twice;
}

/* What a chase of one SM through an A100 shows: up to half of the L2 all is near; beyond that a
 * round finds nothing near, half of it in the far half, half in DRAM; beyond the whole nothing. */
static void test_one_sm(void **state)
{
    (void)state;
    const uint64_t kib = 1024;
    struct metrics round = second_round(512 * kib, 1, 1);
    assert_true(round.l2_read_misses == 0 && round.l2_crossings == 0);
    round = second_round(768 * kib, 1, 1);
    assert_true(round.l2_crossings == 3072);
    assert_true(round.l2_read_misses == 3072);
    assert_true(second_round(1024 * kib, 1, 0).l2_read_misses == 0);
    assert_true(second_round(1024 * kib, 1, 1).l2_read_misses == 4096);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equals_twin),
                                       cmocka_unit_test(test_one_sm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
