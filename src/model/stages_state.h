/* Inside of model/stages.h: the nodes of the tree. */
#pragma once

#include "model/cache/cache.h"
#include "model/cache/opt.h"
#include "model/cache/partition.h"
#include "model/evaluate.h"
#include "model/lookups.h"
#include "model/stages.h"
#include "model/translation/pwc.h"

enum { NO_NODE = -1 };

/* What every node begins with: who asked for it, and what it stands behind. */
struct node {
    const struct machine *machine;
    uint64_t key; /* machine_hash of the stage's parameters */
    int parent;   /* the L1D in front of an L2, the TLB in front of a page-walk cache; or NO_NODE */
};

struct cache_node {
    struct node node;
    struct cache *cache;
    struct opt_cache *opt; /* beside the cache, or instead of it where the policy is OPT */
    struct cache_counts opt_counts;
    struct request_buffer down; /* L1D: what goes on to the L2s */
    struct partition partition; /* L2 */
    uint64_t ways;              /* L1D: now; those of a unified one change with the launch */
};

struct tlb_node {
    struct node node;
    struct cache *cache;
    struct request_buffer down; /* misses: page walks in order */
};

struct pwc_node {
    struct node node;
    struct pwc *pwc;
};

struct page_stream { /* page requests of the current batch for one page size */
    uint64_t page_size;
    struct request *items;
    size_t count, capacity;
    struct lookups *lookups; /* TLBs without a node of their own */
};

struct leaf {
    int l1d, l2, tlb, pwc; /* node numbers or NO_NODE */
    /* Where only look-ups are wanted, L1D and TLB may have no node but share one: */
    bool l1d_shared, tlb_shared;
    size_t l1d_member, tlb_member; /* of the requests' and the pages' look-ups */
    uint64_t page_size;            /* of a shared TLB */
};

struct stages {
    unsigned needs;
    bool lookups_only;
    struct tapes tapes;      /* of the first L1D and the first TLB; the stream is not kept here */
    struct pc_table *pcs;    /* of the first L1D, or NULL */
    struct lookups *lookups; /* L1Ds without a node of their own */
    struct cache_node *l1ds, *l2s;
    struct tlb_node *tlbs;
    struct pwc_node *pwcs;
    struct page_stream *pages;
    struct leaf *leaves;
    size_t l1d_count, l2_count, tlb_count, pwc_count, page_count, leaf_count;
    size_t l1d_capacity, l2_capacity, tlb_capacity, pwc_capacity, page_capacity, leaf_capacity;
    struct request_buffer sliced; /* scratch: an L1D's misses as one partition scheme deals them */
};

/* The pages of this size, which some TLB asked for. */
const struct page_stream *stages_pages(const struct stages *stages, uint64_t page_size);

/* What a page-walk cache counted, as metrics. */
void stages_put_walks(const struct machine *machine, const struct pwc *pwc,
                      struct metrics *metrics);
