/* One access to a cache, as always-inlined templates. Callers pass `organization`, `function` (of
 * the set index) and `sectored` as constants, so that the compiler removes the branches of all
 * other cases from the inner loop. Each cache_*.c file instantiates one organization.
 *
 * docs/MODELS.md, Caches, defines the meaning; tests/support/slow_cache.c implements the same rules
 * in the most obvious way, and a property test compares the two. */
#pragma once

#include "base/key_table.h"
#include "base/rng.h"
#include "model/cache/cache_state.h"
#include "model/cache/order_word.h"

#define TEMPLATE static inline __attribute__((always_inline))

struct position {
    uint64_t line;
    uint32_t pc, instance; /* of the access */
    size_t set;            /* over all instances */
    size_t base;           /* of the set's ways in tags and states */
    uint32_t way;          /* WAY_NONE: the line is not here */
};

/* ---- The signs of a set: one hashed byte per way, compared eight at a time. The zero-byte test is
 * the one of the order word. A byte above the first match may look like a match too, so the
 * full tag decides. */

#define BYTE_ONES UINT64_C(0x0101010101010101)

TEMPLATE uint64_t sign_of(uint64_t line)
{
    return line * UINT64_C(0x9e3779b97f4a7c15) >> 56;
}

TEMPLATE uint32_t sign_find(const struct cache *cache, size_t set, const uint64_t *tags,
                            uint64_t line)
{
    const uint64_t *signs = cache->signs + set * cache->sign_words;
    uint64_t wanted = sign_of(line) * BYTE_ONES;
    for (unsigned word = 0; word < cache->sign_words; word++) {
        uint64_t difference = signs[word] ^ wanted;
        uint64_t zero = (difference - BYTE_ONES) & ~difference & cache->sign_masks[word];
        for (; zero; zero &= zero - 1) {
            uint32_t way = word * 8 + (uint32_t)__builtin_ctzll(zero) / 8;
            if (tags[way] == line + 1)
                return way;
        }
    }
    return WAY_NONE;
}

TEMPLATE void sign_set(struct cache *cache, size_t set, uint32_t way, uint64_t line)
{
    uint64_t *signs = &cache->signs[set * cache->sign_words + way / 8];
    unsigned bit = 8 * (way & 7);
    *signs = (*signs & ~(UINT64_C(255) << bit)) | sign_of(line) << bit;
}

/* ---- Tags compared four at a time, without a branch for each. Only functions marked VECTORS may
 * call this, because it needs AVX2. It may read up to SPARE_TAGS after those of the set. (All at
 * once with AVX-512 is no faster.) */

#if defined __x86_64__
#include <immintrin.h>

#define VECTORS __attribute__((target("avx2,bmi,popcnt")))

VECTORS static inline uint32_t vectors_four(const uint64_t *tags, __m256i wanted)
{
    const __m256i four = _mm256_loadu_si256((const __m256i_u *)tags);
    return (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(four, wanted)));
}

VECTORS static inline uint32_t vectors_find(const uint64_t *tags, unsigned ways, uint64_t tag)
{
    const __m256i wanted = _mm256_set1_epi64x((long long)tag);
    uint32_t found = vectors_four(tags, wanted);
    if (ways > 4)
        found |= vectors_four(tags + 4, wanted) << 4;
    if (ways > 8)
        found |= vectors_four(tags + 8, wanted) << 8 | vectors_four(tags + 12, wanted) << 12;
    found &= UINT32_MAX >> (32 - ways);
    return found ? (uint32_t)__builtin_ctz(found) : WAY_NONE;
}
#else
#define VECTORS

static inline uint32_t vectors_find(const uint64_t *tags, unsigned ways, uint64_t tag)
{
    uint32_t way = 0;
    while (way < ways && tags[way] != tag)
        way++;
    return way < ways ? way : WAY_NONE;
}
#endif

/* For the look-ups of a constant policy: whatever the compiler thinks of it, what the policy does
 * stands in the place of its calls. */
#define VECTORS_INLINED VECTORS __attribute__((flatten))

/* ---- The hash table of a set (base/key_table.h), whose keys are the tags. */

TEMPLATE uint32_t *table_slot(const struct cache *cache, size_t set, const uint64_t *tags,
                              uint64_t tag)
{
    return key_slot(cache->tables + (set << cache->table_bits), cache->table_bits, tags, tag);
}

