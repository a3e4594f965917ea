#include "slow_cache.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/rng.h"
#include "model/cache/set_index.h"
#include "schema/parameters.h"
#include "slow_policy.h"

struct slow_sector {
    bool valid, dirty, readable;
    uint32_t written;
};

struct slow_line {
    bool valid;
    uint64_t line;
    struct slow_sector sectors[32];
};

struct slow_set {
    struct slow_line *lines;
};

struct seen {
    unsigned instance;
    uint64_t sector;
    bool recent;                 /* accessed since the last flush */
    struct slow_sector possible; /* contents that a cache of some size and policy may have */
};

struct slow_cache {
    struct cache_config config;
    unsigned instances, options;
    uint64_t seed, set_count;
    struct slow_set *sets; /* of all instances */
    struct slow_policy *policy;
    struct cache_counts counts;
    uint64_t *lacked; /* [instances], 1 + the line that the last store of an L1D lacked, or 0 */
    struct slow_cache *shadow;
    struct seen *seen;
    size_t seen_count, seen_capacity;
};

struct slow_cache *slow_cache_create(const struct cache_config *config, unsigned instances,
                                     uint64_t seed, unsigned options)
{
    struct slow_cache *cache = calloc(1, sizeof *cache);
    assert(cache);
    cache->config = *config;
    cache->instances = instances;
    cache->options = options;
    cache->seed = seed;
    cache->set_count = cache_sets(config);
    cache->sets = calloc(cache->set_count * instances, sizeof *cache->sets);
    cache->lacked = calloc(instances, sizeof *cache->lacked);
    assert(cache->sets && cache->lacked);
    for (size_t i = 0; i < cache->set_count * instances; i++) {
        cache->sets[i].lines = calloc(config->ways, sizeof *cache->sets[i].lines);
        assert(cache->sets[i].lines);
    }
    cache->policy = slow_policy_create(config->replacement, config->reset, config->ways,
                                       cache->set_count, instances, seed);
    if (options & CACHE_CLASSIFY) {
        struct cache_config ideal = *config;
        ideal.ways *= cache->set_count;
        ideal.slices = 1;
        ideal.size = ideal.ways * ideal.line;
        ideal.index = INDEX_MODULO;
        ideal.replacement = REPLACEMENT_LRU;
        ideal.reset = RESET_PAPER;
        cache->shadow = slow_cache_create(&ideal, instances, 0, 0);
    }
    return cache;
}

void slow_cache_free(struct slow_cache *cache)
{
    if (!cache)
        return;
    for (size_t i = 0; i < cache->set_count * cache->instances; i++)
        free(cache->sets[i].lines);
    free(cache->sets);
    free(cache->seen);
    free(cache->lacked);
    slow_policy_free(cache->policy);
    slow_cache_free(cache->shadow);
    free(cache);
}

static unsigned bits_of(uint64_t sets)
{
    unsigned bits = 0;
    while (UINT64_C(1) << bits < sets)
        bits++;
    return bits;
}

static uint64_t slow_ipoly(uint64_t line, unsigned degree)
{
    unsigned used = degree == 4 ? 17 : degree == 5 ? 20 : degree == 6 ? 25 : 64;
    uint64_t power = 1, set = 0; /* x^bit modulo the polynomial */
    for (unsigned bit = 0; degree && bit < used; bit++) {
        if (power >> degree & 1)
            power ^= ipoly_polynomial(degree);
        if (line >> bit & 1)
            set ^= power;
        power <<= 1;
    }
    return set;
}

/* By the sieve of Eratosthenes. */
static uint64_t slow_prime(uint64_t most)
{
    uint64_t prime = 1;
    bool *composite = calloc(most + 1, sizeof *composite);
    assert(composite);
    for (uint64_t i = 2; i <= most; i++) {
        if (!composite[i])
            prime = i;
        for (uint64_t k = 2 * i; !composite[i] && k <= most; k += i)
            composite[k] = true;
    }
    free(composite);
    return prime;
}

