/* An open .wtr file and its decoded chunks; only wtr_chunks.c and wtr_read.c look inside. */
#pragma once

#include <pthread.h>

#include "trace/wtr.h"

/* A decoded chunk, shared by all warps that are in it; `users` is guarded by the source's lock. */
struct shared_chunk {
    struct wtr_chunk chunk;
    uint32_t entry;
    unsigned users;
    uint64_t used; /* when it was last taken */
};

enum { WTR_CACHE_SLOTS = 32 };

struct wtr_source {
    struct trace_source source;
    int fd;
    char *path;
    uint64_t size;
    struct wtr_entry *entries;
    uint32_t entry_count;
    uint32_t *launch_entries; /* entries of launch i: [i] to [i + 1] - 1 */
    /* Chunks that were decoded last, so that the blocks of one chunk do not decode it again. */
    pthread_mutex_t lock;
    struct shared_chunk *cache[WTR_CACHE_SLOTS];
    uint64_t clock;
};

/* Adds an error at a byte of the file; returns STATUS_CORRUPT. */
enum status wtr_corrupt(const struct wtr_source *source, uint64_t offset,
                        struct diagnostics *diagnostics, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Reads exactly `size` bytes of the file. */
enum status wtr_read_at(const struct wtr_source *source, uint64_t offset, void *bytes, size_t size,
                        struct diagnostics *diagnostics);

/* Takes chunk `index`, decoded and checked against its entry; wtr_give_chunk gives it back. Any
 * number of threads may do so at once. */
enum status wtr_take_chunk(struct wtr_source *source, uint32_t index, struct shared_chunk **chunk,
                           struct diagnostics *diagnostics);
void wtr_give_chunk(struct wtr_source *source, struct shared_chunk *chunk); /* NULL is allowed */

/* Frees the chunks that nobody uses. */
void wtr_free_chunks(struct wtr_source *source);
