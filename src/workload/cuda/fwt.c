/* FWT: the fast Walsh transform of a vector, in place, by the kernels of CUDA's samples
 * (fastWalshTransform). While a part has more elements than a block holds in shared memory, each
 * launch does two levels of butterflies in global memory: a thread takes four elements a quarter of
 * the part apart, and the parts become a quarter of the size. The last launch does all levels that
 * are left in shared memory, a block a part. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { LOG2_N };
enum { SITE_LOAD = 0, SITE_STORE = 4 };
enum { QUARTERS = 4, THREADS = 256, SHARED_LOG2 = 11, LOG2_MAX = 28 };

static const struct workload_parameter parameters_fwt[] = {
    {"log2_n", 23, SHARED_LOG2, LOG2_MAX, "base 2 logarithm of the elements of the vector"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct fwt {
    struct staged_program staged; /* first */
    struct staged_kernel in_memory, in_shared;
    uint64_t log2_n, log2_part; /* of the vector; of a part in shared memory */
};

static void butterflies(float *a, float *b, float *c, float *d)
{
    const float ac = *a + *c, bd = *b + *d, a_c = *a - *c, b_d = *b - *d;
    *a = ac + bd;
    *b = ac - bd;
    *c = a_c + b_d;
    *d = a_c - b_d;
}

/* The first of the four elements of a thread, which are `stride` apart. */
static uint64_t first_of(uint64_t thread, uint64_t stride)
{
    const uint64_t low = thread & (stride - 1);
    return (thread - low) * QUARTERS + low;
}

/* ---- in global memory: the argument is the distance of the four elements ---- */

static enum stage_end run_in_memory(struct stage *stage)
{
    const uint64_t stride = stage->argument;
    float values[QUARTERS][WARP_SIZE];
    uint64_t addresses[QUARTERS][WARP_SIZE];
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        for (uint64_t i = 0; i < QUARTERS; i++)
            addresses[i][lane] = array_base(stage, 0) +
                                 4 * (first_of(stage_thread(stage) + lane, stride) + i * stride);
    stage_work(stage, 6);
    for (uint8_t i = 0; i < QUARTERS; i++)
        stage_load(stage, word_site(SITE_LOAD + i), stage->lanes, addresses[i], values[i]);
    for (uint32_t lane = 0; stage->device && lane < WARP_SIZE; lane++)
        butterflies(&values[0][lane], &values[1][lane], &values[2][lane], &values[3][lane]);
    stage_mix(stage, 1, (struct work){.singles = 8});
    for (uint8_t i = 0; i < QUARTERS; i++)
        stage_store(stage, word_site(SITE_STORE + i), stage->lanes, addresses[i], values[i]);
    return STAGE_DONE;
}

/* ---- in shared memory: a thread has a quarter of the part's elements ---- */

static uint64_t part_base(const struct stage *stage)
{
    const struct fwt *fwt = (const struct fwt *)stage->program;
    return array_base(stage, 0) + 4 * ((uint64_t)stage->block[0] << fwt->log2_part);
}

static void copy_part(struct stage *stage, bool in)
{
    stage_work(stage, 2);
    for (uint8_t i = 0; i < QUARTERS; i++) {
        const uint64_t first = stage->first_thread + (uint64_t)i * stage->threads;
        float values[WARP_SIZE] = {0},
              *shared = stage->device ? (float *)(void *)stage->device->shared + first : NULL;
        for (uint32_t lane = 0; shared && !in && lane < WARP_SIZE; lane++)
            values[lane] = shared[lane];
        if (in)
            stage_load_row(stage, word_site(SITE_LOAD + i), stage->lanes,
                           part_base(stage) + 4 * first, 4, values);
        else
            stage_store_row(stage, word_site(SITE_STORE + i), stage->lanes,
                            part_base(stage) + 4 * first, 4, values);
        for (uint32_t lane = 0; shared && in && lane < WARP_SIZE; lane++)
            shared[lane] = values[lane];
    }
}

/* Below 32, `stride` neighbours are followed by a gap of three times as many words, so that lanes
 * meet in banks. */
