/* The bypass policies that learn or reorder, each against the rules of its head: by vectors, and
 * where it keeps a state, against a slow twin that keeps it as lists. And all of them against the
 * optimum of replacement and bypass. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/bypass/bypass.h"
#include "model/cache/opt.h"
#include "model/timing/cache/cache_unit.h"
#include "model/timing/sm/reorder.h"
#include "support/bypass_probe.h"
#include "support/number_list.h"
#include "support/roll_cache.h"

enum { PC = PROBE_PC, SETS = PROBE_SETS, WAYS = PROBE_WAYS };

static struct bypass *create(struct machine *machine, int policy)
{
    return bypass_probe_create(machine, policy);
}

static struct machine defaults(void)
{
    struct machine machine;
    machine_defaults(&machine);
    return machine;
}

static enum bypass_verdict miss_of(struct bypass *bypass, uint64_t line, uint16_t warp)
{
    const struct bypass_access access = {.pc = PC, .line = line, .set = line % SETS, .warp = warp};
    return bypass_probe_miss(bypass, &access, 0);
}

/* ---- mrpb ---- */

static void test_mrpb_drains(void **state)
{
    (void)state;
    struct machine machine = defaults();
    machine.l1d.bypass.queues = 4;
    static const uint32_t counts[4] = {0, 2, 5, 1};
    /* By the queue that went on last: what each order takes next. */
    static const uint32_t next[][4] = {
        [BYPASS_DRAIN_FIXED] = {1, 1, 1, 1},
        [BYPASS_DRAIN_ROUND] = {1, 2, 3, 1},
        [BYPASS_DRAIN_GREEDY] = {1, 1, 2, 3},
        [BYPASS_DRAIN_LONGEST] = {2, 2, 2, 2},
    };
    for (int drain = 0; drain < 4; drain++) {
        machine.l1d.bypass.drain = drain;
        struct bypass *bypass = create(&machine, BYPASS_MRPB);
        for (uint32_t last = 0; last < 4; last++) {
            bypass->kind->drained(bypass, last);
            assert_int_equal(bypass->kind->drain(bypass, counts), next[drain][last]);
        }
        bypass_free(bypass);
    }
}

static void test_mrpb_signatures(void **state)
{
    (void)state;
    struct machine machine = defaults();
    machine.l1d.bypass.queues = 5;
    struct bypass *bypass = create(&machine, BYPASS_MRPB);
    bypass_warp_came(bypass, 13, 2, 0);
    assert_int_equal(bypass->kind->queue(bypass, 13, PC), 3);
    machine.l1d.bypass.signature = BYPASS_BY_BLOCK;
    assert_int_equal(bypass->kind->queue(bypass, 13, PC), 2);
    machine.l1d.bypass.signature = BYPASS_BY_PC;
    uint32_t queues = 0;
    for (uint32_t pc = 0; pc < 400; pc += 8) {
        const uint32_t queue = bypass->kind->queue(bypass, 13, pc);
        assert_true(queue < 5);
        assert_int_equal(bypass->kind->queue(bypass, 7, pc), queue);
        queues |= 1u << queue;
    }
    assert_int_equal(queues, 31);
    bypass_free(bypass);
}

/* Misses that stall take no line: for want of a line, or also for want of an MSHR. */
static void test_mrpb_stalls(void **state)
{
    (void)state;
    const struct bypass_access access = {.pc = PC, .line = 7, .warp = 3},
                               other = {.pc = PC, .line = 8, .warp = 3};
    struct machine machine = defaults();
    for (int stalls = 0; stalls < 2; stalls++) {
        machine.l1d.bypass.stalls = stalls;
        struct bypass *bypass = create(&machine, BYPASS_MRPB);
        assert_int_equal(bypass_probe_ask(bypass, &access, BYPASS_NO_LINE), BYPASS_PASS);
        assert_int_equal(bypass_probe_ask(bypass, &access, 1), BYPASS_ALLOCATE);
        bypass_failed(bypass, &access, BYPASS_FAIL_MISS_QUEUE);
        assert_int_equal(bypass_probe_ask(bypass, &access, 1), BYPASS_ALLOCATE);
        for (unsigned told = 0; told < 3; told++) /* however often */
            bypass_failed(bypass, &access, BYPASS_FAIL_MSHR);
        assert_int_equal(bypass_probe_ask(bypass, &access, 1),
                         stalls ? BYPASS_PASS : BYPASS_ALLOCATE);
        assert_int_equal(bypass_probe_ask(bypass, &other, 1), BYPASS_ALLOCATE);
        bypass_probe_miss(bypass, &access, 1);
        assert_int_equal(bypass_probe_ask(bypass, &access, 1), BYPASS_ALLOCATE);
        bypass_free(bypass);
    }
}

