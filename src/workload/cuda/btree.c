/* B+TREE: range queries, then point queries in a B+ tree, after Rodinia 3.1; two launches, a block
 * of 256 threads a query, a thread a key of the node.
 *
 * The tree is the one that the suite's host makes of the keys 0, 1, 2, ... inserted in this order
 * into nodes of up to 255 keys: every leaf but the last has 128 keys, every inner node but the last
 * of its level 128 children. So it is known from the number of keys alone and nothing is stored
 * here: node and slot give the word. With a million keys it has 7874 nodes, as the suite prints.
 * Queries are those of the suite's host, which draws them with rand() and never seeds it; its
 * command file says `range` 3000, but the host reads the number of queries, 6000, for it.
 *
 * Nodes are 2068 B apart: 257 indices and 257 keys of 4 B each with their counts. Order: PTX, which
 * keeps the loaded key in a register. In a launch all threads of a block read the same node, so
 * that what a thread loads follows from the query; a walk without a device descends by itself. */
#include <limits.h>
#include <stdlib.h>

#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/glibc_rand.h"
#include "workload/cuda/staged.h"

enum { KEYS, RANGES, RANGE, POINTS };
enum { KEYS_MAX = 1 << 22, QUERIES_MAX = 1 << 20 };

static const struct workload_parameter parameters_btree[] = {
    {"keys", 1000000, 1, KEYS_MAX, "keys in the tree, from 0 on"},
    {"ranges", 6000, 1, QUERIES_MAX, "range queries (command j)"},
    {"range", 6000, 1, KEYS_MAX, "keys between the ends of a range, less than keys"},
    {"points", 10000, 1, QUERIES_MAX, "point queries (command k)"},
    PROGRAM_DEVICE_PARAMETERS,
};

/* In the order of the host's cudaMalloc calls, first those of command j. */
enum btree_array {
    J_NODES,
    J_CURRENT,
    J_OFFSET,
    J_LAST,
    J_OFFSET_2,
    J_START,
    J_END,
    J_RECORD,
    J_LENGTH,
    K_RECORDS,
    K_NODES,
    K_CURRENT,
    K_OFFSET,
    K_KEYS,
    K_ANSWERS
};

enum {
    FANOUT = 128, /* children of a full-grown node, keys of a full-grown leaf */
    BLOCK = 256,
    LEVELS_MAX = 4,
    NODE_BYTES = 2068,
    INDICES_AT = 4,
    KEYS_AT = 1032,
    LEAF_AT = 2060,
    COUNT_AT = 2064,
    SLOTS = 257
};

/* Level 0 is the root, level `height` that of the leaves. Nodes are numbered level by level. */
struct tree {
    int64_t keys;
    uint32_t height;
    int64_t first[LEVELS_MAX], count[LEVELS_MAX]; /* number of the level's first node; nodes */
    int64_t node_count;
};

struct btree {
    struct staged_program staged; /* first */
    struct tree tree;
    int32_t *starts, *ends, *points; /* the queries */
};

static void make_tree(struct tree *tree, int64_t keys)
{
    int64_t counts[LEVELS_MAX]; /* from the leaves up */
    uint32_t levels = 1;
    tree->keys = keys;
    counts[0] = keys / FANOUT ? keys / FANOUT : 1;
    for (; counts[levels - 1] > 1; levels++) {
        int64_t children = counts[levels - 1];
        counts[levels] = children <= 2 * FANOUT ? 1 : (children - FANOUT - 1) / FANOUT + 1;
    }
    tree->height = levels - 1;
    tree->node_count = 0;
    for (uint32_t level = 0; level < levels; level++) {
        tree->first[level] = tree->node_count;
        tree->count[level] = counts[levels - 1 - level];
        tree->node_count += tree->count[level];
    }
}

/* A node by its level and its place in it. */
struct node {
    uint32_t level;
    int64_t place, children; /* children: keys of a leaf */
};

static struct node find_node(const struct tree *tree, int64_t number)
{
    struct node node = {0};
    while (node.level < tree->height && number >= tree->first[node.level] + tree->count[node.level])
        node.level++;
    node.place = number - tree->first[node.level];
    int64_t below = node.level == tree->height ? tree->keys : tree->count[node.level + 1];
    bool last = node.place == tree->count[node.level] - 1;
    node.children = last ? below - FANOUT * node.place : FANOUT;
    return node;
}

