/* Which launches a list of names and numbers means, and what a wrong one is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/output_file.h"
#include "tests/support/message_text.h"
#include "tests/support/temporary.h"
#include "trace/launch_choice.h"
#include "trace/trace_file.h"
#include "workload/part.h"
#include "workload/workload.h"

static const char *const names[] = {"bfs_one", "_Z7bfs_twoPi", "void ns::scale<float, 4>(float*)",
                                    "bfs_one"};
static const uint32_t numbers[] = {0, 8, 9, 0}; /* as trace_launch.number */
enum { LAUNCHES = sizeof names / sizeof *names };

/* Bit i: launch i is chosen. */
static unsigned chosen(const char *text, enum status expected, char **messages)
{
    struct launch_choice *choice;
    struct diagnostics found = DIAGNOSTICS_INIT;
    unsigned mask = 0;
    assert_int_equal(launch_choice_create(text, &choice, &found), STATUS_OK);
    for (uint32_t i = 0; i < LAUNCHES; i++) {
        const struct trace_launch launch = {.name = (char *)(uintptr_t)names[i],
                                            .number = numbers[i]};
        mask |= (unsigned)launch_choice_wants(choice, &launch, i) << i;
    }
    assert_int_equal(launch_choice_check(choice, "list.g", &found), expected);
    launch_choice_free(choice);
    *messages = messages_take(&found);
    return mask;
}

static void test_terms(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned mask;
    } rows[] = {{"0", 1},        {"7", 2},
                {"7,8", 6},      {"0..7", 11},
                {"bfs_one", 9},  {"bfs*", 11},
                {"bfs_two", 2},  {"_Z7bfs_twoPi", 2},
                {"scale", 4},    {"void ns::scale<float, 4>(float*)", 4},
                {"*scale<*", 4}, {"scale,3", 12},
                {"*", 15},       {"bfs_t[wx]o", 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *messages;
        assert_int_equal(chosen(rows[i].text, STATUS_OK, &messages), rows[i].mask);
        free(messages);
    }
}

