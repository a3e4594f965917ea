/* cache_unit.h: the rules of GPGPU-Sim by hand. On random streams it is held against the cache of
 * the functional depth in test_cache_unit_functional.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "schema/parameters.h"
#include "support/roll_cache.h"
#include "support/unit_bench.h"

enum { LINE = 128, SECTOR = 32 };

/* One set of `ways` lines of 128 B, with room for everything. */
static struct cache_config one_set(uint64_t ways, uint64_t sector)
{
    struct cache_config config = plain_cache(LINE, 1, ways, INDEX_MODULO);
    config.sector = sector;
    config.write_allocate = WRITE_ALLOCATE_LAZY;
    config.mshr.entries = config.mshr.merge = config.miss_queue = 64;
    return config;
}

static enum unit_outcome access_part(struct bench *bench, unsigned kind, uint64_t address,
                                     unsigned bytes, uint32_t touched, unsigned flags, uint32_t id)
{
    const struct packet request = {.address = address,
                                   .bytes = (uint16_t)bytes,
                                   .touched = touched,
                                   .kind = (uint8_t)kind,
                                   .flags = (uint8_t)flags,
                                   .id = id};
    return bench_access(bench, &request);
}

/* Reads or writes all of a sector. */
static enum unit_outcome access_all(struct bench *bench, unsigned kind, uint64_t address)
{
    return access_part(bench, kind, address, bench->unit.block_bytes, UINT32_MAX, 0, 0);
}

static enum unit_outcome read_at(struct bench *bench, uint64_t address)
{
    return access_all(bench, PACKET_READ, address);
}

static void read_settled(struct bench *bench, uint64_t address, enum unit_outcome expected)
{
    assert_int_equal(read_at(bench, address), expected);
    bench_settle(bench, PACKET_READ);
}

/* ---- victims ---- */

static void test_victim(void **state)
{
    (void)state;
    const struct cache_config config = one_set(4, LINE);
    struct bench bench = bench_of(&config);
    for (uint64_t line = 0; line < 4; line++)
        read_settled(&bench, line * LINE, UNIT_MISS);
    read_settled(&bench, 0, UNIT_HIT);
    read_settled(&bench, 4 * LINE, UNIT_MISS); /* replaces line 1 */
    read_settled(&bench, 0, UNIT_HIT);
    read_settled(&bench, 1 * LINE, UNIT_MISS); /* replaces line 2 */
    read_settled(&bench, 3 * LINE, UNIT_HIT);
    cache_unit_free(&bench.unit);
}

/* Empty ways are taken from the last to the first; of lines that were used in the same cycle the
 * lowest way goes, which therefore has the line that came last. */
static void test_victim_of_equals(void **state)
{
    (void)state;
    const struct cache_config config = one_set(4, LINE);
    struct bench bench = bench_of(&config);
    for (uint64_t line = 0; line < 4; line++)
        read_settled(&bench, line * LINE, UNIT_MISS);
    for (uint64_t line = 0; line < 4; line++)
        assert_int_equal(read_at(&bench, line * LINE), UNIT_HIT); /* in one cycle */
    bench.now++;
    read_settled(&bench, 9 * LINE, UNIT_MISS);
    for (uint64_t line = 0; line < 3; line++)
        read_settled(&bench, line * LINE, UNIT_HIT);
    read_settled(&bench, 3 * LINE, UNIT_MISS);
    cache_unit_free(&bench.unit);
}

static void test_fifo(void **state)
{
    (void)state;
    struct cache_config config = one_set(2, LINE);
    config.replacement = REPLACEMENT_FIFO;
    struct bench bench = bench_of(&config);
    read_settled(&bench, 0, UNIT_MISS);
    read_settled(&bench, LINE, UNIT_MISS);
    read_settled(&bench, 0, UNIT_HIT);
    read_settled(&bench, 2 * LINE, UNIT_MISS); /* replaces line 0, though it was just used */
    read_settled(&bench, LINE, UNIT_HIT);
    cache_unit_free(&bench.unit);
}

