/* Budgets of studies: solved by trying every value, and what becomes of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config/study_file.h"
#include "explore/space/budget.h"
#include "explore/space/legality.h"
#include "explore/space/space.h"
#include "model/area/area.h"
#include "support/study_builder.h"

static const char organizations[] = "machine: cpwc-gtx480\n"
                                    "workloads: [GEMM]\n"
                                    "axes: {pwc.organization: [tpc, stc, uptc, cpwc]}\n"
                                    "equal: {metric: pwc.bits, at_most: 5280, solve: pwc.entries}\n"
                                    "objectives: [walk.memory_accesses]\n";

static void solve(const char *text, struct study *study)
{
    study_from_text(text, study);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = budgets_solve(study, &diagnostics);
    diagnostics_print(&diagnostics, stderr);
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(study->budget_count, 0);
}

static struct census count_machines(const struct study *study, struct space *space)
{
    struct census census;
    assert_int_equal(space_open(study, space, NULL), STATUS_OK);
    assert_int_equal(space_census(space, &census, NULL), STATUS_OK);
    return census;
}

static void organizations_at_equal_bits(void **state)
{
    (void)state;
    static const uint64_t entries[PWC_COUNT] = {
        [PWC_TPC] = 24, [PWC_STC] = 52, [PWC_UPTC] = 41, [PWC_CPWC] = 62};
    struct study study;
    struct space space;
    solve(organizations, &study);
    assert_int_equal(study.axis_count, 2);
    assert_string_equal(study.axes[1].parameter->path, "pwc.entries");
    struct census census = count_machines(&study, &space);
    assert_int_equal(census.legal, 4);
    for (uint64_t m = 0; m < space.machines; m++) {
        struct machine machine;
        space_machine(&space, m, &machine);
        assert_int_equal(bit_test(census.bitmap, m),
                         machine.pwc.entries == entries[machine.pwc.organization]);
    }
    census_free(&census);
    study_free(&study);
}

/* Every machine of the solved space holds the largest value, as trying them all finds it; and each
 * combination that has one is there. */
static void solutions_are_the_largest(void **state)
{
    (void)state;
    static const char text[] =
        "machine: cpwc-gtx480\n"
        "set: {pwc.mask: blocks}\n"
        "workloads: [GEMM]\n"
        "axes:\n"
        "  l1d.size: [16KiB, 17KiB, 32KiB]\n" /* one is illegal, none bears on the metric */
        "  pwc.organization: all\n"
        "  pwc.l4_entries: [2, 3, 8]\n"
        "  pwc.block_entries: [1, 7, 8, 100]\n"
        "equal: {metric: pwc.bits, at_most: 6000, solve: pwc.entries}\n"
        "objectives: [walk.memory_accesses]\n";
    const struct parameter *entries = parameter_find("pwc.entries");
    struct study study;
    struct space space;
    solve(text, &study);
    struct census census = count_machines(&study, &space);
    uint64_t axis = study.axes[study.axis_count - 1].count, found = 0;
    for (uint64_t m = 0; m < space.machines; m++) {
        struct machine machine;
        struct violation violations[VIOLATION_MAX];
        uint64_t best = 0, own;
        space_machine(&space, m, &machine);
        own = machine.pwc.entries;
        for (uint64_t value = 1; value <= 200; value++) {
            struct metrics metrics;
            metrics_clear(&metrics);
            parameter_set(entries, &machine, (struct value){.uint = value});
            if (machine_check(&machine, violations))
                continue;
            area_evaluate(&machine, &metrics);
            best = metrics.pwc_bits <= 6000 ? value : best;
        }
        assert_int_equal(bit_test(census.bitmap, m), best && own == best);
        found += best != 0 && m % axis == 0;
    }
    assert_true(found > 10);
    assert_int_equal(census.legal, found);
    census_free(&census);
    study_free(&study);
}

/* A machine exists if it is legal and within the budget, whether all are counted or one is tested.
 */
static void areas_decide_which_machines_exist(void **state)
{
    (void)state;
    static const char text[] =
        "machine: gtx480\n"
        "workloads: [GEMM]\n"
        "axes:\n"
        "  l1d.size: [16KiB, 17KiB, 32KiB, 64KiB]\n"
        "  scheduler.policy: [gto, lrr]\n"
        "  l2.size: [384KiB, 768KiB, 1536KiB]\n"
        "  walker.count: [1, 64]\n"
        "  tech.node: [40nm, 22nm]\n"
        "where: [total.area <= 4mm2 and pwc.bits < 6000, l2.area > l1d.area or l1d.ways = 99]\n"
        "objectives: [l1d.miss_rate]\n";
    struct study study;
    struct space space;
    struct legality *legality;
    study_from_text(text, &study);
    struct census census = count_machines(&study, &space);
    assert_int_equal(legality_create(&space, NULL, &legality, NULL), STATUS_OK);
    for (uint64_t m = 0; m < space.machines; m++) {
        struct machine machine;
        struct violation violations[VIOLATION_MAX];
        struct metrics metrics;
        bool exists = false, legal;
        space_machine(&space, m, &machine);
        if (!machine_check(&machine, violations)) {
            metrics_clear(&metrics);
            area_evaluate(&machine, &metrics);
            exists = metrics.total_area <= 4 && metrics.pwc_bits < 6000 &&
                     metrics.l2_area > metrics.l1d_area;
        }
        assert_int_equal(legality_test(legality, m, &legal, NULL), STATUS_OK);
        assert_int_equal(bit_test(census.bitmap, m), exists);
        assert_int_equal(legal, exists);
    }
    assert_in_range(census.legal, 10, space.machines - 10);
    legality_free(legality);
    census_free(&census);
    study_free(&study);
}

