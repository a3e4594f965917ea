#include "model/lru/stack_list.h"

#include <string.h>

unsigned stack_list_plain(uint64_t *list, unsigned places, uint64_t tag, bool drop)
{
    unsigned place = 0, hole = places;
    for (; place < places && list[place] != tag; place++)
        if (!list[place] && hole == places)
            hole = place;
    if (place < places && (drop || hole < place))
        list[place] = 0;
    if (drop)
        return place;
    unsigned end = hole < place ? hole : place;
    memmove(list + 1, list, (end < places ? end : places - 1) * sizeof *list);
    list[0] = tag;
    return place;
}

unsigned stack_list_find_plain(const uint64_t *list, unsigned places, uint64_t tag)
{
    unsigned place = 0;
    while (place < places && list[place] != tag)
        place++;
    return place;
}

#if defined __x86_64__
#include <immintrin.h>

/* Like stack_list_plain without branches: every place up to the first hole or the line takes its
 * neighbour's value. */
__attribute__((target("avx512f,bmi"))) static unsigned list_avx512(uint64_t *list, unsigned places,
                                                                   uint64_t tag, bool drop)
{
    const __m512i wanted = _mm512_set1_epi64((long long)tag);
    const unsigned vectors = places / STACK_LIST_STEP;
    uint32_t found = 0, stop = 0;
    for (unsigned i = 0; i < vectors; i++) {
        __m512i old = _mm512_load_si512(list + 8 * i);
        uint32_t equal = _mm512_cmpeq_epi64_mask(old, wanted);
        found |= equal << (8 * i);
        stop |= (equal | _mm512_testn_epi64_mask(old, old)) << (8 * i);
    }
    uint32_t moved = drop ? 0 : stop ^ (stop - 1), cleared = found & ~moved;
    __m512i before = wanted;
    for (unsigned i = 0; i < vectors; i++) {
        __m512i old = _mm512_load_si512(list + 8 * i);
        __m512i shifted = _mm512_alignr_epi64(old, before, 7);
        __m512i now = _mm512_mask_mov_epi64(old, (__mmask8)(moved >> (8 * i)), shifted);
        _mm512_store_si512(list + 8 * i,
                           _mm512_maskz_mov_epi64((__mmask8) ~(cleared >> (8 * i)), now));
        before = old;
    }
    return found ? (unsigned)__builtin_ctz(found) : places;
}

__attribute__((target("avx512f,bmi"))) static unsigned find_avx512(const uint64_t *list,
                                                                   unsigned places, uint64_t tag)
{
    const __m512i wanted = _mm512_set1_epi64((long long)tag);
    for (unsigned i = 0; i < places; i += STACK_LIST_STEP) {
        __mmask8 equal = _mm512_cmpeq_epi64_mask(_mm512_loadu_si512(list + i), wanted);
        if (equal)
            return i + (unsigned)__builtin_ctz(equal);
    }
    return places;
}

stack_list_find *stack_list_find_best(void)
{
    bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("bmi");
    return has ? find_avx512 : stack_list_find_plain;
}

stack_list_use *stack_list_best(void)
{
    bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("bmi");
    return has ? list_avx512 : stack_list_plain;
}
#else
stack_list_find *stack_list_find_best(void)
{
    return stack_list_find_plain;
}

stack_list_use *stack_list_best(void)
{
    return stack_list_plain;
}
#endif
