/* MRI-Q: the matrix Q of a non-Cartesian magnetic resonance reconstruction, after the CUDA version
 * of Parboil 2.5.
 *
 * The first kernel computes the squared magnitudes of the samples, one thread per sample. The host
 * copies them to constant memory, next to the positions of the samples in k-space, 1024 samples at
 * a time. It launches the second kernel once for each such chunk, with one thread per voxel: it
 * loads the voxel's position and its part of Q so far, adds the contribution of every sample of the
 * chunk and stores Q again.
 *
 * The suite's kernels ask for whole blocks of voxels and pairs of samples without a check: after
 * the last voxel they walk over the ends of the arrays, and an odd number of samples takes one too
 * many from each whole chunk. Here nothing is touched that is not there.
 *
 * All lanes read the same sample from constant memory; these reads count as instructions and make
 * no records. Order, registers and gaps are those of the PTX for sm_75, which follow the source;
 * the gaps assume the short form of sine and cosine that arguments below 10^5 take. */
#include <math.h>

#include "base/rng.h"
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { VOXELS, SAMPLES, SEED };
enum { MAGNITUDE_BLOCK = 512, BLOCK = 256, CHUNK = 1024 };
enum { PHI_REAL, PHI_IMAGINARY, MAGNITUDE, PLACE_X, PLACE_Y, PLACE_Z, Q_REAL, Q_IMAGINARY };