/* Requests that share a queue leave in order, all of them once, none from a full queue; with one
 * queue the order is that of their coming. */
static void test_reorder_keeps_order(void **state)
{
    (void)state;
    enum { REQUESTS = 400 };
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine = defaults();
        machine.l1d.bypass.queues = 1 + roll(&dice, 6);
        machine.l1d.bypass.queue_entries = 1 + roll(&dice, 5);
        machine.l1d.bypass.drain = (int)roll(&dice, 4);
        machine.l1d.bypass.signature = (int)roll(&dice, 3);
        struct bypass *bypass = create(&machine, BYPASS_MRPB);
        struct reorder reorder = {0};
        uint32_t last[6] = {0}, held[6] = {0}, sent = 0, came = 0;
        assert_int_equal(reorder_init(&reorder, bypass), STATUS_OK);
        while (came < REQUESTS) {
            struct packet packet = {.id = sent + 1, .warp = (uint16_t)roll(&dice, 20)};
            const uint32_t queue = bypass->kind->queue(bypass, packet.warp, packet.pc);
            if (sent < REQUESTS && roll(&dice, 2)) {
                const bool room = held[queue] < machine.l1d.bypass.queue_entries;
                assert_int_equal(reorder_push(&reorder, bypass, &packet), room);
                held[queue] += room;
                sent += room;
            } else if (reorder.total) {
                const uint32_t next = reorder_next(&reorder, bypass);
                const uint32_t id = packet_queue_head(&reorder.packets, &reorder.queues[next])->id;
                assert_true(id > last[next]);
                assert_true(reorder.count > 1 || id == came + 1);
                last[next] = id;
                held[next]--;
                came++;
                reorder_pop(&reorder, bypass, next);
            }
            assert_int_equal(reorder.total, sent - came);
        }
        reorder_free(&reorder);
        bypass_free(bypass);
    }
}

/* ---- locality ---- */

struct counted_blocks { /* of a set, the one accessed last first */
    struct list lines, counts;
};

static void count_block(struct counted_blocks *blocks, uint64_t line, unsigned most)
{
    const int at = list_find(&blocks->lines, line);
    uint64_t count = 0;
    if (at >= 0) {
        count = blocks->counts.items[at];
        list_remove(&blocks->lines, (unsigned)at);
        list_remove(&blocks->counts, (unsigned)at);
    } else if (blocks->lines.count == most) {
        list_remove(&blocks->lines, most - 1);
        list_remove(&blocks->counts, most - 1);
    }
    list_insert(&blocks->lines, 0, line);
    list_insert(&blocks->counts, 0, count < 15 ? count + 1 : 15);
}

