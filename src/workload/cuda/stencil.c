/* STENCIL: a seven-point stencil on a volume, iterated in time, after the CUDA version of Parboil
 * 2.5.
 *
 * A block of 32 x 4 threads has 64 x 4 columns of the volume, two per thread, and walks down them.
 * It keeps the current plane in shared memory and the plane above in registers, and loads the plane
 * below. It reads neighbours within the plane from global memory only at its own border: whole
 * warps at the first and last row, one lane at the left and right end. After each step the two
 * volumes are swapped.
 *
 * Order, gaps and registers are those of the PTX for sm_75, which follow the source. */
#include <string.h>

#include "base/rng.h"
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { NX, NY, NZ, STEPS };
enum { BLOCK_X = 32, BLOCK_Y = 4, COLUMNS = 2 * BLOCK_X };
enum { ARRAY_FIRST, ARRAY_SECOND };

static const struct workload_parameter parameters_stencil[] = {
    {"nx", 128, 1, 4096, "columns of the volume; the suite also has 512"},
    {"ny", 128, 1, 4096, "rows; the suite also has 512"},
    {"nz", 32, 2, 4096, "planes; the suite also has 64"},
    {"steps", 10, 1, 10000, "steps in time; the suite makes 100"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct stencil {
    struct staged_program staged; /* first */
    int64_t nx, ny, nz;
};

struct shared_plane {
    float at[BLOCK_Y][COLUMNS];
};

/* Of both columns of a thread. */
struct columns {
    float bottom[2][WARP_SIZE], top[2][WARP_SIZE];
};

/* The columns of one half of a warp's row. */
struct half {
    int index;
    int64_t i, j;       /* of lane 0 */
    uint32_t in, inner; /* lanes of the volume; of its inside */
};

static struct half find_half(const struct stencil *stencil, const struct stage *stage, int index)
{
    struct half half = {.index = index,
                        .i = (int64_t)stage->block[0] * COLUMNS + index * BLOCK_X,
                        .j = (int64_t)stage->block[1] * BLOCK_Y + stage->first_thread / BLOCK_X};
    bool row = half.j<stencil->ny, inner_row = half.j> 0 && half.j < stencil->ny - 1;
    half.in = row ? lanes_between(half.i, 0, stencil->nx) : 0;
    half.inner = inner_row ? lanes_between(half.i, 1, stencil->nx - 1) : 0;
    return half;
}

/* Loads what lies at lane 0's column plus x, y on a plane, for the lanes of a mask. */
static void load_cells(struct stage *stage, const struct half *half, uint32_t mask, int site,
                       int64_t x, int64_t y, int64_t plane, float values[WARP_SIZE])
{
    const struct stencil *stencil = (const struct stencil *)stage->program;
    uint32_t from = stage->launch % 2 ? ARRAY_SECOND : ARRAY_FIRST;
    int64_t cell = half->i + x + stencil->nx * (half->j + y + stencil->ny * plane);
    stage_mix(stage, mask ? 1 : 0, (struct work){.addresses = 2});
    stage_load_row(stage, word_site((uint8_t)(site + 8 * half->index)), mask,
                   array_base(stage, from) + (uint64_t)(4 * cell), 4, values);
}

static float *shared_row(const struct stage *stage, const struct half *half)
{
    struct shared_plane *shared = (void *)stage->device->shared;
    return &shared->at[stage->first_thread / BLOCK_X][half->index * BLOCK_X];
}

/* The first two planes. */
static void start_half(struct stage *stage, const struct half *half, struct columns *columns)
{
    float cells[WARP_SIZE] = {0};
    load_cells(stage, half, half->in, 0, 0, 0, 0, columns->bottom[half->index]);
    load_cells(stage, half, half->in, 1, 0, 0, 1, cells);
    stage_mix(stage, 1, (struct work){.integers = 5, .stores = 1});
    if (stage->device)
        memcpy(shared_row(stage, half), cells, sizeof cells);
}

/* The neighbours that other blocks have, and the new cells of a plane. */
static void make_cells(struct stage *stage, const struct half *half, int64_t plane,
                       struct columns *columns)
{
    const struct stencil *stencil = (const struct stencil *)stage->program;
    const float c0 = 1.0f / 6.0f, c1 = 1.0f / 6.0f / 6.0f;
    uint32_t row = stage->first_thread / BLOCK_X;
    uint32_t outer =
        half->index ? UINT32_C(1) << (BLOCK_X - 1) : 1; /* the lane at the block's end */
    float up[WARP_SIZE] = {0}, down[WARP_SIZE] = {0}, beside[WARP_SIZE] = {0},
          next[WARP_SIZE] = {0};
    load_cells(stage, half, half->in, 2, 0, 0, plane + 1, columns->top[half->index]);
    stage_mix(stage, 1, (struct work){.addresses = half->inner ? 4 : 1});
    load_cells(stage, half, row == BLOCK_Y - 1 ? half->inner : 0, 3, 0, 1, plane, up);
    load_cells(stage, half, row == 0 ? half->inner : 0, 4, 0, -1, plane, down);
    load_cells(stage, half, half->inner & outer, 5, half->index ? 1 : -1, 0, plane, beside);
    for (uint32_t lane = 0; stage->device && lane < WARP_SIZE; lane++) {
        const float *at = shared_row(stage, half) + lane;
        if (!(half->inner >> lane & 1))
            continue;
        bool end = outer >> lane & 1;
        float above = row == BLOCK_Y - 1 ? up[lane] : at[COLUMNS];
        float below = row == 0 ? down[lane] : at[-COLUMNS];
        float right = half->index && end ? beside[lane] : at[1];
        float left = !half->index && end ? beside[lane] : at[-1];
        float top = columns->top[half->index][lane], bottom = columns->bottom[half->index][lane];
        next[lane] = (top + bottom + above + below + right + left) * c1 - at[0] * c0;
    }
    uint32_t to = stage->launch % 2 ? ARRAY_FIRST : ARRAY_SECOND;
    int64_t cell = half->i + stencil->nx * (half->j + stencil->ny * plane);
    stage_mix(stage, half->inner ? 1 : 0, (struct work){.loads = 5, .singles = 8});
    stage_work(stage, half->inner ? 3 : 0);
    stage_store_row(stage, word_site((uint8_t)(6 + 8 * half->index)), half->inner,
                    array_base(stage, to) + (uint64_t)(4 * cell), 4, next);
}

/* One plane down: the plane in shared memory is the bottom, the loaded one comes into its place. */
static void step_down(const struct stage *stage, const struct half *half, struct columns *columns)
{
    float *at = shared_row(stage, half);
    memcpy(columns->bottom[half->index], at, sizeof columns->bottom[0]);
    memcpy(at, columns->top[half->index], sizeof columns->top[0]);
}

/* Stages: the first planes; then for each plane its cells, and the step down after a barrier. */
static enum stage_end run_stencil(struct stage *stage)
{
    const struct stencil *stencil = (const struct stencil *)stage->program;
    struct columns *columns = stage->state;
    int64_t plane = ((int64_t)stage->number + 1) / 2;
    for (int index = 0; index < 2; index++) {
        struct half half = find_half(stencil, stage, index);
        if (stage->number == 0)
            start_half(stage, &half, columns);
        else if (stage->number % 2)
            make_cells(stage, &half, plane, columns);
        else if (stage->device)
            step_down(stage, &half, columns);
    }
    if (stage->number == 0)
        return stencil->nz > 2 ? STAGE_BARRIER : STAGE_DONE;
    if (stage->number % 2)
        return STAGE_TURN;
    stage_barrier(stage);
    stage_mix(stage, 1, (struct work){.loads = 2, .stores = 2});
    stage_barrier(stage);
    stage_mix(stage, 1, (struct work){.integers = 10, .branches = 1}); /* the loop */
    return plane < stencil->nz - 2 ? STAGE_TURN : STAGE_DONE;
}

static const struct staged_kernel kernel = {
    .name = "block2D_hybrid_coarsen_x",
    .shared_bytes = sizeof(struct shared_plane),
    .code = {.sites = "LL LLLL S . LL LLLL S", .prologue = 30},
    .state_bytes = sizeof(struct columns),
    .run = run_stencil,
};

/* Both volumes start the same, so that the border, which nobody stores, is there in both. */
static void stencil_upload(const struct staged_program *program, struct device *device)
{
    const struct trace_array *arrays = program->program.arrays;
    uint64_t bytes = arrays[ARRAY_FIRST].bytes;
    float *first = device_at(device, arrays[ARRAY_FIRST].base, bytes);
    for (uint64_t i = 0; i < bytes / 4; i++)
        first[i] = random_unit(random_at(1, i));
    memcpy(device_at(device, arrays[ARRAY_SECOND].base, bytes), first, bytes);
}

static enum status open_stencil(const uint64_t *values, struct trace_source **source,
                                struct diagnostics *diagnostics)
{
    struct stencil *stencil = staged_create(sizeof *stencil, &workload_stencil, values);
    if (!stencil)
        return STATUS_MEMORY;
    struct staged_program *program = &stencil->staged;
    uint64_t nx = values[NX], ny = values[NY], nz = values[NZ];
    stencil->nx = (int64_t)nx;
    stencil->ny = (int64_t)ny;
    stencil->nz = (int64_t)nz;
    program->upload = stencil_upload;
    program_array(&program->program, "volume_0", 4 * nx * ny * nz);
    program_array(&program->program, "volume_1", 4 * nx * ny * nz);
    for (uint64_t step = 0; step < values[STEPS]; step++)
        staged_launch(program, &kernel, (nx + COLUMNS - 1) / COLUMNS, (ny + BLOCK_Y - 1) / BLOCK_Y,
                      BLOCK_X, BLOCK_Y, 0);
    return staged_finish(program, source, diagnostics);
}

CUDA_PROGRAM(
    stencil, "STENCIL", PARBOIL_SUITE,
    .help =
        "seven-point stencil on a volume; planes in shared memory, neighbours at block borders");
