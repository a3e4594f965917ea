/* sm.h against its slow twin (support/slow_sm.h) on a random program, a random core and a random
 * instruction cache: the same cycle of the end, the same cycles in which schedulers issued, the
 * same look-ups. */
#pragma once

#include "support/slow_fetch.h"

/* Fails the test if they differ. Adds what the twin's fetches counted to `sum`. */
void sm_twin_check(uint64_t seed, struct slow_fetch_counts *sum);
