/* The memory chart: boxes of what a machine has, their numbers, and nothing outside its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/runs/memory_chart.h"
#include "schema/parameters.h"

static void every_box_has_a_parameter_and_metrics(void **state)
{
    (void)state;
    struct metrics metrics = {0}; /* all are there */
    const int count = memory_chart_count(&metrics);
    assert_true(count > 10);
    for (int i = 0; i < count; i++) {
        char legend[512];
        assert_true(*memory_chart_name(&metrics, i));
        assert_non_null(parameter_find(memory_chart_knob(&metrics, i)));
        memory_chart_legend(&metrics, i, legend, sizeof legend);
        assert_int_equal(
            strncmp(legend, memory_chart_name(&metrics, i), strlen(memory_chart_name(&metrics, i))),
            0);
        char *save = NULL, *at = strtok_r(strchr(legend, ':') + 2, ",", &save);
        for (; at; at = strtok_r(NULL, ",", &save)) {
            char *path = strrchr(at, ' ') + 1, *most = strstr(path, ".mean/max");
            if (most) { /* a limit, of which there is the mean and the most */
                memcpy(most, ".max", sizeof ".max");
                assert_non_null(metric_find(path));
                memcpy(most, ".mean", sizeof ".mean");
            }
            assert_non_null(metric_find(path));
        }
    }
    assert_null(memory_chart_knob(&metrics, count));
    metrics_clear(&metrics);
    assert_int_equal(memory_chart_count(&metrics), 0);
}

static char *print(const struct memory_chart *chart, int columns)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(memory_chart_print(chart, columns, out), STATUS_OK);
    fclose(out);
    return text;
}

/* Rows and columns without a box take no room. */
static void only_what_is_there_is_drawn(void **state)
{
    (void)state;
    struct metrics metrics;
    metrics_clear(&metrics);
    metrics.l1d_accesses = 7308;
    metrics.l1d_miss_rate = 0.285;
    metrics.l2_accesses = 12;
    metrics.l2_mshr_entries_mean = 1.5;
    metrics.l2_mshr_entries_max = 12;
    struct ladder ladder = {.limits = {{.ideal = IDEAL_L1D_HITS, .gain = 0.1},
                                       {.ideal = IDEAL_L1D_MERGE, .gain = 0.25}},
                            .limit_count = 2};
    struct memory_chart chart = {.metrics = &metrics,
                                 .ladder = &ladder,
                                 .explained = metric_find("core.time"),
                                 .glyphs = GLYPHS_ASCII,
                                 .selected = -1};
    char *text = print(&chart, 80);
    assert_non_null(strstr(text, "+L1D---------+  +L2----------+\n"));
    assert_non_null(strstr(text, "|miss   28.5%|  |mshr  1.5/12|\n"));
    assert_non_null(strstr(text, "|acc     7308|  |acc       12|\n"));
    assert_non_null(strstr(text, "|saves  25.0%|"));
    assert_non_null(strstr(text, "|->|"));
    free(text);
    chart.ladder = NULL;
    text = print(&chart, 80);
    assert_null(strstr(text, "saves"));
    free(text);
}

/* The picture has every box, with the numbers that the text has. */
static void the_picture_has_all_boxes(void **state)
{
    (void)state;
    const struct metrics metrics = {0};
    const struct memory_chart chart = {.metrics = &metrics, .selected = -1};
    char *text = NULL;
    size_t size = 0, boxes = 0;
    FILE *out = open_memstream(&text, &size);
    memory_chart_svg(&chart, out);
    fclose(out);
    for (const char *at = text; (at = strstr(at, "Z\"/>")); at++)
        boxes++;
    assert_int_equal(boxes, memory_chart_count(&metrics));
    for (size_t i = 0; i < boxes; i++) {
        char title[64];
        snprintf(title, sizeof title, "\"start\">%s</text>", memory_chart_name(&metrics, (int)i));
        assert_non_null(strstr(text, title));
    }
    assert_non_null(strstr(text, "\"start\">mshr</text>"));
    assert_non_null(strstr(text, "\"end\">0.0/0</text>"));
    assert_null(strstr(text, "saves"));
    free(text);
}

/* At any size nothing is drawn outside; the cells around it stay as they were. */
static void it_stays_in_its_place(void **state)
{
    (void)state;
    const struct metrics metrics = {0};
    const struct memory_chart chart = {
        .metrics = &metrics, .glyphs = GLYPHS_BRAILLE, .selected = 3};
    for (int rows = 0; rows < 40; rows++)
        for (int columns = 0; columns < 130; columns += 7) {
            struct cells cells;
            assert_int_equal(cells_init(&cells, rows + 2, columns + 2), STATUS_OK);
            memory_chart_draw(&chart, &cells, 1, 1, rows, columns);
            for (int i = 0; i < cells.rows * cells.columns; i++) {
                const int row = i / cells.columns, column = i % cells.columns;
                const bool inside = row > 0 && row <= rows && column > 0 && column <= columns;
                assert_true(inside || !cells.items[i].glyph);
            }
            cells_free(&cells);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_box_has_a_parameter_and_metrics),
                                       cmocka_unit_test(only_what_is_there_is_drawn),
                                       cmocka_unit_test(the_picture_has_all_boxes),
                                       cmocka_unit_test(it_stays_in_its_place)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
