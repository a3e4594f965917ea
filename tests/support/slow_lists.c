#include "slow_lists.h"

#include <stdint.h>

/* ---- lirs: the stack is every ghost with a stamp not older than the oldest close way's ---- */

static void lirs_prune(const struct slow_policy *policy, struct slow_set *set)
{
    int64_t limit = INT64_MAX;
    for (uint64_t way = 0; way < policy->ways; way++)
        if (set->ways[way].held && set->ways[way].second) {
            const struct ghost *ghost = slow_ghost_find(set, set->ways[way].line);
            limit = ghost->stamp < limit ? ghost->stamp : limit;
        }
    for (size_t i = set->ghost_count; i-- > 0;)
        if (set->ghosts[i].stamp < limit)
            slow_ghost_forget(set, &set->ghosts[i]);
}

static bool is_here(const struct slow_policy *policy, const struct slow_set *set, uint64_t line)
{
    for (uint64_t way = 0; way < policy->ways; way++)
        if (set->ways[way].held && set->ways[way].line == line)
            return true;
    return false;
}

static void lirs_bound(const struct slow_policy *policy, struct slow_set *set)
{
    struct ghost *found = NULL;
    uint64_t gone = 0;
    for (size_t i = 0; i < set->ghost_count; i++)
        if (!is_here(policy, set, set->ghosts[i].line)) {
            gone++;
            if (!found || set->ghosts[i].stamp < found->stamp)
                found = &set->ghosts[i];
        }
    if (gone > policy->ways)
        slow_ghost_forget(set, found);
}

void slow_lirs_hit(struct slow_policy *policy, struct slow_set *set, uint64_t way, bool close)
{
    struct ghost *ghost = slow_ghost_find(set, set->ways[way].line);
    if (ghost)
        slow_ghost_forget(set, ghost);
    slow_ghost_add(policy, set, set->ways[way].line, false);
    set->ways[way].second = close;
    set->ways[way].stamp = ++policy->time;
    if (close && slow_count(policy, set, true) >= policy->ways) {
        const uint64_t coldest = slow_oldest(policy, set, SLOW_SECONDS);
        slow_ghost_forget(set, slow_ghost_find(set, set->ways[coldest].line));
        set->ways[coldest].second = false;
        set->ways[coldest].stamp = ++policy->time;
    }
    lirs_prune(policy, set);
}

void slow_lirs_drop(const struct slow_policy *policy, struct slow_set *set, uint64_t way)
{
    struct ghost *ghost = slow_ghost_find(set, set->ways[way].line);
    set->ways[way].held = false;
    if (ghost)
        slow_ghost_forget(set, ghost);
    lirs_prune(policy, set);
}

void slow_lirs_fill(struct slow_policy *policy, struct slow_set *set, uint64_t line, uint64_t way)
{
    if (set->ways[way].held && set->ways[way].second)
        slow_lirs_drop(policy, set, way);
    set->ways[way].held = false;
    lirs_bound(policy, set);
    const bool close =
        slow_ghost_find(set, line) || slow_count(policy, set, true) + 1 < policy->ways;
    set->ways[way] = (struct slow_way){.held = true, .line = line};
    slow_lirs_hit(policy, set, way, close);
}

/* ---- arc ---- */

static int64_t arc_target(const struct slow_policy *policy, struct slow_set *set, uint64_t line)
{
    const struct ghost *ghost = slow_ghost_find(set, line);
    const int64_t once = (int64_t)slow_ghost_count(set, false),
                  again = (int64_t)slow_ghost_count(set, true);
    int64_t target = set->target;
    if (ghost && !ghost->second)
        target += again / once > 1 ? again / once : 1;
    if (ghost && ghost->second)
        target -= once / again > 1 ? once / again : 1;
    target = target < 0 ? 0 : target;
    return target > (int64_t)policy->ways ? (int64_t)policy->ways : target;
}

uint64_t slow_arc_victim(const struct slow_policy *policy, struct slow_set *set, uint64_t line)
{
    const struct ghost *ghost = slow_ghost_find(set, line);
    const int64_t target = arc_target(policy, set, line),
                  once = (int64_t)slow_count(policy, set, false);
    const bool again = ghost && ghost->second;
    if (once == (int64_t)policy->ways)
        return slow_oldest(policy, set, SLOW_FIRSTS);
    if (once >= 1 && ((again && once == target) || once > target))
        return slow_oldest(policy, set, SLOW_FIRSTS);
    const uint64_t way = slow_oldest(policy, set, SLOW_SECONDS);
    return way < policy->ways ? way : slow_oldest(policy, set, SLOW_FIRSTS);
}

