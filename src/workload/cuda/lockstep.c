/* Walks an affine kernel (kernel.h): 32 lanes in lockstep, with one cursor per warp.
 *
 * A step's address is affine in the coordinates of the thread, so a warp that lies within one row
 * of its block needs only lane 0's coordinates and emits base and stride without looking at lanes.
 * Blocks whose width is not a multiple of 32 have warps that span rows; those keep the coordinates
 * of every lane (lane_places) and list addresses. A divergent loop is a mask: lanes that have
 * finished wait until the last lane leaves the loop.
 *
 * The same steps issue the instructions of a warp, with a cursor of their own: the prologue, then
 * the rows of each step (kernel_code.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "workload/cuda/kernel.h"

struct loop {
    int64_t counter;
    uint32_t outside; /* the mask to restore after the loop */
};

/* The coordinates of every lane in the grid, kept only if a warp may span several rows. */
struct lane_places {
    int64_t x[WARP_SIZE], y[WARP_SIZE];
};

struct lockstep {
    struct warp warp; /* first */
    uint32_t step, mask;
    uint32_t lanes, row; /* the threads of the block; the next row of the code */
    struct loop loops[KERNEL_LOOPS_MAX];
    int64_t x, y;                /* of lane 0 */
    struct lane_places places[]; /* 1 if the warp may span rows, else 0 */
};

static bool spans_rows(const struct program *program, uint32_t launch)
{
    return program->source.launches[launch].block[0] % WARP_SIZE != 0;
}

static size_t warp_bytes(const struct program *program, uint32_t launch)
{
    return sizeof(struct lockstep) + (spans_rows(program, launch) ? sizeof(struct lane_places) : 0);
}

static uint32_t low_lanes(int64_t count)
{
    return count <= 0 ? 0 : count >= WARP_SIZE ? UINT32_MAX : (UINT32_C(1) << count) - 1;
}

/* The lanes that pass the guard in a warp within one row: a run of columns. */
static uint32_t row_guard(const struct lockstep *at, const struct guard *guard)
{
    if (at->y < guard->y_from || at->y >= guard->y_to)
        return 0;
    return low_lanes(guard->x_to - at->x) & ~low_lanes(guard->x_from - at->x);
}

/* Records the coordinates of every lane and returns the lanes that pass the guard. */
static uint32_t place_lanes(struct lockstep *at, const struct guard *guard, const int64_t block[2],
                            const uint32_t shape[3], uint32_t first_thread)
{
    uint32_t mask = 0;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        uint32_t thread = first_thread + lane;
        int64_t x = block[0] * shape[0] + thread % shape[0];
        int64_t y = block[1] * shape[1] + thread / shape[0];
        at->places->x[lane] = x;
        at->places->y[lane] = y;
        if (thread < shape[0] * shape[1] && x >= guard->x_from && x < guard->x_to &&
            y >= guard->y_from && y < guard->y_to)
            mask |= UINT32_C(1) << lane;
    }
    return mask;
}

static void lockstep_start(const struct program *program, uint32_t launch, const uint32_t block[3],
                           uint32_t first_thread, struct warp *warp)
{
    const struct affine_program *affine = (const struct affine_program *)program;
    const struct affine_launch *call = &affine->launches[launch];
    const struct kernel *kernel = &affine->kernels[call->kernel];
    const uint32_t *shape = program->source.launches[launch].block;
    const int64_t place[2] = {block[call->turned ? 1 : 0], block[call->turned ? 0 : 1]};
    struct lockstep *at = (struct lockstep *)warp;
    at->x = place[0] * shape[0] + first_thread % shape[0];
    at->y = place[1] * shape[1] + first_thread / shape[0];
    at->mask = spans_rows(program, launch)
                   ? place_lanes(at, &call->guard, place, shape, first_thread)
                   : row_guard(at, &call->guard);
    at->lanes =
        low_lanes((int64_t)launch_threads(&program->source.launches[launch]) - first_thread);
    warp->gap = kernel->prologue;
    if (!at->mask)
        at->step = kernel->step_count - 1; /* the guard's branch leads to the return */
}

/* The lanes of `mask` whose loop has more than `counter` iterations. */
static uint32_t lanes_left(const struct lockstep *at, bool rows, const struct step *loop,
                           int64_t counter, uint32_t mask)
{
    if (loop->most && counter >= loop->most)
        return 0;
    if (!loop->per_x)
        return counter < loop->count ? mask : 0;
    uint32_t left = 0;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        int64_t x = rows ? at->places->x[lane] : at->x + lane;
        if (counter < loop->count + loop->per_x * x)
            left |= UINT32_C(1) << lane;
    }
    return left & mask;
}

/* Returns the next step. */
static uint32_t enter_loop(struct lockstep *at, bool rows, const struct step *step, uint32_t index)
{
    uint32_t inside = lanes_left(at, rows, step, 0, at->mask);
    struct loop *loop = &at->loops[step->depth];
    loop->counter = 0;
    if (!inside)
        return step->partner + 1;
    loop->outside = at->mask;
    at->mask = inside;
    return index + 1;
}

