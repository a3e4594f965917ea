#include "workload/cuda/histogram.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "trace/stream.h"

struct mapping map_value(uint32_t value)
{
    return (struct mapping){(uint8_t)(value / PART_BINS),
                            (uint8_t)(value / (4 * ROW_WORDS) % PART_ROWS),
                            (uint8_t)(value / 4 % ROW_WORDS), (uint8_t)(value % 4 * 8)};
}

uint32_t mapped_bin(struct mapping at)
{
    return at.part * (uint32_t)PART_BINS + at.row * (4u * ROW_WORDS) + at.word * 4u + at.shift / 8u;
}

uint32_t count_byte(uint32_t *word, uint32_t shift)
{
    uint32_t before = *word, over = 0;
    *word += UINT32_C(1) << shift;
    for (; shift < 32 && (before >> shift & 255) == 255; shift += 8)
        over++;
    return over;
}

/* The byte's own, and one for each byte after it that it ran over into or changed by that. */
static uint32_t overflow_atomics(uint32_t over, uint32_t shift)
{
    uint32_t behind = 3 - shift / 8;
    return !over ? 0 : 1 + (over < behind ? over : behind);
}

/* Around the middle bin, as nearly normal as the sum of four uniform numbers is. */
static uint32_t draw_value(const struct histogram_image *image, uint64_t pixel)
{
    const int64_t mean = 4 * 65535 / 2, deviation = 37837; /* of the sum */
    const int64_t sizes[2] = {(int64_t)image->bins_x, (int64_t)image->bins_y};
    int64_t place[2];
    for (uint64_t axis = 0; axis < 2; axis++) {
        uint64_t bits = random_at(image->seed, 2 * pixel + axis);
        int64_t off = -mean;
        for (int i = 0; i < 4; i++)
            off += (int64_t)(bits >> 16 * i & 65535);
        int64_t at = sizes[axis] / 2 + off * (int64_t)image->spread / deviation;
        place[axis] = at < 0 ? 0 : at >= sizes[axis] ? sizes[axis] - 1 : at;
    }
    return (uint32_t)(place[1] * sizes[0] + place[0]);
}

/* Mappings of a row stand even columns first, as the intermediates store them. */
static void draw_image(struct histogram *histogram, const struct histogram_image *image)
{
    uint32_t half = (histogram->width + 1) / 2;
    for (uint32_t y = 0; y < histogram->height; y++)
        for (uint32_t x = 0; x < histogram->width; x++) {
            uint32_t value = draw_value(image, (uint64_t)y * histogram->width + x);
            histogram->image[y * histogram->pitch + x] = value;
            histogram->mappings[y * histogram->width + x / 2 + (x % 2 ? half : 0)] =
                map_value(value);
        }
}

/* A float as the GPU converts it: saturated, 0 where it is no number. */
static uint32_t to_unsigned(float value)
{
    return value >= 4294967296.0f ? UINT32_MAX : value > 0 ? (uint32_t)value : 0;
}

void histogram_range(float average[PRESCAN_THREADS], float deviation[PRESCAN_THREADS],
                     uint32_t *from, uint32_t *to)
{
    for (int stride = PRESCAN_THREADS / 2; stride > 0; stride /= 2)
        for (int i = 0; i < stride; i++) {
            average[i] += average[i + stride];
            deviation[i] += deviation[i + stride];
        }
    float mean = average[0] / PRESCAN_THREADS, spread = deviation[0] / PRESCAN_THREADS;
    *from = to_unsigned(mean - 10 * spread) / PART_BINS;
    *to = to_unsigned(mean + 10 * spread) / PART_BINS;
}

/* What a thread of the prescan makes of the values that it samples, a block's threads apart. */
static void sample_thread(const struct histogram *histogram, uint32_t first, uint32_t end,
                          float *average, float *deviation)
{
    uint32_t count = 0;
    float sum = 0, square = 0;
    for (uint32_t i = first; i < end; i += PRESCAN_THREADS, count++)
        sum += (float)histogram->image[i];
    *average = sum / (float)count;
    for (uint32_t i = first; i < end; i += PRESCAN_THREADS) {
        float off = (float)histogram->image[i] - *average;
        square += off * off;
    }
    *deviation = sqrtf(square / (float)count);
}

