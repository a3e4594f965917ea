/* Hexadecimal numbers where 16 bytes can be read at once, whatever they are. */
#pragma once

#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { HEX_DIGITS = 16 };

/* The value of the digits at `at`, up to HEX_DIGITS of them; *count says how many they are. */
#ifdef __SSE2__
static inline uint64_t hex_digits(const char *at, unsigned *count)
{
    const __m128i text = _mm_loadu_si128((const __m128i *)at);
    const __m128i digit = _mm_sub_epi8(text, _mm_set1_epi8('0'));
    const __m128i letter = _mm_sub_epi8(_mm_or_si128(text, _mm_set1_epi8(32)), _mm_set1_epi8('a'));
    const __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit);
    const __m128i is_letter = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(5)), letter);
    const unsigned other = ~(unsigned)_mm_movemask_epi8(_mm_or_si128(is_digit, is_letter));
    *count = (unsigned)__builtin_ctz(other);
    if (!*count)
        return 0;
    /* Two digits become a byte, the first byte of them all the highest one of the value. */
    const __m128i values =
        _mm_or_si128(_mm_and_si128(is_digit, digit),
                     _mm_and_si128(is_letter, _mm_add_epi8(letter, _mm_set1_epi8(10))));
    const __m128i pairs = _mm_and_si128(
        _mm_or_si128(_mm_slli_epi16(values, 4), _mm_srli_epi16(values, 8)), _mm_set1_epi16(255));
    const int64_t bytes = _mm_cvtsi128_si64(_mm_packus_epi16(pairs, pairs));
    return __builtin_bswap64((uint64_t)bytes) >> (4 * (HEX_DIGITS - *count));
}
#else
static inline uint64_t hex_digits(const char *at, unsigned *count)
{
    uint64_t value = 0;
    for (*count = 0; *count < HEX_DIGITS; ++*count) {
        const unsigned digit = (unsigned char)at[*count] - '0', letter = (at[*count] | 32u) - 'a';
        if (digit > 9 && letter > 5)
            break;
        value = value << 4 | (digit <= 9 ? digit : letter + 10);
    }
    return value;
}
#endif
