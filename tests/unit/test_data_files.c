/* Finding data files that are named without their folder. */
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

#include "base/data_files.h"
#include "base/embedded.h"
#include "support/temporary.h"

static char source[TEMPORARY_PATH];

/* Two folders, "here" and "home", and the working folder in the first. */
static int enter(void **state)
{
    if (!getcwd(source, sizeof source) || temporary_make(state) || chdir(temporary_folder))
        return 1;
    unsetenv("WARPSCAPE_TRACES");
    setenv("HOME", temporary_folder, 1);
    unsetenv("XDG_DATA_HOME");
    static const char *const folders[] = {"here",
                                          "here/traces",
                                          "here/configs",
                                          "here/configs/machines",
                                          "home",
                                          "home/warpscape",
                                          "home/warpscape/traces",
                                          "home/warpscape/configs",
                                          "home/warpscape/configs/machines",
                                          "chosen"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (mkdir(folders[i], 0700))
            return 1;
    return chdir("here");
}

static int leave(void **state)
{
    (void)state;
    char command[TEMPORARY_PATH + 8];
    snprintf(command, sizeof command, "rm -r %s", temporary_folder);
    return chdir(source) || system(command);
}

static void make(const char *path)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fclose(out);
}

/* The end of the path that is found; "" where none is. */
static void expect(enum data_kind kind, enum data_scope scope, const char *name, const char *end)
{
    char *path;
    assert_int_equal(data_file_find(kind, scope, name, &path), STATUS_OK);
    if (!*end) {
        assert_null(path);
        return;
    }
    assert_non_null(path);
    assert_true(strlen(path) >= strlen(end));
    assert_string_equal(path + strlen(path) - strlen(end), end);
    free(path);
}

static void the_nearest_folder_wins(void **state)
{
    (void)state;
    char home[TEMPORARY_PATH + 16], chosen[TEMPORARY_PATH + 16];
    snprintf(home, sizeof home, "%s/home", temporary_folder);
    snprintf(chosen, sizeof chosen, "%s/chosen", temporary_folder);
    expect(DATA_TRACES, DATA_OWN, "t.addr", "");
    make("../home/warpscape/traces/t.addr");
    expect(DATA_TRACES, DATA_OWN, "t.addr", "");
    setenv("XDG_DATA_HOME", home, 1);
    expect(DATA_TRACES, DATA_OWN, "t.addr", "home/warpscape/traces/t.addr");
    expect(DATA_MACHINES, DATA_OWN, "t.addr", "");
    expect(DATA_MACHINES, DATA_OWN, "traces/t.addr", "home/warpscape/traces/t.addr");
    make("traces/t.addr");
    expect(DATA_TRACES, DATA_OWN, "t.addr", "traces/t.addr");
    make("../chosen/t.addr");
    setenv("WARPSCAPE_TRACES", chosen, 1);
    expect(DATA_TRACES, DATA_OWN, "t.addr", "chosen/t.addr");
    make("t.addr");
    expect(DATA_TRACES, DATA_OWN, "t.addr", "t.addr");
    expect(DATA_TRACES, DATA_OWN, "./t.addr", "./t.addr");
    expect(DATA_TRACES, DATA_OWN, "./other.addr", "");
    unsetenv("WARPSCAPE_TRACES");
}

static void a_folder_is_no_file_and_yaml_goes_without_saying(void **state)
{
    (void)state;
    assert_int_equal(mkdir("mine", 0700), 0);
    expect(DATA_MACHINES, DATA_OWN, "mine", "");
    make("configs/machines/mine.yaml");
    expect(DATA_MACHINES, DATA_OWN, "mine", "configs/machines/mine.yaml");
    expect(DATA_MACHINES, DATA_OWN, "mine.yaml", "configs/machines/mine.yaml");
    expect(DATA_STUDIES, DATA_OWN, "mine", "");
    expect(DATA_MACHINES, DATA_OWN, "", "");
}

/* This program lies in the build folder of the source tree, below build/PRESET/tests. */
static void what_the_program_brings_is_found_from_anywhere(void **state)
{
    (void)state;
    expect(DATA_TRACES, DATA_OWN, "cpwc-example.addr", "");
    expect(DATA_TRACES, DATA_ALL, "cpwc-example.addr", "traces/cpwc-example.addr");
    expect(DATA_STUDIES, DATA_ALL, "configs/studies/reuse.yaml", "configs/studies/reuse.yaml");
    expect(DATA_STUDIES, DATA_ALL, "./configs/studies/reuse.yaml", "");
}

static void names_are_listed_once(void **state)
{
    (void)state;
    static const struct embedded_file embedded[] = {{"two", "", 0}, {"zebra", "", 0}, {0}};
    struct data_names names;
    make("traces/two.yaml");
    make("traces/one.yaml");
    make("traces/.yaml");
    assert_int_equal(data_names_list(DATA_TRACES, embedded, &names), STATUS_OK);
    assert_int_equal(names.count, 3);
    assert_string_equal(names.items[0], "one");
    assert_string_equal(names.items[1], "two");
    assert_string_equal(names.items[2], "zebra");
    data_names_free(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_folder_wins),
        cmocka_unit_test(a_folder_is_no_file_and_yaml_goes_without_saying),
        cmocka_unit_test(what_the_program_brings_is_found_from_anywhere),
        cmocka_unit_test(names_are_listed_once),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
