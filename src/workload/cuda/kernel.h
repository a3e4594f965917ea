/* Kernels whose addresses are affine in the thread's column and row, two loop counters and the
 * host's loop counter: dense linear algebra and stencils.
 *
 * A kernel is a list of steps in program order; the calls below build it in the order of the PTX.
 * One walk of that list (lockstep.c) emits the records and, on a device, computes: loads and stores
 * use the very addresses of the emitted records. Instruction counts are those of the PTX without
 * the ones that produce no machine code (ld.param, cvta). Every arithmetic step counts as one;
 * kernel_work and kernel_end add address arithmetic and loop control. kernel_code.c says what each
 * of these instructions is. */
#pragma once

#include "workload/cuda/code.h"
#include "workload/cuda/program.h"

enum { KERNELS_MAX = 4, KERNEL_STEPS_MAX = 1024, KERNEL_LOOPS_MAX = 2 };

/* Element `at + x*column + y*row + k*(host's counter) + i*(outer loop) + j*(inner loop)` of an
 * array of elements of 4 bytes, or 8 (kernel_doubles). Loop counters start at 0. */
struct element {
    uint32_t array;
    int64_t at, x, y, k, i, j;
};

enum step_kind { /* records and control first, then (from KERNEL_WORK on) what a walk may skip */
                 KERNEL_LOAD,
                 KERNEL_STORE,
                 KERNEL_LOOP,
                 KERNEL_END,
                 KERNEL_WORK,             /* instructions without an effect on values */
                 KERNEL_CONVERT,          /* to = to, converted there and back */
                 KERNEL_FROM_INTEGER,     /* to = value, an integer that is converted */
                 KERNEL_SET,              /* to = value */
                 KERNEL_ADD,              /* to = a + b */
                 KERNEL_SUB,              /* to = a - b */
                 KERNEL_MUL,              /* to = a * b */
                 KERNEL_SCALE,            /* to = a * value */
                 KERNEL_DIV,              /* to = a / b */
                 KERNEL_DIVIDE_BY,        /* to = a / value */
                 KERNEL_FMA,              /* to = a * b + to */
                 KERNEL_MADD,             /* to = a * value + to */
                 KERNEL_SQRT,             /* to = sqrt(a) */
                 KERNEL_ONE_WHERE_AT_MOST /* to = a <= value ? 1 : a */
};

struct step {
    uint8_t kind, depth; /* depth: the number of loops around this step */
    uint8_t to, a, b;    /* registers; loads use `to`, stores use `a` */
    uint8_t array;       /* records */
    uint8_t bytes;       /* of an element of the kernel */
    uint8_t copies;      /* records: in how many steps at once their loop is made */
    float value;
    uint32_t pc;
    uint32_t instructions; /* issued by this step; 1 for a record, not part of any gap */
    /* Arithmetic and work: the length of the run of such steps that starts here, and the
     * instructions that the run issues. A walk without a device skips the run at once. */
    uint32_t run, run_instructions;
    uint32_t partner;     /* LOOP: its END; END: its LOOP */
    int64_t count, per_x; /* LOOP: iterations are count + per_x * column ... */
    int64_t most;         /* ... but no more than this; 0: as many as they are */
    uint64_t base;        /* records: bytes, all below too */
    int64_t x, y, k, i, j;
};

static inline bool step_is_record(const struct step *step)
{
    return step->kind == KERNEL_LOAD || step->kind == KERNEL_STORE;
}

struct kernel {
    const char *name;
    uint32_t prologue;
    uint8_t bytes; /* of an element */
    struct step steps[KERNEL_STEPS_MAX];
    uint32_t step_count;
    /* While building: the loops that are open, and in how many steps at once each is made. */
    uint32_t open_loops[KERNEL_LOOPS_MAX], unroll[KERNEL_LOOPS_MAX], depth;
    struct program *program;
};

/* The threads that pass the kernel's guard: those with from <= coordinate < to. */
struct guard {
    int64_t x_from, x_to, y_from, y_to;
};

struct affine_launch {
    uint32_t kernel;
    int64_t k;
    struct guard guard;
    bool turned;
};

struct affine_program {
    struct program program; /* first */
    struct kernel kernels[KERNELS_MAX];
    uint32_t kernel_count;
    struct affine_launch *launches; /* as many as program.source.launch_count */
    size_t capacity;
};

/* Starts a program; NULL if there is no memory. */
struct affine_program *affine_create(const struct workload *workload, const uint64_t *values);

/* Starts a kernel with `prologue` instructions up to the branch of its guard. */
struct kernel *affine_kernel(struct affine_program *program, const char *name, uint32_t prologue);

/* The elements of a kernel without steps are doubles, not floats. */
void kernel_doubles(struct kernel *kernel);

void kernel_load(struct kernel *kernel, uint8_t to, struct element element);
void kernel_store(struct kernel *kernel, uint8_t from, struct element element);

/* A loop of `count + per_x * column` iterations; lanes that have finished wait for the others.
 * `per_x` must be 0 or negative. */
void kernel_loop(struct kernel *kernel, int64_t count, int64_t per_x);
/* What only the threads of the first columns do, once; ends as a loop does. */
void kernel_below(struct kernel *kernel, int64_t columns);

/* The loop that was opened last, which has no loop within and per_x 0, is unrolled by `steps` in
 * compiled code; the parameter `unroll` overrides it. Its control stands once after so many steps;
 * what is left of its count follows step by step. Between two stores, loads are issued before the
 * arithmetic: those of a step, and, if the loop stores nothing, those of all its steps, each into a
 * register of its own. A store may alias any load, so no load passes it: the order of the records
 * is that of the loop as it is written. */
void kernel_unroll(struct kernel *kernel, uint32_t steps);
void kernel_end(struct kernel *kernel, uint32_t instructions);

void kernel_work(struct kernel *kernel, uint32_t instructions);
void kernel_convert(struct kernel *kernel, uint8_t to, uint32_t instructions);
void kernel_set(struct kernel *kernel, uint8_t to, float value);
void kernel_compute(struct kernel *kernel, enum step_kind kind, uint8_t to, uint8_t a, uint8_t b);
void kernel_compute_value(struct kernel *kernel, enum step_kind kind, uint8_t to, uint8_t a,
                          float value);

/* Completes the kernel: adds the return, and computes the pcs, the code and the runs that a walk
 * skips. */
void kernel_finish(struct kernel *kernel);

/* The rows of a kernel whose steps have pcs; its first instruction is at `pc` (kernel_code.c). */
enum status kernel_code(const struct kernel *kernel, uint32_t pc, struct trace_code *code);

/* Which row of the code is the first one of a step. */
static inline uint32_t step_code(const struct kernel *kernel, const struct step *step)
{
    return kernel->prologue + (step->pc - kernel->steps[0].pc) / INSTRUCTION_BYTES;
}

/* Adds a launch of blocks of block_x x block_y that cover width x height threads. */
void affine_launch(struct affine_program *program, const struct kernel *kernel, uint64_t width,
                   uint64_t height, uint64_t block_x, uint64_t block_y, int64_t k,
                   struct guard guard);

/* Turns the grid of the launch that was added last: consecutive blocks follow each other down
 * instead of along x. Blocks and threads keep their places. */
void affine_turn(struct affine_program *program);

/* program_finish of an affine program. */
enum status affine_finish(struct affine_program *program, struct trace_source **source,
                          struct diagnostics *diagnostics);

/* The walk over the steps (lockstep.c). */
extern const struct program_ops affine_ops;
