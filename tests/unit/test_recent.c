/* What was opened lately, and what a damaged list of it may hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/rng.h"
#include "support/temporary.h"
#include "ui/session/recent.h"
#include "ui/terminal/user_files.h"

static struct recent_files files;

static int in_a_folder(void **state)
{
    temporary_make(state);
    setenv("XDG_STATE_HOME", temporary_folder, 1);
    return 0;
}

static void write_list(const char *text, size_t size)
{
    char path[TEMPORARY_PATH];
    assert_true(state_file("recent", path, sizeof path));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    fclose(file);
}

static void the_newest_comes_first_and_once(void **state)
{
    (void)state;
    recent_read(&files);
    assert_int_equal(files.count, 0);
    recent_add(RECENT_MACHINE, "/a");
    recent_add(RECENT_STORE, "/a");
    recent_add(RECENT_MACHINE, "/b");
    recent_add(RECENT_MACHINE, "/a");
    recent_read(&files);
    assert_int_equal(files.count, 3);
    assert_string_equal(files.items[0].path, "/a");
    assert_int_equal(files.items[0].kind, RECENT_MACHINE);
    assert_string_equal(files.items[1].path, "/b");
    assert_int_equal(files.items[2].kind, RECENT_STORE);
}

static void the_list_has_an_end(void **state)
{
    (void)state;
    for (int i = 0; i < 3 * RECENT_OF_A_KIND; i++) {
        char path[32];
        snprintf(path, sizeof path, "/trace-%d", i);
        recent_add(RECENT_WORKLOAD, path);
    }
    recent_read(&files);
    size_t workloads = 0;
    for (size_t i = 0; i < files.count; i++)
        workloads += files.items[i].kind == RECENT_WORKLOAD;
    assert_int_equal(workloads, RECENT_OF_A_KIND);
    assert_string_equal(files.items[0].path, "/trace-23");
}

static void what_is_no_entry_is_passed_over(void **state)
{
    (void)state;
    static const char text[] = "machine\nmachine \nmachine mine.yaml\nengine /x\nmachine /\x1b[2J\n"
                               "store /\xe2\x80\xae\nstore /\xff\nstudy /a\tb\nstudy /a\r\n\n"
                               "machine /good one.yaml\nstore /cut\0off\nstore /behind";
    write_list(text, sizeof text - 1);
    recent_read(&files);
    assert_int_equal(files.count, 2);
    assert_string_equal(files.items[0].path, "/good one.yaml");
    assert_string_equal(files.items[1].path, "/cut");
    recent_add(RECENT_STORE, "/\x1b]0;title\a"); /* nor is it written */
    recent_add(RECENT_STORE, "no file of this name");
    recent_read(&files);
    assert_int_equal(files.count, 2);
}

/* Any bytes, longer than what is read of them, and a list that is no file. */
static void hostile_lists_are_survived(void **state)
{
    (void)state;
    enum { BYTES = 100000 };
    static const char near[] = "machine /store\n";
    char *text = malloc(BYTES), path[TEMPORARY_PATH];
    assert_non_null(text);
    for (uint64_t round = 0; round < 20; round++) {
        for (uint64_t i = 0; i < BYTES; i++)
            text[i] = round % 2 ? (char)random_below(random_at(round, i), 256)
                                : near[random_below(random_at(round, i), sizeof near - 1)];
        write_list(text, BYTES);
        recent_read(&files);
        assert_in_range(files.count, 0, RECENT_MAX);
        recent_add(RECENT_STUDY, "/after");
        recent_read(&files);
        assert_string_equal(files.items[0].path, "/after");
    }
    memset(text, 'x', BYTES);
    memcpy(text, "machine /", 9);
    write_list(text, BYTES); /* a path without an end */
    recent_read(&files);
    assert_int_equal(files.count, 0);
    free(text);
    assert_true(state_file("recent", path, sizeof path));
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0); /* nobody writes: it must not wait */
    recent_read(&files);
    assert_int_equal(files.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_newest_comes_first_and_once),
        cmocka_unit_test(the_list_has_an_end),
        cmocka_unit_test(what_is_no_entry_is_passed_over),
        cmocka_unit_test(hostile_lists_are_survived),
    };
    return cmocka_run_group_tests(tests, in_a_folder, temporary_clear);
}
