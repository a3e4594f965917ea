#include "model/reuse/loads.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/memory.h"
#include "model/gpu/address_space.h"
#include "model/gpu/coalescer.h"
#include "model/reuse/dependences.h"
#include "model/reuse/published.h"

const struct trace_code *reuse_code(const struct machine *machine,
                                    const struct trace_source *source, uint32_t launch)
{
    return machine->l1d.reuse.wait == REUSE_WAIT_USE ? trace_launch_code(source, launch) : NULL;
}

void load_list_free(struct load_list *list)
{
    free(list->lines);
    free(list->sectors);
    *list = (struct load_list){0};
}

/* Appends the look-up of a sector unless its load has it already. */
static enum status put_sector(struct load_list *list, uint32_t line, uint8_t sector, bool sectored,
                              uint32_t from)
{
    for (uint32_t at = from; at < list->count; at++)
        if (list->lines[at] == line && (!sectored || list->sectors[at] == sector))
            return STATUS_OK;
    if (array_reserve(&list->lines, &list->line_capacity, (size_t)list->count + 1) ||
        (sectored &&
         array_reserve(&list->sectors, &list->sector_capacity, (size_t)list->count + 1)))
        return STATUS_MEMORY;
    if (sectored)
        list->sectors[list->count] = sector;
    list->lines[list->count++] = line;
    return STATUS_OK;
}

