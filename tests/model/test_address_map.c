/* Where addresses go beyond the network: no two lines share a place, and hashes spread strides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "model/timing/memory/address_map.h"

enum { LINES = 60000, LINE = 128, SLICES_MAX = 256 };

static struct machine machine_of(const char *name, int partition)
{
    struct machine machine;
    assert_int_equal(machine_load(name, NULL, &machine, NULL, NULL), STATUS_OK);
    machine.l2.partition = partition;
    return machine;
}

struct spot {
    uint64_t slice, line;
};

static int compare(const void *left, const void *right)
{
    const struct spot *a = left, *b = right;
    if (a->slice != b->slice)
        return a->slice < b->slice ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

/* A line that another line's place already holds would be found where it is not. */
static void check_one_to_one(const char *name, int partition)
{
    const struct machine machine = machine_of(name, partition);
    struct address_map map;
    assert_int_equal(address_map_init(&map, &machine), STATUS_OK);
    struct spot *places = calloc(LINES, sizeof *places);
    assert_non_null(places);
    for (uint64_t i = 0; i < LINES; i++) {
        const uint64_t address = 0x80000000 + i * LINE;
        places[i].slice = address_map_slice(&map, address);
        places[i].line = address_map_local(&map, address) / LINE;
        assert_true(places[i].slice < machine.l2.slices);
    }
    qsort(places, LINES, sizeof *places, compare);
    for (size_t i = 1; i < LINES; i++)
        assert_true(compare(&places[i - 1], &places[i]) < 0);
    free(places);
}

static void lines_share_no_place(void **state)
{
    (void)state;
    static const char *const names[] = {"titanv", "rtx3080", "rtx4070", "a100", "v100", "t4"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        check_one_to_one(names[i], PARTITION_LINEAR);
        check_one_to_one(names[i], PARTITION_ROTATE);
    }
    check_one_to_one("v100", PARTITION_IPOLY);
}

/* How many slices 3,000 addresses meet that are `stride` apart. */
static size_t slices_met(int partition, uint64_t stride)
{
    const struct machine machine = machine_of("titanv", partition);
    struct address_map map;
    bool met[SLICES_MAX] = {false};
    size_t count = 0;
    assert_int_equal(address_map_init(&map, &machine), STATUS_OK);
    for (uint64_t i = 0; i < 3000; i++)
        met[address_map_slice(&map, 0x80000000 + i * stride)] = true;
    for (size_t i = 0; i < machine.l2.slices; i++)
        count += met[i];
    return count;
}

/* The columns of matrices of 3,072 words camp on a few of 48 slices, unless rounds are rotated. */
static void rotation_spreads_strides(void **state)
{
    (void)state;
    assert_true(slices_met(PARTITION_LINEAR, 12288) <= 4);
    for (uint64_t stride = 1024; stride <= 1 << 20; stride += stride / 2)
        assert_true(slices_met(PARTITION_ROTATE, stride) >= 44);
    assert_int_equal(slices_met(PARTITION_ROTATE, 12288), 48);
}

/* How many banks of a V100's channels 64 addresses meet that are `stride` apart. */
static size_t banks_met(int hash, uint64_t stride)
{
    struct machine machine = machine_of("v100", PARTITION_IPOLY);
    struct address_map map;
    bool met[64] = {false};
    size_t count = 0;
    machine.dram.bank_hash = hash;
    assert_int_equal(address_map_init(&map, &machine), STATUS_OK);
    for (uint64_t i = 0; i < 64; i++)
        met[address_map_dram(&map, i * stride).bank] = true;
    for (size_t i = 0; i < machine.dram.banks; i++)
        count += met[i];
    return count;
}

/* Arrays whose sizes are powers of two meet in one bank, unless their rows turn it. */
static void rows_turn_banks(void **state)
{
    (void)state;
    for (uint64_t stride = 1 << 20; stride <= 1 << 26; stride *= 2) {
        assert_int_equal(banks_met(BANK_PLAIN, stride), 1);
        assert_true(banks_met(BANK_FOLDED, stride) >= 8);
    }
    /* Within a row of all banks nothing but the number of the bank changes. */
    for (int hash = BANK_FOLDED; hash <= BANK_IPOLY; hash++)
        assert_int_equal(banks_met(BANK_PLAIN, 8192), banks_met(hash, 8192));
}

/* GPGPU-Sim's two hashes of banks: with the lowest bits of the row, and as its equations for 16
 * banks say. */
static void hashes_of_banks(void **state)
{
    (void)state;
    struct machine machine = machine_of("v100", PARTITION_IPOLY);
    struct address_map plain, xored, poly;
    machine.dram.bank_hash = BANK_PLAIN;
    assert_int_equal(address_map_init(&plain, &machine), STATUS_OK);
    machine.dram.bank_hash = BANK_XOR;
    assert_int_equal(address_map_init(&xored, &machine), STATUS_OK);
    machine.dram.bank_hash = BANK_IPOLY;
    assert_int_equal(address_map_init(&poly, &machine), STATUS_OK);
    for (uint64_t i = 0; i < 5000; i++) {
        const uint64_t address = i * 0x123456789b;
        const struct dram_place place = address_map_dram(&plain, address);
        static const uint32_t rows[4] = {0xf59, 0x11eb, 0x3d6, 0x7ac};
        uint32_t turned = place.bank;
        for (unsigned bit = 0; bit < 4; bit++)
            turned ^= (uint32_t)__builtin_parityll(place.row & rows[bit]) << bit;
        assert_int_equal(address_map_dram(&xored, address).bank,
                         place.bank ^ (place.row & (machine.dram.banks - 1)));
        assert_int_equal(address_map_dram(&poly, address).bank, turned);
        assert_int_equal(address_map_dram(&poly, address).row, place.row);
    }
}

/* A line has one slice, another seed draws another one, and all slices get their share. */
static void slices_are_drawn(void **state)
{
    (void)state;
    struct machine machine = machine_of("titanv", PARTITION_RANDOM);
    struct address_map map, other;
    unsigned shares[SLICES_MAX] = {0}, same = 0;
    assert_int_equal(address_map_init(&map, &machine), STATUS_OK);
    machine.seed++;
    assert_int_equal(address_map_init(&other, &machine), STATUS_OK);
    for (uint64_t i = 0; i < LINES; i++) {
        const uint64_t address = 0x80000000 + i * LINE;
        const uint32_t slice = address_map_slice(&map, address);
        assert_int_equal(address_map_slice(&map, address + LINE - 1), slice);
        same += address_map_slice(&other, address) == slice;
        shares[slice]++;
    }
    const uint64_t each = LINES / machine.l2.slices;
    for (uint64_t i = 0; i < machine.l2.slices; i++)
        assert_true(shares[i] > each * 3 / 4 && shares[i] < each * 5 / 4);
    assert_true(same < 2 * each);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_share_no_place), cmocka_unit_test(rotation_spreads_strides),
        cmocka_unit_test(rows_turn_banks),      cmocka_unit_test(hashes_of_banks),
        cmocka_unit_test(slices_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
