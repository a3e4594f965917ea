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
#include "report/cycle_stack.h"
#include "report/timing_report.h"

static struct metrics shares(double issued, double memory, double idle)
{
    struct metrics metrics;
    metrics_clear(&metrics);
#define CLEAR_SLOT(X, field, ...) metrics.core_slots_##field = 0;
    SLOT_LIST(CLEAR_SLOT, )
#undef CLEAR_SLOT
    metrics.core_slots_issued = issued;
    metrics.core_slots_memory = memory;
    metrics.core_slots_idle = idle;
    return metrics;
}

static void test_glyphs_differ(void **state)
{
    (void)state;
    for (unsigned a = 0; a < SLOT_COUNT; a++)
        for (unsigned b = 0; b < a; b++)
            for (int glyphs = GLYPHS_ASCII; glyphs <= GLYPHS_BRAILLE; glyphs++)
                assert_true(cycle_stack_glyph((enum core_slot)a, (enum glyphs)glyphs) !=
                            cycle_stack_glyph((enum core_slot)b, (enum glyphs)glyphs));
}

/* Each kind has its share of the cells to within one, in the order of the table. */
static void test_cells_have_their_shares(void **state)
{
    (void)state;
    enum { CELLS = 64 };
    for (uint64_t round = 0; round < 500; round++) {
        struct metrics metrics = shares(0, 0, 0);
        enum core_slot kinds[CELLS];
        double parts[SLOT_COUNT], sum = 0;
        for (uint64_t i = 0; i < SLOT_COUNT; i++)
            sum += parts[i] = (double)(random_at(7, round * SLOT_COUNT + i) % 100 + 1);
        unsigned slot = 0;
#define SET_SLOT(X, field, ...) metrics.core_slots_##field = parts[slot++] / sum;
        SLOT_LIST(SET_SLOT, )
#undef SET_SLOT
        const int cells = 1 + (int)(round % CELLS);
        assert_true(cycle_stack_fill(&metrics, cells, kinds));
        int counts[SLOT_COUNT] = {0};
        for (int i = 0; i < cells; i++) {
            counts[kinds[i]]++;
            assert_true(!i || kinds[i] >= kinds[i - 1]);
        }
        for (unsigned i = 0; i < SLOT_COUNT; i++)
            assert_true(fabs(counts[i] - parts[i] / sum * cells) <= 1);
    }
    struct metrics unknown;
    enum core_slot kinds[CELLS];
    metrics_clear(&unknown);
    assert_false(cycle_stack_fill(&unknown, CELLS, kinds));
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
    const struct metrics some = shares(0.5, 0.3, 0.2);
    struct metrics unknown;
    metrics_clear(&unknown);
    char *text = bar(&some, 50);
    assert_string_equal(text, "cycles    ####################mmmmmmmmmmmm........\n"
                              "          # issued 50.0%  m memory 30.0%\n"
                              "          . idle 20.0%\n");
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
    const struct timing_parts times = {.items = items, .count = 3};
    const struct timeline_chart chart = {.times = &times, .title = "test", .glyphs = GLYPHS_ASCII};
    struct cells cells;
    char *text = NULL;
    size_t size = 0;
    assert_int_equal(cells_init(&cells, 11, 48), STATUS_OK);
    timeline_draw(&chart, &cells);
    FILE *out = open_memstream(&text, &size);
    cells_print(&cells, out);
    fclose(out);
    cells_free(&cells);
    assert_string_equal(text, "test\n"
                              "     # issued  d data  m memory  p pipe  b barri\n"
                              "100% mmmmmmmmmm..........\n"
                              "     mmmmmmmmmm..........\n"
                              "     ##########..........\n"
                              "  0% ##########..........\n"
                              "     0                   300 cycles\n"
                              "\n"
                              "ipc  99999999995555555555           max 2\n"
                              "miss                                max -\n"
                              "dram                                max -\n");
    free(text);
    for (int size_of = 0; size_of < 24; size_of++) { /* small ones draw nothing outside */
        assert_int_equal(cells_init(&cells, size_of, 30 - size_of), STATUS_OK);
        timeline_draw(&chart, &cells);
        cells_free(&cells);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_glyphs_differ),
                                       cmocka_unit_test(test_cells_have_their_shares),
                                       cmocka_unit_test(test_block), cmocka_unit_test(test_chart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
