#include "workload/cuda/program.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/memory.h"
#include "base/rng.h"
#include "base/text_stream.h"
#include "trace/hash_text.h"
#include "workload/cuda/compiled.h"

/* Part of every digest. Raise the first whenever the stream of any program changes, the second
 * whenever only the instructions between its records do. */
enum { GENERATOR_VERSION = 2, CODE_VERSION = 1 };

enum { HEAP_ALIGNMENT = 256 };

struct block_reader {
    const struct program *program;
    uint32_t launch, warp_count, at[3];
    size_t warp_bytes, issuing_bytes;
    unsigned char *issuing; /* the cursors of read_instructions; NULL before its first call */
    _Alignas(max_align_t) unsigned char warps[];
};

static struct warp *reader_warp(struct block_reader *reader, uint32_t index)
{
    return (struct warp *)(void *)(reader->warps + index * reader->warp_bytes);
}

static struct warp *issuing_warp(struct block_reader *reader, uint32_t index)
{
    return (struct warp *)(void *)(reader->issuing + index * reader->issuing_bytes);
}

static void start_warp(const struct block_reader *reader, uint32_t index, struct warp *warp)
{
    reader->program->ops->start(reader->program, reader->launch, reader->at, index * WARP_SIZE,
                                warp);
}

static enum status open_block(const struct trace_source *source, uint32_t launch, uint64_t block,
                              struct block_reader **reader, struct diagnostics *diagnostics)
{
    const struct program *program = (const struct program *)source;
    *reader = NULL;
    if (launch >= source->launch_count || block >= launch_blocks(&source->launches[launch]))
        return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "%s has no block %llu in launch %u",
                                 source->name, (unsigned long long)block, launch);
    const struct trace_launch *shape = &source->launches[launch];
    uint32_t warps = launch_warps(shape);
    size_t warp_bytes = program->ops->warp_bytes(program, launch);
    struct block_reader *opened = calloc(1, sizeof *opened + warps * warp_bytes);
    if (!opened)
        return STATUS_MEMORY;
    opened->program = program;
    opened->launch = launch;
    opened->warp_count = warps;
    opened->warp_bytes = warp_bytes;
    uint64_t row = block / shape->grid[0];
    opened->at[0] = (uint32_t)(block % shape->grid[0]);
    opened->at[1] = (uint32_t)(row % shape->grid[1]);
    opened->at[2] = (uint32_t)(row / shape->grid[1]);
    for (uint32_t i = 0; i < warps; i++)
        start_warp(opened, i, reader_warp(opened, i));
    *reader = opened;
    return STATUS_OK;
}

/* Fills a window from the start; after the last record it carries the instructions that follow as
 * the tail. */
static void fill_window(const struct program *program, uint32_t launch, struct warp *warp,
                        struct access_window *window, struct device *device)
{
    window->count = 0;
    window->lane_count = 0;
    window->end = false;
    window->tail = 0;
    if (!warp->done)
        program->ops->resume(program, launch, warp, window, device);
    if (warp->done) {
        window->end = true;
        window->tail = warp->gap;
    }
}

static enum status check_warp(const struct block_reader *reader, uint32_t warp,
                              struct diagnostics *diagnostics)
{
    if (warp < reader->warp_count)
        return STATUS_OK;
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "%s has no warp %u in a block",
                             reader->program->source.name, warp);
}

static enum status read_window(struct block_reader *reader, uint32_t warp,
                               struct access_window *window, struct diagnostics *diagnostics)
{
    if (check_warp(reader, warp, diagnostics))
        return STATUS_NOT_FOUND;
    fill_window(reader->program, reader->launch, reader_warp(reader, warp), window, NULL);
    if (reader->program->spread.places)
        spread_window(&reader->program->spread, window);
    return STATUS_OK;
}

