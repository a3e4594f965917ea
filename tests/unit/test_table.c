/* Tables in all formats. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "report/drawing/table.h"

static struct table *sample(void)
{
    static const char *const headers[] = {"name", ">value", "note", NULL};
    struct table *table = table_create(headers);
    assert_non_null(table);
    table_text(table, "size");
    table_number(table, 16384, "16KiB");
    table_text(table, "plain");
    table_text(table, "Zeit µs");
    table_number(table, 0.1, NULL);
    table_text(table, "a,\"b\"|c");
    table_printf(table, "ways%d", 4);
    table_number(table, NAN, "-");
    return table;
}

static char *printed(const struct table *table, enum table_format format)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(table_print(table, format, out), STATUS_OK);
    fclose(out);
    return text;
}

static void expect(enum table_format format, const char *expected)
{
    struct table *table = sample();
    char *text = printed(table, format);
    assert_string_equal(text, expected);
    free(text);
    table_free(table);
}

static void text_aligns_by_columns(void **state)
{
    (void)state;
    expect(TABLE_TEXT, "name     value  note\n"
                       "size     16KiB  plain\n"
                       "Zeit µs    0.1  a,\"b\"|c\n"
                       "ways4        -\n");
}

static void csv_quotes(void **state)
{
    (void)state;
    expect(TABLE_CSV, "name,value,note\n"
                      "size,16384,plain\n"
                      "Zeit µs,0.1,\"a,\"\"b\"\"|c\"\n"
                      "ways4,,\n");
}

static void json_has_numbers_and_nulls(void **state)
{
    (void)state;
    expect(TABLE_JSON, "[{\"name\": \"size\", \"value\": 16384, \"note\": \"plain\"},\n"
                       " {\"name\": \"Zeit \\u00B5s\", \"value\": 0.10000000000000001, \"note\": "
                       "\"a,\\\"b\\\"|c\"},\n"
                       " {\"name\": \"ways4\", \"value\": null, \"note\": null}]\n");
}

static void markdown_escapes(void **state)
{
    (void)state;
    expect(TABLE_MARKDOWN, "| name    | value | note     |\n"
                           "| ------- | ----: | -------- |\n"
                           "| size    | 16KiB | plain    |\n"
                           "| Zeit µs |   0.1 | a,\"b\"\\|c |\n"
                           "| ways4   |     - |          |\n");
}

static void hostile_text_stays_in_its_cell(void **state)
{
    (void)state;
    static const char *const headers[] = {"a", "b", NULL};
    struct table *table = table_create(headers);
    table_text(table, "\x1b[31m\nx");
    table_text(table, "\xff\xc3");
    char *text = printed(table, TABLE_TEXT);
    assert_string_equal(text, "a           b\n\\x1b[31m x  \\xff\\xc3\n");
    free(text);
    text = printed(table, TABLE_JSON);
    assert_string_equal(text, "[{\"a\": \"\\u001B[31m\\nx\", \"b\": \"\\uFFFD\\uFFFD\"}]\n");
    free(text);
    text = printed(table, TABLE_CSV);
    assert_string_equal(text, "a,b\n\"\x1b[31m\nx\",\xff\xc3\n");
    free(text);
    table_free(table);
}

static void empty_tables_print(void **state)
{
    (void)state;
    static const char *const headers[] = {"a", ">b", NULL}, *const none[] = {NULL};
    static const char *const expected[] = {"a  b\n", "a,b\n", "[]\n",
                                           "| a   |   b |\n| --- | --: |\n"};
    for (int format = TABLE_TEXT; format <= TABLE_MARKDOWN; format++) {
        struct table *table = table_create(headers);
        char *text = printed(table, (enum table_format)format);
        assert_string_equal(text, expected[format]);
        free(text);
        table_free(table);
        table = table_create(none);
        free(printed(table, (enum table_format)format));
        table_free(table);
    }
    table_free(NULL);
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        skip();
    struct table *table = sample();
    assert_int_equal(table_print(table, TABLE_CSV, full), STATUS_IO);
    table_free(table);
    fclose(full);
}

static void code_points_survive_both_ways(void **state)
{
    (void)state;
    for (uint32_t point = 1; point <= 0x10ffff; point++) {
        if (point >= 0xd800 && point <= 0xdfff)
            continue;
        char bytes[UTF8_MAX + 1] = "";
        bytes[utf8_write(point, bytes)] = '\0';
        const char *text = bytes;
        assert_int_equal(utf8_next(&text), point);
        assert_int_equal(*text, 0);
    }
    /* Surrogates, overlong forms, cut sequences and beyond-the-end are no code points. */
    static const char *const bad[] = {"\xed\xa0\x80",     "\xc0\xaf", "\xe2\x82",
                                      "\xf4\x90\x80\x80", "\xf8",     "\x80"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *text = bad[i];
        assert_int_equal(utf8_next(&text), 0xfffd);
        assert_ptr_equal(text, bad[i] + 1);
    }
    assert_int_equal(utf8_columns("µm⠿日本e\xcc\x81"), 8);
}

