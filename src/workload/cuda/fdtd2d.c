/* FDTD-2D: electric and magnetic fields on a grid in time, three launches a step.
 *
 * The first computes ey from differences of hz in y (row 0 is the source, one value a step), the
 * second ex from those in x, the third hz from both. Rows of ex have one column more than the
 * others, so their alignment to cache lines drifts from row to row. Order: PTX, which loads the
 * subtrahend of ey and ex first and the cell that is stored last. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { N, NX, NY, STEPS, BLOCK_X, BLOCK_Y };
enum { ARRAY_SOURCE, ARRAY_EX, ARRAY_EY, ARRAY_HZ };

static const struct workload_parameter parameters_fdtd2d[] = {
    {"n", 2048, 1, MATRIX_EDGE_MAX, "rows and columns"},
    {"nx", 0, 0, MATRIX_EDGE_MAX, "rows; 0 takes n"},
    {"ny", 0, 0, MATRIX_EDGE_MAX, "columns; 0 takes n"},
    {"steps", 500, 1, 100000, "steps in time (tmax in the suite)"},
    BLOCK_2D_PARAMETERS,
    PROGRAM_DEVICE_PARAMETERS,
};

struct fields {
    struct staged_program staged; /* first */
    uint64_t nx, ny;
};

/* The threads of a warp; `mask` those inside of the grid. */
struct cells {
    uint64_t row[WARP_SIZE], column[WARP_SIZE], ny;
    uint32_t mask;
};

static void find_cells(const struct stage *stage, struct cells *cells)
{
    const struct fields *fields = (const struct fields *)stage->program;
    const uint32_t *shape = fields->staged.program.source.launches[stage->launch].block;
    cells->mask = 0;
    cells->ny = fields->ny;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        uint32_t thread = stage->first_thread + lane;
        uint64_t column = (uint64_t)stage->block[0] * shape[0] + thread % shape[0];
        uint64_t row = (uint64_t)stage->block[1] * shape[1] + thread / shape[0];
        cells->column[lane] = column;
        cells->row[lane] = row;
        if (row < fields->nx && column < fields->ny)
            cells->mask |= UINT32_C(1) << lane;
    }
    cells->mask &= stage->lanes;
}

/* Element (row + down, column + right) of ex, ey or hz for every lane. */
static void find_field(const struct stage *stage, const struct cells *cells, uint32_t array,
                       int64_t down, int64_t right, uint64_t addresses[WARP_SIZE])
{
    uint64_t row = cells->ny + (array == ARRAY_EX);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        addresses[lane] =
            array_base(stage, array) +
            4 * ((cells->row[lane] + (uint64_t)down) * row + cells->column[lane] + (uint64_t)right);
}

static void load_field(struct stage *stage, uint8_t site, const struct cells *cells, uint32_t mask,
                       uint32_t array, int64_t down, int64_t right, float values[WARP_SIZE])
{
    uint64_t addresses[WARP_SIZE];
    find_field(stage, cells, array, down, right, addresses);
    stage_load(stage, word_site(site), mask, addresses, values);
}

/* field -= factor * difference, in place. */
static void update_field(struct stage *stage, uint8_t site, const struct cells *cells,
                         uint32_t mask, uint32_t array, const float difference[WARP_SIZE],
                         float factor)
{
    uint64_t addresses[WARP_SIZE];
    float values[WARP_SIZE] = {0};
    find_field(stage, cells, array, 0, 0, addresses);
    stage_load(stage, word_site(site), mask, addresses, values);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        values[lane] -= factor * difference[lane];
    stage_mix(stage, 1, (struct work){.singles = 1});
    stage_store(stage, word_site(site + 1), mask, addresses, values);
}

static void subtract(float from[WARP_SIZE], const float values[WARP_SIZE])
{
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        from[lane] -= values[lane];
}

static enum stage_end run_ey(struct stage *stage)
{
    struct cells cells;
    float difference[WARP_SIZE] = {0}, values[WARP_SIZE] = {0};
    uint64_t addresses[WARP_SIZE];
    find_cells(stage, &cells);
    if (!cells.mask)
        return STAGE_DONE;
    uint32_t first = 0; /* lanes of row 0 */
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        first |= (uint32_t)(cells.row[lane] == 0) << lane;
    first &= cells.mask;
    uint32_t others = cells.mask & ~first;
    stage_work(stage, 2);
    if (others) {
        stage_work(stage, 8);
        load_field(stage, 0, &cells, others, ARRAY_HZ, -1, 0, values);
        load_field(stage, 1, &cells, others, ARRAY_HZ, 0, 0, difference);
        subtract(difference, values);
        stage_mix(stage, 1, (struct work){.singles = 1});
        update_field(stage, 2, &cells, others, ARRAY_EY, difference, 0.5f);
        stage_work(stage, 1);
    }
    if (first) {
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
            addresses[lane] = array_base(stage, ARRAY_SOURCE) + 4 * (uint64_t)stage->argument;
        stage_work(stage, 2);
        stage_load(stage, word_site(4), first, addresses, values);
        find_field(stage, &cells, ARRAY_EY, 0, 0, addresses);
        stage_mix(stage, 1, (struct work){.addresses = 2});
        stage_store(stage, word_site(5), first, addresses, values);
    }
    return STAGE_DONE;
}