/* Puts a second cursor of each warp at its first instruction. */
static enum status start_issuing(struct block_reader *reader)
{
    const struct program_ops *ops = reader->program->ops;
    reader->issuing_bytes = ops->issuing_bytes ? ops->issuing_bytes(reader->program, reader->launch)
                                               : reader->warp_bytes;
    reader->issuing = calloc(reader->warp_count, reader->issuing_bytes);
    if (!reader->issuing)
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < reader->warp_count; i++)
        start_warp(reader, i, issuing_warp(reader, i));
    return STATUS_OK;
}

static enum status read_instructions(struct block_reader *reader, uint32_t warp,
                                     struct instruction_window *window,
                                     struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    window->count = 0;
    window->end = false;
    if (check_warp(reader, warp, diagnostics))
        return STATUS_NOT_FOUND;
    if (!reader->issuing && start_issuing(reader))
        return STATUS_MEMORY;
    struct warp *at = issuing_warp(reader, warp);
    if (!at->done)
        status = reader->program->ops->issue(reader->program, reader->launch, at, window);
    window->end = at->done;
    return status;
}

static void close_block(struct block_reader *reader)
{
    if (!reader)
        return;
    if (reader->issuing && reader->program->ops->stop)
        for (uint32_t i = 0; i < reader->warp_count; i++)
            reader->program->ops->stop(issuing_warp(reader, i));
    free(reader->issuing);
    free(reader);
}

static void free_program(struct trace_source *source)
{
    struct program *program = (struct program *)source;
    if (program->ops->free)
        program->ops->free(program);
    spread_free(&program->spread);
    for (uint32_t i = 0; i < source->code_count; i++)
        free(source->codes[i].items);
    free(source->codes);
    trace_source_clear(source);
    free(program);
}

static const struct trace_source_ops source_ops = {.open_block = open_block,
                                                   .read = read_window,
                                                   .read_instructions = read_instructions,
                                                   .close_block = close_block,
                                                   .free = free_program};

/* Formats "NAME", or "NAME:a=1,b=2" with the parameters that differ from their defaults, or with
 * all. */
static char *program_describe(const struct workload *workload, const uint64_t *values, bool all)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return NULL;
    fputs(workload->name, out);
    const char *separator = ":";
    for (size_t i = 0; i < workload->parameter_count; i++) {
        const struct workload_parameter *parameter = &workload->parameters[i];
        /* `spread` is newer than the digests of stored recipes: if it is off, names and digests
         * must not mention it. */
        bool silent = !all || !strcmp(parameter->name, "spread");
        if (silent && values[i] == parameter->fallback)
            continue;
        fprintf(out, "%s%s=%llu", separator, parameter->name, (unsigned long long)values[i]);
        separator = ",";
    }
    return text_stream_take(&stream);
}

/* The name shows only what differs from the defaults; the digest covers every value. */
static void set_identity(struct program *program, const struct workload *workload,
                         const uint64_t *values)
{
    struct trace_source *source = &program->source;
    char *all = program_describe(workload, values, true);
    source->name = program_describe(workload, values, false);
    if (!all || !source->name ||
        asprintf(&source->provenance, "%s %s, generated (version %d)", workload->suite,
                 source->name, GENERATOR_VERSION) < 0) {
        source->provenance = NULL;
        program->status = STATUS_MEMORY;
        free(all);
        return;
    }
    /* All values count, also defaults, so that changing a default changes the digest. */
    XXH128_hash_t hash = XXH3_128bits_withSeed(all, strlen(all), GENERATOR_VERSION);
    hash_print(source->digest, hash);
    free(all);
}

