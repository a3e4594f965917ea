/* The reproduction of Accel-Sim's runs: reading their rows, what becomes of refused ones, errors,
 * and the rule of pairs, on rows made up here. tests/golden/test_accelsim_equal.sh runs real ones.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/experiments/accelsim_figures.h"
#include "support/temporary.h"

/* A header of all columns in an order of its own, with one that is not known. */
#define COLUMN_OF(id, column, ...) column ","
#define HEADER                                                                                     \
    "strange," ACCELSIM_READ_LIST(COLUMN_OF)                                                       \
        ACCELSIM_COUNT_LIST(COLUMN_OF) "kernel,kernel_name,options,gpu,trace_cmd,family,run\n"
enum { NUMBERS = ACCELSIM_COUNTS + ACCELSIM_READS };

/* Writes a row whose counts are all `count`. */
static void put_row(FILE *file, const char *run, unsigned kernel, const char *options, double count)
{
    fputs("\"so, \"\"so\"\"\"", file);
    for (int i = 0; i < NUMBERS; i++)
        fprintf(file, ",%.0f", count);
    fprintf(file, ",%u,name,\"%s\",SM2_GTX480,made up,fam,%s\n", kernel, options, run);
}

static FILE *start(char path[TEMPORARY_PATH])
{
    temporary_path(temporary_folder, "runs.csv", path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(HEADER, file);
    return file;
}

static void rows_are_read(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH];
    struct accelsim_rows rows;
    FILE *file = start(path);
    put_row(file, "a", 1, "-gpgpu_cache:dl1 S:4:128,L", 10);
    put_row(file, "a", 2, "-gpgpu_cache:dl1 S:4:128,L", 20);
    put_row(file, "b", 1, "-gpgpu_scheduler lrr", 30);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(accelsim_rows_read((const char *[]){path}, 1, NULL, &rows, NULL), STATUS_OK);
    assert_int_equal(rows.count, 3);
    assert_string_equal(rows.items[0].options, "-gpgpu_cache:dl1 S:4:128,L");
    assert_string_equal(rows.items[0].family, "fam");
    assert_int_equal(rows.items[1].kernel, 2);
    assert_true(rows.items[1].theirs[ACCELSIM_DRAM_WRITES] == 20);
    assert_true(isnan(rows.items[1].ours[ACCELSIM_CYCLES]));
    assert_true(accelsim_same_run(&rows.items[0], &rows.items[1]));
    assert_false(accelsim_same_run(&rows.items[1], &rows.items[2]));
    accelsim_rows_free(&rows);
    assert_int_equal(accelsim_rows_read((const char *[]){path}, 1, "LRR gtx480", &rows, NULL),
                     STATUS_OK);
    assert_int_equal(rows.count, 1);
    accelsim_rows_free(&rows);
    assert_int_equal(accelsim_rows_read((const char *[]){path}, 1, "lrr rtx", &rows, NULL),
                     STATUS_NOT_FOUND);
}

/* Each text after the header is refused, with a message. */
static void bad_files_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"1,2,3\n", ",,,,,,,,,,,,,,,,,,,,,,,,,\n", "\"\n"};
    char path[TEMPORARY_PATH];
    struct accelsim_rows rows;
    for (size_t i = 0; i <= sizeof bad / sizeof *bad; i++) {
        struct diagnostics found = DIAGNOSTICS_INIT;
        FILE *file = start(path);
        if (i < sizeof bad / sizeof *bad)
            fputs(bad[i], file);
        else
            put_row(file, "a", 0, "kernels count from 1", 1);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(accelsim_rows_read((const char *[]){path}, 1, NULL, &rows, &found),
                         STATUS_INVALID);
        assert_int_equal(found.errors, 1);
        assert_int_equal(rows.count, 0);
        diagnostics_free(&found);
    }
    FILE *file = fopen(path, "w");
    fputs("run,family\na,b\n", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(accelsim_rows_read((const char *[]){path}, 1, NULL, &rows, NULL),
                     STATUS_INVALID);
}

static struct accelsim_row made_up(const char *trace, const char *options, unsigned kernel,
                                   double ours, double theirs)
{
    struct accelsim_row row = {.run = options,
                               .family = "fam",
                               .trace = trace,
                               .gpu = "SM2_GTX480",
                               .options = options,
                               .kernel = kernel};
    row.ours[ACCELSIM_CYCLES] = ours;
    row.theirs[ACCELSIM_CYCLES] = theirs;
    return row;
}

static void pairs_are_variants_of_one_kernel(void **state)
{
    (void)state;
    const struct accelsim_row base = made_up("gemm n=64", "", 1, 100, 200);
    struct accelsim_row other = made_up("gemm n=64", "-lrr", 1, 90, 150);
    assert_true(accelsim_is_pair(&base, &other));
    assert_true(accelsim_is_pair(&other, &base));
    assert_false(accelsim_is_pair(&base, &base));
    other.trace = "gemm n=128"; /* another size */
    assert_false(accelsim_is_pair(&base, &other));
    other.trace = base.trace;
    other.kernel = 2;
    assert_false(accelsim_is_pair(&base, &other));
    other.kernel = 1;
    other.gpu = "SM7_QV100";
    assert_false(accelsim_is_pair(&base, &other));
}

