/* The host half of STREAMCLUSTER: the local search for centers that decides which point each launch
 * of the kernel tries as a center, after Rodinia 3.1 (from PARSEC) with its random numbers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* lrand48() of the host. */
struct rand48 {
    uint64_t state;
};
void rand48_init(struct rand48 *random, uint32_t seed);
int32_t rand48_next(struct rand48 *random); /* 31 bits */

/* Which center every point belongs to; shared by the calls between two changes. */
struct assignment {
    uint32_t *assign; /* by point: the point that is its center */
    uint32_t *center; /* by point: the number of that center, in the order of points */
    float *cost;      /* by point: weighted square of the distance to it */
};

/* One call of the kernel: would point `x` be a good center? */
struct clustering_call {
    uint32_t x, centers; /* centers: how many there are */
    uint32_t assignment; /* index in assignments */
    float facility_cost;
    uint64_t *closer; /* a bit a point: x is nearer than its center */
};

struct clustering {
    uint32_t points, dimensions;
    float *coordinates; /* [dimension][point] */
    struct clustering_call *calls;
    struct assignment *assignments;
    size_t call_count, call_capacity, assignment_count, assignment_capacity;
};

/* Draws the points and searches until `call_limit` calls are made, or all where it is 0. Memory:
 * the points, a bit a point and call, and 12 B a point for each change of centers. */
enum status clustering_create(struct clustering *clustering, uint32_t points, uint32_t dimensions,
                              uint32_t centers_min, uint32_t centers_max, uint64_t call_limit);
void clustering_free(struct clustering *clustering);

static inline bool clustering_is_closer(const struct clustering_call *call, uint64_t point)
{
    return call->closer[point / 64] >> point % 64 & 1;
}
