#include "model/tile/binned.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

enum block_state { BLOCK_TOUCHED = 1 << 0, BLOCK_CHANGED = 1 << 1 };

struct block_surface {
    uint32_t columns, rows; /* blocks */
    unsigned shift;         /* log2 of the lines of a block in either direction */
    uint64_t bytes;         /* of a block */
    unsigned char *states;  /* [blocks], of this pass */
    uint64_t scratch;       /* blocks of depth that earlier passes did not write */
};

struct binned {
    const struct tile_config *config;
    const struct tile_stream *stream;
    struct binned_counts counts, before; /* before: at the beginning of the pass */
    struct block_surface surfaces[TILE_SURFACES_MAX];
    uint32_t *last;          /* [blocks of the screen]: its last primitive, plus 1 */
    uint32_t screen_columns; /* of that array */
    uint64_t screen_blocks;
    uint32_t primitive; /* of the last request, plus 1 */
    uint32_t pass;
    bool colour;                    /* the pass draws colours */
    bool carry;                     /* lines hold data */
    struct tile_memory drawn, held; /* what was drawn; what memory holds */
};

static enum status open_surfaces(struct binned *binned)
{
    for (uint32_t i = 0; i < binned->stream->surface_count; i++) {
        const struct tile_surface *from = &binned->stream->surfaces[i];
        struct block_surface *surface = &binned->surfaces[i];
        const uint32_t lines = (uint32_t)binned->config->bin.side / tile_side(from);
        surface->shift = log2_floor(lines ? lines : 1);
        const uint32_t side = UINT32_C(1) << surface->shift;
        surface->columns = (tile_columns(from) + side - 1) / side;
        surface->rows = (tile_rows(from) + side - 1) / side;
        surface->bytes = (uint64_t)side * side * TILE_BYTES;
        const uint64_t blocks = (uint64_t)surface->columns * surface->rows;
        surface->states = calloc(blocks, 1);
        if (!surface->states)
            return STATUS_MEMORY;
        if (surface->columns > binned->screen_columns)
            binned->screen_columns = surface->columns;
        if (surface->rows > binned->screen_blocks)
            binned->screen_blocks = surface->rows;
    }
    binned->screen_blocks *= binned->screen_columns;
    binned->last = calloc(binned->screen_blocks, sizeof *binned->last);
    return binned->last ? STATUS_OK : STATUS_MEMORY;
}

static enum status open_binned(struct binned *binned, const struct machine *machine,
                               const struct tile_stream *stream, bool carry)
{
    *binned = (struct binned){.config = &machine->tile, .stream = stream, .carry = carry};
    enum status status = open_surfaces(binned);
    if (!status && carry)
        status = tile_memory_init(&binned->drawn, stream);
    return status || !carry ? status : tile_memory_init(&binned->held, stream);
}

static void close_binned(struct binned *binned)
{
    for (uint32_t i = 0; i < TILE_SURFACES_MAX; i++)
        free(binned->surfaces[i].states);
    free(binned->last);
    tile_memory_free(&binned->drawn);
    tile_memory_free(&binned->held);
}

/* ---- the lists --------------------------------------------------------------------------------
 */

/* Adds the primitive of a request to the list of its block, unless it ends with it. */
static void sort_primitive(struct binned *binned, const struct tile_request *request,
                           const struct block_surface *surface)
{
    const uint64_t data = binned->config->bin.primitive;
    uint32_t *last =
        &binned->last[(uint64_t)(request->y >> surface->shift) * binned->screen_columns +
                      (request->x >> surface->shift)];
    uint64_t wrote = 0, read = 0;
    if (binned->primitive != request->primitive + 1)
        wrote = data;
    binned->primitive = request->primitive + 1;
    if (*last != request->primitive + 1) {
        wrote += BIN_ENTRY;
        read = BIN_ENTRY + data;
    }
    *last = request->primitive + 1;
    binned->counts.write_bytes += wrote;
    binned->counts.read_bytes += read;
    binned->counts.list_bytes += wrote + read;
}

/* ---- blocks -----------------------------------------------------------------------------------
 */

static bool is_depth(const struct binned *binned, uint32_t surface)
{
    return binned->stream->surfaces[surface].kind == TILE_DEPTH;
}

static bool clears(const struct binned *binned, uint32_t surface)
{
    return binned->stream->passes[binned->pass].clears >> surface & 1;
}

/* A pass goes on with depth that was thought to be scratch. */
static void keep_scratch(struct binned *binned, struct block_surface *surface)
{
    binned->counts.writes += surface->scratch;
    binned->counts.write_bytes += surface->scratch * surface->bytes;
    surface->scratch = 0;
}

static void touch(struct binned *binned, const struct tile_request *request)
{
    struct block_surface *surface = &binned->surfaces[request->surface];
    assert(surface->states); /* a request names a surface of its stream */
    unsigned char *state =
        &surface->states[(uint64_t)(request->y >> surface->shift) * surface->columns +
                         (request->x >> surface->shift)];
    binned->colour |= !is_depth(binned, request->surface);
    if (!(*state & BLOCK_TOUCHED) && !clears(binned, request->surface)) {
        keep_scratch(binned, surface);
        binned->counts.reads++;
        binned->counts.read_bytes += surface->bytes;
    }
    *state |= BLOCK_TOUCHED | (tile_changes_line(request) ? BLOCK_CHANGED : 0);
    sort_primitive(binned, request, surface);
}

