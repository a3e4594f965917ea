/* TRANSPOSE: transposes and copies of a matrix, one element a thread: the forms that every course
 * on coalescing compares.
 *
 * Straight from memory a thread moves in[y][x] or in[x][y]; `load_down` and `store_down` say which
 * side lets the lanes of a warp lie a row apart, and a transpose has one of them. With `tile` a
 * block reads a tile by rows, puts it into shared memory, and writes its transpose by rows of the
 * result, so both sides are coalesced. Tile 1 has the conflicts of banks when it is read, tile 2
 * when it is written; `pad` words after each of its rows take them away. */
#include <string.h>

#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { N, WIDTH, HEIGHT, BYTES, LOAD_DOWN, STORE_DOWN, TILE, PAD, TILES, BLOCK_X, BLOCK_Y };
enum { ARRAY_IN, ARRAY_OUT };
enum { SITE_LOAD, SITE_STORE };
enum { FROM_MEMORY, READ_DOWN, WRITTEN_DOWN };

static const struct workload_parameter parameters_transpose[] = {
    {"n", 4096, 1, 32768, "rows and columns"},
    {"width", 0, 0, 32768, "columns; 0 takes n"},
    {"height", 0, 0, 32768, "rows; 0 takes n"},
    {"bytes", 4, 4, 8, "of an element, 4 or 8"},
    {"load_down", 0, 0, 1, "1 lets lanes load a row apart"},
    {"store_down", 1, 0, 1, "1 lets lanes store a row apart"},
    {"tile", 0, 0, 2, "in shared memory: 0 none, 1 read by columns, 2 written by columns"},
    {"pad", 0, 0, 32, "padding elements after each row of the tile"},
    {"tiles", 1, 1, 16, "that a block makes one after the other (without tile)"},
    {"block_x", 32, 1, 1024, "threads of a block in x"},
    {"block_y", 8, 1, 1024, "threads of a block in y"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct transpose {
    struct staged_program staged; /* first */
    struct staged_kernel kernel;
    uint64_t width, height, block_x, block_y, tiles, pad;
    uint8_t bytes, tile;
    bool load_down, store_down;
};

union elements { /* of a warp */
    uint32_t words[WARP_SIZE];
    uint64_t doubles[WARP_SIZE];
    unsigned char bytes[8 * WARP_SIZE];
};

static struct site element_site(const struct transpose *transpose, uint8_t number)
{
    return (struct site){number, SPACE_GLOBAL, transpose->bytes};
}

/* Where the lanes' elements are, with the warp's columns `shift` to the right; returns the lanes
 * that have one. */
static uint32_t find_elements(const struct stage *stage, uint32_t array, bool down, uint64_t shift,
                              uint64_t addresses[WARP_SIZE])
{
    const struct transpose *t = (const struct transpose *)stage->program;
    uint32_t mask = 0;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        const uint64_t thread = stage->first_thread + lane;
        const uint64_t x = stage->block[0] * t->block_x * t->tiles + thread % t->block_x + shift;
        const uint64_t y = stage->block[1] * t->block_y + thread / t->block_x;
        const bool inside = stage->lanes >> lane & 1 && x < t->width && y < t->height;
        mask |= (uint32_t)inside << lane;
        addresses[lane] =
            array_base(stage, array) + t->bytes * (down ? x * t->height + y : y * t->width + x);
    }
    return mask;
}

/* A stage is one tile: there is no barrier between them. */
static enum stage_end run_direct(struct stage *stage)
{
    const struct transpose *t = (const struct transpose *)stage->program;
    const uint64_t shift = stage->number * t->block_x;
    uint64_t addresses[WARP_SIZE];
    union elements values = {{0}};
    uint32_t mask = find_elements(stage, ARRAY_IN, t->load_down, shift, addresses);
    stage_work(stage, 4);
    stage_load(stage, element_site(t, SITE_LOAD), mask, addresses, &values);
    mask = find_elements(stage, ARRAY_OUT, t->store_down, shift, addresses);
    stage_store(stage, element_site(t, SITE_STORE), mask, addresses, &values);
    return stage->number + 1 < t->tiles ? STAGE_NEXT : STAGE_DONE;
}

/* The cycles of an access to shared memory; 8-byte elements go in two halves of a warp. */
static uint32_t tile_banks(const struct transpose *t, uint32_t mask,
                           const uint32_t places[WARP_SIZE])
{
    uint32_t words[WARP_SIZE];
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        words[lane] = places[lane] * t->bytes / 4;
    if (t->bytes == 4)
        return shared_banks(mask, words);
    return shared_banks(mask & 0xffff, words) + shared_banks(mask & 0xffff0000, words);
}

/* Where each lane of the warp finds its element in the tile. A warp that writes the result counts
 * the threads of the block down the columns of the tile. */
static void find_places(const struct stage *stage, bool out, uint32_t places[WARP_SIZE])
{
    const struct transpose *t = (const struct transpose *)stage->program;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        const uint64_t thread = stage->first_thread + lane;
        const uint64_t column = out ? thread / t->block_y : thread % t->block_x;
        const uint64_t row = out ? thread % t->block_y : thread / t->block_x;
        places[lane] = (uint32_t)(t->tile == WRITTEN_DOWN ? column * (t->block_y + t->pad) + row
                                                          : row * (t->block_x + t->pad) + column);
    }
}

