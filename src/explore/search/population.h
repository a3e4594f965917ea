/* How NSGA-II orders a population: ranks, crowding distance, and so who survives (Deb, Pratap,
 * Agarwal and Meyarivan, "A Fast and Elitist Multiobjective Genetic Algorithm: NSGA-II", IEEE
 * Trans. Evol. Comput. 6(2), 2002, sections III.A to III.C).
 *
 * Cost: ranking n members compares O(n^2) pairs at worst; crowding sorts each rank once for each
 * objective. Works in place. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether costs are at least as good everywhere, and better in one. */
bool costs_dominate(const double *a, const double *b, size_t dimensions);

struct member {
    uint64_t point;
    double *costs;   /* less is better */
    bool eligible;   /* false: sorts after all others, whatever its costs are */
    size_t rank;     /* 0: nobody dominates it */
    double crowding; /* distance to its neighbours in its rank; larger is better */
};

/* Fills in rank and crowding of all members and sorts them, best first: by rank, then crowding,
 * then point. The result does not depend on the order of the members before. */
void population_sort(struct member *members, size_t count, size_t dimensions);
