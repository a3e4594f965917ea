/* HISTOGRAM64: bytes counted in 64 bins by their upper six bits, after the kernels of CUDA's
 * samples (histogram64). Every thread counts in bytes of shared memory that nobody else writes, 64
 * of them, and so may count 255 bytes at most; a block adds up its threads and stores a histogram
 * of its own. A second kernel, one block a bin, adds up those of all blocks.
 *
 * The counters of a thread are 64 bytes apart, those of threads 16 apart share a word. So a warp's
 * lanes meet in a bank where two of them, 16 apart, count bins of one parity that differ. */
#include <string.h>

#include "base/rng.h"
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { BYTES, VALUES, SEED };
enum { BINS = 64, THREADS = 64, BANKS = 16, MERGE_THREADS = 256 };
enum { WORDS = 4, WORD_BYTES = 4, PIECE = WORDS * WORD_BYTES, THREAD_BYTES = 255 / PIECE * PIECE };
enum { ARRAY_HISTOGRAM, ARRAY_DATA, ARRAY_PARTIAL };

static const struct workload_parameter parameters_histogram64[] = {
    {"bytes", 67108864, PIECE, UINT64_C(1) << 34, "of data, a multiple of 16"},
    {"values", 256, 1, 256, "distinct values there are, all equally likely"},
    {"seed", 1, 0, UINT32_MAX, "decides the values"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct histogram64 {
    struct staged_program staged; /* first */
    uint64_t pieces, values, seed;
    uint64_t blocks; /* of the first kernel */
};

/* Word `word` of a piece of 16 bytes. */
static uint32_t draw_word(const struct histogram64 *histogram, uint64_t piece, uint32_t word)
{
    const uint64_t bits = random_at(histogram->seed, WORDS * piece + word);
    uint32_t drawn = 0;
    for (uint32_t i = 0; i < WORD_BYTES; i++) /* of 16 random bits each */
        drawn |= (uint32_t)((bits >> 16 * i & 65535) * histogram->values >> 16) << 8 * i;
    return drawn;
}

static void upload_data(const struct staged_program *program, struct device *device)
{
    const struct histogram64 *histogram = (const struct histogram64 *)program;
    uint32_t *data =
        device_at(device, program->program.arrays[ARRAY_DATA].base, PIECE * histogram->pieces);
    for (uint64_t i = 0; data && i < WORDS * histogram->pieces; i++)
        data[i] = draw_word(histogram, i / WORDS, (uint32_t)(i % WORDS));
}

/* ---- first kernel: bytes of a block ---- */

/* Where the bytes of a thread lie within each row of 64: those of threads 16 apart share a word. */
static uint32_t counter_place(uint32_t thread)
{
    return (thread & (BANKS - 1)) * WORD_BYTES | thread / BANKS;
}

/* Counts byte `byte` of the words of all lanes. */
static void count_bytes(struct stage *stage, uint32_t mask, const uint32_t words[WARP_SIZE],
                        uint32_t byte)
{
    uint8_t *counters = stage->device ? stage->device->shared : NULL;
    uint32_t touched[WARP_SIZE] = {0};
    for (uint32_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left),
                       bin = words[lane] >> 8 * byte >> 2 & 63,
                       at = THREADS * bin + counter_place(stage->first_thread + lane);
        touched[lane] = at / WORD_BYTES;
        if (counters)
            counters[at]++;
    }
    stage_mix(stage, 1,
              (struct work){
                  .integers = 3, .loads = 1, .stores = 1, .banks = shared_banks(mask, touched)});
}

/* One piece of each thread; returns whether threads of the warp have another. */
static bool count_pieces(struct stage *stage, uint64_t step)
{
    const struct histogram64 *histogram = (const struct histogram64 *)stage->program;
    const uint64_t first = stage_thread(stage) + step * THREADS * histogram->blocks;
    const uint32_t mask = lanes_below(first, histogram->pieces) & stage->lanes;
    uint32_t loaded[WARP_SIZE][WORDS], words[WARP_SIZE];
    for (uint32_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        for (uint32_t word = 0; word < WORDS; word++)
            loaded[lane][word] = draw_word(histogram, first + lane, word);
    }
    stage_mix(stage, 1, (struct work){.addresses = 3, .branches = 1});
    stage_load_row(stage, (struct site){0, SPACE_GLOBAL, PIECE}, mask,
                   array_base(stage, ARRAY_DATA) + PIECE * first, PIECE, loaded);
    stage_mask(stage, mask);
    for (uint32_t i = 0; mask && i < PIECE; i++) {
        for (uint32_t left = mask; left; left &= left - 1)
            words[__builtin_ctz(left)] = loaded[__builtin_ctz(left)][i / WORD_BYTES];
        count_bytes(stage, mask, words, i % WORD_BYTES);
    }
    return first + THREADS * histogram->blocks < histogram->pieces;
}

/* A thread adds up one bin, from a word on that no other lane of its half warp reads. */
static void store_bins(struct stage *stage)
{
    const uint8_t *counters = stage->device ? stage->device->shared : NULL;
    uint32_t sums[WARP_SIZE] = {0};
    for (uint32_t lane = 0; counters && lane < WARP_SIZE; lane++)
        for (uint32_t i = 0; i < THREADS; i++)
            sums[lane] += counters[THREADS * (stage->first_thread + lane) + i];
    /* Rows are 16 words, so the halves of a warp meet in the banks. */
    stage_mix(stage, THREADS / WORD_BYTES,
              (struct work){.integers = 6, .loads = WORD_BYTES, .banks = WARP_SIZE / BANKS});
    stage_store_row(stage, word_site(1), stage->lanes,
                    array_base(stage, ARRAY_PARTIAL) +
                        4 * ((uint64_t)stage->block[0] * BINS + stage->first_thread),
                    4, sums);
}

/* Stages: zeroes, a piece of each thread as long as there is one, the bins. */
static enum stage_end run_count(struct stage *stage)
{
    bool *counted = stage->state;
    if (stage->number == 0) {
        stage_mix(stage, 1, (struct work){.stores = BINS / WORD_BYTES});
        if (stage->device)
            for (uint32_t i = 0; i < BINS / WORD_BYTES; i++)
                memset(stage->device->shared +
                           WORD_BYTES * ((size_t)THREADS * i + stage->first_thread),
                       0, (size_t)WORD_BYTES * WARP_SIZE);
        stage_barrier(stage);
        return STAGE_TURN;
    }
    if (*counted) {
        store_bins(stage);
        return STAGE_DONE;
    }
    if (count_pieces(stage, stage->number - 1))
        return STAGE_NEXT;
    *counted = true;
    stage_barrier(stage);
    return STAGE_TURN;
}

static const struct staged_kernel count_kernel = {
    .name = "histogram64Kernel",
    .shared_bytes = THREADS * BINS,
    .state_bytes = sizeof(bool),
    .code = {.sites = "L S", .prologue = 12},
    .run = run_count,
};

/* ---- second kernel: histograms of all blocks ---- */

/* Stages: the histograms of blocks that are MERGE_THREADS apart, then a tree. */
static enum stage_end run_merge(struct stage *stage)
{
    const struct histogram64 *histogram = (const struct histogram64 *)stage->program;
    const uint64_t loads = (histogram->blocks + MERGE_THREADS - 1) / MERGE_THREADS;
    uint32_t *sums = stage->device ? (void *)stage->device->shared : NULL;
    if (stage->number == 0 && sums)
        memset(sums + stage->first_thread, 0, WARP_SIZE * sizeof *sums);
    if (stage->number < loads) {
        const uint64_t first = stage->first_thread + (uint64_t)stage->number * MERGE_THREADS;
        const uint32_t mask = lanes_below(first, histogram->blocks);
        uint32_t values[WARP_SIZE] = {0};
        stage_load_row(stage, word_site(0), mask,
                       array_base(stage, ARRAY_PARTIAL) + 4 * (BINS * first + stage->block[0]),
                       4 * BINS, values);
        stage_mix(stage, 1, (struct work){.integers = 3, .branches = 1});
        for (uint32_t lane = 0; sums && lane < WARP_SIZE; lane++)
            sums[stage->first_thread + lane] += values[lane];
        if (stage->number + 1 < loads)
            return STAGE_NEXT;
        stage_mix(stage, 1, (struct work){.stores = 1});
        stage_barrier(stage);
        return STAGE_TURN;
    }
    const uint32_t half = MERGE_THREADS / 2 >> (stage->number - loads);
    const uint32_t mask = lanes_below(stage->first_thread, half ? half : 1);
    stage_mask(stage, mask);
    if (!half) {
        stage_store_row(stage, word_site(1), mask,
                        array_base(stage, ARRAY_HISTOGRAM) + 4 * stage->block[0], 4,
                        sums ? sums : (uint32_t[WARP_SIZE]){0});
        return STAGE_DONE;
    }
    stage_mix(stage, mask ? 1 : 0, (struct work){.loads = 2, .integers = 1, .stores = 1});
    for (uint32_t left = sums ? mask : 0; left; left &= left - 1) {
        const uint32_t thread = stage->first_thread + (uint32_t)__builtin_ctz(left);
        sums[thread] += sums[thread + half];
    }
    stage_mask(stage, stage->lanes);
    stage_mix(stage, 1, (struct work){.addresses = 1, .branches = 1});
    stage_barrier(stage);
    return STAGE_TURN;
}

static const struct staged_kernel merge_kernel = {
    .name = "mergeHistogram64Kernel",
    .shared_bytes = 4 * MERGE_THREADS,
    .code = {.sites = "L S", .prologue = 8},
    .run = run_merge,
};

static enum status open_histogram64(const uint64_t *values, struct trace_source **source,
                                    struct diagnostics *diagnostics)
{
    const uint64_t bytes = values[BYTES];
    if (bytes % PIECE)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "HISTOGRAM64: bytes must be a multiple of 16, got %llu",
                                 (unsigned long long)bytes);
    struct histogram64 *histogram = staged_create(sizeof *histogram, &workload_histogram64, values);
    if (!histogram)
        return STATUS_MEMORY;
    struct staged_program *program = &histogram->staged;
    histogram->pieces = bytes / PIECE;
    histogram->values = values[VALUES];
    histogram->seed = values[SEED];
    histogram->blocks = (bytes + THREADS * THREAD_BYTES - 1) / (THREADS * THREAD_BYTES);
    program->upload = upload_data;
    program_array(&program->program, "histogram", 4 * BINS);
    program_array(&program->program, "data", bytes);
    program_array(&program->program, "partial", 4 * BINS * histogram->blocks);
    staged_launch(program, &count_kernel, histogram->blocks, 1, THREADS, 1, 0);
    staged_launch(program, &merge_kernel, BINS, 1, MERGE_THREADS, 1, 0);
    return staged_finish(program, source, diagnostics);
}

CUDA_PROGRAM(
    histogram64, "HISTOGRAM64", SAMPLES_SUITE,
    .help = "bytes counted in 64 bins: bytes of shared memory for each thread, then a sum");
