#include "model/lru/grid.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "model/cache/geometry.h"
#include "model/lru/grid_state.h"
#include "model/lru/stack.h"
#include "schema/parameters.h"

static_assert((int)GRID_WAYS == (int)GRID_WAYS_MAX, "one limit");
static_assert((int)GRID_FIFO_WAYS == (int)GRID_FIFO_WAYS_MAX, "one limit");

enum {
    /* Bytes of one way of all sets; keeps regions small, so that many can be numbered. */
    WAY_BYTES_MAX = 1 << 24,
    REGION_BITS_MIN = 10
};

static bool is_fifo(const struct cache_config *config)
{
    return replacement_facts[config->replacement].traits & REPLACEMENT_QUEUE;
}

/* Whether the set of a line can be computed from its region and its place there (struct grid_hash).
 */
static bool index_splits(int function)
{
    return index_facts[function].traits & (INDEX_XORS | INDEX_REMAINDER);
}

bool grid_applies(const struct cache_config *config)
{
    struct cache_config as_lru = *config;
    bool fifo = is_fifo(config);
    if (fifo)
        as_lru.replacement = REPLACEMENT_LRU;
    if (!stack_applies(&as_lru) || stack_evicts(config) || !index_splits(config->index) ||
        config->slices != 1 || !config->ways || !config->line)
        return false;
    uint64_t sets = cache_sets(config);
    return config->ways <= (fifo ? GRID_FIFO_WAYS_MAX : GRID_WAYS_MAX) && sets &&
           sets <= WAY_BYTES_MAX / config->line;
}

enum status grid_measure(const struct cache_config *configs, size_t count, unsigned *granule_bits,
                         unsigned *region_bits)
{
    unsigned smallest = 63, way = 0;
    for (size_t i = 0; i < count; i++) {
        if (!grid_applies(&configs[i]))
            return STATUS_UNSUPPORTED;
        enum status status = geometry_check(&configs[i]);
        if (status)
            return status;
        unsigned line_bits = log2_floor(configs[i].line);
        unsigned bits = line_bits + log2_floor(cache_sets(&configs[i]));
        smallest = line_bits < smallest ? line_bits : smallest;
        way = bits > way ? bits : way;
    }
    if (!count)
        return STATUS_INVALID;
    *granule_bits = smallest;
    *region_bits = way < smallest + REGION_BITS_MIN ? REGION_BITS_MIN : way - smallest;
    return STATUS_OK;
}

enum status grid_row_allocate(const struct grid *grid, struct grid_row *row)
{
    size_t bytes = grid_list_bytes(row) * row->list_count * grid->options.instances;
    void *memory = calloc(bytes + GRID_ALIGNMENT, 1);
    if (!memory)
        return STATUS_MEMORY;
    uintptr_t aligned = ((uintptr_t)memory + GRID_ALIGNMENT - 1) / GRID_ALIGNMENT * GRID_ALIGNMENT;
    free(row->memory);
    row->memory = memory;
    row->lists = (unsigned char *)aligned;
    return STATUS_OK;
}

/* Orders rows by line size, then rows that refine by sets, then the others. FIFO and LRU rows do
 * not mix. */
static int compare_rows(const void *left, const void *right)
{
    const struct grid_row *a = left, *b = right;
    if (a->line_bits != b->line_bits)
        return a->line_bits < b->line_bits ? -1 : 1;
    if (a->fifo != b->fifo)
        return a->fifo ? -1 : 1;
    if (a->refines != b->refines)
        return a->refines ? -1 : 1;
    if (a->lanes != b->lanes && !a->refines)
        return a->lanes < b->lanes ? -1 : 1;
    if (a->set_bits != b->set_bits) /* rows that may need two planes come first */
        return a->set_bits < b->set_bits ? -1 : 1;
    if (a->sets != b->sets)
        return a->sets < b->sets ? -1 : 1;
    return a->index.function - b->index.function;
}

static void describe_row(struct grid_row *row, const struct geometry *geometry)
{
    *row = (struct grid_row){.line_bits = geometry->line_bits,
                             .set_bits = geometry->index.modulo ? 0 : geometry->index.bits,
                             .sets = geometry->sets,
                             .index = geometry->index,
                             .planes = 1};
    if (index_facts[geometry->index.function].traits & INDEX_REMAINDER)
        grid_reciprocal((uint32_t)geometry->index.reach, &row->hash);
    row->refines = grid_refines(geometry->index.function, geometry->sets);
}

/* The row of a cache, or NULL. */
static struct grid_row *find_row(const struct grid *grid, const struct cache_config *config)
{
    const uint64_t sets = cache_sets(config);
    for (size_t i = 0; i < grid->row_count; i++) {
        struct grid_row *row = &grid->rows[i];
        if (row->sets == sets && config->line == UINT64_C(1) << row->line_bits &&
            row->index.function == config->index && row->fifo == is_fifo(config))
            return row;
    }
    return NULL;
}

