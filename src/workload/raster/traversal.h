/* The order in which the lines of a triangle are visited.
 *
 * Rows go from top to bottom and from left to right in a row. Z and Hilbert curves run through the
 * smallest aligned square around the triangle and leave out squares that it does not touch. The
 * random order is a permutation of the triangle's bounding box, by seed and number of the triangle.
 * Every line that a triangle covers is visited once in each order. */
#pragma once

#include "workload/raster/triangle.h"

#define TRAVERSAL_LIST(X)                                                                          \
    X(TRAVERSAL_SCANLINE, "scanline")                                                              \
    X(TRAVERSAL_Z, "z")                                                                            \
    X(TRAVERSAL_HILBERT, "hilbert")                                                                \
    X(TRAVERSAL_RANDOM, "random")

#define TRAVERSAL_ENUMERATOR(constant, name) constant,
enum traversal { TRAVERSAL_LIST(TRAVERSAL_ENUMERATOR) TRAVERSAL_COUNT };
#undef TRAVERSAL_ENUMERATOR
extern const char *const traversal_names[TRAVERSAL_COUNT + 1]; /* ended by NULL */

/* Where a walk is. Copies go on independently. */
struct walk {
    enum traversal order;
    unsigned bits;              /* a curve's square has 2^bits lines a side; random: half the bits
                                 * of a number of a line */
    uint64_t seed, next, end;   /* numbers of lines along the curve or in the permutation */
    uint32_t row, column, last; /* scanline: the next row, and what remains of the one before */
    uint32_t x, y;              /* corner of the curve's square */
};

void walk_start(struct walk *walk, enum traversal order, uint64_t seed,
                const struct triangle *triangle);
/* The next line that may be covered; false: there is none. */
bool walk_next(struct walk *walk, const struct triangle *triangle,
               const struct raster_target *target, uint32_t *column, uint32_t *row);
