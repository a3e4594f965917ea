/* An open .wtr file and its decoded chunks. Only wtr_chunks.c and wtr_read.c use this.
 *
 * Cost: the index stays in memory (one struct wtr_entry per chunk), with up to WTR_CACHE_SLOTS
 * decoded chunks, those in use and those that the file's writer kept. Invariant: a chunk with users
 * is never freed. */
#pragma once

#include <pthread.h>

#include "trace/wtr.h"

/* A decoded chunk, shared by all warps that have records in it. The source's lock guards
 * `users`. */
struct shared_chunk {
    struct wtr_chunk chunk;
    uint32_t entry;
    bool kept; /* by the source, as long as that lives: nobody counts its users */
    unsigned users;
    uint64_t used; /* the source's `clock` when it was last taken */
};

enum { WTR_CACHE_SLOTS = 32 };

struct wtr_source {
    struct trace_source source;
    int fd;
    char *path;
    uint64_t size;
    struct wtr_entry *entries;
    uint32_t entry_count;
    uint32_t *launch_entries;  /* the entries of launch i are [i] to [i + 1] - 1 */
    struct shared_chunk *kept; /* by entry, those without spans are in the file; or NULL */
    /* The most recently decoded chunks, so that the blocks of one chunk do not decode it again. */
    pthread_mutex_t lock;
    struct shared_chunk *cache[WTR_CACHE_SLOTS];
    uint64_t clock;
};

/* Reports an error at a byte of the file; returns STATUS_CORRUPT. */
unsigned wtr_corrupt(const struct wtr_source *source, uint64_t offset,
                     struct diagnostics *diagnostics, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Reads exactly `size` bytes of the file. STATUS_IO or STATUS_CORRUPT (the file is too short). */
enum status wtr_read_at(const struct wtr_source *source, uint64_t offset, void *bytes, size_t size,
                        struct diagnostics *diagnostics);

/* Takes chunk `index`, decoded and checked against its index entry; give it back with
 * wtr_give_chunk. Thread-safe. */
enum status wtr_take_chunk(struct wtr_source *source, uint32_t index, struct shared_chunk **chunk,
                           struct diagnostics *diagnostics);
void wtr_give_chunk(struct wtr_source *source, struct shared_chunk *chunk); /* NULL is allowed */

/* Frees all cached chunks, when the source is freed and nobody uses any. */
void wtr_free_chunks(struct wtr_source *source);
