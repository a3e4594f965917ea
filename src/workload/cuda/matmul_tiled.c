/* MATMUL-TILED: C = A B by square tiles of A and B in shared memory, one thread an element of C.
 *
 * Each step of a block loads one element of either tile a thread, waits, multiplies a row of one
 * with a column of the other, and waits again. All lanes of a warp of 32 read one word of A's tile
 * and neighbours of B's, so there are no conflicts of banks. Where tiles stick out of the matrices
 * their elements are zeroes, and nobody loads or stores them (tests/hardware/kernels/profiled.cu,
 * matmul_tiled). */
#include <string.h>

#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { N, TILE };
enum { ARRAY_A, ARRAY_B, ARRAY_C };
enum { SITE_A, SITE_B, SITE_C };

static const struct workload_parameter parameters_tiled[] = {
    {"n", 1024, 1, 32768, "edge of the square matrices"},
    {"tile", 32, 4, 32, "edge of a tile and of a block, a multiple of 4"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct tiled {
    struct staged_program staged; /* first */
    struct staged_kernel kernel;
    uint64_t n, tile;
};

struct sums {
    float at[WARP_SIZE];
};

/* Where the lanes' elements are; returns the lanes that have one. */
static uint32_t find(const struct stage *stage, uint32_t array, uint64_t row_step,
                     uint64_t column_step, bool of_left, uint64_t addresses[WARP_SIZE])
{
    const struct tiled *tiled = (const struct tiled *)stage->program;
    uint32_t mask = 0;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        const uint64_t thread = stage->first_thread + lane;
        const uint64_t tx = thread % tiled->tile, ty = thread / tiled->tile;
        const uint64_t row = (of_left ? stage->block[1] * tiled->tile : 0) + row_step + ty;
        const uint64_t column = column_step + tx;
        mask |= (uint32_t)(row < tiled->n && column < tiled->n) << lane;
        addresses[lane] = array_base(stage, array) + 4 * (row * tiled->n + column);
    }
    return mask & stage->lanes;
}

static void load_tiles(struct stage *stage, uint64_t step)
{
    const struct tiled *tiled = (const struct tiled *)stage->program;
    uint64_t addresses[WARP_SIZE];
    float values[2][WARP_SIZE] = {{0}};
    stage_work(stage, 4);
    uint32_t mask = find(stage, ARRAY_A, 0, step * tiled->tile, true, addresses);
    stage_load(stage, word_site(SITE_A), mask, addresses, values[0]);
    mask =
        find(stage, ARRAY_B, step * tiled->tile, stage->block[0] * tiled->tile, false, addresses);
    stage_load(stage, word_site(SITE_B), mask, addresses, values[1]);
    stage_mask(stage, stage->lanes);
    stage_mix(stage, 1, (struct work){.stores = 2});
    stage_barrier(stage);
    for (uint32_t left = stage->device ? stage->lanes : 0; left; left &= left - 1) {
        float *shared = (float *)(void *)stage->device->shared;
        const uint32_t lane = (uint32_t)__builtin_ctz(left), thread = stage->first_thread + lane;
        shared[thread] = values[0][lane];
        shared[tiled->tile * tiled->tile + thread] = values[1][lane];
    }
}

static void multiply_tiles(struct stage *stage, struct sums *sums)
{
    const struct tiled *tiled = (const struct tiled *)stage->program;
    const float *left = stage->device ? (const void *)stage->device->shared : NULL;
    /* Four elements of A's row come with one load, as nvcc makes it; those of B one by one. Results
     * leave shared memory at 128 B a cycle, so a wide load takes four; two where its lanes share
     * addresses (forums.developer.nvidia.com/t/77228/2). */
    const uint32_t fours = (uint32_t)tiled->tile / 4;
    stage_mix(stage, fours, (struct work){.loads = 1, .banks = 2});
    stage_mix(stage, fours, (struct work){.loads = 4, .singles = 4});
    stage_mix(stage, 1, (struct work){.integers = 2, .branches = 1});
    for (uint64_t k = 0; left && k < tiled->tile; k++)
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
            const uint64_t thread = stage->first_thread + lane;
            const float *right = left + tiled->tile * tiled->tile;
            sums->at[lane] += left[thread / tiled->tile * tiled->tile + k] *
                              right[k * tiled->tile + thread % tiled->tile];
        }
    stage_barrier(stage);
}

/* Stages: two for each step over the tiles, then the element. */
static enum stage_end run_tiled(struct stage *stage)
{
    const struct tiled *tiled = (const struct tiled *)stage->program;
    struct sums *sums = stage->state;
    const uint64_t step = stage->number / 2;
    if (step * tiled->tile < tiled->n) {
        if (stage->number % 2)
            multiply_tiles(stage, sums);
        else
            load_tiles(stage, step);
        return STAGE_TURN;
    }
    uint64_t addresses[WARP_SIZE];
    const uint32_t mask = find(stage, ARRAY_C, 0, stage->block[0] * tiled->tile, true, addresses);
    stage_work(stage, 2);
    stage_store(stage, word_site(SITE_C), mask, addresses, sums->at);
    return STAGE_DONE;
}

static enum status open_tiled(const uint64_t *values, struct trace_source **source,
                              struct diagnostics *diagnostics)
{
    const uint64_t n = values[N], tile = values[TILE], tiles = (n + tile - 1) / tile;
    if (tile % 4)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "MATMUL-TILED: tile must be a multiple of 4, the elements of A "
                                 "that a thread loads at once, got %llu",
                                 (unsigned long long)tile);
    struct tiled *tiled = staged_create(sizeof *tiled, &workload_matmul_tiled, values);
    if (!tiled)
        return STATUS_MEMORY;
    tiled->n = n;
    tiled->tile = tile;
    tiled->kernel = (struct staged_kernel){
        .name = "matmul_tiled",
        .shared_bytes = (uint32_t)(8 * tile * tile),
        .code = {.sites = "LL S", .prologue = 16},
        .state_bytes = sizeof(struct sums),
        .run = run_tiled,
    };
    program_array(&tiled->staged.program, "A", 4 * n * n);
    program_array(&tiled->staged.program, "B", 4 * n * n);
    program_array(&tiled->staged.program, "C", 4 * n * n);
    staged_launch(&tiled->staged, &tiled->kernel, tiles, tiles, tile, tile, 0);
    return staged_finish(&tiled->staged, source, diagnostics);
}

const struct workload workload_matmul_tiled = {
    .name = "MATMUL-TILED",
    .suite = PROFILED_SUITE,
    .help = "C = A B by square tiles in shared memory",
    .parameters = parameters_tiled,
    .parameter_count = sizeof parameters_tiled / sizeof *parameters_tiled,
    .open = open_tiled,
};
