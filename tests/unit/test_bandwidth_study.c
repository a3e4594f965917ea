/* Published bandwidths: rows are whole, words choose them, and one probe answers all of a machine.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "explore/papers/bandwidth_study.h"

static void rows_are_whole(void **state)
{
    (void)state;
    for (const struct bandwidth_row *row = bandwidth_rows; row->gpu; row++) {
        struct machine machine;
        assert_int_equal(machine_load(row->machine, NULL, &machine, NULL, NULL), STATUS_OK);
        assert_true(row->measured > 0 && *row->source);
        if (row->level == BANDWIDTH_L1)
            assert_true(row->measured <= 128);
        /* rows of one machine stand together, so that it is probed once */
        for (const struct bandwidth_row *other = bandwidth_rows; other + 1 < row; other++)
            if (!strcmp(other->machine, row->machine))
                assert_string_equal((row - 1)->machine, row->machine);
    }
}

static void words_choose_rows(void **state)
{
    (void)state;
    struct row_study study;
    assert_int_equal(row_study_init(&study, &row_study_bandwidths, "l40 dram stream", NULL),
                     STATUS_OK);
    assert_int_equal(study.count, 1);
    assert_true(study.rows[0].measured == 845);
    row_study_free(&study);
    assert_int_equal(row_study_init(&study, &row_study_bandwidths, "no such card", NULL),
                     STATUS_NOT_FOUND);
}

static void a_machine_answers_its_rows(void **state)
{
    (void)state;
    struct row_study study;
    assert_int_equal(row_study_init(&study, &row_study_bandwidths, "titan v", NULL), STATUS_OK);
    assert_int_equal(study.count, BANDWIDTH_LEVELS);
    assert_int_equal(row_study_run(&study, 1, NULL), STATUS_OK);
    const double most[] = {[BANDWIDTH_L1] = 64, [BANDWIDTH_L2] = 2235, [BANDWIDTH_DRAM] = 653};
    for (size_t i = 0; i < study.count; i++) {
        const struct study_row *row = &study.rows[i];
        assert_true(row->ours > 0.5 * most[row->number] && row->ours <= most[row->number]);
    }
    row_study_free(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_whole),
        cmocka_unit_test(words_choose_rows),
        cmocka_unit_test(a_machine_answers_its_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
