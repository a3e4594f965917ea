/* What a file is, by what it holds: all that ship, and what else people have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glob.h>
#include <string.h>

#include "tests/support/temporary.h"
#include "ui/session/file_kind.h"

static void all_are(const char *pattern, size_t least, enum file_kind kind)
{
    glob_t found;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= least);
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (file_kind(found.gl_pathv[i]) != kind)
            fail_msg("%s is no file of kind %d", found.gl_pathv[i], (int)kind);
    globfree(&found);
}

static void test_what_ships(void **state)
{
    (void)state;
    all_are("configs/machines/*.yaml", 40, FILE_MACHINE);
    all_are("configs/studies/*.yaml", 5, FILE_STUDY);
    all_are("configs/experiments/*.yaml", 4, FILE_PAPER);
    all_are("traces/*.yaml", 40, FILE_WORKLOAD);
}

static void test_what_people_have(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        enum file_kind kind;
    } rows[] = {
        {"a.db", "SQLite format 3\0....", FILE_STORE},
        {"a.csv", "address,op\n0x10,R\n", FILE_WORKLOAD},
        {"b.csv", "==PROF== Connected\n\"ID\",\"Kernel Name\",\"Metric Name\"\n", FILE_PROFILE},
        {"c.csv", "==12== NVPROF is profiling process 12\n", FILE_PROFILE},
        {"d.csv", "\"ID\",\"Process ID\",\"Kernel Name\",\"Metric Name\"\n", FILE_PROFILE},
        {"a.din", "0 1000\n1 2000\n", FILE_WORKLOAD},
        {"empty", "", FILE_WORKLOAD},
        {"empty.yaml", "", FILE_MACHINE},
        {"broken.yaml", "l1d: {size: 16KiB\n", FILE_MACHINE},
        {"list.yml", "- 1\n", FILE_MACHINE},
        {"study.yml", "machine: gtx480\nworkloads: [GEMM]\n", FILE_STUDY},
        {"recipe.yaml", "name: a\nfile: a.traceg\n", FILE_WORKLOAD},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[TEMPORARY_PATH];
        temporary_file(temporary_folder, rows[i].name, rows[i].text, strlen(rows[i].text), path);
        if (file_kind(path) != rows[i].kind)
            fail_msg("%s is no file of kind %d", rows[i].name, (int)rows[i].kind);
    }
    assert_int_equal(file_kind("gtx480"), FILE_MACHINE);
    assert_int_equal(file_kind("/nowhere/at/all"), FILE_MACHINE);
    assert_int_equal(file_kind(temporary_folder), FILE_MACHINE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_ships),
        cmocka_unit_test(test_what_people_have),
    };
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
