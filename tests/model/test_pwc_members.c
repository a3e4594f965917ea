/* The page-walk caches beside each other: slow twins of STC and UPTC, what all members share, what
 * is measured in them (redundancy, cycles, the TPC beside). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/translation/pwc.h"
#include "support/pwc_contents.h"

static struct pwc_config config_of(int organization, uint64_t entries)
{
    return (struct pwc_config){.organization = organization,
                               .entries = entries,
                               .ways = WAYS_FULL,
                               .l4_entries = 2,
                               .l3_entries = 4,
                               .block_entries = 1,
                               .mask = PWC_MASK_FORMULA,
                               .invalidate = 1};
}

static struct pwc *create(struct pwc_config config, uint64_t page_size)
{
    struct pwc *pwc;
    assert_int_equal(pwc_create_compared(&config, page_size, &pwc), STATUS_OK);
    return pwc;
}

static struct pwc_counts counts_of(const struct pwc *pwc)
{
    struct pwc_counts counts;
    pwc_read_counts(pwc, &counts);
    return counts;
}

static uint64_t bits(struct pwc_config config)
{
    return pwc_bits(&config);
}

static uint64_t random_address(uint64_t seed, uint64_t index, unsigned l4, unsigned l3, unsigned l2)
{
    uint64_t draw = random_at(seed, index);
    return random_below(draw * 3, l4) << 39 | random_below(draw * 5, l3) << 30 |
           random_below(draw * 7, l2) << 21 | (draw & 0xfff000) >> 4;
}

/* ---- what is counted by hand ---------------------------------------------------------------- */

static void bits_are_counted(void **state)
{
    (void)state;
    /* valid + indices so far + address: 74, 83, 92. */
    assert_int_equal(bits(config_of(PWC_STC, 1)), 2 * 74 + 4 * 83 + 92);
    assert_int_equal(bits(config_of(PWC_STC, 52)), 5264);
    assert_int_equal(bits(config_of(PWC_UPTC, 41)), 41 * 126);
    assert_int_equal(pwc_equal_tpc(&(struct pwc_config){.organization = PWC_NONE}), 0);
    struct pwc_config config = config_of(PWC_CPWC, 62);
    assert_int_equal(pwc_equal_tpc(&config), 24);
    config = config_of(PWC_STC, 52);
    assert_int_equal(pwc_equal_tpc(&config), 24);
    config = config_of(PWC_UPTC, 1); /* less than a path */
    assert_int_equal(pwc_equal_tpc(&config), 1);
}

/* The paper's seven walks, on which a CPWC makes 17 accesses. */
static const uint64_t example[] = {0x7F72B010F1F0, 0x7F72BC30F1F0, 0x7FF2FC30F1F0, 0x7F72BC30F1F0,
                                   0x7FF2FC30F1F0, 0x7FF2F010F1F0, 0x7F72FC30F1F0};

static void stc_walks_the_example(void **state)
{
    (void)state;
    static const enum pwc_hit hits[] = {PWC_HIT_NONE, PWC_HIT_L3, PWC_HIT_NONE, PWC_HIT_L2,
                                        PWC_HIT_L2,   PWC_HIT_L3, PWC_HIT_L4};
    struct pwc *pwc = create(config_of(PWC_STC, 3), 4096);
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(pwc_walk(pwc, example[i]), hits[i]);
    /* Three L2 entries: 255 459 384 took the place of the oldest, 254 458 384; then the last walk
     * that of 254 458 481. */
    expect_contents(pwc, "L4[0] 254\nL4[1] 255\nL3[0] 254 458\nL3[1] 255 459\nL3[2] 254 459\n"
                         "L2[0] 255 459 384\nL2[1] 254 459 481\nL2[2] 255 459 481\n");
    assert_int_equal(counts_of(pwc).memory_accesses, 17);
    assert_int_equal(counts_of(pwc).lookup_cycles, 7);
    pwc_free(pwc);
}

/* A bank can lose what a deeper bank still has: the walk hits all the same, and stays one read. */
static void stc_needs_no_parent(void **state)
{
    (void)state;
    struct pwc_config config = config_of(PWC_STC, 4);
    config.l4_entries = config.l3_entries = 1;
    struct pwc *pwc = create(config, 4096);
    pwc_walk(pwc, UINT64_C(1) << 39);
    pwc_walk(pwc, UINT64_C(2) << 39);
    assert_int_equal(pwc_walk(pwc, UINT64_C(1) << 39), PWC_HIT_L2);
    /* L4 and L3 were not read, so they are those of the other path. */
    expect_contents(pwc, "L4[0] 2\nL3[0] 2 0\nL2[0] 1 0 0\nL2[1] 2 0 0\n");
    pwc_free(pwc);
}

