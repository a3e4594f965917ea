#include "base/suggestion.h"

#include <stdio.h>

const char *suggestion(const char *nearest, char text[SUGGESTION_TEXT])
{
    *text = '\0';
    if (nearest)
        snprintf(text, SUGGESTION_TEXT, "; did you mean '%s'?", nearest);
    return text;
}
