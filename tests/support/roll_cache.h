/* Random caches and requests for them. */
#pragma once

#include "model/gpu/request.h"
#include "schema/machine.h"

struct dice {
    uint64_t seed, next;
};

/* A number below `bound`. */
uint64_t roll(struct dice *dice, uint64_t bound);

/* A small cache of any geometry and policies but the optimum. */
struct cache_config roll_cache(struct dice *dice);

/* Requests that reuse a small number of lines, with some far away. */
void roll_requests(struct dice *dice, const struct cache_config *config, unsigned instances,
                   struct request *requests, size_t count);
