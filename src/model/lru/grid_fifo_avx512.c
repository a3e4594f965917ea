/* Searches all FIFO queues of a set at once with AVX-512 and byte permutations, one vector at a
 * time. */
#include <stdbool.h>

#include "model/lru/grid_fifo.h"

#if defined __x86_64__
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,bmi,bmi2")))

/* The permutation that moves a queue by one place: byte i comes from byte i - 2. */
static const struct {
    _Alignas(64) uint8_t bytes[64];
} moved_bytes = {{0,  0,  0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13,
                  14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
                  30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45,
                  46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61}};

struct codes {
    __m512i low, high;
};

/* Returns the matching lanes. At most one lane of a queue matches, so adding ones to all its lanes
 * carries into its guard exactly if one does. The queues without a match take the code. */
TARGET GRID_TEMPLATE __mmask32 step(unsigned char *lanes, const struct grid_fifo_layout *layout,
                                    const struct codes *codes, unsigned planes)
{
    const __m512i by = _mm512_load_si512(moved_bytes.bytes);
    __m512i old = _mm512_load_si512(lanes), old_high = old;
    __mmask32 found = _mm512_cmpeq_epi16_mask(old, codes->low);
    if (planes == 2) {
        old_high = _mm512_load_si512(lanes + GRID_FIFO_PLANE);
        found = _mm512_mask_cmpeq_epi16_mask(found, old_high, codes->high);
    }
    uint64_t hits = _pext_u64(found + layout->lanes, layout->guards);
    __mmask32 moves = layout->missing[hits];
    __m512i moved = _mm512_mask_permutexvar_epi8(codes->low, layout->inner_bytes, by, old);
    _mm512_store_si512(lanes, _mm512_mask_mov_epi16(old, moves, moved));
    if (planes == 2) {
        moved = _mm512_mask_permutexvar_epi8(codes->high, layout->inner_bytes, by, old_high);
        _mm512_store_si512(lanes + GRID_FIFO_PLANE, _mm512_mask_mov_epi16(old_high, moves, moved));
    }
    return found;
}

/* Sums the counts over the lanes of each queue. */
TARGET static void add_counts(const __m512i counts[GRID_FIFO_VECTORS], uint32_t *hits)
{
    _Alignas(64) uint16_t words[GRID_FIFO_VECTORS * 32];
    for (unsigned v = 0; v < GRID_FIFO_VECTORS; v++)
        _mm512_store_si512(words + 32 * v, counts[v]);
    for (unsigned ways = 1; ways <= GRID_FIFO_WAYS; ways++)
        for (unsigned i = 0; i < ways; i++)
            hits[ways - 1] += words[grid_fifo_lanes[ways] + i];
}

TARGET GRID_TEMPLATE void run(struct grid_job *job, unsigned planes, bool writes)
{
    const __m512i one = _mm512_set1_epi16(-1);
    __m512i counts[GRID_FIFO_VECTORS], write_counts[GRID_FIFO_VECTORS];
    for (unsigned v = 0; v < GRID_FIFO_VECTORS; v++)
        counts[v] = write_counts[v] = _mm512_setzero_si512();
    const struct grid_work work = job->works[0];
    const uint32_t *items = job->items;
    const size_t item_count = job->item_count;
    uint32_t *kept = job->kept + job->kept_count;
    for (size_t i = 0; i < item_count; i++) {
        unsigned char *lanes = work.lists + work.offsets[i];
        struct codes codes = {.low = _mm512_set1_epi32((int)work.codes[0][i])};
        codes.high = planes == 2 ? _mm512_set1_epi32((int)work.codes[1][i]) : codes.low;
        __mmask32 found = 0, write = -(items[i] & 1);
        for (unsigned v = 0; v < GRID_FIFO_VECTORS; v++) {
            found = step(lanes + 64 * v, &job->fifo[v], &codes, planes);
            counts[v] = _mm512_mask_sub_epi16(counts[v], found, counts[v], one);
            if (writes)
                write_counts[v] =
                    _mm512_mask_sub_epi16(write_counts[v], found & write, write_counts[v], one);
        }
        *kept = items[i];
        kept += !(found >> (grid_fifo_lanes[1] % 32) & 1);
    }
    job->kept_count = (size_t)(kept - job->kept);
    add_counts(counts, job->works[0].hits);
    if (writes)
        add_counts(write_counts, job->works[0].write_hits);
}

TARGET void grid_fifo_avx512(struct grid_job *job)
{
    if (job->works[0].planes == 1)
        job->writes ? run(job, 1, true) : run(job, 1, false);
    else
        job->writes ? run(job, 2, true) : run(job, 2, false);
}
#endif
