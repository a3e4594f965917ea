/* HISTO: a saturating histogram of an image, whose counts stop at 255, after the CUDA version of
 * Parboil 2.5.
 *
 * Four kernels an iteration. The prescan looks at an eighth of the image and guesses which blocks
 * of 24576 bins hold nearly all values. The intermediates kernel splits every value into block,
 * row, word and byte of a shared histogram. The main kernel has a column of thread blocks for each
 * part of the image and a row for each block of bins. They all read their part, count the values of
 * their bins in bytes of shared memory, and note in global memory when a byte overflows. The first
 * row also counts, in global memory, the values that the guess missed. At the end each block stores
 * its 24 KiB. The final kernel adds everything up and saturates it.
 *
 * Which bytes overflow depends on the order of the atomics. The rule here is that the warps of a
 * block take turns, one word of the image each, and that blocks run one after another. When a byte
 * overflows into the next, the suite's kernel also tests the byte after that one even if the next
 * did not overflow; this program stops there.
 *
 * The intermediates kernel makes 16 rows a block, also where the image has no more: the host
 * allocates these rows of the image, but not of the mappings, whose last ones go into the array
 * after them. Nobody reads them there.
 *
 * Order, gaps and registers are those of the PTX for sm_75, which follow the source. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/histogram.h"
#include "workload/cuda/staged.h"

enum { WIDTH, HEIGHT, BINS_X, BINS_Y, SPREAD, ITERATIONS, SEED };
enum { UNROLL = 16, FINAL_THREADS = 512, FINAL_BLOCKS = 3 * COLUMNS };
enum { INPUT, RANGES, MAPPINGS, PARTIAL, OUTSIDE, OVERFLOW, RESULT }; /* arrays */