/* Rows that are flushed block by block are those of one table. */
static void blocks_make_up_the_whole(void **state)
{
    (void)state;
    static const char *const headers[] = {"name", ">value", NULL};
    for (int format = TABLE_TEXT; format <= TABLE_MARKDOWN; format++) {
        struct table *whole = table_create(headers), *blocks = table_create(headers);
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        assert_int_equal(table_flush(blocks, format, out), STATUS_OK); /* nothing to say yet */
        for (int row = 0; row < 100; row++) {
            table_printf(whole, "row %02d", row);
            table_printf(blocks, "row %02d", row);
            table_number(whole, row + 1000, NULL);
            table_number(blocks, row + 1000, NULL);
            assert_int_equal(table_rows(blocks), row % 7 + 1);
            if (row % 7 == 6)
                assert_int_equal(table_flush(blocks, format, out), STATUS_OK);
        }
        assert_int_equal(table_print(blocks, format, out), STATUS_OK);
        fclose(out);
        char *expected = printed(whole, format);
        assert_string_equal(text, expected);
        free(expected);
        free(text);
        table_free(whole);
        table_free(blocks);
    }
}

/* Prints the table within a window; free the text. */
static char *fitted(size_t columns)
{
    static const char *const headers[] = {"path", ">size", "help", NULL};
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct table *table = table_create(headers);
    assert_non_null(table);
    table_text(table, "l1d.size");
    table_number(table, 16384, "16KiB");
    table_text(table, "the capacity of the L1D of one SM, in a unit");
    table_text(table, "l1d.ways");
    table_text(table, NULL);
    table_text(table, "ways");
    table_fit(table, columns);
    assert_int_equal(table_finish(table, TABLE_TEXT, out), STATUS_OK);
    fclose(out);
    return text;
}

static void a_table_fits_its_window(void **state)
{
    (void)state;
    char *wide = fitted(0), *enough = fitted(61), *wrapped = fitted(44), *narrow = fitted(30);
    assert_string_equal(wide, enough);
    assert_string_equal(wrapped, "path       size  help\n"
                                 "l1d.size  16KiB  the capacity of the L1D of\n"
                                 "                 one SM, in a unit\n"
                                 "l1d.ways         ways\n");
    assert_string_equal(narrow, "l1d.size\n"
                                "  size  16KiB\n"
                                "  help  the capacity of the\n"
                                "        L1D of one SM, in a\n"
                                "        unit\n"
                                "l1d.ways\n"
                                "  help  ways\n");
    free(wide);
    free(enough);
    free(wrapped);
    free(narrow);
    for (size_t columns = 1; columns < 80; columns++)
        free(fitted(columns));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_make_up_the_whole),
        cmocka_unit_test(text_aligns_by_columns),
        cmocka_unit_test(csv_quotes),
        cmocka_unit_test(json_has_numbers_and_nulls),
        cmocka_unit_test(a_table_fits_its_window),
        cmocka_unit_test(markdown_escapes),
        cmocka_unit_test(hostile_text_stays_in_its_cell),
        cmocka_unit_test(empty_tables_print),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(code_points_survive_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