static void right_pairs_have_the_same_sign(void **state)
{
    (void)state;
    static const struct {
        double ours, theirs;
        bool right;
    } cases[] = {{90, 150, true},  {110, 201, true},  {110, 150, false}, {90, 201, false},
                 {100, 200, true}, {100, 201, false}, {101, 200, false}};
    const struct accelsim_row base = made_up("gemm", "", 1, 100, 200);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct accelsim_row other =
            made_up("gemm", "-lrr", 1, cases[i].ours, cases[i].theirs);
        assert_int_equal(accelsim_pair_right(&base, &other), cases[i].right);
        assert_int_equal(accelsim_pair_right(&other, &base), cases[i].right);
    }
}

static void count_pair(void *context, const struct accelsim_row *a, const struct accelsim_row *b)
{
    size_t *counts = context;
    counts[accelsim_pair_right(a, b)]++;
}

/* Errors and pairs of four variants, one of which has no number of ours. */
static void errors_of_a_group(void **state)
{
    (void)state;
    struct accelsim_row rows[] = {
        made_up("gemm", "a", 1, 100, 100), made_up("gemm", "b", 1, 198, 200),
        made_up("gemm", "c", 1, 330, 300), made_up("gemm", "d", 1, NAN, 400)};
    struct accelsim_study study = {.rows = {.items = rows, .count = 4}};
    struct accelsim_errors errors;
    size_t pairs[2] = {0};
    assert_int_equal(accelsim_study_init(&study), STATUS_OK);
    assert_int_equal(study.run_count, 4);
    study.runs[1].sms = 1;
    const struct accelsim_group all = {0}, one_sm = {.one_sm = true}, none = {.gpu = "other"};
    assert_int_equal(accelsim_errors(&study, &all, ACCELSIM_CYCLES, &errors), STATUS_OK);
    assert_int_equal(errors.rows, 3);
    assert_int_equal(errors.refused, 1);
    assert_int_equal(errors.equal, 1);
    assert_int_equal(errors.within_1, 2);
    assert_float_equal(errors.mean, 0.11 / 3, 1e-12);
    assert_float_equal(errors.worst, 0.1, 1e-12);
    assert_int_equal(accelsim_errors(&study, &one_sm, ACCELSIM_CYCLES, &errors), STATUS_OK);
    assert_int_equal(errors.rows, 1);
    assert_float_equal(errors.worst, 0.01, 1e-12);
    assert_int_equal(accelsim_errors(&study, &none, ACCELSIM_CYCLES, &errors), STATUS_OK);
    assert_int_equal(errors.rows + errors.refused, 0);
    accelsim_pairs(&study, &all, count_pair, pairs);
    assert_int_equal(pairs[true], 3);
    assert_int_equal(pairs[false], 0);
    rows[2].ours[ACCELSIM_CYCLES] = 150; /* now b seems slower than c */
    pairs[true] = 0;
    accelsim_pairs(&study, &all, count_pair, pairs);
    assert_int_equal(pairs[true], 2);
    assert_int_equal(pairs[false], 1);
    free(study.runs);
}

static enum status no_trace(void *context, const struct accelsim_row *row, char **path,
                            struct diagnostics *diagnostics)
{
    (void)context;
    *path = NULL;
    return diagnostics_error(diagnostics, STATUS_UNSUPPORTED, "no trace for %s", row->trace);
}

/* What cannot be run is a row with a reason, and does not end the study. */
static void refused_runs_say_why(void **state)
{
    (void)state;
    struct accelsim_row rows[] = {made_up("gemm", "-gpgpu_n_clusters 2", 1, NAN, 100),
                                  made_up("gemm", "-gpgpu_n_clusters two", 1, NAN, 100),
                                  made_up("gemm", "", 1, NAN, 100)};
    rows[2].gpu = "SM0_NONE";
    struct accelsim_study study = {.rows = {.items = rows, .count = 3}};
    assert_int_equal(accelsim_study_init(&study), STATUS_OK);
    assert_int_equal(accelsim_study_run(&study, true, no_trace, NULL, 2, NULL), STATUS_OK);
    assert_string_equal(study.runs[0].why, "no trace for gemm");
    assert_non_null(strstr(study.runs[1].why, "two"));
    assert_non_null(strstr(study.runs[2].why, "SM0_NONE"));
    for (size_t i = 0; i < 3; i++) {
        assert_true(isnan(rows[i].ours[ACCELSIM_CYCLES]));
        free(study.runs[i].why);
    }
    free(study.runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_read),
                                       cmocka_unit_test(bad_files_are_refused),
                                       cmocka_unit_test(pairs_are_variants_of_one_kernel),
                                       cmocka_unit_test(right_pairs_have_the_same_sign),
                                       cmocka_unit_test(errors_of_a_group),
                                       cmocka_unit_test(refused_runs_say_why)};
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
