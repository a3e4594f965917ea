/* The slow twins of replacement policies that learn from instructions what to keep: hawkeye and
 * mockingjay, and what ship shares with them. Watched sets keep everything that ever happened. */
#pragma once

#include "slow_sets.h"

/* The signature of an instruction, of so many bits. */
unsigned slow_hashed(uint32_t number, unsigned bits);
/* Counts up to `most` or down to 0. */
void slow_saturate(int *counter, bool up, int most);
/* A way was hit, or filled. */
void slow_hawkeye_use(struct slow_policy *policy, const struct slow_access *access, uint64_t way,
                      bool hit);
void slow_mockingjay_use(struct slow_policy *policy, const struct slow_access *access, uint64_t way,
                         bool hit);
