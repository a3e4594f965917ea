/* The timing depth against the functional one, as whole machines: where nothing is in flight beside
 * anything else, time changes no count. Each access of a program needs the result of the one before
 * it, one warp at a time runs, and queues, MSHRs and walkers are enough for all.
 *
 * Two orders differ on purpose. Nobody waits for a store, so a load after it may have its operands
 * first and overtake it; with a single collector none does. And a request of several sectors of an
 * L1D is looked up from its highest one down, as GPGPU-Sim does, where the functional depth goes
 * up: with sectors below what a warp asks for at least, the functional caches are given the sectors
 * one by one here. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/cache/cache.h"
#include "model/cache/geometry.h"
#include "model/evaluate.h"
#include "model/gpu/coalescer.h"
#include "schema/parameters.h"
#include "support/roll_cache.h"
#include "support/same_metrics.h"
#include "support/sanitized.h"
#include "support/timed_source.h"

enum { COALESCED = 32 }; /* bytes that a warp asks for at least */

static struct timed_shape one_warp(bool stores)
{
    return (struct timed_shape){.launches = 3,
                                .blocks = 6,
                                .warps = 1,
                                .instructions = 120,
                                .lines = 48,
                                .content = TIMED_LOADS | (stores ? TIMED_STORES : 0)};
}

/* Makes every access one of a single sector that waits for the access before it, and spreads them
 * over so many times the memory. */
static void make_serial(struct timed_source *source, uint64_t spread, bool one_page)
{
    struct trace_code *code = &source->base.codes[0];
    for (uint32_t i = 0; i < code->count; i++)
        if (code->items[i].class == CLASS_MEMORY)
            code->items[i].registers[0] = code->items[i].registers[code->items[i].written] = 0;
    for (uint32_t l = 0; l < source->base.launch_count; l++)
        for (uint32_t w = 0; w < source->lists[l].blocks; w++)
            for (uint32_t i = 0; i < source->lists[l].warp[w].record_count; i++) {
                struct warp_access *access = &source->lists[l].warp[w].records[i];
                access->base = (access->base & ~UINT64_C(15)) * spread;
                access->stride = 0;
                access->flags = 0;
                if (one_page)
                    access->space = SPACE_GLOBAL; /* local memory lies apart, lane by lane */
            }
}

/* With any other policy a request has to be one sector. */
static bool lists(const struct cache_config *cache)
{
    const unsigned traits = replacement_facts[cache->replacement].traits;
    return traits & (REPLACEMENT_RECENCY | REPLACEMENT_QUEUE);
}

/* What the functional depth says of a cache only holds for these (test_cache_unit says why). A
 * store that fetches does not wait for its data, so the next access could find them on their way.
 */
static bool agrees(const struct cache_config *cache)
{
    const unsigned traits = replacement_facts[cache->replacement].traits;
    if (write_traits[cache->write] & WRITE_DROPS &&
        (cache->sector < cache->line || cache->write_allocate == WRITE_ALLOCATE_LAZY))
        return false;
    if (cache->write_allocate == WRITE_ALLOCATE_FETCH ||
        cache->write_allocate == WRITE_ALLOCATE_ON_WRITE)
        return false;
    return cache->slices == 1 && !(traits & REPLACEMENT_FUTURE);
}

/* `least`: of a sector. 0: any, which is for lists of all lines alone. */
static struct cache_config roll_agreeing(struct dice *dice, const struct cache_config *usual,
                                         uint64_t least)
{
    struct cache_config config;
    do
        config = roll_cache(dice);
    while (!agrees(&config) || config.sector < least || (!least && !lists(&config)));
    struct cache_config cache = *usual;
    cache.size = config.size;
    cache.ways = config.ways;
    cache.line = config.line;
    cache.sector = config.sector;
    cache.index = config.index;
    cache.replacement = config.replacement;
    cache.write = config.write;
    cache.write_allocate = config.write_allocate;
    cache.mshr.entries = cache.mshr.merge = cache.miss_queue = 1024;
    cache.port = 0;
    return cache;
}

/* A cache that keeps what is stored to local memory and drops what is stored to global memory,
 * where both may be in one line. */
