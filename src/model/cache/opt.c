/* opt_run records which sector each access wants and whether any cache could hit it. opt_finish
 * computes every access's next use in a backward pass and then replays the accesses; whenever a set
 * is full it gives up the sector whose next use is farthest away, found by a heap per set. */
#include "model/cache/opt.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/key_table.h"
#include "base/memory.h"
#include "model/cache/cache_state.h"

#define NEVER         UINT32_MAX
#define DEFAULT_LIMIT (UINT64_C(4) << 30)

/* What opt_finish needs to know about an access. */
enum kind {
    KIND_STORE = 1 << 0,
    KIND_WITHIN_REACH = 1 << 1, /* some cache could hit it */
    KIND_TAKES = 1 << 2         /* a miss allocates a way */
};

struct known_sector { /* a sector that an instance accessed */
    uint64_t sector;
    uint32_t set,
        next; /* `set` counts over all instances; `next` is its next use while opt_finish runs */
    uint32_t flushes; /* flush count at its last access */
    uint32_t written; /* 32nds that stores have written since, unless it is readable */
    uint16_t instance;
    bool valid, readable; /* in some cache, whatever its size and policy */
    bool held;
};

struct phase { /* from access `first` on, sets have `ways` ways */
    size_t first;
    uint32_t ways;
};

struct opt_cache {
    struct cache_config config;
    struct geometry geometry;
    unsigned instances, options;
    uint64_t memory_limit;
    uint32_t flushes;
    struct known_sector *sectors;
    size_t sector_count, sector_capacity;
    /* `addresses` numbers distinct sectors; `numbers` finds an index in `sectors` by that number
     * and the instance. */
    struct key_table addresses, numbers;
    struct phase *phases;
    size_t phase_count, phase_capacity;
    uint32_t *wanted; /* [count]: number in sectors */
    uint8_t *kinds;   /* [count]: of enum kind */
    size_t count, wanted_capacity, kind_capacity;
};

/* The sectors that a set keeps for their next use, as a heap with the farthest use on top; there is
 * one heap per set and sector position. When a kept sector is used again it gets a second entry and
 * the first one stays. The stale entry's time has passed, so it is below every live entry and
 * cannot reach the top while a live entry exists. */
struct candidate {
    uint32_t next, sector;
};

struct set_heap {
    uint32_t count, kept; /* count: all entries; kept: the live ones */
};

/* ---- recording ------------------------------------------------------------------------------- */

static enum status begin_phase(struct opt_cache *opt)
{
    if (array_reserve(&opt->phases, &opt->phase_capacity, opt->phase_count + 1))
        return STATUS_MEMORY;
    opt->phases[opt->phase_count++] = (struct phase){opt->count, opt->geometry.ways};
    return STATUS_OK;
}

enum status opt_create(const struct cache_config *config, unsigned instances, unsigned options,
                       uint64_t memory_limit, struct opt_cache **result)
{
    *result = NULL;
    struct opt_cache *opt = calloc(1, sizeof *opt);
    if (!opt)
        return STATUS_MEMORY;
    enum status status = geometry_init(&opt->geometry, config);
    if (!status && (!instances || instances > UINT16_MAX + 1 ||
                    opt->geometry.sets * instances > UINT32_MAX / opt->geometry.sectors))
        status = STATUS_INVALID;
    opt->config = *config;
    opt->instances = instances;
    opt->options = options;
    opt->flushes = 1;
    opt->memory_limit = memory_limit ? memory_limit : DEFAULT_LIMIT;
    if (!status && begin_phase(opt))
        status = STATUS_MEMORY;
    if (status)
        opt_free(opt);
    else
        *result = opt;
    return status;
}

void opt_free(struct opt_cache *opt)
{
    if (!opt)
        return;
    free(opt->sectors);
    key_table_free(&opt->addresses);
    key_table_free(&opt->numbers);
    free(opt->phases);
    free(opt->wanted);
    free(opt->kinds);
    free(opt);
}

void opt_flush(struct opt_cache *opt)
{
    opt->flushes++;
}

enum status opt_resize(struct opt_cache *opt, uint64_t ways)
{
    if (ways == opt->geometry.ways)
        return STATUS_OK;
    if (!ways || ways > UINT32_MAX)
        return STATUS_INVALID;
    opt_flush(opt);
    opt->geometry.ways = (uint32_t)ways;
    return begin_phase(opt);
}

