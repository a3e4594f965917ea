/* The access path of grid.h: requests become items, items become lines, and lines go through the
 * rows. All steps work on blocks of at most GRID_BLOCK items, which stay in the first-level cache.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "model/lru/grid_state.h"

static enum status learn_regions(const struct grid *grid, struct grid_row *row)
{
    const struct line_ids *ids = grid->ids;
    uint32_t count = ids->regions.count;
    if (row->region_count == count)
        return STATUS_OK;
    size_t capacity = row->region_capacity;
    enum status status = array_reserve(&row->region_sets, &capacity, count);
    if (status)
        return status;
    row->region_capacity = (uint32_t)capacity;
    unsigned up = ids->granule_bits + ids->region_bits - row->line_bits;
    for (uint32_t i = row->region_count; i < count; i++)
        row->region_sets[i] =
            (uint32_t)set_index_map(&row->index, row->index.function, ids->regions.keys[i] << up);
    row->region_count = count;
    return STATUS_OK;
}

/* Computes the list and the code of each item. Within a set, the code is the line's bits above
 * set_bits: without a hash and with INDEX_XORS these tell the lines of a set apart. A remainder by
 * another number needs all bits (set_bits is 0). */
static void grid_run_place(const struct grid *grid, const struct grid_row *row,
                           const uint32_t *items, size_t count, unsigned slot)
{
    uint32_t *offsets = grid->offsets[slot], *low = grid->codes[slot][0];
    uint32_t *high = row->planes == 2 ? grid->codes[slot][1] : NULL;
    const struct grid_order order = {.set_bits = row->set_bits,
                                     .share_bits = grid->options.share.bits,
                                     .list_bits = log2_floor(grid_list_bytes(row))};
    grid->kernel->place(items, count, &order, offsets, low, high);
    if (row->refines)
        return;
    struct grid_hash hash = row->hash;
    hash.index = &row->index;
    hash.region_sets = row->region_sets;
    hash.region_bits = grid->region_bits - (row->line_bits - grid->granule_bits);
    hash.list_bytes = (uint32_t)grid_list_bytes(row);
    grid->kernel->place_hashed(items, count, &hash, offsets);
}

static bool is_full(const struct grid *grid, const struct grid_row *row)
{
    size_t lists = row->list_count * grid->options.instances;
    if (row->fifo)
        return false;
    for (size_t i = 0; i < lists; i++) {
        const uint16_t *list = (const uint16_t *)(void *)(row->lists + i * grid_list_bytes(row));
        if (!list[row->lanes - 1])
            return false;
    }
    return true;
}

bool grid_is_settled(const struct grid *grid)
{
    for (size_t i = 0; i < grid->row_count; i++)
        if (!grid->rows[i].full && !is_full(grid, &grid->rows[i]))
            return false;
    return true;
}

/* Adds the second plane, because 16-bit codes no longer suffice. */
static enum status widen(const struct grid *grid, struct grid_row *row)
{
    struct grid_row old = *row;
    row->planes = 2;
    row->memory = NULL;
    enum status status = grid_row_allocate(grid, row);
    if (status) {
        *row = old;
        return status;
    }
    size_t lists = row->list_count * grid->options.instances, narrow = grid_list_bytes(&old);
    for (size_t i = 0; i < lists; i++) {
        uint16_t *to = (uint16_t *)(void *)(row->lists + i * 2 * narrow);
        memcpy(to, old.lists + i * narrow, narrow);
        /* only if the lists were full: code 0 then stood for tag 65,535 */
        for (unsigned lane = 0; old.wrapped && lane < row->lanes; lane++)
            to[row->lanes + lane] = !to[lane];
    }
    free(old.memory);
    return STATUS_OK;
}

/* Prepares a row for the codes of all lines up to grid->top. */
static enum status prepare_row(const struct grid *grid, struct grid_row *row)
{
    if (row->planes == 1) {
        uint32_t top_line = grid->top >> 1 >> (row->line_bits - grid->granule_bits);
        uint32_t top_code = (top_line >> row->set_bits) + 1;
        if (top_code == UINT16_MAX + 1 && !row->wrapped)
            row->wrapped = row->full = is_full(grid, row);
        if (top_code > UINT16_MAX + 1 || (top_code == UINT16_MAX + 1 && !row->wrapped)) {
            enum status status = widen(grid, row);
            if (status)
                return status;
        }
    }
    return row->refines ? STATUS_OK : learn_regions(grid, row);
}

static void add_counts(struct grid_row *row, const struct grid_work *work, size_t entered,
                       size_t writes)
{
    row->entered += entered;
    row->entered_writes += writes;
    for (unsigned i = 0; i < GRID_WAYS; i++) {
        row->hits[i] += work->hits[i];
        row->write_hits[i] += work->write_hits[i];
    }
}

