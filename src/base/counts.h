/* Prints counts and durations for people to read. units.h prints quantities that can be read
 * back. */
#pragma once

#include <stdint.h>

enum { COUNT_TEXT = 64, DURATION_TEXT = 32 };

/* "1 048 576". Returns `text`. */
const char *count_print(uint64_t count, char text[COUNT_TEXT]);
/* "1 point", "1 048 576 points", "2 axes", "2 launches", "2 entries"; `noun` is the singular. A
 * noun that does not fit is cut. Returns `text`. */
const char *counted_print(uint64_t count, const char *noun, char text[COUNT_TEXT]);
/* "0.4 s", "12 s", "3 min 7 s", "1 h 2 min"; "-" if the duration is not known (infinite, NaN or
 * above 1e9 s). Returns `text`. */
const char *duration_print(double seconds, char text[DURATION_TEXT]);