static void find_parts(struct histogram *histogram)
{
    uint32_t stride = histogram->pixels / PRESCAN_BLOCKS;
    histogram->from = UINT32_MAX;
    for (uint32_t block = 0; block < PRESCAN_BLOCKS; block++) {
        float average[PRESCAN_THREADS], deviation[PRESCAN_THREADS];
        uint32_t from, to, first = block * stride;
        for (uint32_t i = 0; i < PRESCAN_THREADS; i++)
            sample_thread(histogram, first + i, first + stride / 8, &average[i], &deviation[i]);
        histogram_range(average, deviation, &from, &to);
        histogram->from = from < histogram->from ? from : histogram->from;
        histogram->to = to > histogram->to ? to : histogram->to;
    }
}

/* The counts that the effects follow from. */
struct counts {
    uint32_t *words;   /* of a column, from the first part on: shared memory of its blocks */
    uint16_t *outside; /* of all bins */
    uint64_t words_bytes;
};

/* A warp's turn: the bytes lane by lane; outside of the parts all lanes read, then all add. */
static void count_warp(const struct histogram *histogram, uint64_t first, uint32_t lanes,
                       struct counts *counts)
{
    const struct mapping *at = histogram->mappings + first;
    uint8_t *effects = histogram->effects + first;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        uint32_t bin = mapped_bin(at[lane]);
        if (at[lane].part < histogram->from || at[lane].part > histogram->to) {
            bool adds = counts->outside[bin] < SATURATED;
            effects[lane] = (uint8_t)(EFFECT_OUTSIDE | (adds ? EFFECT_ADDS : 0));
            continue;
        }
        uint32_t *word = &counts->words[bin / 4 - histogram->from * (uint32_t)PART_WORDS];
        effects[lane] = (uint8_t)overflow_atomics(count_byte(word, at[lane].shift), at[lane].shift);
    }
    for (uint32_t lane = 0; lane < lanes; lane++)
        if (effects[lane] & EFFECT_ADDS)
            counts->outside[mapped_bin(at[lane])]++;
}

static void count_column(const struct histogram *histogram, uint32_t column, struct counts *counts)
{
    memset(counts->words, 0, counts->words_bytes);
    for (uint64_t turn = (uint64_t)column * MAIN_THREADS; turn < histogram->pixels;
         turn += COLUMNS * MAIN_THREADS)
        for (uint64_t first = turn; first < turn + MAIN_THREADS && first < histogram->pixels;
             first += WARP_SIZE) {
            uint64_t left = histogram->pixels - first;
            count_warp(histogram, first, left < WARP_SIZE ? (uint32_t)left : WARP_SIZE, counts);
        }
}

/* By the rule at the head of histo.c. The final kernel clears the counts outside of the parts and
 * those of the overflows, so every iteration has the same effects. */
static enum status find_effects(struct histogram *histogram)
{
    uint32_t last = histogram->to < PARTS_MAX ? histogram->to : PARTS_MAX - 1;
    uint64_t parts = histogram->from <= last ? last - histogram->from + 1 : 1;
    struct counts counts = {.words_bytes = parts * PART_WORDS * sizeof *counts.words};
    counts.words = malloc(counts.words_bytes);
    counts.outside = calloc(histogram->bins, sizeof *counts.outside);
    enum status status = counts.words && counts.outside ? STATUS_OK : STATUS_MEMORY;
    for (uint32_t column = 0; !status && column < COLUMNS; column++)
        count_column(histogram, column, &counts);
    free(counts.words);
    free(counts.outside);
    return status;
}

enum status histogram_create(struct histogram *histogram, const struct histogram_image *image)
{
    *histogram = (struct histogram){.width = image->width,
                                    .height = image->height,
                                    .pitch = (image->width + 1) / 2 * 2,
                                    .pixels = image->width * image->height,
                                    .bins = image->bins_x * image->bins_y};
    histogram->image = calloc((size_t)histogram->pitch * histogram->height, sizeof(uint32_t));
    histogram->mappings = calloc(histogram->pixels, sizeof *histogram->mappings);
    histogram->effects = calloc(histogram->pixels, 1);
    if (!histogram->image || !histogram->mappings || !histogram->effects)
        return STATUS_MEMORY;
    draw_image(histogram, image);
    find_parts(histogram);
    return find_effects(histogram);
}

void histogram_free(struct histogram *histogram)
{
    free(histogram->image);
    free(histogram->mappings);
    free(histogram->effects);
}
