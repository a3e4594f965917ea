/* HOTSPOT: the temperature of a chip by a five-point stencil in time, after Rodinia 3.1.
 *
 * A block of 16 x 16 threads loads its tile of temperature and power once and makes `pyramid` steps
 * in shared memory. With every step the part of the tile whose neighbours are known shrinks by one
 * cell per side, so tiles overlap by 2 * pyramid cells and only the last step is stored. A launch
 * makes up to `pyramid` steps; then the two temperature arrays are swapped.
 *
 * Instructions are those of nvcc 13.0 for sm_75 (tests/hardware/kernels/rodinia.cu). The suite
 * writes 2.0 where 2.0f would do, so a cell is computed in doubles. Multiply-adds of integers count
 * as floating point, whose pipe they take. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { N, PYRAMID, STEPS };
enum { EDGE = 16, PYRAMID_MAX = 7 };
enum { ARRAY_FIRST, ARRAY_SECOND, ARRAY_POWER };
enum { SITE_CELLS, SITE_POWER, SITE_NEXT };
enum { CONVERSIONS = 6 }; /* of a step, from and to doubles, at the rate of special functions */

static const struct workload_parameter parameters_hotspot[] = {
    {"n", 512, 1, 16384, "rows and columns of the grid"},
    {"pyramid", 2, 1, PYRAMID_MAX, "steps that a launch makes in shared memory"},
    {"steps", 2, 1, 10000, "steps in time"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct hotspot {
    struct staged_program staged; /* first */
    int64_t n, pyramid, steps;
    float step_by_capacity, per_rx, per_ry, per_rz; /* the physics of the suite */
};

/* 16 x 16 each, as the suite's temp_on_cuda, power_on_cuda and temp_t. */
struct shared_tile {
    float temperature[EDGE][EDGE], power[EDGE][EDGE], next[EDGE][EDGE];
};

/* Where the tile of a block lies and which of its cells are cells of the grid. */
struct tile {
    int64_t x, y;                       /* of thread (0, 0) */
    int64_t x_from, x_to, y_from, y_to; /* inclusive, in cells of the tile */
};

static struct tile find_tile(const struct hotspot *hotspot, const uint32_t block[3],
                             int64_t iterations)
{
    int64_t small = EDGE - 2 * iterations, n = hotspot->n;
    struct tile tile = {.x = small * block[0] - hotspot->pyramid,
                        .y = small * block[1] - hotspot->pyramid};
    tile.x_from = tile.x < 0 ? -tile.x : 0;
    tile.y_from = tile.y < 0 ? -tile.y : 0;
    tile.x_to = tile.x + EDGE > n ? n - 1 - tile.x : EDGE - 1;
    tile.y_to = tile.y + EDGE > n ? n - 1 - tile.y : EDGE - 1;
    return tile;
}

static int64_t clamp(int64_t value, int64_t from, int64_t to)
{
    return value < from ? from : value > to ? to : value;
}

/* The cell's next temperature from its neighbours; the grid's border is its own neighbour. */
static void heat(const struct hotspot *hotspot, const struct tile *tile, int64_t tx, int64_t ty,
                 struct shared_tile *shared)
{
    const float ambient = 80.0f;
    int64_t north = clamp(ty - 1, tile->y_from, tile->y_to),
            south = clamp(ty + 1, tile->y_from, tile->y_to),
            west = clamp(tx - 1, tile->x_from, tile->x_to),
            east = clamp(tx + 1, tile->x_from, tile->x_to);
    const float(*t)[EDGE] = shared->temperature;
    float at = t[ty][tx];
    shared->next[ty][tx] =
        at + hotspot->step_by_capacity *
                 (shared->power[ty][tx] + (t[south][tx] + t[north][tx] - 2 * at) * hotspot->per_ry +
                  (t[ty][east] + t[ty][west] - 2 * at) * hotspot->per_rx +
                  (ambient - at) * hotspot->per_rz);
}

/* The lanes whose cell is known after `step` + 1 steps. */
static uint32_t known_lanes(const struct stage *stage, const struct tile *tile, int64_t step)
{
    uint32_t mask = 0;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        int64_t tx = (stage->first_thread + lane) % EDGE, ty = (stage->first_thread + lane) / EDGE;
        bool inside =
            tx >= step + 1 && tx <= EDGE - 2 - step && ty >= step + 1 && ty <= EDGE - 2 - step;
        bool grid =
            tx >= tile->x_from && tx <= tile->x_to && ty >= tile->y_from && ty <= tile->y_to;
        mask |= (uint32_t)(inside && grid) << lane;
    }
    return mask;
}

/* Byte offsets of the lanes' cells in an array; returns the lanes that lie in the grid. */
static uint32_t find_cells(const struct stage *stage, const struct tile *tile, int64_t n,
                           uint64_t offsets[WARP_SIZE])
{
    uint32_t mask = 0;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        int64_t x = tile->x + (stage->first_thread + lane) % EDGE;
        int64_t y = tile->y + (stage->first_thread + lane) / EDGE;
        offsets[lane] = (uint64_t)(n * y + x) * 4;
        mask |= (uint32_t)(x >= 0 && x < n && y >= 0 && y < n) << lane;
    }
    return mask;
}