static void uptc_walks_the_example(void **state)
{
    (void)state;
    struct pwc *pwc = create(config_of(PWC_UPTC, 16), 4096);
    static const enum pwc_hit hits[] = {PWC_HIT_NONE, PWC_HIT_L3, PWC_HIT_NONE, PWC_HIT_L2,
                                        PWC_HIT_L2,   PWC_HIT_L3, PWC_HIT_L4};
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(pwc_walk(pwc, example[i]), hits[i]);
    assert_int_equal(counts_of(pwc).memory_accesses, 17);
    /* One cycle a level until one is missed: 1 3 1 3 3 3 2. */
    assert_int_equal(counts_of(pwc).lookup_cycles, 16);
    pwc_free(pwc);
    pwc = create(config_of(PWC_UPTC, 3), 4096);
    pwc_walk(pwc, 0x7F72B010F1F0);
    expect_contents(pwc, "entry[0] L4 at 0x8000000007f0 254\n"
                         "entry[1] L3 at 0x8000000ffe50 254 458\n"
                         "entry[2] L2 at 0x80001ffcbc00 254 458 384\n");
    pwc_free(pwc);
}

static void lookups_cost_what_the_organization_says(void **state)
{
    (void)state;
    for (int organization = 0; organization < PWC_COUNT; organization++)
        for (int hit = PWC_HIT_NONE; hit <= PWC_HIT_L2; hit++) {
            struct pwc *pwc = create(config_of(organization, 8), 4096);
            struct pwc_lookup cost = pwc_lookup_cost(pwc, (enum pwc_hit)hit);
            unsigned turns = hit == PWC_HIT_L2 ? 3 : (unsigned)hit + 1;
            bool in_turn = organization == PWC_UPTC, none = organization == PWC_NONE;
            assert_int_equal(cost.cycles, none ? 0 : in_turn ? turns : 1);
            assert_int_equal(cost.levels, none ? 0 : in_turn ? turns : 3);
            pwc_free(pwc);
        }
    struct pwc *pwc = create(config_of(PWC_UPTC, 8), 2097152); /* two levels can be held */
    assert_int_equal(pwc_lookup_cost(pwc, PWC_HIT_L3).cycles, 2);
    pwc_free(pwc);
}

/* ---- slow twins ----------------------------------------------------------------------------- */

enum { TWIN_MAX = 64 };

/* A list in order of use, newest first. */
struct list {
    unsigned size, used;
    struct page_indices items[TWIN_MAX];
    int levels[TWIN_MAX]; /* UPTC: whose entry it is; 1 = L4 */
};

static bool same_prefix(struct page_indices a, struct page_indices b, int level)
{
    return a.l4 == b.l4 && (level < 2 || a.l3 == b.l3) && (level < 3 || a.l2 == b.l2);
}

static bool list_take(struct list *list, struct page_indices walk, int level)
{
    for (unsigned i = 0; i < list->used; i++)
        if (list->levels[i] == level && same_prefix(list->items[i], walk, level)) {
            list->used--;
            memmove(&list->items[i], &list->items[i + 1], (list->used - i) * sizeof *list->items);
            memmove(&list->levels[i], &list->levels[i + 1],
                    (list->used - i) * sizeof *list->levels);
            return true;
        }
    return false;
}

static void list_push(struct list *list, struct page_indices walk, int level)
{
    if (list->used == list->size)
        list->used--;
    memmove(list->items + 1, list->items, list->used * sizeof *list->items);
    memmove(list->levels + 1, list->levels, list->used * sizeof *list->levels);
    list->items[0] = walk;
    list->levels[0] = level;
    list->used++;
}

static enum pwc_hit twin_stc_walk(struct list banks[3], struct page_indices walk, int depth)
{
    int hit = 0;
    for (int level = 1; level <= depth; level++)
        if (list_take(&banks[level - 1], walk, level)) {
            list_push(&banks[level - 1], walk, level);
            hit = level;
        }
    for (int level = hit + 1; level <= depth; level++)
        list_push(&banks[level - 1], walk, level);
    return (enum pwc_hit)hit;
}

