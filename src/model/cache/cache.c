#include "model/cache/cache.h"

#include <string.h>

#include "base/bits.h"
#include "model/cache/cache_state.h"
#include "model/cache/shadow.h"
#include "schema/parameters.h"

/* Requests that the shadow sees before the cache sees them. */
enum { SHADOW_BATCH = 256 };

/* calloc of a * b * size bytes that fails on overflow. */
static void *zeroed(uint64_t a, uint64_t b, uint64_t size)
{
    uint64_t count;
    if (__builtin_mul_overflow(a, b, &count) || count > SIZE_MAX)
        return NULL;
    return calloc(count ? count : 1, size);
}

static void free_arrays(struct cache *cache)
{
    free(cache->tags);
    free(cache->states);
    free(cache->written);
    free(cache->orders);
    free(cache->signs);
    free(cache->policy_states);
    free(cache->policy_shared);
    free(cache->first_free);
    free(cache->tables);
    free(cache->unknown);
    free(cache->absent);
    cache->unknown = NULL;
    cache->absent = NULL;
    cache->tags = NULL;
    cache->states = NULL;
    cache->written = NULL;
    cache->orders = NULL;
    cache->signs = NULL;
    cache->policy_states = NULL;
    cache->policy_shared = NULL;
    cache->first_free = NULL;
    cache->tables = NULL;
}

/* Chooses the fastest organization that can hold the ways. LRU of up to 16 ways fits one word per
 * set, whose order nobody can watch; more ways than SCAN_WAYS need a hash table, which costs memory
 * and upkeep. */
static enum organization choose_organization(const struct cache *cache)
{
    const bool vectors = cache_has_vectors() && !(cache->options & CACHE_PORTABLE);
    const bool few = cache->geometry.ways <= REGISTER_WAYS && !cache->watch;
    if (few && cache->policy_traits & REPLACEMENT_RECENCY)
        return vectors ? ORGANIZATION_VECTORS : ORGANIZATION_REGISTER;
    if (few && vectors)
        return ORGANIZATION_SCAN_ALL;
    return cache->geometry.ways <= SCAN_WAYS ? ORGANIZATION_SCAN : ORGANIZATION_HASH;
}

static bool build_policy(struct cache *cache, uint64_t sets)
{
    const struct replacement_policy *policy = cache->policy;
    const uint32_t ways = cache->geometry.ways;
    cache->policy_stride = (policy->state_bytes(ways) + 7) & ~(size_t)7;
    cache->policy_states = zeroed(sets, 1, cache->policy_stride);
    cache->first_free = zeroed(sets, 1, sizeof *cache->first_free);
    if (policy->shared_bytes) {
        const size_t bytes = policy->shared_bytes((uint32_t)cache->geometry.sets, ways);
        cache->shared_stride = (bytes + 7) & ~(size_t)7;
        cache->policy_shared = zeroed(cache->instances, 1, cache->shared_stride);
    }
    if (!cache->policy_states || !cache->first_free ||
        (policy->shared_bytes && !cache->policy_shared))
        return false;
    for (uint64_t set = 0; policy->reset && cache->config.reset != RESET_PAPER && set < sets; set++)
        policy->reset(cache->policy_states + set * cache->policy_stride, ways, cache->config.reset);
    return true;
}

static bool build_signs(struct cache *cache, uint64_t sets)
{
    cache->sign_words = cache->geometry.ways > 8 ? 2 : 1;
    for (unsigned way = 0; way < 16; way++) {
        uint64_t high = UINT64_C(0x80) << (8 * (way & 7));
        cache->sign_masks[way >> 3] &= ~high;
        cache->sign_masks[way >> 3] |= way < cache->geometry.ways ? high : 0;
    }
    cache->signs = zeroed(sets, cache->sign_words, sizeof *cache->signs);
    return cache->signs != NULL;
}

/* Allocates the arrays for cache->geometry.ways ways, all invalid. On failure nothing stays
 * allocated. */
