/* What a wish is read as, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explore/wishes/wish.h"

static void reads_as(const char *text, const char *expected, size_t where, size_t filters)
{
    struct wish wish;
    assert_int_equal(wish_parse(text, DEPTH_TIMING, &wish, NULL), STATUS_OK);
    char *printed = wish_print(&wish);
    assert_string_equal(printed, expected);
    assert_int_equal(wish.where_count, where);
    assert_int_equal(wish.filter_count, filters);
    free(printed);
    wish_free(&wish);
}

static void goals_and_conditions(void **state)
{
    (void)state;
    reads_as("min total.area", "least total.area", 0, 0);
    reads_as("core.ipc >= 8 min total.area", "least total.area with core.ipc >= 8", 0, 1);
    reads_as("max core.ipc with total.area <= 0.2", "most core.ipc with total.area <= 0.2", 1, 0);
    reads_as("core.ipc >= 8, MIN total.area", "least total.area with core.ipc >= 8", 0, 1);
    reads_as("l1d.ways = 4 and core.ipc > 1 min total.area where l2.ways < 9",
             "least total.area with core.ipc > 1, l1d.ways = 4, l2.ways < 9", 2, 1);
}

/* Where "and" belongs to something else, and "min" is a function, the text is left whole. */
static void what_binds_otherwise(void **state)
{
    (void)state;
    reads_as("core.ipc > 1 or l1d.ways = 4 and l2.ways = 8 min total.area",
             "least total.area with core.ipc > 1 or l1d.ways = 4 and l2.ways = 8", 0, 1);
    reads_as("core.ipc between 1 and 2 min total.area",
             "least total.area with core.ipc between 1 and 2", 0, 1);
    reads_as("min(core.ipc, 3) > 1 and (core.ipc > 1 or l1d.ways = 4) max core.ipc",
             "most core.ipc with min(core.ipc, 3) > 1, (core.ipc > 1 or l1d.ways = 4)", 0, 2);
    reads_as("l1d.replacement in ('lru', 'fifo'), core.ipc > 1 min total.area",
             "least total.area with core.ipc > 1, l1d.replacement in ('lru', 'fifo')", 1, 1);
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "expected min or max and a metric"},
        {"core.ipc >= 8", "expected min or max and a metric"},
        {"min", "expected a metric after min or max"},
        {"min l1d.size", "l1d.size is a parameter"},
        {"min total.aera", "no metric 'total.aera'; did you mean 'total.area'?"},
        {"core.icp >= 8 min total.area", "unknown name 'core.icp'; did you mean 'core.ipc'?"},
        {"min total.area core.ipc >= 8", "expected 'with' and a condition after the goal"},
        {"min total.area with", "expected 'with' and a condition after the goal"},
        {"min total.area ! with core.ipc > 1", "expected 'with' and a condition after the goal"},
        {"min total.area max core.ipc", "expected one min or max"},
        {", core.ipc > 1 min total.area", "expected a condition on each side"},
        {"id = 3 min total.area", "what only the points of a sweep have"},
        {"walk.tpc_accesses > 3 min total.area", "is not counted at depth timing"},
        {"min walk.tpc_accesses", "is not counted at depth timing"},
        {"core.ipc >= 'x min total.area", "expected min or max"},
        {"(core.ipc >= 1 min total.area", "expected min or max"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct diagnostics found = DIAGNOSTICS_INIT;
        struct wish wish;
        assert_int_not_equal(wish_parse(rows[i].text, DEPTH_TIMING, &wish, &found), STATUS_OK);
        assert_true(found.count > 0);
        if (!strstr(found.items[0].message, rows[i].message))
            assert_string_equal(found.items[0].message, rows[i].message);
        diagnostics_free(&found);
        wish_free(&wish);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goals_and_conditions),
        cmocka_unit_test(what_binds_otherwise),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
