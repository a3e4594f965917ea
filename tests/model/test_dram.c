/* dram.h: when requests come back, worked out by hand from the times of a GTX 480's GDDR5, which
 * are the defaults: RCD 12, CL 12, WL 4, RP 12, RC 40, RRD 6, CCD 2, CCDL 3, 2 ticks a burst. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/timing/memory/dram.h"
#include "schema/parameters.h"

struct bench {
    struct machine machine;
    struct dram dram;
    uint64_t tick; /* the next one */
    uint32_t last; /* the id that came back last */
};

static struct bench *bench_of(struct bench *bench)
{
    bench->tick = 0;
    assert_int_equal(dram_init(&bench->dram, &bench->machine.dram), STATUS_OK);
    return bench;
}

static struct bench *usual(struct bench *bench)
{
    machine_defaults(&bench->machine);
    return bench_of(bench);
}

static void put(struct bench *bench, unsigned kind, uint32_t id, uint32_t bank, uint64_t row)
{
    const struct packet packet = {.kind = (uint8_t)kind, .bytes = 32, .id = id, .slice = 3};
    assert_true(dram_has_room(&bench->dram, packet_writes(&packet)));
    assert_true(dram_put(&bench->dram, &packet, (struct dram_place){bank, row}, bench->tick));
}

/* Ticks until something comes back; returns that tick. */
static uint64_t next_end(struct bench *bench)
{
    for (unsigned i = 0; i < 1000; i++) {
        const uint64_t now = bench->tick++;
        const int written = dram_tick(&bench->dram, now);
        if (written >= 0)
            return assert_int_equal(written, 3), now;
        if (!bench->dram.return_count)
            continue;
        bench->last = dram_returned(&bench->dram)->id;
        dram_take(&bench->dram, bench->tick);
        return now;
    }
    fail_msg("nothing came back in 1000 ticks");
    return 0;
}

static void step(struct bench *bench)
{
    assert_int_equal(dram_tick(&bench->dram, bench->tick++), -1);
    assert_int_equal(bench->dram.return_count, 0);
}

static void test_one_read(void **state)
{
    (void)state;
    struct bench bench;
    put(usual(&bench), PACKET_READ, 7, 0, 1);
    assert_true(dram_busy(&bench.dram));
    assert_int_equal(next_end(&bench), 12 + 12); /* RCD, CL */
    assert_false(dram_busy(&bench.dram));
    const uint64_t again = bench.tick;
    put(&bench, PACKET_READ, 8, 0, 1);
    assert_int_equal(next_end(&bench), again + 12); /* the row is open */
    assert_int_equal(bench.dram.counts.activates, 1);
    assert_int_equal(bench.dram.counts.reads, 2);
    dram_free(&bench.dram);
}

static void test_another_row(void **state)
{
    (void)state;
    struct bench bench;
    put(usual(&bench), PACKET_READ, 0, 0, 1);
    put(&bench, PACKET_READ, 1, 0, 2);
    assert_int_equal(next_end(&bench), 24);
    /* The row closes after RAS (28) and opens after RP, which is RC after the first. */
    assert_int_equal(next_end(&bench), 40 + 12 + 12);
    assert_int_equal(bench.dram.counts.precharges, 1);
    dram_free(&bench.dram);
}

static void test_two_banks(void **state)
{
    (void)state;
    struct bench bench;
    put(usual(&bench), PACKET_READ, 0, 0, 1);
    put(&bench, PACKET_READ, 1, 1, 1);
    assert_int_equal(next_end(&bench), 24);
    assert_int_equal(next_end(&bench), 24 + 6); /* RRD */
    dram_free(&bench.dram);
}

static void test_one_row_twice(void **state)
{
    (void)state;
    struct bench bench;
    put(usual(&bench), PACKET_READ, 0, 0, 1);
    put(&bench, PACKET_READ, 1, 0, 1);
    assert_int_equal(next_end(&bench), 24);
    assert_int_equal(next_end(&bench), 24 + 3); /* CCDL: the same group of banks */
    dram_free(&bench.dram);
}

