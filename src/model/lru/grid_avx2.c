/* The kernels of grid.h for AVX2: 16 codes per vector, so a list is half a vector, one or two; up
 * to two rows in lockstep. */
#include <stdbool.h>

#include "model/lru/grid_fifo.h"

#if defined __x86_64__
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))

enum { VECTOR_LANES = 16, PAIR = 2 };

static int supported(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
}

/* Masks with ones in the lanes up to a place: the 32 words starting at word 31 - place. */
static const struct {
    _Alignas(64) uint16_t words[64];
} moves = {
    {[0] = 0xffff,  [1] = 0xffff,  [2] = 0xffff,  [3] = 0xffff,  [4] = 0xffff,  [5] = 0xffff,
     [6] = 0xffff,  [7] = 0xffff,  [8] = 0xffff,  [9] = 0xffff,  [10] = 0xffff, [11] = 0xffff,
     [12] = 0xffff, [13] = 0xffff, [14] = 0xffff, [15] = 0xffff, [16] = 0xffff, [17] = 0xffff,
     [18] = 0xffff, [19] = 0xffff, [20] = 0xffff, [21] = 0xffff, [22] = 0xffff, [23] = 0xffff,
     [24] = 0xffff, [25] = 0xffff, [26] = 0xffff, [27] = 0xffff, [28] = 0xffff, [29] = 0xffff,
     [30] = 0xffff, [31] = 0xffff}};

TARGET GRID_TEMPLATE __m256i load(const void *at)
{
    return _mm256_loadu_si256((const __m256i *)at);
}

/* Moves the codes of one plane by one lane where `mask` is set; the new code enters at the front.
 */
TARGET GRID_TEMPLATE void move_plane(unsigned char *list, unsigned vectors, __m256i code,
                                     const uint16_t *mask)
{
    __m256i before = code;
    for (unsigned v = 0; v < vectors; v++) {
        __m256i here = load(list + 32 * v);
        __m256i across = _mm256_permute2x128_si256(before, here, 0x21);
        __m256i shifted = _mm256_alignr_epi8(here, across, 14);
        __m256i result = _mm256_blendv_epi8(here, shifted, load(mask + VECTOR_LANES * v));
        _mm256_storeu_si256((__m256i *)(void *)(list + 32 * v), result);
        before = here;
    }
}

