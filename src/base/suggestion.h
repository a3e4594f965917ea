/* What an error says of a wrong name that is near a right one (nearest_name in base/diag.h). */
#pragma once

#include <stddef.h>

enum { SUGGESTION_TEXT = 96 };

/* "; did you mean 'X'?" for a nearest name, "" for none (NULL). Returns `text`. */
const char *suggestion(const char *nearest, char text[SUGGESTION_TEXT]);
