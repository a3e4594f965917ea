#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explore/space/projection.h"
#include "explore/space/space.h"
#include "support/study_builder.h"

static const char text[] = "machine: gtx480\n"
                           "set: {tlb.ways: 16}\n"
                           "workloads: [GEMM, ATAX]\n"
                           "axes:\n"
                           "  l1d.size: [8KiB, 16KiB, 24KiB, 48KiB]\n"
                           "  l1d.ways: [1, 2, 3, 4, 6]\n"
                           "  l1d.index: [linear, fermi]\n"
                           "  tlb.entries: [16, 64, 65]\n"
                           "where:\n"
                           "  - l1d.size <= 24KiB or l1d.index = 'linear'\n"
                           "  - l1d.ways < tlb.entries / 8\n"
                           "objectives: [l1d.miss_rate]\n";

static void test_round_trip(void **state)
{
    (void)state;
    struct study study;
    struct space space;
    study_from_text(text, &study);
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    assert_int_equal(space.machines, 4 * 5 * 2 * 3);
    assert_int_equal(space.points, 2 * space.machines);
    for (uint64_t m = 0; m < space.machines; m++) {
        struct machine machine;
        space_machine(&space, m, &machine);
        uint64_t back = 0;
        for (size_t a = 0; a < study.axis_count; a++) {
            const struct axis *axis = &study.axes[a];
            size_t digit = space_digit(&space, m, a);
            struct value value = parameter_get(axis->parameter, &machine);
            assert_true(parameter_equal(axis->parameter, value, axis->values[digit]));
            back = back * axis->count + digit;
        }
        assert_int_equal(back, m);
        bool there = false;
        assert_int_equal(space_own(&study, &machine, &there), m);
        assert_true(there);
    }
    struct machine other; /* a value that is on no axis counts as the first */
    bool there = true;
    space_machine(&space, space.machines - 1, &other);
    other.l1d.ways = 5;
    assert_int_equal(space_own(&study, &other, &there), space.machines - 1 - 4 * 2 * 3);
    assert_false(there);
    /* The last axis is the fastest. */
    assert_int_equal(space_digit(&space, 1, study.axis_count - 1), 1);
    assert_int_equal(space_digit(&space, space.machines - 1, 0), 3);
    study_free(&study);
}

/* The conditions of `text` in C. */
static bool passes(const struct machine *machine, int condition)
{
    if (condition == 0)
        return machine->l1d.size <= 24 * 1024 || machine->l1d.index == INDEX_MODULO;
    return machine->l1d.ways < machine->tlb.entries / 8;
}

static void test_census_against_brute_force(void **state)
{
    (void)state;
    struct study study;
    struct space space;
    struct census census;
    study_from_text(text, &study);
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    assert_int_equal(space_census(&space, &census, NULL), STATUS_OK);
    uint64_t legal = 0, rules = 0, removed[2] = {0};
    for (uint64_t m = 0; m < space.machines; m++) {
        struct machine machine;
        struct violation found[VIOLATION_MAX];
        space_machine(&space, m, &machine);
        bool keeps = false;
        if (machine_check(&machine, found))
            rules++;
        else if (!passes(&machine, 0))
            removed[0]++;
        else if (!passes(&machine, 1))
            removed[1]++;
        else
            keeps = true;
        legal += keeps;
        assert_int_equal(bit_test(census.bitmap, m), keeps);
    }
    assert_true(rules && removed[0] && removed[1] && legal);
    assert_int_equal(census.legal, legal);
    uint64_t by_rule = 0;
    for (size_t i = 0; i + 2 < census.removal_count; i++)
        by_rule += census.removals[i].machines;
    assert_int_equal(by_rule, rules);
    for (size_t i = 0; i < 2; i++) {
        const struct removal *removal = &census.removals[census.removal_count - 2 + i];
        assert_string_equal(removal->what, study.where[i].text);
        assert_int_equal(removal->machines, removed[i]);
    }
    census_free(&census);
    study_free(&study);
}

static void test_wrong_conditions_are_all_reported(void **state)
{
    (void)state;
    struct study study;
    struct space space;
    struct census census;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    study_from_text("machine: gtx480\n"
                    "workloads: [GEMM]\n"
                    "axes: {l1d.ways: [2, 4]}\n"
                    "where:\n"
                    "  - l1d.wais < 4\n"
                    "  - l1d.ways <\n"
                    "objectives: [l1d.miss_rate]\n",
                    &study);
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    assert_int_equal(space_census(&space, &census, &diagnostics), STATUS_INVALID);
    assert_int_equal(diagnostics.errors, 2);
    assert_int_equal(diagnostics.items[0].line, 5);
    assert_int_equal(diagnostics.items[1].line, 6);
    diagnostics_free(&diagnostics);
    study_free(&study);
}

