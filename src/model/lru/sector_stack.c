#include "model/lru/sector_stack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/lru/lru_geometry.h"
#include "model/lru/stack.h"
#include "schema/parameters.h"

struct queue {
    struct sector_item *items; /* [SECTOR_ITEMS], allocated when the instance is first used */
    size_t count;
};

struct sector_stack {
    struct geometry geometry; /* line and sector size of all caches */
    int write, allocate;
    unsigned instances, options;
    struct lru_geometry *geometries; /* geometries that feed others are adjacent */
    size_t geometry_count;
    size_t *places;              /* [cache]: its geometry */
    struct queue *queues;        /* [instances] */
    struct sector_item *kept[2]; /* [SECTOR_ITEMS]: what one geometry passes to the next */
    uint64_t reads, writes;
    /* Independent of the ways: bytes of stores that go down, and stores merged into a store that
     * dropped the same line. */
    uint64_t passed_bytes, lost_writes;
};

bool sector_stack_applies(const struct cache_config *config)
{
    if (!cache_keeps_recency(config) || config->ways > SECTOR_STACK_WAYS_MAX)
        return false;
    const unsigned write = write_traits[config->write];
    if (!(write & WRITE_TAKES))
        return true;
    if (stack_evicts(config))
        return config->sector == config->line;
    return !(write & WRITE_DROPS) &&
           write_allocate_traits[config->write_allocate] & WRITE_ALLOCATE_BRINGS;
}

bool sector_stack_joins(const struct cache_config *a, const struct cache_config *b)
{
    return a->line == b->line && a->sector == b->sector && a->write == b->write &&
           a->write_allocate == b->write_allocate && a->slices == b->slices &&
           a->interleave == b->interleave;
}

static bool same_geometry(const struct cache_config *a, const struct cache_config *b)
{
    return cache_sets(a) == cache_sets(b) && a->index == b->index;
}

/* Whether a configuration opens a geometry: it has the most ways for its sets and index. */
static bool leads(const struct cache_config *configs, size_t count, size_t at)
{
    for (size_t i = 0; i < count; i++)
        if (i != at && same_geometry(&configs[i], &configs[at]) &&
            (configs[i].ways > configs[at].ways || (configs[i].ways == configs[at].ways && i < at)))
            return false;
    return true;
}

/* Orders by index function, then by the odd factor of the sets, then by sets, so that most
 * geometries feed the next. */
static int compare_geometries(const void *left, const void *right)
{
    const struct geometry *a = &((const struct lru_geometry *)left)->geometry;
    const struct geometry *b = &((const struct lru_geometry *)right)->geometry;
    if (a->index.function != b->index.function)
        return a->index.function < b->index.function ? -1 : 1;
    uint64_t odd_a = a->sets >> __builtin_ctzll(a->sets);
    uint64_t odd_b = b->sets >> __builtin_ctzll(b->sets);
    if (odd_a != odd_b)
        return odd_a < odd_b ? -1 : 1;
    return (a->sets > b->sets) - (a->sets < b->sets);
}

static bool is_geometry_of(const struct lru_geometry *lru, const struct cache_config *config)
{
    return lru->geometry.sets == cache_sets(config) &&
           lru->geometry.index.function == config->index;
}

static enum status open_geometries(struct sector_stack *pass, const struct cache_config *configs,
                                   size_t count)
{
    pass->geometries = calloc(count, sizeof *pass->geometries);
    pass->places = calloc(count, sizeof *pass->places);
    if (!pass->geometries || !pass->places)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count; i++) {
        if (!sector_stack_applies(&configs[i]) || !sector_stack_joins(&configs[i], &configs[0]))
            return STATUS_UNSUPPORTED;
        if (!leads(configs, count, i))
            continue;
        enum status status =
            lru_geometry_open(&pass->geometries[pass->geometry_count++], &configs[i],
                              pass->instances, pass->options & STACK_PORTABLE);
        if (status)
            return status;
    }
    qsort(pass->geometries, pass->geometry_count, sizeof *pass->geometries, compare_geometries);
    for (size_t i = 0; i < count; i++)
        while (!is_geometry_of(&pass->geometries[pass->places[i]], &configs[i]))
            pass->places[i]++;
    return STATUS_OK;
}

