/* MATMUL: C = A B, one thread an element, the loop that every course on products begins with.
 *
 * The sum stays in a register; nvcc unrolls the loop by 4: eight loads, then four multiply-adds.
 * `order` says how threads lie over C: 0 x along its rows, so that loads of B are coalesced; 1 x
 * down its columns, so that lanes lie a row of A apart; 2 as 0, but consecutive blocks follow each
 * other down the columns of C instead of along its rows. Which elements a warp asks for is the same
 * in 0 and 2: what differs is what the blocks that run at one time share. `update` reads C in the
 * end, as alpha A B + beta C does. */
#include "workload/cuda/kernel.h"
#include "workload/cuda/programs.h"

enum { N, NI, NJ, NK, ORDER, UPDATE, UNROLL, BLOCK_X, BLOCK_Y };
enum { ORDER_ROWS, ORDER_COLUMNS, ORDER_DOWN };
enum { UNROLL_MAX = 4 };

static const struct workload_parameter parameters_matmul[] = {
    {"n", 1024, 1, MATRIX_EDGE_MAX, "edge of square matrices"},
    {"ni", 0, 0, MATRIX_EDGE_MAX, "rows of A and C; 0 takes n"},
    {"nj", 0, 0, MATRIX_EDGE_MAX, "columns of B and C; 0 takes n"},
    {"nk", 0, 0, MATRIX_EDGE_MAX, "columns of A, rows of B; 0 takes n"},
    {"order", 0, 0, 2, "of threads: 0 along rows of C, 1 down columns, 2 blocks down columns"},
    {"update", 0, 0, 1, "1 adds to what C holds"},
    {"unroll", 4, 1, UNROLL_MAX, "steps of the loop that its code makes at once"},
    {"block_x", 16, 1, 1024, "threads of a block in x"},
    {"block_y", 16, 1, 1024, "threads of a block in y"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct factors {
    struct element left, right; /* of the first step */
    int64_t left_apart, right_apart;
};

static void add_steps(struct kernel *kernel, const struct factors *factors, int64_t first,
                      int64_t steps)
{
    enum { SUM, LOADED };
    struct element left = factors->left, right = factors->right;
    left.i = steps * factors->left_apart;
    right.i = steps * factors->right_apart;
    for (int64_t k = 0; k < steps; k++) {
        left.at = factors->left.at + (first + k) * factors->left_apart;
        right.at = factors->right.at + (first + k) * factors->right_apart;
        kernel_load(kernel, (uint8_t)(LOADED + 2 * k), left);
        kernel_load(kernel, (uint8_t)(LOADED + 2 * k + 1), right);
    }
    for (int64_t k = 0; k < steps; k++)
        kernel_compute(kernel, KERNEL_FMA, SUM, (uint8_t)(LOADED + 2 * k),
                       (uint8_t)(LOADED + 2 * k + 1));
}

static void build_kernel(struct kernel *kernel, const struct factors *factors, struct element out,
                         const uint64_t *values, int64_t nk)
{
    enum { SUM, BEFORE };
    const int64_t unroll = (int64_t)values[UNROLL], whole = nk / unroll;
    kernel_set(kernel, SUM, 0);
    kernel_work(kernel, 6);
    if (whole) {
        kernel_loop(kernel, whole, 0);
        add_steps(kernel, factors, 0, unroll);
        kernel_end(kernel, 5); /* two pointers, the counter, compare, branch */
    }
    if (nk % unroll) {
        kernel_loop(kernel, nk % unroll, 0);
        add_steps(kernel, factors, whole * unroll, 1);
        kernel_end(kernel, 5);
    }
    kernel_work(kernel, 2);
    if (values[UPDATE]) {
        kernel_load(kernel, BEFORE, out);
        kernel_compute(kernel, KERNEL_ADD, SUM, SUM, BEFORE);
    }
    kernel_store(kernel, SUM, out);
    kernel_finish(kernel);
}

static enum status open_matmul(const uint64_t *values, struct trace_source **source,
                               struct diagnostics *diagnostics)
{
    const int64_t ni = size_or(values[NI], values[N]), nj = size_or(values[NJ], values[N]),
                  nk = size_or(values[NK], values[N]);
    const bool columns = values[ORDER] == ORDER_COLUMNS;
    const int64_t width = columns ? ni : nj, height = columns ? nj : ni;
    enum status status = program_check_block(values[BLOCK_X], values[BLOCK_Y], diagnostics);
    if (status)
        return status;
    struct affine_program *program = affine_create(&workload_matmul, values);
    if (!program)
        return STATUS_MEMORY;
    const uint32_t arrays[3] = {
        program_array(&program->program, "A", 4 * (uint64_t)(ni * nk)),
        program_array(&program->program, "B", 4 * (uint64_t)(nk * nj)),
        program_array(&program->program, "C", 4 * (uint64_t)(ni * nj)),
    };
    const struct factors factors = {
        .left = {arrays[0], .x = columns ? nk : 0, .y = columns ? 0 : nk},
        .right = {arrays[1], .x = columns ? 0 : 1, .y = columns ? 1 : 0},
        .left_apart = 1,
        .right_apart = nj,
    };
    const struct element out = {arrays[2], .x = columns ? nj : 1, .y = columns ? 1 : nj};
    struct kernel *kernel = affine_kernel(program, "matmul_naive", 14);
    build_kernel(kernel, &factors, out, values, nk);
    affine_launch(program, kernel, (uint64_t)width, (uint64_t)height, values[BLOCK_X],
                  values[BLOCK_Y], 0, (struct guard){0, width, 0, height});
    if (values[ORDER] == ORDER_DOWN)
        affine_turn(program);
    return affine_finish(program, source, diagnostics);
}

const struct workload workload_matmul = {
    .name = "MATMUL",
    .suite = PROFILED_SUITE,
    .help = "C = A B without tiles; three ways to lay threads and blocks over C",
    .parameters = parameters_matmul,
    .parameter_count = sizeof parameters_matmul / sizeof *parameters_matmul,
    .open = open_matmul,
};