TEMPLATE void table_free(const struct cache *cache, size_t set, const uint64_t *tags, uint32_t way)
{
    key_slot_free(cache->tables + (set << cache->table_bits), cache->table_bits, tags, way);
}

/* ---- Ways */

/* What an access knows beforehand of its cache. Where the policy is a constant, the compiler puts
 * its functions in the place of their calls. */
struct organized {
    enum organization organization;
    const struct replacement_policy *policy;
    unsigned traits; /* of enum replacement_trait */
};

TEMPLATE struct set_access policy_access(const struct cache *cache, const struct position *at,
                                         struct organized how)
{
    const struct set_access access =
        cache_set_access(cache, at->set, at->instance, at->line, at->pc);
    if (how.organization == ORGANIZATION_SCAN_ALL && access.ways > REGISTER_WAYS)
        __builtin_unreachable(); /* the code for more is left out */
    return access;
}

TEMPLATE struct position position_find(const struct cache *cache, uint64_t line,
                                       const struct request *request, struct organized how,
                                       int function)
{
    struct position at;
    at.line = line;
    at.pc = request->pc;
    at.instance = request->instance;
    uint64_t set = geometry_set(&cache->geometry, function, at.line);
    at.set = at.instance * cache->geometry.sets + set;
    at.base = at.set * cache->geometry.ways;
    at.way = WAY_NONE;
    uint64_t tag = at.line + 1;
    const uint64_t *tags = cache->tags + at.base;
    if (how.organization == ORGANIZATION_REGISTER) {
        at.way = sign_find(cache, at.set, tags, line);
        return at;
    }
    if (how.organization == ORGANIZATION_VECTORS || how.organization == ORGANIZATION_SCAN_ALL) {
        at.way = vectors_find(tags, cache->geometry.ways, tag);
        return at;
    }
    if (how.organization == ORGANIZATION_HASH) {
        at.way = *table_slot(cache, at.set, tags, tag) - 1;
        return at;
    }
    for (uint32_t way = 0; way < cache->geometry.ways; way++)
        if (tags[way] == tag) {
            at.way = way;
            break;
        }
    return at;
}

TEMPLATE void way_touch(struct cache *cache, const struct position *at, struct organized how)
{
    if (organization_orders(how.organization)) {
        uint64_t order = cache->orders[at->set] ^ ORDER_START;
        order = order_move(order, order_find(order, at->way), at->way);
        cache->orders[at->set] = order ^ ORDER_START;
    } else if (how.policy->hit) {
        const struct set_access access = policy_access(cache, at, how);
        how.policy->hit(&access, at->way);
    }
}

/* Repeats the touch once for each further sector of the same line in a request. Most policies
 * ignore a repeated touch, so this usually returns at once. */
TEMPLATE void way_repeat(struct cache *cache, const struct position *at, unsigned times,
                         struct organized how)
{
    if (organization_orders(how.organization) || how.traits & REPLACEMENT_REPEAT_IDLE)
        return;
    while (times--)
        way_touch(cache, at, how);
}

/* Invalidates a way. The caller updates the sector masks. */
TEMPLATE void way_drop(struct cache *cache, const struct position *at, struct organized how)
{
    uint64_t *tags = cache->tags + at->base;
    if (organization_orders(how.organization)) {
        uint64_t order = cache->orders[at->set] ^ ORDER_START;
        order = order_retire(order, order_find(order, at->way), at->way, cache->geometry.ways);
        cache->orders[at->set] = order ^ ORDER_START;
    } else {
        if (how.organization == ORGANIZATION_HASH)
            table_free(cache, at->set, tags, at->way);
        if (how.policy->drop) {
            const struct set_access access = policy_access(cache, at, how);
            how.policy->drop(&access, at->way);
        }
        if (at->way < cache->first_free[at->set])
            cache->first_free[at->set] = at->way;
    }
    tags[at->way] = 0;
}

