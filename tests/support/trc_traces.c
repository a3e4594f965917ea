#include "tests/support/trc_traces.h"

#include <stdint.h>
#include <string.h>

static const uint64_t base_a = 0x200000000, base_b = 0x204000000, base_c = 0x208000000,
                      base_x = 0x20c000000, base_y = 0x20e000000;

struct grid {
    unsigned block_x, block_y, blocks_x, blocks_y;
};

struct position {
    uint64_t x, y;
};

static unsigned grid_threads(const struct grid *grid)
{
    return grid->block_x * grid->block_y * grid->blocks_x * grid->blocks_y;
}

static struct position position_of(const struct grid *grid, unsigned thread)
{
    unsigned in_block = grid->block_x * grid->block_y, block = thread / in_block;
    thread %= in_block;
    return (struct position){
        (uint64_t)(block % grid->blocks_x) * grid->block_x + thread % grid->block_x,
        (uint64_t)(block / grid->blocks_x) * grid->block_y + thread / grid->block_x};
}

static void put(FILE *out, unsigned thread, int store, uint64_t address, unsigned bytes)
{
    fprintf(out, "%u %d %llu %u\n", thread, store, (unsigned long long)address, bytes);
}

/* C[i][j] += A[i][k] B[k][j]; threadIdx.x is j (rows) or i (columns). */
static void gemm(FILE *out, struct grid grid, unsigned columns, unsigned depth, int by_columns)
{
    unsigned threads = grid_threads(&grid);
    for (unsigned step = 0; step < 2 * depth + 2; step++)
        for (unsigned t = 0; t < threads; t++) {
            struct position at = position_of(&grid, t);
            uint64_t i = by_columns ? at.x : at.y, j = by_columns ? at.y : at.x;
            uint64_t k = (step - 1) / 2;
            if (step == 0 || step == 2 * depth + 1)
                put(out, t, step != 0, base_c + 4 * (i * columns + j), 4);
            else if (step % 2)
                put(out, t, 0, base_a + 4 * (i * depth + k), 4);
            else
                put(out, t, 0, base_b + 4 * (k * columns + j), 4);
        }
}

static void atax(FILE *out, unsigned rows, unsigned columns, unsigned steps)
{
    for (unsigned j = 0; j < steps; j++) {
        for (unsigned t = 0; t < rows; t++)
            put(out, t, 0, base_a + 4 * ((uint64_t)t * columns + j), 4);
        for (unsigned t = 0; t < rows; t++)
            put(out, t, 0, base_x + 4 * j, 4);
    }
    for (unsigned t = 0; t < rows; t++)
        put(out, t, 1, base_y + 4 * (uint64_t)t, 4);
}

static void convolution(FILE *out, struct grid grid, unsigned width, unsigned rows)
{
    unsigned threads = grid_threads(&grid);
    uint64_t height = (uint64_t)grid.blocks_y * grid.block_y;
    for (unsigned row = 0; row < rows; row++)
        for (unsigned tap = 0; tap < 10; tap++)
            for (unsigned t = 0; t < threads; t++) {
                struct position at = position_of(&grid, t);
                uint64_t y = at.y + row * height;
                if (tap < 9)
                    put(out, t, 0, base_a + 4 * ((y + tap / 3) * width + at.x + tap % 3), 4);
                else
                    put(out, t, 1, base_c + 4 * ((y + 1) * width + at.x + 1), 4);
            }
}

static void vector(FILE *out, unsigned threads, unsigned bytes, unsigned steps)
{
    for (unsigned step = 0; step < steps; step++)
        for (unsigned t = 0; t < threads; t++)
            put(out, t, 0,
                base_a + (uint64_t)bytes * (t + (uint64_t)threads * (step / 2) + step % 2), bytes);
}

static void gather(FILE *out, unsigned threads, unsigned steps, unsigned lines)
{
    uint64_t state = 12345;
    for (unsigned step = 0; step < steps; step++)
        for (unsigned t = 0; t < threads; t++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            put(out, t, 0, base_a + (state >> 33) % lines * 128 + (state >> 20 & 31) * 4, 4);
        }
}

int trc_trace_write(const char *name, FILE *out)
{
    static const struct grid tall = {32, 8, 16, 2}, small = {32, 8, 2, 4}, wide = {32, 8, 4, 1};
    static const char *const names[] = {"gemmrow_s",  "gemmcol_s", "atax1_s", "conv2d_s",
                                        "vec8_s",     "vec16_s",   "rand_s",  "gemmrow_1m",
                                        "gemmcol_1m", "rand_1m",   "atax1_1m"};
    static const char *const blocks[] = {"32 8 1",  "32 8 1",  "256 1 1", "32 8 1",
                                         "256 1 1", "256 1 1", "192 1 1", "32 8 1",
                                         "32 8 1",  "256 1 1", "256 1 1"};
    unsigned which = 0, count = sizeof names / sizeof *names;
    while (which < count && strcmp(names[which], name))
        which++;
    if (which == count)
        return 0;
    fprintf(out, "blocksize: %s\n", blocks[which]);
    switch (which) {
    case 0:
    case 1:
        gemm(out, small, 64, 16, which == 1);
        break;
    case 2:
        atax(out, 1024, 128, 16);
        break;
    case 3:
        convolution(out, wide, 256, 3);
        break;
    case 4:
    case 5:
        vector(out, 2048, which == 4 ? 8 : 16, 12);
        break;
    case 6:
        gather(out, 1920, 24, 400);
        break;
    case 7:
    case 8:
        gemm(out, tall, 512, 64, which == 8);
        break;
    case 9:
        gather(out, 8192, 128, 2000);
        break;
    default:
        atax(out, 8192, 1056, 64);
    }
    return 1;
}
