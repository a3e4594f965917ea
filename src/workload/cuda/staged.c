#include "workload/cuda/staged.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { KERNEL_PC_ALIGNMENT = 0x1000, RETURN = 1 };

static const struct program_ops staged_ops;

void *staged_create(size_t bytes, const struct workload *workload, const uint64_t *values)
{
    struct staged_program *program = calloc(1, bytes);
    if (program)
        program_init(&program->program, workload, values, &staged_ops);
    return program;
}

static uint32_t kernel_index(struct staged_program *program, const struct staged_kernel *kernel)
{
    for (uint32_t i = 0; i < program->kernel_count; i++)
        if (program->kernels[i] == kernel)
            return i;
    assert(program->kernel_count < STAGED_KERNELS_MAX);
    uint32_t index = program->kernel_count++;
    program->kernels[index] = kernel;
    struct trace_code *rows = program_code(&program->program, index);
    if (rows)
        program->program.status = site_code_build(&program->codes[index], &kernel->code,
                                                  index * KERNEL_PC_ALIGNMENT, rows);
    return index;
}

void staged_launch(struct staged_program *program, const struct staged_kernel *kernel,
                   uint64_t grid_x, uint64_t grid_y, uint64_t block_x, uint64_t block_y,
                   uint32_t argument)
{
    struct program *base = &program->program;
    uint32_t index = base->source.launch_count;
    program_launch(base, kernel->name, grid_x * block_x, grid_y * block_y, (uint32_t)block_x,
                   (uint32_t)block_y);
    if (!base->status)
        base->status = array_reserve(&program->launches, &program->capacity, index + 1);
    if (base->status)
        return;
    if (!base->shared_bytes)
        base->source.launches[index].shared_bytes = kernel->shared_bytes;
    uint32_t number = kernel_index(program, kernel);
    base->source.launches[index].code = 1 + number;
    program->launches[index] = (struct staged_launch){number, argument};
}

enum status staged_finish(struct staged_program *program, struct trace_source **source,
                          struct diagnostics *diagnostics)
{
    return program_finish(&program->program, source, diagnostics);
}

void staged_upload(const struct trace_source *source, struct device *device)
{
    const struct staged_program *program = (const struct staged_program *)source;
    if (program->upload)
        program->upload(program, device);
}

static const struct staged_kernel *kernel_of(const struct program *program, uint32_t launch)
{
    const struct staged_program *staged = (const struct staged_program *)program;
    return staged->kernels[staged->launches[launch].kernel];
}

/* The arrays of the records that wait; a walk that names instructions has none. */
struct waiting_room {
    uint64_t addresses[STAGE_RECORDS * WARP_SIZE];
    struct warp_access items[STAGE_RECORDS];
};

