/* The private state of a cache, shared by cache*.c and the models that follow the same rules
 * (opt.c, shadow.c). Nobody else includes it.
 *
 * All arrays are indexed [instance][set][way] and start zeroed: a tag is the line number + 1, so 0
 * means invalid, and every policy state of zero bytes is the state of an unused set. The operating
 * system therefore provides memory only for the sets that a run touches. */
#pragma once

#include <stdlib.h>

#include "base/bits.h"
#include "base/memory.h"
#include "model/cache/cache.h"
#include "model/cache/geometry.h"
#include "model/cache/replacement.h"

/* How a set finds a line and orders its ways. All organizations give the same counts. */
enum organization {
    ORGANIZATION_REGISTER, /* LRU, up to 16 ways: compares signs, keeps the order in one word */
    ORGANIZATION_VECTORS,  /* the same, but compares the tags in vectors; needs AVX2 */
    ORGANIZATION_SCAN,     /* any policy, up to 32 ways: compares tags one by one */
    ORGANIZATION_SCAN_ALL, /* the same up to 16 ways, in vectors; needs AVX2 */
    ORGANIZATION_HASH      /* any policy, any number of ways: a hash table per set */
};

enum { REGISTER_WAYS = 16, SCAN_WAYS = 32, WAY_NONE = UINT32_MAX };

enum { SPARE_TAGS = 7 }; /* after the last set, so that whole vectors can be read */

/* One bit per sector. `partial`: valid, but allocated lazily and not yet written completely, so
 * stores hit and loads miss. dirty and partial are subsets of valid. A line without any valid
 * sector is invalid. */
struct line_state {
    uint32_t valid, dirty, partial;
};

struct flow {                    /* what one call of cache_run produces */
    struct request_buffer *down; /* may be NULL */
    struct cache_counts counts;
    enum status status;
};

cache_runner cache_run_register, cache_run_vectors, cache_run_scan, cache_run_scan_all,
    cache_run_hash, cache_run_watched;
bool cache_has_vectors(void);

/* True for the organizations that keep the LRU order of a set in one word. */
static inline bool organization_orders(enum organization organization)
{
    return organization == ORGANIZATION_REGISTER || organization == ORGANIZATION_VECTORS;
}

struct cache {
    struct cache_config config;
    const struct replacement_policy *policy;
    unsigned policy_traits; /* of enum replacement_trait */
    enum organization organization;
    unsigned options, instances;
    uint64_t seed;
    size_t first_set; /* of the first set, counted over all instances */
    struct geometry geometry;
    bool lazy;      /* partial sectors exist */
    uint64_t *tags; /* [instances][sets][ways], SPARE_TAGS: line number + 1, 0 = invalid */
    struct line_state *states; /* like tags */
    uint32_t *written; /* lazy: [instances][sets][ways][sectors], 1/32 parts written so far */
    uint64_t *orders;  /* organization_orders: [instances][sets] */
    /* ORGANIZATION_REGISTER: [instances][sets][sign_words]. One byte per way, a hash of the last
     * line that was put there. Only ways whose sign matches are compared in full. */
    uint64_t *signs;
    unsigned sign_words;
    uint64_t sign_masks[2];       /* the high bits of the bytes that are ways */
    unsigned char *policy_states; /* [instances][sets] of policy_stride bytes */
    size_t policy_stride;
    unsigned char *policy_shared; /* [instances] of shared_stride bytes; NULL: nothing is shared */
    size_t shared_stride;
    const uint32_t *pcs;  /* cache_set_pcs; NULL: requests say their instructions themselves */
    uint32_t *first_free; /* [instances][sets], all lower ways are valid */
    uint32_t *tables;     /* ORGANIZATION_HASH: [instances][sets][1 << table_bits], way + 1 */
    unsigned table_bits;
    /* cache_assume: [instances][sets], the number of ways that have not been filled yet; or NULL.
     */
    uint32_t *unknown;
    uint64_t *absent; /* CACHE_L1: [instances], 1 + the line that the last store lacked, 0: none */
    cache_runner *run;
    struct cache_counts counts, kept; /* `kept`: the counts so far, while counting is off */
    bool aside;                       /* counting is off */
    struct shadow *shadow;            /* CACHE_CLASSIFY */
    struct cache_watch *watch;        /* cache_watch; or NULL */
};