uint64_t slow_set(const struct cache_config *config, uint64_t address)
{
    uint64_t sets = cache_sets(config);
    if (config->slices > 1) { /* leave out the bits that chose the slice */
        uint64_t round = config->interleave * config->slices;
        address = address / round * config->interleave + address % config->interleave;
    }
    uint64_t line = address / config->line;
#define BIT(i) (line >> (i)&1)
    switch (config->index) {
    case INDEX_XOR:
        return line % sets ^ line / sets % sets;
    case INDEX_FERMI: {
        uint64_t set = (BIT(0) ^ BIT(6)) | (BIT(1) ^ BIT(7)) << 1 | (BIT(2) ^ BIT(8)) << 2 |
                       (BIT(3) ^ BIT(10)) << 3 | (BIT(4) ^ BIT(12)) << 4;
        return sets == 64 ? set | BIT(5) << 5 : set;
    }
    case INDEX_IPOLY:
        return slow_ipoly(line, bits_of(sets));
    case INDEX_PRIME:
        return line % slow_prime(sets);
    case INDEX_SCATTER: {
        uint64_t h = line;
        h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
        h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53u;
        return (uint64_t)((double)(uint32_t)(h >> 32) / 4294967296.0 * (double)sets);
    }
    case INDEX_ROTATE: {
        uint64_t h = line / sets;
        h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
        h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53u;
        const double share = (double)(uint32_t)(h >> 32) / 4294967296.0;
        return (line + (uint64_t)(share * (double)sets)) % sets;
    }
    default:
        return line % sets;
    }
#undef BIT
}

static void push(struct request_buffer *down, struct request request)
{
    if (!down)
        return;
    assert(!array_reserve(&down->items, &down->capacity, down->count + 1));
    down->items[down->count++] = request;
}

static struct slow_line *find(struct slow_cache *cache, struct slow_set *set, uint64_t line)
{
    for (size_t way = 0; way < cache->config.ways; way++)
        if (set->lines[way].valid && set->lines[way].line == line)
            return &set->lines[way];
    return NULL;
}

static struct slow_access access_of(const struct slow_cache *cache, const struct slow_set *set,
                                    uint64_t line, uint32_t pc)
{
    const uint64_t number = (uint64_t)(set - cache->sets);
    return (struct slow_access){.instance = (unsigned)(number / cache->set_count),
                                .set = number % cache->set_count,
                                .line = line,
                                .pc = pc};
}

static void use(struct slow_cache *cache, const struct slow_set *set, const struct slow_line *line,
                uint32_t pc)
{
    const struct slow_access access = access_of(cache, set, line->line, pc);
    slow_policy_hit(cache->policy, &access, (uint64_t)(line - set->lines));
}

static void invalidate(struct slow_cache *cache, const struct slow_set *set,
                       const struct slow_line *line)
{
    const struct slow_access access = access_of(cache, set, line->line, 0);
    slow_policy_drop(cache->policy, &access, (uint64_t)(line - set->lines));
}

static void write_back(struct slow_cache *cache, const struct slow_line *line, unsigned instance,
                       uint32_t pc, struct request_buffer *down)
{
    uint64_t size = cache->config.sector;
    bool any = false;
    for (unsigned i = 0; i < cache->config.line / size; i++) {
        const struct slow_sector *sector = &line->sectors[i];
        if (!sector->valid || !sector->dirty)
            continue;
        any = true;
        cache->counts.write_bytes += size;
        bool local = cache->config.write == WRITE_LOCAL_BACK;
        push(down, (struct request){.address = line->line * cache->config.line + i * size,
                                    .pc = pc,
                                    .touched = sector->readable ? UINT32_MAX : sector->written,
                                    .instance = (uint16_t)instance,
                                    .bytes = (uint16_t)size,
                                    .op = OP_STORE,
                                    .space = local ? SPACE_LOCAL : SPACE_GLOBAL,
                                    .flags = REQUEST_WRITEBACK});
    }
    cache->counts.writebacks += any;
}

static void fetch(struct slow_cache *cache, const struct request *request, uint64_t sector,
                  struct request_buffer *down)
{
    uint64_t size = cache->config.sector;
    cache->counts.read_bytes += size;
    push(down, (struct request){.address = sector * size,
                                .pc = request->pc,
                                .touched = UINT32_MAX,
                                .instance = request->instance,
                                .bytes = (uint16_t)size,
                                .op = OP_LOAD,
                                .space = request->space});
}

