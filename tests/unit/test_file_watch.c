/* Files that others write: in place, and by putting a new one there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/temporary.h"
#include "ui/session/file_watch.h"

static char folder[TEMPORARY_PATH], mine[TEMPORARY_PATH + 16], other[TEMPORARY_PATH + 16];

static void put(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("l1d.ways: 2\n", file);
    fclose(file);
}

static int make_folder(void **state)
{
    (void)state;
    temporary_create(folder);
    snprintf(mine, sizeof mine, "%s/mine.yaml", folder);
    snprintf(other, sizeof other, "%s/other.yaml", folder);
    return 0;
}

static int drop_folder(void **state)
{
    (void)state;
    temporary_remove(folder);
    return 0;
}

static void only_its_own_file_counts(void **state)
{
    (void)state;
    struct file_watch watch;
    file_watch_init(&watch);
    assert_false(file_watch_take(&watch));
    put(mine);
    file_watch_set(&watch, mine);
    file_watch_set(&watch, mine);
    assert_false(file_watch_take(&watch));
    put(other);
    assert_false(file_watch_take(&watch));
    put(mine);
    assert_true(file_watch_take(&watch));
    assert_false(file_watch_take(&watch));
    assert_int_equal(rename(other, mine), 0); /* as editors do */
    assert_true(file_watch_take(&watch));
    file_watch_set(&watch, NULL);
    put(mine);
    assert_false(file_watch_take(&watch));
    file_watch_free(&watch);
}

/* Where the folder cannot be watched, nothing is said. */
static void no_folder_is_no_error(void **state)
{
    (void)state;
    struct file_watch watch;
    file_watch_init(&watch);
    file_watch_set(&watch, "/nowhere/at/all.yaml");
    assert_false(file_watch_take(&watch));
    file_watch_free(&watch);
    assert_false(file_watch_take(&watch));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_its_own_file_counts),
        cmocka_unit_test(no_folder_is_no_error),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
