/* Searches all FIFO queues of a set at once with AVX2: each vector of 32 lanes is two halves. */
#include <stdbool.h>

#include "model/lru/grid_fifo.h"

#if defined __x86_64__
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))

enum { HALF_LANES = 16, HALF = 32 };

struct pair { /* the lower and the upper half of a vector */
    __m256i low, high;
};

TARGET GRID_TEMPLATE struct pair load(const void *at)
{
    const __m256i *halves = at;
    return (struct pair){_mm256_loadu_si256(halves), _mm256_loadu_si256(halves + 1)};
}

TARGET GRID_TEMPLATE struct pair find(struct pair old, __m256i code)
{
    return (struct pair){_mm256_cmpeq_epi16(old.low, code), _mm256_cmpeq_epi16(old.high, code)};
}

/* Stores the lanes; those in `missing` are shifted by one, and first lanes take the code. */
TARGET GRID_TEMPLATE void move(unsigned char *lanes, struct pair old, __m256i code,
                               const struct grid_fifo_layout *layout, struct pair missing)
{
    const struct pair first = load(layout->first_lanes);
    __m256i below = _mm256_permute2x128_si256(old.low, old.low, 0x08);
    __m256i between = _mm256_permute2x128_si256(old.low, old.high, 0x21);
    __m256i low = _mm256_alignr_epi8(old.low, below, 14);
    __m256i high = _mm256_alignr_epi8(old.high, between, 14);
    low = _mm256_blendv_epi8(low, code, first.low);
    high = _mm256_blendv_epi8(high, code, first.high);
    __m256i *halves = (__m256i *)(void *)lanes;
    _mm256_store_si256(halves, _mm256_blendv_epi8(old.low, low, missing.low));
    _mm256_store_si256(halves + 1, _mm256_blendv_epi8(old.high, high, missing.high));
}

/* Returns one bit for each queue that has the code; the other queues take it. */
TARGET GRID_TEMPLATE unsigned step(unsigned char *lanes, const struct grid_fifo_layout *layout,
                                   __m256i low, __m256i high, unsigned planes)
{
    struct pair old = load(lanes), old_high = old, equal = find(old, low);
    if (planes == 2) {
        old_high = load(lanes + GRID_FIFO_PLANE);
        struct pair upper = find(old_high, high);
        equal.low = _mm256_and_si256(equal.low, upper.low);
        equal.high = _mm256_and_si256(equal.high, upper.high);
    }
    __m256i packed = _mm256_permute4x64_epi64(_mm256_packs_epi16(equal.low, equal.high), 0xd8);
    /* At most one lane of a queue matches, so adding ones to all its lanes carries into its guard
     * exactly if one does. */
    uint64_t found = (uint32_t)_mm256_movemask_epi8(packed);
    unsigned hits = (unsigned)_pext_u64(found + layout->lanes, layout->guards);
    struct pair missing = load(layout->missing_lanes[hits]);
    move(lanes, old, low, layout, missing);
    if (planes == 2)
        move(lanes + GRID_FIFO_PLANE, old_high, high, layout, missing);
    return hits;
}

/* How often each combination of queues was hit, by loads and by stores. */
struct tally {
    uint32_t counts[GRID_FIFO_VECTORS][2][1 << GRID_FIFO_QUEUES];
};

TARGET static void add_tally(const struct tally *tally, const struct grid_fifo_layout *layouts,
                             struct grid_work *work)
{
    for (unsigned v = 0; v < GRID_FIFO_VECTORS; v++)
        for (unsigned q = 0; q < GRID_FIFO_QUEUES && layouts[v].ways[q]; q++)
            for (unsigned hits = 0; hits < 1 << GRID_FIFO_QUEUES; hits++)
                if (hits >> q & 1) {
                    const uint32_t reads = tally->counts[v][0][hits];
                    const uint32_t writes = tally->counts[v][1][hits];
                    work->hits[layouts[v].ways[q] - 1] += reads + writes;
                    work->write_hits[layouts[v].ways[q] - 1] += writes;
                }
}

/* The bit of the one-way queue among the hits of the last vector. */
static unsigned find_single(const struct grid_fifo_layout *layout)
{
    unsigned queue = 0;
    while (layout->ways[queue] != 1)
        queue++;
    return queue;
}

TARGET GRID_TEMPLATE void run(struct grid_job *job, unsigned planes)
{
    struct tally tally = {{{{0}}}};
    const struct grid_work *work = &job->works[0];
    const struct grid_fifo_layout *layouts = job->fifo;
    const uint32_t *items = job->items;
    const size_t item_count = job->item_count;
    const unsigned single = find_single(&layouts[GRID_FIFO_VECTORS - 1]);
    uint32_t *kept = job->kept + job->kept_count;
    for (size_t i = 0; i < item_count; i++) {
        unsigned char *lanes = work->lists + work->offsets[i];
        __m256i low = _mm256_set1_epi32((int)work->codes[0][i]), high = low;
        unsigned hits = 0;
        if (planes == 2)
            high = _mm256_set1_epi32((int)work->codes[1][i]);
        for (unsigned v = 0; v < GRID_FIFO_VECTORS; v++) {
            hits = step(lanes + 2 * HALF * v, &layouts[v], low, high, planes);
            tally.counts[v][items[i] & 1][hits]++;
        }
        *kept = items[i];
        kept += ~hits >> single & 1;
    }
    job->kept_count = (size_t)(kept - job->kept);
    add_tally(&tally, layouts, &job->works[0]);
}

TARGET void grid_fifo_avx2(struct grid_job *job)
{
    if (job->works[0].planes == 1)
        run(job, 1);
    else
        run(job, 2);
}
#endif
