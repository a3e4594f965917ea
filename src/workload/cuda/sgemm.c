/* SGEMM: C = alpha A B^T + beta C, after the CUDA version of Parboil 2.5, which is Volkov's.
 *
 * Matrices are stored by columns, B transposed. A block of 16 x 8 threads computes a tile of C of
 * 128 rows and 16 columns; a thread holds one row of it in 16 registers. For every 8 steps of the
 * sum the block puts 8 x 16 elements of B into shared memory, one per thread. Then each thread
 * loads 8 elements of A; those of a warp are 32 neighbours in a column. At the end a thread loads
 * and stores its 16 elements of C, although beta is 0.
 *
 * Sizes must be whole tiles, as the suite's host asks for m and n; its kernel has no guards, and k
 * that is no multiple of 8 would read beyond the matrices.
 *
 * Registers are those of the PTX for sm_75. The 8 steps are unrolled, so their loads of A come
 * first. B comes from shared memory with loads of 16 B: for 8 steps a GV100 counts 33 instructions
 * of shared memory, one of which is the store (Accel-Sim, accelwattch_hw_profiler/hw_perf.csv). */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { M, N, K };
enum { TILE_ROWS = 128, TILE_COLUMNS = 16, TILE_STEPS = 8, SIZE_MAX_EDGE = 1 << 14 };
/* Elements of B that a load of shared memory brings, and its cycles: lanes that share an address
 * take two, not four (forums.developer.nvidia.com/t/77228/2). */
enum { WIDE = 4, WIDE_BANKS = 2 };
enum { ARRAY_A, ARRAY_B, ARRAY_C };
enum { SITE_B, SITE_A, SITE_C = SITE_A + TILE_STEPS };

