#include "workload/cuda/clustering.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Sums are single precision in the order of the suite's loops, so that its decisions are repeated;
 * the suite's compilers may fuse multiplications and additions, which this does not. */

enum { REPEATS = 3, LONGEST_RAND = 0x7fffffff };

/* The search while it runs. Points are numbered in their shuffled order. */
struct search {
    struct clustering *clustering;
    struct rand48 random;
    uint32_t points, dimensions;
    float *drawn;    /* [point as drawn][dimension] */
    uint32_t *order; /* by shuffled number: the number as drawn */
    uint32_t *assign;
    float *cost, *distance; /* distance: of every point to one, from find_distances */
    bool *is_center;
    uint32_t *center_number; /* the suite's center_table */
    float *lower, *saved;    /* of pgain: by center, by point */
    uint32_t *feasible;
    uint32_t feasible_count, centers;
    uint64_t call_limit;
    bool changed; /* since the newest assignment was kept */
    enum status status;
};

void rand48_init(struct rand48 *random, uint32_t seed)
{
    random->state = (uint64_t)seed << 16 | 0x330e;
}

int32_t rand48_next(struct rand48 *random)
{
    random->state = (random->state * UINT64_C(0x5deece66d) + 0xb) & ((UINT64_C(1) << 48) - 1);
    return (int32_t)(random->state >> 17);
}

static float draw_unit(struct search *search)
{
    return (float)rand48_next(&search->random) / (float)LONGEST_RAND;
}

/* Puts the coordinates in the order of the points. */
static void arrange_points(struct search *search)
{
    for (uint32_t point = 0; point < search->points; point++) {
        const float *from = search->drawn + (size_t)search->order[point] * search->dimensions;
        for (uint32_t d = 0; d < search->dimensions; d++)
            search->clustering->coordinates[(size_t)d * search->points + point] = from[d];
    }
}

static void shuffle(struct search *search)
{
    for (uint32_t i = 0; i + 1 < search->points; i++) {
        uint32_t j = (uint32_t)rand48_next(&search->random) % (search->points - i) + i;
        uint32_t order = search->order[i];
        search->order[i] = search->order[j];
        search->order[j] = order;
    }
    arrange_points(search); /* assign and cost are set anew before they are read again */
}

static void find_distances(struct search *search, uint32_t to)
{
    uint32_t points = search->points;
    float *restrict distance = search->distance;
    memset(distance, 0, points * sizeof *distance);
    for (uint32_t d = 0; d < search->dimensions; d++) {
        const float *restrict row = search->clustering->coordinates + (size_t)d * points;
        float origin = row[to];
        for (uint32_t i = 0; i < points; i++)
            distance[i] += (row[i] - origin) * (row[i] - origin);
    }
}

/* A first solution: opens each point with a chance that grows with its cost. */
static float open_quickly(struct search *search, float facility_cost)
{
    find_distances(search, 0);
    for (uint32_t i = 0; i < search->points; i++) {
        search->cost[i] = search->distance[i];
        search->assign[i] = 0;
    }
    search->centers = 1;
    for (uint32_t i = 1; i < search->points; i++) {
        if (!(draw_unit(search) < search->cost[i] / facility_cost))
            continue;
        search->centers++;
        find_distances(search, i);
        for (uint32_t k = 0; k < search->points; k++)
            if (search->distance[k] < search->cost[k]) {
                search->cost[k] = search->distance[k];
                search->assign[k] = i;
            }
    }
    float sum = 0;
    for (uint32_t i = 0; i < search->points; i++)
        sum += search->cost[i];
    return facility_cost * (float)search->centers + sum;
}

static void number_centers(struct search *search)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < search->points; i++)
        if (search->is_center[i])
            search->center_number[i] = count++;
}

static enum status keep_assignment(struct search *search)
{
    struct clustering *clustering = search->clustering;
    size_t points = search->points;
    enum status status = array_reserve(&clustering->assignments, &clustering->assignment_capacity,
                                       clustering->assignment_count + 1);
    if (status)
        return status;
    struct assignment *kept = &clustering->assignments[clustering->assignment_count++];
    *kept = (struct assignment){malloc(points * sizeof *kept->assign),
                                malloc(points * sizeof *kept->center),
                                malloc(points * sizeof *kept->cost)};
    if (!kept->assign || !kept->center || !kept->cost)
        return STATUS_MEMORY;
    memcpy(kept->assign, search->assign, points * sizeof *kept->assign);
    memcpy(kept->cost, search->cost, points * sizeof *kept->cost);
    for (size_t i = 0; i < points; i++)
        kept->center[i] = search->center_number[search->assign[i]];
    search->changed = false;
    return STATUS_OK;
}

