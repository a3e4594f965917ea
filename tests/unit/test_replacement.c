#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/cache/replacement.h"
#include "schema/parameters.h"

/* One set on top of a policy, as an owner of it would write it. */
struct set {
    const struct replacement_policy *policy;
    unsigned traits;
    uint32_t ways, last; /* way of the last access */
    uint64_t lines[64];  /* 0 = invalid */
    void *state, *shared;
};

static struct set set_of(int replacement, uint32_t ways)
{
    struct set set = {.policy = replacement_policies[replacement],
                      .traits = replacement_facts[replacement].traits,
                      .ways = ways};
    set.state = calloc(1, set.policy->state_bytes(ways) + 8);
    set.shared = calloc(1, set.policy->shared_bytes ? set.policy->shared_bytes(2, ways) : 1);
    assert_true(set.state && set.shared);
    return set;
}

static void set_free(struct set *set)
{
    free(set->state);
    free(set->shared);
}

static bool set_access(struct set *set, uint64_t line)
{
    const struct replacement_policy *policy = set->policy;
    const struct set_access access = {.state = set->state,
                                      .shared = set->shared,
                                      .line = line,
                                      .pc = (uint32_t)line % 7,
                                      .ways = set->ways,
                                      .set = 1,
                                      .sets = 2, /* duels: leads the second */
                                      .seed = 7};
    uint32_t way = 0;
    while (way < set->ways && set->lines[way] != line)
        way++;
    bool hit = way < set->ways;
    if (hit) {
        if (policy->hit)
            policy->hit(&access, way);
    } else {
        way = set->ways;
        if (!(set->traits & REPLACEMENT_ANY_WAY))
            for (way = 0; way < set->ways && set->lines[way]; way++)
                ;
        if (way == set->ways)
            way = policy->victim(&access);
        assert_true(way < set->ways);
        if (policy->fill)
            policy->fill(&access, way);
        set->lines[way] = line;
    }
    set->last = way;
    return hit;
}

static bool has(int replacement, enum replacement_trait trait)
{
    return replacement_facts[replacement].traits & trait;
}

static void test_names_and_limits(void **state)
{
    (void)state;
    const struct parameter *parameter = parameter_find("l1d.replacement");
    char needs[FAMILY_NEEDS];
    assert_int_equal(parameter->choice_count, REPLACEMENT_COUNT);
    for (int i = 0; i < REPLACEMENT_COUNT; i++) {
        const struct replacement_policy *policy = replacement_policies[i];
        assert_string_equal(replacement_facts[i].name, parameter->choices[i].name);
        assert_int_equal(!policy->state_bytes, has(i, REPLACEMENT_FUTURE));
        assert_int_equal(!policy->victim, has(i, REPLACEMENT_FUTURE));
        assert_true(replacement_holds(i, 1) && replacement_holds(i, 8));
    }
    assert_false(replacement_holds(-1, 8) || replacement_holds(REPLACEMENT_COUNT, 8));
    assert_true(replacement_holds(REPLACEMENT_LRU, 6));
    assert_false(replacement_holds(REPLACEMENT_PLRU, 6) ||
                 replacement_holds(REPLACEMENT_PLRU, 128));
    assert_string_equal(replacement_needs(REPLACEMENT_PLRU, needs),
                        "a power of two of ways up to 64");
}

/* ---- Facts, by their definitions: each is true where the row says so, and only there. */

static const uint32_t fact_ways[] = {2, 4, 8, 32};

/* Whether making some accesses twice gives the same first outcomes and lines as making them once.
 */
static bool repeats_are_idle(int replacement, uint32_t ways)
{
    struct set once = set_of(replacement, ways), twice = set_of(replacement, ways);
    bool idle = true;
    for (uint64_t i = 0; i < 5000; i++) {
        uint64_t line = 1 + random_at(3, i) % (ways + ways / 2 + 1);
        idle = set_access(&once, line) == set_access(&twice, line) && idle;
        if (random_at(4, i) & 1)
            assert_true(set_access(&twice, line));
        idle = idle && !memcmp(once.lines, twice.lines, sizeof once.lines);
    }
    set_free(&once);
    set_free(&twice);
    return idle;
}

/* Whether the victims are the first of a list of the lines: by their last use, or by their first
 * where `queue`. */
static bool follows_list(int replacement, uint32_t ways, bool queue)
{
    struct set set = set_of(replacement, ways);
    uint64_t list[64];
    uint32_t length = 0;
    bool follows = true;
    for (uint64_t i = 0; i < 5000; i++) {
        uint64_t line = 1 + random_at(5, i) % (ways + ways / 2 + 1);
        uint32_t place = 0;
        while (place < length && list[place] != line)
            place++;
        bool found = place < length;
        follows = set_access(&set, line) == found && follows;
        if (found && queue)
            continue;
        if (!found && length == ways)
            place = 0;
        else if (!found)
            place = length++;
        memmove(list + place, list + place + 1, (length - 1 - place) * sizeof *list);
        list[length - 1] = line;
    }
    set_free(&set);
    return follows;
}

