/* Text that others wrote, on its way to people: names of files, what stands in them. Control
 * characters, bytes that are no UTF-8 and marks that turn the direction of writing could steer a
 * terminal or make a line read as another; each of their bytes is printed as "\x1b". One rule for
 * diagnostics, tables, pages and all that the program prints. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* Bytes of the character at `text` if it may be printed as it is, 0 if its first byte must be
 * escaped. Newlines and tabs may; so may the end of the text, which has 1 byte, its NUL. */
size_t printable_length(const char *text);

enum { PRINTABLE_ESCAPE = 4 }; /* columns of an escaped byte */

/* Prints the first character of a text that has one, escaped where it must be; returns what is
 * behind it. */
const char *printable_put(const char *text, FILE *out);
/* All of the text. */
void printable_write(const char *text, FILE *out);
/* Its lines as comments that begin with "# ". */
void printable_comment(const char *text, FILE *out);
