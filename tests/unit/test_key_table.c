/* Tables of keys against arrays that are searched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/key_table.h"
#include "base/rng.h"

enum { KEYS = 3000, BITS = 5, PLACES = 1 << (BITS - 1), STEPS = 50000 };

/* Keys of every shape: neighbours, multiples of powers of two, high bits only, anything. */
static uint64_t key_at(uint64_t seed, uint64_t i)
{
    uint64_t any = random_at(seed, i);
    switch (seed % 4) {
    case 0:
        return i % 700;
    case 1:
        return random_below(any, 700) << 40;
    case 2:
        return ~random_below(any, 700);
    default:
        return any >> (any & 63);
    }
}

static void test_numbers(void **state)
{
    (void)state;
    static uint64_t known[KEYS];
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct key_table table = {0};
        uint32_t count = 0, number, twin;
        assert_int_equal(key_table_find(&table, 0), KEY_NONE);
        for (uint64_t i = 0; i < KEYS; i++) {
            uint64_t key = key_at(seed, i);
            for (twin = 0; twin < count && known[twin] != key; twin++)
                ;
            assert_int_equal(key_table_find(&table, key), twin < count ? twin : KEY_NONE);
            assert_int_equal(key_table_number(&table, key, &number), STATUS_OK);
            assert_int_equal(number, twin);
            if (twin == count)
                known[count++] = key;
            assert_int_equal(table.count, count);
        }
        assert_memory_equal(table.keys, known, count * sizeof *known);
        assert_true(2 * (uint64_t)count <= UINT64_C(1) << table.bits);
        size_t bytes = key_table_bytes(&table);
        key_table_seal(&table);
        assert_memory_equal(table.keys, known, count * sizeof *known);
        assert_true(key_table_bytes(&table) < bytes);
        key_table_free(&table);
        assert_int_equal(table.count, 0);
    }
}

/* Slots whose keys come and go: whatever was freed, all others are found. */
static void test_slots(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        uint32_t slots[1 << BITS] = {0};
        uint64_t keys[PLACES];
        bool taken[PLACES] = {0};
        for (uint64_t step = 0; step < STEPS; step++) {
            uint32_t place = (uint32_t)random_below(random_at(9, step), PLACES);
            /* Keys of places differ; many have one home. */
            uint64_t key = (random_below(random_at(8, step), 4) * PLACES + place)
                           << (seed % 2 ? 60 - BITS : 0);
            if (taken[place]) {
                key_slot_free(slots, BITS, keys, place);
            } else {
                keys[place] = key;
                assert_int_equal(*key_slot(slots, BITS, keys, key), 0);
                *key_slot(slots, BITS, keys, key) = place + 1;
            }
            taken[place] = !taken[place];
            for (uint32_t other = 0; other < PLACES; other++)
                if (taken[other])
                    assert_int_equal(*key_slot(slots, BITS, keys, keys[other]), other + 1);
        }
        size_t used = 0, expected = 0;
        for (size_t i = 0; i < 1 << BITS; i++)
            used += slots[i] != 0;
        for (size_t i = 0; i < PLACES; i++)
            expected += taken[i];
        assert_int_equal(used, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
