/* Inside of model/pass/stages.h: the nodes of the tree. */
#pragma once

#include "model/cache/cache.h"
#include "model/cache/opt.h"
#include "model/cache/partition.h"
#include "model/evaluate_options.h"
#include "model/lru/cache_batch.h"
#include "model/pass/stages.h"
#include "model/translation/walk_unit.h"

enum { NO_NODE = -1 };

/* What every node begins with: who asked for it, and what it stands behind. */
struct node {
    const struct machine *machine;
    uint64_t key; /* machine_hash of the stage's parameters */
    int parent;   /* the L1D in front of an L2, the TLB in front of a page-walk cache; or NO_NODE */
};

struct l2_pool { /* L2s behind one L1D without a node of their own: of one way to deal to slices */
    const struct cache_config *config;
    struct partition partition;
    struct cache_batch *batch;
};

struct cache_node {
    struct node node;
    struct cache *cache;
    struct opt_cache *opt; /* beside the cache, or instead of it where the policy is OPT */
    struct cache_counts opt_counts;
    struct request_buffer down;          /* L1D: what goes on to the L2s */
    struct partition partition;          /* L2 */
    uint64_t walk_accesses, walk_misses; /* L2: those of page walks that go through it */
    bool aside;                          /* nothing is counted */
    bool coupled;                        /* L1D: such an L2 stands behind it; L2: it is one */
    size_t *ends; /* coupled L1D: down.count after each instruction of the batch */
    size_t end_count, end_capacity;
    uint64_t ways;            /* L1D: now; those of a unified one change with the launch */
    struct l2_pool *l2_pools; /* L1D: behind it */
    size_t l2_pool_count, l2_pool_capacity;
};

struct tlb_node {
    struct node node;
    struct cache *cache;
    struct request_buffer down; /* misses: page walks in order */
};

struct l2tlb_node { /* behind a TLB; machines that agree in it share it */
    const struct machine *machine;
    int tlb;
    struct cache *cache;
    struct request_buffer down;
};

struct pwc_node {
    struct node node;
    int l2tlb; /* between the TLB and this, or NO_NODE */
    struct walk_unit *instance;
    struct coupling *coupling; /* walks go through an L2; or NULL */
};

struct page_stream { /* page requests of the current batch for one page size */
    uint64_t page_size;
    struct request *items;
    size_t count, capacity;
    uint32_t instructions;     /* that came before, modulo 2^32 */
    struct cache_batch *batch; /* TLBs without a node of their own */
};

struct leaf {
    int l1d, l2, tlb, pwc; /* node numbers or NO_NODE */
    /* Where little is asked, caches may have no node of their own but be in
     * model/lru/cache_batch.h: */
    bool l1d_shared, l2_shared, tlb_shared;
    size_t l1d_member, l2_member, tlb_member; /* of the requests', the misses', the pages' */
    size_t l2_pool;                           /* of the L1D's */
    uint64_t page_size;                       /* of a shared TLB */
    const struct machine *machine;
};

struct stages {
    unsigned needs;
    enum pass_share share;
    bool grids;
    struct request_logs logs;  /* of the first L1D and the first TLB; the stream is not kept here */
    struct pc_table *pcs;      /* of the first L1D, or NULL */
    struct cache_batch *batch; /* L1Ds without a node of their own */
    struct cache_node *l1ds, *l2s;
    struct tlb_node *tlbs;
    struct l2tlb_node *l2tlbs;
    struct pwc_node *pwcs;
    struct page_stream *pages;
    struct leaf *leaves;
    size_t l1d_count, l2_count, tlb_count, l2tlb_count, pwc_count, page_count, leaf_count;
    size_t l1d_capacity, l2_capacity, tlb_capacity, l2tlb_capacity, pwc_capacity, page_capacity,
        leaf_capacity;
    unsigned spaces;              /* that the L1Ds take: all machines of a tree claim the same */
    struct request_buffer taken;  /* scratch: those requests, where there are others beside them */
    struct request_buffer sliced; /* scratch: an L1D's misses as one partition scheme deals them */
};

/* The pages of this size, which some TLB asked for. */
const struct page_stream *stages_pages(const struct stages *stages, uint64_t page_size);

/* What a cache (an L1D or, with `l2`, an L2) or the TLBs counted, as metrics. */
void stages_put_cache(const struct cache_counts *counts, bool l2, bool classified,
                      struct metrics *metrics);
void stages_put_tlb(const struct cache_counts *counts, struct metrics *metrics);

/* Requests of one L1D, in order, to an L2 behind it. */
enum status stages_run_l2(struct stages *stages, struct cache_node *node,
                          const struct request *misses, size_t count,
                          struct diagnostics *diagnostics);

/* Page walks through an L2 (stages_coupled.c). Such an L2 and the page-walk cache belong to one
 * another and are shared by machines that agree in all of both chains. */
enum {
    COUPLED_L2 = STAGE_L2 | STAGE_TLB | STAGE_PWC,
    COUPLED_PWC = STAGE_PWC | STAGE_L1D | STAGE_L2
};
enum status stages_couple(struct stages *stages, struct pwc_node *node, int l2);
void coupling_free(struct coupling *coupling);
enum status coupling_status(const struct coupling *coupling);
struct walk_memory coupling_memory(struct coupling *coupling);
/* After caches and translation have seen a batch: what both send to coupled L2s. */
enum status stages_run_coupled(struct stages *stages, struct diagnostics *diagnostics);

/* What goes on to a page-walk cache in this batch. */
const struct request_buffer *stages_walks(const struct stages *stages, const struct pwc_node *node);

/* The node of an array of `size` byte nodes that simulates `stage` of this machine behind the same
 * parent, or NO_NODE. */
int stages_find_node(const void *nodes, size_t count, size_t size, const struct node *wanted,
                     unsigned stage);

/* The translation's share of what model/pass/stages.h declares. */
enum status stages_add_translation(struct stages *stages, const struct machine *machine,
                                   struct leaf *added);
enum status stages_run_translation(struct stages *stages, const struct request *requests,
                                   size_t count);
void stages_count_translation(struct stages *stages, bool counted);
enum status stages_assume_translation(struct stages *stages);
enum status stages_finish_translation(struct stages *stages);
void stages_free_translation(struct stages *stages);
