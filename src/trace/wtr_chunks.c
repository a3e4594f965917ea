/* Decoded chunks of a .wtr file and their cache (wtr_source.h). A chunk is checked in full when it
 * is decoded: checksum, index entry, and every record. So whoever reads its records need not check.
 */
#include "trace/wtr_source.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

unsigned wtr_corrupt(const struct wtr_source *source, uint64_t offset,
                     struct diagnostics *diagnostics, const char *format, ...)
{
    struct place place = {.file = source->path, .offset = offset, .has_offset = true};
    va_list arguments;
    va_start(arguments, format);
    diagnostics_vadd(diagnostics, SEVERITY_ERROR, &place, NULL, format, arguments);
    va_end(arguments);
    return STATUS_CORRUPT;
}

enum status wtr_read_at(const struct wtr_source *source, uint64_t offset, void *bytes, size_t size,
                        struct diagnostics *diagnostics)
{
    char *at = bytes;
    while (size) {
        ssize_t got = pread(source->fd, at, size, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            wtr_corrupt(source, offset, diagnostics, "%s", strerror(errno));
            return STATUS_IO;
        }
        if (!got)
            return wtr_corrupt(source, offset, diagnostics, "the file ends here");
        at += got;
        offset += (uint64_t)got;
        size -= (size_t)got;
    }
    return STATUS_OK;
}

static enum status unpack(const struct wtr_source *source, const struct wtr_entry *entry,
                          const uint8_t *packed, struct wtr_chunk *chunk,
                          struct diagnostics *diagnostics)
{
    const uint8_t *data = packed + WTR_CHUNK_HEADER_BYTES;
    uint32_t raw_size = wtr_get32(packed + 8), lanes = wtr_get32(packed + 20);
    /* The checksum covers the header too, so that damage to the counts is found before they are
     * used. */
    if (wtr_get32(packed) != WTR_CHUNK_MAGIC ||
        wtr_get64(packed + 24) != XXH64(data, entry->stored, XXH64(packed, 24, 0)))
        return wtr_corrupt(source, entry->offset, diagnostics, "the chunk's checksum is wrong");
    if (wtr_get32(packed + 4) != entry->stored || wtr_get32(packed + 12) != entry->spans ||
        wtr_get32(packed + 16) != entry->records || raw_size > WTR_RAW_MAX)
        return wtr_corrupt(source, entry->offset, diagnostics,
                           "the chunk is not the one that the index describes");
    uint8_t *raw = malloc(raw_size + 1);
    if (!raw)
        return STATUS_MEMORY;
    enum status status = STATUS_CORRUPT;
    const char *what = "its data do not unpack";
    if (ZSTD_decompress(raw, raw_size, data, entry->stored) == raw_size)
        status = wtr_decode(raw, raw_size, entry->spans, entry->records, lanes,
                            trace_launch_code(&source->source, entry->launch), chunk, &what);
    free(raw);
    if (status == STATUS_CORRUPT)
        wtr_corrupt(source, entry->offset, diagnostics, "the chunk is damaged: %s", what);
    return status;
}

/* The index and the chunk must agree on what the chunk covers, or reading it would go out of
 * step. */
static bool chunk_matches(const struct wtr_source *source, const struct wtr_entry *entry,
                          const struct wtr_chunk *chunk)
{
    assert(chunk->spans && chunk->span_count);
    const struct wtr_span *first = &chunk->spans[0], *last = &chunk->spans[chunk->span_count - 1];
    uint32_t warps = launch_warps(&source->source.launches[entry->launch]);
    for (size_t i = 0; i < chunk->span_count; i++)
        if (chunk->spans[i].warp >= warps)
            return false;
    return first->block == entry->first_block && first->warp == entry->first_warp &&
           last->block == entry->last_block && last->warp == entry->last_warp &&
           last->continues == entry->continues;
}

static void shared_chunk_free(struct shared_chunk *shared)
{
    if (!shared)
        return;
    wtr_chunk_free(&shared->chunk);
    free(shared);
}

