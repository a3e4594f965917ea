/* Lists of linked nodes against arrays that are searched and moved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/links.h"
#include "base/rng.h"

enum { NODES = 20, LISTS = 3, HEADS = NODES, STEPS = 20000 };

struct twin {
    uint32_t nodes[NODES];
    size_t count;
};

static void twin_remove(struct twin *twins, uint32_t node)
{
    for (size_t list = 0; list < LISTS; list++)
        for (size_t i = 0; i < twins[list].count; i++)
            if (twins[list].nodes[i] == node) {
                memmove(&twins[list].nodes[i], &twins[list].nodes[i + 1],
                        (--twins[list].count - i) * sizeof node);
                return;
            }
}

static void twin_insert(struct twin *twin, size_t at, uint32_t node)
{
    memmove(&twin->nodes[at + 1], &twin->nodes[at], (twin->count++ - at) * sizeof node);
    twin->nodes[at] = node;
}

static void check(const struct link *links, const struct twin *twin, uint32_t head)
{
    uint32_t before = head;
    for (size_t i = 0; i < twin->count; i++) {
        assert_int_equal(links[before].next, twin->nodes[i]);
        assert_int_equal(links[twin->nodes[i]].previous, before);
        before = twin->nodes[i];
    }
    assert_int_equal(links[before].next, head);
    assert_int_equal(links[head].previous, before);
}

/* Several lists share the nodes of one array, as the blocks of a page-walk cache do. */
static void test_lists(void **state)
{
    (void)state;
    struct link *links;
    struct twin twins[LISTS] = {0};
    assert_int_equal(links_init(&links, NODES + LISTS), STATUS_OK);
    for (uint64_t step = 0; step < STEPS; step++) {
        uint32_t node = (uint32_t)random_below(random_at(1, step), NODES);
        uint32_t list = (uint32_t)random_below(random_at(2, step), LISTS);
        twin_remove(twins, node);
        switch (random_below(random_at(3, step), 3)) {
        case 0:
            links_detach(links, node);
            break;
        case 1:
            links_move_first(links, node, HEADS + list);
            twin_insert(&twins[list], 0, node);
            break;
        default:
            links_move_last(links, node, HEADS + list);
            twin_insert(&twins[list], twins[list].count, node);
            break;
        }
        for (uint32_t i = 0; i < LISTS; i++)
            check(links, &twins[i], HEADS + i);
    }
    free(links);
}

/* Zeros are the empty list of node 0: so states need no initialisation. */
static void test_zeros(void **state)
{
    (void)state;
    struct link links[4] = {{0}};
    struct twin twin = {0};
    check(links, &twin, 0);
    links_insert_first(links, 2, 0);
    links_insert_last(links, 3, 0);
    links_insert_first(links, 1, 0);
    twin = (struct twin){{1, 2, 3}, 3};
    check(links, &twin, 0);
    links_remove(links, 2);
    twin = (struct twin){{1, 3}, 2};
    check(links, &twin, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