/* Returns the next step: the start of the body, or the step after the loop. */
static inline uint32_t close_loop(struct lockstep *at, bool rows, const struct step *steps,
                                  uint32_t index)
{
    const struct step *end = &steps[index];
    struct loop *loop = &at->loops[end->depth];
    loop->counter++;
    uint32_t left = lanes_left(at, rows, &steps[end->partner], loop->counter, at->mask);
    if (left) {
        at->mask = left;
        return end->partner + 1;
    }
    at->mask = loop->outside;
    loop->counter = 0; /* no step after the loop depends on it */
    return index + 1;
}

/* The address that lane 0 would access. */
static inline uint64_t record_base(const struct lockstep *at, const struct step *step, int64_t k)
{
    return step->base + (uint64_t)(step->x * at->x + step->y * at->y + step->k * k +
                                   step->i * at->loops[0].counter + step->j * at->loops[1].counter);
}

static inline uint8_t record_op(const struct step *step)
{
    return step->kind == KERNEL_LOAD ? OP_LOAD : OP_STORE;
}

/* Emits a record of a warp that may span rows. */
static void emit_rows(const struct lockstep *at, const struct step *step, int64_t k, uint32_t gap,
                      struct access_window *window)
{
    uint64_t addresses[WARP_SIZE], base = record_base(at, step, k);
    uint32_t count = 0;
    for (uint32_t left = at->mask; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        addresses[count++] = base + (uint64_t)(step->x * (at->places->x[lane] - at->x) +
                                               step->y * (at->places->y[lane] - at->y));
    }
    struct warp_access access = {.mask = at->mask,
                                 .pc = step->pc,
                                 .gap = gap,
                                 .bytes = step->bytes,
                                 .op = record_op(step),
                                 .space = SPACE_GLOBAL};
    window_push(window, access, addresses);
}

/* Emits a record of a warp within one row, which is affine by construction. Fields are written
 * straight into the window. Building a struct first would copy it in wider pieces than it was
 * written in, which defeats store forwarding and costs more than everything else here. */
static inline void emit_row(const struct lockstep *at, const struct step *step, int64_t k,
                            uint32_t gap, struct access_window *window)
{
    struct warp_access *access = &window->items[window->count++];
    uint32_t mask = at->mask;
    access->base = record_base(at, step, k);
    access->stride = (int32_t)step->x;
    access->mask = mask;
    access->pc = step->pc;
    access->gap = gap;
    access->bytes = step->bytes;
    access->op = record_op(step);
    access->space = SPACE_GLOBAL;
    access->flags = 0;
    memset(access->reserved, 0, sizeof access->reserved);
    if (!(mask & (mask - 1))) { /* one lane: access_compress gives stride 0 */
        access->base += (uint64_t)(step->x * __builtin_ctz(mask));
        access->stride = 0;
    }
}

/* Zero where there is no memory. */
static double load_value(const void *memory, uint8_t bytes)
{
    double wide = 0;
    float narrow = 0;
    if (memory && bytes == sizeof wide)
        memcpy(&wide, memory, sizeof wide);
    else if (memory)
        memcpy(&narrow, memory, sizeof narrow);
    return bytes == sizeof wide ? wide : (double)narrow;
}

static void store_value(void *memory, double value, uint8_t bytes)
{
    const float narrow = (float)value;
    memcpy(memory, bytes == sizeof value ? (const void *)&value : &narrow, bytes);
}

/* Loads or stores the values of the last record. */
static void move_values(const struct step *step, const struct access_window *window,
                        struct device *device)
{
    const struct warp_access *access = &window->items[window->count - 1];
    uint64_t addresses[WARP_SIZE];
    access_addresses(access, window, addresses);
    unsigned next = 0;
    for (uint32_t left = access->mask; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        double *value = &device->registers[step->kind == KERNEL_LOAD ? step->to : step->a][lane];
        void *memory = device_at(device, addresses[next++], step->bytes);
        if (step->kind == KERNEL_LOAD)
            *value = load_value(memory, step->bytes);
        else if (memory)
            store_value(memory, *value, step->bytes);
    }
}

/* Floats: one operation in double precision, rounded, is the operation in single precision, because
 * a double has more than twice the digits (S. Figueroa, "When is double rounding innocuous?",
 * SIGNUM Newsletter 30(3), 1995). */
static double rounded(const struct step *step, double value)
{
    return step->bytes == sizeof value ? value : (double)(float)value;
}

static double compute_lane(const struct step *step, double to, double a, double b)
{
    const double value = (double)step->value;
    switch ((enum step_kind)step->kind) {
    case KERNEL_SET:
    case KERNEL_FROM_INTEGER:
        return value;
    case KERNEL_ADD:
        return rounded(step, a + b);
    case KERNEL_SUB:
        return rounded(step, a - b);
    case KERNEL_MUL:
        return rounded(step, a * b);
    case KERNEL_SCALE:
        return rounded(step, a * value);
    case KERNEL_DIV:
        return rounded(step, a / b);
    case KERNEL_DIVIDE_BY:
        return rounded(step, a / value);
    case KERNEL_FMA:
        return rounded(step, rounded(step, a * b) + to);
    case KERNEL_MADD:
        return rounded(step, rounded(step, a * value) + to);
    case KERNEL_SQRT:
        return rounded(step, sqrt(a));
    case KERNEL_ONE_WHERE_AT_MOST:
        return a <= value ? 1 : a;
    default:
        return to;
    }
}

