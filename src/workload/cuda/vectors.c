/* VECTORS: one element of vectors a thread and step: additions, copies, scaled sums.
 *
 * With `grid` 0 each thread makes one element; otherwise the blocks of the grid stride over the
 * vectors, and whoever has no element left stops. With a `stride` only every so many-th element is
 * made. `loop` steps in registers stand in front of the store, as in kernels whose lanes diverge: a
 * warp issues them once, however many of its lanes take part. Each adds the counter, converted to
 * floating point, times a constant; nvcc makes 16 at once, of an addition, a conversion and a
 * multiply-add each (tests/hardware/kernels/profiled.cu, vector_divergent). */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/kernel.h"

enum { N, OPERANDS, STRIDE, LOOP, GRID, BLOCK_X };

static const struct workload_parameter parameters_vectors[] = {
    {"n", 33554432, 1, UINT64_C(1) << 32, "elements of a vector"},
    {"operands", 2, 1, 2, "vectors that are read: 2 adds, 1 copies"},
    {"stride", 1, 1, 1024, "makes every so many-th element only"},
    {"loop", 0, 0, 65536, "additions of a converted counter to each element, without memory"},
    {"grid", 0, 0, 1 << 20, "blocks that stride over the vectors; 0: one thread an element"},
    BLOCK_1D_PARAMETER,
    PROGRAM_DEVICE_PARAMETERS,
};

struct shape {
    int64_t stride, loop, operands;
};

static void add_element(struct kernel *kernel, const uint32_t arrays[3], const struct shape *shape,
                        struct element place)
{
    enum { LEFT, RIGHT, COUNTER, UNROLL = 16 };
    place.array = arrays[0];
    kernel_load(kernel, LEFT, place);
    if (shape->operands == 2) {
        place.array = arrays[1];
        kernel_load(kernel, RIGHT, place);
        kernel_compute(kernel, KERNEL_ADD, LEFT, LEFT, RIGHT);
    }
    if (shape->loop) {
        kernel_loop(kernel, shape->loop, 0);
        kernel_unroll(kernel, UNROLL);
        kernel_work(kernel, 1);
        kernel_compute_value(kernel, KERNEL_FROM_INTEGER, COUNTER, COUNTER, 1);
        kernel_compute_value(kernel, KERNEL_MADD, LEFT, COUNTER, 0.0001f);
        kernel_end(kernel, 3);
    }
    place.array = arrays[2];
    kernel_store(kernel, LEFT, place);
}

/* The threads of a grid take turns: thread x makes element x, x + threads, ... Threads below
 * `left` make one more than the others. */
static void build_strides(struct kernel *kernel, const uint32_t arrays[3],
                          const struct shape *shape, int64_t elements, int64_t threads)
{
    const int64_t whole = elements / threads, left = elements % threads;
    kernel_work(kernel, 4);
    if (whole) {
        kernel_loop(kernel, whole, 0);
        add_element(kernel, arrays, shape,
                    (struct element){.x = shape->stride, .i = threads * shape->stride});
        kernel_end(kernel, 4);
    }
    if (left) {
        kernel_below(kernel, left);
        add_element(kernel, arrays, shape,
                    (struct element){.x = shape->stride, .at = whole * threads * shape->stride});
        kernel_end(kernel, 4);
    }
    kernel_finish(kernel);
}

static void launch(struct affine_program *program, const uint32_t arrays[3],
                   const struct shape *shape, int64_t elements, const uint64_t *values)
{
    const int64_t threads = (int64_t)(values[GRID] * values[BLOCK_X]);
    struct kernel *kernel = affine_kernel(program, "vector_kernel", 6);
    if (threads) {
        build_strides(kernel, arrays, shape, elements, threads);
        affine_launch(program, kernel, (uint64_t)threads, 1, values[BLOCK_X], 1, 0,
                      (struct guard){0, threads, 0, 1});
        return;
    }
    kernel_work(kernel, 4);
    add_element(kernel, arrays, shape, (struct element){.x = shape->stride});
    kernel_finish(kernel);
    affine_launch(program, kernel, (uint64_t)elements, 1, values[BLOCK_X], 1, 0,
                  (struct guard){0, elements, 0, 1});
}

static enum status open_vectors(const uint64_t *values, struct trace_source **source,
                                struct diagnostics *diagnostics)
{
    const struct shape shape = {.stride = (int64_t)values[STRIDE],
                                .loop = (int64_t)values[LOOP],
                                .operands = (int64_t)values[OPERANDS]};
    const uint64_t elements = (values[N] + values[STRIDE] - 1) / values[STRIDE];
    struct affine_program *program = affine_create(&workload_vectors, values);
    if (!program)
        return STATUS_MEMORY;
    uint32_t arrays[3];
    arrays[0] = arrays[1] = program_array(&program->program, "A", 4 * values[N]);
    if (shape.operands == 2)
        arrays[1] = program_array(&program->program, "B", 4 * values[N]);
    arrays[2] = program_array(&program->program, "C", 4 * values[N]);
    launch(program, arrays, &shape, (int64_t)elements, values);
    return affine_finish(program, source, diagnostics);
}

CUDA_PROGRAM(
    vectors, "VECTORS", PROFILED_SUITE,
    .help = "additions and copies of vectors, one element per thread or strides of a grid");