/* Whether the threads use a point, counted in 1/32 bytes from the start of the request. */
static bool touches(const struct request *request, int64_t point)
{
    return point >= 0 && point < 32 * (int64_t)request->bytes &&
           request->touched >> (point / request->bytes) & 1;
}

/* Which 1/32 parts of [address, address + bytes) the request touches, as a whole or anywhere. */
static uint32_t parts(const struct request *request, uint64_t address, uint64_t bytes, bool whole)
{
    int64_t shift = (int64_t)(address - request->address) * 32;
    uint32_t result = 0;
    for (unsigned i = 0; i < 32; i++) {
        uint64_t points = 0;
        for (uint64_t j = 0; j < bytes; j++)
            points += touches(request, shift + (int64_t)(i * bytes + j));
        if (whole ? points == bytes : points > 0)
            result |= UINT32_C(1) << i;
    }
    return result;
}

static void pass(struct slow_cache *cache, const struct request *request, uint64_t sector,
                 bool done, struct request_buffer *down)
{
    uint64_t begin = sector * cache->config.sector, end = begin + cache->config.sector;
    struct request passed = *request;
    if (begin > request->address || end < request->address + request->bytes) {
        if (begin < request->address)
            begin = request->address;
        if (end > request->address + request->bytes)
            end = request->address + request->bytes;
        passed.address = begin;
        passed.bytes = (uint16_t)(end - begin);
        passed.touched = parts(request, begin, end - begin, false);
    }
    if (done && passed.op == OP_ATOMIC)
        passed.op = OP_STORE;
    cache->counts.write_bytes += passed.bytes;
    push(down, passed);
}

static int policy_for(const struct slow_cache *cache, const struct request *request)
{
    if (cache->config.write == WRITE_LOCAL_BACK)
        return request->space == SPACE_LOCAL ? WRITE_BACK : WRITE_EVICT;
    return cache->config.write;
}

/* Puts a line in place of the victim, which is returned for its write-back. */
static struct slow_line install(struct slow_cache *cache, const struct slow_set *set,
                                uint64_t number, uint32_t pc, struct slow_line **line)
{
    const struct slow_access access = access_of(cache, set, number, pc);
    const uint64_t way = slow_policy_place(cache->policy, &access);
    *line = &set->lines[way];
    const struct slow_line old = **line;
    **line = (struct slow_line){.valid = true, .line = number};
    slow_policy_fill(cache->policy, &access, way);
    return old;
}

static void store_hit(struct slow_cache *cache, struct slow_set *set, struct slow_line *line,
                      struct slow_sector *sector, const struct request *request, uint64_t number,
                      struct request_buffer *down)
{
    int policy = policy_for(cache, request);
    use(cache, set, line, request->pc);
    if (policy != WRITE_BACK)
        pass(cache, request, number, true, down);
    if (policy == WRITE_EVICT) {
        if (sector->dirty) {
            struct slow_line only = *line;
            for (unsigned i = 0; i < 32; i++)
                only.sectors[i].dirty = &line->sectors[i] == sector;
            write_back(cache, &only, request->instance, request->pc, down);
        }
        *sector = (struct slow_sector){0};
        line->valid = false;
        for (unsigned i = 0; i < 32; i++)
            line->valid |= line->sectors[i].valid;
        if (!line->valid)
            invalidate(cache, set, line);
        return;
    }
    if (policy == WRITE_BACK)
        sector->dirty = true;
    if (!sector->readable)
        sector->written |=
            parts(request, number * cache->config.sector, cache->config.sector, true);
    if (sector->written == UINT32_MAX)
        sector->readable = true;
}

