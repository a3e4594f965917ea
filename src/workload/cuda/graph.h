/* The random graphs of the breadth-first searches. */
#pragma once

#include <stdint.h>

#include "base/status.h"

/* The parameters of a random graph, in the order of graph_create. */
#define GRAPH_PARAMETERS                                                                           \
    {"nodes", 65536, 1, 1 << 22, "nodes of the random graph"},                                     \
        {"degree", 6, 1, 16, "mean edges of a node; they have from 1 to 2 degree - 1"},            \
    {                                                                                              \
        "seed", 1, 0, UINT32_MAX, "of the graph"                                                   \
    }

/* The edges of node v are edges[first[v]] to edges[first[v + 1]]. */
struct graph {
    uint32_t nodes;
    uint32_t *first, *edges;
};

/* Gives node v 1 + random(2 degree - 1) edges to random nodes; `seed` decides them all. Call
 * graph_free even after an error. */
enum status graph_create(struct graph *graph, uint64_t nodes, uint64_t degree, uint64_t seed);
void graph_free(struct graph *graph);

/* The distance of every node from node 0, UINT32_MAX if it cannot be reached, and in *level_count
 * the number of levels. malloc'ed; NULL if there is no memory. */
uint32_t *graph_levels(const struct graph *graph, uint32_t *level_count);
