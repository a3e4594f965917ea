/* A running hash of numbers, to tell one state of a model from another. It is neither for keys that
 * somebody may choose nor for files.
 *
 * Invariant: the hash depends on numbers alone, so whoever hashes bytes hashes arrays of numbers,
 * or of structs without padding. Cost: a multiplication a word. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline void mix_word(uint64_t *hash, uint64_t word)
{
    *hash = (*hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    *hash ^= *hash >> 29;
}

static inline void mix_words(uint64_t *hash, const uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        mix_word(hash, words[i]);
}

static inline void mix_bytes(uint64_t *hash, const void *bytes, size_t size)
{
    for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, (const char *)bytes + at, size - at < sizeof word ? size - at : sizeof word);
        mix_word(hash, word);
    }
}
