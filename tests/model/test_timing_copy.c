/* Copies of timed runs: a run that was copied at any point, and its copies, go on as if nothing had
 * happened, in any order and on any number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "model/timing/base/timing_log.h"
#include "model/timing/gpu_parts.h"
#include "model/translation/pwc_member.h"
#include "schema/stages.h"
#include "support/gpu_trial.h"
#include "support/sanitized.h"

/* SPAN_LONGEST: no span that ends after a cycle ends so many cycles after it. */
enum { SEEDS = 150, RUNS = 3, SPAN_LONGEST = 300 };

/* A run, and what it asks for: counts by instruction and by warp where `views`. */
struct copied_run {
    struct gpu *gpu;
    struct gpu_options options;
    struct pc_table pcs;
    struct timing_warps warps;
    struct gpu_trial result;
};

static void set_options(struct copied_run *run, uint32_t threads, bool views, unsigned classified)
{
    *run = (struct copied_run){.options = {.threads = threads, .classified = classified}};
    run->options.pcs = views ? &run->pcs : NULL;
    run->options.warps = views ? &run->warps : NULL;
}

static void end(struct copied_run *run)
{
    assert_int_equal(gpu_read(run->gpu, &run->result.counts, &run->result.totals), STATUS_OK);
    gpu_close(run->gpu);
    run->gpu = NULL;
}

static void forget(struct copied_run *run)
{
    pc_table_free(&run->pcs);
    free(run->warps.items);
}

/* The copy begins with what the original's views have so far. */
static void copy(const struct copied_run *run, struct copied_run *made)
{
    assert_int_equal(gpu_copy(run->gpu, &made->options, &made->gpu), STATUS_OK);
    assert_true(gpu_hash(made->gpu) == gpu_hash(run->gpu));
    assert_int_equal(pc_table_add(&made->pcs, &run->pcs), STATUS_OK);
    for (size_t i = 0; i < run->warps.count; i++) {
        struct timing_warps *to = &made->warps;
        assert_int_equal(array_reserve(&to->items, &to->capacity, to->count + 1), STATUS_OK);
        to->items[to->count++] = run->warps.items[i];
    }
}

static void expect_equal(const struct copied_run *run, const struct copied_run *whole)
{
    assert_memory_equal(&run->result, &whole->result, sizeof run->result);
    assert_int_equal(run->pcs.count, whole->pcs.count);
    for (size_t i = 0; i < run->pcs.count; i++) {
        assert_int_equal(run->pcs.items[i].accesses, whole->pcs.items[i].accesses);
        assert_int_equal(run->pcs.items[i].misses, whole->pcs.items[i].misses);
        assert_int_equal(run->pcs.items[i].load_cycles, whole->pcs.items[i].load_cycles);
        assert_int_equal(run->pcs.items[i].stalls, whole->pcs.items[i].stalls);
    }
    assert_int_equal(run->warps.count, whole->warps.count);
    for (size_t i = 0; i < run->warps.count; i++) {
        assert_int_equal(run->warps.items[i].block, whole->warps.items[i].block);
        assert_int_equal(run->warps.items[i].end, whole->warps.items[i].end);
        assert_int_equal(run->warps.items[i].fetching, whole->warps.items[i].fetching);
        assert_int_equal(run->warps.items[i].load_cycles, whole->warps.items[i].load_cycles);
    }
}

/* A run and its copy go on by some cycles, on which they agree. */
static void expect_same_way(struct dice *dice, const struct copied_run *run,
                            const struct copied_run *made, uint64_t from)
{
    const uint64_t before = gpu_hash(run->gpu), to = from + SPAN_LONGEST + roll(dice, 300);
    const bool ended = gpu_ended(run->gpu);
    assert_int_equal(gpu_advance(run->gpu, to), STATUS_OK);
    assert_true(gpu_hash(made->gpu) == before); /* the copy has not moved */
    assert_true(ended || gpu_hash(run->gpu) != before);
    assert_int_equal(gpu_advance(made->gpu, to), STATUS_OK);
    assert_true(gpu_hash(made->gpu) == gpu_hash(run->gpu));
}

