/* The rows and nodes of the tree of stages, private to stages*.c and model/replay.
 *
 * Nodes are kept in one array per kind and refer to each other by index, because the arrays grow
 * while machines are added. A node never moves to another parent, and a leaf names the nodes of one
 * machine. */
#pragma once

#include "model/cache/cache.h"
#include "model/cache/opt.h"
#include "model/cache/partition.h"
#include "model/evaluate_options.h"
#include "model/lru/cache_batch.h"
#include "model/pass/stage_tree.h"
#include "model/translation/walk_unit.h"

enum { NO_NODE = -1 };

/* The common head of all nodes: the machine that asked for it, and its parent. */
struct node {
    const struct machine *machine;
    uint64_t key; /* machine_hash of the stage's parameters */
    int parent;   /* the L1D before an L2, the TLB before a page-walk cache; or NO_NODE */
};

struct l2_pool { /* L2s after one L1D that have no node and spread addresses over slices alike */
    const struct cache_config *config;
    struct partition partition;
    struct cache_batch *batch;
};

struct cache_node {
    struct node node;
    struct cache *cache;
    struct opt_cache *opt; /* beside the cache, or instead of it if the policy is OPT */
    struct cache_counts opt_counts, opt_bypass_counts; /* bypass: of loads, besides */
    struct request_buffer down;                        /* L1D: requests for the L2s */
    struct partition partition;                        /* L2 */
    uint64_t walk_accesses, walk_misses;               /* L2: reads by page walks */
    /* L2 in halves: what the near slices counted of reads that they passed on, of which the home
     * counts it again; and what such a slice sent on, at most one request's. */
    struct cache_counts crossed;
    uint64_t crossing_misses; /* ... and of what was passed on, what the home lacked */
    struct request_buffer sent;
    bool aside;   /* counting is off */
    bool coupled; /* L1D: has a coupled L2; L2: is coupled */
    size_t *ends; /* coupled L1D: down.count after each instruction of the batch */
    size_t end_count, end_capacity;
    uint64_t ways;            /* L1D: current ways; those of a unified one change with the launch */
    struct l2_pool *l2_pools; /* L1D: the pools after it */
    size_t l2_pool_count, l2_pool_capacity;
};

struct l1d_stage {
    struct cache_batch *batch; /* caches without a node */
    struct cache_node *nodes;
    size_t count, capacity;
    unsigned spaces; /* spaces that the L1Ds serve, the same for all machines of a tree */
    struct request_buffer taken;  /* scratch: the requests to these spaces, if there are others */
    struct request_buffer sliced; /* scratch: an L1D's misses with their slices */
};

struct l2_stage {
    struct cache_node *nodes;
    size_t count, capacity;
};

struct tlb_node {
    struct node node;
    struct cache *cache;
    struct request_buffer down; /* misses: page walks, in order */
};

struct l2tlb_node { /* a shared TLB after a TLB; machines that agree in it share it */
    const struct machine *machine;
    int tlb;
    struct cache *cache;
    struct request_buffer down;
};

struct pwc_node {
    struct node node;
    int l2tlb; /* the shared TLB between the TLB and this, or NO_NODE */
    struct walk_unit *instance;
    struct coupling *coupling; /* if walks read through an L2; or NULL */
};

struct page_stream { /* the page requests of the current batch for one page size */
    uint64_t page_size;
    struct request *items;
    size_t count, capacity;
    uint32_t instructions;     /* instructions issued so far, modulo 2^32 */
    struct cache_batch *batch; /* TLBs without a node */
};

struct tlb_stage {
    struct tlb_node *nodes;
    struct page_stream *pages;
    size_t count, capacity, page_count, page_capacity;
};

struct pwc_stage {
    struct pwc_node *nodes;
    struct l2tlb_node *l2tlbs;
    size_t count, capacity, l2tlb_count, l2tlb_capacity;
};

/* Where one machine's part of a stage is counted: at a node, or as a member of a batch of a pool
 * (model/lru/cache_batch.h), which has none. */
struct stage_place {
    int node; /* or NO_NODE */
    bool shared;
    size_t pool, member;
};

struct leaf {
    const struct machine *machine;
    struct stage_place places[STAGE_COUNT];
};

struct stages {
    unsigned needs;
    enum pass_share share;
    bool grids;
    struct request_logs logs;        /* of the first L1D and TLB; the stream is not recorded here */
    struct pc_table *pcs;            /* for the first L1D, or NULL */
    const struct tile_stream *tiles; /* what the tile requests are of; NULL: of no scene */
    void *own[STAGE_COUNT];          /* what a stage keeps: state_size bytes, zero at first */
    struct leaf *leaves;
    size_t leaf_count, leaf_capacity;
};

