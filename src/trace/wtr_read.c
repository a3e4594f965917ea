/* Reads .wtr files (wtr_open of wtr.h): the index once, then the warps of any block through
 * windows.
 *
 * Opening checks the index against the file and the limits of wtr.h, so reading a block needs only
 * a binary search for its first chunk and one in the chunk for each warp. A block that is open
 * holds a position per warp, and the chunks that the positions are in. */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/bits.h"
#include "trace/wtr_code.h"
#include "trace/wtr_digest.h"
#include "trace/wtr_issues.h"
#include "trace/wtr_source.h"

struct warp_position {
    struct shared_chunk *chunk; /* NULL before the first read and after the last */
    uint32_t span;              /* in the chunk */
    bool begun;
    uint32_t next, lane;              /* of records: the next record and lane in the chunk */
    struct wtr_issue_position issues; /* of instructions */
};

struct block_reader {
    struct wtr_source *source;
    uint64_t block;
    uint32_t launch, warps;
    struct warp_position positions[]; /* of the warps' records, then of their instructions */
};

static void wtr_close_block(struct block_reader *reader)
{
    if (!reader)
        return;
    for (uint32_t i = 0; i < 2 * reader->warps; i++)
        wtr_give_chunk(reader->source, reader->positions[i].chunk);
    free(reader);
}

static enum status wtr_open_block(const struct trace_source *source, uint32_t launch,
                                  uint64_t block, struct block_reader **reader,
                                  struct diagnostics *diagnostics)
{
    (void)diagnostics;
    assert(launch < source->launch_count && block < launch_blocks(&source->launches[launch]));
    uint32_t warps = launch_warps(&source->launches[launch]);
    struct block_reader *opened = calloc(1, sizeof *opened + 2 * warps * sizeof *opened->positions);
    if (!opened)
        return STATUS_MEMORY;
    /* A source must look constant to its users; only its cache of chunks changes, under a lock. */
    opened->source = (struct wtr_source *)(uintptr_t)source;
    opened->launch = launch;
    opened->block = block;
    opened->warps = warps;
    *reader = opened;
    return STATUS_OK;
}

static bool before(uint64_t block_a, uint32_t warp_a, uint64_t block_b, uint32_t warp_b)
{
    return block_a < block_b || (block_a == block_b && warp_a < warp_b);
}

/* The first chunk that does not end before a warp, if it covers the warp; otherwise UINT32_MAX. */
static uint32_t find_entry(const struct wtr_source *source, uint32_t launch, uint64_t block,
                           uint32_t warp)
{
    uint32_t low = source->launch_entries[launch], end = source->launch_entries[launch + 1];
    uint32_t high = end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct wtr_entry *entry = &source->entries[middle];
        if (before(entry->last_block, entry->last_warp, block, warp))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == end ||
        before(block, warp, source->entries[low].first_block, source->entries[low].first_warp))
        return UINT32_MAX;
    return low;
}

/* The span of a warp in a chunk; span_count if it has none. */
static uint32_t find_span(const struct wtr_chunk *chunk, uint64_t block, uint32_t warp)
{
    size_t low = 0, high = chunk->span_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (before(chunk->spans[middle].block, chunk->spans[middle].warp, block, warp))
            low = middle + 1;
        else
            high = middle;
    }
    if (low < chunk->span_count && chunk->spans[low].block == block &&
        chunk->spans[low].warp == warp)
        return (uint32_t)low;
    return (uint32_t)chunk->span_count;
}

/* Moves a position of a warp to its span in chunk `index`, or to its end if it has none there. */
static enum status enter_chunk(struct block_reader *reader, uint32_t warp, uint32_t index,
                               struct warp_position *position, struct diagnostics *diagnostics)
{
    struct shared_chunk *shared;
    enum status status = wtr_take_chunk(reader->source, index, &shared, diagnostics);
    if (status)
        return status;
    uint32_t number = find_span(&shared->chunk, reader->block, warp);
    if (number == shared->chunk.span_count) {
        wtr_give_chunk(reader->source, shared);
        return STATUS_OK;
    }
    const struct wtr_span *span = &shared->chunk.spans[number];
    position->chunk = shared;
    position->span = number;
    position->next = span->first;
    position->lane = span->lane;
    position->issues = (struct wtr_issue_position){.run = span->run, .bank = span->bank};
    return STATUS_OK;
}

