#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "report/drawing/html.h"
#include "report/drawing/page.h"

static char *text;
static size_t size;

static FILE *begin(void)
{
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    return out;
}

static size_t occurrences(const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

static void test_escape(void **state)
{
    (void)state;
    FILE *out = begin();
    html_escape("<b a=\"1\">&\x01\n\xff µ</b>", out);
    fclose(out);
    assert_string_equal(text, "&lt;b a=&quot;1&quot;&gt;&amp;\\x01\n\\xff µ&lt;/b&gt;");
    free(text);
}

static void draw(const struct chart *chart, bool filled)
{
    const struct svg_style style = {
        .width = 400, .height = 300, .description = "a <chart>", .filled = filled};
    FILE *out = begin();
    svg_draw(chart, &style, out);
    fclose(out);
}

/* Every coordinate of a mark lies in the plot; values without a place are not drawn. */
static void test_points(void **state)
{
    (void)state;
    double x[50], y[50];
    size_t legal = 0;
    for (size_t i = 0; i < 50; i++) {
        x[i] = i % 9 ? (double)random_below(random_at(1, i), 1000) : NAN;
        y[i] = i % 7 ? (double)random_below(random_at(2, i), 1000) / 7 : -INFINITY;
        legal += isfinite(x[i]) && isfinite(y[i]);
    }
    const struct series series = {.kind = SERIES_POINTS, .x = x, .y = y, .count = 50, .label = "p"};
    const struct chart chart = {
        .series = &series, .series_count = 1, .x = {.label = "<x>"}, .y = {.label = "y"}};
    draw(&chart, false);
    assert_int_equal(occurrences("<circle"), legal);
    assert_int_equal(occurrences("nan"), 0);
    assert_int_equal(occurrences("inf"), 0);
    assert_int_equal(occurrences("&lt;x&gt;"), 1);
    assert_int_equal(occurrences("<chart>"), 0);
    for (const char *at = text; (at = strstr(at, "cx=\"")) != NULL; at++) {
        double cx, cy;
        assert_int_equal(sscanf(at, "cx=\"%lf\" cy=\"%lf\"", &cx, &cy), 2);
        assert_true(cx >= 64 && cx <= 384 && cy >= 24 && cy <= 256);
    }
    free(text);
}

static void test_lines(void **state)
{
    (void)state;
    const double x[] = {0, 1, 2, 3, 4}, y[] = {1, 2, NAN, 4, 5};
    const char *const names[] = {"lru", "fifo", "a&b", "rr", "opt"};
    const struct series series[] = {
        {.kind = SERIES_LINE, .role = ROLE_SERIES_1, .x = x, .y = y, .count = 5, .label = "one"},
        {.kind = SERIES_LINE, .role = ROLE_SERIES_2, .x = x, .y = x, .count = 5, .label = "two"}};
    const struct chart chart = {.series = series,
                                .series_count = 2,
                                .x = {.ticks = names, .tick_count = 5},
                                .y = {.unit = UNIT_BYTES}};
    draw(&chart, false);
    assert_int_equal(occurrences("class=\"line s1\""), 1);
    assert_int_equal(occurrences("a&amp;b"), 1);
    assert_int_equal(occurrences(">two<"), 1);
    const char *line = strstr(text, "class=\"line s1\"");
    assert_non_null(strchr(strchr(line, 'M') + 1, 'M')); /* the gap starts a new part */
    free(text);
    draw(&chart, true);
    assert_int_equal(occurrences("class=\"area s1\""), 1);
    assert_int_equal(occurrences("Z\"/>"), 2);
    free(text);
}

/* No label of the x axis is cut by an edge, wherever the ticks fall. */
static void test_labels_are_inside(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 200; i++) {
        double x[2] = {0, 1e-4 + (double)random_below(random_at(7, i), 100000) / 1e4},
               y[2] = {0, 1};
        const struct series series = {.label = "a", .x = x, .y = y, .count = 2};
        const struct chart chart = {.series = &series, .series_count = 1, .x.unit = UNIT_AREA};
        double at;
        char anchor[8], label[32];
        size_t labels = 0;
        draw(&chart, true);
        for (const char *found = text; (found = strstr(found, "<text x=")) != NULL; found++) {
            if (sscanf(found, "<text x=\"%lf\" y=\"274.0\" text-anchor=\"%7[a-z]\">%31[^<]", &at,
                       anchor, label) != 3)
                continue;
            const double width = 7.5 * (double)strlen(label);
            const double end = at + (*anchor == 's' ? width : *anchor == 'm' ? width / 2 : 0);
            assert_true(end <= 400 && end - width >= 0);
            labels++;
        }
        assert_true(labels > 1);
        free(text);
    }
}