static enum status keep_call(struct search *search, uint32_t x, float facility_cost)
{
    struct clustering *clustering = search->clustering;
    enum status status = search->changed ? keep_assignment(search) : STATUS_OK;
    if (!status)
        status = array_reserve(&clustering->calls, &clustering->call_capacity,
                               clustering->call_count + 1);
    uint64_t *closer = status ? NULL : calloc((search->points + 63) / 64, sizeof *closer);
    if (!closer)
        return STATUS_MEMORY;
    for (uint64_t i = 0; i < search->points; i++)
        if (search->distance[i] < search->cost[i])
            closer[i / 64] |= UINT64_C(1) << i % 64;
    clustering->calls[clustering->call_count++] =
        (struct clustering_call){.x = x,
                                 .centers = search->centers,
                                 .assignment = (uint32_t)clustering->assignment_count - 1,
                                 .facility_cost = facility_cost,
                                 .closer = closer};
    return STATUS_OK;
}

/* What opening x costs less what it saves; and by center, what closing it would save (lower). */
static float find_gain(struct search *search, float facility_cost, uint32_t *to_close)
{
    for (uint32_t c = 0; c < search->centers; c++)
        search->lower[c] = facility_cost;
    for (uint32_t i = 0; i < search->points; i++) {
        float difference = search->distance[i] - search->cost[i];
        search->saved[i] = difference < 0 ? difference : 0;
        if (!(difference < 0))
            search->lower[search->center_number[search->assign[i]]] +=
                search->cost[i] - search->distance[i];
    }
    float opening = facility_cost;
    *to_close = 0;
    for (uint32_t i = 0; i < search->points; i++) {
        float lower = search->is_center[i] ? search->lower[search->center_number[i]] : 0;
        if (lower > 0) {
            ++*to_close;
            search->saved[i] -= lower;
        }
        opening += search->saved[i];
    }
    return opening;
}

static void open_center(struct search *search, uint32_t x, uint32_t to_close)
{
    for (uint32_t i = 0; i < search->points; i++) {
        bool closes = search->lower[search->center_number[search->assign[i]]] > 0;
        if (search->distance[i] < search->cost[i] || closes) {
            search->cost[i] = search->distance[i];
            search->assign[i] = x;
        }
    }
    for (uint32_t i = 0; i < search->points; i++)
        if (search->is_center[i] && search->lower[search->center_number[i]] > 0)
            search->is_center[i] = false;
    search->is_center[x] = true;
    search->centers += 1 - to_close;
    search->changed = true;
}

/* One call of the kernel and what the host does with its result (pgain); returns the gain. */
static float try_center(struct search *search, uint32_t x, float facility_cost)
{
    uint32_t to_close;
    number_centers(search);
    find_distances(search, x);
    search->status = keep_call(search, x, facility_cost);
    if (search->status)
        return 0;
    float opening = find_gain(search, facility_cost, &to_close);
    if (!(opening < 0))
        return 0;
    open_center(search, x, to_close);
    return -opening;
}

static bool is_over(const struct search *search)
{
    return search->status ||
           (search->call_limit && search->clustering->call_count >= search->call_limit);
}

/* Tries the feasible points by turns until a round gains less than a share of the cost (pFL). */
static float search_locally(struct search *search, float facility_cost, float cost, float share,
                            long rounds)
{
    float change = cost;
    const uint32_t count = search->feasible_count;
    assert(count > 0); /* centers_min > 1 */
    while (change / cost > share && !is_over(search)) {
        change = 0;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t j = (uint32_t)rand48_next(&search->random) % (count - i) + i;
            uint32_t point = search->feasible[i];
            search->feasible[i] = search->feasible[j];
            search->feasible[j] = point;
        }
        for (long i = 0; i < rounds && !is_over(search); i++)
            change += try_center(search, search->feasible[i % count], facility_cost);
        cost -= change;
    }
    return cost;
}

/* Weights are all 1, so the suite's accumulated weight of a point is its number + 1. */
static void select_feasible(struct search *search, uint32_t centers_min)
{
    uint32_t points = search->points;
    float wanted = (float)(REPEATS * centers_min) * logf((float)centers_min);
    search->feasible_count = (float)points > wanted ? (uint32_t)wanted : points;
    for (uint32_t i = 0; i < search->feasible_count; i++) {
        if (search->feasible_count == points) {
            search->feasible[i] = i;
            continue;
        }
        float weight = draw_unit(search) * (float)points;
        uint32_t low = 0, high = points - 1;
        if (1 > weight)
            high = 0;
        while (low + 1 < high) {
            uint32_t middle = (low + high) / 2;
            if ((float)(middle + 1) > weight)
                high = middle;
            else
                low = middle;
        }
        search->feasible[i] = high;
    }
}