static void test_locality(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine = defaults();
        struct counted_blocks blocks[SETS] = {0};
        machine.l1d.bypass.tags = 1 + roll(&dice, 4);
        machine.l1d.bypass.reuses = roll(&dice, 4);
        const unsigned most = WAYS * (unsigned)machine.l1d.bypass.tags;
        struct bypass *bypass = create(&machine, BYPASS_LOCALITY);
        unsigned taken = 0;
        for (unsigned i = 0; i < 2000; i++) {
            const uint64_t line = roll(&dice, 70);
            const struct bypass_access access = {.pc = PC, .line = line, .set = line % SETS};
            struct counted_blocks *set = &blocks[line % SETS];
            const int at = list_find(&set->lines, line);
            const bool take = (at < 0 ? 0 : set->counts.items[at]) >= machine.l1d.bypass.reuses;
            if (roll(&dice, 4)) {
                assert_int_equal(bypass_probe_miss(bypass, &access, 0),
                                 take ? BYPASS_ALLOCATE : BYPASS_PASS);
                taken += take;
            } else {
                bypass_hit(bypass, &access, (uint32_t)(line % SETS * WAYS), roll(&dice, 2));
            }
            count_block(set, line, most);
            if (!roll(&dice, 8)) { /* its line is replaced by that of another block */
                const struct bypass_access next = {
                    .pc = PC, .line = line + SETS, .set = line % SETS};
                bypass_replace(bypass, &access, (uint32_t)(line % SETS * WAYS), true);
                bypass_replace(bypass, &next, (uint32_t)(line % SETS * WAYS), false);
                set->counts.items[list_find(&set->lines, line)] = 0;
            }
        }
        assert_in_range(taken, 1, 1999);
        bypass_free(bypass);
    }
}

/* ---- ctrl_c ---- */

static unsigned passed_of(struct bypass *bypass, unsigned tries)
{
    unsigned passed = 0;
    for (unsigned i = 0; i < tries; i++)
        passed += miss_of(bypass, i, 0) == BYPASS_PASS;
    return passed;
}

/* Sixteen dead lines are a sixteenth of the misses, up to 15 of these; as many of which a quarter
 * was hit take one back. */
static void test_ctrl_c(void **state)
{
    (void)state;
    enum { TRIES = 16000 };
    const struct bypass_access access = {.pc = PC, .line = 7};
    struct machine machine = defaults();
    struct bypass *bypass = create(&machine, BYPASS_CTRL_C);
    for (unsigned step = 0; step < 20; step++) {
        const unsigned sixteenths = step < 15 ? step : 15, expected = TRIES / 16 * sixteenths;
        assert_in_range(passed_of(bypass, TRIES), expected > 300 ? expected - 300 : 0,
                        sixteenths ? expected + 300 : 0); /* five standard deviations */
        for (unsigned i = 0; i < 16; i++)
            bypass_probe_pass_through(bypass, &access, i < 3 ? 2 : 0); /* 3 of 16 were hit */
    }
    uint64_t times = 0, count = 0;
    assert_true(bypass->kind->explain(bypass, bypass->kernel | PC, &times, &count));
    assert_int_equal(times, 20 * 16);
    assert_int_equal(count, 20 * 3);
    for (unsigned step = 0; step < 15; step++)
        for (unsigned i = 0; i < 16; i++)
            bypass_probe_pass_through(bypass, &access, i < 4);
    assert_int_equal(passed_of(bypass, TRIES), 0);
    bypass_free(bypass);
}

/* ---- dacache ---- */

static unsigned rank_of(const struct list *warps, uint64_t warp)
{
    return (unsigned)list_find(warps, warp); /* in the order in which they came */
}

