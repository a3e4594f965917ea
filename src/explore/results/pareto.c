#include "explore/results/pareto.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Each member has an id and costs (objectives turned so that less is better). With two objectives
 * the members are sorted: first costs ascend, so second costs descend, and a lookup is a binary
 * search. With more, their order is arbitrary. */
struct pareto {
    const struct objective *objectives;
    size_t dimensions;
    uint64_t *ids;
    double *costs; /* `dimensions` per member */
    size_t count, id_capacity, cost_capacity;
    double *offered;
};

enum status pareto_create(const struct objective *objectives, size_t count, struct pareto **result)
{
    struct pareto *front = calloc(1, sizeof *front);
    double *offered = calloc(count, sizeof *offered);
    struct objective *copy = calloc(count, sizeof *copy);
    *result = front;
    if (!front || !offered || !copy) {
        free(front);
        free(offered);
        free(copy);
        *result = NULL;
        return STATUS_MEMORY;
    }
    memcpy(copy, objectives, count * sizeof *copy);
    front->objectives = copy;
    front->dimensions = count;
    front->offered = offered;
    return STATUS_OK;
}

void pareto_free(struct pareto *front)
{
    if (!front)
        return;
    free((void *)(uintptr_t)front->objectives);
    free(front->offered);
    free(front->ids);
    free(front->costs);
    free(front);
}

static double *costs_of(const struct pareto *front, size_t member)
{
    return front->costs + member * front->dimensions;
}

static enum status insert_at(struct pareto *front, size_t position, uint64_t id)
{
    size_t dimensions = front->dimensions, tail = front->count - position;
    if (array_reserve(&front->ids, &front->id_capacity, front->count + 1) ||
        array_reserve(&front->costs, &front->cost_capacity, (front->count + 1) * dimensions))
        return STATUS_MEMORY;
    memmove(front->ids + position + 1, front->ids + position, tail * sizeof *front->ids);
    memmove(costs_of(front, position + 1), costs_of(front, position),
            tail * dimensions * sizeof(double));
    front->ids[position] = id;
    memcpy(costs_of(front, position), front->offered, dimensions * sizeof(double));
    front->count++;
    return STATUS_OK;
}

static void remove_range(struct pareto *front, size_t first, size_t end)
{
    size_t tail = front->count - end;
    if (first == end)
        return;
    memmove(front->ids + first, front->ids + end, tail * sizeof *front->ids);
    memmove(costs_of(front, first), costs_of(front, end),
            tail * front->dimensions * sizeof(double));
    front->count -= end - first;
}

