#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/rng.h"
#include "model/cache/geometry.h"
#include "model/cache/set_index.h"
#include "schema/parameters.h"
#include "support/pick_members.h"
#include "support/slow_cache.h"

static struct set_index index_of(int function, uint64_t sets)
{
    struct set_index index;
    assert_int_equal(set_index_init(&index, function, sets), STATUS_OK);
    return index;
}

static uint64_t map(const struct set_index *index, uint64_t line)
{
    return set_index_map(index, index->function, line);
}

/* Values of GPGPU-Sim's and of the reuse-distance model's code. */
static void test_fermi_vectors(void **state)
{
    (void)state;
    static const struct {
        uint64_t address, set32, set64;
    } vectors[] = {
        {0x80, 1, 1},        {0xF80, 31, 31},   {0x1000, 0, 32},  {0x2000, 1, 1},
        {0x4000, 2, 2},      {0x8000, 4, 4},    {0x10000, 0, 0},  {0x20000, 8, 8},
        {0x40000, 0, 0},     {0x80000, 16, 16}, {0xFFF80, 0, 32}, {0x12345678, 14, 46},
        {0xC00A5F80, 5, 37},
    };
    struct set_index index32 = index_of(INDEX_FERMI, 32), index64 = index_of(INDEX_FERMI, 64);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        assert_int_equal(map(&index32, vectors[i].address / 128), vectors[i].set32);
        assert_int_equal(map(&index64, vectors[i].address / 128), vectors[i].set64);
    }
}

/* Bit lists of GPGPU-Sim's equations: those bits of the line number above the index that go into
 * each bit of the index, ended by -1; the index bit itself is added. */
static const int8_t equations16[][12] = {{0, 3, 4, 6, 8, 9, 10, 11, -1},
                                         {0, 1, 3, 5, 6, 7, 8, 12, -1},
                                         {1, 2, 4, 6, 7, 8, 9, -1},
                                         {2, 3, 5, 7, 8, 9, 10, -1}};
static const int8_t equations32[][12] = {{0, 3, 5, 6, 9, 10, 11, 12, 13, -1},
                                         {1, 4, 6, 7, 10, 11, 12, 13, 14, -1},
                                         {0, 2, 3, 6, 7, 8, 9, 10, 14, -1},
                                         {1, 3, 4, 7, 8, 9, 10, 11, -1},
                                         {2, 4, 5, 8, 9, 10, 11, 12, -1}};
static const int8_t equations64[][12] = {
    {0, 5, 6, 10, 12, 15, 16, 17, 18, -1}, {0, 1, 5, 7, 10, 11, 12, 13, 15, -1},
    {1, 2, 6, 8, 11, 12, 13, 14, 16, -1},  {2, 3, 7, 9, 12, 13, 14, 15, 17, -1},
    {3, 4, 8, 10, 13, 14, 15, 16, 18, -1}, {4, 5, 9, 11, 14, 15, 16, 17, -1}};

static uint64_t equate(const int8_t (*equations)[12], unsigned degree, uint64_t line)
{
    uint64_t set = 0;
    for (unsigned i = 0; i < degree; i++) {
        uint64_t bit = line >> i & 1;
        for (unsigned k = 0; equations[i][k] >= 0; k++)
            bit ^= line >> (degree + (unsigned)equations[i][k]) & 1;
        set |= bit << i;
    }
    return set;
}

static void test_ipoly_equals_upstream(void **state)
{
    (void)state;
    const int8_t(*const equations[])[12] = {equations16, equations32, equations64};
    for (unsigned degree = 4; degree <= 6; degree++) {
        struct set_index index = index_of(INDEX_IPOLY, UINT64_C(1) << degree);
        for (uint64_t i = 0; i < 20000; i++) {
            uint64_t line = random_at(degree, i) >> i % 57;
            assert_int_equal(map(&index, line), equate(equations[degree - 4], degree, line));
        }
    }
}