/* Chooses the way for a new line: an invalid way if the policy wants one first, else the victim. */
TEMPLATE uint32_t way_choose(struct cache *cache, const struct position *at, struct organized how)
{
    if (organization_orders(how.organization)) {
        uint64_t order = cache->orders[at->set] ^ ORDER_START;
        uint32_t way = order_last(order, cache->geometry.ways);
        unsigned end = 4 * (cache->geometry.ways - 1) & 63;
        cache->orders[at->set] = order_move(order, end, way) ^ ORDER_START;
        return way;
    }
    uint32_t way = cache->geometry.ways;
    if (!(how.traits & REPLACEMENT_ANY_WAY)) {
        way = cache->first_free[at->set];
        while (way < cache->geometry.ways && cache->tags[at->base + way])
            way++;
        cache->first_free[at->set] = way;
    }
    const struct set_access access = policy_access(cache, at, how);
    if (way == cache->geometry.ways)
        way = how.policy->victim(&access);
    if (how.policy->fill)
        how.policy->fill(&access, way);
    return way;
}

/* Takes a way for the line of `at`. *evicted describes the old line for the write-back;
 * evicted->state.dirty is 0 if there is nothing to write back. */
TEMPLATE void line_replace(struct cache *cache, struct position *at, struct evicted *evicted,
                           struct organized how)
{
    at->way = way_choose(cache, at, how);
    size_t slot = at->base + at->way;
    evicted->state = cache->states[slot];
    if (evicted->state.dirty) {
        evicted->line = cache->tags[slot] - 1;
        if (evicted->state.partial)
            for (unsigned i = 0; i < cache->geometry.sectors; i++)
                evicted->written[i] = cache->written[slot * cache->geometry.sectors + i];
    }
    if (how.organization == ORGANIZATION_HASH) {
        if (cache->tags[slot])
            table_free(cache, at->set, cache->tags + at->base, at->way);
        *table_slot(cache, at->set, cache->tags + at->base, at->line + 1) = at->way + 1;
    }
    if (how.organization == ORGANIZATION_REGISTER)
        sign_set(cache, at->set, at->way, at->line);
    cache->tags[slot] = at->line + 1;
}

/* Turns a miss into a hit if the set still has a way whose initial contents are unknown
 * (cache_assume). */
static __attribute__((noinline)) uint32_t line_assume(struct cache *cache, struct position at,
                                                      struct organized how)
{
    struct evicted evicted; /* ignored: only round robin, which picks ways regardless of valid bits,
                               can evict here */
    if (!cache->unknown[at.set])
        return WAY_NONE;
    cache->unknown[at.set]--;
    line_replace(cache, &at, &evicted, how);
    cache->states[at.base + at.way] =
        (struct line_state){.valid = (uint32_t)((UINT64_C(1) << cache->geometry.sectors) - 1)};
    return at.way;
}

/* ---- Loads and stores */

TEMPLATE void fetch_sectors(struct cache *cache, const struct position *at,
                            const struct request *request, uint32_t sectors, struct flow *flow)
{
    if (!flow->down) {
        flow->counts.read_bytes += bits_count(sectors) * cache->config.sector;
        return;
    }
    for (; sectors; sectors &= sectors - 1)
        flow_fetch(cache, request,
                   geometry_sector(&cache->geometry, at->line, (unsigned)__builtin_ctz(sectors)),
                   flow);
}

/* Loads a bit set of sectors of one line, with the same result as loading them one by one. Returns
 * those that missed. */
TEMPLATE uint32_t access_load(struct cache *cache, struct position *at,
                              const struct request *request, uint32_t sectors, struct flow *flow,
                              struct organized how, bool sectored)
{
    unsigned count = sectored ? bits_count(sectors) : 1;
    flow->counts.reads += count;
    if (at->way != WAY_NONE) {
        struct line_state *state = &cache->states[at->base + at->way];
        way_touch(cache, at, how);
        way_repeat(cache, at, count - 1, how);
        uint32_t missed = sectors & ~(state->valid & ~state->partial);
        if (!missed)
            return 0;
        count = sectored ? bits_count(missed) : 1;
        flow->counts.read_misses += count;
        flow->counts.sector_misses += count;
        state->valid |= missed;
        state->partial &= ~missed;
        fetch_sectors(cache, at, request, missed, flow);
        return missed;
    }
    /* The first sector misses the line; the others find the line and miss only their sector. */
    flow->counts.read_misses += count;
    flow->counts.sector_misses += count - 1;
    struct evicted evicted;
    line_replace(cache, at, &evicted, how);
    way_repeat(cache, at, count - 1, how);
    cache->states[at->base + at->way] = (struct line_state){.valid = sectors};
    fetch_sectors(cache, at, request, sectors & -sectors, flow);
    if (evicted.state.dirty)
        flow_write_back(cache, &evicted, request, flow);
    if (sectored)
        fetch_sectors(cache, at, request, sectors & (sectors - 1), flow);
    return sectors;
}