/* Collects the distinct rows, each as deep as its deepest cache needs. */
static enum status collect_rows(struct grid *grid, const struct cache_config *configs)
{
    grid->rows = calloc(grid->place_count, sizeof *grid->rows);
    if (!grid->rows)
        return STATUS_MEMORY;
    for (size_t i = 0; i < grid->place_count; i++) {
        struct grid_row *row = find_row(grid, &configs[i]);
        if (!row) {
            struct geometry geometry;
            enum status status = geometry_init(&geometry, &configs[i]);
            if (status)
                return status;
            row = &grid->rows[grid->row_count++];
            describe_row(row, &geometry);
            row->fifo = is_fifo(&configs[i]);
        }
        unsigned lanes = grid_lanes(configs[i].ways);
        row->lanes = lanes > row->lanes ? lanes : row->lanes;
    }
    qsort(grid->rows, grid->row_count, sizeof *grid->rows, compare_rows);
    return STATUS_OK;
}

/* Finds the set-index bits that all rows share, and how many lists each row needs for a share of
 * the lines. */
static enum status prepare_share(struct grid *grid)
{
    const struct grid_share *share = &grid->options.share;
    const struct grid_row *first = &grid->rows[0];
    grid->shared_bits = UINT_MAX;
    for (size_t i = 0; i < grid->row_count; i++) {
        struct grid_row *row = &grid->rows[i];
        row->list_count = row->index.reach >> share->bits;
        if (share->bits &&
            (!row->refines || row->line_bits != first->line_bits || row->set_bits < share->bits))
            return STATUS_UNSUPPORTED;
        if (row->set_bits < grid->shared_bits)
            grid->shared_bits = row->set_bits;
    }
    return share->number >> share->bits ? STATUS_INVALID : STATUS_OK;
}

static enum status collect_lines(struct grid *grid)
{
    grid->lines = calloc(grid->row_count, sizeof *grid->lines);
    if (!grid->lines)
        return STATUS_MEMORY;
    struct grid_line *line = NULL;
    for (size_t i = 0; i < grid->row_count; i++) {
        if (!line || line->line_bits != grid->rows[i].line_bits) {
            line = &grid->lines[grid->line_count++];
            line->line_bits = grid->rows[i].line_bits;
            line->first_row = i;
            line->last = malloc(grid->options.instances * sizeof *line->last);
            if (!line->last)
                return STATUS_MEMORY;
        }
        line->row_count++;
        enum status status = grid_row_allocate(grid, &grid->rows[i]);
        if (status)
            return status;
    }
    return STATUS_OK;
}

static void place_configs(struct grid *grid, const struct cache_config *configs)
{
    for (size_t i = 0; i < grid->place_count; i++) {
        const struct grid_row *row = find_row(grid, &configs[i]);
        struct grid_place *place = &grid->places[i];
        place->row = (size_t)(row - grid->rows);
        place->ways = (unsigned)configs[i].ways;
        while (grid->lines[place->line].line_bits != row->line_bits)
            place->line++;
    }
}

static enum status allocate_scratch(struct grid *grid)
{
    const size_t block = GRID_BLOCK + GRID_OVERHANG, step = GRID_STEP;
    uint32_t *next = malloc((3 * block + 3 * GRID_LOCKSTEP * step) * sizeof *next);
    grid->scratch = next;
    grid->pending = calloc(grid->options.instances, sizeof *grid->pending);
    if (!next || !grid->pending)
        return STATUS_MEMORY;
    grid->collapsed = next;
    grid->streams[0] = next + block;
    grid->streams[1] = next + 2 * block;
    next += 3 * block;
    for (size_t i = 0; i < GRID_LOCKSTEP; i++, next += 3 * step) {
        grid->offsets[i] = next;
        grid->codes[i][0] = next + step;
        grid->codes[i][1] = next + 2 * step;
    }
    return STATUS_OK;
}

static const struct grid_kernel *choose_kernel(enum grid_path path)
{
    static const struct grid_kernel *const kernels[] = {
        [GRID_PLAIN] = &grid_plain,
#if defined __x86_64__
        [GRID_AVX2] = &grid_avx2,
        [GRID_AVX512] = &grid_avx512,
#endif
    };
    const size_t count = sizeof kernels / sizeof *kernels;
    if (path != GRID_BEST)
        return path < count && kernels[path]->supported() ? kernels[path] : NULL;
    for (size_t i = count - 1; i > GRID_PLAIN; i--)
        if (kernels[i]->supported())
            return kernels[i];
    return &grid_plain;
}

static void forget_last_lines(struct grid *grid)
{
    for (size_t i = 0; i < grid->line_count; i++)
        for (unsigned instance = 0; instance < grid->options.instances; instance++)
            grid->lines[i].last[instance] = UINT32_MAX; /* no item has such a large line */
}

static enum status check_configs(const struct cache_config *configs, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if ((configs[i].write == WRITE_READ_ONLY) != (configs[0].write == WRITE_READ_ONLY))
            return STATUS_UNSUPPORTED;
    return STATUS_OK;
}

