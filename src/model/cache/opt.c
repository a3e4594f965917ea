/* opt_run records which line each access wants; opt_finish finds every access's next use from
 * behind and then plays the accesses, always giving up the line whose next use is farthest away. */
#include "model/cache/opt.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/rng.h"
#include "model/cache/geometry.h"

#define NEVER         UINT32_MAX
#define DEFAULT_LIMIT (UINT64_C(4) << 30)

enum { STORE_FLAG = 32, TABLE_BITS = 12 };

struct known_line { /* a line that an instance accessed */
    uint64_t line;
    uint32_t set, next; /* of all instances' sets; its next use as opt_finish goes along */
    uint32_t held;      /* bit set of the sectors in the cache, 0 = the line is not there */
    uint16_t instance;
};

struct opt_cache {
    struct geometry geometry;
    int write;
    unsigned instances, options;
    bool bypass;
    uint64_t memory_limit;
    struct known_line *lines;
    size_t line_count, line_capacity;
    uint32_t *table; /* open addressing, at most half full: number in lines + 1 */
    unsigned table_bits;
    uint32_t *wanted; /* [count]: number in lines */
    uint8_t *kinds;   /* [count]: place of the sector, and STORE_FLAG */
    size_t count, wanted_capacity, kind_capacity;
};

/* The lines of a set, the farthest next use on top. A line that is used again gets a second entry
 * and its first one stays: that one's time has passed, so it is below every live entry and never
 * comes to the top while a live one exists. */
struct candidate {
    uint32_t next, line;
};

struct set_heap {
    uint32_t count, lines; /* entries; live entries = lines in the set */
};

enum status opt_create(const struct cache_config *config, unsigned instances, bool bypass,
                       unsigned options, uint64_t memory_limit, struct opt_cache **result)
{
    *result = NULL;
    struct opt_cache *opt = calloc(1, sizeof *opt);
    if (!opt)
        return STATUS_MEMORY;
    enum status status = geometry_init(&opt->geometry, config);
    if (!status &&
        (!instances || instances > UINT16_MAX + 1 || opt->geometry.sets * instances > UINT32_MAX))
        status = STATUS_INVALID;
    opt->write = config->write;
    opt->instances = instances;
    opt->options = options;
    opt->bypass = bypass;
    opt->memory_limit = memory_limit ? memory_limit : DEFAULT_LIMIT;
    opt->table_bits = TABLE_BITS;
    opt->table = calloc((size_t)1 << TABLE_BITS, sizeof *opt->table);
    if (!status && !opt->table)
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
    free(opt->lines);
    free(opt->table);
    free(opt->wanted);
    free(opt->kinds);
    free(opt);
}

static uint32_t *table_place(uint32_t *table, unsigned bits, const struct known_line *lines,
                             uint64_t line, unsigned instance)
{
    size_t mask = ((size_t)1 << bits) - 1;
    size_t i = random_at(instance, line) & mask;
    while (table[i] &&
           (lines[table[i] - 1].line != line || lines[table[i] - 1].instance != instance))
        i = (i + 1) & mask;
    return &table[i];
}

static enum status table_grow(struct opt_cache *opt)
{
    unsigned bits = opt->table_bits + 1;
    uint32_t *table = calloc((size_t)1 << bits, sizeof *table);
    if (!table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < opt->line_count; i++)
        *table_place(table, bits, opt->lines, opt->lines[i].line, opt->lines[i].instance) =
            (uint32_t)i + 1;
    free(opt->table);
    opt->table = table;
    opt->table_bits = bits;
    return STATUS_OK;
}

static enum status find_line(struct opt_cache *opt, uint64_t line, unsigned instance,
                             uint32_t *number)
{
    uint32_t *place = table_place(opt->table, opt->table_bits, opt->lines, line, instance);
    if (!*place) {
        if (array_reserve(&opt->lines, &opt->line_capacity, opt->line_count + 1))
            return STATUS_MEMORY;
        uint64_t set = instance * opt->geometry.sets +
                       geometry_set(&opt->geometry, opt->geometry.index.function, line);
        opt->lines[opt->line_count] =
            (struct known_line){.line = line, .set = (uint32_t)set, .instance = (uint16_t)instance};
        *place = (uint32_t)++opt->line_count;
        *number = *place - 1;
        return opt->line_count << 1 >> opt->table_bits ? table_grow(opt) : STATUS_OK;
    }
    *number = *place - 1;
    return STATUS_OK;
}

