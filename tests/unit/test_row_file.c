/* Measured rows as CSV: those of the program are whole, headers mean what they say, and every
 * mistake has its place. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/embedded.h"
#include "base/rng.h"
#include "config/machine_file.h"
#include "explore/papers/row_study.h"
#include "support/temporary.h"
#include "workload/workload.h"

static enum status read_text(const char *text, struct row_file *rows,
                             struct diagnostics *diagnostics)
{
    char path[TEMPORARY_PATH];
    *rows = (struct row_file){0};
    temporary_file(temporary_folder, "rows.csv", text, 0, path);
    return row_file_read(path, NULL, rows, diagnostics);
}

/* ---- the program's own ---- */

static void assert_row_is_whole(const struct row_file *rows, size_t row)
{
    struct trace_source *source;
    const char *workload = row_cell(rows, row, ROW_WORKLOAD);
    assert_true(*row_cell(rows, row, ROW_SOURCE) && *row_cell(rows, row, ROW_GPU));
    for (size_t i = 0; i < row && *row_cell(rows, row, ROW_ID); i++)
        assert_string_not_equal(row_cell(rows, i, ROW_ID), row_cell(rows, row, ROW_ID));
    for (size_t i = 0; i < rows->width; i++) {
        const double value = row_measured(rows, row, i);
        if (rows->columns[i].points && !isnan(value))
            assert_true(value <= 100);
    }
    if (!*workload)
        return;
    if (workload_open(workload, &source, NULL))
        fail_msg("%s:%u: %s", rows->name, rows->items[row].number, workload);
    trace_source_free(source);
}

static void own_rows_are_whole(void **state)
{
    (void)state;
    for (const struct embedded_file *file = embedded_rows; file->name; file++) {
        struct row_file rows = {0};
        struct row_study study;
        assert_int_equal(row_file_load(file->name, &rows, NULL), STATUS_OK);
        assert_true(rows.count > 30);
        for (size_t i = 0; i < rows.count; i++)
            assert_row_is_whole(&rows, i);
        assert_int_equal(row_study_init(&study, &rows, NULL, NULL), STATUS_OK);
        assert_int_equal(row_study_check(&study, NULL), STATUS_OK);
        row_study_free(&study);
    }
}

/* A ring that is said to be of a level lies in it. */
static void rings_lie_in_their_levels(void **state)
{
    (void)state;
    struct row_file rows = {0};
    assert_int_equal(row_file_load("latencies", &rows, NULL), STATUS_OK);
    const size_t level = row_column_find(&rows, "level"), ring = row_column_find(&rows, "ring");
    for (size_t i = 0; i < rows.count; i++) {
        struct machine machine;
        const char *name = rows.items[i].cells[level];
        const double bytes = row_measured(&rows, i, ring);
        assert_int_equal(machine_load(row_cell(&rows, i, ROW_MACHINE), NULL, &machine, NULL, NULL),
                         STATUS_OK);
        if (!strcmp(name, "L2"))
            assert_true(bytes <= (double)machine.l2.size);
        if (!strcmp(name, "DRAM"))
            assert_true(bytes > 2 * (double)machine.l2.size);
    }
    row_file_free(&rows);
}

/* ---- headers and cells ---- */

static void a_header_says_what_columns_are(void **state)
{
    (void)state;
    struct row_file rows;
    assert_int_equal(
        read_text("# a remark, with \"quotes\n"
                  "gpu,Machine,at ring [B],\"time [us] = core.cycles / gpu.clock * 1e6\","
                  "l2.accesses,hits [%] = 100 * l2.hw_hit_rate,L2 = probe l2,workload\n\n"
                  "\"a \"\"GPU\"\", 2\",v100,4096,2.5,12,,,VECTORS\n"
                  "b,v100,,,12,99.5\r\n"
                  "# the end\n"
                  "c,v100,,,,,700\n",
                  &rows, NULL),
        STATUS_INVALID); /* the second row has no workload */
    assert_int_equal(
        read_text("gpu,Machine,at ring [B],\"time [us] = core.cycles / gpu.clock\","
                  "l2.accesses,hits [%] = 100 * l2.hw_hit_rate,L2 = probe l2,workload\n"
                  "\"a \"\"GPU\"\", 2\",v100,4096,2.5,12,,,VECTORS\r\n"
                  "# between\n"
                  "c,v100,,,,,700\n",
                  &rows, NULL),
        STATUS_OK);
    assert_int_equal(rows.count, 2);
    assert_string_equal(row_cell(&rows, 0, ROW_GPU), "a \"GPU\", 2");
    assert_string_equal(row_cell(&rows, 0, ROW_WORKLOAD), "VECTORS");
    assert_string_equal(row_cell(&rows, 1, ROW_WORKLOAD), "");
    assert_string_equal(row_cell(&rows, 1, ROW_SOURCE), "");
    const size_t time = row_column_find(&rows, "time"), hits = row_column_find(&rows, "hits");
    assert_true(row_measured(&rows, 0, time) == 2.5 && rows.columns[time].is_time);
    assert_string_equal(rows.columns[time].unit, "us");
    assert_true(isnan(row_measured(&rows, 0, hits)) && rows.columns[hits].points);
    assert_false(rows.columns[hits].is_time);
    assert_int_equal(rows.columns[row_column_find(&rows, "ring")].kind, ROW_IS_AT);
    assert_int_equal(rows.columns[row_column_find(&rows, "L2")].probe, ROW_PROBE_L2);
    assert_true(rows.columns[row_column_find(&rows, "l2.accesses")].expression);
    assert_int_equal(row_column_find(&rows, "nothing"), rows.width);
    assert_true(row_number(&rows, 0, ROW_PER, 7) == 7);
    assert_int_equal(rows.items[1].number, 4);
    row_file_free(&rows);
}

