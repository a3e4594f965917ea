#include "model/reuse/feed.h"

#include <stdlib.h>

#include "base/bits.h"

enum { WARP_WINDOW = 32 }; /* records that a warp reads ahead */

enum status feed_init(struct feed *feed, const struct machine *machine,
                      const struct trace_source *source, uint32_t launch, uint32_t slots,
                      const struct sm_loads *loads, struct key_table *table,
                      struct diagnostics *diagnostics)
{
    *feed = (struct feed){.machine = machine,
                          .source = source,
                          .launch = launch,
                          .slots = slots,
                          .warps_per_block = launch_warps(&source->launches[launch]),
                          .loads = loads,
                          .table = table,
                          .diagnostics = diagnostics};
    uint32_t warps = slots * feed->warps_per_block;
    feed->readers = calloc(slots, sizeof *feed->readers);
    feed->warps = calloc(warps, sizeof *feed->warps);
    if (!feed->readers || !feed->warps)
        return STATUS_MEMORY;
    feed->code = loads ? NULL : reuse_code(machine, source, launch);
    for (uint32_t i = 0; i < warps && !loads; i++) {
        enum status status = window_init(&feed->warps[i].window, WARP_WINDOW);
        if (!status && feed->code)
            status = dependences_init(&feed->warps[i].dependences);
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
        dependences_free(&feed->warps[i].dependences);
        load_list_free(&feed->warps[i].own);
    }
    free(feed->readers);
    free(feed->warps);
    *feed = (struct feed){0};
}

static void place_warps(struct feed *feed, uint32_t slot, uint64_t index)
{
    const struct sm_loads *loads = feed->loads;
    uint64_t first = loads->launch_first[feed->launch] + index * feed->warps_per_block;
    for (uint32_t i = 0; i < feed->warps_per_block; i++) {
        struct feed_warp *warp = &feed->warps[slot * feed->warps_per_block + i];
        warp->next = loads->warp_first[first + i];
        warp->end = loads->warp_first[first + i + 1];
        warp->line_count = warp->done = 0;
    }
}

enum status feed_block(struct feed *feed, uint32_t slot, uint64_t block, uint64_t index)
{
    const struct trace_source_ops *ops = feed->source->ops;
    if (feed->loads) {
        place_warps(feed, slot, index);
        return STATUS_OK;
    }
    ops->close_block(feed->readers[slot]);
    feed->readers[slot] = NULL;
    for (uint32_t i = 0; i < feed->warps_per_block; i++) {
        struct feed_warp *warp = &feed->warps[slot * feed->warps_per_block + i];
        warp->window.end = false;
        warp->window.count = 0;
        warp->next = warp->line_count = warp->done = 0;
        if (feed->code)
            dependences_begin(&warp->dependences);
    }
    return ops->open_block(feed->source, feed->launch, block, &feed->readers[slot],
                           feed->diagnostics);
}

static enum status take_load(struct feed *feed, struct feed_warp *warp,
                             const struct warp_access *access)
{
    warp->own.count = 0;
    enum status status = load_list_append(&warp->own, feed->machine, access, &warp->window,
                                          feed->table, 0, feed->diagnostics);
    warp->lines = warp->own.lines;
    warp->sectors = warp->own.sectors;
    warp->line_count = warp->own.count;
    warp->pc = access->pc;
    return status;
}

/* Finds the next load in the window; NULL if there is none. */
static enum status next_in_window(struct feed *feed, uint32_t index,
                                  const struct warp_access **access)
{
    struct feed_warp *warp = &feed->warps[index];
    const uint32_t per_block = feed->warps_per_block;
    *access = NULL;
    while (warp->next < warp->window.count) {
        const struct warp_access *next = &warp->window.items[warp->next++];
        const bool load = feed_count(&feed->counts, l1d_spaces_looked_up(feed->machine), next);
        enum status status = STATUS_OK;
        warp->needs = NEEDS_LAST;
        if (feed->code)
            status = dependences_next(&warp->dependences, feed->code, feed->source->ops,
                                      feed->readers[index / per_block], index % per_block, load,
                                      &warp->needs, feed->diagnostics);
        *access = load ? next : NULL;
        if (status || load)
            return status;
    }
    return STATUS_OK;
}

static enum status read_next(struct feed *feed, uint32_t index, bool *loads)
{
    struct feed_warp *warp = &feed->warps[index];
    const struct warp_access *access;
    *loads = false;
    for (;;) {
        enum status status = next_in_window(feed, index, &access);
        if (status || access) {
            *loads = !status;
            return status ? status : take_load(feed, warp, access);
        }
        if (warp->window.end)
            return STATUS_OK;
        status = feed->source->ops->read(feed->readers[index / feed->warps_per_block],
                                         index % feed->warps_per_block, &warp->window,
                                         feed->diagnostics);
        if (status)
            return status;
        warp->next = 0;
        if (warp->window.end)
            feed->counts.warp_instructions += warp->window.tail;
    }
}

enum status feed_next(struct feed *feed, uint32_t index, bool *loads)
{
    struct feed_warp *warp = &feed->warps[index];
    const struct sm_loads *known = feed->loads;
    warp->line_count = warp->done = 0;
    if (!known)
        return read_next(feed, index, loads);
    *loads = warp->next < warp->end;
    if (*loads) {
        uint32_t load = warp->next++;
        const uint32_t first = known->first[load];
        warp->lines = known->requests.lines + first;
        warp->sectors = known->requests.sectors ? known->requests.sectors + first : NULL;
        warp->line_count = known->first[load + 1] - first;
        warp->needs = known->needs ? known->needs[load] : NEEDS_LAST;
        warp->pc = known->pcs[load];
    }
    return STATUS_OK;
}