/* Moves a position to the start of its warp, before the first read. */
static enum status enter_warp(struct block_reader *reader, uint32_t warp,
                              struct warp_position *position, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    if (position->begun)
        return STATUS_OK;
    uint32_t entry = find_entry(reader->source, reader->launch, reader->block, warp);
    if (entry != UINT32_MAX)
        status = enter_chunk(reader, warp, entry, position, diagnostics);
    position->begun = !status;
    return status;
}

/* Moves a position past the end of its span, to the next chunk if the warp continues there. */
static enum status leave_span(struct block_reader *reader, uint32_t warp,
                              struct warp_position *position, struct diagnostics *diagnostics)
{
    struct shared_chunk *old = position->chunk;
    uint32_t next = old->entry + 1;
    bool continues = old->chunk.spans[position->span].continues;
    position->chunk = NULL;
    wtr_give_chunk(reader->source, old);
    /* Checked on opening: the next chunk begins with this warp. */
    return continues ? enter_chunk(reader, warp, next, position, diagnostics) : STATUS_OK;
}

/* Fills in the addresses of the listed records of a window. */
static void copy_lanes(const struct wtr_chunk *chunk, struct warp_position *position,
                       struct access_window *window)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < window->count; i++) {
        struct warp_access *access = &window->items[i];
        if (!(access->flags & ACCESS_LISTED))
            continue;
        access->base = lanes;
        lanes += bits_count(access->mask);
    }
    if (lanes)
        memcpy(window->lanes, chunk->lanes + position->lane, lanes * sizeof *window->lanes);
    window->lane_count = lanes;
    position->lane += lanes;
}

static void copy_records(struct warp_position *position, struct access_window *window)
{
    const struct wtr_chunk *chunk = &position->chunk->chunk;
    const struct wtr_span *span = &chunk->spans[position->span];
    uint32_t count = span->first + span->count - position->next;
    if (count > window->capacity)
        count = window->capacity;
    memcpy(window->items, chunk->items + position->next, count * sizeof *window->items);
    window->count = count;
    window->offsets = chunk->lanes;
    if (!chunk->patterns)
        copy_lanes(chunk, position, window);
    position->next += count;
}

static enum status wtr_read(struct block_reader *reader, uint32_t warp,
                            struct access_window *window, struct diagnostics *diagnostics)
{
    assert(warp < reader->warps);
    struct warp_position *position = &reader->positions[warp];
    window->count = window->lane_count = window->tail = 0;
    window->end = false;
    enum status status = enter_warp(reader, warp, position, diagnostics);
    while (!status && position->chunk && !window->count) {
        copy_records(position, window);
        const struct wtr_span *span = &position->chunk->chunk.spans[position->span];
        if (position->next < span->first + span->count)
            return STATUS_OK;
        window->tail = span->tail;
        status = leave_span(reader, warp, position, diagnostics);
    }
    window->end = !position->chunk;
    return status;
}

static enum status wtr_read_instructions(struct block_reader *reader, uint32_t warp,
                                         struct instruction_window *window,
                                         struct diagnostics *diagnostics)
{
    assert(warp < reader->warps);
    struct warp_position *position = &reader->positions[reader->warps + warp];
    window->count = 0;
    window->end = false;
    enum status status = enter_warp(reader, warp, position, diagnostics);
    while (!status && position->chunk && !window->count) {
        const struct wtr_chunk *chunk = &position->chunk->chunk;
        if (wtr_copy_issues(chunk, &chunk->spans[position->span], &position->issues, window))
            return STATUS_OK;
        status = leave_span(reader, warp, position, diagnostics);
    }
    window->end = !position->chunk;
    return status;
}