/* Runs a block through rows with equal lists. Returns how many items were kept. */
static size_t run_rows(struct grid *grid, struct grid_row *rows, unsigned count, unsigned instance,
                       const uint32_t *items, size_t item_count, uint32_t *kept)
{
    struct grid_job job = {.count = count,
                           .lanes = rows->lanes,
                           .writes = grid->options.split_writes,
                           .fifo = grid->fifo,
                           .kept = kept};
    for (unsigned i = 0; i < count; i++) {
        job.works[i].lists =
            rows[i].lists + instance * rows[i].list_count * grid_list_bytes(&rows[i]);
        job.works[i].planes = rows[i].planes;
        job.works[i].offsets = grid->offsets[i];
        job.works[i].codes[0] = grid->codes[i][0];
        job.works[i].codes[1] = grid->codes[i][1];
    }
    for (size_t first = 0; first < item_count; first += GRID_STEP) {
        size_t left = item_count - first;
        job.items = items + first;
        job.item_count = left < GRID_STEP ? left : GRID_STEP;
        for (unsigned i = 0; i < count; i++)
            grid_run_place(grid, &rows[i], job.items, job.item_count, i);
        if (rows->fifo)
            grid->kernel->run_fifo(&job);
        else
            grid->kernel->run(&job);
    }
    uint32_t top = 0;
    size_t writes = grid->options.split_writes ? grid->kernel->survey(items, item_count, &top) : 0;
    for (unsigned i = 0; i < count; i++)
        add_counts(&rows[i], &job.works[i], item_count, writes);
    return job.kept_count;
}

/* The number of rows, starting at `row`, that can run together. */
static unsigned measure_group(const struct grid_row *row, size_t left)
{
    unsigned count = 1;
    while (!row->fifo && count < GRID_LOCKSTEP && count < left && !row[count].fifo &&
           row[count].lanes == row->lanes && row[count].planes <= row[count - 1].planes &&
           row[count].refines == row->refines)
        count++;
    return count;
}

/* Runs the lines in grid->collapsed through all rows of their size. */
static enum status run_line(struct grid *grid, const struct grid_line *line, unsigned instance,
                            size_t item_count)
{
    const uint32_t *items = grid->collapsed;
    size_t left = line->row_count, count = item_count, turn = 0;
    for (size_t i = 0; i < left; i++) {
        enum status status = prepare_row(grid, &grid->rows[line->first_row + i]);
        if (status)
            return status;
    }
    for (struct grid_row *row = &grid->rows[line->first_row]; left;) {
        unsigned group = measure_group(row, left);
        if (left != line->row_count && row[-1].fifo && !row->fifo) {
            items = grid->collapsed; /* LRU rows start with few sets again */
            count = item_count;
        }
        if (row->refines) {
            count = run_rows(grid, row, group, instance, items, count, grid->streams[turn]);
            items = grid->streams[turn];
            turn = !turn;
        } else {
            run_rows(grid, row, group, instance, grid->collapsed, item_count, grid->streams[0]);
        }
        row += group;
        left -= group;
    }
    return STATUS_OK;
}

static enum status run_block(struct grid *grid, unsigned instance, const uint32_t *items,
                             size_t count)
{
    unsigned bits = grid->granule_bits;
    for (size_t i = 0; i < grid->line_count; i++) {
        struct grid_line *line = &grid->lines[i];
        count = grid->kernel->collapse(items, count, line->line_bits - bits, &line->last[instance],
                                       grid->collapsed);
        items = grid->collapsed;
        bits = line->line_bits;
        enum status status = run_line(grid, line, instance, count);
        if (status)
            return status;
    }
    return STATUS_OK;
}

/* Counts and runs at most GRID_BLOCK items; each accesses one line of every size. */
static enum status count_block(struct grid *grid, unsigned instance, const uint32_t *items,
                               size_t count)
{
    size_t writes = grid->kernel->survey(items, count, &grid->top);
    for (size_t i = 0; i < grid->line_count; i++) {
        grid->lines[i].accesses += count;
        grid->lines[i].writes += writes;
    }
    return run_block(grid, instance, items, count);
}

static enum status drain_unit(struct grid *grid, unsigned instance)
{
    struct grid_pending *pending = &grid->pending[instance];
    const size_t count = pending->count;
    pending->count = 0;
    if (grid->options.share.bits)
        return count_block(grid, instance, pending->items, count);
    grid->kernel->survey(pending->items, count, &grid->top); /* grid_run has already counted them */
    return run_block(grid, instance, pending->items, count);
}

