/* STRIDES: loads of lanes that lie `stride` elements apart, from an L1 that holds them all: what an
 * L1 delivers in a cycle. One block; thread t reads eight elements that lie four apart, from
 * element (t % 64) * stride on, again and again, multiplies pairs of them and adds the products up
 * (RRZE-HPC, gpu-benches, gpu-strides). */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { LOADS, STRIDE, BYTES, BLOCK_X };
enum { AT_ONCE = 8, DISTANCE = 4, PLACES = 64 };
enum { ARRAY_DATA, ARRAY_SUMS };
enum { SITE_SUM = AT_ONCE };

static const struct workload_parameter parameters_strides[] = {
    {"loads", 1024, AT_ONCE, 1 << 24, "of a thread, a multiple of 8"},
    {"stride", 1, 0, 1 << 16, "elements from one lane to the next"},
    {"bytes", 4, 4, 8, "of an element, 4 or 8"},
    {"block_x", 1024, 1, 1024, "threads of the block"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct strides {
    struct staged_program staged; /* first */
    uint64_t rounds, stride;
    uint8_t bytes;
};

struct sums {
    double at[WARP_SIZE];
};

static void add_products(const struct strides *strides, const double wide[AT_ONCE][WARP_SIZE],
                         struct sums *sums)
{
    for (uint32_t k = 0; k < AT_ONCE; k += 2)
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
            const float *a = (const float *)(const void *)wide[k],
                        *b = (const float *)(const void *)wide[k + 1];
            sums->at[lane] += strides->bytes == sizeof(double) ? wide[k][lane] * wide[k + 1][lane]
                                                               : (double)a[lane] * (double)b[lane];
        }
}

static enum stage_end run_strides(struct stage *stage)
{
    const struct strides *strides = (const struct strides *)stage->program;
    struct sums *sums = stage->state;
    const bool doubles = strides->bytes == sizeof(double);
    if (stage->number == strides->rounds) {
        stage_work(stage, 1);
        stage_store_row(stage, (struct site){SITE_SUM, SPACE_GLOBAL, sizeof(double)}, stage->lanes,
                        array_base(stage, ARRAY_SUMS) + sizeof(double) * stage_thread(stage),
                        sizeof(double), sums->at);
        return STAGE_DONE;
    }
    double values[AT_ONCE][WARP_SIZE] = {{0}};
    const uint64_t first = stage_thread(stage) % PLACES * strides->stride;
    for (uint32_t k = 0; k < AT_ONCE; k++)
        stage_load_row(stage, (struct site){(uint8_t)k, SPACE_GLOBAL, strides->bytes}, stage->lanes,
                       array_base(stage, ARRAY_DATA) + strides->bytes * (first + k * DISTANCE),
                       (int32_t)(strides->bytes * strides->stride), values[k]);
    add_products(strides, (const double(*)[WARP_SIZE])values, sums);
    /* The pointer of 64 bit, the counter and its comparison. */
    stage_mix(stage, 1,
              (struct work){.singles = doubles ? 0 : AT_ONCE / 2,
                            .doubles = doubles ? AT_ONCE / 2 : 0,
                            .integers = 4,
                            .branches = 1});
    return STAGE_NEXT;
}

static const struct staged_kernel kernel = {
    .name = "strides_kernel",
    .code = {.sites = "LLLLLLLL S", .prologue = 8},
    .state_bytes = sizeof(struct sums),
    .run = run_strides,
};

static enum status open_strides(const uint64_t *values, struct trace_source **source,
                                struct diagnostics *diagnostics)
{
    const uint64_t bytes = values[BYTES], block_x = values[BLOCK_X];
    if (bytes != sizeof(float) && bytes != sizeof(double))
        return diagnostics_error(diagnostics, STATUS_INVALID, "STRIDES: bytes must be 4 or 8");
    if (values[LOADS] % AT_ONCE)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "STRIDES: loads must be a multiple of %d", AT_ONCE);
    struct strides *strides = staged_create(sizeof *strides, &workload_strides, values);
    if (!strides)
        return STATUS_MEMORY;
    strides->rounds = values[LOADS] / AT_ONCE;
    strides->stride = values[STRIDE];
    strides->bytes = (uint8_t)bytes;
    program_array(&strides->staged.program, "data",
                  bytes * ((PLACES - 1) * values[STRIDE] + DISTANCE * AT_ONCE));
    program_array(&strides->staged.program, "sums", sizeof(double) * block_x);
    staged_launch(&strides->staged, &kernel, 1, 1, block_x, 1, 0);
    return staged_finish(&strides->staged, source, diagnostics);
}

CUDA_PROGRAM(strides, "STRIDES", PROFILED_SUITE,
             .help = "loads of lanes that lie a stride apart, all of which an L1 holds");
