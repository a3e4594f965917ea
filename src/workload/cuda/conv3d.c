/* 3DCONV: a 3 x 3 x 3 stencil of a volume, one launch a plane, one thread a point of the plane.
 *
 * The source has 15 products but only 11 distinct points: three of its terms read A[i-1][j-1][k-1]
 * and three A[i+1][j-1][k-1]. Compiled code loads each point once, before the arithmetic, in the
 * order generated here, that of the machine code of nvcc 13 (sm_75). Border threads do nothing.
 *
 * With the parameter `ptx` it is the PTX that Jia et al. (Journal of Xidian University 50(2), 2023)
 * saw: the pcs that they print begin at 0x160 and put three instructions from the third load on to
 * the next, so that a product and a sum stand after each. The first two points and the fourth and
 * fifth are the other way round there. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/kernel.h"

enum { N, NI, NJ, NK, BLOCK_X, BLOCK_Y, PTX };

enum { EDGE_MAX = 2048 };

static const struct workload_parameter parameters_conv3d[] = {
    {"n", 256, 3, EDGE_MAX, "edge of the volume"},
    {"ni", 0, 0, EDGE_MAX, "planes, of which all but the outer two are launches; 0 takes n"},
    {"nj", 0, 0, EDGE_MAX, "rows of a plane; 0 takes n"},
    {"nk", 0, 0, EDGE_MAX, "columns of a plane; 0 takes n"},
    BLOCK_2D_PARAMETERS,
    PTX_PARAMETER,
    PROGRAM_DEVICE_PARAMETERS,
};

static struct element point(uint32_t array, int i, int j, int k, int64_t nj, int64_t nk)
{
    return (struct element){array, .at = i * nj * nk + j * nk + k, .x = 1, .y = nk, .k = nj * nk};
}

/* The terms after those of the two points that occur three times, in the order of the loads;
 * `turn` is that of the arithmetic, and of the PTX. */
static const struct {
    int i, j, k, turn;
    float weight;
} terms[] = {
    {0, -1, 0, 0, -3}, {0, 1, 0, 2, -9}, {0, 0, 0, 1, 6},   {-1, -1, 1, 3, 2}, {1, -1, 1, 4, 4},
    {-1, 0, 1, 5, 5},  {1, 0, 1, 6, 7},  {-1, 1, 1, 7, -8}, {1, 1, 1, 8, 10},
};
enum { TERMS = sizeof terms / sizeof *terms, LOW = TERMS, HIGH, SUM, PRODUCT };

/* The terms of the two points that occur three times. */
static const struct {
    uint8_t point;
    float weight;
} repeated[] = {{HIGH, 4}, {LOW, 2}, {LOW, 5}, {HIGH, 7}, {LOW, -8}, {HIGH, 10}};
enum { REPEATED = sizeof repeated / sizeof *repeated };

static size_t term_in_turn(int turn)
{
    size_t t = 0;
    while (terms[t].turn != turn)
        t++;
    return t;
}

static void build_compiled(struct kernel *kernel, uint32_t a, int64_t nj, int64_t nk)
{
    kernel_work(kernel, 7);
    kernel_load(kernel, HIGH, point(a, 1, -1, -1, nj, nk));
    kernel_load(kernel, LOW, point(a, -1, -1, -1, nj, nk));
    kernel_work(kernel, 3);
    for (size_t t = 0; t < TERMS; t++)
        kernel_load(kernel, (uint8_t)terms[t].turn,
                    point(a, terms[t].i, terms[t].j, terms[t].k, nj, nk));
    for (int i = 0; i < REPEATED; i++)
        kernel_compute_value(kernel, i ? KERNEL_MADD : KERNEL_SCALE, SUM, repeated[i].point,
                             repeated[i].weight);
    for (int turn = 0; turn < TERMS; turn++)
        kernel_compute_value(kernel, KERNEL_MADD, SUM, (uint8_t)turn,
                             terms[term_in_turn(turn)].weight);
    kernel_work(kernel, 2);
}

static void add_product(struct kernel *kernel, uint8_t point, float weight)
{
    kernel_compute_value(kernel, KERNEL_SCALE, PRODUCT, point, weight);
    kernel_compute(kernel, KERNEL_ADD, SUM, SUM, PRODUCT);
}

/* How many instructions of the guard and of addresses stand in front of the first load is known
 * from its pc, which of them they are is not. */
static void build_ptx(struct kernel *kernel, uint32_t a, int64_t nj, int64_t nk, bool swapped)
{
    kernel_work(kernel, 14);
    for (int k = 0; k < 2; k++) {
        const bool high = k != swapped;
        kernel_load(kernel, high ? HIGH : LOW, point(a, high ? 1 : -1, -1, -1, nj, nk));
    }
    kernel_compute_value(kernel, KERNEL_SCALE, SUM, repeated[0].point, repeated[0].weight);
    for (int i = 1; i < REPEATED; i++)
        add_product(kernel, repeated[i].point, repeated[i].weight);
    kernel_work(kernel, 1);
    for (int turn = 0; turn < TERMS; turn++) {
        const size_t t = term_in_turn(turn);
        kernel_load(kernel, (uint8_t)turn, point(a, terms[t].i, terms[t].j, terms[t].k, nj, nk));
        add_product(kernel, (uint8_t)turn, terms[t].weight);
    }
    kernel_work(kernel, 2);
}

static void conv3d_kernel(struct kernel *kernel, uint32_t a, uint32_t b, int64_t nj, int64_t nk,
                          uint64_t ptx)
{
    if (ptx)
        build_ptx(kernel, a, nj, nk, ptx == 2);
    else
        build_compiled(kernel, a, nj, nk);
    kernel_store(kernel, SUM, point(b, 0, 0, 0, nj, nk));
    kernel_finish(kernel);
}

static enum status open_conv3d(const uint64_t *values, struct trace_source **source,
                               struct diagnostics *diagnostics)
{
    enum status status = program_check_block(values[BLOCK_X], values[BLOCK_Y], diagnostics);
    int64_t ni = size_or(values[NI], values[N]), nj = size_or(values[NJ], values[N]),
            nk = size_or(values[NK], values[N]);
    if (ni < 3)
        status = diagnostics_error(diagnostics, STATUS_INVALID,
                                   "3DCONV needs ni of at least 3 to have an inner plane, got %lld",
                                   (long long)ni);
    if (status)
        return status;
    struct affine_program *program = affine_create(&workload_conv3d, values);
    if (!program)
        return STATUS_MEMORY;
    uint32_t a = program_array(&program->program, "A", 4 * (uint64_t)(ni * nj * nk));
    uint32_t b = program_array(&program->program, "B", 4 * (uint64_t)(ni * nj * nk));
    struct kernel *kernel = affine_kernel(program, "convolution3D_kernel", values[PTX] ? 30 : 20);
    conv3d_kernel(kernel, a, b, nj, nk, values[PTX]);
    for (int64_t i = 1; i < ni - 1; i++)
        affine_launch(program, kernel, (uint64_t)nk, (uint64_t)nj, values[BLOCK_X], values[BLOCK_Y],
                      i, (struct guard){1, nk - 1, 1, nj - 1});
    return affine_finish(program, source, diagnostics);
}

CUDA_PROGRAM(
    conv3d, "3DCONV", POLYBENCH_SUITE,
    .help = "3x3x3 stencil of an n^3 volume, one launch per plane; each launch rereads two planes");
