#include "model/reuse/loads.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/memory.h"
#include "model/gpu/coalescer.h"
#include "model/reuse/published.h"

void feed_counts_add(struct feed_counts *sum, const struct feed_counts *counts)
{
    sum->warp_instructions += counts->warp_instructions;
    sum->memory_instructions += counts->memory_instructions;
    sum->thread_accesses += counts->thread_accesses;
    for (size_t i = 0; i < SPACE_COUNT; i++)
        sum->spaces[i] += counts->spaces[i];
}

enum status loads_append(uint64_t arch, unsigned line_bits, const struct warp_access *access,
                         const struct access_window *window, struct key_table *table,
                         uint32_t **lines, size_t *capacity, uint32_t from, uint32_t *count)
{
    struct request requests[COALESCED_MAX];
    unsigned request_count = coalesce(arch, access, window, 0, requests);
    for (unsigned i = 0; i < request_count; i++) {
        const struct request *request = &requests[i];
        uint64_t last = (request->address + request->bytes - 1) >> line_bits;
        for (uint64_t line = request->address >> line_bits; line <= last; line++) {
            uint32_t id, at = from;
            if (array_reserve(lines, capacity, (size_t)*count + 1))
                return STATUS_MEMORY;
            enum status status = key_table_number(table, line, &id);
            if (status)
                return status;
            while (at < *count && (*lines)[at] != id)
                at++;
            if (at == *count)
                (*lines)[(*count)++] = id;
        }
    }
    return STATUS_OK;
}

/* State while the loads of one SM are read. */
struct reading {
    const struct machine *machine;
    const struct trace_source *source;
    struct sm_loads *loads;
    struct access_window window;
    uint64_t limit; /* bytes */
    bool too_large;
    size_t warp_capacity, first_capacity, pc_capacity, line_capacity;
    const struct evaluate_options *options;
    uint64_t blocks, blocks_read;
    double reported; /* clock of the last progress call */
    struct diagnostics *diagnostics;
};

static uint64_t sm_bytes(const struct sm_loads *loads)
{
    return 4 * (loads->warps + 2 * (uint64_t)loads->loads + loads->requests) +
           key_table_bytes(&loads->table);
}

static enum status take_load(struct reading *reading, const struct warp_access *access)
{
    struct sm_loads *loads = reading->loads;
    if (loads->loads >= UINT32_MAX - 1 || loads->requests >= UINT32_MAX - COALESCED_MAX * 2) {
        reading->too_large = true;
        return STATUS_OK;
    }
    if (array_reserve(&loads->first, &reading->first_capacity, (size_t)loads->loads + 2) ||
        array_reserve(&loads->pcs, &reading->pc_capacity, (size_t)loads->loads + 1))
        return STATUS_MEMORY;
    enum status status =
        loads_append(reading->machine->coalescer.arch, log2_floor(reading->machine->l1d.line),
                     access, &reading->window, &loads->table, &loads->lines,
                     &reading->line_capacity, loads->requests, &loads->requests);
    loads->pcs[loads->loads] = access->pc;
    loads->first[++loads->loads] = loads->requests;
    return status;
}

static enum status read_warp(struct reading *reading, struct block_reader *reader, uint32_t warp)
{
    struct sm_loads *loads = reading->loads;
    struct access_window *window = &reading->window;
    if (array_reserve(&loads->warp_first, &reading->warp_capacity, loads->warps + 2))
        return STATUS_MEMORY;
    window->end = false;
    while (!window->end && !reading->too_large) {
        enum status status = reading->source->ops->read(reader, warp, window, reading->diagnostics);
        for (uint32_t i = 0; i < window->count && !status; i++) {
            const struct warp_access *access = &window->items[i];
            if (feed_count(&loads->counts, l1d_spaces(reading->machine), access))
                status = take_load(reading, access);
        }
        if (status)
            return status;
    }
    loads->counts.warp_instructions += window->tail;
    loads->warp_first[++loads->warps] = loads->loads;
    reading->too_large = reading->too_large || sm_bytes(loads) > reading->limit;
    return STATUS_OK;
}

static void report_progress(struct reading *reading)
{
    const struct evaluate_options *options = reading->options;
    reading->blocks_read++;
    if (evaluate_due(options, &reading->reported))
        options->progress(options->argument,
                          (double)reading->blocks_read / (double)reading->blocks);
}

/* Reads the blocks of a launch that one SM gets: the block with its number, and every sms-th after
 * that. */
static enum status read_launch(struct reading *reading, uint32_t launch, uint64_t number)
{
    const struct trace_source *source = reading->source;
    const uint64_t blocks = launch_blocks(&source->launches[launch]);
    const uint32_t warps = launch_warps(&source->launches[launch]);
    enum status status = STATUS_OK;
    for (uint64_t block = number; block < blocks && !status; block += reading->machine->gpu.sms) {
        struct block_reader *reader = NULL;
        if (evaluate_cancelled(reading->options))
            return STATUS_CANCELLED;
        report_progress(reading);
        status = source->ops->open_block(source, launch, block, &reader, reading->diagnostics);
        for (uint32_t warp = 0; warp < warps && !status && !reading->too_large; warp++)
            status = read_warp(reading, reader, warp);
        source->ops->close_block(reader);
        if (reading->too_large)
            break;
    }
    return status;
}

