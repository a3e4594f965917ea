#include "trace/tile_stream.h"

#include <stdlib.h>
#include <string.h>

#include "trace/tile_lanes.h"

const struct tile_op_row tile_ops[TILE_OP_COUNT] = {
#define TILE_OP_ROW(constant, name, reads, help) [constant] = {name, reads, help},
    TILE_OP_LIST(TILE_OP_ROW)
#undef TILE_OP_ROW
};

/* (new * alpha + old * (255 - alpha)) / 255 a channel, rounded to nearest. */
static uint32_t blend(uint32_t new, uint32_t old)
{
    const uint32_t alpha = new >> 24;
    uint32_t result = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        const uint32_t a = new >> shift & 0xff, b = old >> shift & 0xff;
        const uint32_t sum = a * alpha + b * (255 - alpha) + 128;
        result |= ((sum + (sum >> 8)) >> 8) << shift;
    }
    return result;
}

/* Depth has 24 bits, so it is signed as well, which vectors compare faster. */
static uint16_t tile_compare(const uint32_t values[TILE_VALUES], const uint32_t line[TILE_VALUES])
{
    tile_lanes new, old;
    tile_lanes_load(&new, values);
    tile_lanes_load(&old, line);
    const tile_lanes passes = new <= old;
    return tile_lanes_bits(&passes);
}

static void write_values(uint16_t passed, const uint32_t values[TILE_VALUES],
                         uint32_t line[TILE_VALUES])
{
    tile_lanes new, old, holds;
    tile_lanes_load(&new, values);
    tile_lanes_load(&old, line);
    tile_lanes_spread(passed, &holds);
    old = (new &holds) | (old & ~holds);
    memcpy(line, &old, sizeof old);
}

uint16_t tile_execute(const struct tile_request *request, const uint32_t values[TILE_VALUES],
                      uint32_t line[TILE_VALUES])
{
    const uint16_t passed =
        request->mask & (request->op == TILE_DEPTH_TEST ? tile_compare(values, line) : TILE_WHOLE);
    if (request->op != TILE_BLEND) {
        write_values(passed, values, line);
        return passed;
    }
    for (unsigned rest = passed; rest; rest &= rest - 1) {
        const unsigned i = (unsigned)__builtin_ctz(rest);
        line[i] = blend(values[i], line[i]);
    }
    return passed;
}

uint32_t tile_side(const struct tile_surface *surface)
{
    return surface->samples == 4 ? 2 : 4;
}

uint32_t tile_columns(const struct tile_surface *surface)
{
    return (surface->width + tile_side(surface) - 1) / tile_side(surface);
}

uint32_t tile_rows(const struct tile_surface *surface)
{
    return (surface->height + tile_side(surface) - 1) / tile_side(surface);
}

uint64_t tile_lines(const struct tile_surface *surface)
{
    return (uint64_t)tile_columns(surface) * tile_rows(surface);
}

uint64_t tile_address(const struct tile_surface *surface, uint32_t x, uint32_t y)
{
    return surface->base + TILE_BYTES * ((uint64_t)y * tile_columns(surface) + x);
}

unsigned tile_value(const struct tile_surface *surface, uint32_t x, uint32_t y, uint32_t sample)
{
    const uint32_t side = tile_side(surface);
    return (y % side * side + x % side) * surface->samples + sample;
}

struct warp_access tile_record(const struct tile_surface *surfaces,
                               const struct tile_request *request)
{
    const enum memory_op op = tile_ops[request->op].reads ? OP_ATOMIC : OP_STORE;
    const bool one = !(request->mask & (request->mask - 1)); /* equal accesses: equal records */
    const unsigned first = TILE_VALUE_BYTES * (unsigned)__builtin_ctz(request->mask);
    return (struct warp_access){
        .base = request->address + (one ? first : 0),
        .stride = one ? 0 : TILE_VALUE_BYTES,
        .mask = request->mask,
        .pc = 16 * (uint32_t)request->op,
        .bytes = TILE_VALUE_BYTES,
        .op = (uint8_t)(tile_changes_line(request) ? op : OP_LOAD),
        .space =
            surfaces[request->surface].kind == TILE_DEPTH ? SPACE_DEPTH_TILE : SPACE_COLOUR_TILE,
    };
}