/* The chains as lists of ways: verdicts and victims of random accesses. */
static void test_dacache(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine = defaults();
        struct list chains[SETS] = {0}, warps = {0};
        uint8_t holds[SETS][WAYS] = {0};
        unsigned passes = 0, age = 0;
        struct bypass *bypass = create(&machine, BYPASS_DACACHE);
        for (unsigned set = 0; set < SETS; set++)
            for (unsigned way = 0; way < WAYS; way++)
                list_insert(&chains[set], way, way);
        for (unsigned i = 0; i < 3000; i++) {
            const uint32_t warp = (uint32_t)roll(&dice, 12);
            const int here = list_find(&warps, warp);
            if (here < 0) {
                list_insert(&warps, warps.count, warp);
                bypass_warp_came(bypass, warp, 0, age++);
            } else if (!roll(&dice, 40)) {
                list_remove(&warps, (unsigned)here);
                bypass_warp_left(bypass, warp);
                continue;
            }
            const uint32_t set = (uint32_t)roll(&dice, SETS);
            struct list *chain = &chains[set];
            const struct bypass_access access = {.pc = PC,
                                                 .set = set,
                                                 .warp = (uint16_t)warp,
                                                 .parts = (uint16_t)(1 + roll(&dice, 2))};
            if (!roll(&dice, 4)) { /* a hit, or data come */
                const uint32_t way = (uint32_t)roll(&dice, WAYS);
                if (holds[set][way] & 2)
                    holds[set][way] = 1;
                if (!holds[set][way])
                    continue;
                bypass_hit(bypass, &access, set * WAYS + way, false);
                list_remove(chain, (unsigned)list_find(chain, way));
                list_insert(chain, 0, way);
                continue;
            }
            int victim = -1;
            for (unsigned way = WAYS; way-- > 0;)
                if (!holds[set][way])
                    victim = (int)way; /* the first empty one */
            for (unsigned at = WAYS; at-- > WAYS / 2 && victim < 0;)
                if (!(holds[set][chain->items[at]] & 2))
                    victim = (int)chain->items[at];
            struct bypass_choice choice = {
                .first = set * WAYS, .ways = WAYS, .way = 0, .holds = holds[set], .kept = 2};
            const enum bypass_verdict verdict = bypass_ask(bypass, &access, &choice);
            assert_int_equal(verdict, victim < 0 ? BYPASS_PASS : BYPASS_ALLOCATE);
            passes += victim < 0;
            bypass_accept(bypass, &access,
                          victim < 0 ? BYPASS_NO_LINE : set * WAYS + (uint32_t)victim);
            if (victim < 0)
                continue;
            assert_int_equal(choice.way, victim);
            holds[set][victim] = roll(&dice, 3) ? 1 : 2;
            list_remove(chain, (unsigned)list_find(chain, (uint64_t)victim));
            list_insert(chain, access.parts > 1 ? rank_of(&warps, warp) * WAYS / warps.count : 0,
                        (uint64_t)victim);
        }
        assert_in_range(passes, 1, 2999);
        bypass_free(bypass);
    }
}

/* How many of a set's ways are ever replaced by misses without hits: those after the region. */
static unsigned replaced_ways(struct bypass *bypass)
{
    unsigned replaced = 0;
    static const uint8_t holds[WAYS] = {1, 1, 1, 1};
    for (unsigned i = 0; i < 2 * WAYS; i++) {
        const struct bypass_access access = {.pc = PC, .warp = 3, .parts = 2};
        struct bypass_choice choice = {.ways = WAYS, .holds = holds, .kept = 2};
        assert_int_equal(bypass_ask(bypass, &access, &choice), BYPASS_ALLOCATE);
        replaced |= 1u << choice.way;
        bypass_accept(bypass, &access, choice.way); /* of the youngest warp: near the tail */
    }
    return (unsigned)__builtin_popcount(replaced);
}

/* The region shrinks by a way a period as long as hits do not fall, then grows; it never takes all
 * ways. */
static void test_dacache_search(void **state)
{
    (void)state;
    const struct bypass_access access = {.pc = PC, .set = 1, .parts = 1};
    struct machine machine = defaults();
    machine.l1d.bypass.dynamic = 1;
    struct bypass *bypass = create(&machine, BYPASS_DACACHE);
    for (unsigned i = 0; i < 4; i++)
        bypass_warp_came(bypass, i, 0, i);
    unsigned done = 0;
    for (unsigned i = 0; i < 2048; i++, done++) /* all hit: a way less */
        bypass_hit(bypass, &access, WAYS, false);
    for (unsigned i = 0; i < 2048; i++, done++) /* all miss: a step back, and on */
        bypass_accept(bypass, &access, BYPASS_NO_LINE);
    assert_int_equal(done, 4096);
    for (unsigned period = 0; period < 5; period++) /* no fall any more: it goes on to grow */
        for (unsigned i = 0; i < 2048; i++)
            bypass_accept(bypass, &access, BYPASS_NO_LINE);
    assert_int_equal(replaced_ways(bypass), 1); /* three ways are kept, one never is */
    bypass_free(bypass);
}