TEMPLATE void store_evicts(struct cache *cache, struct position *at, const struct request *request,
                           uint32_t bit, struct flow *flow, struct organized how)
{
    size_t slot = at->base + at->way;
    struct line_state *state = &cache->states[slot];
    if (state->dirty & bit) { /* was written as local memory, now as global */
        struct evicted evicted = {.line = at->line, .state = *state};
        evicted.state.dirty &= bit;
        for (unsigned i = 0; cache->lazy && i < cache->geometry.sectors; i++)
            evicted.written[i] = cache->written[slot * cache->geometry.sectors + i];
        flow_write_back(cache, &evicted, request, flow);
    }
    state->valid &= ~bit;
    state->dirty &= ~bit;
    state->partial &= ~bit;
    if (!state->valid) {
        way_drop(cache, at, how);
        at->way = WAY_NONE;
    }
}

TEMPLATE void store_hits(struct cache *cache, struct position *at, const struct request *request,
                         uint64_t sector, struct flow *flow, struct organized how)
{
    uint32_t bit = UINT32_C(1) << (geometry_place(&cache->geometry, sector));
    size_t slot = at->base + at->way;
    struct line_state *state = &cache->states[slot];
    int policy = write_policy(cache->config.write, request);
    way_touch(cache, at, how);
    if (policy != WRITE_BACK)
        flow_pass(cache, request, sector, true, flow);
    if (policy == WRITE_EVICT) {
        store_evicts(cache, at, request, bit, flow, how);
        return;
    }
    if (policy == WRITE_BACK)
        state->dirty |= bit;
    if (state->partial & bit) {
        uint32_t *written = &cache->written[slot * cache->geometry.sectors +
                                            (geometry_place(&cache->geometry, sector))];
        *written |= request_covers(&cache->geometry, request, sector);
        if (*written == UINT32_MAX)
            state->partial &= ~bit;
    }
}

/* A store miss that allocates a line, or a sector of a line that is present. */
TEMPLATE void store_allocates(struct cache *cache, struct position *at,
                              const struct request *request, uint64_t sector, struct flow *flow,
                              struct organized how)
{
    unsigned place = geometry_place(&cache->geometry, sector);
    uint32_t bit = UINT32_C(1) << place;
    bool stays = write_policy(cache->config.write, request) == WRITE_BACK;
    if (!stays)
        flow_pass(cache, request, sector, true, flow);
    struct evicted evicted;
    evicted.state.dirty = 0;
    if (at->way != WAY_NONE) {
        way_touch(cache, at, how);
    } else {
        line_replace(cache, at, &evicted, how);
        cache->states[at->base + at->way] = (struct line_state){0};
    }
    size_t slot = at->base + at->way;
    struct line_state *state = &cache->states[slot];
    int allocate = cache->config.write_allocate;
    uint32_t covers = UINT32_MAX;
    if (allocate != WRITE_ALLOCATE_FETCH && request->op != OP_ATOMIC)
        covers = request_covers(&cache->geometry, request, sector);
    bool partial = allocate == WRITE_ALLOCATE_LAZY && covers != UINT32_MAX;
    bool fetch = allocate == WRITE_ALLOCATE_FETCH || request->op == OP_ATOMIC ||
                 (allocate == WRITE_ALLOCATE_ON_WRITE && covers != UINT32_MAX);
    state->valid |= bit;
    state->dirty |= stays ? bit : 0;
    state->partial = partial ? state->partial | bit : state->partial & ~bit;
    if (partial)
        cache->written[slot * cache->geometry.sectors + place] = covers;
    if (fetch)
        flow_fetch(cache, request, sector, flow);
    if (evicted.state.dirty)
        flow_write_back(cache, &evicted, request, flow);
}

