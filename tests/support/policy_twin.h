/* A replacement policy against its slow twin (support/slow_policy.h), access by access: the way of
 * each, with lines that stores drop and flushes between, sets that duel and sets that are watched.
 */
#pragma once

#include <stdint.h>

/* Fails the test if they differ. Of any policy that does not need the future. */
void policy_twin_check(int replacement, uint64_t seed);