void slow_arc_fill(struct slow_policy *policy, struct slow_set *set, uint64_t line, uint64_t way)
{
    const struct slow_way old = set->ways[way];
    const uint64_t once = slow_count(policy, set, false), again = slow_count(policy, set, true);
    struct ghost *ghost = slow_ghost_find(set, line);
    const bool was_known = ghost, was_again = ghost && ghost->second;
    set->target = arc_target(policy, set, line);
    if (ghost)
        slow_ghost_forget(set, ghost);
    else if (once + slow_ghost_count(set, false) >= policy->ways)
        slow_ghost_forget_oldest(set, false);
    else if (once + again + slow_ghost_count(set, false) + slow_ghost_count(set, true) >=
             2 * policy->ways)
        slow_ghost_forget_oldest(set, true);
    if (old.held && (old.second || once < policy->ways || was_again))
        slow_ghost_add(policy, set, old.line, old.second);
    set->ways[way] =
        (struct slow_way){.held = true, .line = line, .stamp = ++policy->time, .second = was_known};
}

/* ---- 2q and s3fifo ---- */

/* The lines that left the trial of 2q and s3fifo. */
void slow_trial_fill(struct slow_policy *policy, const struct slow_access *access, uint64_t way,
                     uint64_t most)
{
    struct slow_set *set = slow_set_of(policy, access);
    const struct slow_way old = set->ways[way];
    struct ghost *ghost = slow_ghost_find(set, access->line);
    const bool returns = ghost;
    if (ghost)
        slow_ghost_forget(set, ghost);
    if (old.held && !old.second && most) {
        if (slow_ghost_count(set, false) >= most)
            slow_ghost_forget_oldest(set, false);
        slow_ghost_add(policy, set, old.line, false);
    }
    set->ways[way] = (struct slow_way){
        .held = true, .line = access->line, .stamp = ++policy->time, .second = returns};
}

static uint64_t main_victim(struct slow_policy *policy, struct slow_set *set)
{
    for (;;) {
        const uint64_t way = slow_oldest(policy, set, SLOW_SECONDS);
        if (!set->ways[way].uses)
            return way;
        set->ways[way].uses--;
        set->ways[way].stamp = ++policy->time;
    }
}

uint64_t slow_s3_victim(struct slow_policy *policy, struct slow_set *set)
{
    const uint64_t small = policy->ways < 10 ? 1 : policy->ways / 10;
    if (slow_count(policy, set, false) < small && slow_count(policy, set, true))
        return main_victim(policy, set);
    while (slow_count(policy, set, false)) {
        const uint64_t way = slow_oldest(policy, set, SLOW_FIRSTS);
        if (set->ways[way].uses < 2)
            return way;
        set->ways[way].uses = 0;
        set->ways[way].second = true;
        set->ways[way].stamp = ++policy->time;
        if (slow_count(policy, set, true) > policy->ways - small)
            return main_victim(policy, set);
    }
    return main_victim(policy, set);
}

/* ---- sieve ---- */

static uint64_t next_younger(const struct slow_policy *policy, const struct slow_set *set,
                             int64_t than)
{
    uint64_t found = policy->ways;
    for (uint64_t way = 0; way < policy->ways; way++)
        if (set->ways[way].held && set->ways[way].filled > than &&
            (found == policy->ways || set->ways[way].filled < set->ways[found].filled))
            found = way;
    return found;
}

uint64_t slow_sieve_victim(const struct slow_policy *policy, struct slow_set *set)
{
    if (!set->hand)
        set->next = next_younger(policy, set, INT64_MIN);
    set->hand = true;
    while (set->ways[set->next].used) {
        set->ways[set->next].used = false;
        const uint64_t younger = next_younger(policy, set, set->ways[set->next].filled);
        set->next = younger < policy->ways ? younger : next_younger(policy, set, INT64_MIN);
    }
    return set->next;
}

void slow_sieve_leave(const struct slow_policy *policy, struct slow_set *set, uint64_t way)
{
    if (!set->ways[way].held || !set->hand || set->next != way)
        return;
    uint64_t younger = policy->ways;
    for (uint64_t other = 0; other < policy->ways; other++)
        if (set->ways[other].held && set->ways[other].filled > set->ways[way].filled &&
            (younger == policy->ways || set->ways[other].filled < set->ways[younger].filled))
            younger = other;
    set->hand = younger < policy->ways;
    set->next = younger;
}
