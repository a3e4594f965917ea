/* The kernels of grid.h for AVX-512 with byte permutations (VBMI: Ice Lake, Zen 4 and later). */
#include <stdbool.h>

#include "model/cache/grid_kernel.h"

#if defined __x86_64__
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,bmi,bmi2")))

static int supported(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("bmi2");
}

/* Byte i of a list that has moved by one place is byte i - 2; the first two are the new code's. */
static const struct {
    _Alignas(64) uint8_t bytes[64];
} moved_bytes = {{0,  0,  0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13,
                  14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
                  30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45,
                  46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61}};

/* What one item adds to the counts of stores, subtracted: nothing, or one. */
static const struct {
    _Alignas(64) uint16_t words[2][32];
} write_flags = {
    {{0}, {UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX,
           UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX,
           UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX,
           UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX,
           UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX}}};

/* Each step: compare; `found` - 1 has ones below the place found, everywhere if there is none; the
 * places up to the one found take their neighbours' codes. All of it stays in mask registers, which
 * is shorter than the way through a general one. Then counts one for the place found. */
TARGET GRID_TEMPLATE void count_place_32(__m512i counts[2], __mmask32 found, bool writes,
                                         uint32_t item)
{
    const __m512i one = _mm512_set1_epi16(-1);
    __m512i all = counts[0];
    counts[0] = _mm512_mask_sub_epi16(all, found, all, one);
    if (writes) {
        __m512i some = counts[1], flag = _mm512_load_si512(write_flags.words[item & 1]);
        counts[1] = _mm512_mask_sub_epi16(some, found, some, flag);
    }
}

TARGET GRID_TEMPLATE unsigned step_32(const struct grid_work *work, size_t i, unsigned planes,
                                      bool writes, uint32_t item, __m512i counts[2])
{
    unsigned char *list = work->lists + work->offsets[i];
    const __m512i by = _mm512_load_si512(moved_bytes.bytes);
    __m512i low = _mm512_set1_epi32((int)work->codes[0][i]), old = _mm512_load_si512(list);
    __mmask32 found = _mm512_cmpeq_epi16_mask(old, low);
    __m512i high = low, old_high = old;
    if (planes == 2) {
        high = _mm512_set1_epi32((int)work->codes[1][i]);
        old_high = _mm512_load_si512(list + 64);
        found = _mm512_mask_cmpeq_epi16_mask(found, old_high, high);
    }
    __mmask32 moves = _kxor_mask32(found, _kadd_mask32(found, UINT32_MAX));
    __m512i shifted = _mm512_mask_permutexvar_epi8(low, ~UINT64_C(3), by, old);
    _mm512_store_si512(list, _mm512_mask_mov_epi16(old, moves, shifted));
    if (planes == 2) {
        shifted = _mm512_mask_permutexvar_epi8(high, ~UINT64_C(3), by, old_high);
        _mm512_store_si512(list + 64, _mm512_mask_mov_epi16(old_high, moves, shifted));
    }
    count_place_32(counts, found, writes, item);
    return found;
}

TARGET GRID_TEMPLATE void count_place_16(__m512i counts[2], __mmask16 found, bool writes,
                                         uint32_t item)
{
    const __m256i one = _mm256_set1_epi16(-1);
    __m256i all = _mm512_castsi512_si256(counts[0]);
    counts[0] = _mm512_castsi256_si512(_mm256_mask_sub_epi16(all, found, all, one));
    if (writes) {
        __m256i some = _mm512_castsi512_si256(counts[1]),
                flag =
                    _mm256_load_si256((const __m256i *)(const void *)(write_flags.words[item & 1]));
        counts[1] = _mm512_castsi256_si512(_mm256_mask_sub_epi16(some, found, some, flag));
    }
}

