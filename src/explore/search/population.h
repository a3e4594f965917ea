/* What NSGA-II does with a population: ranks, crowding, and who stays (Deb, Pratap, Agarwal and
 * Meyarivan, "A Fast and Elitist Multiobjective Genetic Algorithm: NSGA-II", IEEE Trans. Evol.
 * Comput. 6(2), 2002, sections III.A to III.C). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct member {
    uint64_t point;
    double *costs;   /* less is better */
    bool eligible;   /* false: behind all others, whatever its costs are */
    size_t rank;     /* 0: nobody dominates it */
    double crowding; /* how far its neighbours in its rank are; larger is better */
};

/* Fills rank and crowding of all members and sorts them, the best first: by rank, then crowding,
 * then point. The result does not depend on the order of the members. */
void population_sort(struct member *members, size_t count, size_t dimensions);
