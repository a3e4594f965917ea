#include "slow_sets.h"

#include <assert.h>
#include <stdlib.h>

struct slow_set *slow_set_of(const struct slow_policy *policy, const struct slow_access *access)
{
    return &policy->all[access->instance * policy->sets + access->set];
}

struct slow_cachewide *slow_wide_of(const struct slow_policy *policy,
                                    const struct slow_access *access)
{
    return &policy->wide[access->instance];
}

uint64_t slow_oldest(const struct slow_policy *policy, const struct slow_set *set,
                     enum slow_which which)
{
    uint64_t found = policy->ways;
    for (uint64_t way = 0; way < policy->ways; way++) {
        const struct slow_way *one = &set->ways[way];
        if (!one->held || (which != SLOW_ANY && one->second != (which == SLOW_SECONDS)))
            continue;
        if (found == policy->ways || one->stamp < set->ways[found].stamp)
            found = way;
    }
    return found;
}

uint64_t slow_count(const struct slow_policy *policy, const struct slow_set *set, bool second)
{
    uint64_t sum = 0;
    for (uint64_t way = 0; way < policy->ways; way++)
        sum += set->ways[way].held && set->ways[way].second == second;
    return sum;
}

struct ghost *slow_ghost_find(struct slow_set *set, uint64_t line)
{
    for (size_t i = 0; i < set->ghost_count; i++)
        if (set->ghosts[i].line == line)
            return &set->ghosts[i];
    return NULL;
}

void slow_ghost_forget(struct slow_set *set, struct ghost *ghost)
{
    *ghost = set->ghosts[--set->ghost_count];
}

void slow_ghost_add(struct slow_policy *policy, struct slow_set *set, uint64_t line, bool second)
{
    if (!set->ghosts)
        set->ghosts = calloc(SLOW_GHOSTS, sizeof *set->ghosts);
    assert(set->ghosts && set->ghost_count < SLOW_GHOSTS);
    set->ghosts[set->ghost_count++] = (struct ghost){line, ++policy->time, second};
}

uint64_t slow_ghost_count(const struct slow_set *set, bool second)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < set->ghost_count; i++)
        sum += set->ghosts[i].second == second;
    return sum;
}

void slow_ghost_forget_oldest(struct slow_set *set, bool second)
{
    struct ghost *found = NULL;
    for (size_t i = 0; i < set->ghost_count; i++)
        if (set->ghosts[i].second == second && (!found || set->ghosts[i].stamp < found->stamp))
            found = &set->ghosts[i];
    if (found)
        slow_ghost_forget(set, found);
}