static enum status build_arrays(struct cache *cache)
{
    static cache_runner *const runners[] = {
        [ORGANIZATION_REGISTER] = cache_run_register, [ORGANIZATION_VECTORS] = cache_run_vectors,
        [ORGANIZATION_SCAN] = cache_run_scan,         [ORGANIZATION_SCAN_ALL] = cache_run_scan_all,
        [ORGANIZATION_HASH] = cache_run_hash,
    };
    uint64_t sets = cache->geometry.sets * cache->instances;
    cache->organization = choose_organization(cache);
    cache->run = runners[cache->organization];
    if (cache->organization == ORGANIZATION_SCAN_ALL && cache->policy->run)
        cache->run = cache->policy->run;
    if (cache->organization == ORGANIZATION_HASH && cache->policy->run_many)
        cache->run = cache->policy->run_many;
    if (cache->watch)
        cache->run = cache_run_watched;
    cache->tags = zeroed(sets * cache->geometry.ways + SPARE_TAGS, 1, sizeof *cache->tags);
    cache->states = zeroed(sets, cache->geometry.ways, sizeof *cache->states);
    bool built = cache->tags && cache->states;
    if (cache->lazy) {
        cache->written =
            zeroed(sets * cache->geometry.ways, cache->geometry.sectors, sizeof *cache->written);
        built = built && cache->written;
    }
    if (organization_orders(cache->organization)) {
        cache->orders = zeroed(sets, 1, sizeof *cache->orders);
        built = built && cache->orders;
    } else {
        built = build_policy(cache, sets) && built;
    }
    if (cache->options & CACHE_L1 && cache->config.write_allocate != WRITE_ALLOCATE_NONE) {
        cache->absent = zeroed(cache->instances, 1, sizeof *cache->absent);
        built = built && cache->absent;
    }
    if (cache->organization == ORGANIZATION_REGISTER)
        built = build_signs(cache, sets) && built;
    if (cache->organization == ORGANIZATION_HASH) {
        cache->table_bits = log2_floor(cache->geometry.ways - 1) + 2;
        cache->tables = zeroed(sets, UINT64_C(1) << cache->table_bits, sizeof *cache->tables);
        built = built && cache->tables;
    }
    if (!built)
        free_arrays(cache);
    return built ? STATUS_OK : STATUS_MEMORY;
}

enum status cache_rebuild(struct cache *cache)
{
    free_arrays(cache);
    return build_arrays(cache);
}

enum status cache_create(const struct cache_config *config, unsigned instances, uint64_t seed,
                         unsigned options, struct cache **result)
{
    *result = NULL;
    if (!replacement_holds(config->replacement, config->ways) ||
        !replacement_starts(config->replacement, config->reset) || !instances ||
        instances > UINT16_MAX + 1)
        return STATUS_INVALID;
    if (cache_is_offline(config))
        return STATUS_UNSUPPORTED;
    struct cache *cache = calloc(1, sizeof *cache);
    if (!cache)
        return STATUS_MEMORY;
    cache->config = *config;
    cache->policy = replacement_policies[config->replacement];
    cache->policy_traits = replacement_facts[config->replacement].traits;
    cache->options = options;
    cache->instances = instances;
    cache->seed = seed;
    cache->lazy = config->write_allocate == WRITE_ALLOCATE_LAZY && config->write != WRITE_READ_ONLY;
    enum status status = geometry_init(&cache->geometry, config);
    if (!status)
        status = build_arrays(cache);
    if (!status && options & CACHE_CLASSIFY)
        status = shadow_create(config, instances, options, &cache->shadow);
    if (status) {
        cache_free(cache);
        return status;
    }
    *result = cache;
    return STATUS_OK;
}

void cache_set_instance(struct cache *cache, unsigned instance)
{
    cache->first_set = cache->geometry.sets * instance;
}

void cache_set_pcs(struct cache *cache, const uint32_t *pcs)
{
    cache->pcs = pcs;
}

void cache_free(struct cache *cache)
{
    if (!cache)
        return;
    shadow_free(cache->shadow);
    cache_watch_free(cache->watch);
    free_arrays(cache);
    free(cache);
}