/* cache.c, for cache_watch.c: makes the arrays of an unused cache again. */
enum status cache_rebuild(struct cache *cache);
/* cache_watch.c: a run of the cache begins; whether classes of misses are told request by request;
 * whether the watched set holds a line; and tells that it was emptied. */
void cache_watch_begin(struct cache *cache);
bool cache_watch_classes(const struct cache *cache);
bool cache_watch_holds(const struct cache *cache);
enum status cache_watch_emptied(struct cache *cache, const struct cache_counts *counts);
void cache_watch_free(struct cache_watch *watch);

/* What the policy is told of an access to a set, which is counted over all instances. */
static inline struct set_access cache_set_access(const struct cache *cache, size_t set,
                                                 unsigned instance, uint64_t line, uint32_t pc)
{
    const uint64_t sets = cache->geometry.sets;
    return (struct set_access){
        .state = cache->policy_states + set * cache->policy_stride,
        .shared = cache->policy_shared + instance * cache->shared_stride,
        .line = line,
        .pc = cache->pcs ? cache->pcs[pc] : pc,
        .ways = cache->geometry.ways,
        .set = (uint32_t)(set - instance * sets),
        .sets = (uint32_t)sets,
        .seed = cache->seed,
        .number = cache->first_set + set,
    };
}

/* The replaced line, kept until its fetch has been sent: the fetch goes down before the write-back.
 */
struct evicted {
    uint64_t line;
    struct line_state state;
    uint32_t written[32];
};

/* cache_down.c: what goes to the next level. */
bool flow_grow(struct flow *flow);
void flow_pass(struct cache *cache, const struct request *request, uint64_t sector, bool done,
               struct flow *flow);
/* `by`: the request that evicts the line; the write-back takes its instance and pc. */
void flow_write_back(struct cache *cache, const struct evicted *evicted, const struct request *by,
                     struct flow *flow);
/* Resolves a write policy for one request: WRITE_LOCAL_BACK writes local memory back and evicts on
 * stores to all other spaces. */
static inline int write_policy(int write, const struct request *request)
{
    if (write != WRITE_LOCAL_BACK)
        return write;
    return request->space == SPACE_LOCAL ? WRITE_BACK : WRITE_EVICT;
}

/* Returns room for the next request to send down, or NULL if it is to be dropped. */
static inline struct request *flow_next(struct flow *flow)
{
    struct request_buffer *down = flow->down;
    if (!down || (down->count == down->capacity && !flow_grow(flow)))
        return NULL;
    return &down->items[down->count++];
}

static inline void flow_push(struct flow *flow, const struct request *request)
{
    struct request *next = flow_next(flow);
    if (next)
        *next = *request;
}

static inline void flow_fetch(const struct cache *cache, const struct request *request,
                              uint64_t sector, struct flow *flow)
{
    flow->counts.read_bytes += cache->config.sector;
    struct request *next = flow_next(flow);
    if (next)
        *next = (struct request){.address = sector << cache->geometry.sector_bits,
                                 .pc = request->pc,
                                 .touched = UINT32_MAX,
                                 .instance = request->instance,
                                 .bytes = (uint16_t)cache->config.sector,
                                 .op = OP_LOAD,
                                 .space = request->space};
}

/* As geometry_sectors; also false if the request names an instance that does not exist. */
static inline bool cache_sectors(const struct cache *cache, const struct request *request,
                                 uint64_t *first, uint64_t *last)
{
    return geometry_sectors(&cache->geometry, request, first, last) &&
           request->instance < cache->instances;
}
