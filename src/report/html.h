/* HTML: escaping, and the frame of a page that needs nothing but itself. */
#pragma once

#include <stdio.h>

/* Text or an attribute's value: markup is escaped, and what must not be printed as it is
 * (base/printable.h). Newlines stay. */
void html_escape(const char *text, FILE *out);

/* Everything before and after the content. Colours follow the reader's light or dark setting. */
void html_begin(const char *title, FILE *out);
void html_end(FILE *out);