static const struct workload_parameter parameters_histo[] = {
    {"width", 996, 2, 2 * BLOCK_THREADS_MAX, "of the image"},
    {"height", 1040, 1, 1 << 13, "of the image"},
    {"bins_x", 256, 4, 4096, "columns of the histogram, a multiple of 4, as a word counts 4 bins"},
    {"bins_y", 8192, 1, 1 << 20, "rows of the histogram"},
    {"spread", 24, 0, 4096, "of the values around the middle bin, in rows and columns"},
    {"iterations", 1, 1, 10000, "of all four kernels; the suite makes 20"},
    {"seed", 1, 0, UINT32_MAX, "of the image"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct histo {
    struct staged_program staged; /* first */
    struct histogram known;
};

static const struct histogram *known_of(const struct stage *stage)
{
    return &((const struct histo *)stage->program)->known;
}

/* --- prescan --- */

struct sampler {
    float average[WARP_SIZE], deviation[WARP_SIZE];
    uint32_t count[WARP_SIZE];
    uint32_t pass, next; /* of two; the next sample of a thread */
};

struct shared_samples {
    float average[PRESCAN_THREADS], deviation[PRESCAN_THREADS];
};

static void add_sample(struct sampler *sampler, uint32_t mask, const uint32_t values[WARP_SIZE])
{
    for (; mask; mask &= mask - 1) {
        int lane = __builtin_ctz(mask);
        float value = (float)values[lane], off = value - sampler->average[lane];
        if (sampler->pass == 0) {
            sampler->average[lane] += value;
            sampler->count[lane]++;
        } else {
            sampler->deviation[lane] += off * off;
        }
    }
}

/* Behind a pass: the mean of what it has added up. */
static void end_pass(struct stage *stage, struct sampler *sampler)
{
    struct shared_samples *shared = stage->device ? (void *)stage->device->shared : NULL;
    for (uint32_t lane = 0; shared && lane < WARP_SIZE; lane++) {
        float count = (float)sampler->count[lane];
        if (sampler->pass == 0)
            sampler->average[lane] /= count;
        else
            sampler->deviation[lane] = sqrtf(sampler->deviation[lane] / count);
        shared->average[stage->first_thread + lane] = sampler->average[lane];
        shared->deviation[stage->first_thread + lane] = sampler->deviation[lane];
    }
    if (sampler->pass == 0)
        stage_mix(stage, 1, (struct work){.integers = 3, .singles = 1, .specials = 1});
    else
        stage_mix(stage, 1, (struct work){.integers = 1, .singles = 1, .specials = 1, .stores = 2});
    sampler->pass++;
    sampler->next = 0;
}

/* The block's first warp adds up in halves and tells the host. */
static void report_range(struct stage *stage)
{
    uint64_t low[WARP_SIZE] = {array_base(stage, RANGES)}, high[WARP_SIZE] = {low[0] + 4};
    uint32_t from[WARP_SIZE] = {0}, to[WARP_SIZE] = {0};
    uint32_t warp = stage->first_thread / WARP_SIZE;
    const struct work half = {.loads = 4, .singles = 2, .stores = 2};
    for (uint32_t warps = PRESCAN_THREADS / WARP_SIZE / 2; warps; warps /= 2) {
        stage_mix(stage, warp < warps ? 1 : 0, half);
        stage_barrier(stage);
        stage_mix(stage, 1, (struct work){.integers = 1, .branches = 1});
    }
    if (warp)
        return;
    if (stage->device) {
        struct shared_samples *shared = (void *)stage->device->shared;
        histogram_range(shared->average, shared->deviation, from, to);
    }
    stage_mix(stage, 5, half);
    stage_mix(stage, 1, (struct work){.integers = 5 + 6, .loads = 2, .singles = 6});
    stage_atomic(stage, word_site(2), ATOMIC_MIN, 1, low, from);
    stage_work(stage, 6);
    stage_atomic(stage, word_site(3), ATOMIC_MAX, 1, high, to);
}

/* Stages: up to 16 samples each of either pass, then the reduction. */
static enum stage_end run_prescan(struct stage *stage)
{
    enum { SAMPLES = 16 };
    const struct histogram *histo = known_of(stage);
    struct sampler *sampler = stage->state;
    uint32_t stride = histo->pixels / PRESCAN_BLOCKS, start = stage->block[0] * stride;
    if (sampler->pass == 2) {
        report_range(stage);
        return STAGE_DONE;
    }
    for (int i = 0; i < SAMPLES; i++, sampler->next++) {
        uint32_t first = start + stage->first_thread + sampler->next * PRESCAN_THREADS;
        uint32_t mask = lanes_below(first, start + stride / 8), values[WARP_SIZE] = {0};
        if (!mask) {
            end_pass(stage, sampler);
            return sampler->pass == 2 ? STAGE_BARRIER : STAGE_NEXT;
        }
        stage_mix(stage, 1, (struct work){.addresses = 2});
        stage_load_row(stage, word_site((uint8_t)sampler->pass), mask,
                       array_base(stage, INPUT) + 4 * (uint64_t)first, 4, values);
        if (stage->device)
            add_sample(sampler, mask, values);
        stage_mix(stage, 1, (struct work){.singles = 3, .integers = 2, .branches = 1});
    }
    return STAGE_NEXT;
}

/* --- intermediates --- */

/* Stages: two rows of the image each, a thread two values of a row. */
static enum stage_end run_intermediates(struct stage *stage)
{
    const struct histogram *histo = known_of(stage);
    const struct site pair = {0, SPACE_GLOBAL, 8};
    uint32_t thread = stage->first_thread, half = (histo->width + 1) / 2;
    uint32_t odd = lanes_below(thread, histo->width / 2) & stage->lanes;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t row = stage->block[0] * UNROLL + 2 * stage->number + i;
        uint32_t values[WARP_SIZE][2] = {{0}};
        struct mapping mappings[2][WARP_SIZE] = {{{0}}};
        uint64_t from = (uint64_t)row * histo->pitch + 2 * (uint64_t)thread;
        uint64_t to = (uint64_t)row * histo->width + thread;
        stage_load_row(stage, pair, stage->lanes, array_base(stage, INPUT) + 4 * from, 8, values);
        for (int lane = 0; stage->device && lane < WARP_SIZE; lane++)
            for (int which = 0; which < 2; which++)
                mappings[which][lane] = map_value(values[lane][which]);
        stage_work(stage, 17);
        stage_store_row(stage, word_site(1), stage->lanes, array_base(stage, MAPPINGS) + 4 * to, 4,
                        mappings[0]);
        stage_work(stage, 1 + (odd ? 18 : 0));
        stage_store_row(stage, word_site(2), odd, array_base(stage, MAPPINGS) + 4 * (to + half), 4,
                        mappings[1]);
        stage_work(stage, 2);
    }
    return 2 * (stage->number + 1) < UNROLL ? STAGE_NEXT : STAGE_DONE;
}

/* --- main --- */

/* A warp's pixels in the main kernel, and what they do. */
struct pixels {
    uint32_t count;
    struct mapping at[WARP_SIZE];
    const uint8_t *effects;
};

/* The lanes whose pixel falls into the block's bins; on a device they count there, and `add` gets
 * what the overflow counts of their byte and of the next ones miss. */
static uint32_t count_inside(struct stage *stage, uint32_t part, const struct pixels *pixels,
                             uint32_t add[4][WARP_SIZE])
{
    uint32_t mask = 0;
    for (uint32_t lane = 0; lane < pixels->count; lane++)
        mask |= (uint32_t)(pixels->at[lane].part == part) << lane;
    for (uint32_t left = stage->device ? mask : 0; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        struct mapping at = pixels->at[lane];
        uint32_t *words = (void *)stage->device->shared;
        uint32_t over = count_byte(&words[at.row * ROW_WORDS + at.word], at.shift);
        assert(!over == !(pixels->effects[lane] & EFFECT_ATOMICS));
        add[0][lane] = SATURATED + 1;
        for (uint32_t next = 1; next < 4; next++)
            add[next][lane] = next < over ? SATURATED : UINT32_MAX;
    }
    return mask;
}

static void note_overflows(struct stage *stage, const struct pixels *pixels, uint32_t inside,
                           uint32_t add[4][WARP_SIZE])
{
    for (uint8_t next = 0; next < 4; next++) {
        uint64_t addresses[WARP_SIZE] = {0};
        uint32_t mask = 0;
        for (uint32_t left = inside; left; left &= left - 1) {
            int lane = __builtin_ctz(left);
            mask |= (uint32_t)((pixels->effects[lane] & EFFECT_ATOMICS) > next) << lane;
            addresses[lane] =
                array_base(stage, OVERFLOW) + 4 * ((uint64_t)mapped_bin(pixels->at[lane]) + next);
        }
        stage_work(stage, mask ? 7 : 0);
        stage_atomic(stage, word_site((uint8_t)(1 + next)), ATOMIC_ADD, mask, addresses, add[next]);
    }
}

static void count_left_out(struct stage *stage, const struct pixels *pixels)
{
    uint64_t addresses[WARP_SIZE] = {0};
    uint32_t outside = 0, adds = 0, words[WARP_SIZE] = {0}, ones[WARP_SIZE] = {0};
    for (uint32_t lane = 0; lane < pixels->count; lane++) {
        uint32_t bin = mapped_bin(pixels->at[lane]);
        outside |= (uint32_t)(pixels->effects[lane] / EFFECT_OUTSIDE) << lane;
        adds |= (uint32_t)(pixels->effects[lane] / EFFECT_ADDS % 2) << lane;
        addresses[lane] = array_base(stage, OUTSIDE) + 4 * (uint64_t)(bin / 2);
        ones[lane] = UINT32_C(1) << bin % 2 * 16;
    }
    stage_work(stage, outside ? 14 : 0);
    stage_load(stage, word_site(5), outside, addresses, words);
    stage_work(stage, outside ? 1 + 2 : 0);
    stage_atomic(stage, word_site(6), ATOMIC_ADD, adds, addresses, ones);
}

/* The atomic on the word of each lane's bin; the rest are its address and what overflowed. */
static void count_in_shared(struct stage *stage, uint32_t inside, const struct pixels *pixels)
{
    uint32_t words[WARP_SIZE] = {0};
    if (!inside)
        return;
    for (uint32_t lane = 0; lane < pixels->count; lane++)
        words[lane] = (uint32_t)(pixels->at[lane].row * ROW_WORDS + pixels->at[lane].word);
    stage_mask(stage, inside);
    stage_work(stage, 8);
    stage_mix(stage, 1, (struct work){.loads = 1, .banks = shared_banks(inside, words)});
    stage_mix(stage, 1, (struct work){.integers = 2, .branches = 1});
}

/* A turn of the loop over the block's part of the image. Most pixels only count in shared memory.
 */
static void count_turn(struct stage *stage, const struct histogram *histo, uint32_t first)
{
    static const uint8_t no_effects[WARP_SIZE];
    uint32_t mask = lanes_below(first, histo->pixels), add[4][WARP_SIZE];
    struct pixels pixels = {.count = (uint32_t)__builtin_popcount(mask),
                            .effects = histo->effects + first};
    memcpy(pixels.at, histo->mappings + first, pixels.count * sizeof *pixels.at);
    stage_work(stage, 2);
    stage_load_row(stage, word_site(0), mask, array_base(stage, MAPPINGS) + 4 * (uint64_t)first, 4,
                   pixels.at);
    uint32_t inside = count_inside(stage, histo->from + stage->block[1], &pixels, add);
    stage_mix(stage, 1, (struct work){.integers = 6, .branches = 1});
    count_in_shared(stage, inside, &pixels);
    bool effects = memcmp(pixels.effects, no_effects, pixels.count);
    if (effects)
        note_overflows(stage, &pixels, inside, add);
    stage_work(stage, stage->block[1] ? 0 : 4);
    if (effects && stage->block[1] == 0)
        count_left_out(stage, &pixels);
    stage_work(stage, 5);
}

static void store_part(struct stage *stage, const struct histogram *histo)
{
    uint64_t part = histo->from + stage->block[1];
    uint64_t to = stage->block[0] * (histo->bins / 4) + part * PART_WORDS;
    const uint32_t *words = stage->device ? (const void *)stage->device->shared : NULL;
    for (uint32_t i = stage->first_thread; i < PART_WORDS; i += MAIN_THREADS) {
        if (i == stage->first_thread)
            stage_barrier(stage);
        else
            stage_work(stage, 1);
        stage_mix(stage, 1, (struct work){.addresses = 5, .loads = 1});
        stage_store_row(stage, word_site(7), UINT32_MAX, array_base(stage, PARTIAL) + 4 * (to + i),
                        4, words ? words + i : NULL);
        stage_work(stage, 3);
    }
}

/* Stages: shared memory cleared; the turns, at whose ends the warps wait for each other by rule;
 * the counts stored. */
static enum stage_end run_main(struct stage *stage)
{
    const struct histogram *histo = known_of(stage);
    uint64_t block = (uint64_t)stage->block[0] * MAIN_THREADS;
    uint64_t turn = block + (uint64_t)(stage->number - 1) * COLUMNS * MAIN_THREADS;
    if (stage->number == 0) {
        if (stage->device)
            memset((uint32_t *)(void *)stage->device->shared + stage->first_thread * 8, 0,
                   sizeof(uint32_t) * 8 * WARP_SIZE);
        stage_mix(stage, 8, (struct work){.addresses = 6, .stores = 1, .branches = 1});
        stage_work(stage, 6);
        return STAGE_BARRIER;
    }
    if (turn < histo->pixels) {
        uint64_t first = turn + stage->first_thread;
        if (first < histo->pixels)
            count_turn(stage, histo, (uint32_t)first);
        return STAGE_TURN;
    }
    store_part(stage, histo);
    return STAGE_DONE;
}

/* --- final --- */

static uint8_t saturate(uint32_t count)
{
    return count < SATURATED ? (uint8_t)count : SATURATED;
}

/* Four bins that the guess left out: their counts are moved and cleared. */
static void move_outside(struct stage *stage, uint64_t first, uint32_t mask)
{
    const struct site four = {0, SPACE_GLOBAL, 8}, clear = {1, SPACE_GLOBAL, 8};
    const uint16_t zero[WARP_SIZE][4] = {{0}};
    uint16_t counts[WARP_SIZE][4] = {{0}};
    uint8_t out[WARP_SIZE][4];
    stage_work(stage, 2);
    stage_load_row(stage, four, mask, array_base(stage, OUTSIDE) + 8 * first, 8, counts);
    for (int lane = 0; lane < WARP_SIZE; lane++)
        for (int i = 0; i < 4; i++)
            out[lane][i] = saturate(counts[lane][i]);
    stage_work(stage, 1);
    stage_store_row(stage, clear, mask, array_base(stage, OUTSIDE) + 8 * first, 8, zero);
    stage_work(stage, 14);
    stage_store_row(stage, word_site(2), mask, array_base(stage, RESULT) + 4 * first, 4, out);
    stage_work(stage, 3);
}

/* Four bins of the parts: the overflow counts, which are cleared, and the bytes of all columns. */
static void add_columns(struct stage *stage, uint64_t first, uint32_t mask)
{
    const struct histogram *histo = known_of(stage);
    const struct site four = {3, SPACE_GLOBAL, 16}, clear = {4, SPACE_GLOBAL, 16};
    const uint32_t zero[WARP_SIZE][4] = {{0}};
    uint32_t counts[WARP_SIZE][4] = {{0}};
    uint8_t out[WARP_SIZE][4];
    stage_work(stage, 2);
    stage_load_row(stage, four, mask, array_base(stage, OVERFLOW) + 16 * first, 16, counts);
    stage_work(stage, 1);
    stage_store_row(stage, clear, mask, array_base(stage, OVERFLOW) + 16 * first, 16, zero);
    stage_work(stage, 2);
    for (uint64_t column = 0; column < COLUMNS; column++) {
        uint8_t bytes[WARP_SIZE][4] = {{0}};
        uint64_t at = first + column * (histo->bins / 4);
        stage_load_row(stage, word_site((uint8_t)(5 + column)), mask,
                       array_base(stage, PARTIAL) + 4 * at, 4, bytes);
        stage_work(stage, 13);
        for (int lane = 0; lane < WARP_SIZE; lane++)
            for (int i = 0; i < 4; i++)
                counts[lane][i] += bytes[lane][i];
    }
    for (int lane = 0; lane < WARP_SIZE; lane++)
        for (int i = 0; i < 4; i++)
            out[lane][i] = saturate(counts[lane][i]);
    stage_work(stage, 6);
    stage_store_row(stage, word_site(5 + COLUMNS), mask, array_base(stage, RESULT) + 4 * first, 4,
                    out);
    stage_work(stage, 3);
}

struct finisher {
    uint32_t loop; /* below the parts, the parts, above them */
    uint64_t turn;
};

/* Stages: a turn of one of the three loops, over words of four bins. */
static enum stage_end run_final(struct stage *stage)
{
    const struct histogram *histo = known_of(stage);
    struct finisher *at = stage->state;
    const uint64_t ends[] = {0, histo->from * (uint64_t)PART_WORDS,
                             (histo->to + UINT64_C(1)) * PART_WORDS, histo->bins / 4};
    for (; at->loop < 3; at->loop++, at->turn = 0) {
        uint64_t first =
            ends[at->loop] + stage_thread(stage) + at->turn * FINAL_BLOCKS * FINAL_THREADS;
        uint32_t mask = lanes_below(first, ends[at->loop + 1]);
        if (mask) {
            at->turn++;
            if (at->loop == 1)
                add_columns(stage, first, mask);
            else
                move_outside(stage, first, mask);
            return STAGE_NEXT;
        }
        stage_work(stage, 7);
    }
    return STAGE_DONE;
}

/* --- the program --- */

static const struct staged_kernel prescan_kernel = {
    .name = "histo_prescan_kernel",
    .shared_bytes = sizeof(struct shared_samples),
    .code = {.sites = "L L A A", .prologue = 20},
    .state_bytes = sizeof(struct sampler),
    .run = run_prescan,
};

static const struct staged_kernel intermediates_kernel = {
    .name = "histo_intermediates_kernel",
    .code = {.sites = "L S S", .prologue = 17},
    .run = run_intermediates};

static const struct staged_kernel main_kernel = {
    .name = "histo_main_kernel",
    .shared_bytes = sizeof(uint32_t) * PART_WORDS,
    .code = {.sites = "L A A A A L A S", .prologue = 8},
    .run = run_main,
};

static const struct staged_kernel final_kernel = {
    .name = "histo_final_kernel",
    .code = {.sites = "L S S L S L L L L L L L L L L L L L L S", .prologue = 8},
    .state_bytes = sizeof(struct finisher),
    .run = run_final,
};

static void histo_upload(const struct staged_program *program, struct device *device)
{
    const struct histogram *histo = &((const struct histo *)program)->known;
    for (uint32_t a = INPUT; a <= RESULT; a++) {
        const struct trace_array *array = &program->program.arrays[a];
        unsigned char *bytes = device_at(device, array->base, array->bytes);
        memset(bytes, 0, array->bytes);
        if (a == INPUT)
            memcpy(bytes, histo->image, 4 * (size_t)histo->pitch * histo->height);
    }
}

/* The host sets the range that the prescan narrows, and clears the columns' counts after it. */
static void histo_prepare(const struct staged_program *program, uint32_t launch,
                          struct device *device)
{
    const struct trace_array *ranges = &program->program.arrays[RANGES],
                             *partial = &program->program.arrays[PARTIAL];
    const uint32_t widest[2] = {UINT32_MAX, 0};
    if (launch % 4 == 0)
        memcpy(device_at(device, ranges->base, sizeof widest), widest, sizeof widest);
    if (launch % 4 == 1)
        memset(device_at(device, partial->base, partial->bytes), 0, partial->bytes);
}

static void histo_release(struct staged_program *program)
{
    histogram_free(&((struct histo *)program)->known);
}

static enum status check_sizes(const uint64_t *values, struct diagnostics *diagnostics)
{
    const uint64_t most = (uint64_t)PARTS_MAX * PART_BINS, bins = values[BINS_X] * values[BINS_Y];
    enum status status = STATUS_OK;
    if (values[BINS_X] % 4)
        status =
            diagnostics_error(diagnostics, STATUS_INVALID,
                              "bins_x must be a multiple of 4, as a word counts 4 bins, got %llu",
                              (unsigned long long)values[BINS_X]);
    if (bins > most)
        status = diagnostics_error(diagnostics, STATUS_INVALID,
                                   "a histogram has at most %llu bins, got %llu",
                                   (unsigned long long)most, (unsigned long long)bins);
    return status;
}

static uint64_t row_blocks(const struct histogram *histo)
{
    return (histo->height + UNROLL - 1) / UNROLL;
}

/* As the suite's host allocates, by the width of the image, or more where the parts need more. */
static void histo_allocate(struct program *program, const struct histogram *histo, uint64_t bins_y)
{
    uint64_t wide = histo->width * bins_y, parts = histo->to + UINT64_C(1);
    uint64_t bins = histo->bins > parts * PART_BINS ? histo->bins : parts * PART_BINS;
    uint64_t words = (COLUMNS - 1) * (histo->bins / 4) + bins / 4;
    bins = bins > wide ? bins : wide;
    program_array(program, "input", 4 * histo->pitch * UNROLL * row_blocks(histo));
    program_array(program, "ranges", 8);
    program_array(program, "mappings", 4 * (uint64_t)histo->pixels);
    program_array(program, "partial", 4 * (words > wide ? words : wide));
    program_array(program, "outside", 2 * bins);
    program_array(program, "overflow", 4 * bins);
    program_array(program, "result", bins);
}

static enum status open_histo(const uint64_t *values, struct trace_source **source,
                              struct diagnostics *diagnostics)
{
    enum status status = check_sizes(values, diagnostics);
    if (status)
        return status;
    struct histo *histo = staged_create(sizeof *histo, &workload_histo, values);
    if (!histo)
        return STATUS_MEMORY;
    struct staged_program *program = &histo->staged;
    const struct histogram *known = &histo->known;
    program->upload = histo_upload;
    program->prepare = histo_prepare;
    program->release = histo_release;
    program->program.status = histogram_create(
        &histo->known,
        &(struct histogram_image){(uint32_t)values[WIDTH], (uint32_t)values[HEIGHT], values[BINS_X],
                                  values[BINS_Y], values[SPREAD], values[SEED]});
    if (program->program.status)
        return staged_finish(program, source, diagnostics);
    histo_allocate(&program->program, known, values[BINS_Y]);
    for (uint64_t i = 0; i < values[ITERATIONS]; i++) {
        staged_launch(program, &prescan_kernel, PRESCAN_BLOCKS, 1, PRESCAN_THREADS, 1, 0);
        staged_launch(program, &intermediates_kernel, row_blocks(known), 1, (known->width + 1) / 2,
                      1, 0);
        staged_launch(program, &main_kernel, COLUMNS, known->to - known->from + 1, MAIN_THREADS, 1,
                      0);
        staged_launch(program, &final_kernel, FINAL_BLOCKS, 1, FINAL_THREADS, 1, 0);
    }
    return staged_finish(program, source, diagnostics);
}

CUDA_PROGRAM(
    histo, "HISTO", PARBOIL_SUITE,
    .help =
        "saturating histogram of an image in four kernels; counts in shared memory, few atomics");
