/* A hash of 128 bits as text: the digests of streams. */
#pragma once

#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

enum { HASH_TEXT = 33 };

static inline void hash_print(char text[HASH_TEXT], XXH128_hash_t hash)
{
    snprintf(text, HASH_TEXT, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64,
             (uint64_t)hash.low64);
}
