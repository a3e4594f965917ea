#include "tests/support/issue_walk.h"

#include "base/rng.h"

/* The records of a warp, one at a time. */
struct records {
    struct access_window window;
    uint32_t next;
};

static enum status next_record(const struct trace_source *source, struct block_reader *reader,
                               uint32_t warp, struct records *records,
                               const struct warp_access **access, struct diagnostics *diagnostics)
{
    *access = NULL;
    while (records->next == records->window.count && !records->window.end) {
        enum status status = source->ops->read(reader, warp, &records->window, diagnostics);
        if (status)
            return status;
        records->next = 0;
    }
    if (records->next < records->window.count)
        *access = &records->window.items[records->next++];
    return STATUS_OK;
}

static void add(struct issue_totals *totals, const struct warp_instruction *issued,
                const struct instruction *row)
{
    uint64_t hash = totals->hash;
    hash = random_at(hash, (uint64_t)row->pc << 32 | issued->mask);
    hash = random_at(hash, (uint64_t)row->class << 24 | row->action << 16 | row->flags << 8 |
                               row->argument);
    hash = random_at(hash, (uint64_t)issued->banks << 24 | issued->flags << 16 | row->written << 8 |
                               row->read);
    for (int i = 0; i < row->written + row->read; i++)
        hash = random_at(hash, row->registers[i]);
    totals->hash = hash;
    totals->instructions++;
    totals->banks += issued->banks;
    totals->records += issued->flags & ISSUE_RECORD;
    totals->classes[row->class]++;
}

static enum status walk_warp(const struct trace_source *source, struct block_reader *reader,
                             const struct trace_code *code, uint32_t warp,
                             struct instruction_window *window, struct records *records,
                             unsigned beyond, struct issue_totals *totals,
                             struct diagnostics *diagnostics)
{
    const struct warp_access *access;
    uint64_t gap = 0, issued = 0;
    records->window.count = records->next = 0;
    records->window.end = false;
    do {
        enum status status = source->ops->read_instructions(reader, warp, window, diagnostics);
        if (status)
            return status;
        if ((!window->count && !window->end) || window->count > window->capacity)
            return STATUS_INVALID;
        for (uint32_t i = 0; i < window->count; i++, issued++) {
            const struct warp_instruction *item = &window->items[i];
            if (item->code >= code->count)
                return STATUS_INVALID;
            const struct instruction *row = &code->items[item->code];
            add(totals, item, row);
            gap++;
            if (!(item->flags & ISSUE_RECORD))
                continue;
            if ((status = next_record(source, reader, warp, records, &access, diagnostics)))
                return status;
            if (!access || access->gap != gap - 1 || access->mask != item->mask ||
                access->pc != row->pc || row->class != CLASS_MEMORY)
                return STATUS_INVALID;
            gap = 0;
        }
    } while (!window->end);
    enum status status = next_record(source, reader, warp, records, &access, diagnostics);
    if (status)
        return status;
    return access || gap != records->window.tail + (issued ? beyond : 0) ? STATUS_INVALID
                                                                         : STATUS_OK;
}

enum status issue_walk(const struct trace_source *source, uint32_t capacity, unsigned beyond,
                       struct issue_totals *totals, struct diagnostics *diagnostics)
{
    struct records records = {0};
    struct instruction_window window = {0};
    *totals = (struct issue_totals){0};
    enum status status = window_init(&records.window, 16);
    if (!status)
        status = instruction_window_init(&window, capacity);
    for (uint32_t launch = 0; !status && launch < source->launch_count; launch++) {
        const struct trace_code *code = trace_launch_code(source, launch);
        const uint64_t blocks = launch_blocks(&source->launches[launch]);
        for (uint64_t block = 0; !status && code && block < blocks; block++) {
            struct block_reader *reader;
            status = source->ops->open_block(source, launch, block, &reader, diagnostics);
            if (status)
                break;
            const uint32_t warps = launch_warps(&source->launches[launch]);
            for (uint32_t warp = 0; !status && warp < warps; warp++)
                status = walk_warp(source, reader, code, warp, &window, &records, beyond, totals,
                                   diagnostics);
            source->ops->close_block(reader);
        }
    }
    instruction_window_free(&window);
    window_free(&records.window);
    return status;
}
