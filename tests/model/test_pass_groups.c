/* Groups are neighbours, all of them, of about equal cost; levels that are free are whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "model/pass/pass_groups.h"
#include "schema/parameters.h"

enum { MACHINES_MAX = 64 };

struct list {
    struct machine machines[MACHINES_MAX];
    const struct machine *pointers[MACHINES_MAX];
    size_t count, ends[MACHINES_MAX];
};

/* `levels` L1Ds, with `each` L2s after each of them. */
static void fill(struct list *list, size_t levels, size_t each)
{
    list->count = levels * each;
    for (size_t i = 0; i < list->count; i++) {
        struct machine *machine = &list->machines[i];
        machine_defaults(machine);
        machine->tlb.enabled = 0;
        machine->l1d.size = 16384 * (1 + i / each);
        machine->l2.size = 65536 * (1 + i % each);
        list->pointers[i] = machine;
    }
}

static size_t cut(struct list *list, enum pass_share share, size_t groups)
{
    return pass_groups(list->pointers, list->count, share, groups, list->ends);
}

static void check_cover(const struct list *list, size_t made, size_t most)
{
    assert_in_range(made, 1, most ? most : 1);
    for (size_t i = 0, first = 0; i < made; first = list->ends[i++])
        assert_true(list->ends[i] > first);
    assert_int_equal(list->ends[made - 1], list->count);
}

static void every_machine_is_in_one_group(void **state)
{
    (void)state;
    struct list list;
    for (size_t levels = 1; levels <= 8; levels++)
        for (size_t each = 1; each <= 8; each++)
            for (size_t groups = 0; groups <= 20; groups++) {
                fill(&list, levels, each);
                check_cover(&list, cut(&list, SHARE_NOTHING, groups), groups);
            }
}

static void groups_end_with_their_levels(void **state)
{
    (void)state;
    struct list list;
    fill(&list, 5, 6);
    assert_int_equal(cut(&list, SHARE_NOTHING, 2), 2);
    assert_int_equal(list.ends[0] % 6, 0);
    assert_in_range(list.ends[0], 12, 18);
}

static void a_level_alone_is_cut(void **state)
{
    (void)state;
    struct list list;
    fill(&list, 1, 16);
    assert_int_equal(cut(&list, SHARE_NOTHING, 4), 4);
    for (size_t i = 0, first = 0; i < 4; first = list.ends[i++])
        assert_in_range(list.ends[i] - first, 2, 6);
}

/* LRU caches of one number of sets are one level, whatever their ways. */
static void free_levels_stay_whole(void **state)
{
    (void)state;
    struct list list;
    for (size_t groups = 1; groups <= 8; groups++) {
        list.count = 12; /* 3 levels of 4 */
        for (size_t i = 0; i < list.count; i++) {
            struct machine *machine = &list.machines[i];
            machine_defaults(machine);
            machine->tlb.enabled = machine->l2.enabled = 0;
            machine->l1d.index = INDEX_MODULO;
            machine->l1d.write = WRITE_BACK;
            machine->l1d.write_allocate = WRITE_ALLOCATE_FETCH;
            machine->l1d.sector = machine->l1d.line;
            machine->l1d.unified = 0;
            machine->l1d.ways = 1 + i % 4;
            machine->l1d.size = machine->l1d.line * machine->l1d.ways << (4 + i / 4);
            list.pointers[i] = machine;
        }
        size_t made = cut(&list, SHARE_LOOKUPS, groups);
        check_cover(&list, made, groups);
        assert_int_equal(made, groups < 3 ? groups : 3);
        for (size_t i = 0; i < made; i++)
            assert_int_equal(list.ends[i] % 4, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_machine_is_in_one_group),
        cmocka_unit_test(groups_end_with_their_levels),
        cmocka_unit_test(a_level_alone_is_cut),
        cmocka_unit_test(free_levels_stay_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
