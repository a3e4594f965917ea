/* How lists of records name what an access is (`warpscape trace list -f csv`, and CSV traces):
 * words for its flags, but for those that say how its addresses are kept. */
#pragma once

#include "trace/stream.h"

struct access_word {
    const char *word;
    uint8_t flag;
};

/* Ended by a row without a word. */
extern const struct access_word access_words[];

/* The row of a word of `length` letters, or the last. */
const struct access_word *access_word_find(const char *word, size_t length);
