#include "model/timing/memory/footprint.h"

#include <stdlib.h>

#include "model/cache/replacement.h"
#include "schema/parameters.h"

enum { SETS_MOST = 1 << (FOOTPRINT_SETS - 1) };

void footprint_begin(struct footprint *footprint, const struct cache_config *config)
{
    const unsigned traits = replacement_facts[config->replacement].traits;
    *footprint = (struct footprint){.size = config->size,
                                    .ways = config->ways,
                                    .open = config->enabled && !config->unified &&
                                            !(traits & REPLACEMENT_ANY_WAY)};
}

/* Counts the lines of each set, as many as `counts` has. */
static void count_lines(const struct cache_unit *unit, const struct address_map *map,
                        const struct set_index *index, uint32_t *counts)
{
    const uint64_t lines = unit->geometry.sets * unit->ways_max;
    const unsigned bits = unit->geometry.line_bits;
    for (uint64_t i = 0; i < lines; i++) {
        const uint64_t tag = unit->tags[i];
        const uint64_t line = map ? address_map_local(map, tag << bits) >> bits : tag;
        if (tag != NO_TAG)
            counts[index ? set_index_map(index, index->function, line) : line % SETS_MOST]++;
    }
}

/* With an index that keeps the lines of a set together when there are fewer sets, the counts of
 * half as many sets are sums of two; others are known for as many sets as the cache has. */
static void add_counts(struct footprint *footprint, const struct cache_unit *unit,
                       const struct address_map *map, uint32_t *counts)
{
    const struct set_index *index = &unit->geometry.index;
    const bool nests = index_facts[index->function].traits & INDEX_NESTS;
    const uint64_t own = unit->geometry.sets;
    count_lines(unit, map, nests ? NULL : index, counts);
    for (unsigned i = FOOTPRINT_SETS; i-- > 0;) {
        const uint64_t sets = UINT64_C(1) << i;
        uint32_t most = 0;
        for (uint64_t set = 0; set < sets; set++) {
            counts[set] += nests && sets < SETS_MOST ? counts[set + sets] : 0;
            most = counts[set] > most ? counts[set] : most;
        }
        if (!nests && sets != own)
            most = UINT32_MAX;
        footprint->least[i] = most > footprint->least[i] ? most : footprint->least[i];
    }
}

void footprint_add(struct footprint *footprint, const struct cache_unit *unit,
                   const struct address_map *map)
{
    const bool decides = unit->bypass && unit->bypass->decides;
    const bool strays = unit->strays && unit->mshrs_used; /* the place of a line matters then */
    footprint->open &= !unit->evicts && !decides && !strays && !unit->shadow && !unit->throttle;
    if (!footprint->open || unit->empty)
        return;
    uint32_t *counts = calloc(SETS_MOST, sizeof *counts);
    footprint->open = counts && unit->geometry.sets <= SETS_MOST;
    if (footprint->open)
        add_counts(footprint, unit, map, counts);
    free(counts);
}

void footprint_join(struct footprint *footprint, const struct footprint *other)
{
    footprint->open &= other->open;
    for (unsigned i = 0; i < FOOTPRINT_SETS; i++)
        if (other->least[i] > footprint->least[i])
            footprint->least[i] = other->least[i];
}

bool footprint_covers(const struct footprint *footprint, const struct cache_config *config)
{
    if (config->size == footprint->size && config->ways == footprint->ways)
        return true;
    const uint64_t sets = cache_sets(config);
    return footprint->open && sets && is_power_of_two(sets) && log2_floor(sets) < FOOTPRINT_SETS &&
           config->ways >= footprint->least[log2_floor(sets)];
}