static void store_miss(struct slow_cache *cache, struct slow_set *set, struct slow_line *line,
                       const struct request *request, uint64_t number, struct request_buffer *down)
{
    uint64_t size = cache->config.sector, per_line = cache->config.line / size;
    bool atomic = request->op == OP_ATOMIC;
    int policy = policy_for(cache, request), allocate = cache->config.write_allocate;
    if (allocate == WRITE_ALLOCATE_NONE) {
        pass(cache, request, number, false, down);
        return;
    }
    if (policy != WRITE_BACK)
        pass(cache, request, number, true, down);
    struct slow_line old = {0};
    if (line)
        use(cache, set, line, request->pc);
    else
        old = install(cache, set, number / per_line, request->pc, &line);
    uint32_t written = parts(request, number * size, size, true);
    bool full = written == UINT32_MAX;
    bool fetches = atomic || allocate == WRITE_ALLOCATE_FETCH ||
                   (allocate == WRITE_ALLOCATE_ON_WRITE && !full);
    struct slow_sector *sector = &line->sectors[number % per_line];
    sector->valid = true;
    sector->dirty |= policy == WRITE_BACK;
    sector->readable = fetches || full;
    sector->written = written;
    if (fetches)
        fetch(cache, request, number, down);
    if (old.valid)
        write_back(cache, &old, request->instance, request->pc, down);
}

/* One sector of one request; returns whether it hits. */
static bool access_sector(struct slow_cache *cache, const struct request *request, uint64_t number,
                          struct request_buffer *down)
{
    uint64_t size = cache->config.sector, per_line = cache->config.line / size;
    struct slow_set *set =
        &cache
             ->sets[request->instance * cache->set_count + slow_set(&cache->config, number * size)];
    struct slow_line *line = find(cache, set, number / per_line);
    struct slow_sector *sector = line ? &line->sectors[number % per_line] : NULL;
    bool readable = sector && sector->valid && sector->readable;
    if (request_writes(request)) {
        bool hit = request->op == OP_ATOMIC ? readable : sector && sector->valid;
        cache->counts.writes++;
        cache->counts.write_misses += !hit;
        cache->counts.sector_misses += line && !hit;
        if (hit)
            store_hit(cache, set, line, sector, request, number, down);
        else
            store_miss(cache, set, line, request, number, down);
        return hit;
    }
    cache->counts.reads++;
    cache->counts.read_misses += !readable;
    cache->counts.sector_misses += line && !readable;
    struct slow_line old = {0};
    if (line)
        use(cache, set, line, request->pc);
    if (readable)
        return true;
    if (!line)
        old = install(cache, set, number / per_line, request->pc, &line);
    sector = &line->sectors[number % per_line];
    sector->valid = sector->readable = true;
    fetch(cache, request, number, down);
    if (old.valid)
        write_back(cache, &old, request->instance, request->pc, down);
    return false;
}

/* The entry of a sector that was accessed before, or NULL: now there is one. */
static struct seen *seen_before(struct slow_cache *cache, unsigned instance, uint64_t sector)
{
    for (size_t i = 0; i < cache->seen_count; i++)
        if (cache->seen[i].instance == instance && cache->seen[i].sector == sector)
            return &cache->seen[i];
    assert(!array_reserve(&cache->seen, &cache->seen_capacity, cache->seen_count + 1));
    cache->seen[cache->seen_count++] = (struct seen){instance, sector, true, {0}};
    return NULL;
}

/* Whether some cache may hit here, and what some cache may have afterwards. */
static bool access_possible(const struct slow_cache *cache, const struct request *request,
                            uint64_t number, struct slow_sector *sector)
{
    const uint64_t size = cache->config.sector;
    const int allocate = cache->config.write_allocate;
    const bool atomic = request->op == OP_ATOMIC, readable = sector->valid && sector->readable;
    if (!request_writes(request)) {
        *sector = (struct slow_sector){.valid = true, .readable = true};
        return readable;
    }
    bool hits = atomic ? readable : sector->valid;
    bool drops = policy_for(cache, request) == WRITE_EVICT, takes = !hits || drops;
    if (drops && hits)
        *sector = (struct slow_sector){0};
    if (takes && allocate == WRITE_ALLOCATE_NONE)
        return hits;
    sector->written = (takes ? 0 : sector->written) | parts(request, number * size, size, true);
    sector->readable = (!takes && sector->readable) || atomic || sector->written == UINT32_MAX ||
                       allocate != WRITE_ALLOCATE_LAZY;
    sector->valid = true;
    return hits;
}

