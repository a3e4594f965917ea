/* Makes text from other people's files safe to print: names of files and their contents.
 *
 * Control characters, invalid UTF-8 and direction marks could steer a terminal or make one line
 * read as another, so each of their bytes is printed as an escape such as "\x1b". Diagnostics,
 * tables and pages all use this one rule. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* The length in bytes of the character at `text` if it is safe to print, 0 if its first byte must
 * be escaped. Newlines and tabs are safe. The terminating NUL counts as safe and has length 1. */
size_t printable_length(const char *text);

enum { PRINTABLE_ESCAPE = 4 }; /* columns of an escaped byte */

/* Prints the first character of a non-empty text, or the escape of its first byte; returns the
 * rest. */
const char *printable_put(const char *text, FILE *out);
/* Prints the whole text. */
void printable_write(const char *text, FILE *out);
/* Prints each line of the text as a comment that begins with "# ". */
void printable_comment(const char *text, FILE *out);