static enum status reserve_pending(struct grid_pending *pending)
{
    if (!pending->items)
        pending->items = malloc((GRID_BLOCK + GRID_OVERHANG) * sizeof *pending->items);
    return pending->items ? STATUS_OK : STATUS_MEMORY;
}

/* The share of a line is the lowest of the bits that choose its set in all rows, XORed with the
 * highest of these bits. So neither neighbouring lines nor those of a stride all fall into one
 * share. The remaining set bits and the share determine the lowest bits again. */
static struct grid_choice describe_share(const struct grid *grid)
{
    const struct grid_share *share = &grid->options.share;
    const unsigned shift = grid->lines[0].line_bits - grid->granule_bits + 1;
    const unsigned fold = grid->shared_bits - share->bits;
    return (struct grid_choice){.fold = fold ? fold : LINE_ID_BITS, /* there is nothing to fold */
                                .mask = ((UINT32_C(1) << share->bits) - 1) << shift,
                                .number = share->number << shift};
}

/* The number of items to take, at most `most` of `left`: chosen so that the next ones start at a
 * cache line of the processor. Vectors that straddle two cache lines are read markedly slower. */
static size_t cut_block(const uint32_t *items, size_t left, size_t most)
{
    size_t over = (uintptr_t)(items + most) % GRID_ALIGNMENT / sizeof *items;
    return left < most ? left : most - over;
}

/* Collects items of the grid's share until they nearly fill a block. It examines as many items at a
 * time as would fit if all of them belonged to the share. */
static enum status run_share(struct grid *grid, unsigned instance, const uint32_t *items,
                             size_t count)
{
    enum { NEARLY = GRID_BLOCK / 8 * 7 };
    const struct grid_choice choice = describe_share(grid);
    struct grid_pending *pending = &grid->pending[instance];
    enum status status = reserve_pending(pending);
    for (size_t first = 0, look = 0; first < count && !status; first += look) {
        const size_t room = GRID_BLOCK - pending->count, left = count - first;
        look = cut_block(items + first, left, room);
        pending->count +=
            grid->kernel->choose(items + first, look, &choice, pending->items + pending->count);
        if (pending->count >= NEARLY)
            status = drain_unit(grid, instance);
    }
    return status;
}

enum status grid_run_items(struct grid *grid, unsigned instance, const uint32_t *items,
                           size_t count)
{
    if (instance >= grid->options.instances)
        return STATUS_INVALID;
    if (grid->options.share.bits)
        return run_share(grid, instance, items, count);
    for (size_t first = 0, block = 0; first < count; first += block) {
        const size_t left = count - first;
        block = cut_block(items + first, left, GRID_BLOCK);
        enum status status = count_block(grid, instance, items + first, block);
        if (status)
            return status;
    }
    return STATUS_OK;
}

enum status grid_drain(struct grid *grid)
{
    enum status status = STATUS_OK;
    for (unsigned instance = 0; instance < grid->options.instances; instance++)
        if (grid->pending[instance].count && !status)
            status = drain_unit(grid, instance);
    return status;
}

/* Adds an item for each of the smallest lines in [first, last], in which a request lies. */
static enum status add_items(struct grid *grid, const struct request *request, uint64_t first,
                             uint64_t last)
{
    struct grid_pending *pending = &grid->pending[request->instance];
    enum status status = reserve_pending(pending);
    uint32_t store = (uint32_t)request_writes(request);
    for (uint64_t granule = first; granule <= last && !status; granule++) {
        uint32_t id;
        status = line_ids_find(&grid->own_ids, granule << grid->granule_bits, &id);
        if (!status && pending->count == GRID_BLOCK)
            status = drain_unit(grid, request->instance);
        if (status)
            return status;
        pending->items[pending->count++] = id << 1 | store;
    }
    return STATUS_OK;
}

enum status grid_run(struct grid *grid, const struct request *requests, size_t count)
{
    if (grid->ids != &grid->own_ids || grid->options.share.bits)
        return STATUS_INVALID;
    for (size_t i = 0; i < count; i++) {
        const struct request *request = &requests[i];
        uint64_t end = request->address + request->bytes - 1;
        uint64_t first = request->address >> grid->granule_bits, last = end >> grid->granule_bits;
        if (!request->bytes || last < first || request->instance >= grid->options.instances)
            return STATUS_INVALID;
        if (cache_passes(grid->write, grid->options.cache, request))
            continue;
        for (size_t k = 0; k < grid->line_count; k++) {
            unsigned up = grid->lines[k].line_bits - grid->granule_bits;
            uint64_t lines = (last >> up) - (first >> up) + 1;
            grid->lines[k].accesses += lines;
            grid->lines[k].writes += request_writes(request) ? lines : 0;
        }
        enum status status = add_items(grid, request, first, last);
        if (status)
            return status;
    }
    return STATUS_OK;
}