enum status tile_batch_init(struct tile_batch *batch, uint32_t capacity, bool values)
{
    *batch = (struct tile_batch){.capacity = capacity};
    batch->requests = calloc(capacity, sizeof *batch->requests);
    batch->values =
        values ? aligned_alloc(TILE_BYTES, (size_t)capacity * sizeof *batch->values) : NULL;
    if (batch->requests && (batch->values || !values))
        return STATUS_OK;
    tile_batch_free(batch);
    return STATUS_MEMORY;
}

void tile_batch_free(struct tile_batch *batch)
{
    free(batch->requests);
    free(batch->values);
    *batch = (struct tile_batch){0};
}

uint32_t tile_frames(const struct tile_stream *stream)
{
    return stream->pass_count
               ? stream->passes[stream->pass_count - 1].frame - stream->passes[0].frame + 1
               : 1;
}

enum status tile_memory_init(struct tile_memory *memory, const struct tile_stream *stream)
{
    uint64_t first = UINT64_MAX, end = 0;
    for (uint32_t i = 0; i < stream->surface_count; i++) {
        const struct tile_surface *surface = &stream->surfaces[i];
        const uint64_t after = surface->base + TILE_BYTES * tile_lines(surface);
        first = surface->base < first ? surface->base : first;
        end = after > end ? after : end;
    }
    *memory = (struct tile_memory){.base = first, .bytes = end > first ? end - first : 0};
    memory->values = aligned_alloc(TILE_BYTES, memory->bytes + TILE_BYTES);
    if (!memory->values)
        return STATUS_MEMORY;
    memset(memory->values, 0, memory->bytes + TILE_BYTES);
    return STATUS_OK;
}

void tile_memory_free(struct tile_memory *memory)
{
    free(memory->values);
    *memory = (struct tile_memory){0};
}

void tile_memory_clear(const struct tile_memory *memory, const struct tile_stream *stream,
                       const struct tile_pass *pass)
{
    for (uint32_t i = 0; i < stream->surface_count; i++) {
        const struct tile_surface *surface = &stream->surfaces[i];
        uint32_t *values = tile_memory_line(memory, surface->base);
        const uint64_t count = pass->clears >> i & 1 ? TILE_VALUES * tile_lines(surface) : 0;
        for (uint64_t k = 0; k < count; k++)
            values[k] = surface->clear;
    }
}

static enum status execute_batch(const struct tile_batch *batch, const struct tile_memory *memory,
                                 struct diagnostics *diagnostics)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const struct tile_request *request = &batch->requests[i];
        const uint16_t passed =
            tile_execute(request, batch->values[i], tile_memory_line(memory, request->address));
        if (passed != request->passed)
            return diagnostics_error(diagnostics, STATUS_INVALID,
                                     "line 0x%llx: values 0x%04x pass, not 0x%04x",
                                     (unsigned long long)request->address, passed, request->passed);
    }
    return STATUS_OK;
}

enum status tile_reference(const struct tile_stream *stream, struct tile_memory *memory,
                           struct diagnostics *diagnostics)
{
    struct tile_batch batch = {0};
    struct tile_reader *reader = NULL;
    enum status status = tile_memory_init(memory, stream);
    if (!status)
        status = tile_batch_init(&batch, TILE_BATCH, true);
    if (!status)
        status = stream->ops->open(stream, true, &reader, diagnostics);
    while (!status && !batch.end) {
        status = stream->ops->next(reader, &batch, diagnostics);
        if (!status && batch.begins)
            tile_memory_clear(memory, stream, &stream->passes[batch.pass]);
        if (!status)
            status = execute_batch(&batch, memory, diagnostics);
    }
    if (reader)
        stream->ops->close(reader);
    tile_batch_free(&batch);
    if (status)
        tile_memory_free(memory);
    return status;
}