TARGET GRID_TEMPLATE unsigned step_16(const struct grid_work *work, size_t i, unsigned planes,
                                      bool writes, uint32_t item, __m512i counts[2])
{
    unsigned char *list = work->lists + work->offsets[i];
    const __m256i by = _mm256_load_si256((const __m256i *)(const void *)(moved_bytes.bytes));
    __m256i low = _mm256_set1_epi32((int)work->codes[0][i]),
            old = _mm256_load_si256((const __m256i *)(const void *)(list));
    __mmask16 found = _mm256_cmpeq_epi16_mask(old, low);
    __m256i high = low, old_high = old;
    if (planes == 2) {
        high = _mm256_set1_epi32((int)work->codes[1][i]);
        old_high = _mm256_load_si256((const __m256i *)(const void *)(list + 32));
        found = _mm256_mask_cmpeq_epi16_mask(found, old_high, high);
    }
    __mmask16 moves = _kxor_mask16(found, _kadd_mask16(found, UINT16_MAX));
    __m256i shifted = _mm256_mask_permutexvar_epi8(low, ~UINT32_C(3), by, old);
    _mm256_store_si256((__m256i *)(void *)(list), _mm256_mask_mov_epi16(old, moves, shifted));
    if (planes == 2) {
        shifted = _mm256_mask_permutexvar_epi8(high, ~UINT32_C(3), by, old_high);
        _mm256_store_si256((__m256i *)(void *)(list + 32),
                           _mm256_mask_mov_epi16(old_high, moves, shifted));
    }
    count_place_16(counts, found, writes, item);
    return found;
}

TARGET GRID_TEMPLATE void count_place_8(__m512i counts[2], __mmask8 found, bool writes,
                                        uint32_t item)
{
    const __m128i one = _mm_set1_epi16(-1);
    __m128i all = _mm512_castsi512_si128(counts[0]);
    counts[0] = _mm512_castsi128_si512(_mm_mask_sub_epi16(all, found, all, one));
    if (writes) {
        __m128i some = _mm512_castsi512_si128(counts[1]),
                flag = _mm_load_si128((const __m128i *)(const void *)(write_flags.words[item & 1]));
        counts[1] = _mm512_castsi128_si512(_mm_mask_sub_epi16(some, found, some, flag));
    }
}

TARGET GRID_TEMPLATE unsigned step_8(const struct grid_work *work, size_t i, unsigned planes,
                                     bool writes, uint32_t item, __m512i counts[2])
{
    unsigned char *list = work->lists + work->offsets[i];
    const __m128i by = _mm_load_si128((const __m128i *)(const void *)(moved_bytes.bytes));
    __m128i low = _mm_set1_epi32((int)work->codes[0][i]),
            old = _mm_load_si128((const __m128i *)(const void *)(list));
    __mmask8 found = _mm_cmpeq_epi16_mask(old, low);
    __m128i high = low, old_high = old;
    if (planes == 2) {
        high = _mm_set1_epi32((int)work->codes[1][i]);
        old_high = _mm_load_si128((const __m128i *)(const void *)(list + 16));
        found = _mm_mask_cmpeq_epi16_mask(found, old_high, high);
    }
    __mmask8 moves = _kxor_mask8(found, _kadd_mask8(found, UINT8_MAX));
    __m128i shifted = _mm_mask_permutexvar_epi8(low, (__mmask16)~3, by, old);
    _mm_store_si128((__m128i *)(void *)(list), _mm_mask_mov_epi16(old, moves, shifted));
    if (planes == 2) {
        shifted = _mm_mask_permutexvar_epi8(high, (__mmask16)~3, by, old_high);
        _mm_store_si128((__m128i *)(void *)(list + 16),
                        _mm_mask_mov_epi16(old_high, moves, shifted));
    }
    count_place_8(counts, found, writes, item);
    return found;
}

TARGET GRID_TEMPLATE unsigned step(const struct grid_work *work, size_t i, unsigned lanes,
                                   unsigned planes, bool writes, uint32_t item, __m512i counts[2])
{
    if (lanes == 32)
        return step_32(work, i, planes, writes, item, counts);
    if (lanes == 16)
        return step_16(work, i, planes, writes, item, counts);
    return step_8(work, i, planes, writes, item, counts);
}

TARGET GRID_TEMPLATE void add_counts(__m512i counts, unsigned lanes, uint32_t *hits)
{
    _Alignas(64) uint16_t words[32];
    _mm512_store_si512(words, counts);
    for (unsigned place = 0; place < lanes; place++)
        hits[place] += words[place];
}