/* As many entries as fit the area of a TPC of 24 paths. */
static void organizations_at_equal_area(void **state)
{
    (void)state;
    struct study study;
    struct space space;
    solve("machine: cpwc-gtx480\n"
          "workloads: [GEMM]\n"
          "axes: {pwc.organization: [tpc, stc, uptc, cpwc]}\n"
          "equal: {metric: pwc.area, at_most: 0.0182mm2, solve: pwc.entries}\n"
          "objectives: [walk.memory_accesses]\n",
          &study);
    struct census census = count_machines(&study, &space);
    assert_int_equal(census.legal, 4);
    for (uint64_t m = 0; m < space.machines; m++) {
        struct machine machine;
        struct metrics at, above;
        space_machine(&space, m, &machine);
        if (!bit_test(census.bitmap, m))
            continue;
        metrics_clear(&at);
        metrics_clear(&above);
        area_evaluate(&machine, &at);
        machine.pwc.entries++;
        area_evaluate(&machine, &above);
        assert_true(at.pwc_area <= 0.0182 && above.pwc_area > 0.0182);
    }
    census_free(&census);
    study_free(&study);
}

static void one_value_for_all_needs_no_condition(void **state)
{
    (void)state;
    static const char text[] = "machine: gtx480\n"
                               "workloads: [GEMM]\n"
                               "axes: {l1d.index: [linear, xor]}\n"
                               "equal:\n"
                               "  - {metric: total.area, at_most: 5mm2, solve: l1d.size}\n"
                               "  - {metric: pwc.bits, at_most: 1Kbit, solve: pwc.entries}\n"
                               "objectives: [l1d.miss_rate]\n";
    struct study study;
    solve(text, &study);
    assert_int_equal(study.axis_count, 3);
    assert_int_equal(study.where_count, 0);
    assert_int_equal(study.axes[1].count, 1);
    assert_int_equal(study.axes[2].values[0].uint, 4);
    study_free(&study);
}

/* The file that a store keeps is the solved study; one that was not solved keeps its budgets. */
static void budgets_are_written_and_read(void **state)
{
    (void)state;
    struct study study, again, copy;
    char *yaml;
    study_from_text(organizations, &study);
    assert_int_equal(study_to_yaml(&study, &yaml), STATUS_OK);
    study_from_text(yaml, &again);
    free(yaml);
    assert_int_equal(study_copy(&again, &copy), STATUS_OK);
    assert_int_equal(copy.budget_count, 1);
    assert_ptr_equal(copy.budgets[0].metric, study.budgets[0].metric);
    assert_ptr_equal(copy.budgets[0].parameter, study.budgets[0].parameter);
    assert_true(copy.budgets[0].limit == 5280);
    study_free(&again);
    study_free(&copy);
    assert_int_equal(budgets_solve(&study, NULL), STATUS_OK);
    assert_int_equal(study_to_yaml(&study, &yaml), STATUS_OK);
    study_from_text(yaml, &again);
    assert_int_equal(again.budget_count, 0);
    assert_int_equal(again.axis_count, 2);
    assert_int_equal(again.where_count, study.where_count);
    assert_string_equal(again.where[0].text, study.where[0].text);
    free(yaml);
    study_free(&again);
    study_free(&study);
}

static void refuse(const char *axes, const char *equal, const char *why)
{
    char text[600];
    struct study study;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    snprintf(text, sizeof text,
             "machine: cpwc-gtx480\nworkloads: [GEMM]\naxes: %s\nequal: %s\n"
             "objectives: [walk.memory_accesses]\n",
             axes, equal);
    study_from_text(text, &study);
    assert_int_equal(budgets_solve(&study, &diagnostics), STATUS_INVALID);
    if (!diagnostics_mention(&diagnostics, why))
        fail_msg("no \"%s\" among the errors", why);
    assert_int_equal(diagnostics.items[0].line, 4);
    diagnostics_free(&diagnostics);
    study_free(&study);
}

static void what_cannot_be_solved_is_said(void **state)
{
    (void)state;
    refuse("{}", "{metric: tlb.misses, at_most: 5, solve: pwc.entries}", "needs a stream");
    refuse("{}", "{metric: pwc.bits, at_most: 5280, solve: pwc.organization}", "not a number");
    refuse("{}", "{metric: pwc.bits, at_most: 5280, solve: l1d.size}", "does not depend on");
    refuse("{pwc.entries: [4, 8]}", "{metric: pwc.bits, at_most: 5280, solve: pwc.entries}",
           "is an axis");
    refuse("{}", "{metric: pwc.bits, at_most: 500, solve: pwc.entries}", "no legal value");
    refuse("{}", "{metric: l1d.bits, at_most: 500, solve: seed}", "does not depend on");
    refuse("{pwc.l4_entries: {from: 1, to: 512}, pwc.l3_entries: {from: 1, to: 64}}",
           "{metric: pwc.bits, at_most: 5280, solve: pwc.entries}", "combinations");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(organizations_at_equal_bits),
        cmocka_unit_test(solutions_are_the_largest),
        cmocka_unit_test(areas_decide_which_machines_exist),
        cmocka_unit_test(organizations_at_equal_area),
        cmocka_unit_test(one_value_for_all_needs_no_condition),
        cmocka_unit_test(budgets_are_written_and_read),
        cmocka_unit_test(what_cannot_be_solved_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