static void make_local_back(struct cache_config *cache)
{
    cache->write = WRITE_LOCAL_BACK;
    cache->write_allocate = WRITE_ALLOCATE_NONE;
    cache->sector = cache->line;
}

static void roll_tlb(struct dice *dice, struct tlb_config *tlb)
{
    tlb->enabled = 1;
    tlb->replacement = roll(dice, 2) ? REPLACEMENT_LRU : REPLACEMENT_FIFO;
    tlb->entries = UINT64_C(1) << roll(dice, 6);
    tlb->ways = roll(dice, 2) ? tlb->entries : 1;
}

/* Two slices instead of one, of which one is near to the only SM. (Not for stores: one on its way
 * to the far slice may be overtaken by a read. Nor for small sectors, which come in two orders.) */
static void make_halves(struct dice *dice, struct cache_config *l2)
{
    l2->halves = 1;
    l2->slices = 2;
    l2->size *= 2;
    l2->interleave = l2->line << roll(dice, 3);
    l2->crossing = 1 + roll(dice, 100);
}

/* `stores`: nobody waits for the translation of a store, so there is none then. `least`: of a
 * sector of the L1D; one of the L2 is as large at least. */
static void roll_serial(struct dice *dice, bool stores, uint64_t least, struct machine *machine)
{
    struct violation found[VIOLATION_MAX];
    do {
        machine_defaults(machine);
        machine->gpu.sms = machine->gpu.max_blocks = 1;
        machine->l1i.enabled = 0;
        machine->core.memory_collectors = 1;
        do /* dirty lines of an L1D reach the L2 as other packets, and not when it is emptied */
            machine->l1d = roll_agreeing(dice, &machine->l1d, least);
        while (write_traits[machine->l1d.write] & WRITE_DIRTIES);
        machine->l1d.latency = 0;
        machine->l1d.flush = (int)roll(dice, 2);
        machine->l2 = roll_agreeing(dice, &machine->l2, least ? machine->l1d.sector : 0);
        machine->l2.slices = machine->l2.slices_per_channel = 1;
        if (!stores && least && roll(dice, 3) == 0)
            make_halves(dice, &machine->l2);
        machine->l2.latency = 1;
        machine->network.kind = NETWORK_CROSSBAR;
        machine->dram.fixed = 1;
        machine->dram.latency = 0;
        roll_tlb(dice, &machine->tlb);
        machine->tlb.enabled = !stores;
        machine->l2tlb.enabled = roll(dice, 2);
        if (machine->l2tlb.enabled)
            roll_tlb(dice, &machine->l2tlb);
        machine->pwc.organization = (int)roll(dice, PWC_COUNT);
        machine->pwc.entries = UINT64_C(1) << roll(dice, 5);
    } while (machine_check(machine, found));
}

/* The caches of the functional depth, given the sectors of a request of the L1D one by one in the
 * order of the timing depth. */
struct by_sector {
    struct cache *l1d, *l2;
    struct request_buffer down;
    struct geometry geometry; /* of the L1D, as is `write` */
    int write;
};

static void send_down(struct by_sector *caches)
{
    assert_int_equal(cache_run(caches->l2, caches->down.items, caches->down.count, NULL),
                     STATUS_OK);
    caches->down.count = 0;
}

static void run_request(struct by_sector *caches, const struct request *request)
{
    if (cache_passes(caches->write, CACHE_L1, request)) {
        assert_int_equal(cache_run(caches->l1d, request, 1, &caches->down), STATUS_OK);
        send_down(caches);
        return;
    }
    const uint64_t first = request->address >> caches->geometry.sector_bits;
    const uint64_t last = (request->address + request->bytes - 1) >> caches->geometry.sector_bits;
    for (uint64_t sector = last + 1; sector-- > first;) {
        const struct request part =
            first == last ? *request : request_part(&caches->geometry, request, sector);
        assert_int_equal(cache_run(caches->l1d, &part, 1, &caches->down), STATUS_OK);
        send_down(caches);
    }
}