/* Whether memory holds what was drawn in a block; copies it there. */
static bool settle_block(struct binned *binned, uint32_t number, uint32_t column, uint32_t row)
{
    const struct tile_surface *from = &binned->stream->surfaces[number];
    const unsigned shift = binned->surfaces[number].shift;
    bool same = true;
    for (uint32_t y = row << shift; y < (row + 1) << shift && y < tile_rows(from); y++)
        for (uint32_t x = column << shift; x < (column + 1) << shift && x < tile_columns(from);
             x++) {
            const uint64_t address = tile_address(from, x, y);
            uint32_t *held = tile_memory_line(&binned->held, address);
            const uint32_t *drawn = tile_memory_line(&binned->drawn, address);
            same = same && !memcmp(held, drawn, TILE_BYTES);
            memcpy(held, drawn, TILE_BYTES);
        }
    return same;
}

static void end_block(struct binned *binned, uint32_t number, uint32_t column, uint32_t row)
{
    struct block_surface *surface = &binned->surfaces[number];
    unsigned char *state = &surface->states[(uint64_t)row * surface->columns + column];
    const bool changed = *state & BLOCK_CHANGED;
    *state = 0;
    /* A clear changes every block, drawn in or not, unless clear bits stand for it: as in a cache,
     * they do. */
    const bool same = binned->carry && settle_block(binned, number, column, row);
    if (!changed)
        return;
    if (is_depth(binned, number) && binned->colour) {
        surface->scratch++;
    } else if (same && binned->config->bin.eliminate) {
        binned->counts.eliminated++;
    } else {
        binned->counts.writes++;
        binned->counts.write_bytes += surface->bytes;
    }
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void end_pass(struct binned *binned)
{
    for (uint32_t i = 0; i < binned->stream->surface_count; i++) {
        const struct block_surface *surface = &binned->surfaces[i];
        for (uint32_t row = 0; row < surface->rows; row++)
            for (uint32_t column = 0; column < surface->columns; column++)
                end_block(binned, i, column, row);
    }
    const struct binned_counts *now = &binned->counts, *before = &binned->before;
    const uint64_t bytes =
        now->read_bytes + now->write_bytes - before->read_bytes - before->write_bytes;
    const uint64_t pipelines = binned->config->pipelines, bandwidth = binned->config->bandwidth;
    binned->counts.cycles += larger((now->requests - before->requests + pipelines - 1) / pipelines,
                                    (bytes + bandwidth - 1) / bandwidth) +
                             binned->config->latency;
    binned->before = binned->counts;
}

static void begin_pass(struct binned *binned, uint32_t pass)
{
    binned->pass = pass;
    binned->colour = false;
    binned->primitive = 0;
    memset(binned->last, 0, binned->screen_blocks * sizeof *binned->last);
    for (uint32_t i = 0; i < binned->stream->surface_count; i++)
        if (clears(binned, i))
            binned->surfaces[i].scratch = 0; /* nobody will miss it */
    if (binned->carry)
        tile_memory_clear(&binned->drawn, binned->stream, &binned->stream->passes[pass]);
}

static enum status run_batches(struct binned *binned, struct tile_reader *reader,
                               struct tile_batch *batch, const atomic_bool *cancel,
                               struct diagnostics *diagnostics)
{
    bool begun = false;
    do {
        const enum status status = binned->stream->ops->next(reader, batch, diagnostics);
        if (status)
            return status;
        if (cancel && atomic_load_explicit(cancel, memory_order_relaxed))
            return STATUS_CANCELLED;
        if (batch->begins && begun)
            end_pass(binned);
        if (batch->begins)
            begin_pass(binned, batch->pass);
        begun = true;
        binned->counts.requests += batch->count;
        for (uint32_t i = 0; i < batch->count; i++) {
            const struct tile_request *request = &batch->requests[i];
            touch(binned, request);
            if (binned->carry)
                tile_execute(request, batch->values[i],
                             tile_memory_line(&binned->drawn, request->address));
        }
    } while (!batch->end);
    end_pass(binned);
    return STATUS_OK;
}

enum status binned_run(const struct machine *machine, const struct tile_stream *stream,
                       const atomic_bool *cancel, struct binned_counts *counts,
                       struct tile_memory *memory, struct diagnostics *diagnostics)
{
    const bool carry = memory || machine->tile.bin.eliminate;
    struct binned binned;
    struct tile_batch batch = {0};
    struct tile_reader *reader = NULL;
    enum status status = open_binned(&binned, machine, stream, carry);
    if (!status)
        status = tile_batch_init(&batch, TILE_BATCH, carry);
    if (!status)
        status = stream->ops->open(stream, carry, &reader, diagnostics);
    if (!status)
        status = run_batches(&binned, reader, &batch, cancel, diagnostics);
    stream->ops->close(reader);
    tile_batch_free(&batch);
    *counts = binned.counts;
    if (!status && memory) {
        *memory = binned.held;
        binned.held = (struct tile_memory){0};
    }
    close_binned(&binned);
    return status;
}
