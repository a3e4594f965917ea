/* What running the searches on a device needs besides the stream. */
#pragma once

#include "workload/cuda/graph.h"
#include "workload/cuda/program.h"

/* Puts the graph and the state before the first launch into device memory, as the host does. */
void bfs_upload(const struct trace_source *source, struct device *device);

const struct graph *bfs_graph(const struct trace_source *source);

/* The graph of BFS-ISPASS. */
const struct graph *bfs_ispass_graph(const struct trace_source *source);
