/* The load/store unit of an SM (timing depth): shared memory, the L1D with its banks, and the way
 * to the network and back. It is a part of sm.c; the rules are in docs/MODELS.md, "Timing". */
#pragma once

#include "model/timing/sm.h"

/* Its cycle within the execution stage, before it accepts an instruction. */
void load_store_cycle(struct sm *sm, uint64_t now);
/* Takes an instruction into its latch, which must be free. */
void load_store_accept(struct sm *sm, uint32_t op, uint64_t now);
/* Takes the next instruction that waited for translations and has them; it goes before others. */
bool load_store_retries(struct sm *sm, uint32_t *op);
/* The first cycle after `now` in which the unit can do something by itself; UINT64_MAX: none. */
uint64_t load_store_next(const struct sm *sm, uint64_t now);

/* Moves replies from the network one station on, before the SM's cycle. */
void load_store_receive(struct sm *sm, uint64_t now);
