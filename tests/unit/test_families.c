/* Every replacement policy and every set index function through everything that is faster than one
 * cache after the other: sweeps, whose points share passes and grids, bounds, and logs. A fact in
 * a member's row that is wrong shows here, whoever reads it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/live/live_answers.h"
#include "explore/sweep/sweep.h"
#include "model/evaluate.h"
#include "schema/parameters.h"
#include "support/list_source.h"
#include "support/pick_members.h"
#include "support/study_builder.h"
#include "support/sweep_twin.h"

enum { NAMES = 400, STUDY = 4096 };

/* Those without any of these traits. */
static const char *policies(unsigned without, char text[NAMES])
{
    size_t used = 0;
    for (int i = 0; i < REPLACEMENT_COUNT; i++)
        if (!(replacement_facts[i].traits & without))
            used += (size_t)snprintf(text + used, NAMES - used, "%s%s", used ? ", " : "",
                                     replacement_facts[i].name);
    return text;
}

static const char *indices(char text[NAMES])
{
    size_t used = 0;
    for (int i = 0; i < INDEX_COUNT; i++)
        used += (size_t)snprintf(text + used, NAMES - used, "%s%s", used ? ", " : "",
                                 index_facts[i].name);
    return text;
}

enum kind { OF_L1D, OF_TLB, OF_L2 };

/* A study of all members in one structure, with nothing behind it. */
static void members_study(enum kind kind, const char *ends, struct study *study)
{
    static const char l1d[] =
        "set: {gpu.sms: 2, l2.enabled: no, tlb.enabled: no, l1d.write: write_back,\n"
        "  l1d.write_allocate: write_allocate}\n"
        "axes: {l1d.replacement: [%s], l1d.index: [%s], l1d.ways: [1, 2, 4],\n"
        "  l1d.size: [2KiB, 8KiB, 18KiB], l1d.sector: [32B, 128B]}\n";
    static const char l2[] =
        "set: {gpu.sms: 2, l1d.size: 1KiB, l1d.ways: 8, l1d.index: linear, l2.slices: 2,\n"
        "  l2.slices_per_channel: 1, tlb.enabled: no}\n"
        "axes: {l2.replacement: [%s], l2.index: [%s], l2.ways: [1, 2, 4],\n"
        "  l2.size: [4KiB, 16KiB, 32KiB]}\n";
    static const char tlb[] =
        "set: {gpu.sms: 2, l1d.enabled: no, l2.enabled: no, pwc.organization: none}\n"
        "axes: {tlb.replacement: [%s], tlb.entries: [4, 8], tlb.ways: [1, 2, 4, full]}\n";
    char text[STUDY], policy[NAMES], index[NAMES];
    size_t used =
        (size_t)snprintf(text, sizeof text, "machine: gtx480\nworkloads: ['ATAX:n=96']\n%s", ends);
    policies(REPLACEMENT_FUTURE | (kind == OF_TLB ? REPLACEMENT_READS_PC : 0), policy);
    indices(index);
    if (kind == OF_TLB)
        snprintf(text + used, sizeof text - used, tlb, policy);
    else
        snprintf(text + used, sizeof text - used, kind == OF_L1D ? l1d : l2, policy, index);
    study_from_text(text, study);
}

