/* How lists of records name what an access is (`warpscape trace list -f csv`, and CSV traces):
 * words for its flags, but for those that say how its addresses are kept; and what other people's
 * lists call an operation. */
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

/* The operation (enum memory_op) that a word of `length` letters names, in any case: "load", "R",
 * "write", "i". False: none. */
bool access_op_find(const char *word, size_t length, uint8_t *op);
