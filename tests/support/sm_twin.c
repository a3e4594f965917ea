#include "support/sm_twin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/lone_sm.h"
#include "support/roll_machine.h"
#include "support/slow_sm.h"

enum { LIMIT = 1000000 };

/* A small L1I with any of what can stand around it. */
static void roll_l1i(struct dice *dice, struct instruction_cache_config *l1i)
{
    l1i->enabled = 1;
    l1i->line = UINT64_C(16) << roll(dice, 4);
    l1i->ways = 1 + roll(dice, 3);
    l1i->size = l1i->line * l1i->ways << roll(dice, 3);
    l1i->replacement = roll(dice, 2) ? REPLACEMENT_LRU : REPLACEMENT_FIFO;
    l1i->same_line = roll(dice, 2);
    l1i->blocking = roll(dice, 3) == 0;
    l1i->latency = 1 + roll(dice, 4);
    l1i->entries = 1 + roll(dice, 4);
    l1i->merge = 1 + roll(dice, 4);
    l1i->miss_queue = 1 + roll(dice, 3);
    l1i->buffer = roll(dice, 2) ? roll(dice, 6) : 0;
    l1i->l0.size = roll(dice, 2) ? l1i->line * roll(dice, 4) : 0;
    l1i->l0.count = 1 + roll(dice, 4);
    l1i->l0.latency = 1 + roll(dice, 3);
}

/* A random core; all that is not a core's stays as it is, and there are no caches of data. */
static void roll_core(struct dice *dice, struct machine *machine)
{
    struct machine rolled;
    machine_defaults(machine);
    machine_defaults(&rolled);
    const unsigned rarity = 1 + (unsigned)roll(dice, 6);
    roll_machine(dice, &rolled, rarity, roll(dice, 2));
    machine->core = rolled.core;
    machine->pipe = rolled.pipe;
    machine->core.barrier_threads = roll(dice, 2) ? 1 + roll(dice, 128) : 0;
    machine->scheduler.count = rolled.scheduler.count;
    if (roll(dice, 2)) { /* subcores, which a roll seldom gets right */
        machine->scheduler.count = 1 + roll(dice, 4);
        const uint64_t count = machine->scheduler.count;
        machine->core.subcores = 1;
        machine->core.collectors = count * (1 + roll(dice, 3));
        machine->core.banks = count * (1 + roll(dice, 4));
        machine->pipe.sp.units = machine->pipe.sfu.units = count;
        machine->pipe.integer.units = roll(dice, 2) ? count : 0;
        machine->pipe.dp.units = roll(dice, 2) ? count : 0;
        machine->pipe.tensor.units = machine->pipe.branch.units = machine->pipe.texture.units =
            machine->pipe.uniform.units = 0;
    }
    machine->scheduler.policy = (int)roll(dice, SCHEDULER_COUNT);
    machine->scheduler.active = 1 + roll(dice, 8);
    machine->scheduler.issue = 1 + roll(dice, 2);
    machine->scheduler.same_pipe = roll(dice, 2);
    machine->coalescer.arch = 70;
    machine->l1d.enabled = machine->l1i.enabled = machine->tlb.enabled = 0;
    machine->network.kind = roll(dice, 2) ? NETWORK_CROSSBAR : NETWORK_VOQ;
    machine->network.sectors = 1 + roll(dice, 3);
    if (roll(dice, 3))
        roll_l1i(dice, &machine->l1i);
}

static uint64_t looked_up(const struct cache_unit_counts *counts)
{
    return counts->reads[UNIT_HIT] + counts->reads[UNIT_PENDING] + counts->reads[UNIT_MISS];
}

static void check_fetches(const struct machine *machine, const struct lone_sm *fast,
                          const struct slow_fetch_counts *slow)
{
    const uint64_t accesses = looked_up(&fast->l1i), line = machine->l1i.line;
    assert_int_equal(looked_up(&fast->l0), slow->l0_accesses);
    assert_int_equal(fast->l0.read_bytes / line, slow->l0_misses);
    assert_int_equal(accesses, slow->accesses);
    assert_int_equal(fast->l1i.read_bytes / line, slow->misses);
    assert_int_equal(accesses - fast->l1i.repeated, slow->tag_reads);
    assert_int_equal(fast->stream.hits, slow->buffer_hits);
    assert_int_equal(fast->stream.prefetches, slow->prefetches);
}

void sm_twin_check(uint64_t seed, struct slow_fetch_counts *sum)
{
    static const struct timed_shape shape = {.launches = 1,
                                             .blocks = 4,
                                             .warps = 4,
                                             .instructions = 40,
                                             .lines = 30,
                                             .content = TIMED_LOADS | TIMED_STORES | TIMED_SHARED |
                                                        TIMED_BARRIERS | TIMED_EXITS};
    struct dice dice = {.seed = seed};
    struct machine machine;
    struct violation found[VIOLATION_MAX];
    do
        roll_core(&dice, &machine);
    while (machine_check(&machine, found));
    struct timed_source *source = timed_source_random(seed, &shape);
    const uint64_t latency = 1 + roll(&dice, 200);
    struct sm_machine shared;
    assert_int_equal(sm_machine_init(&shared, &machine, (struct ideal_set){{0}}, &source->base),
                     STATUS_OK);
    const struct lone_sm fast = lone_sm_run(&machine, &source->base, latency, latency, LIMIT);
    const struct slow_sm_counts slow = slow_sm_run(&shared, source, latency);
    assert_int_equal(fast.counts.instructions, slow.instructions);
    assert_int_equal(fast.counts.slots[SLOT_issued], slow.issued);
    assert_int_equal(fast.cycles, slow.cycles);
    check_fetches(&machine, &fast, &slow.fetches);
    sum->l0_misses += slow.fetches.l0_misses;
    sum->buffer_hits += slow.fetches.buffer_hits;
    sum->tag_reads += slow.fetches.tag_reads;
    sm_machine_free(&shared);
    trace_source_free(&source->base);
}
