/* The nodes of the tree of stages, private to stages*.c and model/replay.
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
#include "model/pass/stages.h"
#include "model/tile/deal.h"
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

struct l1i_node {
    struct node node;
    struct cache *cache;
    uint64_t *last;             /* [SM]: line of its last fetch, plus one; 0: none */
    uint64_t repeated;          /* fetches from it that read no tags (l1i.same_line) */
    bool aside;                 /* counting is off */
    struct request_buffer run;  /* scratch: fetches that read the tags */
    struct request_buffer down; /* scratch: its misses */
    struct fetch_ahead *ahead;  /* what is in front of and behind it (fetch_ahead.h); or NULL */
};

struct tile_pool { /* tile caches that deal the screen out to their banks alike */
    const struct tile_config *config;
    struct screen screen;
    struct dealt dealt;
    struct request_buffer requests; /* scratch: of this batch, dealt to the banks */
    struct cache_batch *batch;      /* caches without a node */
};

struct tile_node {
    struct node node; /* the parent is a pool */
    struct cache *cache;
};

struct page_stream { /* the page requests of the current batch for one page size */
    uint64_t page_size;
    struct request *items;
    size_t count, capacity;
    uint32_t instructions;     /* instructions issued so far, modulo 2^32 */
    struct cache_batch *batch; /* TLBs without a node */
};

struct leaf {
    int l1d, l2, tlb, pwc, l1i, tile; /* node numbers or NO_NODE */
    /* Caches that are members of a model/lru/cache_batch.h and have no node. */
    bool l1d_shared, l2_shared, tlb_shared;
    /* Numbers in the batch of the requests, the misses, the pages. */
    size_t l1d_member, l2_member, tlb_member;
    size_t l2_pool;             /* number among the L1D's pools */
    uint64_t page_size;         /* page size of a shared TLB */
    bool has_tile, tile_shared; /* tile_shared: without a node, in the batch of its pool */
    size_t tile_pool, tile_member;
    const struct machine *machine;
};

struct stages {
    unsigned needs;
    enum pass_share share;
    bool grids;
    struct request_logs logs;  /* of the first L1D and TLB; the stream is not recorded here */
    struct pc_table *pcs;      /* for the first L1D, or NULL */
    struct cache_batch *batch; /* L1Ds without a node */
    struct cache_node *l1ds, *l2s;
    struct tlb_node *tlbs;
    struct l2tlb_node *l2tlbs;
    struct pwc_node *pwcs;
    struct l1i_node *l1is;
    size_t l1i_count, l1i_capacity;
    const struct tile_stream *tiles; /* what the tile requests are of; NULL: of no scene */
    struct tile_pool *tile_pools;
    struct tile_node *tile_nodes;
    size_t tile_pool_count, tile_pool_capacity, tile_count, tile_capacity;
    struct page_stream *pages;
    struct leaf *leaves;
    size_t l1d_count, l2_count, tlb_count, l2tlb_count, pwc_count, page_count, leaf_count;
    size_t l1d_capacity, l2_capacity, tlb_capacity, l2tlb_capacity, pwc_capacity, page_capacity,
        leaf_capacity;
    unsigned spaces; /* spaces that the L1Ds serve, the same for all machines of a tree */
    struct request_buffer taken;  /* scratch: the requests to these spaces, if there are others */
    struct request_buffer sliced; /* scratch: an L1D's misses with their slices */
};

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
enum status coupling_status(const struct coupling *coupling);
struct walk_memory coupling_memory(struct coupling *coupling);
/* Runs what caches and translation sent to coupled L2s in this batch; call after both. */
enum status stages_run_coupled(struct stages *stages, struct diagnostics *diagnostics);

/* The walks that reach a page-walk cache in this batch. */
const struct request_buffer *stages_walks(const struct stages *stages, const struct pwc_node *node);

/* Finds in an array of nodes of `size` bytes the one that simulates `stage` of this machine after
 * the same parent; or NO_NODE. */
int stages_find_node(const void *nodes, size_t count, size_t size, const struct node *wanted,
                     unsigned stage);

/* The translation part of the functions of model/pass/stages.h. */
enum status stages_add_translation(struct stages *stages, const struct machine *machine,
                                   struct leaf *added);
enum status stages_run_translation(struct stages *stages, const struct request *requests,
                                   size_t count);
void stages_count_translation(struct stages *stages, bool counted);
enum status stages_assume_translation(struct stages *stages);
enum status stages_finish_translation(struct stages *stages);
void stages_free_translation(struct stages *stages);

/* The instruction caches (stages_fetch.c). */
enum status stages_add_l1i(struct stages *stages, const struct machine *machine,
                           struct leaf *added);
void stages_count_l1is(struct stages *stages, bool counted);
enum status stages_assume_l1is(struct stages *stages);
void stages_put_l1i(const struct stages *stages, const struct leaf *leaf, struct metrics *metrics);
void stages_free_l1is(struct stages *stages);

/* The tile caches (stages_tile.c). */
enum status stages_add_tile(struct stages *stages, const struct machine *machine,
                            struct leaf *added);
enum status stages_flush_tiles(struct stages *stages);
enum status stages_finish_tiles(struct stages *stages);
void stages_put_tile(const struct stages *stages, const struct leaf *leaf, struct metrics *metrics);
void stages_free_tiles(struct stages *stages);
