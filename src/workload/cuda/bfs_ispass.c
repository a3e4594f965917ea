/* BFS-ISPASS: breadth-first search after ISPASS-2009, one launch a level and sometimes one more.
 *
 * One kernel does what Rodinia's two do. A thread whose node is marked clears the mark and marks
 * the node as visited; for every neighbour that is not visited yet, it stores the cost, the mark
 * and a flag that the search continues. Marks and visits change in place while other threads read
 * them, so the accesses depend on the order of the threads. The rule here: all threads of a launch
 * read before any of them stores, and they clear their marks before others set them. So every
 * launch sees the marks and visits that the previous one left.
 *
 * By this rule a node at level L runs in launch L. It runs again in launch L + 1 if a node that ran
 * in launch L has an edge to it, because it was not yet visited when that node looked. So one bit
 * per node is all that has to be known. On a device the kernel follows the rule, not the memory.
 *
 * Order: PTX, as in BFS: the count before the number of the first edge, both again after the
 * stores. */
#include <stdlib.h>
#include <string.h>

#include "workload/cuda/bfs.h"
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { NODES, DEGREE, SEED, BLOCK_X };
enum { ARRAY_NODES, ARRAY_EDGES, ARRAY_MASK, ARRAY_VISITED, ARRAY_COST, ARRAY_OVER };

