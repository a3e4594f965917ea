/* A random machine and a random workload at every depth that answers, and what must hold whatever
 * they are. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Fails the test if anything does not hold. `memory`: allocations fail, too. */
void storm_evaluate(uint64_t seed, bool memory);

/* Prints what storm_evaluate tries, or what it tried when it failed, crashed or did not end. */
void storm_evaluate_says(void);