/* The remainder of one polynomial over GF(2) by another. */
static uint64_t remainder_of(uint64_t dividend, uint64_t divisor)
{
    while (dividend && log2_floor(dividend) >= log2_floor(divisor))
        dividend ^= divisor << (log2_floor(dividend) - log2_floor(divisor));
    return dividend;
}

static void test_polynomials(void **state)
{
    (void)state;
    for (unsigned degree = 1; degree <= IPOLY_DEGREE_MAX; degree++) {
        uint64_t polynomial = ipoly_polynomial(degree);
        assert_int_equal(log2_floor(polynomial), degree);
        for (uint64_t divisor = 2; log2_floor(divisor) <= degree / 2; divisor++)
            assert_int_not_equal(remainder_of(polynomial, divisor), 0); /* irreducible */
        uint64_t power = 1, order = 0;
        do { /* primitive: x generates every non-zero remainder */
            power = remainder_of(power << 1, polynomial);
            order++;
        } while (power != 1 && order < UINT64_C(1) << degree);
        assert_int_equal(order, (UINT64_C(1) << degree) - 1);
    }
}

/* The polynomials by their exponents: GPGPU-Sim's for 16, 32 and 64 sets, the others as in Peterson
 * and Weldon, "Error-Correcting Codes", 1972, appendix C. Another primitive one of the same degree
 * would be as good a hash, and another machine. */
static void test_polynomials_by_name(void **state)
{
    (void)state;
    static const int exponents[IPOLY_DEGREE_MAX + 1][6] = {
        [1] = {1, 0},         [2] = {2, 1, 0},       [3] = {3, 1, 0},      [4] = {4, 1, 0},
        [5] = {5, 2, 0},      [6] = {6, 1, 0},       [7] = {7, 3, 0},      [8] = {8, 4, 3, 2, 0},
        [9] = {9, 4, 0},      [10] = {10, 3, 0},     [11] = {11, 2, 0},    [12] = {12, 6, 4, 1, 0},
        [13] = {13, 4, 3, 1}, [14] = {14, 10, 6, 1}, [15] = {15, 1, 0},    [16] = {16, 12, 3, 1},
        [17] = {17, 3, 0},    [18] = {18, 7, 0},     [19] = {19, 5, 2, 1}, [20] = {20, 3, 0}};
    for (unsigned degree = 1; degree <= IPOLY_DEGREE_MAX; degree++) {
        uint32_t polynomial = 1; /* the constant term, which all have */
        for (size_t i = 0; exponents[degree][i]; i++)
            polynomial |= UINT32_C(1) << exponents[degree][i];
        assert_int_equal(ipoly_polynomial(degree), polynomial);
    }
}

/* Every function against the definition of the slow twin, on all numbers of sets. */
static void test_equals_definition(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        struct cache_config config = {.ways = 1, .slices = 1, .interleave = 512};
        config.line = config.sector = UINT64_C(16) << random_at(1, i) % 6;
        config.index = pick_index(random_at(2, i));
        uint64_t sets = UINT64_C(1) << random_at(3, i) % (IPOLY_DEGREE_MAX + 1);
        if (random_at(8, i) % 2)
            sets = 1 + random_at(3, i) % 10000;
        sets = fit_sets(config.index, sets);
        if (random_at(4, i) % 2)
            config.slices = 1 + random_at(5, i) % 80;
        config.size = sets * config.line * config.slices;
        struct geometry geometry;
        assert_int_equal(geometry_init(&geometry, &config), STATUS_OK);
        uint64_t address = random_at(6, i) >> random_at(7, i) % 40;
        uint64_t set = geometry_set(&geometry, config.index, address / config.line);
        assert_true(set < sets);
        assert_int_equal(set, slow_set(&config, address));
    }
}

/* Table 1 of the paper, and the smallest. */
static void test_primes(void **state)
{
    (void)state;
    static const uint64_t primes[][2] = {{1, 1},       {2, 2},       {4, 3},        {64, 61},
                                         {256, 251},   {512, 509},   {1024, 1021},  {2048, 2039},
                                         {4096, 4093}, {8192, 8191}, {16384, 16381}};
    for (size_t i = 0; i < sizeof primes / sizeof *primes; i++)
        assert_int_equal(index_reach(INDEX_PRIME, primes[i][0]), primes[i][1]);
    struct set_index index = index_of(INDEX_PRIME, 64);
    assert_int_equal(map(&index, 60), 60);
    assert_int_equal(map(&index, 61), 0);
    assert_int_equal(map(&index, 64), 3);
}