static uint64_t memory_used(const struct opt_cache *opt)
{
    return opt->count * (2 * sizeof *opt->wanted + sizeof *opt->kinds) +
           opt->line_count * (sizeof *opt->lines + 2 * sizeof *opt->table);
}

static enum status record(struct opt_cache *opt, const struct request *request, uint64_t sector)
{
    uint32_t number;
    if (find_line(opt, geometry_line(&opt->geometry, sector), request->instance, &number) ||
        array_reserve(&opt->wanted, &opt->wanted_capacity, opt->count + 1) ||
        array_reserve(&opt->kinds, &opt->kind_capacity, opt->count + 1))
        return STATUS_MEMORY;
    opt->wanted[opt->count] = number;
    opt->kinds[opt->count] = (uint8_t)(geometry_place(&opt->geometry, sector) |
                                       (request_writes(request) ? STORE_FLAG : 0));
    opt->count++;
    return STATUS_OK;
}

enum status opt_run(struct opt_cache *opt, const struct request *requests, size_t count,
                    struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < count; i++) {
        const struct request *request = &requests[i];
        uint64_t sector, last;
        if (cache_passes(opt->write, opt->options, request))
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

/* Drops the entries whose time has passed. */
static void heap_compact(struct opt_cache *opt, struct candidate *heap, struct set_heap *set)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        const struct known_line *line = &opt->lines[heap[i].line];
        if (line->held && line->next == heap[i].next)
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

/* next[i] = the access that wants the line of access i next. */
static void find_next_uses(struct opt_cache *opt, uint32_t *next)
{
    for (size_t i = 0; i < opt->line_count; i++) {
        opt->lines[i].next = NEVER;
        opt->lines[i].held = 0;
    }
    for (size_t i = opt->count; i-- > 0;) {
        struct known_line *line = &opt->lines[opt->wanted[i]];
        next[i] = line->next;
        line->next = (uint32_t)i;
    }
}

/* Plays one access; returns whether it hits. */
static bool play(struct opt_cache *opt, size_t access, uint32_t next, struct set_heap *set,
                 struct candidate *heap, struct cache_counts *counts)
{
    struct known_line *line = &opt->lines[opt->wanted[access]];
    uint32_t bit = UINT32_C(1) << (opt->kinds[access] & (STORE_FLAG - 1));
    bool hit = line->held & bit;
    counts->sector_misses += line->held && !hit;
    if (!line->held) {
        if (set->lines == opt->geometry.ways) {
            if (opt->bypass && next >= heap[0].next)
                return false;
            opt->lines[heap[0].line].held = 0;
            heap_pop(heap, set);
        } else {
            set->lines++;
        }
    }
    line->held |= bit;
    line->next = next;
    if (set->count == 2 * opt->geometry.ways)
        heap_compact(opt, heap, set);
    heap_push(heap, set, (struct candidate){next, opt->wanted[access]});
    return hit;
}

enum status opt_finish(struct opt_cache *opt, struct cache_counts *counts)
{
    enum status status = STATUS_OK;
    *counts = (struct cache_counts){0};
    uint64_t sets = opt->geometry.sets * opt->instances, room = 2 * (uint64_t)opt->geometry.ways;
    uint32_t *next = malloc((opt->count ? opt->count : 1) * sizeof *next);
    struct set_heap *heaps = calloc(sets, sizeof *heaps);
    struct candidate *candidates = calloc(sets * room, sizeof *candidates);
    if (!next || !heaps || !candidates) {
        status = STATUS_MEMORY;
        goto cleanup;
    }
    find_next_uses(opt, next);
    for (size_t i = 0; i < opt->count; i++) {
        uint32_t set = opt->lines[opt->wanted[i]].set;
        bool hit = play(opt, i, next[i], &heaps[set], candidates + set * room, counts);
        if (opt->kinds[i] & STORE_FLAG) {
            counts->writes++;
            counts->write_misses += !hit;
        } else {
            counts->reads++;
            counts->read_misses += !hit;
        }
    }
    counts->accesses = counts->reads + counts->writes;
    counts->misses = counts->read_misses + counts->write_misses;
cleanup:
    free(next);
    free(heaps);
    free(candidates);
    return status;
}
