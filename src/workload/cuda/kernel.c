#include "workload/cuda/kernel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { KERNEL_PC_ALIGNMENT = 0x4000, BODY_STEPS_MAX = 24 };

struct affine_program *affine_create(const struct workload *workload, const uint64_t *values)
{
    struct affine_program *program = calloc(1, sizeof *program);
    if (program)
        program_init(&program->program, workload, values, &affine_ops);
    return program;
}

struct kernel *affine_kernel(struct affine_program *program, const char *name, uint32_t prologue)
{
    assert(program->kernel_count < KERNELS_MAX);
    struct kernel *kernel = &program->kernels[program->kernel_count++];
    kernel->name = name;
    kernel->prologue = prologue;
    kernel->bytes = sizeof(float);
    kernel->program = &program->program;
    return kernel;
}

void kernel_doubles(struct kernel *kernel)
{
    assert(!kernel->step_count);
    kernel->bytes = sizeof(double);
}

static struct step *kernel_add_step(struct kernel *kernel, enum step_kind kind)
{
    assert(kernel->step_count < KERNEL_STEPS_MAX);
    struct step *step = &kernel->steps[kernel->step_count++];
    step->kind = (uint8_t)kind;
    step->bytes = kernel->bytes;
    step->depth = (uint8_t)kernel->depth;
    step->instructions = 1;
    return step;
}

static struct step *add_record(struct kernel *kernel, enum step_kind kind, struct element element)
{
    assert(element.array < kernel->program->array_count);
    uint64_t base = kernel->program->arrays[element.array].base;
    const int64_t bytes = kernel->bytes;
    struct step *step = kernel_add_step(kernel, kind);
    step->array = (uint8_t)element.array;
    step->copies = 1;
    step->base = base + (uint64_t)(element.at * bytes);
    step->x = element.x * bytes;
    step->y = element.y * bytes;
    step->k = element.k * bytes;
    step->i = element.i * bytes;
    step->j = element.j * bytes;
    return step;
}

void kernel_load(struct kernel *kernel, uint8_t to, struct element element)
{
    add_record(kernel, KERNEL_LOAD, element)->to = to;
}

void kernel_store(struct kernel *kernel, uint8_t from, struct element element)
{
    add_record(kernel, KERNEL_STORE, element)->a = from;
}

static struct step *open_loop(struct kernel *kernel, int64_t count, int64_t per_x)
{
    assert(kernel->depth < KERNEL_LOOPS_MAX && per_x <= 0);
    uint32_t index = kernel->step_count;
    struct step *step = kernel_add_step(kernel, KERNEL_LOOP);
    step->instructions = 0;
    step->count = count;
    step->per_x = per_x;
    kernel->unroll[kernel->depth] = 1;
    kernel->open_loops[kernel->depth++] = index;
    return step;
}

void kernel_loop(struct kernel *kernel, int64_t count, int64_t per_x)
{
    open_loop(kernel, count, per_x);
}

void kernel_below(struct kernel *kernel, int64_t columns)
{
    open_loop(kernel, columns, -1)->most = 1;
}

void kernel_unroll(struct kernel *kernel, uint32_t steps)
{
    assert(kernel->depth && steps <= UNROLL_MAX);
    kernel->unroll[kernel->depth - 1] = kernel->program->unroll ? kernel->program->unroll : steps;
}

/* The body of a loop, while it is unrolled. */
struct body {
    struct step steps[BODY_STEPS_MAX];
    uint32_t count, highest; /* the highest data register */
    bool stores;
};

/* Takes the steps of the loop that was opened last out of the kernel, and the loop. */
static struct body take_body(struct kernel *kernel)
{
    struct body body = {.count = 0};
    const uint32_t loop = kernel->open_loops[kernel->depth - 1];
    body.count = kernel->step_count - loop - 1;
    assert(body.count <= BODY_STEPS_MAX);
    memcpy(body.steps, &kernel->steps[loop + 1], body.count * sizeof *body.steps);
    for (uint32_t s = 0; s < body.count; s++) {
        const struct step *step = &body.steps[s];
        const uint32_t least = step->to > step->a ? step->to : step->a;
        assert(step->kind != KERNEL_LOOP);
        body.highest = body.highest > least ? body.highest : least;
        body.highest = body.highest > step->b ? body.highest : step->b;
        body.stores |= step->kind == KERNEL_STORE;
    }
    memset(&kernel->steps[loop], 0, (body.count + 1) * sizeof *body.steps);
    kernel->step_count = loop;
    kernel->depth--;
    return body;
}

