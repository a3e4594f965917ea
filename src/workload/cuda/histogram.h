/* What HISTO's kernels will find in its image, computed before they run: the parts of the histogram
 * that hold nearly all values, and what counting each pixel does to global memory. */
#pragma once

#include <stdint.h>

#include "base/status.h"

/* A part of the histogram is what one thread block counts in shared memory: 24 rows of 256 words of
 * 4 bins. A main block's column takes every COLUMNS-th run of MAIN_THREADS pixels. */
enum { PART_ROWS = 24, ROW_WORDS = 256, PART_WORDS = PART_ROWS * ROW_WORDS };
enum { PART_BINS = 4 * PART_WORDS, PARTS_MAX = 256, COLUMNS = 14, SATURATED = 255 };
enum { PRESCAN_THREADS = 512, PRESCAN_BLOCKS = 64, MAIN_THREADS = 768 };

/* Where a value is counted in shared memory: the suite's uchar4. */
struct mapping {
    uint8_t part, row, word, shift;
};

enum pixel_effect {
    EFFECT_ATOMICS = 7, /* mask: how many atomics on the overflow counts follow */
    EFFECT_ADDS = 8,    /* counts in global memory */
    EFFECT_OUTSIDE = 16 /* the value is outside of the parts */
};

struct histogram {
    uint32_t width, height, pitch, pixels; /* pitch: values from row to row, an even number */
    uint64_t bins;
    uint32_t from, to;        /* the parts that the prescan finds, inclusive */
    uint32_t *image;          /* rows of `pitch` values */
    struct mapping *mappings; /* of each pixel, in the order of the intermediates */
    uint8_t *effects;         /* of each pixel, in the same order */
};

/* The image to generate: values are spread by `spread` rows and columns around the middle bin of a
 * histogram of bins_x * bins_y. */
struct histogram_image {
    uint32_t width, height;
    uint64_t bins_x, bins_y, spread, seed;
};

enum status histogram_create(struct histogram *histogram, const struct histogram_image *image);
void histogram_free(struct histogram *histogram);

struct mapping map_value(uint32_t value);
uint32_t mapped_bin(struct mapping at);

/* Counts a value in its byte of a word. Returns how many bytes overflowed, each into the next. */
uint32_t count_byte(uint32_t *word, uint32_t shift);

/* The parts that lie 10 deviations below and above the mean of a prescan block's threads. Destroys
 * both arrays. */
void histogram_range(float average[PRESCAN_THREADS], float deviation[PRESCAN_THREADS],
                     uint32_t *from, uint32_t *to);
