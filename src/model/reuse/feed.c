#include "model/reuse/feed.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/memory.h"
#include "model/gpu/coalescer.h"

enum { WARP_WINDOW = 32 }; /* records a warp reads ahead */

enum status feed_init(struct feed *feed, const struct machine *machine,
                      const struct trace_source *source, uint32_t launch, uint32_t slots,
                      struct line_table *table, struct diagnostics *diagnostics)
{
    *feed = (struct feed){.machine = machine,
                          .source = source,
                          .launch = launch,
                          .slots = slots,
                          .warps_per_block = launch_warps(&source->launches[launch]),
                          .table = table,
                          .diagnostics = diagnostics};
    uint32_t warps = slots * feed->warps_per_block;
    feed->readers = calloc(slots, sizeof *feed->readers);
    feed->warps = calloc(warps, sizeof *feed->warps);
    if (!feed->readers || !feed->warps)
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < warps; i++) {
        enum status status = window_init(&feed->warps[i].window, WARP_WINDOW);
        if (status)
            return status;
    }
    return STATUS_OK;
}

void feed_free(struct feed *feed)
{
    for (uint32_t i = 0; feed->readers && i < feed->slots; i++)
        feed->source->ops->close_block(feed->readers[i]);
    for (uint32_t i = 0; feed->warps && i < feed->slots * feed->warps_per_block; i++) {
        window_free(&feed->warps[i].window);
        free(feed->warps[i].lines);
    }
    free(feed->readers);
    free(feed->warps);
    *feed = (struct feed){0};
}

enum status feed_block(struct feed *feed, uint32_t slot, uint64_t block)
{
    const struct trace_source_ops *ops = feed->source->ops;
    ops->close_block(feed->readers[slot]);
    feed->readers[slot] = NULL;
    for (uint32_t i = 0; i < feed->warps_per_block; i++) {
        struct feed_warp *warp = &feed->warps[slot * feed->warps_per_block + i];
        warp->window.end = false;
        warp->window.count = 0;
        warp->next = warp->line_count = warp->done = 0;
    }
    return ops->open_block(feed->source, feed->launch, block, &feed->readers[slot],
                           feed->diagnostics);
}

/* Adds the lines of one request that its instruction does not ask for yet. */
static enum status add_lines(struct feed *feed, struct feed_warp *warp,
                             const struct request *request, unsigned line_bits)
{
    uint64_t last = (request->address + request->bytes - 1) >> line_bits;
    for (uint64_t line = request->address >> line_bits; line <= last; line++) {
        if (array_reserve(&warp->lines, &warp->line_capacity, warp->line_count + 1))
            return STATUS_MEMORY;
        uint32_t id, at = 0;
        enum status status = line_table_id(feed->table, line, &id);
        if (status)
            return status;
        while (at < warp->line_count && warp->lines[at] != id)
            at++;
        if (at == warp->line_count)
            warp->lines[warp->line_count++] = id;
    }
    return STATUS_OK;
}

static enum status take_load(struct feed *feed, struct feed_warp *warp,
                             const struct warp_access *access)
{
    struct request requests[COALESCED_MAX];
    unsigned count = coalesce(feed->machine->coalescer.arch, access, &warp->window, 0, requests);
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < count && !status; i++)
        status = add_lines(feed, warp, &requests[i], log2_floor(feed->machine->l1d.line));
    return status;
}

enum status feed_next(struct feed *feed, uint32_t index, bool *loads)
{
    struct feed_warp *warp = &feed->warps[index];
    warp->line_count = warp->done = 0;
    for (;;) {
        while (warp->next < warp->window.count) {
            const struct warp_access *access = &warp->window.items[warp->next++];
            feed->counts.memory_instructions++;
            feed->counts.warp_instructions += (uint64_t)access->gap + 1;
            feed->counts.thread_accesses += (unsigned)__builtin_popcount(access->mask);
            if (access->op != OP_LOAD || access->flags & ACCESS_BYPASS_L1)
                continue;
            *loads = true;
            return take_load(feed, warp, access);
        }
        if (warp->window.end)
            break;
        enum status status = feed->source->ops->read(feed->readers[index / feed->warps_per_block],
                                                     index % feed->warps_per_block, &warp->window,
                                                     feed->diagnostics);
        if (status)
            return status;
        warp->next = 0;
        if (warp->window.end)
            feed->counts.warp_instructions += warp->window.tail;
    }
    *loads = false;
    return STATUS_OK;
}
