/* LBM: flow of a fluid in a box with a moving wall by the lattice Boltzmann method, after the CUDA
 * version of Parboil 2.5.
 *
 * A cell has 19 distributions (D3Q19) and a word of flags. A thread loads the distributions of its
 * cell, collides them (or reverses them if the cell is an obstacle), and stores each into the
 * neighbour that it flows to, in the other grid. Then the grids are swapped. A block is a row of
 * the box. Rows are padded by 8 cells and the box by 2 planes at either end, so no access needs a
 * check.
 *
 * Layout 0 is that of the optimized kernel: 20 arrays, one per distribution and one for the flags.
 * Layout 1 is that of the base version: 20 words per cell, so the lanes of a warp are 80 bytes
 * apart.
 *
 * The order is that of the source and of its PTX: both sides of the branch store to the same
 * places, so loads and stores are outside of it, and the flags are loaded after the distributions.
 * Gaps and registers are those of the PTX for sm_75. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { NX, NY, NZ, STEPS, LAYOUT };
enum { DIRECTIONS = 19, FLAGS = DIRECTIONS, ENTRIES, PADDING_X = 8, PADDING_Z = 4 };
enum { OBSTACLE = 1, ACCELERATED = 2 };
enum { ARRAY_FIRST, ARRAY_SECOND };

static const struct workload_parameter parameters_lbm[] = {
    {"nx", 120, 1, 1024, "cells of a row of the box; a block"},
    {"ny", 120, 1, 1024, "rows of a plane"},
    {"nz", 20, 1, 1024, "planes; the suite has 150"},
    {"steps", 1, 1, 10000, "steps in time; the suite has 100 and 3000"},
    {"layout", 0, 0, 1, "0: an array for each distribution; 1: the words of a cell together"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct lbm {
    struct staged_program staged; /* first */
    int64_t nx, ny, nz;
    int64_t cell, entry; /* words from one cell, one distribution, to the next */
    int64_t row, plane;  /* cells */
};

/* Where the fluid of a distribution moves, and the distribution that moves against it. */
struct direction {
    int8_t x, y, z, against;
};

/* C N S E W T B, NE NW SE SW, NT NB ST SB, ET EB WT WB. */
static const struct direction directions[DIRECTIONS] = {
    {0, 0, 0, 0},   {0, 1, 0, 2},   {0, -1, 0, 1},  {1, 0, 0, 4},    {-1, 0, 0, 3},
    {0, 0, 1, 6},   {0, 0, -1, 5},  {1, 1, 0, 10},  {-1, 1, 0, 9},   {1, -1, 0, 8},
    {-1, -1, 0, 7}, {0, 1, 1, 14},  {0, 1, -1, 13}, {0, -1, 1, 12},  {0, -1, -1, 11},
    {1, 0, 1, 18},  {1, 0, -1, 17}, {-1, 0, 1, 16}, {-1, 0, -1, 15},
};

/* The share of a distribution in a fluid at rest: of the centre, the 6 sides, the 12 edges. */
static float weight_of(int direction)
{
    return direction == 0 ? 1.0f / 3.0f : direction < 7 ? 1.0f / 18.0f : 1.0f / 36.0f;
}

/* Bytes from the grid's origin, which is not its first byte, to an entry of a cell. */
static int64_t entry_offset(const struct lbm *lbm, int64_t x, int64_t y, int64_t z, int entry)
{
    return 4 * (entry * lbm->entry + lbm->cell * (x + lbm->row * y + lbm->plane * z));
}

static uint64_t grid_origin(const struct lbm *lbm, uint32_t array)
{
    return lbm->staged.program.arrays[array].base + (uint64_t)entry_offset(lbm, 0, 0, 2, 0);
}