/* The first member whose first cost is not below `cost`. */
static size_t lower_bound(const struct pareto *front, double cost)
{
    size_t low = 0, high = front->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (costs_of(front, middle)[0] < cost)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void keep_lowest(struct pareto *front, size_t member, uint64_t id, bool *entered)
{
    *entered = id < front->ids[member];
    if (*entered)
        front->ids[member] = id;
}

/* With two objectives a front is a staircase: sorted by the first cost, the second falls. So one
 * binary search finds whether the point is dominated (by its left neighbour, or by one with the
 * same first cost), and all that it dominates are neighbours to its right (H. T. Kung, F. Luccio
 * and F. P. Preparata, J. ACM 22(4), 1975). */
static enum status offer_two(struct pareto *front, uint64_t id, bool *entered)
{
    const double *offered = front->offered;
    size_t position = lower_bound(front, offered[0]);
    bool equal_first = position < front->count && costs_of(front, position)[0] == offered[0];
    if (equal_first && costs_of(front, position)[1] == offered[1]) {
        keep_lowest(front, position, id, entered);
        return STATUS_OK;
    }
    bool dominated = (position && costs_of(front, position - 1)[1] <= offered[1]) ||
                     (equal_first && costs_of(front, position)[1] < offered[1]);
    if (dominated)
        return STATUS_OK;
    size_t end = position;
    while (end < front->count && costs_of(front, end)[1] >= offered[1])
        end++;
    remove_range(front, position, end);
    *entered = true;
    return insert_at(front, position, id);
}

enum relation { RELATION_NONE, RELATION_EQUAL, RELATION_DOMINATES, RELATION_DOMINATED };

/* Compares the offered costs with a member's. */
static enum relation relate(const double *offered, const double *member, size_t dimensions)
{
    bool better = false, worse = false;
    for (size_t i = 0; i < dimensions; i++) {
        better = better || offered[i] < member[i];
        worse = worse || offered[i] > member[i];
    }
    if (better && worse)
        return RELATION_NONE;
    return better ? RELATION_DOMINATES : worse ? RELATION_DOMINATED : RELATION_EQUAL;
}

/* Swaps a member that has just dominated an offer with the one halfway to the head. It will
 * probably dominate others, and scans start at the head. */
static void move_forward(struct pareto *front, size_t member)
{
    size_t target = member / 2;
    uint64_t id = front->ids[member];
    front->ids[member] = front->ids[target];
    front->ids[target] = id;
    for (size_t i = 0; i < front->dimensions; i++) {
        double cost = costs_of(front, member)[i];
        costs_of(front, member)[i] = costs_of(front, target)[i];
        costs_of(front, target)[i] = cost;
    }
}

static enum status offer_many(struct pareto *front, uint64_t id, bool *entered)
{
    for (size_t member = 0; member < front->count;) {
        switch (relate(front->offered, costs_of(front, member), front->dimensions)) {
        case RELATION_DOMINATED:
            move_forward(front, member);
            return STATUS_OK;
        case RELATION_EQUAL:
            keep_lowest(front, member, id, entered);
            return STATUS_OK;
        case RELATION_DOMINATES: /* drop it; the last member takes its place */
            front->count--;
            front->ids[member] = front->ids[front->count];
            memmove(costs_of(front, member), costs_of(front, front->count),
                    front->dimensions * sizeof(double));
            break;
        case RELATION_NONE:
            member++;
            break;
        }
    }
    *entered = true;
    return insert_at(front, front->count, id);
}

enum status pareto_offer(struct pareto *front, uint64_t id, const double *values, bool *entered)
{
    bool ignored;
    if (!entered)
        entered = &ignored;
    *entered = false;
    for (size_t i = 0; i < front->dimensions; i++) {
        if (isnan(values[i]))
            return STATUS_OK;
        bool higher = front->objectives[i].direction == HIGHER_IS_BETTER;
        front->offered[i] = higher ? -values[i] : values[i];
    }
    return front->dimensions == 2 ? offer_two(front, id, entered) : offer_many(front, id, entered);
}

static bool member_covers(const struct pareto *front, size_t member, uint64_t id,
                          const double *costs)
{
    enum relation relation = relate(costs, costs_of(front, member), front->dimensions);
    return relation == RELATION_DOMINATED ||
           (relation == RELATION_EQUAL && front->ids[member] < id);
}

bool pareto_covers(const struct pareto *front, uint64_t id, const double *costs)
{
    for (size_t i = 0; i < front->dimensions; i++)
        if (isnan(costs[i]))
            return false;
    if (front->dimensions == 2) { /* of the members before, the last has the best second cost */
        size_t position = lower_bound(front, costs[0]);
        return (position && member_covers(front, position - 1, id, costs)) ||
               (position < front->count && member_covers(front, position, id, costs));
    }
    for (size_t member = 0; member < front->count; member++)
        if (member_covers(front, member, id, costs))
            return true;
    return false;
}

const double *pareto_costs(const struct pareto *front)
{
    return front->costs;
}

size_t pareto_count(const struct pareto *front)
{
    return front->count;
}

static int compare_ids(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

enum status pareto_ids(const struct pareto *front, uint64_t **ids)
{
    *ids = malloc((front->count + 1) * sizeof **ids);
    if (!*ids)
        return STATUS_MEMORY;
    if (front->count)
        memcpy(*ids, front->ids, front->count * sizeof **ids);
    qsort(*ids, front->count, sizeof **ids, compare_ids);
    return STATUS_OK;
}
