/* gauge.h, and where it is noted: the sums and the most of random runs against a twin that looks at
 * every cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/timing/gpu_parts.h"
#include "support/gpu_trial.h"
#include "support/sanitized.h"

/* What is seen at the end of each cycle. */
struct twin {
    uint64_t sums[GAUGE_COUNT];
    uint32_t most[GAUGE_COUNT];
};

static void see(struct twin *twin, unsigned gauge, uint64_t used)
{
    twin->sums[gauge] += used;
    if (used > twin->most[gauge])
        twin->most[gauge] = (uint32_t)used;
}

/* Looks at the requests of each MSHR, in a list of the cache's own. */
static void see_cache(struct twin *twin, unsigned entries, const struct cache_unit *unit)
{
    see(twin, entries, unit->mshrs_used);
    see(twin, entries + 2, unit->misses.count);
    for (uint32_t i = 0; unit->mshrs_used && i <= unit->head_mask; i++)
        for (uint32_t at = unit->heads[i]; at != UINT32_MAX; at = unit->mshrs[at].next) {
            uint32_t length = 0;
            for (uint32_t k = unit->mshrs[at].first; k != UINT32_MAX; k = unit->targets[k].next)
                length++;
            see(twin, entries + 1, length);
        }
}

static void see_sm(struct twin *twin, const struct sm *sm)
{
    uint32_t collecting = 0;
    for (uint32_t i = 0; i < sm->collect.count; i++)
        collecting += !(sm->collect.free >> i & 1);
    see(twin, GAUGE_core_collectors, collecting);
    see(twin, GAUGE_core_responses, sm->port.responses.count);
    see_cache(twin, GAUGE_l1d_mshr_entries, &sm->load_store.l1d);
    see_cache(twin, GAUGE_l1i_mshr_entries, &sm->fetch.l1i);
}

static void see_channel(struct twin *twin, const struct channel *channel)
{
    for (uint32_t i = 0; i < channel->slice_count; i++) {
        const struct slice *slice = &channel->slices[i];
        see_cache(twin, GAUGE_l2_mshr_entries, &slice->cache);
        see(twin, GAUGE_l2_queue_in, slice->incoming.count);
        see(twin, GAUGE_l2_queue_out, slice->outgoing.count);
        see(twin, GAUGE_l2_queue_to_dram, slice->to_dram.count);
        see(twin, GAUGE_l2_queue_from_dram, slice->from_dram.count);
    }
    see(twin, GAUGE_dram_queue, channel->dram.queued + channel->dram.input_count);
    see(twin, GAUGE_dram_returns, channel->dram.return_count);
}

/* Walkers that are free no earlier than the cycle after `cycle` are in use in it. */
static void see_mmu(struct twin *twin, const struct mmu *mmu, uint64_t cycle)
{
    uint32_t busy = 0;
    for (uint32_t i = 0; mmu->walkers && i < mmu->walker_count; i++)
        busy += mmu->walkers[i].free_at > cycle;
    see(twin, GAUGE_walker_count, busy);
    see(twin, GAUGE_walker_queue, mmu->waiting_count);
}

/* Runs a machine a cycle at a time, and looks at it after each. */
static void run(const struct machine *machine, const struct timed_source *source, struct twin *twin,
                struct gpu_trial *result)
{
    const struct gpu_options options = {.threads = 1, .span = 1};
    struct gpu *gpu;
    *twin = (struct twin){{0}, {0}};
    assert_int_equal(gpu_open(machine, &source->base, &options, NULL, &gpu), STATUS_OK);
    while (!gpu_ended(gpu)) {
        const uint64_t cycle = gpu->cycle;
        assert_int_equal(gpu_advance(gpu, cycle + 1), STATUS_OK);
        assert_int_equal(gpu->cycle, cycle + 1);
        for (uint32_t i = 0; i < gpu->sm_count; i++)
            see_sm(twin, &gpu->sms[i]);
        for (uint32_t i = 0; i < gpu->channel_count; i++)
            see_channel(twin, &gpu->channels[i]);
        see_mmu(twin, &gpu->mmu, cycle);
    }
    assert_int_equal(gpu_read(gpu, &result->counts, &result->totals), STATUS_OK);
    gpu_close(gpu);
}

/* What comes and goes in the same cycle is seen by a gauge alone, as its most. */
static void check(uint64_t seed, const struct machine *machine, const struct timed_source *source)
{
    struct twin twin;
    struct gpu_trial result = {.status = STATUS_OK};
    run(machine, source, &twin, &result);
    for (unsigned i = 0; i < GAUGE_COUNT; i++) {
        if (i == GAUGE_network_requests || i == GAUGE_network_replies)
            continue; /* test_network.c and test_fly.c */
        if (result.counts.gauge_sums[i] != twin.sums[i])
            print_message("gauge %u\n", i), print_machine(seed, machine);
        assert_int_equal(result.counts.gauge_sums[i], twin.sums[i]);
        assert_true(result.totals.most[i] >= twin.most[i]);
        assert_true(result.counts.gauge_sums[i] <=
                    result.counts.gauge_times[i] * result.totals.most[i]);
    }
    const struct gpu_totals *totals = &result.totals;
    if (!machine->l1d.mshr.tags)
        assert_true(totals->most[GAUGE_l1d_mshr_entries] <= machine->l1d.mshr.entries);
    assert_true(totals->most[GAUGE_l1d_miss_queue] <= machine->l1d.miss_queue);
    assert_true(totals->most[GAUGE_l2_queue_in] <= machine->l2.queue);
    assert_true(totals->most[GAUGE_core_responses] <= machine->core.responses);
    assert_true(totals->most[GAUGE_walker_count] <= machine->walker.count);
    assert_true(result.counts.request_flits <= result.counts.request_peak);
    assert_true(result.counts.reply_flits <= result.counts.reply_peak);
    assert_true(result.counts.channels.port_cycles <=
                result.counts.l2_cycles + 1024 * machine->l2.slices);
}

/* All clocks are the SMs', so that every part has a cycle in each of theirs. */
static void test_every_cycle(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(60); seed++) {
        struct dice dice = {.seed = seed + 900};
        struct machine machine;
        struct timed_source *source =
            timed_source_random(seed, seed % 2 ? &timed_wide : &timed_small);
        if (seed % 2)
            roll_translating(&dice, source, &machine);
        else
            roll_fitting(&dice, source, 1 + (unsigned)roll(&dice, 6), seed % 4 == 0, &machine);
        machine.network.clock = machine.dram.clock = machine.gpu.clock;
        machine.l2.clock = 0;
        check(seed, &machine, source);
        trace_source_free(&source->base);
    }
}

/* By hand: two from 3 and 5 until 9 and 6, and one that is there still at 10. */
static void test_by_hand(void **state)
{
    (void)state;
    struct gauge gauge = {0};
    gauge_enter(&gauge, 3, 1);
    gauge_enter(&gauge, 5, 2);
    gauge_leave(&gauge, 6);
    assert_int_equal(gauge_sum(&gauge, 1, 7), 4 + 1);
    gauge_leave(&gauge, 9);
    gauge_enter(&gauge, 10, 1);
    assert_int_equal(gauge_sum(&gauge, 1, 10), 6 + 1);
    assert_int_equal(gauge_sum(&gauge, 1, 14), 6 + 1 + 4);
    assert_int_equal(gauge.most, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_every_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