/* Transfers follow each other on the bus, however short tCCD is. */
static void test_transfers_do_not_overlap(void **state)
{
    (void)state;
    for (uint64_t ccd = 1; ccd <= 10; ccd++) {
        enum { READS = 2, TRANSFER = 16 / 2 };
        struct bench bench;
        machine_defaults(&bench.machine);
        bench.machine.dram.burst = 16;
        bench.machine.dram.rate = 2;
        bench.machine.dram.ccd = ccd;
        bench.machine.dram.ccdl = 0;
        bench_of(&bench);
        for (uint32_t i = 0; i < READS; i++)
            put(&bench, PACKET_READ, i, 0, 1);
        const uint64_t first = next_end(&bench);
        uint64_t last = first;
        for (uint32_t i = 1; i < READS; i++)
            last = next_end(&bench);
        assert_int_equal(last - first, (READS - 1) * (ccd > TRANSFER ? ccd : TRANSFER));
        assert_int_equal(bench.dram.counts.busy, READS * TRANSFER);
        dram_free(&bench.dram);
    }
}

/* A request that is wider than a burst takes several column commands. */
static void test_bursts(void **state)
{
    (void)state;
    struct bench bench;
    machine_defaults(&bench.machine);
    bench.machine.dram.bus = 2; /* 16 B a burst */
    put(bench_of(&bench), PACKET_READ, 0, 0, 1);
    assert_int_equal(next_end(&bench), 24 + 3);
    assert_int_equal(bench.dram.counts.reads, 2);
    dram_free(&bench.dram);
}

/* A refresh closes all rows, and commands wait for its end. */
static void test_refresh(void **state)
{
    (void)state;
    struct bench bench;
    machine_defaults(&bench.machine);
    bench.machine.dram.refi = 100;
    bench.machine.dram.rfc = 30;
    put(bench_of(&bench), PACKET_READ, 0, 0, 1);
    assert_int_equal(next_end(&bench), 24); /* the first refresh comes after an interval */
    bench.tick = 105;
    put(&bench, PACKET_READ, 1, 0, 1);
    assert_int_equal(next_end(&bench), 130 + 24);
    bench.tick = 250; /* two passed while nothing waited */
    put(&bench, PACKET_READ, 2, 0, 1);
    assert_int_equal(next_end(&bench), 250 + 24);
    assert_int_equal(bench.dram.counts.activates, 3);
    dram_free(&bench.dram);
}

/* Banks are refreshed one after the other, each once in an interval: others go on. */
static void test_refresh_of_banks(void **state)
{
    (void)state;
    struct bench bench;
    machine_defaults(&bench.machine);
    bench.machine.dram.refi = 1600; /* a bank each 100 ticks, from bank 1 on */
    bench.machine.dram.rfcsb = 30;
    put(bench_of(&bench), PACKET_READ, 0, 1, 1);
    assert_int_equal(next_end(&bench), 24);
    put(&bench, PACKET_READ, 1, 2, 1);
    next_end(&bench);
    bench.tick = 105;
    put(&bench, PACKET_READ, 2, 2, 1);
    put(&bench, PACKET_READ, 3, 1, 1);
    /* The row of bank 2 is still open; bank 1 was chosen a tick earlier. */
    assert_int_equal(next_end(&bench), 105 + 1 + 12);
    assert_int_equal(bench.last, 2);
    assert_int_equal(next_end(&bench), 100 + 12 + 30 + 24); /* bank 1: RP, refresh, RCD, CL */
    assert_int_equal(bench.last, 3);
    bench.tick = 205;
    put(&bench, PACKET_READ, 4, 2, 1);
    assert_int_equal(next_end(&bench), 200 + 12 + 30 + 24);
    bench.tick = 100000; /* many passed while nothing waited, all banks are closed */
    put(&bench, PACKET_READ, 5, 3, 1);
    assert_int_equal(next_end(&bench), 100000 + 24);
    assert_int_equal(bench.dram.counts.activates, 5);
    dram_free(&bench.dram);
}

