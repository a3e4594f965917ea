/* Numbers and units as profilers print them. Which of ',' and '.' groups thousands depends on the
 * locale of the profiler ("1,362.20", "1.362,20", "1 362,20"), and one number need not tell
 * ("1,215"), so a file is read as a whole before its numbers are: number_style says what one number
 * proves. Units have decimal prefixes: a Kbyte is 1,000 bytes, a Kibyte 1,024. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum number_style {
    STYLE_UNKNOWN,
    STYLE_POINT, /* 1,362.20 */
    STYLE_COMMA  /* 1.362,20 */
};

/* The length of the number that `text` begins with, whatever its style; 0 if it is none. What
 * follows may be a unit. */
size_t number_length(const char *text);

/* What the first `length` bytes of `text` prove about their style. */
enum number_style number_style(const char *text, size_t length);

/* Reads them; false if they are not a finite number of that style. STYLE_UNKNOWN reads like
 * STYLE_POINT. */
bool number_read(const char *text, size_t length, enum number_style style, double *value);

/* Writes the unit without prefixes, in the words of Nsight Compute ("Kbyte/second" and "KB/s" give
 * "byte/second", "Ghz" and "cycle/nsecond" give "cycle/second"), and sets *factor to what a number
 * has to be multiplied with; a share in "%" becomes a ratio. A word that is not known stays as it
 * is, cut to UNIT_WORD bytes, with the factor 1. Returns whether all words are known. */
enum { UNIT_WORD = 40 };
bool unit_read(const char *text, char unit[UNIT_WORD], double *factor);