/* Keys in a node: those of a leaf, or those between the children. */
static int64_t node_keys(const struct tree *tree, const struct node *node)
{
    return node->level == tree->height ? node->children : node->children - 1;
}

/* keys[slot]: the smallest integer, the node's keys, then the largest integer. The last slot is
 * never written, but that is never noticed: where its neighbour can be reached, it is the largest
 * integer. */
static int32_t key_word(const struct tree *tree, int64_t number, int64_t slot)
{
    struct node node = find_node(tree, number);
    if (slot == 0)
        return INT_MIN;
    if (slot > node_keys(tree, &node))
        return INT_MAX;
    if (node.level == tree->height)
        return (int32_t)(FANOUT * node.place + slot - 1);
    int64_t key = FANOUT * node.place + slot; /* the child's place in its level */
    for (uint32_t level = node.level + 1; level <= tree->height; level++)
        key *= FANOUT;
    return (int32_t)key;
}

/* indices[slot]: a child's number, or a leaf's record, whose slots count from 1. */
static int32_t index_word(const struct tree *tree, int64_t number, int64_t slot)
{
    struct node node = find_node(tree, number);
    bool leaf = node.level == tree->height;
    if (slot >= node.children + leaf || (leaf && slot == 0))
        return 0;
    int64_t place = FANOUT * node.place + slot;
    return (int32_t)(leaf ? place - 1 : tree->first[node.level + 1] + place);
}

/* The child that a key lies below, by arithmetic. */
static int64_t descend(const struct tree *tree, int64_t number, int64_t key)
{
    struct node node = find_node(tree, number);
    for (uint32_t level = node.level + 1; level <= tree->height; level++)
        key /= FANOUT;
    int64_t slot = key - FANOUT * node.place;
    slot = slot >= node.children ? node.children - 1 : slot;
    return index_word(tree, number, slot);
}

/* The word of a node that a load at `offset` finds. */
static int32_t node_word(const struct tree *tree, int64_t number, int64_t offset)
{
    return offset >= KEYS_AT ? key_word(tree, number, (offset - KEYS_AT) / 4)
                             : index_word(tree, number, (offset - INDICES_AT) / 4);
}

/* One end of a query: where its arrays lie, and where a warp of it stands. */
struct cursor {
    uint32_t nodes, current, offset, target; /* arrays */
    int64_t node;                            /* that the level searches; known or loaded */
    int32_t key;
};

struct query {
    struct cursor cursors[2];
};

static const struct tree *tree_of(const struct stage *stage)
{
    return &((const struct btree *)stage->program)->tree;
}

/* All lanes of `mask` load the block's own element of an array. */
static void load_own(struct stage *stage, uint8_t site, uint32_t mask, uint32_t array,
                     uint8_t bytes, void *values)
{
    uint64_t addresses[WARP_SIZE];
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        addresses[lane] = array_base(stage, array) + (uint64_t)stage->block[0] * bytes;
    stage_load(stage, (struct site){site, SPACE_GLOBAL, bytes}, mask, addresses, values);
}

static void store_own(struct stage *stage, uint8_t site, uint32_t mask, uint32_t array,
                      uint8_t bytes, const void *values)
{
    uint64_t addresses[WARP_SIZE];
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        addresses[lane] = array_base(stage, array) + (uint64_t)stage->block[0] * bytes;
    stage_store(stage, (struct site){site, SPACE_GLOBAL, bytes}, mask, addresses, values);
}

/* The lanes load the words `offset` + 4 thread of their nodes. */
static void load_words(struct stage *stage, uint8_t site, uint32_t mask, uint32_t nodes,
                       const int64_t numbers[WARP_SIZE], int64_t offset, int32_t words[WARP_SIZE])
{
    uint64_t addresses[WARP_SIZE];
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        int64_t at = offset + 4 * (int64_t)(stage->first_thread + lane);
        addresses[lane] = array_base(stage, nodes) + (uint64_t)(NODE_BYTES * numbers[lane] + at);
        if (!stage->device && mask >> lane & 1)
            words[lane] = node_word(tree_of(stage), numbers[lane], at);
    }
    stage_load(stage, word_site(site), mask, addresses, words);
}