/* A dirty line stays while fewer lines than the share are dirty. */
static void test_dirty_share(void **state)
{
    (void)state;
    struct cache_config config = one_set(4, SECTOR);
    config.write = WRITE_THROUGH;
    config.dirty = 0.5;
    struct bench bench = bench_of(&config);
    assert_int_equal(access_all(&bench, PACKET_WRITE, 0), UNIT_MISS);
    bench_settle(&bench, PACKET_WRITE);
    for (uint64_t line = 1; line < 5; line++)
        read_settled(&bench, line * LINE, UNIT_MISS); /* the last replaces line 1, not line 0 */
    read_settled(&bench, 2 * LINE, UNIT_HIT);
    assert_int_equal(access_all(&bench, PACKET_WRITE, 3 * LINE), UNIT_HIT); /* half are dirty */
    bench_settle(&bench, PACKET_WRITE);
    read_settled(&bench, 5 * LINE, UNIT_MISS); /* replaces line 0 */
    read_settled(&bench, 4 * LINE, UNIT_HIT);
    read_settled(&bench, 0, UNIT_MISS);
    cache_unit_free(&bench.unit);
}

/* ---- what is in flight ---- */

static void test_pending(void **state)
{
    (void)state;
    struct cache_config config = one_set(4, SECTOR);
    struct bench bench = bench_of(&config);
    for (uint32_t id = 10; id < 13; id++)
        assert_int_equal(access_part(&bench, PACKET_READ, 0, SECTOR, 1, 0, id),
                         id == 10 ? UNIT_MISS : UNIT_PENDING);
    assert_int_equal(read_at(&bench, SECTOR), UNIT_SECTOR_MISS);
    assert_int_equal(bench.unit.misses.count, 2);
    assert_false(cache_unit_has_ready(&bench.unit));
    bench_fill(&bench, packet_queue_head(&bench.unit.packets, &bench.unit.misses)->id);
    for (uint32_t id = 10; id < 13; id++) {
        assert_true(cache_unit_has_ready(&bench.unit));
        assert_int_equal(cache_unit_take(&bench.unit, bench.now).id, id);
    }
    assert_false(cache_unit_has_ready(&bench.unit));
    assert_int_equal(read_at(&bench, 0), UNIT_HIT);
    assert_int_equal(read_at(&bench, SECTOR), UNIT_PENDING);
    cache_unit_free(&bench.unit);
}

/* on_fill reserves nothing: whoever merges is counted as a miss. */
static void test_on_fill(void **state)
{
    (void)state;
    struct cache_config config = one_set(1, LINE);
    config.allocate = ALLOCATE_ON_FILL;
    config.write = WRITE_THROUGH;
    config.write_allocate = WRITE_ALLOCATE_NONE;
    struct bench bench = bench_of(&config);
    assert_int_equal(read_at(&bench, 0), UNIT_MISS);
    assert_int_equal(read_at(&bench, 0), UNIT_MISS);
    assert_int_equal(read_at(&bench, LINE), UNIT_MISS); /* one way, two lines in flight */
    assert_int_equal(bench.unit.misses.count, 2);
    bench_settle(&bench, PACKET_READ);
    assert_int_equal(read_at(&bench, LINE), UNIT_HIT);
    assert_int_equal(read_at(&bench, 0), UNIT_MISS);
    cache_unit_free(&bench.unit);
}

/* A streaming cache reserves nothing, until it is told to for a launch. What is in flight then
 * finds its line all the same. */
