/* Barriers of an SM, which takes `core.barrier_threads` arrivals per cycle (barriers.c). */
#pragma once

#include <stdint.h>

struct sm;

struct barriers {
    uint64_t work; /* threads times cycles until all arrivals are taken */
    uint64_t next; /* the next cycle in which a barrier ends by itself */
};

/* A warp of the block in `slot` arrived. */
void barrier_arrive(struct sm *sm, uint32_t slot);
/* Ends the barrier of a block, if all its warps are there and their arrivals have been taken. */
void barrier_release(struct sm *sm, uint32_t slot);
/* Ends the barriers whose last warp has arrived by now. */
void barriers_release_due(struct sm *sm);
