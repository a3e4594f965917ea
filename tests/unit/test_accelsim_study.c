/* The reproduction of Accel-Sim's runs: reading their rows, what becomes of refused ones, errors,
 * and the rule of pairs, on rows made up here. tests/golden/test_accelsim_equal.sh runs real ones.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "explore/papers/accelsim_study.h"
#include "report/experiments/row_report.h"
#include "support/temporary.h"

/* Writes the header: all columns of the dialect but `without`, and one that is not known. */
static FILE *start(char path[TEMPORARY_PATH], const char *without)
{
    temporary_path(temporary_folder, "runs.csv", path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("strange", file);
    for (const struct row_name *name = accelsim_dialect.names; name->theirs; name++)
        if (strcmp(name->theirs, without) != 0)
            fprintf(file, ",%s", name->theirs);
    fputc('\n', file);
    return file;
}

struct made { /* a row, whose counts are all `count` */
    const char *run, *trace, *gpu, *options;
    unsigned kernel;
    double count;
};

static void put_row(FILE *file, const struct made *row)
{
    fprintf(file, "\"so, \"\"so\"\"\",%u,%s,fam,%s,%s,\"%s\"", row->kernel, row->run, row->trace,
            row->gpu, row->options);
    for (const struct row_name *name = accelsim_dialect.names + 6; name->theirs; name++)
        fprintf(file, ",%.17g", row->count);
    fputc('\n', file);
}

static struct row_study study_of(const struct made *rows, size_t count)
{
    char path[TEMPORARY_PATH];
    struct row_file read = {0};
    struct row_study study;
    FILE *file = start(path, "");
    for (size_t i = 0; i < count; i++)
        put_row(file, &rows[i]);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(row_file_read(path, &accelsim_dialect, &read, NULL), STATUS_OK);
    assert_int_equal(row_study_init(&study, &read, NULL, NULL), STATUS_OK);
    return study;
}

/* Sets our cycles of a row. */
static void set_cycles(struct row_study *study, size_t row, double cycles)
{
    const size_t column = row_column_find(&study->rows, "core.cycles");
    study->ours[(row * study->rows.width + column) * DEPTH_COUNT + DEPTH_TIMING] = cycles;
    assert_true(isnan(cycles) || row_ours(study, row, column, DEPTH_TIMING) == cycles);
}

static void rows_are_read(void **state)
{
    (void)state;
    static const struct made rows[] = {
        {"a", "made up", "SM2_GTX480", "-gpgpu_cache:dl1 S:4:128,L", 1, 10},
        {"a", "made up", "SM2_GTX480", "-gpgpu_cache:dl1 S:4:128,L", 2, 20},
        {"b", "made up", "SM2_GTX480", "-gpgpu_scheduler lrr", 1, 30}};
    struct row_study study = study_of(rows, 3);
    const struct row_file *read = &study.rows;
    assert_int_equal(study.run_count, 2);
    assert_int_equal(study.runs[0].count, 2);
    assert_string_equal(row_cell(read, 0, ROW_OPTIONS), "-gpgpu_cache:dl1 S:4:128,L");
    assert_string_equal(row_cell(read, 0, ROW_KERNEL), "fam");
    assert_string_equal(row_cell(read, 2, ROW_ID), "b");
    assert_true(row_number(read, 1, ROW_LAUNCH, 0) == 2);
    const size_t writes = row_column_find(read, "dram.writes");
    assert_true(row_measured(read, 1, writes) == 20);
    assert_string_equal(read->columns[read->columns[writes].base].name, "l2.accesses");
    assert_float_equal(accelsim_rate(&study, &study.runs[1]), 75, 1e-12);
    row_study_free(&study);
}

/* Each text after the header is refused, with a message. */
static void bad_files_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"1,2,3\n", ",,,,,,,,,,,,,,,,,,,,,,,,\n", "\"\n"};
    static const struct made zero = {"a", "t", "g", "kernels count from 1", 0, 1};
    char path[TEMPORARY_PATH];
    for (size_t i = 0; i <= sizeof bad / sizeof *bad; i++) {
        struct diagnostics found = DIAGNOSTICS_INIT;
        struct row_file rows = {0};
        FILE *file = start(path, "");
        if (i < sizeof bad / sizeof *bad)
            fputs(bad[i], file);
        else
            put_row(file, &zero);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(row_file_read(path, &accelsim_dialect, &rows, &found), STATUS_INVALID);
        assert_int_equal(found.errors, 1);
        assert_int_equal(rows.count, 0);
        diagnostics_free(&found);
    }
    for (const struct row_name *name = accelsim_dialect.names; name->theirs; name++) {
        struct diagnostics found = DIAGNOSTICS_INIT;
        struct row_file rows = {0};
        assert_int_equal(fclose(start(path, name->theirs)), 0);
        assert_int_equal(row_file_read(path, &accelsim_dialect, &rows, &found), STATUS_INVALID);
        assert_non_null(strstr(found.items[0].message, name->theirs));
        diagnostics_free(&found);
    }
}

