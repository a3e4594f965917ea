#include "trace/access_words.h"

#include <string.h>

const struct access_word access_words[] = {
    {"past_l1", ACCESS_BYPASS_L1}, {"single", ACCESS_SINGLE}, {NULL, 0}};

const struct access_word *access_word_find(const char *word, size_t length)
{
    const struct access_word *row = access_words;
    while (row->word && (strlen(row->word) != length || strncmp(row->word, word, length) != 0))
        row++;
    return row;
}
