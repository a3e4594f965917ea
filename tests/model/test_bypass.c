/* The bypass policies of the L1D (model/bypass): the vectors of their papers, and on random
 * programs that no policy loses a request, that those which bypass nothing are today's cache and
 * that those which bypass all are a machine without an L1D. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/bypass/bypass.h"
#include "model/timing/cache/cache_unit.h"
#include "support/bypass_probe.h"
#include "support/lone_sm.h"
#include "support/roll_machine.h"
#include "support/timed_source.h"

enum { LATENCY = 60, LIMIT = 4000000, PC = PROBE_PC };

/* ---- policies by themselves ---- */

static const struct bypass_access first_load = {.pc = PC, .line = 7, .now = 9};

/* What a miss of a load of line 7 does. */
static enum bypass_verdict miss(struct bypass *bypass, uint32_t pc, uint32_t way)
{
    struct bypass_access access = first_load;
    access.pc = pc;
    return bypass_probe_miss(bypass, &access, way);
}

static void pass_through(struct bypass *bypass, uint32_t pc, uint64_t hits)
{
    struct bypass_access access = first_load;
    access.pc = pc;
    bypass_probe_pass_through(bypass, &access, hits);
}

static enum bypass_verdict verdict_of(uint64_t times, uint64_t count)
{
    struct machine machine;
    machine_defaults(&machine);
    struct bypass *bypass = bypass_probe_create(&machine, BYPASS_SAMPLED);
    assert_int_equal(miss(bypass, PC, 0), BYPASS_ALLOCATE);
    for (uint64_t i = 0; i + 1 < times; i++)
        pass_through(bypass, PC, i ? 0 : count - count / 2);
    assert_int_equal(miss(bypass, PC, 0), BYPASS_ALLOCATE);
    bypass_block_ended(bypass, false); /* another block: the period goes on */
    bypass_block_ended(bypass, true);
    assert_int_equal(miss(bypass, PC, 0), BYPASS_ALLOCATE);  /* no eviction has settled it yet */
    pass_through(bypass, PC, times > 1 ? count / 2 : count); /* the one that decides counts too */
    const enum bypass_verdict verdict = miss(bypass, PC, 0);
    for (unsigned i = 0; i < 300; i++) /* what is settled stays so */
        pass_through(bypass, PC, verdict == BYPASS_PASS);
    assert_int_equal(miss(bypass, PC, 0), verdict);
    assert_int_equal(miss(bypass, PC + 0x70, 0), BYPASS_ALLOCATE);
    bypass_free(bypass);
    return verdict;
}

/* (times, count): those of the paper's rule with a threshold of 10. */
static void test_sampled_vectors(void **state)
{
    (void)state;
    static const uint64_t keep[][2] = {{9, 1}, {99, 10}, {109, 11}, {50, 6}, {1, 1}};
    static const uint64_t pass[][2] = {{10, 1}, {100, 10}, {1, 0}, {7, 0}};
    for (size_t i = 0; i < sizeof keep / sizeof *keep; i++)
        assert_int_equal(verdict_of(keep[i][0], keep[i][1]), BYPASS_ALLOCATE);
    for (size_t i = 0; i < sizeof pass / sizeof *pass; i++)
        assert_int_equal(verdict_of(pass[i][0], pass[i][1]), BYPASS_PASS);
}

static void test_sampled_table(void **state)
{
    (void)state;
    for (int reset = 0; reset < 2; reset++) {
        struct machine machine;
        machine_defaults(&machine);
        machine.l1d.bypass.entries = 1;
        machine.l1d.bypass.reset = reset;
        struct bypass *bypass = bypass_probe_create(&machine, BYPASS_SAMPLED);
        miss(bypass, PC, 0);
        miss(bypass, PC + 0x18, 0); /* finds the table full */
        bypass_block_ended(bypass, true);
        pass_through(bypass, PC, 0);
        pass_through(bypass, PC + 0x18, 0);
        assert_int_equal(miss(bypass, PC, 0), BYPASS_PASS);
        assert_int_equal(miss(bypass, PC + 0x18, 0), BYPASS_ALLOCATE);
        bypass_probe_launch(bypass, "kernel");
        assert_int_equal(miss(bypass, PC, 0), reset ? BYPASS_ALLOCATE : BYPASS_PASS);
        bypass_probe_launch(bypass, "another");
        assert_int_equal(miss(bypass, PC, 0), BYPASS_ALLOCATE); /* the same pc, another load */
        bypass_free(bypass);
    }
}