static enum status find_sector(struct opt_cache *opt, uint64_t sector, unsigned instance,
                               uint32_t *number)
{
    const struct geometry *geometry = &opt->geometry;
    uint32_t address;
    enum status status = key_table_number(&opt->addresses, sector, &address);
    if (!status)
        status = key_table_number(&opt->numbers, (uint64_t)address << 16 | instance, number);
    if (status || *number < opt->sector_count)
        return status;
    if (array_reserve(&opt->sectors, &opt->sector_capacity, opt->sector_count + 1))
        return STATUS_MEMORY;
    uint64_t set = instance * geometry->sets + geometry_set(geometry, geometry->index.function,
                                                            geometry_line(geometry, sector));
    set = set * geometry->sectors + geometry_place(geometry, sector);
    opt->sectors[opt->sector_count++] = (struct known_sector){
        .sector = sector, .set = (uint32_t)set, .instance = (uint16_t)instance};
    return STATUS_OK;
}

static uint64_t memory_used(const struct opt_cache *opt)
{
    const uint64_t numbered = sizeof(uint64_t) + 2 * sizeof(uint32_t); /* a key in its table */
    return opt->count * (2 * sizeof *opt->wanted + sizeof *opt->kinds) +
           opt->sector_count * (sizeof *opt->sectors + numbered) + opt->addresses.count * numbered;
}

/* Updates what some cache may hold of a sector after a store. If a store that hits drops the sector
 * and one that misses allocates it, then some cache holds it afterwards. */
static void store_sector(const struct opt_cache *opt, struct known_sector *known,
                         const struct request *request, bool hits)
{
    const int allocate = opt->config.write_allocate;
    const bool drops = write_policy(opt->config.write, request) == WRITE_EVICT;
    if (allocate == WRITE_ALLOCATE_NONE) {
        known->valid = known->valid && !(hits && drops);
        if (!hits || drops)
            return;
    }
    if (!hits || drops)
        known->written = known->readable = 0;
    known->valid = true;
    known->written |= request_covers(&opt->geometry, request, known->sector);
    known->readable = known->readable || request->op == OP_ATOMIC ||
                      allocate != WRITE_ALLOCATE_LAZY || known->written == UINT32_MAX;
}

/* Tracks what caches of any size and policy may hold of a sector, and returns the kind of the
 * access. */
static uint8_t access_kind(const struct opt_cache *opt, struct known_sector *known,
                           const struct request *request)
{
    const bool store = request_writes(request);
    if (known->flushes != opt->flushes) {
        known->flushes = opt->flushes;
        known->valid = false;
    }
    const bool readable = known->valid && known->readable;
    const bool hits = store && request->op != OP_ATOMIC ? known->valid : readable;
    if (store)
        store_sector(opt, known, request, hits);
    else
        known->valid = known->readable = true;
    const bool takes = !store || opt->config.write_allocate != WRITE_ALLOCATE_NONE;
    return (uint8_t)((store ? KIND_STORE : 0) | (hits ? KIND_WITHIN_REACH : 0) |
                     (takes ? KIND_TAKES : 0));
}

static enum status record(struct opt_cache *opt, const struct request *request, uint64_t sector)
{
    uint32_t number;
    if (find_sector(opt, sector, request->instance, &number) ||
        array_reserve(&opt->wanted, &opt->wanted_capacity, opt->count + 1) ||
        array_reserve(&opt->kinds, &opt->kind_capacity, opt->count + 1))
        return STATUS_MEMORY;
    opt->wanted[opt->count] = number;
    opt->kinds[opt->count] = access_kind(opt, &opt->sectors[number], request);
    opt->count++;
    return STATUS_OK;
}

/* Only records: an optimum is known when the whole stream is (opt_finish). A memory limit is
 * checked at each access, so that no stream can take more. */
enum status opt_run(struct opt_cache *opt, const struct request *requests, size_t count,
                    struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < count; i++) {
        const struct request *request = &requests[i];
        uint64_t sector, last;
        if (cache_passes(opt->config.write, opt->options, request))
            continue;
        if (!geometry_sectors(&opt->geometry, request, &sector, &last) ||
            request->instance >= opt->instances)
            return STATUS_INVALID;
        do {
            if (memory_used(opt) >= opt->memory_limit || opt->count >= NEVER - 1)
                return diagnostics_error(diagnostics, STATUS_MEMORY,
                                         "Belady's optimum has to keep the whole stream: after "
                                         "%zu accesses its limit of %" PRIu64 " MiB is reached",
                                         opt->count, opt->memory_limit >> 20);
            if (record(opt, request, sector))
                return STATUS_MEMORY;
        } while (sector++ < last);
    }
    return STATUS_OK;
}

/* ---- playing ----------------------------------------------------------------------------------
 */

static void heap_sink(struct candidate *heap, uint32_t count, uint32_t i)
{
    struct candidate moved = heap[i];
    for (uint32_t child = 2 * i + 1; child < count; child = 2 * i + 1) {
        if (child + 1 < count && heap[child + 1].next > heap[child].next)
            child++;
        if (heap[child].next <= moved.next)
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = moved;
}

/* Drops stale entries, whose time has passed. */
static void heap_compact(struct opt_cache *opt, struct candidate *heap, struct set_heap *set)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        const struct known_sector *known = &opt->sectors[heap[i].sector];
        if (known->held && known->next == heap[i].next)
            heap[kept++] = heap[i];
    }
    set->count = kept;
    for (uint32_t i = kept / 2; i-- > 0;)
        heap_sink(heap, kept, i);
}

