/* The tile cache against its slow twin (support/slow_tiles.h) on a random stream, with any queue of
 * misses: the same cycles, accesses, misses, stalls and lengths of queues. */
#pragma once

#include <stdint.h>

/* Fails the test if they differ. */
void tile_twin_check(uint64_t seed);
