/* What running BFS on a device needs besides the stream. */
#pragma once

#include "workload/cuda/program.h"

/* Puts the graph and the state before the first launch into device memory, as the host does. */
void bfs_upload(const struct trace_source *source, struct device *device);

/* The generated graph: the edges of node v are edges[first[v]] to edges[first[v + 1]]. */
struct graph {
    uint32_t nodes;
    uint32_t *first, *edges;
};
const struct graph *bfs_graph(const struct trace_source *source);