/* Runs an arithmetic step on the device's registers, lane by lane. */
static void compute(const struct step *step, uint32_t mask, struct device *device)
{
    if (step->kind == KERNEL_WORK)
        return;
    for (uint32_t left = mask; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        double *to = &device->registers[step->to][lane];
        *to = compute_lane(step, *to, device->registers[step->a][lane],
                           device->registers[step->b][lane]);
    }
}

/* Always inlined, so that `rows` and `device` are constants and the plain walk contains no code for
 * them. The step and the gap stay in registers. */
static inline __attribute__((always_inline)) void walk(const struct kernel *kernel, int64_t k,
                                                       struct lockstep *at, bool rows,
                                                       struct access_window *window,
                                                       struct device *device)
{
    const struct step *steps = kernel->steps;
    uint32_t index = at->step, gap = at->warp.gap, count = kernel->step_count;
    while (index < count) {
        const struct step *step = &steps[index];
        switch ((enum step_kind)step->kind) {
        case KERNEL_LOAD:
        case KERNEL_STORE:
            if (window->count == window->capacity)
                goto full;
            if (rows)
                emit_rows(at, step, k, gap, window);
            else
                emit_row(at, step, k, gap, window);
            if (device)
                move_values(step, window, device);
            gap = 0;
            index++;
            break;
        case KERNEL_LOOP:
            index = enter_loop(at, rows, step, index);
            break;
        case KERNEL_END:
            gap += step->instructions;
            index = close_loop(at, rows, steps, index);
            break;
        default:
            gap += device ? step->instructions : step->run_instructions;
            index += device ? 1 : step->run;
            if (device)
                compute(step, at->mask, device);
        }
    }
    at->warp.done = true;
full:
    at->step = index;
    at->warp.gap = gap;
}

static void resume(const struct program *program, uint32_t launch, struct warp *warp,
                   struct access_window *window, struct device *device)
{
    const struct affine_program *affine = (const struct affine_program *)program;
    const struct affine_launch *call = &affine->launches[launch];
    const struct kernel *kernel = &affine->kernels[call->kernel];
    struct lockstep *at = (struct lockstep *)warp;
    bool rows = spans_rows(program, launch);
    if (device)
        walk(kernel, call->k, at, rows, window, device);
    else if (rows)
        walk(kernel, call->k, at, true, window, NULL);
    else
        walk(kernel, call->k, at, false, window, NULL);
}

/* Goes to the next step and its first instruction. */
static void leave_step(const struct kernel *kernel, bool rows, struct lockstep *at)
{
    const struct step *step = &kernel->steps[at->step];
    if (step->kind == KERNEL_LOOP)
        at->step = enter_loop(at, rows, step, at->step);
    else if (step->kind == KERNEL_END)
        at->step = close_loop(at, rows, kernel->steps, at->step);
    else
        at->step++;
    if (at->step < kernel->step_count)
        at->row = step_code(kernel, &kernel->steps[at->step]);
    else
        at->warp.done = true;
}

/* All threads meet at the return, also those that the guard sent there. */
static void issue_step(const struct kernel *kernel, bool rows, struct lockstep *at,
                       struct instruction_window *window)
{
    const struct step *step = &kernel->steps[at->step];
    uint32_t end = step_code(kernel, step) + step->instructions;
    uint32_t mask = at->step + 1 == kernel->step_count ? at->lanes : at->mask;
    at->row = code_issue(window, at->row, end, mask, step_is_record(step) ? ISSUE_RECORD : 0);
    if (at->row == end)
        leave_step(kernel, rows, at);
}

static enum status lockstep_issue(const struct program *program, uint32_t launch, struct warp *warp,
                                  struct instruction_window *window)
{
    const struct affine_program *affine = (const struct affine_program *)program;
    const struct kernel *kernel = &affine->kernels[affine->launches[launch].kernel];
    struct lockstep *at = (struct lockstep *)warp;
    bool rows = spans_rows(program, launch);
    if (at->row < kernel->prologue) {
        at->row = code_issue(window, at->row, kernel->prologue, at->lanes, 0);
        if (at->row == kernel->prologue)
            at->row = step_code(kernel, &kernel->steps[at->step]);
    }
    while (!warp->done && window->count < window->capacity)
        issue_step(kernel, rows, at, window);
    return STATUS_OK;
}

static void free_launches(struct program *program)
{
    free(((struct affine_program *)program)->launches);
}

const struct program_ops affine_ops = {.warp_bytes = warp_bytes,
                                       .start = lockstep_start,
                                       .resume = resume,
                                       .issue = lockstep_issue,
                                       .free = free_launches};