static void test_streaming(void **state)
{
    (void)state;
    struct cache_config config = one_set(1, LINE);
    config.allocate = ALLOCATE_STREAMING;
    config.write = WRITE_THROUGH;
    config.write_allocate = WRITE_ALLOCATE_NONE;
    struct bench bench = bench_of(&config);
    assert_int_equal(read_at(&bench, 0), UNIT_MISS);
    assert_int_equal(read_at(&bench, LINE), UNIT_MISS);
    cache_unit_set_on_fill(&bench.unit, false);
    assert_int_equal(read_at(&bench, 2 * LINE), UNIT_MISS);
    assert_int_equal(read_at(&bench, 3 * LINE), UNIT_FAIL_LINE);
    assert_int_equal(read_at(&bench, 2 * LINE), UNIT_PENDING);
    cache_unit_set_on_fill(&bench.unit, true);
    assert_int_equal(bench_settle(&bench, PACKET_READ), 3);
    read_settled(&bench, 2 * LINE, UNIT_HIT);
    assert_int_equal(bench.unit.mshrs_used + bench.unit.misses.count, 0);
    cache_unit_free(&bench.unit);
}

static void test_parts(void **state)
{
    (void)state;
    struct cache_config config = one_set(4, LINE);
    struct bench bench = bench_of(&config);
    bench.unit.part_bytes = SECTOR;
    assert_int_equal(read_at(&bench, 0), UNIT_MISS);
    const uint32_t id = packet_queue_head(&bench.unit.packets, &bench.unit.misses)->id;
    for (unsigned part = 0; part < LINE / SECTOR; part++) {
        assert_false(cache_unit_has_ready(&bench.unit));
        bench_fill(&bench, id);
    }
    assert_true(cache_unit_has_ready(&bench.unit));
    assert_int_equal(read_at(&bench, 0), UNIT_HIT);
    cache_unit_free(&bench.unit);
}

/* A request that joins what was in flight when the cache was emptied gets the data where it has its
 * line, wherever they were meant to go. */
static void test_join_after_flush(void **state)
{
    (void)state;
    const struct cache_config config = one_set(2, LINE);
    struct bench bench = bench_of(&config);
    assert_int_equal(read_at(&bench, 0), UNIT_MISS);
    cache_unit_flush(&bench.unit);
    assert_int_equal(read_at(&bench, LINE), UNIT_MISS); /* takes the place of line 0 */
    assert_int_equal(read_at(&bench, 0), UNIT_MISS);
    assert_int_equal(bench_settle(&bench, PACKET_READ), 2);
    read_settled(&bench, 0, UNIT_HIT);
    read_settled(&bench, LINE, UNIT_HIT);
    read_settled(&bench, 2 * LINE, UNIT_MISS);
    read_settled(&bench, 3 * LINE, UNIT_MISS); /* no line is kept for ever */
    cache_unit_free(&bench.unit);
}

/* A store makes a line replaceable whose data are still to come. They find no place then. In
 * GPGPU-Sim they come into whatever line stands there: its sector is readable at once, and no
 * longer dirty, though the line stays among the dirty ones. */
static void test_fill_of_replaced(void **state)
{
    (void)state;
    for (int strays = 0; strays < 2; strays++) {
        const struct cache_config config = one_set(1, SECTOR);
        struct bench bench = bench_of(&config);
        bench.unit.strays = strays;
        assert_int_equal(read_at(&bench, 0), UNIT_MISS);
        const uint32_t first = packet_queue_head(&bench.unit.packets, &bench.unit.misses)->id;
        assert_int_equal(read_at(&bench, LINE), UNIT_FAIL_LINE);
        assert_int_equal(access_all(&bench, PACKET_WRITE, 0), UNIT_PENDING);
        assert_int_equal(access_part(&bench, PACKET_WRITE, LINE, SECTOR, 1, 0, 0), UNIT_MISS);
        bench_fill(&bench, first);
        assert_int_equal(bench.unit.dirty_lines, 1);
        assert_int_equal(read_at(&bench, LINE), strays ? UNIT_HIT : UNIT_SECTOR_MISS);
        cache_unit_free(&bench.unit);
    }
}

/* A cache whose only line a store dropped while a request was still to be answered with its data,
 * and a read asked for again. */
