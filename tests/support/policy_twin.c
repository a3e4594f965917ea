#include "support/policy_twin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/cache/replacement.h"
#include "support/pick_members.h"
#include "support/roll_cache.h"
#include "support/slow_policy.h"

/* The sets of one cache on top of a policy, and its twin. */
struct trial {
    const struct replacement_policy *policy;
    struct slow_policy *twin;
    unsigned traits;
    uint32_t ways, sets;
    unsigned char *states;
    void *shared;
    size_t stride;
    uint64_t *lines; /* 0: invalid */
};

static void trial_start(struct trial *trial, int replacement, int reset, uint32_t ways,
                        uint32_t sets)
{
    const struct replacement_policy *policy = replacement_policies[replacement];
    *trial = (struct trial){.policy = policy,
                            .twin = slow_policy_create(replacement, reset, ways, sets, 1, 9),
                            .traits = replacement_facts[replacement].traits,
                            .ways = ways,
                            .sets = sets,
                            .stride = (policy->state_bytes(ways) + 7) & ~(size_t)7};
    trial->states = calloc(sets, trial->stride + 8);
    trial->lines = calloc((size_t)sets * ways, sizeof *trial->lines);
    trial->shared = calloc(1, policy->shared_bytes ? policy->shared_bytes(sets, ways) : 1);
    assert_true(trial->states && trial->lines && trial->shared);
    for (uint32_t set = 0; set < sets && policy->reset && reset != RESET_PAPER; set++)
        policy->reset(trial->states + set * trial->stride, ways, reset);
}

static void trial_free(struct trial *trial)
{
    slow_policy_free(trial->twin);
    free(trial->states);
    free(trial->shared);
    free(trial->lines);
}

static struct set_access access_of(const struct trial *trial, uint32_t set, uint64_t line,
                                   uint32_t pc)
{
    return (struct set_access){.state = trial->states + set * trial->stride,
                               .shared = trial->shared,
                               .line = line,
                               .pc = pc,
                               .ways = trial->ways,
                               .set = set,
                               .sets = trial->sets,
                               .seed = 9,
                               .number = set};
}

static uint32_t place(const struct trial *trial, const struct set_access *access,
                      const uint64_t *lines)
{
    uint32_t way = trial->ways;
    if (!(trial->traits & REPLACEMENT_ANY_WAY))
        for (way = 0; way < trial->ways && lines[way]; way++)
            ;
    return way < trial->ways ? way : trial->policy->victim(access);
}

/* A line that is here is hit, or dropped; another takes a way, the same in both. */
static void trial_access(struct trial *trial, uint32_t set, uint64_t line, uint32_t pc, bool drops)
{
    const struct set_access access = access_of(trial, set, line, pc);
    const struct slow_access slow = {.set = set, .line = line, .pc = pc};
    const struct replacement_policy *policy = trial->policy;
    uint64_t *lines = trial->lines + (size_t)set * trial->ways;
    uint32_t way = 0;
    while (way < trial->ways && lines[way] != line)
        way++;
    if (way < trial->ways && drops) {
        if (policy->drop)
            policy->drop(&access, way);
        slow_policy_drop(trial->twin, &slow, way);
        lines[way] = 0;
    } else if (way < trial->ways) {
        if (policy->hit)
            policy->hit(&access, way);
        slow_policy_hit(trial->twin, &slow, way);
    } else {
        way = place(trial, &access, lines);
        assert_int_equal(way, slow_policy_place(trial->twin, &slow));
        if (policy->fill)
            policy->fill(&access, way);
        slow_policy_fill(trial->twin, &slow, way);
        lines[way] = line;
    }
}

static void trial_flush(struct trial *trial)
{
    for (uint32_t slot = 0; slot < trial->sets * trial->ways; slot++)
        if (trial->lines[slot])
            trial_access(trial, slot / trial->ways, trial->lines[slot], 0, true);
}

void policy_twin_check(int replacement, uint64_t seed)
{
    static const uint32_t all_ways[] = {1, 2, 3, 4, 6, 8, 12, 16, 20, 32, 64, 100};
    static const uint32_t all_sets[] = {1, 2, 3, 8, 16, 33, 64, 128, 300};
    struct dice dice = {.seed = seed};
    struct trial trial;
    int reset = (int)roll(&dice, RESET_ONES + 1);
    if (!replacement_starts(replacement, reset))
        reset = RESET_PAPER;
    const uint32_t ways =
        (uint32_t)fit_ways(replacement, all_ways[roll(&dice, sizeof all_ways / sizeof *all_ways)]);
    const uint32_t sets = all_sets[roll(&dice, sizeof all_sets / sizeof *all_sets)];
    trial_start(&trial, replacement, reset, ways, sets);
    const uint64_t lines = 1 + ways + roll(&dice, 2 * ways + 2), drops = roll(&dice, 30);
    const uint64_t count = 400 + 40 * (uint64_t)ways + 10 * (uint64_t)sets;
    for (uint64_t i = 0, cursor = 0; i < count; i++) {
        const uint32_t set = (uint32_t)(roll(&dice, 3) ? roll(&dice, sets) : 0);
        const uint64_t line = 1 + (roll(&dice, 3) ? roll(&dice, lines) : cursor++ % lines);
        const uint32_t pc = (uint32_t)(roll(&dice, 4) ? line % 5 : roll(&dice, 40));
        trial_access(&trial, set, line, pc, roll(&dice, 100) < drops);
        if (roll(&dice, 1000) == 0)
            trial_flush(&trial);
    }
    trial_free(&trial);
}