/* Loads the node, the thread's key in it and the query's key: how every comparison begins. */
static void load_keys(struct stage *stage, uint8_t site, struct cursor *cursor,
                      int64_t numbers[WARP_SIZE], int32_t keys[WARP_SIZE],
                      int32_t wanted[WARP_SIZE])
{
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        numbers[lane] = cursor->node;
        wanted[lane] = cursor->key;
    }
    load_own(stage, site, UINT32_MAX, cursor->current, 8, numbers);
    stage_work(stage, 4);
    load_words(stage, site + 1, UINT32_MAX, cursor->nodes, numbers, KEYS_AT, keys);
    load_own(stage, site + 2, UINT32_MAX, cursor->target, 4, wanted);
    cursor->node = numbers[0];
}

/* One level: the one thread between whose keys the wanted one lies stores the child's number.
 * `again`: the child is looked up in the node that `offset` names, which is the same. */
static void search_level(struct stage *stage, uint8_t site, struct cursor *cursor, bool again)
{
    int64_t numbers[WARP_SIZE], child[WARP_SIZE];
    int32_t keys[WARP_SIZE] = {0}, wanted[WARP_SIZE], next[WARP_SIZE] = {0}, words[WARP_SIZE] = {0};
    load_keys(stage, site, cursor, numbers, keys, wanted);
    uint32_t at_least = 0, below = 0, valid = 0;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        at_least |= (uint32_t)(keys[lane] <= wanted[lane]) << lane;
    stage_work(stage, 2);
    load_words(stage, site + 3, at_least, cursor->nodes, numbers, KEYS_AT + 4, next);
    for (uint32_t left = at_least; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        below |= (uint32_t)(next[lane] > wanted[lane]) << lane;
    }
    stage_work(stage, at_least ? 2 : 0);
    if (again)
        load_own(stage, site + 4, below, cursor->offset, 8, numbers);
    stage_work(stage, below ? 4 : 0);
    load_words(stage, site + 5, below, cursor->nodes, numbers, INDICES_AT, words);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        child[lane] = words[lane];
        if (below >> lane & 1 && child[lane] < tree_of(stage)->node_count)
            valid |= UINT32_C(1) << lane;
    }
    stage_work(stage, below ? 3 : 0);
    store_own(stage, site + 6, valid, cursor->offset, 8, child);
}

/* Thread 0 makes the child the node of the next level. */
static void follow_child(struct stage *stage, uint8_t site, struct cursor *cursor)
{
    int64_t child[WARP_SIZE];
    cursor->node = descend(tree_of(stage), cursor->node, cursor->key);
    if (stage->first_thread)
        return;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        child[lane] = cursor->node;
    load_own(stage, site, 1, cursor->offset, 8, child);
    store_own(stage, site + 1, 1, cursor->current, 8, child);
}

/* The lane, if any, whose key in the leaf is the wanted one, and its record's number. */
static uint32_t find_record(struct stage *stage, uint8_t site, struct cursor *cursor,
                            int32_t words[WARP_SIZE])
{
    int64_t numbers[WARP_SIZE];
    int32_t keys[WARP_SIZE] = {0}, wanted[WARP_SIZE];
    uint32_t equal = 0;
    load_keys(stage, site, cursor, numbers, keys, wanted);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        equal |= (uint32_t)(keys[lane] == wanted[lane]) << lane;
    stage_work(stage, 2);
    load_words(stage, site + 3, equal, cursor->nodes, numbers, INDICES_AT, words);
    return equal;
}

static enum stage_end run_point(struct stage *stage)
{
    enum { LEVEL_SITE = 0, FOLLOW_SITE = 8, RECORD_SITE = 16 };
    const struct btree *btree = (const struct btree *)stage->program;
    struct query *query = stage->state;
    struct cursor *cursor = &query->cursors[0];
    if (stage->number == 0)
        *cursor = (struct cursor){K_NODES, K_CURRENT, K_OFFSET,
                                  K_KEYS,  0,         btree->points[stage->block[0]]};
    if (stage->number < 2 * btree->tree.height) {
        if (stage->number % 2)
            follow_child(stage, FOLLOW_SITE, cursor);
        else
            search_level(stage, LEVEL_SITE, cursor, true);
        stage_work(stage, 3);
        return STAGE_BARRIER;
    }
    int32_t words[WARP_SIZE] = {0}, answers[WARP_SIZE] = {0};
    uint64_t addresses[WARP_SIZE];
    uint32_t equal = find_record(stage, RECORD_SITE, cursor, words);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        addresses[lane] = array_base(stage, K_RECORDS) + 4 * (uint64_t)words[lane];
    stage_work(stage, equal ? 2 : 0);
    stage_load(stage, word_site(RECORD_SITE + 4), equal, addresses, answers);
    store_own(stage, RECORD_SITE + 5, equal, K_ANSWERS, 4, answers);
    return STAGE_DONE;
}