/* 3,000,000 machines; also that a census can be stopped. */
static void test_large_space(void **state)
{
    (void)state;
    struct study study;
    struct space space;
    struct census census;
    study_from_text("machine: gtx480\n"
                    "workloads: [GEMM]\n"
                    "axes:\n"
                    "  l1d.ways: [1, 2, 4, 8, 16, 32]\n"
                    "  l2.ways: [4, 8]\n"
                    "  tlb.ways: [1, 2, 4, 8, 16, 32, 64, 3, 5, 7]\n"
                    "  pwc.entries: {from: 1, to: 250, step: 1}\n"
                    "  l2.latency: {from: 1, to: 100, step: 1}\n"
                    "where: [l1d.ways < 32]\n"
                    "objectives: [l1d.miss_rate]\n",
                    &study);
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    assert_int_equal(space.machines, 3000000);
    study.axes[0].values[0].uint = 1;
    assert_int_equal(space_census(&space, &census, NULL), STATUS_OK);
    /* Fermi needs 32 or 64 sets (4 or 2 ways); 7 of 10 TLB ways divide 64. */
    assert_int_equal(census.legal, 2u * 2 * 7 * 25000);
    census_free(&census);
    atomic_bool cancel = true;
    space.cancel = &cancel;
    assert_int_equal(space_census(&space, &census, NULL), STATUS_CANCELLED);
    study_free(&study);
}

static void test_too_large(void **state)
{
    (void)state;
    struct study study;
    struct space space;
    struct census census;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    study_from_text("machine: gtx480\n"
                    "workloads: [GEMM]\n"
                    "axes:\n"
                    "  pwc.entries: {from: 1, to: 60000, step: 1}\n"
                    "  l2.latency: {from: 1, to: 60000, step: 1}\n"
                    "  l1d.latency: {from: 1, to: 60000, step: 1}\n"
                    "  dram.latency: {from: 1, to: 60000, step: 1}\n"
                    "objectives: [l1d.miss_rate]\n",
                    &study);
    assert_int_equal(space_open(&study, &space, &diagnostics), STATUS_INVALID);
    assert_true(diagnostics_mention(&diagnostics, "2^62"));
    diagnostics_free(&diagnostics);
    study.axis_count = 3; /* fits, but nobody can enumerate it; the last axis leaks otherwise */
    assert_int_equal(space_open(&study, &space, &diagnostics), STATUS_OK);
    assert_int_equal(space_census(&space, &census, &diagnostics), STATUS_UNSUPPORTED);
    diagnostics_free(&diagnostics);
    study.axis_count = 4;
    study_free(&study);
}

static void test_projection(void **state)
{
    (void)state;
    struct study study;
    struct space space;
    study_from_text(text, &study);
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    for (unsigned mask = 0; mask < 16; mask++) {
        bool kept[4], others[4];
        struct projection part, rest;
        for (unsigned a = 0; a < 4; a++) {
            kept[a] = mask >> a & 1;
            others[a] = !kept[a];
        }
        assert_int_equal(projection_init(&space, kept, &part), STATUS_OK);
        assert_int_equal(projection_init(&space, others, &rest), STATUS_OK);
        assert_int_equal(part.combinations * rest.combinations, space.machines);
        for (uint64_t m = 0; m < space.machines; m++)
            assert_int_equal(projection_base(&part, projection_index(&part, m)) +
                                 projection_base(&rest, projection_index(&rest, m)),
                             m);
        for (uint64_t first = 0; first < space.machines; first += 1 + first % 5) {
            uint32_t indices[PROJECTION_CHUNK];
            const size_t left = space.machines - first;
            projection_indices(&part, first, left, indices);
            for (size_t i = 0; i < left; i++)
                assert_int_equal(indices[i], projection_index(&part, first + i));
        }
        projection_free(&part);
        projection_free(&rest);
    }
    study_free(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_census_against_brute_force),
        cmocka_unit_test(test_wrong_conditions_are_all_reported),
        cmocka_unit_test(test_large_space),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_projection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