static void test_facts(void **state)
{
    (void)state;
    for (int policy = 0; policy < REPLACEMENT_COUNT; policy++) {
        const uint64_t lru_ways = replacement_facts[policy].lru_ways;
        bool idle = true, recency = true, queue = true;
        if (has(policy, REPLACEMENT_FUTURE))
            continue;
        for (size_t i = 0; i < sizeof fact_ways / sizeof *fact_ways; i++) {
            const uint32_t ways = fact_ways[i];
            if (ways <= lru_ways)
                assert_true(follows_list(policy, ways, false));
            idle = repeats_are_idle(policy, ways) && idle;
            recency = follows_list(policy, ways, false) && recency;
            queue = follows_list(policy, ways, true) && queue;
        }
        assert_true(follows_list(policy, 1, false));
        if (idle != has(policy, REPLACEMENT_REPEAT_IDLE))
            fail_msg("%s: a repeated access is %sidle", replacement_facts[policy].name,
                     idle ? "" : "not ");
        assert_int_equal(recency, has(policy, REPLACEMENT_STACK));
        assert_true(has(policy, REPLACEMENT_STACK) || !has(policy, REPLACEMENT_RECENCY));
        assert_int_equal(queue, has(policy, REPLACEMENT_ROTATION));
        assert_true(has(policy, REPLACEMENT_ROTATION) || !has(policy, REPLACEMENT_QUEUE));
    }
}

/* Lines A to H in four ways; victims worked out by hand. */
static void test_victims_by_hand(void **state)
{
    (void)state;
    static const struct {
        int replacement;
        const char *lines, *ways; /* the way that each access ends in */
    } cases[] = {
        {REPLACEMENT_LRU, "ABCDAEBFA", "012301230"},
        {REPLACEMENT_FIFO, "ABCDAEBFA", "012300112"},
        {REPLACEMENT_RR, "ABCDAEBFA", "012300112"},
        /* After A B C D the root points to A B and its node to A; A turns it to C D and C; E takes
         * C and turns the root to A B, whose node points to B. */
        {REPLACEMENT_PLRU, "ABCDAEBFA", "012302130"},
        /* A, hit, is at 0, the others at 2; for E all move on until B is at 3 and A at 1. F finds
         * C there, G finds D, and H makes all move on again: A is at 2, E first at 3. */
        {REPLACEMENT_SRRIP, "ABCDAEFGHA", "0123012310"},
        /* E takes A's way, used last; F that of B, and A that of F. */
        {REPLACEMENT_MRU, "ABCDAEBFA", "012300111"},
        /* Of those used once B comes first; then E, used once in its place, goes for B, and B for
           F. */
        {REPLACEMENT_LFU, "ABCDAEBFA", "012301110"},
        /* A was used: the hand forgets that and takes B. B then takes C, F takes D, A is here. */
        {REPLACEMENT_CLOCK, "ABCDAEBFA", "012301230"},
        /* A is forgotten; B, the next younger, goes, then C, then D. */
        {REPLACEMENT_SIEVE, "ABCDAEBFA", "012301230"},
        /* D, which came last, is the next to go, and then E. */
        {REPLACEMENT_LIP, "ABCDAEBFA", "012303130"},
        /* A is protected; of those on trial the oldest goes. */
        {REPLACEMENT_SLRU, "ABCDAEBFA", "012301230"},
        /* All are on trial, more than one: A goes though it was used, then B, and then C. */
        {REPLACEMENT_2Q, "ABCDAEBFA", "012300112"},
        /* A was seen again, and of those seen once the oldest goes. */
        {REPLACEMENT_ARC, "ABCDAEBFA", "012301230"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct set set = set_of(cases[i].replacement, 4);
        for (size_t k = 0; cases[i].lines[k]; k++) {
            set_access(&set, (uint64_t)cases[i].lines[k]);
            assert_int_equal(set.last + '0', cases[i].ways[k]);
        }
        set_free(&set);
    }
}

/* Every way is drawn about equally often. */
static void test_random_is_even(void **state)
{
    (void)state;
    struct set set = set_of(REPLACEMENT_RANDOM, 5);
    unsigned drawn[5] = {0};
    for (uint64_t i = 0; i < 50000; i++) {
        set_access(&set, 1 + i);
        drawn[set.last]++;
    }
    for (size_t way = 0; way < 5; way++)
        assert_in_range(drawn[way], 9500, 10500);
    set_free(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_and_limits),
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_victims_by_hand),
        cmocka_unit_test(test_random_is_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