/* Whether a step of the body from `from` on, in front of `load`, uses the register that it loads:
 * then the load stays after it. */
static bool waits(const struct body *body, uint32_t from, uint32_t load)
{
    const uint8_t to = body->steps[load].to;
    for (uint32_t s = from; s < load; s++)
        if (body->steps[s].kind != KERNEL_LOAD &&
            (body->steps[s].to == to || body->steps[s].a == to || body->steps[s].b == to))
            return true;
    return false;
}

/* Puts the loads of each run of steps between stores in front of it. */
static void hoist_loads(struct body *body)
{
    struct body sorted = *body;
    uint32_t count = 0;
    for (uint32_t from = 0, to; from < body->count; from = to) {
        bool moved[BODY_STEPS_MAX] = {false},
             stays = false; /* one that stays holds those after it */
        for (to = from; to < body->count && body->steps[to].kind != KERNEL_STORE;)
            to++;
        for (uint32_t s = from; s < to; s++) {
            const bool load = body->steps[s].kind == KERNEL_LOAD;
            stays |= load && waits(body, from, s);
            moved[s] = load && !stays;
            if (moved[s])
                sorted.steps[count++] = body->steps[s];
        }
        to += to < body->count; /* the store */
        for (uint32_t s = from; s < to; s++)
            if (!moved[s])
                sorted.steps[count++] = body->steps[s];
    }
    *body = sorted;
}

/* Whether a step of the body loads into the register. */
static bool loads_into(const struct body *body, uint8_t name)
{
    for (uint32_t s = 0; s < body->count; s++)
        if (body->steps[s].kind == KERNEL_LOAD && body->steps[s].to == name)
            return true;
    return false;
}

/* The register that copy `copy` of the body has in place of `name`: one of its own if it is loaded.
 */
static uint8_t own_register(const struct body *body, uint8_t name, uint32_t copy)
{
    uint32_t loaded = 0, all = 0;
    if (!copy || !loads_into(body, name))
        return name;
    for (uint32_t r = 0; r <= body->highest; r++) {
        loaded = r == name ? all : loaded;
        all += loads_into(body, (uint8_t)r);
    }
    const uint32_t renamed = body->highest + 1 + (copy - 1) * all + loaded;
    assert(renamed < DEVICE_REGISTERS);
    return (uint8_t)renamed;
}

/* Step `s` of the body in its copy `copy` of `copies`, of which the first is step `first` of the
 * loop as it is written. */
static void add_copy(struct kernel *kernel, const struct body *body, uint32_t s, uint32_t copy,
                     int64_t first, uint32_t copies)
{
    const struct step *from = &body->steps[s];
    struct step *step = kernel_add_step(kernel, from->kind);
    const uint8_t depth = step->depth;
    *step = *from;
    step->depth = depth;
    if (!body->stores) {
        step->to = own_register(body, from->to, copy);
        step->a = own_register(body, from->a, copy);
        step->b = own_register(body, from->b, copy);
    }
    if (!step_is_record(from))
        return;
    int64_t *apart = depth > 1 ? &step->j : &step->i;
    step->base += (uint64_t)(*apart * (first + copy));
    *apart *= copies;
    step->copies = (uint8_t)copies;
}

/* A loop of `count` times `copies` steps of the body, from step `first` on. */
static void add_loop(struct kernel *kernel, const struct body *body, int64_t first, int64_t count,
                     uint32_t copies, uint32_t instructions)
{
    const uint32_t passes = body->stores ? 1 : 2; /* the loads of all copies, then the rest */
    if (!count)
        return;
    kernel_loop(kernel, count, 0);
    for (uint32_t pass = 0; pass < passes; pass++)
        for (uint32_t copy = 0; copy < copies; copy++)
            for (uint32_t s = 0; s < body->count; s++)
                if (passes == 1 || (body->steps[s].kind == KERNEL_LOAD) == !pass)
                    add_copy(kernel, body, s, copy, first, copies);
    kernel_end(kernel, instructions);
}

static void unroll_loop(struct kernel *kernel, uint32_t copies, uint32_t instructions)
{
    const struct step loop = kernel->steps[kernel->open_loops[kernel->depth - 1]];
    const int64_t whole = loop.count / copies;
    assert(!loop.per_x);
    struct body body = take_body(kernel);
    hoist_loads(&body);
    add_loop(kernel, &body, 0, whole, copies, instructions);
    add_loop(kernel, &body, whole * copies, loop.count % copies, 1, instructions);
}

