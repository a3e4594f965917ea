/* The four policies of the SIMT processor's caches against vectors worked out from its paper: M is
 * a miss and H a hit, each with its way, and after it the state as the paper's register reads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/cache/replacement.h"

enum { TEXT = 80, WAYS = 32 };

struct set {
    const struct replacement_policy *policy;
    struct set_access access;
    uint64_t state[8], lines[WAYS], next; /* lines: 0 = invalid */
    uint32_t way;                         /* of the last access */
};

static void start(struct set *set, int replacement, uint32_t ways, int reset)
{
    *set = (struct set){.policy = replacement_policies[replacement],
                        .access = {.ways = ways, .sets = 1},
                        .next = 1000};
    set->access.state = set->state;
    if (reset != RESET_PAPER)
        set->policy->reset(set->state, ways, reset);
}

/* Returns whether it hits. */
static bool look_up(struct set *set, uint64_t line)
{
    for (set->way = 0; set->way < set->access.ways; set->way++)
        if (set->lines[set->way] == line) {
            if (set->policy->hit)
                set->policy->hit(&set->access, set->way);
            return true;
        }
    set->way = set->policy->victim(&set->access);
    set->lines[set->way] = line;
    if (set->policy->fill)
        set->policy->fill(&set->access, set->way);
    return false;
}

static const struct {
    int replacement;
    uint32_t ways;
    int reset;
    const char *steps; /* "M15 state", or "M15" where the state is not given */
} vectors[] = {
    {REPLACEMENT_RR, 16, 0, "M0 1; M1 2; H0 2; M2 3"},
    {REPLACEMENT_LFU_STACK, 16, 0,
     "M15 f0123456789abcde; M14 ef0123456789abcd; M13 def0123456789abc; H5 cde0123456f789ab; "
     "M12 bcdf012345e6789a; H15 fbce012345d6789a; M11 eabdf01234c56789; M10 d9acef0123b45678"},
    {REPLACEMENT_LRU_STACK, 16, 0,
     "M0 123456789abcdef0; M1 23456789abcdef01; M2 3456789abcdef012; H5 456789abcd0ef123; "
     "M3 56789abcde1f0234; H0 56789abcde2f1340; M4 6789abcdef302451; M6 789abcdef0413562"},
    {REPLACEMENT_LFU_STACK, 4, 0,
     "M3 11000110; M2 10110001; M1 01101100; M0 00011011; H1 00011110; M3 11001001; M2 10110100; "
     "H3 11100100; M0 10010011; M1 01001110"},
    {REPLACEMENT_LRU_STACK, 4, 0,
     "M0 01101100; M1 10110001; M2 11000110; M3 00011011; H1 01100011; M0 10110100; M2 11001001; "
     "H3 00011110; M1 01100011; M0 10110100"},
    {REPLACEMENT_PLRU_SIMT, 16, 0,
     "M2 000111000100000010; M6 011110001100001010; M10 110100011100101010; "
     "M14 000000111110101010; M0 000111111010101011; M4; M8; M12; M3; M7; M11; M15; M1; M5; M9; "
     "M13 000000000000000000; M2 000111000100000010"},
    {REPLACEMENT_PLRU_SIMT, 16, 0,
     "M2 000111000100000010; M6 011110001100001010; H0 011111001000001011; "
     "M10 110101011000101011; H9 110101001000101011; M14 000001101010101011; "
     "M4 011000100010101111; M3 011111100110101101"},
    {REPLACEMENT_PLRU_SIMT, 4, 0, "M2 110; M0 011; M3 101; M1 000; M2; M0"},
    {REPLACEMENT_PLRU_SIMT, 4, 0,
     "M2 110; M0 011; H2 111; M1 010; H0 011; M3 101; H3 101; M1 000; M2 110"},
    {REPLACEMENT_PLRU_SIMT, 16, RESET_ZEROS, "M2; M6; M10; M14"},
    {REPLACEMENT_PLRU_SIMT, 16, RESET_ONES,
     "M13; M9; M5; M1; M15; M11; M7; M3; M12; M8; M4; M0; M14; M10; M6; M2"},
    {REPLACEMENT_PLRU_SIMT, 4, RESET_ONES, "M1; M3; M0; M2"},
    {REPLACEMENT_RR, 4, RESET_ONES, "M3 0; M0 1"},
};