TARGET GRID_TEMPLATE uint64_t find_bits(const unsigned char *list, unsigned vectors,
                                        unsigned planes, __m256i low, __m256i high)
{
    __m256i equal[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (unsigned v = 0; v < vectors; v++) {
        equal[v] = _mm256_cmpeq_epi16(load(list + 32 * v), low);
        if (planes == 2)
            equal[v] = _mm256_and_si256(equal[v],
                                        _mm256_cmpeq_epi16(load(list + 32 * (vectors + v)), high));
    }
    __m256i packed = _mm256_permute4x64_epi64(_mm256_packs_epi16(equal[0], equal[1]), 0xd8);
    return (uint32_t)_mm256_movemask_epi8(packed);
}

TARGET GRID_TEMPLATE unsigned use_vectors(unsigned char *list, const struct grid_work *work,
                                          size_t i, unsigned vectors, unsigned planes)
{
    __m256i low = _mm256_set1_epi32((int)work->codes[0][i]), high = low;
    if (planes == 2)
        high = _mm256_set1_epi32((int)work->codes[1][i]);
    uint64_t none = UINT64_C(1) << (VECTOR_LANES * vectors);
    unsigned place = (unsigned)_tzcnt_u64(find_bits(list, vectors, planes, low, high) | none);
    const uint16_t *mask = moves.words + (place < 32 ? 31 - place : 0);
    move_plane(list, vectors, low, mask);
    if (planes == 2)
        move_plane(list + 32 * vectors, vectors, high, mask);
    return place;
}

/* Lists of eight places: one 128-bit vector per plane. */
TARGET GRID_TEMPLATE unsigned use_half(unsigned char *list, const struct grid_work *work, size_t i,
                                       unsigned planes)
{
    __m128i *at = (__m128i *)(void *)list;
    __m128i old = _mm_loadu_si128(at), low = _mm_set1_epi32((int)work->codes[0][i]);
    __m128i equal = _mm_cmpeq_epi16(old, low), high = low, old_high = old;
    if (planes == 2) {
        old_high = _mm_loadu_si128(at + 1);
        high = _mm_set1_epi32((int)work->codes[1][i]);
        equal = _mm_and_si128(equal, _mm_cmpeq_epi16(old_high, high));
    }
    unsigned bits = (unsigned)_mm_movemask_epi8(equal) | 1u << 16;
    unsigned place = _tzcnt_u32(bits) / 2;
    __m128i mask = _mm_loadu_si128((const __m128i *)(const void *)(moves.words + 31 - place));
    _mm_storeu_si128(at, _mm_blendv_epi8(old, _mm_alignr_epi8(old, low, 14), mask));
    if (planes == 2)
        _mm_storeu_si128(at + 1,
                         _mm_blendv_epi8(old_high, _mm_alignr_epi8(old_high, high, 14), mask));
    return place;
}

TARGET GRID_TEMPLATE unsigned use_list(const struct grid_work *work, size_t i, unsigned lanes,
                                       unsigned planes)
{
    unsigned char *list = work->lists + work->offsets[i];
    return lanes == 8 ? use_half(list, work, i, planes)
                      : use_vectors(list, work, i, lanes / VECTOR_LANES, planes);
}

TARGET GRID_TEMPLATE size_t run_works(const struct grid_job *job, struct grid_work *works,
                                      unsigned count, unsigned lanes, unsigned planes)
{
    uint32_t places[PAIR][2][GRID_WAYS + 1] = {{{0}}};
    struct grid_work local[PAIR];
    const uint32_t *items = job->items;
    uint32_t *kept = job->kept + job->kept_count;
    for (unsigned w = 0; w < count; w++)
        local[w] = works[w];
    for (size_t i = 0; i < job->item_count; i++) {
        unsigned place = 0;
        for (unsigned w = 0; w < count; w++) {
            place = use_list(&local[w], i, lanes, planes);
            places[w][items[i] & 1][place]++;
        }
        *kept = items[i];
        kept += place != 0;
    }
    for (unsigned w = 0; w < count; w++)
        for (unsigned place = 0; place < lanes; place++) {
            works[w].hits[place] += places[w][0][place] + places[w][1][place];
            works[w].write_hits[place] += places[w][1][place];
        }
    return (size_t)(kept - job->kept);
}

/* Runs two rows in lockstep if both have one plane, otherwise one. */
TARGET GRID_TEMPLATE void run_lanes(struct grid_job *job, unsigned lanes)
{
    size_t kept = 0;
    for (unsigned w = 0; w < job->count;) {
        struct grid_work *works = &job->works[w];
        if (works->planes == 2) {
            kept = run_works(job, works, 1, lanes, 2);
            w++;
        } else if (job->count - w >= PAIR) {
            kept = run_works(job, works, PAIR, lanes, 1);
            w += PAIR;
        } else {
            kept = run_works(job, works, 1, lanes, 1);
            w++;
        }
    }
    job->kept_count = kept;
}

TARGET static void grid_avx2_run(struct grid_job *job)
{
    if (job->lanes == 8)
        run_lanes(job, 8);
    else if (job->lanes == 16)
        run_lanes(job, 16);
    else
        run_lanes(job, 32);
}

TARGET static size_t collapse(const uint32_t *items, size_t count, unsigned shift, uint32_t *last,
                              uint32_t *lines)
{
    return grid_collapse(items, count, shift, last, lines);
}

TARGET static size_t choose(const uint32_t *items, size_t count, const struct grid_choice *choice,
                            uint32_t *chosen)
{
    return grid_choose(items, count, choice, chosen);
}

TARGET static size_t survey(const uint32_t *items, size_t count, uint32_t *top)
{
    return grid_survey(items, count, top);
}

TARGET static void place(const uint32_t *items, size_t count, const struct grid_order *order,
                         uint32_t *offsets, uint32_t *low, uint32_t *high)
{
    grid_place(items, count, order, offsets, low, high);
}

TARGET static void place_hashed(const uint32_t *items, size_t count, const struct grid_hash *hash,
                                uint32_t *offsets)
{
    grid_place_hashed(items, count, hash, offsets);
}

const struct grid_kernel grid_avx2 = {"AVX2",   supported, grid_avx2_run, grid_fifo_avx2, survey,
                                      collapse, choose,    place,         place_hashed};
#endif