void cache_add_counts(struct cache_counts *to, const struct cache_counts *from)
{
    to->accesses += from->accesses;
    to->misses += from->misses;
    to->reads += from->reads;
    to->read_misses += from->read_misses;
    to->writes += from->writes;
    to->write_misses += from->write_misses;
    to->sector_misses += from->sector_misses;
    to->tag_misses += from->tag_misses;
    to->writebacks += from->writebacks;
    to->compulsory += from->compulsory;
    to->flush += from->flush;
    to->store += from->store;
    to->capacity += from->capacity;
    to->conflict += from->conflict;
    to->read_bytes += from->read_bytes;
    to->write_bytes += from->write_bytes;
}

void cache_subtract_counts(struct cache_counts *from, const struct cache_counts *part)
{
    from->accesses -= part->accesses;
    from->misses -= part->misses;
    from->reads -= part->reads;
    from->read_misses -= part->read_misses;
    from->writes -= part->writes;
    from->write_misses -= part->write_misses;
    from->sector_misses -= part->sector_misses;
    from->tag_misses -= part->tag_misses;
    from->writebacks -= part->writebacks;
    from->compulsory -= part->compulsory;
    from->flush -= part->flush;
    from->store -= part->store;
    from->capacity -= part->capacity;
    from->conflict -= part->conflict;
    from->read_bytes -= part->read_bytes;
    from->write_bytes -= part->write_bytes;
}

/* Runs the shadow and the cache in turn on small batches, so that the shadow's answers are still in
 * the processor's cache when the cache reads them. */
static enum status run_with_shadow(struct cache *cache, const struct request *requests,
                                   size_t count, struct flow *flow)
{
    enum status status = STATUS_OK;
    while (count && !status) {
        const uint32_t *lost;
        size_t batch = count < SHADOW_BATCH ? count : SHADOW_BATCH;
        if (cache->watch && cache_watch_classes(cache))
            batch = 1;
        status = shadow_run(cache->shadow, requests, batch, &flow->counts, &lost);
        if (!status)
            status = cache->run(cache, requests, batch, lost, flow);
        requests += batch;
        count -= batch;
    }
    struct cache_counts *counts = &flow->counts;
    counts->conflict = counts->read_misses + counts->write_misses - counts->compulsory -
                       counts->flush - counts->store - counts->capacity;
    return status;
}

enum status cache_run(struct cache *cache, const struct request *requests, size_t count,
                      struct request_buffer *down)
{
    struct flow flow = {.down = down};
    if (cache->watch)
        cache_watch_begin(cache);
    enum status status = cache->shadow ? run_with_shadow(cache, requests, count, &flow)
                                       : cache->run(cache, requests, count, NULL, &flow);
    cache_add_counts(&cache->counts, &flow.counts);
    return status;
}

static int by_unit_and_address(const void *left, const void *right)
{
    const struct request *a = left, *b = right;
    if (a->instance != b->instance)
        return a->instance < b->instance ? -1 : 1;
    return (a->address > b->address) - (a->address < b->address);
}

/* Writes back every dirty line. Sorting by instance and address makes the order independent of how
 * a set organizes its ways. */
static void write_back_all(struct cache *cache, struct flow *flow)
{
    size_t first = flow->down ? flow->down->count : 0;
    size_t slots_of_instance = cache->geometry.sets * cache->geometry.ways;
    for (size_t slot = 0; slot < slots_of_instance * cache->instances; slot++) {
        if (!cache->tags[slot] || !cache->states[slot].dirty)
            continue;
        struct evicted evicted = {.line = cache->tags[slot] - 1, .state = cache->states[slot]};
        if (evicted.state.partial)
            memcpy(evicted.written, cache->written + slot * cache->geometry.sectors,
                   cache->geometry.sectors * sizeof *cache->written);
        const struct request by = {.instance = (uint16_t)(slot / slots_of_instance)};
        flow_write_back(cache, &evicted, &by, flow);
    }
    if (flow->down && flow->down->count > first)
        qsort(flow->down->items + first, flow->down->count - first, sizeof *flow->down->items,
              by_unit_and_address);
}