/* All go on in turn, each a random part of its way, and are closed as they end. */
static void go_on(struct dice *dice, struct copied_run runs[RUNS], const struct copied_run *whole)
{
    uint64_t to[RUNS] = {0};
    for (unsigned left = RUNS; left;) {
        const unsigned i = (unsigned)roll(dice, RUNS);
        if (!runs[i].gpu)
            continue;
        const uint64_t most = whole->result.counts.cycles / 2 + 1;
        to[i] = roll(dice, 3) ? to[i] + roll(dice, most) : UINT64_MAX / 2;
        assert_int_equal(gpu_advance(runs[i].gpu, to[i]), STATUS_OK);
        if (!gpu_ended(runs[i].gpu))
            continue;
        end(&runs[i]);
        expect_equal(&runs[i], whole);
        left--;
    }
}

static void begin(const struct machine *machine, const struct timed_source *source,
                  struct copied_run *run)
{
    assert_int_equal(gpu_open(machine, &source->base, &run->options, NULL, &run->gpu), STATUS_OK);
}

/* Copies a run at a random cycle, and the copy at a later one. */
static void check_copies(struct dice *dice, const struct machine *machine,
                         const struct timed_source *source)
{
    const bool views = roll(dice, 2);
    const unsigned classified = roll(dice, 2) ? STAGE_L1D | STAGE_L2 : 0;
    struct copied_run whole, runs[RUNS];
    set_options(&whole, 1, views, classified);
    begin(machine, source, &whole);
    assert_int_equal(gpu_advance(whole.gpu, UINT64_MAX), STATUS_OK);
    end(&whole);
    for (unsigned i = 0; i < RUNS; i++)
        set_options(&runs[i], 1 + i % 2, views, classified);
    begin(machine, source, &runs[0]);
    uint64_t cycle = 0;
    for (unsigned i = 1; i < RUNS; i++) {
        cycle += roll(dice, whole.result.counts.cycles / 2 + 1);
        assert_int_equal(gpu_advance(runs[i - 1].gpu, cycle), STATUS_OK);
        copy(&runs[i - 1], &runs[i]);
        expect_same_way(dice, &runs[i - 1], &runs[i], cycle);
        cycle += SPAN_LONGEST + 300;
    }
    go_on(dice, runs, &whole);
    for (unsigned i = 0; i < RUNS; i++)
        forget(&runs[i]);
    forget(&whole);
}

static void test_copies_go_on(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(SEEDS); seed++) {
        struct dice dice = {.seed = seed + 5000};
        struct machine machine;
        const bool pages = seed % 3 == 0;
        struct timed_source *source = timed_source_random(seed, pages ? &timed_wide : &timed_small);
        if (pages)
            roll_translating(&dice, source, &machine);
        else
            roll_fitting(&dice, source, 6, roll(&dice, 2), &machine);
        check_copies(&dice, &machine, source);
        trace_source_free(&source->base);
    }
}

/* ---- hashes ---- */

static void expect_seen32(const struct gpu *gpu, uint32_t *number)
{
    const uint64_t before = gpu_hash(gpu);
    ++*number;
    assert_true(gpu_hash(gpu) != before);
    --*number;
    assert_true(gpu_hash(gpu) == before);
}

static void expect_seen(const struct gpu *gpu, uint64_t *number)
{
    const uint64_t before = gpu_hash(gpu);
    ++*number;
    assert_true(gpu_hash(gpu) != before);
    --*number;
    assert_true(gpu_hash(gpu) == before);
}

/* Requests that wait for their data; returns how many there are. */
static uint32_t expect_targets_seen(const struct gpu *gpu, const struct cache_unit *unit)
{
    uint32_t found = 0;
    for (uint32_t i = 0; unit->mshrs_used && i <= unit->head_mask; i++)
        for (uint32_t at = unit->heads[i]; at != UINT32_MAX; at = unit->mshrs[at].next) {
            struct mshr *mshr = &unit->mshrs[at];
            expect_seen32(gpu, &mshr->parts);
            for (uint32_t w = mshr->first; w != UINT32_MAX; w = unit->targets[w].next, found++)
                expect_seen(gpu, &unit->targets[w].joined);
        }
    return found;
}

