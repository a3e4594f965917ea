/* GRAMSCHMIDT: the QR factors of A by modified Gram-Schmidt; three launches a column k.
 *
 * PTX order. Kernel 1 is one thread that walks column k; kernel 2 scales that column into Q, one
 * thread a row, a whole matrix row apart from its neighbour; kernel 3 removes it from the columns
 * after it, one thread a column. The store to R stays in the first loop of kernel 3, and its
 * second loop loads R again every time, because A may alias it. (The source names A before R in
 * kernel 2 and Q before A in kernel 3.) As in the suite, the grids of kernels 2 and 3 are the same.
 */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/kernel.h"

enum { N, NI, NJ, BLOCK_X };

/* Three launches a column. */
enum { EDGE_MAX = 16384 };

static const struct workload_parameter parameters_gramschmidt[] = {
    {"n", 2048, 1, EDGE_MAX, "rows and columns of A"},
    {"ni", 0, 0, EDGE_MAX, "rows (length of a vector); 0 takes n"},
    {"nj", 0, 0, EDGE_MAX, "columns (vectors); 0 takes n"},
    BLOCK_1D_PARAMETER,
    UNROLL_PARAMETER,
    PROGRAM_DEVICE_PARAMETERS,
};

struct factors {
    uint32_t a, r, q;
    int64_t ni, nj;
};

static const struct kernel *build_norm(struct affine_program *program, const struct factors *qr)
{
    enum { NORM, VALUE };
    struct kernel *kernel = affine_kernel(program, "gramschmidt_kernel1", 7);
    kernel_set(kernel, NORM, 0);
    kernel_work(kernel, 3);
    kernel_loop(kernel, qr->ni, 0);
    kernel_unroll(kernel, 64);
    kernel_load(kernel, VALUE, (struct element){qr->a, .k = 1, .i = qr->nj});
    kernel_compute(kernel, KERNEL_FMA, NORM, VALUE, VALUE);
    kernel_end(kernel, 4); /* the pointer, the counter, compare, branch */
    kernel_compute(kernel, KERNEL_SQRT, NORM, NORM, NORM);
    kernel_work(kernel, 3);
    kernel_store(kernel, NORM, (struct element){qr->r, .k = qr->nj + 1});
    kernel_finish(kernel);
    return kernel;
}

static const struct kernel *build_scale(struct affine_program *program, const struct factors *qr)
{
    enum { NORM, VALUE };
    struct kernel *kernel = affine_kernel(program, "gramschmidt_kernel2", 6);
    kernel_work(kernel, 7);
    kernel_load(kernel, NORM, (struct element){qr->r, .k = qr->nj + 1});
    kernel_load(kernel, VALUE, (struct element){qr->a, .x = qr->nj, .k = 1});
    kernel_compute(kernel, KERNEL_DIV, VALUE, VALUE, NORM);
    kernel_work(kernel, 1);
    kernel_store(kernel, VALUE, (struct element){qr->q, .x = qr->nj, .k = 1});
    kernel_finish(kernel);
    return kernel;
}

static const struct kernel *build_project(struct affine_program *program, const struct factors *qr)
{
    enum { SUM, VALUE, UNIT, PART };
    const struct element r = {qr->r, .x = 1, .k = qr->nj};
    const struct element a = {qr->a, .x = 1, .i = qr->nj};
    const struct element q = {qr->q, .k = 1, .i = qr->nj};
    struct kernel *kernel = affine_kernel(program, "gramschmidt_kernel3", 8);
    kernel_set(kernel, SUM, 0);
    kernel_work(kernel, 5);
    kernel_store(kernel, SUM, r);
    kernel_work(kernel, 6);
    kernel_loop(kernel, qr->ni, 0);
    kernel_unroll(kernel, 40);
    kernel_load(kernel, VALUE, a);
    kernel_load(kernel, UNIT, q);
    kernel_compute(kernel, KERNEL_FMA, SUM, UNIT, VALUE);
    kernel_store(kernel, SUM, r);
    kernel_end(kernel, 5); /* two pointers, the counter, compare, branch */
    kernel_work(kernel, 1);
    kernel_loop(kernel, qr->ni, 0);
    kernel_unroll(kernel, 8);
    kernel_load(kernel, SUM, r);
    kernel_load(kernel, UNIT, q);
    kernel_compute(kernel, KERNEL_MUL, PART, UNIT, SUM);
    kernel_load(kernel, VALUE, a);
    kernel_compute(kernel, KERNEL_SUB, VALUE, VALUE, PART);
    kernel_store(kernel, VALUE, a);
    kernel_end(kernel, 5);
    kernel_finish(kernel);
    return kernel;
}

static enum status open_gramschmidt(const uint64_t *values, struct trace_source **source,
                                    struct diagnostics *diagnostics)
{
    struct affine_program *program = affine_create(&workload_gramschmidt, values);
    if (!program)
        return STATUS_MEMORY;
    struct factors qr = {.ni = size_or(values[NI], values[N]),
                         .nj = size_or(values[NJ], values[N])};
    uint64_t bytes = 4 * (uint64_t)(qr.ni * qr.nj);
    qr.a = program_array(&program->program, "A", bytes);
    /* R is nj x nj; the suite gives it the bytes of A, which for wide matrices is too little. */
    uint64_t square = 4 * (uint64_t)(qr.nj * qr.nj);
    qr.r = program_array(&program->program, "R", bytes > square ? bytes : square);
    qr.q = program_array(&program->program, "Q", bytes);
    const struct kernel *norm = build_norm(program, &qr), *scale = build_scale(program, &qr),
                        *project = build_project(program, &qr);
    uint64_t block = values[BLOCK_X], width = (uint64_t)(qr.ni > qr.nj ? qr.ni : qr.nj);
    for (int64_t k = 0; k < qr.nj; k++) {
        affine_launch(program, norm, 1, 1, block, 1, k, (struct guard){0, 1, 0, 1});
        affine_launch(program, scale, width, 1, block, 1, k, (struct guard){0, qr.ni, 0, 1});
        affine_launch(program, project, width, 1, block, 1, k, (struct guard){k + 1, qr.nj, 0, 1});
    }
    return affine_finish(program, source, diagnostics);
}

CUDA_PROGRAM(
    gramschmidt, "GRAMSCHMIDT", POLYBENCH_SUITE,
    .help = "QR by modified Gram-Schmidt, three launches per column; one warp or long row strides");