static struct bench joined_after_drop(bool above)
{
    struct cache_config config = one_set(1, LINE);
    config.write = WRITE_EVICT;
    config.write_allocate = WRITE_ALLOCATE_NONE;
    struct bench bench = bench_of(&config);
    bench.unit.above = above;
    assert_int_equal(read_at(&bench, 0), UNIT_MISS);
    const uint32_t miss = packet_queue_head(&bench.unit.packets, &bench.unit.misses)->id;
    packet_queue_pop(&bench.unit.packets, &bench.unit.misses);
    bench_fill(&bench, miss);
    assert_int_equal(access_all(&bench, PACKET_WRITE, 0), UNIT_HIT);
    assert_int_equal(read_at(&bench, 0), UNIT_MISS);
    assert_int_equal(bench_settle(&bench, PACKET_READ), 0);
    return bench;
}

/* The read joins the request, and its line is not kept for ever. That of an L1D stays reserved, as
 * in GPGPU-Sim, but not where no other line of its set is left. */
static void test_join_after_drop(void **state)
{
    (void)state;
    struct bench below = joined_after_drop(false), above = joined_after_drop(true);
    read_settled(&below, 0, UNIT_HIT);
    read_settled(&below, LINE, UNIT_MISS);
    cache_unit_free(&below.unit);
    assert_int_equal(read_at(&above, LINE), UNIT_FAIL_LINE);
    assert_int_equal(above.unit.counts.bytes, 3 * LINE); /* not those of what was refused */
    read_settled(&above, LINE, UNIT_MISS);
    read_settled(&above, LINE, UNIT_HIT);
    cache_unit_free(&above.unit);
}

/* ---- the order of tests ---- */

static void test_order_of_fails(void **state)
{
    (void)state;
    struct cache_config config = one_set(2, LINE);
    config.size *= 2; /* two sets */
    config.mshr.entries = 2;
    config.mshr.merge = 1;
    config.miss_queue = 3;
    struct bench bench = bench_of(&config);
    struct packet_queue *misses = &bench.unit.misses;
    assert_int_equal(read_at(&bench, 0), UNIT_MISS);
    assert_int_equal(read_at(&bench, 2 * LINE), UNIT_MISS); /* the same set */
    assert_int_equal(misses->count, 2);
    /* A read needs a line, then room for two in the queue, then an entry or a place in one. */
    assert_int_equal(read_at(&bench, 4 * LINE), UNIT_FAIL_LINE);
    assert_int_equal(read_at(&bench, LINE), UNIT_FAIL_MISS_QUEUE);
    assert_int_equal(read_at(&bench, 0), UNIT_FAIL_MISS_QUEUE); /* even one that would merge */
    packet_queue_pop(&bench.unit.packets, misses);
    assert_int_equal(read_at(&bench, LINE), UNIT_FAIL_MSHR);
    assert_int_equal(read_at(&bench, 0), UNIT_FAIL_MERGE);
    assert_int_equal(bench.unit.counts.fails[UNIT_FAIL_MISS_QUEUE - UNIT_FAIL], 2);
    assert_int_equal(bench.unit.counts.reads[UNIT_MISS], 2);
    assert_int_equal(bench.unit.counts.reads[UNIT_PENDING], 0);
    cache_unit_free(&bench.unit);
}

/* Without allocation a store needs no line, only one place in the queue. */
static void test_store_without_line(void **state)
{
    (void)state;
    struct cache_config config = one_set(1, LINE);
    config.write = WRITE_LOCAL_BACK;
    config.write_allocate = WRITE_ALLOCATE_NONE;
    config.miss_queue = 2;
    struct bench bench = bench_of(&config);
    assert_int_equal(read_at(&bench, 0), UNIT_MISS);
    assert_int_equal(access_all(&bench, PACKET_WRITE, LINE), UNIT_MISS);
    assert_true(bench.effect.sent_write);
    assert_int_equal(access_all(&bench, PACKET_WRITE, LINE), UNIT_FAIL_MISS_QUEUE);
    cache_unit_free(&bench.unit);
}