enum status cache_assume(struct cache *cache)
{
    const uint64_t sets = cache->geometry.sets * cache->instances;
    free(cache->unknown);
    cache->unknown = zeroed(sets, 1, sizeof *cache->unknown);
    if (!cache->unknown)
        return STATUS_MEMORY;
    for (uint64_t set = 0; set < sets; set++)
        cache->unknown[set] = cache->geometry.ways;
    return STATUS_OK;
}

/* Clears the valid bits. A policy drops its state of valid ways too (a FIFO ring, for example). */
static void invalidate_all(struct cache *cache)
{
    size_t sets = cache->geometry.sets * cache->instances;
    for (size_t slot = 0; slot < sets * cache->geometry.ways; slot++) {
        if (!cache->tags[slot])
            continue;
        if (!organization_orders(cache->organization) && cache->policy->drop) {
            const size_t set = slot / cache->geometry.ways;
            const struct set_access access = cache_set_access(
                cache, set, (unsigned)(set / cache->geometry.sets), cache->tags[slot] - 1, 0);
            cache->policy->drop(&access, (uint32_t)(slot % cache->geometry.ways));
        }
        cache->tags[slot] = 0;
        cache->states[slot] = (struct line_state){0};
    }
    free(cache->unknown);
    cache->unknown = NULL;
    if (cache->first_free)
        memset(cache->first_free, 0, sets * sizeof *cache->first_free);
    if (cache->tables)
        memset(cache->tables, 0, (sets << cache->table_bits) * sizeof *cache->tables);
}

enum status cache_flush(struct cache *cache, struct request_buffer *down)
{
    struct flow flow = {.down = down};
    const bool told = cache->watch && cache_watch_holds(cache);
    write_back_all(cache, &flow);
    invalidate_all(cache);
    if (cache->shadow)
        shadow_flush(cache->shadow, cache->geometry.sets * cache->geometry.ways);
    cache_add_counts(&cache->counts, &flow.counts);
    return flow.status || !told ? flow.status : cache_watch_emptied(cache, &flow.counts);
}

/* The old arrays are kept until the new ones exist, so that a failure leaves a usable cache. */
enum status cache_resize(struct cache *cache, uint64_t ways, struct request_buffer *down)
{
    struct cache_config config = cache->config;
    struct geometry geometry;
    if (ways == cache->geometry.ways)
        return STATUS_OK;
    if (!ways || ways > UINT32_MAX || !replacement_holds(cache->config.replacement, ways))
        return STATUS_INVALID;
    config.ways = ways;
    config.size = cache->geometry.sets * config.slices * ways * config.line;
    if (geometry_init(&geometry, &config))
        return STATUS_INVALID;
    enum status status = cache_flush(cache, down);
    if (status)
        return status;
    struct cache old = *cache;
    cache->config = config;
    cache->geometry = geometry;
    cache->orders = NULL;
    cache->signs = NULL;
    cache->written = NULL;
    cache->policy_states = NULL;
    cache->policy_shared = NULL;
    cache->first_free = NULL;
    cache->tables = NULL;
    status = build_arrays(cache);
    if (status) {
        free_arrays(cache);
        *cache = old; /* flushed, but with its old ways */
        return status;
    }
    if (cache->shadow)
        shadow_flush(cache->shadow, cache->geometry.sets * ways);
    free_arrays(&old);
    return STATUS_OK;
}

/* While counting is off, the counts go on in cache->counts and are thrown away when it is switched
 * on again. So the access path need not test whether it counts. */
void cache_count(struct cache *cache, bool counted)
{
    if (counted != cache->aside)
        return;
    cache->aside = !counted;
    if (counted)
        cache->counts = cache->kept;
    else
        cache->kept = cache->counts;
}

void cache_read_counts(const struct cache *cache, struct cache_counts *counts)
{
    *counts = cache->aside ? cache->kept : cache->counts;
    counts->accesses = counts->reads + counts->writes;
    counts->misses = counts->read_misses + counts->write_misses;
}
