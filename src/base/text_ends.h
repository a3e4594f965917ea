/* Whether a text ends with another: endings of names of files and of words. */
#pragma once

#include <stdbool.h>
#include <string.h>
#include <strings.h>

static inline bool text_ends(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && !strcmp(text + length - tail, end);
}

/* The same whether letters are large or small. */
static inline bool text_ends_any_case(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && !strcasecmp(text + length - tail, end);
}
