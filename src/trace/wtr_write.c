#include "trace/wtr_write.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "trace/launch_choice.h"
#include "trace/wtr.h"
#include "trace/wtr_append.h"
#include "trace/wtr_code.h"
#include "trace/wtr_digest.h"
#include "trace/wtr_index.h"
#include "trace/wtr_pack.h"

/* A chunk ends with the block in which it reaches this many records: small enough that reading one
 * block decodes little else, large enough to compress well. */
enum { CHUNK_RECORDS = 1 << 14, CHUNK_RUNS = 1 << 15 };

#define NO_INDEX "no memory for the index"

struct wtr_writer {
    int fd;
    char *path;
    struct diagnostics *diagnostics;
    enum status status;
    uint64_t offset; /* end of the file so far */
    struct wtr_chunk chunk;
    size_t room;           /* in the chunk there is that for so many more instructions at least */
    struct wtr_kept *kept; /* NULL: every chunk goes to the file */
    struct wtr_bytes raw, packed;
    struct wtr_index index;
    uint32_t launch_warps; /* of the open launch */
    uint64_t launch_blocks, blocks_total;
    bool in_block, in_warp;
    uint64_t block;
    struct wtr_extent block_begin; /* of the chunk when the block began */
    size_t block_entries;          /* chunks written before the block */
    uint64_t block_offset;         /* end of the file when the block began */
    uint64_t warp_count;
    size_t hashed, lanes_hashed; /* how much of the chunk is in the warp's hashes already */
    XXH3_state_t *hash, *lane_hash;
    /* The digest adds up one hash per warp, so it depends neither on the order in which blocks
     * arrive nor on where chunks end. */
    uint128 sum, block_sum;
    /* Only if the instructions of some launch are known: */
    bool coded; /* those of the open launch are */
    uint32_t kernel;
    struct wtr_codes codes;
    struct launch_choice *choice;
    uint32_t asked;                       /* launches that wtr_wants was asked about */
    struct wtr_issues_digest issues;      /* of the open warp */
    uint128 issues_sum, issues_block_sum; /* as those of the records */
};

static enum status writer_fail(struct wtr_writer *writer, enum status status, const char *text)
{
    if (writer->status)
        return writer->status;
    writer->status = status;
    struct place place = {.file = writer->path, .offset = writer->offset, .has_offset = true};
    diagnostics_add(writer->diagnostics, SEVERITY_ERROR, &place, "%s", text);
    return status;
}

static enum status writer_output(struct wtr_writer *writer, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size && !writer->status) {
        ssize_t written = pwrite(writer->fd, at, size, (off_t)writer->offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return writer_fail(writer, STATUS_IO, strerror(written ? errno : EIO));
        at += written;
        size -= (size_t)written;
        writer->offset += (uint64_t)written;
    }
    return writer->status;
}

/* Writes the header at the start of the file, and leaves the end of the file where it is unless the
 * file is empty. */
static enum status write_header(struct wtr_writer *writer)
{
    uint8_t header[WTR_HEADER_BYTES] = {0};
    const uint64_t end = writer->offset > sizeof header ? writer->offset : sizeof header;
    memcpy(header, WTR_HEADER_MAGIC, 8);
    wtr_put32(header + 8, writer->codes.count ? WTR_VERSION_TIMED : WTR_VERSION);
    wtr_put32(header + 12, writer->index.numbered ? WTR_NUMBERED : 0);
    writer->offset = 0;
    (void)writer_output(writer, header, sizeof header); /* writer->status knows */
    writer->offset = end;
    return writer->status;
}

enum status wtr_writer_create(int fd, const char *path, struct wtr_writer **result,
                              struct diagnostics *diagnostics)
{
    struct wtr_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return STATUS_MEMORY;
    *writer = (struct wtr_writer){.fd = fd,
                                  .path = strdup(path),
                                  .diagnostics = diagnostics,
                                  .hash = XXH3_createState(),
                                  .lane_hash = XXH3_createState(),
                                  .issues.hash = XXH3_createState()};
    enum status status = STATUS_MEMORY;
    struct wtr_chunk *chunk = &writer->chunk;
    if (!writer->path || !writer->hash || !writer->lane_hash || !writer->issues.hash ||
        array_reserve(&chunk->items, &chunk->capacity, WTR_RECORDS_MAX) ||
        array_reserve(&chunk->lanes, &chunk->lane_capacity, WTR_LANES_MAX) ||
        array_reserve(&chunk->spans, &chunk->span_capacity, WTR_SPANS_MAX))
        goto cleanup;
    if ((status = write_header(writer)))
        goto cleanup;
    *result = writer;
    return STATUS_OK;
cleanup:
    wtr_writer_free(writer);
    return status;
}

