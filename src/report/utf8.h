/* UTF-8 on its way to a terminal: code points and their widths, whatever the locale. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { UTF8_MAX = 4 }; /* bytes of one code point */

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
