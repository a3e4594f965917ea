/* Page-walk caches: the paper's sizes and worked example, and slow twins on random walks. */
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
#include "schema/parameters.h"
#include "support/pwc_contents.h"

static struct pwc_config paper_config(void)
{
    return (struct pwc_config){.organization = PWC_CPWC,
                               .ways = WAYS_FULL,
                               .entries = 32,
                               .l4_entries = 2,
                               .l3_entries = 4,
                               .block_entries = 8,
                               .mask = PWC_MASK_BLOCKS,
                               .invalidate = 1};
}

static uint64_t bits(struct pwc_config config)
{
    return pwc_bits(&config);
}

static struct pwc *create(struct pwc_config config, uint64_t page_size)
{
    struct pwc *pwc;
    assert_int_equal(pwc_create(&config, page_size, &pwc), STATUS_OK);
    return pwc;
}

static void split_follows_table_3(void **state)
{
    (void)state;
    struct page_indices a = page_split(0x7F72B010F1F0), b = page_split(0x7FF2FC30F1F0);
    assert_int_equal(a.l4, 254);
    assert_int_equal(a.l3, 458);
    assert_int_equal(a.l2, 384);
    assert_int_equal(a.l1, 271);
    assert_int_equal(b.l4, 255);
    assert_int_equal(b.l3, 459);
    assert_int_equal(b.l2, 481);
    assert_int_equal(page_levels(4096), 4);
    assert_int_equal(page_levels(65536), 4);
    assert_int_equal(page_levels(2097152), 3);
}

static void sizes_follow_tables_5_and_6(void **state)
{
    (void)state;
    static const unsigned rows[][3] = {
        {4, 880, 756},        {8, 1760, 1068},     {12, 2640, 1380},    {16, 3520, 1692},
        {20, 4400, 2004},     {24, 5280, 2316},    {32, 7040, 2940},    {48, 10560, 4188},
        {62, 13640, 5280},    {64, 14080, 5436},   {96, 21120, 7932},   {128, 28160, 10428},
        {192, 42240, 15420},  {256, 56320, 20412}, {300, 66000, 23844}, {409, 89980, 32346},
        {512, 112640, 40380},
    };
    struct pwc_config tpc = {.organization = PWC_TPC, .ways = WAYS_FULL}, cpwc = paper_config();
    cpwc.mask = PWC_MASK_FORMULA;
    cpwc.block_entries = 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tpc.entries = cpwc.entries = rows[i][0];
        assert_int_equal(bits(tpc), rows[i][1]);
        assert_int_equal(bits(cpwc), rows[i][2]);
    }
    /* As many entries as fit into so many bits. */
    static const unsigned fits[][3] = {
        {880, 4, 5},       {1760, 8, 16},     {2640, 12, 28},    {3520, 16, 39},   {4400, 20, 50},
        {5280, 24, 62},    {7040, 32, 84},    {8800, 40, 107},   {10560, 48, 129}, {14080, 64, 174},
        {28160, 128, 355}, {56320, 256, 716}, {66000, 300, 840},
    };
    for (size_t i = 0; i < sizeof fits / sizeof *fits; i++) {
        tpc.entries = fits[i][1], cpwc.entries = fits[i][2];
        assert_true(bits(tpc) <= fits[i][0] && bits(cpwc) <= fits[i][0]);
        tpc.entries++, cpwc.entries++;
        assert_true(bits(tpc) > fits[i][0] && bits(cpwc) > fits[i][0]);
    }
    assert_int_equal(bits(paper_config()), 2828); /* figure 1: four blocks of eight */
}