/* While a line is on its way nothing else is looked up, until it was taken. */
static void test_blocking(void **state)
{
    (void)state;
    struct cache_config config = one_set(4, LINE);
    config.blocking = 1;
    struct bench bench = bench_of(&config);
    read_settled(&bench, 0, UNIT_MISS);
    assert_int_equal(read_at(&bench, LINE), UNIT_MISS);
    assert_int_equal(read_at(&bench, 0), UNIT_FAIL_MSHR);
    assert_int_equal(read_at(&bench, LINE), UNIT_FAIL_MSHR);
    assert_false(cache_unit_read_again(&bench.unit, 0, bench.now));
    const uint32_t id = packet_queue_head(&bench.unit.packets, &bench.unit.misses)->id;
    packet_queue_pop(&bench.unit.packets, &bench.unit.misses);
    bench_fill(&bench, id);
    assert_int_equal(read_at(&bench, 0), UNIT_FAIL_MSHR);
    cache_unit_take(&bench.unit, bench.now);
    assert_int_equal(read_at(&bench, 0), UNIT_HIT);
    assert_true(cache_unit_read_again(&bench.unit, 0, bench.now));
    cache_unit_free(&bench.unit);
}

/* Of policies that choose among all ways, the first misses take the ways that they say, as at the
 * functional depth; and a policy is asked for a victim once a fill, however often it is tried. */
static void test_chosen_ways(void **state)
{
    (void)state;
    struct cache_config config = one_set(4, LINE);
    config.replacement = REPLACEMENT_RR;
    config.allocate = ALLOCATE_ON_FILL;
    struct bench bench = bench_of(&config);
    bench.unit.instructions = true;
    for (uint64_t line = 0; line < 4; line++) {
        read_settled(&bench, line * LINE, UNIT_MISS);
        assert_int_equal(bench.unit.tags[line], line);
    }
    bench.unit.merge = limit_of(0); /* refuses */
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(read_at(&bench, 4 * LINE), i ? UNIT_FAIL_MERGE : UNIT_MISS);
    bench_settle(&bench, PACKET_READ);
    assert_int_equal(bench.unit.tags[0], 4);
    cache_unit_free(&bench.unit);
}

/* Under every policy a cache with a way past the tags hits and misses as one that never hears of
 * repeated lines. */
static void test_same_line(void **state)
{
    (void)state;
    enum { ACCESSES = 3000, LINES = 40 };
    for (int policy = 0; policy < REPLACEMENT_COUNT; policy++) {
        struct cache_config config = plain_cache(LINE, 4, 4, INDEX_MODULO);
        config.replacement = policy;
        config.mshr.entries = config.mshr.merge = config.miss_queue = 64;
        if (cache_is_offline(&config))
            continue;
        struct bench plain = bench_of(&config);
        config.same_line = 1;
        struct bench bench = bench_of(&config);
        struct dice dice = {.seed = (uint64_t)policy};
        uint64_t last = UINT64_MAX, repeats = 0;
        for (unsigned i = 0; i < ACCESSES; i++) {
            const uint64_t line = last != UINT64_MAX && roll(&dice, 3) ? last : roll(&dice, LINES);
            const enum unit_outcome outcome = read_at(&bench, line * LINE);
            bench_settle(&bench, PACKET_READ);
            if (line == last)
                assert_int_equal(outcome, UNIT_HIT);
            else
                read_settled(&plain, line * LINE, outcome);
            plain.now = bench.now;
            repeats += line == last;
            last = line;
        }
        assert_int_equal(bench.unit.counts.repeated, repeats);
        assert_int_equal(plain.unit.counts.repeated, 0);
        cache_unit_free(&bench.unit);
        cache_unit_free(&plain.unit);
    }
}

/* ---- stores ---- */

