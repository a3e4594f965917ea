/* How the machines of a pass are dealt to lanes (model/crew.h): each lane has a tree of stages of
 * its own, so machines of one first level cost it once more where they are in two. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "model/lookups.h"
#include "schema/machine.h"

/* Cuts machines, of which those with one L1D and TLB are neighbours, into at most `lanes` runs of
 * about equal cost; ends[i] is where lane i ends. A first level that costs nothing more for one
 * more machine (model/lookups.h; as `share` allows) is never cut, others where their lane
 * would be too long. Returns how many lanes there are: at least 1. */
size_t pass_lanes(const struct machine *const *machines, size_t count, enum pass_share share,
                  size_t lanes, size_t *ends);