/* The first solution, for a facility cost at which it has enough centers; returns its cost. */
static float start_search(struct search *search, uint32_t centers_min, float *facility_cost,
                          float *highest)
{
    float cost = 0;
    *highest = 0;
    find_distances(search, 0);
    for (uint32_t i = 0; i < search->points; i++)
        *highest += search->distance[i];
    *facility_cost = *highest / 2;
    shuffle(search);
    cost = open_quickly(search, *facility_cost);
    if (search->centers < centers_min)
        cost = open_quickly(search, *facility_cost);
    while (search->centers < centers_min) {
        *highest = *facility_cost;
        *facility_cost = *highest / 2;
        shuffle(search);
        cost = open_quickly(search, *facility_cost);
    }
    return cost;
}

/* Searches for a facility cost at which the number of centers is right (pkmedian). */
static void search_centers(struct search *search, uint32_t centers_min, uint32_t centers_max)
{
    float highest, lowest = 0, facility_cost;
    float cost = start_search(search, centers_min, &facility_cost, &highest);
    long rounds = (long)(REPEATS * (float)centers_max * logf((float)centers_max));
    float few = 0.9f * (float)centers_min, many = 1.1f * (float)centers_max;
    select_feasible(search, centers_min);
    for (uint32_t i = 0; i < search->points; i++)
        search->is_center[search->assign[i]] = true;
    search->changed = true;
    while (!is_over(search)) {
        cost = search_locally(search, facility_cost, cost, 0.1f, rounds);
        float centers = (float)search->centers;
        if ((centers <= many && centers >= few) ||
            (search->centers <= centers_max + 2 && search->centers + 2 >= centers_min))
            cost = search_locally(search, facility_cost, cost, 0.001f, rounds);
        if (search->centers > centers_max) {
            lowest = facility_cost;
            facility_cost = (highest + lowest) / 2;
            cost += (facility_cost - lowest) * (float)search->centers;
        }
        if (search->centers < centers_min) {
            highest = facility_cost;
            facility_cost = (highest + lowest) / 2;
            cost += (facility_cost - highest) * (float)search->centers;
        }
        if ((search->centers <= centers_max && search->centers >= centers_min) ||
            lowest >= 0.999f * highest)
            break;
    }
}

static bool clustering_allocate(struct search *search)
{
    size_t points = search->points;
    search->drawn = calloc(points * search->dimensions, sizeof *search->drawn);
    search->order = malloc(points * sizeof *search->order);
    search->assign = calloc(points, sizeof *search->assign);
    search->cost = calloc(points, sizeof *search->cost);
    search->distance = calloc(points, sizeof *search->distance);
    search->is_center = calloc(points, sizeof *search->is_center);
    search->center_number = calloc(points, sizeof *search->center_number);
    search->lower = calloc(points + 1, sizeof *search->lower);
    search->saved = calloc(points, sizeof *search->saved);
    search->feasible = calloc(points, sizeof *search->feasible);
    return search->drawn && search->order && search->assign && search->cost && search->distance &&
           search->is_center && search->center_number && search->lower && search->saved &&
           search->feasible;
}

static void free_search(struct search *search)
{
    free(search->drawn);
    free(search->order);
    free(search->assign);
    free(search->cost);
    free(search->distance);
    free(search->is_center);
    free(search->center_number);
    free(search->lower);
    free(search->saved);
    free(search->feasible);
}

enum status clustering_create(struct clustering *clustering, uint32_t points, uint32_t dimensions,
                              uint32_t centers_min, uint32_t centers_max, uint64_t call_limit)
{
    struct search search = {.clustering = clustering,
                            .points = points,
                            .dimensions = dimensions,
                            .call_limit = call_limit};
    size_t numbers = (size_t)points * dimensions;
    *clustering = (struct clustering){.points = points, .dimensions = dimensions};
    clustering->coordinates = malloc(numbers * sizeof *clustering->coordinates);
    if (!clustering_allocate(&search) || !clustering->coordinates) {
        search.status = STATUS_MEMORY;
        goto cleanup;
    }
    rand48_init(&search.random, 1);
    for (size_t i = 0; i < numbers; i++)
        search.drawn[i] = draw_unit(&search);
    for (uint32_t i = 0; i < points; i++)
        search.order[i] = i;
    arrange_points(&search);
    search_centers(&search, centers_min, centers_max);
cleanup:
    free_search(&search);
    return search.status;
}

void clustering_free(struct clustering *clustering)
{
    for (size_t i = 0; i < clustering->call_count; i++)
        free(clustering->calls[i].closer);
    for (size_t i = 0; i < clustering->assignment_count; i++) {
        free(clustering->assignments[i].assign);
        free(clustering->assignments[i].center);
        free(clustering->assignments[i].cost);
    }
    free(clustering->calls);
    free(clustering->assignments);
    free(clustering->coordinates);
    *clustering = (struct clustering){0};
}
