/* The kernels of grid.h for AVX-512 with byte permutations (VBMI: Ice Lake, Zen 4 and later). A
 * list of up to 32 codes is one vector per plane; up to six rows run in lockstep, to hide the
 * latency from one state of a list to its next. */
#include <stdbool.h>

#include "model/lru/grid_fifo.h"

#if defined __x86_64__
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,bmi,bmi2")))

static int supported(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("bmi2");
}

/* The permutation that moves a list by one place: byte i comes from byte i - 2; the first two are
 * the new code's. */
static const struct {
    _Alignas(64) uint8_t bytes[64];
} moved_bytes = {{0,  0,  0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13,
                  14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
                  30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45,
                  46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61}};

/* The vector that one item subtracts from the counts of stores: zeros for a load, -1 for a store.
 */
static const struct {
    _Alignas(64) uint16_t words[2][32];
} write_flags = {
    {{0}, {UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX,
           UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX,
           UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX,
           UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX,
           UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX}}};

/* In each step, `found` ^ (`found` - 1) has ones up to the place found, or everywhere if there is
 * none. These places take their neighbours' codes. The computation stays in mask registers, which
 * is shorter than going through a general one. This function then counts the place found. */
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

/* Runs `count` rows from `works`, the first `wide` of which have two planes. Returns how many items
 * are kept. */
TARGET GRID_TEMPLATE size_t run_works(const struct grid_job *job, struct grid_work *works,
                                      unsigned count, unsigned wide, unsigned lanes, bool writes)
{
    __m512i counts[GRID_LOCKSTEP][2];
    struct grid_work local[GRID_LOCKSTEP];
    const uint32_t *items = job->items;
    const size_t item_count = job->item_count;
    uint32_t *kept = job->kept + job->kept_count;
    for (unsigned w = 0; w < count; w++) {
        local[w] = works[w];
        counts[w][0] = counts[w][1] = _mm512_setzero_si512();
    }
    for (size_t i = 0; i < item_count; i++) {
        uint32_t item = items[i];
        unsigned found = 0;
        for (unsigned w = 0; w < count; w++)
            found = step(&local[w], i, lanes, w < wide ? 2 : 1, writes, item, counts[w]);
        *kept = item;
        kept += ~found & 1;
    }
    for (unsigned w = 0; w < count; w++) {
        add_counts(counts[w][0], lanes, works[w].hits);
        if (writes)
            add_counts(counts[w][1], lanes, works[w].write_hits);
    }
    return (size_t)(kept - job->kept);
}

/* Each of the next functions turns one more argument into a constant. */
TARGET GRID_TEMPLATE size_t run_wide(const struct grid_job *job, struct grid_work *works,
                                     unsigned count, unsigned wide, unsigned lanes, bool writes)
{
    switch (wide) {
    case 0:
        return run_works(job, works, count, 0, lanes, writes);
    case 1:
        return run_works(job, works, count, 1, lanes, writes);
    case 2:
        return run_works(job, works, count, 2 < count ? 2 : count, lanes, writes);
    case 3:
        return run_works(job, works, count, 3 < count ? 3 : count, lanes, writes);
    case 4:
        return run_works(job, works, count, 4 < count ? 4 : count, lanes, writes);
    case 5:
        return run_works(job, works, count, 5 < count ? 5 : count, lanes, writes);
    default:
        return run_works(job, works, count, count, lanes, writes);
    }
}

/* Runs six, four, three, two or one rows at once: enough to overlap them without a function for
 * every number. */
TARGET GRID_TEMPLATE size_t run_count(const struct grid_job *job, struct grid_work *works,
                                      unsigned *count, unsigned wide, unsigned lanes, bool writes)
{
    if (lanes == 32 && *count >= 6) {
        *count = 6;
        return run_wide(job, works, 6, wide, lanes, writes);
    }
    if (lanes == 32 && *count == 4)
        return run_wide(job, works, 4, wide, lanes, writes);
    if (lanes == 32 && *count >= 3) {
        *count = 3;
        return run_wide(job, works, 3, wide, lanes, writes);
    }
    if (*count >= 2) {
        *count = 2;
        return run_wide(job, works, 2, wide, lanes, writes);
    }
    *count = 1;
    return run_wide(job, works, 1, wide, lanes, writes);
}

TARGET GRID_TEMPLATE void run_lanes(struct grid_job *job, unsigned lanes, bool writes)
{
    size_t kept = 0;
    for (unsigned w = 0; w < job->count;) {
        unsigned count = job->count - w, wide = 0;
        while (wide < count && job->works[w + wide].planes == 2)
            wide++;
        kept = run_count(job, &job->works[w], &count, wide, lanes, writes);
        w += count;
    }
    job->kept_count = kept; /* the items that the last row kept */
}

TARGET static void run_reads(struct grid_job *job)
{
    if (job->lanes == 32)
        run_lanes(job, 32, false);
    else if (job->lanes == 16)
        run_lanes(job, 16, false);
    else
        run_lanes(job, 8, false);
}

TARGET static void run_writes(struct grid_job *job)
{
    if (job->lanes == 32)
        run_lanes(job, 32, true);
    else if (job->lanes == 16)
        run_lanes(job, 16, true);
    else
        run_lanes(job, 8, true);
}

TARGET static void grid_avx512_run(struct grid_job *job)
{
    if (job->writes)
        run_writes(job);
    else
        run_reads(job);
}

/* Compares sixteen items at a time with their predecessors and packs those that differ. */
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

/* Prefetches, because so little work is done per item that loads would wait for the next cache
 * level. */
TARGET static size_t choose(const uint32_t *items, size_t count, const struct grid_choice *choice,
                            uint32_t *chosen)
{
    const __m512i mask = _mm512_set1_epi32((int)choice->mask);
    const __m512i number = _mm512_set1_epi32((int)choice->number);
    const __m128i fold = _mm_cvtsi32_si128((int)choice->fold);
    enum { AHEAD = 4096 }; /* bytes */
    size_t kept = 0, i = 0;
    for (; i + 16 <= count; i += 16) {
        __m512i item = _mm512_loadu_si512(items + i);
        _mm_prefetch((const void *)((uintptr_t)(items + i) + AHEAD), _MM_HINT_T0);
        __m512i folded = _mm512_xor_si512(item, _mm512_srl_epi32(item, fold));
        __mmask16 here = _mm512_cmpeq_epi32_mask(_mm512_and_si512(folded, mask), number);
        _mm512_storeu_si512(chosen + kept, _mm512_maskz_compress_epi32(here, item));
        kept += (unsigned)__builtin_popcount(here);
    }
    return kept + grid_choose(items + i, count - i, choice, chosen + kept);
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

const struct grid_kernel grid_avx512 = {"AVX-512",        supported, grid_avx512_run,
                                        grid_fifo_avx512, survey,    collapse,
                                        choose,           place,     place_hashed};
#endif
