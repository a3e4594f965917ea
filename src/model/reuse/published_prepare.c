/* Coalescing as in the published program: one request for each distinct line of a segment of lanes,
 * issued by the first lane that touches it (published.h). Linear in the records; a load whose lines
 * do not rise takes time quadratic in its lanes. */
#include <stdlib.h>

#include "base/bits.h"
#include "base/key_table.h"
#include "base/memory.h"
#include "model/reuse/published.h"

struct preparation {
    const struct trace_source *source;
    uint32_t launch;
    struct published_loads *loads;
    struct key_table table;
    unsigned line_bits, spaces;
    struct access_window window;
    struct diagnostics *diagnostics;
    size_t request_capacity;
    size_t first_capacity, owners_capacity, bytes_capacity, pc_capacity;
};

static enum status published_refuse(struct preparation *preparation, uint32_t warp, const char *why)
{
    const struct published_loads *loads = preparation->loads;
    return diagnostics_error(preparation->diagnostics, STATUS_INVALID,
                             "%s: launch %u, block %u, warp %u: %s; l1d.reuse.mode published "
                             "follows a program that is undefined there, textbook is not",
                             preparation->source->name, preparation->launch,
                             warp / loads->warps_per_block, warp % loads->warps_per_block, why);
}

/* The number of lanes that are coalesced together. */
static unsigned segment_lanes(unsigned bytes)
{
    return bytes == 8 ? 16 : bytes == 16 ? 8 : WARP_SIZE;
}

/* Appends the distinct lines of one segment to `requests`; returns the mask of lanes that issue
 * them. */
static uint32_t coalesce_segment(const uint64_t *lines, uint32_t mask, uint64_t *requests,
                                 unsigned *count)
{
    uint32_t owners = 0;
    unsigned begin = *count;
    uint64_t most = 0;
    for (unsigned i = 0; mask; mask &= mask - 1, i++) {
        uint64_t line = lines[i];
        unsigned at = *count;
        if (at > begin && requests[at - 1] == line)
            continue;
        if (at > begin && line <= most) { /* rising lines need no search */
            for (at = begin; at < *count && requests[at] != line; at++)
                ;
            if (at < *count)
                continue;
        }
        most = line > most ? line : most;
        requests[(*count)++] = line;
        owners |= mask & -mask;
    }
    return owners;
}

static enum status put_requests(struct preparation *preparation, const uint64_t *lines,
                                unsigned count)
{
    struct published_loads *loads = preparation->loads;
    if ((uint64_t)loads->requests + count >= UINT32_MAX)
        return diagnostics_error(preparation->diagnostics, STATUS_UNSUPPORTED,
                                 "%s: launch %u has more than 2^32 requests",
                                 preparation->source->name, preparation->launch);
    if (array_reserve(&loads->lines, &preparation->request_capacity, loads->requests + count))
        return STATUS_MEMORY;
    for (unsigned i = 0; i < count; i++) {
        uint32_t *id = &loads->lines[loads->requests++];
        enum status status = key_table_number(&preparation->table, lines[i], id);
        if (status)
            return status;
    }
    return STATUS_OK;
}

static enum status put_load(struct preparation *preparation, uint32_t warp,
                            const struct warp_access *access)
{
    struct published_loads *loads = preparation->loads;
    if (!loads->active[warp])
        loads->active[warp] = access->mask;
    else if (loads->active[warp] != access->mask)
        return published_refuse(preparation, warp, "its threads load differently often");
    uint32_t at = loads->instructions;
    if (array_reserve(&loads->first, &preparation->first_capacity, (size_t)at + 2) ||
        array_reserve(&loads->owners, &preparation->owners_capacity, (size_t)at + 1) ||
        array_reserve(&loads->bytes, &preparation->bytes_capacity, (size_t)at + 1) ||
        array_reserve(&loads->pcs, &preparation->pc_capacity, (size_t)at + 1))
        return STATUS_MEMORY;

    uint64_t lines[WARP_SIZE], requests[WARP_SIZE];
    unsigned lanes = access_addresses(access, &preparation->window, lines), count = 0;
    uint64_t inside = ((uint64_t)1 << preparation->line_bits) - 1;
    for (unsigned i = 0; i < lanes; i++) {
        if ((lines[i] & inside) + access->bytes > inside + 1)
            return published_refuse(preparation, warp, "an access lies in two lines");
        lines[i] >>= preparation->line_bits;
    }
    unsigned segment = segment_lanes(access->bytes), done = 0;
    uint32_t owners = 0;
    for (unsigned begin = 0; begin < WARP_SIZE; begin += segment) {
        uint32_t mask = access->mask & (uint32_t)((((uint64_t)1 << segment) - 1) << begin);
        owners |= coalesce_segment(lines + done, mask, requests, &count);
        done += (unsigned)__builtin_popcount(mask);
    }
    loads->owners[at] = owners;
    loads->bytes[at] = (uint8_t)access->bytes;
    loads->pcs[at] = access->pc;
    loads->thread_loads += lanes;
    enum status status = put_requests(preparation, requests, count);
    loads->first[at + 1] = loads->requests;
    loads->instructions++;
    return status;
}

