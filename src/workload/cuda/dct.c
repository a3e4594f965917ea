/* DCT: the discrete cosine transform of each 8 x 8 block of an image, by the first kernel of CUDA's
 * samples (dct8x8, CUDAkernel1DCT): one thread an element, which comes through the texture unit,
 * then a product with the matrix of cosines from either side in shared memory. That matrix lies in
 * constant memory; the lanes of a warp read four of its words at once for one product, and eight
 * for the other. */
#include <math.h>

#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { WIDTH, HEIGHT };
enum { ARRAY_IMAGE, ARRAY_OUT };
enum { EDGE = 8, ELEMENTS = EDGE * EDGE };
enum { SITE_IMAGE, SITE_LEFT, SITE_RIGHT = SITE_LEFT + EDGE, SITE_OUT = SITE_RIGHT + EDGE };

static const struct workload_parameter parameters_dct[] = {
    {"width", 512, EDGE, MATRIX_EDGE_MAX, "elements of a row of the image, a multiple of 8"},
    {"height", 512, EDGE, MATRIX_EDGE_MAX, "rows, a multiple of 8"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct dct {
    struct staged_program staged; /* first */
    uint64_t width;
    float cosines[EDGE][EDGE]; /* [sample][frequency] */
};

static void make_cosines(float cosines[EDGE][EDGE])
{
    const double step = acos(-1) / (2 * EDGE);
    for (int sample = 0; sample < EDGE; sample++)
        for (int frequency = 0; frequency < EDGE; frequency++)
            cosines[sample][frequency] = (float)(sqrt(frequency ? 2.0 / EDGE : 1.0 / EDGE) *
                                                 cos((2 * sample + 1) * frequency * step));
}

/* The column and row of a lane's element within its block. */
static uint32_t column_of(const struct stage *stage, uint32_t lane)
{
    return (stage->first_thread + lane) % EDGE;
}

static uint32_t row_of(const struct stage *stage, uint32_t lane)
{
    return (stage->first_thread + lane) / EDGE;
}

static void dct_find(const struct stage *stage, uint32_t array, uint64_t addresses[WARP_SIZE])
{
    const struct dct *dct = (const struct dct *)stage->program;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        const uint64_t row = (uint64_t)stage->block[1] * EDGE + row_of(stage, lane),
                       column = (uint64_t)stage->block[0] * EDGE + column_of(stage, lane);
        addresses[lane] = array_base(stage, array) + 4 * (row * dct->width + column);
    }
}

/* Shared memory has two blocks of elements, which the products read and write in turn. */
static float *shared_block(const struct stage *stage, uint32_t which)
{
    return stage->device ? (float *)(void *)stage->device->shared + (size_t)ELEMENTS * which : NULL;
}

static void load_image(struct stage *stage)
{
    uint64_t addresses[WARP_SIZE];
    float values[WARP_SIZE] = {0}, *block = shared_block(stage, 0);
    dct_find(stage, ARRAY_IMAGE, addresses);
    stage_load(stage, (struct site){SITE_IMAGE, SPACE_TEXTURE, 4}, stage->lanes, addresses, values);
    stage_mix(stage, 1, (struct work){.stores = 1});
    for (uint32_t lane = 0; block && lane < WARP_SIZE; lane++)
        block[stage->first_thread + lane] = values[lane];
}

/* From the left the cosines of a lane's row stand beside a column of the block, from the right
 * those of its column beside a row. */
static void multiply(struct stage *stage, bool left)
{
    const struct dct *dct = (const struct dct *)stage->program;
    const float *from = shared_block(stage, left ? 0 : 1);
    float sums[WARP_SIZE] = {0}, *to = shared_block(stage, left ? 1 : 0);
    stage_work(stage, 2);
    for (uint32_t i = 0; i < EDGE; i++) {
        uint64_t addresses[WARP_SIZE];
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
            const uint32_t row = row_of(stage, lane), column = column_of(stage, lane),
                           frequency = left ? row : column;
            addresses[lane] = 4 * (uint64_t)(EDGE * i + frequency);
            if (from)
                sums[lane] +=
                    dct->cosines[i][frequency] * from[left ? EDGE * i + column : EDGE * row + i];
        }
        stage_touch(
            stage, (struct site){(uint8_t)((left ? SITE_LEFT : SITE_RIGHT) + i), SPACE_CONSTANT, 4},
            OP_LOAD, stage->lanes, addresses);
    }
    stage_mix(stage, EDGE, (struct work){.loads = 1, .singles = 1});
    stage_mix(stage, 1, (struct work){.stores = 1});
    for (uint32_t lane = 0; to && lane < WARP_SIZE; lane++)
        to[stage->first_thread + lane] = sums[lane];
}

static void store_result(struct stage *stage)
{
    uint64_t addresses[WARP_SIZE];
    const float *block = shared_block(stage, 0);
    float values[WARP_SIZE] = {0};
    for (uint32_t lane = 0; block && lane < WARP_SIZE; lane++)
        values[lane] = block[stage->first_thread + lane];
    dct_find(stage, ARRAY_OUT, addresses);
    stage_mix(stage, 1, (struct work){.integers = 2, .loads = 1});
    stage_store(stage, word_site(SITE_OUT), stage->lanes, addresses, values);
}

/* Stages: the image, the two products, the result; a barrier after each but the last. */
static enum stage_end run_dct(struct stage *stage)
{
    enum { LOAD, LEFT, RIGHT, STORE };
    if (stage->number == STORE) {
        store_result(stage);
        return STAGE_DONE;
    }
    if (stage->number == LOAD)
        load_image(stage);
    else
        multiply(stage, stage->number == LEFT);
    stage_barrier(stage);
    return STAGE_TURN;
}

static const struct staged_kernel kernel = {
    .name = "CUDAkernel1DCT",
    .shared_bytes = 2 * 4 * ELEMENTS,
    .code = {.sites = "T LLLLLLLL LLLLLLLL S", .prologue = 12},
    .run = run_dct,
};

static enum status open_dct(const uint64_t *values, struct trace_source **source,
                            struct diagnostics *diagnostics)
{
    const uint64_t width = values[WIDTH], height = values[HEIGHT];
    if (width % EDGE || height % EDGE)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "DCT: width and height must be multiples of 8, got %llu and %llu",
                                 (unsigned long long)width, (unsigned long long)height);
    struct dct *dct = staged_create(sizeof *dct, &workload_dct, values);
    if (!dct)
        return STATUS_MEMORY;
    dct->width = width;
    make_cosines(dct->cosines);
    program_array(&dct->staged.program, "image", 4 * width * height);
    program_array(&dct->staged.program, "out", 4 * width * height);
    staged_launch(&dct->staged, &kernel, width / EDGE, height / EDGE, EDGE, EDGE, 0);
    return staged_finish(&dct->staged, source, diagnostics);
}

CUDA_PROGRAM(dct, "DCT", SAMPLES_SUITE,
             .help = "cosine transform of 8 x 8 blocks: rows of 32 B through the texture unit");
