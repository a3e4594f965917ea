/* Numbers for programs: CSV and JSON. Invariant: a number that is printed here and read back is the
 * same double; nothing is rounded for the eye. */
#pragma once

#include <stdio.h>

#include <jansson.h>

#include "schema/parameters.h"

enum { NUMBER_TEXT = 32 };

/* The shortest text that reads back as the same double; whole numbers below 2^53 have no decimal
 * point. NaN prints as "". Returns `text`. */
const char *number_print(double number, char text[NUMBER_TEXT]);

/* The change from `a` to `b` for people: "-23.3%", "0%", "x109" from a factor of ten on, "" if it
 * is not known. Returns `text`. */
const char *change_print(double a, double b, char text[NUMBER_TEXT]);

/* A JSON number; null if it is not finite. NULL: no memory. */
json_t *number_json(double number);

/* The value of a parameter as JSON: a number in its base unit, true or false, an array of numbers,
 * or the name of a choice or of the largest value ("full"). NULL: no memory. */
json_t *parameter_json(const struct parameter *parameter, struct value value);

/* A JSON string. Replaces bytes that are not UTF-8 by U+FFFD, because jansson refuses them. NULL:
 * no memory. */
json_t *text_json(const char *text);

/* Prints a document in lines, and frees it. NULL: STATUS_MEMORY, as that is why it was not made. */
enum status json_print(json_t *document, FILE *out);
