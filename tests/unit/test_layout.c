/* The layout at every size: inside the screen, no overlap, and what must be seen is seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ui/terminal/layout.h"

enum { ROWS_MAX = 100, COLUMNS_MAX = 300, RECTS_MAX = 16 };

struct rects {
    struct rect items[RECTS_MAX];
    int count;
};

static void collect(struct rects *rects, struct rect rect)
{
    if (rect.rows)
        rects->items[rects->count++] = rect;
}

static struct rects all_rects(const struct layout *layout)
{
    struct rects rects = {.count = 0};
    collect(&rects, layout->header);
    collect(&rects, layout->switcher);
    collect(&rects, layout->message);
    collect(&rects, layout->hints);
    collect(&rects, layout->view);
    for (int i = 0; i < PANE_COUNT; i++)
        collect(&rects, layout->panes[i]);
    collect(&rects, layout->rules[0]);
    for (int i = 1; i < 3; i++)
        collect(&rects, layout->rules[i]);
    for (int i = 0; i < 2; i++)
        collect(&rects, layout->panels[i]);
    return rects;
}

static int overlaps(struct rect a, struct rect b)
{
    return a.row < b.row + b.rows && b.row < a.row + a.rows && a.column < b.column + b.columns &&
           b.column < a.column + a.columns;
}

static void check(int rows, int columns, const struct layout_options *options)
{
    struct layout layout;
    layout_compute(rows, columns, options, &layout);
    struct rects rects = all_rects(&layout);
    for (int i = 0; i < rects.count; i++) {
        struct rect rect = rects.items[i];
        if (rect.row < 0 || rect.column < 0 || rect.rows < 1 || rect.columns < 1 ||
            rect.row + rect.rows > rows || rect.column + rect.columns > columns)
            fail_msg("%dx%d: a rectangle %d,%d %dx%d leaves the screen", rows, columns, rect.row,
                     rect.column, rect.rows, rect.columns);
        for (int k = 0; k < i; k++)
            if (overlaps(rect, rects.items[k]))
                fail_msg("%dx%d: %d,%d %dx%d and %d,%d %dx%d overlap", rows, columns, rect.row,
                         rect.column, rect.rows, rect.columns, rects.items[k].row,
                         rects.items[k].column, rects.items[k].rows, rects.items[k].columns);
    }
    if (layout.too_small) {
        assert_int_equal(rects.count, 1);
        assert_true(rows < LAYOUT_ROWS_MIN || columns < LAYOUT_COLUMNS_MIN);
    } else if (options->full_screen) {
        assert_true(layout.view.rows >= 2);
    } else {
        assert_true(layout.panes[options->focused].rows >= 2);
    }
}

static void every_size(void **state)
{
    (void)state;
    for (int rows = 1; rows <= ROWS_MAX; rows++)
        for (int columns = 1; columns <= COLUMNS_MAX; columns++)
            for (int pane = 0; pane < PANE_COUNT; pane++)
                for (int flags = 0; flags < 4; flags++) {
                    struct layout_options options = {(enum pane)pane, flags & 1, flags & 2};
                    check(rows, columns, &options);
                }
}

static void all_panes_at_80x24(void **state)
{
    (void)state;
    struct layout layout;
    layout_compute(24, 80, &(struct layout_options){0}, &layout);
    assert_false(layout.single);
    static const int rows[PANE_COUNT] = {15, 8, 8, 3};
    for (int i = 0; i < PANE_COUNT; i++)
        assert_true(layout.panes[i].rows >= rows[i]);
}

static void one_pane_and_a_switcher_at_40x10(void **state)
{
    (void)state;
    struct layout layout;
    layout_compute(10, 40, &(struct layout_options){.focused = PANE_LIVE}, &layout);
    assert_true(layout.single);
    assert_int_equal(layout.switcher.rows, 1);
    for (int i = 0; i < PANE_COUNT; i++)
        assert_int_equal(layout.panes[i].rows > 0, i == PANE_LIVE);
}

static void a_zoomed_pane_is_alone(void **state)
{
    (void)state;
    struct layout layout;
    layout_compute(50, 160, &(struct layout_options){.focused = PANE_CHART, .zoomed = true},
                   &layout);
    assert_int_equal(layout.panels[0].rows, 0);
    assert_int_equal(layout.panes[PANE_CHART].columns, 160);
    assert_int_equal(layout.panes[PANE_CHART].rows, 47);
    assert_int_equal(layout.panes[PANE_MACHINE].rows, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size),
        cmocka_unit_test(all_panes_at_80x24),
        cmocka_unit_test(one_pane_and_a_switcher_at_40x10),
        cmocka_unit_test(a_zoomed_pane_is_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
