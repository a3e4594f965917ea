/* PATHFINDER: the cheapest way down a grid, one row per step, after Rodinia 3.1.
 *
 * A block of 256 threads loads a stretch of the last row's costs and computes up to `pyramid` rows
 * in shared memory, each one cell shorter at both ends, and stores the costs that are valid. So
 * blocks overlap by 2 * pyramid cells. Costs are in two arrays that are swapped after every
 * launch. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { COLUMNS, ROWS, PYRAMID };
enum { BLOCK = 256, PYRAMID_MAX = 120 };
enum { ARRAY_FIRST, ARRAY_SECOND, ARRAY_WALL };

static const struct workload_parameter parameters_pathfinder[] = {
    {"columns", 100000, 1, 1 << 24, "columns of the grid"},
    {"rows", 100, 2, 1 << 14, "rows of the grid"},
    {"pyramid", 20, 1, PYRAMID_MAX, "rows that a launch makes in shared memory"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct pathfinder {
    struct staged_program staged; /* first */
    int64_t columns, rows, pyramid;
};

struct shared_rows {
    int32_t before[BLOCK], result[BLOCK];
};

/* The stretch of a block. */
struct stretch {
    int64_t x;        /* column of thread 0 */
    int64_t from, to; /* threads whose column is one of the grid, inclusive */
};

static struct stretch find_stretch(const struct pathfinder *path, const uint32_t block[3],
                                   int64_t iterations)
{
    struct stretch stretch = {.x = (BLOCK - 2 * iterations) * block[0] - path->pyramid};
    stretch.from = stretch.x < 0 ? -stretch.x : 0;
    stretch.to = stretch.x + BLOCK > path->columns ? path->columns - 1 - stretch.x : BLOCK - 1;
    return stretch;
}

static uint32_t thread_lanes(const struct stage *stage, int64_t from, int64_t to)
{
    uint32_t mask = 0;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        int64_t tx = stage->first_thread + lane;
        mask |= (uint32_t)(tx >= from && tx <= to) << lane;
    }
    return mask;
}

/* The lanes that make row `step` of the launch. */
static uint32_t known_lanes(const struct stage *stage, const struct stretch *stretch, int64_t step)
{
    int64_t from = step + 1, to = BLOCK - 2 - step;
    return thread_lanes(stage, from > stretch->from ? from : stretch->from,
                        to < stretch->to ? to : stretch->to);
}

static void find_row(const struct stage *stage, const struct stretch *stretch, uint32_t array,
                     int64_t first, uint64_t addresses[WARP_SIZE])
{
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        addresses[lane] = array_base(stage, array) +
                          (uint64_t)(first + stretch->x + stage->first_thread + lane) * 4;
}

/* The cheapest of the three cells above, plus the cell. */
static void step_down(const struct stage *stage, const struct stretch *stretch, uint32_t mask,
                      const int32_t wall[WARP_SIZE], struct shared_rows *shared)
{
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        if (!(mask >> lane & 1))
            continue;
        int64_t tx = stage->first_thread + lane;
        int32_t best = shared->before[tx];
        int32_t left = shared->before[tx > stretch->from ? tx - 1 : tx];
        int32_t right = shared->before[tx < stretch->to ? tx + 1 : tx];
        best = left < best ? left : best;
        best = right < best ? right : best;
        shared->result[tx] = best + wall[lane];
    }
}

/* Stages: the stretch; then for each row the wall and the result, and its way back after a
 * barrier. */
