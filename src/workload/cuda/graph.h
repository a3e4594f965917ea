/* The random graphs that the searches search. */
#pragma once

#include <stdint.h>

#include "base/status.h"

/* The edges of node v are edges[first[v]] to edges[first[v + 1]]. */
struct graph {
    uint32_t nodes;
    uint32_t *first, *edges;
};

/* Node v has 1 + random(2 degree - 1) edges to random nodes; the seed decides them all. On an error
 * there may still be something to free. */
enum status graph_create(struct graph *graph, uint64_t nodes, uint64_t degree, uint64_t seed);
void graph_free(struct graph *graph);

/* How far every node is from node 0, UINT32_MAX where it is not reached, and how many levels there
 * are. Returns NULL without memory. */
uint32_t *graph_levels(const struct graph *graph, uint32_t *level_count);
