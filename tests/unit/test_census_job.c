/* The background count of a plan: legal points, and a reason for each rule that removes some. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/study_builder.h"
#include "ui/jobs/census_job.h"

static struct census_result *count(const char *text, bool cancelled)
{
    const atomic_bool cancel = cancelled;
    struct study study;
    study_from_text(text, &study);
    struct census_result *result = census_result_new(&study);
    assert_non_null(result);
    census_job.run(result, &cancel);
    return result;
}

/* What the first machine says that breaks a rule first, by looking at all of them. */
static const char *slow_reason(const struct census_result *result, const char *rule,
                               struct violation found[VIOLATION_MAX])
{
    struct space space;
    assert_int_equal(space_open(&result->study, &space, NULL), STATUS_OK);
    const char *text = NULL;
    for (uint64_t index = 0; index < space.machines && !text; index++) {
        struct machine machine;
        space_machine(&space, index, &machine);
        if (machine_check(&machine, found) && !strcmp(found[0].rule, rule))
            text = found[0].message;
    }
    return text;
}

static const char mixed[] = "machine: gtx480\n"
                            "set: {tlb.ways: 16}\n"
                            "workloads: [GEMM]\n"
                            "axes:\n"
                            "  tlb.entries: [16, 64, 65]\n"
                            "  l1d.size: [8KiB, 16KiB, 24KiB]\n"
                            "  l1d.ways: [1, 2, 3, 4, 6]\n"
                            "  l1d.index: [linear, fermi]\n"
                            "where: [l1d.ways > 1]\n"
                            "objectives: [l1d.miss_rate]\n";

static void rules_have_their_first_reason(void **state)
{
    (void)state;
    struct census_result *result = count(mixed, false);
    uint64_t lost = 0, explained = 0;
    assert_int_equal(result->answer.status, STATUS_OK);
    assert_int_equal(result->points, 90);
    assert_int_equal(result->axis_count, 4);
    for (size_t i = 0; i < result->census.removal_count; i++)
        lost += result->census.removals[i].machines;
    assert_int_equal(result->census.legal + lost, 90);
    assert_true(result->census.legal > 0);
    assert_true(result->reason_count > 1);
    for (size_t i = 0; i < result->reason_count; i++) {
        struct violation found[VIOLATION_MAX];
        const char *expected = slow_reason(result, result->reasons[i].rule, found);
        assert_non_null(expected);
        assert_string_equal(result->reasons[i].text, expected);
        assert_string_equal(census_reason(result, result->reasons[i].rule), expected);
    }
    for (size_t i = 0; i < result->census.removal_count; i++)
        explained += census_reason(result, result->census.removals[i].what) != NULL;
    assert_int_equal(explained, result->reason_count);
    assert_null(census_reason(result, "no such rule"));
    census_job.free(result);
}

static void a_cancelled_count_explains_nothing(void **state)
{
    (void)state;
    struct census_result *result = count(mixed, true);
    assert_int_equal(result->answer.status, STATUS_CANCELLED);
    assert_int_equal(result->reason_count, 0);
    census_job.free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_have_their_first_reason),
        cmocka_unit_test(a_cancelled_count_explains_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
