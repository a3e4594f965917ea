/* The inside of a cache: shared by cache*.c, used by nobody else. */
#pragma once

#include <stdlib.h>

#include "base/bits.h"
#include "base/memory.h"
#include "model/cache/cache.h"
#include "model/cache/geometry.h"
#include "model/cache/replacement.h"

/* How a set finds a line and orders its ways. All give the same counts. */
enum organization {
    ORGANIZATION_REGISTER, /* LRU of up to 16 ways: signs compared, order in one word */
    ORGANIZATION_VECTORS,  /* the same, tags compared all at once: with AVX-512 */
    ORGANIZATION_SCAN,     /* any policy, up to 32 ways: tags compared */
    ORGANIZATION_HASH      /* any policy and number of ways: a hash table a set */
};

enum { REGISTER_WAYS = 16, SCAN_WAYS = 32, WAY_NONE = UINT32_MAX };

/* One bit a sector. `partial`: valid, but lazily allocated and not yet written in full, so that
 * stores hit and reads do not. dirty and partial are subsets of valid; a line whose last sector
 * goes is invalid. */
struct line_state {
    uint32_t valid, dirty, partial;
};

struct flow {                    /* what one call of cache_run produces */
    struct request_buffer *down; /* may be NULL */
    struct cache_counts counts;
    enum status status;
};

/* How an organization looks up requests. `lost`: from the cache's shadow, or NULL. */
typedef enum status cache_runner(struct cache *cache, const struct request *requests, size_t count,
                                 const uint32_t *lost, struct flow *flow);

cache_runner cache_run_register, cache_run_vectors, cache_run_scan, cache_run_hash;
bool cache_has_vectors(void);

/* LRU whose order is kept in one word a set. */
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
    size_t first_set; /* of instance 0, where this is one of several: names the draws of a set */
    struct geometry geometry;
    bool lazy;                 /* partial sectors exist */
    uint64_t *tags;            /* [instances][sets][ways]: line number + 1, 0 = invalid */
    struct line_state *states; /* like tags */
    uint32_t *written; /* lazy: [instances][sets][ways][sectors], 1/32 parts written so far */
    uint64_t *orders;  /* organization_orders: [instances][sets] */
    /* ORGANIZATION_REGISTER: [instances][sets][sign_words], a byte a way, hashed from the line that
     * it got last. Only ways with the line's sign are compared. */
    uint64_t *signs;
    unsigned sign_words;
    uint64_t sign_masks[2];       /* the high bits of the bytes that are ways */
    unsigned char *policy_states; /* the others: [instances][sets] of policy_stride bytes */
    size_t policy_stride;
    uint32_t *first_free; /* the others: [instances][sets], all ways below are valid */
    uint32_t *tables;     /* ORGANIZATION_HASH: [instances][sets][1 << table_bits], way + 1 */
    unsigned table_bits;
    uint32_t
        *unknown; /* cache_assume: [instances][sets], ways that nothing was brought into; or NULL */
    cache_runner *run;
    struct cache_counts counts, kept; /* kept: while nothing is counted */
    bool aside;                       /* nothing is counted */
    struct shadow *shadow;            /* CACHE_CLASSIFY */
};

/* A victim's remains, kept until its fetch has been sent. */
struct evicted {
    uint64_t line;
    struct line_state state;
    uint32_t written[32];
};

/* cache_down.c: what goes to the next level. */
bool flow_grow(struct flow *flow);
void flow_pass(struct cache *cache, const struct request *request, uint64_t sector, bool done,
               struct flow *flow);
/* `by`: the request that throws it out, of which the write-back has instance and pc. */
void flow_write_back(struct cache *cache, const struct evicted *evicted, const struct request *by,
                     struct flow *flow);
/* What a cache with this write policy does with this request: back, through or evict. */
static inline int write_policy(int write, const struct request *request)
{
    if (write != WRITE_LOCAL_BACK)
        return write;
    return request->space == SPACE_LOCAL ? WRITE_BACK : WRITE_EVICT;
}

/* Whether a request touches every byte of a bit set of sectors that follow each other. */
static inline bool request_fills(const struct cache *cache, const struct request *request,
                                 uint64_t line, uint32_t sectors)
{
    const struct geometry *geometry = &cache->geometry;
    unsigned first = (unsigned)__builtin_ctz(sectors), last = log2_floor(sectors);
    uint64_t begin = geometry_sector(geometry, line, first) << geometry->sector_bits;
    uint64_t end = (geometry_sector(geometry, line, last) + 1) << geometry->sector_bits;
    return request->touched == UINT32_MAX && request->address <= begin &&
           request->address + request->bytes >= end;
}

/* The place of the next request that goes down; NULL where it is dropped. */
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

/* geometry_sectors, and the instance must exist. */
static inline bool cache_sectors(const struct cache *cache, const struct request *request,
                                 uint64_t *first, uint64_t *last)
{
    return geometry_sectors(&cache->geometry, request, first, last) &&
           request->instance < cache->instances;
}