/* Every level is really looked for, also below one that was missed. */
static enum pwc_hit twin_uptc_walk(struct list *all, struct page_indices walk, int depth)
{
    int hit = 0;
    for (int level = 1; level <= depth; level++) {
        bool found = list_take(all, walk, level);
        if (found && hit == level - 1)
            hit = level;
        else
            assert_false(found); /* no entry outlives the one above it */
        list_push(all, walk, level);
    }
    return (enum pwc_hit)hit;
}

static void stc_equals_its_twin(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 24; seed++) {
        struct pwc_config config = config_of(PWC_STC, 1 + random_below(random_at(seed, 0), 40));
        config.l4_entries = 1 + random_below(random_at(seed, 1), 5);
        config.l3_entries = 1 + random_below(random_at(seed, 2), 9);
        struct list banks[3] = {{.size = (unsigned)config.l4_entries},
                                {.size = (unsigned)config.l3_entries},
                                {.size = (unsigned)config.entries}};
        bool large = seed % 4 == 3;
        struct pwc *pwc = create(config, large ? 2097152 : 4096);
        for (uint64_t i = 0; i < 6000; i++) {
            uint64_t address = random_address(seed, i, 4, 5, 12);
            assert_int_equal(pwc_walk(pwc, address),
                             twin_stc_walk(banks, page_split(address), large ? 2 : 3));
        }
        pwc_free(pwc);
    }
}

static void uptc_equals_its_twin(void **state)
{
    (void)state;
    for (uint64_t entries = 1; entries <= TWIN_MAX; entries += entries < 9 ? 1 : 7)
        for (int large = 0; large < 2; large++) {
            struct list all = {.size = (unsigned)entries};
            struct pwc *pwc = create(config_of(PWC_UPTC, entries), large ? 2097152 : 4096);
            for (uint64_t i = 0; i < 6000; i++) {
                /* Now and then back to the walk before: the young and the old. */
                uint64_t address = random_address(entries, i - (i % 3 == 2), 3, 4, 9);
                assert_int_equal(pwc_walk(pwc, address),
                                 twin_uptc_walk(&all, page_split(address), large ? 2 : 3));
            }
            pwc_free(pwc);
        }
}

/* ---- what all members share ----------------------------------------------------------------- */

static void without_a_limit_all_hit_alike(void **state)
{
    (void)state;
    for (int large = 0; large < 2; large++) {
        struct pwc *all[PWC_COUNT];
        for (int organization = PWC_TPC; organization < PWC_COUNT; organization++) {
            struct pwc_config config = config_of(organization, 4096);
            config.l4_entries = 4;
            config.l3_entries = 64; /* 16 below each L4 entry: no two share a place */
            all[organization] = create(config, large ? 2097152 : 4096);
        }
        for (uint64_t i = 0; i < 20000; i++) {
            uint64_t address = random_address(7, i, 4, 16, 40);
            enum pwc_hit hit = pwc_walk(all[PWC_TPC], address);
            for (int organization = PWC_TPC + 1; organization < PWC_COUNT; organization++)
                assert_int_equal(pwc_walk(all[organization], address), hit);
        }
        for (int organization = PWC_TPC; organization < PWC_COUNT; organization++)
            pwc_free(all[organization]);
    }
}

/* Of as many bits, but fully associative: what the sets cost shows. */
static void a_tpc_in_sets_is_held_against_one_without(void **state)
{
    (void)state;
    struct pwc_config config = config_of(PWC_TPC, 16);
    config.ways = 1;
    assert_int_equal(bits(config), 16 * 216);
    struct pwc *pwc = create(config, 4096), *tpc = create(config_of(PWC_TPC, 16), 4096);
    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t address = random_address(3, i, 1, 1, 20);
        pwc_walk(pwc, address);
        pwc_walk(tpc, address);
    }
    assert_int_equal(counts_of(pwc).tpc_accesses, counts_of(tpc).memory_accesses);
    assert_true(counts_of(pwc).memory_accesses > counts_of(tpc).memory_accesses);
    pwc_free(pwc);
    pwc_free(tpc);
}

static void the_tpc_beside_is_a_tpc(void **state)
{
    (void)state;
    for (int organization = PWC_TPC; organization < PWC_COUNT; organization++) {
        struct pwc_config config = config_of(organization, 60);
        struct pwc *pwc = create(config, 4096);
        struct pwc *tpc = create(config_of(PWC_TPC, (bits(config) + 219) / 220), 4096);
        for (uint64_t i = 0; i < 20000; i++) {
            uint64_t address = random_address(3, i, 2, 4, 30);
            (i < 500 ? pwc_warm : pwc_walk)(pwc, address);
            (i < 500 ? pwc_warm : pwc_walk)(tpc, address);
        }
        assert_int_equal(counts_of(pwc).tpc_accesses, counts_of(tpc).memory_accesses);
        assert_int_equal(counts_of(tpc).tpc_accesses, counts_of(tpc).memory_accesses);
        pwc_free(pwc);
        pwc_free(tpc);
    }
}

