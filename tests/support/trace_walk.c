#include "tests/support/trace_walk.h"

#include "base/rng.h"

static void mix(struct trace_totals *totals, uint64_t value)
{
    totals->hash = random_at(totals->hash, value);
}

static void add_window(const struct access_window *window, struct trace_totals *totals)
{
    for (uint32_t i = 0; i < window->count; i++) {
        const struct warp_access *access = &window->items[i];
        uint64_t addresses[WARP_SIZE];
        unsigned lanes = access_addresses(access, window, addresses);
        for (unsigned k = 0; k < lanes; k++)
            mix(totals, addresses[k]);
        mix(totals, (uint64_t)access->pc << 32 | access->mask);
        mix(totals, (uint64_t)access->gap << 32 | access->bytes);
        mix(totals, (uint64_t)access->op << 16 | access->space << 8 | access->flags);
        totals->records++;
        totals->lanes += lanes;
        totals->instructions += 1 + (uint64_t)access->gap;
    }
}

static enum status walk_warp(const struct trace_source *source, struct block_reader *reader,
                             uint32_t warp, struct access_window *window,
                             struct trace_totals *totals, struct diagnostics *diagnostics)
{
    do {
        enum status status = source->ops->read(reader, warp, window, diagnostics);
        if (status)
            return status;
        if (!window->count && !window->end)
            return STATUS_INVALID; /* the contract forbids an empty window before the end */
        add_window(window, totals);
    } while (!window->end);
    mix(totals, window->tail);
    totals->instructions += window->tail;
    return STATUS_OK;
}

enum status trace_walk(const struct trace_source *source, uint32_t capacity,
                       struct trace_totals *totals, struct diagnostics *diagnostics)
{
    struct access_window window;
    enum status status = window_init(&window, capacity);
    *totals = (struct trace_totals){0};
    for (uint32_t launch = 0; !status && launch < source->launch_count; launch++) {
        uint64_t blocks = launch_blocks(&source->launches[launch]);
        for (uint64_t block = 0; !status && block < blocks; block++) {
            struct block_reader *reader;
            status = source->ops->open_block(source, launch, block, &reader, diagnostics);
            if (status)
                break;
            uint32_t warps = launch_warps(&source->launches[launch]);
            for (uint32_t warp = 0; !status && warp < warps; warp++)
                status = walk_warp(source, reader, warp, &window, totals, diagnostics);
            source->ops->close_block(reader);
        }
    }
    window_free(&window);
    return status;
}