static void test_nobodys_terms(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {{"bfs_onw", "no kernel has the name 'bfs_onw'; did you mean 'bfs_one'?"},
                {"0,4", "no launch has the number 4; they go from 0 to 8"},
                {"4..6", "no launch has the number 4..6"},
                {"zzzzzzzzzzzzzzz", "its kernels are bfs_one, bfs_two, scale"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *messages;
        chosen(rows[i].text, STATUS_NOT_FOUND, &messages);
        if (!strstr(messages, rows[i].message))
            fail_msg("'%s' has no '%s'", messages, rows[i].message);
        free(messages);
    }
    static const char *const wrong[] = {"", "1,,2", "5..3", "1,"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct launch_choice *choice;
        struct diagnostics found = DIAGNOSTICS_INIT;
        assert_int_equal(launch_choice_create(wrong[i], &choice, &found), STATUS_INVALID);
        assert_int_equal(found.errors, 1);
        diagnostics_free(&found);
    }
}

static void test_parts_of_names(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name, *others, *format, *kernels;
    } rows[] = {
        {"GEMM", "GEMM", "", "", ""},
        {"GEMM:n=4,block_x=2", "GEMM", "n=4,block_x=2", "", ""},
        {"GEMM:n=4,kernel=a,b*,block_x=2", "GEMM", "n=4,block_x=2", "", "a,b*"},
        {"t:kernel=f<1, 2>(int, n),3,format=din", "t", "", "din", "f<1, 2>(int, n),3"},
        {"a:b/c.trace:format=din", "a:b/c.trace", "", "din", ""},
        {"a:b/c.trace:kernel=ns::f", "a:b/c.trace", "", "", "ns::f"},
        {"a:b/c.trace", "a", "b/c.trace", "", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct part part;
        assert_int_equal(part_parse(rows[i].text, &part, NULL), STATUS_OK);
        assert_string_equal(part.name, rows[i].name);
        assert_string_equal(part.others, rows[i].others);
        assert_string_equal(part.format ? part.format : "", rows[i].format);
        assert_string_equal(part.kernels ? part.kernels : "", rows[i].kernels);
        assert_true(!part.choice == !*rows[i].kernels);
        part_free(&part);
    }
    struct part part;
    assert_int_equal(part_parse("a:format=din,format=csv", &part, NULL), STATUS_INVALID);
    assert_int_equal(part_parse("a:kernel=", &part, NULL), STATUS_INVALID);
    char *text = part_with_format("a.trace", "din");
    assert_string_equal(text, "a.trace:format=din");
    free(text);
    text = part_with_format("a.trace:kernel=2", "din");
    assert_string_equal(text, "a.trace:kernel=2,format=din");
    free(text);
}

#define KERNEL(id, address)                                                                        \
    "-kernel name = k" id "\n-kernel id = " id "\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"    \
    "#traces format = x\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n"                   \
    "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x" address " 4\n#END_TB\n"

/* The same launches of a list, of its .wtr and of a part of that are the same stream; of a list the
 * others are not even read. */
static void test_some_of_a_list(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH], list[TEMPORARY_PATH], whole[TEMPORARY_PATH], cut[TEMPORARY_PATH];
    char text[TEMPORARY_PATH + 64];
    temporary_file(temporary_folder, "kernel-1.traceg", KERNEL("1", "1000"), 0, path);
    temporary_file(temporary_folder, "kernel-2.traceg", KERNEL("2", "2000"), 0, path);
    temporary_file(temporary_folder, "kernel-3.traceg", KERNEL("3", "3000"), 0, path);
    temporary_file(temporary_folder, "some.g",
                   "kernel-1.traceg\nMemcpyHtoD,0x0,8\nkernel-2.traceg\n"
                   "kernel-3.traceg",
                   0, list);
    temporary_path(temporary_folder, "whole.wtr", whole);
    temporary_path(temporary_folder, "cut.wtr", cut);
    assert_int_equal(trace_import(list, &(struct trace_part){0}, whole, OUTPUT_REPLACE, NULL),
                     STATUS_OK);
    struct launch_choice *choice;
    assert_int_equal(launch_choice_create("3,k2", &choice, NULL), STATUS_OK);
    assert_int_equal(
        trace_import(list, &(struct trace_part){.choice = choice}, cut, OUTPUT_REPLACE, NULL),
        STATUS_OK);
    launch_choice_free(choice);
    const char *const files[] = {list, whole, cut};
    char digest[33] = "";
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct trace_source *source;
        snprintf(text, sizeof text, "%s:kernel=3,k2", files[i]);
        assert_int_equal(workload_open(text, &source, NULL), STATUS_OK);
        assert_int_equal(source->launch_count, 2);
        assert_string_equal(source->launches[0].name, "k2");
        assert_int_equal(launch_number(&source->launches[1], 1), 3);
        assert_non_null(strstr(source->name, ":kernel=3,k2"));
        if (i != 1) /* that one is part of another stream */
            assert_string_equal(source->digest, *digest ? digest : source->digest);
        memcpy(digest, i == 1 ? digest : source->digest, sizeof digest);
        trace_source_free(source);
    }
    struct trace_source *source;
    struct diagnostics found = DIAGNOSTICS_INIT;
    snprintf(text, sizeof text, "%s:kernel=4", list);
    assert_int_equal(workload_open(text, &source, &found), STATUS_NOT_FOUND);
    assert_null(source);
    diagnostics_free(&found);
    temporary_file(temporary_folder, "kernel-9.traceg", KERNEL("9", "zzz"), 0,
                   path); /* wrong inside */
    temporary_file(temporary_folder, "wrong.g", "kernel-9.traceg\nkernel-1.traceg\n", 0, list);
    snprintf(text, sizeof text, "%s:kernel=1", list);
    assert_int_equal(workload_open(text, &source, NULL), STATUS_OK);
    trace_source_free(source);
}

static void test_some_of_a_program(void **state)
{
    (void)state;
    struct trace_source *source;
    assert_int_equal(workload_open("ATAX:nx=64,kernel=atax_kernel2,ny=64", &source, NULL),
                     STATUS_OK);
    assert_int_equal(source->launch_count, 1);
    assert_string_equal(source->launches[0].name, "atax_kernel2");
    assert_int_equal(launch_number(&source->launches[0], 0), 1);
    assert_true(trace_source_timed(source));
    trace_source_free(source);
    assert_int_equal(workload_open("raster-refract:kernel=0", &source, NULL), STATUS_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terms),
        cmocka_unit_test(test_nobodys_terms),
        cmocka_unit_test(test_parts_of_names),
        cmocka_unit_test(test_some_of_a_list),
        cmocka_unit_test(test_some_of_a_program),
    };
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