/* Areas stand on those of the series before; an unknown one is left out. */
static void test_stacks(void **state)
{
    (void)state;
    static const double x[] = {0, 1, 2}, end[] = {1, 2, 4}, low[] = {.25, .5, NAN},
                        high[] = {.75, .5, NAN};
    const struct series series[] = {{.kind = SERIES_STACK,
                                     .role = ROLE_SERIES_1,
                                     .x = x,
                                     .end = end,
                                     .y = low,
                                     .count = 3,
                                     .label = "below"},
                                    {.kind = SERIES_STACK,
                                     .role = ROLE_BAD,
                                     .x = x,
                                     .end = end,
                                     .y = high,
                                     .count = 3,
                                     .label = "above"}};
    const struct chart chart = {.series = series,
                                .series_count = 2,
                                .x = {.min = 0, .max = 4},
                                .y = {.min = 0, .max = 1},
                                .cursor = NAN};
    draw(&chart, false);
    /* The plot is 320 px wide and 232 px high, from (64, 24) on. */
    assert_int_equal(occurrences("<path class=\"stack s1\" d=\"M64.0 256.0V198.0H144.0V256.0Z"
                                 "M144.0 256.0V140.0H224.0V256.0Z\"/>"),
                     1);
    assert_int_equal(occurrences("<path class=\"stack sb\" d=\"M64.0 198.0V24.0H144.0V198.0Z"
                                 "M144.0 140.0V24.0H224.0V140.0Z\"/>"),
                     1);
    assert_int_equal(occurrences("<path class=\"stack"), 4); /* two in the legend */
    free(text);
}

/* Bars stand on 0, also where the axis would begin above; an unknown one is left out. */
static void test_bars(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3}, y[] = {.5, NAN, 1};
    const struct series series = {
        .kind = SERIES_BARS, .role = ROLE_SERIES_2, .x = x, .y = y, .count = 3};
    const struct chart chart = {.series = &series,
                                .series_count = 1,
                                .x = {.min = 0, .max = 4},
                                .y = {.max = 1},
                                .cursor = NAN};
    draw(&chart, false);
    assert_int_equal(occurrences("<path class=\"stack s2\" d=\"M132.0 256.0V140.0H156.0V256.0Z"
                                 "M292.0 256.0V24.0H316.0V256.0Z\"/>"),
                     1);
    assert_int_equal(occurrences("<rect"), 0);
    free(text);
}

static void test_empty(void **state)
{
    (void)state;
    const struct chart nothing = {.series_count = 0};
    draw(&nothing, false);
    assert_int_equal(occurrences("</svg>"), 1);
    assert_int_equal(occurrences("nan"), 0);
    free(text);
}

static void test_page_forms(void **state)
{
    (void)state;
    static const char *const headers[] = {"name", ">count", NULL};
    static const enum page_format formats[] = {PAGE_HTML, PAGE_MARKDOWN};
    for (size_t i = 0; i < 2; i++) {
        struct page page;
        FILE *out = begin();
        struct table *table = table_create(headers);
        table_text(table, "<pipe|>");
        table_number(table, 7, "7");
        table_text(table, "A cell of more than forty bytes is a sentence.");
        table_number(table, 8, "8");
        page_begin(&page, formats[i], "A & B", out);
        page_heading(&page, 2, "part");
        page_paragraph(&page, "%d < %d", 1, 2);
        page_table(&page, table);
        page_code(&page, "code", "a: 1\n```\nb: <2>\n");
        assert_int_equal(page_end(&page), STATUS_OK);
        fclose(out);
        bool html = formats[i] == PAGE_HTML;
        assert_int_equal(occurrences("A &amp; B"), html ? 2 : 0);
        assert_int_equal(occurrences("<h2>part</h2>"), html);
        assert_int_equal(occurrences("## part"), !html);
        assert_int_equal(occurrences("1 &lt; 2"), html);
        assert_int_equal(occurrences("&lt;pipe|&gt;"), html);
        assert_int_equal(occurrences("<td class=\"n\">7</td>"), html);
        assert_int_equal(occurrences("<td>&lt;pipe"), html);
        assert_int_equal(occurrences("<td class=\"t\">A cell"), html);
        assert_int_equal(occurrences("\n    ```\n    b: <2>"), !html);
        free(text);
    }
    struct page page;
    FILE *out = begin();
    page_begin(&page, PAGE_HTML, "t", out);
    page_table(&page, NULL);
    assert_int_equal(page_end(&page), STATUS_MEMORY);
    fclose(out);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_escape),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_stacks),
        cmocka_unit_test(test_bars),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_labels_are_inside),
        cmocka_unit_test(test_page_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
