#include "explore/papers/row_words.h"

#include <stdio.h>
#include <string.h>

bool row_has_words(const char *only, const char *const *texts, size_t count)
{
    char word[256];
    int length = 0;
    for (const char *at = only; at && sscanf(at, " %255s%n", word, &length) == 1; at += length) {
        bool found = false;
        for (size_t i = 0; i < count && !found; i++)
            found = strcasestr(texts[i], word);
        if (!found)
            return false;
    }
    return true;
}
