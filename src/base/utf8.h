/* UTF-8, whatever the locale: code points, and their widths on a terminal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UTF8_MAX = 4 }; /* bytes of one code point */

/* The bytes of the code point at `text`, 0 where it is no UTF-8. (The end of a string is the code
 * point 0, of one byte.) */
size_t utf8_read(const char *text, uint32_t *point);

/* Whether a byte begins a character, so that counting these counts characters. */
static inline bool utf8_begins(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

/* Reads one code point and moves *text behind it. A byte that is no UTF-8 reads as U+FFFD; at the
 * end the result is 0 and *text stays. */
uint32_t utf8_next(const char **text);

/* Writes one code point; returns its bytes, 1 to UTF8_MAX. What cannot be written becomes U+FFFD.
 */
size_t utf8_write(uint32_t point, char bytes[UTF8_MAX]);

/* Columns on a terminal: 0 (combining), 1 or 2; 1 for control characters, which are never printed
 * as they are. */
int utf8_width(uint32_t point);

/* Columns of a whole string. */
size_t utf8_columns(const char *text);