void wtr_writer_keep(struct wtr_writer *writer, struct wtr_kept *kept)
{
    writer->kept = kept;
}

void wtr_writer_choose(struct wtr_writer *writer, struct launch_choice *choice)
{
    writer->choice = choice;
}

bool wtr_wants(struct wtr_writer *writer, struct trace_launch *launch)
{
    const uint32_t place = writer->asked++;
    if (!writer->choice)
        return true;
    launch->number = (uint32_t)launch_number(launch, place) + 1;
    return launch_choice_wants(writer->choice, launch, place);
}

void wtr_writer_free(struct wtr_writer *writer)
{
    if (!writer)
        return;
    XXH3_freeState(writer->hash);
    XXH3_freeState(writer->lane_hash);
    XXH3_freeState(writer->issues.hash);
    wtr_codes_free(&writer->codes);
    wtr_chunk_free(&writer->chunk);
    free(writer->raw.items);
    free(writer->packed.items);
    wtr_index_free(&writer->index);
    free(writer->path);
    free(writer);
}

static enum status write_chunk(struct wtr_writer *writer, const struct wtr_chunk *chunk)
{
    size_t stored = 0;
    if (writer->status || !chunk->span_count)
        return writer->status;
    const bool kept = writer->kept && wtr_keep(writer->kept, chunk, writer->coded, writer->offset);
    enum status status =
        kept ? wtr_pack_header(chunk, &writer->packed)
             : wtr_pack(chunk, writer->coded, &writer->raw, &writer->packed, &stored);
    const struct wtr_span *first = &chunk->spans[0], *last = &chunk->spans[chunk->span_count - 1];
    const struct wtr_entry entry = {
        .offset = writer->offset,
        .first_block = first->block,
        .last_block = last->block,
        .launch = writer->index.launch_count - 1,
        .first_warp = first->warp,
        .last_warp = last->warp,
        .stored = (uint32_t)stored,
        .records = (uint32_t)chunk->count,
        .spans = (uint32_t)chunk->span_count,
        .continues = last->continues,
    };
    if (!status)
        status = wtr_index_add_chunk(&writer->index, &entry);
    if (status)
        return writer_fail(writer, status, "no memory to write a chunk");
    return writer_output(writer, writer->packed.items, WTR_CHUNK_HEADER_BYTES + stored);
}

static enum status flush_all(struct wtr_writer *writer)
{
    enum status status = write_chunk(writer, &writer->chunk);
    wtr_cut(&writer->chunk, (struct wtr_extent){0});
    writer->hashed = writer->lanes_hashed = 0;
    return status;
}

/* Writes the blocks before the open one, so that a chunk that holds part of a block holds nothing
 * else. wtr_drop_block relies on that. */
static enum status flush_before_block(struct wtr_writer *writer)
{
    struct wtr_chunk before = writer->chunk;
    const struct wtr_extent begin = writer->block_begin;
    if (!begin.spans)
        return writer->status;
    wtr_cut(&before, begin);
    if (write_chunk(writer, &before))
        return writer->status;
    wtr_remove_before(&writer->chunk, begin, writer->coded);
    writer->hashed -= begin.records;
    writer->lanes_hashed -= begin.lanes;
    writer->block_begin = (struct wtr_extent){0};
    writer->block_entries = writer->index.entry_count;
    writer->block_offset = writer->offset;
    return STATUS_OK;
}

enum status wtr_begin_launch(struct wtr_writer *writer, const struct trace_launch *launch)
{
    assert(writer->status || !writer->in_block);
    if (writer->status || flush_all(writer))
        return writer->status;
    writer->blocks_total += launch_blocks(launch);
    if (!wtr_launch_fits(launch) || writer->blocks_total > WTR_BLOCKS_MAX)
        return writer_fail(writer, STATUS_UNSUPPORTED, "the launch has too many blocks or threads");
    if (wtr_index_add_launch(&writer->index, launch))
        return writer_fail(writer, STATUS_MEMORY, NO_INDEX);
    writer->launch_blocks = launch_blocks(launch);
    writer->launch_warps = launch_warps(launch);
    writer->coded = false;
    if (writer->choice &&
        writer->asked < writer->index.launch_count) /* of importers of one launch */
        launch_choice_wants(writer->choice, launch, writer->asked++);
    return STATUS_OK;
}