static void wtr_free(struct trace_source *source)
{
    struct wtr_source *wtr = (struct wtr_source *)source;
    wtr_free_chunks(wtr);
    wtr_free_codes(source);
    trace_source_clear(source);
    free(wtr->entries);
    free(wtr->launch_entries);
    free(wtr->path);
    if (wtr->fd >= 0)
        close(wtr->fd);
    pthread_mutex_destroy(&wtr->lock);
    free(wtr);
}

static const struct trace_source_ops wtr_ops = {.open_block = wtr_open_block,
                                                .read = wtr_read,
                                                .close_block = wtr_close_block,
                                                .free = wtr_free};

static const struct trace_source_ops wtr_timed_ops = {.open_block = wtr_open_block,
                                                      .read = wtr_read,
                                                      .read_instructions = wtr_read_instructions,
                                                      .close_block = wtr_close_block,
                                                      .free = wtr_free};

struct index_bytes {
    const uint8_t *at;
    size_t left;
    uint64_t offset; /* in the file, of `at` */
};

static bool take_u32s(struct index_bytes *index, uint32_t *values, size_t count)
{
    if (index->left < 4 * count)
        return false;
    for (size_t i = 0; i < count; i++)
        values[i] = wtr_get32(index->at + 4 * i);
    index->at += 4 * count;
    index->left -= 4 * count;
    index->offset += 4 * count;
    return true;
}

static enum status read_launches(struct wtr_source *wtr, struct index_bytes *index,
                                 struct diagnostics *diagnostics)
{
    uint64_t blocks = 0;
    for (uint32_t i = 0; i < wtr->source.launch_count; i++) {
        struct trace_launch *launch = &wtr->source.launches[i];
        uint32_t f[WTR_LAUNCH_BYTES / 4];
        if (!take_u32s(index, f, WTR_LAUNCH_BYTES / 4) || f[9] > index->left || f[9] > WTR_NAME_MAX)
            return wtr_corrupt(wtr, index->offset, diagnostics, "launch %u is cut short", i + 1);
        *launch = (struct trace_launch){.grid = {f[0], f[1], f[2]},
                                        .block = {f[3], f[4], f[5]},
                                        .registers = f[6],
                                        .shared_bytes = f[7],
                                        .arch = f[8]};
        if (!wtr_launch_fits(launch) || (blocks += launch_blocks(launch)) > WTR_BLOCKS_MAX)
            return wtr_corrupt(wtr, index->offset, diagnostics,
                               "launch %u has no or too many blocks or threads", i + 1);
        launch->name = strndup((const char *)index->at, f[9]);
        if (!launch->name)
            return STATUS_MEMORY;
        index->at += f[9];
        index->left -= f[9];
        index->offset += f[9];
    }
    return STATUS_OK;
}

static struct wtr_entry get_entry(const uint8_t *at)
{
    return (struct wtr_entry){.offset = wtr_get64(at),
                              .first_block = wtr_get64(at + 8),
                              .last_block = wtr_get64(at + 16),
                              .launch = wtr_get32(at + 24),
                              .first_warp = wtr_get32(at + 28),
                              .last_warp = wtr_get32(at + 32),
                              .stored = wtr_get32(at + 36),
                              .records = wtr_get32(at + 40),
                              .spans = wtr_get32(at + 44),
                              .continues = wtr_get32(at + 48)};
}

static bool entry_valid(const struct wtr_source *wtr, const struct wtr_entry *entry,
                        uint64_t index_offset)
{
    if (entry->launch >= wtr->source.launch_count || !entry->spans ||
        entry->spans > WTR_SPANS_MAX || entry->records > WTR_RECORDS_MAX)
        return false;
    const struct trace_launch *launch = &wtr->source.launches[entry->launch];
    uint32_t warps = launch_warps(launch);
    return entry->offset >= WTR_HEADER_BYTES && entry->offset <= index_offset &&
           (uint64_t)entry->stored + WTR_CHUNK_HEADER_BYTES <= index_offset - entry->offset &&
           entry->last_block < launch_blocks(launch) && entry->first_warp < warps &&
           entry->last_warp < warps &&
           !before(entry->last_block, entry->last_warp, entry->first_block, entry->first_warp);
}