static enum stage_end run_range(struct stage *stage)
{
    enum { LEVEL_SITE = 0, FOLLOW_SITE = 16, RECORD_SITE = 24 };
    const struct btree *btree = (const struct btree *)stage->program;
    struct query *query = stage->state;
    struct cursor *start = &query->cursors[0], *end = &query->cursors[1];
    if (stage->number == 0) {
        uint32_t b = stage->block[0];
        *start = (struct cursor){J_NODES, J_CURRENT, J_OFFSET, J_START, 0, btree->starts[b]};
        *end = (struct cursor){J_NODES, J_LAST, J_OFFSET_2, J_END, 0, btree->ends[b]};
    }
    uint32_t height = btree->tree.height;
    if (stage->number < 2 * height) {
        for (uint8_t i = 0; i < 2; i++)
            if (stage->number % 2)
                follow_child(stage, FOLLOW_SITE + 2 * i, &query->cursors[i]);
            else
                search_level(stage, LEVEL_SITE + 8 * i, &query->cursors[i], false);
        stage_work(stage, 3);
        return STAGE_BARRIER;
    }
    int32_t words[WARP_SIZE] = {0}, records[WARP_SIZE] = {0};
    if (stage->number == 2 * height) {
        uint32_t equal = find_record(stage, RECORD_SITE, start, words);
        store_own(stage, RECORD_SITE + 4, equal, J_RECORD, 4, words);
        return STAGE_BARRIER;
    }
    uint32_t equal = find_record(stage, RECORD_SITE + 8, end, words);
    load_own(stage, RECORD_SITE + 12, equal, J_RECORD, 4, records);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        words[lane] = words[lane] - records[lane] + 1;
    stage_work(stage, equal ? 2 : 0);
    store_own(stage, RECORD_SITE + 13, equal, J_LENGTH, 4, words);
    return STAGE_DONE;
}

static const struct staged_kernel range_kernel = {
    .name = "findRangeK",
    .code = {.sites = "L LL L . L S . L LL L . L S . LS LS .... L LL LS ... L LL LL S",
             .prologue = 12},
    .state_bytes = sizeof(struct query),
    .run = run_range,
};
static const struct staged_kernel point_kernel = {
    .name = "findK",
    .code = {.sites = "L LL L L L S . LS ...... L LL L LS", .prologue = 10},
    .state_bytes = sizeof(struct query),
    .run = run_point,
};

static int32_t draw_key(struct glibc_rand *random, int64_t keys)
{
    return (int32_t)((float)glibc_rand_next(random) / (float)GLIBC_RAND_MAX * (float)keys);
}

static enum status draw_queries(struct btree *btree, const uint64_t *values)
{
    struct glibc_rand random;
    int64_t keys = (int64_t)values[KEYS];
    glibc_rand_init(&random, 1);
    btree->starts = malloc(values[RANGES] * sizeof *btree->starts);
    btree->ends = malloc(values[RANGES] * sizeof *btree->ends);
    btree->points = malloc(values[POINTS] * sizeof *btree->points);
    if (!btree->starts || !btree->ends || !btree->points)
        return STATUS_MEMORY;
    for (uint64_t i = 0; i < values[RANGES]; i++) {
        int64_t start = draw_key(&random, keys), end = start + (int64_t)values[RANGE];
        if (end >= keys) {
            start -= end - keys;
            end = keys - 1;
        }
        btree->starts[i] = (int32_t)start;
        btree->ends[i] = (int32_t)end;
    }
    for (uint64_t i = 0; i < values[POINTS]; i++)
        btree->points[i] = draw_key(&random, keys);
    return STATUS_OK;
}