static const struct workload_parameter parameters_bfs_ispass[] = {
    GRAPH_PARAMETERS,
    {"block_x", 256, 1, 1024, "threads of a block"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct search {
    struct staged_program staged; /* first */
    struct graph graph;
    uint32_t *level; /* by node */
    bool *again;     /* by node: runs in the launch after its level's too */
};

/* The lanes that have an edge left, and which. */
struct edges {
    uint32_t looping;
    uint32_t at[WARP_SIZE], end[WARP_SIZE];
};

static const struct search *search_of(const struct stage *stage)
{
    return (const struct search *)stage->program;
}

static bool runs(const struct search *search, uint64_t node, uint32_t launch)
{
    uint32_t level = search->level[node];
    return level == launch || (level + 1 == launch && level != UINT32_MAX && search->again[node]);
}

static struct site byte_site(uint8_t number)
{
    return (struct site){number, SPACE_GLOBAL, 1};
}

/* Element `index` of `bytes` for every lane, `at` bytes into it. */
static void find_elements(const struct stage *stage, uint32_t array, uint32_t bytes, uint32_t at,
                          const uint32_t index[WARP_SIZE], uint64_t addresses[WARP_SIZE])
{
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        addresses[lane] = array_base(stage, array) + (uint64_t)bytes * index[lane] + at;
}

static void own_nodes(const struct stage *stage, uint32_t nodes[WARP_SIZE])
{
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        nodes[lane] = (uint32_t)(stage_thread(stage) + lane);
}

static void load_bounds(struct stage *stage, uint8_t site, uint32_t mask,
                        const uint32_t nodes[WARP_SIZE])
{
    uint64_t addresses[WARP_SIZE];
    uint32_t values[WARP_SIZE];
    find_elements(stage, ARRAY_NODES, 8, 4, nodes, addresses);
    stage_load(stage, word_site(site), mask, addresses, values);
    find_elements(stage, ARRAY_NODES, 8, 0, nodes, addresses);
    stage_load(stage, word_site(site + 1), mask, addresses, values);
}

/* The mark; where it is set, it is cleared and the node is visited. */
static enum stage_end start_nodes(struct stage *stage, struct edges *edges)
{
    const struct search *search = search_of(stage);
    uint64_t addresses[WARP_SIZE];
    uint32_t nodes[WARP_SIZE];
    uint8_t marks[WARP_SIZE], ones[WARP_SIZE], zeros[WARP_SIZE] = {0};
    uint32_t mask = lanes_below(stage_thread(stage), search->graph.nodes) & stage->lanes;
    own_nodes(stage, nodes);
    find_elements(stage, ARRAY_MASK, 1, 0, nodes, addresses);
    stage_load(stage, byte_site(0), mask, addresses, marks);
    stage_work(stage, mask ? 2 : 0);
    memset(ones, 1, sizeof ones);
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (!runs(search, nodes[lane], stage->launch))
            continue;
        edges->looping |= UINT32_C(1) << lane;
        edges->at[lane] = search->graph.first[nodes[lane]];
        edges->end[lane] = search->graph.first[nodes[lane] + 1];
    }
    stage_store(stage, byte_site(1), edges->looping, addresses, zeros);
    find_elements(stage, ARRAY_VISITED, 1, 0, nodes, addresses);
    stage_work(stage, edges->looping ? 1 : 0);
    stage_store(stage, byte_site(2), edges->looping, addresses, ones);
    load_bounds(stage, 3, edges->looping, nodes);
    stage_work(stage, edges->looping ? 3 : 0);
    return edges->looping ? STAGE_NEXT : STAGE_DONE;
}

/* What a lane stores for a neighbour that it found. */
static void store_found(struct stage *stage, uint32_t found, const uint32_t to[WARP_SIZE])
{
    uint64_t addresses[WARP_SIZE];
    uint32_t nodes[WARP_SIZE], cost[WARP_SIZE] = {0};
    uint8_t ones[WARP_SIZE];
    own_nodes(stage, nodes);
    memset(ones, 1, sizeof ones);
    find_elements(stage, ARRAY_COST, 4, 0, nodes, addresses);
    stage_load(stage, word_site(7), found, addresses, cost);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        cost[lane]++;
    stage_work(stage, found ? 3 : 0);
    find_elements(stage, ARRAY_COST, 4, 0, to, addresses);
    stage_store(stage, word_site(8), found, addresses, cost);
    find_elements(stage, ARRAY_MASK, 1, 0, to, addresses);
    stage_work(stage, found ? 2 : 0);
    stage_store(stage, byte_site(9), found, addresses, ones);
    find_elements(stage, ARRAY_OVER, 0, 0, to, addresses);
    stage_store(stage, byte_site(10), found, addresses, ones);
    load_bounds(stage, 11, found, nodes);
}

/* Stages: the nodes, then an edge of every lane that has one. */
static enum stage_end run_search(struct stage *stage)
{
    const struct search *search = search_of(stage);
    struct edges *edges = stage->state;
    if (stage->number == 0)
        return start_nodes(stage, edges);
    uint64_t addresses[WARP_SIZE];
    uint32_t to[WARP_SIZE] = {0}, found = 0;
    uint8_t visited[WARP_SIZE];
    for (uint32_t left = edges->looping; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        to[lane] = search->graph.edges[edges->at[lane]];
    }
    find_elements(stage, ARRAY_EDGES, 4, 0, edges->at, addresses);
    stage_load(stage, word_site(5), edges->looping, addresses, to);
    find_elements(stage, ARRAY_VISITED, 1, 0, to, addresses);
    stage_work(stage, 1);
    stage_load(stage, byte_site(6), edges->looping, addresses, visited);
    stage_work(stage, 2);
    for (uint32_t left = edges->looping; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (search->level[to[lane]] >= stage->launch)
            found |= UINT32_C(1) << lane;
        if (++edges->at[lane] == edges->end[lane])
            edges->looping &= ~(UINT32_C(1) << lane);
    }
    store_found(stage, found, to);
    stage_work(stage, 5);
    return edges->looping ? STAGE_NEXT : STAGE_DONE;
}

static const struct staged_kernel kernel = {
    .name = "Kernel",
    .code = {.sites = "L S SLL L L L S SSLL", .prologue = 8},
    .state_bytes = sizeof(struct edges),
    .run = run_search,
};

/* Marks the neighbours of a node that run again in the next launch; returns whether it found any
 * that are not visited at this launch's start. */
static bool find_again(struct search *search, uint32_t node, uint32_t launch)
{
    bool goes_on = false;
    for (uint32_t e = search->graph.first[node]; e < search->graph.first[node + 1]; e++) {
        uint32_t to = search->graph.edges[e];
        search->again[to] |= search->level[to] == launch;
        goes_on |= search->level[to] >= launch;
    }
    return goes_on;
}

/* The nodes in the order of their levels, those of level L from starts[L] to starts[L + 1]. */
static void sort_levels(const struct search *search, uint32_t *order, uint32_t *starts,
                        uint32_t levels)
{
    const uint32_t *level = search->level;
    for (uint32_t v = 0; v < search->graph.nodes; v++)
        if (level[v] != UINT32_MAX)
            starts[level[v] + 1]++;
    for (uint32_t i = 0; i < levels; i++)
        starts[i + 1] += starts[i];
    for (uint32_t v = 0; v < search->graph.nodes; v++)
        if (level[v] != UINT32_MAX)
            order[starts[level[v]]++] = v;
    memmove(starts + 1, starts, levels * sizeof *starts);
    starts[0] = 0;
}

/* Finds which nodes run twice and how many launches there are; 0 without memory. */
static uint32_t follow_search(struct search *search, uint32_t levels)
{
    uint32_t nodes = search->graph.nodes, launch = 0;
    uint32_t *order = calloc(nodes, sizeof *order);
    uint32_t *starts = calloc((size_t)levels + 1, sizeof *starts);
    search->again = calloc(nodes, sizeof *search->again);
    bool goes_on = order && starts && search->again;
    if (goes_on)
        sort_levels(search, order, starts, levels);
    for (; goes_on; launch++) {
        goes_on = false;
        uint32_t from = launch ? starts[launch - 1] : 0;
        uint32_t to = starts[launch < levels ? launch + 1 : levels];
        for (uint32_t i = from; i < to; i++)
            if (runs(search, order[i], launch))
                goes_on |= find_again(search, order[i], launch);
    }
    free(order);
    free(starts);
    return launch;
}

static void bfs_ispass_upload(const struct staged_program *program, struct device *device)
{
    const struct search *search = (const struct search *)program;
    const struct graph *graph = &search->graph;
    unsigned char *at[ARRAY_OVER + 1];
    for (int i = 0; i <= ARRAY_OVER; i++) {
        const struct trace_array *array = &program->program.arrays[i];
        at[i] = device_at(device, array->base, array->bytes);
        memset(at[i], 0, array->bytes);
    }
    for (uint32_t v = 0; v < graph->nodes; v++) {
        const uint32_t bounds[2] = {graph->first[v], graph->first[v + 1] - graph->first[v]};
        const int32_t cost = v ? -1 : 0;
        memcpy(at[ARRAY_NODES] + 8 * (size_t)v, bounds, sizeof bounds);
        memcpy(at[ARRAY_COST] + 4 * (size_t)v, &cost, sizeof cost);
    }
    memcpy(at[ARRAY_EDGES], graph->edges, 4 * (size_t)graph->first[graph->nodes]);
    at[ARRAY_MASK][0] = 1;
}

static void bfs_ispass_release(struct staged_program *program)
{
    struct search *search = (struct search *)program;
    graph_free(&search->graph);
    free(search->level);
    free(search->again);
}

static enum status open_bfs_ispass(const uint64_t *values, struct trace_source **source,
                                   struct diagnostics *diagnostics)
{
    struct search *search = staged_create(sizeof *search, &workload_bfs_ispass, values);
    if (!search)
        return STATUS_MEMORY;
    struct staged_program *program = &search->staged;
    uint64_t nodes = values[NODES], block = values[BLOCK_X];
    uint32_t levels = 0, launches = 0;
    program->upload = bfs_ispass_upload;
    program->release = bfs_ispass_release;
    if (!graph_create(&search->graph, nodes, values[DEGREE], values[SEED]))
        search->level = graph_levels(&search->graph, &levels);
    if (search->level)
        launches = follow_search(search, levels);
    if (!launches) {
        program->program.status = STATUS_MEMORY;
        return staged_finish(program, source, diagnostics);
    }
    program_array(&program->program, "nodes", 8 * nodes);
    program_array(&program->program, "edges", 4 * (uint64_t)search->graph.first[nodes]);
    program_array(&program->program, "mask", nodes);
    program_array(&program->program, "visited", nodes);
    program_array(&program->program, "cost", 4 * nodes);
    program_array(&program->program, "over", 1);
    for (uint32_t launch = 0; launch < launches; launch++)
        staged_launch(program, &kernel, (nodes + block - 1) / block, 1, block, 1, 0);
    return staged_finish(program, source, diagnostics);
}

const struct graph *bfs_ispass_graph(const struct trace_source *source)
{
    return &((const struct search *)source)->graph;
}

CUDA_PROGRAM(bfs_ispass, "BFS-ISPASS", ISPASS_SUITE,
             .help = "breadth-first search in one kernel per level; marks and visits in place");
