#include "explore/search/population.h"

#include <math.h>
#include <stdlib.h>

struct order {                /* argument of qsort_r */
    size_t dimensions, first; /* compares costs[first] first, the others in turn, then points */
};

static int compare_points(const struct member *left, const struct member *right)
{
    return left->point < right->point ? -1 : left->point > right->point;
}

/* Eligible members first, then by costs. A member always precedes those that it dominates. */
static int compare_costs(const void *a, const void *b, void *argument)
{
    const struct member *left = a, *right = b;
    const struct order *order = argument;
    if (left->eligible != right->eligible)
        return left->eligible ? -1 : 1;
    for (size_t i = 0; i < order->dimensions && left->eligible; i++) {
        size_t d = (order->first + i) % order->dimensions;
        if (left->costs[d] != right->costs[d])
            return left->costs[d] < right->costs[d] ? -1 : 1;
    }
    return compare_points(left, right);
}

static int compare_fitness(const void *a, const void *b)
{
    const struct member *left = a, *right = b;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    if (left->crowding != right->crowding)
        return left->crowding > right->crowding ? -1 : 1;
    return compare_points(left, right);
}

bool costs_dominate(const double *a, const double *b, size_t dimensions)
{
    bool better = false;
    for (size_t d = 0; d < dimensions; d++) {
        if (a[d] > b[d])
            return false;
        better = better || a[d] < b[d];
    }
    return better;
}

/* Expects the members in the order of compare_costs. Each joins the first front in which nobody
 * dominates it (the sequential search of Zhang et al., IEEE Trans. Evol. Comput. 19(2), 2015). */
static size_t rank_members(struct member *members, size_t count, size_t dimensions)
{
    size_t ranks = 0;
    for (size_t i = 0; i < count && members[i].eligible; i++) {
        size_t rank = 0;
        for (size_t j = i; j-- > 0;) {
            /* A member of this rank or a later one that dominates it pushes it one rank further. */
            if (members[j].rank >= rank &&
                costs_dominate(members[j].costs, members[i].costs, dimensions))
                rank = members[j].rank + 1;
        }
        members[i].rank = rank;
        ranks = rank + 1 > ranks ? rank + 1 : ranks;
    }
    return ranks;
}

/* Computes the crowding of one front. Sorts the front anew for each objective. */
static void crowd_front(struct member *front, size_t count, size_t dimensions)
{
    for (size_t i = 0; i < count; i++)
        front[i].crowding = 0;
    for (size_t d = 0; d < dimensions; d++) {
        struct order order = {dimensions, d};
        qsort_r(front, count, sizeof *front, compare_costs, &order);
        double range = front[count - 1].costs[d] - front[0].costs[d];
        front[0].crowding = front[count - 1].crowding = INFINITY;
        for (size_t i = 1; i + 1 < count && range > 0 && isfinite(range); i++)
            front[i].crowding += (front[i + 1].costs[d] - front[i - 1].costs[d]) / range;
    }
}

void population_sort(struct member *members, size_t count, size_t dimensions)
{
    struct order order = {dimensions, 0};
    if (!count)
        return;
    qsort_r(members, count, sizeof *members, compare_costs, &order);
    size_t ranks = rank_members(members, count, dimensions);
    for (size_t i = 0; i < count; i++) {
        members[i].crowding = 0;
        if (!members[i].eligible)
            members[i].rank = ranks;
    }
    qsort(members, count, sizeof *members, compare_fitness);
    for (size_t first = 0, end; first < count && members[first].eligible; first = end) {
        end = first + 1;
        while (end < count && members[end].rank == members[first].rank)
            end++;
        crowd_front(members + first, end - first, dimensions);
    }
    qsort(members, count, sizeof *members, compare_fitness);
}