static enum stage_end run_ex(struct stage *stage)
{
    struct cells cells;
    float difference[WARP_SIZE] = {0}, left[WARP_SIZE] = {0};
    find_cells(stage, &cells);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        if (cells.column[lane] == 0)
            cells.mask &= ~(UINT32_C(1) << lane);
    if (!cells.mask)
        return STAGE_DONE;
    stage_work(stage, 10);
    load_field(stage, 0, &cells, cells.mask, ARRAY_HZ, 0, -1, left);
    load_field(stage, 1, &cells, cells.mask, ARRAY_HZ, 0, 0, difference);
    subtract(difference, left);
    stage_mix(stage, 1, (struct work){.singles = 1});
    update_field(stage, 2, &cells, cells.mask, ARRAY_EX, difference, 0.5f);
    return STAGE_DONE;
}

static enum stage_end run_hz(struct stage *stage)
{
    struct cells cells;
    float difference[WARP_SIZE] = {0}, values[WARP_SIZE] = {0};
    find_cells(stage, &cells);
    if (!cells.mask)
        return STAGE_DONE;
    stage_work(stage, 10);
    load_field(stage, 0, &cells, cells.mask, ARRAY_EX, 0, 0, values);
    load_field(stage, 1, &cells, cells.mask, ARRAY_EX, 0, 1, difference);
    subtract(difference, values);
    stage_mix(stage, 1, (struct work){.singles = 1, .addresses = 1});
    load_field(stage, 2, &cells, cells.mask, ARRAY_EY, 1, 0, values);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        difference[lane] += values[lane];
    stage_mix(stage, 1, (struct work){.singles = 1});
    load_field(stage, 3, &cells, cells.mask, ARRAY_EY, 0, 0, values);
    subtract(difference, values);
    stage_mix(stage, 1, (struct work){.singles = 1});
    update_field(stage, 4, &cells, cells.mask, ARRAY_HZ, difference, 0.7f);
    return STAGE_DONE;
}

static const struct staged_kernel kernels[] = {
    {.name = "fdtd_step1_kernel", .code = {.sites = "LL L S LS", .prologue = 12}, .run = run_ey},
    {.name = "fdtd_step2_kernel", .code = {.sites = "LL L S", .prologue = 13}, .run = run_ex},
    {.name = "fdtd_step3_kernel", .code = {.sites = "LL L L L S", .prologue = 12}, .run = run_hz},
};

static enum status open_fdtd2d(const uint64_t *values, struct trace_source **source,
                               struct diagnostics *diagnostics)
{
    uint64_t block_x = values[BLOCK_X], block_y = values[BLOCK_Y];
    enum status status = program_check_block(block_x, block_y, diagnostics);
    if (status)
        return status;
    struct fields *fields = staged_create(sizeof *fields, &workload_fdtd2d, values);
    if (!fields)
        return STATUS_MEMORY;
    struct staged_program *program = &fields->staged;
    uint64_t nx = (uint64_t)size_or(values[NX], values[N]);
    uint64_t ny = (uint64_t)size_or(values[NY], values[N]);
    fields->nx = nx;
    fields->ny = ny;
    program_array(&program->program, "source", 4 * values[STEPS]);
    program_array(&program->program, "ex", 4 * nx * (ny + 1));
    program_array(&program->program, "ey", 4 * (nx + 1) * ny);
    program_array(&program->program, "hz", 4 * nx * ny);
    for (uint32_t step = 0; step < values[STEPS]; step++)
        for (int k = 0; k < 3; k++)
            staged_launch(program, &kernels[k], (ny + block_x - 1) / block_x,
                          (nx + block_y - 1) / block_y, block_x, block_y, step);
    return staged_finish(program, source, diagnostics);
}

CUDA_PROGRAM(fdtd2d, "FDTD-2D", POLYBENCH_SUITE,
             .help = "electric and magnetic fields in time; three streaming stencils per step");