static void run_block(struct by_sector *caches, const struct machine *machine,
                      const struct timed_source *source, uint32_t launch, uint64_t block)
{
    const struct trace_source *base = &source->base;
    struct request requests[COALESCED_MAX];
    struct block_reader *reader;
    struct access_window window;
    assert_int_equal(window_init(&window, 64), STATUS_OK);
    assert_int_equal(base->ops->open_block(base, launch, block, &reader, NULL), STATUS_OK);
    do {
        assert_int_equal(base->ops->read(reader, 0, &window, NULL), STATUS_OK);
        for (uint32_t i = 0; i < window.count; i++) {
            const unsigned made =
                coalesce(&machine->coalescer, &window.items[i], &window, 0, requests);
            for (unsigned k = 0; k < made; k++)
                if (l1d_spaces(machine) & space_bit(requests[k].space))
                    run_request(caches, &requests[k]);
        }
    } while (!window.end);
    base->ops->close_block(reader);
    window_free(&window);
}

static void count_by_sectors(const struct machine *machine, const struct timed_source *source,
                             struct cache_counts *l1d, struct cache_counts *l2)
{
    struct by_sector caches = {.write = machine->l1d.write};
    assert_int_equal(cache_create(&machine->l1d, 1, machine->seed, CACHE_L1, &caches.l1d),
                     STATUS_OK);
    assert_int_equal(cache_create(&machine->l2, 1, machine->seed, 0, &caches.l2), STATUS_OK);
    assert_int_equal(geometry_init(&caches.geometry, &machine->l1d), STATUS_OK);
    for (uint32_t launch = 0; launch < source->base.launch_count; launch++) {
        if (machine->l1d.flush)
            assert_int_equal(cache_flush(caches.l1d, &caches.down), STATUS_OK);
        send_down(&caches);
        if (machine->l2.flush)
            assert_int_equal(cache_flush(caches.l2, NULL), STATUS_OK);
        for (uint64_t block = 0; block < launch_blocks(&source->base.launches[launch]); block++)
            run_block(&caches, machine, source, launch, block);
    }
    cache_read_counts(caches.l1d, l1d);
    cache_read_counts(caches.l2, l2);
    cache_free(caches.l1d);
    cache_free(caches.l2);
    free(caches.down.items);
}

/* Puts the counts of caches in the place of those of an evaluation. */
static void put_by_sectors(const struct machine *machine, const struct timed_source *source,
                           struct metrics *counted)
{
    struct cache_counts l1d, l2;
    count_by_sectors(machine, source, &l1d, &l2);
    counted->l1d_accesses = (double)l1d.accesses;
    counted->l1d_misses = (double)l1d.misses;
    counted->l1d_reads = (double)l1d.reads;
    counted->l1d_read_misses = (double)l1d.read_misses;
    counted->l1d_sector_misses = (double)l1d.sector_misses;
    counted->l2_accesses = (double)l2.accesses;
    counted->l2_misses = (double)l2.misses;
    counted->l2_reads = (double)l2.reads;
    counted->l2_read_misses = (double)l2.read_misses;
    counted->l2_sector_misses = (double)l2.sector_misses;
    counted->l2_writebacks = (double)l2.writebacks;
    counted->l2_read_bytes = (double)l2.read_bytes;
}

/* Equal, or neither depth has it. */
#define SAME(field) assert_true(same_number(timed.field, counted.field))

/* Both look up the same in the same order, so what their shadows say of misses is the same. */
static void compare_classes(const struct metrics *found, const struct metrics *expected)
{
    const struct metrics timed = *found, counted = *expected;
    SAME(l1d_miss_compulsory);
    SAME(l1d_miss_flush);
    SAME(l1d_miss_store);
    SAME(l1d_miss_capacity);
    SAME(l1d_miss_conflict);
    SAME(l2_miss_compulsory);
    SAME(l2_miss_flush);
    SAME(l2_miss_store);
    SAME(l2_miss_capacity);
    SAME(l2_miss_conflict);
}