enum status grid_create(const struct cache_config *configs, size_t count,
                        const struct grid_options *options, struct grid **result)
{
    *result = NULL;
    if (!options->instances || options->instances > UINT16_MAX + 1)
        return STATUS_INVALID;
    struct grid *grid = calloc(1, sizeof *grid);
    if (!grid)
        return STATUS_MEMORY;
    grid->options = *options;
    grid->place_count = count;
    grid_fifo_describe(grid->fifo);
    grid->places = calloc(count + 1, sizeof *grid->places);
    grid->kernel = choose_kernel(options->path);
    enum status status = grid->kernel ? STATUS_OK : STATUS_UNSUPPORTED;
    if (!grid->places)
        status = STATUS_MEMORY;
    if (!status)
        status = grid_measure(configs, count, &grid->granule_bits, &grid->region_bits);
    if (!status)
        status = check_configs(configs, count);
    if (!status)
        status = collect_rows(grid, configs);
    if (!status)
        status = prepare_share(grid);
    if (!status)
        status = collect_lines(grid);
    if (!status)
        status = allocate_scratch(grid);
    if (!status)
        status = line_ids_init(&grid->own_ids, grid->granule_bits, grid->region_bits);
    if (status) {
        grid_free(grid);
        return status;
    }
    grid->ids = &grid->own_ids;
    grid->write = configs[0].write;
    place_configs(grid, configs);
    forget_last_lines(grid);
    *result = grid;
    return STATUS_OK;
}

void grid_free(struct grid *grid)
{
    if (!grid)
        return;
    for (size_t i = 0; i < grid->row_count; i++) {
        free(grid->rows[i].memory);
        free(grid->rows[i].region_sets);
    }
    for (size_t i = 0; i < grid->line_count; i++)
        free(grid->lines[i].last);
    for (size_t i = 0; grid->pending && i < grid->options.instances; i++)
        free(grid->pending[i].items);
    line_ids_free(&grid->own_ids);
    free(grid->rows);
    free(grid->lines);
    free(grid->places);
    free(grid->pending);
    free(grid->scratch);
    free(grid);
}

enum status grid_use_ids(struct grid *grid, const struct line_ids *ids)
{
    unsigned reach = ids->granule_bits + ids->region_bits;
    if (ids->granule_bits > grid->granule_bits || ids->region_bits > GRID_REGION_BITS)
        return STATUS_INVALID;
    for (size_t i = 0; i < grid->row_count; i++) /* a way must lie within one region */
        if (reach < grid->rows[i].line_bits + grid->rows[i].index.bits)
            return STATUS_INVALID;
    grid->ids = ids;
    grid->granule_bits = ids->granule_bits;
    grid->region_bits = ids->region_bits;
    return STATUS_OK;
}

enum status grid_flush(struct grid *grid)
{
    enum status status = grid_drain(grid);
    for (size_t i = 0; i < grid->row_count; i++) {
        struct grid_row *row = &grid->rows[i];
        memset(row->lists, 0, grid_list_bytes(row) * row->list_count * grid->options.instances);
        row->full = row->wrapped = false;
    }
    forget_last_lines(grid);
    return status;
}

enum status grid_reset_counts(struct grid *grid)
{
    enum status status = grid_drain(grid);
    for (size_t i = 0; i < grid->row_count; i++) {
        struct grid_row *row = &grid->rows[i];
        row->entered = row->entered_writes = 0;
        memset(row->hits, 0, sizeof row->hits);
        memset(row->write_hits, 0, sizeof row->write_hits);
    }
    for (size_t i = 0; i < grid->line_count; i++)
        grid->lines[i].accesses = grid->lines[i].writes = 0;
    return status;
}

/* With LRU a hit at place i hits with more than i ways, so the places add up. FIFO rows count the
 * hits of each number of ways directly. */
static uint64_t count_hits(const struct grid_row *row, const uint64_t hits[GRID_WAYS],
                           unsigned ways)
{
    uint64_t sum = 0;
    for (unsigned i = row->fifo ? ways - 1 : 0; i < ways; i++)
        sum += hits[i];
    return sum;
}

void grid_read_counts(const struct grid *grid, size_t index, struct cache_counts *counts)
{
    assert(index < grid->place_count);
    const struct grid_place *place = &grid->places[index];
    const struct grid_line *line = &grid->lines[place->line];
    const struct grid_row *row = &grid->rows[place->row];
    *counts = (struct cache_counts){.accesses = line->accesses,
                                    .reads = line->accesses - line->writes,
                                    .writes = line->writes,
                                    .misses = row->entered};
    counts->misses -= count_hits(row, row->hits, place->ways);
    if (grid->options.split_writes) {
        counts->write_misses = row->entered_writes - count_hits(row, row->write_hits, place->ways);
        counts->read_misses = counts->misses - counts->write_misses;
    } else if (grid->write == WRITE_READ_ONLY) {
        counts->read_misses = counts->misses;
    }
}

const char *grid_path_name(const struct grid *grid)
{
    return grid->kernel->name;
}
