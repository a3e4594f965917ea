/* What a timed run tells of itself: the events of any run add up to what it counts, come in order,
 * and are the same on any number of threads and cycle by cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/cache/partition.h"
#include "model/timing/gpu_parts.h"
#include "support/gpu_trial.h"
#include "support/kept_events.h"
#include "support/sanitized.h"

enum { SEEDS = 60 };

static void expect_counts(const struct gpu *gpu, const struct gpu_counts *counts,
                          const struct kept_events *events)
{
    uint64_t of[EVENT_KINDS] = {0}, reads = 0, writes = 0, rows = 0;
    for (size_t i = 0; i < events->count; i++)
        of[events->items[i].kind]++;
    for (uint32_t i = 0; i < gpu->channel_count; i++) {
        reads += gpu->channels[i].dram.counts.reads;
        writes += gpu->channels[i].dram.counts.writes;
        rows += gpu->channels[i].dram.counts.activates;
    }
    assert_int_equal(of[EVENT_launch_start], gpu->source->launch_count);
    assert_int_equal(of[EVENT_launch_end], gpu->source->launch_count);
    assert_int_equal(of[EVENT_block_start], gpu->all_blocks);
    assert_int_equal(of[EVENT_block_end], gpu->all_blocks);
    assert_int_equal(of[EVENT_issue], counts->sm.instructions);
    assert_int_equal(of[EVENT_loaded], counts->sm.loads);
    for (unsigned i = 0; i < UNIT_OUTCOMES; i++) {
        assert_int_equal(of[EVENT_l1d_hit + i], counts->l1d.reads[i] + counts->l1d.writes[i]);
        if (!cache_in_halves(&gpu->machine->l2))
            assert_int_equal(of[EVENT_l2_hit + i], counts->l2.reads[i] + counts->l2.writes[i]);
    }
    const uint64_t *tlb = counts->tlb.reads;
    assert_int_equal(of[EVENT_tlb_hit], tlb[UNIT_HIT]);
    assert_int_equal(of[EVENT_tlb_pending], tlb[UNIT_PENDING]);
    assert_int_equal(of[EVENT_tlb_miss], tlb[UNIT_MISS]);
    assert_true(!of[EVENT_tlb_refusal] || of[EVENT_tlb_miss]);
    assert_true(of[EVENT_tlb_fill] <= of[EVENT_tlb_miss]);
    assert_int_equal(of[EVENT_l2tlb_hit] + of[EVENT_l2tlb_miss], counts->mmu.shared_accesses);
    assert_int_equal(of[EVENT_l2tlb_miss], counts->mmu.shared_misses);
    assert_int_equal(of[EVENT_walk], counts->mmu.walks);
    assert_int_equal(of[EVENT_l1i_pending], counts->l1i.reads[UNIT_PENDING]);
    assert_int_equal(of[EVENT_l1i_miss],
                     counts->l1i.reads[UNIT_MISS] + counts->l1i.reads[UNIT_SECTOR_MISS]);
    assert_true(of[EVENT_l1i_fill] <= of[EVENT_l1i_miss]);
    if (gpu->machine->dram.fixed) {
        assert_true(!of[EVENT_l2_fill] || of[EVENT_dram_read]);
        return;
    }
    assert_int_equal(of[EVENT_dram_read], reads);
    assert_int_equal(of[EVENT_dram_write], writes);
    assert_int_equal(of[EVENT_dram_activate], rows);
    assert_true(of[EVENT_dram_precharge] <= rows);
}

static struct kept_events watch(const struct machine *machine, const struct timed_source *source,
                                uint32_t threads, uint32_t span)
{
    struct kept_events events = {0};
    const struct event_watch watch = {kept_events_put, &events};
    const struct gpu_options options = {.threads = threads, .span = span, .events = &watch};
    struct gpu_counts counts;
    struct gpu *gpu;
    struct gpu_totals totals;
    assert_int_equal(gpu_open(machine, &source->base, &options, NULL, &gpu), STATUS_OK);
    assert_int_equal(gpu_advance(gpu, UINT64_MAX), STATUS_OK);
    assert_int_equal(gpu_read(gpu, &counts, &totals), STATUS_OK);
    expect_counts(gpu, &counts, &events);
    gpu_close(gpu);
    return events;
}

/* Memory runs to the end of the span in which a run ends, so only what comes before is the same. */
static void expect_equal(const struct kept_events *events, const struct kept_events *others)
{
    size_t end = 0;
    for (size_t i = 0; i < events->count; i++)
        if (events->items[i].kind == EVENT_launch_end)
            end = i + 1;
    assert_true(others->count >= end);
    assert_memory_equal(events->items, others->items, end * sizeof *events->items);
}

static void test_events_add_up_in_order(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(SEEDS); seed++) {
        struct dice dice = {.seed = seed + 700};
        struct machine machine;
        const bool pages = seed % 4 == 0;
        struct timed_source *source = timed_source_random(seed, pages ? &timed_wide : &timed_small);
        if (pages)
            roll_translating(&dice, source, &machine);
        else
            roll_fitting(&dice, source, 6, roll(&dice, 2), &machine);
        const struct kept_events events = watch(&machine, source, 1, 0);
        for (size_t i = 1; i < events.count; i++)
            assert_true(events.items[i].cycle >= events.items[i - 1].cycle);
        const struct kept_events threads = watch(&machine, source, 2, 0);
        assert_int_equal(threads.count, events.count);
        assert_memory_equal(threads.items, events.items, events.count * sizeof *events.items);
        const struct kept_events steps = watch(&machine, source, 1, 1);
        expect_equal(&events, &steps);
        free(events.items);
        free(threads.items);
        free(steps.items);
        trace_source_free(&source->base);
    }
}

/* A copy tells what its original would have told, and the original tells nothing of it. */
static void test_copies_tell_on_their_own(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(10); seed++) {
        struct dice dice = {.seed = seed + 900};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &timed_small);
        struct kept_events whole = {0}, rest = {0};
        const struct event_watch watches[2] = {{kept_events_put, &whole}, {kept_events_put, &rest}};
        const struct gpu_options options[2] = {{.threads = 1, .events = &watches[0]},
                                               {.threads = 1, .events = &watches[1]}};
        struct gpu *gpu, *copy;
        roll_fitting(&dice, source, 6, roll(&dice, 2), &machine);
        assert_int_equal(gpu_open(&machine, &source->base, &options[0], NULL, &gpu), STATUS_OK);
        assert_int_equal(gpu_advance(gpu, 200), STATUS_OK);
        const size_t before = whole.count;
        assert_int_equal(gpu_copy(gpu, &options[1], &copy), STATUS_OK);
        assert_int_equal(gpu_advance(gpu, UINT64_MAX), STATUS_OK);
        gpu_close(gpu);
        assert_int_equal(rest.count, 0);
        assert_int_equal(gpu_advance(copy, UINT64_MAX), STATUS_OK);
        gpu_close(copy);
        assert_int_equal(rest.count, whole.count - before);
        assert_memory_equal(rest.items, whole.items + before, rest.count * sizeof *rest.items);
        free(whole.items);
        free(rest.items);
        trace_source_free(&source->base);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_events_add_up_in_order),
                                       cmocka_unit_test(test_copies_tell_on_their_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
