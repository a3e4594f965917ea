/* MATMUL-TILED: C = A B by square tiles of A and B in shared memory, one thread an element of C.
 *
 * Each step of a block loads one element of either tile a thread, waits, multiplies a row of one
 * with a column of the other, and waits again. All lanes of a warp of 32 read one word of A's tile
 * and neighbours of B's, so there are no conflicts of banks. Where tiles stick out of the matrices
 * their elements are zeroes, and nobody loads or stores them (tests/hardware/kernels/profiled.cu,
 * matmul_tiled). With `batch` there are as many products, of matrices that follow each other, such
 * as those of the heads of an attention; the blocks of one follow those of the one before. */
#include <string.h>

#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { N, NI, NJ, NK, BATCH, TILE };
enum { ARRAY_A, ARRAY_B, ARRAY_C };
enum { SITE_A, SITE_B, SITE_C };

static const struct workload_parameter parameters_matmul_tiled[] = {
    {"n", 1024, 1, 32768, "edge of square matrices"},
    {"ni", 0, 0, 32768, "rows of A and C; 0 takes n"},
    {"nj", 0, 0, 32768, "columns of B and C; 0 takes n"},
    {"nk", 0, 0, 32768, "columns of A, rows of B; 0 takes n"},
    {"batch", 1, 1, 4096, "products"},
    {"tile", 32, 4, 32, "edge of a tile and of a block, a multiple of 4"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct tiled {
    struct staged_program staged; /* first */
    struct staged_kernel kernel;
    uint64_t ni, nj, nk, tile;
    uint64_t tiles_down; /* of one C */
};

struct sums {
    float at[WARP_SIZE];
};

/* The matrix of an array that a block works on, and the tile of C that it makes. */
struct matrix_tile {
    uint32_t array;
    uint64_t rows, columns; /* of the matrix */
    uint64_t row, column;   /* of the first element of the tile */
};

/* Where the lanes' elements are; returns the lanes that have one. */
static uint32_t tile_find(const struct stage *stage, struct matrix_tile place,
                          uint64_t addresses[WARP_SIZE])
{
    const struct tiled *tiled = (const struct tiled *)stage->program;
    const uint64_t product = stage->block[1] / tiled->tiles_down;
    const uint64_t matrix =
        array_base(stage, place.array) + 4 * product * place.rows * place.columns;
    uint32_t mask = 0;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        const uint64_t thread = stage->first_thread + lane;
        const uint64_t row = place.row + thread / tiled->tile,
                       column = place.column + thread % tiled->tile;
        mask |= (uint32_t)(row < place.rows && column < place.columns) << lane;
        addresses[lane] = matrix + 4 * (row * place.columns + column);
    }
    return mask & stage->lanes;
}

static uint64_t first_row(const struct stage *stage)
{
    const struct tiled *tiled = (const struct tiled *)stage->program;
    return stage->block[1] % tiled->tiles_down * tiled->tile;
}

static void load_tiles(struct stage *stage, uint64_t step)
{
    const struct tiled *tiled = (const struct tiled *)stage->program;
    const uint64_t along = step * tiled->tile;
    const struct matrix_tile a = {ARRAY_A, tiled->ni, tiled->nk, first_row(stage), along},
                             b = {ARRAY_B, tiled->nk, tiled->nj, along,
                                  stage->block[0] * tiled->tile};
    uint64_t addresses[WARP_SIZE];
    float values[2][WARP_SIZE] = {{0}};
    stage_work(stage, 4);
    uint32_t mask = tile_find(stage, a, addresses);
    stage_load(stage, word_site(SITE_A), mask, addresses, values[0]);
    mask = tile_find(stage, b, addresses);
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
    if (step * tiled->tile < tiled->nk) {
        if (stage->number % 2)
            multiply_tiles(stage, sums);
        else
            load_tiles(stage, step);
        return STAGE_TURN;
    }
    uint64_t addresses[WARP_SIZE];
    const uint32_t mask =
        tile_find(stage,
                  (struct matrix_tile){ARRAY_C, tiled->ni, tiled->nj, first_row(stage),
                                       stage->block[0] * tiled->tile},
                  addresses);
    stage_work(stage, 2);
    stage_store(stage, word_site(SITE_C), mask, addresses, sums->at);
    return STAGE_DONE;
}

static enum status open_matmul_tiled(const uint64_t *values, struct trace_source **source,
                                     struct diagnostics *diagnostics)
{
    const uint64_t tile = values[TILE], batch = values[BATCH];
    if (tile % 4)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "MATMUL-TILED: tile must be a multiple of 4, the elements of A "
                                 "that a thread loads at once, got %llu",
                                 (unsigned long long)tile);
    struct tiled *tiled = staged_create(sizeof *tiled, &workload_matmul_tiled, values);
    if (!tiled)
        return STATUS_MEMORY;
    tiled->ni = (uint64_t)size_or(values[NI], values[N]);
    tiled->nj = (uint64_t)size_or(values[NJ], values[N]);
    tiled->nk = (uint64_t)size_or(values[NK], values[N]);
    tiled->tile = tile;
    tiled->tiles_down = (tiled->ni + tile - 1) / tile;
    tiled->kernel = (struct staged_kernel){
        .name = "matmul_tiled",
        .shared_bytes = (uint32_t)(8 * tile * tile),
        .code = {.sites = "LL S", .prologue = 16},
        .state_bytes = sizeof(struct sums),
        .run = run_tiled,
    };
    program_array(&tiled->staged.program, "A", 4 * batch * tiled->ni * tiled->nk);
    program_array(&tiled->staged.program, "B", 4 * batch * tiled->nk * tiled->nj);
    program_array(&tiled->staged.program, "C", 4 * batch * tiled->ni * tiled->nj);
    staged_launch(&tiled->staged, &tiled->kernel, (tiled->nj + tile - 1) / tile,
                  batch * tiled->tiles_down, tile, tile, 0);
    return staged_finish(&tiled->staged, source, diagnostics);
}

CUDA_PROGRAM(matmul_tiled, "MATMUL-TILED", PROFILED_SUITE,
             .help = "C = A B by square tiles in shared memory, of one product or a batch");