static enum status read_entries(struct wtr_source *wtr, const struct index_bytes *index,
                                uint64_t index_offset, struct diagnostics *diagnostics)
{
    uint32_t launch = 0;
    for (uint32_t i = 0; i < wtr->entry_count; i++) {
        struct wtr_entry *entry = &wtr->entries[i];
        *entry = get_entry(index->at + (size_t)i * WTR_ENTRY_BYTES);
        bool last = i + 1 == wtr->entry_count;
        if (!entry_valid(wtr, entry, index_offset) || (last && entry->continues) ||
            (i && !wtr_entry_follows(entry - 1, entry)))
            return wtr_corrupt(wtr, index->offset + (uint64_t)i * WTR_ENTRY_BYTES, diagnostics,
                               "the index describes an impossible chunk");
        while (launch <= entry->launch)
            wtr->launch_entries[launch++] = i;
    }
    while (launch <= wtr->source.launch_count)
        wtr->launch_entries[launch++] = wtr->entry_count;
    return STATUS_OK;
}

static void print_digest(const uint8_t *digest, char text[33])
{
    snprintf(text, 33, "%016" PRIx64 "%016" PRIx64, wtr_get64(digest), wtr_get64(digest + 8));
}

/* Reads what follows the chunks in the index: the codes and the digest of the instructions. */
static enum status read_codes(struct wtr_source *wtr, const struct index_bytes *index,
                              struct diagnostics *diagnostics)
{
    size_t wrong = 0;
    enum status status = STATUS_CORRUPT;
    if (index->left >= WTR_DIGEST_BYTES) {
        const size_t size = index->left - WTR_DIGEST_BYTES;
        status = wtr_get_codes(index->at, size, &wtr->source, &wrong);
        print_digest(index->at + size, wtr->source.code_digest);
        wtr->source.ops = &wtr_timed_ops;
    }
    return status == STATUS_CORRUPT ? wtr_corrupt(wtr, index->offset + wrong, diagnostics,
                                                  "the index lists impossible instructions")
                                    : status;
}

/* Takes the numbers of the launches from the end of the index. */
static bool take_numbers(struct wtr_source *wtr, struct index_bytes *index)
{
    const size_t size = 4 * (size_t)wtr->source.launch_count;
    if (index->left < size)
        return false;
    index->left -= size;
    for (uint32_t i = 0; i < wtr->source.launch_count; i++)
        wtr->source.launches[i].number = wtr_get32(index->at + index->left + 4 * (size_t)i);
    return true;
}

/* Everything allocated here is bounded by the size of the index, and so by the size of the file. */
static enum status parse_index(struct wtr_source *wtr, const uint8_t *header, const uint8_t *bytes,
                               uint64_t size, uint64_t offset, struct diagnostics *diagnostics)
{
    const bool timed = wtr_get32(header + 8) == WTR_VERSION_TIMED;
    struct index_bytes index = {bytes, size, offset};
    uint32_t counts[2];
    if (!take_u32s(&index, counts, 2) || counts[0] > index.left / WTR_LAUNCH_BYTES ||
        counts[1] > index.left / WTR_ENTRY_BYTES)
        return wtr_corrupt(wtr, offset, diagnostics, "the index is shorter than it says");
    wtr->entry_count = counts[1];
    wtr->source.launches = calloc((size_t)counts[0] + 1, sizeof *wtr->source.launches);
    wtr->launch_entries = calloc((size_t)counts[0] + 1, sizeof *wtr->launch_entries);
    wtr->entries = calloc((size_t)counts[1] + 1, sizeof *wtr->entries);
    if (!wtr->source.launches || !wtr->launch_entries || !wtr->entries)
        return STATUS_MEMORY;
    wtr->source.launch_count = counts[0];
    enum status status = read_launches(wtr, &index, diagnostics);
    if (status)
        return status;
    const size_t entries = (size_t)wtr->entry_count * WTR_ENTRY_BYTES;
    if ((wtr_get32(header + 12) & WTR_NUMBERED && !take_numbers(wtr, &index)) ||
        (timed ? index.left < entries : index.left != entries))
        return wtr_corrupt(wtr, index.offset, diagnostics, "the index has the wrong length");
    status = read_entries(wtr, &index, offset, diagnostics);
    index = (struct index_bytes){index.at + entries, index.left - entries, index.offset + entries};
    return status || !timed ? status : read_codes(wtr, &index, diagnostics);
}

