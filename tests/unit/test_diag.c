/* Diagnostics as text, and nearest names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/diag.h"
#include "support/message_text.h"

static void assert_printed(struct diagnostics *diagnostics, const char *expected)
{
    char *text = messages_take(diagnostics);
    assert_string_equal(text, expected);
    free(text);
}

static void test_print(void **state)
{
    (void)state;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct place place = {.file = "gtx480.yaml",
                          .line = 5,
                          .column = 3,
                          .span = 4,
                          .source = "  asoc: 4\r\nnext line"};
    diagnostics_add(&diagnostics, SEVERITY_ERROR, &place, "unknown key '%s'", "asoc");
    place = (struct place){.file = "a.wtr", .offset = 12, .has_offset = true};
    diagnostics_add(&diagnostics, SEVERITY_WARNING, &place, "odd");
    diagnostics_add(&diagnostics, SEVERITY_NOTE, NULL, "so");
    assert_int_equal(diagnostics.errors, 1);
    assert_printed(&diagnostics, "gtx480.yaml:5:3: unknown key 'asoc'\n"
                                 "    5 |   asoc: 4\n"
                                 "      |   ^~~~\n"
                                 "a.wtr: byte 12: warning: odd\n"
                                 "note: so\n");
}

static void test_underline_counts_characters(void **state)
{
    (void)state;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct place place = {.file = "f", .line = 1, .column = 5, .span = 2, .source = "\tüß: ab"};
    diagnostics_add(&diagnostics, SEVERITY_ERROR, &place, "x");
    assert_printed(&diagnostics, "f:1:5: x\n    1 | \tüß: ab\n      | \t   ^~\n");
}

static void test_control_characters_are_not_printed(void **state)
{
    (void)state;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct place place = {.file = "f\x1b", .line = 1, .source = "\x1b[31m"};
    diagnostics_add(&diagnostics, SEVERITY_ERROR, &place, "got '%s'", "\x1b]0;\x07!\x7f");
    assert_string_equal(diagnostics.items[0].message, "got '\\x1b]0;\\x07!\\x7f'");
    assert_printed(&diagnostics, "f\\x1b:1:1: got '\\x1b]0;\\x07!\\x7f'\n    1 | \\x1b[31m\n");
    /* 8-bit and encoded CSI, a lone and a cut character; what UTF-8 is stays. */
    diagnostics_add(&diagnostics, SEVERITY_ERROR, NULL,
                    "\x9b|\xc2\x9b|\xff|\xe2\x82|ü€\xf0\x9f\x8c\x8d");
    assert_printed(&diagnostics, "\\x9b|\\xc2\\x9b|\\xff|\\xe2\\x82|ü€\xf0\x9f\x8c\x8d\n");
    /* Too long, half a pair, beyond Unicode, from right to left. */
    diagnostics_add(&diagnostics, SEVERITY_ERROR, NULL, "%s", "\xe0\x80\xaf|\xed\xa0\x80");
    diagnostics_add(&diagnostics, SEVERITY_ERROR, NULL, "%s", "\xf4\x90\x80\x80|\xe2\x80\xae");
    assert_printed(&diagnostics, "\\xe0\\x80\\xaf|\\xed\\xa0\\x80\n"
                                 "\\xf4\\x90\\x80\\x80|\\xe2\\x80\\xae\n");
}

/* A message that quotes another one is not escaped again; the caret finds its escape. */
static void test_escapes_are_said_once(void **state)
{
    (void)state;
    struct diagnostics inner = DIAGNOSTICS_INIT, outer = DIAGNOSTICS_INIT;
    diagnostics_add(&inner, SEVERITY_ERROR, NULL, "got '%s'", "\x1b");
    struct place place = {
        .file = "f", .line = 1, .column = 3, .span = 2, .source = "\xff\x1b\x01:"};
    diagnostics_add(&outer, SEVERITY_ERROR, &place, "inner: %s", inner.items[0].message);
    assert_printed(&outer, "f:1:3: inner: got '\\x1b'\n"
                           "    1 | \\xff\\x1b\\x01:\n"
                           "      |         ^~~~~\n");
    diagnostics_free(&inner);
}

