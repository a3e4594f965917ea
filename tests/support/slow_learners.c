#include "slow_learners.h"

#include <assert.h>
#include <stdlib.h>

#include "base/rng.h"

enum { HISTORY = 200000, WATCHED = 64 };

unsigned slow_hashed(uint32_t number, unsigned bits)
{
    return (uint32_t)(number * UINT32_C(0x9e3779b1)) >> (32 - bits);
}

void slow_saturate(int *counter, bool up, int most)
{
    *counter += up ? *counter < most : -(*counter > 0);
}

static bool watched(const struct slow_policy *policy, uint64_t set)
{
    if (policy->sets <= WATCHED)
        return true;
    const uint64_t step = policy->sets / WATCHED;
    return set % step == 0 && set / step < WATCHED;
}

/* The last use of a line at or after time `since`; the history's length if there is none. */
static size_t last_use(const struct slow_history *history, uint64_t line, size_t since)
{
    for (size_t i = history->count; i-- > since;)
        if (history->uses[i].line == line)
            return i;
    return history->count;
}

static struct slow_history *history_of(struct slow_set *set)
{
    if (!set->history.uses)
        set->history.uses = calloc(HISTORY, sizeof *set->history.uses);
    assert(set->history.uses && set->history.count < HISTORY);
    return &set->history;
}

static void hawkeye_watch(struct slow_policy *policy, const struct slow_access *access,
                          unsigned signature)
{
    struct slow_set *set = slow_set_of(policy, access);
    int *table = slow_wide_of(policy, access)->table;
    if (!watched(policy, access->set))
        return;
    struct slow_history *history = history_of(set);
    struct slow_use *uses = history->uses;
    const size_t now = history->count, window = 8 * policy->ways;
    if (now >= window && last_use(history, uses[now - window].line, now - window) == now - window)
        slow_saturate(&table[uses[now - window].signature], false, 7);
    const size_t before = last_use(history, access->line, now < window ? 0 : now - window + 1);
    if (before < now) {
        bool hits = true;
        for (size_t i = before; i < now; i++)
            hits = hits && uses[i].taken < policy->ways;
        for (size_t i = before; i < now; i++)
            uses[i].taken += hits;
        slow_saturate(&table[uses[before].signature], hits, 7);
    }
    uses[history->count++] = (struct slow_use){access->line, signature, 0};
}

void slow_hawkeye_use(struct slow_policy *policy, const struct slow_access *access, uint64_t way,
                      bool hit)
{
    struct slow_set *set = slow_set_of(policy, access);
    const int *table = slow_wide_of(policy, access)->table;
    const unsigned signature = slow_hashed(access->pc, 13);
    hawkeye_watch(policy, access, signature);
    const bool keeps = table[signature] >= 4;
    for (uint64_t other = 0; !hit && keeps && other < policy->ways; other++)
        if (set->ways[other].interval < 6)
            set->ways[other].interval++;
    set->ways[way].signature = signature;
    set->ways[way].interval = keeps ? 0 : 7;
}

static void mockingjay_watch(struct slow_policy *policy, const struct slow_access *access,
                             unsigned signature)
{
    struct slow_set *set = slow_set_of(policy, access);
    struct slow_cachewide *wide = slow_wide_of(policy, access);
    const int never = (int)(8 * policy->ways) - 1;
    if (!watched(policy, access->set))
        return;
    struct slow_history *history = history_of(set);
    struct slow_use *uses = history->uses;
    const size_t now = history->count, window = 8 * policy->ways;
    if (now >= window && last_use(history, uses[now - window].line, now - window) == now - window) {
        const unsigned old = uses[now - window].signature;
        wide->table[old] = wide->known[old] ? wide->table[old] + 1 : never;
        if (wide->table[old] > never)
            wide->table[old] = never;
        wide->known[old] = true;
    }
    const size_t before = last_use(history, access->line, now < window ? 0 : now - window + 1);
    if (before < now) {
        const unsigned old = uses[before].signature;
        const int sample = (int)(now - before);
        if (!wide->known[old])
            wide->table[old] = sample;
        else if (sample - wide->table[old] >= 16)
            wide->table[old]++;
        else if (wide->table[old] - sample >= 16)
            wide->table[old]--;
        wide->known[old] = true;
    }
    uses[history->count++] = (struct slow_use){access->line, signature, 0};
}

void slow_mockingjay_use(struct slow_policy *policy, const struct slow_access *access, uint64_t way,
                         bool hit)
{
    struct slow_set *set = slow_set_of(policy, access);
    const struct slow_cachewide *wide = slow_wide_of(policy, access);
    const int ways = (int)policy->ways;
    const unsigned signature = slow_hashed(2 * access->pc + hit, 11);
    mockingjay_watch(policy, access, signature);
    if (set->clock == 8) {
        for (uint64_t other = 0; other < policy->ways; other++)
            if (other != way && abs(set->ways[other].left) < ways - 1)
                set->ways[other].left--;
        set->clock = 0;
    }
    set->clock++;
    const int distance = wide->table[signature];
    set->ways[way].left = !wide->known[signature]                    ? 0
                          : distance > 8 * ways - 1 - 22 * ways / 16 ? ways - 1
                                                                     : distance / 8;
}