/* How many lines at the head of a chain no miss replaces, of a set as it is at first. */
static unsigned kept_lines(struct bypass *bypass)
{
    const struct bypass_access access = {.pc = PC, .warp = 3, .parts = 2};
    for (unsigned busy = 0; busy <= WAYS; busy++) {
        uint8_t holds[WAYS];
        for (unsigned way = 0; way < WAYS; way++)
            holds[way] = way + busy < WAYS ? 1 : 2;
        struct bypass_choice choice = {.ways = WAYS, .holds = holds, .kept = 2};
        if (bypass_ask(bypass, &access, &choice) == BYPASS_PASS)
            return WAYS - busy;
    }
    return UINT_MAX;
}

/* As long as hits do not fall it shrinks, to nothing at the least; a launch begins with half of the
 * ways. */
static void test_dacache_region(void **state)
{
    (void)state;
    const struct bypass_access access = {.pc = PC, .set = 1, .parts = 1};
    struct machine machine = defaults();
    machine.l1d.bypass.dynamic = 1;
    for (unsigned periods = 0; periods < 6; periods++) {
        struct bypass *bypass = create(&machine, BYPASS_DACACHE);
        for (unsigned launch = 0; launch < 2; launch++) {
            for (unsigned i = 0; i < 4; i++)
                bypass_warp_came(bypass, i, 0, i);
            for (unsigned i = 0; i < periods * 2048; i++)
                bypass_hit(bypass, &access, WAYS, false);
            const unsigned kept = periods < WAYS / 2 ? WAYS / 2 - periods : 0;
            assert_int_equal(kept_lines(bypass), kept);
            bypass_probe_launch(bypass, "next");
        }
        bypass_free(bypass);
    }
}

/* ---- pcal ---- */

/* Tries all tokens, then half as many, and so on, on an SM that issues most with `best` of them and
 * gets these for a while. It counts from `now` on, to which it adds. */
static void search_tokens(struct bypass *bypass, unsigned best, uint64_t most, uint64_t *now,
                          uint64_t *instructions)
{
    for (unsigned tokens = 32; tokens; tokens /= 2) {
        bypass_tick(bypass, *now, *instructions);
        assert_int_equal(bypass->wake, *now + 1024);
        assert_int_equal(miss_of(bypass, 1, (uint16_t)(tokens - 1)), BYPASS_ALLOCATE);
        if (tokens < 32)
            assert_int_equal(miss_of(bypass, 1, (uint16_t)tokens), BYPASS_PASS);
        *now = bypass->wake;
        *instructions += tokens == best ? most : most - 200 + tokens;
    }
    bypass_tick(bypass, *now, *instructions);
    assert_int_equal(bypass->wake, *now + 16 * 1024);
    assert_int_equal(miss_of(bypass, 1, (uint16_t)(best - 1)), BYPASS_ALLOCATE);
    if (best < 32)
        assert_int_equal(miss_of(bypass, 1, (uint16_t)best), BYPASS_PASS);
    *now = bypass->wake;
}

/* An SM that issues most with so many tokens gets them. The next search forgets the one before,
 * even if that found more instructions per cycle, and so does a launch in the middle of one. */
static void test_pcal_dynamic(void **state)
{
    (void)state;
    struct machine machine = defaults();
    machine.l1d.bypass.dynamic = 1;
    machine.gpu.max_threads = 32 * 32;
    for (unsigned best = 1; best <= 32; best *= 2) {
        struct bypass *bypass = create(&machine, BYPASS_PCAL);
        uint64_t now = 0, instructions = 0;
        for (unsigned i = 0; i < 32; i++)
            bypass_warp_came(bypass, i, 0, i);
        search_tokens(bypass, best, 900, &now, &instructions);
        search_tokens(bypass, 32 / best, 500, &now, &instructions);
        bypass_tick(bypass, now, instructions);
        bypass_probe_launch(bypass, "next");
        for (unsigned i = 0; i < 32; i++)
            bypass_warp_came(bypass, i, 0, i);
        assert_int_equal(bypass->wake, 0);
        search_tokens(bypass, best, 300, &now, &instructions);
        bypass_free(bypass);
    }
}