/* Returns true for a miss. */
TEMPLATE bool access_store(struct cache *cache, struct position *at, const struct request *request,
                           uint64_t sector, struct flow *flow, struct organized how)
{
    uint32_t bit = UINT32_C(1) << (geometry_place(&cache->geometry, sector));
    flow->counts.writes++;
    if (at->way != WAY_NONE) {
        const struct line_state *state = &cache->states[at->base + at->way];
        uint32_t usable = state->valid;
        if (request->op == OP_ATOMIC) /* it also reads */
            usable &= ~state->partial;
        if (usable & bit) {
            store_hits(cache, at, request, sector, flow, how);
            return false;
        }
        flow->counts.sector_misses++;
    }
    flow->counts.write_misses++;
    if (cache->config.write_allocate == WRITE_ALLOCATE_NONE)
        flow_pass(cache, request, sector, false, flow);
    else
        store_allocates(cache, at, request, sector, flow, how);
    return true;
}

/* Fast path: a write-back store that hits all its sectors only has to mark them dirty. Returns
 * false if the store needs the general path. */
TEMPLATE bool store_stays(struct cache *cache, const struct position *at,
                          const struct request *request, uint32_t sectors, struct flow *flow,
                          struct organized how)
{
    if (at->way == WAY_NONE || write_policy(cache->config.write, request) != WRITE_BACK)
        return false;
    struct line_state *state = &cache->states[at->base + at->way];
    if (sectors & ~(state->valid & ~state->partial))
        return false;
    unsigned count = bits_count(sectors);
    flow->counts.writes += count;
    way_touch(cache, at, how);
    way_repeat(cache, at, count - 1, how);
    state->dirty |= sectors;
    return true;
}

/* Fast path: a store that misses all its sectors and covers them completely fetches nothing.
 * Returns false if the store needs the general path. */
TEMPLATE bool store_fills(struct cache *cache, struct position *at, const struct request *request,
                          uint32_t sectors, struct flow *flow, struct organized how)
{
    int allocate = cache->config.write_allocate;
    bool absent = at->way == WAY_NONE;
    const uint64_t first =
        geometry_sector(&cache->geometry, at->line, (unsigned)__builtin_ctz(sectors));
    const uint64_t last = geometry_sector(&cache->geometry, at->line, log2_floor(sectors));
    if ((allocate != WRITE_ALLOCATE_ON_WRITE && allocate != WRITE_ALLOCATE_LAZY) ||
        request->op == OP_ATOMIC || write_policy(cache->config.write, request) != WRITE_BACK ||
        !request_fills(&cache->geometry, request, first, last) ||
        (!absent && sectors & cache->states[at->base + at->way].valid))
        return false;
    unsigned count = bits_count(sectors);
    flow->counts.writes += count;
    flow->counts.write_misses += count;
    flow->counts.sector_misses += count - absent;
    struct evicted evicted;
    evicted.state.dirty = 0;
    if (absent) {
        line_replace(cache, at, &evicted, how);
        cache->states[at->base + at->way] = (struct line_state){0};
    } else {
        way_touch(cache, at, how);
    }
    way_repeat(cache, at, count - 1, how);
    cache->states[at->base + at->way].valid |= sectors;
    cache->states[at->base + at->way].dirty |= sectors;
    if (evicted.state.dirty)
        flow_write_back(cache, &evicted, request, flow);
    return true;
}

/* Counts a store's sectors that missed their tag. An instruction looks each of its lines up once,
 * so what finds a line that the same instruction has just allocated misses, too. Where stores take
 * no line they have no tag to miss: profilers of Pascal count them as hits. */
static inline void note_tag(struct cache *cache, const struct request *request, uint64_t line,
                            bool is_absent, unsigned sectors, struct flow *flow)
{
    uint64_t *absent = &cache->absent[request->instance];
    if (is_absent)
        *absent = line + 1;
    else if (request->flags & REQUEST_FIRST || *absent != line + 1)
        *absent = 0;
    flow->counts.tag_misses += *absent ? sectors : 0;
}

/* Performs one request on a bit set of sectors of the line at `at` and returns those that missed. A
 * store may drop or allocate the line, and `at` is kept up to date. The policy sees one touch per
 * sector (way_repeat). Without `sectored` a line is a single sector. */
