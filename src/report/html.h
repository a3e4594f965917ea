/* HTML: escaping, and the frame of a page that needs nothing but itself. */
#pragma once

#include <stdio.h>

/* Text or an attribute's value: markup is escaped, control characters and what is no UTF-8 become
 * blanks and U+FFFD. Newlines stay. */
void html_escape(const char *text, FILE *out);

/* Everything before and after the content. Colours follow the reader's light or dark setting. */
void html_begin(const char *title, FILE *out);
void html_end(FILE *out);