/* One table of two SMs: what one counted, the other knows after an exchange; a block of either ends
 * the period; a line replaced in the same exchange still belongs to it. */
static void test_sampled_shared(void **state)
{
    (void)state;
    struct machine machine;
    machine_defaults(&machine);
    machine.l1d.bypass.shared = 1;
    struct bypass *all[2];
    for (int i = 0; i < 2; i++)
        all[i] = bypass_probe_create(&machine, BYPASS_SAMPLED);
    assert_true(bypass_exchanges(&machine));
    assert_int_equal(miss(all[0], PC, 0), BYPASS_ALLOCATE);
    for (unsigned i = 0; i < 8; i++)
        pass_through(all[0], PC, i == 0);
    bypass_block_ended(all[1], true);
    bypass_exchange(all, 2);
    for (int i = 0; i < 2; i++) /* (8, 1), and the period is over; nothing has decided */
        assert_int_equal(miss(all[i], PC, 0), BYPASS_ALLOCATE);
    pass_through(all[0], PC, 0);
    pass_through(all[1], PC, 0);
    assert_int_equal(miss(all[0], PC, 0), BYPASS_ALLOCATE);
    bypass_exchange(all, 2); /* (9, 1) of the first decides: it takes lines */
    for (int i = 0; i < 2; i++)
        assert_int_equal(miss(all[i], PC, 0), BYPASS_ALLOCATE);
    miss(all[1], PC + 0x18, 0); /* a load of the second alone */
    pass_through(all[1], PC + 0x18, 0);
    bypass_exchange(all, 2);
    for (int i = 0; i < 2; i++)
        assert_int_equal(miss(all[i], PC + 0x18, 0), BYPASS_PASS);
    for (int i = 0; i < 2; i++)
        bypass_free(all[i]);
}

static enum bypass_verdict settle(struct machine *machine, uint64_t times, uint64_t count,
                                  uint64_t others, uint64_t other_hits)
{
    struct bypass *bypass = bypass_probe_create(machine, BYPASS_SAMPLED);
    miss(bypass, PC, 0);
    miss(bypass, PC + 0x18, 0);
    bypass_fill(bypass, &(struct bypass_fill){.pc = PC, .waited = 300});
    bypass_fill(bypass, &(struct bypass_fill){.pc = PC, .waited = 500});
    for (uint64_t i = 0; i < others; i++)
        pass_through(bypass, PC + 0x18, i ? 0 : other_hits);
    for (uint64_t i = 0; i + 1 < times; i++)
        pass_through(bypass, PC, i ? 0 : count);
    bypass_block_ended(bypass, true);
    pass_through(bypass, PC, 0);
    const enum bypass_verdict verdict = miss(bypass, PC, 0);
    bypass_free(bypass);
    return verdict;
}

/* Thresholds found at run time: 400 cycles a miss over 40 a hit is 10; twice the mean of 2 lines a
 * hit is 4. */
static void test_sampled_adaptive(void **state)
{
    (void)state;
    struct machine machine;
    machine_defaults(&machine);
    machine.l1d.latency = 40;
    machine.l1d.bypass.threshold = 100;
    machine.l1d.bypass.adaptive = BYPASS_BY_LATENCY;
    assert_int_equal(settle(&machine, 19, 2, 2, 0), BYPASS_ALLOCATE);
    assert_int_equal(settle(&machine, 20, 2, 2, 0), BYPASS_PASS);
    machine.l1d.bypass.threshold = 2;
    machine.l1d.bypass.adaptive = BYPASS_BY_MEAN;
    assert_int_equal(settle(&machine, 4, 1, 16, 9), BYPASS_PASS); /* 20 lines, 10 hits */
    assert_int_equal(settle(&machine, 3, 1, 17, 9), BYPASS_ALLOCATE);
}

