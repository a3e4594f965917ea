/* UTF-8 as the screen sees it: every code point takes one column (cells.h). */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The code point at *text, which moves past it. A broken byte reads as U+FFFD; at the end 0. */
uint32_t text_decode(const char **text);
/* Writes up to 4 bytes and returns how many. */
size_t text_encode(uint32_t point, char bytes[4]);
int text_columns(const char *text);
/* Bytes of the first `columns` columns. */
size_t text_bytes(const char *text, int columns);
