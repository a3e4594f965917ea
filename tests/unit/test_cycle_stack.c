/* The cycle stack: cells of a bar, its block under a report, and the chart and tables of a run over
 * time. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "report/runs/cycle_stack.h"
#include "report/runs/timing_report.h"

static struct metrics shares(double issued, double memory, double idle)
{
    struct metrics metrics;
    metrics_clear(&metrics);
#define CLEAR_SLOT(X, field, ...) metrics.core_slots_##field = 0;
    SLOT_LIST(CLEAR_SLOT, )
#undef CLEAR_SLOT
#define CLEAR_SLOT(X, field, ...) metrics.core_memory_##field = 0;
    MEMORY_SLOT_LIST(CLEAR_SLOT, )
#undef CLEAR_SLOT
    metrics.core_slots_issued = issued;
    metrics.core_slots_memory = memory;
    metrics.core_slots_idle = idle;
    return metrics;
}

static void test_looks_differ(void **state)
{
    (void)state;
    for (size_t a = 0; a < STACK_PARTS_MAX; a++)
        for (size_t b = 0; b < a; b++) {
            assert_true(cycle_stack_role(a) != cycle_stack_role(b));
            for (int glyphs = GLYPHS_ASCII; glyphs <= GLYPHS_BRAILLE; glyphs++)
                assert_true(cycle_stack_glyph(a, (enum glyphs)glyphs) !=
                            cycle_stack_glyph(b, (enum glyphs)glyphs));
        }
}

/* Draws a level as ASCII and counts the cells of each part. */
static void count_cells(enum stack_level level, const struct metrics *metrics, int width,
                        int counts[STACK_PARTS_MAX], int *first)
{
    struct cells cells;
    assert_int_equal(cells_init(&cells, 1, width), STATUS_OK);
    const struct region region = region_clip(&cells, 0, 0, 1, width);
    cycle_stack_bar(&region, 0, 0, width, level, metrics, GLYPHS_ASCII, false);
    memset(counts, 0, STACK_PARTS_MAX * sizeof *counts);
    *first = width;
    size_t last = 0;
    for (int i = width; i-- > 0;) {
        size_t part = 0;
        if (!cells.items[i].glyph)
            continue;
        while (cycle_stack_glyph(part, GLYPHS_ASCII) != cells.items[i].glyph)
            part++;
        assert_true(*first == width || (part <= last && *first == i + 1)); /* no gap */
        counts[part]++;
        *first = i;
        last = part;
    }
    cells_free(&cells);
}

/* Each part has its share of the cells to within one, in the order of the table. */
static void test_cells_have_their_shares(void **state)
{
    (void)state;
    enum { CELLS = 64 };
    int counts[STACK_PARTS_MAX], first;
    for (uint64_t round = 0; round < 500; round++) {
        struct metrics metrics = shares(0, 0, 0);
        double parts[SLOT_COUNT], memory[MEMORY_SLOT_COUNT], sum = 0, waits = 0;
        for (uint64_t i = 0; i < SLOT_COUNT; i++)
            sum += parts[i] = (double)(random_at(7, round * SLOT_COUNT + i) % 100 + 1);
        for (uint64_t i = 0; i < MEMORY_SLOT_COUNT; i++)
            waits += memory[i] = (double)(random_at(8, round * MEMORY_SLOT_COUNT + i) % 10 + 1);
        unsigned slot = 0, wait = 0;
#define SET_SLOT(X, field, ...) metrics.core_slots_##field = parts[slot++] / sum;
        SLOT_LIST(SET_SLOT, )
#undef SET_SLOT
        const double share = metrics.core_slots_memory;
#define SET_SLOT(X, field, ...) metrics.core_memory_##field = memory[wait++] / waits * share;
        MEMORY_SLOT_LIST(SET_SLOT, )
#undef SET_SLOT
        const int cells = 1 + (int)(round % CELLS);
        count_cells(STACK_CYCLES, &metrics, cells, counts, &first);
        assert_int_equal(first, 0);
        for (unsigned i = 0; i < SLOT_COUNT; i++)
            assert_true(fabs(counts[i] - parts[i] / sum * cells) <= 1);
        const double before = metrics.core_slots_issued + metrics.core_slots_data;
        count_cells(STACK_MEMORY, &metrics, cells, counts, &first);
        for (unsigned i = 0; i < MEMORY_SLOT_COUNT; i++)
            assert_true(fabs(counts[i] - memory[i] / waits * share * cells) <= 1);
        assert_true(first == cells || fabs(first - before * cells) <= 1);
    }
    struct metrics unknown;
    metrics_clear(&unknown);
    count_cells(STACK_CYCLES, &unknown, CELLS, counts, &first);
    assert_int_equal(first, CELLS);
}