/* Loads are numbered by their pcs. */
static void test_list(void **state)
{
    (void)state;
    struct machine machine;
    machine_defaults(&machine);
    machine.l1d.bypass.loads = 1 << 1;
    struct bypass *bypass = bypass_probe_create(&machine, BYPASS_LISTED);
    assert_int_equal(miss(bypass, PC, 0), BYPASS_ALLOCATE);
    assert_int_equal(miss(bypass, PC + 0x18, 0), BYPASS_PASS);
    assert_int_equal(miss(bypass, PC + 0x70, 0), BYPASS_ALLOCATE);
    assert_int_equal(miss(bypass, 0x8, 0), BYPASS_ALLOCATE);
    bypass_free(bypass);
}

static void test_chance(void **state)
{
    (void)state;
    enum { TRIES = 20000 };
    struct machine machine;
    machine_defaults(&machine);
    machine.l1d.bypass.chance = 0.25;
    struct bypass *bypass = bypass_probe_create(&machine, BYPASS_RANDOM);
    unsigned passed = 0;
    for (unsigned i = 0; i < TRIES; i++)
        passed += miss(bypass, PC, 0) == BYPASS_PASS;
    assert_in_range(passed, TRIES / 4 - 300, TRIES / 4 + 300); /* five standard deviations */
    bypass_free(bypass);
}

static void test_on_fail(void **state)
{
    (void)state;
    struct machine machine;
    machine_defaults(&machine);
    struct bypass *bypass = bypass_probe_create(&machine, BYPASS_ON_FAIL);
    assert_int_equal(miss(bypass, PC, 2), BYPASS_ALLOCATE);
    assert_int_equal(miss(bypass, PC, BYPASS_NO_LINE), BYPASS_PASS);
    bypass_free(bypass);
    bypass = bypass_probe_create(&machine, BYPASS_TIAN); /* where others wait for a line */
    assert_int_equal(miss(bypass, PC, BYPASS_NO_LINE), BYPASS_WAIT);
    bypass_free(bypass);
    assert_null(bypass_probe_create(&machine, BYPASS_NEVER));
}

/* Eight lines more that died after a load than were hit after it make it dead; L2 hits of bypassed
 * blocks bring it back. */
static void test_tian(void **state)
{
    (void)state;
    const struct bypass_access other = {.pc = PC + 0x18, .line = 7};
    struct machine machine;
    machine_defaults(&machine);
    machine.l1d.bypass.entries = 128;
    struct bypass *bypass = bypass_probe_create(&machine, BYPASS_TIAN);
    for (unsigned i = 0; i < 7; i++)
        pass_through(bypass, PC, 0);
    assert_int_equal(miss(bypass, PC, 0), BYPASS_ALLOCATE);
    pass_through(bypass, PC, 1); /* one hit, one death */
    assert_int_equal(miss(bypass, PC, 0), BYPASS_ALLOCATE);
    bypass_replace(bypass, &other, 0, true);
    bypass_hit(bypass, &(struct bypass_access){.pc = PC, .line = 7}, 0, false);
    bypass_replace(bypass, &other, 0, false); /* another load took it, this one was the last */
    assert_int_equal(miss(bypass, PC, 0), BYPASS_PASS);
    assert_int_equal(miss(bypass, PC + 0x18, 0), BYPASS_ALLOCATE);
    bypass_fill(bypass, &(struct bypass_fill){.pc = PC, .passed = true});
    assert_int_equal(miss(bypass, PC, 0), BYPASS_PASS);
    bypass_fill(bypass, &(struct bypass_fill){.pc = PC, .passed = true, .l2_hit = true});
    assert_int_equal(miss(bypass, PC, 0), BYPASS_ALLOCATE);
    bypass_free(bypass);
}

/* With one token the oldest warp takes lines, and its heir after it. */
static void test_pcal(void **state)
{
    (void)state;
    struct machine machine;
    machine_defaults(&machine);
    machine.l1d.bypass.tokens = 1;
    struct bypass *bypass = bypass_probe_create(&machine, BYPASS_PCAL);
    bypass_warp_came(bypass, 3, 0, 0);
    bypass_warp_came(bypass, 0, 0, 1);
    assert_int_equal(miss(bypass, PC, 0), BYPASS_PASS); /* of warp 0 */
    bypass_warp_left(bypass, 3);
    assert_int_equal(miss(bypass, PC, 0), BYPASS_ALLOCATE);
    bypass_free(bypass);
}