/* ---- redundancy ----------------------------------------------------------------------------- */

static struct pwc *fill_paths(int organization, uint64_t paths)
{
    struct pwc_config config = config_of(organization, paths);
    struct pwc *pwc = create(config, 4096);
    for (uint64_t i = 0; i < 2 * paths; i++) {
        bool last = i == 2 * paths - 1; /* full by now: measure this walk alone */
        (last ? pwc_walk : pwc_warm)(pwc, (i % 4) << 30 | (i % paths) << 21);
    }
    return pwc;
}

/* Full, one L4 index, four L3 indices: what table 7 says. */
static void a_full_tpc_measures_table_7(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {8, 16, 24, 64, 256};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct pwc *pwc = fill_paths(PWC_TPC, sizes[i]);
        struct pwc_counts counts = counts_of(pwc);
        double measured = (double)counts.duplicate_bits / (double)counts.stored_bits;
        assert_float_equal(measured, pwc_redundancy(sizes[i], 5), 1e-12);
        pwc_free(pwc);
        pwc = fill_paths(PWC_CPWC, sizes[i]);
        assert_int_equal(counts_of(pwc).duplicate_bits, 0);
        pwc_free(pwc);
    }
}

/* Reads what a cache prints, and counts again what stands there more than once: pairs of a TPC,
 * indices of an STC. */
static void count_printed(const struct pwc *pwc, bool paths, uint64_t *stored, uint64_t *again)
{
    static bool l4_seen[512], l3_seen[512 * 512];
    memset(l4_seen, 0, sizeof l4_seen);
    memset(l3_seen, 0, sizeof l3_seen);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    pwc_print(pwc, out);
    fclose(out);
    *stored = *again = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        unsigned slot, index[3];
        int count = paths ? sscanf(line, "path[%u] %u %u %u", &slot, index, index + 1, index + 2)
                          : sscanf(line, "L%*d[%u] %u %u %u", &slot, index, index + 1, index + 2);
        int indices = count - 1;
        assert_true(indices >= 1 && indices <= 3);
        unsigned each = paths ? 73 : 9;
        *stored += paths ? 3 * 73 : 64 + 9 * (unsigned)indices;
        *again += l4_seen[index[0]] ? each : 0;
        l4_seen[index[0]] = true;
        if (indices < 2)
            continue;
        *again += l3_seen[index[0] * 512 + index[1]] ? each : 0;
        l3_seen[index[0] * 512 + index[1]] = true;
    }
    free(text);
}

static void redundancy_is_what_stands_there_twice(void **state)
{
    (void)state;
    for (int organization = PWC_TPC; organization <= PWC_STC; organization++) {
        struct pwc *pwc = create(config_of(organization, 17), 4096);
        uint64_t stored = 0, again = 0;
        for (uint64_t i = 0; i < 1500; i++) {
            pwc_walk(pwc, random_address(11, i, 3, 4, 6));
            uint64_t now, now_again;
            count_printed(pwc, organization == PWC_TPC, &now, &now_again);
            stored += now;
            again += now_again;
        }
        assert_int_equal(counts_of(pwc).stored_bits, stored);
        assert_int_equal(counts_of(pwc).duplicate_bits, again);
        assert_true(again > 0);
        pwc_free(pwc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_counted),
        cmocka_unit_test(stc_walks_the_example),
        cmocka_unit_test(stc_needs_no_parent),
        cmocka_unit_test(uptc_walks_the_example),
        cmocka_unit_test(lookups_cost_what_the_organization_says),
        cmocka_unit_test(stc_equals_its_twin),
        cmocka_unit_test(uptc_equals_its_twin),
        cmocka_unit_test(without_a_limit_all_hit_alike),
        cmocka_unit_test(a_tpc_in_sets_is_held_against_one_without),
        cmocka_unit_test(the_tpc_beside_is_a_tpc),
        cmocka_unit_test(a_full_tpc_measures_table_7),
        cmocka_unit_test(redundancy_is_what_stands_there_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
