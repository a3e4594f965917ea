/* The memories of a cache for descriptions of structures (model/gpu/structure_arrays.h): lines with
 * their tags and replacement state, MSHRs, miss queues. Pure arithmetic. */
#pragma once

#include <stddef.h>

#include "schema/machine.h"
#include "schema/memory_array.h"

/* `instances` caches of `size` bytes each. Returns the number of memories, at most 2. */
size_t cache_arrays(const struct cache_config *config, uint64_t size, uint64_t instances,
                    uint64_t address_bits, struct memory_array *arrays);
