#include "gpu_mix.h"

#include <stdlib.h>

enum { LANES = 32, WARPS = 16 };
enum { ARRAY_A = 0x10000000, ARRAY_B = 0x20000000, ARRAY_C = 0x30000000, ARRAY_D = 0x40000000 };

struct builder {
    struct gpu_mix *mix;
    size_t limit; /* end of the current phase */
};

static void add_warp(struct builder *builder, uint32_t store, const uint32_t lanes[LANES])
{
    uint32_t sectors[LANES];
    unsigned count = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t sector = lanes[lane] & ~UINT32_C(31);
        unsigned i = 0;
        while (i < count && sectors[i] != sector)
            i++;
        if (i == count)
            sectors[count++] = sector;
    }
    struct gpu_mix *mix = builder->mix;
    for (unsigned i = 0; i < count && mix->count < builder->limit; i++)
        mix->items[mix->count++] = sectors[i] | store;
}

/* One warp access: lane i accesses base + i * stride. */
static void add_row(struct builder *builder, uint32_t store, uint32_t base, uint32_t stride)
{
    uint32_t lanes[LANES];
    for (uint32_t i = 0; i < LANES; i++)
        lanes[i] = base + i * stride;
    add_warp(builder, store, lanes);
}

static void add_saxpy(struct builder *builder)
{
    for (uint32_t first = 0; builder->mix->count < builder->limit; first += LANES) {
        uint32_t offset = first % (1u << 22) * 4;
        add_row(builder, 0, ARRAY_A + offset, 4);
        add_row(builder, 0, ARRAY_B + offset, 4);
        add_row(builder, 1, ARRAY_B + offset, 4);
    }
}

static void add_transpose(struct builder *builder)
{
    const uint32_t n = 2048, groups = n / LANES;
    for (uint32_t warp = 0; builder->mix->count < builder->limit; warp++) {
        uint32_t group = warp % (n * groups);
        uint32_t row = group / groups, column = group % groups * LANES;
        add_row(builder, 0, ARRAY_A + (row * n + column) * 4, 4);
        add_row(builder, 1, ARRAY_C + (column * n + row) * 4, n * 4);
    }
}

/* Blocks of 16 x 16 threads = 8 warps of two rows each, two blocks resident. */
static void add_product(struct builder *builder)
{
    const uint32_t n = 512, blocks = 1024;
    for (uint32_t block = 0; builder->mix->count < builder->limit; block = (block + 2) % blocks)
        for (uint32_t k = 0; k < n; k++)
            for (uint32_t warp = 0; warp < WARPS; warp++) {
                uint32_t own = block + warp / 8, lanes[LANES];
                uint32_t row = own / 32 * 16 + warp % 8 * 2, column = own % 32 * 16;
                for (uint32_t i = 0; i < LANES; i++)
                    lanes[i] = ARRAY_A + ((row + i / 16) * n + k) * 4;
                add_warp(builder, 0, lanes);
                for (uint32_t i = 0; i < LANES; i++)
                    lanes[i] = ARRAY_B + (k * n + column + i % 16) * 4;
                add_warp(builder, 0, lanes);
            }
}

static void add_strides(struct builder *builder)
{
    for (uint32_t turn = 0; builder->mix->count < builder->limit; turn++)
        for (uint32_t warp = 0; warp < WARPS; warp++) {
            unsigned shift = 5 + turn / 4096 % 10; /* 32 to 16,384 bytes */
            uint32_t lanes[LANES];
            for (uint32_t i = 0; i < LANES; i++)
                lanes[i] =
                    ARRAY_D + (((turn % 64 * WARPS + warp) * LANES + i) << shift) % (1u << 24);
            add_warp(builder, 0, lanes);
        }
}

/* Three in four accesses go to 256 KiB, one in four to 8 MiB. */
static void add_gather(struct builder *builder)
{
    uint64_t x = 88172645463325252;
    while (builder->mix->count < builder->limit) {
        uint32_t lanes[LANES];
        for (uint32_t i = 0; i < LANES; i++) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            uint64_t word = x >> 20 & 3 ? x >> 40 & 0xffff : x >> 32 & 0x1fffff;
            lanes[i] = ARRAY_C + (uint32_t)word * 4;
        }
        add_warp(builder, 0, lanes);
    }
}

enum status gpu_mix_create(size_t count, struct gpu_mix *mix)
{
    void (*const phases[])(struct builder *) = {add_saxpy, add_transpose, add_product, add_strides,
                                                add_gather};
    mix->count = 0;
    mix->items = malloc(count * sizeof *mix->items);
    if (!mix->items)
        return STATUS_MEMORY;
    for (size_t i = 0; i < 5; i++)
        phases[i](&(struct builder){mix, (i + 1) * count / 5});
    return STATUS_OK;
}

void gpu_mix_free(struct gpu_mix *mix)
{
    free(mix->items);
    mix->items = NULL;
}

void gpu_mix_requests(const struct gpu_mix *mix, size_t first, size_t count, struct request *out)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t item = mix->items[first + i];
        out[i] = (struct request){.address = item & ~UINT32_C(31),
                                  .touched = UINT32_MAX,
                                  .bytes = 32,
                                  .op = item & 1 ? OP_STORE : OP_LOAD};
    }
}