/* Writes of a queue of their own wait for the upper mark, reads from there to the lower one; and
 * the row that reads were served in goes on after the writes. */
static void test_write_queue(void **state)
{
    (void)state;
    struct bench bench;
    machine_defaults(&bench.machine);
    bench.machine.dram.write_queue = 4;
    bench.machine.dram.write_high = 3;
    bench.machine.dram.write_low = 2;
    bench.machine.dram.queue = 2;
    bench_of(&bench);
    put(&bench, PACKET_WRITEBACK, 0, 0, 1);
    put(&bench, PACKET_WRITEBACK, 1, 0, 1);
    for (unsigned i = 0; i < 200; i++)
        assert_int_equal(dram_tick(&bench.dram, bench.tick++), -1); /* two are not enough */
    put(&bench, PACKET_READ, 2, 0, 2);
    put(&bench, PACKET_WRITEBACK, 3, 0, 1);
    dram_tick(&bench.dram, bench.tick++);
    assert_int_equal(bench.dram.writes, 2); /* one goes, before the older read */
    assert_true(dram_has_room(&bench.dram, true) && dram_has_room(&bench.dram, false));
    put(&bench, PACKET_READ, 4, 0, 2);
    dram_tick(&bench.dram, bench.tick++);
    assert_false(dram_has_room(&bench.dram, false));
    next_end(&bench);
    next_end(&bench);
    assert_int_equal(bench.dram.counts.writes, 2);
    assert_int_equal(bench.dram.writes, 1); /* below the lower mark: the reads, in order */
    next_end(&bench);
    assert_int_equal(bench.last, 2);
    next_end(&bench);
    assert_int_equal(bench.last, 4);
    assert_int_equal(bench.dram.counts.writes, 2);
    dram_free(&bench.dram);
}

/* A span's commands can be taken back from any of its ticks on. */
static void test_counts_before(void **state)
{
    (void)state;
    struct bench bench;
    usual(&bench);
    struct dram_counts at[400];
    const uint64_t from = 77;
    for (; bench.tick < from; bench.tick++)
        dram_tick(&bench.dram, bench.tick);
    dram_begin_span(&bench.dram, from);
    for (uint64_t i = 0; i < 400; i++) {
        at[i] = bench.dram.counts;
        if (i % 37 == 0)
            put(&bench, i % 2 ? PACKET_WRITEBACK : PACKET_READ, (uint32_t)i, i % 3, i / 50);
        dram_tick(&bench.dram, bench.tick++);
    }
    assert_true(bench.dram.counts.reads && bench.dram.counts.writes &&
                bench.dram.counts.precharges);
    for (uint64_t i = 0; i < 400; i++) {
        struct dram_counts before = dram_counts_before(&bench.dram, from + i);
        assert_memory_equal(&before, &at[i], sizeof before);
    }
    dram_free(&bench.dram);
}

/* The groups of banks are those of the lowest bits of their numbers, or of the highest. */
static void test_group_bits(void **state)
{
    (void)state;
    for (int high = 0; high < 2; high++) {
        struct bench bench;
        machine_defaults(&bench.machine);
        bench.machine.dram.group_bits = high ? BANK_GROUP_HIGH : BANK_GROUP_LOW;
        bench_of(&bench);
        for (uint32_t bank = 0; bank < 16; bank++)
            assert_int_equal(bench.dram.banks[bank].group, high ? bank / 4 : bank % 4);
        dram_free(&bench.dram);
    }
}