/* Each fact is true where the row says so, and only there. */
static void test_facts(void **state)
{
    (void)state;
    for (int function = 0; function < INDEX_COUNT; function++) {
        const struct index_facts *facts = &index_facts[function];
        bool nests = true, xors = true, remainder = true;
        for (uint64_t i = 0; i < 3000; i++) {
            uint64_t sets = 1 + random_at(8, i) % 200, more = sets * (1 + random_at(9, i) % 8);
            uint64_t a = random_at(10, i) >> random_at(11, i) % 60, b = random_at(12, i);
            if (random_at(13, i) & 1)
                sets = UINT64_C(1) << sets % 10, more = sets << more % 4;
            if (!index_holds(function, sets))
                continue;
            const struct set_index index = index_of(function, sets);
            remainder = remainder && map(&index, a) == a % index_reach(function, sets);
            if (index_holds(function, more)) {
                const struct set_index larger = index_of(function, more);
                nests = nests && map(&larger, a) % sets == map(&index, a);
            }
            uint64_t low = b & ((UINT64_C(1) << log2_floor(sets)) - 1);
            xors = xors && (map(&index, a) ^ map(&index, b)) == map(&index, a ^ b) &&
                   (!low || map(&index, a) != map(&index, a ^ low));
            assert_true(map(&index, a) < index_reach(function, sets));
            assert_int_equal(set_index_map_small(&index, function, a & 0xffffff),
                             map(&index, a & 0xffffff));
        }
        /* (The Fermi hash nests too, from 32 to 64 sets; nothing would gain from that.) */
        assert_true(nests || !(facts->traits & INDEX_NESTS));
        assert_int_equal(xors, (facts->traits & INDEX_XORS) != 0);
        assert_int_equal(remainder, (facts->traits & INDEX_REMAINDER) != 0);
    }
}

static void test_refuses(void **state)
{
    (void)state;
    struct set_index index;
    assert_int_equal(set_index_init(&index, INDEX_MODULO, 0), STATUS_INVALID);
    assert_int_equal(set_index_init(&index, INDEX_XOR, 24), STATUS_INVALID);
    assert_int_equal(set_index_init(&index, INDEX_FERMI, 128), STATUS_INVALID);
    assert_int_equal(set_index_init(&index, INDEX_IPOLY, 24), STATUS_INVALID);
    assert_int_equal(set_index_init(&index, INDEX_IPOLY, UINT64_C(2) << IPOLY_DEGREE_MAX),
                     STATUS_INVALID);
    assert_int_equal(set_index_init(&index, INDEX_COUNT, 32), STATUS_INVALID);
    assert_int_equal(set_index_init(&index, -1, 32), STATUS_INVALID);
    char needs[FAMILY_NEEDS];
    assert_string_equal(index_needs(INDEX_FERMI, needs), "32 or 64 sets");
    assert_string_equal(index_needs(INDEX_XOR, needs), "a power of two of sets");
    assert_string_equal(index_needs(INDEX_IPOLY, needs), "a power of two of sets up to 1048576");
}

static void test_names(void **state)
{
    (void)state;
    const struct parameter *parameter = parameter_find("l1d.index");
    assert_int_equal(parameter->choice_count, INDEX_COUNT);
    for (size_t i = 0; i < INDEX_COUNT; i++)
        assert_string_equal(index_facts[i].name, parameter->choices[i].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fermi_vectors),
        cmocka_unit_test(test_ipoly_equals_upstream),
        cmocka_unit_test(test_polynomials),
        cmocka_unit_test(test_equals_definition),
        cmocka_unit_test(test_polynomials_by_name),
        cmocka_unit_test(test_primes),
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