static enum status load_chunk(const struct wtr_source *source, uint32_t index,
                              struct shared_chunk **shared, struct diagnostics *diagnostics)
{
    const struct wtr_entry *entry = &source->entries[index];
    struct shared_chunk *loaded = calloc(1, sizeof *loaded);
    uint8_t *packed = malloc((size_t)WTR_CHUNK_HEADER_BYTES + entry->stored);
    enum status status = STATUS_MEMORY;
    if (!loaded || !packed)
        goto cleanup;
    loaded->entry = index;
    status = wtr_read_at(source, entry->offset, packed,
                         (size_t)WTR_CHUNK_HEADER_BYTES + entry->stored, diagnostics);
    if (!status)
        status = unpack(source, entry, packed, &loaded->chunk, diagnostics);
    if (!status && !chunk_matches(source, entry, &loaded->chunk))
        status = wtr_corrupt(source, entry->offset, diagnostics,
                             "the chunk holds other warps than the index says");
cleanup:
    free(packed);
    if (status)
        shared_chunk_free(loaded);
    else
        *shared = loaded;
    return status;
}

static struct shared_chunk *cache_find(struct wtr_source *source, uint32_t index)
{
    for (int i = 0; i < WTR_CACHE_SLOTS; i++)
        if (source->cache[i] && source->cache[i]->entry == index)
            return source->cache[i];
    return NULL;
}

/* Puts a chunk in a free slot, or in the slot of the least recently taken chunk that nobody uses.
 * If all are in use the chunk is not cached and stays with its one user. Returns a chunk to free,
 * or NULL. */
static struct shared_chunk *cache_insert(struct wtr_source *source, struct shared_chunk *shared)
{
    int victim = -1;
    for (int i = 0; i < WTR_CACHE_SLOTS; i++) {
        const struct shared_chunk *held = source->cache[i];
        if (!held) {
            victim = i;
            break;
        }
        if (!held->users && (victim < 0 || held->used < source->cache[victim]->used))
            victim = i;
    }
    if (victim < 0)
        return NULL;
    struct shared_chunk *old = source->cache[victim];
    source->cache[victim] = shared;
    return old;
}

static bool cache_holds(const struct wtr_source *source, const struct shared_chunk *shared)
{
    for (int i = 0; i < WTR_CACHE_SLOTS; i++)
        if (source->cache[i] == shared)
            return true;
    return false;
}

enum status wtr_take_chunk(struct wtr_source *source, uint32_t index, struct shared_chunk **result,
                           struct diagnostics *diagnostics)
{
    if (source->kept && source->kept[index].kept) {
        *result = &source->kept[index];
        return STATUS_OK;
    }
    pthread_mutex_lock(&source->lock);
    struct shared_chunk *shared = cache_find(source, index), *unused = NULL;
    if (!shared) {
        /* Decode outside of the lock. Two threads may decode the same chunk; the first one is
         * kept. */
        pthread_mutex_unlock(&source->lock);
        enum status status = load_chunk(source, index, &unused, diagnostics);
        if (status)
            return status;
        pthread_mutex_lock(&source->lock);
        if (!(shared = cache_find(source, index))) {
            shared = unused;
            shared->users++; /* cache_insert may replace any chunk without users */
            unused = cache_insert(source, shared);
            shared->users--;
        }
    }
    shared->users++;
    shared->used = ++source->clock;
    pthread_mutex_unlock(&source->lock);
    shared_chunk_free(unused);
    *result = shared;
    return STATUS_OK;
}

void wtr_give_chunk(struct wtr_source *source, struct shared_chunk *shared)
{
    if (!shared || shared->kept)
        return;
    pthread_mutex_lock(&source->lock);
    bool done = !--shared->users && !cache_holds(source, shared);
    pthread_mutex_unlock(&source->lock);
    if (done)
        shared_chunk_free(shared);
}

enum status wtr_take_kept(struct trace_source *trace, struct wtr_kept *kept)
{
    struct wtr_source *source = (struct wtr_source *)trace;
    source->kept = calloc((size_t)source->entry_count + 1, sizeof *source->kept);
    if (!source->kept)
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < source->entry_count; i++) {
        struct wtr_chunk *chunk = wtr_kept_find(kept, source->entries[i].offset);
        if (!chunk)
            continue;
        source->kept[i] = (struct shared_chunk){.chunk = *chunk, .entry = i, .kept = true};
        *chunk = (struct wtr_chunk){0};
    }
    wtr_kept_free(kept);
    return STATUS_OK;
}

void wtr_free_chunks(struct wtr_source *source)
{
    for (uint32_t i = 0; source->kept && i < source->entry_count; i++)
        wtr_chunk_free(&source->kept[i].chunk);
    free(source->kept);
    for (int i = 0; i < WTR_CACHE_SLOTS; i++)
        shared_chunk_free(source->cache[i]);
}