static size_t state_end(const struct staged_kernel *kernel)
{
    size_t bytes = sizeof(struct staged_warp) + kernel->state_bytes;
    return (bytes + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
}

static size_t issuing_bytes(const struct program *program, uint32_t launch)
{
    return state_end(kernel_of(program, launch));
}

static size_t warp_bytes(const struct program *program, uint32_t launch)
{
    return issuing_bytes(program, launch) + sizeof(struct waiting_room);
}

static void staged_start(const struct program *program, uint32_t launch, const uint32_t block[3],
                         uint32_t first_thread, struct warp *warp)
{
    struct staged_warp *at = (struct staged_warp *)warp;
    memcpy(at->block, block, sizeof at->block);
    at->first_thread = first_thread;
    at->lanes = lanes_below(first_thread, launch_threads(&program->source.launches[launch]));
    at->waiting.capacity = STAGE_RECORDS;
    warp->gap = kernel_of(program, launch)->code.prologue;
}

void stage_name_work(struct stage *stage, uint32_t times, const struct work *work)
{
    issuer_add_work(&stage->warp->issuer, times, work, stage->mask);
}

void stage_name_barrier(struct stage *stage)
{
    issuer_add(&stage->warp->issuer, ISSUE_BARRIER, stage->lanes);
}

void stage_mask(struct stage *stage, uint32_t mask)
{
    stage->mask = mask;
}

/* Whether this walk names instructions; if so, the access is one. */
static bool name_access(struct stage *stage, struct site site, uint32_t mask)
{
    if (stage->window)
        return false;
    stage->mask = mask;
    issuer_add_access(&stage->warp->issuer, site.number, mask);
    return true;
}

/* Appends a record to the window, complete but for its addresses. The record is written field by
 * field; emit_row in lockstep.c says why. */
static struct warp_access *next_record(struct stage *stage, struct access_window *window,
                                       struct site site, enum memory_op op, uint32_t mask)
{
    struct staged_warp *warp = stage->warp;
    uint32_t kernel = stage->program->launches[stage->launch].kernel;
    assert(window->count < window->capacity);
    struct warp_access *access = &window->items[window->count++];
    access->mask = mask;
    access->pc = kernel * KERNEL_PC_ALIGNMENT + site.number * SITE_BYTES;
    access->gap = warp->warp.gap;
    access->bytes = site.bytes;
    access->op = (uint8_t)op;
    access->space = site.space;
    access->flags = site_code_flags(&stage->program->codes[kernel], site.number);
    memset(access->reserved, 0, sizeof access->reserved);
    warp->warp.gap = 0;
    return access;
}

/* Records must stay in program order, so once one waits, all later ones wait too. */
static struct access_window *record_window(struct stage *stage)
{
    bool waits = stage->warp->waiting.count || stage->window->count == stage->window->capacity;
    return waits ? &stage->warp->waiting : stage->window;
}

static void emit(struct stage *stage, struct site site, enum memory_op op, uint32_t mask,
                 const uint64_t addresses[WARP_SIZE])
{
    if (name_access(stage, site, mask))
        return;
    struct access_window *window = record_window(stage);
    uint64_t *active = window->lanes + window->lane_count;
    uint32_t count = 0;
    if (mask == UINT32_MAX)
        memcpy(active, addresses, (count = WARP_SIZE) * sizeof *active);
    for (uint32_t left = count ? 0 : mask; left; left &= left - 1)
        active[count++] = addresses[__builtin_ctz(left)];
    struct warp_access *access = next_record(stage, window, site, op, mask);
    access_compress(access, active);
    if (!(access->flags & ACCESS_LISTED))
        return;
    access->base = window->lane_count;
    window->lane_count += count;
}

/* Makes the same record that access_compress would. */
static void emit_row(struct stage *stage, struct site site, enum memory_op op, uint32_t mask,
                     uint64_t base, int32_t stride)
{
    if (name_access(stage, site, mask))
        return;
    struct warp_access *access = next_record(stage, record_window(stage), site, op, mask);
    bool one = !(mask & (mask - 1));
    access->base = one ? base + (uint64_t)((int64_t)stride * __builtin_ctz(mask)) : base;
    access->stride = one ? 0 : stride;
}

static void load_lane(struct stage *stage, struct site site, uint32_t lane, uint64_t address,
                      void *values)
{
    const void *memory = device_at(stage->device, address, site.bytes);
    if (memory)
        memcpy((unsigned char *)values + lane * site.bytes, memory, site.bytes);
}

static void store_lane(struct stage *stage, struct site site, uint32_t lane, uint64_t address,
                       const void *values)
{
    void *memory = device_at(stage->device, address, site.bytes);
    if (memory)
        memcpy(memory, (const unsigned char *)values + lane * site.bytes, site.bytes);
}

void stage_load(struct stage *stage, struct site site, uint32_t mask,
                const uint64_t addresses[WARP_SIZE], void *values)
{
    if (!mask)
        return;
    emit(stage, site, OP_LOAD, mask, addresses);
    for (uint32_t left = stage->device ? mask : 0; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        load_lane(stage, site, lane, addresses[lane], values);
    }
}

void stage_store(struct stage *stage, struct site site, uint32_t mask,
                 const uint64_t addresses[WARP_SIZE], const void *values)
{
    if (!mask)
        return;
    emit(stage, site, OP_STORE, mask, addresses);
    for (uint32_t left = stage->device ? mask : 0; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        store_lane(stage, site, lane, addresses[lane], values);
    }
}

void stage_load_row(struct stage *stage, struct site site, uint32_t mask, uint64_t base,
                    int32_t stride, void *values)
{
    if (!mask)
        return;
    emit_row(stage, site, OP_LOAD, mask, base, stride);
    for (uint32_t left = stage->device ? mask : 0; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        load_lane(stage, site, lane, base + (uint64_t)((int64_t)stride * lane), values);
    }
}

void stage_store_row(struct stage *stage, struct site site, uint32_t mask, uint64_t base,
                     int32_t stride, const void *values)
{
    if (!mask)
        return;
    emit_row(stage, site, OP_STORE, mask, base, stride);
    for (uint32_t left = stage->device ? mask : 0; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        store_lane(stage, site, lane, base + (uint64_t)((int64_t)stride * lane), values);
    }
}

static uint32_t combine(enum atomic_operation operation, uint32_t old, uint32_t operand)
{
    switch (operation) {
    case ATOMIC_MIN:
        return operand < old ? operand : old;
    case ATOMIC_MAX:
        return operand > old ? operand : old;
    default:
        return old + operand;
    }
}

void stage_atomic(struct stage *stage, struct site site, enum atomic_operation operation,
                  uint32_t mask, const uint64_t addresses[WARP_SIZE],
                  const uint32_t operands[WARP_SIZE])
{
    if (!mask)
        return;
    emit(stage, site, OP_ATOMIC, mask, addresses);
    for (uint32_t left = stage->device ? mask : 0; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), word;
        void *memory = device_at(stage->device, addresses[lane], sizeof word);
        if (!memory)
            continue;
        memcpy(&word, memory, sizeof word);
        word = combine(operation, word, operands[lane]);
        memcpy(memory, &word, sizeof word);
    }
}