static uint32_t bank_cycles(uint64_t stride)
{
    if (stride >= WARP_SIZE)
        return 1;
    return stride == WARP_SIZE / 2 ? 2 : QUARTERS;
}

static void two_levels(struct stage *stage, uint64_t stride)
{
    stage_mix(stage, 1, (struct work){.addresses = 4});
    stage_mix(stage, 1,
              (struct work){.loads = 4, .singles = 8, .stores = 4, .banks = bank_cycles(stride)});
    float *shared = stage->device ? (float *)(void *)stage->device->shared : NULL;
    for (uint32_t lane = 0; shared && lane < WARP_SIZE; lane++) {
        float *first = shared + first_of(stage->first_thread + lane, stride);
        butterflies(first, first + stride, first + 2 * stride, first + 3 * stride);
    }
}

/* Of an odd number of levels the last one: pairs of neighbours. */
static void one_level(struct stage *stage)
{
    stage_mix(stage, 2, (struct work){.loads = 2, .singles = 2, .stores = 2, .banks = 2});
    float *shared = stage->device ? (float *)(void *)stage->device->shared : NULL;
    for (uint32_t lane = 0; shared && lane < WARP_SIZE; lane++)
        for (uint64_t half = 0; half < 2; half++) {
            float *pair = shared + 2 * (stage->first_thread + lane + half * stage->threads);
            const float sum = pair[0] + pair[1];
            pair[1] = pair[0] - pair[1];
            pair[0] = sum;
        }
}

/* Stages: in, the levels, out; a barrier after each. */
static enum stage_end run_in_shared(struct stage *stage)
{
    const struct fwt *fwt = (const struct fwt *)stage->program;
    const uint64_t pairs = fwt->log2_part / 2, levels = pairs + fwt->log2_part % 2;
    if (stage->number == levels + 1) {
        copy_part(stage, false);
        return STAGE_DONE;
    }
    if (stage->number == 0) {
        copy_part(stage, true);
        stage_mix(stage, 1, (struct work){.stores = 4});
    } else if (stage->number <= pairs) {
        two_levels(stage, UINT64_C(1) << (fwt->log2_part - 2 * stage->number));
    } else {
        one_level(stage);
    }
    stage_barrier(stage);
    return STAGE_TURN;
}

static enum status open_fwt(const uint64_t *values, struct trace_source **source,
                            struct diagnostics *diagnostics)
{
    struct fwt *fwt = staged_create(sizeof *fwt, &workload_fwt, values);
    if (!fwt)
        return STATUS_MEMORY;
    fwt->log2_n = values[LOG2_N];
    fwt->log2_part = fwt->log2_n;
    fwt->in_memory = (struct staged_kernel){.name = "fwtBatch2Kernel",
                                            .code = {.sites = "LLLL SSSS", .prologue = 12},
                                            .run = run_in_memory};
    program_array(&fwt->staged.program, "data", UINT64_C(4) << fwt->log2_n);
    for (; fwt->log2_part > SHARED_LOG2; fwt->log2_part -= 2)
        staged_launch(&fwt->staged, &fwt->in_memory,
                      (UINT64_C(1) << fwt->log2_n) / (QUARTERS * THREADS), 1, THREADS, 1,
                      UINT32_C(1) << (fwt->log2_part - 2));
    fwt->in_shared = (struct staged_kernel){.name = "fwtBatch1Kernel",
                                            .shared_bytes = UINT32_C(4) << fwt->log2_part,
                                            .code = {.sites = "LLLL SSSS", .prologue = 8},
                                            .run = run_in_shared};
    staged_launch(&fwt->staged, &fwt->in_shared, UINT64_C(1) << (fwt->log2_n - fwt->log2_part), 1,
                  UINT64_C(1) << (fwt->log2_part - 2), 1, 0);
    return staged_finish(&fwt->staged, source, diagnostics);
}

CUDA_PROGRAM(
    fwt, "FWT", SAMPLES_SUITE,
    .help = "fast Walsh transform: strides that shrink fourfold per launch, then shared memory");