TARGET GRID_TEMPLATE void run_works(struct grid_job *job, unsigned count, unsigned lanes,
                                    unsigned planes, bool writes, bool keep)
{
    __m512i counts[GRID_LOCKSTEP][2];
    struct grid_work works[GRID_LOCKSTEP];
    size_t kept = job->kept_count;
    for (unsigned w = 0; w < count; w++) {
        works[w] = job->works[w];
        counts[w][0] = counts[w][1] = _mm512_setzero_si512();
    }
    for (size_t i = 0; i < job->item_count; i++) {
        uint32_t item = job->items[i];
        unsigned found = 0;
        for (unsigned w = 0; w < count; w++)
            found = step(&works[w], i, lanes, planes, writes, item, counts[w]);
        if (keep) {
            job->kept[kept] = item;
            kept += ~found & 1;
        }
    }
    job->kept_count = kept;
    for (unsigned w = 0; w < count; w++) {
        add_counts(counts[w][0], lanes, job->works[w].hits);
        if (writes)
            add_counts(counts[w][1], lanes, job->works[w].write_hits);
    }
}

/* From here on each function makes one more argument a constant. */
TARGET GRID_TEMPLATE void run_count(struct grid_job *job, unsigned lanes, unsigned planes,
                                    bool writes, bool keep)
{
    switch (job->count) {
    case 1:
        run_works(job, 1, lanes, planes, writes, keep);
        return;
    case 2:
        run_works(job, 2, lanes, planes, writes, keep);
        return;
    case 3:
        run_works(job, 3, lanes, planes, writes, keep);
        return;
    default:
        run_works(job, 4, lanes, planes, writes, keep);
        return;
    }
}

TARGET GRID_TEMPLATE void run_flags(struct grid_job *job, unsigned lanes, unsigned planes)
{
    if (job->writes)
        job->kept ? run_count(job, lanes, planes, true, true)
                  : run_count(job, lanes, planes, true, false);
    else
        job->kept ? run_count(job, lanes, planes, false, true)
                  : run_count(job, lanes, planes, false, false);
}

TARGET static void run_narrow(struct grid_job *job)
{
    if (job->lanes == 32)
        run_flags(job, 32, 1);
    else if (job->lanes == 16)
        run_flags(job, 16, 1);
    else
        run_flags(job, 8, 1);
}

TARGET static void run_wide(struct grid_job *job)
{
    if (job->lanes == 32)
        run_flags(job, 32, 2);
    else if (job->lanes == 16)
        run_flags(job, 16, 2);
    else
        run_flags(job, 8, 2);
}

TARGET static void run(struct grid_job *job)
{
    if (job->lanes == 4)
        grid_run_words(job);
    else if (job->planes == 1)
        run_narrow(job);
    else
        run_wide(job);
}

/* Sixteen items at once: those that differ from their neighbour before are packed. */
TARGET static size_t collapse(const uint32_t *items, size_t count, unsigned shift, uint32_t *last,
                              uint32_t *lines)
{
    const __m512i one = _mm512_set1_epi32(1);
    const __m128i by = _mm_cvtsi32_si128((int)shift + 1);
    __m512i before = _mm512_set1_epi32((int)*last);
    size_t kept = 0, i = 0;
    for (; i + 16 <= count; i += 16) {
        __m512i item = _mm512_loadu_si512(items + i), line = _mm512_srl_epi32(item, by);
        __mmask16 differ = _mm512_cmpneq_epi32_mask(line, _mm512_alignr_epi32(line, before, 15));
        __m512i out = _mm512_or_si512(_mm512_slli_epi32(line, 1), _mm512_and_si512(item, one));
        _mm512_storeu_si512(lines + kept, _mm512_maskz_compress_epi32(differ, out));
        kept += (unsigned)__builtin_popcount(differ);
        before = line;
    }
    *last = (uint32_t)_mm512_cvtsi512_si32(_mm512_alignr_epi32(before, before, 15));
    return kept + grid_collapse(items + i, count - i, shift, last, lines + kept);
}

TARGET static void place(const uint32_t *items, size_t count, unsigned set_bits, unsigned list_bits,
                         uint32_t *offsets, uint32_t *low, uint32_t *high)
{
    grid_place(items, count, set_bits, list_bits, offsets, low, high);
}

const struct grid_kernel grid_avx512 = {"AVX-512", supported, run, collapse, place};
#endif