/* ---- pdp ---- */

/* The distance that the definition finds from a stream of one set: N_i by looking back for each
 * access, E for each d by summing up. */
static uint64_t slow_distance(const uint64_t *lines, unsigned count)
{
    enum { REACH = 64 };
    uint64_t reused[REACH + 1] = {0}, best = 0;
    double most = 0;
    for (unsigned i = 0; i < count; i++)
        for (unsigned d = 1; d <= REACH && d <= i; d++)
            if (lines[i - d] == lines[i]) {
                reused[d]++;
                break;
            }
    for (unsigned d = 1; d <= REACH; d++) {
        double hits = 0, spent = 0;
        for (unsigned i = 1; i <= d; i++) {
            hits += (double)reused[i];
            spent += i * (double)reused[i];
        }
        const double gain = hits / (spent + ((double)count - hits) * (d + WAYS));
        if (gain > most) {
            most = gain;
            best = d;
        }
    }
    return best;
}

/* For how many accesses to its set a line that is taken now stays protected. */
static uint64_t protected_for(struct bypass *bypass)
{
    static const uint8_t holds[WAYS] = {3, 1, 3, 3}; /* only way 1 can go */
    const struct bypass_access access = {.pc = PC};
    struct bypass_choice choice = {.ways = WAYS, .way = 1, .holds = holds, .kept = 2};
    bypass_accept(bypass, &access, 1);
    uint64_t accesses = 0;
    for (; bypass_ask(bypass, &access, &choice) == BYPASS_PASS; accesses++)
        bypass_accept(bypass, &access, BYPASS_NO_LINE);
    return accesses ? accesses - 1 : 0;
}

static void test_pdp_dynamic(void **state)
{
    (void)state;
    enum { SAMPLES = 256 };
    unsigned different = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine = defaults();
        uint64_t lines[SAMPLES];
        machine.l1d.bypass.dynamic = 1;
        struct bypass *bypass = create(&machine, BYPASS_PDP);
        const uint64_t loop = 2 + roll(&dice, 60), noise = roll(&dice, 4);
        for (unsigned i = 0; i < SAMPLES; i++) {
            lines[i] = SETS * (roll(&dice, 5) < noise ? 1000 + i : i % loop);
            miss_of(bypass, lines[i], 0);
        }
        const uint64_t best = slow_distance(lines, SAMPLES);
        assert_int_equal(protected_for(bypass), best ? best : machine.l1d.bypass.distance);
        different += best != machine.l1d.bypass.distance;
        bypass_free(bypass);
    }
    assert_true(different > 20);
}

/* ---- against the optimum ---- */

static uint64_t misses_of(const struct machine *machine, const struct request *requests,
                          size_t count)
{
    struct cache_unit unit;
    uint64_t misses;
    assert_int_equal(cache_unit_init(&unit, &machine->l1d, machine->l1d.ways, 1), STATUS_OK);
    unit.bypass = NULL;
    assert_int_equal(bypass_create(machine, 0, (uint32_t)unit.geometry.sets,
                                   (uint32_t)machine->l1d.ways, &unit.bypass),
                     STATUS_OK);
    if (unit.bypass) {
        const struct trace_code code = {0};
        assert_int_equal(bypass_launch(unit.bypass, (uint32_t)machine->l1d.ways, "kernel", &code),
                         STATUS_OK);
        for (uint32_t i = 0; i < 4; i++)
            bypass_warp_came(unit.bypass, i, 0, i);
    }
    for (size_t i = 0; i < count; i++) { /* each is answered before the next */
        struct unit_effect effect;
        const struct packet packet = {.address = requests[i].address,
                                      .bytes = requests[i].bytes,
                                      .touched = UINT32_MAX,
                                      .kind = PACKET_READ,
                                      .pc = requests[i].pc,
                                      .warp = (uint16_t)(i / 3 % 4),
                                      .parts = (uint16_t)(1 + i % 2)};
        assert_true(cache_unit_access(&unit, &packet, packet.address >> 7, i, &effect) <
                    UNIT_OUTCOMES);
        while (unit.misses.count) {
            const struct packet sent = *packet_queue_head(&unit.packets, &unit.misses);
            packet_queue_pop(&unit.packets, &unit.misses);
            if (!effect.sent_past)
                cache_unit_fill(&unit, &sent, i);
        }
        while (cache_unit_has_ready(&unit))
            cache_unit_take(&unit, i);
    }
    assert_int_equal(unit.counts.reads[UNIT_HIT] + unit.counts.reads[UNIT_MISS], count);
    misses = unit.counts.reads[UNIT_MISS];
    bypass_free(unit.bypass);
    cache_unit_free(&unit);
    return misses;
}

