/* SRAD: speckle-reducing anisotropic diffusion of an image, after srad_v2 of Rodinia 3.1.
 *
 * A step is two launches of blocks of 16 x 16 threads. The first finds from a pixel's four
 * neighbours how fast it may diffuse, and stores that and the four differences; the second moves
 * the pixel by them, with the speeds of itself, of the pixel below and of the one to the right. A
 * block keeps its own pixels in shared memory and the rows and columns around them in arrays as
 * large, so every thread of a column loads the same word of the row above. At the edges of the
 * image a block loads what lies outside first, and then again from its own edge; that order is the
 * suite's, and so are the addresses outside.
 *
 * The suite writes 1.0 where 1.0f would do, so a part of a speed is computed in doubles. Counts of
 * instructions are estimates from the source: nine for each quotient of floats. */
#include <stdlib.h>

#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { ROWS, COLUMNS, STEPS };
enum { EDGE = 16, REGION = 128 };
enum { ARRAY_IMAGE, ARRAY_SPEED, ARRAY_EAST, ARRAY_WEST, ARRAY_SOUTH, ARRAY_NORTH };
enum { SIDE_NORTH, SIDE_SOUTH, SIDE_WEST, SIDE_EAST, SIDES };

static const float lambda = 0.5f;

static const struct workload_parameter parameters_srad[] = {
    {"rows", 2048, 2 * EDGE, 32768, "of the image, a multiple of 16"},
    {"columns", 2048, 2 * EDGE, 32768, "of the image, a multiple of 16"},
    {"steps", 2, 1, 10000, "of diffusion, two launches each"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct srad {
    struct staged_program staged; /* first */
    uint64_t rows, columns;
    float *noise; /* of the region of the image that the host looks at before each step: the square
                   * of its deviation over its mean; only a device needs it */
};

/* The pixel that a thread loads, from the first one of its block on: `down` and `right` say whether
 * the thread's own row and column count. */
struct pixels {
    int64_t row, column;
    bool down, right;
};

static const struct pixels own_pixels = {0, 0, true, true};

/* What lies outside of the block, and what takes its place at the edge of the image. */
static const struct {
    struct pixels outside, edge;
} sides[SIDES] = {
    [SIDE_NORTH] = {{-1, 0, false, true}, {0, 0, false, true}},
    [SIDE_SOUTH] = {{EDGE, 0, false, true}, {EDGE - 1, 0, false, true}},
    [SIDE_WEST] = {{0, -1, true, false}, {0, 0, true, false}},
    [SIDE_EAST] = {{0, EDGE, true, false}, {0, EDGE - 1, true, false}},
};

typedef float square[EDGE][EDGE];

struct shared_squares {
    square own, image, around[SIDES]; /* own: pixels in the first kernel, speeds in the second */
};

static struct shared_squares *shared_squares(const struct stage *stage)
{
    return stage->device ? (void *)stage->device->shared : NULL;
}

static void find_pixels(const struct stage *stage, uint32_t array, const struct pixels *pixels,
                        uint64_t addresses[WARP_SIZE])
{
    const struct srad *srad = (const struct srad *)stage->program;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        const uint32_t thread = stage->first_thread + lane;
        const int64_t row = (int64_t)EDGE * stage->block[1] + pixels->row +
                            (pixels->down ? thread / EDGE : 0),
                      column = (int64_t)EDGE * stage->block[0] + pixels->column +
                               (pixels->right ? thread % EDGE : 0);
        addresses[lane] =
            array_base(stage, array) + 4 * (uint64_t)(row * (int64_t)srad->columns + column);
    }
}

static void load_square(struct stage *stage, uint8_t site, uint32_t array,
                        const struct pixels *pixels, square *to)
{
    uint64_t addresses[WARP_SIZE];
    float values[WARP_SIZE] = {0};
    find_pixels(stage, array, pixels, addresses);
    stage_load(stage, word_site(site), stage->lanes, addresses, values);
    stage_mix(stage, 1, (struct work){.stores = 1});
    for (uint32_t lane = 0; to && lane < WARP_SIZE; lane++)
        (&(*to)[0][0])[stage->first_thread + lane] = values[lane];
}

static bool is_edge(const struct stage *stage, uint32_t side)
{
    const struct srad *srad = (const struct srad *)stage->program;
    const uint64_t last[2] = {srad->columns / EDGE - 1, srad->rows / EDGE - 1};
    const uint32_t axis = side == SIDE_NORTH || side == SIDE_SOUTH;
    return stage->block[axis] == (side == SIDE_NORTH || side == SIDE_WEST ? 0 : last[axis]);
}

/* What lies outside of the image is nobody's value, so a device is not asked for it. */
static void load_outside(struct stage *stage, uint8_t site, uint32_t array, uint32_t side)
{
    struct shared_squares *shared = shared_squares(stage);
    if (!is_edge(stage, side)) {
        load_square(stage, site, array, &sides[side].outside,
                    shared ? &shared->around[side] : NULL);
        return;
    }
    uint64_t addresses[WARP_SIZE];
    find_pixels(stage, array, &sides[side].outside, addresses);
    stage_touch(stage, word_site(site), OP_LOAD, stage->lanes, addresses);
    stage_mix(stage, 1, (struct work){.stores = 1});
}

static void load_edge(struct stage *stage, uint8_t site, uint32_t array, uint32_t side)
{
    struct shared_squares *shared = shared_squares(stage);
    stage_mix(stage, 1, (struct work){.branches = 1});
    if (is_edge(stage, side))
        load_square(stage, site, array, &sides[side].edge, shared ? &shared->around[side] : NULL);
}

/* A row or column of four neighbours comes from `around` where `at` is the last one before it. */
static float neighbour(const struct shared_squares *shared, uint32_t side, uint32_t y, uint32_t x)
{
    switch (side) {
    case SIDE_NORTH:
        return y == 0 ? shared->around[side][y][x] : shared->own[y - 1][x];
    case SIDE_SOUTH:
        return y == EDGE - 1 ? shared->around[side][y][x] : shared->own[y + 1][x];
    case SIDE_WEST:
        return x == 0 ? shared->around[side][y][x] : shared->own[y][x - 1];
    default:
        return x == EDGE - 1 ? shared->around[side][y][x] : shared->own[y][x + 1];
    }
}

/* Which of its branches a thread takes: rows first, last and others, and columns likewise. */
static uint32_t branch_of(uint32_t thread, bool first_too)
{
    const uint32_t at[2] = {thread % EDGE, thread / EDGE};
    uint32_t branch = 0;
    for (int axis = 0; axis < 2; axis++)
        branch = 3 * branch + (at[axis] == EDGE - 1 ? 2 : first_too && at[axis] == 0 ? 1 : 0);
    return branch;
}

/* The neighbours come from shared memory, in a branch for each place in the block. */
static void meet_neighbours(struct stage *stage, bool first_too, struct work work)
{
    enum { BRANCHES = 9 };
    for (uint32_t branch = 0; branch < BRANCHES; branch++) {
        uint32_t mask = 0;
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
            mask |= (uint32_t)(branch_of(stage->first_thread + lane, first_too) == branch) << lane;
        stage_mask(stage, mask);
        stage_mix(stage, mask ? 1 : 0, work);
    }
    stage_mask(stage, stage->lanes);
}

/* ---- first kernel: the speed of diffusion ---- */

enum {
    SITE_SIDES, /* north, south, and their edges; west, east, and theirs */
    SITE_PIXEL = 2 * SIDES,
    SITE_SPEED,
    SITE_DIFFERENCES, /* east, west, south, north */
};

/* Differences from the neighbours, and a speed from 0 to 1 (equations 31 to 33 of the method). */
static float find_speed(const struct shared_squares *shared, float noise, uint32_t y, uint32_t x,
                        float differences[SIDES])
{
    const float at = shared->own[y][x];
    float squares = 0, sum = 0;
    for (uint32_t side = 0; side < SIDES; side++) {
        differences[side] = neighbour(shared, side, y, x) - at;
        squares += differences[side] * differences[side];
        sum += differences[side];
    }
    const float gradient = squares / (at * at), laplace = sum / at;
    const float above = (float)(0.5 * (double)gradient - 1.0 / 16.0 * (double)(laplace * laplace)),
                below = (float)(1 + 0.25 * (double)laplace);
    const float excess = (above / (below * below) - noise) / (noise * (1 + noise));
    const float speed = (float)(1.0 / (1.0 + (double)excess));
    return speed < 0 ? 0 : speed > 1 ? 1 : speed;
}

static void store_speeds(struct stage *stage)
{
    static const uint8_t order[SIDES] = {SIDE_EAST, SIDE_WEST, SIDE_SOUTH, SIDE_NORTH};
    const struct srad *srad = (const struct srad *)stage->program;
    const struct shared_squares *shared = shared_squares(stage);
    float speeds[WARP_SIZE] = {0}, differences[SIDES][WARP_SIZE] = {{0}};
    for (uint32_t lane = 0; shared && lane < WARP_SIZE; lane++) {
        const uint32_t thread = stage->first_thread + lane;
        float of_lane[SIDES];
        speeds[lane] = find_speed(shared, *srad->noise, thread / EDGE, thread % EDGE, of_lane);
        for (uint32_t side = 0; side < SIDES; side++)
            differences[side][lane] = of_lane[side];
    }
    uint64_t addresses[WARP_SIZE];
    find_pixels(stage, ARRAY_SPEED, &own_pixels, addresses);
    stage_mix(stage, 1, (struct work){.addresses = 1, .loads = 1});
    stage_store(stage, word_site(SITE_SPEED), stage->lanes, addresses, speeds);
    for (uint32_t i = 0; i < SIDES; i++) {
        find_pixels(stage, ARRAY_EAST + i, &own_pixels, addresses);
        stage_mix(stage, 1, (struct work){.addresses = 2});
        stage_store(stage, word_site((uint8_t)(SITE_DIFFERENCES + i)), stage->lanes, addresses,
                    differences[order[i]]);
    }
}

/* Stages: rows around the block, columns, its pixels, speeds, and their way to memory; a barrier
 * after each but the last. */
static enum stage_end run_speeds(struct stage *stage)
{
    enum { AROUND_ROWS, AROUND_COLUMNS, PIXELS, SPEEDS, STORES };
    struct shared_squares *shared = shared_squares(stage);
    if (stage->number == STORES) {
        store_speeds(stage);
        return STAGE_DONE;
    }
    if (stage->number == PIXELS) {
        load_square(stage, SITE_PIXEL, ARRAY_IMAGE, &own_pixels, shared ? &shared->own : NULL);
    } else if (stage->number == SPEEDS) {
        meet_neighbours(stage, true, (struct work){.loads = 5, .singles = 4, .branches = 2});
        stage_mix(stage, 1,
                  (struct work){.singles = 45, .doubles = 12, .specials = 12, .stores = 1});
    } else {
        const uint8_t side = stage->number == AROUND_ROWS ? SIDE_NORTH : SIDE_WEST,
                      site = (uint8_t)(SITE_SIDES + 2 * side);
        load_outside(stage, site, ARRAY_IMAGE, side);
        load_outside(stage, site + 1, ARRAY_IMAGE, side + 1u);
        load_edge(stage, site + 2, ARRAY_IMAGE, side);
        load_edge(stage, site + 3, ARRAY_IMAGE, side + 1u);
    }
    stage_barrier(stage);
    return STAGE_TURN;
}

static const struct staged_kernel speed_kernel = {
    .name = "srad_cuda_1",
    .shared_bytes = sizeof(square) * (SIDES + 2),
    .code = {.sites = "LL L L LL L L L SSSSS", .prologue = 24},
    .run = run_speeds,
};

/* ---- second kernel: the pixels move ---- */

enum {
    SITE_IMAGE,
    SITE_BELOW,
    SITE_BELOW_EDGE,
    SITE_RIGHT,
    SITE_RIGHT_EDGE,
    SITE_OWN_SPEED,
    SITE_DIFFERENCE, /* north, south, west, east */
    SITE_MOVED = SITE_DIFFERENCE + SIDES
};

static void move_pixels(struct stage *stage)
{
    static const uint32_t arrays[SIDES] = {ARRAY_NORTH, ARRAY_SOUTH, ARRAY_WEST, ARRAY_EAST};
    struct shared_squares *shared = shared_squares(stage);
    float sums[WARP_SIZE] = {0};
    meet_neighbours(stage, false, (struct work){.loads = 2, .branches = 2});
    for (uint32_t side = 0; side < SIDES; side++) {
        uint64_t addresses[WARP_SIZE];
        float differences[WARP_SIZE] = {0};
        find_pixels(stage, arrays[side], &own_pixels, addresses);
        stage_mix(stage, 1, (struct work){.addresses = 2});
        stage_load(stage, word_site((uint8_t)(SITE_DIFFERENCE + side)), stage->lanes, addresses,
                   differences);
        const bool far = side == SIDE_SOUTH || side == SIDE_EAST;
        for (uint32_t lane = 0; shared && lane < WARP_SIZE; lane++) {
            const uint32_t thread = stage->first_thread + lane, y = thread / EDGE,
                           x = thread % EDGE;
            sums[lane] +=
                (far ? neighbour(shared, side, y, x) : shared->own[y][x]) * differences[lane];
        }
    }
    stage_mix(stage, 1, (struct work){.loads = 1, .singles = 6, .doubles = 2, .specials = 3});
    stage_mix(stage, 1, (struct work){.stores = 1});
    for (uint32_t lane = 0; shared && lane < WARP_SIZE; lane++) {
        float *pixel = &(&shared->image[0][0])[stage->first_thread + lane];
        *pixel = (float)((double)*pixel + 0.25 * (double)lambda * (double)sums[lane]);
    }
}

static void store_pixels(struct stage *stage)
{
    const struct shared_squares *shared = shared_squares(stage);
    uint64_t addresses[WARP_SIZE];
    float values[WARP_SIZE] = {0};
    for (uint32_t lane = 0; shared && lane < WARP_SIZE; lane++)
        values[lane] = (&shared->image[0][0])[stage->first_thread + lane];
    find_pixels(stage, ARRAY_IMAGE, &own_pixels, addresses);
    stage_mix(stage, 1, (struct work){.loads = 1});
    stage_store(stage, word_site(SITE_MOVED), stage->lanes, addresses, values);
}

/* Stages: pixels, speeds below, to the right and the block's own, the pixels moved, and their way
 * to memory; a barrier after each but the last. */
static enum stage_end run_pixels(struct stage *stage)
{
    enum { PIXELS, BELOW, RIGHT, OWN, MOVE, STORES };
    struct shared_squares *shared = shared_squares(stage);
    switch (stage->number) {
    case PIXELS:
        load_square(stage, SITE_IMAGE, ARRAY_IMAGE, &own_pixels, shared ? &shared->image : NULL);
        break;
    case BELOW:
        load_outside(stage, SITE_BELOW, ARRAY_SPEED, SIDE_SOUTH);
        load_edge(stage, SITE_BELOW_EDGE, ARRAY_SPEED, SIDE_SOUTH);
        break;
    case RIGHT:
        load_outside(stage, SITE_RIGHT, ARRAY_SPEED, SIDE_EAST);
        load_edge(stage, SITE_RIGHT_EDGE, ARRAY_SPEED, SIDE_EAST);
        break;
    case OWN:
        load_square(stage, SITE_OWN_SPEED, ARRAY_SPEED, &own_pixels, shared ? &shared->own : NULL);
        break;
    case MOVE:
        move_pixels(stage);
        break;
    default:
        store_pixels(stage);
        return STAGE_DONE;
    }
    stage_barrier(stage);
    return STAGE_TURN;
}

static const struct staged_kernel pixel_kernel = {
    .name = "srad_cuda_2",
    .shared_bytes = sizeof(square) * 5,
    .code = {.sites = "L L L L L L LLLL S", .prologue = 20},
    .run = run_pixels,
};

/* ---- the host ---- */

/* The noise of the corner of the image that the suite's arguments name. */
static void find_noise(const struct staged_program *program, uint32_t launch, struct device *device)
{
    const struct srad *srad = (const struct srad *)program;
    const uint64_t rows = srad->rows < REGION ? srad->rows : REGION,
                   columns = srad->columns < REGION ? srad->columns : REGION;
    const float *image = device_at(device, program->program.arrays[ARRAY_IMAGE].base,
                                   4 * srad->rows * srad->columns);
    if (launch % 2 || !image)
        return;
    float sum = 0, squares = 0;
    for (uint64_t row = 0; row < rows; row++)
        for (uint64_t column = 0; column < columns; column++) {
            const float at = image[row * srad->columns + column];
            sum += at;
            squares += at * at;
        }
    const float mean = sum / (float)(rows * columns);
    *srad->noise = (squares / (float)(rows * columns) - mean * mean) / (mean * mean);
}

static void release_srad(struct staged_program *program)
{
    free(((struct srad *)program)->noise);
}

static enum status open_srad(const uint64_t *values, struct trace_source **source,
                             struct diagnostics *diagnostics)
{
    static const char *const names[] = {"J", "C", "E_C", "W_C", "S_C", "N_C"};
    const uint64_t rows = values[ROWS], columns = values[COLUMNS];
    if (rows % EDGE || columns % EDGE)
        return diagnostics_error(
            diagnostics, STATUS_INVALID,
            "SRAD: rows and columns must be multiples of 16, got %llu and %llu",
            (unsigned long long)rows, (unsigned long long)columns);
    struct srad *srad = staged_create(sizeof *srad, &workload_srad, values);
    if (!srad)
        return STATUS_MEMORY;
    struct staged_program *program = &srad->staged;
    srad->rows = rows;
    srad->columns = columns;
    srad->noise = calloc(1, sizeof *srad->noise);
    if (!srad->noise)
        program->program.status = STATUS_MEMORY;
    program->prepare = find_noise;
    program->release = release_srad;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        program_array(&program->program, names[i], 4 * rows * columns);
    for (uint64_t step = 0; step < values[STEPS]; step++) {
        staged_launch(program, &speed_kernel, columns / EDGE, rows / EDGE, EDGE, EDGE, 0);
        staged_launch(program, &pixel_kernel, columns / EDGE, rows / EDGE, EDGE, EDGE, 0);
    }
    return staged_finish(program, source, diagnostics);
}

CUDA_PROGRAM(srad, "SRAD", RODINIA_SUITE,
             .help = "diffusion of an image in two kernels; six arrays, edges loaded twice");