enum status sector_stack_create(const struct cache_config *configs, size_t count,
                                unsigned instances, unsigned options, struct sector_stack **result)
{
    *result = NULL;
    if (!count || !instances || instances > UINT16_MAX + 1)
        return STATUS_INVALID;
    struct sector_stack *pass = calloc(1, sizeof *pass);
    if (!pass)
        return STATUS_MEMORY;
    pass->write = configs[0].write;
    pass->allocate = configs[0].write_allocate;
    pass->instances = instances;
    pass->options = options;
    enum status status = open_geometries(pass, configs, count);
    pass->queues = calloc(instances, sizeof *pass->queues);
    pass->kept[0] = malloc(2 * SECTOR_ITEMS * sizeof *pass->kept[0]);
    if (!status && (!pass->queues || !pass->kept[0]))
        status = STATUS_MEMORY;
    if (status) {
        sector_stack_free(pass);
        return status;
    }
    pass->kept[1] = pass->kept[0] + SECTOR_ITEMS;
    pass->geometry = pass->geometries[0].geometry;
    *result = pass;
    return STATUS_OK;
}

void sector_stack_free(struct sector_stack *pass)
{
    if (!pass)
        return;
    for (size_t i = 0; i < pass->geometry_count; i++)
        lru_geometry_close(&pass->geometries[i]);
    for (unsigned i = 0; pass->queues && i < pass->instances; i++)
        free(pass->queues[i].items);
    free(pass->geometries);
    free(pass->places);
    free(pass->queues);
    free(pass->kept[0]);
    free(pass);
}

/* Runs the buffered items of an instance through all geometries. */
static enum status drain_unit(struct sector_stack *pass, unsigned instance)
{
    struct queue *queue = &pass->queues[instance];
    const struct sector_item *items = queue->items;
    size_t count = queue->count, turn = 0, kept;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < pass->geometry_count && !status; i++) {
        struct lru_geometry *lru = &pass->geometries[i];
        bool goes_on = i + 1 < pass->geometry_count && lru_geometry_feeds(lru, lru + 1);
        if (i && !lru_geometry_feeds(lru - 1, lru)) {
            items = queue->items;
            count = queue->count;
        }
        status =
            lru_geometry_run(lru, instance, items, count, goes_on ? pass->kept[turn] : NULL, &kept);
        if (goes_on) {
            items = pass->kept[turn];
            count = kept;
            turn = !turn;
        }
    }
    queue->count = 0;
    return status;
}

static enum status drain(struct sector_stack *pass)
{
    enum status status = STATUS_OK;
    for (unsigned instance = 0; instance < pass->instances && !status; instance++)
        if (pass->queues[instance].count)
            status = drain_unit(pass, instance);
    return status;
}

/* Merges an access into the previous one if both are of the same kind to the same line: it finds
 * what the previous one left. */
static inline enum status add_item(struct sector_stack *pass, unsigned instance,
                                   struct sector_item item)
{
    struct queue *queue = &pass->queues[instance];
    if (queue->count && item.access != SECTOR_PART_STORE) {
        struct sector_item *last = &queue->items[queue->count - 1];
        if (last->line == item.line && last->access == item.access) {
            last->sectors |= item.sectors;
            pass->lost_writes += item.access == SECTOR_DROP;
            return STATUS_OK;
        }
    }
    if (!queue->items && !(queue->items = malloc(SECTOR_ITEMS * sizeof *queue->items)))
        return STATUS_MEMORY;
    enum status status = queue->count == SECTOR_ITEMS ? drain_unit(pass, instance) : STATUS_OK;
    queue->items[queue->count++] = item;
    return status;
}

/* Adds a store sector by sector, because each sector may be covered completely or not. */
static enum status add_stores(struct sector_stack *pass, const struct request *request,
                              uint64_t line, uint32_t sectors)
{
    const struct geometry *geometry = &pass->geometry;
    enum status status = STATUS_OK;
    for (; sectors && !status; sectors &= sectors - 1) {
        unsigned place = (unsigned)__builtin_ctz(sectors);
        struct sector_item item = {.line = line, .sectors = UINT32_C(1) << place};
        item.covers = request_covers(geometry, request, geometry_sector(geometry, line, place));
        item.access = SECTOR_STORE;
        if (item.covers != UINT32_MAX)
            item.access =
                pass->allocate == WRITE_ALLOCATE_LAZY ? SECTOR_PART_STORE : SECTOR_READ_STORE;
        status = add_item(pass, request->instance, item);
    }
    return status;
}