void program_init(struct program *program, const struct workload *workload, const uint64_t *values,
                  const struct program_ops *ops)
{
    program->source.ops = &source_ops;
    program->ops = ops;
    program->workload = workload;
    for (size_t i = 0; i < workload->parameter_count; i++) {
        const char *name = workload->parameters[i].name;
        if (!strcmp(name, "base"))
            program->heap_base = program->heap_end = values[i];
        else if (!strcmp(name, "placement"))
            program->placement = values[i];
        else if (!strcmp(name, "spread"))
            program->spread_regions = values[i];
        else if (!strcmp(name, "unroll"))
            program->unroll = (uint32_t)values[i];
        else if (!strcmp(name, "registers"))
            program->registers = (uint32_t)values[i];
        else if (!strcmp(name, "shared_bytes"))
            program->shared_bytes = (uint32_t)values[i];
    }
    set_identity(program, workload, values);
}

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

enum { PLACE_TOGETHER, PLACE_ALIGNED, SCATTER_REGIONS = 512 /* at most between two arrays */ };

/* Arrays follow each other, or start at a large page, or skip a random number of large pages. */
uint64_t program_allocate(struct program *program, uint64_t bytes)
{
    uint64_t at = program->heap_end, index = program->allocations++;
    uint64_t placement = program->spread_regions ? PLACE_TOGETHER : program->placement;
    if (placement != PLACE_TOGETHER)
        at = round_up(at, REGION_BYTES);
    if (placement > PLACE_ALIGNED)
        at += REGION_BYTES * random_below(random_at(program->placement, index), SCATTER_REGIONS);
    program->heap_end = at + round_up(bytes, HEAP_ALIGNMENT);
    return at;
}

uint32_t program_array(struct program *program, const char *name, uint64_t bytes)
{
    assert(program->array_count < PROGRAM_ARRAYS_MAX);
    uint64_t at = program_allocate(program, bytes);
    program->arrays[program->array_count] = (struct trace_array){name, at, bytes};
    return program->array_count++;
}

struct trace_code *program_code(struct program *program, uint32_t index)
{
    struct trace_source *source = &program->source;
    if (!program->status)
        program->status = array_reserve(&source->codes, &program->code_capacity, index + 1);
    if (program->status)
        return NULL;
    while (source->code_count <= index)
        source->codes[source->code_count++] = (struct trace_code){0};
    return &source->codes[index];
}

void program_launch(struct program *program, const char *kernel, uint64_t width, uint64_t height,
                    uint32_t block_x, uint32_t block_y)
{
    struct trace_source *source = &program->source;
    const struct compiled_kernel *compiled = compiled_find(program->workload->name, kernel);
    assert(compiled);
    if (program->status)
        return;
    program->status =
        array_reserve(&source->launches, &program->launch_capacity, source->launch_count + 1);
    char *name = program->status ? NULL : strdup(kernel);
    if (!name) {
        program->status = STATUS_MEMORY;
        return;
    }
    source->launches[source->launch_count++] = (struct trace_launch){
        .name = name,
        .grid = {(uint32_t)((width + block_x - 1) / block_x),
                 (uint32_t)((height + block_y - 1) / block_y), 1},
        .block = {block_x, block_y, 1},
        .registers = program->registers ? program->registers : compiled->registers.count[0],
        .compiled = program->registers ? NULL : &compiled->registers,
        .shared_bytes = program->shared_bytes,
    };
}

static enum status spread_heap(struct program *program, struct diagnostics *diagnostics)
{
    if (!program->spread_regions)
        return STATUS_OK;
    enum status status =
        spread_create(program->heap_base, program->heap_end, program->spread_regions,
                      program->placement, &program->spread);
    if (status == STATUS_INVALID)
        diagnostics_error(diagnostics, status,
                          "the arrays have %llu pages, more than a spread of %llu regions can hold",
                          (unsigned long long)program->spread.pages,
                          (unsigned long long)program->spread_regions);
    return status;
}

