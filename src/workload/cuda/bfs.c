/* BFS: breadth-first search by levels after Rodinia 3.1, two launches a level.
 *
 * Kernel 1 expands every node of the frontier: one thread per node and one edge per iteration, so
 * lanes with few edges wait for those with many. Kernel 2 makes the nodes that were found the next
 * frontier. Within a launch no thread reads what another one writes, apart from equal values of
 * equal stores. So the accesses do not depend on the order of execution, and each launch follows
 * from the levels alone: at level L, the mask is set for level L, visited for levels up to L, and
 * updating (after kernel 1) for level L + 1. A walk without a device uses the levels; with a device
 * it reads memory.
 *
 * Order: PTX. The edge count is loaded before the number of the first edge, and both again after
 * the stores of a new node, which may alias them.
 *
 * Of the instructions between the records, the tests and loops end with a branch; all others are
 * integer arithmetic, with the dependences of site_code.h.
 *
 * The graph is not the suite's: node v has 1 + random(2 degree - 1) edges to random nodes, edge
 * lists are in node order, and the search starts at node 0. */
#include "workload/cuda/bfs.h"

#include <stdlib.h>
#include <string.h>

#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/site_code.h"

enum { NODES, DEGREE, SEED, BLOCK_X };

static const struct workload_parameter parameters_bfs[] = {
    GRAPH_PARAMETERS,
    {"block_x", 512, 1, 1024, "threads of a block"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct search {
    struct program program; /* first */
    struct graph graph;
    uint32_t *level;       /* by node */
    struct site_code code; /* of both kernels */
};

/* In the order of the host's cudaMalloc calls. */
enum bfs_array {
    ARRAY_NODES,
    ARRAY_EDGES,
    ARRAY_MASK,
    ARRAY_UPDATING,
    ARRAY_VISITED,
    ARRAY_COST,
    ARRAY_OVER
};

enum index { BY_THREAD, BY_EDGE, BY_NEIGHBOUR, BY_NOTHING };

/* Every record of both kernels: address = array + scale * index + offset. `before` counts the
 * instructions that always stand in front of it in straight order. */
struct record {
    uint8_t array, op, index, scale, offset, bytes, before;
};

enum phase {
    LOAD_MASK,
    CLEAR_MASK,
    LOAD_COUNT,
    LOAD_FIRST,
    LOAD_EDGE,
    LOAD_VISITED,
    LOAD_COST,
    STORE_COST,
    SET_UPDATING,
    RELOAD_COUNT,
    RELOAD_FIRST,
    LOAD_UPDATING,
    SET_MASK,
    SET_VISITED,
    SET_OVER,
    CLEAR_UPDATING,
    PHASE_COUNT
};

static const struct record records[PHASE_COUNT] = {
    [LOAD_MASK] = {ARRAY_MASK, OP_LOAD, BY_THREAD, 1, 0, 1, 2},
    [CLEAR_MASK] = {ARRAY_MASK, OP_STORE, BY_THREAD, 1, 0, 1, 1},
    [LOAD_COUNT] = {ARRAY_NODES, OP_LOAD, BY_THREAD, 8, 4, 4, 3},
    [LOAD_FIRST] = {ARRAY_NODES, OP_LOAD, BY_THREAD, 8, 0, 4, 4},
    [LOAD_EDGE] = {ARRAY_EDGES, OP_LOAD, BY_EDGE, 4, 0, 4, 0},
    [LOAD_VISITED] = {ARRAY_VISITED, OP_LOAD, BY_NEIGHBOUR, 1, 0, 1, 1},
    [LOAD_COST] = {ARRAY_COST, OP_LOAD, BY_THREAD, 4, 0, 4, 0},
    [STORE_COST] = {ARRAY_COST, OP_STORE, BY_NEIGHBOUR, 4, 0, 4, 3},
    [SET_UPDATING] = {ARRAY_UPDATING, OP_STORE, BY_NEIGHBOUR, 1, 0, 1, 2},
    [RELOAD_COUNT] = {ARRAY_NODES, OP_LOAD, BY_THREAD, 8, 4, 4, 0},
    [RELOAD_FIRST] = {ARRAY_NODES, OP_LOAD, BY_THREAD, 8, 0, 4, 0},
    [LOAD_UPDATING] = {ARRAY_UPDATING, OP_LOAD, BY_THREAD, 1, 0, 1, 2},
    [SET_MASK] = {ARRAY_MASK, OP_STORE, BY_THREAD, 1, 0, 1, 2},
    [SET_VISITED] = {ARRAY_VISITED, OP_STORE, BY_THREAD, 1, 0, 1, 1},
    [SET_OVER] = {ARRAY_OVER, OP_STORE, BY_NOTHING, 0, 0, 1, 0},
    [CLEAR_UPDATING] = {ARRAY_UPDATING, OP_STORE, BY_THREAD, 1, 0, 1, 1},
};

enum { PROLOGUE = 6, TEST = 2, LOOP_START = 3, LOOP_END = 5, RETURN = 1, PC_BYTES = SITE_BYTES };

/* The records are the sites. */
static const struct site_kernel kernel_code = {.sites = "L S L L L L L S SLL L S SS S",
                                               .prologue = PROLOGUE};

struct searcher {
    struct warp warp; /* first */
    uint32_t thread;  /* of lane 0 in the grid */
    uint32_t mask;    /* lanes of the next record */
    uint32_t looping; /* lanes that still have edges */
    uint8_t phase;
    bool started, finished; /* the walk of the instructions */
    uint32_t lanes;         /* threads of the block */
    struct issuer issuer;
    uint32_t count[WARP_SIZE], first[WARP_SIZE], edge[WARP_SIZE]; /* of the lane's node */
    uint32_t neighbour[WARP_SIZE], value[WARP_SIZE];
};

static size_t warp_bytes(const struct program *program, uint32_t launch)
{
    (void)program, (void)launch;
    return sizeof(struct searcher);
}

static void bfs_start(const struct program *program, uint32_t launch, const uint32_t block[3],
                      uint32_t first_thread, struct warp *warp)
{
    const struct search *search = (const struct search *)program;
    struct searcher *at = (struct searcher *)warp;
    uint32_t threads = program->source.launches[launch].block[0], nodes = search->graph.nodes;
    at->thread = block[0] * threads + first_thread;
    at->phase = launch % 2 ? LOAD_UPDATING : LOAD_MASK;
    for (uint32_t lane = 0; lane < WARP_SIZE && first_thread + lane < threads; lane++) {
        at->lanes |= UINT32_C(1) << lane;
        at->mask |= (uint32_t)(at->thread + lane < nodes) << lane;
    }
    warp->gap = PROLOGUE;
}

static uint32_t lane_index(const struct searcher *at, enum index index, uint32_t lane)
{
    switch (index) {
    case BY_THREAD:
        return at->thread + lane;
    case BY_EDGE:
        return at->edge[lane];
    case BY_NEIGHBOUR:
        return at->neighbour[lane];
    case BY_NOTHING:
        break;
    }
    return 0;
}

/* What a load finds where no device holds the values. */
static uint32_t known_value(const struct search *search, enum phase phase, uint32_t level,
                            uint32_t index)
{
    const struct graph *graph = &search->graph;
    switch (phase) {
    case LOAD_MASK:
        return search->level[index] == level;
    case LOAD_COUNT:
    case RELOAD_COUNT:
        return graph->first[index + 1] - graph->first[index];
    case LOAD_FIRST:
    case RELOAD_FIRST:
        return graph->first[index];
    case LOAD_EDGE:
        return graph->edges[index];
    case LOAD_VISITED:
        return search->level[index] <= level;
    case LOAD_COST:
        return search->level[index];
    case LOAD_UPDATING:
        return search->level[index] == level + 1;
    default:
        return 0;
    }
}

static uint32_t stored_value(const struct searcher *at, enum phase phase, uint32_t lane)
{
    if (phase == STORE_COST)
        return at->value[lane] + 1;
    return phase == SET_UPDATING || phase == SET_MASK || phase == SET_VISITED || phase == SET_OVER;
}

/* Moves the value of one lane through memory; bytes are little-endian on every host. */
static void move_value(struct searcher *at, const struct record *record, uint32_t lane,
                       unsigned char *memory)
{
    if (!memory)
        return;
    uint32_t value = record->op == OP_STORE ? stored_value(at, at->phase, lane) : 0;
    for (uint32_t byte = 0; byte < record->bytes; byte++) {
        if (record->op == OP_STORE)
            memory[byte] = (unsigned char)(value >> (8 * byte));
        else
            value |= (uint32_t)memory[byte] << (8 * byte);
    }
    if (record->op == OP_LOAD)
        at->value[lane] = value;
}

static void emit(const struct search *search, uint32_t level, struct searcher *at,
                 struct access_window *window, struct device *device)
{
    const struct record *record = &records[at->phase];
    uint64_t addresses[WARP_SIZE], base = search->program.arrays[record->array].base;
    unsigned count = 0;
    for (uint32_t left = at->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint32_t index = lane_index(at, record->index, lane);
        uint64_t address = base + (uint64_t)record->scale * index + record->offset;
        addresses[count++] = address;
        if (device)
            move_value(at, record, lane, device_at(device, address, record->bytes));
        else if (record->op == OP_LOAD)
            at->value[lane] = known_value(search, at->phase, level, index);
    }
    struct warp_access access = {
        .mask = at->mask,
        .pc = (uint32_t)at->phase * PC_BYTES,
        .gap = at->warp.gap + record->before,
        .bytes = record->bytes,
        .op = record->op,
        .space = SPACE_GLOBAL,
    };
    window_push(window, access, addresses);
    at->warp.gap = 0;
}

static uint32_t lanes_with(const struct searcher *at, uint32_t wanted)
{
    uint32_t lanes = 0;
    for (uint32_t left = at->mask; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        if (!at->value[lane] == !wanted)
            lanes |= UINT32_C(1) << lane;
    }
    return lanes;
}

static void keep_values(const struct searcher *at, uint32_t to[WARP_SIZE])
{
    for (uint32_t left = at->mask; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        to[lane] = at->value[lane];
    }
}

static void bfs_finish(struct searcher *at)
{
    at->warp.gap += RETURN;
    at->warp.done = true;
}

/* The end of an iteration: on with the lanes that have another edge. */
static void next_edge(struct searcher *at)
{
    uint32_t left = at->looping;
    at->warp.gap += LOOP_END;
    at->looping = 0;
    for (; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        if (++at->edge[lane] < at->first[lane] + at->count[lane])
            at->looping |= UINT32_C(1) << lane;
    }
    at->mask = at->looping;
    at->phase = LOAD_EDGE;
    if (!at->mask)
        bfs_finish(at);
}

/* Only the lanes that loaded `wanted` go on; the warp ends where there is none. */
static void branch(struct searcher *at, uint32_t wanted)
{
    at->mask = lanes_with(at, wanted);
    at->warp.gap += TEST;
    at->phase++;
    if (!at->mask)
        bfs_finish(at);
}

static void advance(struct searcher *at)
{
    switch ((enum phase)at->phase) {
    case LOAD_MASK:
    case LOAD_UPDATING:
        branch(at, 1);
        break;
    case LOAD_COUNT:
    case RELOAD_COUNT:
        keep_values(at, at->count);
        at->phase++;
        break;
    case LOAD_FIRST:
        keep_values(at, at->first);
        keep_values(at, at->edge);
        at->looping = at->mask;
        at->warp.gap += LOOP_START;
        at->phase++;
        break;
    case LOAD_EDGE:
        keep_values(at, at->neighbour);
        at->phase++;
        break;
    case LOAD_VISITED:
        at->mask = lanes_with(at, 0);
        at->warp.gap += TEST;
        at->phase++;
        if (!at->mask)
            next_edge(at);
        break;
    case RELOAD_FIRST:
        keep_values(at, at->first);
        next_edge(at);
        break;
    case CLEAR_UPDATING:
        bfs_finish(at);
        break;
    default:
        at->phase++;
    }
}

static void resume(const struct program *program, uint32_t launch, struct warp *warp,
                   struct access_window *window, struct device *device)
{
    struct searcher *at = (struct searcher *)warp;
    if (!at->mask && !warp->done)
        bfs_finish(at); /* no thread has a node */
    while (!warp->done && window->count < window->capacity) {
        emit((const struct search *)program, launch / 2, at, window, device);
        advance(at);
    }
}

/* Names the instructions that `gap` counts after the last record: the last of them is a branch. */
static void name_control(struct searcher *at, uint32_t gap, uint32_t mask)
{
    issuer_add_work(&at->issuer, gap ? 1 : 0, &(struct work){.integers = gap - 1, .branches = 1},
                    mask);
}

/* Names the instructions up to the next record or up to the end. */
static void name_record(const struct search *search, uint32_t level, struct searcher *at)
{
    struct warp_access access;
    uint64_t addresses[WARP_SIZE];
    struct access_window one = {.items = &access, .lanes = addresses, .capacity = 1};
    if (!at->started) {
        issuer_add(&at->issuer, ISSUE_PROLOGUE, at->lanes);
        at->warp.gap = 0;
        at->started = true;
    }
    if (at->mask) {
        uint32_t site = at->phase;
        name_control(at, at->warp.gap, at->mask);
        issuer_add_work(&at->issuer, 1, &(struct work){.integers = records[site].before}, at->mask);
        issuer_add_access(&at->issuer, site, at->mask);
        emit(search, level, at, &one, NULL);
        advance(at);
    } else {
        bfs_finish(at);
    }
    if (!at->warp.done)
        return;
    at->warp.done = false; /* until all of them are issued */
    at->finished = true;
    name_control(at, at->warp.gap - RETURN, at->lanes);
    issuer_add(&at->issuer, ISSUE_EXIT, at->lanes);
}

static enum status bfs_issue(const struct program *program, uint32_t launch, struct warp *warp,
                             struct instruction_window *window)
{
    struct searcher *at = (struct searcher *)warp;
    const struct search *search = (const struct search *)program;
    while (!warp->done && !at->issuer.status && window->count < window->capacity) {
        if (issuer_is_empty(&at->issuer))
            name_record(search, launch / 2, at);
        issuer_issue(&at->issuer, &search->code, window);
        warp->done = at->finished && issuer_is_empty(&at->issuer);
    }
    return at->issuer.status;
}

static void stop(struct warp *warp)
{
    issuer_free(&((struct searcher *)warp)->issuer);
}

static void free_search(struct program *program)
{
    struct search *search = (struct search *)program;
    graph_free(&search->graph);
    free(search->level);
}

static const struct program_ops bfs_ops = {
    .warp_bytes = warp_bytes,
    .start = bfs_start,
    .resume = resume,
    .issue = bfs_issue,
    .stop = stop,
    .free = free_search,
};

static enum status open_bfs(const uint64_t *values, struct trace_source **source,
                            struct diagnostics *diagnostics)
{
    struct search *search = calloc(1, sizeof *search);
    if (!search)
        return STATUS_MEMORY;
    struct program *program = &search->program;
    uint64_t nodes = values[NODES];
    program_init(program, &workload_bfs, values, &bfs_ops);
    enum status status = graph_create(&search->graph, nodes, values[DEGREE], values[SEED]);
    uint32_t levels = 0;
    if (!status)
        search->level = graph_levels(&search->graph, &levels);
    if (!search->level) {
        program->status = STATUS_MEMORY;
        return program_finish(program, source, diagnostics);
    }
    program_array(program, "nodes", 8 * nodes);
    program_array(program, "edges", 4 * (uint64_t)search->graph.first[nodes]);
    program_array(program, "mask", nodes);
    program_array(program, "updating", nodes);
    program_array(program, "visited", nodes);
    program_array(program, "cost", 4 * nodes);
    program_array(program, "over", 1);
    struct trace_code *rows = program_code(program, 0);
    if (rows)
        program->status = site_code_build(&search->code, &kernel_code, 0, rows);
    for (uint32_t level = 0; level < levels; level++) {
        program_launch(program, "Kernel", nodes, 1, (uint32_t)values[BLOCK_X], 1);
        program_launch(program, "Kernel2", nodes, 1, (uint32_t)values[BLOCK_X], 1);
    }
    for (uint32_t i = 0; i < program->source.launch_count; i++)
        program->source.launches[i].code = 1;
    return program_finish(program, source, diagnostics);
}

const struct graph *bfs_graph(const struct trace_source *source)
{
    return &((const struct search *)source)->graph;
}

static void put_word(unsigned char *memory, uint64_t index, uint32_t value)
{
    for (uint32_t byte = 0; byte < 4; byte++)
        memory[4 * index + byte] = (unsigned char)(value >> (8 * byte));
}

void bfs_upload(const struct trace_source *source, struct device *device)
{
    const struct search *search = (const struct search *)source;
    const struct graph *graph = &search->graph;
    unsigned char *at[ARRAY_OVER + 1];
    for (int i = 0; i <= ARRAY_OVER; i++)
        at[i] = device_at(device, search->program.arrays[i].base, 1);
    for (uint32_t v = 0; v < graph->nodes; v++) {
        put_word(at[ARRAY_NODES], 2 * (uint64_t)v, graph->first[v]);
        put_word(at[ARRAY_NODES], 2 * (uint64_t)v + 1, graph->first[v + 1] - graph->first[v]);
        put_word(at[ARRAY_COST], v, v ? UINT32_MAX : 0);
    }
    for (uint32_t e = 0; e < graph->first[graph->nodes]; e++)
        put_word(at[ARRAY_EDGES], e, graph->edges[e]);
    at[ARRAY_MASK][0] = at[ARRAY_VISITED][0] = 1;
}

CUDA_PROGRAM(
    bfs, "BFS", RODINIA_SUITE,
    .help = "breadth-first search by levels on a random graph; irregular gathers, divergent lanes");
