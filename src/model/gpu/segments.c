#include "model/gpu/segments.h"

#if defined __x86_64__
#include <immintrin.h>

#define VECTORS __attribute__((target("avx2")))

enum { EIGHTS = WARP_SIZE / 8, FAR_BITS = 30 };

/* The lower halves of eight numbers in two vectors; their order is the same for every such pair. */
VECTORS static inline __m256i narrow(__m256i a, __m256i b)
{
    return _mm256_castps_si256(
        _mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0x88));
}

VECTORS static inline int32_t greatest(__m256i numbers)
{
    __m128i most =
        _mm_max_epi32(_mm256_castsi256_si128(numbers), _mm256_extracti128_si256(numbers, 1));
    most = _mm_max_epi32(most, _mm_shuffle_epi32(most, 0x4e));
    most = _mm_max_epi32(most, _mm_shuffle_epi32(most, 0xb1));
    return _mm_cvtsi128_si32(most);
}

VECTORS static inline uint32_t any_bits(__m256i words)
{
    __m128i any = _mm_or_si128(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
    any = _mm_or_si128(any, _mm_shuffle_epi32(any, 0x4e));
    any = _mm_or_si128(any, _mm_shuffle_epi32(any, 0xb1));
    return (uint32_t)_mm_cvtsi128_si32(any);
}

/* The segment of each lane, as its distance from that of lane 0, and what it touches there. False
 * if the distances are too large. */
VECTORS static inline bool place_lanes(const uint64_t addresses[WARP_SIZE], unsigned bits,
                                       uint32_t one, __m256i numbers[EIGHTS],
                                       __m256i touched[EIGHTS])
{
    const __m128i by_segment = _mm_cvtsi32_si128((int)bits);
    const __m128i by_part = _mm_cvtsi32_si128((int)bits - 5);
    const __m256i first = _mm256_set1_epi64x((long long)(addresses[0] >> bits));
    const __m256i half = _mm256_set1_epi64x(1 << (FAR_BITS - 1)), parts = _mm256_set1_epi32(31);
    const __m256i bit = _mm256_set1_epi32((int)one);
    __m256i far = _mm256_setzero_si256();
    for (int i = 0; i < EIGHTS; i++) {
        const __m256i a = _mm256_loadu_si256((const __m256i *)(addresses + 8 * i));
        const __m256i b = _mm256_loadu_si256((const __m256i *)(addresses + 8 * i + 4));
        const __m256i from_a = _mm256_sub_epi64(_mm256_srl_epi64(a, by_segment), first);
        const __m256i from_b = _mm256_sub_epi64(_mm256_srl_epi64(b, by_segment), first);
        far = _mm256_or_si256(
            far, _mm256_or_si256(_mm256_add_epi64(from_a, half), _mm256_add_epi64(from_b, half)));
        numbers[i] = narrow(from_a, from_b);
        const __m256i part = narrow(_mm256_srl_epi64(a, by_part), _mm256_srl_epi64(b, by_part));
        touched[i] = _mm256_sllv_epi32(bit, _mm256_and_si256(part, parts));
    }
    far = _mm256_srli_epi64(far, FAR_BITS);
    return _mm256_testz_si256(far, far);
}

bool segments_possible(void)
{
    return __builtin_cpu_supports("avx2");
}

VECTORS unsigned segments_find(const uint64_t addresses[WARP_SIZE], unsigned bits, uint32_t one,
                               struct segment segments[SEGMENTS_MAX])
{
    const __m256i none = _mm256_set1_epi32(INT32_MIN);
    __m256i numbers[EIGHTS], touched[EIGHTS];
    if (!place_lanes(addresses, bits, one, numbers, touched))
        return 0;
    int32_t next = greatest(_mm256_max_epi32(_mm256_max_epi32(numbers[0], numbers[1]),
                                             _mm256_max_epi32(numbers[2], numbers[3])));
    for (unsigned count = 0; count < SEGMENTS_MAX;) {
        const __m256i this = _mm256_set1_epi32(next);
        __m256i all = _mm256_setzero_si256(), below = none;
        for (int i = 0; i < EIGHTS; i++) {
            const __m256i here = _mm256_cmpeq_epi32(numbers[i], this);
            const __m256i lower = _mm256_cmpgt_epi32(this, numbers[i]);
            all = _mm256_or_si256(all, _mm256_and_si256(here, touched[i]));
            below = _mm256_max_epi32(below, _mm256_blendv_epi8(none, numbers[i], lower));
        }
        segments[count++] = (struct segment){
            .number = (addresses[0] >> bits) + (uint64_t)(int64_t)next, .touched = any_bits(all)};
        next = greatest(below);
        if (next == INT32_MIN)
            return count;
    }
    return 0;
}
#else
bool segments_possible(void)
{
    return false;
}

unsigned segments_find(const uint64_t addresses[WARP_SIZE], unsigned bits, uint32_t one,
                       struct segment segments[SEGMENTS_MAX])
{
    (void)addresses, (void)bits, (void)one, (void)segments;
    return 0;
}
#endif