static enum status read_warp(struct preparation *preparation, struct block_reader *reader,
                             uint32_t block, uint32_t warp)
{
    struct published_loads *loads = preparation->loads;
    struct access_window *window = &preparation->window;
    uint32_t index = block * loads->warps_per_block + warp;
    loads->warp_first[index] = loads->instructions;
    loads->active[index] = 0;
    window->end = false;
    while (!window->end) {
        enum status status =
            preparation->source->ops->read(reader, warp, window, preparation->diagnostics);
        for (uint32_t i = 0; i < window->count && !status; i++) {
            const struct warp_access *access = &window->items[i];
            if (feed_count(&loads->counts, preparation->spaces, access))
                status = put_load(preparation, index, access);
        }
        if (status)
            return status;
    }
    loads->counts.warp_instructions += window->tail;
    if (loads->instructions > loads->warp_first[index]) {
        loads->blocks = block + 1;
        loads->warps = index + 1;
    }
    return STATUS_OK;
}

static enum status read_blocks(struct preparation *preparation, uint32_t blocks)
{
    const struct trace_source *source = preparation->source;
    struct published_loads *loads = preparation->loads;
    enum status status = STATUS_OK;
    for (uint32_t block = 0; block < blocks && !status; block++) {
        struct block_reader *reader = NULL;
        status = source->ops->open_block(source, preparation->launch, block, &reader,
                                         preparation->diagnostics);
        for (uint32_t warp = 0; warp < loads->warps_per_block && !status; warp++)
            status = read_warp(preparation, reader, block, warp);
        source->ops->close_block(reader);
    }
    /* The program ignores warps after the last one that loads, but not empty warps before it. */
    loads->warp_first[loads->warps] = loads->instructions;
    return status;
}

/* Refuses launches that exceed the program's fixed array of threads. */
static enum status check_size(const struct preparation *preparation,
                              const struct trace_launch *launch)
{
    uint64_t blocks = launch_blocks(launch), threads = launch_threads(launch);
    if (blocks * threads <= PUBLISHED_THREADS)
        return STATUS_OK;
    return diagnostics_error(preparation->diagnostics, STATUS_UNSUPPORTED,
                             "%s: launch %u has more than %d threads, the most that "
                             "l1d.reuse.mode published knows; use textbook",
                             preparation->source->name, preparation->launch, PUBLISHED_THREADS);
}

enum status published_prepare(const struct trace_source *source, uint32_t launch, uint64_t line,
                              unsigned spaces, struct published_loads **result,
                              struct diagnostics *diagnostics)
{
    const struct trace_launch *shape = &source->launches[launch];
    struct preparation preparation = {.source = source,
                                      .launch = launch,
                                      .loads = calloc(1, sizeof(struct published_loads)),
                                      .line_bits = log2_floor(line),
                                      .spaces = spaces,
                                      .diagnostics = diagnostics};
    struct published_loads *loads = preparation.loads;
    enum status status = loads ? check_size(&preparation, shape) : STATUS_MEMORY;
    if (status)
        goto cleanup;
    loads->block_threads = launch_threads(shape);
    loads->warps_per_block = launch_warps(shape);
    size_t warps = launch_blocks(shape) * loads->warps_per_block;
    loads->warp_first = calloc(warps + 1, sizeof *loads->warp_first);
    loads->active = calloc(warps + 1, sizeof *loads->active);
    status = STATUS_MEMORY;
    if (!loads->warp_first || !loads->active ||
        array_reserve(&loads->first, &preparation.first_capacity, 1) ||
        window_init(&preparation.window, WINDOW_RECORDS))
        goto cleanup;
    loads->first[0] = 0;
    status = read_blocks(&preparation, (uint32_t)launch_blocks(shape));
    loads->numbers = preparation.table.keys;
    loads->line_count = preparation.table.count;
    preparation.table.keys = NULL;
cleanup:
    window_free(&preparation.window);
    key_table_free(&preparation.table);
    if (status) {
        published_free(loads);
        return status;
    }
    *result = loads;
    return STATUS_OK;
}

void published_free(struct published_loads *loads)
{
    if (!loads)
        return;
    free(loads->warp_first);
    free(loads->active);
    free(loads->first);
    free(loads->owners);
    free(loads->bytes);
    free(loads->pcs);
    free(loads->lines);
    free(loads->numbers);
    free(loads);
}

uint64_t published_bytes(const struct published_loads *loads)
{
    return sizeof *loads + 8 * (uint64_t)loads->warps + 13 * (uint64_t)loads->instructions +
           4 * (uint64_t)loads->requests + 8 * (uint64_t)loads->line_count;
}
