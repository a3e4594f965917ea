/* Text from outside is escaped wherever it could control a terminal, and nowhere else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/printable.h"
#include "base/utf8.h"

static void expect(const char *text, const char *printed)
{
    char *result = NULL;
    size_t size;
    FILE *out = open_memstream(&result, &size);
    assert_non_null(out);
    printable_write(text, out);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(result, printed);
    free(result);
}

static void examples(void **state)
{
    (void)state;
    expect("plain, \tµ, 漢, \U0001f600\n", "plain, \tµ, 漢, \U0001f600\n");
    expect("\x1b]0;t\a\r", "\\x1b]0;t\\x07\\x0d");
    expect("\x7f \x9b \xc2\x9b", "\\x7f \\x9b \\xc2\\x9b");
    expect("\u202e\u2066\u200f\u061c", "\\xe2\\x80\\xae\\xe2\\x81\\xa6\\xe2\\x80\\x8f\\xd8\\x9c");
    /* Cut off, too long, a surrogate, beyond the last code point. */
    expect("\xe2\x80", "\\xe2\\x80");
    expect("\xc0\xaf\xed\xa0\x80", "\\xc0\\xaf\\xed\\xa0\\x80");
    expect("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
}

/* Against the decoder of the screen: every code point, and what each printable one is as bytes. */
static void every_code_point(void **state)
{
    (void)state;
    size_t escaped = 0;
    for (uint32_t point = 1; point < 0x110000; point++) {
        char bytes[UTF8_MAX + 1] = {0};
        size_t length = utf8_write(point, bytes), printable = printable_length(bytes);
        assert_true(printable == 0 || printable == length);
        escaped += !printable;
    }
    /* Controls but tab and newline (30 and DEL, 32 of C1), and 13 marks of direction or lines. */
    assert_int_equal(escaped, 29 + 1 + 32 + 1 + 2 + 7 + 4);
}

static void comments(void **state)
{
    (void)state;
    char *result = NULL;
    size_t size;
    FILE *out = open_memstream(&result, &size);
    printable_comment("one\ntwo\x1b\n", out);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(result, "# one\n# two\\x1b\n");
    free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples),
        cmocka_unit_test(every_code_point),
        cmocka_unit_test(comments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