static void test_sort_and_move(void **state)
{
    (void)state;
    struct diagnostics first = DIAGNOSTICS_INIT, second = DIAGNOSTICS_INIT;
    struct place place = {.file = "f"};
    diagnostics_error(&first, STATUS_IO, "head");
    static const unsigned lines[][2] = {{9, 1}, {2, 8}, {2, 3}, {1, 1}};
    for (size_t i = 0; i < 4; i++) {
        place.line = lines[i][0];
        place.column = lines[i][1];
        diagnostics_add(&second, SEVERITY_ERROR, &place, "m");
    }
    diagnostics_move(&first, &second);
    assert_int_equal(second.count, 0);
    assert_int_equal(first.errors, 5);
    diagnostics_sort(&first, 1);
    assert_printed(&first, "head\nf:1:1: m\nf:2:3: m\nf:2:8: m\nf:9:1: m\n");
}

static void test_null_drops_the_text(void **state)
{
    (void)state;
    diagnostics_add(NULL, SEVERITY_ERROR, NULL, "x");
    assert_int_equal(diagnostics_error(NULL, STATUS_CORRUPT, "x"), STATUS_CORRUPT);
}

__attribute__((format(printf, 2, 3))) static void complain(struct diagnostics *diagnostics,
                                                           const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    diagnostics_vadd(diagnostics, SEVERITY_WARNING, NULL, "subject", format, arguments);
    va_end(arguments);
}

/* A subject stands in front, and what quotes a file at length is cut. */
static void test_vadd(void **state)
{
    (void)state;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    char text[QUOTING_MAX + 100];
    complain(&diagnostics, "%d is not %s", 3, "\x01");
    assert_int_equal(diagnostics.count, 1);
    assert_int_equal(diagnostics.errors, 0);
    assert_string_equal(diagnostics.items[0].message, "subject: 3 is not \\x01");
    memset(text, 'x', sizeof text);
    complain(&diagnostics, "%.*s", (int)sizeof text, text);
    assert_int_equal(strlen(diagnostics.items[1].message), QUOTING_MAX + strlen("subject: "));
    complain(NULL, "nobody wants to know");
    diagnostics_free(&diagnostics);
}

static void test_nearest_name(void **state)
{
    (void)state;
    static const char *const names[] = {"size", "ways", "line", "replacement", "index"};
    static const struct {
        const char *wrong, *right;
    } cases[] = {{"siez", "size"},
                 {"szie", "size"},
                 {"way", "ways"},
                 {"replacemnt", "replacement"},
                 {"", NULL},
                 {"asoc", NULL},
                 {"x", NULL},
                 {"line", "line"},
                 {"indx", "index"},
                 {"placement", "replacement"},
                 {"replac", "replacement"},
                 {"repl", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *found = nearest_name(cases[i].wrong, names, 5);
        if (!cases[i].right)
            assert_null(found);
        else
            assert_string_equal(found, cases[i].right);
    }
    /* What begins with the text comes before what is nearer to it. */
    static const char *const counted[] = {"l1d.bits", "l1d.miss_rate", "l1d.misses", "l1d.mshr"};
    assert_string_equal(nearest_name("l1d.mis", counted, 4), "l1d.misses");
    static const char *const commands[] = {"step", "sweep", "swap"};
    assert_string_equal(nearest_name("swep", commands, 3), "sweep"); /* all are one edit away */
    char longer[5000];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_null(nearest_name(longer, names, 5));
}

static void test_first_message(void **state)
{
    (void)state;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_string_equal(diagnostics_first(&diagnostics, STATUS_MEMORY), status_text(STATUS_MEMORY));
    diagnostics_add(&diagnostics, SEVERITY_ERROR, NULL, "first");
    diagnostics_add(&diagnostics, SEVERITY_ERROR, NULL, "second");
    assert_string_equal(diagnostics_first(&diagnostics, STATUS_MEMORY), "first");
    diagnostics_free(&diagnostics);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_print),
        cmocka_unit_test(test_first_message),
        cmocka_unit_test(test_underline_counts_characters),
        cmocka_unit_test(test_control_characters_are_not_printed),
        cmocka_unit_test(test_escapes_are_said_once),
        cmocka_unit_test(test_sort_and_move),
        cmocka_unit_test(test_null_drops_the_text),
        cmocka_unit_test(test_vadd),
        cmocka_unit_test(test_nearest_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
