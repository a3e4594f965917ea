/* HTML: escaping, and the frame of a page. The page is self-contained: styles are inline, and it
 * loads no script, font or image, so that a report can be sent as one file. */
#pragma once

#include <stdio.h>

/* Writes text, or the value of an attribute: escapes markup, and characters that must not be
 * printed raw (base/printable.h). Keeps newlines. */
void html_escape(const char *text, FILE *out);

/* Writes what comes before and after the content. Colours follow the reader's light or dark
 * setting. */
void html_begin(const char *title, FILE *out);
void html_end(FILE *out);
