/* Compulsory, capacity and conflict misses (Hill and Smith, "Evaluating associativity in CPU
 * caches", 1989): beside the cache runs its shadow, the same cache with all its lines in one LRU
 * set a unit, and the set of all sectors that a unit ever accessed. */
#include <string.h>

#include "base/rng.h"
#include "model/cache/cache_state.h"

struct seen { /* a line that a unit accessed */
    uint64_t line;
    uint32_t unit;
    uint32_t sectors; /* bit set; 0 = a free place */
};

struct classes {
    struct cache *shadow;
    struct seen *seen; /* open addressing, at most 3/4 full */
    size_t count;
    unsigned bits;
};

enum { SEEN_BITS = 12, PREFETCH_AHEAD = 8 };

enum status classes_create(const struct cache *cache, struct classes **result)
{
    struct classes *classes = calloc(1, sizeof *classes);
    *result = classes;
    if (!classes)
        return STATUS_MEMORY;
    struct cache_config config = cache->config;
    config.ways = cache->geometry.sets * cache->geometry.ways;
    config.size = config.ways * config.line;
    config.slices = 1;
    config.index = INDEX_LINEAR;
    config.replacement = REPLACEMENT_LRU;
    enum status status = cache_create(&config, cache->units, 0, 0, &classes->shadow);
    classes->bits = SEEN_BITS;
    classes->seen = calloc((size_t)1 << SEEN_BITS, sizeof *classes->seen);
    return status ? status : classes->seen ? STATUS_OK : STATUS_MEMORY;
}

void classes_free(struct classes *classes)
{
    if (!classes)
        return;
    cache_free(classes->shadow);
    free(classes->seen);
    free(classes);
}

static size_t seen_home(unsigned bits, uint64_t line, uint32_t unit)
{
    return random_at(unit, line) & (((size_t)1 << bits) - 1);
}

static struct seen *seen_place(struct seen *places, unsigned bits, uint64_t line, uint32_t unit)
{
    size_t mask = ((size_t)1 << bits) - 1;
    size_t i = seen_home(bits, line, unit);
    while (places[i].sectors && (places[i].line != line || places[i].unit != unit))
        i = (i + 1) & mask;
    return &places[i];
}

static enum status seen_grow(struct classes *classes)
{
    struct seen *grown = calloc((size_t)2 << classes->bits, sizeof *grown);
    if (!grown)
        return STATUS_MEMORY;
    for (size_t i = 0; i < (size_t)1 << classes->bits; i++) {
        const struct seen *old = &classes->seen[i];
        if (old->sectors)
            *seen_place(grown, classes->bits + 1, old->line, old->unit) = *old;
    }
    free(classes->seen);
    classes->seen = grown;
    classes->bits++;
    return STATUS_OK;
}

/* Marks a sector as accessed; *first tells whether it was for the first time. */
static enum status seen_mark(struct classes *classes, const struct cache *cache, uint64_t sector,
                             uint32_t unit, bool *first)
{
    uint64_t line = geometry_line(&cache->geometry, sector);
    uint32_t bit = UINT32_C(1) << (geometry_place(&cache->geometry, sector));
    struct seen *place = seen_place(classes->seen, classes->bits, line, unit);
    *first = !(place->sectors & bit);
    if (!place->sectors) {
        place->line = line;
        place->unit = unit;
        classes->count++;
    }
    place->sectors |= bit;
    if (classes->count > ((size_t)3 << classes->bits) / 4)
        return seen_grow(classes);
    return STATUS_OK;
}

static enum status classify(struct cache *cache, const struct request *request, uint64_t sector,
                            struct flow *flow)
{
    struct classes *classes = cache->classes;
    struct cache *shadow = classes->shadow;
    struct flow unused = {.down = NULL};
    enum outcome outcome = cache->functions->access(cache, request, sector, flow);
    enum outcome ideal = shadow->functions->access(shadow, request, sector, &unused);
    if (outcome == OUTCOME_HIT) /* so it was seen before */
        return STATUS_OK;
    bool first;
    enum status status = seen_mark(classes, cache, sector, request->unit, &first);
    if (first)
        flow->counts.compulsory++;
    else if (ideal != OUTCOME_HIT)
        flow->counts.capacity++;
    else
        flow->counts.conflict++;
    return status;
}

/* Where a request's line will be looked for among the seen ones. */
static const struct seen *seen_ahead(const struct cache *cache, const struct request *request)
{
    const struct classes *classes = cache->classes;
    uint64_t line = request->address >> cache->geometry.line_bits;
    return &classes->seen[seen_home(classes->bits, line, request->unit)];
}

enum status classes_run(struct cache *cache, const struct request *requests, size_t count,
                        struct flow *flow)
{
    for (size_t i = 0; i < count; i++) {
        const struct request *request = &requests[i];
        uint64_t sector, last;
        if (i + PREFETCH_AHEAD < count) /* seen lines are scattered over memory */
            __builtin_prefetch(seen_ahead(cache, &requests[i + PREFETCH_AHEAD]));
        if (!cache_sectors(cache, request, &sector, &last))
            return STATUS_INVALID;
        if (cache_passes(cache->config.write, cache->options, request)) {
            flow_push(flow, request);
            continue;
        }
        do {
            enum status status = classify(cache, request, sector, flow);
            if (status)
                return status;
        } while (sector++ < last);
    }
    return flow->status;
}

void classes_flush(struct classes *classes)
{
    cache_flush(classes->shadow, NULL); /* cannot fail: nothing is appended */
}

enum status classes_resize(struct classes *classes, uint64_t ways)
{
    return cache_resize(classes->shadow, ways, NULL);
}
