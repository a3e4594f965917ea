/* The reproduction of the bypass paper: its settings are machines, its orders are ours, its loads
 * are in the programs, and the table of policies has every policy. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explore/papers/bypass_orders.h"
#include "report/experiments/bypass_figures.h"
#include "report/experiments/bypass_numbers.h"
#include "report/experiments/bypass_report.h"
#include "workload/workload.h"

/* The machines of every change break no rule. */
static void settings_are_machines(void **state)
{
    (void)state;
    const size_t count = bypass_change_count();
    for (size_t i = 0; i < 2 * count * BYPASS_PAPER_PROGRAMS; i++) {
        const size_t change = i / 2 % count, program = i / 2 / count;
        char sets[BYPASS_SETS];
        struct machine machine;
        bypass_pair_sets(change, (enum bypass_machine)(i % 2), program, sets);
        assert_true(strlen(sets) < BYPASS_SETS - 1);
        assert_int_equal(paper_machine("bypass-gtx480", sets, &machine, NULL), STATUS_OK);
        assert_int_equal(paper_machine_check("bypass-gtx480", sets, &machine, NULL), STATUS_OK);
    }
}

/* No two changes are the same experiment. */
static void changes_differ(void **state)
{
    (void)state;
    for (size_t i = 0; i < bypass_change_count(); i++)
        for (size_t k = 0; k < i; k++) {
            char one[BYPASS_MACHINES][BYPASS_SETS], other[BYPASS_MACHINES][BYPASS_SETS];
            for (int m = 0; m < BYPASS_MACHINES; m++) {
                bypass_pair_sets(i, (enum bypass_machine)m, BYPASS_3D, one[m]);
                bypass_pair_sets(k, (enum bypass_machine)m, BYPASS_3D, other[m]);
            }
            assert_true(strcmp(one[0], other[0]) != 0 || strcmp(one[1], other[1]) != 0 ||
                        bypass_changes[i].code != bypass_changes[k].code);
            assert_string_not_equal(bypass_changes[i].name, bypass_changes[k].name);
        }
}

static void workloads_open(void **state)
{
    (void)state;
    for (size_t i = 0; i < BYPASS_PROGRAMS; i++)
        for (int slice = BYPASS_SLICE; slice < BYPASS_FULL; slice++) {
            char *text = bypass_workload(&bypass_subjects[i], (enum bypass_slice)slice,
                                         (enum bypass_code)slice);
            struct trace_source *source;
            assert_int_equal(workload_open(text, &source, NULL), STATUS_OK);
            trace_source_free(source);
            free(text);
        }
    assert_null(bypass_subjects[BYPASS_PROGRAMS].name);
}

static void orders_are_the_papers(void **state)
{
    (void)state;
    for (size_t i = 0; i < BYPASS_ORDER_CASES; i++) {
        uint8_t order[ORDER_WARPS];
        bypass_order_of(&bypass_order_cases[i], order);
        assert_memory_equal(order, bypass_order_cases[i].order, sizeof order);
    }
}

/* The pcs that the text names stand where its numbering of loads puts them. */
static void loads_of_the_paper(void **state)
{
    (void)state;
    static const struct {
        size_t program;
        unsigned load, pc;
        enum bypass_sign sign;
        bool bypassed;
    } named[] = {{BYPASS_3D, 1, 0x160, SIGN_NONE, true},   {BYPASS_3D, 3, 0x1d0, SIGN_FALLS, false},
                 {BYPASS_3D, 4, 0x1e8, SIGN_NONE, false},  {BYPASS_3D, 5, 0x200, SIGN_NONE, true},
                 {BYPASS_3D, 6, 0x218, SIGN_NONE, false},  {BYPASS_3D, 8, 0x248, SIGN_FALLS, false},
                 {BYPASS_3D, 10, 0x278, SIGN_NONE, true},  {BYPASS_3D, 11, 0x290, SIGN_NONE, true},
                 {BYPASS_2D, 2, 0x108, SIGN_FALLS, false}, {BYPASS_2D, 4, 0x138, SIGN_RISES, false},
                 {BYPASS_2D, 6, 0x168, SIGN_RISES, false}, {BYPASS_2D, 9, 0x1b0, SIGN_NONE, true}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        const struct bypass_paper_load load = bypass_paper_load(named[i].program, named[i].load);
        assert_int_equal(load.pc, named[i].pc);
        assert_int_equal(load.sign, named[i].sign);
        assert_int_equal(load.bypassed, named[i].bypassed);
    }
    assert_int_equal(bypass_load_count(BYPASS_2D), 9);
    assert_int_equal(bypass_load_count(BYPASS_3D), 11);
}

