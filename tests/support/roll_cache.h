/* Random cache configurations and requests for property tests, from a counter-based generator: a
 * failing case is reproduced by its seed. */
#pragma once

#include "model/gpu/request.h"
#include "schema/machine.h"

struct dice {
    uint64_t seed, next;
};

/* A random number below `bound`. */
uint64_t roll(struct dice *dice, uint64_t bound);

/* An unsectored write-back LRU cache of one slice. */
struct cache_config plain_cache(uint64_t line, uint64_t sets, uint64_t ways, int index);

/* A small cache of any geometry and any policy but the optimum. */
struct cache_config roll_cache(struct dice *dice);

/* Random requests that mostly reuse a few lines, and sometimes go far away. */
void roll_requests(struct dice *dice, const struct cache_config *config, unsigned instances,
                   struct request *requests, size_t count);
