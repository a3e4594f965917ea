/* The settings of a part: two machines have one number exactly where what the part depends on is
 * the same, and the slow way to see that is to compare the reduced machines pair by pair. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "explore/plan/settings.h"
#include "explore/plan/stage_key.h"
#include "schema/parameters.h"
#include "support/study_builder.h"

static void open_study(struct study *study, struct space *space)
{
    study_from_text(
        "machine: gtx480\nworkloads: ['ATAX:n=96']\n"
        "axes: {gpu.sms: [1, 2], l1d.size: [8KiB, 16KiB], l1d.replacement: [lru, srrip],\n"
        "  l2.size: [384KiB, 768KiB], tlb.entries: [16, 32], tech.node: [22nm, 40nm]}\n"
        "metrics: [l1d.misses]\n",
        study);
    assert_int_equal(space_open(study, space, NULL), STATUS_OK);
}

static void check_part(const struct space *space, unsigned stages, enum pass_share share)
{
    const struct stage_question question = {.stages = stages, .asked = stages, .share = share};
    struct settings settings;
    uint32_t numbers[256];
    assert_true(space->machines <= 256);
    assert_int_equal(settings_open(space, &question, &settings), STATUS_OK);
    for (uint64_t m = 0; m < space->machines; m++)
        assert_int_equal(settings_find(&settings, m, &numbers[m]), STATUS_OK);
    for (uint64_t a = 0; a < space->machines; a++)
        for (uint64_t b = 0; b <= a; b++) {
            struct machine whole, left, right;
            const struct setting *one = &settings.items[numbers[a]],
                                 *other = &settings.items[numbers[b]];
            space_machine(space, a, &whole);
            stage_machine(&whole, stages, &left);
            space_machine(space, b, &whole);
            stage_machine(&whole, stages, &right);
            assert_int_equal(numbers[a] == numbers[b], machine_same(&left, &right, stages));
            assert_int_equal(one->stream == other->stream,
                             machine_same(&left, &right, stages & STAGE_STREAM));
            if (share == SHARE_NOTHING)
                assert_int_equal(one->first == other->first,
                                 machine_same(&left, &right, stages & ~stages_after_first()));
            if (numbers[a] == numbers[b]) /* the first that had it is the one that stands for it */
                assert_true(one->machine <= b);
        }
    assert_int_equal(settings_distinct(&settings, NUMBER_SETTING), settings.count);
    settings_close(&settings);
}

static void numbers_are_of_what_the_part_depends_on(void **state)
{
    (void)state;
    struct study study;
    struct space space;
    open_study(&study, &space);
    const unsigned parts[] = {STAGE_STREAM, stage_chain(STAGE_L1D, false),
                              stage_chain(STAGE_L2, false), stage_chain(STAGE_PWC, false)};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        check_part(&space, parts[i], SHARE_NOTHING);
        check_part(&space, parts[i], SHARE_LOOKUPS);
    }
    study_free(&study);
}

/* Asked again in any order, the numbers stay. */
static void numbers_stay(void **state)
{
    (void)state;
    struct study study;
    struct space space;
    struct settings settings;
    uint32_t first, again;
    open_study(&study, &space);
    const struct stage_question question = {.stages = stage_chain(STAGE_L2, false)};
    assert_int_equal(settings_open(&space, &question, &settings), STATUS_OK);
    for (uint64_t m = 0; m < space.machines; m++) {
        const uint64_t index = m * 37 % space.machines;
        assert_int_equal(settings_find(&settings, index, &first), STATUS_OK);
        const size_t count = settings.count;
        assert_int_equal(settings_find(&settings, index, &again), STATUS_OK);
        assert_int_equal(first, again);
        assert_int_equal(settings.count, count);
    }
    assert_int_equal(settings.count, 2 * 2 * 2 * 2); /* gpu.sms, and three axes of the caches */
    settings_close(&settings);
    study_free(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_of_what_the_part_depends_on),
        cmocka_unit_test(numbers_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