static const struct workload_parameter parameters_sgemm[] = {
    {"m", 1024, TILE_ROWS, SIZE_MAX_EDGE,
     "rows of A and C, a multiple of 128; the suite also has 128"},
    {"n", 1056, TILE_COLUMNS, SIZE_MAX_EDGE,
     "columns of C, rows of B^T, a multiple of 16; the suite also has 160"},
    {"k", 992, TILE_STEPS, SIZE_MAX_EDGE,
     "length of the sums, a multiple of 8; the suite also has 96"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct sgemm {
    struct staged_program staged; /* first */
    uint64_t m, n, k;
};

struct shared_tile {
    float b[TILE_STEPS][TILE_COLUMNS];
};

struct sums {
    float at[TILE_COLUMNS][WARP_SIZE];
};

/* The block's tile of B: a warp holds two of its rows. */
static void load_b(struct stage *stage, const struct sgemm *sgemm, uint64_t step)
{
    uint64_t addresses[WARP_SIZE];
    float values[WARP_SIZE] = {0};
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        uint64_t tx = lane % TILE_COLUMNS, ty = (stage->first_thread + lane) / TILE_COLUMNS;
        uint64_t n = (uint64_t)stage->block[1] * TILE_COLUMNS + tx;
        addresses[lane] = array_base(stage, ARRAY_B) + 4 * (n + (step + ty) * sgemm->n);
    }
    stage_work(stage, 4);
    stage_load(stage, word_site(SITE_B), UINT32_MAX, addresses, values);
    stage_mix(stage, 1, (struct work){.stores = 1});
    stage_barrier(stage);
    stage_work(stage, 8);
    for (uint32_t lane = 0; stage->device && lane < WARP_SIZE; lane++) {
        struct shared_tile *shared = (void *)stage->device->shared;
        (&shared->b[0][0])[stage->first_thread + lane] = values[lane];
    }
}

static void add_products(const struct stage *stage, uint32_t step, const float a[WARP_SIZE],
                         struct sums *sums)
{
    const struct shared_tile *shared = (const void *)stage->device->shared;
    for (int column = 0; column < TILE_COLUMNS; column++)
        for (int lane = 0; lane < WARP_SIZE; lane++)
            sums->at[column][lane] += a[lane] * shared->b[step][column];
}

/* The address of the warp's first row in a column of A or C. */
static uint64_t column_address(const struct stage *stage, const struct sgemm *sgemm, uint32_t array,
                               uint64_t column)
{
    uint64_t row = (uint64_t)stage->block[0] * TILE_ROWS + stage->first_thread;
    return array_base(stage, array) + 4 * (row + column * sgemm->m);
}

static void finish_tile(struct stage *stage, const struct sgemm *sgemm, const struct sums *sums)
{
    const float alpha = 1, beta = 0;
    stage_work(stage, 3);
    for (uint8_t i = 0; i < TILE_COLUMNS; i++) {
        float c[WARP_SIZE] = {0};
        uint64_t at =
            column_address(stage, sgemm, ARRAY_C, (uint64_t)stage->block[1] * TILE_COLUMNS + i);
        stage_load_row(stage, word_site((uint8_t)(SITE_C + 2 * i)), UINT32_MAX, at, 4, c);
        for (int lane = 0; stage->device && lane < WARP_SIZE; lane++)
            c[lane] = c[lane] * beta + alpha * sums->at[i][lane];
        stage_mix(stage, 1, (struct work){.singles = 2});
        stage_store_row(stage, word_site((uint8_t)(SITE_C + 2 * i + 1)), UINT32_MAX, at, 4, c);
        stage_work(stage, 1);
    }
}

/* Stages: for every 8 steps of the sum the tile of B, then A; at the end C. */
static enum stage_end run_sgemm(struct stage *stage)
{
    const struct sgemm *sgemm = (const struct sgemm *)stage->program;
    struct sums *sums = stage->state;
    uint64_t step = (uint64_t)(stage->number / 2) * TILE_STEPS;
    if (step >= sgemm->k) {
        finish_tile(stage, sgemm, sums);
        return STAGE_DONE;
    }
    if (stage->number % 2 == 0) {
        load_b(stage, sgemm, step);
        return STAGE_TURN;
    }
    float a[TILE_STEPS][WARP_SIZE] = {{0}};
    for (uint8_t i = 0; i < TILE_STEPS; i++)
        stage_load_row(stage, word_site((uint8_t)(SITE_A + i)), UINT32_MAX,
                       column_address(stage, sgemm, ARRAY_A, step + i), 4, a[i]);
    for (uint32_t i = 0; i < TILE_STEPS; i++) {
        if (stage->device)
            add_products(stage, i, a[i], sums);
        stage_mix(stage, TILE_COLUMNS / WIDE, (struct work){.loads = 1, .banks = WIDE_BANKS});
        stage_mix(stage, 2, (struct work){.singles = TILE_COLUMNS / 2});
    }
    stage_mix(stage, 1, (struct work){.integers = TILE_STEPS, .branches = 1});
    stage_work(stage, 4);
    return STAGE_BARRIER;
}

/* B, eight of A, and sixteen of C, which are loaded and stored. */
static const char sites[] = "L LLLLLLLL "
                            "L S L S L S L S L S L S L S L S L S L S L S L S L S L S L S L S";

static const struct staged_kernel kernel = {
    .name = "mysgemmNT",
    .shared_bytes = sizeof(struct shared_tile),
    .code = {.sites = sites, .prologue = 36, .chains = 4},
    .state_bytes = sizeof(struct sums),
    .run = run_sgemm,
};

static enum status check_size(const char *name, uint64_t size, uint64_t unit,
                              struct diagnostics *diagnostics)
{
    if (size % unit == 0)
        return STATUS_OK;
    return diagnostics_error(
        diagnostics, STATUS_INVALID,
        "%s must be a multiple of %llu, as the suite's kernel has no guard, got %llu", name,
        (unsigned long long)unit, (unsigned long long)size);
}

static enum status open_sgemm(const uint64_t *values, struct trace_source **source,
                              struct diagnostics *diagnostics)
{
    static const uint64_t units[] = {TILE_ROWS, TILE_COLUMNS, TILE_STEPS};
    enum status status = STATUS_OK;
    for (int i = M; i <= K; i++) {
        enum status wrong = check_size(parameters_sgemm[i].name, values[i], units[i], diagnostics);
        status = status ? status : wrong;
    }
    if (status)
        return status;
    struct sgemm *sgemm = staged_create(sizeof *sgemm, &workload_sgemm, values);
    if (!sgemm)
        return STATUS_MEMORY;
    struct staged_program *program = &sgemm->staged;
    sgemm->m = values[M];
    sgemm->n = values[N];
    sgemm->k = values[K];
    program_array(&program->program, "A", 4 * sgemm->m * sgemm->k);
    program_array(&program->program, "B", 4 * sgemm->n * sgemm->k);
    program_array(&program->program, "C", 4 * sgemm->m * sgemm->n);
    staged_launch(program, &kernel, sgemm->m / TILE_ROWS, sgemm->n / TILE_COLUMNS, TILE_COLUMNS,
                  TILE_STEPS, 0);
    return staged_finish(program, source, diagnostics);
}

CUDA_PROGRAM(sgemm, "SGEMM", PARBOIL_SUITE,
             .help = "product of matrices stored by columns; tiles in registers and shared memory");
