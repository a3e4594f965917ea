/* QUASIRANDOM: points of a quasi-random sequence and normal variates of them, after the kernels of
 * CUDA's samples (quasirandomGenerator). A row of threads makes a coordinate: it goes through the
 * bits of a point's number, and each that is set takes in one word of a table in constant memory.
 * A second kernel maps numbers evenly spread in (0, 1) to the normal distribution by Moro's
 * method: a quotient of polynomials in the middle, a polynomial of a logarithm's logarithm at
 * either end.
 *
 * The table has Sobol's directions in the place of Niederreiter's; no address depends on them.
 * Counts of instructions are estimates from the source. */
#include <math.h>

#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { N };
enum { DIMENSIONS = 3, BITS = 31, BLOCKS = 128, THREADS = 128 };

static const struct workload_parameter parameters_quasirandom[] = {
    {"n", 1048576, 1, UINT64_C(1) << 30, "points, of three coordinates each"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct quasirandom {
    struct staged_program staged; /* first */
    uint64_t n;
    uint32_t directions[DIMENSIONS][BITS];
};

/* Of the primitive polynomials 1, x + 1 and x^2 + x + 1. */
static void make_directions(uint32_t directions[DIMENSIONS][BITS])
{
    for (uint32_t bit = 0; bit < BITS; bit++) {
        const uint32_t one = UINT32_C(1) << (BITS - 1 - bit);
        directions[0][bit] = one;
        directions[1][bit] = bit ? directions[1][bit - 1] ^ directions[1][bit - 1] >> 1 : one;
        directions[2][bit] = bit == 0   ? one
                             : bit == 1 ? 3 * one
                                        : directions[2][bit - 1] ^ directions[2][bit - 2] ^
                                              directions[2][bit - 2] >> 2;
    }
}

/* ---- first kernel: a coordinate of a point ---- */

/* A stage makes a point of each thread. Lanes read one word of the table, or none. */
static enum stage_end run_points(struct stage *stage)
{
    const struct quasirandom *random = (const struct quasirandom *)stage->program;
    const uint32_t row = stage->first_thread / THREADS, column = stage->first_thread % THREADS;
    const uint64_t first =
        (uint64_t)stage->block[0] * THREADS + column + (uint64_t)stage->number * BLOCKS * THREADS;
    const uint32_t mask = lanes_below(first, random->n);
    uint32_t results[WARP_SIZE] = {0};
    float values[WARP_SIZE];
    stage_mix(stage, 1, (struct work){.addresses = 2, .branches = 1});
    for (uint32_t bit = 0; mask && bit < BITS; bit++) {
        const uint32_t *direction = &random->directions[row][bit];
        uint64_t addresses[WARP_SIZE];
        uint32_t set = 0;
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
            addresses[lane] = 4 * (uint64_t)(direction - random->directions[0]);
            if (mask >> lane & (first + lane) >> bit & 1) {
                set |= UINT32_C(1) << lane;
                results[lane] ^= *direction;
            }
        }
        stage_mask(stage, mask);
        stage_mix(stage, 1, (struct work){.integers = 2});
        stage_touch(stage, (struct site){(uint8_t)bit, SPACE_CONSTANT, 4}, OP_LOAD, set, addresses);
    }
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        values[lane] = (float)(results[lane] + 1) * (1.0f / 2147483648.0f);
    stage_mask(stage, mask);
    stage_mix(stage, mask ? 1 : 0, (struct work){.integers = 2, .singles = 1, .specials = 1});
    stage_store_row(stage, word_site(BITS), mask,
                    array_base(stage, 0) + 4 * (row * random->n + first), 4, values);
    return first + BLOCKS * THREADS < random->n ? STAGE_NEXT : STAGE_DONE;
}

static const struct staged_kernel points_kernel = {
    .name = "quasirandomGeneratorKernel",
    .code = {.sites = "L L L L L L L L L L L L L L L L L L L L L L L L L L L L L L L S",
             .prologue = 10},
    .run = run_points,
};

/* ---- second kernel: normal variates ---- */

/* How far from the middle the quotient holds. */
static bool is_middle(uint32_t x, uint32_t *tail)
{
    *tail = x < UINT32_C(0x80000000) ? x : UINT32_MAX - x;
    const float z = (float)((double)*tail * 2.3283064365386963e-10 + 1.1641532182693481e-10);
    return 0.5f - z < 0.42f;
}

static float normal_variate(uint32_t x)
{
    static const float a[] = {2.50662823884f, -18.61500062529f, 41.39119773534f, -25.44106049637f},
                       b[] = {-8.4735109309f, 23.08336743743f, -21.06224101826f, 3.13082909833f},
                       c[] = {0.337475482272615f,   0.976169019091719f,  0.160797971491821f,
                              2.76438810333863e-2f, 3.8405729373609e-3f, 3.951896511919e-4f,
                              3.21767881768e-5f,    2.888167364e-7f,     3.960315187e-7f};
    uint32_t tail;
    const bool middle = is_middle(x, &tail);
    const float near = (float)((double)tail * 2.3283064365386963e-10 + 1.1641532182693481e-10);
    float z;
    if (middle) {
        const float y = 0.5f - near, square = y * y;
        z = y * (((a[3] * square + a[2]) * square + a[1]) * square + a[0]) /
            ((((b[3] * square + b[2]) * square + b[1]) * square + b[0]) * square + 1.0f);
    } else {
        const float logarithm = logf(-logf(near));
        z = c[8];
        for (int i = 7; i >= 0; i--)
            z = c[i] + logarithm * z;
    }
    return x < UINT32_C(0x80000000) ? -z : z;
}

/* A stage makes a variate of each thread; lanes of the middle and of the ends take turns. */
static enum stage_end run_variates(struct stage *stage)
{
    const struct quasirandom *random = (const struct quasirandom *)stage->program;
    const uint64_t count = DIMENSIONS * random->n,
                   first = stage_thread(stage) + (uint64_t)stage->number * BLOCKS * THREADS;
    const uint32_t mask = lanes_below(first, count),
                   distance = (uint32_t)(UINT32_MAX / (count + 1));
    uint32_t middle = 0;
    float values[WARP_SIZE] = {0};
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        uint32_t tail;
        const uint32_t at = (uint32_t)(first + lane + 1) * distance;
        middle |= (uint32_t)is_middle(at, &tail) << lane;
        if (stage->device)
            values[lane] = normal_variate(at);
    }
    stage_mix(stage, 1, (struct work){.addresses = 2, .branches = 1});
    stage_mask(stage, mask);
    stage_mix(stage, mask ? 1 : 0,
              (struct work){.integers = 4, .singles = 3, .specials = 1, .branches = 1});
    stage_mask(stage, mask & middle);
    stage_mix(stage, mask & middle ? 1 : 0, (struct work){.singles = 17, .specials = 1});
    stage_mask(stage, mask & ~middle);
    stage_mix(stage, mask & ~middle ? 1 : 0, (struct work){.singles = 20, .specials = 2});
    stage_mask(stage, mask);
    stage_store_row(stage, word_site(0), mask, array_base(stage, 0) + 4 * first, 4, values);
    return first + BLOCKS * THREADS < count ? STAGE_NEXT : STAGE_DONE;
}

static const struct staged_kernel variates_kernel = {
    .name = "inverseCNDKernel",
    .code = {.sites = "S", .prologue = 10},
    .run = run_variates,
};

static enum status open_quasirandom(const uint64_t *values, struct trace_source **source,
                                    struct diagnostics *diagnostics)
{
    struct quasirandom *random = staged_create(sizeof *random, &workload_quasirandom, values);
    if (!random)
        return STATUS_MEMORY;
    struct staged_program *program = &random->staged;
    random->n = values[N];
    make_directions(random->directions);
    program_array(&program->program, "output", 4 * DIMENSIONS * random->n);
    staged_launch(program, &points_kernel, BLOCKS, 1, THREADS, DIMENSIONS, 0);
    staged_launch(program, &variates_kernel, BLOCKS, 1, THREADS, 1, 0);
    return staged_finish(program, source, diagnostics);
}

CUDA_PROGRAM(
    quasirandom, "QUASIRANDOM", SAMPLES_SUITE,
    .help = "quasi-random points and normal variates of them: arithmetic and coalesced stores");