static void a_point_of_a_sweep_is_an_evaluation(void **state)
{
    (void)state;
    static const struct {
        enum kind kind;
        unsigned needs;
        const char *metrics;
    } cases[] = {
        {OF_L1D, 0, "metrics: [l1d.accesses, l1d.misses, l1d.miss_rate]\n"},
        {OF_L1D, 0, "metrics: [l1d.misses, l1d.writebacks, l1d.read_bytes, l1d.bits]\n"},
        {OF_TLB, 0, "metrics: [tlb.misses, tlb.bits]\n"},
        {OF_L2, 0, "metrics: [l2.misses, l2.accesses]\n"},
        {OF_L2, 0, "metrics: [l2.misses, l2.read_bytes, l2.writebacks]\n"},
        {OF_L2, NEED_CLASSES(STAGE_L2), "metrics: [l2.misses, l2.miss.conflict]\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct study study;
        members_study(cases[i].kind, cases[i].metrics, &study);
        check_rows(&study, scratch_store(), &(struct evaluate_options){.needs = cases[i].needs});
        study_free(&study);
    }
}

static void no_point_beats_its_bound(void **state)
{
    (void)state;
    static const char *const missed[] = {
        [OF_L1D] = "l1d.misses", [OF_TLB] = "tlb.misses", [OF_L2] = "l2.misses"};
    for (enum kind kind = OF_L1D; kind <= OF_L2; kind++) {
        struct study study;
        struct sweep_progress progress;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        char ends[200];
        snprintf(ends, sizeof ends,
                 "objectives: [%s, total.area]\n"
                 "search: {exhaustive: {prune: yes, verify_bounds: yes}}\n",
                 missed[kind]);
        members_study(kind, ends, &study);
        const struct sweep_options options = {.store = scratch_store(), .threads = 2};
        assert_int_equal(sweep_run(&study, &options, &progress, &diagnostics), STATUS_OK);
        assert_true(diagnostics_mention(&diagnostics, "0 values better than their bounds"));
        diagnostics_free(&diagnostics);
        study_free(&study);
    }
}

/* A machine whose caches are all of one policy and one index function. */
static struct machine member_machine(int policy, int index, uint64_t seed)
{
    struct machine machine;
    struct violation violations[VIOLATION_MAX];
    machine_defaults(&machine);
    machine.gpu.sms = 2;
    machine.l1d.replacement = machine.l2.replacement = policy;
    const bool reads_pc = replacement_facts[policy].traits & REPLACEMENT_READS_PC;
    machine.tlb.replacement = machine.l2tlb.replacement = reads_pc ? REPLACEMENT_LRU : policy;
    machine.l1d.index = machine.l2.index = index;
    machine.l1d.write = (int)(random_at(seed, 0) % (WRITE_LOCAL_BACK + 1));
    machine.l1d.write_allocate = (int)(random_at(seed, 1) % (WRITE_ALLOCATE_LAZY + 1));
    machine.l1d.sector = UINT64_C(32) << random_at(seed, 2) % 3;
    machine.l1d.ways = fit_ways(policy, 1 + random_at(seed, 3) % 6);
    machine.l1d.size = fit_sets(index, 12) * machine.l1d.ways * machine.l1d.line;
    machine.l2.slices = 2;
    machine.l2.ways = fit_ways(policy, 1 + random_at(seed, 4) % 6);
    machine.l2.size = 2 * fit_sets(index, 24) * machine.l2.ways * machine.l2.line;
    machine.tlb.entries = machine.tlb.ways = fit_ways(policy, 2 + random_at(seed, 5) % 7);
    machine.l2tlb.enabled = (int)(random_at(seed, 6) & 1);
    machine.l2tlb.ways = fit_ways(policy, 6);
    machine.l2tlb.entries = 2 * machine.l2tlb.ways;
    assert_int_equal(machine_check(&machine, violations), 0);
    return machine;
}

static void answers_from_memory_are_evaluations(void **state)
{
    (void)state;
    const struct evaluate_options options = {.needs = NEED_REPORT};
    for (int policy = 0; policy < REPLACEMENT_COUNT; policy++)
        for (int index = 0; index < INDEX_COUNT; index++) {
            const uint64_t seed = (uint64_t)(policy * INDEX_COUNT + index);
            if (replacement_facts[policy].traits & REPLACEMENT_FUTURE)
                continue;
            struct list_source *source = list_source_random(seed, 3, 9, 60, 400);
            struct live_answers *memory;
            assert_int_equal(live_answers_create(2, 0, &memory), STATUS_OK);
            for (uint64_t i = 0; i < 4; i++) {
                const struct machine machine = member_machine(policy, index, seed * 4 + i);
                struct metrics found, expected;
                assert_int_equal(
                    live_answers_evaluate(memory, &machine, &source->base, &options, &found, NULL),
                    STATUS_OK);
                assert_int_equal(evaluate(&machine, &source->base, &options, &expected, NULL),
                                 STATUS_OK);
                for (size_t m = 0; m < METRIC_COUNT; m++) {
                    double a = metric_get(&metric_table[m], &found);
                    double b = metric_get(&metric_table[m], &expected);
                    if (a != b && !(isnan(a) && isnan(b)))
                        fail_msg("%s with %s and %s: %.17g from memory, %.17g evaluated",
                                 metric_table[m].path, replacement_facts[policy].name,
                                 index_facts[index].name, a, b);
                }
            }
            live_answers_free(memory);
            trace_source_free(&source->base);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_of_a_sweep_is_an_evaluation),
        cmocka_unit_test(no_point_beats_its_bound),
        cmocka_unit_test(answers_from_memory_are_evaluations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