static enum status read_sm(struct reading *reading, uint64_t number)
{
    struct sm_loads *loads = reading->loads;
    const uint32_t launches = reading->source->launch_count;
    enum status status = STATUS_OK;
    loads->launch_first = calloc((size_t)launches + 1, sizeof *loads->launch_first);
    reading->warp_capacity = reading->first_capacity = 0;
    reading->pc_capacity = reading->line_capacity = 0;
    if (status || !loads->launch_first ||
        array_reserve(&loads->warp_first, &reading->warp_capacity, 1) ||
        array_reserve(&loads->first, &reading->first_capacity, 1))
        return STATUS_MEMORY;
    loads->warp_first[0] = loads->first[0] = 0;
    for (uint32_t launch = 0; launch < launches && !status && !reading->too_large; launch++) {
        status = read_launch(reading, launch, number);
        loads->launch_first[launch + 1] = loads->warps;
    }
    key_table_seal(&loads->table);
    return status;
}

/* Reads all SMs, each with the bytes that the earlier ones have left, and gives up as soon as the
 * limit is exceeded. */
static enum status read_sms(const struct machine *machine, const struct trace_source *source,
                            uint64_t limit, const struct evaluate_options *options,
                            struct reuse_loads *loads, bool *too_large,
                            struct diagnostics *diagnostics)
{
    struct reading reading = {.machine = machine,
                              .source = source,
                              .options = options,
                              .blocks = trace_source_blocks(source),
                              .diagnostics = diagnostics};
    loads->sms = calloc(machine->gpu.sms, sizeof *loads->sms);
    if (!loads->sms)
        return STATUS_MEMORY;
    enum status status = window_init(&reading.window, WINDOW_RECORDS);
    for (uint64_t i = 0; i < machine->gpu.sms && !status && !reading.too_large; i++) {
        reading.loads = &loads->sms[i];
        reading.limit = limit - loads->bytes;
        status = read_sm(&reading, i);
        loads->bytes += sm_bytes(reading.loads);
        reading.too_large = reading.too_large || loads->bytes > limit;
    }
    window_free(&reading.window);
    *too_large = reading.too_large;
    return status;
}

static enum status read_launches(const struct machine *machine, const struct trace_source *source,
                                 uint64_t limit, const struct evaluate_options *options,
                                 struct reuse_loads *loads, bool *too_large,
                                 struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    loads->launches = calloc((size_t)source->launch_count + 1, sizeof(struct published_loads *));
    if (!loads->launches)
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < source->launch_count && !status && loads->bytes <= limit; i++) {
        if (evaluate_cancelled(options))
            return STATUS_CANCELLED;
        status = published_prepare(source, i, machine->l1d.line, l1d_spaces(machine),
                                   &loads->launches[i], diagnostics);
        if (!status)
            loads->bytes += published_bytes(loads->launches[i]);
    }
    *too_large = loads->bytes > limit;
    return status;
}

enum status reuse_loads_create(const struct machine *machine, const struct trace_source *source,
                               uint64_t limit, const struct evaluate_options *options,
                               struct reuse_loads **result, struct diagnostics *diagnostics)
{
    bool too_large = false;
    *result = NULL;
    struct reuse_loads *loads = calloc(1, sizeof *loads);
    if (!loads)
        return STATUS_MEMORY;
    *loads = (struct reuse_loads){.mode = machine->l1d.reuse.mode,
                                  .spaces = l1d_spaces(machine),
                                  .line = machine->l1d.line,
                                  .arch = machine->coalescer.arch,
                                  .sm_count = machine->gpu.sms,
                                  .launch_count = source->launch_count};
    enum status status = (loads->mode == REUSE_PUBLISHED ? read_launches : read_sms)(
        machine, source, limit, options, loads, &too_large, diagnostics);
    if (status || too_large)
        reuse_loads_free(loads);
    else
        *result = loads;
    return status;
}

void reuse_loads_free(struct reuse_loads *loads)
{
    if (!loads)
        return;
    for (uint64_t i = 0; loads->sms && i < loads->sm_count; i++) {
        struct sm_loads *sm = &loads->sms[i];
        free(sm->launch_first);
        free(sm->warp_first);
        free(sm->first);
        free(sm->pcs);
        free(sm->lines);
        key_table_free(&sm->table);
    }
    for (uint32_t i = 0; loads->launches && i < loads->launch_count; i++)
        published_free(loads->launches[i]);
    free(loads->sms);
    free(loads->launches);
    free(loads);
}

bool reuse_loads_serve(const struct reuse_loads *loads, const struct machine *machine)
{
    if (!loads || loads->mode != machine->l1d.reuse.mode || loads->line != machine->l1d.line ||
        loads->spaces != l1d_spaces(machine))
        return false;
    return loads->mode == REUSE_PUBLISHED ||
           (loads->arch == machine->coalescer.arch && loads->sm_count == machine->gpu.sms);
}