/* Writes wait for each other while there are reads, and go when nothing else does. */
static void test_write_batch(void **state)
{
    (void)state;
    struct bench bench;
    machine_defaults(&bench.machine);
    bench.machine.dram.write_batch = 3;
    put(bench_of(&bench), PACKET_WRITEBACK, 0, 0, 1);
    assert_int_equal(next_end(&bench),
                     12 - (4 + 1) + 4); /* alone: it follows its activation by RCD - (WL + 1) */
    const uint64_t again = bench.tick;
    put(&bench, PACKET_WRITE, 1, 0, 1);
    put(&bench, PACKET_READ, 2, 0, 1);
    next_end(&bench);
    assert_int_equal(bench.last, 2); /* the older write waits */
    next_end(&bench);
    assert_int_equal(bench.last, 1);
    assert_true(bench.tick > again);
    for (uint32_t i = 0; i < 6; i++) {
        assert_true(dram_has_room(&bench.dram, false));
        put(&bench, PACKET_WRITE, i, 0, 1);
        if (i % 2)
            dram_tick(&bench.dram, bench.tick++);
    }
    dram_free(&bench.dram);
}

static void test_turns(void **state)
{
    (void)state;
    struct bench bench;
    put(usual(&bench), PACKET_READ, 0, 0, 1);
    put(&bench, PACKET_WRITEBACK, 1, 0, 1);
    assert_int_equal(next_end(&bench), 24);
    /* Read to write: CL + 2 + 2 - WL = 12 after the read at 12; then WL. */
    assert_int_equal(next_end(&bench), 12 + 12 + 4);
    dram_free(&bench.dram);
    put(usual(&bench), PACKET_WRITEBACK, 0, 0, 1);
    put(&bench, PACKET_READ, 1, 0, 1);
    assert_int_equal(next_end(&bench), 12 - (4 + 1) + 4); /* RCD - (WL + 1), WL */
    /* Write to read: WL + 2 + CDLR = 11 after the write at 7; then CL. */
    assert_int_equal(next_end(&bench), 7 + 11 + 12);
    dram_free(&bench.dram);
}

/* Three requests to a bank, of which the last is to the row of the first. */
static void check_order(int scheduler, uint32_t first, uint32_t second, uint32_t third)
{
    struct bench bench;
    machine_defaults(&bench.machine);
    bench.machine.dram.scheduler = scheduler;
    put(bench_of(&bench), PACKET_READ, 0, 0, 1);
    step(&bench);
    put(&bench, PACKET_READ, 1, 0, 2);
    if (scheduler == DRAM_FRFCFS)
        step(&bench); /* fifo looks at one request and at the next one after it */
    put(&bench, PACKET_READ, 2, 0, 1);
    next_end(&bench);
    assert_int_equal(bench.last, first);
    next_end(&bench);
    assert_int_equal(bench.last, second);
    next_end(&bench);
    assert_int_equal(bench.last, third);
    dram_free(&bench.dram);
}

static void test_order(void **state)
{
    (void)state;
    check_order(DRAM_FRFCFS, 0, 2, 1);
    check_order(DRAM_FIFO, 0, 1, 2);
}

/* While nobody takes what came back, nothing more comes and nothing is lost. */
static void test_full_returns(void **state)
{
    (void)state;
    struct bench bench;
    machine_defaults(&bench.machine);
    bench.machine.dram.returns = 1;
    put(bench_of(&bench), PACKET_READ, 0, 0, 1);
    put(&bench, PACKET_READ, 1, 0, 1);
    for (unsigned i = 0; i < 200; i++)
        dram_tick(&bench.dram, bench.tick++);
    assert_int_equal(bench.dram.return_count, 1);
    dram_take(&bench.dram, bench.tick);
    next_end(&bench);
    assert_int_equal(bench.last, 1);
    assert_false(dram_busy(&bench.dram));
    dram_free(&bench.dram);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_read),
        cmocka_unit_test(test_another_row),
        cmocka_unit_test(test_two_banks),
        cmocka_unit_test(test_one_row_twice),
        cmocka_unit_test(test_transfers_do_not_overlap),
        cmocka_unit_test(test_bursts),
        cmocka_unit_test(test_refresh),
        cmocka_unit_test(test_refresh_of_banks),
        cmocka_unit_test(test_write_queue),
        cmocka_unit_test(test_counts_before),
        cmocka_unit_test(test_group_bits),
        cmocka_unit_test(test_write_batch),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_full_returns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
