#include "trace/access_words.h"

#include <string.h>
#include <strings.h>

const struct access_word access_words[] = {
    {"past_l1", ACCESS_BYPASS_L1}, {"single", ACCESS_SINGLE}, {NULL, 0}};

const struct access_word *access_word_find(const char *word, size_t length)
{
    const struct access_word *row = access_words;
    while (row->word && (strlen(row->word) != length || strncmp(row->word, word, length) != 0))
        row++;
    return row;
}

bool access_op_find(const char *word, size_t length, uint8_t *op)
{
    static const struct {
        const char *word;
        uint8_t op;
    } rows[] = {{"load", OP_LOAD}, {"store", OP_STORE}, {"atomic", OP_ATOMIC}, {"fetch", OP_FETCH},
                {"l", OP_LOAD},    {"s", OP_STORE},     {"a", OP_ATOMIC},      {"f", OP_FETCH},
                {"r", OP_LOAD},    {"w", OP_STORE},     {"d", OP_LOAD},        {"i", OP_FETCH},
                {"rd", OP_LOAD},   {"wr", OP_STORE},    {"read", OP_LOAD},     {"write", OP_STORE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].word) == length && !strncasecmp(word, rows[i].word, length)) {
            *op = rows[i].op;
            return true;
        }
    return false;
}