/* No member misses less than the optimum with bypass, which misses no more than the one without. */
static void test_optimum_bounds_all(void **state)
{
    (void)state;
    enum { COUNT = 4000 };
    static struct request requests[COUNT];
    for (uint64_t seed = 0; seed < 25; seed++) {
        struct dice dice = {.seed = seed};
        struct machine machine = defaults();
        struct cache_counts optimum, kept;
        struct opt_cache *opt;
        machine.l1d.size = 512 << roll(&dice, 4);
        machine.l1d.ways = 1 << roll(&dice, 3);
        machine.l1d.sector = machine.l1d.line = 128;
        machine.l1d.index = INDEX_MODULO;
        machine.l1d.allocate = ALLOCATE_ON_MISS;
        machine.l1d.bypass.mshr = (int)roll(&dice, 2);
        machine.l1d.bypass.dynamic = (int)roll(&dice, 2);
        machine.l1d.bypass.distance = roll(&dice, 20);
        machine.l1d.bypass.reuses = roll(&dice, 3);
        machine.l1d.bypass.loads = roll(&dice, 8);
        machine.l1d.bypass.tokens = 1 + roll(&dice, 4);
        const uint64_t lines = 8 + roll(&dice, 60);
        for (size_t i = 0; i < COUNT; i++)
            requests[i] =
                (struct request){.address = 128 * (roll(&dice, 3) ? i % lines : roll(&dice, lines)),
                                 .bytes = 128,
                                 .touched = UINT32_MAX,
                                 .pc = (uint32_t)(8 * roll(&dice, 4))};
        assert_int_equal(opt_create(&machine.l1d, 1, 0, 0, &opt), STATUS_OK);
        assert_int_equal(opt_run(opt, requests, COUNT, NULL), STATUS_OK);
        assert_int_equal(opt_finish(opt, true, &optimum), STATUS_OK);
        assert_int_equal(opt_finish(opt, false, &kept), STATUS_OK);
        opt_free(opt);
        assert_true(optimum.misses <= kept.misses);
        for (int policy = 0; policy < BYPASS_COUNT; policy++) {
            machine.l1d.bypass.policy = policy;
            const uint64_t misses = misses_of(&machine, requests, COUNT);
            assert_true(optimum.misses <= misses);
            if (!(bypass_traits[policy] & BYPASS_SKIPS))
                assert_true(kept.misses <= misses);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mrpb_drains),    cmocka_unit_test(test_mrpb_signatures),
        cmocka_unit_test(test_mrpb_stalls),    cmocka_unit_test(test_reorder_keeps_order),
        cmocka_unit_test(test_locality),       cmocka_unit_test(test_ctrl_c),
        cmocka_unit_test(test_dacache),        cmocka_unit_test(test_dacache_search),
        cmocka_unit_test(test_dacache_region), cmocka_unit_test(test_pcal_dynamic),
        cmocka_unit_test(test_pdp_dynamic),    cmocka_unit_test(test_optimum_bounds_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