/* The vectors of the paper's threshold, (times, count). */
static void verdicts_in_sum(void **state)
{
    (void)state;
    static const unsigned keep[][2] = {{9, 1}, {99, 10}, {109, 11}, {50, 6}, {0, 0}};
    static const unsigned pass[][2] = {{10, 1}, {100, 10}, {1, 0}};
    for (size_t i = 0; i < sizeof keep / sizeof *keep; i++) {
        const struct pc_count load = {.evicted = keep[i][0], .rehits = keep[i][1]};
        assert_false(bypass_in_sum(&load, BYPASS_THRESHOLD_SAID));
    }
    for (size_t i = 0; i < sizeof pass / sizeof *pass; i++) {
        const struct pc_count load = {.evicted = pass[i][0], .rehits = pass[i][1]};
        assert_true(bypass_in_sum(&load, BYPASS_THRESHOLD_SAID));
    }
}

/* In PTX the loads stand at the pcs that the paper prints. */
static void loads_of_ptx(void **state)
{
    (void)state;
    for (size_t program = 0; program < BYPASS_PAPER_PROGRAMS; program++) {
        char *text = bypass_workload(&bypass_subjects[program], BYPASS_SMALL, BYPASS_SWAPPED);
        struct trace_source *source;
        unsigned load = 0;
        assert_int_equal(workload_open(text, &source, NULL), STATUS_OK);
        const struct trace_code *code = trace_launch_code(source, 0);
        for (uint32_t i = 0; i < code->count; i++) {
            if (!(code->items[i].flags & INSTRUCTION_LOAD))
                continue;
            const struct bypass_paper_load paper = bypass_paper_load(program, ++load);
            assert_true(!paper.pc || paper.pc == code->items[i].pc);
        }
        assert_int_equal(load, bypass_load_count(program));
        trace_source_free(source);
        free(text);
    }
}

/* The best set of loads is no worse than any policy that decides by load alone, and the empty one
 * is no bypass. */
static void bounds_bound(void **state)
{
    (void)state;
    struct bypass_study study;
    uint64_t loads;
    assert_int_equal(bypass_study_run(BYPASS_PART_BOUNDS | BYPASS_PART_POLICIES, false, "spmv", 2,
                                      NULL, &study, NULL),
                     STATUS_OK);
    const struct bypass_bounds *bounds = &study.bounds[0];
    const struct bypass_result *best = bypass_best_set(&study, 0, &loads);
    assert_int_equal(bounds->sets, 32);
    assert_non_null(best);
    assert_true(loads < bounds->sets);
    for (uint64_t i = 0; i < bounds->sets; i++)
        assert_true(bounds->tried[i].metrics.core_ipc <= best->metrics.core_ipc);
    assert_true(bounds->tried[0].metrics.core_cycles ==
                bypass_policy_at(&study, 0, 0, BYPASS_NEVER)->metrics.core_cycles);
    assert_true(bounds->tried[31].metrics.core_cycles ==
                bypass_policy_at(&study, 0, 0, BYPASS_ALWAYS)->metrics.core_cycles);
    assert_true(bounds->optimum.metrics.l1d_opt_bypass_miss_rate > 0);
    bypass_study_free(&study);
}

/* Every policy runs under every scheduler, on any number of threads with the same numbers; never
 * takes no bits. */