/* Before the first access of a request to a line: whether a store misses its tag, because the line
 * is absent or was when the same instruction first came to it. */
static bool tag_missed(struct slow_cache *cache, const struct request *request, uint64_t line)
{
    const uint64_t address = line * cache->config.line;
    struct slow_set *set =
        &cache->sets[request->instance * cache->set_count + slow_set(&cache->config, address)];
    uint64_t *lacked = &cache->lacked[request->instance];
    if (!find(cache, set, line))
        *lacked = line + 1;
    else if (request->flags & REQUEST_FIRST || *lacked != line + 1)
        *lacked = 0;
    return *lacked;
}

void slow_cache_run(struct slow_cache *cache, const struct request *requests, size_t count,
                    struct request_buffer *down)
{
    for (size_t i = 0; i < count; i++) {
        const struct request *request = &requests[i];
        bool unseen = cache->options & CACHE_L1 &&
                      (request->op == OP_ATOMIC || request->flags & REQUEST_BYPASS_L1);
        if (unseen || (cache->config.write == WRITE_READ_ONLY && request_writes(request))) {
            push(down, *request);
            continue;
        }
        uint64_t last = (request->address + request->bytes - 1) / cache->config.sector;
        const uint64_t per_line = cache->config.line / cache->config.sector;
        bool lacks = false;
        for (uint64_t sector = request->address / cache->config.sector; sector <= last; sector++) {
            const bool begins =
                sector == request->address / cache->config.sector || sector % per_line == 0;
            if (begins && request_writes(request) && cache->options & CACHE_L1 &&
                cache->config.write_allocate != WRITE_ALLOCATE_NONE)
                lacks = tag_missed(cache, request, sector / per_line);
            cache->counts.tag_misses += lacks;
            bool hit = access_sector(cache, request, sector, down);
            if (!cache->shadow)
                continue;
            struct seen *before = seen_before(cache, request->instance, sector);
            struct seen *now = before ? before : &cache->seen[cache->seen_count - 1];
            bool recent = before && before->recent;
            bool possible = access_possible(cache, request, sector, &now->possible);
            assert(possible || !hit);
            bool ideal = access_sector(cache->shadow, request, sector, NULL);
            cache->counts.compulsory += !hit && !before;
            cache->counts.flush += !hit && before && !recent;
            cache->counts.store += !hit && recent && !possible;
            cache->counts.capacity += !hit && recent && possible && !ideal;
            cache->counts.conflict += !hit && recent && possible && ideal;
            if (before)
                before->recent = true;
        }
    }
}

static int by_address(const void *left, const void *right)
{
    const struct request *a = left, *b = right;
    return (a->address > b->address) - (a->address < b->address);
}

void slow_cache_flush(struct slow_cache *cache, struct request_buffer *down)
{
    for (unsigned instance = 0; instance < cache->instances; instance++) {
        size_t first = down ? down->count : 0;
        for (size_t i = 0; i < cache->set_count; i++) {
            struct slow_set *set = &cache->sets[instance * cache->set_count + i];
            for (size_t way = 0; way < cache->config.ways; way++) {
                if (set->lines[way].valid) {
                    write_back(cache, &set->lines[way], instance, 0, down);
                    invalidate(cache, set, &set->lines[way]);
                }
                set->lines[way] = (struct slow_line){0};
            }
        }
        if (down && down->count > first)
            qsort(down->items + first, down->count - first, sizeof *down->items, by_address);
    }
    for (size_t i = 0; i < cache->seen_count; i++)
        cache->seen[i] = (struct seen){cache->seen[i].instance, cache->seen[i].sector, false, {0}};
    if (cache->shadow)
        slow_cache_flush(cache->shadow, NULL);
}

void slow_cache_counts(const struct slow_cache *cache, struct cache_counts *counts)
{
    *counts = cache->counts;
    counts->accesses = counts->reads + counts->writes;
    counts->misses = counts->read_misses + counts->write_misses;
}