static enum status read_index(struct wtr_source *wtr, struct diagnostics *diagnostics)
{
    uint8_t header[WTR_HEADER_BYTES], trailer[WTR_TRAILER_BYTES];
    if (wtr->size < WTR_HEADER_BYTES + WTR_TRAILER_BYTES)
        return wtr_corrupt(wtr, wtr->size, diagnostics, "the file is too short to be a .wtr trace");
    enum status status = wtr_read_at(wtr, 0, header, sizeof header, diagnostics);
    uint64_t trailer_offset = wtr->size - WTR_TRAILER_BYTES;
    if (!status)
        status = wtr_read_at(wtr, trailer_offset, trailer, sizeof trailer, diagnostics);
    if (status)
        return status;
    if (memcmp(header, WTR_HEADER_MAGIC, 8))
        return wtr_corrupt(wtr, 0, diagnostics, "this is no .wtr trace");
    const uint32_t version = wtr_get32(header + 8);
    if ((version != WTR_VERSION && version != WTR_VERSION_TIMED) ||
        wtr_get32(header + 12) & ~(uint32_t)WTR_NUMBERED) {
        wtr_corrupt(wtr, 8, diagnostics,
                    "version %u of the format; this program reads versions %d and %d", version,
                    WTR_VERSION, WTR_VERSION_TIMED);
        return STATUS_UNSUPPORTED;
    }
    if (memcmp(trailer + 56, WTR_TRAILER_MAGIC, 8) ||
        wtr_get64(trailer + 48) != XXH64(trailer, 48, 0))
        return wtr_corrupt(wtr, trailer_offset, diagnostics,
                           "the end of the file is damaged or missing");
    uint64_t offset = wtr_get64(trailer), size = wtr_get64(trailer + 8);
    if (offset < WTR_HEADER_BYTES || offset > trailer_offset || size != trailer_offset - offset)
        return wtr_corrupt(wtr, trailer_offset, diagnostics, "the index is not where it should be");
    uint8_t *bytes = malloc(size + 1);
    if (!bytes)
        return STATUS_MEMORY;
    status = wtr_read_at(wtr, offset, bytes, size, diagnostics);
    if (!status && wtr_get64(trailer + 16) != XXH64(bytes, size, 0))
        status = wtr_corrupt(wtr, offset, diagnostics, "the index's checksum is wrong");
    if (!status)
        status = parse_index(wtr, header, bytes, size, offset, diagnostics);
    free(bytes);
    print_digest(trailer + 24, wtr->source.digest);
    return status;
}

enum status wtr_open(int fd, const char *path, const char *name, const char *provenance,
                     struct trace_source **source, struct diagnostics *diagnostics)
{
    struct wtr_source *wtr = calloc(1, sizeof *wtr);
    if (!wtr) {
        close(fd);
        return STATUS_MEMORY;
    }
    wtr->source.ops = &wtr_ops;
    wtr->fd = fd;
    pthread_mutex_init(&wtr->lock, NULL);
    wtr->path = strdup(path);
    wtr->source.name = strdup(name);
    wtr->source.provenance = strdup(provenance);
    enum status status = STATUS_MEMORY;
    struct stat info;
    if (!wtr->path || !wtr->source.name || !wtr->source.provenance)
        goto cleanup;
    if (fstat(fd, &info) || info.st_size < 0) {
        status = diagnostics_error(diagnostics, STATUS_IO, "%s: %s", path, strerror(errno));
        goto cleanup;
    }
    wtr->size = (uint64_t)info.st_size;
    if ((status = read_index(wtr, diagnostics)))
        goto cleanup;
    *source = &wtr->source;
    return STATUS_OK;
cleanup:
    wtr_free(&wtr->source);
    return status;
}