/* The lid-driven cavity: walls all around, and the layers along two of them that move. */
static uint32_t cell_flags(const struct lbm *lbm, int64_t x, int64_t y, int64_t z)
{
    if (x == 0 || x == lbm->nx - 1 || y == 0 || y == lbm->ny - 1 || z == 0 || z == lbm->nz - 1)
        return OBSTACLE;
    bool layer =
        (z == 1 || z == lbm->nz - 2) && x > 1 && x < lbm->nx - 2 && y > 1 && y < lbm->ny - 2;
    return layer ? ACCELERATED : 0;
}

/* What a warp keeps between its loads and its stores. */
struct cells {
    float at[DIRECTIONS][WARP_SIZE];
    uint32_t flags[WARP_SIZE];
};

static float component(int8_t sign, float value)
{
    return sign > 0 ? value : sign < 0 ? -value : 0;
}

/* Relaxes the distributions of a cell towards their equilibrium, in the source's order of sums. */
static void collide(float at[DIRECTIONS], bool accelerated)
{
    const float omega = 1.95f;
    float density = 0, ux = 0, uy = 0, uz = 0;
    for (int d = 0; d < DIRECTIONS; d++) {
        density += at[d];
        ux += component(directions[d].x, at[d]);
        uy += component(directions[d].y, at[d]);
        uz += component(directions[d].z, at[d]);
    }
    ux = accelerated ? 0.005f : ux / density;
    uy = accelerated ? 0.002f : uy / density;
    uz = accelerated ? 0.000f : uz / density;
    float square = 1.5f * (ux * ux + uy * uy + uz * uz) - 1.0f;
    for (int d = 0; d < DIRECTIONS; d++) {
        const struct direction *to = &directions[d];
        float along = component(to->x, ux) + component(to->y, uy) + component(to->z, uz);
        float share = weight_of(d) * (omega * density);
        at[d] = (1.0f - omega) * at[d] + share * (along * (4.5f * along + 3.0f) - square);
    }
}

static void turn_round(float at[DIRECTIONS])
{
    for (int d = 0; d < DIRECTIONS; d++)
        if (directions[d].against > d) {
            float turned = at[d];
            at[d] = at[directions[d].against];
            at[directions[d].against] = turned;
        }
}

static void update_cells(struct cells *cells, uint32_t mask)
{
    for (; mask; mask &= mask - 1) {
        int lane = __builtin_ctz(mask);
        float at[DIRECTIONS];
        for (int d = 0; d < DIRECTIONS; d++)
            at[d] = cells->at[d][lane];
        if (cells->flags[lane] & OBSTACLE)
            turn_round(at);
        else
            collide(at, cells->flags[lane] & ACCELERATED);
        for (int d = 0; d < DIRECTIONS; d++)
            cells->at[d][lane] = at[d];
    }
}

/* Whether the warp of a row has a cell that is no obstacle, and takes the long side of the branch.
 */
static bool has_fluid(const struct lbm *lbm, const struct stage *stage)
{
    int64_t first = stage->first_thread, inner = first ? first : 1;
    return inner < first + WARP_SIZE &&
           !(cell_flags(lbm, inner, stage->block[0], stage->block[1]) & OBSTACLE);
}

