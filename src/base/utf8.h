/* Reads, writes and measures UTF-8 in the same way under every locale. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UTF8_MAX = 4 }; /* bytes of the longest code point */

/* The number of bytes of the code point at `text`, 0 if they are not valid UTF-8 (overlong forms
 * and surrogates are not). The terminating NUL is the code point 0, with one byte. */
size_t utf8_read(const char *text, uint32_t *point);

/* Whether a byte begins a character. Counting such bytes counts the characters of valid UTF-8. */
static inline bool utf8_begins(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

/* Reads one code point and moves *text past it. An invalid byte reads as U+FFFD. At the end it
 * returns 0 and leaves *text alone. */
uint32_t utf8_next(const char **text);

/* Writes one code point and returns its length, 1 to UTF8_MAX bytes. A surrogate or a number above
 * U+10FFFF is written as U+FFFD. */
size_t utf8_write(uint32_t point, char bytes[UTF8_MAX]);

/* How many bytes of a byte order mark a text begins with: 3 or 0. */
size_t utf8_mark(const char *text, size_t size);

/* Whether a text is UTF-16, as PowerShell and Windows editors write it: it begins with a byte order
 * mark of UTF-16, or every second one of its first bytes is 0. */
bool utf16_seems(const char *text, size_t size);
/* What a reader of UTF-8 says of such a file. */
#define UTF16_TEXT                                                                                 \
    "expected UTF-8 text, found UTF-16, as PowerShell's > writes it; `iconv -f UTF-16 -t UTF-8 "   \
    "FILE` converts it"

/* Columns that a code point takes on a terminal: 0 (combining), 1 or 2. Control characters count 1;
 * nobody prints them unescaped. */
int utf8_width(uint32_t point);

/* Columns that a whole string takes. */
size_t utf8_columns(const char *text);
