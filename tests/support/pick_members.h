/* Draws members of the families (replacement, set index) for property tests. It draws from the
 * lists in schema/families.h, so a new member is covered by every property test without a change
 * here. */
#pragma once

#include <stdint.h>

#include "schema/families.h"

/* A replacement policy that can be simulated access by access, which excludes the optimum. */
int pick_replacement(uint64_t random);
/* A set index function; one whose sets a grid can compute. */
int pick_index(uint64_t random);
int pick_grid_index(uint64_t random);

/* A number of ways that the policy is defined for, at most `ways`. */
uint64_t fit_ways(int policy, uint64_t ways);
/* A number of sets that the function is defined for, close to `sets`. */
uint64_t fit_sets(int function, uint64_t sets);
