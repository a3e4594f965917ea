/* Loads over strides: banks, what leaves an L1 in a cycle, and the choice of rows. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "explore/papers/stride_study.h"

static void rows_are_whole(void **state)
{
    (void)state;
    size_t count = 0;
    for (const struct stride_row *row = stride_rows; row->gpu; row++, count += row->count) {
        struct machine machine;
        assert_int_equal(machine_load(row->machine, NULL, &machine, NULL, NULL), STATUS_OK);
        assert_true(row->bytes == 4 || row->bytes == 8);
        assert_true(row->count <= STRIDES_MAX && *row->source);
        for (unsigned i = 0; i < row->count; i++)
            assert_true(row->measured[i] >= 1);
    }
    assert_true(count > 200);
}

/* Lanes that are 32 words apart share a bank: 32 wavefronts on any GPU. */
static void banks_make_wavefronts(void **state)
{
    (void)state;
    struct row_study study;
    assert_int_equal(row_study_init(&study, &row_study_strides, "a40 float", NULL), STATUS_OK);
    assert_int_equal(study.count, 65);
    assert_true(isnan(study.rows[0].ours));
    struct study_row chosen[] = {study.rows[1], study.rows[16], study.rows[32], study.rows[33]};
    struct row_study part = {&row_study_strides, chosen, 4};
    assert_int_equal(row_study_run(&part, 1, NULL), STATUS_OK);
    assert_true(fabs(chosen[0].ours - 2) < 0.1);
    assert_true(fabs(chosen[1].ours - 16) < 0.5);
    assert_true(fabs(chosen[2].ours - 32) < 1);
    assert_true(fabs(chosen[3].ours - 8) < 1); /* no bank twice: 32 lines, four at once */
    row_study_free(&study);
}

static void words_choose_rows(void **state)
{
    (void)state;
    struct row_study study;
    assert_int_equal(row_study_init(&study, &row_study_strides, "h200 double", NULL), STATUS_OK);
    assert_int_equal(study.count, 16);
    assert_string_equal(study.rows[3].what, "double");
    assert_true(study.rows[3].at == 3 && study.rows[3].number == 8);
    row_study_free(&study);
    assert_int_equal(row_study_init(&study, &row_study_strides, "no such card", NULL),
                     STATUS_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_whole),
        cmocka_unit_test(banks_make_wavefronts),
        cmocka_unit_test(words_choose_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
