/* The tornado chart of levers, against one that sorts all bars. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "report/runs/lever_chart.h"

enum { LEVERS = 60, ROUNDS = 200 };

struct bar {
    double least, most;
};

static uint64_t below(uint64_t *index, uint64_t bound)
{
    return random_below(random_at(30, (*index)++), bound);
}

static int compare(const void *a, const void *b)
{
    const struct bar *left = a, *right = b;
    if (left->most != right->most)
        return left->most < right->most ? -1 : 1;
    return left->least == right->least ? 0 : left->least > right->least ? -1 : 1;
}

/* Slow: a bar for each parameter of the table, sorted. */
static size_t all_bars(const struct levers *levers, struct bar *bars)
{
    size_t count = 0;
    for (size_t p = 0; p < parameter_count; p++) {
        struct bar bar = {0, 0};
        for (size_t i = 0; i < levers->single_count; i++)
            if (levers->singles[i].change.settings[0].parameter == &parameters[p]) {
                bar.least = fmin(bar.least, levers->singles[i].gain);
                bar.most = fmax(bar.most, levers->singles[i].gain);
            }
        if (bar.most > bar.least)
            bars[count++] = bar;
    }
    qsort(bars, count, sizeof *bars, compare);
    return count;
}

static void the_best_are_on_top(void **state)
{
    (void)state;
    uint64_t index = 0;
    struct bar *bars = calloc(parameter_count, sizeof *bars);
    assert_non_null(bars);
    for (int round = 0; round < ROUNDS; round++) {
        struct lever items[LEVERS] = {0};
        struct levers levers = {.singles = items, .single_count = below(&index, LEVERS)};
        for (size_t i = 0; i < levers.single_count; i++) {
            items[i].change.count = 1;
            items[i].change.settings[0].parameter = &parameters[below(&index, 24)];
            items[i].gain = below(&index, 3) ? (double)below(&index, 1000) / 500 - 1 : 0;
        }
        const size_t most = 1 + below(&index, LEVER_CHART_BARS + 10);
        const size_t all = all_bars(&levers, bars);
        struct lever_chart chart;
        lever_chart_make(&levers, most, &chart);
        assert_true(chart.count <= LEVER_CHART_BARS);
        assert_int_equal(chart.count, all < most ? all : most);
        for (size_t i = 0; i < chart.count; i++) {
            const struct bar *bar = &bars[all - chart.count + i];
            assert_true(chart.most[i] == bar->most && chart.least[i] == bar->least);
        }
    }
    free(bars);
}

/* At any size it stays in its place, and each bar has a row with its name. */
static void it_is_drawn_where_it_fits(void **state)
{
    (void)state;
    struct lever items[] = {{.gain = 0.25}, {.gain = -4}, {.gain = 0.1}};
    const char *const paths[] = {"l1d.size", "l1d.size", "l2.ways"};
    for (size_t i = 0; i < 3; i++) {
        items[i].change.count = 1;
        items[i].change.settings[0].parameter = parameter_find(paths[i]);
    }
    const struct levers levers = {.singles = items, .single_count = 3};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(
        lever_chart_print(&levers, metric_find("core.time"), 10, GLYPHS_ASCII, 40, out), STATUS_OK);
    fclose(out);
    assert_string_equal(text, "core.time saved: worst to best setting\n"
                              "l1d.size+###############################\n"
                              " l2.ways+               #######\n"
                              "        +--20%---10%---0%----10%---20%--\n");
    free(text);
    for (int rows = 0; rows < 12; rows++) {
        struct cells cells;
        assert_int_equal(cells_init(&cells, rows, 30 - rows), STATUS_OK);
        lever_chart_draw(&levers, metric_find("core.time"), GLYPHS_BRAILLE, &cells, 0, 0, rows,
                         30 - rows);
        cells_free(&cells);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_best_are_on_top),
                                       cmocka_unit_test(it_is_drawn_where_it_fits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
