#include "model/tile/frame.h"

#include <stdlib.h>

#include "model/tile/tile.h"
#include "model/tile/tile_run.h"

void tile_frame_free(struct tile_frame *frame)
{
    tile_maps_free(&frame->maps);
    tile_memory_free(&frame->memory);
    free(frame->parts);
    *frame = (struct tile_frame){0};
}

static enum status run_cache(const struct machine *machine, const struct tile_stream *stream,
                             const atomic_bool *cancel, struct tile_frame *frame,
                             struct diagnostics *diagnostics)
{
    frame->parts = calloc(1, sizeof *frame->parts);
    if (!frame->parts)
        return STATUS_MEMORY;
    const struct tile_run_options options = {
        .carry = true, .maps = &frame->maps, .parts = frame->parts, .cancel = cancel};
    struct tile_run run;
    struct tile_subsystem *tiles = &run.tiles;
    enum status status = tile_run_open(&run, machine, stream, &options, NULL, diagnostics);
    if (status)
        return status;
    status = tile_run_advance(&run, UINT64_MAX, diagnostics);
    frame->cached = true;
    frame->banks = tiles->bank_count;
    frame->screen = tiles->screen;
    frame->sums = tiles->counts;
    for (uint32_t i = 0; i < tiles->bank_count; i++) {
        frame->counts[i] = tiles->banks[i].counts;
        frame->requests[i] = tiles->counts.load.requests[i] + tiles->counts.load.window[i];
    }
    frame->memory = tiles->shared.memory;
    tiles->shared.memory = (struct tile_memory){0};
    tile_run_close(&run);
    return status;
}

static void draw_batch(const struct tile_batch *batch, const struct tile_stream *stream,
                       struct tile_frame *frame)
{
    if (batch->begins)
        tile_memory_clear(&frame->memory, stream, &stream->passes[batch->pass]);
    frame->requests[0] += batch->count;
    for (uint32_t i = 0; i < batch->count; i++) {
        const struct tile_request *request = &batch->requests[i];
        tile_maps_request(&frame->maps, request);
        tile_execute(request, batch->values[i], tile_memory_line(&frame->memory, request->address));
    }
}

static enum status run_alone(const struct tile_stream *stream, const atomic_bool *cancel,
                             struct tile_frame *frame, struct diagnostics *diagnostics)
{
    struct tile_batch batch;
    struct tile_reader *reader = NULL;
    enum status status = tile_memory_init(&frame->memory, stream);
    if (status)
        return status;
    frame->banks = 1;
    status = tile_batch_init(&batch, TILE_BATCH, true);
    if (status)
        return status;
    status = stream->ops->open(stream, true, &reader, diagnostics);
    while (!status && !batch.end) {
        status = stream->ops->next(reader, &batch, diagnostics);
        if (!status && cancel && atomic_load_explicit(cancel, memory_order_relaxed))
            status = STATUS_CANCELLED;
        if (!status)
            draw_batch(&batch, stream, frame);
    }
    stream->ops->close(reader);
    tile_batch_free(&batch);
    return status;
}

enum status tile_frame_run(const struct machine *machine, const struct tile_stream *stream,
                           const atomic_bool *cancel, struct tile_frame *frame,
                           struct diagnostics *diagnostics)
{
    *frame = (struct tile_frame){.frames = tile_frames(stream)};
    enum status status = tile_maps_init(&frame->maps, stream);
    if (!status)
        status = tile_has_cache(machine) ? run_cache(machine, stream, cancel, frame, diagnostics)
                                         : run_alone(stream, cancel, frame, diagnostics);
    if (status)
        tile_frame_free(frame);
    return status;
}