static void redundancy_follows_table_7(void **state)
{
    (void)state;
    assert_true(pwc_redundancy(8, 5) == 11.0 / 24); /* 45.8 % */
    static const struct {
        unsigned entries;
        double percent;
    } rows[] = {{16, 56.25}, {24, 59.72}, {32, 61.46}, {64, 64.06}, {256, 66.02}, {512, 66.34}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_float_equal(100 * pwc_redundancy(rows[i].entries, 5), rows[i].percent, 0.005);
    assert_true(pwc_redundancy(0, 1) == 0);
    assert_true(pwc_redundancy(1, 2) == 0);
}

static void worked_example(void **state)
{
    (void)state;
    struct pwc *pwc = create(paper_config(), 4096);
    assert_int_equal(pwc_walk(pwc, 0x7F72B010F1F0), PWC_HIT_NONE);
    expect_contents(pwc, "L4[0] 254\nL3[0] 458 mask 1000\nL2 block 1 slot 1 384\n");
    assert_int_equal(pwc_walk(pwc, 0x7F72BC30F1F0), PWC_HIT_L3);
    expect_contents(pwc, "L4[0] 254\nL3[0] 458 mask 1000\n"
                         "L2 block 1 slot 1 384\nL2 block 1 slot 2 481\n");
    assert_int_equal(pwc_walk(pwc, 0x7FF2FC30F1F0), PWC_HIT_NONE);
    const char *after_3 = "L4[0] 254\nL4[1] 255\nL3[0] 458 mask 1000\nL3[3] 459 mask 0100\n"
                          "L2 block 1 slot 1 384\nL2 block 1 slot 2 481\nL2 block 2 slot 1 481\n";
    expect_contents(pwc, after_3);
    /* Both blocks hold tag 481: the multiplexer must follow the mask, in both directions. */
    assert_int_equal(pwc_walk(pwc, 0x7F72BC30F1F0), PWC_HIT_L2);
    assert_int_equal(pwc_walk(pwc, 0x7FF2FC30F1F0), PWC_HIT_L2);
    expect_contents(pwc, after_3);
    /* Tag 384 is in block 1, which the mask 0100 excludes. */
    assert_int_equal(pwc_walk(pwc, 0x7FF2F010F1F0), PWC_HIT_L3);
    assert_int_equal(pwc_walk(pwc, 0x7F72FC30F1F0), PWC_HIT_L4);
    expect_contents(pwc, "L4[0] 254\nL4[1] 255\nL3[0] 458 mask 1000\nL3[1] 459 mask 0010\n"
                         "L3[3] 459 mask 0100\nL2 block 1 slot 1 384\nL2 block 1 slot 2 481\n"
                         "L2 block 2 slot 1 481\nL2 block 2 slot 2 384\nL2 block 3 slot 1 481\n");
    struct pwc_counts counts;
    pwc_read_counts(pwc, &counts);
    assert_int_equal(counts.walks, 7);
    assert_int_equal(counts.memory_accesses, 17);
    assert_int_equal(counts.l4_hits, 5);
    assert_int_equal(counts.l3_hits, 4);
    assert_int_equal(counts.l2_hits, 2);
    pwc_free(pwc);
}

static void full_l3_entry_takes_a_second_block(void **state)
{
    (void)state;
    struct pwc_config config = paper_config();
    config.entries = 4;
    config.block_entries = 2;
    struct pwc *pwc = create(config, 4096);
    for (uint64_t i = 1; i <= 3; i++)
        pwc_walk(pwc, i << 21);
    expect_contents(pwc, "L4[0] 0\nL3[0] 0 mask 11\nL2 block 1 slot 1 1\nL2 block 1 slot 2 2\n"
                         "L2 block 2 slot 1 3\n");
    /* Both blocks full: its own least recently used block gives up one entry... */
    pwc_walk(pwc, 4ull << 21);
    pwc_walk(pwc, 5ull << 21);
    expect_contents(pwc, "L4[0] 0\nL3[0] 0 mask 11\nL2 block 1 slot 1 5\nL2 block 1 slot 2 2\n"
                         "L2 block 2 slot 1 3\nL2 block 2 slot 2 4\n");
    /* ... and another entry's gives up all. */
    pwc_walk(pwc, 1ull << 30 | 7ull << 21);
    expect_contents(pwc, "L4[0] 0\nL3[0] 0 mask 10\nL3[1] 1 mask 01\nL2 block 1 slot 1 5\n"
                         "L2 block 1 slot 2 2\nL2 block 2 slot 1 7\n");
    pwc_free(pwc);
}

static void replaced_l4_takes_its_children_along(void **state)
{
    (void)state;
    uint64_t old = (uint64_t)254 << 39 | (uint64_t)458 << 30 | (uint64_t)3 << 21;
    uint64_t new = (uint64_t)252 << 39 | (uint64_t)458 << 30 | (uint64_t)3 << 21;
    uint64_t other = (uint64_t)252 << 39 | (uint64_t)459 << 30 | (uint64_t)3 << 21;
    struct pwc_config config = paper_config();
    struct pwc *pwc = create(config, 4096);
    pwc_walk(pwc, old);
    assert_int_equal(pwc_walk(pwc, other), PWC_HIT_NONE);
    assert_int_equal(pwc_walk(pwc, new), PWC_HIT_L4);
    pwc_free(pwc);
    config.invalidate = 0; /* the same walk hits a translation of another path */
    pwc = create(config, 4096);
    pwc_walk(pwc, old);
    assert_int_equal(pwc_walk(pwc, other), PWC_HIT_NONE);
    assert_int_equal(pwc_walk(pwc, new), PWC_HIT_L2);
    pwc_free(pwc);
}

static void large_pages_have_three_levels(void **state)
{
    (void)state;
    for (int organization = 0; organization < PWC_COUNT; organization++) {
        struct pwc_config config = paper_config();
        config.organization = organization;
        struct pwc *pwc = create(config, 2097152);
        bool caches = organization != PWC_NONE;
        assert_int_equal(pwc_walk(pwc, 0x7F72B010F1F0), PWC_HIT_NONE);
        assert_int_equal(pwc_walk(pwc, 0x7F72B010F1F0), caches ? PWC_HIT_L3 : PWC_HIT_NONE);
        assert_int_equal(pwc_walk(pwc, 0x7F72BC30F1F0), caches ? PWC_HIT_L3 : PWC_HIT_NONE);
        struct pwc_counts counts;
        pwc_read_counts(pwc, &counts);
        assert_int_equal(counts.memory_accesses, caches ? 3 + 1 + 1 : 9);
        assert_int_equal(counts.l2_hits, 0);
        pwc_free(pwc);
    }
}

static void illegal_configurations_are_refused(void **state)
{
    (void)state;
    struct pwc *pwc;
    struct pwc_config config = paper_config();
    config.entries = 0;
    assert_int_equal(pwc_create(&config, 4096, &pwc), STATUS_INVALID);
    assert_null(pwc);
    config = paper_config();
    config.block_entries = 5;
    assert_int_equal(pwc_create(&config, 4096, &pwc), STATUS_INVALID);
    config = paper_config();
    config.l3_entries = 3;
    assert_int_equal(pwc_create(&config, 4096, &pwc), STATUS_INVALID);
    config = paper_config();
    config.organization = PWC_COUNT;
    assert_int_equal(pwc_create(&config, 4096, &pwc), STATUS_INVALID);
    static const uint64_t shapes[][2] = {/* entries, ways */
                                         {0, WAYS_FULL},
                                         {24, 1},
                                         {24, 5},
                                         {24, 48},
                                         {24, 0}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        config = (struct pwc_config){
            .organization = PWC_TPC, .entries = shapes[i][0], .ways = shapes[i][1]};
        assert_int_equal(pwc_create(&config, 4096, &pwc), STATUS_INVALID);
    }
    pwc_free(NULL);
}

/* ---- slow twins ---------------------------------------------------------------------------- */

enum { TWIN_MAX = 64 };

struct twin_tpc { /* or one set of it */
    unsigned entries, used;
    struct page_indices paths[TWIN_MAX];
    uint64_t last[TWIN_MAX], now;
};

static enum pwc_hit twin_tpc_walk(struct twin_tpc *twin, struct page_indices walk)
{
    enum pwc_hit best = PWC_HIT_NONE;
    unsigned victim = 0, place = twin->used;
    for (unsigned i = 0; i < twin->used; i++) {
        const struct page_indices *path = &twin->paths[i];
        enum pwc_hit hit = path->l4 != walk.l4   ? PWC_HIT_NONE
                           : path->l3 != walk.l3 ? PWC_HIT_L4
                           : path->l2 != walk.l2 ? PWC_HIT_L3
                                                 : PWC_HIT_L2;
        if (hit > best)
            best = hit;
        if (hit == PWC_HIT_L2)
            place = i;
        if (twin->last[i] < twin->last[victim])
            victim = i;
    }
    if (place == twin->used && twin->used < twin->entries)
        twin->used++;
    else if (place == twin->used)
        place = victim;
    twin->paths[place] = walk;
    twin->last[place] = ++twin->now;
    return best;
}

/* Every structure as the figure draws it, searched from end to end; every L3 and L2 entry also
 * remembers the path that it was filled for. */
struct twin_cpwc {
    struct pwc_config config;
    unsigned blocks, size;
    int l4[512], l3[4096];
    struct page_indices l3_truth[4096];
    bool mask[64][TWIN_MAX];
    int tag[TWIN_MAX];
    struct page_indices truth[TWIN_MAX];
    int64_t entry_last[TWIN_MAX], block_last[TWIN_MAX], now, lowest;
    bool false_hit;
};

static void twin_cpwc_init(struct twin_cpwc *twin, struct pwc_config config)
{
    memset(twin, 0, sizeof *twin);
    twin->config = config;
    twin->size = (unsigned)cpwc_block_entries(&config);
    twin->blocks = (unsigned)cpwc_blocks(&config);
    memset(twin->l4, -1, sizeof twin->l4);
    memset(twin->l3, -1, sizeof twin->l3);
    memset(twin->tag, -1, sizeof twin->tag);
    twin->lowest = -1000;
    for (unsigned b = 0; b < twin->blocks; b++)
        twin->block_last[b] = (int64_t)b - 500;
}

static void twin_free_block(struct twin_cpwc *twin, unsigned block)
{
    for (unsigned s = 0; s < twin->config.l3_entries; s++)
        twin->mask[s][block] = false;
    for (unsigned i = 0; i < twin->size; i++)
        twin->tag[block * twin->size + i] = -1;
    twin->block_last[block] = --twin->lowest;
}

static int twin_find(const struct twin_cpwc *twin, unsigned slot, int tag)
{
    for (unsigned i = 0; i < twin->blocks * twin->size; i++)
        if (twin->mask[slot][i / twin->size] && twin->tag[i] == tag)
            return (int)i;
    return -1;
}

static unsigned twin_victim_block(const struct twin_cpwc *twin)
{
    unsigned best = 0;
    for (unsigned b = 0; b < twin->blocks; b++)
        if (twin->block_last[b] < twin->block_last[best])
            best = b;
    return best;
}

static unsigned twin_place(struct twin_cpwc *twin, unsigned slot)
{
    int empty = twin_find(twin, slot, -1);
    if (empty >= 0)
        return (unsigned)empty;
    unsigned block = twin_victim_block(twin);
    if (!twin->mask[slot][block]) {
        twin_free_block(twin, block);
        twin->mask[slot][block] = true;
        return block * twin->size;
    }
    unsigned best = block * twin->size;
    for (unsigned i = 0; i < twin->size; i++)
        if (twin->entry_last[block * twin->size + i] < twin->entry_last[best])
            best = block * twin->size + i;
    return best;
}

/* Blocks of one L3 entry are dropped the most recently taken first; the order only matters for
 * which of the free blocks is taken next, which no count depends on when blocks are equal. */
static void twin_drop_l3(struct twin_cpwc *twin, unsigned slot)
{
    for (unsigned b = 0; b < twin->blocks; b++)
        if (twin->mask[slot][b])
            twin_free_block(twin, b);
    twin->l3[slot] = -1;
}

static enum pwc_hit twin_cpwc_walk(struct twin_cpwc *twin, struct page_indices walk)
{
    unsigned n4 = (unsigned)twin->config.l4_entries;
    unsigned each = (unsigned)twin->config.l3_entries / n4;
    unsigned id = walk.l4 % n4, slot = id * each + walk.l3 % each;
    bool l4 = twin->l4[id] == walk.l4;
    bool l3 = l4 && twin->l3[slot] == walk.l3;
    int entry = twin_find(twin, slot, walk.l2);
    bool l2 = l3 && entry >= 0;
    const struct page_indices *truth = &twin->l3_truth[slot];
    if (l3 && (truth->l4 != walk.l4 || truth->l3 != walk.l3))
        twin->false_hit = true;
    if (l2 && (twin->truth[entry].l4 != walk.l4 || twin->truth[entry].l3 != walk.l3))
        twin->false_hit = true;
    if (!l4 && twin->config.invalidate)
        for (unsigned i = 0; i < each; i++)
            twin_drop_l3(twin, id * each + i);
    if (!l3 && twin->config.invalidate)
        twin_drop_l3(twin, slot);
    twin->l4[id] = walk.l4;
    twin->l3[slot] = walk.l3;
    if (!l3)
        twin->l3_truth[slot] = walk;
    entry = twin_find(twin, slot, walk.l2);
    unsigned place = entry >= 0 ? (unsigned)entry : twin_place(twin, slot);
    if (entry < 0)
        twin->truth[place] = walk;
    twin->tag[place] = walk.l2;
    twin->entry_last[place] = twin->block_last[place / twin->size] = ++twin->now;
    return l2 ? PWC_HIT_L2 : l3 ? PWC_HIT_L3 : l4 ? PWC_HIT_L4 : PWC_HIT_NONE;
}

static uint64_t random_address(uint64_t seed, uint64_t index, unsigned l4, unsigned l3, unsigned l2)
{
    uint64_t draw = random_at(seed, index);
    return random_below(draw * 3, l4) << 39 | random_below(draw * 5, l3) << 30 |
           random_below(draw * 7, l2) << 21 | (draw & 0xfff000) >> 4;
}

static struct pwc_config tpc_config(uint64_t entries, uint64_t ways)
{
    return (struct pwc_config){.organization = PWC_TPC, .entries = entries, .ways = ways};
}

static void tpc_equals_its_twin(void **state)
{
    (void)state;
    for (unsigned entries = 1; entries <= TWIN_MAX; entries += entries < 4 ? 1 : 12) {
        struct twin_tpc twin = {.entries = entries};
        struct pwc *pwc = create(tpc_config(entries, WAYS_FULL), 4096);
        for (uint64_t i = 0; i < 20000; i++) {
            uint64_t address = random_address(entries, i, 4, 6, 8);
            assert_int_equal(pwc_walk(pwc, address), twin_tpc_walk(&twin, page_split(address)));
        }
        pwc_free(pwc);
    }
}

/* Each set is a TPC of its own, and the last index that is held chooses it. */
static void sets_of_a_tpc_equal_small_ones(void **state)
{
    (void)state;
    enum { SETS_MAX = 16 };
    static struct twin_tpc twins[SETS_MAX];
    for (unsigned sets = 2; sets <= SETS_MAX; sets *= 2)
        for (unsigned ways = 1; ways <= 5; ways += 2)
            for (int large = 0; large < 2; large++) {
                struct pwc *pwc = create(tpc_config(sets * ways, ways), large ? 2097152 : 4096);
                memset(twins, 0, sizeof twins);
                for (uint64_t i = 0; i < 8000; i++) {
                    uint64_t address = random_address(sets + ways, i, 3, 24, 24);
                    struct page_indices path = page_split(address);
                    path.l2 = large ? 0 : path.l2;
                    struct twin_tpc *set = &twins[(large ? path.l3 : path.l2) % sets];
                    set->entries = ways;
                    unsigned accesses = pwc_probe(pwc, address);
                    enum pwc_hit hit = twin_tpc_walk(set, path);
                    hit = large && hit == PWC_HIT_L2 ? PWC_HIT_L3 : hit;
                    assert_int_equal(pwc_walk(pwc, address), hit);
                    assert_int_equal(accesses, (large ? 3 : 4) - (unsigned)hit);
                }
                pwc_free(pwc);
            }
}

/* Two paths of one set take turns in a direct-mapped TPC, and lend each other what they share. */
static void a_direct_mapped_tpc_has_conflicts(void **state)
{
    (void)state;
    struct pwc *direct = create(tpc_config(4, 1), 4096),
               *full = create(tpc_config(4, WAYS_FULL), 4096);
    pwc_walk(direct, 0);
    pwc_walk(full, 0);
    assert_int_equal(pwc_walk(direct, UINT64_C(1) << 21),
                     PWC_HIT_NONE); /* set 1 knows nothing yet */
    assert_int_equal(pwc_walk(full, UINT64_C(1) << 21), PWC_HIT_L3);
    assert_int_equal(pwc_walk(direct, UINT64_C(4) << 21), PWC_HIT_L3); /* takes the place of 0 */
    pwc_walk(full, UINT64_C(4) << 21);
    assert_int_equal(pwc_walk(direct, 0), PWC_HIT_L3);
    assert_int_equal(pwc_walk(full, 0), PWC_HIT_L2);
    expect_contents(direct, "path[0] 0 0 0\npath[1] 0 0 1\n");
    pwc_free(direct);
    pwc_free(full);
    assert_int_equal(bits(tpc_config(64, 1)), 64 * (220 - 6)); /* the place says 6 bits of a path */
    assert_int_equal(bits(tpc_config(64, 16)), 64 * (220 - 2));
    assert_int_equal(bits(tpc_config(64, WAYS_FULL)), 64 * 220);
}

static void hold_against_twin(struct pwc_config config, uint64_t seed, bool *false_hit)
{
    static struct twin_cpwc twin;
    twin_cpwc_init(&twin, config);
    struct pwc *pwc = create(config, 4096);
    for (uint64_t i = 0; i < 6000; i++) {
        uint64_t address = random_address(seed, i, 5, 5, 12);
        enum pwc_hit expected = twin_cpwc_walk(&twin, page_split(address));
        assert_int_equal(pwc_walk(pwc, address), expected);
    }
    *false_hit = twin.false_hit;
    pwc_free(pwc);
}

static void cpwc_equals_its_twin_and_never_lies(void **state)
{
    (void)state;
    static const unsigned shapes[][4] = {/* L4, L3, entries, block */
                                         {1, 1, 1, 1},   {2, 4, 62, 1}, {2, 4, 32, 8},
                                         {2, 4, 12, 4},  {4, 4, 24, 3}, {1, 8, 16, 2},
                                         {2, 8, 64, 16}, {8, 64, 48, 4}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct pwc_config config = paper_config();
        config.l4_entries = shapes[i][0];
        config.l3_entries = shapes[i][1];
        config.entries = shapes[i][2];
        config.block_entries = shapes[i][3];
        config.mask = shapes[i][3] == 1 ? PWC_MASK_FORMULA : PWC_MASK_BLOCKS;
        bool false_hit;
        hold_against_twin(config, i, &false_hit);
        assert_false(false_hit);
        config.invalidate = 0;
        hold_against_twin(config, i, &false_hit);
        if (shapes[i][0] == 2)
            assert_true(false_hit);
    }
}

static void largest_sizes_work(void **state)
{
    (void)state;
    struct pwc_config config = paper_config();
    config.entries = 65536;
    config.l4_entries = 512;
    config.l3_entries = 4096;
    config.mask = PWC_MASK_FORMULA;
    config.block_entries = 1;
    for (int organization = PWC_TPC; organization <= PWC_CPWC; organization++) {
        config.organization = organization;
        struct pwc *pwc = create(config, 4096);
        for (int round = 0; round < 2; round++)
            for (uint64_t i = 0; i < 100000; i++)
                pwc_walk(pwc, i << 21);
        struct pwc_counts counts;
        pwc_read_counts(pwc, &counts);
        assert_int_equal(counts.walks, 200000);
        assert_int_equal(counts.l2_hits, 0); /* LRU and a cycle longer than the cache */
        pwc_free(pwc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(split_follows_table_3),
        cmocka_unit_test(sizes_follow_tables_5_and_6),
        cmocka_unit_test(redundancy_follows_table_7),
        cmocka_unit_test(worked_example),
        cmocka_unit_test(full_l3_entry_takes_a_second_block),
        cmocka_unit_test(replaced_l4_takes_its_children_along),
        cmocka_unit_test(large_pages_have_three_levels),
        cmocka_unit_test(illegal_configurations_are_refused),
        cmocka_unit_test(tpc_equals_its_twin),
        cmocka_unit_test(sets_of_a_tpc_equal_small_ones),
        cmocka_unit_test(a_direct_mapped_tpc_has_conflicts),
        cmocka_unit_test(cpwc_equals_its_twin_and_never_lies),
        cmocka_unit_test(largest_sizes_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