/* Stages: the loads; the stores. */
static enum stage_end run_lbm(struct stage *stage)
{
    const struct lbm *lbm = (const struct lbm *)stage->program;
    struct cells *cells = stage->state;
    uint32_t from = stage->launch % 2 ? ARRAY_SECOND : ARRAY_FIRST;
    int64_t x = stage->first_thread, y = stage->block[0], z = stage->block[1];
    int32_t stride = (int32_t)(4 * lbm->cell);
    if (stage->number == 0) {
        uint64_t origin = grid_origin(lbm, from);
        for (uint8_t d = 0; d < DIRECTIONS; d++)
            stage_load_row(stage, word_site(d), stage->lanes,
                           origin + (uint64_t)entry_offset(lbm, x, y, z, d), stride, cells->at[d]);
        stage_load_row(stage, word_site(FLAGS), stage->lanes,
                       origin + (uint64_t)entry_offset(lbm, x, y, z, FLAGS), stride, cells->flags);
        return STAGE_NEXT;
    }
    if (stage->device)
        update_cells(cells, stage->lanes);
    stage_mix(stage, 1, (struct work){.integers = 4, .branches = 1});
    if (has_fluid(lbm, stage)) /* three divisions by the density */
        stage_mix(stage, 1, (struct work){.specials = 3, .singles = 195 - 3});
    stage_mix(stage, 1, (struct work){.integers = 1, .branches = 1});
    uint64_t origin = grid_origin(lbm, ARRAY_FIRST + ARRAY_SECOND - from);
    for (uint8_t d = 0; d < DIRECTIONS; d++) {
        const struct direction *to = &directions[d];
        stage_store_row(stage, word_site((uint8_t)(ENTRIES + d)), stage->lanes,
                        origin + (uint64_t)entry_offset(lbm, x + to->x, y + to->y, z + to->z, d),
                        stride, cells->at[d]);
    }
    return STAGE_DONE;
}

static const struct staged_kernel kernel = {
    .name = "performStreamCollide_kernel",
    .code = {.sites = "LLLLLLLLLLLLLLLLLLLL SSSSSSSSSSSSSSSSSSS", .prologue = 9, .chains = 4},
    .state_bytes = sizeof(struct cells),
    .run = run_lbm,
};

/* A fluid at rest in both grids. */
static void lbm_upload(const struct staged_program *program, struct device *device)
{
    const struct lbm *lbm = (const struct lbm *)program;
    for (uint32_t array = ARRAY_FIRST; array <= ARRAY_SECOND; array++) {
        uint64_t origin = grid_origin(lbm, array);
        for (int64_t z = 0; z < lbm->nz; z++)
            for (int64_t y = 0; y < lbm->ny; y++)
                for (int64_t x = 0; x < lbm->nx; x++) {
                    for (int d = 0; d < DIRECTIONS; d++)
                        *(float *)device_at(device,
                                            origin + (uint64_t)entry_offset(lbm, x, y, z, d), 4) =
                            weight_of(d);
                    *(uint32_t *)device_at(device,
                                           origin + (uint64_t)entry_offset(lbm, x, y, z, FLAGS),
                                           4) = cell_flags(lbm, x, y, z);
                }
    }
}

static enum status open_lbm(const uint64_t *values, struct trace_source **source,
                            struct diagnostics *diagnostics)
{
    struct lbm *lbm = staged_create(sizeof *lbm, &workload_lbm, values);
    if (!lbm)
        return STATUS_MEMORY;
    struct staged_program *program = &lbm->staged;
    lbm->nx = (int64_t)values[NX];
    lbm->ny = (int64_t)values[NY];
    lbm->nz = (int64_t)values[NZ];
    lbm->row = lbm->nx + PADDING_X;
    lbm->plane = lbm->row * lbm->ny;
    int64_t cells = lbm->plane * (lbm->nz + PADDING_Z), margin = 2 * lbm->plane * ENTRIES;
    lbm->cell = values[LAYOUT] ? ENTRIES : 1;
    lbm->entry = values[LAYOUT] ? 1 : cells;
    program->upload = lbm_upload;
    for (uint32_t array = ARRAY_FIRST; array <= ARRAY_SECOND; array++)
        program_array(&program->program, array ? "grid_1" : "grid_0",
                      4 * (uint64_t)(cells * ENTRIES + 2 * margin));
    for (uint64_t step = 0; step < values[STEPS]; step++)
        staged_launch(program, &kernel, values[NY], values[NZ], values[NX], 1, 0);
    return staged_finish(program, source, diagnostics);
}

CUDA_PROGRAM(
    lbm, "LBM", PARBOIL_SUITE,
    .help =
        "flow of a fluid in a box, 19 distributions per cell; 20 loads and 19 stores per thread");
