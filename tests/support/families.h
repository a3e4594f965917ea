/* Members of families drawn from their lists, so that a new one goes through every property test,
 * and the nearest geometry that a member is defined for. */
#pragma once

#include <stdint.h>

#include "schema/families.h"

/* Any replacement policy that can be simulated on line. */
int pick_replacement(uint64_t random);
/* Any set index function. */
int pick_index(uint64_t random);

/* At most `ways`, and as many as the policy is defined for. */
uint64_t fit_ways(int policy, uint64_t ways);
/* `sets`, or as near as the function is defined for. */
uint64_t fit_sets(int function, uint64_t sets);
