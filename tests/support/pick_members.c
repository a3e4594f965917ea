#include "support/pick_members.h"

#include "base/bits.h"

int pick_replacement(uint64_t random)
{
    int policy = (int)(random % REPLACEMENT_COUNT);
    while (replacement_facts[policy].traits & REPLACEMENT_FUTURE)
        policy = (policy + 1) % REPLACEMENT_COUNT;
    return policy;
}

int pick_index(uint64_t random)
{
    return (int)(random % INDEX_COUNT);
}

int pick_grid_index(uint64_t random)
{
    int function = pick_index(random);
    while (!(index_facts[function].traits & (INDEX_XORS | INDEX_REMAINDER)))
        function = (function + 1) % INDEX_COUNT;
    return function;
}

uint64_t fit_ways(int policy, uint64_t ways)
{
    const struct replacement_facts *facts = &replacement_facts[policy];
    uint64_t fit = ways < facts->ways_max ? ways : facts->ways_max;
    return facts->traits & REPLACEMENT_POWER_OF_TWO ? UINT64_C(1) << log2_floor(fit) : fit;
}

uint64_t fit_sets(int function, uint64_t sets)
{
    const struct index_facts *facts = &index_facts[function];
    uint64_t fit = sets > facts->sets_min ? sets : facts->sets_min;
    fit = fit < facts->sets_max ? fit : facts->sets_max;
    return facts->traits & INDEX_POWER_OF_TWO ? UINT64_C(1) << log2_floor(fit) : fit;
}