static void heap_push(struct candidate *heap, struct set_heap *set, struct candidate added)
{
    uint32_t i = set->count++;
    while (i > 0 && heap[(i - 1) / 2].next < added.next) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i] = added;
}

static void heap_pop(struct candidate *heap, struct set_heap *set)
{
    heap[0] = heap[--set->count];
    if (set->count)
        heap_sink(heap, set->count, 0);
}

/* next[i] is the access that next uses the sector of access i, or NEVER if no cache could hit that
 * access. */
static void find_next_uses(struct opt_cache *opt, uint32_t *next)
{
    for (size_t i = 0; i < opt->sector_count; i++) {
        opt->sectors[i].next = NEVER;
        opt->sectors[i].held = false;
    }
    for (size_t i = opt->count; i-- > 0;) {
        struct known_sector *known = &opt->sectors[opt->wanted[i]];
        next[i] = known->next;
        known->next = opt->kinds[i] & KIND_WITHIN_REACH ? (uint32_t)i : NEVER;
    }
}

/* Gives up the sector whose next use is the farthest. */
static void give_up(struct opt_cache *opt, struct set_heap *set, struct candidate *heap)
{
    opt->sectors[heap[0].sector].held = false;
    heap_pop(heap, set);
    set->kept--;
}

/* Simulates one access to a set of `ways` ways; returns whether it hits. `takes`: a miss needs a
 * way. */
static bool play(struct opt_cache *opt, size_t access, uint32_t next, bool takes, uint32_t ways,
                 struct set_heap *set, struct candidate *heap, uint32_t room)
{
    struct known_sector *known = &opt->sectors[opt->wanted[access]];
    const bool hit = known->held;
    known->held = false;
    set->kept -= hit;
    if (!hit && takes && set->kept == ways)
        give_up(opt, set, heap);
    if (next == NEVER)
        return hit;
    if (set->kept == ways) { /* it allocated nothing, so the other sectors may be worth more */
        if (heap[0].next <= next)
            return hit;
        give_up(opt, set, heap);
    }
    if (set->count == room)
        heap_compact(opt, heap, set);
    known->held = true;
    known->next = next;
    set->kept++;
    heap_push(heap, set, (struct candidate){next, opt->wanted[access]});
    return hit;
}

static void play_all(struct opt_cache *opt, const uint32_t *next, bool bypassing,
                     struct set_heap *heaps, struct candidate *candidates, uint32_t room,
                     struct cache_counts *counts)
{
    size_t phase = 0;
    for (size_t i = 0; i < opt->count; i++) {
        while (phase + 1 < opt->phase_count && opt->phases[phase + 1].first <= i)
            phase++;
        uint32_t set = opt->sectors[opt->wanted[i]].set;
        const bool store = opt->kinds[i] & KIND_STORE;
        const bool takes = opt->kinds[i] & KIND_TAKES && (store || !bypassing);
        const bool hit = play(opt, i, next[i], takes, opt->phases[phase].ways, &heaps[set],
                              candidates + set * (uint64_t)room, room);
        counts->writes += store;
        counts->write_misses += store && !hit;
        counts->reads += !store;
        counts->read_misses += !store && !hit;
    }
    counts->accesses = counts->reads + counts->writes;
    counts->misses = counts->read_misses + counts->write_misses;
}

/* Belady's choice needs the next use of each access, which a pass backwards finds first. A heap has
 * room for twice the ways: candidates that were used again stay in it until it is compacted, which
 * keeps an access at logarithmic cost in the mean. */
enum status opt_finish(struct opt_cache *opt, bool bypassing, struct cache_counts *counts)
{
    enum status status = STATUS_OK;
    *counts = (struct cache_counts){0};
    uint64_t sets = opt->geometry.sets * opt->geometry.sectors * opt->instances;
    uint32_t most = 0;
    for (size_t i = 0; i < opt->phase_count; i++)
        most = opt->phases[i].ways > most ? opt->phases[i].ways : most;
    const uint32_t room = 2 * most;
    uint32_t *next = malloc((opt->count ? opt->count : 1) * sizeof *next);
    struct set_heap *heaps = calloc(sets + 1, sizeof *heaps);
    struct candidate *candidates = calloc(sets * room + 1, sizeof *candidates);
    if (next && heaps && candidates) {
        find_next_uses(opt, next);
        play_all(opt, next, bypassing, heaps, candidates, room, counts);
    } else {
        status = STATUS_MEMORY;
    }
    free(next);
    free(heaps);
    free(candidates);
    return status;
}
