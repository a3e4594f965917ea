/* Splits the machines of a pass into groups of about equal cost, so that threads can simulate them
 * side by side (model/pass/pass_pool.h). Each group has its own tree of stages, so a first level
 * (L1D and TLB) whose machines end up in two groups is simulated twice. The cut is a heuristic and
 * changes only the time, never the counts. Linear in the number of machines. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "model/lru/cache_batch.h"
#include "schema/machine.h"

/* Cuts the machines into at most `groups` runs of about equal cost; ends[i] is the end of group i.
 * Machines with the same L1D and TLB must be neighbours. A first level to which one more machine
 * costs nothing (model/lru/cache_batch.h; as `share` allows) is never cut; others are cut only if
 * their group would be too long. Returns the number of groups, at least 1. */
size_t pass_groups(const struct machine *const *machines, size_t count, enum pass_share share,
                   size_t groups, size_t *ends);