enum status wtr_begin_code(struct wtr_writer *writer, const struct trace_launch *launch)
{
    if (writer->status)
        return writer->status;
    struct wtr_chunk *chunk = &writer->chunk;
    assert(writer->index.launch_count && !chunk->span_count);
    if (array_reserve(&chunk->runs, &chunk->run_capacity, WTR_RUNS_MAX) ||
        array_reserve(&chunk->places, &chunk->place_capacity, WTR_RECORDS_MAX) ||
        array_reserve(&chunk->distances, &chunk->distance_capacity, WTR_RECORDS_MAX) ||
        array_reserve(&chunk->banks, &chunk->bank_capacity, WTR_BANKS_MAX) ||
        wtr_codes_kernel(&writer->codes, launch, &writer->kernel))
        return writer_fail(writer, STATUS_MEMORY, "no memory for the instructions");
    writer->index.codes[writer->index.launch_count - 1] = writer->kernel + 1;
    writer->coded = true;
    return STATUS_OK;
}

enum status wtr_code_row(struct wtr_writer *writer, const struct instruction *instruction,
                         uint32_t *row)
{
    assert(writer->status || writer->coded);
    if (writer->status)
        return writer->status;
    enum status status = wtr_codes_row(&writer->codes, writer->kernel, instruction, row);
    if (status == STATUS_CORRUPT)
        return writer_fail(writer, status, "a kernel has more than 2^20 different instructions");
    return status ? writer_fail(writer, status, "no memory for the instructions") : STATUS_OK;
}

enum status wtr_begin_block(struct wtr_writer *writer, uint64_t block)
{
    assert(writer->status || (writer->index.launch_count && !writer->in_block));
    if (writer->status)
        return writer->status;
    if (block >= writer->launch_blocks)
        return writer_fail(writer, STATUS_INVALID, "a block is outside the grid");
    const struct wtr_chunk *chunk = &writer->chunk;
    /* A chunk must ascend by block, so a block that comes out of order starts a new chunk. */
    bool ordered = !chunk->span_count || chunk->spans[chunk->span_count - 1].block < block;
    bool long_enough = chunk->count >= CHUNK_RECORDS || chunk->run_count >= CHUNK_RUNS;
    if ((long_enough || !ordered) && flush_all(writer))
        return writer->status;
    writer->in_block = true;
    writer->block = block;
    writer->block_begin = wtr_extent_of(chunk);
    writer->block_entries = writer->index.entry_count;
    writer->block_offset = writer->offset;
    writer->block_sum = writer->issues_block_sum = 0;
    return STATUS_OK;
}

static void push_span(struct wtr_writer *writer, uint32_t warp)
{
    struct wtr_chunk *chunk = &writer->chunk;
    assert(chunk->spans && chunk->span_count < WTR_SPANS_MAX);
    chunk->spans[chunk->span_count++] = (struct wtr_span){.block = writer->block,
                                                          .warp = warp,
                                                          .first = (uint32_t)chunk->count,
                                                          .lane = (uint32_t)chunk->lane_count,
                                                          .run = (uint32_t)chunk->run_count,
                                                          .bank = (uint32_t)chunk->bank_count};
}

enum status wtr_begin_warp(struct wtr_writer *writer, uint32_t warp)
{
    assert(writer->status || (writer->in_block && !writer->in_warp));
    if (writer->status)
        return writer->status;
    struct wtr_chunk *chunk = &writer->chunk;
    /* A block has fewer warps than a chunk has spans, so this makes room. */
    if (chunk->span_count == WTR_SPANS_MAX && flush_before_block(writer))
        return writer->status;
    const struct wtr_span *last = chunk->span_count ? &chunk->spans[chunk->span_count - 1] : NULL;
    if (warp >= writer->launch_warps ||
        (last && last->block == writer->block && last->warp >= warp))
        return writer_fail(writer, STATUS_INVALID, "a warp is out of order or outside its block");
    push_span(writer, warp);
    writer->in_warp = true;
    writer->warp_count = 0;
    writer->hashed = chunk->count;
    writer->lanes_hashed = chunk->lane_count;
    XXH3_128bits_reset(writer->hash);
    XXH3_128bits_reset(writer->lane_hash);
    if (writer->coded)
        wtr_digest_begin(&writer->issues);
    return STATUS_OK;
}