static void test_write_back(void **state)
{
    (void)state;
    const struct cache_config config = one_set(1, SECTOR);
    struct bench bench = bench_of(&config);
    assert_int_equal(access_all(&bench, PACKET_WRITE, 0), UNIT_MISS);
    assert_int_equal(access_all(&bench, PACKET_WRITE, 2 * SECTOR), UNIT_SECTOR_MISS);
    assert_int_equal(bench.unit.misses.count, 0);
    assert_int_equal(read_at(&bench, LINE), UNIT_MISS);
    assert_int_equal(bench.effect.evicted, 2 * SECTOR);
    assert_int_equal(bench.unit.misses.count, 2);
    assert_int_equal(packet_queue_head(&bench.unit.packets, &bench.unit.misses)->kind, PACKET_READ);
    assert_int_equal(packet_queue_tail(&bench.unit.packets, &bench.unit.misses)->kind,
                     PACKET_WRITEBACK);
    assert_int_equal(packet_queue_tail(&bench.unit.packets, &bench.unit.misses)->bytes, 2 * SECTOR);
    cache_unit_free(&bench.unit);
}

/* What a store that hits does, by policy and by where it goes. */
static void check_store_hit(int write, unsigned flags, bool sent, enum unit_outcome then)
{
    struct cache_config config = one_set(2, SECTOR);
    config.write = write;
    struct bench bench = bench_of(&config);
    read_settled(&bench, 0, UNIT_MISS);
    read_settled(&bench, SECTOR, UNIT_SECTOR_MISS);
    assert_int_equal(access_part(&bench, PACKET_WRITE, 0, SECTOR, 1, flags, 0), UNIT_HIT);
    assert_int_equal(bench.effect.sent_write, sent);
    bench_settle(&bench, PACKET_WRITE);
    read_settled(&bench, 0, then);
    read_settled(&bench, SECTOR, UNIT_HIT); /* the other sectors stay */
    cache_unit_free(&bench.unit);
}

static void test_store_hits(void **state)
{
    (void)state;
    check_store_hit(WRITE_BACK, 0, false, UNIT_HIT);
    check_store_hit(WRITE_THROUGH, 0, true, UNIT_HIT);
    check_store_hit(WRITE_EVICT, 0, true, UNIT_SECTOR_MISS);
    check_store_hit(WRITE_LOCAL_BACK, 0, true, UNIT_SECTOR_MISS);
    check_store_hit(WRITE_LOCAL_BACK, PACKET_LOCAL, false, UNIT_HIT);
}

static void test_lazy(void **state)
{
    (void)state;
    const struct cache_config config = one_set(2, SECTOR);
    struct bench bench = bench_of(&config);
    access_part(&bench, PACKET_WRITE, 0, SECTOR, 0x0000ffff, 0, 0);
    access_all(&bench, PACKET_WRITE, SECTOR);
    assert_int_equal(bench.unit.misses.count, 0);
    read_settled(&bench, 0, UNIT_SECTOR_MISS); /* half of it was never written */
    read_settled(&bench, SECTOR, UNIT_HIT);
    read_settled(&bench, 0, UNIT_HIT);
    access_part(&bench, PACKET_WRITE, 2 * SECTOR, SECTOR, 0x0000ffff, 0, 0);
    access_part(&bench, PACKET_WRITE, 2 * SECTOR, SECTOR, 0xffff0000, 0, 0);
    read_settled(&bench, 2 * SECTOR, UNIT_HIT); /* the second store completed it */
    cache_unit_free(&bench.unit);
}

/* The store goes on and its block is read, for which nobody above waits. */
static void test_write_allocate(void **state)
{
    (void)state;
    struct cache_config config = one_set(2, SECTOR);
    config.write = WRITE_THROUGH;
    config.write_allocate = WRITE_ALLOCATE_FETCH;
    config.miss_queue = 3;
    struct bench bench = bench_of(&config);
    assert_int_equal(access_all(&bench, PACKET_WRITE, 0), UNIT_MISS);
    assert_true(bench.effect.sent_write && bench.effect.sent_fetch);
    assert_int_equal(bench.unit.misses.count, 2);
    const struct packet *fetch = packet_queue_tail(&bench.unit.packets, &bench.unit.misses);
    assert_int_equal(fetch->kind, PACKET_READ);
    assert_int_equal(fetch->flags & PACKET_ALLOCATE, 0); /* the next level answers it */
    assert_int_equal(access_all(&bench, PACKET_WRITE, LINE), UNIT_FAIL_MISS_QUEUE); /* needs 3 */
    bench_fill(&bench, fetch->id);
    assert_true(cache_unit_take(&bench.unit, bench.now).flags & PACKET_ALLOCATE);
    assert_int_equal(read_at(&bench, 0), UNIT_HIT);
    cache_unit_free(&bench.unit);
}

