/* Lists of arrays: what is read, and what is refused with its line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "trace/array_file.h"

static enum status read_text(const char *text, struct trace_array **arrays, size_t *count,
                             struct diagnostics *diagnostics)
{
    char path[] = "array_file_XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    const enum status status = array_file_read(path, arrays, count, diagnostics);
    unlink(path);
    return status;
}

static void arrays_come_by_address(void **state)
{
    (void)state;
    struct trace_array *arrays;
    size_t count;
    assert_int_equal(
        read_text("# two arrays\nB 0x2000 4KiB\n\nA,4096,256\n", &arrays, &count, NULL), STATUS_OK);
    assert_int_equal(count, 2);
    assert_string_equal(arrays[0].name, "A");
    assert_int_equal(arrays[0].base, 4096);
    assert_int_equal(arrays[0].bytes, 256);
    assert_string_equal(arrays[1].name, "B");
    assert_int_equal(arrays[1].base, 8192);
    assert_int_equal(arrays[1].bytes, 4096);
    array_file_free(arrays, count);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } rows[] = {{"A\n", "expected an address"},
                {"A x 4\n", "expected an address"},
                {"A 0 0\n", "expected a size"},
                {"A 0xffffffffffffffff 2\n", "expected a size"},
                {"A 0 4 more\n", "expected nothing after the size"},
                {"A 0 4\nB 2 4\n", "overlap"},
                {"# none\n", "there is no array"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct diagnostics found = DIAGNOSTICS_INIT;
        struct trace_array *arrays;
        size_t count;
        assert_int_equal(read_text(rows[i].text, &arrays, &count, &found), STATUS_INVALID);
        assert_non_null(strstr(diagnostics_first(&found, STATUS_INVALID), rows[i].why));
        assert_int_equal(count, 0);
        diagnostics_free(&found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arrays_come_by_address),
                                       cmocka_unit_test(what_is_wrong_is_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