static void load_tile(struct stage *stage, uint32_t mask, const uint64_t offsets[WARP_SIZE],
                      uint32_t from)
{
    float cells[WARP_SIZE] = {0}, power[WARP_SIZE] = {0};
    uint64_t addresses[WARP_SIZE];
    struct shared_tile *shared = stage->device ? (void *)stage->device->shared : NULL;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        addresses[lane] = array_base(stage, from) + offsets[lane];
    stage_load(stage, word_site(SITE_CELLS), mask, addresses, cells);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        addresses[lane] = array_base(stage, ARRAY_POWER) + offsets[lane];
    stage_load(stage, word_site(SITE_POWER), mask, addresses, power);
    stage_mix(stage, 1, (struct work){.singles = 4, .stores = 2});
    stage_barrier(stage);
    for (uint32_t lane = 0; shared && lane < WARP_SIZE; lane++) {
        uint32_t thread = stage->first_thread + lane;
        shared->temperature[thread / EDGE][thread % EDGE] = cells[lane];
        shared->power[thread / EDGE][thread % EDGE] = power[lane];
    }
}

/* Stages: the tile; then for each step the new cells, and their way back after a barrier. */
static enum stage_end run_hotspot(struct stage *stage)
{
    const struct hotspot *hotspot = (const struct hotspot *)stage->program;
    struct shared_tile *shared = stage->device ? (void *)stage->device->shared : NULL;
    int64_t left = hotspot->steps - (int64_t)stage->launch * hotspot->pyramid;
    int64_t iterations = left < hotspot->pyramid ? left : hotspot->pyramid;
    const struct tile tile = find_tile(hotspot, stage->block, iterations);
    uint32_t from = stage->launch % 2 ? ARRAY_SECOND : ARRAY_FIRST;
    uint64_t offsets[WARP_SIZE];
    uint32_t mask = find_cells(stage, &tile, hotspot->n, offsets);
    if (stage->number == 0) {
        load_tile(stage, mask, offsets, from);
        return STAGE_TURN;
    }
    int64_t step = (stage->number - 1) / 2;
    uint32_t known = known_lanes(stage, &tile, step);
    if (stage->number % 2) {
        if (step == 0) /* borders, and four quotients, whose operands are looked at in doubles */
            stage_mix(stage, 1,
                      (struct work){.integers = 44, .singles = 27, .specials = 7, .branches = 6});
        stage_mix(stage, 1, (struct work){.addresses = 7, .branches = 1});
        stage_mask(stage, known); /* the cell, its neighbours and its power */
        stage_mix(
            stage, known ? 1 : 0,
            (struct work){
                .loads = 6, .singles = 4, .specials = CONVERSIONS, .doubles = 7, .stores = 1});
        stage_barrier(stage);
        stage_mix(stage, 1, (struct work){.addresses = 1, .branches = 1});
        for (uint32_t lane = 0; shared && lane < WARP_SIZE; lane++)
            if (known >> lane & 1)
                heat(hotspot, &tile, (stage->first_thread + lane) % EDGE,
                     (stage->first_thread + lane) / EDGE, shared);
        return STAGE_TURN;
    }
    float next[WARP_SIZE] = {0};
    for (uint32_t lane = 0; shared && lane < WARP_SIZE; lane++)
        next[lane] = (&shared->next[0][0])[stage->first_thread + lane];
    if (step + 1 < iterations) {
        stage_work(stage, 4);
        stage_mask(stage, known);
        stage_mix(stage, 1, (struct work){.loads = 1, .stores = 1});
        stage_barrier(stage);
        stage_mix(stage, 1, (struct work){.addresses = 1, .branches = 1});
        for (uint32_t lane = 0; shared && lane < WARP_SIZE; lane++)
            if (known >> lane & 1)
                (&shared->temperature[0][0])[stage->first_thread + lane] = next[lane];
        return STAGE_TURN;
    }
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        offsets[lane] += array_base(stage, ARRAY_FIRST + ARRAY_SECOND - from);
    stage_mix(stage, 1, (struct work){.addresses = 1, .branches = 1});
    stage_mask(stage, known);
    stage_mix(stage, known ? 1 : 0, (struct work){.loads = 1, .singles = 2});
    stage_store(stage, word_site(SITE_NEXT), known, offsets, next);
    return STAGE_DONE;
}