enum status load_list_append(struct load_list *list, const struct machine *machine,
                             const struct warp_access *access, const struct access_window *window,
                             struct key_table *table, uint32_t from,
                             struct diagnostics *diagnostics)
{
    const struct cache_config *l1d = &machine->l1d;
    const unsigned sector_bits = log2_floor(l1d->sector);
    const unsigned line_bits = log2_floor(l1d->line) - sector_bits; /* log2 of its sectors */
    struct request requests[COALESCED_MAX];
    unsigned request_count = coalesce(&machine->coalescer, access, window, 0, requests);
    if (!addresses_fit(machine, requests, request_count))
        return addresses_refuse(machine, requests, request_count, diagnostics);
    for (unsigned i = 0; i < request_count; i++) {
        const uint64_t last = (requests[i].address + requests[i].bytes - 1) >> sector_bits;
        for (uint64_t at = requests[i].address >> sector_bits; at <= last; at++) {
            uint32_t line;
            enum status status = key_table_number(table, at >> line_bits, &line);
            if (!status)
                status = put_sector(list, line, (uint8_t)(at & (((uint64_t)1 << line_bits) - 1)),
                                    line_bits > 0, from);
            if (status)
                return status;
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
    struct dependences dependences;
    const struct trace_code *code; /* of the launch; NULL: each load waits for the one before it */
    uint64_t limit;                /* bytes */
    bool too_large;
    size_t warp_capacity, first_capacity, pc_capacity, need_capacity;
    const struct evaluate_options *options;
    uint64_t blocks, blocks_read;
    double reported; /* clock of the last progress call */
    struct diagnostics *diagnostics;
};

static uint64_t sm_bytes(const struct sm_loads *loads)
{
    const uint64_t of_load = loads->needs ? 12 : 8, of_request = loads->requests.sectors ? 5 : 4;
    return 4 * loads->warps + of_load * loads->loads + of_request * loads->requests.count +
           key_table_bytes(&loads->table);
}

static enum status take_load(struct reading *reading, const struct warp_access *access,
                             uint32_t needs)
{
    struct sm_loads *loads = reading->loads;
    if (loads->loads >= UINT32_MAX - 1 || loads->requests.count >= UINT32_MAX - COALESCED_MAX * 2) {
        reading->too_large = true;
        return STATUS_OK;
    }
    if (array_reserve(&loads->first, &reading->first_capacity, (size_t)loads->loads + 2) ||
        array_reserve(&loads->pcs, &reading->pc_capacity, (size_t)loads->loads + 1))
        return STATUS_MEMORY;
    if (reading->machine->l1d.reuse.wait == REUSE_WAIT_USE) {
        if (array_reserve(&loads->needs, &reading->need_capacity, (size_t)loads->loads + 1))
            return STATUS_MEMORY;
        loads->needs[loads->loads] = needs;
    }
    enum status status =
        load_list_append(&loads->requests, reading->machine, access, &reading->window,
                         &loads->table, loads->requests.count, reading->diagnostics);
    loads->pcs[loads->loads] = access->pc;
    loads->first[++loads->loads] = loads->requests.count;
    return status;
}

/* Takes what the L1D gets of one record. */
static enum status take_record(struct reading *reading, struct block_reader *reader, uint32_t warp,
                               const struct warp_access *access)
{
    const bool load =
        feed_count(&reading->loads->counts, l1d_spaces_looked_up(reading->machine), access);
    uint32_t needs = NEEDS_LAST;
    enum status status = STATUS_OK;
    if (reading->code)
        status = dependences_next(&reading->dependences, reading->code, reading->source->ops,
                                  reader, warp, load, &needs, reading->diagnostics);
    return status || !load ? status : take_load(reading, access, needs);
}

static enum status read_warp(struct reading *reading, struct block_reader *reader, uint32_t warp)
{
    struct sm_loads *loads = reading->loads;
    struct access_window *window = &reading->window;
    if (array_reserve(&loads->warp_first, &reading->warp_capacity, loads->warps + 2))
        return STATUS_MEMORY;
    window->end = false;
    dependences_begin(&reading->dependences);
    while (!window->end && !reading->too_large) {
        enum status status = reading->source->ops->read(reader, warp, window, reading->diagnostics);
        for (uint32_t i = 0; i < window->count && !status; i++)
            status = take_record(reading, reader, warp, &window->items[i]);
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
    reading->code = reuse_code(reading->machine, source, launch);
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
    reading->pc_capacity = reading->need_capacity = 0;
    if (!loads->launch_first || array_reserve(&loads->warp_first, &reading->warp_capacity, 1) ||
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
    if (!status)
        status = dependences_init(&reading.dependences);
    for (uint64_t i = 0; i < machine->gpu.sms && !status && !reading.too_large; i++) {
        reading.loads = &loads->sms[i];
        reading.limit = limit - loads->bytes;
        status = read_sm(&reading, i);
        loads->bytes += sm_bytes(reading.loads);
        reading.too_large = reading.too_large || loads->bytes > limit;
    }
    window_free(&reading.window);
    dependences_free(&reading.dependences);
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
        status = published_prepare(source, i, machine->l1d.line, l1d_spaces_looked_up(machine),
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
    *loads = (struct reuse_loads){.machine = *machine, .launch_count = source->launch_count};
    enum status status = (machine->l1d.reuse.mode == REUSE_PUBLISHED ? read_launches : read_sms)(
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
    for (uint64_t i = 0; loads->sms && i < loads->machine.gpu.sms; i++) {
        struct sm_loads *sm = &loads->sms[i];
        free(sm->launch_first);
        free(sm->warp_first);
        free(sm->first);
        free(sm->pcs);
        free(sm->needs);
        load_list_free(&sm->requests);
        key_table_free(&sm->table);
    }
    for (uint32_t i = 0; loads->launches && i < loads->launch_count; i++)
        published_free(loads->launches[i]);
    free(loads->sms);
    free(loads->launches);
    free(loads);
}

bool reuse_loads_same(const struct machine *a, const struct machine *b)
{
    const struct cache_config *one = &a->l1d, *other = &b->l1d;
    if (one->reuse.mode != other->reuse.mode || one->line != other->line ||
        l1d_spaces_looked_up(a) != l1d_spaces_looked_up(b))
        return false;
    return one->reuse.mode == REUSE_PUBLISHED ||
           (a->coalescer.arch == b->coalescer.arch && a->coalescer.order == b->coalescer.order &&
            a->gpu.sms == b->gpu.sms && one->sector == other->sector &&
            one->reuse.wait == other->reuse.wait);
}

bool reuse_loads_serve(const struct reuse_loads *loads, const struct machine *machine)
{
    return loads && reuse_loads_same(&loads->machine, machine);
}
