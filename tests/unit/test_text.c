/* Lines of text: what may begin a file, how lines end, and what is no text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/temporary.h"
#include "trace/text.h"

/* Reads bytes as lines, which are joined with '|'. */
static enum status read_all(const char *bytes, size_t size, char joined[256],
                            struct diagnostics *diagnostics)
{
    char path[TEMPORARY_PATH];
    struct text_reader reader;
    temporary_file(temporary_folder, "text", bytes, size, path);
    assert_int_equal(text_open(path, &reader, diagnostics), STATUS_OK);
    *joined = '\0';
    while (text_line(&reader))
        snprintf(joined + strlen(joined), 256 - strlen(joined), "%s|", reader.line);
    const enum status status = reader.status;
    text_close(&reader);
    return status;
}

static void test_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text, *lines;
    } rows[] = {{"", ""},
                {"a", "a|"},
                {"a\n", "a|"},
                {"a\r\n\r\nb", "a||b|"},
                {"\n\na\n", "||a|"},
                {"\xef\xbb\xbf", ""},
                {"\xef\xbb\xbf-a\nb\n", "-a|b|"},
                {"\xef\xbb", "\xef\xbb|"},
                {"a\n\xef\xbb\xbf"
                 "b\n",
                 "a|\xef\xbb\xbf"
                 "b|"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char joined[256];
        assert_int_equal(read_all(rows[i].text, strlen(rows[i].text), joined, NULL), STATUS_OK);
        assert_string_equal(joined, rows[i].lines);
    }
}

static void test_utf16_is_called_so(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
    } rows[] = {{"\xff\xfe"
                 "a\0\n\0",
                 6},
                {"\xfe\xff\0a\0\n", 6},
                {"a\0b\0\n\0", 6},
                {"\0a\0b\0\n", 6},
                {"\xff\xfe", 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char joined[256];
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        assert_int_equal(read_all(rows[i].bytes, rows[i].size, joined, &diagnostics),
                         STATUS_INVALID);
        assert_string_equal(joined, "");
        assert_int_equal(diagnostics.errors, 1);
        assert_non_null(strstr(diagnostics.items[0].message, "UTF-16"));
        diagnostics_free(&diagnostics);
    }
}

static void test_a_line_again(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH];
    struct text_reader reader;
    temporary_file(temporary_folder, "text", "a\nb\n", 0, path);
    assert_int_equal(text_open(path, &reader, NULL), STATUS_OK);
    assert_true(text_line(&reader));
    text_again(&reader);
    assert_true(text_line(&reader));
    assert_string_equal(reader.line, "a");
    assert_int_equal(reader.number, 1);
    assert_true(text_line(&reader));
    assert_string_equal(reader.line, "b");
    assert_false(text_line(&reader));
    text_close(&reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_utf16_is_called_so),
        cmocka_unit_test(test_a_line_again),
    };
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