/* Each mistake is found where it is, with what would be right. */
static void mistakes_have_places(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned line, column;
        const char *message;
    } cases[] = {
        {"machin,core.cycles\nv100,1\n", 1, 1, "unknown column 'machin'; did you mean 'machine'"},
        {"machine,core.cycle\nv100,1\n", 1, 9,
         "unknown column 'core.cycle'; did you mean 'core.cycles'"},
        {"machine,x = core.cycle\nv100,1\n", 1, 0, "core.cycles"},
        {"machine,x = (\nv100,1\n", 1, 0, ""},
        {"machine,zzzzzzz\nv100,1\n", 1, 9, "expected a metric, 'at NAME'"},
        {"machine,machine,core.cycles\n", 1, 9, "a second column 'machine'"},
        {"machine,at x = core.cycles\n", 1, 9, "unknown column 'x'"},
        {"core.cycles\n1\n", 1, 1, "expected a column 'machine'"},
        {"machine,workload\nv100,SUMS\n", 1, 1, "of measured values"},
        {"", 0, 0, "expected a header and rows below it"},
        {"machine,workload,core.cycles\n", 0, 0, "expected a header and rows below it"},
        {"machine,workload,core.cycles\nv100,SUMS,1e\n", 2, 11, "found '1e'"},
        {"machine,workload,core.cycles\nv100,SUMS,nan\n", 2, 11, "expected a number"},
        {"machine,workload,core.cycles\nv100,SUMS,-1\n", 2, 11, "expected a number"},
        {"machine,workload,core.cycles\nv100,SUMS,0x10\n", 2, 11, "expected a number"},
        {"machine,workload,core.cycles\nv100,SUMS,1e999\n", 2, 11, "expected a number"},
        {"machine,workload,core.cycles\nv100,SUMS,1,2\n", 2, 0, "more than the 3 cells"},
        {"machine,workload,core.cycles\nv100,SUMS\n", 2, 1, "expected a measured value"},
        {"machine,workload,core.cycles\nv100,,1\n", 2, 1, "expected a workload"},
        {"machine,workload,core.cycles\n,SUMS,1\n", 2, 1, "expected a machine"},
        {"machine,warm,workload,core.cycles\nv100,no,SUMS,1\n", 2, 6, "expected yes or nothing"},
        {"machine,against,workload,core.cycles\nv100,l1d.ways=2,SUMS,1\n", 2, 22, "in [%]"},
        {"machine,against,launch,workload,x [%] = core.cycles\nv100,l1d.ways=2,1,SUMS,-1\n", 2, 17,
         "none of one launch"},
        {"machine,tolerance,workload,core.cycles\nv100,-2,SUMS,1\n", 2, 6, "tolerance: expected"},
        {"machine,per,workload,core.cycles\nv100,0,SUMS,1\n", 2, 6,
         "per: expected a number from 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct row_file rows;
        struct diagnostics found = DIAGNOSTICS_INIT;
        assert_int_equal(read_text(cases[i].text, &rows, &found), STATUS_INVALID);
        assert_true(found.count >= 1 && !rows.width && !rows.items);
        const struct diagnostic *first = &found.items[0];
        if (!strstr(first->message, cases[i].message) ||
            (cases[i].line && first->line != cases[i].line) ||
            (cases[i].column && first->column != cases[i].column))
            fail_msg("case %zu: %u:%u: %s", i, first->line, first->column, first->message);
        diagnostics_free(&found);
    }
}

static void all_mistakes_are_told(void **state)
{
    (void)state;
    struct row_file rows;
    struct diagnostics found = DIAGNOSTICS_INIT;
    assert_int_equal(read_text("machine,workload,core.cycles\nv100,SUMS,a\nv100,,1\nv100,SUMS,3\n"
                               "v100,SUMS,b\n",
                               &rows, &found),
                     STATUS_INVALID);
    assert_int_equal(found.errors, 3);
    diagnostics_free(&found);
}

