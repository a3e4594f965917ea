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
    uint32_t ways, last; /* way of the last access */
    uint64_t lines[64];  /* 0 = invalid */
    void *state;
};

static struct set set_of(int replacement, uint32_t ways)
{
    struct set set = {.policy = replacement_policies[replacement], .ways = ways};
    set.state = calloc(1, set.policy->state_bytes(ways) + 8);
    assert_non_null(set.state);
    return set;
}

static bool set_access(struct set *set, uint64_t line)
{
    const struct replacement_policy *policy = set->policy;
    uint32_t way = 0;
    while (way < set->ways && set->lines[way] != line)
        way++;
    bool hit = way < set->ways;
    if (hit) {
        if (policy->hit)
            policy->hit(set->state, set->ways, way);
    } else {
        way = set->ways;
        if (!(policy->flags & REPLACEMENT_ANY_WAY))
            for (way = 0; way < set->ways && set->lines[way]; way++)
                ;
        if (way == set->ways)
            way = policy->victim(set->state, set->ways, 7);
        assert_true(way < set->ways);
        if (policy->fill)
            policy->fill(set->state, set->ways, way);
        set->lines[way] = line;
    }
    set->last = way;
    return hit;
}

static void test_names_and_limits(void **state)
{
    (void)state;
    const struct parameter *parameter = parameter_find("l1d.replacement");
    assert_int_equal(parameter->choice_count, REPLACEMENT_COUNT);
    for (size_t i = 0; i < REPLACEMENT_COUNT; i++) {
        const struct replacement_policy *policy = replacement_policies[i];
        assert_string_equal(policy->name, parameter->choices[i].name);
        if (!(policy->flags & REPLACEMENT_FUTURE))
            assert_true(policy->state_bytes && policy->victim);
    }
}

/* Each access made twice gives the same first outcomes and victims as made once. */
static void test_repeat_is_idle(void **state)
{
    (void)state;
    for (int replacement = 0; replacement < REPLACEMENT_OPT; replacement++) {
        if (!(replacement_policies[replacement]->flags & REPLACEMENT_REPEAT_IDLE))
            continue;
        struct set once = set_of(replacement, 8), twice = set_of(replacement, 8);
        for (uint64_t i = 0; i < 5000; i++) {
            uint64_t line = 1 + random_at(3, i) % 12;
            assert_int_equal(set_access(&once, line), set_access(&twice, line));
            assert_true(set_access(&twice, line));
            assert_memory_equal(once.lines, twice.lines, sizeof once.lines);
        }
        free(once.state);
        free(twice.state);
    }
}

static bool keeps_inclusion(int replacement, uint32_t ways, uint32_t more)
{
    struct set small = set_of(replacement, ways), large = set_of(replacement, more);
    bool included = true;
    for (uint64_t i = 0; i < 5000; i++) {
        uint64_t line = 1 + random_at(5, i) % 20;
        set_access(&small, line);
        set_access(&large, line);
        for (uint32_t way = 0; way < ways; way++) {
            uint32_t other = 0;
            while (other < more && large.lines[other] != small.lines[way])
                other++;
            included = included && other < more;
        }
    }
    free(small.state);
    free(large.state);
    return included;
}

/* The stack flag is set where inclusion holds and only there. */
static void test_stack_flag(void **state)
{
    (void)state;
    for (int replacement = 0; replacement < REPLACEMENT_OPT; replacement++) {
        bool stack = replacement_policies[replacement]->flags & REPLACEMENT_STACK;
        assert_int_equal(keeps_inclusion(replacement, 4, 8), stack);
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
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct set set = set_of(cases[i].replacement, 4);
        for (size_t k = 0; cases[i].lines[k]; k++) {
            set_access(&set, (uint64_t)cases[i].lines[k]);
            assert_int_equal(set.last + '0', cases[i].ways[k]);
        }
        free(set.state);
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
    free(set.state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_and_limits), cmocka_unit_test(test_repeat_is_idle),
        cmocka_unit_test(test_stack_flag),       cmocka_unit_test(test_victims_by_hand),
        cmocka_unit_test(test_random_is_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