static void hash_pending(struct wtr_writer *writer)
{
    const struct wtr_chunk *chunk = &writer->chunk;
    XXH3_128bits_update(writer->hash, chunk->items + writer->hashed,
                        (chunk->count - writer->hashed) * sizeof *chunk->items);
    XXH3_128bits_update(writer->lane_hash, chunk->lanes + writer->lanes_hashed,
                        (chunk->lane_count - writer->lanes_hashed) * sizeof *chunk->lanes);
    writer->warp_count += chunk->count - writer->hashed;
    writer->hashed = chunk->count;
    writer->lanes_hashed = chunk->lane_count;
}

/* The chunk is full in the middle of a warp: the rest of the warp goes to the next chunk. */
static enum status split_warp(struct wtr_writer *writer)
{
    hash_pending(writer);
    struct wtr_chunk *chunk = &writer->chunk;
    if (flush_before_block(writer))
        return writer->status;
    if (wtr_half_empty(chunk))
        return STATUS_OK; /* flush_before_block has made enough room */
    struct wtr_span *span = &chunk->spans[chunk->span_count - 1];
    uint32_t warp = span->warp;
    span->count = (uint32_t)chunk->count - span->first;
    span->continues = true;
    if (writer->coded)
        wtr_digest_span(&writer->issues, chunk);
    if (!flush_all(writer))
        push_span(writer, warp);
    return writer->status;
}

/* Makes room for another instruction and its record. */
static enum status wtr_make_room(struct wtr_writer *writer)
{
    if (writer->status)
        return writer->status;
    if (!writer->room) {
        if (!wtr_room(&writer->chunk) && split_warp(writer))
            return writer->status;
        writer->room = wtr_room(&writer->chunk);
    }
    writer->room--;
    return STATUS_OK;
}

enum status wtr_put(struct wtr_writer *writer, const struct warp_access *access,
                    const uint64_t *lanes)
{
    assert(writer->status || (writer->in_warp && !writer->coded));
    if (wtr_make_room(writer))
        return writer->status;
    wtr_append_record(&writer->chunk, access, lanes);
    return STATUS_OK;
}

enum status wtr_put_instruction(struct wtr_writer *writer, uint32_t row, uint32_t mask,
                                uint8_t banks)
{
    assert(writer->status || (writer->in_warp && writer->coded));
    if (wtr_make_room(writer))
        return writer->status;
    wtr_append_instruction(&writer->chunk, row, mask, banks);
    return STATUS_OK;
}

/* Adds the instruction of the record that is added next. */
static enum status put_accessing(struct wtr_writer *writer, uint32_t row, uint32_t mask)
{
    struct wtr_chunk *chunk = &writer->chunk;
    assert(writer->status || (writer->in_warp && writer->coded));
    if (wtr_make_room(writer))
        return writer->status;
    chunk->places[chunk->count] = wtr_append_instruction(chunk, row, mask, 0);
    chunk->distances[chunk->count] = 0;
    return STATUS_OK;
}

enum status wtr_put_issued(struct wtr_writer *writer, uint32_t row,
                           const struct warp_access *access, const uint64_t *lanes)
{
    if (put_accessing(writer, row, access->mask))
        return writer->status;
    wtr_append_record(&writer->chunk, access, lanes);
    return STATUS_OK;
}

enum status wtr_put_listed(struct wtr_writer *writer, uint32_t row,
                           const struct warp_access *access, const uint64_t *lanes)
{
    if (put_accessing(writer, row, access->mask))
        return writer->status;
    wtr_append_listed(&writer->chunk, access, lanes);
    return STATUS_OK;
}

enum status wtr_put_follows(struct wtr_writer *writer, uint32_t row,
                            const struct warp_access *access, uint64_t first,
                            const uint64_t *offsets, uint32_t distance)
{
    if (put_accessing(writer, row, access->mask))
        return writer->status;
    wtr_append_follows(&writer->chunk, access, first, offsets, distance);
    return STATUS_OK;
}

enum status wtr_status(const struct wtr_writer *writer)
{
    return writer->status;
}