static const struct workload_parameter parameters_mriq[] = {
    {"voxels", 32768, 1, 1 << 24, "of the picture; the suite also has 262144"},
    {"samples", 3072, 1, 1 << 16, "in k-space; the suite also has 2048"},
    {"seed", 1, 0, UINT32_MAX, "of samples and places"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct mriq {
    struct staged_program staged; /* first */
    uint64_t voxels, samples, seed;
};

static enum stage_end run_magnitudes(struct stage *stage)
{
    const struct mriq *mriq = (const struct mriq *)stage->program;
    float real[WARP_SIZE] = {0}, imaginary[WARP_SIZE] = {0};
    uint64_t first = stage_thread(stage);
    uint32_t mask = lanes_below(first, mriq->samples);
    stage_mix(stage, mask ? 1 : 0, (struct work){.addresses = 3});
    stage_load_row(stage, word_site(0), mask, array_base(stage, PHI_REAL) + 4 * first, 4, real);
    stage_load_row(stage, word_site(1), mask, array_base(stage, PHI_IMAGINARY) + 4 * first, 4,
                   imaginary);
    for (int lane = 0; stage->device && lane < WARP_SIZE; lane++)
        real[lane] = real[lane] * real[lane] + imaginary[lane] * imaginary[lane];
    stage_mix(stage, mask ? 1 : 0, (struct work){.singles = 2, .integers = 1});
    stage_store_row(stage, word_site(2), mask, array_base(stage, MAGNITUDE) + 4 * first, 4, real);
    return STAGE_DONE;
}

/* A coordinate of a sample in k-space: within 16 periods of the picture. */
static float sample_coordinate(const struct mriq *mriq, uint64_t sample, uint64_t axis)
{
    return 32 * random_unit(random_at(mriq->seed, 3 * sample + axis)) - 16;
}

/* The squared magnitude, which the host has copied from the device into constant memory. */
static float sample_magnitude(const struct stage *stage, uint64_t sample)
{
    const float *at = device_at(stage->device, array_base(stage, MAGNITUDE) + 4 * sample, 4);
    return at ? *at : 0;
}

/* What the samples of a chunk add to the voxels of a warp: voxel[0..2] are places, [3..4] Q. */
static void add_samples(const struct stage *stage, uint64_t from, uint64_t to,
                        float voxel[5][WARP_SIZE])
{
    const struct mriq *mriq = (const struct mriq *)stage->program;
    const float turn = 6.2831853071795864769252867665590058f;
    for (uint64_t sample = from; sample < to; sample++) {
        float x = sample_coordinate(mriq, sample, 0), y = sample_coordinate(mriq, sample, 1);
        float z = sample_coordinate(mriq, sample, 2), magnitude = sample_magnitude(stage, sample);
        for (int lane = 0; lane < WARP_SIZE; lane++) {
            float angle = turn * (x * voxel[0][lane] + y * voxel[1][lane] + z * voxel[2][lane]);
            voxel[3][lane] += magnitude * cosf(angle);
            voxel[4][lane] += magnitude * sinf(angle);
        }
    }
}

static enum stage_end run_q(struct stage *stage)
{
    const struct mriq *mriq = (const struct mriq *)stage->program;
    uint64_t first = stage_thread(stage), from = (uint64_t)stage->argument * CHUNK;
    uint64_t to = from + CHUNK < mriq->samples ? from + CHUNK : mriq->samples;
    const uint32_t mask = lanes_below(first, mriq->voxels);
    float voxel[5][WARP_SIZE] = {{0}};
    if (!mask)
        return STAGE_DONE;
    for (uint8_t i = 0; i < 5; i++) {
        stage_mix(stage, i ? 1 : 0, (struct work){.addresses = 1});
        stage_load_row(stage, word_site(i), mask, array_base(stage, PLACE_X + i) + 4 * first, 4,
                       voxel[i]);
    }
    if (stage->device)
        add_samples(stage, from, to, voxel);
    /* A sample: five words of constant memory, four products; the rest sine and cosine, whose kinds
     * are an estimate. */
    const struct work sample = {.integers = 5 + 24, .singles = 4 + 74, .branches = 2};
    stage_work(stage, 10);
    stage_mix(stage, (uint32_t)(to - from), sample);
    for (uint8_t i = 0; i < 2; i++)
        stage_store_row(stage, word_site((uint8_t)(5 + i)), mask,
                        array_base(stage, Q_REAL + i) + 4 * first, 4, voxel[3 + i]);
    return STAGE_DONE;
}

static const struct staged_kernel magnitude_kernel = {
    .name = "ComputePhiMag_GPU",
    .code = {.sites = "LL S", .prologue = 6},
    .run = run_magnitudes,
};

static const struct staged_kernel q_kernel = {
    .name = "ComputeQ_GPU",
    .code = {.sites = "LLLLL SS", .prologue = 8},
    .run = run_q,
};

/* Samples in [-1, 1), voxels in a cube of edge 1 around the origin, Q cleared. */
static void mriq_upload(const struct staged_program *program, struct device *device)
{
    const struct mriq *mriq = (const struct mriq *)program;
    for (uint32_t a = PHI_REAL; a <= Q_IMAGINARY; a++) {
        const struct trace_array *array = &program->program.arrays[a];
        float *at = device_at(device, array->base, array->bytes);
        for (uint64_t i = 0; i < array->bytes / 4; i++) {
            float unit = random_unit(random_at(mriq->seed + 1 + a, i));
            at[i] = a < MAGNITUDE ? 2 * unit - 1 : a >= PLACE_X && a < Q_REAL ? unit - 0.5f : 0;
        }
    }
}

static enum status open_mriq(const uint64_t *values, struct trace_source **source,
                             struct diagnostics *diagnostics)
{
    struct mriq *mriq = staged_create(sizeof *mriq, &workload_mriq, values);
    if (!mriq)
        return STATUS_MEMORY;
    struct staged_program *program = &mriq->staged;
    uint64_t voxels = mriq->voxels = values[VOXELS], samples = mriq->samples = values[SAMPLES];
    mriq->seed = values[SEED];
    program->upload = mriq_upload;
    program_array(&program->program, "phi_real", 4 * samples);
    program_array(&program->program, "phi_imaginary", 4 * samples);
    program_array(&program->program, "magnitude", 4 * samples);
    program_array(&program->program, "x", 4 * voxels);
    program_array(&program->program, "y", 4 * voxels);
    program_array(&program->program, "z", 4 * voxels);
    program_array(&program->program, "q_real", 4 * voxels);
    program_array(&program->program, "q_imaginary", 4 * voxels);
    staged_launch(program, &magnitude_kernel, (samples + MAGNITUDE_BLOCK - 1) / MAGNITUDE_BLOCK, 1,
                  MAGNITUDE_BLOCK, 1, 0);
    for (uint32_t chunk = 0; (uint64_t)chunk * CHUNK < samples; chunk++)
        staged_launch(program, &q_kernel, (voxels + BLOCK - 1) / BLOCK, 1, BLOCK, 1, chunk);
    return staged_finish(program, source, diagnostics);
}

CUDA_PROGRAM(
    mriq, "MRI-Q", PARBOIL_SUITE,
    .help = "Q matrix of a magnetic resonance picture; seven accesses around a thousand sines");
