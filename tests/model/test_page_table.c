/* The layout of page tables: against a walk through tables that are really there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/translation/page_table.h"
#include "model/translation/pwc.h"

enum { BASE = 0x10000 };

static void entries_of_an_address(void **state)
{
    (void)state;
    struct page_table table;
    uint64_t entries[PAGE_LEVELS];
    page_table_init(&table, BASE, 4096);
    assert_int_equal(page_table_walk(&table, 0, entries), 4);
    assert_int_equal(entries[0], BASE);
    assert_int_equal(entries[1], BASE + 4096);
    assert_int_equal(entries[2], BASE + 4096 + 2097152);
    assert_int_equal(entries[3], BASE + 4096 + 2097152 + 1073741824);
    /* Neighbouring pages read neighbouring entries, and share all tables above. */
    uint64_t next[PAGE_LEVELS];
    page_table_walk(&table, 4096, next);
    assert_int_equal(next[3], entries[3] + PAGE_ENTRY_SIZE);
    for (int level = 0; level < 3; level++)
        assert_int_equal(next[level], entries[level]);
}

static void larger_pages_read_fewer(void **state)
{
    (void)state;
    struct page_table table;
    uint64_t entries[PAGE_LEVELS], same[PAGE_LEVELS];
    page_table_init(&table, BASE, 65536);
    assert_int_equal(page_table_walk(&table, 0x12340000, entries), 4);
    assert_int_equal(page_table_walk(&table, 0x1234ffff, same), 4);
    assert_int_equal(entries[3], same[3]);
    page_table_walk(&table, 0x12350000, same);
    assert_int_equal(same[3], entries[3] + 16 * PAGE_ENTRY_SIZE);
    page_table_init(&table, BASE, 2097152);
    assert_int_equal(page_table_walk(&table, 0x7f72b010f1f0, entries), 3);
}

/* Bits above the 48th are nobody's, and the tables of every address stay in their area. */
static void no_address_leaves_the_tables(void **state)
{
    (void)state;
    struct page_table table;
    uint64_t entries[PAGE_LEVELS], low[PAGE_LEVELS];
    page_table_init(&table, PAGE_TABLE_BASE, 4096);
    page_table_walk(&table, UINT64_MAX, entries);
    page_table_walk(&table, (UINT64_C(1) << 48) - 1, low);
    uint64_t end = PAGE_TABLE_BASE;
    for (int level = 0; level < PAGE_LEVELS; level++) {
        assert_int_equal(entries[level], low[level]);
        end += PAGE_ENTRY_SIZE * (UINT64_C(512) << 9 * level);
        assert_int_equal(entries[level], end - PAGE_ENTRY_SIZE);
    }
    assert_true(end < UINT64_C(1) << 48);
}

/* An entry stands in the table of its level at its own 9-bit index; two addresses share an entry
 * exactly where they share the indices down to it, and the table exactly where they share those
 * above. */
static void addresses_share_what_their_indices_share(void **state)
{
    (void)state;
    struct page_table table;
    page_table_init(&table, PAGE_TABLE_BASE, 4096);
    for (uint64_t i = 0; i < 200000; i++) {
        uint64_t one = random_at(1, i), other = one ^ (random_at(2, i) >> (i % 64));
        uint64_t a[PAGE_LEVELS], b[PAGE_LEVELS];
        page_table_walk(&table, one, a);
        page_table_walk(&table, other, b);
        struct page_indices p = page_split(one), q = page_split(other);
        const unsigned indices[2][PAGE_LEVELS] = {{p.l4, p.l3, p.l2, p.l1},
                                                  {q.l4, q.l3, q.l2, q.l1}};
        int same = 1;
        for (int level = 0; level < PAGE_LEVELS; level++) {
            assert_int_equal(a[level] % PAGE_TABLE_SIZE, indices[0][level] * PAGE_ENTRY_SIZE);
            assert_int_equal(a[level] / PAGE_TABLE_SIZE == b[level] / PAGE_TABLE_SIZE, same);
            same = same && indices[0][level] == indices[1][level];
            assert_int_equal(a[level] == b[level], same);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_of_an_address),
        cmocka_unit_test(larger_pages_read_fewer),
        cmocka_unit_test(no_address_leaves_the_tables),
        cmocka_unit_test(addresses_share_what_their_indices_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