/* What another cache writes back is a store whose block is read all the same. */
static void test_fetch_for_writeback(void **state)
{
    (void)state;
    struct cache_config config = one_set(2, SECTOR);
    config.write_allocate = WRITE_ALLOCATE_FETCH;
    struct bench bench = bench_of(&config);
    assert_int_equal(access_all(&bench, PACKET_WRITEBACK, 0), UNIT_MISS);
    assert_int_equal(packet_queue_head(&bench.unit.packets, &bench.unit.misses)->kind,
                     PACKET_WRITEBACK);
    assert_int_equal(packet_queue_tail(&bench.unit.packets, &bench.unit.misses)->kind, PACKET_READ);
    bench_settle(&bench, PACKET_READ);
    assert_int_equal(bench.unit.mshrs_used + bench.unit.misses.count, 0);
    cache_unit_free(&bench.unit);
}

/* Only what a store leaves out is read. A second store may not overtake a read after a first. */
static void test_fetch_on_write(void **state)
{
    (void)state;
    struct cache_config config = one_set(2, SECTOR);
    config.write_allocate = WRITE_ALLOCATE_ON_WRITE;
    struct bench bench = bench_of(&config);
    assert_int_equal(access_all(&bench, PACKET_WRITE, LINE), UNIT_MISS);
    assert_int_equal(bench.unit.misses.count, 0);
    assert_int_equal(access_part(&bench, PACKET_WRITE, 0, SECTOR, 1, 0, 0), UNIT_MISS);
    assert_true(bench.effect.sent_fetch && !bench.effect.sent_write);
    assert_int_equal(access_part(&bench, PACKET_WRITE, 0, SECTOR, 2, 0, 0), UNIT_PENDING);
    assert_int_equal(read_at(&bench, 0), UNIT_PENDING);
    assert_int_equal(access_part(&bench, PACKET_WRITE, 0, SECTOR, 4, 0, 0), UNIT_FAIL_WRITE);
    assert_int_equal(bench_settle(&bench, PACKET_READ), 1);
    read_settled(&bench, 0, UNIT_HIT);
    read_settled(&bench, 2 * LINE, UNIT_MISS); /* replaces line 1 */
    assert_int_equal(access_all(&bench, PACKET_READ, 3 * LINE), UNIT_MISS);
    assert_int_equal(bench.effect.evicted, SECTOR); /* the stores made the sector dirty */
    cache_unit_free(&bench.unit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_victim),
        cmocka_unit_test(test_victim_of_equals),
        cmocka_unit_test(test_fifo),
        cmocka_unit_test(test_dirty_share),
        cmocka_unit_test(test_pending),
        cmocka_unit_test(test_on_fill),
        cmocka_unit_test(test_streaming),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_join_after_flush),
        cmocka_unit_test(test_fill_of_replaced),
        cmocka_unit_test(test_join_after_drop),
        cmocka_unit_test(test_order_of_fails),
        cmocka_unit_test(test_store_without_line),
        cmocka_unit_test(test_blocking),
        cmocka_unit_test(test_chosen_ways),
        cmocka_unit_test(test_same_line),
        cmocka_unit_test(test_write_back),
        cmocka_unit_test(test_store_hits),
        cmocka_unit_test(test_lazy),
        cmocka_unit_test(test_write_allocate),
        cmocka_unit_test(test_fetch_for_writeback),
        cmocka_unit_test(test_fetch_on_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
