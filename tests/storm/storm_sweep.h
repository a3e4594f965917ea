/* A random study, swept whole on one thread, and swept again on another number of threads by
 * processes that are killed: the rows must be the same. */
#pragma once

#include <stdint.h>

/* Fails the test if they are not. The calling process must not have used OpenMP: its children do.
 */
void storm_sweep(uint64_t seed);
