/* What cache_unit.c asks of the MSHRs (cache_entries.c), and nobody else. */
#pragma once

#include "model/timing/cache/cache_unit.h"

/* The entry of a block in flight, or whose requests have not all been taken; UINT32_MAX: none. */
uint32_t unit_entry_find(const struct cache_unit *unit, uint64_t block);
/* Makes one for a block whose line is `line`, and `index` for the set index. UINT32_MAX: no memory.
 */
uint32_t unit_entry_new(struct cache_unit *unit, uint64_t block, uint64_t index, uint32_t line);
/* A request waits for the data of an entry. */
void unit_entry_join(struct cache_unit *unit, uint32_t at, const struct packet *request,
                     uint64_t now);