enum status program_finish(struct program *program, struct trace_source **source,
                           struct diagnostics *diagnostics)
{
    enum status status = program->status;
    *source = NULL;
    if (!status)
        status = spread_heap(program, diagnostics);
    if (status) {
        free_program(&program->source);
        return diagnostics_error(diagnostics, status, "cannot build the program: %s",
                                 status_text(status));
    }
    *source = &program->source;
    (*source)->arrays = program->arrays;
    (*source)->array_count = program->spread_regions ? 0 : program->array_count;
    if ((*source)->code_count)
        hash_print(
            (*source)->code_digest,
            XXH3_128bits_withSeed((*source)->digest, strlen((*source)->digest), CODE_VERSION));
    return STATUS_OK;
}

enum status program_check_block(uint64_t block_x, uint64_t block_y, struct diagnostics *diagnostics)
{
    if (block_x * block_y <= BLOCK_THREADS_MAX)
        return STATUS_OK;
    return diagnostics_error(diagnostics, STATUS_INVALID,
                             "a block has at most %d threads, got %llu x %llu = %llu",
                             BLOCK_THREADS_MAX, (unsigned long long)block_x,
                             (unsigned long long)block_y, (unsigned long long)block_x * block_y);
}

enum status device_create(const struct trace_source *source, struct device *device)
{
    const struct program *program = (const struct program *)source;
    uint64_t size = program->heap_end - program->heap_base;
    *device = (struct device){.base = program->heap_base, .size = size};
    device->bytes = calloc(1, size);
    device->shared = malloc(SHARED_BYTES_MAX);
    if (device->bytes && device->shared)
        return STATUS_OK;
    device_free(device);
    return STATUS_MEMORY;
}

void device_free(struct device *device)
{
    free(device->bytes);
    free(device->shared);
    *device = (struct device){0};
}

const struct trace_array *program_find_array(const struct trace_source *source, const char *name)
{
    const struct program *program = (const struct program *)source;
    for (uint32_t i = 0; i < program->array_count; i++)
        if (!strcmp(program->arrays[i].name, name))
            return &program->arrays[i];
    return NULL;
}

void *device_at(struct device *device, uint64_t address, uint64_t bytes)
{
    uint64_t offset = address - device->base;
    if (offset > device->size || bytes > device->size - offset) {
        device->fault = true;
        return NULL;
    }
    return device->bytes + offset;
}

/* Runs all warps to the next barrier, again and again, until all are done. */
static enum status run_block(const struct program *program, struct block_reader *reader,
                             uint64_t block, struct access_window *window, struct device *device)
{
    memset(device->shared, 0xff, SHARED_BYTES_MAX);
    for (bool left = true; left;) {
        left = false;
        for (uint32_t i = 0; i < reader->warp_count; i++) {
            struct warp *warp = reader_warp(reader, i);
            warp->barrier = false;
            while (!warp->done && !warp->barrier) {
                fill_window(program, reader->launch, warp, window, device);
                if (device->observe)
                    device->observe(device->context, reader->launch, block, i, window);
            }
            left |= !warp->done;
        }
    }
    return device->fault ? STATUS_CORRUPT : STATUS_OK;
}

enum status program_run(const struct trace_source *source, struct device *device,
                        struct diagnostics *diagnostics)
{
    const struct program *program = (const struct program *)source;
    struct access_window window = {0};
    enum status status = window_init(&window, WINDOW_RECORDS);
    for (uint32_t launch = 0; !status && launch < source->launch_count; launch++) {
        uint64_t blocks = launch_blocks(&source->launches[launch]);
        if (program->ops->prepare)
            program->ops->prepare(program, launch, device);
        for (uint64_t block = 0; !status && block < blocks; block++) {
            struct block_reader *reader;
            status = open_block(source, launch, block, &reader, diagnostics);
            if (status)
                break;
            assert(reader);
            status = run_block(program, reader, block, &window, device);
            if (status)
                diagnostics_error(diagnostics, status,
                                  "%s: launch %u block %llu accessed memory outside of its arrays",
                                  source->name, launch, (unsigned long long)block);
            close_block(reader);
        }
    }
    window_free(&window);
    return status;
}