static enum stage_end run_path(struct stage *stage)
{
    const struct pathfinder *path = (const struct pathfinder *)stage->program;
    struct shared_rows *shared = stage->device ? (void *)stage->device->shared : NULL;
    int64_t start = stage->launch * path->pyramid, left = path->rows - start - 1;
    int64_t iterations = left < path->pyramid ? left : path->pyramid;
    const struct stretch stretch = find_stretch(path, stage->block, iterations);
    uint32_t from = stage->launch % 2 ? ARRAY_SECOND : ARRAY_FIRST;
    uint64_t addresses[WARP_SIZE];
    int32_t values[WARP_SIZE] = {0};
    if (stage->number == 0) {
        find_row(stage, &stretch, from, 0, addresses);
        stage_load(stage, word_site(0), thread_lanes(stage, stretch.from, stretch.to), addresses,
                   values);
        stage_mix(stage, 1, (struct work){.stores = 1});
        stage_barrier(stage);
        for (uint32_t lane = 0; shared && lane < WARP_SIZE; lane++)
            shared->before[stage->first_thread + lane] = values[lane];
        return STAGE_TURN;
    }
    int64_t step = (stage->number - 1) / 2;
    uint32_t known = known_lanes(stage, &stretch, step);
    if (stage->number % 2) {
        stage_mix(stage, 1, (struct work){.integers = 5, .branches = 1});
        find_row(stage, &stretch, ARRAY_WALL, path->columns * (start + step), addresses);
        stage_mask(stage, known);
        stage_mix(stage, known ? 1 : 0, (struct work){.addresses = 4, .loads = 3});
        stage_work(stage, known ? 2 : 0);
        stage_load(stage, word_site(1), known, addresses, values);
        stage_mix(stage, known ? 1 : 0, (struct work){.integers = 1, .stores = 1});
        if (shared)
            step_down(stage, &stretch, known, values, shared);
        return STAGE_TURN;
    }
    stage_barrier(stage);
    if (step + 1 < iterations) {
        stage_mix(stage, 1, (struct work){.integers = 1, .loads = 1, .stores = 1, .branches = 1});
        stage_barrier(stage);
        for (uint32_t lane = 0; shared && lane < WARP_SIZE; lane++)
            if (known >> lane & 1)
                shared->before[stage->first_thread + lane] =
                    shared->result[stage->first_thread + lane];
        return STAGE_TURN;
    }
    find_row(stage, &stretch, ARRAY_FIRST + ARRAY_SECOND - from, 0, addresses);
    for (uint32_t lane = 0; shared && lane < WARP_SIZE; lane++)
        values[lane] = shared->result[stage->first_thread + lane];
    stage_mix(stage, 1, (struct work){.addresses = 2, .branches = 2});
    stage_mix(stage, 1, (struct work){.loads = 1});
    stage_store(stage, word_site(2), known, addresses, values);
    return STAGE_DONE;
}

static const struct staged_kernel kernel = {
    .name = "dynproc_kernel",
    .shared_bytes = sizeof(struct shared_rows),
    .code = {.sites = "L L S", .prologue = 20},
    .run = run_path,
};

static enum status open_pathfinder(const uint64_t *values, struct trace_source **source,
                                   struct diagnostics *diagnostics)
{
    struct pathfinder *path = staged_create(sizeof *path, &workload_pathfinder, values);
    if (!path)
        return STATUS_MEMORY;
    struct staged_program *program = &path->staged;
    uint64_t columns = values[COLUMNS], rows = values[ROWS], pyramid = values[PYRAMID];
    uint64_t small = BLOCK - 2 * pyramid;
    path->columns = (int64_t)columns;
    path->rows = (int64_t)rows;
    path->pyramid = (int64_t)pyramid;
    program_array(&program->program, "result_0", 4 * columns);
    program_array(&program->program, "result_1", 4 * columns);
    program_array(&program->program, "wall", 4 * columns * (rows - 1));
    for (uint64_t row = 0; row + 1 < rows; row += pyramid)
        staged_launch(program, &kernel, (columns + small - 1) / small, 1, BLOCK, 1, 0);
    return staged_finish(program, source, diagnostics);
}

CUDA_PROGRAM(pathfinder, "PATHFINDER", RODINIA_SUITE,
             .help = "cheapest way down a grid; rows streamed once, overlapping stretches");