/* A request becomes one item per line. A pass is exact only where every store treats lines alike,
 * so an atomic, or a local store of local_back, among stores that drop lines ends it with
 * STATUS_UNSUPPORTED, and the caches are simulated one by one instead. */
static enum status add_request(struct sector_stack *pass, const struct request *request,
                               uint64_t sector, uint64_t last)
{
    const struct geometry *geometry = &pass->geometry;
    const bool store = request_writes(request);
    const bool sees =
        store && request->op != OP_ATOMIC &&
        (pass->allocate == WRITE_ALLOCATE_LAZY || pass->allocate == WRITE_ALLOCATE_ON_WRITE);
    enum status status = STATUS_OK;
    const bool drops = store && pass->geometries[0].drops;
    if (drops && (request->op == OP_ATOMIC ||
                  (pass->write == WRITE_LOCAL_BACK && request->space == SPACE_LOCAL)))
        return STATUS_UNSUPPORTED;
    *(store ? &pass->writes : &pass->reads) += last - sector + 1;
    if (store && pass->write != WRITE_BACK)
        pass->passed_bytes += request->bytes;
    while (sector <= last && !status) {
        uint64_t line = geometry_line(geometry, sector);
        uint32_t sectors = geometry_cut(geometry, sector, last);
        struct sector_item item = {.line = line,
                                   .access = drops   ? SECTOR_DROP
                                             : store ? SECTOR_READ_STORE
                                                     : SECTOR_LOAD,
                                   .sectors = sectors};
        status = sees ? add_stores(pass, request, line, sectors)
                      : add_item(pass, request->instance, item);
        sector = geometry_sector(geometry, line + 1, 0);
    }
    return status;
}

enum status sector_stack_run(struct sector_stack *pass, const struct request *requests,
                             size_t count)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) {
        const struct request *request = &requests[i];
        uint64_t sector, last;
        if (!geometry_sectors(&pass->geometry, request, &sector, &last) ||
            request->instance >= pass->instances)
            return STATUS_INVALID;
        if (!cache_passes(pass->write, pass->options, request))
            status = add_request(pass, request, sector, last);
    }
    return status;
}

enum status sector_stack_flush(struct sector_stack *pass)
{
    enum status status = drain(pass);
    for (size_t i = 0; i < pass->geometry_count; i++)
        lru_geometry_flush(&pass->geometries[i]);
    return status;
}

enum status sector_stack_reset_counts(struct sector_stack *pass)
{
    enum status status = drain(pass);
    for (size_t i = 0; i < pass->geometry_count; i++)
        lru_geometry_reset_counts(&pass->geometries[i]);
    pass->reads = pass->writes = pass->passed_bytes = pass->lost_writes = 0;
    return status;
}

enum status sector_stack_settle(struct sector_stack *pass)
{
    enum status status = drain(pass);
    for (size_t i = 0; i < pass->geometry_count; i++)
        lru_geometry_settle(&pass->geometries[i]);
    return status;
}

/* A histogram summed from `ways` on gives misses; steps summed up to `ways` give what was written
 * back. */
static uint64_t sum(const uint64_t *numbers, size_t first, size_t end)
{
    uint64_t all = 0;
    for (size_t i = first; i < end; i++)
        all += numbers[i];
    return all;
}

void sector_stack_read_counts(const struct sector_stack *pass, size_t index, uint64_t ways,
                              struct cache_counts *counts)
{
    const struct lru_geometry *lru = &pass->geometries[pass->places[index]];
    const size_t end = (size_t)lru->ways + 1;
    const uint64_t sector = UINT64_C(1) << pass->geometry.sector_bits;
    assert(ways >= 1 && ways <= lru->ways);
    *counts = (struct cache_counts){
        .reads = pass->reads,
        .writes = pass->writes,
        .accesses = pass->reads + pass->writes,
        .read_misses = sum(lru->histograms[SECTOR_LOADS], ways, end),
        .write_misses = pass->lost_writes + sum(lru->histograms[SECTOR_STORES], ways, end),
        .writebacks = sum(lru->line_steps, 0, ways + 1),
    };
    counts->misses = counts->read_misses + counts->write_misses;
    counts->sector_misses =
        counts->misses - pass->lost_writes - sum(lru->histograms[SECTOR_LINES], ways, end);
    counts->read_bytes =
        sector * (counts->read_misses + sum(lru->histograms[SECTOR_FETCHING_STORES], ways, end));
    counts->write_bytes = pass->passed_bytes + sector * sum(lru->sector_steps, 0, ways + 1);
}