static void move_shared(const struct stage *stage, uint32_t mask, const uint32_t places[WARP_SIZE],
                        bool out, union elements *values)
{
    const struct transpose *t = (const struct transpose *)stage->program;
    for (uint32_t left = stage->device ? mask : 0; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        unsigned char *shared = stage->device->shared + (size_t)places[lane] * t->bytes;
        unsigned char *value = values->bytes + (size_t)lane * t->bytes;
        memcpy(out ? value : shared, out ? shared : value, t->bytes);
    }
}

/* Where the threads of a warp store the transpose of the block's tile. */
static uint32_t find_transposed(const struct stage *stage, uint64_t addresses[WARP_SIZE])
{
    const struct transpose *t = (const struct transpose *)stage->program;
    uint32_t mask = 0;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        const uint64_t thread = stage->first_thread + lane;
        const uint64_t x = stage->block[0] * t->block_x + thread / t->block_y;
        const uint64_t y = stage->block[1] * t->block_y + thread % t->block_y;
        const bool inside = stage->lanes >> lane & 1 && x < t->width && y < t->height;
        mask |= (uint32_t)inside << lane;
        addresses[lane] = array_base(stage, ARRAY_OUT) + t->bytes * (x * t->height + y);
    }
    return mask;
}

/* Stages: the tile, then its transpose. A guard stands around the loads and around the stores, so
 * that all threads of a tile that sticks out come to the barrier between them. */
static enum stage_end run_tile(struct stage *stage)
{
    const struct transpose *t = (const struct transpose *)stage->program;
    uint64_t addresses[WARP_SIZE];
    uint32_t places[WARP_SIZE];
    union elements values = {{0}};
    const bool out = stage->number;
    const uint32_t mask = out ? find_transposed(stage, addresses)
                              : find_elements(stage, ARRAY_IN, false, 0, addresses);
    find_places(stage, out, places);
    struct work work = {.banks = tile_banks(t, mask, places)};
    if (!out) {
        stage_work(stage, 6);
        stage_load(stage, element_site(t, SITE_LOAD), mask, addresses, &values);
        work.stores = 1;
        stage_mix(stage, mask ? 1 : 0, work);
        move_shared(stage, mask, places, false, &values);
        stage_barrier(stage);
        return STAGE_TURN;
    }
    work.loads = 1;
    stage_work(stage, 4);
    stage_mix(stage, mask ? 1 : 0, work);
    move_shared(stage, mask, places, true, &values);
    stage_store(stage, element_site(t, SITE_STORE), mask, addresses, &values);
    return STAGE_DONE;
}

static enum status check(const uint64_t *values, struct diagnostics *diagnostics)
{
    enum status status = program_check_block(values[BLOCK_X], values[BLOCK_Y], diagnostics);
    if (status)
        return status;
    if (values[BYTES] != 4 && values[BYTES] != 8)
        return diagnostics_error(diagnostics, STATUS_INVALID, "TRANSPOSE: bytes must be 4 or 8");
    return STATUS_OK;
}

static uint32_t tile_bytes(const struct transpose *t)
{
    const uint64_t rows = t->tile == WRITTEN_DOWN ? t->block_x : t->block_y;
    const uint64_t row = t->tile == WRITTEN_DOWN ? t->block_y : t->block_x;
    return (uint32_t)(rows * (row + t->pad) * t->bytes);
}

static void transpose_init(struct transpose *t, const uint64_t *values)
{
    t->width = (uint64_t)size_or(values[WIDTH], values[N]);
    t->height = (uint64_t)size_or(values[HEIGHT], values[N]);
    t->block_x = values[BLOCK_X];
    t->block_y = values[BLOCK_Y];
    t->pad = values[PAD];
    t->bytes = (uint8_t)values[BYTES];
    t->tile = (uint8_t)values[TILE];
    t->tiles = t->tile ? 1 : values[TILES];
    t->load_down = values[LOAD_DOWN];
    t->store_down = values[STORE_DOWN];
    t->kernel = (struct staged_kernel){
        .name = t->tile ? "transpose_tile" : "transpose_direct",
        .shared_bytes = t->tile ? tile_bytes(t) : 0,
        .code = {.sites = "L S", .prologue = 12},
        .run = t->tile ? run_tile : run_direct,
    };
}

static enum status open_transpose(const uint64_t *values, struct trace_source **source,
                                  struct diagnostics *diagnostics)
{
    const uint64_t width = (uint64_t)size_or(values[WIDTH], values[N]);
    const uint64_t height = (uint64_t)size_or(values[HEIGHT], values[N]);
    enum status status = check(values, diagnostics);
    if (status)
        return status;
    struct transpose *t = staged_create(sizeof *t, &workload_transpose, values);
    if (!t)
        return STATUS_MEMORY;
    transpose_init(t, values);
    const uint64_t span = t->block_x * t->tiles;
    program_array(&t->staged.program, "in", t->bytes * width * height);
    program_array(&t->staged.program, "out", t->bytes * width * height);
    staged_launch(&t->staged, &t->kernel, (width + span - 1) / span,
                  (height + t->block_y - 1) / t->block_y, t->block_x, t->block_y, 0);
    return staged_finish(&t->staged, source, diagnostics);
}

CUDA_PROGRAM(
    transpose, "TRANSPOSE", PROFILED_SUITE,
    .help = "transposes and copies of a matrix, from memory or through tiles in shared memory");