static char *bar(const struct metrics *metrics, int columns)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(cycle_stack_print(metrics, columns, GLYPHS_ASCII, out), STATUS_OK);
    fclose(out);
    return text;
}

static void test_block(void **state)
{
    (void)state;
    struct metrics some = shares(0.5, 0.3, 0.2);
    some.core_memory_l2 = 0.2;
    some.core_memory_dram = 0.1;
    struct metrics unknown;
    metrics_clear(&unknown);
    char *text = bar(&some, 50);
    assert_string_equal(text, "cycles    ####################------------........\n"
                              "          # issued 50.0%  - memory 30.0%\n"
                              "          . idle 20.0%\n"
                              "memory                        ********!!!!\n"
                              "          * l2 20.0%  ! dram 10.0%\n");
    free(text);
    text = bar(&unknown, 50);
    assert_string_equal(text, "");
    free(text);
    for (int columns = -1; columns < 30; columns++)
        free(bar(&some, columns)); /* narrow ones are cut */
}

static void test_chart(void **state)
{
    (void)state;
    struct timing_part items[] = {{.begin = 0, .end = 100, .metrics = shares(0.5, 0.5, 0)},
                                  {.begin = 100, .end = 200, .metrics = shares(0, 0, 1)},
                                  {.begin = 200, .end = 300, .metrics = shares(NAN, NAN, NAN)}};
    items[0].metrics.core_ipc = 2;
    items[1].metrics.core_ipc = 1;
    const struct timeline_chart chart = {
        .items = items, .count = 3, .cursor = 1, .title = "test", .glyphs = GLYPHS_ASCII};
    struct cells cells;
    char *text = NULL;
    size_t size = 0;
    assert_int_equal(cells_init(&cells, 12, 47), STATUS_OK);
    timeline_draw(&chart, &cells, 0, 0, 12, 47);
    FILE *out = open_memstream(&text, &size);
    cells_print(&cells, out);
    fclose(out);
    cells_free(&cells);
    assert_string_equal(text, "test\n"
                              "100%+----------..........\n"
                              "    |----------..........\n"
                              "    |----------..........\n"
                              " 50%+##########..........\n"
                              "    |##########..........\n"
                              "  0%+##########..........\n"
                              "    ++----+----+----^---+----+----+\n"
                              "     0   50   100  150 200  250 300\n"
                              "ipc  99999999995555555555           max 2\n"
                              "miss                                max -\n"
                              "dram                                max -\n");
    free(text);
    for (int size_of = 0; size_of < 24; size_of++) { /* small ones draw nothing outside */
        assert_int_equal(cells_init(&cells, size_of, 30 - size_of), STATUS_OK);
        timeline_draw(&chart, &cells, 0, 0, size_of, 30 - size_of);
        cells_free(&cells);
    }
}

static void test_page(void **state)
{
    (void)state;
    struct timing_part items[] = {{.begin = 0, .end = 100, .metrics = shares(0.5, 0.5, 0)},
                                  {.begin = 100, .end = 200, .metrics = shares(0, 0, 1)}};
    items[0].metrics.core_ipc = 2;
    items[1].metrics.core_ipc = 1;
    for (int format = PAGE_HTML; format <= PAGE_MARKDOWN_ASCII; format++) {
        struct page page;
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        page_begin(&page, (enum page_format)format, "test", out);
        timeline_page(&page, items, 2, "work");
        assert_int_equal(page_end(&page), STATUS_OK);
        fclose(out);
        assert_non_null(strstr(text, "cycles of schedulers over time: work"));
        assert_non_null(strstr(text, "core.ipc over time: work"));
        assert_null(strstr(text, "l1d.miss_rate")); /* it has no values */
        assert_true(!strstr(text, "<path class=\"stack s1\"") == (format != PAGE_HTML));
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_looks_differ), cmocka_unit_test(test_cells_have_their_shares),
        cmocka_unit_test(test_block), cmocka_unit_test(test_chart), cmocka_unit_test(test_page)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
