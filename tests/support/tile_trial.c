#include "support/tile_trial.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

struct tile_reader {
    const struct tile_trial *trial;
    uint32_t pass, at;
    bool begun;
};

static enum status open_reader(const struct tile_stream *stream, bool values,
                               struct tile_reader **reader, struct diagnostics *diagnostics)
{
    (void)values;
    (void)diagnostics;
    *reader = calloc(1, sizeof **reader);
    (*reader)->trial = (const struct tile_trial *)stream;
    return STATUS_OK;
}

static enum status next_batch(struct tile_reader *reader, struct tile_batch *batch,
                              struct diagnostics *diagnostics)
{
    const struct tile_trial *trial = reader->trial;
    (void)diagnostics;
    if (reader->begun && reader->at == trial->ends[reader->pass]) {
        reader->pass++;
        reader->begun = false;
    }
    const uint32_t left = trial->ends[reader->pass] - reader->at;
    batch->count = left < batch->capacity ? left : batch->capacity;
    batch->pass = reader->pass;
    batch->begins = !reader->begun;
    if (batch->count)
        memcpy(batch->requests, trial->requests + reader->at,
               batch->count * sizeof *batch->requests);
    if (batch->values && batch->count)
        memcpy(batch->values, trial->values + reader->at, batch->count * sizeof *batch->values);
    reader->at += batch->count;
    reader->begun = true;
    batch->end =
        reader->pass + 1 == trial->stream.pass_count && reader->at == trial->ends[reader->pass];
    return STATUS_OK;
}

static void close_reader(struct tile_reader *reader)
{
    free(reader);
}

static const struct tile_stream_ops ops = {open_reader, next_batch, close_reader};

static struct tile_trial *new_trial(uint32_t count)
{
    struct tile_trial *trial = calloc(1, sizeof *trial);
    trial->stream = (struct tile_stream){.ops = &ops, .passes = trial->passes};
    trial->requests = calloc(count + 1, sizeof *trial->requests);
    trial->values = calloc(count + 1, sizeof *trial->values);
    return trial;
}

static void make_source(struct tile_trial *trial)
{
    static char name[] = "trial";
    trial->source = (struct trace_source){.name = name,
                                          .launches = trial->launches,
                                          .launch_count = trial->stream.pass_count,
                                          .tiles = &trial->stream};
    for (uint32_t i = 0; i < trial->stream.pass_count; i++)
        trial->launches[i] =
            (struct trace_launch){.name = name, .grid = {1, 1, 1}, .block = {32, 1, 1}};
}

void tile_trial_free(struct tile_trial *trial)
{
    free(trial->requests);
    free(trial->values);
    free(trial);
}

struct draw {
    uint64_t seed, number;
};

static uint32_t draw(struct draw *draw, uint32_t bound)
{
    return (uint32_t)random_below(random_at(draw->seed, draw->number++), bound);
}

static void make_surfaces(struct tile_stream *stream, struct draw *random)
{
    uint64_t base = 4096;
    const uint32_t samples = draw(random, 2) ? 4 : 1;
    stream->surface_count = 1 + draw(random, 3);
    for (uint32_t i = 0; i < stream->surface_count; i++) {
        struct tile_surface *surface = &stream->surfaces[i];
        *surface = (struct tile_surface){.name = "trial",
                                         .kind = i % TILE_KIND_COUNT,
                                         .width = 1 + draw(random, 120),
                                         .height = 1 + draw(random, 80),
                                         .samples = samples,
                                         .base = base,
                                         .clear = draw(random, 1u << 24)};
        base += tile_lines(surface) * TILE_BYTES;
    }
}

/* A request near the last one of its surface. */
static void roll_request(struct tile_request *request, const struct tile_stream *stream,
                         uint32_t *last, uint32_t spread, struct draw *random)
{
    const uint32_t which = draw(random, stream->surface_count);
    const struct tile_surface *surface = &stream->surfaces[which];
    const uint32_t lines = (uint32_t)tile_lines(surface), columns = tile_columns(surface);
    uint32_t line =
        draw(random, 8) ? (last[which] + draw(random, spread)) % lines : draw(random, lines);
    last[which] = line;
    const bool whole = !draw(random, 3);
    *request =
        (struct tile_request){.address = tile_address(surface, line % columns, line / columns),
                              .primitive = draw(random, 100),
                              .x = (uint16_t)(line % columns),
                              .y = (uint16_t)(line / columns),
                              .mask = whole ? TILE_WHOLE : (uint16_t)(1 + draw(random, TILE_WHOLE)),
                              .surface = (uint8_t)which,
                              .op = (uint8_t)draw(random, TILE_OP_COUNT)};
}

struct tile_trial *tile_trial_random(uint64_t seed, uint32_t count, uint32_t spread)
{
    struct draw random = {seed, 0};
    struct tile_trial *trial = new_trial(count);
    struct tile_stream *stream = &trial->stream;
    struct tile_memory memory;
    uint32_t last[TILE_SURFACES_MAX] = {0};
    make_surfaces(stream, &random);
    stream->pass_count = 1 + draw(&random, 3);
    (void)tile_memory_init(&memory, stream);
    uint64_t lines = memory.bytes / TILE_BYTES;
    bool *cleared = calloc(lines, sizeof *cleared);
    for (uint32_t pass = 0, at = 0; pass < stream->pass_count; pass++) {
        trial->passes[pass] = (struct tile_pass){
            .name = "trial", .frame = pass, .clears = draw(&random, 1u << stream->surface_count)};
        trial->ends[pass] = (pass + 1) * count / stream->pass_count;
        tile_memory_clear(&memory, stream, &trial->passes[pass]);
        for (uint32_t i = 0; i < stream->surface_count; i++)
            if (trial->passes[pass].clears >> i & 1)
                for (uint64_t k = 0; k < tile_lines(&stream->surfaces[i]); k++)
                    cleared[(stream->surfaces[i].base - memory.base) / TILE_BYTES + k] = true;
        for (; at < trial->ends[pass]; at++) {
            struct tile_request *request = &trial->requests[at];
            roll_request(request, stream, last, spread, &random);
            for (unsigned i = 0; i < TILE_VALUES; i++)
                trial->values[at][i] = draw(&random, draw(&random, 2) ? 1u << 24 : UINT32_MAX);
            bool *state = &cleared[(request->address - memory.base) / TILE_BYTES];
            request->flags = *state ? TILE_CLEARED : 0;
            request->passed = tile_execute(request, trial->values[at],
                                           tile_memory_line(&memory, request->address));
            *state = *state && !tile_changes_line(request);
        }
    }
    free(cleared);
    tile_memory_free(&memory);
    make_source(trial);
    return trial;
}

struct tile_trial *tile_trial_lines(const uint32_t *lines, uint32_t count)
{
    struct tile_trial *trial = new_trial(count);
    trial->stream.surface_count = trial->stream.pass_count = 1;
    trial->stream.surfaces[0] =
        (struct tile_surface){.name = "trial", .width = 64, .height = 64, .samples = 1, .base = 64};
    trial->passes[0] = (struct tile_pass){.name = "trial"};
    trial->ends[0] = count;
    for (uint32_t i = 0; i < count; i++) {
        trial->requests[i] =
            (struct tile_request){.address = tile_address(&trial->stream.surfaces[0], lines[i], 0),
                                  .x = (uint16_t)lines[i],
                                  .mask = 1,
                                  .passed = 1,
                                  .op = TILE_REPLACE};
        trial->values[i][0] = i + 1;
    }
    make_source(trial);
    return trial;
}
