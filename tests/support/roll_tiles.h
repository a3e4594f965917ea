/* Machines with a tile cache, for property tests: drawn from the parameter table, so that a new
 * knob is covered without a change here. */
#pragma once

#include "support/roll_machine.h"

/* The default tile cache with a kind of miss queue (enum tile_queue_kind) and banks. */
struct machine tile_machine(int queue, uint64_t banks);

/* A legal machine with a small cache, which evicts all the time more often than not. */
void roll_tiles(struct dice *dice, int queue, struct machine *machine);