bool wtr_has_records(const struct wtr_writer *writer)
{
    return writer->index.entry_count || writer->chunk.count;
}

enum status wtr_end_warp(struct wtr_writer *writer, uint32_t tail)
{
    if (writer->status)
        return writer->status;
    assert(writer->in_warp);
    hash_pending(writer);
    writer->in_warp = false;
    struct wtr_chunk *chunk = &writer->chunk;
    struct wtr_span *span = &chunk->spans[chunk->span_count - 1];
    span->count = (uint32_t)chunk->count - span->first;
    span->tail = tail;
    if (writer->coded)
        wtr_digest_span(&writer->issues, chunk);
    const bool issued = writer->coded && writer->issues.issued;
    if (!writer->warp_count && !tail && !issued) {
        chunk->span_count--; /* a warp without records and instructions is the same as an absent
                              * one */
        return STATUS_OK;
    }
    const struct wtr_warp_digest warp = {.launch = writer->index.launch_count - 1,
                                         .block = writer->block,
                                         .warp = span->warp,
                                         .records = writer->warp_count,
                                         .tail = tail,
                                         .record_hash = XXH3_128bits_digest(writer->hash),
                                         .lane_hash = XXH3_128bits_digest(writer->lane_hash)};
    writer->block_sum += wtr_digest_warp(&warp);
    if (issued) {
        const struct wtr_warp_digest instructions = {.launch = warp.launch,
                                                     .block = warp.block,
                                                     .warp = warp.warp,
                                                     .records = writer->issues.issued,
                                                     .record_hash =
                                                         wtr_digest_end(&writer->issues)};
        writer->issues_block_sum += wtr_digest_warp(&instructions);
    }
    return STATUS_OK;
}

enum status wtr_end_block(struct wtr_writer *writer)
{
    if (writer->status)
        return writer->status;
    assert(writer->in_block && !writer->in_warp);
    writer->in_block = false;
    writer->sum += writer->block_sum;
    writer->issues_sum += writer->issues_block_sum;
    return STATUS_OK;
}

enum status wtr_drop_block(struct wtr_writer *writer)
{
    if (writer->status || !writer->in_block)
        return writer->status;
    writer->in_block = writer->in_warp = false;
    if (writer->index.entry_count == writer->block_entries) {
        wtr_cut(&writer->chunk, writer->block_begin);
        return STATUS_OK;
    }
    /* Chunks that hold part of a block hold nothing else (flush_before_block). */
    wtr_cut(&writer->chunk, (struct wtr_extent){0});
    writer->index.entry_count = writer->block_entries;
    writer->offset = writer->block_offset;
    if (writer->kept)
        wtr_kept_drop(writer->kept, writer->offset);
    return STATUS_OK;
}

enum status wtr_finish(struct wtr_writer *writer)
{
    assert(writer->status || !writer->in_block);
    if (writer->status || flush_all(writer))
        return writer->status;
    uint8_t trailer[WTR_TRAILER_BYTES] = {0};
    const struct wtr_bytes *index = &writer->packed;
    enum status status = wtr_index_order(&writer->index);
    if (status)
        return writer_fail(writer, status, "a block comes twice");
    const struct wtr_sums sums = {writer->sum, writer->issues_sum};
    status = wtr_index_put(&writer->index, &writer->codes, &sums, &writer->packed, trailer + 24);
    if (status)
        return writer_fail(writer, status,
                           status == STATUS_MEMORY ? NO_INDEX
                                                   : "the trace has more than 2^32 chunks");
    /* The header tells which parts the index has. */
    if ((writer->codes.count || writer->index.numbered) && write_header(writer))
        return writer->status;
    wtr_put64(trailer, writer->offset);
    wtr_put64(trailer + 8, index->count);
    wtr_put64(trailer + 16, XXH64(index->items, index->count, 0));
    wtr_put64(trailer + 48, XXH64(trailer, 48, 0));
    memcpy(trailer + 56, WTR_TRAILER_MAGIC, 8);
    if (writer_output(writer, index->items, index->count) ||
        writer_output(writer, trailer, sizeof trailer))
        return writer->status;
    if (ftruncate(writer->fd, (off_t)writer->offset)) /* a dropped block may have extended the
                                                       * file further */
        return writer_fail(writer, STATUS_IO, strerror(errno));
    return STATUS_OK;
}
