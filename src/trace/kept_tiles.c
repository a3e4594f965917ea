#include "trace/kept_tiles.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum log_state { LOG_EMPTY, LOG_WRITING, LOG_READY, LOG_NEVER };

struct kept_log {
    atomic_int state; /* enum log_state; the rest belongs to who writes, until it is ready */
    uint64_t most;
    struct tile_request *items;
    size_t count, capacity;
    size_t *ends; /* [passes]: the first request after each */
};

struct tile_reader {
    const struct kept_tiles *kept;
    struct tile_reader *inner; /* NULL: it reads the log */
    bool writes, ended;
    uint32_t pass;
    size_t at;
};

static void kept_log_drop(struct kept_log *log, enum log_state state)
{
    free(log->items);
    log->items = NULL;
    log->count = log->capacity = 0;
    atomic_store_explicit(&log->state, state, memory_order_release);
}

static enum status open_reader(const struct tile_stream *stream, bool values,
                               struct tile_reader **made, struct diagnostics *diagnostics)
{
    const struct kept_tiles *kept = (const struct kept_tiles *)stream;
    struct tile_reader *reader = calloc(1, sizeof *reader);
    int empty = LOG_EMPTY;
    *made = NULL;
    if (!reader)
        return STATUS_MEMORY;
    reader->kept = kept;
    if (!values && kept_tiles_ready(kept)) {
        *made = reader;
        return STATUS_OK;
    }
    const enum status status =
        kept->from->ops->open(kept->from, values, &reader->inner, diagnostics);
    if (status) {
        free(reader);
        return status;
    }
    reader->writes =
        !values && atomic_compare_exchange_strong(&kept->log->state, &empty, LOG_WRITING);
    *made = reader;
    return STATUS_OK;
}

static void close_reader(struct tile_reader *reader)
{
    if (!reader)
        return;
    if (reader->writes && !reader->ended)
        kept_log_drop(reader->kept->log, LOG_EMPTY);
    else if (reader->writes)
        atomic_store_explicit(&reader->kept->log->state, LOG_READY, memory_order_release);
    if (reader->inner)
        reader->kept->from->ops->close(reader->inner);
    free(reader);
}

/* Adds a batch to the log, as long as there is room. */
static void write_batch(struct tile_reader *reader, const struct tile_batch *batch)
{
    struct kept_log *log = reader->kept->log;
    if (log->count + batch->count > log->most ||
        array_reserve(&log->items, &log->capacity, log->count + batch->count)) {
        kept_log_drop(log, LOG_NEVER);
        reader->writes = false;
        return;
    }
    if (batch->count)
        memcpy(log->items + log->count, batch->requests, batch->count * sizeof *batch->requests);
    log->count += batch->count;
    log->ends[batch->pass] = log->count;
    reader->ended = batch->end;
}

static void read_batch(struct tile_reader *reader, struct tile_batch *batch)
{
    const struct kept_log *log = reader->kept->log;
    const uint32_t passes = reader->kept->from->pass_count;
    const size_t begin = reader->pass ? log->ends[reader->pass - 1] : 0;
    const size_t left = log->ends[reader->pass] - reader->at;
    batch->count = left < batch->capacity ? (uint32_t)left : batch->capacity;
    batch->pass = reader->pass;
    batch->begins = reader->at == begin;
    if (batch->count)
        memcpy(batch->requests, log->items + reader->at, batch->count * sizeof *batch->requests);
    reader->at += batch->count;
    reader->pass += reader->at == log->ends[reader->pass];
    batch->end = reader->pass == passes;
}

static enum status next_batch(struct tile_reader *reader, struct tile_batch *batch,
                              struct diagnostics *diagnostics)
{
    if (!reader->inner) {
        read_batch(reader, batch);
        return STATUS_OK;
    }
    const enum status status = reader->kept->from->ops->next(reader->inner, batch, diagnostics);
    if (!status && reader->writes)
        write_batch(reader, batch);
    return status;
}

static const struct tile_stream_ops kept_ops = {
    .open = open_reader, .next = next_batch, .close = close_reader};

enum status kept_tiles_init(struct kept_tiles *kept, const struct tile_stream *from, uint64_t most)
{
    *kept = (struct kept_tiles){.stream = *from, .from = from};
    kept->stream.ops = &kept_ops;
    kept->log = calloc(1, sizeof *kept->log);
    if (!kept->log)
        return STATUS_MEMORY;
    kept->log->most = most;
    kept->log->ends = calloc((size_t)from->pass_count + 1, sizeof *kept->log->ends);
    if (kept->log->ends)
        return STATUS_OK;
    kept_tiles_free(kept);
    return STATUS_MEMORY;
}

void kept_tiles_free(struct kept_tiles *kept)
{
    if (kept->log) {
        free(kept->log->items);
        free(kept->log->ends);
    }
    free(kept->log);
    *kept = (struct kept_tiles){0};
}

bool kept_tiles_ready(const struct kept_tiles *kept)
{
    return atomic_load_explicit(&kept->log->state, memory_order_acquire) == LOG_READY;
}
