/* The slow twins of replacement policies that point to a victim: trees (plru, mdpp), and the groups
 * and pairs of plru_simt. */
#pragma once

#include "slow_sets.h"

/* All nodes above a way point away from it now; without `root` all but the first. */
void slow_tree_turn(struct slow_set *set, uint64_t ways, uint64_t way, bool root);
/* The highest node that points to the way, alone. */
void slow_tree_turn_one(struct slow_set *set, uint64_t ways, uint64_t way);
uint64_t slow_tree_victim(const struct slow_set *set, uint64_t ways);

void slow_simt_touch(struct slow_set *set, uint64_t ways, uint64_t way);
uint64_t slow_simt_victim(const struct slow_set *set, uint64_t ways);