static const struct staged_kernel kernel = {
    .name = "calculate_temp",
    .shared_bytes = sizeof(struct shared_tile),
    .code = {.sites = "LL S", .prologue = 22},
    .run = run_hotspot,
};

/* Chip of 16 x 16 x 0.5 mm, silicon, as the suite's host computes its coefficients. */
static void set_physics(struct hotspot *hotspot)
{
    const float capacity_factor = 0.5f, specific_heat = 1.75e6f, conductivity = 100,
                thickness = 0.0005f, edge = 0.016f, max_pd = 3.0e6f, precision = 0.001f;
    float cell = edge / (float)hotspot->n;
    float capacity = capacity_factor * specific_heat * thickness * cell * cell;
    float across = 2.0f * conductivity * thickness; /* equal in x and y: cells are squares */
    float slope = max_pd / (capacity_factor * thickness * specific_heat);
    hotspot->step_by_capacity = precision / slope / capacity;
    hotspot->per_rx = hotspot->per_ry = across;
    hotspot->per_rz = conductivity * cell * cell / thickness;
}

static enum status open_hotspot(const uint64_t *values, struct trace_source **source,
                                struct diagnostics *diagnostics)
{
    struct hotspot *hotspot = staged_create(sizeof *hotspot, &workload_hotspot, values);
    if (!hotspot)
        return STATUS_MEMORY;
    struct staged_program *program = &hotspot->staged;
    uint64_t n = values[N], pyramid = values[PYRAMID], small = EDGE - 2 * pyramid;
    uint64_t blocks = (n + small - 1) / small;
    hotspot->n = (int64_t)n;
    hotspot->pyramid = (int64_t)pyramid;
    hotspot->steps = (int64_t)values[STEPS];
    set_physics(hotspot);
    program_array(&program->program, "temperature_0", 4 * n * n);
    program_array(&program->program, "temperature_1", 4 * n * n);
    program_array(&program->program, "power", 4 * n * n);
    for (uint64_t step = 0; step < values[STEPS]; step += pyramid)
        staged_launch(program, &kernel, blocks, blocks, EDGE, EDGE, 0);
    return staged_finish(program, source, diagnostics);
}

CUDA_PROGRAM(hotspot, "HOTSPOT", RODINIA_SUITE,
             .help = "temperature of a chip; overlapping tiles of 16 x 16, steps in shared memory");
