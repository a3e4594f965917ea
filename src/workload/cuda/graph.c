#include "workload/cuda/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

enum status graph_create(struct graph *graph, uint64_t nodes, uint64_t degree, uint64_t seed)
{
    *graph = (struct graph){.nodes = (uint32_t)nodes};
    graph->first = malloc((nodes + 1) * sizeof *graph->first);
    if (!graph->first)
        return STATUS_MEMORY;
    uint32_t edges = 0;
    for (uint64_t v = 0; v < nodes; v++) {
        graph->first[v] = edges;
        edges += 1 + (uint32_t)random_below(random_at(2 * seed, v), 2 * degree - 1);
    }
    graph->first[nodes] = edges;
    graph->edges = malloc(edges * sizeof *graph->edges);
    if (!graph->edges)
        return STATUS_MEMORY;
    for (uint32_t e = 0; e < edges; e++)
        graph->edges[e] = (uint32_t)random_below(random_at(2 * seed + 1, e), nodes);
    return STATUS_OK;
}

void graph_free(struct graph *graph)
{
    free(graph->first);
    free(graph->edges);
    *graph = (struct graph){0};
}

uint32_t *graph_levels(const struct graph *graph, uint32_t *level_count)
{
    uint32_t *queue = malloc(graph->nodes * sizeof *queue), head = 0, tail = 0;
    uint32_t *level = malloc(graph->nodes * sizeof *level);
    if (!queue || !level) {
        free(queue);
        free(level);
        return NULL;
    }
    memset(level, 0xff, graph->nodes * sizeof *level);
    level[0] = 0;
    queue[tail++] = 0;
    while (head < tail) {
        uint32_t v = queue[head++];
        *level_count = level[v] + 1;
        for (uint32_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
            uint32_t to = graph->edges[e];
            if (level[to] != UINT32_MAX)
                continue;
            level[to] = *level_count;
            queue[tail++] = to;
        }
    }
    free(queue);
    return level;
}
