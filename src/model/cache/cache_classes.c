/* Compulsory, flush, capacity and conflict misses (Hill and Smith, "Evaluating associativity in CPU
 * caches", 1989): beside the cache runs its shadow, the same cache with all its lines in one LRU
 * set a unit, and the sets of all sectors that a unit ever accessed and of those that it accessed
 * since it was emptied last. */
#include <string.h>

#include "base/bits.h"
#include "base/rng.h"
#include "model/cache/cache_state.h"

struct seen { /* a line that a unit accessed */
    uint64_t line;
    uint32_t unit;
    uint32_t sectors; /* bit set; 0 = a free place */
    uint32_t recent;  /* of these, since flush number `flushes` */
    uint32_t flushes;
};

struct classes {
    struct cache *shadow;
    struct seen *seen; /* open addressing, at most 3/4 full */
    size_t count;
    unsigned bits;
    uint32_t flushes; /* so far */
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

/* What is new about sectors that a unit accesses, as bit sets. */
struct novelty {
    uint32_t ever;  /* the unit never accessed them before */
    uint32_t again; /* it did, but not since it was emptied */
};

static enum status seen_mark(struct classes *classes, uint64_t line, uint32_t unit,
                             uint32_t sectors, struct novelty *novelty)
{
    struct seen *place = seen_place(classes->seen, classes->bits, line, unit);
    if (!place->sectors) {
        place->line = line;
        place->unit = unit;
        classes->count++;
    }
    if (place->flushes != classes->flushes) {
        place->flushes = classes->flushes;
        place->recent = 0;
    }
    novelty->ever = sectors & ~place->sectors;
    novelty->again = sectors & place->sectors & ~place->recent;
    place->sectors |= sectors;
    place->recent |= sectors;
    if (classes->count > ((size_t)3 << classes->bits) / 4)
        return seen_grow(classes);
    return STATUS_OK;
}

static enum status classify(struct cache *cache, const struct request *request, uint64_t line,
                            uint32_t sectors, struct flow *flow)
{
    struct classes *classes = cache->classes;
    struct cache *shadow = classes->shadow;
    struct flow unused = {.down = NULL};
    uint32_t missed = cache->functions->access(cache, request, line, sectors, flow);
    uint32_t ideal = shadow->functions->access(shadow, request, line, sectors, &unused);
    if (!missed) /* so all were accessed before */
        return STATUS_OK;
    struct novelty novelty;
    enum status status = seen_mark(classes, line, request->unit, missed, &novelty);
    uint32_t rest = missed & ~novelty.ever & ~novelty.again;
    flow->counts.compulsory += bits_count(novelty.ever);
    flow->counts.flush += bits_count(novelty.again);
    flow->counts.capacity += bits_count(rest & ideal);
    flow->counts.conflict += bits_count(rest & ~ideal);
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
        while (sector <= last) {
            uint32_t sectors = geometry_cut(&cache->geometry, sector, last);
            enum status status =
                classify(cache, request, geometry_line(&cache->geometry, sector), sectors, flow);
            if (status)
                return status;
            sector += bits_count(sectors);
        }
    }
    return flow->status;
}

void classes_flush(struct classes *classes)
{
    classes->flushes++;
    cache_flush(classes->shadow, NULL); /* cannot fail: nothing is appended */
}

enum status classes_resize(struct classes *classes, uint64_t ways)
{
    classes->flushes++;
    return cache_resize(classes->shadow, ways, NULL);
}
