#include "slow_trees.h"

#include <assert.h>

/* ---- trees ---- */

void slow_tree_turn(struct slow_set *set, uint64_t ways, uint64_t way, bool root)
{
    uint64_t low = 0, high = ways, node = 1;
    while (high - low > 1) {
        const uint64_t middle = (low + high) / 2;
        const bool upper = way >= middle;
        if (node > 1 || root)
            set->tree[node] = !upper;
        node = 2 * node + upper;
        if (upper)
            low = middle;
        else
            high = middle;
    }
}

/* The highest node that points to the way, alone. */
void slow_tree_turn_one(struct slow_set *set, uint64_t ways, uint64_t way)
{
    uint64_t low = 0, high = ways, node = 1;
    while (high - low > 1) {
        const uint64_t middle = (low + high) / 2;
        const bool upper = way >= middle;
        if (set->tree[node] == upper) {
            set->tree[node] = !upper;
            return;
        }
        node = 2 * node + upper;
        if (upper)
            low = middle;
        else
            high = middle;
    }
}

uint64_t slow_tree_victim(const struct slow_set *set, uint64_t ways)
{
    uint64_t low = 0, high = ways, node = 1;
    while (high - low > 1) {
        const uint64_t middle = (low + high) / 2;
        const bool upper = set->tree[node];
        node = 2 * node + upper;
        if (upper)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- plru_simt ---- */

void slow_simt_touch(struct slow_set *set, uint64_t ways, uint64_t way)
{
    for (uint64_t group = 0; group < ways / 4; group++) {
        set->order[way / 4][group] = false;
        set->order[group][way / 4] = true;
    }
    set->front[way / 4] = way % 4 >= 2; /* the rear pair was used: the front is less recent */
    set->odd[way / 2] = way % 2 == 0;
}

uint64_t slow_simt_victim(const struct slow_set *set, uint64_t ways)
{
    for (uint64_t way = 0; way < ways; way++) {
        bool least = true;
        for (uint64_t group = 0; group < ways / 4; group++)
            least = least && (group == way / 4 || set->order[way / 4][group]);
        const bool pair = ways < 4 || set->front[way / 4] == (way % 4 < 2);
        if (least && pair && (ways < 2 || set->odd[way / 2] == (way % 2 == 1)))
            return way;
    }
    assert(false);
    return 0;
}