TEMPLATE uint32_t access_line(struct cache *cache, const struct request *request,
                              struct position *at, uint32_t sectors, struct flow *flow,
                              struct organized how, bool sectored)
{
    if (at->way == WAY_NONE && cache->unknown)
        at->way = line_assume(cache, *at, how);
    if (!request_writes(request))
        return access_load(cache, at, request, sectored ? sectors : 1, flow, how, sectored);
    if (cache->absent)
        note_tag(cache, request, at->line, at->way == WAY_NONE, sectored ? bits_count(sectors) : 1,
                 flow);
    if (!sectored)
        return access_store(cache, at, request, at->line, flow, how);
    if (store_stays(cache, at, request, sectors, flow, how))
        return 0;
    if (store_fills(cache, at, request, sectors, flow, how))
        return sectors;
    uint32_t missed = 0;
    for (uint32_t left = sectors; left; left &= left - 1) {
        unsigned place = (unsigned)__builtin_ctz(left);
        if (access_store(cache, at, request, geometry_sector(&cache->geometry, at->line, place),
                         flow, how))
            missed |= UINT32_C(1) << place;
    }
    return missed;
}

/* Usually nothing was lost, so the test comes before the population count. */
TEMPLATE unsigned count_lost(uint32_t missed, uint32_t lost)
{
    return missed & lost ? bits_count(missed & lost) : 0;
}

/* An access to the line of the access before it, as to the other half of a line, finds in `at` what
 * became of that one: nothing came between. */
TEMPLATE enum status access_run(struct cache *cache, const struct request *requests, size_t count,
                                struct flow *flow, struct organized how, int function,
                                bool sectored, const uint32_t *lost)
{
    struct position at = {.instance = UINT32_MAX};
    for (size_t i = 0; i < count; i++) {
        const struct request *request = &requests[i];
        uint64_t sector, last;
        if (!cache_sectors(cache, request, &sector, &last))
            return STATUS_INVALID;
        if (cache_passes(cache->config.write, cache->options, request)) {
            flow_push(flow, request);
            continue;
        }
        while (sector <= last) {
            uint32_t sectors = sectored ? geometry_cut(&cache->geometry, sector, last) : 1;
            uint64_t line = sectored ? geometry_line(&cache->geometry, sector) : sector;
            if (line == at.line && request->instance == at.instance)
                at.pc = request->pc;
            else
                at = position_find(cache, line, request, how, function);
            uint32_t missed = access_line(cache, request, &at, sectors, flow, how, sectored);
            if (lost)
                flow->counts.capacity += sectored ? count_lost(missed, *lost++) : missed & *lost++;
            sector = sectored ? geometry_sector(&cache->geometry, line + 1, 0) : sector + 1;
        }
    }
    return flow->status;
}

/* Calls access_run with the index function and `sectored` as constants. */
TEMPLATE enum status access_run_organization(struct cache *cache, const struct request *requests,
                                             size_t count, const uint32_t *lost, struct flow *flow,
                                             enum organization organization)
{
    const struct organized how = {organization, cache->policy, cache->policy_traits};
#define RUN(function)                                                                              \
    (cache->geometry.sectors > 1                                                                   \
         ? access_run(cache, requests, count, flow, how, function, true, lost)                     \
         : access_run(cache, requests, count, flow, how, function, false, lost))
#define CASE(function, ...)                                                                        \
    case function:                                                                                 \
        return RUN(function);
    switch ((enum index_function)cache->geometry.index.function) {
        INDEX_LIST(CASE)
    }
#undef CASE
#undef RUN
    return STATUS_INVALID;
}

/* The same for the constant policy of a file replacement_*.c. Of index functions only the linear
 * one is a constant, so that there are not as many copies of the code as there are policies times
 * functions. */
TEMPLATE enum status access_run_how(struct cache *cache, const struct request *requests,
                                    size_t count, const uint32_t *lost, struct flow *flow,
                                    struct organized how)
{
    const int function = cache->geometry.index.function;
    if (cache->geometry.sectors > 1)
        return access_run(cache, requests, count, flow, how, function, true, lost);
    if (function == INDEX_MODULO)
        return access_run(cache, requests, count, flow, how, INDEX_MODULO, false, lost);
    return access_run(cache, requests, count, flow, how, function, false, lost);
}

/* All tags of a set compared at once. */
TEMPLATE enum status access_run_policy(struct cache *cache, const struct request *requests,
                                       size_t count, const uint32_t *lost, struct flow *flow,
                                       const struct replacement_policy *policy, unsigned traits)
{
    const struct organized how = {ORGANIZATION_SCAN_ALL, policy, traits};
    return access_run_how(cache, requests, count, lost, flow, how);
}
