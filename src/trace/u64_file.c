#include "trace/u64_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text_ends.h"
#include "trace/address_list.h"
#include "trace/importers.h"
#include "trace/wtr_index.h"

enum { BATCH = 4096 }; /* addresses: 32 KiB */

bool u64_is_raw(const char *path)
{
    return text_ends(path, ".u64");
}

enum status u64_open(const char *path, struct u64_file *file, struct diagnostics *diagnostics)
{
    struct stat status;
    *file = (struct u64_file){.fd = open(path, O_RDONLY | O_CLOEXEC), .path = strdup(path)};
    if (file->fd < 0 || !file->path || fstat(file->fd, &status)) {
        int problem = errno;
        u64_close(file);
        return diagnostics_error(diagnostics, problem == ENOENT ? STATUS_NOT_FOUND : STATUS_IO,
                                 "%s: %s", path, strerror(problem));
    }
    /* A pipe or a device has no size, and so no addresses here. */
    uint64_t size = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
    file->count = size / 8;
    if (size % 8) {
        struct place place = {.file = path, .offset = size - size % 8, .has_offset = true};
        diagnostics_add(diagnostics, SEVERITY_WARNING, &place,
                        "the last address has %" PRIu64 " of 8 bytes and is left out", size % 8);
    }
    if (file->count)
        return STATUS_OK;
    u64_close(file);
    return address_list_empty(path, diagnostics);
}

void u64_close(struct u64_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    free(file->path);
    *file = (struct u64_file){.fd = -1};
}

enum status u64_read(const struct u64_file *file, uint64_t first, uint64_t *addresses, size_t count,
                     struct diagnostics *diagnostics)
{
    uint8_t *bytes = (uint8_t *)addresses;
    for (size_t done = 0; done < 8 * count;) {
        ssize_t got = pread(file->fd, bytes + done, 8 * count - done, (off_t)(8 * first + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            struct place place = {
                .file = file->path, .offset = 8 * first + done, .has_offset = true};
            diagnostics_add(diagnostics, SEVERITY_ERROR, &place, "%s",
                            got ? strerror(errno) : "the file has become shorter");
            return STATUS_IO;
        }
        done += (size_t)got;
    }
    for (size_t i = 0; i < count; i++)
        addresses[i] = word_address(wtr_get64(bytes + 8 * i));
    return STATUS_OK;
}

struct u64_source {
    struct trace_source base;
    struct u64_file file;
};

struct block_reader {
    const struct u64_file *file;
    uint64_t next;
    uint64_t addresses[BATCH];
};

static struct warp_access make_record(uint64_t address)
{
    return (struct warp_access){.base = address,
                                .mask = 1,
                                .bytes = U64_ACCESS_BYTES,
                                .op = OP_LOAD,
                                .space = SPACE_GLOBAL,
                                .flags = ACCESS_SINGLE};
}

static enum status open_block(const struct trace_source *source, uint32_t launch, uint64_t block,
                              struct block_reader **reader, struct diagnostics *diagnostics)
{
    (void)launch, (void)block, (void)diagnostics;
    *reader = malloc(sizeof **reader);
    if (!*reader)
        return STATUS_MEMORY;
    (*reader)->file = &((const struct u64_source *)(const void *)source)->file;
    (*reader)->next = 0;
    return STATUS_OK;
}

static enum status read_window(struct block_reader *reader, uint32_t warp,
                               struct access_window *window, struct diagnostics *diagnostics)
{
    (void)warp;
    uint64_t left = reader->file->count - reader->next;
    uint32_t count = window->capacity < BATCH ? window->capacity : BATCH;
    if (count > left)
        count = (uint32_t)left;
    enum status status =
        u64_read(reader->file, reader->next, reader->addresses, count, diagnostics);
    if (status)
        return status;
    for (uint32_t i = 0; i < count; i++)
        window->items[i] = make_record(reader->addresses[i]);
    reader->next += count;
    window->count = count;
    window->lane_count = window->tail = 0;
    window->end = count == left;
    return STATUS_OK;
}

static void close_block(struct block_reader *reader)
{
    free(reader);
}

static void free_source(struct trace_source *source)
{
    struct u64_source *self = (struct u64_source *)(void *)source;
    u64_close(&self->file);
    trace_source_clear(source);
    free(self);
}

static const struct trace_source_ops operations = {
    .open_block = open_block, .read = read_window, .close_block = close_block, .free = free_source};

/* Reads the whole file once. */
static enum status make_digest(struct u64_source *self, struct diagnostics *diagnostics)
{
    const struct u64_file *file = &self->file;
    struct wtr_warp_digest warp = {.records = file->count, .lane_hash = XXH3_128bits(NULL, 0)};
    uint64_t *addresses = calloc(BATCH, sizeof *addresses);
    struct warp_access *records = calloc(BATCH, sizeof *records);
    XXH3_state_t *hash = XXH3_createState();
    enum status status = addresses && records && hash ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        XXH3_128bits_reset(hash);
    for (uint64_t first = 0; first < file->count && !status; first += BATCH) {
        size_t count = file->count - first < BATCH ? (size_t)(file->count - first) : BATCH;
        status = u64_read(file, first, addresses, count, diagnostics);
        for (size_t i = 0; i < count && !status; i++)
            records[i] = make_record(addresses[i]);
        if (!status)
            XXH3_128bits_update(hash, records, count * sizeof *records);
    }
    if (!status) {
        struct wtr_bytes launches = {0};
        uint8_t digest[16];
        warp.record_hash = XXH3_128bits_digest(hash);
        status = wtr_put_launch(&launches, &self->base.launches[0]);
        if (!status)
            wtr_digest_stream(launches.items, launches.count, wtr_digest_warp(&warp), digest);
        if (!status)
            snprintf(self->base.digest, sizeof self->base.digest, "%016" PRIx64 "%016" PRIx64,
                     wtr_get64(digest), wtr_get64(digest + 8));
        free(launches.items);
    }
    XXH3_freeState(hash);
    free(addresses);
    free(records);
    return status;
}

enum status u64_source(struct u64_file *file, const char *name, struct trace_source **result,
                       struct diagnostics *diagnostics)
{
    struct u64_source *self = calloc(1, sizeof *self);
    if (!self) {
        u64_close(file);
        return STATUS_MEMORY;
    }
    self->file = *file;
    self->base = (struct trace_source){.ops = &operations,
                                       .name = strdup(name),
                                       .launches = calloc(1, sizeof *self->base.launches),
                                       .launch_count = 1};
    enum status status = STATUS_MEMORY;
    if (asprintf(&self->base.provenance, "u64: %s", file->path) < 0)
        self->base.provenance = NULL;
    if (self->base.launches)
        self->base.launches[0] = (struct trace_launch){
            .name = strdup("u64"), .grid = {1, 1, 1}, .block = {WARP_SIZE, 1, 1}};
    if (self->base.name && self->base.provenance && self->base.launches &&
        self->base.launches[0].name)
        status = make_digest(self, diagnostics);
    if (status) {
        trace_source_free(&self->base);
        return status;
    }
    *result = &self->base;
    return STATUS_OK;
}