static void a_second_file_has_the_same_header(void **state)
{
    (void)state;
    static const struct made row = {"a", "t", "g", "", 1, 1};
    char path[TEMPORARY_PATH];
    struct row_file rows = {0};
    FILE *file = start(path, "");
    put_row(file, &row);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(row_file_read(path, &accelsim_dialect, &rows, NULL), STATUS_OK);
    assert_int_equal(row_file_read(path, &accelsim_dialect, &rows, NULL), STATUS_OK);
    assert_int_equal(rows.count, 2);
    file = fopen(path, "w");
    fputs("other\n1\n", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(row_file_read(path, &accelsim_dialect, &rows, NULL), STATUS_INVALID);
    assert_null(rows.items);
}

static void pairs_are_variants_of_one_kernel(void **state)
{
    (void)state;
    static const struct made rows[] = {{"a", "gemm n=64", "SM2_GTX480", "", 1, 1},
                                       {"b", "gemm n=64", "SM2_GTX480", "-lrr", 1, 1},
                                       {"c", "gemm n=128", "SM2_GTX480", "-lrr", 1, 1},
                                       {"d", "gemm n=64", "SM2_GTX480", "-lrr", 2, 1},
                                       {"e", "gemm n=64", "SM7_QV100", "-lrr", 1, 1}};
    struct row_study study = study_of(rows, 5);
    assert_true(accelsim_is_pair(&study, 0, 1));
    assert_true(accelsim_is_pair(&study, 1, 0));
    for (size_t i = 0; i < 5; i++)
        if (i != 1)
            assert_false(accelsim_is_pair(&study, 0, i));
    row_study_free(&study);
}

static void right_pairs_have_the_same_sign(void **state)
{
    (void)state;
    static const struct {
        double ours, theirs;
        bool right;
    } cases[] = {{90, 150, true},  {110, 201, true},  {110, 150, false}, {90, 201, false},
                 {100, 200, true}, {100, 201, false}, {101, 200, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct made rows[] = {{"a", "t", "g", "", 1, 200},
                                    {"b", "t", "g", "-lrr", 1, cases[i].theirs}};
        struct row_study study = study_of(rows, 2);
        set_cycles(&study, 0, 100);
        set_cycles(&study, 1, cases[i].ours);
        assert_int_equal(accelsim_pair_right(&study, 0, 1), cases[i].right);
        assert_int_equal(accelsim_pair_right(&study, 1, 0), cases[i].right);
        row_study_free(&study);
    }
}

/* Errors of four variants, one of which has no number of ours. */
static void errors_of_a_group(void **state)
{
    (void)state;
    static const struct made rows[] = {{"a", "gemm", "SM2_GTX480", "a", 1, 100},
                                       {"b", "gemm", "SM2_GTX480", "b", 1, 200},
                                       {"c", "gemm", "SM2_GTX480", "c", 1, 300},
                                       {"d", "gemm", "SM2_GTX480", "d", 1, 400}};
    static const double ours[] = {100, 198, 330, NAN};
    const struct row_group all = {0}, one_sm = {.one_sm = true}, none = {.gpu = "other"};
    struct row_study study = study_of(rows, 4);
    const size_t cycles = row_column_find(&study.rows, "core.cycles");
    struct row_errors errors;
    for (size_t i = 0; i < 4; i++)
        set_cycles(&study, i, ours[i]);
    assert_int_equal(study.run_count, 4);
    study.runs[1].sms = 1;
    assert_int_equal(row_errors_find(&study, &all, cycles, DEPTH_TIMING, &errors), STATUS_OK);
    assert_int_equal(errors.rows, 3);
    assert_int_equal(errors.refused, 1);
    assert_int_equal(errors.exact, 1);
    assert_int_equal(errors.within_1, 2);
    assert_float_equal(errors.mean, 11. / 3, 1e-12);
    assert_float_equal(errors.bias, 9. / 3, 1e-12);
    assert_float_equal(errors.worst, 10, 1e-12);
    assert_int_equal(errors.worst_row, 2);
    assert_int_equal(row_errors_find(&study, &one_sm, cycles, DEPTH_TIMING, &errors), STATUS_OK);
    assert_int_equal(errors.rows, 1);
    assert_float_equal(errors.worst, 1, 1e-12);
    assert_int_equal(row_errors_find(&study, &none, cycles, DEPTH_TIMING, &errors), STATUS_OK);
    assert_int_equal(errors.rows + errors.refused, 0);
    row_study_free(&study);
}

static enum status no_trace(void *context, const char *workload, char **path,
                            struct diagnostics *diagnostics)
{
    (void)context;
    *path = NULL;
    return diagnostics_error(diagnostics, STATUS_UNSUPPORTED, "no trace for %s", workload);
}

/* What cannot be run is a row with a reason, and does not end the study. */
static void refused_runs_say_why(void **state)
{
    (void)state;
    static const struct made rows[] = {{"a", "gemm", "SM2_GTX480", "-gpgpu_n_clusters 2", 1, 100},
                                       {"b", "gemm", "SM2_GTX480", "-gpgpu_n_clusters two", 1, 100},
                                       {"c", "gemm", "SM0_NONE", "", 1, 100}};
    struct row_study study = study_of(rows, 3);
    assert_int_equal(accelsim_run(&study, true, no_trace, NULL, 2, NULL), STATUS_OK);
    assert_string_equal(study.runs[0].why, "no trace for gemm");
    assert_non_null(strstr(study.runs[1].why, "two"));
    assert_non_null(strstr(study.runs[2].why, "SM0_NONE"));
    for (size_t i = 0; i < 3; i++) {
        const size_t cycles = row_column_find(&study.rows, "core.cycles");
        assert_true(isnan(row_ours(&study, i, cycles, DEPTH_TIMING)));
        assert_true(isnan(accelsim_rate_error(&study, &study.runs[i], DEPTH_TIMING)));
    }
    row_study_free(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_read),
                                       cmocka_unit_test(bad_files_are_refused),
                                       cmocka_unit_test(a_second_file_has_the_same_header),
                                       cmocka_unit_test(pairs_are_variants_of_one_kernel),
                                       cmocka_unit_test(right_pairs_have_the_same_sign),
                                       cmocka_unit_test(errors_of_a_group),
                                       cmocka_unit_test(refused_runs_say_why)};
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