/* A stage in the tree. Functions that are NULL do nothing. Each is called for every stage in the
 * order of the table, `finish` in reverse: a walk that ends late still reads the L2. */
struct stage_ops {
    size_t state_size;
    enum feed feed; /* what `run` gets */
    /* Adds the node of a machine that does not exist yet, and says where it is. */
    enum status (*add)(struct stages *stages, const struct machine *machine, struct leaf *added);
    enum status (*launch)(struct stages *stages, const struct trace_launch *launch);
    enum status (*run)(struct stages *stages, const struct request *requests, size_t count,
                       struct diagnostics *diagnostics);
    void (*count)(struct stages *stages, bool counted);
    enum status (*assume)(struct stages *stages, bool emptied);
    enum status (*finish)(struct stages *stages);
    void (*put)(const struct stages *stages, const struct leaf *leaf, struct metrics *metrics);
    struct cache *(*watched)(const struct stages *stages); /* of the first node; NULL: none */
    void (*free)(struct stages *stages);
};

#define STAGE_OPS(id, ...) extern const struct stage_ops stage_ops_##id;
PASS_STAGE_LIST(STAGE_OPS)
#undef STAGE_OPS

/* What stages that feed each other know of each other. */
static inline struct l1d_stage *l1d_stage(const struct stages *stages)
{
    return stages->own[STAGE_INDEX_L1D];
}

static inline struct l2_stage *l2_stage(const struct stages *stages)
{
    return stages->own[STAGE_INDEX_L2];
}

static inline struct tlb_stage *tlb_stage(const struct stages *stages)
{
    return stages->own[STAGE_INDEX_TLB];
}

static inline struct pwc_stage *pwc_stage(const struct stages *stages)
{
    return stages->own[STAGE_INDEX_PWC];
}

/* The page requests for this page size, which some TLB must use. */
const struct page_stream *stages_pages(const struct stages *stages, uint64_t page_size);

/* Writes the counts of a cache (an L1D or, with `l2`, an L2) or of the TLBs as metrics. */
void stages_put_cache(const struct cache_counts *counts, bool l2, bool classified,
                      struct metrics *metrics);
void stages_put_tlb(const struct cache_counts *counts, struct metrics *metrics);

/* Runs requests of one L1D, in order, through an L2 after it. */
enum status stages_run_l2(struct stages *stages, struct cache_node *node,
                          const struct request *misses, size_t count,
                          struct diagnostics *diagnostics);

/* An L2 in halves (stages_halves.c). `sliced`: the same requests with their homes. */
enum status stages_run_halves(struct cache_node *node, const struct request *misses, size_t count,
                              const struct request *sliced);

/* Page walks through an L2 (stages_coupled.c). Such an L2 and its page-walk cache are simulated
 * together and shared by machines that agree in all of both chains. */
enum {
    COUPLED_L2 = STAGE_L2 | STAGE_TLB | STAGE_PWC,
    COUPLED_PWC = STAGE_PWC | STAGE_L1D | STAGE_L2
};
enum status stages_couple(struct stages *stages, struct pwc_node *node, int l2);
void coupling_free(struct coupling *coupling);
/* Runs what caches and translation sent to coupled L2s in this batch; call after both. */
enum status stages_run_coupled(struct stages *stages, const struct request *requests, size_t count,
                               struct diagnostics *diagnostics);
enum status coupling_status(const struct coupling *coupling);
struct walk_memory coupling_memory(struct coupling *coupling);

/* The walks that reach a page-walk cache in this batch. */
const struct request_buffer *stages_walks(const struct stages *stages, const struct pwc_node *node);

/* Finds in an array of nodes of `size` bytes the one that simulates `stage` of this machine after
 * the same parent; or NO_NODE. */
int stages_find_node(const void *nodes, size_t count, size_t size, const struct node *wanted,
                     unsigned stage);

/* Metrics of a level (stages_metrics.c). */
void stages_put_node(const struct stages *stages, const struct cache_node *node, bool l2,
                     struct metrics *metrics);
void stages_put_member(const struct stages *stages, const struct cache_batch *batch, size_t member,
                       bool l2, struct metrics *metrics);
void stages_put_walks(const struct stages *stages, const struct pwc_node *node,
                      struct metrics *metrics);