/* A line is protected for two accesses to its set after its own. */
static void test_pdp(void **state)
{
    (void)state;
    static const uint8_t holds[1] = {1};
    struct machine machine;
    machine_defaults(&machine);
    machine.l1d.bypass.distance = 2;
    struct bypass *bypass = bypass_probe_create(&machine, BYPASS_PDP);
    const struct bypass_access access = {.pc = PC};
    struct bypass_choice choice = {.ways = 1, .holds = holds, .kept = 2};
    bypass_accept(bypass, &access, 0);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(bypass_ask(bypass, &access, &choice), BYPASS_PASS);
        bypass_accept(bypass, &access, BYPASS_NO_LINE);
    }
    assert_int_equal(bypass_ask(bypass, &access, &choice), BYPASS_ALLOCATE);
    bypass_free(bypass);
}

/* ---- in a cache ---- */

static enum unit_outcome look_up(struct cache_unit *unit, uint64_t address, uint32_t pc)
{
    struct unit_effect effect;
    const struct packet request = {
        .address = address, .bytes = 128, .touched = UINT32_MAX, .kind = PACKET_READ, .pc = pc};
    return cache_unit_access(unit, &request, address >> 7, 1, &effect);
}

static void answer(struct cache_unit *unit)
{
    while (unit->misses.count) {
        const struct packet miss = *packet_queue_head(&unit->packets, &unit->misses);
        packet_queue_pop(&unit->packets, &unit->misses);
        for (uint32_t part = unit->block_bytes / unit->part_bytes; part; part--)
            cache_unit_fill(unit, &miss, 2);
    }
    while (cache_unit_has_ready(unit))
        cache_unit_take(unit, 2);
}

/* A bypassed miss leaves no line; a load that joins it and takes one gets it; and it hits what
 * others brought. */
static void test_lines(void **state)
{
    (void)state;
    for (int allocate = ALLOCATE_ON_MISS; allocate <= ALLOCATE_ON_FILL; allocate++) {
        struct machine machine;
        struct cache_unit unit;
        machine_defaults(&machine);
        machine.l1d.allocate = allocate;
        machine.l1d.bypass.loads = 1;
        assert_int_equal(cache_unit_init(&unit, &machine.l1d, 4, 1), STATUS_OK);
        unit.bypass = bypass_probe_create(&machine, BYPASS_LISTED);
        assert_int_equal(look_up(&unit, 0, PC), UNIT_MISS);
        assert_int_equal(look_up(&unit, 0, PC), UNIT_PENDING);
        answer(&unit);
        assert_int_equal(look_up(&unit, 0, PC), UNIT_MISS);
        assert_int_equal(look_up(&unit, 0, PC + 0x18), UNIT_PENDING);
        assert_int_equal(unit.misses.count, 1);
        answer(&unit);
        assert_int_equal(look_up(&unit, 0, PC), UNIT_HIT);
        assert_int_equal(unit.counts.bypassed, 3);
        bypass_free(unit.bypass);
        cache_unit_free(&unit);
    }
}

/* ---- on programs ---- */

static const struct timed_shape shape = {.launches = 1,
                                         .blocks = 12,
                                         .warps = 4,
                                         .instructions = 40,
                                         .lines = 60,
                                         .content = TIMED_LOADS | TIMED_STORES | TIMED_SHARED |
                                                    TIMED_BARRIERS | TIMED_EXITS};

/* A small L1D, so that lines are short. */
static void roll_l1d(struct dice *dice, struct machine *machine)
{
    machine_defaults(machine);
    machine->tlb.enabled = 0;
    machine->gpu.sms = 1;
    machine->l1d.size = 2048 << roll(dice, 3);
    machine->l1d.ways = 4;
    machine->l1d.index = INDEX_MODULO;
    machine->l1d.sector = roll(dice, 2) ? 128 : 32;
    machine->l1d.allocate = (int)roll(dice, 2);
    machine->l1d.banks = 1 + roll(dice, 4);
    machine->l1d.latency = 1 + roll(dice, 30);
    machine->l1d.mshr.entries = 4 + roll(dice, 60);
    machine->l1d.bypass.mshr = (int)roll(dice, 2);
    machine->l1d.bypass.dynamic = (int)roll(dice, 2);
    machine->l1d.bypass.queues = 1 + roll(dice, 8);
    machine->l1d.bypass.queue_entries = 1 + roll(dice, 4);
    machine->l1d.bypass.signature = (int)roll(dice, BYPASS_BY_PC + 1);
    machine->l1d.bypass.drain = (int)roll(dice, BYPASS_DRAIN_LONGEST + 1);
    machine->l1d.bypass.stores = (int)roll(dice, 2);
    machine->l1d.bypass.stalls = (int)roll(dice, 2);
    machine->coalescer.arch = machine->l1d.sector == 32 ? 70 : 20;
}

