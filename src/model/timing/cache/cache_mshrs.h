/* What cache_unit.c asks of the MSHRs (cache_mshrs.c), and nobody else. */
#pragma once

#include "model/timing/cache/cache_unit.h"

/* The MSHR of a block in flight, or whose requests have not all been taken; UINT32_MAX: none. */
uint32_t mshr_find(const struct cache_unit *unit, uint64_t block);
/* Allocates one for a block whose line is `line`, and `index` for the set index. UINT32_MAX: no
 * memory.
 */
uint32_t mshr_allocate(struct cache_unit *unit, uint64_t block, uint64_t index, uint32_t line);
/* A request waits for the data of an MSHR: a secondary miss. */
void mshr_merge(struct cache_unit *unit, uint32_t at, const struct packet *request, uint64_t now);
