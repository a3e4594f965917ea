#include "model/pass/pass_groups.h"

#include <math.h>

#include "model/lru/cache_batch.h"
#include "schema/parameters.h"

/* Costs in the units of the planner's tasks. SHARED_COST is per machine of a shared level whose
 * policy cannot answer all machines with those sets in one look-up, as LRU can. */
enum { LEVEL_COST = 2, MACHINE_COST = 1, SHARED_COST = 5 };
#define CHEAP_COST 0.125 /* L2s after one L1D that share a pass, per number of sets */

struct cutting {
    const struct machine *const *machines;
    size_t count;
    enum pass_share share;
};

/* Reduces a machine to what identifies its levels; false if it shares none. */
static bool see_level(const struct cutting *cutting, size_t index, struct machine *level)
{
    *level = *cutting->machines[index];
    return cache_batch_level(level, cutting->share);
}

/* Whether a machine's levels among `stages` differ from those of the previous machine. */
static bool begins_level(const struct cutting *cutting, size_t index, unsigned stages)
{
    struct machine level, before;
    if (!index)
        return true;
    see_level(cutting, index, &level);
    see_level(cutting, index - 1, &before);
    return !machine_same(&level, &before, stages);
}

static double cost(const struct cutting *cutting, size_t index)
{
    struct machine level;
    bool shared = see_level(cutting, index, &level),
         begins = begins_level(cutting, index, stages_first());
    const struct cache_config tlb = tlb_cache(&level.tlb);
    bool stacked = (!level.l1d.enabled || cache_keeps_recency(&level.l1d)) &&
                   (!level.tlb.enabled || cache_keeps_recency(&tlb));
    if (shared && !level.l2.enabled)
        return stacked ? (begins ? LEVEL_COST : 0) : SHARED_COST;
    double own = MACHINE_COST;
    if (shared)
        own = begins_level(cutting, index, stages_on_stream()) ? CHEAP_COST : 0;
    return (begins ? LEVEL_COST : 0) + own;
}

/* The end of a group that starts at `first` and should cost `wanted`: the nearest end of a level,
 * if that is less than half a group away or the level may not be cut. */
static size_t group_end(const struct cutting *cutting, size_t first, double wanted)
{
    struct machine machine;
    bool shared = see_level(cutting, first, &machine) && !machine.l2.enabled;
    double sum = 0, distance = shared ? INFINITY : wanted / 2;
    size_t level = 0, plain = 0; /* 0: not found yet */
    for (size_t end = first; end < cutting->count; end++) {
        if (end > first && begins_level(cutting, end, stages_first()) &&
            fabs(sum - wanted) < distance) {
            distance = fabs(sum - wanted);
            level = end;
        }
        if (sum >= wanted && level)
            return level;
        if (sum >= wanted && !shared && !plain && begins_level(cutting, end, stages_on_stream()))
            plain = end;
        if (plain && sum >= 1.5 * wanted)
            return plain;
        sum += cost(cutting, end);
    }
    return plain ? plain : cutting->count;
}

size_t pass_groups(const struct machine *const *machines, size_t count, enum pass_share share,
                   size_t groups, size_t *ends)
{
    const struct cutting cutting = {machines, count, share};
    double left = 0;
    size_t made = 0, first = 0;
    for (size_t i = 0; i < count; i++)
        left += cost(&cutting, i);
    while (first < count && made + 1 < groups) {
        size_t end = group_end(&cutting, first, left / (double)(groups - made));
        for (size_t i = first; i < end; i++)
            left -= cost(&cutting, i);
        ends[made++] = first = end;
    }
    if (first < count || !made)
        ends[made++] = count;
    return made;
}