static void rows_are_told_from_profiles(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH];
    temporary_file(temporary_folder, "own.csv", "# mine\nGPU,machin,workload\n", 0, path);
    assert_true(row_file_is(path));
    assert_false(row_file_is("tests/profiles/ncu-raw.csv"));
    assert_false(row_file_is("tests/profiles/nvprof-trace.csv"));
    assert_false(row_file_is("tests/profiles/nsys-stats.csv"));
    assert_false(row_file_is("no such file"));
}

static void words_choose_rows(void **state)
{
    (void)state;
    static const struct {
        const char *only;
        bool expected;
    } cases[] = {{NULL, true},        {"", true},           {"  ", true},
                 {"gemm", true},      {"gtx480", true},     {"GEMM  sm2", true},
                 {"gemm rtx", false}, {"gemm-1280", false}, {"12345", false}};
    struct row_file rows;
    assert_int_equal(read_text("GPU,kernel,machine,workload,core.cycles\n"
                               "SM2_GTX480,gemm-128,v100,GEMM,12345\n",
                               &rows, NULL),
                     STATUS_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(row_is_chosen(&rows, 0, cases[i].only), cases[i].expected);
    row_file_free(&rows);
}

/* Rows of the program with random bytes changed are read or refused with a reason. */
static void any_bytes(void **state)
{
    (void)state;
    static const char odd[] = "\"\",;-[]= #\n\0.9\xff";
    uint64_t seed = 1;
    for (const struct embedded_file *file = embedded_rows; file->name; file++)
        for (int round = 0; round < 100; round++) {
            char text[4096], path[TEMPORARY_PATH];
            const size_t size = file->size < sizeof text ? file->size : sizeof text;
            struct row_file rows = {0};
            struct diagnostics found = DIAGNOSTICS_INIT;
            memcpy(text, file->text, size);
            for (int k = 0; k < 1 + round % 8; k++, seed++)
                text[random_below(random_at(seed, 0), size)] =
                    odd[random_below(random_at(seed, 1), sizeof odd - 1)];
            temporary_file(temporary_folder, "any.csv", text, size, path);
            if (row_file_read(path, NULL, &rows, &found))
                assert_true(found.errors && !rows.items);
            row_file_free(&rows);
            diagnostics_free(&found);
        }
}

/* A line ends at its first zero byte, wherever it goes on: cells after that are empty. */
static void zero_bytes_end_lines(void **state)
{
    enum { LONGEST = 512 };
    static const char head[] = "machine,workload,l1d.miss_rate,source\nv100,GEMM,5";
    (void)state;
    for (size_t length = sizeof head + 1; length < LONGEST; length++) {
        struct row_file rows = {0};
        char path[TEMPORARY_PATH], bytes[LONGEST] = {0};
        memcpy(bytes, head, sizeof head);
        bytes[length - 1] = '\n';
        temporary_file(temporary_folder, "zeros.csv", bytes, length, path);
        assert_int_equal(row_file_read(path, NULL, &rows, NULL), STATUS_OK);
        assert_string_equal(row_cell(&rows, 0, ROW_WORKLOAD), "GEMM");
        assert_string_equal(row_cell(&rows, 0, ROW_SOURCE), "");
        row_file_free(&rows);
    }
}

/* Short rows below a wide header take room for all its cells, so these are bounded. */
static void short_rows_below_a_wide_header_are_bounded(void **state)
{
    enum { COLUMNS = 256, ROWS = (1 << 24) / COLUMNS + 1 };
    struct row_file rows;
    struct diagnostics found = DIAGNOSTICS_INIT;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    (void)state;
    assert_non_null(out);
    fputs("machine,workload,l1d.misses", out);
    for (int i = 3; i < COLUMNS; i++)
        fprintf(out, ",at x%d", i);
    for (int i = 0; i < ROWS; i++)
        fputs("\ngtx480,GEMM,1", out);
    fclose(out);
    assert_int_equal(read_text(text, &rows, &found), STATUS_INVALID);
    assert_non_null(strstr(found.items[0].message, "cells with those that short rows lack"));
    diagnostics_free(&found);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_rows_are_whole),
        cmocka_unit_test(zero_bytes_end_lines),
        cmocka_unit_test(rings_lie_in_their_levels),
        cmocka_unit_test(a_header_says_what_columns_are),
        cmocka_unit_test(mistakes_have_places),
        cmocka_unit_test(all_mistakes_are_told),
        cmocka_unit_test(rows_are_told_from_profiles),
        cmocka_unit_test(words_choose_rows),
        cmocka_unit_test(any_bytes),
        cmocka_unit_test(short_rows_below_a_wide_header_are_bounded),
    };
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