static struct lone_sm run(const struct machine *machine, const struct timed_source *source)
{
    return lone_sm_run(machine, &source->base, LATENCY, 20, LIMIT);
}

static void assert_same(const struct lone_sm *a, const struct lone_sm *b)
{
    assert_int_equal(a->cycles, b->cycles);
    assert_memory_equal(&a->counts, &b->counts, sizeof a->counts);
    assert_memory_equal(&a->l1d, &b->l1d, sizeof a->l1d);
    assert_memory_equal(a->latencies, b->latencies, sizeof a->latencies);
}

/* never, a list without loads and a chance of 0 are the same cache, cycle by cycle. */
static void test_nothing_bypassed(void **state)
{
    (void)state;
    static const int idle[] = {BYPASS_LISTED, BYPASS_RANDOM};
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &shape);
        roll_l1d(&dice, &machine);
        const struct lone_sm never = run(&machine, source);
        machine.l1d.bypass.chance = 0;
        for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
            machine.l1d.bypass.policy = idle[i];
            const struct lone_sm other = run(&machine, source);
            assert_same(&never, &other);
        }
        trace_source_free(&source->base);
    }
}

/* Without MSHRs, bypassing all loads sends what a machine whose loads skip the L1D sends. */
static void test_all_bypassed(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &shape);
        roll_l1d(&dice, &machine);
        machine.l1d.sector = 32; /* what skips the L1D is coalesced to sectors */
        machine.coalescer.arch = 70;
        machine.l1d.bypass.policy = BYPASS_ALWAYS;
        machine.l1d.bypass.mshr = 0;
        const struct lone_sm bypassed = run(&machine, source);
        assert_int_equal(bypassed.l1d.reads[UNIT_HIT] + bypassed.l1d.reads[UNIT_PENDING], 0);
        assert_int_equal(bypassed.l1d.reads[UNIT_MISS], bypassed.l1d.bypassed);
        machine.l1d.enabled = 0;
        const struct lone_sm without = run(&machine, source);
        assert_int_equal(bypassed.counts.sent_bytes, without.counts.sent_bytes);
        assert_int_equal(bypassed.counts.transactions, without.counts.transactions);
        trace_source_free(&source->base);
    }
}

/* No member loses a request, keeps a warp back for ever, or depends on how far an SM is advanced
 * at once. */
static void test_every_member(void **state)
{
    (void)state;
    for (int policy = 0; policy < BYPASS_COUNT; policy++)
        for (uint64_t seed = 0; seed < 12; seed++) {
            struct dice dice = {.seed = seed};
            struct machine machine;
            struct timed_source *source = timed_source_random(seed, &shape);
            roll_l1d(&dice, &machine);
            machine.scheduler.policy = (int)roll(&dice, SCHEDULER_COUNT);
            machine.scheduler.throttle = (int)roll(&dice, THROTTLE_COUNT);
            machine.l1d.bypass.policy = policy;
            machine.l1d.bypass.loads = roll(&dice, 256);
            const struct lone_sm spans = run(&machine, source);
            assert_int_equal(spans.held, 0);
            const struct lone_sm cycles = lone_sm_run(&machine, &source->base, LATENCY, 1, LIMIT);
            assert_same(&spans, &cycles);
            trace_source_free(&source->base);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sampled_vectors),
        cmocka_unit_test(test_sampled_table),
        cmocka_unit_test(test_sampled_adaptive),
        cmocka_unit_test(test_sampled_shared),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_chance),
        cmocka_unit_test(test_on_fail),
        cmocka_unit_test(test_tian),
        cmocka_unit_test(test_pcal),
        cmocka_unit_test(test_pdp),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_nothing_bypassed),
        cmocka_unit_test(test_all_bypassed),
        cmocka_unit_test(test_every_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