static void every_policy_runs(void **state)
{
    (void)state;
    const unsigned part = BYPASS_PART_POLICIES;
    struct bypass_study study, again;
    assert_int_equal(bypass_study_run(part, false, "spmv", 1, NULL, &study, NULL), STATUS_OK);
    assert_int_equal(bypass_study_run(part, false, "spmv", 2, NULL, &again, NULL), STATUS_OK);
    assert_int_equal(study.policies, BYPASS_COUNT);
    for (size_t i = 0; i < BYPASS_SCHEDULERS_TRIED; i++)
        for (size_t k = 0; k < study.policies; k++) {
            const struct bypass_result *one = bypass_policy_at(&study, 0, i, k);
            const struct bypass_result *two = bypass_policy_at(&again, 0, i, k);
            assert_int_equal(one->status, two->status);
            if (one->status)
                continue; /* a policy that wants another scheduler */
            assert_true(one->metrics.core_ipc > 0);
            assert_true(one->metrics.core_cycles == two->metrics.core_cycles);
            assert_true(one->metrics.l1d_fails == two->metrics.l1d_fails);
            assert_true(k != BYPASS_NEVER || one->metrics.l1d_bypass_bits == 0);
        }
    /* What was not run is not known. */
    assert_null(bypass_size_at(&study, 0, BYPASS_LRR, 0));
    assert_null(bypass_pair_at(&study, 0, BYPASS_PAPER, BYPASS_BASE));
    assert_false(bypass_of_paper(&study, 0));
    bypass_study_free(&study);
    bypass_study_free(&again);
}

/* Changes that leave the base as it is share its run; the rates are those of the run. */
static void pairs_share_their_base(void **state)
{
    (void)state;
    struct bypass_study study;
    assert_int_equal(bypass_study_run(BYPASS_PART_PAIRS, false, "2DCONV", 2, NULL, &study, NULL),
                     STATUS_OK);
    const struct bypass_result *base = bypass_pair_at(&study, 0, BYPASS_PAPER, BYPASS_BASE);
    assert_ptr_equal(bypass_pair_at(&study, 0, BYPASS_LRR_PAIR, BYPASS_BASE), base);
    assert_ptr_not_equal(bypass_pair_at(&study, 0, BYPASS_GTO_PAIR, BYPASS_BASE), base);
    const struct bypass_rates rates = bypass_rates_of(base);
    assert_true(rates.misses > 0 && rates.misses < rates.joined && rates.joined <= 1);
    uint64_t misses = 0;
    for (unsigned i = 1; i <= bypass_load_count(BYPASS_2D); i++) {
        const struct pc_count *load = bypass_load(base, i);
        assert_non_null(load);
        assert_true(i == 1 || load->pc > bypass_load(base, i - 1)->pc);
        misses += load->misses;
    }
    assert_null(bypass_load(base, bypass_load_count(BYPASS_2D) + 1));
    assert_true((double)misses == base->metrics.l1d_read_misses);
    const struct bypass_gain gain = bypass_gain_of(&study, 0, BYPASS_PAPER);
    assert_true(gain.ipc == gain.design.ipc / rates.ipc - 1);
    /* Rows that need what was not run cannot be compared. */
    struct paper_numbers numbers = {0};
    bypass_numbers(&study, &numbers);
    assert_true(numbers.count > 0);
    assert_int_equal(numbers.items[0].verdict, VERDICT_INCOMPARABLE);
    bypass_study_free(&study);
}

static void unknown_workload(void **state)
{
    (void)state;
    struct bypass_study study;
    struct diagnostics found = DIAGNOSTICS_INIT;
    assert_int_equal(bypass_study_run(BYPASS_PART_SIZES, false, "2DCONF", 1, NULL, &study, &found),
                     STATUS_NOT_FOUND);
    assert_non_null(strstr(found.items[0].message, "2DCONV"));
    diagnostics_free(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_machines), cmocka_unit_test(changes_differ),
        cmocka_unit_test(workloads_open),        cmocka_unit_test(orders_are_the_papers),
        cmocka_unit_test(loads_of_the_paper),    cmocka_unit_test(verdicts_in_sum),
        cmocka_unit_test(loads_of_ptx),          cmocka_unit_test(bounds_bound),
        cmocka_unit_test(every_policy_runs),     cmocka_unit_test(pairs_share_their_base),
        cmocka_unit_test(unknown_workload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