/* Returns what is the same at both depths. */
static struct metrics compare(const struct machine *machine, const struct timed_source *source)
{
    struct metrics timed, counted;
    const struct evaluate_options timing = {.depth = DEPTH_TIMING, .needs = NEED_REPORT};
    const struct evaluate_options functional = {.needs = NEED_REPORT};
    assert_int_equal(evaluate(machine, &source->base, &timing, &timed, NULL), STATUS_OK);
    assert_int_equal(evaluate(machine, &source->base, &functional, &counted, NULL), STATUS_OK);
    SAME(l1d_pending_hits);
    if (machine->l1d.sector < COALESCED)
        put_by_sectors(machine, source, &counted);
    else
        compare_classes(&timed, &counted);
    SAME(l1d_accesses);
    SAME(l1d_misses);
    SAME(l1d_reads);
    SAME(l1d_read_misses);
    SAME(l1d_sector_misses);
    SAME(l1d_writebacks);
    SAME(l2_accesses);
    SAME(l2_misses);
    SAME(l2_reads);
    SAME(l2_read_misses);
    SAME(l2_sector_misses);
    SAME(l2_writebacks);
    SAME(l2_crossings);
    SAME(l2_crossing_misses);
    SAME(l2_read_bytes);
    SAME(tlb_accesses);
    SAME(tlb_misses);
    SAME(l2tlb_accesses);
    SAME(l2tlb_misses);
    SAME(walk_count);
    SAME(walk_memory_accesses);
    SAME(pwc_l2_hit_rate);
    return counted;
}

/* Adds what a program had of what is compared, and how often each policy missed at all. */
static void check_program(uint64_t seed, struct metrics *sum, unsigned *used)
{
    struct dice dice = {.seed = seed};
    struct machine machine;
    const bool stores = seed % 2;
    const struct timed_shape shape = one_warp(stores);
    struct timed_source *source = timed_source_random(seed, &shape);
    const uint64_t least = roll(&dice, 3) ? COALESCED : 0;
    roll_serial(&dice, stores, least, &machine);
    make_serial(source, roll(&dice, 2) ? 1 : 64, !stores || least);
    const struct metrics counted = compare(&machine, source);
    used[machine.l1d.replacement] += counted.l1d_misses > 0;
    used[machine.l2.replacement] += counted.l2_misses > 0;
    sum->l1d_misses += counted.l1d_misses;
    sum->l1d_miss_capacity += counted.l1d_miss_capacity;
    sum->l1d_miss_conflict += counted.l1d_miss_conflict;
    sum->l1d_miss_flush += counted.l1d_miss_flush;
    sum->l2_writebacks += counted.l2_writebacks;
    sum->l2_crossings += counted.l2_crossings;
    sum->walk_count += stores ? 0 : counted.walk_count;
    trace_source_free(&source->base);
}

static void test_equals_functional(void **state)
{
    (void)state;
    struct metrics sum = {0};
    unsigned used[REPLACEMENT_COUNT] = {0};
    for (uint64_t seed = 0; seed < ROLLS(1000); seed++) {
        if (seed % 100 == 0)
            print_message("from program %d\n", (int)seed);
        check_program(seed, &sum, used);
    }
    for (int policy = 0; policy < REPLACEMENT_COUNT; policy++)
        assert_true(used[policy] || replacement_facts[policy].traits & REPLACEMENT_FUTURE);
    assert_true(sum.l1d_misses > 0 && sum.l2_writebacks > 0 && sum.walk_count > 0);
    assert_true(sum.l2_crossings > 0);
    assert_true(sum.l1d_miss_capacity > 0 && sum.l1d_miss_conflict > 0 && sum.l1d_miss_flush > 0);
}

/* Bytes that were stored as local memory are written back when a store to global memory drops them.
 */
static void test_both_spaces(void **state)
{
    (void)state;
    double writebacks = 0;
    for (uint64_t seed = 0; seed < ROLLS(1000); seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine;
        struct timed_shape shape = one_warp(true);
        shape.lines = 8;
        struct timed_source *source = timed_source_random(seed, &shape);
        roll_serial(&dice, true, 0, &machine);
        make_local_back(&machine.l2);
        make_serial(source, 1, false);
        writebacks += compare(&machine, source).l2_writebacks;
        trace_source_free(&source->base);
    }
    assert_true(writebacks > ROLLS(500));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equals_functional),
                                       cmocka_unit_test(test_both_spaces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
