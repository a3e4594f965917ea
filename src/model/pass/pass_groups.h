/* How the machines of a pass are dealt to groups (model/pass/pass_pool.h): each group has a tree of
 * stages of its own, so machines of one first level cost it once more where they are in two. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "model/lru/cache_batch.h"
#include "schema/machine.h"

/* Cuts machines, of which those with one L1D and TLB are neighbours, into at most `groups` runs of
 * about equal cost; ends[i] is where group i ends. A first level that costs nothing more for one
 * more machine (model/lru/cache_batch.h; as `share` allows) is never cut, others where their group
 * would be too long. Returns how many groups there are: at least 1. */
size_t pass_groups(const struct machine *const *machines, size_t count, enum pass_share share,
                   size_t groups, size_t *ends);