void stage_touch(struct stage *stage, struct site site, enum memory_op op, uint32_t mask,
                 const uint64_t addresses[WARP_SIZE])
{
    if (mask)
        emit(stage, site, op, mask, addresses);
}

/* Points the waiting window at its arrays. This happens before every use because they are part of
 * the warp, which may have moved. */
static void attach_waiting(const struct staged_kernel *kernel, struct staged_warp *warp)
{
    struct waiting_room *room = (void *)((unsigned char *)warp + state_end(kernel));
    warp->waiting.items = room->items;
    warp->waiting.lanes = room->addresses;
}

/* Moves waiting records to the window. Addresses of listed records are copied, because their index
 * is relative to a window. */
static void drain(struct staged_warp *warp, struct access_window *window)
{
    struct access_window *waiting = &warp->waiting;
    while (warp->drained < waiting->count && window->count < window->capacity) {
        const struct warp_access *access = &waiting->items[warp->drained++];
        bool listed = access->flags & ACCESS_LISTED;
        struct warp_access *to = &window->items[window->count++];
        *to = *access;
        if (!listed)
            continue;
        unsigned active = (unsigned)__builtin_popcount(access->mask);
        to->base = window->lane_count;
        memcpy(window->lanes + window->lane_count, waiting->lanes + access->base,
               active * sizeof *window->lanes);
        window->lane_count += active;
    }
    if (warp->drained == waiting->count)
        warp->drained = waiting->count = waiting->lane_count = 0;
}

static struct stage view(const struct program *program, uint32_t launch, struct staged_warp *warp)
{
    const struct staged_program *staged = (const struct staged_program *)program;
    return (struct stage){
        .program = staged,
        .launch = launch,
        .argument = staged->launches[launch].argument,
        .lanes = warp->lanes,
        .block = warp->block,
        .first_thread = warp->first_thread,
        .threads = launch_threads(&program->source.launches[launch]),
        .state = warp->state,
        .warp = warp,
    };
}

static void resume(const struct program *program, uint32_t launch, struct warp *warp,
                   struct access_window *window, struct device *device)
{
    struct staged_warp *at = (struct staged_warp *)warp;
    const struct staged_kernel *kernel = kernel_of(program, launch);
    struct stage stage = view(program, launch, at);
    stage.device = device;
    stage.window = window;
    attach_waiting(kernel, at);
    drain(at, window);
    while (!at->finished && window->count < window->capacity && !(device && warp->barrier)) {
        stage.number = at->stage++;
        enum stage_end end = kernel->run(&stage);
        warp->barrier = end == STAGE_BARRIER || end == STAGE_TURN;
        at->finished = end == STAGE_DONE;
    }
    if (at->finished && !at->waiting.count) {
        warp->gap += RETURN;
        warp->done = true;
    }
}

/* Runs the next stage for the names of its instructions. */
static void name_stage(const struct staged_kernel *kernel, struct stage *stage)
{
    struct staged_warp *at = stage->warp;
    stage->mask = at->lanes;
    stage->number = at->stage++;
    if (!stage->number)
        issuer_add(&at->issuer, ISSUE_PROLOGUE, at->lanes);
    enum stage_end end = kernel->run(stage);
    if (end == STAGE_BARRIER)
        issuer_make_barrier(&at->issuer, at->lanes);
    at->finished = end == STAGE_DONE;
    if (at->finished)
        issuer_add(&at->issuer, ISSUE_EXIT, at->lanes);
}

static enum status staged_issue(const struct program *program, uint32_t launch, struct warp *warp,
                                struct instruction_window *window)
{
    struct staged_warp *at = (struct staged_warp *)warp;
    const struct staged_program *staged = (const struct staged_program *)program;
    uint32_t kernel = staged->launches[launch].kernel;
    struct stage stage = view(program, launch, at);
    while (!warp->done && !at->issuer.status && window->count < window->capacity) {
        if (issuer_is_empty(&at->issuer))
            name_stage(staged->kernels[kernel], &stage);
        issuer_issue(&at->issuer, &staged->codes[kernel], window);
        warp->done = at->finished && issuer_is_empty(&at->issuer);
    }
    return at->issuer.status;
}

static void stop(struct warp *warp)
{
    issuer_free(&((struct staged_warp *)warp)->issuer);
}

static void free_staged(struct program *program)
{
    struct staged_program *staged = (struct staged_program *)program;
    if (staged->release)
        staged->release(staged);
    free(staged->launches);
}

static void staged_prepare(const struct program *program, uint32_t launch, struct device *device)
{
    const struct staged_program *staged = (const struct staged_program *)program;
    if (staged->prepare)
        staged->prepare(staged, launch, device);
}

static const struct program_ops staged_ops = {
    .warp_bytes = warp_bytes,
    .issuing_bytes = issuing_bytes,
    .start = staged_start,
    .resume = resume,
    .issue = staged_issue,
    .stop = stop,
    .prepare = staged_prepare,
    .free = free_staged,
};
