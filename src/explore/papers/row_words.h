/* Which rows of a table of measured values a user asks for: those that contain every word. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether each of the words in `only` (with blanks between) stands in one of the texts, whatever
 * the case; true if there are none or `only` is NULL. */
bool row_has_words(const char *only, const char *const *texts, size_t count);