/* A hit of a way that was never filled, as the vectors have some, finds a line put there for it. */
static void test_vectors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        struct set set;
        start(&set, vectors[i].replacement, vectors[i].ways, vectors[i].reset);
        for (const char *step = vectors[i].steps; step; step = strchr(step, ';')) {
            char wanted[TEXT] = "", text[TEXT];
            unsigned way;
            step += strspn(step, "; ");
            assert_true(sscanf(step + 1, "%u %79[0-9a-f]", &way, wanted) >= 1);
            if (*step == 'H' && !set.lines[way])
                set.lines[way] = way + 1;
            const uint64_t line = *step == 'H' ? set.lines[way] : set.next++;
            assert_int_equal(look_up(&set, line), *step == 'H');
            assert_int_equal(set.way, way);
            if (*wanted)
                assert_string_equal(set.policy->print(&set.access, text, sizeof text), wanted);
        }
    }
}

/* A set of the data cache under all four: the hits, and the way of each access. */
static void test_data_cache(void **state)
{
    (void)state;
    static const struct {
        int replacement;
        unsigned hits;
        const char *ways;
    } rows[] = {
        {REPLACEMENT_RR, 1, "01230012301230"},
        {REPLACEMENT_LFU_STACK, 2, "32103213021302"},
        {REPLACEMENT_LRU_STACK, 2, "01230120312031"},
        {REPLACEMENT_PLRU_SIMT, 2, "20312032130213"},
    };
    static const char lines[] = "ABCDAEFABGCDAE";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct set set;
        unsigned hits = 0;
        start(&set, rows[i].replacement, 4, RESET_PAPER);
        for (size_t k = 0; lines[k]; k++) {
            hits += look_up(&set, (uint64_t)lines[k]);
            assert_int_equal(set.way + '0', rows[i].ways[k]);
        }
        assert_int_equal(hits, rows[i].hits);
    }
}

/* The two stacks are mirror images: way w of one is way ways - 1 - w of the other, and so the
 * lines, the hits and the counters (which mirror in value as well). */
static void test_stacks_mirror(void **state)
{
    (void)state;
    for (uint32_t ways = 1; ways <= WAYS; ways++) {
        struct set lru, lfu;
        start(&lru, REPLACEMENT_LRU_STACK, ways, RESET_PAPER);
        start(&lfu, REPLACEMENT_LFU_STACK, ways, RESET_PAPER);
        for (uint64_t i = 0; i < 2000; i++) {
            const uint64_t line = 1 + random_at(ways, i) % (2 * ways);
            assert_int_equal(look_up(&lru, line), look_up(&lfu, line));
            assert_int_equal(lru.way, ways - 1 - lfu.way);
            for (uint32_t way = 0; way < ways; way++)
                assert_int_equal(lru.lines[way], lfu.lines[ways - 1 - way]);
        }
    }
}

/* From any legal start, groups always stay in a total order: some way can be picked, and another
 * one after it was touched. */
static void test_groups_stay_ordered(void **state)
{
    (void)state;
    for (uint32_t ways = 2; ways <= WAYS; ways *= 2)
        for (int reset = RESET_PAPER; reset <= RESET_ONES; reset++) {
            struct set set;
            start(&set, REPLACEMENT_PLRU_SIMT, ways, reset);
            for (uint64_t i = 0; i < 5000; i++) {
                const uint32_t way = (uint32_t)(random_at(ways, i) % ways);
                set.policy->hit(&set.access, way);
                assert_int_not_equal(set.policy->victim(&set.access), way);
            }
        }
}

static void test_sentence(void **state)
{
    (void)state;
    struct set set;
    char text[200];
    start(&set, REPLACEMENT_PLRU_SIMT, 16, RESET_PAPER);
    look_up(&set, 1);
    look_up(&set, 2);
    assert_string_equal(set.policy->explain(&set.access, text, sizeof text),
                        "group 2 is least recent against 0, 1 and 3; rear pair; even way");
    assert_int_equal(set.policy->victim(&set.access), 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),       cmocka_unit_test(test_data_cache),
        cmocka_unit_test(test_stacks_mirror), cmocka_unit_test(test_groups_stay_ordered),
        cmocka_unit_test(test_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