void kernel_end(struct kernel *kernel, uint32_t instructions)
{
    assert(kernel->depth > 0);
    const uint32_t copies = kernel->unroll[kernel->depth - 1];
    if (copies > 1) {
        unroll_loop(kernel, copies, instructions);
        return;
    }
    uint32_t loop = kernel->open_loops[--kernel->depth];
    uint32_t index = kernel->step_count;
    struct step *step = kernel_add_step(kernel, KERNEL_END);
    step->instructions = instructions;
    step->partner = loop;
    kernel->steps[loop].partner = index;
}

void kernel_work(struct kernel *kernel, uint32_t instructions)
{
    if (instructions)
        kernel_add_step(kernel, KERNEL_WORK)->instructions = instructions;
}

void kernel_convert(struct kernel *kernel, uint8_t to, uint32_t instructions)
{
    struct step *step = kernel_add_step(kernel, KERNEL_CONVERT);
    step->to = to;
    step->instructions = instructions;
}

void kernel_set(struct kernel *kernel, uint8_t to, float value)
{
    kernel_compute_value(kernel, KERNEL_SET, to, to, value);
}

void kernel_compute(struct kernel *kernel, enum step_kind kind, uint8_t to, uint8_t a, uint8_t b)
{
    assert(to < DEVICE_REGISTERS && a < DEVICE_REGISTERS && b < DEVICE_REGISTERS);
    struct step *step = kernel_add_step(kernel, kind);
    step->to = to;
    step->a = a;
    step->b = b;
}

void kernel_compute_value(struct kernel *kernel, enum step_kind kind, uint8_t to, uint8_t a,
                          float value)
{
    kernel_compute(kernel, kind, to, a, 0);
    kernel->steps[kernel->step_count - 1].value = value;
}

void kernel_finish(struct kernel *kernel)
{
    enum { RETURN_INSTRUCTIONS = 1 };
    assert(!kernel->depth);
    kernel_work(kernel, RETURN_INSTRUCTIONS);
    /* All kernels of a program share one instruction memory, in the order in which they were
     * added. */
    uint32_t index = 0;
    while (&((const struct affine_program *)kernel->program)->kernels[index] != kernel)
        index++;
    uint32_t start = index * KERNEL_PC_ALIGNMENT;
    uint32_t pc = start + kernel->prologue * INSTRUCTION_BYTES;
    for (uint32_t i = 0; i < kernel->step_count; i++) {
        kernel->steps[i].pc = pc;
        pc += kernel->steps[i].instructions * INSTRUCTION_BYTES;
    }
    assert(pc - start <= KERNEL_PC_ALIGNMENT);
    /* Backwards, so that each step can add the run that follows it. */
    for (uint32_t i = kernel->step_count; i-- > 0;) {
        struct step *step = &kernel->steps[i];
        if (step->kind < KERNEL_WORK)
            continue;
        const struct step *next = i + 1 < kernel->step_count ? step + 1 : NULL;
        step->run = 1 + (next ? next->run : 0);
        step->run_instructions = step->instructions + (next ? next->run_instructions : 0);
    }
    struct trace_code *code = program_code(kernel->program, index);
    if (code)
        kernel->program->status = kernel_code(kernel, start, code);
}

void affine_launch(struct affine_program *program, const struct kernel *kernel, uint64_t width,
                   uint64_t height, uint64_t block_x, uint64_t block_y, int64_t k,
                   struct guard guard)
{
    struct program *base = &program->program;
    uint32_t index = base->source.launch_count;
    program_launch(base, kernel->name, width, height, (uint32_t)block_x, (uint32_t)block_y);
    if (!base->status)
        base->status = array_reserve(&program->launches, &program->capacity, index + 1);
    if (base->status)
        return;
    uint32_t number = (uint32_t)(kernel - program->kernels);
    base->source.launches[index].code = 1 + number;
    program->launches[index] = (struct affine_launch){number, k, guard, false};
}

void affine_turn(struct affine_program *program)
{
    struct program *base = &program->program;
    if (base->status || !base->source.launch_count)
        return;
    const uint32_t index = base->source.launch_count - 1;
    uint32_t *grid = base->source.launches[index].grid, columns = grid[0];
    grid[0] = grid[1];
    grid[1] = columns;
    program->launches[index].turned = true;
}

enum status affine_finish(struct affine_program *program, struct trace_source **source,
                          struct diagnostics *diagnostics)
{
    return program_finish(&program->program, source, diagnostics);
}