static void upload_nodes(const struct btree *btree, uint32_t array, struct device *device)
{
    const struct tree *tree = &btree->tree;
    const struct trace_array *nodes = &btree->staged.program.arrays[array];
    for (int64_t number = 0; number < tree->node_count; number++) {
        unsigned char *at =
            device_at(device, nodes->base + (uint64_t)(number * NODE_BYTES), NODE_BYTES);
        struct node node = find_node(tree, number);
        int32_t *indices = (int32_t *)(void *)(at + INDICES_AT);
        int32_t *keys = (int32_t *)(void *)(at + KEYS_AT);
        for (int64_t slot = 0; slot < SLOTS; slot++) {
            indices[slot] = index_word(tree, number, slot);
            keys[slot] = key_word(tree, number, slot);
        }
        *(int32_t *)(void *)(at + LEAF_AT) = node.level == tree->height;
        *(int32_t *)(void *)(at + COUNT_AT) = (int32_t)node_keys(tree, &node) + 2;
    }
}

static int32_t *words_of(const struct btree *btree, uint32_t array, struct device *device)
{
    return device_at(device, btree->staged.program.arrays[array].base, 4);
}

static void btree_upload(const struct staged_program *program, struct device *device)
{
    const struct btree *btree = (const struct btree *)program;
    const struct trace_array *arrays = program->program.arrays;
    for (uint32_t a = J_CURRENT; a <= K_ANSWERS; a++)
        for (uint64_t i = 0; i < arrays[a].bytes / 4; i++)
            words_of(btree, a, device)[i] = 0;
    upload_nodes(btree, J_NODES, device);
    upload_nodes(btree, K_NODES, device);
    for (uint64_t i = 0; i < arrays[J_START].bytes / 4; i++) {
        words_of(btree, J_START, device)[i] = btree->starts[i];
        words_of(btree, J_END, device)[i] = btree->ends[i];
    }
    for (uint64_t i = 0; i < arrays[K_KEYS].bytes / 4; i++) {
        words_of(btree, K_KEYS, device)[i] = btree->points[i];
        words_of(btree, K_ANSWERS, device)[i] = -1;
    }
    for (int64_t i = 0; i < btree->tree.keys; i++)
        words_of(btree, K_RECORDS, device)[i] = (int32_t)i;
}

static void btree_release(struct staged_program *program)
{
    struct btree *btree = (struct btree *)program;
    free(btree->starts);
    free(btree->ends);
    free(btree->points);
}

static void btree_allocate(struct program *program, uint64_t nodes, const uint64_t *values)
{
    uint64_t ranges = values[RANGES], points = values[POINTS];
    program_array(program, "j_nodes", nodes);
    program_array(program, "j_current", 8 * ranges);
    program_array(program, "j_offset", 8 * ranges);
    program_array(program, "j_last", 8 * ranges);
    program_array(program, "j_offset_2", 8 * ranges);
    program_array(program, "j_start", 4 * ranges);
    program_array(program, "j_end", 4 * ranges);
    program_array(program, "j_record", 4 * ranges);
    program_array(program, "j_length", 4 * ranges);
    program_array(program, "k_records", 4 * values[KEYS]);
    program_array(program, "k_nodes", nodes);
    program_array(program, "k_current", 8 * points);
    program_array(program, "k_offset", 8 * points);
    program_array(program, "k_keys", 4 * points);
    program_array(program, "k_answers", 4 * points);
}

static enum status open_btree(const uint64_t *values, struct trace_source **source,
                              struct diagnostics *diagnostics)
{
    if (values[RANGE] >= values[KEYS])
        return diagnostics_error(
            diagnostics, STATUS_INVALID, "range must be less than keys, got %llu and %llu",
            (unsigned long long)values[RANGE], (unsigned long long)values[KEYS]);
    struct btree *btree = staged_create(sizeof *btree, &workload_btree, values);
    if (!btree)
        return STATUS_MEMORY;
    struct staged_program *program = &btree->staged;
    program->upload = btree_upload;
    program->release = btree_release;
    make_tree(&btree->tree, (int64_t)values[KEYS]);
    enum status status = draw_queries(btree, values);
    if (status)
        program->program.status = status;
    btree_allocate(&program->program, (uint64_t)btree->tree.node_count * NODE_BYTES, values);
    staged_launch(program, &range_kernel, values[RANGES], 1, BLOCK, 1, 0);
    staged_launch(program, &point_kernel, values[POINTS], 1, BLOCK, 1, 0);
    return staged_finish(program, source, diagnostics);
}

CUDA_PROGRAM(btree, "B+TREE", RODINIA_SUITE,
             .help = "range and point queries in a tree; nodes of 2068 B, one thread per key");