static uint32_t expect_parts_seen(const struct gpu *gpu)
{
    struct sm *sm = &gpu->sms[0];
    struct dram *dram = &gpu->channels[0].dram;
    expect_seen32(gpu, &sm->schedulers[0].last);
    expect_seen(gpu, &sm->schedulers[0].state[0]);
    expect_seen32(gpu, &sm->collect.from[0][0]);
    expect_seen(gpu, &sm->collect.ready);
    expect_seen(gpu, &sm->execute.units[PIPE_SP][0].free_at);
    expect_seen(gpu, &sm->load_store.units_free);
    expect_seen(gpu, &dram->banks[0].activate);
    expect_seen32(gpu, &gpu->requests.next[0]);
    uint32_t found = expect_targets_seen(gpu, &sm->load_store.l1d);
    for (uint32_t i = 0; i < gpu->channels[0].slice_count; i++)
        found += expect_targets_seen(gpu, &gpu->channels[0].slices[i].cache);
    return found;
}

static void expect_byte_seen(const struct gpu *gpu, void *at)
{
    unsigned char *byte = at;
    const uint64_t before = gpu_hash(gpu);
    *byte ^= 1;
    assert_true(gpu_hash(gpu) != before);
    *byte ^= 1;
    assert_true(gpu_hash(gpu) == before);
}

/* How many machines had what learns: a policy of replacement with state of its sets and of all, one
 * of bypass, a page-walk cache. */
struct learners {
    uint32_t sets, shared, bypass, pwc;
};

static void expect_learning_seen(const struct gpu *gpu, struct learners *found)
{
    const struct cache_unit *l1d = &gpu->sms[0].load_store.l1d;
    if (l1d->policy && l1d->state_bytes) {
        expect_byte_seen(gpu, l1d->states);
        found->sets++;
    }
    if (l1d->shared) {
        expect_byte_seen(gpu, l1d->shared);
        found->shared++;
    }
    if (l1d->bypass) {
        struct bypass *bypass = l1d->bypass;
        expect_seen32(gpu, &bypass->lines[0].hits);
        expect_seen(gpu, &bypass->wake);
        if (bypass->kind->size > sizeof *bypass && !bypass->kind->mix) { /* a number of its own */
            expect_byte_seen(gpu, (char *)bypass + bypass->kind->size - sizeof(uint64_t));
            found->bypass++;
        }
    }
    struct pwc *pwc = gpu->mmu.pwc;
    for (uint32_t i = 0; pwc && i < pwc->arrays.count; i++) {
        unsigned char *items;
        memcpy(&items, (char *)&pwc->arrays + pwc->arrays.items[i].place, sizeof items);
        expect_byte_seen(gpu, items);
        found->pwc++;
    }
}

static void test_hashes_see_what_decides_the_future(void **state)
{
    uint32_t targets = 0;
    struct learners learners = {0};
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(20); seed++) {
        struct dice dice = {.seed = seed + 9000};
        struct machine machine;
        const bool pages = seed % 4 == 0;
        struct timed_source *source = timed_source_random(seed, pages ? &timed_wide : &timed_small);
        if (pages)
            roll_translating(&dice, source, &machine);
        else
            roll_fitting(&dice, source, 6, roll(&dice, 2), &machine);
        struct copied_run run;
        set_options(&run, 1, false, 0);
        begin(&machine, source, &run);
        for (uint64_t cycle = 100; !gpu_ended(run.gpu) && cycle < 1000; cycle += 100) {
            assert_int_equal(gpu_advance(run.gpu, cycle), STATUS_OK);
            targets += expect_parts_seen(run.gpu);
            expect_learning_seen(run.gpu, &learners);
        }
        gpu_close(run.gpu);
        trace_source_free(&source->base);
    }
    assert_true(targets > 0);
    assert_true(learners.sets && learners.shared && learners.bypass && learners.pwc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_copies_go_on),
                                       cmocka_unit_test(test_hashes_see_what_decides_the_future)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
